//! Matches the functions of several profiles, even of different builds.
//!
//! A [`FunctionMatcher`] numbers functions, and finally matches the functions of both sides.
//! `docs/compare.md` describes the rules.

mod candidate;
mod clones;
mod function_matcher;
mod function_name;
mod in_time;
mod joined;
mod lambdas;
mod match_functions;
mod matched_function;
mod name_parts;
mod objects;
mod partition;
mod paths;
mod rename;
mod rules;
mod shown;
#[cfg(test)]
mod tests;

pub use clones::base as clone_base;
pub use function_matcher::FunctionMatcher;
pub use function_name::FunctionName;
pub use in_time::FileSpan;
pub use joined::{Joined, JoinedFunction};
pub use rename::{Rename, RenameError};
pub use rules::{JoinRule, JoinRules, WhichSide};
pub use shown::ShownNames;
