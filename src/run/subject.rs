//! The basis of all reports: a profile with named functions and their costs. Later stages do
//! not depend on the kind of profile.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;

use super::inputs::ProgramFile;
use super::objects::joining::{Joined, join};
use super::objects::{Object, is_sampled};
use super::{checks, grouping, names};
use crate::analyze::{CostGraph, Material, SectionOptions, SymbolGraph};
use crate::cli::{Base, GroupBy, Plan};
use crate::diagnose::{RunError, Warning};
use crate::filter::keep::Keep;
use crate::filter::{FilterSets, FilterSpecs, Finder, Unknown};
use crate::model::{Address, Encoding, MergeError, Profile};
use crate::symbols::{
    CoarseCallers, ContextKeys, Demangler, Granularity, LineRun, NamedContexts, NamesFrom,
    StaticCall, StaticCallError, Style, SymbolId, SymbolTable,
};

/// How to make a subject.
#[derive(Clone, Copy)]
pub(super) struct SubjectOptions<'p> {
    pub(super) filters: &'p FilterSpecs,
    pub(super) keep: Option<&'p Keep>,
    /// The metric to sort by: its name in the profile.
    pub(super) value: Option<&'p str>,
    /// How names in requests are written.
    pub(super) demangle: Style,
    pub(super) granularity: Granularity,
    pub(super) group_by: Option<&'p GroupBy>,
    /// Functions with the same name and location are merged.
    pub(super) merges_names: bool,
    pub(super) hides_library: bool,
    pub(super) static_calls: bool,
    /// It is compared with others, in which a name must denote the same functions.
    pub(super) is_one_of_many: bool,
    /// It has lines for annotated source; the function specs were checked before.
    pub(super) is_for_source: bool,
}

impl<'p> SubjectOptions<'p> {
    pub(super) fn of(plan: &'p Plan) -> Self {
        Self {
            filters: &plan.filters,
            keep: plan.functions.keep.as_ref(),
            value: plan.functions.value.as_deref(),
            demangle: names::style(&plan.look),
            granularity: plan.reading.symbols.granularity,
            group_by: plan.reports.group_by.as_ref(),
            merges_names: plan.functions.merge_names,
            hides_library: plan.functions.no_library,
            static_calls: plan.functions.static_call_graph,
            is_one_of_many: false,
            is_for_source: false,
        }
    }
}

/// A profile of any kind with named functions and their costs.
pub(super) struct Subject<'a> {
    pub(super) profile: Arc<Profile>,
    pub(super) symbols: SubjectSymbols<'a>,
    pub(super) selection: SelectedCosts,
    /// Executables with the number of their first symbol.
    pub(super) executables: Vec<(SymbolId, ProgramFile<'a>)>,
    /// The profiles of the program and its executable, if given.
    pub(super) program: Option<(Vec<PathBuf>, ProgramFile<'a>)>,
    /// Word size and byte order of the profiles.
    pub(super) encoding: Option<Encoding>,
    pub(super) objects: ObjectFacts,
    /// Warnings about single libraries.
    pub(super) warnings: Vec<Warning>,
    /// Why the calls in machine code are unavailable.
    pub(super) no_static_calls: Option<Warning>,
    /// Whether coarse call sites leave callers open.
    pub(super) coarse_callers: Option<Warning>,
    /// All code that can have run has a name.
    pub(super) has_all_names: bool,
}

/// Properties of the objects.
#[derive(Clone, Copy)]
pub(super) struct ObjectFacts {
    /// There are libraries or several programs.
    pub(super) has_libraries: bool,
    pub(super) are_libraries: bool,
    pub(super) are_all_given: bool,
    /// Symbols are in a separate file.
    pub(super) has_external: bool,
}

/// The functions, or lines, of a profile.
pub(super) enum SubjectSymbols<'a> {
    /// From executables, by address.
    Program(ProgramSymbols<'a>),
    /// From recorded contexts.
    Contexts(Arc<NamedContexts>),
}

pub(super) struct ProgramSymbols<'a> {
    pub(super) table: Arc<SymbolTable>,
    /// Source lines, by address.
    pub(super) lines: Cow<'a, [LineRun]>,
    static_calls: Vec<StaticCall>,
    /// Callers and callees of calls that were jumps, in order.
    tail_calls: Vec<(SymbolId, SymbolId)>,
}

