use std::ffi::OsString;

use profan::cli;
use profan::compat::Personality;

use super::super::made::text::{OPTIONS, text_of};

/// Any bytes, and words of option lines, as what follows the name of the program and of
/// each of the originals. Nothing is run.
pub fn options(data: &[u8]) {
    let words = text_of(data, OPTIONS);
    for line in [data, &words] {
        let line = String::from_utf8_lossy(line);
        // A word that starts so stands for a file, which would be read.
        let words: Vec<OsString> = line
            .split(['\0', '\n', ' '])
            .filter(|word| !word.starts_with('@'))
            .map(OsString::from)
            .collect();
        let faces = [None, Some("diff"), Some("doctor")].map(|word| word.map(OsString::from));
        let originals = Personality::ALL.map(|original| Some(original.name().into()));
        for face in faces.into_iter().chain(originals) {
            let all = [OsString::from("profan")].into_iter().chain(face);
            if let Err(error) = cli::parse(all.chain(words.clone())) {
                drop(error.error.to_string());
            }
        }
    }
}
