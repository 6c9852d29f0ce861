//! Rust names, legacy and v0, printed as by libiberty.

use std::fmt::{self, Write};

use super::demangler::DemangleBudget;

/// Demangles a Rust name without its hash and without suffixes of the compiler: `.cold`,
/// `.llvm.123`.
pub(super) fn demangle(name: &str, budget: &mut DemangleBudget) -> Option<String> {
    let stem = if name.starts_with("_R") { name.split('.').next()? } else { legacy_stem(name)? };
    let demangled = rustc_demangle::try_demangle(stem).ok()?;
    let mut out = Limited { text: String::new(), limit: budget.limit };
    let written = write!(out, "{demangled:#}");
    let out = out.text;
    budget.took(out.len());
    // `rustc_demangle` prints these if it gives up half way.
    let marks = ["{recursion limit reached}", "{size limit reached}", "{invalid syntax}"];
    let is_cut = written.is_err() || marks.iter().any(|mark| out.contains(mark));
    budget.is_exceeded |= is_cut;
    (!is_cut).then_some(out)
}

/// Demangles a legacy name that was demangled as a name of C++: with its hash, and with escapes
/// such as `$LT$`.
pub(super) fn demangle_rest(name: &str, budget: &mut DemangleBudget) -> Option<String> {
    let (start, _) = name.split_at_checked(name.len().checked_sub(HASH_DIGITS)?)?;
    start.strip_suffix("::h")?;
    let parts = name.split("::").map(|part| format!("{}{part}", part.len()));
    let mangled = format!("_ZN{}E", parts.collect::<String>());
    demangle(&mangled, budget)
}

/// Text with a maximum length.
struct Limited {
    text: String,
    limit: usize,
}

impl Write for Limited {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        self.text.push_str(more);
        let fits = self.text.len() <= self.limit;
        fits.then_some(()).ok_or(fmt::Error)
    }
}

const HASH_DIGITS: usize = 16;

/// A legacy name before its hash, which distinguishes it from C++.
fn legacy_stem(name: &str) -> Option<&str> {
    const HASH: &str = "17h0123456789abcdef";
    name.strip_prefix("_ZN")?;
    let start = name.rfind(&HASH[..3])?;
    let (hash, rest) = name[start..].split_at_checked(HASH.len())?;
    let is_hash = hash[3..].bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let is_end = rest == "E" || rest.starts_with("E.");
    (is_hash && is_end).then(|| &name[..=start + HASH.len()])
}
