//! Joins several objects into one profile and one table.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use anyhow::Result;

use super::Object;
use crate::diagnose::{self, ObjectRef, RunError, Warning};
use crate::filter::is_of_start_up;
use crate::model::{Address, CallArc, CoarseSites, MergePolicy, Profile, ValueSource};
use crate::run::inputs::ProgramFile;
use crate::symbols::{
    CoarseCallers, Code, Granularity, LineRun, NamesFrom, Placed, StaticCall, StaticCallError,
    SymbolId, SymbolOptions, SymbolTable, coarse_callers, place, place_of_jump, read_program,
    static_calls, tail_calls,
};
use crate::threads;

/// The basis of a report on sampled time.
pub(in crate::run) struct Joined<'a> {
    pub(in crate::run) profile: Profile,
    pub(in crate::run) table: Arc<SymbolTable>,
    /// Executables with the number of their first symbol.
    pub(in crate::run) executables: Vec<(SymbolId, ProgramFile<'a>)>,
    /// Source lines, by address.
    pub(in crate::run) lines: Cow<'a, [LineRun]>,
    /// Warnings about single libraries.
    pub(in crate::run) warnings: Vec<Warning>,
    /// There is one object.
    is_alone: bool,
}

/// Joins objects. A single one keeps its addresses.
///
/// # Errors
/// If their measurements cannot be combined.
pub(in crate::run) fn join<'a>(
    mut objects: Vec<Object<'a>>,
    external: Option<&Arc<SymbolTable>>,
) -> Result<Joined<'a>> {
    let has_libraries = objects.iter().any(|object| object.is_library);
    let warnings = if has_libraries {
        diagnose::check_objects(&objects.iter().map(object_ref).collect::<Vec<_>>())
    } else {
        Vec::new()
    };
    let is_alone = objects.len() == 1;
    let tables = objects.iter().map(|object| table_of(object, external, is_alone));
    let tables = tables.collect::<Result<Vec<_>>>()?;
    for (object, table) in objects.iter_mut().zip(&tables) {
        if let Some((executable, program)) = object.executable {
            // The dynamic linker, which counts the calls of a library, adds atomically.
            if program.linkage.starts_threads && !object.is_library {
                object.profile.calls_source = ValueSource::CountedAtLeast;
            }
            let code = Code::to_decode(executable)?;
            // Only few programs need the address of mcount, which takes a search.
            let with_mcount = OnceCell::new();
            let counts_calls = |body: &Range<Address>| {
                let code = with_mcount.get_or_init(|| Code::new(executable).ok());
                code.as_ref().is_some_and(|code| code.counts_calls(body))
            };
            let n_calls = OnceLock::new();
            object.profile.find_instructions(|histogram, arcs| {
                let mut found = code.starts_in_bins(table, histogram);
                found.weigh(table, arcs, &n_calls, counts_calls);
                found.into_starts()
            });
        }
    }
    let mut executables = Vec::new();
    let mut first = 0;
    for (object, table) in objects.iter().zip(&tables) {
        executables.extend(object.executable.map(|one| (SymbolId(first), one)));
        first += u32::try_from(table.symbols().len())?;
    }
    let (mut profile, table, lines) = match objects.len() {
        1 => {
            let only = objects.into_iter().zip(tables).next();
            let (object, table) = only.expect("there is one");
            let program = object.executable.map(|(_, program)| program);
            let lines = program.map_or(&[][..], |program| &program.lines);
            (object.profile, table, Cow::Borrowed(lines))
        }
        _ => {
            let (profile, table, lines) = moved_apart(objects, tables)?;
            (profile, Arc::new(table), Cow::Owned(lines))
        }
    };
    profile.sort_records();
    Ok(Joined { profile, table, executables, lines, warnings, is_alone })
}

