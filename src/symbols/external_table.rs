//! Symbols from a file in place of the executable: the output of `nm`, for `-S`.

use std::num::IntErrorKind;
use std::path::Path;

use super::complete_rules::is_name_of_mark;
use super::executable::ExecutableError;
use super::table::SymbolCandidate;
use crate::files::{MOST_BYTES, read_named};
use crate::model::Address;

/// Digits of an address or a size in the output of `nm`, at least.
const MIN_DIGITS: usize = 8;

/// The functions of an external table.
pub(super) struct ExternalTable {
    pub(super) functions: Vec<SymbolCandidate>,
    /// The next listed symbol after the last function, possibly data. Without the executable,
    /// this alone limits that function.
    pub(super) end: Option<Address>,
    /// Functions whose line does not start with an address.
    n_without_address: usize,
}

/// How to read an external table.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TableRules {
    /// Lines must be complete, and most functions need an address. Mapping symbols of ARM and
    /// RISC-V are not functions.
    Checked,
    /// Any text is accepted; a line is split after `line_size` bytes.
    Lenient { line_size: usize },
}

/// Reads the functions of an external table.
///
/// # Errors
/// If the file cannot be read, has no function, or breaks the rules.
pub(super) fn read(path: &Path, rules: TableRules) -> Result<ExternalTable, ExecutableError> {
    let bytes = read_named(path, MOST_BYTES);
    let bytes = bytes.map_err(|source| ExecutableError::io(path, source))?;
    let table = match rules {
        TableRules::Checked => parse_checked(&bytes),
        TableRules::Lenient { line_size } => parse(&bytes, line_size, |rest| rest),
    };
    // Any sentence with a word in `t` can be read as a line of a table.
    let is_text = 2 * table.n_without_address >= table.functions.len();
    if table.functions.is_empty() || is_text && matches!(rules, TableRules::Checked) {
        return Err(ExecutableError::NoSymbols { path: path.display().to_string() });
    }
    Ok(table)
}

fn parse_checked(bytes: &[u8]) -> ExternalTable {
    let mut table = parse(bytes, usize::MAX, without_size);
    table.functions.retain(|function| !(function.is_static && is_name_of_mark(&function.name)));
    table
}

/// A line has an address, a letter and a name; `T` is a global function, `t` a static one, and
/// others are skipped. Any other first word repeats the address of the line before. A null byte
/// ends a line, as in C. `after_address` removes further columns between the address and the
/// letter.
fn parse(bytes: &[u8], line_size: usize, after_address: fn(&[u8]) -> &[u8]) -> ExternalTable {
    let mut candidates = Vec::new();
    let mut others = Vec::new();
    let mut address = Address(0);
    let mut n_without_address = 0;
    let lines = bytes.split(|&byte| byte == b'\n');
    for line in lines.flat_map(|line| line.chunks(line_size)) {
        let end = line.iter().position(|&byte| byte == 0);
        let Some((word, letter, name)) = split(&line[..end.unwrap_or(line.len())], after_address)
        else {
            continue;
        };
        address = hexadecimal(word).unwrap_or(address);
        if let b't' | b'T' = letter {
            let is_digit =
                |byte: &u8| byte.is_ascii_hexdigit() || matches!(byte, b'x' | b'X' | b'+');
            n_without_address += usize::from(!word.iter().all(is_digit));
            candidates.push(SymbolCandidate {
                address,
                size: 0,
                name: name.into(),
                is_function: true,
                is_static: letter == b't',
                source: None,
            });
        } else {
            others.extend(hexadecimal(word));
        }
    }
    let last = candidates.iter().map(|candidate| candidate.address).max();
    others.retain(|&other| Some(other) > last);
    ExternalTable { functions: candidates, end: others.into_iter().min(), n_without_address }
}

/// A word, a character and a word; blanks between the latter two are optional.
fn split(line: &[u8], after_address: fn(&[u8]) -> &[u8]) -> Option<(&[u8], u8, &[u8])> {
    let (word, rest) = first_word(line)?;
    let (&letter, rest) = after_address(rest).trim_ascii_start().split_first()?;
    let (name, _) = first_word(rest)?;
    Some((word, letter, name))
}

