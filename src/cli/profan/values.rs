//! What the arguments of options may say.

use std::ffi::OsString;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::super::plan::{Base, ColorWhen};
use crate::filter::keep::{Keep, KeepError, Place};
use crate::load::Requested;
use crate::model::Address;
use crate::render;
use crate::sources::PathMap;
use crate::symbols::Style;

/// A layout of profiles; `None` for whatever it turns out to be.
pub(super) type Layout = Option<Requested>;

pub(super) const LAYOUTS: &[(&str, Layout)] = &[
    ("auto", None),
    ("magic", Some(Requested::Gnu)),
    ("bsd", Some(Requested::Bsd)),
    ("4.4bsd", Some(Requested::Bsd44)),
];

pub(super) const COLORS: &[(&str, ColorWhen)] = &[
    ("auto", ColorWhen::Auto),
    ("always", ColorWhen::Always),
    ("never", ColorWhen::Never),
];

pub(super) const DEMANGLE_STYLES: &[(&str, Style)] = &[
    ("auto", Style::Auto),
    ("gnu-v3", Style::GnuV3),
    ("java", Style::Java),
    ("gnat", Style::Gnat),
    ("dlang", Style::Dlang),
    ("rust", Style::Rust),
    ("none", Style::None),
];

/// Whether every size of block has a row of its own.
pub(super) const SIZE_STEPS: &[(&str, bool)] = &[("powers", false), ("all", true)];

/// One of a few values by its name.
pub(super) fn one_of<T: Copy + Send + Sync + 'static>(
    choices: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let names = choices.iter().map(|&(name, _)| PossibleValue::new(name));
    PossibleValuesParser::new(names).map(move |name| {
        let choice = choices.iter().find(|&&(known, _)| known == name);
        choice.expect("clap lets no other name through").1
    })
}

/// The name of a format.
pub(super) fn format() -> impl TypedValueParser<Value = &'static str> {
    PossibleValuesParser::new(render::names()).map(|name: String| {
        let known = render::named(&name);
        known.expect("clap lets no other name through").name()
    })
}

/// What is wrong with an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ValueError {
    #[error("write an address in hexadecimal, as in 0x400000")]
    Address,
    #[error("write what becomes of a path as OLD=NEW")]
    PathMap,
    #[error("write a whole number from {least} up")]
    Number { least: u8 },
    #[error("write the FUNCTION, FILE:FUNCTION, FILE:LINE, FILE or LINE that is meant")]
    NoSpec,
    #[error("write FROM/TO: the function that calls and the one that is called")]
    NoCalls,
    #[error("that names calls; write one function, or a file without its folder")]
    Calls,
}

/// A whole number that is not too small, and not too large for its type.
pub(super) fn number_from<T: FromStr + PartialOrd + From<u8>>(
    least: u8,
) -> impl Fn(&str) -> Result<T, ValueError> + Clone {
    move |text| {
        let number = text.parse().ok();
        let number = number.filter(|number| *number >= T::from(least));
        number.ok_or(ValueError::Number { least })
    }
}

/// An expression whose patterns are searched for.
pub(super) fn keep(text: &str) -> Result<Keep, KeepError> {
    Keep::parse(text.as_bytes(), Place::Anywhere)
}

/// An address in hexadecimal, with or without `0x`.
pub(super) fn base(text: &str) -> Result<Base, ValueError> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    u64::from_str_radix(digits, 16)
        .map(|address| Base(Address(address)))
        .map_err(|_| ValueError::Address)
}

/// `OLD=NEW`, apart at the first `=`.
pub(super) fn path_map(word: OsString) -> Result<PathMap, ValueError> {
    let bytes = word.as_encoded_bytes();
    let middle = bytes.iter().position(|&byte| byte == b'=');
    let (old, new) = bytes.split_at(middle.filter(|&at| at > 0).ok_or(ValueError::PathMap)?);
    Ok(PathMap {
        old: old.into(),
        new: new[1..].into(),
    })
}
