//! The sections of a report, one after another.

use std::sync::{Arc, OnceLock};

use super::subject::{Subject, SubjectSymbols};
use super::unavailable;
use crate::analyze::coverage::Coverage;
use crate::analyze::{
    BlockCounts, CallTree, DisplayName, FocusPart, GraphRanks, HeapMetrics, HeapStacks, Material,
    OrderArc, OrderedFunctions, SizeSteps, SizeTable, TotalsFrom, TraceOptions, about_shared_calls,
    about_unknown_callers, about_wrappers, class_counts, coverage_sections, entry_counts,
    event_counts, execution_counts, flat_section, graph_section, growth_section, index_section,
    leaks_section, order_of_files, order_of_functions, order_section, peak_section,
    peak_stacks_section, series_sections, sizes_section, temporary_section, trace_sections,
    tree_sections,
};
use crate::cli::{Plan, stack_depth};
use crate::diagnose::SubjectFacts;
use crate::model::ContextId;
use crate::report::{Audience, Section, SectionId};
use crate::sorting::ColdSort;
use crate::symbols::{Demangler, Granularity};

/// The reports to print, in order: the requested ones, or the defaults for the profile.
pub(super) fn requested_sections(
    plan: &Plan,
    subject: &Subject<'_>,
    facts: SubjectFacts,
    audience: Audience,
) -> Vec<SectionId> {
    use SectionId as S;
    const ORDER: [SectionId; 13] = [
        S::Trace,
        S::HeapPeak,
        S::HeapTemporary,
        S::HeapGrowth,
        S::Flat,
        S::Graph,
        S::Tree,
        S::Leaks,
        S::Sizes,
        S::Coverage,
        S::Counts,
        S::Source,
        S::Order,
    ];
    // A page has them by default, although text shows them only on request.
    let is_for_page = |section: SectionId| {
        let is_extra = match section {
            S::Tree | S::HeapPeak | S::Leaks => true,
            S::Source => !plan.look.separate_files,
            _ => false,
        };
        plan.renderer().is_page && is_extra && unavailable::of_report(section, facts).is_none()
    };
    let is_printed = |&section: &SectionId| {
        let is_open = plan.sections.is_open(section);
        plan.sections.wants(section)
            || plan.renderer().has_time_axis
                && section == S::Trace
                && is_usual(section, subject, audience)
            || is_open && (is_usual(section, subject, audience) || is_for_page(section))
    };
    let mut requested: Vec<_> = ORDER.into_iter().filter(is_printed).collect();
    if has_bsd_layout(plan.look.traditional, subject) {
        // That layout has the graph first, and the index after both.
        requested.cold_sort_by_key(|&section| match section {
            S::Graph => 0,
            S::Flat => 1,
            _ => 2,
        });
    }
    requested
}

fn has_bsd_layout(is_bsd: bool, subject: &Subject<'_>) -> bool {
    is_bsd && subject.selection.costs.sampling.is_some()
}

/// Returns whether a report is printed by default for this profile.
fn is_usual(section: SectionId, subject: &Subject<'_>, audience: Audience) -> bool {
    use SectionId as S;
    let Subject { profile, .. } = subject;
    let costs = &subject.selection.costs;
    let is_summary = costs.is_heap() && profile.history.is_none();
    match section {
        S::Trace => profile.history.is_some() || profile.series.is_some(),
        S::HeapPeak => audience == Audience::Screen && profile.series.is_some(),
        // A profile of calls alone has a flat profile too.
        S::Flat => !costs.measures_nothing(),
        S::Graph if costs.sampling.is_some() => !profile.arcs().is_empty(),
        S::Graph => costs.shape.totals_from != TotalsFrom::Nothing || costs.measures_nothing(),
        // The report on a trace contains both sections.
        S::Leaks => is_summary,
        // Block sizes do not distinguish functions.
        S::Sizes if subject.selection.is_of_part() => false,
        S::Sizes => is_summary && profile.heap.as_ref().is_some_and(|heap| !heap.is_empty()),
        S::Coverage => costs.shape.counts_entries,
        _ => false,
    }
}

/// Makes the sections of a subject.
pub(super) struct SectionMaker<'a> {
    pub(super) subject: &'a Subject<'a>,
    pub(super) material: Material<'a>,
    /// Made for the first section that refers to entries.
    pub(super) ranks: OnceLock<Arc<GraphRanks>>,
    pub(super) plan: &'a Plan,
    pub(super) demangler: &'a Demangler,
    /// Width of charts in columns.
    pub(super) width: usize,
}

