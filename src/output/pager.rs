//! The program that shows a long report one screen at a time.
//!
//! Its command line is split into words as a shell splits them, quotes and backslashes
//! included, and no shell is asked: nothing in a variable of the environment is run but
//! the program that it names.

use std::env;
use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

use super::ScreenSize;
use super::screen::is_dumb;
use crate::signals;

/// When a report goes through a pager. It never does but on a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PagerWhen {
    /// Where it is longer than the screen.
    #[default]
    Auto,
    /// Also where it is not.
    Always,
    /// Not at all.
    Never,
}

/// The pager where none is named.
const USUAL_PAGER: &str = "less";

/// The pager's command line: the program and its arguments. `None` where none is wanted.
pub fn pager_command() -> Option<Vec<String>> {
    let set = ["PROFAN_PAGER", "PAGER"].into_iter().find_map(env::var_os);
    let Some(line) = set else {
        // A terminal that cannot move its cursor has no screens.
        return (!is_dumb()).then(|| vec![USUAL_PAGER.to_owned()]);
    };
    let line = line.to_string_lossy();
    // Quotes that do not match leave one word, which the error then names.
    let words = shlex::split(&line).unwrap_or_else(|| vec![line.into_owned()]);
    (!words.is_empty()).then_some(words)
}

/// Writes to a terminal: through a pager, once there is more than fits on the screen.
#[derive(Debug)]
pub struct Paged {
    size: ScreenSize,
    command: Vec<String>,
    /// What is shown above the report if there is a pager.
    preface: Vec<u8>,
    state: PagerState,
}

#[derive(Debug)]
enum PagerState {
    /// It fits so far.
    Gathering(Vec<u8>),
    Paging {
        child: Child,
        stdin: ChildStdin,
    },
    /// There is no such pager.
    Plain(io::Error),
}

impl Paged {
    /// Waits with the pager for more than a screen of text, or not even for any.
    pub fn new(when: PagerWhen, command: Vec<String>, size: ScreenSize) -> Self {
        let lines = match when {
            PagerWhen::Always => 0,
            PagerWhen::Auto | PagerWhen::Never => size.lines,
        };
        Self {
            size: ScreenSize { lines, ..size },
            command,
            preface: Vec::new(),
            state: PagerState::Gathering(Vec::new()),
        }
    }

    /// Has the pager show this first.
    pub(super) fn preface(&mut self, text: &[u8]) {
        self.preface.extend_from_slice(text);
    }

    /// Waits for the end of the pager, or writes what did not need one.
    pub(super) fn finish(self) -> io::Result<()> {
        match self.state {
            PagerState::Gathering(text) => {
                let mut out = io::stdout().lock();
                out.write_all(&text)?;
                out.flush()
            }
            PagerState::Paging { mut child, stdin } => {
                drop(stdin);
                child.wait().map(|_| ())
            }
            PagerState::Plain(_) => io::stdout().flush(),
        }
    }

    /// Why there is no pager. That `less` is not there needs no word: nobody named it.
    pub(super) fn missing_pager(&self) -> Option<String> {
        let program = &self.command[0];
        match &self.state {
            PagerState::Plain(error) if program != USUAL_PAGER => {
                Some(format!("cannot run the pager `{program}`: {error}"))
            }
            _ => None,
        }
    }

    /// Whether this is more than the screen shows above the prompt that comes behind it.
    fn is_long(&self, text: &[u8]) -> bool {
        let lines = text.split_inclusive(|&byte| byte == b'\n');
        let columns = self.size.columns;
        let heights = lines.map(|line| n_seen(line).saturating_sub(1) / columns + 1);
        heights.sum::<usize>() >= self.size.lines
    }

    /// Starts the pager, or does without where that fails.
    fn start(&self) -> PagerState {
        let (program, arguments) = self.command.split_first().expect("it has a first word");
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped());
        for (name, value) in [("LESS", "FRX"), ("LV", "-c")] {
            if env::var_os(name).is_none() {
                command.env(name, value);
            }
        }
        match command.spawn() {
            Ok(mut child) => {
                // A terminal interrupts all programs that it waits for. The pager may go
                // on, and would share the terminal with a shell if this one ended.
                signals::hold();
                let stdin = child.stdin.take().expect("it was asked for");
                PagerState::Paging { child, stdin }
            }
            Err(error) => PagerState::Plain(error),
        }
    }
}

impl Write for Paged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let PagerState::Gathering(text) = &mut self.state {
            text.extend_from_slice(bytes);
            let text = std::mem::take(text);
            if !self.is_long(&text) {
                self.state = PagerState::Gathering(text);
                return Ok(bytes.len());
            }
            self.state = self.start();
            if let PagerState::Paging { stdin, .. } = &mut self.state {
                stdin.write_all(&self.preface)?;
            }
            self.write_all(&text)?;
            return Ok(bytes.len());
        }
        match &mut self.state {
            PagerState::Paging { stdin, .. } => stdin.write(bytes),
            _ => io::stdout().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.state {
            PagerState::Gathering(_) => Ok(()),
            PagerState::Paging { stdin, .. } => stdin.flush(),
            PagerState::Plain(_) => io::stdout().flush(),
        }
    }
}

/// How many characters of a line are seen: those of orders for colour are not.
fn n_seen(line: &[u8]) -> usize {
    let mut is_order = false;
    let is_seen = |&&byte: &&u8| {
        let was_order = is_order;
        is_order = byte == b'\x1b' || was_order && byte != b'm';
        // Bytes behind the first of a character start with the bits 10.
        !is_order && !was_order && byte & 0xc0 != 0x80 && byte != b'\n'
    };
    line.iter().filter(is_seen).count()
}
