//! Functions of several profiles, each once, however differently builds name them.

mod name;

pub use name::FunctionName;