impl Joined<'_> {
    /// Has arcs with coarse call sites come from the function with the call, in the only object.
    /// Returns the size of the sites in bytes, and the callers.
    pub(in crate::run) fn find_coarse_callers(&mut self) -> Result<Option<(u64, CoarseCallers)>> {
        let table = &*self.table;
        let (true, [(_, (executable, program))]) = (self.is_alone, &self.executables[..]) else {
            return Ok(None);
        };
        let coarse = self.profile.coarse_sites(|site| table.containing(site).is_some());
        let coarse = coarse.filter(|coarse| coarse.is_certain(program.encoding));
        let Some(step) = coarse.map(|coarse| coarse.step) else {
            return Ok(None);
        };
        // Callees need whole functions.
        let own;
        let functions = if table.granularity() == Granularity::Functions {
            table
        } else {
            own = read_program(executable, &SymbolOptions::default())?;
            &own.table
        };
        let arcs = self.profile.arcs();
        let found = coarse_callers(executable, functions, arcs, CoarseSites::USUAL_STEP..step)?;
        let Some(found) = found else {
            return Ok(None);
        };
        let mut arcs = self.profile.take_arcs();
        for &(arc, call) in &found.calls {
            arcs[arc].call_site = call;
        }
        self.profile.add_arcs(arcs);
        self.profile.sort_records();
        Ok(Some((step, found)))
    }

    /// Has arcs of tail calls come from the function that jumped, in the first object. Returns
    /// these callers with their callees, in order.
    pub(in crate::run) fn redirect_tail_calls(&mut self) -> Result<Vec<(SymbolId, SymbolId)>> {
        let Some(&(SymbolId(0), (executable, _))) = self.executables.first() else {
            return Ok(Vec::new());
        };
        if self.profile.arcs().is_empty() {
            return Ok(Vec::new());
        }
        let table = &*self.table;
        let step = self.profile.call_site_step(0, |site| table.containing(site).is_some());
        let mut arcs = self.profile.take_arcs();
        let found = tail_calls(executable, table, &arcs, step)?;
        let jumps = found.iter().map(|call| CallArc {
            call_site: place_of_jump(&table.get(call.caller).range),
            callee: arcs[call.arc].callee,
            count: call.count,
        });
        let jumps: Vec<_> = jumps.collect();
        let mut redirected = found.iter().map(|call| call.arc).peekable();
        let mut place = 0..;
        arcs.retain(|_| {
            let place = place.next();
            let mut is_kept = true;
            while redirected.next_if(|&arc| Some(arc) == place).is_some() {
                is_kept = false;
            }
            is_kept
        });
        self.profile.add_arcs(arcs);
        self.profile.add_arcs(jumps);
        self.profile.sort_records();
        let mut calls: Vec<_> = found.iter().map(|call| (call.caller, call.callee)).collect();
        calls.sort_unstable();
        calls.dedup();
        Ok(calls)
    }
}

fn object_ref<'o>(object: &'o Object<'_>) -> ObjectRef<'o> {
    ObjectRef {
        name: &object.name,
        profile: &object.profile,
        encoding: object.informative_encoding(),
        program: object
            .executable
            .map(|(executable, program)| diagnose::ProgramRef { path: executable.path(), program }),
        is_profiled_library: object.is_library,
        library: object.library.as_ref(),
        n_runs: object.n_runs,
    }
}

/// The functions of an object; by address if it has no names. These end with the profiled
/// range, since other objects may follow.
fn table_of(
    object: &Object<'_>,
    external: Option<&Arc<SymbolTable>>,
    is_alone: bool,
) -> Result<Arc<SymbolTable>> {
    let external = external.filter(|_| !object.is_library);
    let own = object.executable.map(|(_, program)| &program.table);
    let own = own.or(external);
    if let Some(table) = own.filter(|table| !table.symbols().is_empty()) {
        if let Some(one) = object.executable.filter(|_| is_alone) {
            let entries = unnamed_entries(&object.profile, one, table)?;
            if !entries.is_empty() {
                return Ok(Arc::new(table.with_entries(&entries, &one.1.code)));
            }
        }
        return Ok(Arc::clone(table));
    }
    let entries = object.profile.arcs().iter().map(|arc| arc.callee);
    let table = SymbolTable::of_entries(entries);
    Ok(Arc::new(if is_alone { table } else { table.cut_at(profiled(&object.profile).end) }))
}

/// Entries of functions without names, ascending: where calls of mcount came from, or any
/// recorded callee if the program has no names at all.
fn unnamed_entries(
    profile: &Profile,
    (executable, program): ProgramFile<'_>,
    table: &SymbolTable,
) -> Result<Vec<Address>> {
    let is_unnamed = |address: Address| {
        let symbol = table.containing(address).map(|id| table.get(id));
        symbol.is_none_or(|symbol| symbol.is_static && is_of_start_up(symbol))
    };
    let unnamed = |arcs: &[CallArc]| {
        let callees = arcs.iter().map(|arc| arc.callee);
        callees.filter(|&callee| is_unnamed(callee)).collect::<Vec<_>>()
    };
    let mut entries = threads::pieces(profile.arcs(), threads::WORTH_ITEMS, unnamed).concat();
    if entries.is_empty() || table.granularity() != Granularity::Functions {
        return Ok(Vec::new());
    }
    entries.sort_unstable();
    entries.dedup();
    let code = Code::new(executable)?;
    let has_no_names = program.names_from == NamesFrom::Nothing;
    entries.retain(|&entry| {
        let called = code.call_returning_to(entry);
        called.is_some_and(|target| code.is_mcount(target)) || has_no_names && code.contains(entry)
    });
    Ok(entries)
}

