//! Which inlined code a report by function shows, or names in a note.

use std::collections::BTreeMap;

use super::objects::build::ProgramFit;
use super::subject::{Subject, SubjectSymbols};
use crate::analyze::LargestInlined;
use crate::diagnose;
use crate::render::short_name;
use crate::sorting::ColdSort;
use crate::symbols::{
    Demangler, Executable, Granularity, InlinedCall, Symbol, SymbolId, SymbolOptions, SymbolTable,
    read_inlined,
};

/// Columns that a name has in a note.
const NAME_COLUMNS: usize = 40;

/// Functions with the most samples, and their inlined code.
pub(super) struct InlinedCode {
    pub(super) functions: Vec<SymbolId>,
    /// The functions, in their order, and the code inlined into them.
    pub(super) table: SymbolTable,
    largest: LargestInlined,
}

/// Looks up code inlined into the functions with the most samples, which the report may show.
/// `None` if the report does not use it, without information, or if no function is mostly inlined
/// code. Damage of debugging information was reported when the symbols were read.
pub(super) fn look_up(
    subject: &Subject<'_>,
    fit: ProgramFit,
    shows_parts: bool,
    symbols: &SymbolOptions,
) -> Option<InlinedCode> {
    let SubjectSymbols::Program(_) = subject.symbols else {
        return None;
    };
    let (profile, table) = (&subject.profile, subject.table());
    let is_by_function = table.granularity() == Granularity::Functions;
    let explains_something = shows_parts || profile.arcs().is_empty();
    if fit != ProgramFit::Fits || !is_by_function || !explains_something {
        return None;
    }
    let costs = &subject.selection.costs;
    let executable = subject.executable()?.0;
    // The first object has the addresses that its linker gave it.
    let end = subject.executables.get(1).map(|&(first, _)| first);
    let functions = costs.worth_a_look(table);
    let functions: Vec<_> = functions.take_while(|&id| end.is_none_or(|end| id < end)).collect();
    let (executable, functions) = of_one_image(executable, functions, table)?;
    if functions.is_empty() {
        return None;
    }
    let code = functions.iter().map(|&id| table.get(id).clone());
    let code: Vec<Symbol> = code.collect();
    let inlined = read_inlined(executable, symbols, code).ok()?;
    let largest = LargestInlined::find(profile.histograms(), &functions, &inlined, costs)?;
    Some(InlinedCode { functions, table: inlined, largest })
}

/// The image with most of some functions, and those in it.
fn of_one_image<'a>(
    executable: &'a Executable,
    functions: Vec<SymbolId>,
    table: &SymbolTable,
) -> Option<(&'a Executable, Vec<SymbolId>)> {
    if let [only] = executable.images() {
        return Some((only, functions));
    }
    let in_image = |image: &'a Executable| {
        let code = image.code_ranges().ok()?;
        let is_in =
            |id: &SymbolId| code.iter().any(|one| one.contains(&table.get(*id).range.start));
        Some((image, functions.iter().copied().filter(is_in).collect::<Vec<_>>()))
    };
    let images = executable.images().iter();
    images.filter_map(in_image).max_by_key(|(_, functions)| functions.len())
}

/// Sentences on inlined functions that were requested and count as functions.
pub(super) fn about_requested(subject: &Subject<'_>, demangler: &Demangler) -> Vec<String> {
    let (table, costs) = (subject.table(), &subject.selection.costs);
    let raw = |id| &*table.get(id).name;
    let mut by_name: BTreeMap<_, Vec<&InlinedCall>> = BTreeMap::new();
    for call in table.inlines().into_iter().flat_map(|inlines| inlines.calls()) {
        by_name.entry(raw(call.callee)).or_default().push(call);
    }
    let about = by_name.into_iter().map(|(name, mut calls)| {
        let ticks = |call: &InlinedCall| costs.self_cost(call.callee, costs.shape.primary);
        calls.cold_sort_by(|a, b| ticks(b).compare(ticks(a)).then(a.callee.cmp(&b.callee)));
        let callers =
            calls.iter().map(|call| (name_in_note(raw(call.caller), demangler), call.n_copies));
        let has_samples = calls.iter().any(|call| !ticks(call).is_zero());
        let callers: Vec<_> = callers.collect();
        diagnose::inlined_function(&name_in_note(name, demangler), &callers, has_samples)
    });
    about.collect()
}

/// A sentence on them for the report: the largest, unless rows show it, and everywhere, that calls
/// are missing because of them.
pub(super) fn note(
    code: &InlinedCode,
    subject: &Subject<'_>,
    demangler: &Demangler,
    shows_rows: bool,
) -> Option<String> {
    let LargestInlined { function, percent, name, self_ticks } = &code.largest;
    let scale = &subject.selection.costs.sampling.as_ref()?.scale;
    let has_calls = !subject.profile.arcs().is_empty();
    diagnose::inlined_code(&diagnose::InlinedCode {
        function: name_in_note(&subject.table().get(*function).name, demangler),
        percent: *percent,
        largest: (!shows_rows).then(|| (name_in_note(name, demangler), self_ticks / scale.rate)),
        unit: match &*scale.dimension {
            b"seconds" => "s".into(),
            other => String::from_utf8_lossy(other),
        },
        has_calls,
    })
}

/// The name of a function in a sentence.
pub(super) fn name_in_note(raw: &[u8], demangler: &Demangler) -> String {
    String::from_utf8_lossy(&short_name(&demangler.shown(raw), NAME_COLUMNS)).into_owned()
}
