//! Functions of several profiles, each once, however differently builds name them.
//!
//! A [`FunctionMatcher`] numbers functions as they come, and says at the end which of both sides
//! are the same. `docs/difference.md` says by which rules.

mod candidate;
mod clones;
mod function_matcher;
mod joined;
mod lambdas;
mod match_functions;
mod name_parts;
mod objects;
mod partition;
mod paths;
mod rename;
mod rules;
mod shown;
#[cfg(test)]
mod tests;

pub use function_matcher::FunctionMatcher;
pub use joined::{FunctionName, Joined, JoinedFunction};
pub use rename::{Rename, RenameError};
pub use rules::{JoinRule, JoinRules, WhichSide};
pub use shown::ShownNames;
