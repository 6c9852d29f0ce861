//! Number of records in a file.

/// Kinds of records in gmon files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// Ticks by address.
    Histogram,
    /// Calls from one place to one function.
    Arc,
    Blocks,
}

/// Number of records of each kind, as stored: duplicates count each time.
///
/// A kind can be *seen* without a record: every BSD file has places for a histogram and for
/// arcs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordCounts {
    /// Histogram records; 1 for a BSD file with bins.
    pub n_histograms: u64,
    pub n_arcs: u64,
    /// Basic-block records, each with any number of blocks.
    pub n_blocks: u64,
    /// The file has a place for histograms.
    pub has_histogram: bool,
    /// The file has a place for arcs.
    pub has_arcs: bool,
    /// The file has a place for basic-block counts.
    pub has_blocks: bool,
}

impl RecordCounts {
    pub fn count(&mut self, kind: RecordKind, n_found: u64) {
        let (n_records, is_seen) = match kind {
            RecordKind::Histogram => (&mut self.n_histograms, &mut self.has_histogram),
            RecordKind::Arc => (&mut self.n_arcs, &mut self.has_arcs),
            RecordKind::Blocks => (&mut self.n_blocks, &mut self.has_blocks),
        };
        *n_records += n_found;
        *is_seen |= n_found > 0;
    }

    pub(super) fn add(&mut self, other: Self) {
        self.n_histograms += other.n_histograms;
        self.n_arcs += other.n_arcs;
        self.n_blocks += other.n_blocks;
        self.has_histogram |= other.has_histogram;
        self.has_arcs |= other.has_arcs;
        self.has_blocks |= other.has_blocks;
    }
}
