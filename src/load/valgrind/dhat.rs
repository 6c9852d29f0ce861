//! DHAT: how a program uses its heap, by call stack. valgrind's tool, dhat-rs and others write
//! version 2 of the format, and valgrind 3.15 and 3.16 version 1, which lacks the kind of values.
//! Source: `dhat/dh_main.c` of valgrind, which describes the keys.

use std::borrow::Cow;

use foldhash::fast::RandomState;
use indexmap::IndexMap;
use serde::Deserialize;

use super::super::cost_builder::CostBuilder;
use super::super::frame_parts::FrameParts;
use super::{Bytes, Claim, Format, FormatFault, Hints, Loaded, ReadError};
use crate::model::{
    Extent, FileKind, LIFETIME, MetricName, Quantity, RecordedCosts, SampleKey, Unit, ValueMetric,
    ValueSource, ValueType, heap_columns, heap_metrics,
};

/// The frame at the start of all stacks.
const ROOT: &str = "[root]";

/// The versions that are read.
const VERSIONS: [u64; 2] = [1, 2];

pub(in super::super) struct Dhat;

impl Format for Dhat {
    fn name(&self) -> &'static str {
        "DHAT"
    }

    fn sniff(&self, data: Bytes<'_>, _hints: &Hints) -> Claim {
        let head = data.head();
        let key = b"\"dhatFileVersion\"";
        let is_object = head.trim_ascii_start().starts_with(b"{");
        Claim::certain_if(is_object && head.windows(key.len()).any(|text| text == key))
    }

    fn read(&self, data: Bytes<'_>, hints: &Hints) -> Result<Loaded, ReadError> {
        let data = data.whole()?;
        let file: DhatFile<'_> = serde_json::from_slice(data).map_err(|error| at(&error))?;
        let costs = file.costs().map_err(|fault| ReadError::at_line(1, fault))?;
        hints.progress.advance(data.len() as u64);
        let kind = FileKind { has_stacks: true, ..FileKind::named("a DHAT profile") };
        Ok(Loaded::of_text("DHAT", kind, costs))
    }
}

fn at(error: &serde_json::Error) -> ReadError {
    let fault = if error.is_eof() {
        DhatFault::End
    } else {
        let words = error.to_string();
        let words = words.split(" at line ").next().unwrap_or_default();
        DhatFault::Json { words: words.to_owned() }
    };
    ReadError::at_line(error.line() as u64, fault)
}

/// A file, with the keys that are read.
#[derive(Debug, Deserialize)]
struct DhatFile<'a> {
    #[serde(rename = "dhatFileVersion")]
    version: u64,
    /// The event that counts blocks, such as `Allocated`.
    #[serde(borrow)]
    verb: Option<Cow<'a, str>>,
    /// Lifetimes of blocks are recorded.
    #[serde(rename = "bklt")]
    has_lifetimes: Option<bool>,
    /// Accesses to blocks are recorded.
    #[serde(rename = "bkacc")]
    has_accesses: Option<bool>,
    /// The unit of lifetimes.
    #[serde(borrow, rename = "tu")]
    time_unit: Option<Cow<'a, str>>,
    /// The unit of sizes.
    #[serde(borrow, rename = "bsu")]
    size_unit: Option<Cow<'a, str>>,
    /// The unit of counts.
    #[serde(borrow, rename = "bksu")]
    count_unit: Option<Cow<'a, str>>,
    #[serde(rename = "pps", alias = "aps")]
    points: Vec<ProgramPoint>,
    #[serde(borrow, rename = "ftbl")]
    frames: Vec<Cow<'a, str>>,
}

/// A frame of the list of frames.
struct ListedFrame {
    /// Its number among those that do not differ only in their address.
    number: usize,
    is_root: bool,
    is_of_valgrind: bool,
}

/// The blocks of one call stack.
#[derive(Debug, Deserialize)]
struct ProgramPoint {
    #[serde(rename = "tb")]
    all_bytes: u64,
    #[serde(rename = "tbk")]
    all_blocks: u64,
    #[serde(rename = "tl", alias = "tli", default)]
    lifetime: u64,
    #[serde(rename = "gb", default)]
    peak_bytes: u64,
    #[serde(rename = "gbk", default)]
    peak_blocks: u64,
    #[serde(rename = "eb", alias = "fb", default)]
    end_bytes: u64,
    #[serde(rename = "ebk", alias = "fbk", default)]
    end_blocks: u64,
    #[serde(rename = "rb", default)]
    read_bytes: u64,
    #[serde(rename = "wb", default)]
    written_bytes: u64,
    /// Indices of frames, innermost first.
    #[serde(rename = "fs")]
    stack: Box<[u32]>,
}

