//! Reports of exact values: heap profiles, traces and MLton's profiles.

use std::cell::OnceCell;

use anyhow::Result;

use super::run_costs::CostParts;
use super::sampled::linker_order;
use super::{Draft, Object, Press, build, focus, names, sources, spelled, styles, unavailable};
use crate::analyze::coverage::Coverage;
use crate::analyze::{
    BlockCounts, CostGraph, GraphRanks, Leaks, Material, Measured, SizeSteps, SizeTable,
    SymbolGraph, SymbolNames, TotalsFrom, TraceOptions, class_counts, cost_sources,
    coverage_sections, entry_counts, event_counts, execution_counts, flat_section, graph_section,
    growth_section, index_section, leaks_section, order_section, peak_section, sizes_section,
    temporary_section, trace_sections,
};
use crate::cli::{OutputStyle, Plan};
use crate::compare::costs::{CostNames, CostNaming, FunctionCosts};
use crate::diagnose::{self, Warning};
use crate::filter::{FilterSets, FilterSpecs, Finder, Unknown};
use crate::model::Profile;
use crate::progress::Stage;
use crate::report::{Basis, Section};
use crate::symbols::{
    ContextNames, Demangler, Executable, Granularity, NamedContexts, Program, Style, SymbolTable,
    read_program,
};