fn moved_apart(
    objects: Vec<Object<'_>>,
    tables: Vec<Arc<SymbolTable>>,
) -> Result<(Profile, SymbolTable, Vec<LineRun>)> {
    let tables: Vec<_> = tables.into_iter().map(Arc::unwrap_or_clone).collect();
    let ranges = objects.iter().zip(&tables).map(|(object, table)| {
        (object.name.as_bytes().into(), joined(profiled(&object.profile), covered(table)))
    });
    let places = place(ranges.collect()).ok_or(RunError::NoRoom)?;
    let mut sum = Profile::default();
    let mut lines: Vec<&[LineRun]> = Vec::new();
    for (object, placed) in objects.into_iter().zip(&places) {
        let program = object.executable.map(|(_, program)| program);
        lines.push(program.map_or(&[], |program| &program.lines));
        let moved = at_its_place(object.profile, placed);
        sum.merge(moved, MergePolicy::LENIENT)
            .map_err(|source| RunError::UnlikeObject { object: object.name, source })?;
    }
    let parts = places.into_iter().zip(tables).zip(lines);
    let parts = parts.map(|((placed, table), lines)| (placed, table, lines));
    let (table, lines) = SymbolTable::of_objects(parts.collect());
    Ok((sum, table, lines))
}

/// The address range of histograms, or else of callees.
fn profiled(profile: &Profile) -> Range<Address> {
    let histograms = profile.histograms().iter();
    let ranges = histograms.map(|h| h.low..h.high).filter(|range| !range.is_empty());
    let callees = profile.arcs().iter().map(|arc| arc.callee);
    let called = callees.map(|callee| callee..Address(callee.0.saturating_add(1)));
    let all = ranges.reduce(joined).or_else(|| called.reduce(joined));
    all.unwrap_or(Address(0)..Address(0))
}

fn covered(table: &SymbolTable) -> Range<Address> {
    let symbols = table.symbols().iter();
    let ends = symbols.map(|symbol| symbol.range.start..symbol.range.end.max(symbol.ticks_end));
    ends.reduce(joined).unwrap_or(Address(0)..Address(0))
}

fn joined(one: Range<Address>, other: Range<Address>) -> Range<Address> {
    match (one.is_empty(), other.is_empty()) {
        (true, _) => other,
        (_, true) => one,
        _ => one.start.min(other.start)..one.end.max(other.end),
    }
}

/// Moves a profile to the addresses of its object. Calls across its border lead to an unknown
/// place.
fn at_its_place(mut profile: Profile, placed: &Placed) -> Profile {
    let linked = placed.linked(placed.range.start)..placed.linked(placed.range.end);
    let known = |address: Address| {
        if linked.contains(&address) { address } else { CallArc::OUTSIDE }
    };
    profile.map_arcs(|arc| CallArc {
        call_site: known(arc.call_site),
        callee: known(arc.callee),
        ..arc
    });
    profile.move_down(placed.distance.wrapping_neg());
    profile
}

impl Joined<'_> {
    /// The calls in the code of all executables.
    ///
    /// # Errors
    /// If a machine is unknown or an executable is damaged.
    pub(in crate::run) fn static_calls(&self) -> Result<Vec<StaticCall>, StaticCallError> {
        let mut all = Vec::new();
        for &(first, (executable, program)) in &self.executables {
            // Functions without names have their addresses in the table of all.
            let is_alone = self.is_alone;
            let table = if is_alone { &self.table } else { &program.table };
            let calls = static_calls(executable, table)?;
            let joined = |id: SymbolId| SymbolId(first.0 + id.0);
            all.extend(calls.into_iter().map(|call| StaticCall {
                caller: joined(call.caller),
                callee: call.callee.map(joined),
            }));
        }
        Ok(all)
    }
}
