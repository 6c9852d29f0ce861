//! Rules for matching functions of two sides.

use super::name_parts::renamed;
use super::{FunctionName, Rename};

/// A side of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WhichSide {
    Old,
    New,
}

/// The rules of a comparison.
#[derive(Clone, Debug, Default)]
pub struct JoinRules {
    /// Match only equal names in equal files.
    pub is_exact: bool,
    /// Renames, each applied to the result of those before it: to the demangled name, or if
    /// that does not match, to the mangled one. Clone suffixes are kept, and the Rust hash of
    /// a demangled name is removed.
    pub renames: Vec<Rename>,
}

impl JoinRules {
    /// The renames that match none of these names of the old side.
    pub fn unused_renames<'n>(
        &self,
        names: impl Iterator<Item = &'n FunctionName> + Clone,
    ) -> Vec<&Rename> {
        let renames = &self.renames;
        let is_unused = |&place: &usize| {
            let (before, with) = (&renames[..place], &renames[..=place]);
            let mut names = names.clone();
            !names.any(|one| renamed(&one.name, with) != renamed(&one.name, before))
        };
        let unused = (0..renames.len()).filter(is_unused);
        unused.map(|place| &renames[place]).collect()
    }
}

/// Why differently named functions match, most certain first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JoinRule {
    /// The files differ only in leading directories; the objects only in directories or
    /// versions, or each is the only unmatched one.
    Paths,
    /// The file or object is known on one side only.
    Places,
    /// The demangled names agree, the mangled ones do not: a static function became global,
    /// or a class has several variants of a constructor.
    Linkage,
    /// The names differ in Rust's hashes of crates and versions.
    Hashes,
    /// The names differ in clone suffixes.
    Clones,
    /// The names differ in numbers of lambdas and closures.
    Lambdas,
    /// The files differ, and the name is unique in both programs.
    Moved,
    /// A `--rename` rule.
    Renamed,
}

impl JoinRule {
    /// The difference, for "joined though they differ in ...".
    pub fn words(self) -> &'static str {
        match self {
            Self::Paths => "build path",
            Self::Places => "known file",
            Self::Linkage => "linkage",
            Self::Hashes => "Rust hash",
            Self::Clones => "clone suffix",
            Self::Lambdas => "lambda number",
            Self::Moved => "file",
            Self::Renamed => "name",
        }
    }
}
