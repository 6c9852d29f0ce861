//! Recorded command lines: a file each, as the head of `tests/golden.rs` describes.

use std::fs;
use std::path::{Path, PathBuf};

use super::files_below;

/// A recorded command line, and its expected outcome.
pub(crate) struct Case {
    pub(crate) path: PathBuf,
    /// The directory of its inputs.
    pub(crate) directory: PathBuf,
    pub(crate) line: String,
    pub(crate) status: i32,
    pub(crate) mode: Mode,
    pub(crate) stdin: Option<Vec<u8>>,
    pub(crate) stderr: Option<Vec<u8>>,
    pub(crate) stdout: Option<Vec<u8>>,
}

/// How to compare.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Exact,
    LinesInOrder,
    Clean,
}

pub(crate) const MODES: [(&str, Mode); 2] =
    [("lines-in-order", Mode::LinesInOrder), ("clean", Mode::Clean)];

pub(crate) const UNFINISHED: &str = ", no final newline";

/// All recorded command lines below a directory, in order.
pub(crate) fn cases_below(directory: &Path) -> Vec<Case> {
    let files = files_below(directory).into_iter();
    let is_case = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "case");
    files.filter(is_case).map(Case::read).collect()
}

impl Case {
    pub(crate) fn read(path: PathBuf) -> Self {
        let bytes = fs::read(&path).expect("a case should be readable");
        let directory = path.ancestors().nth(3);
        let directory = directory.expect("expected/WHO is in a case").to_owned();
        let mut case = Self {
            path,
            directory,
            line: String::new(),
            status: 0,
            mode: Mode::Exact,
            stdin: None,
            stderr: None,
            stdout: None,
        };
        let sections = case.read_head(&bytes);
        case.read_sections(sections);
        case
    }

    /// Whether profan rewrites it.
    pub(crate) fn is_ours(&self) -> bool {
        self.is_of("profan")
    }

    /// Whether this program wrote it.
    pub(crate) fn is_of(&self, who: &str) -> bool {
        let directory = Path::new("expected").join(who);
        self.path.parent().is_some_and(|parent| parent.ends_with(directory))
    }

    /// Reads up to the first section, and returns the rest.
    fn read_head<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let mut rest = bytes;
        while !rest.is_empty() && !rest.starts_with(b"---") {
            let (line, behind) = first_line(rest);
            let line = str::from_utf8(line).expect("a command is text");
            if let Some(command) = line.strip_prefix("$ ") {
                command.clone_into(&mut self.line);
            } else if let Some(more) = line.strip_prefix("> ") {
                self.line.extend(["\n", more]);
            } else if let Some(status) = line.strip_prefix("status ") {
                self.status = status.parse().expect("an exit status is a number");
            } else if let Some(mode) = line.strip_prefix("mode ") {
                let known = MODES.iter().find(|(name, _)| *name == mode);
                self.mode = known.expect("there are two modes").1;
            } else {
                panic!("{}: `{line}` is in its head", self.path.display());
            }
            rest = behind;
        }
        rest
    }

    fn read_sections(&mut self, mut rest: &[u8]) {
        let n_dashes = rest.iter().take_while(|&&byte| byte == b'-').count();
        let fence = [&rest[..n_dashes], b" "].concat();
        while let Some(marked) = rest.strip_prefix(&*fence) {
            let (mark, behind) = first_line(marked);
            let mark = str::from_utf8(mark).expect("a mark is text");
            let name = mark.strip_suffix(UNFINISHED).unwrap_or(mark);
            let end = if name == "stdout" {
                behind.len()
            } else {
                start_of_line(behind, &fence).unwrap_or(behind.len())
            };
            let n_cut = usize::from(name != mark);
            let content = Some(behind[..end - n_cut].to_owned());
            match name {
                "stdin" => self.stdin = content,
                "stderr" => self.stderr = content,
                "stdout" => self.stdout = content,
                _ => panic!("{}: there is no section {name}", self.path.display()),
            }
            rest = &behind[end..];
        }
    }
}

/// A line without its end, and the bytes after it.
fn first_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (bytes, &[]),
    }
}

/// Where a line starts with `start`.
fn start_of_line(bytes: &[u8], start: &[u8]) -> Option<usize> {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let mut starts = [0].into_iter().chain(ends.map(|(end, _)| end + 1));
    starts.find(|&place| bytes[place..].starts_with(start))
}
