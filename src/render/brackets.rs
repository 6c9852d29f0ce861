//! Brackets in names of C++ and Rust: parameters, arguments of templates, operators.

/// Operators that are written with brackets, or could be taken to be; none is behind
/// one that it starts with.
const OPERATORS: [&str; 18] = [
    "()", "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "--", "-=", "==", "!=", "<",
    ">", "-", "=",
];

/// The length of what is not looked into, if it starts here.
pub(super) fn verbatim_length(rest: &[u8], is_first: bool) -> Option<usize> {
    const ANONYMOUS: &[u8] = b"(anonymous namespace)";
    const OPERATOR: &[u8] = b"operator";
    if rest.starts_with(ANONYMOUS) {
        return Some(ANONYMOUS.len());
    }
    if let Some(symbol) = rest.strip_prefix(OPERATOR) {
        let found = OPERATORS
            .iter()
            .find(|one| symbol.starts_with(one.as_bytes()));
        let length = found.map_or(0, |one| one.len());
        // In `operator< <int>` a blank keeps the symbol and the arguments apart.
        return Some(OPERATOR.len() + length);
    }
    if !is_first || !matches!(rest[0], b'<' | b'(') {
        return None;
    }
    group_length(rest)
}

/// The length of a group from its opening bracket to the one that closes it.
pub(super) fn group_length(rest: &[u8]) -> Option<usize> {
    let mut closing = Vec::new();
    for (place, &byte) in rest.iter().enumerate() {
        match byte {
            b'(' => closing.push(b')'),
            b'<' => closing.push(b'>'),
            // The arrow of a function type closes nothing.
            b'>' if place > 0 && rest[place - 1] == b'-' => {}
            b')' | b'>' if closing.pop() != Some(byte) => return None,
            _ => {}
        }
        if closing.is_empty() {
            return Some(place + 1);
        }
    }
    None
}
