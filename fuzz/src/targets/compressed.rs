use profan::load::Hints;

use super::check;

/// The starts of compressed files.
const STARTS: [&[u8]; 4] =
    [b"", &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3], b"\xfd7zXZ\0", &[0x28, 0xb5, 0x2f, 0xfd]];

/// Any bytes as a compressed profile.
pub fn compressed(data: &[u8]) {
    for start in STARTS {
        check::reading(&[start, data].concat(), &Hints::default());
    }
}