/// The selected functions and their costs.
pub(super) struct SelectedCosts {
    pub(super) filters: FilterSets,
    pub(super) costs: Arc<CostGraph>,
    /// For each function, whether the keep expression selects it, and it is not hidden as part
    /// of a library.
    pub(super) kept: Option<Box<[bool]>>,
}

/// Subtracts the base that the user specified. Addresses of libraries are recorded without it,
/// and addresses of contexts were moved with their files.
pub(super) fn put_at_base(objects: &mut [Object<'_>], base: Option<Base>) {
    for object in objects {
        if let Some(base) = base.filter(|_| !object.is_library) {
            let program = object.executable.map(|(_, program)| program);
            let link_base = program.map_or(Address(0), |program| program.link_base);
            object.profile.move_down(base.distance_from(link_base));
        }
        object.profile.sort_records();
    }
}

impl<'a> Subject<'a> {
    /// Names the contents of objects and adds up their costs. With an `external` table, it
    /// has the symbols of the first object.
    ///
    /// # Errors
    /// If objects cannot be combined, or a requested name does not exist.
    pub(super) fn new(
        objects: Vec<Object<'a>>,
        external: Option<&Arc<SymbolTable>>,
        options: &SubjectOptions<'_>,
    ) -> Result<Self> {
        let facts = ObjectFacts {
            has_libraries: objects.len() > 1 || objects.iter().any(|object| object.is_library),
            are_libraries: objects.iter().all(|object| object.is_library),
            are_all_given: objects.iter().all(|object| object.executable.is_some()),
            has_external: external.is_some(),
        };
        let encoding = objects.first().and_then(Object::informative_encoding);
        let program = objects.iter().find(|object| !object.is_library);
        let program = program.and_then(|one| Some((one.paths.clone(), one.executable?)));
        let recorded = objects.iter().find(|object| !is_sampled(&object.profile));
        let (mut no_static_calls, mut coarse_callers, mut warnings) = (None, None, Vec::new());
        let (profile, symbols, executables, has_names) = match recorded {
            Some(_) => {
                let mut object = only(objects)?;
                let own_table = object.executable.map(|(_, program)| &program.table);
                let mut own_table = own_table.or(external);
                let has_names = own_table.is_some() || !object.profile.costs.functions.is_empty();
                show_frames(&mut object.profile, own_table, has_names, options)?;
                if let Some(by) = options.group_by {
                    grouping::group_contexts(&mut object, own_table, by)?;
                    own_table = None;
                }
                let symbols = SubjectSymbols::of_contexts(&object.profile, own_table, options);
                let executable = object.executable.map(|one| (SymbolId(0), one));
                let executables: Vec<_> = executable.into_iter().collect();
                (object.profile, symbols, executables, has_names)
            }
            None => {
                let first = objects.iter().find_map(|object| object.executable);
                let path = first.map(|(executable, _)| executable.path());
                let mut joined = join(objects, external)?;
                if let Some(by) = options.group_by {
                    joined.table = Arc::new(grouping::group_symbols(&joined.table, path, by)?);
                }
                let coarse = joined.find_coarse_callers()?;
                // Which calls lead to a jump is unknown where sites are coarse.
                let tail_calls = match coarse {
                    Some(_) => Vec::new(),
                    None => joined.redirect_tail_calls()?,
                };
                coarse_callers = coarse.and_then(|(step, found)| undecided(step, &found));
                let static_calls;
                (static_calls, no_static_calls) = find_static_calls(&joined, options.static_calls)?;
                let mut programs = joined.executables.iter().map(|(_, (_, program))| program);
                let has_names = external.is_some()
                    || programs.any(|program| program.names_from != NamesFrom::Nothing);
                let symbols = SubjectSymbols::Program(ProgramSymbols {
                    table: joined.table,
                    lines: joined.lines,
                    static_calls,
                    tail_calls,
                });
                warnings = joined.warnings;
                (joined.profile, symbols, joined.executables, has_names)
            }
        };
        let selection = SelectedCosts::new(&profile, &symbols, has_names, options)?;
        // A function missing in the contexts may still exist, with zero cost.
        let is_by_address = matches!(symbols, SubjectSymbols::Program(_));
        Ok(Self {
            profile: Arc::new(profile),
            symbols,
            selection,
            executables,
            program,
            encoding,
            objects: facts,
            warnings,
            no_static_calls,
            coarse_callers,
            has_all_names: is_by_address && facts.are_all_given && has_names,
        })
    }

    /// Adds the inlined code of some functions, whose large parts are listed.
    ///
    /// # Errors
    /// Those of a new subject.
    pub(super) fn add_inlined_code(
        &mut self,
        functions: &[SymbolId],
        inlined: SymbolTable,
        options: &SubjectOptions<'_>,
    ) -> Result<()> {
        let SubjectSymbols::Program(program) = &mut self.symbols else {
            return Ok(());
        };
        let lines = &program.lines;
        let (table, lines) = program.table.with_inlined_code(functions, inlined, lines);
        let is_function = |&id: &SymbolId| table.enclosing_function(id) == id;
        let moved: Vec<_> = table.iter().map(|(id, _)| id).filter(is_function).collect();
        let moved = |id: &mut SymbolId| *id = moved.get(id.index()).copied().unwrap_or(*id);
        self.executables.iter_mut().for_each(|(first, _)| moved(first));
        for call in &mut program.static_calls {
            moved(&mut call.caller);
            call.callee.iter_mut().for_each(moved);
        }
        for (caller, callee) in &mut program.tail_calls {
            moved(caller);
            moved(callee);
        }
        (program.table, program.lines) = (Arc::new(table), Cow::Owned(lines));
        self.selection = SelectedCosts::new(&self.profile, &self.symbols, true, options)?;
        let costs = Arc::get_mut(&mut self.selection.costs).expect("nothing has them yet");
        costs.list_large_parts(self.symbols.table());
        Ok(())
    }

    pub(super) fn table(&self) -> &Arc<SymbolTable> {
        self.symbols.table()
    }

    /// Returns whether the table belongs to the program, not only to this profile.
    pub(super) fn has_shared_table(&self) -> bool {
        let is_by_address = matches!(self.symbols, SubjectSymbols::Program(_));
        is_by_address && Arc::strong_count(self.table()) > 1
    }

    /// The first executable.
    pub(super) fn executable(&self) -> Option<ProgramFile<'a>> {
        self.executables.first().map(|&(_, one)| one)
    }

    pub(super) fn material(&self, options: SectionOptions) -> Material<'_> {
        self.selection.material(&self.symbols, options)
    }
}

