//! massif: snapshots of a heap over time, some of them with the call stacks of its blocks.
//! Source: `massif/ms_main.c` and `massif/ms_print.in` of valgrind.
//!
//! The tree of a detailed snapshot starts at the allocation functions, and the children of a
//! function are its callers. Callers with few bytes are one line without a function; their
//! bytes are charged to a stack that starts below them.

use std::cmp::Reverse;

use super::super::cost_builder::{CostBuilder, Frame};
use super::super::frame_parts::FrameParts;
use super::super::text_lines::{LinesRead, read_lines};
use super::{Bytes, Claim, Damage, Format, FormatFault, Hints, Loaded, ReadError};
use crate::limits::MOST_VALUES;
use crate::model::{
    ContextId, Extent, FileKind, HeapSeries, MetricName, Quantity, RecordedCosts, RunPart,
    SampleKey, SnapshotTotal, Unit, ValueMetric, ValueSource, ValueType,
};
use crate::sorting::ColdSort;

pub(in super::super) struct Massif;

impl Format for Massif {
    fn name(&self) -> &'static str {
        "massif"
    }

    fn sniff(&self, data: Bytes<'_>, _hints: &Hints) -> Claim {
        let head = data.head();
        let keys: [&[u8]; 3] = [b"desc:", b"cmd:", b"time_unit:"];
        let lines = head.split(|&byte| byte == b'\n');
        let fits = lines.zip(keys).filter(|(line, key)| line.starts_with(key));
        Claim::certain_if(fits.count() == keys.len())
    }

    fn read(&self, data: Bytes<'_>, hints: &Hints) -> Result<Loaded, ReadError> {
        let data = data.whole()?;
        let mut reader = MassifReader::default();
        let LinesRead { n_lines, n_left, fault } =
            read_lines(data, hints.progress, |_, line| reader.add_line(line.trim_ascii_end()));
        // A snapshot with all fields is usable, whatever follows.
        let is_usable = fault.is_none() || reader.is_whole && reader.tree.is_none();
        let ended = if is_usable { reader.end_snapshot() } else { Ok(()) };
        let error = fault.or(ended.err()).map(|fault| ReadError::at_line(n_lines, fault));
        let damage = error.map(|error| Damage { error, n_lost: n_left });
        match damage {
            Some(damage) if reader.snapshots.is_empty() => Err(damage.error),
            damage => Ok(reader.finish(damage)),
        }
    }
}

/// A line of a tree whose callers may follow.
#[derive(Debug)]
struct TreeNode {
    /// `None` for the first line of a tree.
    frame: Option<Frame>,
    /// Bytes that no caller has so far.
    n_left: u64,
    n_callers_left: u64,
    /// The others have few bytes, and no names.
    has_small_callers: bool,
}

/// The name of allocating functions with few bytes.
const SMALL: &[u8] = b"(below massif's threshold)";

/// A detailed snapshot.
#[derive(Debug, Default)]
struct DetailedSnapshot {
    number: u64,
    bytes: u64,
    is_peak: bool,
    /// Stacks and their bytes.
    rows: Vec<(ContextId, u64)>,
}

#[derive(Debug, Default)]
struct MassifReader {
    command: Option<Box<[u8]>>,
    unit: &'static str,
    snapshots: Vec<SnapshotTotal>,
    current: Option<SnapshotTotal>,
    /// The current snapshot has all fields.
    is_whole: bool,
    tree: Option<DetailedSnapshot>,
    /// From the allocation functions outwards.
    path: Vec<TreeNode>,
    has_tree_lines: bool,
    detailed: Vec<DetailedSnapshot>,
    costs: CostBuilder,
}

