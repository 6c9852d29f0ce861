//! Recorded command lines, and running the program on a copy of some inputs.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use tempfile::TempDir;

pub(crate) mod case;
pub(crate) mod staged;

/// The result of a command.
pub(crate) struct Outcome {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) status: i32,
}

/// A directory that is removed after the test.
pub(crate) struct Scratch(TempDir);

impl Scratch {
    /// A copy of a case, without its expectations.
    pub(crate) fn copy_of(case: &Path) -> Self {
        let scratch = Self::empty();
        copy(case, scratch.path());
        scratch
    }

    pub(crate) fn empty() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder can be made"))
    }

    /// A copy of a file that can be written. No source is newer than its executable because it
    /// was copied later.
    pub(crate) fn copy_file(from: &Path, to: &Path) {
        fs::copy(from, to).expect("a copy can be made");
        let copied = File::open(to).expect("a copy can be read");
        let _ = copied.set_modified(SystemTime::UNIX_EPOCH);
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("a case should be readable") {
        let entry = entry.expect("a case should be readable");
        let target = to.join(entry.file_name());
        if entry.file_name() == "expected" {
            continue;
        }
        if entry.path().is_dir() {
            fs::create_dir(&target).expect("a copy can be made");
            copy(&entry.path(), &target);
        } else {
            Scratch::copy_file(&entry.path(), &target);
        }
    }
}

/// All files below a directory, in order.
pub(crate) fn files_below(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    find_files(directory, &mut found);
    found.sort();
    found
}

fn find_files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("the folder is readable") {
        let path = entry.expect("the folder is readable").path();
        if path.is_dir() { find_files(&path, found) } else { found.push(path) }
    }
}

/// Runs a line such as `gprof -b prog gmon.out < FILE` or `profan gmon.out`.
pub(crate) fn run_line(line: &str, stdin: &[u8], directory: &Path) -> Outcome {
    run_line_in(&[], line, stdin, directory)
}

/// The same with variables of the environment.
pub(crate) fn run_line_in(
    variables: &[(&str, &str)],
    line: &str,
    stdin: &[u8],
    directory: &Path,
) -> Outcome {
    let mut words = words_of(line);
    let mut input = stdin.to_vec();
    if words.len() > 2 && words[words.len() - 2] == "<" {
        let file = words.pop().expect("there are three words at least");
        words.pop();
        input = fs::read(directory.join(file)).expect("the input file is there");
    }
    let face = words.remove(0);
    let mut command = Command::new(env!("CARGO_BIN_EXE_profan"));
    if face != "profan" {
        command.arg(face);
    }
    command.args(words);
    run(command, variables, &input, directory)
}

fn run(
    mut command: Command,
    variables: &[(&str, &str)],
    stdin: &[u8],
    directory: &Path,
) -> Outcome {
    // A file, not a pipe: a program that does not read must not stop the test.
    let mut input = tempfile::tempfile().expect("a temporary file can be made");
    input.write_all(stdin).expect("a temporary file can be written");
    let input = reopened(input);
    command
        .current_dir(directory)
        .env("LC_ALL", "C")
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("GMON_OUT_PREFIX")
        .env_remove("PROFDIR")
        .env_remove("MPATROL_OPTIONS")
        .env_remove("LD_PROFILE_OUTPUT")
        .envs(variables.iter().copied())
        .stdin(Stdio::from(input));
    let output = command.output().expect("the program can be run");
    Outcome {
        stdout: output.stdout,
        stderr: output.stderr,
        status: output.status.code().unwrap_or(-1),
    }
}

fn reopened(mut file: File) -> File {
    use std::io::Seek;
    file.rewind().expect("a temporary file can be rewound");
    file
}

/// Splits at blanks; quotes keep them.
pub(crate) fn words_of(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in line.chars() {
        match (character, quote) {
            (c, Some(open)) if c == open => quote = None,
            (c, Some(_)) => word.get_or_insert_default().push(c),
            (c @ ('"' | '\''), None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (' ', None) => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}
