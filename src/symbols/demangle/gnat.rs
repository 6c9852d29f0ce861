//! Ada names as encoded by GNAT.
//!
//! Source: `gcc/ada/exp_dbug.ads` in GCC; rare parts are printed as `c++filt` does.

/// Operators, which are encoded after an `O`.
const OPERATORS: [(&str, &str); 19] = [
    ("abs", "abs"),
    ("and", "and"),
    ("mod", "mod"),
    ("not", "not"),
    ("or", "or"),
    ("rem", "rem"),
    ("xor", "xor"),
    ("eq", "="),
    ("ne", "/="),
    ("lt", "<"),
    ("le", "<="),
    ("gt", ">"),
    ("ge", ">="),
    ("add", "+"),
    ("subtract", "-"),
    ("concat", "&"),
    ("multiply", "*"),
    ("divide", "/"),
    ("expon", "**"),
];

/// Ends of tasks, enumerations and protected operations, which are not printed.
const ENDS: [&str; 4] = ["", "TKB", "N", "P"];

/// Attributes of streams, which further parts may follow.
const STREAMS: [(&str, &str); 4] =
    [("SR", "'Read"), ("SW", "'Write"), ("SI", "'Input"), ("SO", "'Output")];

/// Suffixes that end a name, whatever follows.
const SUFFIXES: [(&str, &str); 7] = [
    ("DF", ".Finalize"),
    ("DA", ".Adjust"),
    ("___elabb", "'Elab_Body"),
    ("___elabs", "'Elab_Spec"),
    ("___size", "'Size"),
    ("___alignment", "'Alignment"),
    ("___assign", ".\":=\""),
];

/// Decodes an Ada name; puts any other name in angle brackets.
pub(super) fn demangle(name: &str) -> String {
    decoded(name).unwrap_or_else(|| format!("<{}>", without_prefix(name)))
}

/// Decodes an Ada name; `None` for other names.
pub(super) fn decoded(name: &str) -> Option<String> {
    decode(without_prefix(name))
}

/// The name without the prefix of the main procedure.
fn without_prefix(name: &str) -> &str {
    name.strip_prefix("_ada_").unwrap_or(name)
}

/// `pack__proc__2` is `pack.proc`.
fn decode(mut rest: &str) -> Option<String> {
    let mut out = String::new();
    rest.starts_with(|first: char| first.is_ascii_lowercase()).then_some(())?;
    loop {
        let (word, after) = word(rest).or_else(|| operator(rest))?;
        out.push_str(&word);
        rest = without_nesting(after);
        if ENDS.contains(&rest) {
            return Some(out);
        }
        if let Some(after) = rest.strip_prefix("TK") {
            rest = after.strip_prefix("__")?;
        } else {
            if let Some((meaning, after)) = meaning_of(&STREAMS, rest) {
                out.push_str(meaning);
                // Copies have no streams.
                rest = Some(after).filter(|after| !after.starts_with('.'))?;
            }
            if let Some((meaning, _)) = meaning_of(&SUFFIXES, rest) {
                return Some(out + meaning);
            }
            if rest.is_empty() || is_entry(rest) || is_overload(rest) {
                return Some(out);
            }
            rest = rest.strip_prefix("__")?;
        }
        out.push('.');
    }
}

/// An identifier: lower case, digits, single underscores within.
fn word(rest: &str) -> Option<(String, &str)> {
    rest.starts_with(|first: char| first.is_ascii_lowercase()).then_some(())?;
    let is_letter = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = rest.as_bytes();
    let mut end = 0;
    loop {
        match &bytes[end..] {
            [byte, ..] if is_letter(byte) => end += 1,
            [b'_', byte, ..] if is_letter(byte) => end += 2,
            _ => return Some((rest[..end].to_owned(), &rest[end..])),
        }
    }
}

/// `Oadd` is `"+"`.
fn operator(rest: &str) -> Option<(String, &str)> {
    let encoded = rest.strip_prefix('O')?;
    OPERATORS.iter().find_map(|(code, symbol)| {
        let after = encoded.strip_prefix(code)?;
        Some((format!("\"{symbol}\""), after))
    })
}

/// Drops `Xbn`, which encodes the kinds of bodies that contain the name.
fn without_nesting(rest: &str) -> &str {
    match rest.strip_prefix('X') {
        Some(path) => path.trim_start_matches(['b', 'n']),
        None => rest,
    }
}

/// The meaning of a suffix, and the text after it.
fn meaning_of<'a>(
    suffixes: &[(&str, &'static str)],
    rest: &'a str,
) -> Option<(&'static str, &'a str)> {
    suffixes.iter().find_map(|(suffix, meaning)| Some((*meaning, rest.strip_prefix(suffix)?)))
}

/// Whether `rest` is the number of an entry's body or barrier: `_E2s`, `_B2s`.
fn is_entry(rest: &str) -> bool {
    let number = rest.strip_prefix("_E").or_else(|| rest.strip_prefix("_B"));
    number.and_then(|number| number.strip_suffix('s')).is_some_and(is_number)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether `rest` is an overload's number, `__2`, or a copy's, `.5`.
fn is_overload(rest: &str) -> bool {
    let number = rest.strip_prefix("__").unwrap_or("");
    let after = if number.starts_with(|digit: char| digit.is_ascii_digit()) {
        without_nesting(after_number(number))
    } else {
        rest
    };
    after.is_empty() || after.strip_prefix('.').is_some_and(is_number)
}

/// The text after `2` or `1_2`.
fn after_number(mut rest: &str) -> &str {
    loop {
        rest = rest.trim_start_matches(|digit: char| digit.is_ascii_digit());
        match rest.strip_prefix('_') {
            Some(more) if more.starts_with(|digit: char| digit.is_ascii_digit()) => rest = more,
            _ => return rest,
        }
    }
}
