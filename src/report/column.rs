//! Columns of a section: their roles, headings and formats.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::MetricIndex;

#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    pub id: Cow<'static, str>,
    /// The metric of its numbers, if any.
    pub metric: Option<MetricIndex>,
    /// Its role for the metric or the row.
    pub role: Role,
    pub head: [Cow<'static, str>; 2],
    /// Text format; `None` if text omits the column.
    pub print: Option<Print>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Print {
    pub width: u8,
    /// Number of decimals.
    pub decimals: u8,
    /// On a screen, numbers have a unit that fits.
    #[serde(skip)]
    pub unit: Option<FittingUnit>,
    /// Positive numbers have a sign too.
    #[serde(rename = "signed", default, skip_serializing_if = "std::ops::Not::not")]
    pub is_signed: bool,
}

/// A kind of numbers that people read in a unit that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FittingUnit {
    /// Whole bytes, in KiB, MiB and so on.
    Bytes,
    /// Seconds, in s, ms, us or ns.
    Seconds,
    /// Whole numbers, with a comma after thousands.
    Count,
}

impl Print {
    pub const fn new(width: u8, decimals: u8) -> Self {
        Self { width, decimals, unit: None, is_signed: false }
    }

    /// With at most [`N_DECIMALS`], for a file that anybody may have written.
    pub fn bounded(self) -> Self {
        Self { decimals: self.decimals.min(N_DECIMALS), ..self }
    }

    /// Marks after a number.
    pub(super) const MARKS: Self = Self::new(2, 0);
}

/// Maximum number of decimals. Times have 9 at most, and a 64-bit fraction has 17 digits.
const N_DECIMALS: u8 = 20;

/// Maximum depth of a folded stack. Deeper frames count for the last one, which limits the
/// length of lines.
pub const MAX_FOLDED_FRAMES: usize = 1000;

/// The column that marks rows whose time is a lower bound.
pub const LOWER_BOUND: &str = "is_lower_bound";

/// The column of recorded costs of calls within cycles.
pub const IN_CYCLE: &str = "total_in_cycle";

/// The name of the column that marks guesses.
const GUESS: &str = "guess";

/// The name of the column that marks calls by a jump at the end of their caller.
pub const TAIL_CALL: &str = "is_tail_call";

impl Column {
    pub fn hidden(id: impl Into<Cow<'static, str>>, role: Role) -> Self {
        Self::on_request(id, role, [""; 2])
    }

    /// A column that text shows on request of uncertainty, under this heading.
    pub fn on_request(
        id: impl Into<Cow<'static, str>>,
        role: Role,
        head: [impl Into<Cow<'static, str>>; 2],
    ) -> Self {
        Self { id: id.into(), metric: None, role, head: head.map(Into::into), print: None }
    }

    /// The column that marks totals which equal costs of calls decide. Screens show it.
    pub fn guess(is_for_screen: bool) -> Self {
        let column = Self::on_request(GUESS, Role::Marks, [""; 2]);
        Self { print: is_for_screen.then_some(Print::MARKS), ..column }
    }

    pub fn is_guess(&self) -> bool {
        self.id == GUESS
    }

    /// A column that text shows with two decimals, in automatic width.
    pub fn shown(
        id: impl Into<Cow<'static, str>>,
        role: Role,
        head: [impl Into<Cow<'static, str>>; 2],
    ) -> Self {
        Self::on_request(id, role, head).printed(0, 2)
    }

    pub fn of(self, metric: MetricIndex) -> Self {
        Self { metric: Some(metric), ..self }
    }

    pub fn printed(self, width: u8, decimals: u8) -> Self {
        let print = Some(Print::new(width, decimals));
        Self { print, ..self }
    }

    /// The same column, with a sign before positive numbers.
    pub fn signed(self) -> Self {
        let print = self.print.map(|print| Print { is_signed: true, ..print });
        Self { print, ..self }
    }
}

closed_set! {
    /// The role of a column for a metric or a row.
    "role", Role {
        /// Self cost.
        SelfValue = "self",
        /// Total cost.
        Total = "total",
        /// Cost of callees.
        Children = "children",
        Cumulative = "cumulative",
        Share = "share",
        Calls = "calls",
        /// A length from 0 to 1, drawn.
        Bar = "bar",
        PerCall = "per_call",
        /// Lower or upper limit of a number.
        Limit = "limit",
        /// Marks of uncertainty.
        Marks = "marks",
        Count = "count",
        /// Index number of an entry, for references.
        Index = "index",
        Name = "name",
        /// A source location, or source text.
        Source = "source",
        /// Value on the old side of a comparison.
        Old = "old",
        /// Value on the new side.
        New = "new",
        /// New value minus old value.
        Change = "change",
        /// The verdict on a change, in one word.
        Verdict = "verdict",
        /// Why a comparison fails, in words; absent if it does not.
        Failure = "failure",
        Other = "other",
    }
}
