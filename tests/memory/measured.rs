//! The time and memory of a command: it runs in this process, whose memory is counted.

use std::ffi::OsString;
use std::io::{self, Write};
use std::time::Duration;

use profan::cli::{self, Command};
use profan::output::{FileContents, Sink};
use profan::run::{Outcome, Terminal, run};

use crate::held;

/// The usage of a command.
#[derive(Debug)]
pub(crate) struct Taken {
    /// The maximum memory in addition to the memory in use before, in bytes.
    pub(crate) memory: u64,
    /// As in [`held::Taken`].
    pub(crate) time: Duration,
    /// Bytes that it printed.
    pub(crate) n_printed: u64,
    /// Codes and causes of warnings, or the error.
    pub(crate) said: String,
}

/// Counts printed bytes.
struct Nowhere(u64);

impl Write for Nowhere {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for Nowhere {
    fn write_file(&mut self, _name: &str, contents: &FileContents<'_>) -> io::Result<()> {
        contents(self)
    }
}

/// Understands a command line.
pub(crate) fn parse(words: &[&str]) -> Command {
    let command = cli::parse(words.iter().map(OsString::from));
    command.unwrap_or_else(|_| panic!("{words:?} should be understood"))
}

/// Runs a command.
pub(crate) fn measure(command: &Command) -> Taken {
    let terminal = Terminal::default();
    let mut text = Nowhere(0);
    let (outcome, taken) = held::measure(|| match command {
        Command::Report(plan) => run(plan, terminal, &mut text, &mut |_| ()),
        Command::Original(_, command) => {
            let warnings = command.run(&mut text, &mut Vec::new());
            warnings.map(Outcome::of)
        }
        // The others print fixed text, or need a terminal.
        Command::Show(_) | Command::Browse(..) => Ok(Outcome::default()),
    });
    Taken {
        memory: taken.memory,
        time: taken.time,
        n_printed: text.0,
        said: match outcome {
            Ok(outcome) => {
                let said =
                    outcome.warnings.iter().map(|one| format!("{}: {}\n", one.code(), one.cause()));
                said.collect()
            }
            Err(error) => format!("{error:#}"),
        },
    }
}
