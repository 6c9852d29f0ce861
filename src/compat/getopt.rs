//! Command lines in the manner of GNU `getopt_long`.
//!
//! Options and files may be mixed; `--` ends options; short options may be
//! bundled; an optional argument must be attached; long options may be shortened
//! while no other one starts the same way; `@FILE` stands for the words in a file.

use std::ffi::{OsStr, OsString};

/// Whether an option takes an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    Nothing,
    /// An argument that must be attached, if it is there.
    Optional,
    Required,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct OptionSpec<Id> {
    pub(crate) id: Id,
    pub(crate) short: Option<char>,
    pub(crate) long: Option<&'static str>,
    pub(crate) takes: Takes,
}

/// An option with its names, for tables of them.
pub(crate) const fn option<Id: Copy>(
    short: char,
    long: &'static str,
    takes: Takes,
    id: Id,
) -> OptionSpec<Id> {
    OptionSpec {
        id,
        short: if short == NONE { None } else { Some(short) },
        long: if long.is_empty() { None } else { Some(long) },
        takes,
    }
}

/// In tables, in the place of the letter that an option does not have; `""` is for its name.
pub(crate) const NONE: char = '\0';

/// A word of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Word<Id> {
    Option(Id, Option<OsString>),
    File(OsString),
}

/// What is wrong with a command line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum UsageError {
    #[error("unknown option `{0}`")]
    Unknown(String),
    #[error("option `{0}` needs an argument")]
    MissingArgument(String),
    #[error("option `{0}` takes no argument")]
    UnwantedArgument(String),
    #[error("option `{0}` can be short for {1}")]
    Ambiguous(String, String),
}

/// Sorts the words of a command line into options and files, in their order.
pub(crate) fn parse<Id: Copy>(
    words: Vec<OsString>,
    specs: &[OptionSpec<Id>],
) -> Result<Vec<Word<Id>>, UsageError> {
    let mut parsed = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let bytes = word.as_encoded_bytes();
        if bytes == b"--" {
            parsed.extend(words.by_ref().map(Word::File));
        } else if bytes.starts_with(b"--") {
            parsed.push(long_option(&word, specs, &mut words)?);
        } else if bytes.starts_with(b"-") && bytes.len() > 1 {
            short_options(&word, specs, &mut words, &mut parsed)?;
        } else {
            parsed.push(Word::File(word));
        }
    }
    Ok(parsed)
}

fn long_option<Id: Copy>(
    word: &OsStr,
    specs: &[OptionSpec<Id>],
    words: &mut impl Iterator<Item = OsString>,
) -> Result<Word<Id>, UsageError> {
    let bytes = word.as_encoded_bytes();
    let equals = bytes.iter().position(|&byte| byte == b'=');
    let name = String::from_utf8_lossy(&bytes[2..equals.unwrap_or(bytes.len())]).into_owned();
    let spec = find_long(&name, specs)?;
    let shown = format!("--{}", spec.long.unwrap_or(&name));
    let value = match (equals, spec.takes) {
        (Some(_), Takes::Nothing) => return Err(UsageError::UnwantedArgument(shown)),
        (Some(equals), _) => Some(tail(word, equals + 1)),
        (None, Takes::Required) => Some(words.next().ok_or(UsageError::MissingArgument(shown))?),
        (None, _) => None,
    };
    Ok(Word::Option(spec.id, value))
}

/// The option of this name, or the only one whose name it starts.
fn find_long<'s, Id: Copy>(
    name: &str,
    specs: &'s [OptionSpec<Id>],
) -> Result<&'s OptionSpec<Id>, UsageError> {
    if let Some(exact) = specs.iter().find(|spec| spec.long == Some(name)) {
        return Ok(exact);
    }
    let starts = |spec: &&OptionSpec<Id>| spec.long.is_some_and(|long| long.starts_with(name));
    let found: Vec<_> = specs.iter().filter(starts).collect();
    let shown = format!("--{name}");
    match *found {
        [] => Err(UsageError::Unknown(shown)),
        [only] => Ok(only),
        _ => {
            let names = found.iter().filter_map(|spec| spec.long);
            let names: Vec<_> = names.map(|long| format!("`--{long}`")).collect();
            Err(UsageError::Ambiguous(shown, names.join(" and ")))
        }
    }
}

fn short_options<Id: Copy>(
    word: &OsStr,
    specs: &[OptionSpec<Id>],
    words: &mut impl Iterator<Item = OsString>,
    parsed: &mut Vec<Word<Id>>,
) -> Result<(), UsageError> {
    let bytes = word.as_encoded_bytes();
    let mut place = 1;
    while let Some(&letter) = bytes.get(place) {
        place += 1;
        let letter = char::from(letter);
        let shown = format!("-{letter}");
        let spec = specs
            .iter()
            .find(|spec| spec.short == Some(letter))
            .ok_or_else(|| UsageError::Unknown(shown.clone()))?;
        let has_rest = place < bytes.len();
        let value = match spec.takes {
            Takes::Nothing => None,
            _ if has_rest => Some(tail(word, place)),
            Takes::Optional => None,
            Takes::Required => Some(words.next().ok_or(UsageError::MissingArgument(shown))?),
        };
        parsed.push(Word::Option(spec.id, value));
        if has_rest && spec.takes != Takes::Nothing {
            break;
        }
    }
    Ok(())
}

/// The word from a byte on, which is behind an ASCII character.
#[cfg(unix)]
pub(crate) fn tail(word: &OsStr, from: usize) -> OsString {
    use std::os::unix::ffi::OsStrExt;
    OsStr::from_bytes(&word.as_bytes()[from..]).to_owned()
}

#[cfg(not(unix))]
pub(crate) fn tail(word: &OsStr, from: usize) -> OsString {
    word.to_string_lossy()[from..].into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Id {
        Brief,
        Flat,
        Width,
        Graph,
    }

    const SPECS: [OptionSpec<Id>; 4] = [
        option('b', "brief", Takes::Nothing, Id::Brief),
        option('p', "flat-profile", Takes::Optional, Id::Flat),
        option('w', "width", Takes::Required, Id::Width),
        option(NONE, "graph", Takes::Optional, Id::Graph),
    ];

    fn check(line: &str, expected: &str) {
        let words = line.split(' ').map(OsString::from).collect();
        let text = match parse(words, &SPECS) {
            Err(error) => error.to_string(),
            Ok(words) => {
                let word = |word: Word<Id>| match word {
                    Word::File(name) => name.to_string_lossy().into_owned(),
                    Word::Option(id, None) => format!("{id:?}"),
                    Word::Option(id, Some(value)) => format!("{id:?}={}", value.display()),
                };
                words.into_iter().map(word).collect::<Vec<_>>().join(" ")
            }
        };
        assert_eq!(text, expected, "for {line}");
    }

    #[test]
    fn options_and_files_mix() {
        check("a -b c -- -p", "a Brief c -p");
        check("- -b", "- Brief");
    }

    #[test]
    fn short_options_bundle_and_take_what_is_attached() {
        check("-bpmain", "Brief Flat=main");
        check("-p main", "Flat main");
        check("-bw 40 x", "Brief Width=40 x");
        check("-w40", "Width=40");
        check("-w", "option `-w` needs an argument");
        check("-bx", "unknown option `-x`");
    }

    #[test]
    fn long_options_shorten_while_they_are_clear() {
        check("--fl", "Flat");
        check("--flat=main x", "Flat=main x");
        check("--graph", "Graph");
        check("--gr", "Graph");
        check("--width 40", "Width=40");
        check("--brief=1", "option `--brief` takes no argument");
        check("--none", "unknown option `--none`");
    }
}
