//! Lists in words.

/// The first names, and the number of others.
pub(super) fn some_of(names: &[impl AsRef<str>]) -> String {
    const N_NAMED: usize = 5;
    let shown: Vec<_> = names.iter().take(N_NAMED).map(AsRef::as_ref).collect();
    let shown = shown.join(", ");
    match names.len().saturating_sub(N_NAMED) {
        0 => shown,
        n_more => format!("{shown} and {n_more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(some_of(&["a", "b"]), "a, b");
        let many = ["a", "b", "c", "d", "e", "f", "g"];
        assert_eq!(some_of(&many), "a, b, c, d, e and 2 more");
    }
}
