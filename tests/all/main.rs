//! All tests but the recorded command lines, in one program: it is linked once.
//!
//! A file of tests stands beside this one and has its line below.

mod memory;
#[path = "../support/mod.rs"]
mod support;
mod tables;

mod callgrind;
mod costs;
mod coverage;
mod diagnoses;
mod inlines;
mod jq;
mod manners;
mod mlton;
mod mprof_damage;
mod prefixes;
mod properties;
mod readme;
mod report;
mod tidy;
mod totals;
mod trace;
