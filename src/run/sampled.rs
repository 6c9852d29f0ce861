//! Reports of sampled time and counted calls.

use std::cell::OnceCell;

use anyhow::Result;

use super::{Draft, Press, ProfiledProgram, names, sources, spelled, styles, unavailable};
use crate::analyze::{
    BlockCounts, CostGraph, GraphRanks, Material, OrderArc, OrderedName, SymbolGraph, SymbolNames,
    execution_counts, execution_sources, flat_section, graph_section, index_section,
    order_of_files, order_of_functions, order_section,
};
use crate::cli::{OutputStyle, Plan};
use crate::diagnose::{self, Warning};
use crate::filter::{FilterSets, FilterSpecs, Finder};
use crate::model::Profile;
use crate::report::Section;
use crate::symbols::{
    Executable, FileMap, Granularity, StaticCall, StaticCallError, SymbolId, SymbolTable,
    static_calls,
};

pub(super) fn report(
    profiled: ProfiledProgram<'_>,
    press: &mut Press<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<()> {
    let plan = press.plan;
    let (mut profile, executable) = (profiled.profile, profiled.executable);
    let program = executable.map(|(_, program)| program);
    if let Some(base) = plan.base {
        let link_base = program.map_or(0, |program| program.link_base.0);
        profile.move_down(base.0.0.wrapping_sub(link_base));
    }
    profile.sort_arcs();
    let own_table = program.map(|program| &program.table);
    let by_address;
    let table = match own_table.filter(|table| !table.symbols().is_empty()) {
        Some(table) => table,
        None => {
            by_address = SymbolTable::of_entries(profile.arcs().iter().map(|arc| arc.callee));
            &by_address
        }
    };
    let image = executable.map(|(executable, _)| executable);
    let (calls, no_calls) = find_static_calls(image, table, plan)?;
    let has_names = own_table.is_some_and(|table| !table.symbols().is_empty());
    let whole = OnceCell::new();
    let took_part = |id| {
        let costs = whole.get_or_init(|| {
            let all = FilterSets::resolve(&FilterSpecs::default(), table);
            CostGraph::from_histograms(&profile, table, &all, &calls)
        });
        costs.took_part(id)
    };
    let finder = Finder::new(table, names::style(plan)).preferring(&took_part);
    let mut filters = FilterSets::find(&plan.filters, &finder);
    names::check(&filters.unknown, &finder, has_names)?;
    if let Some(keep) = &plan.keep {
        let whole = CostGraph::from_histograms(&profile, table, &filters, &calls);
        let name = |id| spelled(table, id, names::style(plan));
        let graph = SymbolGraph::new(&whole, table, name);
        if let Some(pattern) = graph.idle_pattern(keep) {
            return Err(names::no_match(pattern, &finder, has_names).into());
        }
        let kept = graph.kept_by(keep);
        warnings.extend((!kept.contains(&true)).then_some(Warning::NothingKept));
        filters.keep(&kept);
    }
    let costs = CostGraph::from_histograms(&profile, table, &filters, &calls);
    unavailable::check_metric(plan, &costs)?;
    let material = Material {
        costs: &costs,
        table,
        filters: &filters,
        options: press.section_options(),
    };
    let ranks = GraphRanks::new(&material);
    let maker = Maker {
        profile: &profile,
        material: &material,
        ranks: &ranks,
        file_map: program.and_then(|program| program.file_map.as_ref()),
    };
    let program_ref = executable.map(|(executable, program)| diagnose::ProgramRef {
        path: executable.path(),
        program,
    });
    warnings.extend(unavailable::of_gmon(plan));
    warnings.extend(no_calls);
    warnings.extend(diagnose::check(
        &profile,
        profiled.encoding,
        program_ref,
        &costs,
    ));
    warnings.extend(diagnose::check_blocks(&profile, table));
    let mut sections = Vec::new();
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
        if let Some(why) = unavailable::of_sampled(style) {
            lacks.miss(why, warnings);
        } else if style == OutputStyle::AnnotatedSource {
            let files = execution_sources(&material, &maker.blocks());
            let annotated = sources::annotate(files, table, plan, image, warnings);
            sections.extend(annotated.sections);
            if !table.has_sources() {
                lacks.miss(unavailable::no_sources(), warnings);
            } else if !annotated.missing.is_empty() {
                lacks.miss_sources(&annotated.missing);
            } else {
                lacks.give();
            }
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
    let names = SymbolNames::of_program(table, plan.text.demangle);
    let draft = Draft {
        metrics: costs.metrics.clone(),
        primary: costs.primary,
        names: Box::new(names),
        sections,
    };
    press.print(draft, warnings)
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
}

impl<'a> Maker<'a> {
    fn push(&self, style: OutputStyle, sections: &mut Vec<Section<'a>>) {
        let material = self.material;
        match style {
            OutputStyle::Flat => {
                let has_arcs = self.profile.records().has_arcs;
                let ranks = has_arcs.then_some(self.ranks);
                sections.push(flat_section(material, ranks));
            }
            OutputStyle::Graph => sections.push(graph_section(material, self.ranks)),
            OutputStyle::ExecCounts => {
                sections.push(execution_counts(material, &self.blocks()));
            }
            OutputStyle::FunctionOrder | OutputStyle::FileOrder => sections.push(self.order()),
            _ => {}
        }
    }

    /// Blocks are part of lines; where a symbol is a whole function there are none.
    fn blocks(&self) -> BlockCounts {
        let table = self.material.table;
        match table.granularity() {
            Granularity::Functions | Granularity::Inlines => BlockCounts::default(),
            Granularity::Lines => BlockCounts::new(self.profile.blocks(), table, |_, _| true),
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
    let names: Vec<SymbolId> = table.iter().map(|(id, _)| id).collect();
    let arcs: Vec<_> = OrderArc::all(&costs.calls).collect();
    let is_used = |id| costs.calls_of(id).from_others != 0;
    order_of_functions(&names, names.len(), &arcs, is_used)
}

/// The calls that stand in the code, where they are asked for and can be told.
fn find_static_calls(
    executable: Option<&Executable>,
    table: &SymbolTable,
    plan: &Plan,
) -> Result<(Vec<StaticCall>, Option<Warning>)> {
    let Some(executable) = executable.filter(|_| plan.static_calls) else {
        return Ok((Vec::new(), None));
    };
    match static_calls(executable, table) {
        Ok(calls) => Ok((calls, None)),
        Err(error @ StaticCallError::UnknownMachine { .. }) => {
            let reason = error.to_string();
            Ok((Vec::new(), Some(Warning::NoStaticCalls { reason })))
        }
        Err(error) => Err(error.into()),
    }
}
