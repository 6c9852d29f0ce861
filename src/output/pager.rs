//! Runs a pager for long reports.
//!
//! Its command line is split into words as a shell does, with quotes and backslashes, but
//! without a shell: a variable of the environment can run only the program that it names.

use std::env;
use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

use super::ScreenSize;
use super::screen::is_dumb;
use crate::signals;

/// When to use a pager. Only terminals have one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PagerWhen {
    /// If the report is longer than the screen.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The default pager.
const USUAL_PAGER: &str = "less";

/// Program and arguments of the pager; `None` if the environment turns it off.
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

/// Writes to a terminal, and starts the pager when the text exceeds the screen.
#[derive(Debug)]
pub struct Paged {
    size: ScreenSize,
    command: Vec<String>,
    /// Shown above the report in the pager.
    preface: Vec<u8>,
    state: PagerState,
}

#[derive(Debug)]
enum PagerState {
    /// The text so far, which fits the screen.
    Gathering(Vec<u8>),
    Paging {
        child: Child,
        stdin: ChildStdin,
    },
    /// The pager could not be started.
    Plain(io::Error),
}

impl Paged {
    /// Starts the pager when the text exceeds the screen, or at once for
    /// [`PagerWhen::Always`].
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

    /// Sets the text above the report.
    pub(super) fn preface(&mut self, text: &[u8]) {
        self.preface.extend_from_slice(text);
    }

    /// Waits until the pager ends, or writes the text that did not need it.
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

    /// Why no pager was started. `None` if the default pager does not exist, since the user did
    /// not request it.
    pub(super) fn missing_pager(&self) -> Option<String> {
        let program = &self.command[0];
        match &self.state {
            PagerState::Plain(error) if program != USUAL_PAGER => {
                Some(format!("cannot run the pager `{program}`: {error}"))
            }
            _ => None,
        }
    }

    /// Returns whether the text exceeds the screen, without the line of the prompt that
    /// follows it.
    fn is_long(&self, text: &[u8]) -> bool {
        let lines = text.split_inclusive(|&byte| byte == b'\n');
        let columns = self.size.columns;
        let heights = lines.map(|line| n_seen(line).saturating_sub(1) / columns + 1);
        heights.sum::<usize>() >= self.size.lines
    }

    /// Starts the pager; writes directly if that fails.
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

/// Number of visible characters in a line, without colour sequences.
fn n_seen(line: &[u8]) -> usize {
    let mut is_order = false;
    let is_seen = |&&byte: &&u8| {
        let was_order = is_order;
        is_order = byte == b'\x1b' || was_order && byte != b'm';
        // The bytes of a character after its first start with the bits 10.
        !is_order && !was_order && byte & 0xc0 != 0x80 && byte != b'\n'
    };
    line.iter().filter(is_seen).count()
}
