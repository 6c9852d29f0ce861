//! Which number columns a terminal has room for, next to names.

use std::borrow::Cow;

use crate::report::{Column, Print, Role};

/// Length of a short bar in characters.
const SHORT_BAR: usize = 5;

/// A column of numbers, bars, or words about numbers.
#[derive(Clone, Copy)]
pub(super) struct Number<'s> {
    pub(super) place: usize,
    pub(super) print: Print,
    pub(super) role: Role,
    pub(super) head: &'s [Cow<'static, str>; 2],
    pub(super) width: usize,
    pub(super) gap: usize,
    /// In a call graph, the column of the callee's total, after a slash.
    pub(super) of: Option<usize>,
    /// The column of direct recursion, after a plus.
    pub(super) plus: Option<usize>,
}

impl<'s> Number<'s> {
    /// In the width of its format.
    pub(super) fn new(place: usize, column: &'s Column, print: Print) -> Self {
        Self {
            place,
            print,
            role: column.role,
            head: &column.head,
            width: print.width.into(),
            gap: 2,
            of: None,
            plus: None,
        }
    }

    /// Reduces its width if possible; returns whether it did.
    fn shrink(&mut self) -> bool {
        let is_long = self.role == Role::Bar && self.width > SHORT_BAR;
        self.width = if is_long { SHORT_BAR } else { self.width };
        is_long
    }
}

/// Columns to remove if names are short of room, in order.
const IN_THE_WAY: [Role; 3] = [Role::PerCall, Role::Bar, Role::Cumulative];

/// Columns to remove next: totals and calls.
const IF_NEED_BE: [Role; 2] = [Role::Total, Role::Calls];

/// The same for differences: limits and calls. Each is a pair, and both are removed.
const IN_THE_WAY_OF_CHANGES: [Role; 2] = [Role::Limit, Role::Calls];

/// The rest follows from the change and one side. The change and its verdict always remain.
const IF_CHANGES_NEED_IT: [Role; 3] = [Role::Old, Role::New, Role::Other];

/// Width of a name on the narrowest screen.
pub(super) const LEAST_ROOM: usize = 8;

/// Width of names sufficient next to changes.
const LEAST_BESIDE_CHANGES: usize = 20;

/// Width that names should have, for a line of `columns`.
fn good_part(columns: usize) -> usize {
    columns * 3 / 8
}

/// Removes columns until names have enough room. The first column remains: rows are sorted by
/// it.
pub(super) fn make_room(numbers: &mut Vec<Number<'_>>, columns: usize, longest_name: usize) {
    let good_part = longest_name.min(good_part(columns));
    if numbers.iter().any(|number| number.role == Role::Change) {
        leave_out_pairs(numbers, columns.saturating_sub(good_part));
        let least_part = longest_name.min(LEAST_BESIDE_CHANGES);
        let room = columns.saturating_sub(least_part);
        return leave_out(&IF_CHANGES_NEED_IT, numbers, room);
    }
    let least_part = longest_name.min(LEAST_ROOM.max(columns / 3));
    leave_out(&IN_THE_WAY, numbers, columns.saturating_sub(good_part));
    let room = columns.saturating_sub(least_part);
    leave_out(&IF_NEED_BE, numbers, room);
    while numbers.len() > 1 && width_of(numbers) > room {
        numbers.pop();
    }
}

/// Removes limits, then calls, until the columns fit `room`.
fn leave_out_pairs(numbers: &mut Vec<Number<'_>>, room: usize) {
    for role in IN_THE_WAY_OF_CHANGES {
        if width_of(numbers) > room {
            numbers.retain(|number| number.role != role);
        }
    }
}

/// Removes columns of these roles, last first, until the columns fit `room`.
fn leave_out(roles: &[Role], numbers: &mut Vec<Number<'_>>, room: usize) {
    for &role in roles {
        while let Some(place) = numbers.iter().rposition(|number| number.role == role) {
            if width_of(numbers) <= room {
                return;
            }
            if !numbers[place].shrink() {
                numbers.remove(place);
            }
        }
    }
}

pub(super) fn width_of(numbers: &[Number<'_>]) -> usize {
    numbers.iter().map(|number| number.gap + number.width).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bar of ten cells and one of five.
    const BARS: [usize; 2] = [12, 7];

    static HEAD: [Cow<'static, str>; 2] = [Cow::Borrowed(""), Cow::Borrowed("")];

    fn number((role, width): (Role, usize)) -> Number<'static> {
        Number {
            place: 0,
            print: Print::new(0, 0),
            role,
            head: &HEAD,
            width: width - 2,
            gap: 2,
            of: None,
            plus: None,
        }
    }

    #[test]
    fn what_says_least_goes_first() {
        use Role as R;
        let all = [
            (R::Share, 6),
            (R::Bar, BARS[0]),
            (R::SelfValue, 9),
            (R::Share, 7),
            (R::Total, 9),
            (R::Calls, 11),
            (R::PerCall, 9),
        ];
        let check = |columns: usize, longest_name: usize, expected: &[Role]| {
            let mut numbers = all.map(number).to_vec();
            make_room(&mut numbers, columns, longest_name);
            let kept: Vec<_> = numbers.iter().map(|number| number.role).collect();
            assert_eq!(kept, expected, "in {columns} columns");
            numbers
        };
        let roles = all.map(|(role, _)| role);
        check(120, 200, &roles);
        check(73, 10, &roles);
        check(72, 10, &roles[..6]);
        assert_eq!(check(64, 10, &roles[..6])[1].width + 2, BARS[0]);
        assert_eq!(check(63, 10, &roles[..6])[1].width + 2, BARS[1]);
        check(59, 10, &roles[..6]);
        let without_bar = [R::Share, R::SelfValue, R::Share, R::Total, R::Calls];
        check(58, 10, &without_bar);
        check(50, 30, &[R::Share, R::SelfValue, R::Share, R::Calls]);
        check(32, 30, &[R::Share, R::SelfValue, R::Share]);
        check(23, 30, &[R::Share, R::SelfValue]);
        check(22, 30, &[R::Share]);
        check(10, 30, &[R::Share]);
        check(2, 30, &[R::Share]);
    }
}
