//! Code of mapped files that a profile records by address alone.

use std::sync::Arc;

use super::{Address, FunctionId};

/// Functions without a name, and the files that contain them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnnamedCode {
    pub files: Vec<MappedFile>,
    pub functions: Vec<UnnamedFunction>,
}

/// A file in the memory of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappedFile {
    pub path: Arc<[u8]>,
    /// In hexadecimal; empty if not recorded.
    pub build_id: Arc<[u8]>,
    /// The address of the first byte; 0 if not recorded.
    pub start: u64,
    /// The place of this byte in the file.
    pub offset: u64,
}

/// A function that stands for one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnnamedFunction {
    pub function: FunctionId,
    /// Within the instruction that ran or called.
    pub address: Address,
    /// Index of its file.
    pub file: u32,
}
