//! Turns linker names back into source names, exactly as libiberty
//! does.

mod demangler;
mod dlang;
mod gnat;
mod itanium;
mod native;
mod rust;
#[cfg(test)]
mod tests;

use std::str::FromStr;

use demangler::DemangleBudget;
use itanium::NameSyntax;

pub use demangler::Demangler;
pub use native::Languages;

/// Which languages' names to demangle: the values of `--demangle`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Rust and C++.
    #[default]
    Auto,
    GnuV3,
    /// C++ names spelled as Java.
    Java,
    /// Ada, as GNAT encodes its names.
    Gnat,
    /// D, whose names start with `_D`.
    Dlang,
    /// Rust, in either of its schemes.
    Rust,
    None,
}

/// A `--demangle` value that names no style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownStyle;

impl FromStr for Style {
    type Err = UnknownStyle;

    fn from_str(name: &str) -> Result<Self, UnknownStyle> {
        Ok(match name {
            "auto" => Self::Auto,
            "gnu-v3" => Self::GnuV3,
            "java" => Self::Java,
            "gnat" => Self::Gnat,
            "dlang" => Self::Dlang,
            "rust" => Self::Rust,
            "none" => Self::None,
            _ => return Err(UnknownStyle),
        })
    }
}

/// The name as its source has it, or `None` if it is to be printed raw.
///
/// Dots and dollars in front of the name and a version behind it, as in
/// `.foo` and `foo@VERSION`, are kept. The result need not be UTF-8. A name that
/// takes more than its share of steps stays raw.
pub fn demangle(raw: &[u8], style: Style) -> Option<Vec<u8>> {
    demangle_within(raw, style, &mut DemangleBudget::of(raw))
}

/// The same within a budget, which says afterwards what was taken of it.
fn demangle_within(raw: &[u8], style: Style, budget: &mut DemangleBudget) -> Option<Vec<u8>> {
    if style == Style::None {
        return None;
    }
    let marks = raw.iter().take_while(|byte| b".$".contains(byte));
    let (before, name) = raw.split_at(marks.count());
    let n_name = name.iter().take_while(|&&byte| byte != b'@').count();
    let (name, version) = name.split_at(n_name);
    let demangled = demangle_bare(name, style, budget)?;
    Some([before, &demangled, version].concat())
}

fn demangle_bare(name: &[u8], style: Style, budget: &mut DemangleBudget) -> Option<Vec<u8>> {
    let text = || std::str::from_utf8(name).ok();
    let rust = |budget: &mut DemangleBudget| {
        let demangled = text().and_then(|name| rust::demangle(name, budget));
        demangled.map(String::into_bytes)
    };
    match style {
        Style::Auto => rust(budget).or_else(|| itanium::demangle(name, NameSyntax::Cxx, budget)),
        Style::GnuV3 => itanium::demangle(name, NameSyntax::Cxx, budget),
        Style::Java => itanium::demangle(name, NameSyntax::Java, budget),
        Style::Gnat => Some(gnat::demangle(text()?).into_bytes()),
        Style::Dlang => dlang::demangle(text()?).map(String::into_bytes),
        Style::Rust => rust(budget),
        Style::None => None,
    }
}