/// The only object, for kinds of profiles that allow one.
fn only(mut objects: Vec<Object<'_>>) -> Result<Object<'_>> {
    let first = objects.remove(0);
    let Some(library) = objects.first() else {
        return Ok(first);
    };
    match first.profile.kind.zip(library.profile.kind) {
        None => Ok(first),
        Some((first, found)) => Err(RunError::UnlikeObject {
            object: library.name.clone(),
            source: MergeError::Kind { first, found },
        }
        .into()),
    }
}

/// Removes functions from recorded stacks, as requested.
fn show_frames(
    profile: &mut Profile,
    program: Option<&Arc<SymbolTable>>,
    has_names: bool,
    options: &SubjectOptions<'_>,
) -> Result<()> {
    let specs = &options.filters.stacks;
    if specs.is_empty() {
        return Ok(());
    }
    checks::check_frames(options.filters, profile, false)?;
    let symbols = SubjectSymbols::of_contexts(profile, program, options);
    let SubjectSymbols::Contexts(names) = &symbols else { return Ok(()) };
    let focus = {
        let took_part = symbols.took_part(profile);
        let finder = Finder::new(&names.table, options.demangle).preferring(&took_part);
        let FilterSets { focus, unknown, .. } =
            FilterSets::find(&options.filters.only_stacks(), &finder);
        names::check(unknown.iter(), &finder, has_names)?;
        focus
    };
    let begins = |id| focus.focuses(names.of(id));
    let begins = focus.has_focus().then_some(begins);
    profile.costs.show_frames(|id| focus.ignores(names.of(id)), begins);
    Ok(())
}

/// The warning about callers that coarse call sites leave open.
fn undecided(step: u64, found: &CoarseCallers) -> Option<Warning> {
    let CoarseCallers { n_undecided, n_all, .. } = *found;
    (n_undecided > 0).then_some(Warning::CoarseSites { step, n_undecided, n_all })
}

/// The calls in machine code, if requested and available.
fn find_static_calls(
    joined: &Joined<'_>,
    is_asked: bool,
) -> Result<(Vec<StaticCall>, Option<Warning>)> {
    if !is_asked {
        return Ok((Vec::new(), None));
    }
    match joined.static_calls() {
        Ok(calls) => Ok((calls, None)),
        Err(error @ StaticCallError::UnknownMachine { .. }) => {
            let reason = error.to_string();
            Ok((Vec::new(), Some(Warning::NoStaticCalls { reason })))
        }
        Err(error) => Err(error.into()),
    }
}

impl SubjectSymbols<'_> {
    pub(super) fn of_contexts(
        profile: &Profile,
        program: Option<&Arc<SymbolTable>>,
        options: &SubjectOptions<'_>,
    ) -> Self {
        let names = match (options.granularity, options.merges_names) {
            (Granularity::Lines, _) if options.group_by.is_none() => ContextKeys::Lines,
            (_, true) => ContextKeys::Written,
            (_, false) => ContextKeys::Functions,
        };
        Self::Contexts(Arc::new(NamedContexts::new(
            &profile.costs,
            program.map(|table| &**table),
            names,
        )))
    }

    pub(super) fn table(&self) -> &Arc<SymbolTable> {
        match self {
            Self::Program(program) => &program.table,
            Self::Contexts(names) => &names.table,
        }
    }

    fn costs(&self, profile: &Profile, filters: &FilterSets, value: Option<&str>) -> CostGraph {
        match self {
            Self::Program(program) => {
                let (table, static_calls) = (&program.table, &program.static_calls);
                let mut costs = CostGraph::from_histograms(profile, table, filters, static_calls);
                costs.calls.tail_calls = program.tail_calls.clone().into();
                costs
            }
            Self::Contexts(names) => CostGraph::from_values(profile, names, filters, value),
        }
    }

    /// Returns which functions took part in the run, before costs are added up.
    pub(super) fn took_part(&self, profile: &Profile) -> impl Fn(SymbolId) -> bool {
        let whole = OnceCell::new();
        move |id| {
            let costs = whole.get_or_init(|| {
                let all = FilterSets::resolve(&FilterSpecs::default(), self.table());
                self.costs(profile, &all, None)
            });
            costs.took_part(id)
        }
    }

    /// The functions of specs; refuses unknown ones.
    fn find(
        &self,
        finder: &Finder<'_>,
        has_names: bool,
        options: &SubjectOptions<'_>,
    ) -> Result<FilterSets> {
        let specs = options.filters;
        let mut filters = match options.granularity {
            // A line to annotate need not be one in which a function starts.
            Granularity::Lines if matches!(self, Self::Contexts(_)) => {
                FilterSets::find(specs, finder)
            }
            _ => FilterSets::find(&specs.without_annotation(), finder),
        };
        let is_of_source = |unknown: &&Unknown| {
            let of_source = &specs.annotation;
            let mut of_source = of_source.include.iter().chain(&of_source.exclude);
            of_source.any(|spec| *spec == unknown.spec)
        };
        let unknown = filters.unknown.iter();
        let unknown = unknown.filter(|unknown| !options.is_for_source || is_of_source(unknown));
        names::check(unknown, finder, has_names)?;
        match self {
            Self::Program(program) => {
                let of_source = FilterSets::find(&specs.only_annotation(), finder);
                // A spec may name a file that has code, but no whole function.
                if program.lines.is_empty() {
                    names::check(of_source.unknown.iter(), finder, has_names)?;
                }
                filters.annotation = of_source.annotation;
            }
            Self::Contexts(_) => {}
        }
        Ok(filters)
    }

    /// For each symbol whether it is outside of the Standard ML library, if the library is
    /// hidden.
    fn outside_library(&self, options: &SubjectOptions<'_>) -> Option<Vec<bool>> {
        match self {
            Self::Contexts(names) if options.hides_library => Some(names.outside_library()),
            _ => None,
        }
    }
}