impl MassifReader {
    fn add_line(&mut self, line: &[u8]) -> Result<(), MassifFault> {
        let text = line.trim_ascii_start();
        if self.tree.is_some() && text.starts_with(b"n") {
            return self.add_node(line.len() - text.len(), text);
        }
        if text.is_empty() || text.starts_with(b"#") {
            return Ok(());
        }
        if line.starts_with(b"desc:") {
            return Ok(());
        }
        if let Some(value) = line.strip_prefix(b"cmd:") {
            self.command = Some(value.trim_ascii().into());
            return Ok(());
        }
        if let Some(value) = line.strip_prefix(b"time_unit:") {
            self.unit = match value.trim_ascii() {
                b"i" => "instructions",
                b"ms" => "ms",
                b"B" => "bytes allocated and freed",
                _ => return Err(MassifFault::TimeUnit),
            };
            return Ok(());
        }
        let equals = line.iter().position(|&byte| byte == b'=');
        let equals = equals.ok_or(MassifFault::Line)?;
        let (key, value) = (&line[..equals], &line[equals + 1..]);
        if key == b"snapshot" {
            self.end_snapshot()?;
            self.current =
                Some(SnapshotTotal { number: number(value)?, ..SnapshotTotal::default() });
            self.is_whole = false;
            return Ok(());
        }
        let current = self.current.as_mut().ok_or(MassifFault::NoSnapshot)?;
        match key {
            b"time" => current.time = number(value)?,
            b"mem_heap_B" => current.heap = number(value)?,
            b"mem_heap_extra_B" => current.extra = number(value)?,
            b"mem_stacks_B" => current.stacks = number(value)?,
            b"heap_tree" => {
                self.is_whole = true;
                current.is_detailed = value != b"empty";
                if current.is_detailed {
                    self.tree = Some(DetailedSnapshot {
                        number: current.number,
                        bytes: current.heap,
                        is_peak: value == b"peak",
                        rows: Vec::new(),
                    });
                }
            }
            _ => return Err(MassifFault::Line),
        }
        Ok(())
    }

    /// Adds a line of a tree: `n2: 500 0x10919A: grab (t.c:4)`, indented by its depth.
    fn add_node(&mut self, depth: usize, text: &[u8]) -> Result<(), MassifFault> {
        let mut words = text[1..].splitn(3, |&byte| byte == b' ');
        let n_callers = words.next().and_then(|word| word.strip_suffix(b":"));
        let n_callers = number(n_callers.ok_or(MassifFault::Node)?)?;
        let n_bytes = number(words.next().ok_or(MassifFault::Node)?)?;
        let text = words.next().ok_or(MassifFault::Node)?;
        if depth > self.path.len() || depth == 0 && self.has_tree_lines {
            return Err(MassifFault::Depth);
        }
        self.close_nodes(depth)?;
        if let Some(callee) = self.path.last_mut() {
            let n_left = callee.n_callers_left.checked_sub(1);
            callee.n_callers_left = n_left.ok_or(MassifFault::Callers)?;
            if n_callers == 0 && is_below_threshold(text) {
                callee.has_small_callers = true;
                return Ok(());
            }
            callee.n_left = callee.n_left.checked_sub(n_bytes).ok_or(MassifFault::Bytes)?;
        }
        self.has_tree_lines = true;
        let frame = (depth > 0).then(|| self.costs.frame(&FrameParts::of(text)));
        self.path.push(TreeNode {
            frame,
            n_left: n_bytes,
            n_callers_left: n_callers,
            has_small_callers: false,
        });
        Ok(())
    }

    /// Ends the lines at and beyond a depth.
    fn close_nodes(&mut self, depth: usize) -> Result<(), MassifFault> {
        while self.path.len() > depth {
            let last = self.path.last().expect("it is longer than the depth");
            if last.n_callers_left > 0 {
                return Err(MassifFault::Callers);
            }
            if last.n_left > 0 {
                // The last is the outermost of the known callers.
                let stack = self.path.iter().rev().filter_map(|node| node.frame);
                let mut stack: Vec<_> = stack.collect();
                if stack.is_empty() && last.has_small_callers {
                    stack.push(self.costs.frame(&FrameParts::of(SMALL)));
                }
                let context = self.costs.stack(&stack);
                let n_left = last.n_left;
                if let Some(tree) = &mut self.tree {
                    tree.rows.push((context, n_left));
                }
            }
            self.path.pop();
        }
        Ok(())
    }

    /// Ends the current snapshot, if there is one.
    fn end_snapshot(&mut self) -> Result<(), MassifFault> {
        let tree = match self.close_nodes(0) {
            Ok(()) => self.tree.take(),
            Err(fault) => {
                (self.tree, self.current) = (None, None);
                self.path.clear();
                return Err(fault);
            }
        };
        let has_lines = std::mem::take(&mut self.has_tree_lines);
        let Some(current) = self.current.take() else {
            return Ok(());
        };
        if !self.is_whole || tree.is_some() && !has_lines {
            return Err(MassifFault::End);
        }
        self.snapshots.push(current);
        self.detailed.extend(tree);
        Ok(())
    }

