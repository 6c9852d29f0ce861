//! All tests but the recorded command lines, in one program: it is linked once.
//!
//! Each file of tests has its line below. `tests/README.md` lists the kinds of tests.

mod dice;
mod inputs;
#[cfg(all(unix, target_endian = "little"))]
#[path = "../../benches/versus/made/mod.rs"]
mod made;
mod made_tables;
mod memory;
#[path = "../support/schema.rs"]
mod schema;
#[path = "../difference/simulation.rs"]
mod simulation;
mod sources;
#[path = "../support/mod.rs"]
mod support;
mod tables;

mod browsing;
mod callgrind;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod ci_scripts;
mod circles;
mod compare;
mod compare_random;
mod costs;
mod coverage;
mod diagnoses;
mod difference;
mod doctor;
mod escaping;
mod exports;
mod filters;
mod folded;
mod gprof_text;
mod hexdumps;
mod inlines;
mod jq;
mod labels;
mod ld_profile;
mod manners;
mod many_runs;
mod matrix;
mod memory_limit;
mod mlprof;
mod mlton;
mod modules;
mod mprof_damage;
mod names;
mod order;
mod originals;
mod pages;
mod perf_script;
mod picture;
mod pipes;
mod pprof;
mod prefixes;
mod printed_names;
mod progress;
mod properties;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod raise_rate;
mod readme;
mod recognition;
mod report;
mod same_rows;
mod samples;
mod seeds;
mod shared_names;
mod source_lines;
mod special_files;
mod terminal;
#[cfg(all(unix, target_endian = "little"))]
mod threads;
mod tidy;
mod totals;
mod trace;
mod tree;
mod trend;
mod typing;
mod uncertainty;
mod unfinished;
mod valgrind;
mod value_sources;
mod weight;
mod wholes;
mod widths;
