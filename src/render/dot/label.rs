//! Quoted labels for graphviz.

use crate::report::escape_controls;

/// A quoted label. Each line ends with `line_end`; after the last one, centred breaks (`\n`)
/// are omitted and `\l` is not.
///
/// Within quotes, graphviz interprets backslashes and HTML entities. Source: graphviz
/// documentation, "escString" (graphviz.org/docs/attr-types/escString).
pub(super) fn label(lines: &[impl AsRef<[u8]>], line_end: &str) -> String {
    let mut label = String::from("\"");
    for (index, line) in lines.iter().enumerate() {
        // Controls and invalid UTF-8 are escaped; the rest is text.
        let line = escape_controls(line.as_ref());
        for character in String::from_utf8_lossy(&line).chars() {
            match character {
                '"' => label.push_str("\\\""),
                '\\' => label.push_str("\\\\"),
                '&' => label.push_str("&amp;"),
                _ => label.push(character),
            }
        }
        if line_end != "\\n" || index + 1 < lines.len() {
            label.push_str(line_end);
        }
    }
    label.push('"');
    label
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &[&[u8]], expected: &str) {
        assert_eq!(label(lines, "\\n"), expected);
    }

    #[test]
    fn what_graphviz_would_replace_is_escaped() {
        check(&[b"a\"b\\N"], r#""a\"b\\N""#);
        check(&[b"a<b>&lt;"], r#""a<b>&amp;lt;""#);
        check(&[b"line\nend"], r#""line\\x0aend""#);
        check(&[b"\xff\\"], r#""\\xff\\""#);
        check(&["a\u{fffe}".as_bytes()], r#""a\\u{fffe}""#);
        check(&[b"one", b"two"], r#""one\ntwo""#);
        check(&[], "\"\"");
    }
}
