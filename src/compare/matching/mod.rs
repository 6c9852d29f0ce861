//! Functions of several profiles, each once, however differently builds name them.
//!
//! A [`FunctionMatcher`] numbers functions as they come, and says at the end which of both sides
//! are the same. `docs/difference.md` says by which rules.

mod clones;
mod gathering;
mod joined;
mod lambdas;
mod member;
mod name;
mod objects;
mod parts;
mod paths;
mod rename;
mod rules;
mod settle;
mod shown;
mod spelling;
#[cfg(test)]
mod tests;

pub use gathering::FunctionMatcher;
pub use joined::{Joined, JoinedFunction};
pub use name::FunctionName;
pub use rename::{Rename, RenameError};
pub use rules::{JoinRule, JoinRules, WhichSide};
pub use shown::ShownNames;
