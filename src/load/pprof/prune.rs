//! The frames to omit according to `drop_frames` of a profile.
//!
//! A function whose whole name matches is omitted with everything that it calls, unless it
//! also matches `keep_frames`. Outermost frames that match stay, so that no stack is empty.
//! Source: `proto/profile.proto`, and `profile/prune.go` for the part of a name that counts.

use regex::bytes::{Regex, RegexBuilder};

use super::PprofFault;
use super::tables::PprofRecords;

/// Selects functions by name.
#[derive(Debug)]
pub(super) struct OmittedFrames {
    drop: Regex,
    keep: Option<Regex>,
}

impl OmittedFrames {
    /// `None` if the file omits none, or if its expression is invalid: pprof then shows all
    /// frames.
    pub(super) fn of(tables: &PprofRecords<'_>) -> Result<Option<Self>, PprofFault> {
        let drop = expression(tables.string(tables.drop_frames)?);
        let keep = expression(tables.string(tables.keep_frames)?);
        Ok(drop.map(|drop| Self { drop, keep }))
    }

    pub(super) fn has(&self, name: &[u8]) -> bool {
        let name = without_arguments(name);
        let is_kept = |keep: &Regex| keep.is_match(name);
        self.drop.is_match(name) && !self.keep.as_ref().is_some_and(is_kept)
    }
}

fn expression(text: &[u8]) -> Option<Regex> {
    let text = std::str::from_utf8(text).ok()?;
    let whole = || format!("^(?:{text})$");
    let built = || RegexBuilder::new(&whole()).unicode(false).build().ok();
    if text.is_empty() { None } else { built() }
}

/// The name without its arguments, and without the dot in front of names of 64-bit PowerPC.
fn without_arguments(name: &[u8]) -> &[u8] {
    const NAMES: [&[u8]; 2] = [b"(anonymous namespace)", b"operator()"];
    let name = name.strip_prefix(b".").unwrap_or(name);
    let mut start = 0;
    while let Some(found) = name[start..].iter().position(|&byte| byte == b'(') {
        let bracket = start + found;
        let of_name = NAMES.iter().find_map(|of_name| {
            let before = of_name.iter().position(|&byte| byte == b'(')?;
            let begin = bracket.checked_sub(before)?;
            name[begin..].starts_with(of_name).then(|| begin + of_name.len())
        });
        match of_name {
            Some(end) => start = end,
            None => return &name[..bracket],
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_do_not_count() {
        let check = |name: &str, expected: &str| {
            assert_eq!(without_arguments(name.as_bytes()), expected.as_bytes());
        };
        check("malloc", "malloc");
        check(".malloc(long)", "malloc");
        check("(anonymous namespace)::f(int)", "(anonymous namespace)::f");
        check("A::operator()(int)", "A::operator()");
    }
}
