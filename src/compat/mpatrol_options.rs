//! Command lines of mpatrol's tools.
//!
//! The first file or `--` ends the options. Long options must be complete. An attached
//! argument that is empty (`--option=`) counts as absent. Errors do not end the parsing: all
//! are reported, then the usage. Source: recorded commands of mprof 1.3 and mptrace 1.4.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::iter::Peekable;
use std::path::PathBuf;
use std::vec;

use crate::compat::getopt::tail;
use crate::compat::{CompatCommand, Usage, UsageError, version};

/// What one of the tools has of its own.
#[derive(Debug)]
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    /// Read if the command line has no file.
    pub(super) usual_file: &'static str,
    /// Short and long names of options; `h` is the help and `V` the version.
    pub(super) options: &'static [(char, &'static str)],
    /// The options with an argument.
    pub(super) with_argument: &'static [char],
    pub(super) help: &'static str,
}

/// The words of a command line, parsed one option at a time.
pub(super) struct ToolWords {
    tool: &'static Tool,
    words: Peekable<vec::IntoIter<OsString>>,
    /// A word of short options, and the byte of the next one.
    short: Option<(OsString, usize)>,
    /// Errors and notes, in order.
    messages: Vec<String>,
    has_error: bool,
    preface: String,
    wants_help: bool,
}

/// What the command lines of all tools say.
#[derive(Debug, Default)]
pub struct ToolRun {
    pub(super) file: PathBuf,
    /// Printed before everything else.
    preface: String,
    /// Notes for standard error.
    notes: Vec<String>,
}

impl ToolRun {
    /// Prints what precedes the report.
    pub(super) fn start(
        &self,
        tool: &str,
        out: &mut dyn Write,
        notes: &mut dyn Write,
    ) -> io::Result<()> {
        for note in &self.notes {
            writeln!(notes, "{tool}: {note}")?;
        }
        out.write_all(self.preface.as_bytes())
    }
}

impl ToolWords {
    pub(super) fn new(words: Vec<OsString>, tool: &'static Tool) -> Self {
        Self {
            tool,
            words: words.into_iter().peekable(),
            short: None,
            messages: Vec::new(),
            has_error: false,
            preface: String::new(),
            wants_help: false,
        }
    }

    /// The next valid option of the tool with its argument; `None` before the first file.
    pub(super) fn next_option(&mut self) -> Option<(char, OsString)> {
        loop {
            match self.any_option()? {
                ('h', _) => self.wants_help = true,
                ('V', _) => self.preface = version(self.tool.version),
                option => return Some(option),
            }
        }
    }

    fn any_option(&mut self) -> Option<(char, OsString)> {
        loop {
            let (option, shown, attached) = match self.short.take() {
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
            let Some(letter) = option else {
                self.refuse(format!("Illegal option `{shown}'"));
                continue;
            };
            if !self.tool.with_argument.contains(&letter) {
                if let Some(value) = attached {
                    let value = value.display();
                    let note = format!("Ignoring argument `{value}' for option `{shown}'");
                    self.messages.push(note);
                }
                return Some((letter, OsString::new()));
            }
            match attached.or_else(|| self.words.next_if(|word| word != "--")) {
                Some(value) => return Some((letter, value)),
                None => self.refuse(format!("Option `{shown}' requires an argument")),
            }
        }
    }

    fn long_option(&self, word: &OsStr) -> FoundOption {
        let bytes = word.as_encoded_bytes();
        let equals = bytes.iter().position(|&byte| byte == b'=');
        let name = &bytes[2..equals.unwrap_or(bytes.len())];
        let mut options = self.tool.options.iter();
        let option = options.find(|(_, long)| long.as_bytes() == name).map(|(letter, _)| *letter);
        match equals.filter(|_| option.is_some()) {
            Some(equals) => {
                let value = Some(tail(word, equals + 1)).filter(|value| !value.is_empty());
                (option, format!("--{}", String::from_utf8_lossy(name)), value)
            }
            None => (option, word.to_string_lossy().into_owned(), None),
        }
    }

    /// The option at a byte of a word; the rest is its argument, or further options.
    fn short_option(&mut self, word: OsString, place: usize) -> FoundOption {
        let letter = char::from(word.as_encoded_bytes()[place]);
        let is_known = self.tool.options.iter().any(|(short, _)| *short == letter);
        let (option, shown) = (is_known.then_some(letter), format!("-{letter}"));
        if place + 1 == word.len() {
            return (option, shown, None);
        }
        if self.tool.with_argument.contains(&letter) {
            return (option, shown, Some(tail(&word, place + 1)));
        }
        self.short = Some((word, place + 1));
        (option, shown, None)
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

    /// The command: the help, or that of a run of the tool.
    ///
    /// # Errors
    /// If an option was invalid, or the command line has several files.
    pub(super) fn command(
        self,
        of_run: impl FnOnce(ToolRun) -> CompatCommand,
    ) -> Result<CompatCommand, UsageError> {
        let (Tool { name, help, usual_file, .. }, mut files) = (self.tool, self.words);
        let file = files.next();
        let with_help = self.preface.clone() + help;
        if self.has_error || files.next().is_some() {
            let usage = format!(
                "{}Usage: {name} [options] [file]\n\
                 Type `{name} --help' for a complete list of options.\n",
                self.preface
            );
            return Err(UsageError {
                message: self.messages.join(&format!("\n{name}: ")),
                usage: Usage::OnStdout(if self.wants_help { with_help } else { usage }),
            });
        }
        if self.wants_help {
            return Ok(CompatCommand::Show(with_help));
        }
        let file = file.map_or_else(|| usual_file.into(), PathBuf::from);
        Ok(of_run(ToolRun { file, preface: self.preface, notes: self.messages }))
    }
}

/// The letter of an option if it exists, its name in messages, and its attached argument.
type FoundOption = (Option<char>, String, Option<OsString>);

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
    use crate::compat::mprof::MprofPlan;

    const TOOL: Tool = Tool {
        name: "tool",
        version: "tool 1.0",
        usual_file: "usual",
        options: &[('b', "brief"), ('p', "plain"), ('w', "width")],
        with_argument: &['w'],
        help: "HELP",
    };

    fn check(line: &str, expected: &str) {
        let words = line.split(' ').map(OsString::from).collect();
        let mut words = ToolWords::new(words, &TOOL);
        let mut found = Vec::new();
        while let Some((option, value)) = words.next_option() {
            let equals = if value.is_empty() { "" } else { "=" };
            found.push(format!("{option}{equals}{}", value.display()));
        }
        let run =
            words.command(|run| CompatCommand::Mprof(MprofPlan { run, ..MprofPlan::default() }));
        match run {
            Ok(CompatCommand::Mprof(MprofPlan { run, .. })) => {
                found.push(run.file.display().to_string());
                found.extend(run.notes);
            }
            Ok(_) => unreachable!("the help is not asked for"),
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
        let mut words = ToolWords::new(Vec::new(), &TOOL);
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
