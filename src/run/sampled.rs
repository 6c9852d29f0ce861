//! Reports of sampled time and counted calls.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::OnceLock;

use anyhow::Result;

use super::joining::{Joined, join, put_at_base};
use super::run_costs::CostParts;
use super::{
    Draft, Object, Press, build, focus, names, run_time, sources, spelled, styles, unavailable,
};
use crate::analyze::{
    BlockCounts, CostGraph, FocusPart, GraphRanks, Material, OrderArc, OrderedFunctions,
    OrderedName, SymbolGraph, SymbolNames, about_shared_calls, about_unknown_callers,
    execution_counts, flat_section, graph_section, index_section, order_of_files,
    order_of_functions, order_section,
};
use crate::cli::{OutputStyle, Plan};
use crate::compare::costs::{CostNames, CostNaming, FunctionCosts};
use crate::diagnose::{self, Warning};
use crate::filter::{FilterSets, FilterSpecs, Finder};
use crate::model::{Encoding, Profile};
use crate::report::Section;
use crate::symbols::{
    Executable, FileId, FileMap, Granularity, Program, StaticCall, StaticCallError, SymbolId,
    SymbolTable,
};
use crate::threads;

/// So few arcs are ranked before other threads wake.
const FEW_ARCS: usize = 1 << 14;

