//! The functions and branches that a program entered or not, by source file and line.
//!
//! A profile of entries has a row for every function, entered or not, and for every branch if
//! these were counted. A branch has the name of its function and its pattern: `f.<case
//! NONE>`. Rows with the same name and location, which functors make, are merged.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::model::{Extent, FunctionId, Quantity, RecordedCosts, SampleKey};
use crate::sorting::ColdSort;

/// Suffixes of branches.
const BRANCHES: [&[u8]; 7] =
    [b"<case ", b"<val ", b"<raise>", b"<raise ", b"<branch>", b"<true>", b"<false>"];

/// Coverage by file.
#[derive(Debug, PartialEq, Eq)]
pub struct Coverage {
    /// By name.
    pub files: Vec<FileCoverage>,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct FileCoverage {
    /// As written in the profile.
    pub file: Arc<[u8]>,
    /// By line and name.
    pub functions: Vec<EntryCount>,
    /// By line, function and name.
    pub branches: Vec<BranchCount>,
    /// Lines with functions or branches.
    pub lines: Vec<LineCount>,
    /// Numbers of functions and branches, and of those entered.
    pub counts: CoverageCounts,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryCount {
    /// From 1.
    pub line: u32,
    /// As written in the profile.
    pub name: Arc<[u8]>,
    pub entries: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    Function,
    Branch,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchCount {
    /// Line, full name, and number of entries.
    pub entry: EntryCount,
    /// Length in bytes of the function's name within the name; 0 outside of functions.
    pub function_length: usize,
    /// Index of its function among those with branches on this line.
    pub group: u32,
    /// Index among the branches of that function on this line.
    pub index: u32,
    /// Whether the function was entered. False outside of functions.
    pub was_reached: bool,
}

/// Number of entries of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineCount {
    pub line: u32,
    /// Maximum over its functions and branches.
    pub entries: u64,
}

/// Numbers of functions and branches, and of those entered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoverageCounts {
    /// Functions with counted entries.
    pub functions: EnteredShare,
    /// Branches, as named by the compiler.
    pub branches: EnteredShare,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EnteredShare {
    /// Number of those entered.
    pub n_entered: usize,
    /// Total number.
    pub n: usize,
}

impl EnteredShare {
    /// Percentage of entered ones; `None` if the total is 0.
    pub fn percentage(self) -> Option<f64> {
        (self.n > 0).then(|| 100.0 * self.n_entered as f64 / self.n as f64)
    }

    fn count(&mut self, entries: u64) {
        self.n += 1;
        self.n_entered += usize::from(entries > 0);
    }

    fn add(&mut self, other: Self) {
        self.n += other.n;
        self.n_entered += other.n_entered;
    }
}

impl Coverage {
    /// The coverage of the functions that `is_shown` selects. `None` if entries were not counted.
    /// Omits functions without a source line, which the compiler made.
    pub fn new(costs: &RecordedCosts, is_shown: impl Fn(FunctionId) -> bool) -> Option<Self> {
        let entries = entries_by_function(costs)?;
        let mut files: BTreeMap<Arc<[u8]>, EntryCounts> = BTreeMap::new();
        let functions = (0..).map(FunctionId).zip(&costs.functions);
        let shown = functions.zip(entries).filter(|((id, _), _)| is_shown(*id));
        for ((_, function), entries) in shown {
            let Some((id, line)) =
                function.location.and_then(|id| Some((id, costs.locations.line(id)?)))
            else {
                continue;
            };
            let counts = files.entry(Arc::clone(costs.locations.file(id))).or_default();
            let key = (line.get(), Arc::clone(&function.name));
            let sum = counts.entry(key).or_insert(0);
            *sum = sum.saturating_add(entries);
        }
        let file = |(file, counts)| FileCoverage::new(file, &counts);
        Some(Self { files: files.into_iter().map(file).collect() })
    }

    pub fn counts(&self) -> CoverageCounts {
        let mut counts = CoverageCounts::default();
        for file in &self.files {
            counts.functions.add(file.counts.functions);
            counts.branches.add(file.counts.branches);
        }
        counts
    }
}

/// Entries by line and name.
type EntryCounts = BTreeMap<(u32, Arc<[u8]>), u64>;

fn entries_by_function(costs: &RecordedCosts) -> Option<Vec<u64>> {
    let column = costs.samples.types().iter().position(|column| {
        column.quantity == Quantity::ENTRIES && column.extent == Extent::Exclusive
    })?;
    let mut entries = vec![0; costs.functions.len()];
    for (key, values) in costs.samples.rows() {
        if let SampleKey::Function(FunctionId(id)) = key {
            entries[id as usize] = values[column];
        }
    }
    Some(entries)
}

impl FileCoverage {
    /// The functions and branches never entered, by line and name.
    pub fn never_entered(&self) -> Vec<(EntryKind, &EntryCount)> {
        let functions = self.functions.iter();
        let branches = self.branches.iter().map(|branch| &branch.entry);
        let mut never: Vec<_> = functions
            .map(|entry| (EntryKind::Function, entry))
            .chain(branches.map(|entry| (EntryKind::Branch, entry)))
            .filter(|(_, entry)| entry.entries == 0)
            .collect();
        never.cold_sort_by_key(|(_, entry)| (entry.line, &entry.name));
        never
    }

    fn new(file: Arc<[u8]>, counts: &EntryCounts) -> Self {
        let mut coverage = Self { file, ..Self::default() };
        for (&(line, ref name), &entries) in counts {
            coverage.count_line(line, entries);
            let name = Arc::clone(name);
            let function_length = function_length(&name);
            let entry = EntryCount { line, name, entries };
            match function_length {
                None => {
                    coverage.counts.functions.count(entries);
                    coverage.functions.push(entry);
                }
                Some(function_length) => {
                    coverage.counts.branches.count(entries);
                    coverage.branches.push(BranchCount {
                        entry,
                        function_length,
                        group: 0,
                        index: 0,
                        was_reached: true,
                    });
                }
            }
        }
        coverage.group_branches();
        coverage
    }

    fn count_line(&mut self, line: u32, entries: u64) {
        match self.lines.last_mut() {
            Some(last) if last.line == line => last.entries = last.entries.max(entries),
            _ => self.lines.push(LineCount { line, entries }),
        }
    }

    /// Numbers the branches of each function on each line.
    fn group_branches(&mut self) {
        let mut entries: BTreeMap<&[u8], u64> = BTreeMap::new();
        for function in &self.functions {
            let most = entries.entry(&function.name).or_insert(0);
            *most = function.entries.max(*most);
        }
        let key = |branch: &BranchCount| {
            let function = branch.entry.name[..branch.function_length].to_vec();
            (branch.entry.line, function)
        };
        self.branches.sort_by_cached_key(|branch| {
            let (line, function) = key(branch);
            (line, function, Arc::clone(&branch.entry.name))
        });
        let mut before: Option<((u32, Vec<u8>), u32, u32)> = None;
        for branch in &mut self.branches {
            let this = key(branch);
            (branch.group, branch.index) = match &before {
                Some((last, group, index)) if *last == this => (*group, index + 1),
                Some((last, group, _)) if last.0 == this.0 => (group + 1, 0),
                _ => (0, 0),
            };
            let of_function = entries.get(&*this.1).copied();
            // Several functions may share a name, also one in another branch.
            branch.was_reached = branch.entry.entries > 0 || of_function != Some(0);
            before = Some((this, branch.group, branch.index));
        }
    }
}

/// Length of the function's name in a branch's name. `None` for functions: operators may be
/// called `<$>`.
fn function_length(name: &[u8]) -> Option<usize> {
    if !name.ends_with(b">") {
        return None;
    }
    let is_branch = |text: &[u8]| BRANCHES.iter().any(|start| text.starts_with(start));
    let dots = (0..name.len()).rev().filter(|&index| name[index] == b'.');
    let behind_dot = dots.into_iter().find(|&dot| is_branch(&name[dot + 1..]));
    behind_dot.or_else(|| is_branch(name).then_some(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, function: Option<&str>) {
        let length = function_length(name.as_bytes());
        assert_eq!(length.map(|length| &name[..length]), function, "for {name}");
    }

    #[test]
    fn branches_are_recognised_by_their_ends() {
        check("f", None);
        check("f.<case NONE>", Some("f"));
        check("A.f.<val (a, b)>", Some("A.f"));
        check("f.<case x>.fn.<raise Match>", Some("f.<case x>.fn"));
        check("f.<case \"a.b>\">", Some("f"));
        check("f.<true>", Some("f"));
        check("<case [s]>", Some(""));
        check("<$>", None);
        check("A.<$>", None);
        check("f.<case x>.fn", None);
    }
}