impl<'a> SectionMaker<'a> {
    /// The sections of a report, named by its first one, that the profile has.
    pub(super) fn sections(&self, section: SectionId) -> Vec<Section> {
        let profile = &self.subject.profile;
        let material = &self.material;
        let demangle = |raw: &[u8]| self.demangler.shown(raw);
        let is_shown = |context: ContextId| match &self.subject.symbols {
            SubjectSymbols::Contexts(names) => material.filters.leaks.contains(names.of(context)),
            SubjectSymbols::Program(_) => true,
        };
        match section {
            SectionId::Trace => {
                let options = TraceOptions { chart_width: self.width, ..TraceOptions::default() };
                match &profile.series {
                    Some(series) => {
                        let is_short = material.options.audience == Audience::Screen
                            && !self.plan.sections.wants(SectionId::Trace);
                        series_sections(series, &options, is_short)
                    }
                    None => trace_sections(profile, &options, &demangle),
                }
            }
            SectionId::HeapPeak => {
                let peak = peak_section(profile, &demangle, &is_shown)
                    .or_else(|| self.peak_by_stack(&demangle));
                peak.into_iter().collect()
            }
            SectionId::HeapTemporary => {
                Vec::from_iter(temporary_section(profile, &demangle, &is_shown))
            }
            SectionId::HeapGrowth => {
                let points = self.plan.reports.between;
                let section =
                    points.and_then(|points| growth_section(profile, points, &demangle, &is_shown));
                section.into_iter().collect()
            }
            SectionId::Flat => {
                let has_ranks = profile.records().has_arcs && material.options.is_bsd;
                let ranks = has_ranks.then(|| self.ranks());
                let mut section = flat_section(material, ranks);
                section.notes.extend(self.about_shared_calls());
                vec![section]
            }
            SectionId::Graph => {
                let mut section = graph_section(material, self.ranks());
                let unknown = about_unknown_callers(profile, material.table);
                section.notes.extend(unknown);
                section.notes.extend(self.about_shared_calls());
                vec![section]
            }
            SectionId::Tree => self.tree(&demangle).unwrap_or_default(),
            SectionId::Leaks => self.leaks(&demangle).into_iter().collect(),
            SectionId::Sizes => {
                let steps = if self.plan.reports.bins.flatten().unwrap_or_default() {
                    SizeSteps::Single
                } else {
                    SizeSteps::Doubling
                };
                let heap = profile.heap.as_ref();
                Vec::from_iter(heap.map(|heap| sizes_section(&SizeTable::new(heap, steps))))
            }
            SectionId::Coverage => {
                let coverage = self.coverage();
                coverage.as_ref().map(coverage_sections).unwrap_or_default()
            }
            SectionId::Counts => self.counts().into_iter().collect(),
            SectionId::Order => vec![self.order()],
            _ => Vec::new(),
        }
    }

    /// The section before the index.
    pub(super) fn section_before_index(&self, requested: &[SectionId]) -> Option<SectionId> {
        let is_bsd = has_bsd_layout(self.material.options.is_bsd, self.subject);
        let before = if is_bsd && requested.contains(&SectionId::Flat) {
            SectionId::Flat
        } else {
            SectionId::Graph
        };
        requested.contains(&SectionId::Graph).then_some(before)
    }

    pub(super) fn index(&self) -> Section {
        index_section(&self.material, self.ranks())
    }

    fn ranks(&self) -> &Arc<GraphRanks> {
        self.ranks.get_or_init(|| Arc::new(GraphRanks::new(&self.material)))
    }

    fn about_shared_calls(&self) -> Option<String> {
        let Subject { profile, encoding, .. } = self.subject;
        about_shared_calls(profile, self.material.table, *encoding)
    }