impl<'a> DhatFile<'a> {
    fn costs(&'a self) -> Result<RecordedCosts, DhatFault> {
        if !VERSIONS.contains(&self.version) {
            let version = self.version;
            return Err(DhatFault::Version { version });
        }
        let types = self.types();
        let metrics = self.metrics(&types);
        let mut costs = CostBuilder::new(types);
        // Many frames differ only in their address.
        let mut known: IndexMap<&[u8], FrameParts<'_>, RandomState> = IndexMap::default();
        let mut number = |text: &'a str| {
            let entry = known.entry(FrameParts::text_of(text.as_bytes()));
            let number = entry.index();
            let parts = entry.or_insert_with(|| FrameParts::of(text.as_bytes()));
            ListedFrame { number, is_root: text == ROOT, is_of_valgrind: parts.is_of_valgrind() }
        };
        let listed: Vec<_> = self.frames.iter().map(|text| number(text)).collect();
        let mut frames = vec![None; known.len()];
        let mut frame = |number: usize, costs: &mut CostBuilder| {
            *frames[number].get_or_insert_with(|| costs.frame(&known[number]))
        };
        let mut stack = Vec::new();
        for point in &self.points {
            stack.clear();
            let mut allocator = None;
            for &index in &point.stack {
                let listed = listed.get(index as usize).ok_or_else(|| {
                    let n_frames = self.frames.len();
                    DhatFault::Frame { index, n_frames }
                })?;
                if listed.is_root {
                    continue;
                }
                // A block belongs to the function that called the allocator.
                if stack.is_empty() && listed.is_of_valgrind {
                    allocator = Some(listed.number);
                } else {
                    stack.push(frame(listed.number, &mut costs));
                }
            }
            stack.reverse();
            if let Some(number) = allocator.filter(|_| stack.is_empty()) {
                stack.push(frame(number, &mut costs));
            }
            let context = costs.stack(&stack);
            let values = self.values(point)?;
            let sum = costs.add(SampleKey::Context(context), &values);
            sum.ok_or(DhatFault::Overflow)?;
        }
        Ok(costs.finish(metrics))
    }

    /// Version 1 describes blocks of the heap, each with its lifetime and accesses.
    fn has_lifetimes(&self) -> bool {
        self.has_lifetimes.unwrap_or(true)
    }

    fn has_accesses(&self) -> bool {
        self.has_accesses.unwrap_or(true)
    }

    fn types(&self) -> Vec<ValueType> {
        let quantities: &[_] = if self.has_lifetimes() {
            &[Quantity::ALLOCATED, Quantity::FREED, Quantity::AT_PEAK]
        } else {
            &[Quantity::EVENTS]
        };
        let mut types = heap_columns(quantities, &[None]);
        if self.has_accesses() {
            types.extend([Quantity::READ, Quantity::WRITTEN].map(bytes_of));
        }
        let lifetime = ValueType { unit: Unit::COUNT, ..bytes_of(Quantity::LIFETIME) };
        types.extend(self.has_lifetimes().then_some(lifetime));
        types
    }

    /// The values of a call stack, one for each column.
    fn values(&self, point: &ProgramPoint) -> Result<Vec<u64>, DhatFault> {
        let mut values = vec![point.all_blocks, point.all_bytes];
        if self.has_lifetimes() {
            let freed = |all: u64, end: u64| all.checked_sub(end).ok_or(DhatFault::Negative);
            values.extend([
                freed(point.all_blocks, point.end_blocks)?,
                freed(point.all_bytes, point.end_bytes)?,
                point.peak_blocks,
                point.peak_bytes,
            ]);
        }
        if self.has_accesses() {
            values.extend([point.read_bytes, point.written_bytes]);
        }
        values.extend(self.has_lifetimes().then_some(point.lifetime));
        Ok(values)
    }

    /// The unit of lifetimes: instructions of valgrind, microseconds of dhat-rs.
    fn unit_of_time(&self) -> Option<&'static str> {
        match self.time_unit.as_deref() {
            None | Some("instrs") => Some("instrs"),
            Some("µs") => Some("us"),
            _ => None,
        }
    }

    fn metrics(&self, types: &[ValueType]) -> Vec<ValueMetric> {
        if self.has_lifetimes() {
            let mut metrics = heap_metrics(types);
            let lifetime =
                metrics.iter_mut().find(|metric| *metric.name.id == *LIFETIME.as_bytes());
            lifetime.into_iter().for_each(|one| one.unit = self.unit_of_time());
            return metrics;
        }
        let verb = self.verb.as_deref().unwrap_or("allocated").to_lowercase();
        let metric = |unit: &str, column| {
            let is_of_memory = unit == "bytes" || unit == "blocks";
            let title = is_of_memory.then(|| format!("{verb} memory"));
            let name = MetricName {
                id: if unit == "blocks" { "count" } else { unit }.as_bytes().into(),
                title: title.map(|title| title.as_bytes().into()),
            };
            let unit = match unit {
                "bytes" => Some("bytes"),
                "blocks" => Some("blocks"),
                _ => None,
            };
            ValueMetric { unit, ..ValueMetric::of_column(name, ValueSource::Counted, column) }
        };
        let size_unit = self.size_unit.as_deref().unwrap_or("bytes");
        vec![metric(size_unit, 1), metric(self.count_unit.as_deref().unwrap_or("blocks"), 0)]
    }
}

fn bytes_of(quantity: Quantity) -> ValueType {
    ValueType { quantity, unit: Unit::BYTES, extent: Extent::Exclusive, class: None }
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum DhatFault {
    #[error("the file ends early")]
    End,
    #[error("{words}")]
    Json { words: String },
    #[error("file version {version}; profan reads versions 1 and 2")]
    Version { version: u64 },
    #[error("a stack has the frame {index}, but the file has {n_frames}")]
    Frame { index: u32, n_frames: usize },
    #[error("a stack has more memory at the end than it allocated")]
    Negative,
    #[error("the values of a stack exceed 64 bits")]
    Overflow,
}

impl FormatFault for DhatFault {
    fn is_cut_off(&self) -> bool {
        matches!(self, Self::End)
    }
}
