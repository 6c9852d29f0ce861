//! Command lines of mpatrol's tools.
//!
//! The first file or `--` ends the options. Long options must be complete. An attached
//! argument that is empty (`--option=`) counts as absent. Errors do not end the parsing: all
//! are reported, then the usage. Source: recorded commands of mprof 1.3 and mptrace 1.4.

use std::ffi::{OsStr, OsString};
use std::iter::Peekable;
use std::path::PathBuf;
use std::vec;

use crate::compat::getopt::{OptionArgument, OptionSpec, tail};
use crate::compat::{Usage, UsageError};

/// The texts of a tool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tool {
    pub(super) name: &'static str,
    /// Read if the command line has no file.
    pub(super) usual_file: &'static str,
    /// Printed for an invalid command line.
    pub(super) usage: &'static str,
    pub(super) help: &'static str,
}

/// The words of a command line, parsed one option at a time.
pub(super) struct ToolWords<Id: 'static> {
    specs: &'static [OptionSpec<Id>],
    words: Peekable<vec::IntoIter<OsString>>,
    /// A word of short options, and the byte of the next one.
    short: Option<(OsString, usize)>,
    /// Errors and notes, in order.
    messages: Vec<String>,
    has_error: bool,
}

/// A valid command line: run with options, or print a text and exit.
pub(super) enum MpatrolRequest {
    Help(String),
    /// The report of a file, after notes for standard error.
    Report {
        file: PathBuf,
        notes: Vec<String>,
    },
}

impl<Id: Copy> ToolWords<Id> {
    pub(super) fn new(words: Vec<OsString>, specs: &'static [OptionSpec<Id>]) -> Self {
        Self {
            specs,
            words: words.into_iter().peekable(),
            short: None,
            messages: Vec::new(),
            has_error: false,
        }
    }

    /// The next valid option with its argument; `None` before the first file.
    pub(super) fn next_option(&mut self) -> Option<(Id, Option<OsString>)> {
        loop {
            let (spec, shown, attached) = match self.short.take() {
                Some((word, place)) => self.short_option(word, place),
                None => {
                    let starts = |word: &OsString| {
                        word.as_encoded_bytes().starts_with(b"-") && word.len() > 1
                    };
                    let word = self.words.next_if(starts)?;
                    if word == "--" {
                        return None;
                    } else if !word.as_encoded_bytes().starts_with(b"--") {
                        self.short = Some((word, 1));
                        continue;
                    }
                    self.long_option(&word)
                }
            };
            let Some(spec) = spec else {
                self.refuse(format!("Illegal option `{shown}'"));
                continue;
            };
            if spec.takes == OptionArgument::Nothing {
                if let Some(value) = attached {
                    let value = value.display();
                    let note = format!("Ignoring argument `{value}' for option `{shown}'");
                    self.messages.push(note);
                }
                return Some((spec.id, None));
            }
            match attached.or_else(|| self.words.next_if(|word| word != "--")) {
                Some(value) => return Some((spec.id, Some(value))),
                None => self.refuse(format!("Option `{shown}' requires an argument")),
            }
        }
    }

    fn long_option(&self, word: &OsStr) -> FoundOption<Id> {
        let bytes = word.as_encoded_bytes();
        let equals = bytes.iter().position(|&byte| byte == b'=');
        let name = &bytes[2..equals.unwrap_or(bytes.len())];
        let is_named =
            |spec: &&OptionSpec<Id>| spec.long.is_some_and(|long| long.as_bytes() == name);
        match (self.specs.iter().find(is_named), equals) {
            (Some(spec), Some(equals)) => {
                let value = Some(tail(word, equals + 1)).filter(|value| !value.is_empty());
                (Some(spec), format!("--{}", String::from_utf8_lossy(name)), value)
            }
            (spec, _) => (spec, word.to_string_lossy().into_owned(), None),
        }
    }

    /// The option at a byte of a word; the rest is its argument, or further options.
    fn short_option(&mut self, word: OsString, place: usize) -> FoundOption<Id> {
        let letter = char::from(word.as_encoded_bytes()[place]);
        let spec = self.specs.iter().find(|spec| spec.short == Some(letter));
        let shown = format!("-{letter}");
        if place + 1 == word.len() {
            return (spec, shown, None);
        }
        if spec.is_some_and(|spec| spec.takes != OptionArgument::Nothing) {
            return (spec, shown, Some(tail(&word, place + 1)));
        }
        self.short = Some((word, place + 1));
        (spec, shown, None)
    }

    fn refuse(&mut self, message: String) {
        self.messages.push(message);
        self.has_error = true;
    }

    /// An argument as a positive number; `None`, and an error, if it is not one.
    pub(super) fn number(&mut self, word: &OsStr) -> Option<u64> {
        let shown = word.to_string_lossy();
        if shown.starts_with('-') {
            self.refuse(format!("Illegal positive number `{shown}'"));
            return None;
        }
        let (number, rest) = strtoul(&shown);
        if number.is_none() {
            let note = format!("Positive number overflow in `{shown}'");
            self.messages.push(note);
        }
        self.has_error |= !rest.is_empty();
        rest.is_empty().then_some(number.unwrap_or(u64::MAX))
    }

