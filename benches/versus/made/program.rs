//! Programs in C, compiled with line tables by the compiler of the machine.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Error};
use std::ops::Range;
use std::path::Path;
use std::process::Command;

use object::{Object, ObjectSymbol, SymbolKind};

use super::random::Random;

const WORDS: [&str; 12] = [
    "read", "write", "parse", "emit", "fold", "node", "tree", "hash", "list", "type", "scan",
    "visit",
];

/// Functions to a unit.
const UNIT: usize = 500;

/// Makes `prog` of functions of a few lines, a third of them static.
pub(super) fn of_small_functions(
    directory: &Path,
    n_functions: usize,
) -> io::Result<Vec<Range<u64>>> {
    let mut random = Random::new(1);
    let mut units = Vec::new();
    for first in (0..n_functions).step_by(UNIT) {
        let numbers = first..n_functions.min(first + UNIT);
        let unit = format!("part{:03}", units.len());
        let lines = |random: &mut Random| 2 + random.below(5);
        write_unit(&directory.join(&unit), numbers, &mut random, lines)?;
        units.push(unit);
    }
    build(directory, &units)
}

/// Makes `prog` of functions of some forty lines, all in one unit.
pub(super) fn of_one_unit(directory: &Path, n_functions: usize) -> io::Result<Vec<Range<u64>>> {
    let mut random = Random::new(1);
    let lines = |random: &mut Random| 20 + random.below(40);
    write_unit(&directory.join("unit"), 0..n_functions, &mut random, lines)?;
    build(directory, &["unit".to_owned()])
}

fn write_unit(
    path: &Path,
    numbers: Range<usize>,
    random: &mut Random,
    n_lines: impl Fn(&mut Random) -> u64,
) -> io::Result<()> {
    let mut text = "extern volatile unsigned sink;\n".to_owned();
    for number in numbers {
        let storage = match number % 3 {
            0 => "static __attribute__((used)) ",
            _ => "",
        };
        let (one, two) = (WORDS[number % 12], WORDS[number / 12 % 12]);
        let _ = writeln!(text, "{storage}unsigned {one}_{two}_{number:05}(unsigned n)\n{{");
        for line in 0..n_lines(random) {
            let _ = match line % 2 {
                0 => writeln!(text, "    if (n & {}u) sink += n;", 2u64 << random.below(15)),
                _ => writeln!(text, "    n = n * {}u + sink;", 3 + random.below(9999)),
            };
        }
        text += "    return n;\n}\n\n";
    }
    fs::write(path.with_extension("c"), text)
}

/// Compiles the units, and returns where the functions are.
fn build(directory: &Path, units: &[String]) -> io::Result<Vec<Range<u64>>> {
    let main = "volatile unsigned sink;\nint main(void) { return (int)sink; }\n";
    fs::write(directory.join("main.c"), main)?;
    let mut objects = vec!["main.c".to_owned()];
    for unit in units {
        let object = format!("{unit}.o");
        compile(directory, &["-g", "-O1", "-c", &format!("{unit}.c"), "-o", &object])?;
        objects.push(object);
    }
    let mut words = vec!["-g", "-no-pie", "-o", "prog"];
    words.extend(objects.iter().map(String::as_str));
    compile(directory, &words)?;
    for unit in units {
        fs::remove_file(directory.join(format!("{unit}.o")))?;
    }
    let bytes = fs::read(directory.join("prog"))?;
    functions(&bytes).map_err(Error::other)
}

fn compile(directory: &Path, words: &[&str]) -> io::Result<()> {
    let status = Command::new("cc").args(words).current_dir(directory).status()?;
    if status.success() { Ok(()) } else { Err(Error::other(format!("cc {words:?}: {status}"))) }
}

/// The addresses of the written functions.
fn functions(bytes: &[u8]) -> object::Result<Vec<Range<u64>>> {
    let program = object::File::parse(bytes)?;
    let written = program.symbols().filter(|symbol| {
        let is_ours = |name: &str| WORDS.iter().any(|word| name.starts_with(&format!("{word}_")));
        symbol.kind() == SymbolKind::Text && symbol.name().is_ok_and(is_ours)
    });
    let mut found: Vec<_> =
        written.map(|symbol| symbol.address()..symbol.address() + symbol.size().max(1)).collect();
    found.sort_by_key(|range| range.start);
    Ok(found)
}
