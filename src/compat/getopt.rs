//! Parses command lines as GNU `getopt_long` (getopt_long(3)) does.
//!
//! `--` ends options; short options may be combined; options and files may be mixed; an
//! argument may be attached or follow, but an optional one must be attached; long options may
//! be abbreviated unambiguously. With `POSIXLY_CORRECT` in the environment, the first file ends
//! options.

use std::ffi::{OsStr, OsString};

/// Whether an option takes an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OptionArgument {
    Nothing,
    /// An argument that must be attached, if present.
    Optional,
    Required,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct OptionSpec<Id> {
    pub(crate) id: Id,
    pub(crate) short: Option<char>,
    pub(crate) long: Option<&'static str>,
    pub(crate) takes: OptionArgument,
}

/// An entry of an option table.
pub(crate) const fn option<Id: Copy>(
    short: char,
    long: &'static str,
    takes: OptionArgument,
    id: Id,
) -> OptionSpec<Id> {
    OptionSpec {
        id,
        short: if short == NONE { None } else { Some(short) },
        long: if long.is_empty() { None } else { Some(long) },
        takes,
    }
}

/// Short name of an option without one; `""` is the long name of an option without one.
pub(crate) const NONE: char = '\0';

/// A parsed command line.
#[derive(Debug)]
pub(crate) struct ParsedWords<Id> {
    /// Options with arguments, in order.
    pub(crate) options: Vec<(Id, Option<OsString>)>,
    pub(crate) files: Vec<OsString>,
}

/// Errors of a command line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum GetoptError {
    #[error("unknown option `{0}`")]
    Unknown(String),
    #[error("option `{0}` needs an argument")]
    MissingArgument(String),
    #[error("option `{0}` takes no argument")]
    UnwantedArgument(String),
    #[error("option `{0}` can be short for {1}")]
    Ambiguous(String, String),
}

/// Separates options and files.
pub(crate) fn parse<Id: Copy>(
    words: Vec<OsString>,
    specs: &[OptionSpec<Id>],
) -> Result<ParsedWords<Id>, GetoptError> {
    parse_in_order(words, specs, std::env::var_os("POSIXLY_CORRECT").is_some())
}

fn parse_in_order<Id: Copy>(
    words: Vec<OsString>,
    specs: &[OptionSpec<Id>],
    file_ends_options: bool,
) -> Result<ParsedWords<Id>, GetoptError> {
    let mut parsed = ParsedWords { options: Vec::new(), files: Vec::new() };
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let bytes = word.as_encoded_bytes();
        if bytes == b"--" {
            parsed.files.extend(words.by_ref());
        } else if bytes.starts_with(b"--") {
            long_option(&word, specs, &mut words, &mut parsed)?;
        } else if bytes.starts_with(b"-") && bytes.len() > 1 {
            short_options(&word, specs, &mut words, &mut parsed)?;
        } else {
            parsed.files.push(word);
            if file_ends_options {
                parsed.files.extend(words.by_ref());
            }
        }
    }
    Ok(parsed)
}

fn long_option<Id: Copy>(
    word: &OsStr,
    specs: &[OptionSpec<Id>],
    words: &mut impl Iterator<Item = OsString>,
    parsed: &mut ParsedWords<Id>,
) -> Result<(), GetoptError> {
    let bytes = word.as_encoded_bytes();
    let equals = bytes.iter().position(|&byte| byte == b'=');
    let name = String::from_utf8_lossy(&bytes[2..equals.unwrap_or(bytes.len())]);
    let spec = find_long(&name, specs)?;
    let shown = format!("--{}", spec.long.unwrap_or(&name));
    let attached = equals.map(|equals| tail(word, equals + 1));
    let value = match (spec.takes, attached) {
        (OptionArgument::Nothing, Some(_)) => {
            return Err(GetoptError::UnwantedArgument(shown));
        }
        (OptionArgument::Required, None) => {
            Some(words.next().ok_or(GetoptError::MissingArgument(shown))?)
        }
        (_, attached) => attached,
    };
    parsed.options.push((spec.id, value));
    Ok(())
}

