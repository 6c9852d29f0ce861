//! Two conventions of `getopt` that clap lacks: an optional argument is attached to a short
//! option (`-pmain`), and a required one is the next word, whatever it looks like (`-e
//! '-[Shape draw]'`).

use std::ffi::{OsStr, OsString};

use clap::builder::PossibleValue;
use clap::{Arg, Command};
use clap_lex::{ParsedArg, RawArgs};

use crate::cli::stated::Loose;

/// Whether an option takes an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    Nothing,
    Optional,
    Required,
}

pub(super) fn takes(arg: &Arg) -> Takes {
    match arg.get_num_args() {
        None if !arg.get_action().takes_values() => Takes::Nothing,
        None => Takes::Required,
        Some(range) if range.max_values() == 0 => Takes::Nothing,
        Some(range) if range.min_values() == 0 => Takes::Optional,
        Some(_) => Takes::Required,
    }
}

/// The option with these conventions, as far as clap supports them.
pub(super) fn as_getopt(arg: Arg) -> Arg {
    match takes(&arg) {
        _ if arg.is_positional() => arg,
        Takes::Nothing => arg,
        Takes::Optional => arg.require_equals(true),
        Takes::Required => arg.allow_hyphen_values(true),
    }
}

/// Inserts `=` between short options and optional arguments: `-bpmain` becomes `-bp=main`,
/// for clap.
pub(super) fn with_equals_signs(words: Vec<OsString>, command: &Command) -> Vec<OsString> {
    let raw = RawArgs::new(words);
    let mut cursor = raw.cursor();
    let mut expanded = Vec::new();
    while let Some(word) = raw.next(&mut cursor) {
        let (word, needs_next) = word_with_equals_signs(&word, command);
        let is_escape = word == "--";
        expanded.push(word);
        if is_escape {
            expanded.extend(raw.remaining(&mut cursor).map(OsStr::to_owned));
        } else if needs_next {
            expanded.extend(raw.next_os(&mut cursor).map(OsStr::to_owned));
        }
    }
    expanded
}

/// The words that are options, without separate values.
pub(super) fn options(words: &[OsString], command: &Command) -> Vec<OsString> {
    let raw = RawArgs::new(words);
    let mut cursor = raw.cursor();
    let mut options = Vec::new();
    while let Some(word) = raw.next(&mut cursor) {
        if word.is_escape() {
            break;
        }
        if word.is_long() || word.is_short() {
            options.push(word.to_value_os().to_owned());
            if word_with_equals_signs(&word, command).1 {
                raw.next_os(&mut cursor);
            }
        }
    }
    options
}

/// The place of the first word that is neither an option of one of these commands nor a value.
pub(super) fn first_operand(words: &[OsString], commands: &[Command]) -> Option<usize> {
    let raw = RawArgs::new(words);
    let mut cursor = raw.cursor();
    let mut place = 0;
    while let Some(word) = raw.next(&mut cursor) {
        if word.is_escape() {
            return None;
        }
        if !word.is_long() && !word.is_short() {
            return Some(place);
        }
        place += 1;
        if commands.iter().any(|command| word_with_equals_signs(&word, command).1) {
            raw.next_os(&mut cursor);
            place += 1;
        }
    }
    None
}

/// Words after an option with an optional argument: not attached, they are files.
pub(super) fn loose(words: &[OsString], command: &Command) -> Vec<Loose> {
    let raw = RawArgs::new(words);
    let mut cursor = raw.cursor();
    let mut loose = Vec::new();
    let mut before: Option<(&Arg, bool)> = None;
    while let Some(word) = raw.next(&mut cursor) {
        if word.is_escape() {
            break;
        }
        let is_option = word.is_long() || word.is_short();
        let may_belong = |(arg, _): &(&Arg, bool)| !is_option && can_be(arg, word.to_value_os());
        if let Some((arg, is_long)) = before.take().filter(may_belong) {
            let word = word.to_value_os().to_owned();
            loose.push(Loose::new(arg, is_long, word));
        }
        if is_option {
            let (_, needs_next) = word_with_equals_signs(&word, command);
            if needs_next {
                raw.next_os(&mut cursor);
            }
            before = lone_option(&word, command);
        }
    }
    loose
}

