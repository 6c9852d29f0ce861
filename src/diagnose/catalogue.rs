//! All codes with their meanings, for `profan explain` and docs/diagnostics.md.

use crate::sorting::ColdSort;

use super::{error, unavailable, warning};

/// The general meaning of a code.
#[derive(Clone, Copy, Debug)]
pub struct CatalogueEntry {
    /// `W` and a number for warnings, `E` for errors.
    pub code: &'static str,
    pub title: &'static str,
    pub cause: &'static str,
    /// How to check the cause.
    pub evidence: &'static str,
    pub cure: &'static str,
    /// Codes of problems with the same cause, which are then not reported.
    pub explains: &'static [&'static str],
}

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

/// Declares an enum of problems: each code once, with its meaning and its variants. A variant
/// has a message as an attribute of `thiserror`, and its advice after the arrow, where fields
/// are references.
macro_rules! problems {
    (
        $(#[$top:meta])*
        pub enum $name:ident
        of other codes {
            $($(#[$other_meta:meta])*
            $other:ident {
                $($(#[$other_field_meta:meta])* $other_field:ident: $other_type:ty),* $(,)?
            } => $other_code:expr, $other_advice:expr;)*
        }
        $(
            $constant:ident $code:literal
                title $title:literal
                cause $cause:literal
                evidence $evidence:literal
                cure $cure:literal
                $(explains $($explained:ident),+)?
            {
                $($(#[$meta:meta])*
                $variant:ident $({
                    $($(#[$field_meta:meta])* $field:ident: $type:ty),* $(,)?
                })? => $advice:expr;)*
            }
        )*
    ) => {
        pub(crate) mod codes {
            $(pub(crate) const $constant: &str = $code;)*
        }

        pub(super) static ENTRIES: &[crate::diagnose::catalogue::CatalogueEntry] = &[
            $(crate::diagnose::catalogue::CatalogueEntry {
                code: codes::$constant,
                title: $title,
                cause: $cause,
                evidence: $evidence,
                cure: $cure,
                explains: &[$($(codes::$explained),+)?],
            }),*
        ];

        $(#[$top])*
        #[derive(Debug, thiserror::Error)]
        pub enum $name {
            $($(#[$other_meta])* $other {
                $($(#[$other_field_meta])* $other_field: $other_type),*
            },)*
            $($($(#[$meta])* $variant $({
                $($(#[$field_meta])* $field: $type),*
            })?,)*)*
        }

        impl $name {
            /// The stable code.
            pub fn code(&self) -> &str {
                match self {
                    $(#[allow(unused_variables, reason = "not every code is a field")]
                    Self::$other { $($other_field),* } => $other_code,)*
                    $($(Self::$variant { .. } => codes::$constant,)*)*
                }
            }

            /// The advice, in one sentence.
            #[allow(unused_variables, reason = "not every advice depends on the case")]
            pub fn advice(&self) -> String {
                match self {
                    $(Self::$other { $($other_field),* } => String::from($other_advice),)*
                    $($(Self::$variant $({ $($field),* })? => String::from($advice),)*)*
                }
            }
        }
    };
}

pub(super) use problems;

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
            for text in [one.cause, one.evidence, one.cure] {
                assert!(text.ends_with('.'), "{}: {text}", one.code);
            }
        }
        assert!(entry("w3").is_some_and(|entry| entry.code.ends_with("003")));
        assert!(entry("W").is_none() && entry("äW").is_none() && entry("W+03x").is_none());
    }
}