/// The option with this name or unambiguous prefix.
fn find_long<'s, Id: Copy>(
    name: &str,
    specs: &'s [OptionSpec<Id>],
) -> Result<&'s OptionSpec<Id>, GetoptError> {
    if let Some(exact) = specs.iter().find(|spec| spec.long == Some(name)) {
        return Ok(exact);
    }
    let starts = |spec: &&OptionSpec<Id>| spec.long.is_some_and(|long| long.starts_with(name));
    let found: Vec<_> = specs.iter().filter(starts).collect();
    let shown = format!("--{name}");
    match *found {
        [] => Err(GetoptError::Unknown(shown)),
        [only] => Ok(only),
        _ => {
            let names = found.iter().filter_map(|spec| spec.long);
            let names: Vec<_> = names.map(|long| format!("`--{long}`")).collect();
            Err(GetoptError::Ambiguous(shown, names.join(" and ")))
        }
    }
}

fn short_options<Id: Copy>(
    word: &OsStr,
    specs: &[OptionSpec<Id>],
    words: &mut impl Iterator<Item = OsString>,
    parsed: &mut ParsedWords<Id>,
) -> Result<(), GetoptError> {
    let bytes = word.as_encoded_bytes();
    for (place, &letter) in bytes.iter().enumerate().skip(1) {
        let letter = char::from(letter);
        let shown = format!("-{letter}");
        let Some(spec) = specs.iter().find(|spec| spec.short == Some(letter)) else {
            return Err(GetoptError::Unknown(shown));
        };
        let has_rest = place + 1 < bytes.len();
        let value = match spec.takes {
            OptionArgument::Nothing => None,
            _ if has_rest => Some(tail(word, place + 1)),
            OptionArgument::Optional => None,
            OptionArgument::Required => {
                Some(words.next().ok_or(GetoptError::MissingArgument(shown))?)
            }
        };
        parsed.options.push((spec.id, value));
        if spec.takes != OptionArgument::Nothing {
            break;
        }
    }
    Ok(())
}

/// The word from a byte on, which follows an ASCII character.
#[cfg(unix)]
pub(super) fn tail(word: &OsStr, from: usize) -> OsString {
    use std::os::unix::ffi::OsStrExt;
    OsStr::from_bytes(&word.as_bytes()[from..]).to_owned()
}

#[cfg(not(unix))]
pub(super) fn tail(word: &OsStr, from: usize) -> OsString {
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
        option('b', "brief", OptionArgument::Nothing, Id::Brief),
        option('p', "flat-profile", OptionArgument::Optional, Id::Flat),
        option('w', "width", OptionArgument::Required, Id::Width),
        option(NONE, "graph", OptionArgument::Optional, Id::Graph),
    ];

    fn check(line: &str, expected: &str) {
        let words = line.split(' ').map(OsString::from).collect();
        let text = match parse(words, &SPECS) {
            Err(error) => error.to_string(),
            Ok(words) => {
                let option = |(id, value): (Id, Option<OsString>)| match value {
                    None => format!("{id:?}"),
                    Some(value) => format!("{id:?}={}", value.display()),
                };
                let options = words.options.into_iter().map(option);
                let files = words.files.iter().map(|file| file.display().to_string());
                let all: Vec<_> = options.chain(files).collect();
                all.join(" ")
            }
        };
        assert_eq!(text, expected, "for {line}");
    }

    #[test]
    fn options_and_files_mix() {
        check("a -b c -- -p", "Brief a c -p");
        check("- -b", "Brief -");
    }

    #[test]
    fn short_options_bundle_and_take_attached_arguments() {
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

    #[test]
    fn the_first_file_can_end_options() {
        let words = || ["-b", "prog", "-p"].map(OsString::from).into();
        let [mixed, ended] = [false, true].map(|ends| parse_in_order(words(), &SPECS, ends));
        assert_eq!(mixed.unwrap().files, ["prog"]);
        assert_eq!(ended.unwrap().files, ["prog", "-p"]);
    }
}
