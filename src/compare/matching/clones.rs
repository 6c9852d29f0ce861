//! Suffixes that compilers add to the names of clones.

/// Suffixes followed by a number.
const NUMBERED: [&[u8]; 9] = [
    b".isra",
    b".part",
    b".constprop",
    b".cold",
    b".lto_priv",
    b".llvm",
    b".localalias",
    b".clone",
    // From `-funique-internal-linkage-names`; the number is a hash of the file's path.
    b".__uniq",
];

/// Suffixes without a number.
const BARE: [&[u8]; 2] = [b".cold", b".localalias"];

/// A suffix in demangled names.
const SHOWN: &[u8] = b" [clone ";

/// Splits `work.part.0.isra.0` into `work` and `.part.0.isra.0`, and likewise `work() [clone
/// .part.0]`. Keeps a suffix that is the whole name.
pub(super) fn split(name: &[u8]) -> (&[u8], Vec<u8>) {
    let stem = base(name);
    (stem, suffixes(&name[stem.len()..]))
}

/// A name without the suffixes of clones.
pub fn base(name: &[u8]) -> &[u8] {
    let mut stem = name;
    while let Some(shorter) = without_last(stem).filter(|shorter| !shorter.is_empty()) {
        stem = shorter;
    }
    stem
}

fn suffixes(mut rest: &[u8]) -> Vec<u8> {
    let mut suffixes = Vec::with_capacity(rest.len());
    while let Some(&first) = rest.first() {
        let is_shown = rest.starts_with(SHOWN);
        if !is_shown && first != b']' {
            suffixes.push(first);
        }
        rest = &rest[if is_shown { SHOWN.len() } else { 1 }..];
    }
    suffixes
}

fn without_last(name: &[u8]) -> Option<&[u8]> {
    let Some(inner) = name.strip_suffix(b"]") else {
        return without_suffix(name);
    };
    let start = inner.windows(SHOWN.len()).rposition(|part| part == SHOWN)?;
    let mut suffixes = &inner[start + SHOWN.len()..];
    while !suffixes.is_empty() {
        suffixes = without_suffix(suffixes)?;
    }
    Some(&name[..start])
}

fn without_suffix(name: &[u8]) -> Option<&[u8]> {
    let n_digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit());
    let (stem, digits) = name.split_at(name.len() - n_digits.count());
    if digits.is_empty() {
        return BARE.iter().find_map(|suffix| name.strip_suffix(*suffix));
    }
    let stem = stem.strip_suffix(b".")?;
    NUMBERED.iter().find_map(|suffix| stem.strip_suffix(*suffix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, stem: &str, suffixes: &str) {
        let (found, found_suffixes) = split(name.as_bytes());
        assert_eq!(String::from_utf8_lossy(found), stem, "for {name}");
        let found = String::from_utf8_lossy(&found_suffixes);
        assert_eq!(found, suffixes, "for {name}");
    }

    #[test]
    fn any_sequence_of_suffixes_goes() {
        check("work", "work", "");
        check("work.isra.0", "work", ".isra.0");
        check("work.part.12", "work", ".part.12");
        check("work.cold", "work", ".cold");
        check("work.cold.1", "work", ".cold.1");
        check("work.localalias", "work", ".localalias");
        check("work.lto_priv.0", "work", ".lto_priv.0");
        check("work.llvm.5577", "work", ".llvm.5577");
        check("work.__uniq.99.llvm.5", "work", ".__uniq.99.llvm.5");
        let many = ".constprop.0.isra.0.part.3.cold";
        check(&format!("_Z4workv{many}"), "_Z4workv", many);
    }

    #[test]
    fn suffixes_that_were_demangled_go_too() {
        check("work() [clone .isra.0]", "work()", ".isra.0");
        let both = "work() [clone .part.0] [clone .cold]";
        check(both, "work()", ".part.0.cold");
        check("work() [clone .part.0.cold]", "work()", ".part.0.cold");
        check("work() [clone .fast]", "work() [clone .fast]", "");
    }

    #[test]
    fn other_ends_are_part_of_a_name() {
        for name in [
            "row.0",
            "isra.0",
            ".cold",
            ".isra.0",
            "work.part",
            "work.isra.x",
            "a.b",
            "",
            "0",
            ".",
            "]",
            "x]",
            "x.avx2",
            "cold",
            " [clone .isra.0]",
        ] {
            check(name, name, "");
        }
        check("x.0.cold", "x.0", ".cold");
    }

    #[test]
    fn very_many_suffixes_take_no_longer_than_they_are() {
        for suffix in [".isra.0", " [clone .isra.0]", ".cold", "]", ".", "0"] {
            let name = format!("f{}", suffix.repeat(200_000));
            split(name.as_bytes());
        }
    }
}
