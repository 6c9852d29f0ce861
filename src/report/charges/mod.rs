//! Reports of exact charges, in the taste of gprof's.
//!
//! The layout is what its users know; columns say what was recorded, and are as wide
//! as their numbers.

mod annotated;
mod bins;
mod call_graph;
mod classes;
mod entries;
mod events;
mod explanations;
mod flat;
mod leaks;

use std::io::{self, Write};

pub use annotated::{ChargedSource, write_charged_source};
pub(super) use bins::sizes_of;
pub use bins::write_sizes;
pub use call_graph::write_graph;
pub use classes::write_classes;
pub use entries::write_entries;
pub use events::write_events;
pub use flat::write_flat;
pub use leaks::write_leaks;

use super::gnu::Names;
use crate::analyze::charges::{Kind, Ledger, Measure};

/// How these reports are printed.
#[derive(Clone, Copy, Debug)]
pub struct ChargeStyle {
    /// Print what the columns mean.
    pub explains: bool,
    /// Headings stand out.
    pub has_color: bool,
    /// Columns of the index.
    pub width: usize,
}

/// What all of these reports print numbers by.
#[derive(Clone, Copy, Debug)]
pub struct ChargeText<'a> {
    /// The numbers.
    pub ledger: &'a Ledger,
    /// The names of symbols.
    pub names: &'a Names<'a>,
    /// How.
    pub style: ChargeStyle,
}

impl ChargeText<'_> {
    fn write_heading(&self, out: &mut dyn Write, heading: &str) -> io::Result<()> {
        let (bold, plain) = match self.style.has_color {
            true => ("\x1b[1m", "\x1b[0m"),
            false => ("", ""),
        };
        writeln!(out, "{bold}{heading}{plain}\n")
    }

    /// Says that nothing stands beside any line of source.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn write_no_sources(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"No source has a line that anything is charged to.\n")
    }

    /// A number of the report's measure.
    fn number(&self, amount: i128) -> String {
        number(amount, self.ledger.kind, self.ledger.measure)
    }

    /// The unit of the report's measure.
    fn unit(&self) -> &'static str {
        unit(self.ledger.kind, self.ledger.measure)
    }

    /// What there is in all, in a sentence or two, each on a line where they are long.
    fn sum_up(&self) -> String {
        let ledger = self.ledger;
        let all = |measure| ledger.all.get(measure);
        let collected = ledger.collected.unwrap_or(0);
        let collected = number(i128::from(collected), ledger.kind, Measure::Value);
        let value = number(all(Measure::Value), ledger.kind, Measure::Value);
        match ledger.kind {
            Kind::Heap => {
                let allocated = format!(
                    "{} allocated in {};",
                    counted(all(Measure::Value), "byte"),
                    counted(all(Measure::Count), "block"),
                );
                let unfreed = format!(
                    "{} in {} never freed.",
                    counted(all(Measure::UnfreedValue), "byte"),
                    counted(all(Measure::UnfreedCount), "block"),
                );
                let fits = allocated.len() + 1 + unfreed.len() <= LINE;
                format!("{allocated}{}{unfreed}", if fits { ' ' } else { '\n' })
            }
            Kind::Time(rate) => format!(
                "Each sample counts as {} seconds.\n{value} seconds in all, {collected} of them \
                 in the garbage collector.",
                1.0 / f64::from(rate),
            ),
            Kind::Allocated => format!(
                "{} allocated, {collected} of them by the garbage collector.",
                counted(all(Measure::Value), "byte"),
            ),
            Kind::Entries => match all(Measure::Value) {
                1 => "1 entry.".to_owned(),
                n_entries => format!("{n_entries} entries."),
            },
            Kind::Events => format!("{}.", counted(all(Measure::Value), "event")),
            Kind::Nothing => "Nothing was measured.".to_owned(),
        }
    }
}

/// The columns of a line of text.
const LINE: usize = 80;

/// The name of the row of all that was counted, but for nobody.
const NO_STACK: &[u8] = b"<no call stack>";

/// A share with so many digits. Nothing is nothing, even if it is less than that.
fn percentage(percent: f64, n_digits: usize) -> String {
    let text = format!("{percent:.n_digits$}");
    match text.strip_prefix('-') {
        Some(rest) if !rest.contains(|c: char| ('1'..='9').contains(&c)) => rest.to_owned(),
        _ => text,
    }
}

/// A number and what is counted.
fn counted(amount: i128, what: &str) -> String {
    match amount {
        1 => format!("1 {what}"),
        _ => format!("{amount} {what}s"),
    }
}

/// An amount in its unit: time in seconds, everything else as it is.
fn number(amount: i128, kind: Kind, measure: Measure) -> String {
    match (kind, measure) {
        (Kind::Time(rate), Measure::Value) => format!("{:.2}", amount as f64 / f64::from(rate)),
        _ => amount.to_string(),
    }
}

fn unit(kind: Kind, measure: Measure) -> &'static str {
    match (kind, measure) {
        (Kind::Heap, Measure::Count | Measure::UnfreedCount) => "blocks",
        (Kind::Heap | Kind::Allocated, _) => "bytes",
        (Kind::Time(_), _) => "seconds",
        (Kind::Entries, _) => "entries",
        (Kind::Events, _) => "events",
        (Kind::Nothing, _) => "",
    }
}
