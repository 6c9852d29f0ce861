//! What is said of what is odd: root causes, and one message for many files.

use std::collections::{BTreeMap, BTreeSet};

use super::catalogue::entry;
use super::{NOT_RECORDED, Warning};

/// From how many warnings of one kind on they are one message.
const MANY: usize = 3;

/// What may be so only because a file was read with counters of a wrong width.
const MISREAD: [&str; 4] = ["W008", "W009", "W013", "W017"];

/// What is said of one warning, or of several of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The code.
    pub code: String,
    /// What is odd.
    pub cause: String,
    /// What to do about it.
    pub advice: String,
}

/// Leaves out what is so only because of something else that is said.
pub fn keep_root_causes(warnings: &mut Vec<Warning>) {
    let entries = warnings.iter().filter_map(|warning| entry(warning.code()));
    let mut explained: Vec<_> = entries.flat_map(|entry| entry.explains).collect();
    if warnings.iter().any(Warning::is_misread) {
        explained.extend(&MISREAD);
    }
    warnings.retain(|warning| !explained.iter().any(|code| **code == warning.code()));
}

/// The messages of warnings, in their order. One kind that is said of many files is one
/// message, unless all are to be listed.
#[must_use]
pub fn messages(warnings: &[Warning], lists_all: bool) -> Vec<Message> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for warning in warnings {
        *counts.entry(warning.code()).or_default() += 1;
    }
    let mut condensed = BTreeSet::new();
    let mut said = Vec::new();
    for warning in warnings {
        let code = warning.code();
        let n_all = counts[code];
        // Each report or option that is not there is said for itself.
        let is_one_of_many = n_all >= MANY && code != NOT_RECORDED && !lists_all;
        if is_one_of_many && !condensed.insert(code) {
            continue;
        }
        let mut cause = warning.cause();
        if is_one_of_many {
            let n_more = n_all - 1;
            cause.push_str(&format!(
                "; and {n_more} more such files, which --verbose lists"
            ));
        }
        said.push(Message {
            code: code.to_owned(),
            cause,
            advice: warning.advice(),
        });
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

    fn check(warnings: &[Warning], lists_all: bool, expected: &[&str]) {
        let said = messages(warnings, lists_all);
        let causes: Vec<_> = said.iter().map(|message| &*message.cause).collect();
        assert_eq!(causes, expected, "{warnings:?}");
    }

    #[test]
    fn many_of_a_kind_are_one_message() {
        let of = |name: &str| format!("{name}: this source cannot be found");
        let (a, b, c) = (of("a.c"), of("b.c"), of("c.c"));
        let few = [missing("a.c"), missing("b.c")];
        check(&few, false, &[&a, &b]);
        let many = [
            missing("a.c"),
            Warning::NoTicks(Linkage::default()),
            missing("b.c"),
            missing("c.c"),
        ];
        let ticks = Warning::NoTicks(Linkage::default()).cause();
        let first = format!("{a}; and 2 more such files, which --verbose lists");
        check(&many, false, &[&first, &ticks]);
        check(&many, true, &[&a, &ticks, &b, &c]);
    }

    #[test]
    fn what_follows_from_something_else_is_not_said() {
        let of = |warnings: &[Warning]| {
            let mut warnings = warnings.to_vec();
            keep_root_causes(&mut warnings);
            let codes = warnings.iter().map(|warning| warning.code().to_owned());
            codes.collect::<Vec<_>>().join(" ")
        };
        let executable = || "a.out".to_owned();
        let stripped = Warning::Stripped {
            executable: executable(),
            has_dynamic_names: true,
        };
        let lost = Warning::LostCalls { n_calls: 3 };
        assert_eq!(
            of(&[lost.clone(), stripped, Warning::NoTicks(Linkage::default())]),
            "W010 W006"
        );
        assert_eq!(
            of(&[lost, Warning::NoTicks(Linkage::default())]),
            "W009 W006"
        );
    }
}
