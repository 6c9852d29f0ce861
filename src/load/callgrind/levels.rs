//! Levels of recursion: `f'2` is `f` while it was active once already.
//!
//! Source: callgrind's manual, `--separate-recs`, whose default is 2, and `mangled_cxt` in
//! `callgrind/dump.c`: the level follows the name, and callers (`--separate-callers`) follow
//! the level. The last level includes all deeper ones.

use std::num::NonZeroU32;

use crate::model::{FunctionId, RecordedCosts};

/// The name without its level, and the level; `None` if that is not 2 or more.
pub(super) fn without_level(name: &[u8]) -> Option<(Vec<u8>, NonZeroU32)> {
    let mut start = 0;
    for part in name.split(|&byte| byte == b'\'') {
        let end = start + part.len();
        if start > 1
            && let Some(level) = level(part)
        {
            return Some(([&name[..start - 1], &name[end..]].concat(), level));
        }
        start = end + 1;
    }
    None
}

fn level(digits: &[u8]) -> Option<NonZeroU32> {
    let is_number = digits.first() != Some(&b'0') && digits.iter().all(u8::is_ascii_digit);
    let level = std::str::from_utf8(digits).ok().filter(|_| is_number)?;
    level.parse().ok().filter(|level: &NonZeroU32| level.get() > 1)
}

/// Gives functions without a level the first one, if levels were separated: all functions,
/// unless one calls itself without a level, or only `first_levels`, which have others. Linear
/// in functions and calls.
pub(super) fn number_first_levels(costs: &mut RecordedCosts, first_levels: &[FunctionId]) {
    if first_levels.is_empty() {
        return;
    }
    for id in first_levels {
        costs.functions[id.index()].level = Some(NonZeroU32::MIN);
    }
    let calls_itself = costs.calls.iter().any(|(call, _)| {
        let caller = costs.contexts.get(call.site).function;
        caller == Some(call.callee) && costs.functions[call.callee.index()].level.is_none()
    });
    if !calls_itself {
        for function in &mut costs.functions {
            function.level.get_or_insert(NonZeroU32::MIN);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, expected: &str, level: u32) {
        let expected = NonZeroU32::new(level).map(|level| (expected.into(), level));
        assert_eq!(without_level(name.as_bytes()), expected, "{name}");
    }

    #[test]
    fn a_number_behind_an_apostrophe_is_a_level() {
        check("walk'2", "walk", 2);
        check("walk'10'main", "walk'main", 10);
        check("f()::'lambda'(int)'3", "f()::'lambda'(int)", 3);
        check("0x401136'2", "0x401136", 2);
    }

    #[test]
    fn other_apostrophes_are_part_of_the_name() {
        for name in
            ["walk", "walk'1", "walk'02", "walk'", "'2", "walk'2x", "walk'main", "walk'99999999999"]
        {
            check(name, name, 0);
        }
    }
}
