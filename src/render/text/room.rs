//! Which columns of numbers a terminal has room for beside the names behind them.

use std::borrow::Cow;

use crate::report::{Column, Print, Role};

/// Characters of the longest bar where names need the room.
const SHORT_BAR: usize = 5;

/// A column of numbers, of bars, or of words about numbers.
#[derive(Clone, Copy)]
pub(super) struct Number<'s> {
    pub(super) place: usize,
    pub(super) print: Print,
    pub(super) role: Role,
    pub(super) head: &'s [Cow<'static, str>; 2],
    pub(super) width: usize,
    pub(super) gap: usize,
    /// In a call graph, the column of the callee's total, which stands behind a slash.
    pub(super) of: Option<usize>,
    /// The column of calls to itself, which stand behind a plus.
    pub(super) plus: Option<usize>,
}

impl<'s> Number<'s> {
    /// As wide as its print says.
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

    /// Takes less room, where it can do with less. Returns whether it did.
    fn shrink(&mut self) -> bool {
        let is_long = self.role == Role::Bar && self.width > SHORT_BAR;
        self.width = if is_long { SHORT_BAR } else { self.width };
        is_long
    }
}

/// What is left out where names get no good part of the line, the first one first: costs
/// of one call, bars, running sums.
const IN_THE_WAY: [Role; 3] = [Role::PerCall, Role::Bar, Role::Cumulative];

/// What is left out where they get hardly any: totals, whose share says most, and calls.
const IF_NEED_BE: [Role; 2] = [Role::Total, Role::Calls];

/// The same of what differs between two sides: limits and calls are in the way. Each is a
/// pair, one half of which alone would mislead, so that both are left out.
const IN_THE_WAY_OF_CHANGES: [Role; 2] = [Role::Limit, Role::Calls];

/// What was on both sides follows from one of them and the change, and so does the change
/// in percent. The change itself and what is said of it stay, however narrow the screen.
const IF_CHANGES_NEED_IT: [Role; 3] = [Role::Old, Role::New, Role::Other];

/// The columns that a name has on the narrowest screen.
pub(super) const LEAST_ROOM: usize = 8;

/// The columns that are enough for names beside changes, of which every number is wanted.
const LEAST_BESIDE_CHANGES: usize = 20;

/// How much of a line of so many columns names are to have where they could use all.
fn good_part(columns: usize) -> usize {
    columns * 3 / 8
}

/// Leaves columns out until names have the room that they need, or what is fair. The
/// first column stays: it says what the others are sorted by.
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

/// Leaves out limits, and then calls, until the other columns take so much of the line at
/// most.
fn leave_out_pairs(numbers: &mut Vec<Number<'_>>, room: usize) {
    for role in IN_THE_WAY_OF_CHANGES {
        if width_of(numbers) > room {
            numbers.retain(|number| number.role != role);
        }
    }
}

/// Leaves out columns of these roles, the last ones first, until the others take so much
/// of the line at most.
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
