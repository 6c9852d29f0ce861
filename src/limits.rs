//! What an input may have at most, whatever memory there is: one place for limits with the same
//! meaning. Those that depend on memory are in `memory`.

/// The deepest nesting: of types in names, of inlined functions, of callers in a tree.
pub const DEEPEST: usize = 256;

/// The most kinds of values of a file: events, sample types, detailed snapshots, labels.
pub const MOST_VALUES: usize = 32;

/// The most frames of a stack.
pub const MOST_FRAMES: usize = 1 << 16;

/// The most rows, frames or calls that a report lists. They take a hundred megabytes.
pub const MOST_LISTED: usize = 1 << 20;

/// The most calls that a shorter text may stand for: ranges to ranges, and shared lists of callees.
pub const MOST_CALLS: usize = 1 << 22;

/// The most steps of an exact answer, before a simpler one is taken: a quarter of a second.
pub const MOST_STEPS: usize = 1 << 26;

/// The longest line, or list of names or arguments, in bytes.
pub const LONGEST_TEXT: usize = 16 << 20;

/// The longest name of a function or path of a file in bytes. A name may be in every row.
pub const LONGEST_NAME: usize = 4096;

/// Names up to this size are never cut to fit.
pub const SHORT_NAME: usize = 1000;

/// The longest name that is compared with known ones.
pub const KNOWN_NAME: usize = 256;
