//! Inputs of any size, the same bytes each time for the same compiler.

mod callgrind;
mod gmon;
mod mlton;
mod mpatrol;
mod program;
mod random;
mod stacks;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A kind of input; each variant describes its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A program of that many small functions, 500 to a unit, `gmon.out`, and
    /// `tangled.gmon`, whose calls are nearly all in one cycle.
    Calls,
    /// That many profiles of a program of 2000 functions, and `names`, a list of them.
    Sums,
    /// A program whose functions, that many, are all in one unit of long lines of code.
    Unit,
    /// `heap`, an allocation profile of that many call sites.
    Heap,
    /// `trace`, an allocation trace of that many events.
    Trace,
    /// `table` and `mlmon.out`, of that many functions of Standard ML.
    Names,
    /// `script`, text of perf of that many samples.
    Script,
    /// `script` with addresses that differ in each sample.
    Recording,
    /// `folded`, of that many different stacks.
    Folded,
    /// `pprof`, of that many different stacks.
    Pprof,
    /// `callgrind.out`, of that many functions.
    Callgrind,
    /// `dhat.json`, of that many stacks.
    Dhat,
    /// `massif.out`, of that many frames.
    Massif,
    /// `gprof.txt`, of that many functions.
    GprofText,
    /// `xdebug.out`, of that many calls.
    Xdebug,
}

impl Kind {
    /// The directory with the inputs of that size; creates missing ones.
    ///
    /// # Errors
    /// When a file cannot be written, or a program not be compiled.
    pub(crate) fn directory(self, below: &Path, size: usize) -> io::Result<PathBuf> {
        let directory = below.join(format!("{self:?}-{size}").to_lowercase());
        if directory.exists() {
            return Ok(directory);
        }
        // An unfinished input must not look whole.
        let unfinished = directory.with_extension("unfinished");
        if unfinished.exists() {
            fs::remove_dir_all(&unfinished)?;
        }
        fs::create_dir_all(&unfinished)?;
        self.make(&unfinished, size)?;
        fs::rename(&unfinished, &directory)?;
        Ok(directory)
    }

    /// Makes the inputs of that size in a directory.
    ///
    /// # Errors
    /// When a file cannot be written, or a program not be compiled.
    pub(crate) fn make(self, directory: &Path, size: usize) -> io::Result<()> {
        match self {
            Self::Calls => {
                let functions = program::of_small_functions(directory, size)?;
                fs::write(directory.join("gmon.out"), gmon::calls(&functions, 1, 2))?;
                fs::write(directory.join("tangled.gmon"), gmon::calls(&functions, 1, 50))
            }
            Self::Sums => {
                let functions = program::of_small_functions(directory, 2000)?;
                let mut names = String::new();
                for number in 0..size {
                    let name = format!("gmon.{number:05}");
                    let seed = 2 + number as u64;
                    fs::write(directory.join(&name), gmon::calls(&functions, seed, 2))?;
                    names += &format!("{name}\n");
                }
                fs::write(directory.join("names"), names)
            }
            Self::Unit => {
                let functions = program::of_one_unit(directory, size)?;
                fs::write(directory.join("gmon.out"), gmon::calls(&functions, 1, 2))
            }
            Self::Heap => fs::write(directory.join("heap"), mpatrol::profile(size)),
            Self::Trace => fs::write(directory.join("trace"), mpatrol::trace(size)),
            Self::Names => {
                let (table, profile) = mlton::table_and_profile(size);
                fs::write(directory.join("table"), table)?;
                fs::write(directory.join("mlmon.out"), profile)
            }
            Self::Script => stacks::perf_script(&directory.join("script"), size, false),
            Self::Recording => stacks::perf_script(&directory.join("script"), size, true),
            Self::Folded => stacks::folded(&directory.join("folded"), size),
            Self::Pprof => stacks::pprof(&directory.join("pprof"), size),
            Self::Callgrind => callgrind::callgrind(&directory.join("callgrind.out"), size),
            Self::Dhat => stacks::dhat(&directory.join("dhat.json"), size),
            Self::Massif => stacks::massif(&directory.join("massif.out"), size),
            Self::GprofText => callgrind::gprof_text(&directory.join("gprof.txt"), size),
            Self::Xdebug => callgrind::xdebug(&directory.join("xdebug.out"), size),
        }
    }
}
