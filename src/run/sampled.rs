//! Reports of sampled time and counted calls.

use std::collections::HashMap;

use anyhow::Result;

use super::joining::{Joined, join, put_at_base};
use super::{
    Draft, Object, Press, build, idle_specs, run_time, sources, spelled, styles, unavailable,
};
use crate::analyze::{
    BlockCounts, CostGraph, GraphRanks, Material, OrderArc, OrderedName, SymbolGraph, SymbolNames,
    about_shared_calls, about_unknown_callers, execution_counts, flat_section, graph_section,
    index_section, order_of_files, order_of_functions, order_section,
};
use crate::cli::{OutputStyle, Plan};
use crate::diagnose::{self, Warning};
use crate::filter::FilterSets;
use crate::model::{Encoding, Profile};
use crate::report::Section;
use crate::symbols::{
    Executable, FileId, FileMap, Granularity, LinePieces, Program, StaticCall, StaticCallError,
    SymbolId, SymbolTable,
};

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
    let are_all_given = objects.iter().all(|object| object.executable.is_some());
    let encoding = objects.first().and_then(Object::telling_encoding);
    let mut may_be_program = true;
    for object in &mut objects {
        put_at_base(object, plan);
        object.profile.sort_records();
        if !object.is_library {
            may_be_program &= build::check(&object.profile, object.executable, press, warnings)?;
        }
    }
    let mut joined = join(objects, external)?;
    joined.profile.sort_records();
    let (calls, no_calls) = find_static_calls(&joined, plan)?;
    let Joined {
        profile,
        table,
        executables,
        lines,
        warnings: of_objects,
    } = joined;
    let table = &*table;
    let program = executables.first().map(|&(_, _, program)| program);
    let mut filters = FilterSets::resolve(&plan.filters, table);
    if let Some(keep) = &plan.keep {
        let whole = CostGraph::from_histograms(&profile, table, &filters, &calls);
        let name = |id| spelled(table, id, plan.text.demangle);
        filters.keep(&SymbolGraph::new(&whole, table, name).kept_by(keep));
    }
    let costs = CostGraph::from_histograms(&profile, table, &filters, &calls);
    unavailable::check_metric(plan, &costs)?;
    let pieces = sources::pieces(&lines, table, &costs, plan);
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
        encoding,
    };
    warnings.extend(unavailable::of_gmon(plan));
    // A spec may name a file of which there is code, but no whole function.
    let by_line = pieces.as_ref().map_or(table, LinePieces::table);
    warnings.extend(idle_specs(plan, by_line));
    warnings.extend(no_calls);
    if has_libraries {
        for warning in of_objects {
            build::say_first(warning, press, warnings)?;
        }
        warnings.extend(diagnose::check_joined(&profile, &costs, are_all_given));
    } else {
        let program_ref = executables.first().map(|&(_, executable, program)| {
            let path = executable.path();
            diagnose::ProgramRef { path, program }
        });
        let mut found = diagnose::check(&profile, encoding, program_ref, &costs, may_be_program);
        if external.is_some() {
            // There are names all the same.
            found.retain(|warning| *warning != Warning::NoExecutable);
            found.extend(diagnose::check_attribution(&profile, &costs, 0));
        }
        warnings.extend(found);
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
    for &style in &styles {
        if let Some(why) = unavailable::of_objects(style, table) {
            warnings.push(why);
            continue;
        }
        if style == OutputStyle::AnnotatedSource {
            let Some(pieces) = &pieces else {
                let executable = executables.first();
                let path = executable.map(|(_, one, _)| one.path().display().to_string());
                warnings.push(Warning::NoLines { executable: path });
                continue;
            };
            let by_file = executables_by_file(table, &executables);
            sections.extend(sources::annotate_sampled(
                &profile,
                &material,
                &maker.blocks(),
                pieces,
                plan,
                &|file| by_file.get(&file).copied(),
                warnings,
            ));
        } else {
            maker.push(style, &mut sections);
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