/// Without the size column of `nm -S`, which has as many digits as the address. A letter and a
/// name follow it.
fn without_size(rest: &[u8]) -> &[u8] {
    let Some((size, after)) = first_word(rest) else {
        return rest;
    };
    let is_size = size.len() >= MIN_DIGITS && size.iter().all(u8::is_ascii_hexdigit);
    let is_letter =
        |(letter, after): (&[u8], &[u8])| letter.len() == 1 && !after.trim_ascii().is_empty();
    if is_size && first_word(after).is_some_and(is_letter) { after } else { rest }
}

fn first_word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = text.trim_ascii_start();
    let end = text.iter().position(u8::is_ascii_whitespace);
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    (!word.is_empty()).then_some((word, rest))
}

/// The number at the start of a word, as `strtoul` reads it: saturating.
fn hexadecimal(word: &[u8]) -> Option<Address> {
    let word = word.strip_prefix(b"+").unwrap_or(word);
    let digits = word.strip_prefix(b"0x").or(word.strip_prefix(b"0X"));
    let digits = digits.unwrap_or(word);
    let n_digits = digits.iter().take_while(|b| b.is_ascii_hexdigit()).count();
    let text = std::str::from_utf8(&digits[..n_digits]).ok()?;
    match u64::from_str_radix(text, 16) {
        Ok(number) => Some(Address(number)),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => Some(Address(u64::MAX)),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(u64, &str, bool)]) {
        let found = parse(text.as_bytes(), 30, |rest| rest).functions;
        let found: Vec<_> = found
            .iter()
            .map(|c| (c.address.0, String::from_utf8_lossy(&c.name), c.is_static))
            .collect();
        let found: Vec<_> = found.iter().map(|(a, n, s)| (*a, &**n, *s)).collect();
        assert_eq!(found, expected, "for {text}");
    }

    #[test]
    fn only_functions_are_taken() {
        check(
            "401000 T main\n0x402000 t sort\n403000 D data\n U puts\n",
            &[(0x40_1000, "main", false), (0x40_2000, "sort", true)],
        );
    }

    #[test]
    fn sizes_are_read_past() {
        let text = "00000010 00000004 T a\n00000014 t b\n00000018 0000000000000020 W c\n";
        let found = parse(text.as_bytes(), usize::MAX, without_size);
        let found = found.functions.iter().map(|c| (c.address.0, c.name.to_vec()));
        assert_eq!(found.collect::<Vec<_>>(), [(16, b"a".to_vec()), (20, b"b".to_vec())]);
        assert_eq!(without_size(b" T deadbeef 1"), b" T deadbeef 1");
    }

    #[test]
    fn the_symbol_after_the_last_function_ends_it() {
        let end = |text: &str| parse(text.as_bytes(), 30, |rest| rest).end;
        assert_eq!(end("10 T a\n20 T b\n18 D c\n40 B d\n30 R e\n U f\n"), Some(Address(0x30)));
        assert_eq!(end("10 D a\n20 T b\n"), None);
    }

    #[test]
    fn mapping_symbols_are_not_functions_except_for_gprof() {
        let text = "10 t $t\n10 T a\n18 t $d.12\n20 t $xrv32i2p1\n20 t b\n28 t $table\n30 T $t\n";
        let functions = parse_checked(text.as_bytes()).functions;
        let names: Vec<_> = functions.iter().map(|function| &*function.name).collect();
        assert_eq!(names, [&b"a"[..], b"b", b"$table", b"$t"]);
        check("10 t $t\n", &[(0x10, "$t", true)]);
    }

    #[test]
    fn lines_and_numbers_are_parsed_as_in_c() {
        check("+10 T a\n", &[(16, "a", false)]);
        check("1ffffffffffffffff T b\n", &[(u64::MAX, "b", false)]);
        check("10 T a\0b\n20\0 T c\n", &[(16, "a", false)]);
        let long = "10 T abcdefghijklmnopqrstuvwxy20 T b\n";
        check(long, &[(16, "abcdefghijklmnopqrstuvwxy", false), (32, "b", false)]);
    }

    #[test]
    fn a_word_that_is_no_address_repeats_the_last_one() {
        check("10 T a\nzz T b\n", &[(16, "a", false), (16, "b", false)]);
    }
}
