//! Which columns have sizes in bytes, for people who would not count digits.

use crate::report::{Column, Metric, Print, Role};

/// How columns are printed where sizes are spelled or not.
#[derive(Clone, Copy)]
pub(in crate::render) struct Sizes<'a> {
    pub(in crate::render) metrics: &'a [Metric],
    pub(in crate::render) are_spelled: bool,
}

impl Sizes<'_> {
    /// How a column is printed that would be printed like this.
    pub(in crate::render) fn spelled(self, print: Print, column: &Column) -> Print {
        Print {
            is_size: self.are_spelled && self.is_in_bytes(column),
            is_signed: print.is_signed || column.role == Role::Change,
            ..print
        }
    }

    /// A column is in bytes if its metric is, or else if its heading says so.
    fn is_in_bytes(self, column: &Column) -> bool {
        const BYTES: &str = "bytes";
        let is_amount = matches!(
            column.role,
            Role::SelfValue
                | Role::Total
                | Role::Children
                | Role::Cumulative
                | Role::Count
                | Role::Old
                | Role::New
                | Role::Change
        );
        let metric = column.metric.and_then(|index| self.metrics.get(index));
        let has_unit = metric.is_some_and(|metric| metric.unit == BYTES);
        is_amount && (has_unit || column.head.iter().any(|line| line == BYTES))
    }
}
