//! The name of a function or line.

use std::sync::Arc;

/// A function or line, as named by its profile or executable.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionName {
    pub name: Arc<[u8]>,
    pub file: Option<Arc<[u8]>>,
    /// The line that it denotes, or the first line of the function, which does not identify
    /// it.
    pub line: Option<u32>,
    /// Denotes a line.
    pub is_line: bool,
    /// For a line, its distance from the first line of the function with code, which does not
    /// change if the function moves. `None` if lines are matched by number.
    pub offset: Option<u32>,
    /// The program or library, if the profile has several.
    pub object: Option<Arc<[u8]>>,
    /// No other function of the program has this name.
    pub is_global: bool,
}