    /// Recorded or inferred call stacks, and the samples of recorded ones.
    fn tree(&self, display: &DisplayName<'_>) -> Option<Vec<Section>> {
        let Material { costs, filters, table, .. } = self.material;
        let tree = match &self.subject.symbols {
            SubjectSymbols::Contexts(names) if costs.shape.totals_from == TotalsFrom::Stacks => {
                let recorded = &self.subject.profile.costs;
                CallTree::recorded(costs, recorded, names, &filters.arcs)
            }
            _ if self.plan.reports.no_inferred_stacks => CallTree::functions(costs),
            _ => CallTree::inferred(costs)?,
        };
        let tree = match &self.subject.selection.kept {
            Some(kept) => tree.keeping(kept, costs),
            None => tree,
        };
        let is_compared = self.material.options.is_side && costs.is_of_memory();
        let (tree, wrappers) =
            if is_compared { tree.without_wrappers(table) } else { (tree, Vec::new()) };
        let is_of_callers = self.plan.reports.tree.flatten().unwrap_or_default();
        let tree = if is_of_callers { tree.from_callees() } else { tree };
        let has_samples = self.plan.shows_samples() && !is_of_callers && !is_compared;
        let recorded = has_samples.then_some(&self.subject.profile.costs);
        let mut sections = tree_sections(&self.material, tree, recorded);
        let about = about_wrappers(&self.material, &wrappers, display);
        sections[0].notes.extend(about);
        Some(sections)
    }

    fn leaks(&self, display: &DisplayName<'_>) -> Option<Section> {
        let metrics = HeapMetrics::of_leaks(self.material.costs);
        let leaks = self.heap_stacks(self.plan.reports.leaks, metrics)?;
        Some(leaks_section(&self.material, leaks, display))
    }

    fn peak_by_stack(&self, display: &DisplayName<'_>) -> Option<Section> {
        let metrics = HeapMetrics::of_peak(self.material.costs)?;
        let peak = self.heap_stacks(self.plan.reports.peak, metrics)?;
        Some(peak_stacks_section(&self.material, peak, display))
    }

    fn heap_stacks(
        &self,
        depth: Option<Option<usize>>,
        metrics: HeapMetrics,
    ) -> Option<HeapStacks> {
        let SubjectSymbols::Contexts(names) = &self.subject.symbols else {
            return None;
        };
        let Material { costs, filters, .. } = self.material;
        let profile = &self.subject.profile;
        Some(HeapStacks::new(profile, costs, names, filters, stack_depth(depth), metrics))
    }

    fn coverage(&self) -> Option<Coverage> {
        let SubjectSymbols::Contexts(names) = &self.subject.symbols else {
            return None;
        };
        let shown = &self.material.filters.exec_counts;
        Coverage::new(&self.subject.profile.costs, |function| {
            shown.contains(names.of_function(function))
        })
    }

    fn counts(&self) -> Option<Section> {
        let Subject { profile, symbols, .. } = self.subject;
        let material = &self.material;
        if material.costs.shape.counts_entries {
            return self.coverage().as_ref().map(entry_counts);
        }
        match symbols {
            SubjectSymbols::Contexts(names) if profile.history.is_some() => {
                Some(event_counts(material, &profile.costs, names))
            }
            SubjectSymbols::Contexts(names) if material.costs.is_heap() => {
                let bounds = profile.heap.as_ref().map(|heap| heap.bounds);
                let bounds = bounds.unwrap_or_default();
                Some(class_counts(material, &profile.costs, names, &bounds))
            }
            _ => Some(execution_counts(material, &block_counts(self.subject))),
        }
    }

    fn order(&self) -> Section {
        let Material { costs, table, .. } = self.material;
        let program = self.subject.executable().map(|(_, program)| program);
        let map = program.and_then(|program| program.file_map.as_ref());
        let map = map.filter(|_| costs.sampling.is_some());
        let nodes = OrderedFunctions {
            n_functions: table.symbols().len(),
            others: Vec::new(),
            links: Vec::new(),
            arcs: OrderArc::all(&costs.calls).collect(),
        };
        order_section(&match map {
            Some(map) => order_of_files(&nodes, table, map),
            None => {
                let is_used = |id| costs.calls_of(id).from_others != 0;
                order_of_functions(&nodes, is_used, |_| Vec::new())
            }
        })
    }
}

/// Block counts of lines; empty if symbols are whole functions.
pub(super) fn block_counts(subject: &Subject<'_>) -> BlockCounts {
    let table = subject.table();
    match table.granularity() {
        Granularity::Functions | Granularity::Inlines => BlockCounts::default(),
        Granularity::Lines => {
            let focus = subject.selection.costs.focus();
            let has_part = |part: &FocusPart, address| {
                let line = table.containing(address);
                line.is_some_and(|line| part.share_of(line) > 0.0)
            };
            BlockCounts::new(subject.profile.blocks(), table, |address, _| {
                focus.is_none_or(|part| has_part(part, address))
            })
        }
    }
}
