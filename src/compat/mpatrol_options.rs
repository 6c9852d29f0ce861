//! Command lines in the manner of mpatrol's tools.
//!
//! The first word that is no option ends the options, and so does `--`. Short
//! options may be bundled; an argument may be attached or follow; long options need
//! their whole name. An argument that an option does not take is left out, with a note.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use crate::compat::getopt::{OptionSpec, Takes, tail};

/// What is wrong with a command line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum OptionError {
    #[error("Illegal option `{0}'")]
    Illegal(String),
    #[error("Option `{0}' requires an argument")]
    MissingArgument(String),
    #[error("Illegal positive number `{0}'")]
    Negative(String),
    /// Nothing is said of this but how to do it right.
    #[error("")]
    NotANumber,
    /// Nor of this.
    #[error("")]
    SeveralFiles,
}

/// A command line, understood.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Words<Id> {
    /// The options and their arguments, in their order.
    pub(super) options: Vec<(Id, Option<OsString>)>,
    /// What follows them.
    pub(super) files: Vec<OsString>,
    /// What is to be said of it, on standard error.
    pub(super) notes: Vec<String>,
}

/// The only file, or the one that is read where none is given.
pub(super) fn only_file(files: &[OsString], usual: &str) -> Result<PathBuf, OptionError> {
    match files {
        [] => Ok(usual.into()),
        [file] => Ok(file.into()),
        _ => Err(OptionError::SeveralFiles),
    }
}

/// Sorts the words of a command line into options and files.
pub(super) fn parse<Id: Copy>(
    words: Vec<OsString>,
    specs: &[OptionSpec<Id>],
) -> Result<Words<Id>, OptionError> {
    let mut words = VecDeque::from(words);
    let mut parsed = Words {
        options: Vec::new(),
        files: Vec::new(),
        notes: Vec::new(),
    };
    while let Some(word) = words.pop_front() {
        let bytes = word.as_encoded_bytes();
        if bytes == b"--" {
            break;
        } else if bytes.starts_with(b"--") {
            long_option(&word, specs, &mut words, &mut parsed)?;
        } else if bytes.starts_with(b"-") && bytes.len() > 1 {
            short_options(&word, specs, &mut words, &mut parsed)?;
        } else {
            words.push_front(word);
            break;
        }
    }
    parsed.files = words.into();
    Ok(parsed)
}

fn long_option<Id: Copy>(
    word: &OsStr,
    specs: &[OptionSpec<Id>],
    words: &mut VecDeque<OsString>,
    parsed: &mut Words<Id>,
) -> Result<(), OptionError> {
    let bytes = word.as_encoded_bytes();
    let equals = bytes.iter().position(|&byte| byte == b'=');
    let name = &bytes[2..equals.unwrap_or(bytes.len())];
    let shown = format!("--{}", String::from_utf8_lossy(name));
    let is_it = |spec: &&OptionSpec<Id>| spec.long.is_some_and(|long| long.as_bytes() == name);
    let Some(spec) = specs.iter().find(is_it) else {
        return Err(OptionError::Illegal(shown));
    };
    let attached = equals.map(|equals| tail(word, equals + 1));
    let value = match (spec.takes, attached) {
        (Takes::Nothing, Some(value)) => {
            let value = value.display();
            let note = format!("Ignoring argument `{value}' for option `{shown}'");
            parsed.notes.push(note);
            None
        }
        (Takes::Required, None) => {
            let next = words.pop_front();
            Some(next.ok_or(OptionError::MissingArgument(shown))?)
        }
        (_, attached) => attached,
    };
    parsed.options.push((spec.id, value));
    Ok(())
}

fn short_options<Id: Copy>(
    word: &OsStr,
    specs: &[OptionSpec<Id>],
    words: &mut VecDeque<OsString>,
    parsed: &mut Words<Id>,
) -> Result<(), OptionError> {
    let bytes = word.as_encoded_bytes();
    for (place, &letter) in bytes.iter().enumerate().skip(1) {
        let letter = char::from(letter);
        let shown = format!("-{letter}");
        let Some(spec) = specs.iter().find(|spec| spec.short == Some(letter)) else {
            return Err(OptionError::Illegal(shown));
        };
        if spec.takes == Takes::Nothing {
            parsed.options.push((spec.id, None));
            continue;
        }
        let has_rest = place + 1 < bytes.len();
        let attached = has_rest.then(|| tail(word, place + 1));
        let value = attached.or_else(|| words.pop_front());
        let value = value.ok_or(OptionError::MissingArgument(shown))?;
        parsed.options.push((spec.id, Some(value)));
        break;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compat::getopt::option;

    const SPECS: [OptionSpec<char>; 3] = [
        option('v', "verbose", Takes::Nothing, 'v'),
        option('s', "source", Takes::Nothing, 's'),
        option('H', "hatf-file", Takes::Required, 'H'),
    ];

    fn check(line: &str, expected: &str) {
        let words = line.split(' ').map(OsString::from).collect();
        let text = match parse(words, &SPECS) {
            Err(error) => error.to_string(),
            Ok(words) => {
                let option = |(id, value): (char, Option<OsString>)| match value {
                    None => id.to_string(),
                    Some(value) => format!("{id}={}", value.display()),
                };
                let options = words.options.into_iter().map(option);
                let files = words.files.iter().map(|file| file.display().to_string());
                let all: Vec<_> = options.chain(files).chain(words.notes).collect();
                all.join(" ")
            }
        };
        assert_eq!(text, expected, "for {line}");
    }

    #[test]
    fn the_first_file_ends_the_options() {
        check("-v a -s", "v a -s");
        check("-v -- -s", "v -s");
        check("- -v", "- -v");
    }

    #[test]
    fn short_options_bundle_and_take_what_is_attached_or_next() {
        check("-vs a", "v s a");
        check("-vHa b", "v H=a b");
        check("-H a b", "H=a b");
        check("-vH", "Option `-H' requires an argument");
        check("-vx", "Illegal option `-x'");
    }

    #[test]
    fn long_options_need_their_whole_name() {
        check("--verbose --hatf-file=a b", "v H=a b");
        check("--hatf-file a b", "H=a b");
        check("--hatf-file", "Option `--hatf-file' requires an argument");
        check("--verb", "Illegal option `--verb'");
        check(
            "--verbose=1 a",
            "v a Ignoring argument `1' for option `--verbose'",
        );
    }
}
