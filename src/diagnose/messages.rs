//! Reduces warnings to root causes, and one message for many files.

use std::collections::{BTreeMap, BTreeSet};

use super::catalogue::entry;
use super::warning::MISREAD;
use super::{Warning, is_unavailable};
use crate::report::Diagnostic;

/// Number of warnings of a kind that become one message.
const MANY: usize = 3;

/// Removes warnings that follow from others.
pub fn keep_root_causes(warnings: &mut Vec<Warning>) {
    let entries = warnings.iter().filter_map(|warning| entry(warning.code()));
    let mut explained: Vec<_> = entries.flat_map(|entry| entry.explains).collect();
    if warnings.iter().any(Warning::is_misread) {
        explained.extend(&MISREAD);
    }
    // That a rate is erased says that there is none.
    if warnings.iter().any(|warning| matches!(warning, Warning::ErasedRate { .. })) {
        warnings.retain(|warning| *warning != Warning::NoRate);
    }
    warnings.retain(|warning| !explained.iter().any(|code| **code == warning.code()));
}

/// The messages of warnings, in order. Many warnings of a kind become one message, unless all
/// are listed.
pub fn messages(warnings: &[Warning], lists_all: bool) -> Vec<Diagnostic> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for warning in warnings {
        *counts.entry(warning.code()).or_default() += 1;
    }
    let mut condensed = BTreeSet::new();
    let mut said = Vec::new();
    for warning in warnings {
        let code = warning.code();
        let n_all = counts[code];
        // Each missing report or option has its own message.
        let is_one_of_many = n_all >= MANY && !is_unavailable(code) && !lists_all;
        if is_one_of_many && !condensed.insert(code) {
            continue;
        }
        let mut diagnostic = warning.diagnostic();
        if is_one_of_many {
            let n_more = n_all - 1;
            diagnostic.message.push_str(&format!(
                "; {n_more} more files have the same problem (--verbose lists them)"
            ));
        }
        said.push(diagnostic);
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::Linkage;

    fn missing(name: &str) -> Warning {
        let name = name.to_owned();
        Warning::SourceMissing { name }
    }

    fn no_ticks() -> Warning {
        let linkage = Linkage::default();
        Warning::NoTicks { linkage }
    }

    fn check(warnings: &[Warning], lists_all: bool, expected: &[&str]) {
        let said = messages(warnings, lists_all);
        let causes: Vec<_> = said.iter().map(|message| &*message.message).collect();
        assert_eq!(causes, expected, "{warnings:?}");
    }

    #[test]
    fn many_of_a_kind_are_one_message() {
        let of = |name: &str| format!("{name}: source file not found");
        let (a, b, c) = (of("a.c"), of("b.c"), of("c.c"));
        let few = [missing("a.c"), missing("b.c")];
        check(&few, false, &[&a, &b]);
        let many = [missing("a.c"), no_ticks(), missing("b.c"), missing("c.c")];
        let ticks = no_ticks().cause();
        let first = format!("{a}; 2 more files have the same problem (--verbose lists them)");
        check(&many, false, &[&first, &ticks]);
        check(&many, true, &[&a, &ticks, &b, &c]);
    }

    #[test]
    fn consequences_of_other_problems_are_not_reported() {
        let of = |warnings: &[Warning]| {
            let mut warnings = warnings.to_vec();
            keep_root_causes(&mut warnings);
            let codes = warnings.iter().map(|warning| warning.code().to_owned());
            codes.collect::<Vec<_>>().join(" ")
        };
        let executable = || "a.out".to_owned();
        let stripped = Warning::Stripped { executable: executable(), has_dynamic_names: true };
        let lost = Warning::LostCalls { n_calls: 3 };
        assert_eq!(of(&[lost.clone(), stripped, no_ticks()]), "W010 W006");
        assert_eq!(of(&[lost, no_ticks()]), "W009 W006");
    }
}
