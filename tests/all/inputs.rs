//! The inputs of all recorded cases, each once.

use std::collections::HashSet;
use std::path::Path;

use crate::support::case::cases_below;
use crate::support::staged::StagedFixtures;
use crate::support::{Scratch, words_of};

/// Visits the files of each command of profan, as words in a directory with a name.
pub(crate) fn each_input(visit: &mut dyn FnMut(&Path, &str, &Scratch)) {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut staged = StagedFixtures::default();
    let mut known = HashSet::new();
    for case in cases_below(&fixtures).into_iter().filter(|case| case.is_ours()) {
        let scratch = staged.of(&case).scratch_of(&case);
        let words = words_of(case.line.trim_end());
        let files = words.iter().skip(1).filter(|word| scratch.path().join(word).is_file());
        let files: Vec<_> = files.map(String::as_str).collect();
        let files = files.join(" ");
        let is_plain =
            files.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" ._-/".contains(&byte));
        let has_inputs = case.path.with_extension("inputs").exists();
        let key = (case.directory.clone(), files.clone(), has_inputs.then(|| case.path.clone()));
        if files.is_empty() || !is_plain || !known.insert(key) {
            continue;
        }
        let directory = case.directory.strip_prefix(&fixtures).expect("it is below");
        visit(directory, &files, &scratch);
    }
}
