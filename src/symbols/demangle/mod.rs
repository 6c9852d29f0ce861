//! Demangles names: C++, Rust, D and Ada exactly as libiberty does.
//!
//! A report has one [`Demangler`], so a name has one spelling in rows, sentences and files.

mod demangler;
mod dlang;
mod gnat;
mod itanium;
mod native;
mod ocaml;
mod rust;
#[cfg(test)]
mod tests;

use std::str::FromStr;

use demangler::DemangleBudget;
use itanium::NameSyntax;

pub use demangler::Demangler;

/// The values of `--demangle`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Rust and C++, the automatic choice of libiberty.
    #[default]
    Libiberty,
    /// D and OCaml too, and Fortran and Ada in programs of these languages.
    Auto,
    GnuV3,
    /// C++ names in the syntax of Java.
    Java,
    /// Ada, as encoded by GNAT.
    Gnat,
    /// D names, which start with `_D`.
    Dlang,
    /// Rust, legacy and v0.
    Rust,
    None,
}

/// An unknown value of gprof's `--demangle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownStyle;

/// As gprof reads `--demangle`.
impl FromStr for Style {
    type Err = UnknownStyle;

    fn from_str(name: &str) -> Result<Self, UnknownStyle> {
        Ok(match name {
            "auto" => Self::Libiberty,
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

/// The demangled name, or `None` if it stays mangled.
///
/// Keeps dots and dollars before the name and a version after it: `.foo`, `foo@VERSION`. The
/// result need not be UTF-8. A name that exceeds its budget stays mangled.
pub fn demangle(raw: &[u8], style: Style) -> Option<Vec<u8>> {
    demangle_within(raw, style, &mut DemangleBudget::of(raw))
}

/// Demangles within `budget`, which then contains the steps taken.
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
        Style::Auto => demangle_bare(name, Style::Libiberty, budget)
            .or_else(|| rust::demangle_rest(text()?, budget).map(String::into_bytes))
            .or_else(|| dlang::demangle(text()?).map(String::into_bytes))
            .or_else(|| ocaml::demangle(name)),
        Style::Libiberty => {
            rust(budget).or_else(|| itanium::demangle(name, NameSyntax::Cxx, budget))
        }
        Style::GnuV3 => itanium::demangle(name, NameSyntax::Cxx, budget),
        Style::Java => itanium::demangle(name, NameSyntax::Java, budget),
        Style::Gnat => Some(gnat::demangle(text()?).into_bytes()),
        Style::Dlang => dlang::demangle(text()?).map(String::into_bytes),
        Style::Rust => rust(budget),
        Style::None => None,
    }
}
