//! The difference of two call trees by function and call.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::difference_tree::DifferenceTree;
use super::difference_unit::{DifferenceUnit, percent};
use crate::model::Interner;
use crate::report::{Cell, Column, Role, RowKind, RowTable};
use crate::sorting::ColdSort;

/// Maximum number of changes that the summary names.
const N_NAMED: usize = 5;

/// Functions and calls with the costs of both sides, in the first metric of a tree. A function
/// below itself counts once.
pub(super) struct CallDifference {
    functions: Vec<CallerCosts>,
    /// By caller and callee.
    calls: HashMap<(usize, usize), OpenSum, RandomState>,
    whole: i128,
}

struct CallerCosts {
    name: Cell,
    bytes: Arc<[u8]>,
    self_cost: [i128; 2],
    total: OpenSum,
}

#[derive(Default)]
struct OpenSum {
    sides: [i128; 2],
    /// The number of open frames that it is the sum of.
    n_open: usize,
}

impl OpenSum {
    /// Adds a frame that starts, unless it is within another one.
    fn start(&mut self, sides: [i128; 2]) {
        if self.n_open == 0 {
            add(&mut self.sides, sides);
        }
        self.n_open += 1;
    }

    fn of_both(&self) -> i128 {
        self.sides.iter().sum()
    }
}

fn add(sum: &mut [i128; 2], sides: [i128; 2]) {
    for (sum, side) in sum.iter_mut().zip(sides) {
        *sum += side;
    }
}

impl CallDifference {
    /// Of a tree with callees below their callers, or with `callers_below` the reverse.
    pub(super) fn of(tree: &DifferenceTree, callers_below: bool) -> Self {
        let mut all =
            Self { functions: Vec::new(), calls: HashMap::default(), whole: tree.whole() };
        let mut numbers = Interner::default();
        // The functions of the open frames.
        let mut open: Vec<usize> = Vec::new();
        for (index, depth) in tree.frames() {
            while open.len() > depth {
                all.end(&mut open, callers_below);
            }
            let name = tree.nodes[index].name;
            let new = || CallerCosts {
                name: tree.name_cell(index),
                bytes: Arc::clone(tree.names.get(name)),
                self_cost: [0; 2],
                total: OpenSum::default(),
            };
            let function = numbers.find(name, &mut all.functions, new) as usize;
            let of_function = &mut all.functions[function];
            match callers_below {
                false => add(&mut of_function.self_cost, tree.weights(index)[0]),
                true if depth == 0 => add(&mut of_function.self_cost, tree.totals[index]),
                true => {}
            }
            of_function.total.start(tree.totals[index]);
            if let Some(&above) = open.last() {
                let call = if callers_below { (function, above) } else { (above, function) };
                let call = all.calls.entry(call).or_default();
                call.start(tree.totals[index]);
            }
            open.push(function);
        }
        all
    }

    /// Ends the innermost open frame.
    fn end(&mut self, open: &mut Vec<usize>, callers_below: bool) {
        let Some(function) = open.pop() else {
            return;
        };
        self.functions[function].total.n_open -= 1;
        let above = open.last().copied();
        let call =
            above.map(|above| if callers_below { (function, above) } else { (above, function) });
        if let Some(call) = call.and_then(|call| self.calls.get_mut(&call)) {
            call.n_open -= 1;
        }
    }

    /// The columns of [`rows`](Self::rows).
    pub(super) fn columns(unit: &DifferenceUnit) -> Vec<Column> {
        let mut columns = vec![
            Column::hidden("name", Role::Name),
            Column::hidden("index", Role::Index),
            Column::hidden("self_percent", Role::Share),
            Column::hidden("self_old", Role::Old),
            Column::hidden("self_new", Role::New),
        ];
        columns.extend(unit.total_columns());
        columns
    }

    /// Rows for each function, the most expensive first: its own row, then one for each callee.
    pub(super) fn rows(self, unit: &DifferenceUnit) -> RowTable {
        let functions = &self.functions;
        let mut order: Vec<usize> = (0..functions.len()).collect();
        let key = |&index: &usize| {
            let function: &CallerCosts = &functions[index];
            (-function.total.of_both(), &function.bytes)
        };
        order.cold_sort_by(|a, b| key(a).cmp(&key(b)));
        let mut place = vec![0_usize; functions.len()];
        for (number, &function) in (1..).zip(&order) {
            place[function] = number;
        }
        let mut calls: Vec<_> = self.calls.iter().collect();
        calls.cold_sort_by_key(|((caller, callee), sum)| {
            (place[*caller], -sum.of_both(), place[*callee])
        });
        let mut calls = calls.into_iter().peekable();
        let mut table = RowTable::default();
        for &function in &order {
            let of_function = &functions[function];
            let mut cells = vec![of_function.name.clone(), place[function].into()];
            let [old, new] = of_function.self_cost;
            cells.push(percent(old + new, self.whole).into());
            cells.extend([old, new].map(|cost| unit.cell(cost)));
            cells.extend(unit.total_cells(of_function.total.sides, self.whole));
            table.push(RowKind::Entry, cells);
            while let Some(((_, callee), sum)) =
                calls.next_if(|((caller, _), _)| *caller == function)
            {
                let mut cells = vec![functions[*callee].name.clone(), place[*callee].into()];
                cells.resize(5, Cell::Absent);
                cells.extend(unit.total_cells(sum.sides, self.whole));
                table.push(RowKind::Callee, cells);
            }
        }
        table
    }

    /// A sentence on the largest changes of self cost.
    pub(super) fn largest_changes(&self, unit: &DifferenceUnit) -> Option<String> {
        let change = |function: &&CallerCosts| function.self_cost[1] - function.self_cost[0];
        let changed = self.functions.iter().filter(|one| change(one) != 0);
        let mut changed: Vec<_> = changed.collect();
        let key = |one: &&CallerCosts| (-change(one).abs(), Arc::clone(&one.bytes));
        changed.sort_by_cached_key(key);
        let words = changed.iter().take(N_NAMED).map(|one| {
            let name = String::from_utf8_lossy(&one.bytes);
            format!("{name} {}", unit.change_in_words(change(one)))
        });
        let words: Vec<_> = words.collect();
        (!words.is_empty()).then(|| format!("Largest changes of self cost: {}.", words.join(", ")))
    }
}
