//! What every report is made from: a profile whose functions have names, and what each
//! of them costs. Which kind of profile it is matters here, and nowhere behind.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::path::PathBuf;

use anyhow::Result;

use super::inputs::ProgramFile;
use super::objects::joining::{Joined, join};
use super::objects::{Object, is_sampled};
use super::{checks, names};
use crate::analyze::{CostGraph, Material, SectionOptions, SymbolGraph};
use crate::cli::Plan;
use crate::diagnose::{RunError, Warning};
use crate::filter::keep::Keep;
use crate::filter::{FilterSets, FilterSpecs, Finder, Unknown};
use crate::model::{Encoding, MergeError, Profile};
use crate::symbols::{
    ContextNames, Demangler, Granularity, LineRun, NamedContexts, NamesFrom, StaticCall,
    StaticCallError, Style, SymbolId, SymbolTable,
};

/// Which functions a subject has, and what is shown of them.
#[derive(Clone, Copy)]
pub(super) struct SubjectOptions<'p> {
    pub(super) filters: &'p FilterSpecs,
    pub(super) keep: Option<&'p Keep>,
    /// The metric to sort by, by its name in the profile.
    pub(super) value: Option<&'p str>,
    /// How names are written that users ask for.
    pub(super) demangle: Style,
    pub(super) granularity: Granularity,
    /// Functions of one name and place are one.
    pub(super) merges_names: bool,
    pub(super) hides_library: bool,
    pub(super) static_calls: bool,
    /// Others are compared with it, which must mean the same functions by a name.
    pub(super) is_one_of_many: bool,
    /// It is made for lines of source to annotate: all other specs have found their
    /// functions before.
    pub(super) is_for_source: bool,
}

impl<'p> SubjectOptions<'p> {
    pub(super) fn of(plan: &'p Plan) -> Self {
        Self {
            filters: &plan.filters,
            keep: plan.keep.as_ref(),
            value: plan.value.as_deref(),
            demangle: names::style(plan),
            granularity: plan.symbols.granularity,
            merges_names: plan.exact.merges_names,
            hides_library: plan.exact.hides_library,
            static_calls: plan.static_calls,
            is_one_of_many: false,
            is_for_source: false,
        }
    }
}

/// A profile with its functions by name and what they cost, whatever recorded it.
pub(super) struct Subject<'a> {
    pub(super) profile: Profile,
    pub(super) symbols: SubjectSymbols<'a>,
    pub(super) selection: SelectedCosts,
    /// The executables with the numbers that their first symbols have.
    pub(super) executables: Vec<(SymbolId, ProgramFile<'a>)>,
    /// The profiles of the program, and itself, where it was given.
    pub(super) program: Option<(Vec<PathBuf>, ProgramFile<'a>)>,
    /// How the profiles store words.
    pub(super) encoding: Option<Encoding>,
    pub(super) objects: ObjectFacts,
    /// Problems of libraries, each by itself.
    pub(super) warnings: Vec<Warning>,
    /// Why machine code tells no calls.
    pub(super) no_static_calls: Option<Warning>,
    /// Whatever can have run has a name.
    pub(super) has_all_names: bool,
}

/// What there was of objects.
#[derive(Clone, Copy)]
pub(super) struct ObjectFacts {
    pub(super) has_libraries: bool,
    pub(super) are_libraries: bool,
    pub(super) are_all_given: bool,
    /// Symbols are in a file of their own.
    pub(super) has_external: bool,
}

/// The functions, or lines, of a profile.
pub(super) enum SubjectSymbols<'a> {
    /// Those of executables, by address.
    Program(ProgramSymbols<'a>),
    /// Those for which values were recorded.
    Contexts(NamedContexts),
}

pub(super) struct ProgramSymbols<'a> {
    pub(super) table: Cow<'a, SymbolTable>,
    /// Where the code is from, in the order of addresses.
    pub(super) lines: Cow<'a, [LineRun]>,
    static_calls: Vec<StaticCall>,
}

