//! The files to mutate, their companions, and the command lines for both.

use std::fs;
use std::path::{Path, PathBuf};

use profan_fuzz::chance_bytes::Dice;
use profan_fuzz::pipeline::{NO_SCREEN, Nowhere, print_words, words_of};
use profan_fuzz::targets::report::LINES;

/// Files that are larger are passed over.
const MOST_BYTES: u64 = 1 << 20;

/// A file that is there to be mutated, or to go with one that is.
pub struct Fixture {
    pub path: PathBuf,
    pub kind: Kind,
}

/// How a file starts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Program,
    Heap,
    Trace,
    Mlton,
    /// Any other profile.
    Profile,
    /// Read only with other files, or never.
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
            _ if is_read(path) => Self::Profile,
            _ => Self::Other,
        }
    }
}

/// Whether a file is a profile by itself.
fn is_read(path: &Path) -> bool {
    let words = words_of("-p", &[path.to_owned()]);
    print_words(words, NO_SCREEN, &mut Nowhere::default())
}

/// The input files of each folder that has some, sorted by name. Excludes expected outputs.
pub fn groups(directories: &[PathBuf]) -> Vec<Vec<Fixture>> {
    let mut groups = Vec::new();
    let mut waiting = directories.to_vec();
    while let Some(directory) = waiting.pop() {
        let entries = fs::read_dir(&directory).expect("the folder can be read");
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
        if files.iter().any(|file| file.kind != Kind::Other) {
            groups.push(files);
        }
    }
    groups.sort_by(|one, other| one[0].path.cmp(&other[0].path));
    groups
}

/// The files of a case, the first of which is mutated: usually a profile with a program, if the
/// folder has both.
pub fn chosen<'a>(dice: &mut Dice, groups: &'a [Vec<Fixture>]) -> Vec<&'a Fixture> {
    let group = &groups[dice.below(groups.len())];
    let of = |is_wanted: fn(Kind) -> bool| -> Vec<&Fixture> {
        group.iter().filter(|file| is_wanted(file.kind)).collect()
    };
    let any = of(|_| true);
    let read = of(|kind| kind != Kind::Other);
    let from = match dice.below(8) == 0 {
        true => &any,
        false => &read,
    };
    let mut files = vec![from[dice.below(from.len())]];
    let other = match files[0].kind {
        Kind::Program => of(|kind| !matches!(kind, Kind::Program | Kind::Other)),
        _ => of(|kind| kind == Kind::Program),
    };
    // Fitting companions, and others.
    for (from, often) in [(other, 7), (any, 2)] {
        if let Some(other) = from.get(dice.below(from.len()))
            && files.iter().all(|file| file.path != other.path)
            && dice.below(8) < often
        {
            files.push(other);
        }
    }
    files
}

/// Five lines: three of the native mode, one that compares or inspects, and one of the originals,
/// usually with files of its own format.
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
