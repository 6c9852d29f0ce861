//! A quick check whether a file may be a profile.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::FORMATS;
use super::compressed::{Compression, Compressions};
use super::format::{Claim, Format, Hints};

/// Maximum size of a file to check. Old layouts are recognised by the size of the whole file,
/// and such profiles are smaller.
const MOST_BYTES: u64 = 1 << 24;

/// Maximum bytes to decompress.
const MOST_DECOMPRESSED: u64 = 1 << 12;

/// Returns whether a file looks like a profile. Of compressed files, only the start is
/// checked.
pub fn may_be_profile(path: &Path) -> bool {
    let Ok(bytes) = File::open(path).and_then(|file| all_of(file, MOST_BYTES)) else {
        return false;
    };
    let bytes = match Compression::of(&bytes, Compressions::All) {
        None => bytes,
        Some(compression) => {
            all_of(compression.decoder(&*bytes), MOST_DECOMPRESSED).unwrap_or_default()
        }
    };
    let hints = Hints::default().named(&path.to_string_lossy());
    let claims = |format: &&dyn Format| format.sniff((&bytes).into(), &hints);
    !bytes.is_empty() && FORMATS.iter().any(|format| claims(format) != Claim::No)
}

fn all_of(source: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}