/// What is shown, and what it costs.
pub(super) struct SelectedCosts {
    pub(super) filters: FilterSets,
    pub(super) costs: CostGraph,
    /// Which functions an expression keeps, by number.
    pub(super) kept: Option<Box<[bool]>>,
}

/// Takes off what the loader added to the addresses of a program. Those of libraries are
/// never recorded with it, and those of contexts were moved file by file.
pub(super) fn put_at_base(objects: &mut [Object<'_>], plan: &Plan) {
    for object in objects {
        if let Some(base) = plan.base.filter(|_| !object.is_library) {
            let program = object.executable.map(|(_, program)| program);
            let link_base = program.map_or(0, |program| program.link_base.0);
            object.profile.move_down(base.0.0.wrapping_sub(link_base));
        }
        object.profile.sort_records();
    }
}

impl<'a> Subject<'a> {
    /// Names what was recorded of objects at their base, the first of which has its symbols
    /// in a file of their own where there is an `external` table, and adds it up.
    ///
    /// # Errors
    /// When objects cannot stand in one report, or nothing has a name that is asked for.
    pub(super) fn new(
        objects: Vec<Object<'a>>,
        external: Option<&'a SymbolTable>,
        options: &SubjectOptions<'_>,
    ) -> Result<Self> {
        let facts = ObjectFacts {
            has_libraries: objects.iter().any(|object| object.is_library),
            are_libraries: objects.iter().all(|object| object.is_library),
            are_all_given: objects.iter().all(|object| object.executable.is_some()),
            has_external: external.is_some(),
        };
        let encoding = objects.first().and_then(Object::telling_encoding);
        let program = objects.iter().find(|object| !object.is_library);
        let program = program.and_then(|one| Some((one.paths.clone(), one.executable?)));
        let recorded = objects.iter().find(|object| !is_sampled(&object.profile));
        let (mut no_static_calls, mut warnings) = (None, Vec::new());
        let (profile, symbols, executables, has_names) = match recorded {
            Some(_) => {
                let object = only(objects)?;
                let own_table = object.executable.map(|(_, program)| &program.table);
                let own_table = own_table.or(external);
                let symbols = SubjectSymbols::of_contexts(&object.profile, own_table, options);
                let has_names = own_table.is_some() || !object.profile.costs.functions.is_empty();
                let executable = object.executable.map(|one| (SymbolId(0), one));
                let executables: Vec<_> = executable.into_iter().collect();
                (object.profile, symbols, executables, has_names)
            }
            None => {
                let joined = join(objects, external)?;
                let static_calls;
                (static_calls, no_static_calls) = find_static_calls(&joined, options.static_calls)?;
                let mut programs = joined.executables.iter().map(|(_, (_, program))| program);
                let has_names = external.is_some()
                    || programs.any(|program| program.names_from != NamesFrom::Nothing);
                let symbols = SubjectSymbols::Program(ProgramSymbols {
                    table: joined.table,
                    lines: joined.lines,
                    static_calls,
                });
                warnings = joined.warnings;
                (joined.profile, symbols, joined.executables, has_names)
            }
        };
        let selection = SelectedCosts::new(&profile, &symbols, has_names, options)?;
        // Who is not named in contexts may be there all the same, and cost nothing.
        let is_by_address = matches!(symbols, SubjectSymbols::Program(_));
        Ok(Self {
            profile,
            symbols,
            selection,
            executables,
            program,
            encoding,
            objects: facts,
            warnings,
            no_static_calls,
            has_all_names: is_by_address && facts.are_all_given && has_names,
        })
    }

    pub(super) fn table(&self) -> &SymbolTable {
        self.symbols.table()
    }

    /// Whether the table is that of the program, and not made for this profile.
    pub(super) fn has_shared_table(&self) -> bool {
        let SubjectSymbols::Program(program) = &self.symbols else {
            return false;
        };
        matches!(program.table, Cow::Borrowed(_))
    }

    /// The executable that comes first.
    pub(super) fn executable(&self) -> Option<ProgramFile<'a>> {
        self.executables.first().map(|&(_, one)| one)
    }

    pub(super) fn material(&self, options: SectionOptions) -> Material<'_> {
        self.selection.material(&self.symbols, options)
    }
}

