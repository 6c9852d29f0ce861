//! Files, programs and libraries of functions.

use super::super::{FunctionMatcher, FunctionName, JoinRules, WhichSide};
use super::check;

#[test]
fn files_are_distinguished_by_short_names() {
    check(&["f | /a/src/x.c"], &["f | /b/x.c"], &["f | /a/src/x.c = f | /b/x.c (Paths)"]);
    let (old, new) = (["f | /a/s/x.c", "f | /a/t/x.c"], ["f | /b/s/x.c", "f | /b/t/x.c"]);
    let pairs = ["f | /a/s/x.c = f | /b/s/x.c (Paths)", "f | /a/t/x.c = f | /b/t/x.c (Paths)"];
    check(&old, &new, &pairs);
    check(&old, &new[..1], &["f | /a/t/x.c =", pairs[0]]);
    check(&["f | x.c"], &["f"], &["f | x.c = f (Places)"]);
    check(&["f"], &["f | x.c", "f.cold | x.c"], &["f = f | x.c + f.cold | x.c (Clones)"]);
    check(&["f"], &["f | x.c", "f | y.c"], &["f =", "= f | x.c", "= f | y.c"]);
    check(&["f", "f | y.c"], &["f | x.c"], &["f =", "= f | x.c", "f | y.c ="]);
    // Two files, and clones of one.
    check(
        &["f | /a/x.c", "f | /a/y.c", "f.cold | /a/y.c"],
        &["f | /b/x.c", "f.cold | /b/x.c", "f | /b/y.c", "f.cold | /b/y.c"],
        &[
            "f | /a/x.c = f | /b/x.c + f.cold | /b/x.c (Clones)",
            "f | /a/y.c = f | /b/y.c (Paths)",
            "f.cold | /a/y.c = f.cold | /b/y.c (Paths)",
        ],
    );
}

#[test]
fn functions_without_namesakes_move() {
    check(&["!f | a.c"], &["!f | b.c"], &["f | a.c = f | b.c (Moved)"]);
    check(&["f | a.c"], &["f | b.c"], &["f | a.c = f | b.c (Moved)"]);
    check(&["f | a.c", "f | b.c"], &["f | c.c"], &["f | a.c =", "f | b.c =", "= f | c.c"]);
    check(&["f | a.c:7"], &["f | b.c:7"], &["f | a.c:7 =", "= f | b.c:7"]);
    check(
        &["f | a.c", "f.cold | x.h"],
        &["f | b.c", "f.cold | x.h"],
        &["f | a.c = f | b.c (Moved)", "f.cold | x.h = f.cold | x.h"],
    );
    let both = ["f | a.c = f | b.c + f.cold | x.h (Moved)"];
    check(&["f | a.c"], &["f | b.c", "f.cold | x.h"], &both);
    check(
        &["!f | a.c", "f.cold | a.c"],
        &["!f | b.c", "f.cold | b.c"],
        &["f | a.c = f | b.c (Moved)", "f.cold | a.c = f.cold | b.c (Moved)"],
    );
    let (old, new) = (
        ["!f::h0123456789abcdef | a.rs", "!f::h0123456789abcde0 | b.rs"],
        ["!f::h0123456789abcde1 | a.rs", "!f::h0123456789abcde2 | b.rs"],
    );
    check(
        &old,
        &new,
        &[
            "f::h0123456789abcdef | a.rs = f::h0123456789abcde1 | a.rs (Hashes)",
            "f::h0123456789abcde0 | b.rs = f::h0123456789abcde2 | b.rs (Hashes)",
        ],
    );
}

#[test]
fn lines_are_the_same_line_of_a_function() {
    check(
        &["f | /a/x.c:7", "f | /a/x.c:8"],
        &["f | /b/x.c:8", "f | /b/x.c:9"],
        &["f | /a/x.c:7 =", "f | /a/x.c:8 = f | /b/x.c:8 (Paths)", "= f | /b/x.c:9"],
    );
}

#[test]
fn libraries_are_the_same_in_any_version() {
    let (old, new) = ("f |  | /a/libz.so.1", "f |  | /b/libz.so.2");
    check(&[old], &[new], &[&format!("{old} = {new} (Paths)")]);
    check(&[old], &["f"], &[&format!("{old} = f (Places)")]);
    check(
        &["f |  | libz.so", "f |  | liby.so"],
        &["f |  | libz.so", "f |  | libx.so", "f |  | libw.so"],
        &[
            "= f |  | libw.so",
            "= f |  | libx.so",
            "f |  | liby.so =",
            "f |  | libz.so = f |  | libz.so",
        ],
    );
}

#[test]
fn lines_are_the_same_wherever_their_function_starts() {
    let line = |line: u32, offset: u32| FunctionName {
        name: b"walk"[..].into(),
        file: Some(b"a.c"[..].into()),
        line: Some(line),
        is_line: true,
        offset: Some(offset),
        ..FunctionName::default()
    };
    let mut matcher = FunctionMatcher::default();
    let old = [line(10, 0), line(12, 2)]
        .map(|name| matcher.numbers(&[name].into(), WhichSide::Old)[0] as usize);
    let new = [line(20, 0), line(22, 2), line(23, 3)];
    let new = new.map(|name| matcher.numbers(&[name].into(), WhichSide::New)[0] as usize);
    let joined = matcher.match_functions(&JoinRules::default());
    let row = |number, side| joined.row_of(number, side).expect("the side has it");
    assert_eq!(row(old[0], WhichSide::Old), row(new[0], WhichSide::New));
    let second = row(old[1], WhichSide::Old);
    assert_eq!(second, row(new[1], WhichSide::New));
    assert_eq!(joined.rows.len(), 3);
    assert_eq!(joined.rows[second].shown.line, Some(22));
    assert_eq!(joined.rows[second].old[0].line, Some(12));
}
