//! Finds functions that the program of one side inlines, by its debug information.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::sides::Programs;
use super::summing::PairedProgram;
use crate::cli::ReadingOptions;
use crate::compare::comparison::{Compared, Inlining};
use crate::compare::matching::{Joined, clone_base};
use crate::symbols::{Granularity, SymbolOptions, read_program};

/// Functions with costs on one side that the program of the other side inlines.
pub(super) fn inlinings(
    compared: &Compared,
    joined: &Joined,
    programs: &Programs,
    program: Option<&PairedProgram>,
    reading: &ReadingOptions,
) -> Vec<Inlining> {
    if programs.are_shared() {
        return Vec::new();
    }
    let mut found: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    // The side that inlines them.
    for side in [0, 1] {
        let rows = compared.on_one_side(side == 0);
        let names_on = |side: usize, row: usize| {
            let function = &joined.rows[row];
            if side == 0 { &function.old } else { &function.new }
        };
        let name = |row: usize| {
            let first = names_on(1 - side, row).first()?;
            Some((clone_base(&first.name).to_vec(), row))
        };
        let vanished: HashMap<_, _> = rows.filter_map(name).collect();
        if vanished.is_empty() {
            continue;
        }
        let functions = (0..joined.rows.len())
            .flat_map(|row| names_on(side, row).iter().map(move |name| (&*name.name, row)));
        let functions: HashMap<&[u8], usize> = functions.collect();
        let options =
            SymbolOptions { granularity: Granularity::Inlines, ..reading.symbols.clone() };
        let set = programs.of_side(side);
        let executables: Vec<_> = match program.map(|program| program.at[side]) {
            None => set.executables.iter().collect(),
            Some(program) => program.map_or_else(Vec::new, |at| set.executables_of(at).collect()),
        };
        for executable in executables {
            let Ok(program) = read_program(executable, &options) else {
                continue;
            };
            let inlines = program.table.inlines();
            for (_, inlined) in inlines.into_iter().flat_map(|inlines| inlines.iter()) {
                let caller = &program.table.get(inlined.enclosing).name;
                if let Some(&function) = vanished.get(&*inlined.name)
                    && let Some(&caller) = functions.get(&**caller)
                {
                    found.entry(function).or_default().insert(caller);
                }
            }
        }
    }
    let found = found.into_iter();
    found.map(|(function, into)| Inlining { function, into: into.into_iter().collect() }).collect()
}
