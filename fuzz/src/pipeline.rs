//! Command lines in this process, over files in a folder that is used again and again.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use profan::cli::{self, Command};
use profan::run::{Terminal, compare, examine, run};
use tempfile::TempDir;

thread_local! {
    static FOLDER: TempDir = tempfile::tempdir().expect("a temporary folder can be made");
}

/// What came of a command line.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    /// What it printed.
    pub text: Vec<u8>,
    /// It did not fail.
    pub is_ok: bool,
}

/// The path of a file in the folder of this thread, whether it is there or not.
pub fn path_of(name: &str) -> PathBuf {
    FOLDER.with(|folder| folder.path().join(name))
}

/// Puts bytes into a file of that name, which nobody can execute, and returns its path.
pub fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = path_of(name);
    fs::write(&path, bytes).expect("the folder is writable");
    path
}

/// A terminal that shows everything that one can show.
pub const SCREEN: Terminal = Terminal {
    escapes_controls: true,
    has_color: true,
    columns: Some(40),
    spells_sizes: true,
};

/// No terminal.
pub const NO_SCREEN: Terminal = Terminal {
    escapes_controls: false,
    has_color: false,
    columns: None,
    spells_sizes: false,
};

/// Runs a line of words behind `profan`, then files. What only shows a text does nothing.
pub fn run_line(line: &str, files: &[PathBuf], terminal: Terminal) -> Ran {
    let words = ["profan"].into_iter().chain(line.split_ascii_whitespace());
    let files = files.iter().map(OsString::from);
    run_words(words.map(OsString::from).chain(files), terminal)
}

/// Runs a line, the name of the program first.
pub fn run_words(words: impl IntoIterator<Item = OsString>, terminal: Terminal) -> Ran {
    let mut text = Vec::new();
    let is_ok = match cli::parse(words) {
        Err(error) => {
            drop(error.error.to_string());
            false
        }
        Ok(Command::Show(_) | Command::CompleteFiles(_)) => true,
        Ok(command) => perform(&command, terminal, &mut text),
    };
    Ran { text, is_ok }
}

fn perform(command: &Command, terminal: Terminal, text: &mut Vec<u8>) -> bool {
    let said = match command {
        Command::Show(_) | Command::CompleteFiles(_) => Ok(()),
        Command::Report(plan) => run(plan, terminal, text, &mut |_| {}).map(drop),
        Command::Compare(plan, comparison) => {
            compare(plan, comparison, terminal, text, &mut |_| {}).map(drop)
        }
        Command::Examine(plan) => examine(plan, terminal, text).map(drop),
        Command::Original(_, command) => command.run(text, &mut Vec::new()).map(drop),
    };
    // A message is made of bytes of files, too.
    said.map_err(|error| drop(format!("{error:#}"))).is_ok()
}