pub(super) fn report(
    profiled: &Object<'_>,
    external: Option<&SymbolTable>,
    press: &mut Press<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<()> {
    let plan = press.plan;
    let profile = &profiled.profile;
    let executable = match profiled.executable {
        Some(both) if !build::is_other(profile, both, press, warnings)? => Some(both),
        _ => None,
    };
    let program = executable.map(|(_, program)| program);
    let own_table = program.map(|program| &program.table).or(external);
    let named = Named::new(profile, own_table, plan, plan.symbols.granularity)?;
    press.kept.clone_from(&named.kept);
    let costs = &named.costs;
    unavailable::check_metric(plan, costs)?;
    unavailable::check_points(plan, profile)?;
    focus::check_stacks(plan, profile, costs)?;
    warnings.extend(diagnose::check_recorded(
        profile,
        costs,
        &named.names,
        executable,
    ));
    warnings.extend(named.keeps_nothing.then_some(Warning::NothingKept));
    warnings.extend(unavailable::of_options(
        plan,
        profile,
        costs,
        program.is_some(),
    ));
    warnings.extend(unavailable_lines(profile, &named));
    warnings.extend(diagnose::check_trace(profile));
    let material = named.material(press);
    let ranks = GraphRanks::new(&material);
    let mut sections: Vec<Section<'_>> = press
        .overview(&material, &profile.costs.parts)
        .into_iter()
        .collect();
    let mut lacks = press.lacks();
    for style in styles(plan, |style| is_usual(style, profile, costs)) {
        warnings.extend(focus::of_part(style, costs));
        if let Some(why) = unavailable::of_exact(style, profile, costs) {
            lacks.miss(why, warnings);
        } else if style == OutputStyle::AnnotatedSource {
            let annotated = annotate(&named, profile, executable, press, warnings)?;
            sections.extend(annotated.sections);
            match annotated.lack {
                None => lacks.give(),
                Some(SourceLack::Lines(why)) => lacks.miss(why, warnings),
                Some(SourceLack::Files(missing)) => lacks.miss_sources(&missing),
            }
        } else {
            lacks.give();
            push(
                style,
                profile,
                &named,
                (&material, &ranks),
                plan,
                press.width(),
                &mut sections,
            );
        }
    }
    lacks.check()?;
    // Where all is exact that is why.
    if costs.metrics[costs.primary].basis != Basis::Recorded {
        warnings.extend(unavailable::of_error(plan, &sections));
    }
    let style = demangling(profile, plan);
    let names = SymbolNames::of_contexts(&named.names.table, style, named.is_by_line);
    let draft = Draft {
        metrics: costs.metrics.clone(),
        primary: costs.primary,
        names: Box::new(press.names(names)),
        sections,
    };
    press.print(draft, warnings)
}

/// Says what is odd about a profile that is one run of many. Returns whether its program
/// is the one that ran, as far as can be told.
pub(super) fn inspect(
    profiled: &Object<'_>,
    external: Option<&SymbolTable>,
    press: &mut Press<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<bool> {
    let profile = &profiled.profile;
    let executable = match profiled.executable {
        Some(both) if build::is_other(profile, both, press, warnings)? => return Ok(false),
        executable => executable,
    };
    let own_table = executable.map(|(_, program)| &program.table);
    // What is asked for by name may be in other runs.
    let plan = Plan {
        filters: FilterSpecs::default(),
        keep: None,
        ..press.plan.clone()
    };
    let named = Named::new(
        profile,
        own_table.or(external),
        &plan,
        plan.symbols.granularity,
    )?;
    warnings.extend(diagnose::check_recorded(
        profile,
        &named.costs,
        &named.names,
        executable,
    ));
    warnings.extend(diagnose::check_trace(profile));
    Ok(true)
}

/// What a profile says of each function, without a report.
pub(super) fn tally(
    profiled: &Object<'_>,
    external: Option<&SymbolTable>,
    plan: &Plan,
    naming: CostNaming,
    parts: CostParts,
) -> Result<FunctionCosts> {
    let profile = &profiled.profile;
    let own_table = profiled.executable.map(|(_, program)| &program.table);
    let named = Named::new(
        profile,
        own_table.or(external),
        plan,
        plan.symbols.granularity,
    )?;
    unavailable::check_metric(plan, &named.costs)?;
    focus::check_stacks(plan, profile, &named.costs)?;
    let table = &named.names.table;
    // Whoever is not named may be there all the same, and cost nothing.
    let names = CostNames::of_table(table, false, naming);
    let tally = FunctionCosts::of_costs(&named.costs, table, &named.filters, &names);
    Ok(match parts {
        CostParts::Functions => tally,
        CostParts::FunctionsAndCalls => tally.with_arcs(&named.costs, &named.filters),
    })
}

/// Everything named and added up, by function or by line.
struct Named {
    names: NamedContexts,
    filters: FilterSets,
    costs: CostGraph,
    /// Which functions an expression keeps.
    kept: Option<Box<[bool]>>,
    is_by_line: bool,
    /// There is an expression of functions to keep, and it has none.
    keeps_nothing: bool,
}

impl Named {
    fn new(
        profile: &Profile,
        program: Option<&SymbolTable>,
        plan: &Plan,
        granularity: Granularity,
    ) -> Result<Self> {
        let is_by_line = granularity == Granularity::Lines;
        let names_as = match (is_by_line, plan.exact.merges_names) {
            (true, _) => ContextNames::Lines,
            (false, true) => ContextNames::Spellings,
            (false, false) => ContextNames::Functions,
        };
        let names = NamedContexts::new(&profile.costs, program, names_as);
        let whole = OnceCell::new();
        let took_part = |id| {
            let costs = whole.get_or_init(|| {
                let all = FilterSets::resolve(&FilterSpecs::default(), &names.table);
                CostGraph::from_values(profile, &names, &all, None)
            });
            costs.took_part(id)
        };
        let finder = Finder::new(&names.table, names::style(plan)).preferring(&took_part);
        let has_names = program.is_some() || !profile.costs.functions.is_empty();
        let mut filters = FilterSets::find(&specs_of(plan, granularity), &finder);
        names::check(&unknown_of(&filters, plan, granularity), &finder, has_names)?;
        if plan.exact.hides_library {
            filters.keep(&names.outside_library());
        }
        let costs = CostGraph::from_values(profile, &names, &filters, plan.value.as_deref());
        let mut kept_names: Option<Box<[bool]>> = None;
        let mut keeps_nothing = false;
        if let Some(keep) = &plan.keep {
            let name = spelled(&names.table, names::style(plan));
            let graph = SymbolGraph::new(&costs, &names.table, name);
            if let Some(pattern) = graph.idle_pattern(keep) {
                return Err(names::no_match(pattern, &finder, has_names).into());
            }
            let kept = graph.kept_by(keep);
            keeps_nothing = !kept.contains(&true);
            filters.keep(&kept);
            kept_names = Some(kept.into());
        }
        Ok(Self {
            names,
            filters,
            costs,
            kept: kept_names,
            is_by_line,
            keeps_nothing,
        })
    }

    fn material<'a>(&'a self, press: &Press<'_>) -> Material<'a> {
        Material {
            costs: &self.costs,
            table: &self.names.table,
            filters: &self.filters,
            options: press.section_options(),
        }
    }
}

/// The specs that symbols by function, or by line, are asked for. A line of source to
/// annotate need not be one in which a function starts.
fn specs_of(plan: &Plan, granularity: Granularity) -> FilterSpecs {
    match granularity {
        Granularity::Lines => plan.filters.clone(),
        _ => plan.filters.without_annotation(),
    }
}

/// What is to be refused of what was not found. Where lines are made for the sake of
/// annotated source, all other specs have found their functions before.
fn unknown_of(filters: &FilterSets, plan: &Plan, granularity: Granularity) -> Vec<Unknown> {
    let is_for_source = granularity != plan.symbols.granularity;
    let of_source = &plan.filters.annotation;
    let is_asked = |unknown: &&Unknown| {
        let mut specs = of_source.include.iter().chain(&of_source.exclude);
        !is_for_source || specs.any(|spec| *spec == unknown.spec)
    };
    filters.unknown.iter().filter(is_asked).cloned().collect()
}

/// mpatrol records C++ names as the linker knows them; MLton mangles none.
fn demangling(profile: &Profile, plan: &Plan) -> Style {
    match profile.heap {
        Some(_) => plan.text.demangle,
        None => Style::None,
    }
}

/// What comes of it that the source says too little.
fn unavailable_lines(profile: &Profile, named: &Named) -> Option<Warning> {
    let recorded = &profile.costs;
    let is_nameless = recorded.functions.is_empty() && recorded.locations.is_empty();
    if named.is_by_line && !named.names.table.has_sources() {
        let what = "functions stand for lines: no line of the source is known";
        Some(unavailable::of_lines(what, profile))
    } else if profile.history.is_some() && is_nameless && !recorded.contexts.is_empty() {
        let what = "all is by <unknown>: the trace does not say where events happened";
        Some(unavailable::of_lines(what, profile))
    } else {
        None
    }
}

/// Whether a profile is good for a report that nobody asked for by name.
fn is_usual(style: OutputStyle, profile: &Profile, costs: &CostGraph) -> bool {
    use OutputStyle as S;
    let is_summary = costs.measured == Measured::Heap && profile.history.is_none();
    match style {
        S::Trace => profile.history.is_some(),
        S::Flat => costs.measured != Measured::Nothing,
        S::Graph => costs.totals_from != TotalsFrom::Nothing || costs.measured == Measured::Nothing,
        // The report on a trace has both of its own.
        S::Leaks => is_summary,
        // Blocks of one size are of all functions.
        S::Bins if costs.focus.is_some() => false,
        S::Bins => is_summary && profile.heap.as_ref().is_some_and(|heap| !heap.is_empty()),
        S::Coverage => costs.measured == Measured::Entries,
        _ => false,
    }
}

fn push<'a>(
    style: OutputStyle,
    profile: &'a Profile,
    named: &'a Named,
    (material, ranks): (&Material<'a>, &'a GraphRanks),
    plan: &Plan,
    width: usize,
    sections: &mut Vec<Section<'a>>,
) {
    let recorded = &profile.costs;
    let names = &named.names;
    let demangling = demangling(profile, plan);
    let demangler = Demangler::new(demangling);
    let spell = |raw: &[u8]| demangler.spell_once(raw).unwrap_or_else(|| raw.to_vec());
    match style {
        OutputStyle::Trace => {
            let options = TraceOptions {
                chart_width: width,
                ..TraceOptions::default()
            };
            sections.extend(trace_sections(profile, &options, &spell));
        }
        OutputStyle::Peak => sections.extend(peak_section(profile, &spell)),
        OutputStyle::Temporary => sections.extend(temporary_section(profile, &spell)),
        OutputStyle::Growth => {
            let points = plan.exact.between;
            sections.extend(points.and_then(|points| growth_section(profile, points, &spell)));
        }
        OutputStyle::Flat => sections.push(flat_section(material, None)),
        OutputStyle::Graph => {
            sections.push(graph_section(material, ranks));
            sections.push(index_section(material, ranks));
        }
        OutputStyle::Leaks => {
            let depth = plan.exact.leak_depth();
            let leaks = Leaks::new(recorded, &named.costs, names, &named.filters, depth);
            sections.push(leaks_section(material, &leaks));
        }
        OutputStyle::Bins => {
            let steps = if plan.exact.lists_all_sizes {
                SizeSteps::Single
            } else {
                SizeSteps::Doubling
            };
            let heap = profile.heap.as_ref();
            sections.extend(heap.map(|heap| sizes_section(&SizeTable::new(heap, steps))));
        }
        OutputStyle::Coverage => {
            let coverage = coverage(profile, named);
            sections.extend(coverage.as_ref().map(coverage_sections).unwrap_or_default());
        }
        OutputStyle::ExecCounts if named.costs.measured == Measured::Entries => {
            sections.extend(coverage(profile, named).as_ref().map(entry_counts));
        }
        OutputStyle::ExecCounts if named.costs.measured == Measured::Events => {
            sections.push(execution_counts(material, &BlockCounts::default()));
        }
        OutputStyle::FunctionOrder => {
            sections.push(order_section(&linker_order(&named.costs, material.table)));
        }
        OutputStyle::ExecCounts if profile.history.is_some() => {
            sections.push(event_counts(material, recorded, names));
        }
        OutputStyle::ExecCounts => {
            let bounds = profile.heap.as_ref().map(|heap| heap.bounds);
            let bounds = bounds.unwrap_or_default();
            sections.push(class_counts(material, recorded, names, &bounds));
        }
        _ => {}
    }
}

fn coverage(profile: &Profile, named: &Named) -> Option<Coverage> {
    let shown = &named.filters.exec_counts;
    Coverage::new(&profile.costs, |function| {
        shown.contains(named.names.of_function(function))
    })
}

/// Annotated sources, and what is missing where there are none.
struct Annotated {
    sections: Vec<Section<'static>>,
    lack: Option<SourceLack>,
}

/// What there is not for annotated source.
enum SourceLack {
    /// Lines.
    Lines(Warning),
    /// The files of these names, which are all there are.
    Files(Vec<String>),
}

/// Annotates sources. What is counted by function elsewhere in the report is counted
/// by line here.
fn annotate(
    named: &Named,
    profile: &Profile,
    executable: Option<(&Executable, &Program)>,
    press: &Press<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Annotated> {
    let plan = press.plan;
    let by_line;
    let named = if named.is_by_line {
        named
    } else {
        by_line = named_by_line(profile, executable, plan)?;
        &by_line
    };
    let table = &named.names.table;
    let files = cost_sources(&named.material(press));
    let has_sources = table.has_sources();
    if has_sources && files.is_empty() {
        return Ok(Annotated {
            sections: vec![no_sources()],
            lack: None,
        });
    }
    let image = executable.map(|(executable, _)| executable);
    let annotated = sources::annotate(files, table, plan, |_| image, warnings);
    let lack = if !has_sources {
        let what = "no annotated source: no line of the source is known";
        Some(SourceLack::Lines(unavailable::of_lines(what, profile)))
    } else if annotated.missing.is_empty() {
        None
    } else {
        Some(SourceLack::Files(annotated.missing))
    };
    Ok(Annotated {
        sections: annotated.sections,
        lack,
    })
}

fn named_by_line(
    profile: &Profile,
    executable: Option<(&Executable, &Program)>,
    plan: &Plan,
) -> Result<Named> {
    let mut symbols = plan.symbols.clone();
    symbols.granularity = Granularity::Lines;
    let program = match executable {
        Some((executable, _)) => Some(read_program(executable, &symbols)?),
        None => None,
    };
    let table = program.as_ref().map(|program| &program.table);
    plan.progress.begin(Stage::Adding, None);
    Named::new(profile, table, plan, Granularity::Lines)
}

/// Says that nothing stands beside any line of source.
fn no_sources() -> Section<'static> {
    crate::analyze::empty_source("No source has a line that anything is charged to.")
}
