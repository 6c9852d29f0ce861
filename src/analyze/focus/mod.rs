//! That part of the costs which runs through some functions, and not through others.
//!
//! Where stacks were recorded with the values, each stack says whether it is of that
//! part: it has a function that is asked for, and none that is left out.
//!
//! Where calls were counted, or recorded with what they cost, a function may be in both
//! parts, and nobody knows which of its calls took how long. As elsewhere, all calls of a
//! function are taken to cost the same, or as much as was recorded along each arc. So
//! calls are followed in two stages, before and within what is asked for:
//!
//! ```text
//! main ─┬─ a ──┬─ c ── d      asked for a: c is called by a within it, and by b before
//!       └─ b ──┘              it; if as often by each, half of c and of d is kept
//! ```
//!
//! From callers to callees it is found how much of each function is called in which
//! stage: a function passes on the stage in which it was called, unless it is asked for
//! itself. That share of its own costs is kept. From callees to callers it is found what
//! of the costs of one call is kept, if it is made in one stage or in the other, and so
//! what of an arc is. Functions of a cycle are called in one stage, as they are one
//! function wherever costs are shared out. All of it is linear: what runs through a
//! function and what does not are the whole. Costs symbols and arcs, for each metric.

mod part;
mod paths;
mod reach;
mod selected;
mod shares;
mod stage;
#[cfg(test)]
mod tests;

pub use part::FocusPart;
pub(super) use stage::contexts_in;