    /// The help or a file to report, printed after `preface`.
    ///
    /// # Errors
    /// If an option was invalid, or the command line has several files.
    pub(super) fn request(
        self,
        tool: &Tool,
        preface: &str,
        wants_help: bool,
    ) -> Result<MpatrolRequest, UsageError> {
        let mut files = self.words;
        let file = files.next();
        if self.has_error || files.next().is_some() {
            let text = if wants_help { tool.help } else { tool.usage };
            return Err(UsageError {
                message: self.messages.join(&format!("\n{}: ", tool.name)),
                usage: Usage::OnStdout(preface.to_owned() + text),
            });
        }
        if wants_help {
            return Ok(MpatrolRequest::Help(preface.to_owned() + tool.help));
        }
        Ok(MpatrolRequest::Report {
            file: file.map_or_else(|| tool.usual_file.into(), PathBuf::from),
            notes: self.messages,
        })
    }
}

/// An option if it exists, its name in messages, and its attached argument.
type FoundOption<Id> = (Option<&'static OptionSpec<Id>>, String, Option<OsString>);

/// A number as C's `strtoul` reads it in base 0, or in base 2 after `0b`; `None` if it has
/// more than 64 bits. Returns the rest of the text, which is all of it without a digit.
fn strtoul(text: &str) -> (Option<u64>, &str) {
    let is_blank = |letter: char| letter.is_ascii_whitespace() || letter == '\u{b}';
    let binary = text.strip_prefix("0b").or_else(|| text.strip_prefix("0B"));
    let digits = binary.unwrap_or(text).trim_start_matches(is_blank);
    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    let hex = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X"));
    let hex = hex.filter(|hex| hex.starts_with(|digit: char| digit.is_ascii_hexdigit()));
    let (base, digits_only) = match (binary, hex) {
        (Some(_), _) => (2, unsigned),
        (None, Some(hex)) => (16, hex),
        (None, None) if unsigned.starts_with('0') => (8, unsigned),
        (None, None) => (10, unsigned),
    };
    let rest = digits_only.trim_start_matches(|digit: char| digit.is_digit(base));
    if rest.len() == digits_only.len() {
        return (Some(0), binary.unwrap_or(text));
    }
    let number = u64::from_str_radix(&digits_only[..digits_only.len() - rest.len()], base).ok();
    let is_negative = digits.starts_with('-');
    let number = number.map(|number| if is_negative { number.wrapping_neg() } else { number });
    (number, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compat::getopt::option;

    const SPECS: &[OptionSpec<char>] = &[
        option('b', "brief", OptionArgument::Nothing, 'b'),
        option('p', "plain", OptionArgument::Nothing, 'p'),
        option('w', "width", OptionArgument::Required, 'w'),
    ];

    const TOOL: Tool = Tool { name: "tool", usual_file: "usual", usage: "USAGE", help: "HELP" };

    fn check(line: &str, expected: &str) {
        let words = line.split(' ').map(OsString::from).collect();
        let mut words = ToolWords::new(words, SPECS);
        let mut found = Vec::new();
        while let Some((option, value)) = words.next_option() {
            let value = value.map_or(String::new(), |value| format!("={}", value.display()));
            found.push(format!("{option}{value}"));
        }
        match words.request(&TOOL, "", false) {
            Ok(MpatrolRequest::Report { file, notes }) => {
                found.push(file.display().to_string());
                found.extend(notes);
            }
            Ok(MpatrolRequest::Help(text)) => found.push(text),
            Err(error) => found.push(error.message),
        }
        assert_eq!(found.join(" "), expected, "for {line}");
    }

    #[test]
    fn the_first_file_ends_the_options() {
        check("-b a", "b a");
        check("-b a -p", "b ");
        check("-b -- -p", "b -p");
        check("- -b", "");
        check("-bw 40 x", "b w=40 x");
        check("-bw40 x", "b w=40 x");
        check("-pb", "p b usual");
    }

    #[test]
    fn long_options_need_their_whole_name() {
        check("--brief --width=40 x", "b w=40 x");
        check("--width 40 x", "w=40 x");
        check("--bri", "Illegal option `--bri'");
        check("--=x", "Illegal option `--=x'");
        check("--brief=1 a", "b a Ignoring argument `1' for option `--brief'");
    }

    #[test]
    fn an_empty_attached_argument_is_absent() {
        check("--brief= a", "b a");
        check("--width= -b a", "w=-b a");
    }

    #[test]
    fn all_errors_are_reported() {
        check("--width", "Option `--width' requires an argument");
        check("-w -- a", "Option `-w' requires an argument");
        check(
            "-xy --none -w",
            "Illegal option `-x'\ntool: Illegal option `-y'\ntool: Illegal option `--none'\n\
             tool: Option `-w' requires an argument",
        );
    }

    fn check_number(word: &str, expected: Option<u64>, messages: &[&str]) {
        let mut words = ToolWords::new(Vec::new(), SPECS);
        assert_eq!(words.number(OsStr::new(word)), expected, "for {word:?}");
        assert_eq!(words.messages, messages, "for {word:?}");
    }

    #[test]
    fn numbers_are_read_like_strtoul() {
        check_number("12", Some(12), &[]);
        check_number("0x1F", Some(31), &[]);
        check_number("010", Some(8), &[]);
        check_number("0b11", Some(3), &[]);
        check_number("0b", Some(0), &[]);
        check_number("", Some(0), &[]);
        check_number("+2", Some(2), &[]);
        check_number(" 3", Some(3), &[]);
        check_number(" -1", Some(u64::MAX), &[]);
    }

    #[test]
    fn a_rest_that_is_no_number_is_an_error() {
        check_number("abc", None, &[]);
        check_number("12a", None, &[]);
        check_number("0x", None, &[]);
        check_number("08", None, &[]);
        check_number("-1", None, &["Illegal positive number `-1'"]);
    }

    #[test]
    fn too_large_a_number_is_the_largest() {
        let word = "99999999999999999999";
        let note = format!("Positive number overflow in `{word}'");
        check_number(word, Some(u64::MAX), &[&note]);
    }
}
