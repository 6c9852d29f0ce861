//! The totals of a heap on both sides, in sentences.

use super::change::{Change, in_percent};
use super::compared::Compared;
use crate::analyze::{Amount, metric_named};
use crate::report::number::fixed;

/// The parts of a heap, with their metrics of bytes and of blocks.
const PARTS: [(&str, &str, &str); 3] = [
    ("Allocated", "bytes", "count"),
    ("In use at the peak", "peak-bytes", "peak-count"),
    ("Never freed", "unfreed-bytes", "unfreed-count"),
];

/// A sentence for each recorded part of a heap. Shares of each side have none: all are 100 %.
pub(super) fn about_heap(compared: &Compared) -> Vec<String> {
    let changes = &compared.total.self_costs;
    let change = |id: &str, unit: &str| {
        let metric = metric_named(&compared.measure.metrics, id)?;
        let is_it = compared.measure.metrics[metric].unit == unit && !compared.is_normalized;
        let (_, change) = changes.iter().find(|(of, _)| *of == metric && is_it)?;
        Some(both_sides(change, unit))
    };
    let sentence = |(part, bytes, blocks): (&str, &str, &str)| {
        let bytes = change(bytes, "bytes")?;
        let blocks = change(blocks, "blocks").map(|blocks| format!("; {blocks}"));
        Some(format!("{part}: {bytes}{}.", blocks.unwrap_or_default()))
    };
    PARTS.into_iter().filter_map(sentence).collect()
}

/// `20 bytes old, 30 new, change +10 (+50.0 %)`.
fn both_sides(change: &Change, unit: &str) -> String {
    let [old, new, by] = [change.old, change.new, change.change].map(number);
    let unit = if old == "1" { unit.trim_end_matches('s') } else { unit };
    if change.is_none() {
        return format!("{old} {unit} on both sides");
    }
    let sign = if change.change.is_positive() { "+" } else { "" };
    format!("{old} {unit} old, {new} new, change {sign}{by}{}", in_percent(change.percent()))
}

/// A number with a decimal if it is a mean that has some.
fn number(amount: Amount) -> String {
    match amount {
        Amount::Exact(number) => number.to_string(),
        Amount::Ticks(number) => fixed(number, usize::from(number.fract() != 0.0)),
    }
}
