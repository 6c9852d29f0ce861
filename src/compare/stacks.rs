//! The difference of two call trees, by the names of frames: as stacks, and as a graph of
//! functions and calls.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::call_difference::CallDifference;
use super::difference_unit::DifferenceUnit;
use super::several_names::SeveralNames;
use crate::report::{
    Cell, Column, Layout, MetricIndex, NameId, NameTable, Report, Role, RowKind, RowTable, Section,
    SectionId,
};

/// The difference as two sections: a row for each frame of either tree, callers above callees,
/// and a row for each function and each of its calls. Both contain the costs of both sides, as
/// means of `n_runs`. `None` if the trees have no common unit.
///
/// Frames are the same if they have the same callers and the same name. [`side_names`] names the
/// sections. Linear in frames, plus sorting.
pub fn stack_difference(sides: [&Report; 2], n_runs: [u64; 2]) -> Option<[Section; 2]> {
    let trees = sides.map(|report| {
        let mut sections = report.sections.iter();
        sections.find(|section| section.id == SectionId::Tree)
    });
    let [old, new] = [trees[0]?, trees[1]?];
    let metrics = common_weights(old, new);
    // The first one is that which both sides are sorted by.
    metrics.first().filter(|metric| metric.columns[0] == old.column("weight").unwrap_or(0))?;
    let mut tree = DifferenceTree::default();
    for (side, (section, report)) in [old, new].into_iter().zip(sides).enumerate() {
        let columns: Vec<_> = metrics.iter().map(|metric| metric.columns[side]).collect();
        tree.add(section, &*report.names, side, &columns, n_runs[side]).ok()?;
    }
    let mut columns =
        vec![Column::hidden("depth", Role::Other), Column::hidden("basis", Role::Other)];
    for metric in &metrics {
        let parts = [("old", Role::Old), ("new", Role::New), ("change", Role::Change)];
        columns.extend(parts.map(|(part, role)| {
            let head = [part.to_owned(), metric.unit.clone().into_owned()];
            Column::on_request(format!("{}_{part}", metric.id), role, head).of(metric.metric)
        }));
    }
    let primary = DifferenceUnit::of(&metrics[0].unit, metrics[0].metric);
    columns.extend(primary.total_columns());
    columns.push(Column::shown("name", Role::Name, ["", "name"]));
    let totals = tree.totals();
    tree.sort(&totals);
    let graph = CallDifference::of(&tree, &totals);
    let mut summary = old.summary.clone();
    for line in &new.summary {
        if !summary.contains(line) {
            summary.push(line.clone());
        }
    }
    if n_runs != [1, 1] {
        let [old, new] = n_runs;
        summary.push(format!("Costs are means of {old} old and {new} new runs."));
    }
    summary.extend(graph.largest_changes(&primary));
    let section = |id, title, columns: Vec<Column>, rows| {
        let mut section = Section::new(id, title, Layout::Table, columns, rows);
        section.summary.clone_from(&summary);
        section
    };
    Some([
        section(
            SectionId::TreeDifference,
            "Difference of call trees:",
            columns,
            tree.rows(&totals, &primary),
        ),
        section(
            SectionId::GraphDifference,
            "Difference of call graphs",
            CallDifference::columns(&primary),
            graph.rows(&primary),
        ),
    ])
}

/// A column of weights that both trees have.
struct CommonWeight {
    id: Cow<'static, str>,
    unit: Cow<'static, str>,
    /// The metric of the old side.
    metric: MetricIndex,
    columns: [usize; 2],
}

fn common_weights(old: &Section, new: &Section) -> Vec<CommonWeight> {
    let weights = old.columns.iter().enumerate().filter_map(|(index, column)| {
        let is_weight = column.role == Role::Count && column.id.starts_with("weight");
        let other = new.column(&column.id)?;
        let is_common = is_weight && new.columns[other].head == column.head;
        is_common.then_some(CommonWeight {
            id: column.id.clone(),
            unit: column.head[1].clone(),
            metric: column.metric?,
            columns: [index, other],
        })
    });
    weights.collect()
}

#[derive(Default)]
pub(super) struct DifferenceTree {
    /// Callers before callees.
    pub(super) nodes: Vec<ComparedFrame>,
    roots: Vec<usize>,
    known: HashMap<FrameKey, usize, RandomState>,
}

/// The caller and the name of a frame.
type FrameKey = (Option<usize>, Arc<[u8]>);

pub(super) struct ComparedFrame {
    pub(super) caller: Option<usize>,
    pub(super) name: Cell,
    pub(super) bytes: Arc<[u8]>,
    kind: RowKind,
    basis: Cell,
    callees: Vec<usize>,
    /// By metric, both sides.
    pub(super) weights: Vec<[i128; 2]>,
}

