//! When functions of two sides are the same.

use super::name_parts::renamed;
use super::{FunctionName, Rename};

/// One of the two sides of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WhichSide {
    Old,
    New,
}

/// How functions of both sides are joined.
#[derive(Clone, Debug, Default)]
pub struct JoinRules {
    /// Only names that are equal, of files that are equal, are the same function.
    pub is_exact: bool,
    /// What functions of the old side are called on the new one. Each is applied to what
    /// those before it left of a name: to the name as its language spells it, or where it
    /// does not fit that, to the name as the linker knows it, both without the suffixes
    /// of clones, which stay, and the former without the hash of Rust.
    pub renames: Vec<Rename>,
}

impl JoinRules {
    /// The renamings that fit none of these names of the old side. Costs the names for
    /// each.
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

/// Why functions that are not named alike are taken to be the same. The further down,
/// the less sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JoinRule {
    /// Their files are the same but for folders in front, or their programs or libraries
    /// but for folders and versions, or but for the name of the only one that differs.
    Paths,
    /// Of which file, program or library they are is known on one side only.
    Places,
    /// Their language spells them alike, and linkers do not: a static function became
    /// global, or a class has several of the same constructor.
    Linkage,
    /// They differ in what Rust puts into names to tell crates and versions apart.
    Hashes,
    /// They differ in what compilers put behind names of functions made of others.
    Clones,
    /// They differ in numbers of lambdas and closures.
    Lambdas,
    /// They are in different files, and no other function of either program has the name.
    Moved,
    /// It was said that one was renamed to the other.
    Renamed,
}

impl JoinRule {
    /// What they differ in, as in "joined though they differ in ...".
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
