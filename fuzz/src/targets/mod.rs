//! The targets. Each is a function of any bytes that panics where something is wrong.

mod any_profile;
mod callgrind;
mod check;
mod compared;
mod compressed;
mod elf;
mod folded;
mod gmon;
mod hexdump;
mod invariants;
mod keep;
mod kept_report;
mod mlton;
mod mpatrol;
mod names;
mod options;
mod perf_script;
mod program;
mod recorded;
pub mod report;
mod side_files;
mod sprof;
mod symspecs;

pub use any_profile::any_profile;
pub use callgrind::callgrind;
pub use compared::{diff, verdict};
pub use compressed::compressed;
pub use elf::elf;
pub use folded::folded;
pub use gmon::gmon;
pub use hexdump::hexdump;
pub use invariants::invariants;
pub use keep::keep;
pub use kept_report::kept_report;
pub use mlton::mlton;
pub use mpatrol::{mpatrol, trace};
pub use names::names;
pub use options::options;
pub use perf_script::perf_script;
pub use program::program;
pub use recorded::{dhat, gprof_text, massif, pprof};
pub use report::{made_report, report};
pub use side_files::side_files;
pub use sprof::sprof;
pub use symspecs::symspecs;

/// A target by its name.
pub type Target = (&'static str, fn(&[u8]));

/// All targets, in the order in which they are run.
pub const TARGETS: &[Target] = &[
    ("any_profile", any_profile),
    ("callgrind", callgrind),
    ("dhat", dhat),
    ("diff", diff),
    ("elf", elf),
    ("folded", folded),
    ("gmon", gmon),
    ("gprof_text", gprof_text),
    ("hexdump", hexdump),
    ("invariants", invariants),
    ("keep", keep),
    ("kept_report", kept_report),
    ("made_report", made_report),
    ("massif", massif),
    ("mlton", mlton),
    ("mpatrol", mpatrol),
    ("names", names),
    ("options", options),
    ("packed", compressed),
    ("perf_script", perf_script),
    ("pprof", pprof),
    ("program", program),
    ("report", report),
    ("side_files", side_files),
    ("sprof", sprof),
    ("symspecs", symspecs),
    ("trace", trace),
    ("verdict", verdict),
];