    fn finish(mut self, damage: Option<Damage>) -> Loaded {
        let most = self.snapshots.iter().max_by_key(|one| (one.heap, Reverse(one.number)));
        let most = most.copied().unwrap_or_default();
        // The peak, else the most bytes; then those with the most bytes, in order of time.
        self.detailed.cold_sort_by_key(|one| (!one.is_peak, Reverse(one.bytes), one.number));
        self.detailed.truncate(MOST_VALUES);
        if let [_, others @ ..] = &mut *self.detailed {
            others.cold_sort_by_key(|one| one.number);
        }
        if self.detailed.is_empty() {
            let context = self.costs.stack(&[]);
            self.detailed.push(DetailedSnapshot {
                number: most.number,
                bytes: most.heap,
                is_peak: true,
                rows: vec![(context, most.heap)],
            });
        }
        let peak = self.detailed[0].number;
        for snapshot in &mut self.snapshots {
            snapshot.is_peak = snapshot.number == peak;
        }
        let metrics = self.add_rows();
        let command = self.command.map(|command| command.into());
        let parts = vec![RunPart { command, ..RunPart::default() }];
        let costs = RecordedCosts { parts, ..self.costs.finish(metrics) };
        let kind =
            FileKind { has_stacks: true, adds_up: false, ..FileKind::named("a massif profile") };
        let mut reading = Loaded::of_text("massif", kind, costs);
        reading.damage = damage;
        reading.profile.series =
            Some(HeapSeries { unit: self.unit, snapshots: self.snapshots.into() });
        reading
    }

    /// Adds a column for each detailed snapshot, and returns its metric.
    fn add_rows(&mut self) -> Vec<ValueMetric> {
        let column = |index| ValueType {
            quantity: if index == 0 { Quantity::AT_PEAK } else { Quantity::EVENTS },
            unit: Unit::BYTES,
            extent: Extent::Exclusive,
            class: None,
        };
        let n_columns = self.detailed.len();
        self.costs.set_columns((0..n_columns).map(column).collect::<Vec<_>>());
        for (index, snapshot) in self.detailed.iter().enumerate() {
            for &(context, n_bytes) in &snapshot.rows {
                let row = self.costs.row(SampleKey::Context(context));
                row[index] = row[index].saturating_add(n_bytes);
            }
        }
        let detailed = self.detailed.iter().enumerate();
        detailed.map(|(index, snapshot)| metric(snapshot, index)).collect()
    }
}

fn metric(snapshot: &DetailedSnapshot, index: usize) -> ValueMetric {
    let number = snapshot.number;
    let (id, title) = if index == 0 {
        let title = "memory in use at the peak".to_owned();
        ("peak-bytes".to_owned(), title)
    } else {
        let title = format!("memory in use at snapshot {number}");
        (format!("snapshot-{number}"), title)
    };
    let name = MetricName { id: id.as_bytes().into(), title: Some(title.as_bytes().into()) };
    let metric = ValueMetric::of_column(name, ValueSource::Counted, index);
    ValueMetric { unit: Some("bytes"), is_level: true, ..metric }
}

/// `in 2 places, all below massif's threshold (1.00%)`.
fn is_below_threshold(text: &[u8]) -> bool {
    let words = b"below massif's threshold";
    text.starts_with(b"in ") && text.windows(words.len()).any(|part| part == words)
}

fn number(text: &[u8]) -> Result<u64, MassifFault> {
    let text = std::str::from_utf8(text).ok();
    let number = text.and_then(|text| text.parse().ok());
    number.ok_or(MassifFault::Number)
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum MassifFault {
    #[error("unknown kind of line")]
    Line,
    #[error("unknown time unit; valid are `i`, `ms` and `B`")]
    TimeUnit,
    #[error("expected a number of at most 64 bits")]
    Number,
    #[error("no `snapshot=` line before this one")]
    NoSnapshot,
    #[error("expected a number of callers, bytes and a function")]
    Node,
    #[error("this line is indented more than one beyond its callee")]
    Depth,
    #[error("a function has another number of callers than it states")]
    Callers,
    #[error("callers have more bytes than their callee")]
    Bytes,
    #[error("the file ends inside a snapshot")]
    End,
}

impl FormatFault for MassifFault {
    fn is_cut_off(&self) -> bool {
        matches!(self, Self::End | Self::Callers)
    }
}
