//! The part of the costs that passes through some functions (`--focus`), and not through
//! others (`--ignore`).
//!
//! If stacks were recorded, each stack is selected or not: it contains a focused function,
//! and no ignored one.
//!
//! If calls were counted, or recorded with costs, a function may be in both parts, and the
//! cost of its single calls is unknown. As elsewhere, all calls of a function are assumed to
//! cost the same, or as recorded for each arc. So calls are followed in two stages, before
//! and within the focus:
//!
//! ```text
//! main ─┬─ a ──┬─ c ── d      focused on a: c is called by a within it, and by b before
//!       └─ b ──┘              it; if as often by each, half of c and of d is kept
//! ```
//!
//! From callers to callees, the share of each function in each stage is computed: a function
//! passes on the stage in which it was called, unless it is focused itself. That share of its
//! self cost is selected. From callees to callers, the selected part of a call's cost in each
//! stage is computed, and from it the selected part of an arc. Functions of a cycle share one
//! stage, as they are one function for propagation. All of it is linear, so both parts add up to
//! the whole. Takes symbols plus arcs, for each metric.

mod part;
mod paths;
mod reach;
mod selected;
mod selections;
mod shares;
mod stage;
#[cfg(test)]
mod tests;

pub use part::FocusPart;
pub(super) use stage::contexts_in;
