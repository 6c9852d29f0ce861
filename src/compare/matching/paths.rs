//! Compares paths by their last components.

use std::cmp::Ordering;

/// Components of a path from last to first, for separators of Windows and Unix.
pub(super) fn components(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    let parts = path.rsplit(|byte| matches!(byte, b'/' | b'\\'));
    parts.filter(|part| !part.is_empty() && *part != b".")
}

/// The last component; empty if the path is.
pub(super) fn base(path: &[u8]) -> &[u8] {
    components(path).next().unwrap_or_default()
}

/// The number of last components that distinguishes paths.
pub(super) fn depth_of(paths: &mut [&[u8]]) -> usize {
    paths.sort_unstable_by(|a, b| components(a).cmp(components(b)));
    let common = paths.windows(2).map(|pair| n_common(pair[0], pair[1]));
    common.max().unwrap_or(0) + 1
}

/// Orders paths by their last `depth` components.
pub(super) fn order_by(depth: usize, a: &[u8], b: &[u8]) -> Ordering {
    components(a).take(depth).cmp(components(b).take(depth))
}

/// Number of common last components; 0 for equal paths.
fn n_common(a: &[u8], b: &[u8]) -> usize {
    if components(a).eq(components(b)) {
        return 0;
    }
    let pairs = components(a).zip(components(b));
    pairs.take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(paths: &[&str], depth: usize) {
        let mut bytes: Vec<_> = paths.iter().map(|path| path.as_bytes()).collect();
        assert_eq!(depth_of(&mut bytes), depth, "for {paths:?}");
    }

    #[test]
    fn paths_are_distinguished_by_their_ends() {
        check(&[], 1);
        check(&["/a/x.c"], 1);
        check(&["/a/x.c", "/a/y.c"], 1);
        check(&["/a/x.c", "/b/x.c"], 2);
        check(&["/a/s/x.c", "/b/s/x.c", "/b/y.c"], 3);
        check(&["/a/x.c", "x.c", "//a/./x.c"], 2);
        check(&[r"C:\a\x.c", "C:/a/x.c"], 1);
        check(&["", "/"], 1);
    }
}
