//! Many files side by side: what each function costs in them, at least, at most and as a
//! rule; which files are unlike the others; and what each function costs in each.
//!
//! Files come one after another, as [`FileCosts`], in an order that is theirs and not that
//! of a command line, so that sums of fractions are the same however files are given.
//! What is kept of them is a few numbers for each function ([`Spreads`]) and a line for
//! each file. How far a file is from the typical one can be told only when that is known,
//! so that needs a second look at every file ([`Typical`]).

mod costs;
mod distribution;
mod files;
mod measure;
mod median;
mod numbering;
mod rows;
mod section;
mod spreads;
mod typical;

pub use costs::{FileCosts, FileRow};
pub use distribution::Summary;
pub use files::{FileLine, files_section};
pub use measure::{Measure, Unlike};
pub use numbering::Numbering;
pub use rows::{ByFile, CostsOfFiles, by_file_section};
pub use section::spread_section;
pub use spreads::Spreads;
pub use typical::{Typical, fence_of};

use std::sync::Arc;

use crate::report::Cell;

/// What a file, or a group of files that count as one, is called.
#[derive(Clone, Debug, PartialEq)]
pub struct FileLabel {
    /// Its path, or what the paths of its group have in common.
    pub name: Arc<[u8]>,
    /// Its rank, a number or text; absent where files have none.
    pub rank: Cell,
    /// How many files it is.
    pub n_files: u32,
}

impl FileLabel {
    /// The cell by which people know it: the rank, where it has one.
    fn short(&self) -> Cell {
        match &self.rank {
            Cell::Absent => Cell::Text(Arc::clone(&self.name)),
            rank => rank.clone(),
        }
    }
}

/// What a row is about that is in no function.
const NO_FUNCTION: &str = "<no function>";
