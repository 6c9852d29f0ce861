//! What was never freed, by call stack.

use std::io::{self, Write};

use super::{ChargeText, counted, explanations};
use crate::analyze::charges::{Leak, Leaks, Measure};
use crate::report::table::Table;

/// Prints the leaks, the largest first, and below each who called.
///
/// # Errors
/// When the writer fails.
pub fn write_leaks(out: &mut dyn Write, leaks: &Leaks, text: &ChargeText<'_>) -> io::Result<()> {
    text.write_heading(out, "Leaks by call stack:")?;
    if leaks.leaks.is_empty() {
        return writeln!(out, "Everything that was allocated was freed.");
    }
    let all = &text.ledger.all;
    let (bytes, blocks) = (Measure::UnfreedValue, Measure::UnfreedCount);
    writeln!(
        out,
        "{} in {} never freed, of {} in {}; {}.",
        counted(all.get(bytes), "byte"),
        counted(all.get(blocks), "block"),
        counted(all.get(Measure::Value), "byte"),
        counted(all.get(Measure::Count), "block"),
        match leaks.depth {
            None => "whole stacks are told apart".to_owned(),
            Some(1) => "functions are told apart".to_owned(),
            Some(depth) => format!("stacks are told apart by {depth} functions"),
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
        format!("{:.2}", leak.percent),
        number(Measure::UnfreedValue),
        number(Measure::UnfreedCount),
        number(Measure::Value),
        number(Measure::Count),
    ];
    let (first, callers) = leak.stack.split_first().expect("a stack has a function");
    table.push(cells, text.names.name(*first).to_vec());
    let blank = || vec![String::new(); 5];
    for caller in callers {
        let name = [b"  by ", text.names.name(*caller)].concat();
        table.push(blank(), name);
    }
    if leak.is_cut {
        table.push(blank(), b"  by ...".to_vec());
    }
}
