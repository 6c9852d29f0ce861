//! What counts as a change.

/// What counts as a change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DifferenceOptions {
    /// How rarely anything may be said to have changed if nothing did.
    pub alpha: f64,
    /// A change matters if it is this share of the function, where it took less time ...
    pub min_change_of_function: f64,
    /// ... or this share of the program, where that took less: whichever is less.
    pub min_change_of_program: f64,
    /// Compare shares of the total instead of seconds.
    pub normalize: bool,
    /// Ticks of a function are also those of the functions that call it.
    pub inclusive: bool,
}

impl Default for DifferenceOptions {
    fn default() -> Self {
        Self {
            alpha: 0.01,
            min_change_of_function: 0.02,
            min_change_of_program: 0.005,
            normalize: false,
            inclusive: false,
        }
    }
}
