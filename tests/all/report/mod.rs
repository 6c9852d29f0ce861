//! Reports in every format: JSON conforms to its schema, agrees with text, and can be read again.
//! Sums equal the recorded totals, and filters mean the same for every kind of profile.

mod filters;
mod focus;
mod json;
mod kept;
mod printed;

mod shown;
mod sums;
