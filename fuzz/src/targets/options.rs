use std::ffi::OsString;

use profan::cli;
use profan::compat::Original;

use super::super::made::text::{OPTIONS, text_of};
use super::super::pipeline::file;

/// Any bytes, and words of option lines, as arguments of the program and of each of the
/// originals, also as a file of words. Parses them without running anything.
pub fn options(data: &[u8]) {
    let words = text_of(data, OPTIONS);
    for line in [data, &words] {
        let line = String::from_utf8_lossy(line);
        // A word that starts like this names a file, which would be read.
        let words: Vec<OsString> = line
            .split(['\0', '\n', ' '])
            .filter(|word| !word.starts_with('@'))
            .map(OsString::from)
            .collect();
        let mut in_file = OsString::from("@");
        in_file.push(file("words", line.replace('@', " ").as_bytes()));
        let modes = [None, Some("diff"), Some("doctor")].map(|word| word.map(OsString::from));
        let originals = Original::ALL.map(|original| Some(original.name().into()));
        for face in modes.into_iter().chain(originals) {
            let all = [OsString::from("profan")].into_iter().chain(face);
            for words in [&*words, &[in_file.clone()]] {
                if let Err(error) = cli::parse(all.clone().chain(words.iter().cloned())) {
                    drop(error.error.to_string());
                }
            }
        }
    }
}