/// The report of objects, the first of which has its symbols in a file of their own where
/// there is an `external` table.
pub(super) fn report(
    mut objects: Vec<Object<'_>>,
    external: Option<&SymbolTable>,
    press: &mut Press<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<()> {
    let plan = press.plan;
    let has_libraries = objects.iter().any(|object| object.is_library);
    let are_libraries = objects.iter().all(|object| object.is_library);
    let are_all_given = objects.iter().all(|object| object.executable.is_some());
    let encoding = objects.first().and_then(Object::telling_encoding);
    let of_program = objects.iter().find(|object| !object.is_library);
    let of_program = of_program.and_then(|one| Some((one.paths.clone(), one.executable?)));
    let mut may_be_program = true;
    for object in &mut objects {
        put_at_base(object, plan);
        object.profile.sort_records();
        if !object.is_library {
            may_be_program &= build::check(object, press, warnings)?;
        }
    }
    let joined = join(objects, external)?;
    let (calls, no_calls) = find_static_calls(&joined, plan)?;
    let has_names = has_names(&joined, external);
    let Joined {
        profile,
        table,
        executables,
        lines,
        warnings: of_objects,
    } = joined;
    let table = &*table;
    let program = executables.first().map(|&(_, _, program)| program);
    let whole = OnceCell::new();
    let took_part = |id| {
        let costs = whole.get_or_init(|| {
            let all = FilterSets::resolve(&FilterSpecs::default(), table);
            CostGraph::from_histograms(&profile, table, &all, &calls)
        });
        costs.took_part(id)
    };
    let finder = Finder::new(table, names::style(plan)).preferring(&took_part);
    let Selected {
        filters,
        kept,
        keeps_nothing,
    } = select(
        &profile,
        &calls,
        &finder,
        (has_names, !lines.is_empty()),
        plan,
    )?;
    warnings.extend(keeps_nothing.then_some(Warning::NothingKept));
    press.kept = kept;
    let costs = CostGraph::from_histograms(&profile, table, &filters, &calls);
    unavailable::check_metric(plan, &costs)?;
    let by_line = sources::by_line(&lines, table, &costs, &took_part, plan)?;
    let material = Material {
        costs: &costs,
        table,
        filters: &filters,
        options: press.section_options(),
    };
    let program_file = executables.first();
    let program_file = program_file.map(|&(_, executable, program)| (executable, program));
    let (ranks, found) = threads::side_by_side(
        profile.arcs().len() > FEW_ARCS,
        || GraphRanks::new(&material),
        || {
            let of_program = (&profile, encoding);
            (!has_libraries)
                .then(|| of_one(of_program, program_file, &costs, may_be_program, external))
        },
    );
    let maker = Maker {
        profile: &profile,
        material: &material,
        ranks: &ranks,
        file_map: program.and_then(|program| program.file_map.as_ref()),
        encoding,
    };
    let has_program = !executables.is_empty();
    warnings.extend(unavailable::of_gmon(plan, has_program, are_libraries));
    warnings.extend(no_calls);
    if has_libraries {
        for warning in of_objects {
            build::say_first(warning, press, warnings)?;
        }
        warnings.extend(diagnose::check_joined(&profile, &costs, are_all_given));
    }
    warnings.extend(found.into_iter().flatten());
    if let Some((paths, program)) = of_program {
        build::check_each((&paths, program), press, warnings)?;
    }
    warnings.extend(diagnose::check_blocks(&profile, table));
    let mut sections: Vec<Section<'_>> = press.overview(&material, &[]).into_iter().collect();
    let has_arcs = !profile.arcs().is_empty();
    let is_usual = |style| match style {
        // A profile of calls alone has a flat profile too.
        OutputStyle::Flat => true,
        OutputStyle::Graph => has_arcs,
        _ => false,
    };
    let mut styles = styles(plan, is_usual);
    if plan.text.is_bsd {
        // That layout has the graph first, and the index behind both.
        styles.sort_by_key(|&style| match style {
            OutputStyle::Graph => 0,
            OutputStyle::Flat => 1,
            _ => 2,
        });
    }
    let mut lacks = press.lacks();
    for &style in &styles {
        if let Some(why) = unavailable::of_sampled(style, table) {
            lacks.miss(why, warnings);
        } else if style == OutputStyle::AnnotatedSource {
            let Some(by_line) = &by_line else {
                let executable = executables.first();
                let path = executable.map(|(_, one, _)| one.path().display().to_string());
                lacks.miss(Warning::NoLines { executable: path }, warnings);
                continue;
            };
            let by_file = executables_by_file(table, &executables);
            let annotated = sources::annotate_sampled(
                &profile,
                &material,
                &maker.blocks(),
                by_line,
                plan,
                &|file| by_file.get(&file).copied(),
                warnings,
            );
            // The time of each file stands there all the same.
            match annotated.sections.is_empty() && !annotated.missing.is_empty() {
                true => lacks.miss_sources(&annotated.missing),
                false => lacks.give(),
            }
            sections.extend(annotated.sections);
        } else {
            maker.push(style, &mut sections);
            lacks.give();
        }
        let index_comes = if plan.text.is_bsd {
            styles.contains(&OutputStyle::Graph) && is_last_of_both(style, &styles)
        } else {
            style == OutputStyle::Graph
        };
        if index_comes {
            sections.push(index_section(&material, &ranks));
        }
    }
    lacks.check()?;
    // Where there is no time, that is why.
    if profile.n_ticks() > 0 {
        warnings.extend(unavailable::of_error(plan, &sections));
    }
    sections.extend(run_time::section(&profile, program, plan, warnings)?);
    let names = SymbolNames::of_program(table, plan.text.demangle);
    let draft = Draft {
        metrics: costs.metrics.clone(),
        primary: costs.primary,
        names: Box::new(press.names(names)),
        sections,
    };
    press.print(draft, warnings)
}

/// Whether functions have names, and not only addresses.
fn has_names(joined: &Joined<'_>, external: Option<&SymbolTable>) -> bool {
    let mut programs = joined.executables.iter().map(|(_, _, program)| program);
    external.is_some() || programs.any(|program| !program.table.symbols().is_empty())
}

/// Which functions count and are shown.
struct Selected {
    filters: FilterSets,
    /// Which ones an expression keeps, by number.
    kept: Option<Box<[bool]>>,
    /// There is such an expression, and it has none.
    keeps_nothing: bool,
}

/// Finds what the plan names; what it names that is not there is refused.
fn select(
    profile: &Profile,
    calls: &[StaticCall],
    finder: &Finder<'_>,
    (has_names, has_lines): (bool, bool),
    plan: &Plan,
) -> Result<Selected> {
    let table = finder.table();
    let mut filters = FilterSets::find(&plan.filters.without_annotation(), finder);
    names::check(&filters.unknown, finder, has_names)?;
    let of_source = FilterSets::find(&plan.filters.only_annotation(), finder);
    // A spec may name a file of which there is code, but no whole function.
    if !has_lines {
        names::check(&of_source.unknown, finder, has_names)?;
    }
    filters.annotation = of_source.annotation;
    focus::check_calls(plan, profile)?;
    focus::check_inlined(&filters.focus, table)?;
    let Some(keep) = &plan.keep else {
        return Ok(Selected {
            filters,
            kept: None,
            keeps_nothing: false,
        });
    };
    let whole = CostGraph::from_histograms(profile, table, &filters, calls);
    let name = spelled(table, names::style(plan));
    let graph = SymbolGraph::new(&whole, table, name);
    if let Some(pattern) = graph.idle_pattern(keep) {
        return Err(names::no_match(pattern, finder, has_names).into());
    }
    let kept = graph.kept_by(keep);
    filters.keep(&kept);
    Ok(Selected {
        filters,
        keeps_nothing: !kept.contains(&true),
        kept: Some(kept.into()),
    })
}

/// What is odd about a profile that is of one program.
fn of_one(
    (profile, encoding): (&Profile, Option<Encoding>),
    program: Option<(&Executable, &Program)>,
    costs: &CostGraph,
    may_be_program: bool,
    external: Option<&SymbolTable>,
) -> Vec<Warning> {
    let program_ref = program.map(|(executable, program)| {
        let path = executable.path();
        diagnose::ProgramRef { path, program }
    });
    let mut found = diagnose::check(profile, encoding, program_ref, costs, may_be_program);
    if external.is_some() {
        // There are names all the same.
        found.retain(|warning| *warning != Warning::NoExecutable);
        found.extend(diagnose::check_attribution(profile, costs, 0));
    }
    found
}

/// Says what is odd about objects that are one run of many.
pub(super) fn inspect(
    mut objects: Vec<Object<'_>>,
    external: Option<&SymbolTable>,
    press: &mut Press<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<()> {
    let encoding = objects.first().and_then(Object::telling_encoding);
    let has_libraries = objects.iter().any(|object| object.is_library);
    let mut may_be_program = true;
    for object in &mut objects {
        put_at_base(object, press.plan);
        object.profile.sort_records();
        if !object.is_library {
            may_be_program &= build::check(object, press, warnings)?;
        }
    }
    let joined = join(objects, external)?;
    if has_libraries {
        warnings.extend(joined.warnings);
        return Ok(());
    }
    let table = &*joined.table;
    let all = FilterSets::resolve(&FilterSpecs::default(), table);
    let costs = CostGraph::from_histograms(&joined.profile, table, &all, &[]);
    let program = joined.executables.first();
    let program = program.map(|&(_, executable, program)| (executable, program));
    let found = of_one(
        (&joined.profile, encoding),
        program,
        &costs,
        may_be_program,
        external,
    );
    warnings.extend(found);
    Ok(())
}

/// What objects say of each function, without a report. The names of a table that they
/// all share are made once, in `names`.
pub(super) fn tally(
    mut objects: Vec<Object<'_>>,
    external: Option<&SymbolTable>,
    plan: &Plan,
    (shared, naming): (&OnceLock<CostNames>, CostNaming),
    parts: CostParts,
) -> Result<FunctionCosts> {
    for object in &mut objects {
        put_at_base(object, plan);
        object.profile.sort_records();
    }
    let has_all = objects.iter().all(|object| object.executable.is_some());
    let joined = join(objects, external)?;
    let (calls, _) = find_static_calls(&joined, plan)?;
    let has_names = has_names(&joined, external);
    let table = &*joined.table;
    let finder = Finder::new(table, names::style(plan));
    let Selected { filters, .. } =
        select(&joined.profile, &calls, &finder, (has_names, true), plan)?;
    let costs = CostGraph::from_histograms(&joined.profile, table, &filters, &calls);
    unavailable::check_metric(plan, &costs)?;
    let own;
    let names = match &joined.table {
        Cow::Borrowed(table) => shared.get_or_init(|| CostNames::of_table(table, has_all, naming)),
        Cow::Owned(table) => {
            own = CostNames::of_table(table, has_all && has_names, naming);
            &own
        }
    };
    let tally = FunctionCosts::of_costs(&costs, table, &filters, names);
    Ok(match parts {
        CostParts::Functions => tally,
        CostParts::FunctionsAndCalls => tally.with_arcs(&costs, &filters),
    })
}

/// The executable that has code from each source file: of those with their first symbols,
/// the last that begins before the first symbol from there.
fn executables_by_file<'a>(
    table: &SymbolTable,
    executables: &[(SymbolId, &'a Executable, &Program)],
) -> HashMap<FileId, &'a Executable> {
    let mut by_file = HashMap::new();
    for (id, symbol) in table.iter() {
        let n_before = executables.partition_point(|(first, ..)| *first <= id);
        let executable = n_before.checked_sub(1).map(|index| executables[index].1);
        if let (Some(source), Some(executable)) = (symbol.source, executable) {
            by_file.entry(source.file).or_insert(executable);
        }
    }
    by_file
}

/// Whether a style is the last of flat profile and call graph.
fn is_last_of_both(style: OutputStyle, styles: &[OutputStyle]) -> bool {
    let mut both = styles.iter().rev();
    both.find(|style| matches!(style, OutputStyle::Flat | OutputStyle::Graph)) == Some(&style)
}

/// Makes sections.
struct Maker<'a> {
    profile: &'a Profile,
    material: &'a Material<'a>,
    ranks: &'a GraphRanks,
    file_map: Option<&'a FileMap>,
    encoding: Option<Encoding>,
}

impl<'a> Maker<'a> {
    fn push(&self, style: OutputStyle, sections: &mut Vec<Section<'a>>) {
        let material = self.material;
        match style {
            OutputStyle::Flat => {
                let has_arcs = self.profile.records().has_arcs;
                let ranks = has_arcs.then_some(self.ranks);
                let mut section = flat_section(material, ranks);
                section.notes.extend(self.about_shared_calls());
                sections.push(section);
            }
            OutputStyle::Graph => {
                let mut section = graph_section(material, self.ranks);
                let unknown = about_unknown_callers(self.profile, material.table);
                section.notes.extend(unknown);
                section.notes.extend(self.about_shared_calls());
                sections.push(section);
            }
            OutputStyle::ExecCounts => {
                sections.push(execution_counts(material, &self.blocks()));
            }
            OutputStyle::FunctionOrder | OutputStyle::FileOrder => sections.push(self.order()),
            _ => {}
        }
    }

    fn about_shared_calls(&self) -> Option<String> {
        about_shared_calls(self.profile, self.material.table, self.encoding)
    }

    /// Blocks are part of lines; where a symbol is a whole function there are none.
    fn blocks(&self) -> BlockCounts {
        let table = self.material.table;
        match table.granularity() {
            Granularity::Functions | Granularity::Inlines => BlockCounts::default(),
            Granularity::Lines => {
                let focus = self.material.costs.focus.as_ref();
                let has_part = |part: &FocusPart, address| {
                    let line = table.containing(address);
                    line.is_some_and(|line| part.share_of(line) > 0.0)
                };
                BlockCounts::new(self.profile.blocks(), table, |address, _| {
                    focus.is_none_or(|part| has_part(part, address))
                })
            }
        }
    }

    fn order(&self) -> Section<'static> {
        let Material { costs, table, .. } = self.material;
        let order = match self.file_map {
            Some(map) => order_of_files(&costs.calls, table, map),
            None => linker_order(costs, table),
        };
        order_section(&order)
    }
}

/// The order of functions in which those that call each other most are close.
pub(super) fn linker_order(costs: &CostGraph, table: &SymbolTable) -> Vec<OrderedName> {
    let nodes = OrderedFunctions {
        n_functions: table.symbols().len(),
        others: Vec::new(),
        links: Vec::new(),
        arcs: OrderArc::all(&costs.calls).collect(),
    };
    order_of_functions(&nodes, |id| costs.calls_of(id).from_others != 0)
}

/// The calls that stand in the code, where they are asked for and can be told.
fn find_static_calls(
    joined: &Joined<'_>,
    plan: &Plan,
) -> Result<(Vec<StaticCall>, Option<Warning>)> {
    if !plan.static_calls {
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
