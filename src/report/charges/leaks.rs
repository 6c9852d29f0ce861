//! What was never freed, by call stack.

use std::io::{self, Write};

use super::{ChargeText, NO_STACK, counted, explanations, percentage};
use crate::analyze::charges::{Leak, LeakDepth, Leaks, Measure};
use crate::report::table::Table;

/// Prints the leaks, the largest first, and below each who called.
///
/// # Errors
/// When the writer fails.
pub fn write_leaks(out: &mut dyn Write, leaks: &Leaks, text: &ChargeText<'_>) -> io::Result<()> {
    text.write_heading(
        out,
        match leaks.depth {
            LeakDepth::NoStacks => "Leaks by function:",
            _ => "Leaks by call stack:",
        },
    )?;
    let all = &text.ledger.all;
    let (bytes, blocks) = (Measure::UnfreedValue, Measure::UnfreedCount);
    if leaks.leaks.is_empty() {
        return out.write_all(match (leaks.is_filtered, all.get(bytes), all.get(blocks)) {
            (true, ..) => b"No function that is shown has leaks.\n",
            (_, 0, 0) => b"Everything that was allocated was freed.\n",
            _ => b"No stack allocated more than was freed of it.\n",
        });
    }
    writeln!(
        out,
        "{} in {} never freed,\nof {} in {}; {}.",
        counted(all.get(bytes), "byte"),
        counted(all.get(blocks), "block"),
        counted(all.get(Measure::Value), "byte"),
        counted(all.get(Measure::Count), "block"),
        match leaks.depth {
            LeakDepth::NoStacks => "call stacks were not recorded".to_owned(),
            LeakDepth::Whole => "whole stacks are told apart".to_owned(),
            LeakDepth::Functions(1) => "functions are told apart".to_owned(),
            LeakDepth::Functions(depth) => format!("stacks are told apart by {depth} functions"),
        }
    )?;
    let mut table = Table::new(vec![
        ["%", "unfreed"],
        ["unfreed", "bytes"],
        ["unfreed", "blocks"],
        ["allocated", "bytes"],
        ["allocated", "blocks"],
        ["", "name"],
    ]);
    for leak in &leaks.leaks {
        push_leak(&mut table, leak, text);
    }
    table.write(out)?;
    if text.style.explains {
        out.write_all(explanations::LEAKS.as_bytes())?;
    }
    Ok(())
}

fn push_leak(table: &mut Table, leak: &Leak, text: &ChargeText<'_>) {
    let number = |measure| leak.amounts.get(measure).to_string();
    let cells = vec![
        percentage(leak.percent, 2),
        number(Measure::UnfreedValue),
        number(Measure::UnfreedCount),
        number(Measure::Value),
        number(Measure::Count),
    ];
    let Some((first, callers)) = leak.stack.split_first() else {
        return table.push(cells, NO_STACK.to_vec());
    };
    table.push(cells, text.names.name(*first).to_vec());
    let blank = || vec![String::new(); 5];
    for caller in callers {
        let name = [b"  by ", text.names.name(*caller)].concat();
        table.push(blank(), name);
    }
    if leak.n_more > 0 {
        let more = format!("  by {} more functions", leak.n_more);
        table.push(blank(), more.into_bytes());
    }
    if leak.is_cut {
        table.push(blank(), b"  by ...".to_vec());
    }
}