/// The object of profiles that can only be of one.
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

/// The calls that stand in the code, where they are asked for and can be told.
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
        program: Option<&SymbolTable>,
        options: &SubjectOptions<'_>,
    ) -> Self {
        let names = match (options.granularity, options.merges_names) {
            (Granularity::Lines, _) => ContextNames::Lines,
            (_, true) => ContextNames::Written,
            (_, false) => ContextNames::Functions,
        };
        Self::Contexts(NamedContexts::new(&profile.costs, program, names))
    }

    pub(super) fn table(&self) -> &SymbolTable {
        match self {
            Self::Program(program) => &program.table,
            Self::Contexts(names) => &names.table,
        }
    }

    fn costs(&self, profile: &Profile, filters: &FilterSets, value: Option<&str>) -> CostGraph {
        match self {
            Self::Program(program) => {
                CostGraph::from_histograms(profile, &program.table, filters, &program.static_calls)
            }
            Self::Contexts(names) => CostGraph::from_values(profile, names, filters, value),
        }
    }

    /// Whether functions took part in the run. Nothing is added up before that is asked.
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

    /// Finds the functions of specs; those that are not there are refused.
    fn find(
        &self,
        finder: &Finder<'_>,
        has_names: bool,
        options: &SubjectOptions<'_>,
    ) -> Result<FilterSets> {
        let specs = &match self {
            Self::Program(_) => Cow::Borrowed(options.filters),
            Self::Contexts(_) => Cow::Owned(options.filters.with_profiler()),
        };
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
                // A spec may name a file of which there is code, but no whole function.
                if program.lines.is_empty() {
                    names::check(of_source.unknown.iter(), finder, has_names)?;
                }
                filters.annotation = of_source.annotation;
            }
            Self::Contexts(names) if options.hides_library => {
                filters.keep(&names.outside_library());
            }
            Self::Contexts(_) => {}
        }
        Ok(filters)
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
            checks::check_inlined(&filters.focus, table)?;
        }
        let costs = symbols.costs(profile, &filters, options.value);
        let mut kept = None;
        if let Some(keep) = options.keep {
            let graph = SymbolGraph::new(&costs, table, demangled(table, options.demangle));
            if let Some(pattern) = graph.unused_pattern(keep) {
                return Err(names::no_match(pattern, &finder, has_names).into());
            }
            let functions = graph.kept_by(keep);
            filters.keep(&functions);
            kept = Some(functions.into());
        }
        checks::check_metric(options.value, &costs)?;
        if let SubjectSymbols::Contexts(_) = symbols {
            checks::check_stacks(options.filters, profile, &costs)?;
        }
        Ok(Self {
            filters,
            costs,
            kept,
        })
    }

    pub(super) fn material<'m>(
        &'m self,
        symbols: &'m SubjectSymbols<'_>,
        options: SectionOptions,
    ) -> Material<'m> {
        Material {
            costs: &self.costs,
            table: symbols.table(),
            filters: &self.filters,
            options,
        }
    }

    /// There is an expression of functions to keep, and it has none.
    pub(super) fn keeps_nothing(&self) -> bool {
        let kept = self.kept.as_ref();
        kept.is_some_and(|kept| !kept.contains(&true))
    }
}

/// The names that keep expressions look at.
fn demangled(table: &SymbolTable, style: Style) -> impl Fn(SymbolId) -> Vec<u8> {
    let demangler = Demangler::new(style);
    move |id| {
        let raw = &table.get(id).name;
        demangler.demangle(raw).as_ref().unwrap_or(raw).to_vec()
    }
}