impl DifferenceTree {
    fn add(
        &mut self,
        section: &Section,
        names: &dyn NameTable,
        side: usize,
        weights: &[usize],
        n_runs: u64,
    ) -> io::Result<()> {
        let mut open: Vec<usize> = Vec::new();
        section.rows.for_each(&mut |row| {
            let depth = section.cell(row, "depth").as_integer().unwrap_or(0);
            open.truncate(usize::try_from(depth).unwrap_or(0));
            let caller = open.last().copied();
            let name = section.cell(row, "name");
            let bytes: Arc<[u8]> = name.bytes(names).into();
            let next = self.nodes.len();
            let index = *self.known.entry((caller, Arc::clone(&bytes))).or_insert(next);
            if index == next {
                let callees = match caller {
                    Some(caller) => &mut self.nodes[caller].callees,
                    None => &mut self.roots,
                };
                callees.push(next);
                self.nodes.push(ComparedFrame {
                    caller,
                    name: match name {
                        Cell::Name(id) => Cell::Name(side_name(*id, side)),
                        text => text.clone(),
                    },
                    bytes,
                    kind: row.kind,
                    basis: section.cell(row, "basis").clone(),
                    callees: Vec::new(),
                    weights: vec![[0; 2]; weights.len()],
                });
            }
            let sums = &mut self.nodes[index].weights;
            for (sum, &column) in sums.iter_mut().zip(weights) {
                sum[side] += row.cells[column].as_integer().unwrap_or(0);
            }
            open.push(index);
            Ok(())
        })?;
        let n_runs = i128::from(n_runs.max(1));
        for sum in self.nodes.iter_mut().flat_map(|node| &mut node.weights) {
            sum[side] = (2 * sum[side] + n_runs).div_euclid(2 * n_runs);
        }
        Ok(())
    }

    /// The total of each frame in the first metric, on both sides.
    fn totals(&self) -> Vec<[i128; 2]> {
        let mut totals: Vec<_> = self.nodes.iter().map(|node| node.weights[0]).collect();
        for index in (0..totals.len()).rev() {
            if let Some(caller) = self.nodes[index].caller {
                let [old, new] = totals[index];
                totals[caller][0] += old;
                totals[caller][1] += new;
            }
        }
        totals
    }

    /// The cost of both sides together.
    pub(super) fn whole(&self, totals: &[[i128; 2]]) -> i128 {
        self.roots.iter().flat_map(|&root| totals[root]).sum()
    }

    /// Puts callees in the order of the total of both sides, then of names.
    fn sort(&mut self, totals: &[[i128; 2]]) {
        let total = |index: usize| totals[index].iter().sum::<i128>();
        let sort = |callees: &mut Vec<usize>, nodes: &[ComparedFrame]| {
            callees.sort_by(|&a, &b| {
                let by_total = total(b).cmp(&total(a));
                by_total.then_with(|| nodes[a].bytes.cmp(&nodes[b].bytes))
            });
        };
        for index in 0..self.nodes.len() {
            let mut callees = std::mem::take(&mut self.nodes[index].callees);
            sort(&mut callees, &self.nodes);
            self.nodes[index].callees = callees;
        }
        let mut roots = std::mem::take(&mut self.roots);
        sort(&mut roots, &self.nodes);
        self.roots = roots;
    }

    /// The frames in pre-order, each with its depth.
    pub(super) fn frames(&self) -> impl Iterator<Item = (usize, usize)> {
        // Frames that follow, the next one last.
        let mut next: Vec<_> = self.roots.iter().rev().map(|&root| (root, 0)).collect();
        std::iter::from_fn(move || {
            let (index, depth) = next.pop()?;
            let callees = self.nodes[index].callees.iter().rev();
            next.extend(callees.map(|&callee| (callee, depth + 1)));
            Some((index, depth))
        })
    }

    /// The rows of all frames.
    fn rows(&self, totals: &[[i128; 2]], unit: &DifferenceUnit) -> RowTable {
        let whole = self.whole(totals);
        let mut table = RowTable::default();
        for (index, depth) in self.frames() {
            let node = &self.nodes[index];
            let mut cells = Vec::with_capacity(7 + 3 * node.weights.len());
            cells.extend([depth.into(), node.basis.clone()]);
            for &[old, new] in &node.weights {
                cells.extend([old.into(), new.into(), Cell::Integer(new - old)]);
            }
            cells.extend(unit.total_cells(totals[index], whole));
            cells.push(node.name.clone());
            table.push(node.kind, cells);
        }
        table
    }
}

/// The names of both sides in one table.
pub fn side_names(sides: [Box<dyn NameTable>; 2]) -> impl NameTable {
    SeveralNames {
        tables: sides.into(),
        place: |id: NameId| ((id.0 & 1) as usize, NameId(id.0 >> 1)),
    }
}

/// The number of a name of a side in the table of both.
fn side_name(id: NameId, side: usize) -> NameId {
    NameId(id.0 << 1 | u32::from(side == 1))
}
