//! What tells a function from others.

use std::sync::Arc;

/// A function, or a line of one, as its profile or its executable names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionName {
    /// The name as the linker knows it.
    pub name: Arc<[u8]>,
    /// The source file, where it is known.
    pub file: Option<Arc<[u8]>>,
    /// The line: the one it is about, where it is about a line, or else that in which
    /// the function starts. Functions are the same wherever they start.
    pub line: Option<u32>,
    /// It stands for one line.
    pub is_line: bool,
    /// Of a line, how far it is below the first one of its function that has code: that is
    /// the same wherever the function starts. `None` where lines are the same by number.
    pub offset: Option<u32>,
    /// The program or library, where a profile is of several.
    pub object: Option<Arc<[u8]>>,
    /// It is known that no other function of the program has this name.
    pub is_global: bool,
}
