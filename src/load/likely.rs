//! A quick look at a file: may it be a profile, and does it say anything by itself?

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::FORMATS;
use super::compressed::{Compression, Compressions};
use super::format::{Claim, Format, Hints};
use super::ld_profile::LdProfile;
use super::mlton::Mlmon;

/// How much is looked at. Old layouts are told by the size of the whole, and a profile
/// of such a layout is smaller.
const MOST_BYTES: u64 = 1 << 24;

/// How much of a compressed file is unpacked.
const MOST_DECOMPRESSED: u64 = 1 << 12;

/// Whether a file looks like a profile. Of compressed ones only the start counts.
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
    let claims = |format: &&dyn Format| format.sniff((&bytes).into(), &Hints::default());
    !bytes.is_empty() && FORMATS.iter().any(|format| claims(format) != Claim::No)
}

fn all_of(source: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether a file that starts like this is of a library: its profile is a part of a run.
pub fn is_of_library(head: &[u8]) -> bool {
    LdProfile.sniff(head.into(), &Hints::default()) != Claim::No
}

/// Whether a file that starts like this has values by number: it says nothing without
/// the table that says what has the numbers.
pub fn is_values_by_number(head: &[u8]) -> bool {
    Mlmon.sniff(head.into(), &Hints::default()) != Claim::No
}
