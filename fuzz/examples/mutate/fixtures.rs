//! The files that are mutated, those that go with them, and the lines for both.

use std::fs;
use std::path::{Path, PathBuf};

use profan_fuzz::chance_bytes::Dice;
use profan_fuzz::targets::report::LINES;

/// Files that are larger are passed over.
const MOST_BYTES: u64 = 1 << 20;

/// A file that is there to be mutated, or to go with one that is.
pub struct Fixture {
    pub path: PathBuf,
    pub kind: Kind,
}

/// What a file starts as.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Program,
    Heap,
    Trace,
    Mlton,
    Other,
}

impl Kind {
    fn of(path: &Path) -> Self {
        let bytes = fs::read(path).unwrap_or_default();
        match &*bytes {
            [0x7f, b'E', b'L', b'F', ..] => Self::Program,
            [b'M', b'P', b'T', b'L', ..] => Self::Heap,
            [b'M', b'T', b'R', b'C', ..] => Self::Trace,
            _ if bytes.starts_with(b"MLton prof") => Self::Mlton,
            _ => Self::Other,
        }
    }
}

/// The files of each folder, in the order of their names. Expectations and sources are not
/// what is read.
pub fn groups(folders: &[PathBuf]) -> Vec<Vec<Fixture>> {
    let mut groups = Vec::new();
    let mut waiting = folders.to_vec();
    while let Some(folder) = waiting.pop() {
        let entries = fs::read_dir(&folder).expect("the folder can be read");
        let mut paths: Vec<_> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        paths.sort();
        let mut files = Vec::new();
        for path in paths {
            if path.is_dir() && path.file_name().is_none_or(|name| name != "expected") {
                waiting.push(path);
            } else if fs::metadata(&path)
                .is_ok_and(|data| data.is_file() && data.len() <= MOST_BYTES)
            {
                let kind = Kind::of(&path);
                files.push(Fixture { path, kind });
            }
        }
        if !files.is_empty() {
            groups.push(files);
        }
    }
    groups.sort_by(|one, other| one[0].path.cmp(&other[0].path));
    groups
}

/// The files of a case, the first of which is mutated: with a profile there is a program,
/// where the folder has one.
pub fn chosen<'a>(dice: &mut Dice, groups: &'a [Vec<Fixture>]) -> Vec<&'a Fixture> {
    let group = &groups[dice.below(groups.len())];
    let first = &group[dice.below(group.len())];
    let goes_with = |file: &&Fixture| (file.kind == Kind::Program) != (first.kind == Kind::Program);
    let others: Vec<_> = group.iter().filter(goes_with).collect();
    let mut files = vec![first];
    for from in [others, group.iter().collect()] {
        if let Some(other) = from.get(dice.below(from.len()))
            && files.iter().all(|file| file.path != other.path)
            && dice.below(8) > 0
        {
            files.push(other);
        }
    }
    files
}

/// Five lines: three of the own face, one that compares or examines, and one of the
/// originals, which are asked for files of theirs as a rule.
pub fn lines_for(dice: &mut Dice, files: &[&Fixture]) -> Vec<&'static str> {
    let face = |line: &str| match line.split(' ').next() {
        Some("diff" | "doctor") => 1,
        Some("gprof" | "mprof" | "mptrace" | "mlprof") => 2,
        _ => 0,
    };
    let of_face = |wanted: usize| -> Vec<&'static str> {
        let lines = LINES.iter().copied();
        lines.filter(|line| face(line) == wanted).collect()
    };
    let own = of_face(0);
    let start = dice.below(own.len());
    let third = own.len() / 3;
    let mut lines: Vec<_> = (0..3)
        .map(|index| own[(start + index * third) % own.len()])
        .collect();
    let others = of_face(1);
    lines.push(others[dice.below(others.len())]);
    let originals = of_face(2);
    let suiting: Vec<_> = originals
        .iter()
        .filter(|line| files.iter().any(|file| suits(line, file.kind)))
        .copied()
        .collect();
    let from = match suiting.is_empty() || dice.below(8) == 0 {
        true => &originals,
        false => &suiting,
    };
    lines.push(from[dice.below(from.len())]);
    lines
}

/// Whether a line of an original is about files of that kind.
fn suits(line: &str, kind: Kind) -> bool {
    let face = line.split(' ').next().unwrap_or_default();
    matches!(
        (face, kind),
        ("gprof", Kind::Program)
            | ("mprof", Kind::Heap)
            | ("mptrace", Kind::Trace)
            | ("mlprof", Kind::Mlton)
    )
}
