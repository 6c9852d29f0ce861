//! Recognises formats: by the whole file, or by its start.

use super::FORMATS;
use super::error::LoadError;
use super::format::{Claim, FilePart, Format, Hints};
use super::input::Input;
use super::other_files::{not_a_profile, written_by_profan};
use super::utf16;

/// The format of a whole file. Of several equally certain ones, the last.
///
/// # Errors
/// If the file is empty or not a profile.
pub(super) fn choose(input: &Input, hints: &Hints) -> Result<&'static dyn Format, LoadError> {
    let data = input.sparse_bytes();
    let hints = &hints.named(input.path());
    let mut formats = FORMATS.iter().copied();
    if let Some(requested) = formats.find(|format| format.is_requested(data, hints)) {
        return Ok(requested);
    }
    if data.len() == 0 {
        let path = input.path().to_owned();
        return Err(LoadError::Empty { path });
    }
    if let Some(error) = written_by_profan(input.path(), input.bytes()) {
        return Err(error);
    }
    let claims = FORMATS.iter().map(|&format| (format.sniff(data, hints), format));
    claims
        .filter(|(claim, _)| *claim != Claim::No)
        .max_by_key(|(claim, _)| *claim)
        .map(|(_, format)| format)
        .ok_or_else(|| {
            if !starts_later(input.bytes(), hints) {
                return not_a_profile(input.path(), input.bytes());
            }
            LoadError::NotAProfile {
                path: input.path().to_owned(),
                what: "a text with other lines before a profile",
                advice: "remove the lines before it",
            }
        })
}

/// The number of lines before a profile to skip.
const MAX_LINES_BEFORE: usize = 8;

/// Returns whether a profile starts after a few lines of text.
fn starts_later(bytes: &[u8], hints: &Hints) -> bool {
    let ends = memchr::memchr_iter(b'\n', bytes).take(MAX_LINES_BEFORE);
    let mut rests = ends.map(|end| &bytes[end + 1..]);
    let is_text = |format: &&dyn Format| !format.is_by_address();
    rests.any(|rest| {
        let mut formats = FORMATS.iter().copied().filter(is_text);
        formats.any(|format| format.sniff(rest.into(), hints) == Claim::Certain)
    })
}

/// The format of a file with this start, if it can be read as a stream.
pub(super) fn streamed_format(head: &[u8]) -> Option<&'static dyn Format> {
    let is_certain =
        |format: &&dyn Format| format.sniff(head.into(), &Hints::default()) == Claim::Certain;
    let mut formats = FORMATS.iter().copied();
    formats.find(|format| format.stream().is_some() && is_certain(format))
}

/// Returns whether a longer profile can start with these bytes.
pub(super) fn may_start_profile(head: &[u8], hints: &Hints) -> bool {
    let head = &*utf16::without_mark(head.to_vec());
    let mut formats = FORMATS.iter();
    hints.layout.is_some() || formats.any(|format| format.may_start(head, hints))
}

/// Returns whether a file with this start samples code by address.
pub(super) fn is_by_address(head: &[u8]) -> bool {
    let is_certain =
        |format: &&dyn Format| format.sniff(head.into(), &Hints::default()) == Claim::Certain;
    FORMATS.iter().copied().find(is_certain).is_some_and(|format| format.is_by_address())
}

/// The part of a run in a file with this start.
pub fn part_of(head: &[u8]) -> FilePart {
    let claims = |format: &&dyn Format| format.sniff(head.into(), &Hints::default()) != Claim::No;
    let mut parts = FORMATS.iter().copied().filter(|format| format.part() != FilePart::Whole);
    parts.find(claims).map_or(FilePart::Whole, |format| format.part())
}
