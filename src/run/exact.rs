//! Reports of exact values: heap profiles, traces and MLton's profiles.

use anyhow::Result;

use super::sampled::linker_order;
use super::{Draft, Object, Press, build, idle_specs, sources, spelled, styles, unavailable};
use crate::analyze::coverage::Coverage;
use crate::analyze::{
    BlockCounts, CostGraph, GraphRanks, Leaks, Material, Measured, SizeSteps, SizeTable,
    SymbolGraph, SymbolNames, TotalsFrom, TraceOptions, class_counts, cost_sources,
    coverage_sections, entry_counts, event_counts, execution_counts, flat_section, graph_section,
    growth_section, index_section, leaks_section, order_section, peak_section, sizes_section,
    temporary_section, trace_sections,
};
use crate::cli::{OutputStyle, Plan};
use crate::diagnose::{self, Warning};
use crate::filter::FilterSets;
use crate::model::Profile;
use crate::report::Section;
use crate::symbols::{
    ContextNames, Executable, Granularity, NamedContexts, Program, Style, SymbolTable, demangle,
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
    let costs = &named.costs;
    unavailable::check_metric(plan, costs)?;
    unavailable::check_points(plan, profile)?;
    warnings.extend(diagnose::check_recorded(
        profile,
        costs,
        &named.names,
        executable,
    ));
    warnings.extend(idle_specs(plan, &named.names.table));
    warnings.extend(unavailable::of_options(plan, costs, program.is_some()));
    warnings.extend(unavailable_lines(profile, &named));
    warnings.extend(diagnose::check_trace(profile));
    let material = named.material(press);
    let ranks = GraphRanks::new(&material);
    let mut sections: Vec<Section<'_>> = press
        .overview(&material, &profile.costs.parts)
        .into_iter()
        .collect();
    for style in styles(plan, |style| is_usual(style, profile, costs)) {
        if let Some(why) = unavailable::of_exact(style, profile, costs) {
            warnings.push(why);
            continue;
        }
        if style == OutputStyle::AnnotatedSource {
            let annotated = annotate(&named, profile, executable, press, warnings)?;
            sections.extend(annotated);
        } else {
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

/// Everything named and added up, by function or by line.
struct Named {
    names: NamedContexts,
    filters: FilterSets,
    costs: CostGraph,
    is_by_line: bool,
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
        let mut filters = FilterSets::resolve(&plan.filters, &names.table);
        if plan.exact.hides_library {
            filters.keep(&names.outside_library());
        }
        let costs = CostGraph::from_values(profile, &names, &filters, plan.value.as_deref());
        if let Some(keep) = &plan.keep {
            let name = |id| spelled(&names.table, id, demangling(profile, plan));
            let kept = SymbolGraph::new(&costs, &names.table, name).kept_by(keep);
            filters.keep(&kept);
        }
        Ok(Self {
            names,
            filters,
            costs,
            is_by_line,
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
    let spell = |raw: &[u8]| demangle(raw, demangling).unwrap_or_else(|| raw.to_vec());
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

/// Annotates sources. What is counted by function elsewhere in the report is counted
/// by line here.
fn annotate(
    named: &Named,
    profile: &Profile,
    executable: Option<(&Executable, &Program)>,
    press: &Press<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Section<'static>>> {
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
    if !table.has_sources() {
        let what = "no annotated source: no line of the source is known";
        warnings.push(unavailable::of_lines(what, profile));
    } else if files.is_empty() {
        return Ok(vec![no_sources()]);
    }
    let image = executable.map(|(executable, _)| executable);
    Ok(sources::annotate(files, table, plan, |_| image, warnings).sections)
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
    Named::new(profile, table, plan, Granularity::Lines)
}

/// Says that nothing stands beside any line of source.
fn no_sources() -> Section<'static> {
    crate::analyze::empty_source("No source has a line that anything is charged to.")
}
