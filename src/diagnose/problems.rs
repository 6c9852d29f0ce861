//! Problems with codes, and the meaning of a code.

/// The general meaning of a code.
#[derive(Clone, Copy, Debug)]
pub struct CatalogueEntry {
    /// `W` and a number for warnings, `E` for errors.
    pub code: &'static str,
    pub title: &'static str,
    pub cause: &'static str,
    /// How to check the cause; empty if the message shows it.
    pub evidence: &'static str,
    pub cure: &'static str,
    /// Codes of problems with the same cause, which are then not reported.
    pub explains: &'static [&'static str],
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
                $(evidence $evidence:literal)?
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

        pub(super) static ENTRIES: &[crate::diagnose::problems::CatalogueEntry] = &[
            $(crate::diagnose::problems::CatalogueEntry {
                code: codes::$constant,
                title: $title,
                cause: $cause,
                evidence: concat!($($evidence)?),
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
