//! Command lines in this process, on files in a directory that is reused.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use profan::cli::{self, Command};
use profan::output::Sink;
use profan::run::{Terminal, run};
use tempfile::TempDir;

thread_local! {
    static DIRECTORY: TempDir = tempfile::tempdir().expect("a temporary folder can be made");
}

/// The result of a command line.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    /// Its output.
    pub text: Vec<u8>,
    /// It did not fail.
    pub is_ok: bool,
}

/// Counts output bytes, and discards them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nowhere(pub u64);

impl Write for Nowhere {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for Nowhere {}

/// The path of a file in the directory of this thread, existing or not.
pub fn path_of(name: &str) -> PathBuf {
    DIRECTORY.with(|directory| directory.path().join(name))
}

/// Writes bytes to a file of that name, which is not executable, and returns its path.
pub fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = path_of(name);
    fs::write(&path, bytes).expect("the folder is writable");
    path
}

/// A terminal that shows everything that one can show.
pub const SCREEN: Terminal =
    Terminal { escapes_controls: true, has_color: true, columns: Some(40) };

/// No terminal.
pub const NO_SCREEN: Terminal =
    Terminal { escapes_controls: false, has_color: false, columns: None };

/// Runs the words of a line after `profan`, then files. Lines that only show a text do nothing.
pub fn run_line(line: &str, files: &[PathBuf], terminal: Terminal) -> Ran {
    run_words(words_of(line, files), terminal)
}

/// Runs a line, the name of the program first.
pub fn run_words(words: impl IntoIterator<Item = OsString>, terminal: Terminal) -> Ran {
    let mut text = Vec::new();
    let is_ok = print_words(words, terminal, &mut text);
    Ran { text, is_ok }
}

/// The words of a line after `profan`, then files.
pub fn words_of(line: &str, files: &[PathBuf]) -> Vec<OsString> {
    let words = ["profan"].into_iter().chain(line.split_ascii_whitespace());
    let files = files.iter().map(OsString::from);
    words.map(OsString::from).chain(files).collect()
}

/// Runs a line and discards its output. Returns whether it succeeded.
pub fn print_words(
    words: impl IntoIterator<Item = OsString>,
    terminal: Terminal,
    text: &mut dyn Sink,
) -> bool {
    match cli::parse(words) {
        Err(error) => {
            drop(error.error.to_string());
            false
        }
        Ok(Command::Show(_)) => true,
        Ok(command) => perform(&command, terminal, text),
    }
}

fn perform(command: &Command, terminal: Terminal, text: &mut dyn Sink) -> bool {
    let said = match command {
        // A full screen needs a terminal.
        Command::Show(_) | Command::Browse(..) => Ok(()),
        Command::Report(plan) => run(plan, terminal, text, &mut |_| {}).map(drop),
        Command::Original(_, command) => command.run(text, &mut Nowhere::default()).map(drop),
    };
    // A message is made of bytes of files, too.
    said.map_err(|error| drop(format!("{error:#}"))).is_ok()
}
