//! Expressions that select functions by name, cost and calls: `(and (from "main") (not
//! (thresh 0.5)))`.
//!
//! | expression | functions |
//! |---|---|
//! | `all` | every one |
//! | `"REGEXP"` | whose label contains a match, or starts with one, see [`MatchPosition`] |
//! | `(and E…)`, `(or E…)`, `(not E)` | in all of them, in any of them, not in it |
//! | `(pred E)`, `(succ E)` | in it, and their callers or callees |
//! | `(from E)`, `(to E)` | in it, and all that it reaches by calls, or that reach it |
//! | `(thresh X)` | with a self cost of at least X percent |
//! | `(thresh-stack X)`, `(thresh-gc X)` | with at least X percent on the stack, of the collector |
//!
//! The language is that of MLton's `mlprof -keep`. It does not depend on profiles: any
//! [`Graph`] can be evaluated.

mod evaluate;
mod expression;
mod pattern;

pub use evaluate::NodeSet;
pub use expression::{Keep, KeepError, percentage};
pub use pattern::{KeepPattern, MatchPosition, PatternError};

use std::borrow::Cow;

/// A cost that a threshold applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostShare {
    /// Self cost.
    SelfCost,
    /// Cost while on the stack.
    Stack,
    /// Cost of the garbage collector while on the stack.
    Collector,
}

/// The input of expressions: nodes with labels and costs, and calls between them. Several
/// nodes may have the same label, and the same list of callees.
pub trait Graph {
    fn n_nodes(&self) -> usize;
    fn n_labels(&self) -> usize;
    fn label_of(&self, node: usize) -> usize;
    fn label(&self, label: usize) -> Cow<'_, [u8]>;
    fn fits(&self, label: usize, pattern: &KeepPattern) -> bool {
        pattern.fits(&self.label(label))
    }
    /// The cost of a node, in percent of the whole.
    fn percentage(&self, node: usize, of: CostShare) -> f64;
    fn n_lists(&self) -> usize;
    fn list_of(&self, node: usize) -> Option<usize>;
    fn callees(&self, list: usize) -> impl Iterator<Item = usize>;
}