/// Returns whether a word is a valid argument of the option.
fn can_be(arg: &Arg, word: &OsStr) -> bool {
    let values = arg.get_possible_values();
    let is_it = |value: &PossibleValue| word.to_str().is_some_and(|it| value.matches(it, false));
    values.is_empty() || values.iter().any(is_it)
}

impl Loose {
    fn new(arg: &Arg, is_long: bool, word: OsString) -> Self {
        let mut attached = OsString::new();
        match (arg.get_long(), arg.get_short()) {
            (Some(long), _) if is_long => attached.push(format!("--{long}=")),
            (_, Some(short)) => attached.push(format!("-{short}")),
            (long, None) => attached.push(format!("--{}=", long.unwrap_or_default())),
        }
        attached.push(&word);
        let mut value_names = arg.get_value_names().into_iter().flatten();
        Self {
            attached: attached.to_string_lossy().into_owned(),
            wants_name: value_names.any(|name| name.as_str() == "SPEC"),
            word,
        }
    }
}

/// The option at the end of a word, if its argument is missing, and whether it is a long one.
fn lone_option<'c>(word: &ParsedArg<'_>, command: &'c Command) -> Option<(&'c Arg, bool)> {
    let is_lone = |arg: &&Arg| takes(arg) == Takes::Optional;
    if let Some((Ok(name), value)) = word.to_long() {
        let arg = find_long(name, command).filter(is_lone);
        return arg.filter(|_| value.is_none()).map(|arg| (arg, true));
    }
    let mut letters = word.to_short()?;
    while let Some(Ok(letter)) = letters.next_flag() {
        let mut args = command.get_arguments();
        let arg = args.find(|arg| arg.get_short() == Some(letter))?;
        match takes(arg) {
            Takes::Nothing => {}
            Takes::Required => return None,
            Takes::Optional => return letters.is_empty().then_some((arg, false)),
        }
    }
    None
}

/// The word, and whether the next one is its argument.
fn word_with_equals_signs(word: &ParsedArg<'_>, command: &Command) -> (OsString, bool) {
    let whole = word.to_value_os().to_owned();
    if let Some((Ok(name), value)) = word.to_long() {
        let arg = find_long(name, command);
        let needs = arg.is_some_and(|arg| takes(arg) == Takes::Required);
        return (whole, needs && value.is_none());
    }
    let Some(mut letters) = word.to_short() else {
        return (whole, false);
    };
    let mut before = OsString::from("-");
    while let Some(Ok(letter)) = letters.next_flag() {
        before.push(letter.encode_utf8(&mut [0; 4]));
        let arg = command.get_arguments().find(|arg| arg.get_short() == Some(letter));
        match arg.map(takes) {
            Some(Takes::Nothing) => {}
            Some(Takes::Required) => return (whole, letters.is_empty()),
            Some(Takes::Optional) => {
                let Some(value) = letters.next_value_os() else {
                    break;
                };
                if !value.as_encoded_bytes().starts_with(b"=") {
                    before.push("=");
                }
                before.push(value);
                return (before, false);
            }
            // clap reports the unknown option.
            None => break,
        }
    }
    (whole, false)
}

/// The option with this name or unambiguous prefix.
fn find_long<'c>(name: &str, command: &'c Command) -> Option<&'c Arg> {
    let mut args = command.get_arguments();
    if let Some(exact) = args.find(|arg| arg.get_long() == Some(name)) {
        return Some(exact);
    }
    let starts = |arg: &&Arg| arg.get_long().is_some_and(|long| long.starts_with(name));
    let mut found = command.get_arguments().filter(starts);
    found.next().filter(|_| found.next().is_none())
}
