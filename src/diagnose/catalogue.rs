//! All codes with their meanings, for `profan explain` and docs/diagnostics.md.

use crate::sorting::ColdSort;

pub use super::problems::CatalogueEntry;
use super::{error, unavailable, warning};

/// All codes in order, warnings before errors.
pub fn entries() -> impl Iterator<Item = &'static CatalogueEntry> {
    let lists = [warning::ENTRIES, unavailable::ENTRIES, error::ENTRIES];
    let mut entries: Vec<_> = lists.into_iter().flatten().collect();
    entries.cold_sort_by_key(|entry| (entry.code.starts_with('E'), entry.code));
    entries.into_iter()
}

/// The entry of a code; ignores case and leading zeros.
pub fn entry(code: &str) -> Option<&'static CatalogueEntry> {
    let number = code.get(1..)?.parse::<u16>().ok()?;
    let code = format!("{}{number:03}", code.get(..1)?);
    entries().find(|entry| entry.code.eq_ignore_ascii_case(&code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_numbered_without_holes() {
        let codes = |kind: char| entries().filter(move |entry| entry.code.starts_with(kind));
        for kind in ['W', 'E'] {
            for (index, entry) in codes(kind).enumerate() {
                assert_eq!(entry.code, format!("{kind}{:03}", index + 1));
            }
        }
    }

    #[test]
    fn entries_are_sentences() {
        for one in entries() {
            let has_end = |text: &str| text.ends_with('.');
            assert!(has_end(one.cause) && has_end(one.cure), "{}", one.code);
            assert!(one.evidence.is_empty() || has_end(one.evidence), "{}", one.code);
        }
        assert!(entry("w3").is_some_and(|entry| entry.code.ends_with("003")));
        assert!(entry("W").is_none() && entry("äW").is_none() && entry("W+03x").is_none());
    }
}