impl SelectedCosts {
    pub(super) fn new(
        profile: &Profile,
        symbols: &SubjectSymbols<'_>,
        has_names: bool,
        options: &SubjectOptions<'_>,
    ) -> Result<Self> {
        let table = symbols.table();
        let took_part = symbols.took_part(profile);
        let mut finder = Finder::new(table, options.demangle);
        if !(options.is_one_of_many && matches!(symbols, SubjectSymbols::Program(_))) {
            finder = finder.preferring(&took_part);
        }
        let mut filters = symbols.find(&finder, has_names, options)?;
        if let SubjectSymbols::Program(_) = symbols {
            checks::check_calls(options.filters, profile)?;
            checks::check_frames(options.filters, profile, true)?;
        }
        let costs = symbols.costs(profile, &filters, options.value);
        let mut kept = symbols.outside_library(options);
        if let Some(keep) = options.keep {
            let graph = SymbolGraph::new(&costs, table, demangled(table, options.demangle));
            if let Some(pattern) = graph.unused_pattern(keep) {
                return Err(names::no_match(pattern, &finder, has_names).into());
            }
            let mut functions = graph.kept_by(keep);
            if let Some(outside) = kept {
                let both = functions.iter_mut().zip(outside);
                both.for_each(|(is_kept, is_outside)| *is_kept &= is_outside);
            }
            kept = Some(functions);
        }
        if let Some(kept) = &kept {
            filters.keep(kept);
        }
        checks::check_metric(options.value, &costs)?;
        if let SubjectSymbols::Contexts(_) = symbols {
            checks::check_stacks(options.filters, profile, &costs)?;
        }
        Ok(Self { filters, costs: Arc::new(costs), kept: kept.map(Vec::into) })
    }

    pub(super) fn material<'m>(
        &'m self,
        symbols: &'m SubjectSymbols<'_>,
        options: SectionOptions,
    ) -> Material<'m> {
        Material { costs: &self.costs, table: symbols.table(), filters: &self.filters, options }
    }

    /// Returns whether the costs or the functions are a part of the program.
    pub(super) fn is_of_part(&self) -> bool {
        self.costs.focus().is_some() || self.kept.is_some()
    }

    /// Returns whether a keep expression selects no function.
    pub(super) fn keeps_nothing(&self) -> bool {
        let kept = self.kept.as_ref();
        kept.is_some_and(|kept| !kept.contains(&true))
    }
}

/// The names that keep expressions match.
fn demangled(table: &SymbolTable, style: Style) -> impl Fn(SymbolId) -> Vec<u8> {
    let demangler = Demangler::of_program(style, table.names());
    move |id| demangler.shown(&table.get(id).name)
}
