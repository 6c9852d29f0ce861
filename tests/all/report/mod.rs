//! Reports in every format: JSON is what its schema says, says what text says, and can
//! be read again; sums are what was recorded; filters mean the same for every kind of
//! profile.

mod filters;
mod focus;
mod json;
mod kept;
mod printed;

mod shown;
mod sums;
