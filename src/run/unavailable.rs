//! Determines which reports and options are unavailable, from the facts about a subject and
//! the command line. `diagnose` has the reasons.

use super::subject::{SelectedCosts, Subject, SubjectSymbols};
use crate::analyze::{AnnotationOptions, TotalsFrom};
use crate::cli::{LookOptions, Plan, ReadingOptions};
use crate::diagnose::{Fact, Request, SubjectFacts, Unavailable, Warning};
use crate::model::{Heap, Profile, Quantity, ValueMetric};
use crate::report::{Section, SectionId};

/// The facts about a subject.
pub(super) fn facts(subject: &Subject<'_>, plan: &Plan) -> SubjectFacts {
    let profile = &subject.profile;
    let costs = &subject.selection.costs;
    let is_sampled = matches!(subject.symbols, SubjectSymbols::Program(_));
    let has_program = subject.executable().is_some();
    let is_heap = !is_sampled && costs.is_heap();
    let is_trace = profile.history.is_some();
    let has_callers =
        costs.shape.totals_from == TotalsFrom::Stacks || !profile.costs.possible_calls.is_empty();
    let has_stacks = if is_sampled {
        !profile.arcs().is_empty()
    } else {
        matches!(costs.shape.totals_from, TotalsFrom::Stacks | TotalsFrom::Arcs)
    };
    let has_single_frames = plan.reports.no_inferred_stacks && !costs.measures_nothing();
    let has_addresses = || profile.costs.contexts.iter().any(|c| c.address.is_some());
    let mut types = profile.costs.samples.types().iter();
    let has_peak = types.any(|t| t.quantity == Quantity::AT_PEAK);
    let counts_entries = costs.shape.counts_entries || costs.counted.is_some();
    let are_libraries = is_sampled && subject.objects.are_libraries;
    let is_counted = costs.metric().source().is_counted();
    let is_of_ml = profile.kind.is_some_and(|kind| kind.is_standard_ml);
    SubjectFacts::of(&[
        (Fact::Samples, is_sampled),
        (Fact::Heap, is_heap),
        (Fact::Mpatrol, profile.heap.is_some()),
        (Fact::MemoryInUse, profile.costs.metrics.iter().any(|m| m.is_level && is_of_bytes(m))),
        (Fact::BlockSizes, profile.heap.as_ref().is_some_and(|heap| !Heap::is_empty(heap))),
        (Fact::History, is_trace),
        (Fact::HeapOverTime, is_trace || profile.series.is_some()),
        (Fact::AtPeak, has_peak),
        (Fact::Callers, has_callers && !is_trace),
        (Fact::Stacks, has_stacks && !is_trace || has_single_frames),
        (
            Fact::CostsAlongCalls,
            !(plan.is_by_line() || is_sampled && plan.reports.group_by.is_some())
                || costs.shape.totals_from == TotalsFrom::Stacks
                || has_single_frames,
        ),
        (Fact::ListedCalls, is_sampled || !costs.has_too_many_calls()),
        (Fact::KnownCallers, is_sampled || !costs.calls.is_cut),
        (Fact::CallCounts, is_sampled || costs.counted.is_some()),
        (Fact::Entries, !is_sampled && costs.shape.counts_entries),
        (Fact::Executions, is_sampled || is_heap || counts_entries),
        (Fact::Numbers, is_sampled || !costs.measures_nothing()),
        (Fact::SampledValues, is_sampled || costs.is_sampled() || costs.measures_nothing()),
        (Fact::KnownVariation, is_sampled || costs.is_sampled() || is_counted),
        (Fact::NumbersWithoutUnit, profile.kind.is_some_and(|kind| kind.lacks_units)),
        (Fact::WholeFunctions, costs.has_known_parts()),
        (Fact::SampleTime, true),
        (Fact::Uncertainty, true),
        (Fact::Times, true),
        (Fact::Profile, true),
        (Fact::Program, has_program),
        (Fact::SymbolsByAddress, is_sampled || is_heap || has_program),
        (Fact::Addresses, is_sampled || has_addresses()),
        (Fact::OneObject, !is_sampled || subject.table().objects().is_empty()),
        (Fact::ObjectFiles, is_sampled),
        (Fact::FileMap, plan.reports.file_ordering.is_some()),
        (Fact::LoadedAddresses, !are_libraries),
        (Fact::UnknownCounterWidth, !are_libraries),
        (Fact::StandardMl, is_of_ml),
        (Fact::SharedNames, !is_sampled && !is_heap),
    ])
}

fn is_of_bytes(metric: &ValueMetric) -> bool {
    metric.unit == Some("bytes")
}

/// Why a report of a subject is unavailable, if it is.
pub(super) fn of_report(section: SectionId, facts: SubjectFacts) -> Option<Warning> {
    use SectionId as S;
    let why = match section {
        S::HeapPeak if facts.has(Fact::AtPeak) => None,
        S::HeapPeak | S::HeapTemporary | S::HeapGrowth => {
            let of_samples = Unavailable::find(Request::HeapReport, facts);
            of_samples.or_else(|| Unavailable::find(Request::HeapInUse, facts))
        }
        _ => Unavailable::find(Request::Report(section), facts),
    };
    why.map(Into::into)
}

/// The warning on parts of a filtered report that cover the whole program.
pub(super) fn of_part(section: SectionId, selection: &SelectedCosts) -> Option<Warning> {
    let is_of_all = section == SectionId::Sizes && selection.is_of_part();
    is_of_all.then(|| without(Fact::BlockSizesByStack, Request::BinsOfPart)).flatten()
}

/// The warning that a request fails because of one missing fact.
pub(super) fn without(fact: Fact, request: Request) -> Option<Warning> {
    Unavailable::without(fact, request).map(Into::into)
}

/// The warning for a request of lines without line information.
pub(super) fn of_lines(request: Request, profile: &Profile) -> Option<Warning> {
    let facts = SubjectFacts::of(&[
        (Fact::Heap, profile.heap.is_some()),
        (Fact::History, profile.history.is_some()),
        (Fact::StandardMl, profile.kind.is_some_and(|kind| kind.is_standard_ml)),
    ]);
    Unavailable::find(request, facts).map(Into::into)
}

/// Warnings on options without effect for a subject.
pub(super) fn of_options(plan: &Plan, facts: SubjectFacts) -> impl Iterator<Item = Warning> {
    let Plan { functions, look, reading, .. } = plan;
    let symbols = &reading.symbols;
    let asked = [
        (look.marks() != AnnotationOptions::default(), Request::Marks),
        (look.traditional, Request::BsdLayout),
        (look.error, Request::Error),
        (reading.rate.is_some() || reading.counter_bits.is_some(), Request::RateOrCounterBits),
        (reading.unit.is_some() || reading.period.is_some(), Request::UnitOrPeriod),
        (functions.static_call_graph, Request::StaticCalls),
        (symbols.skips_static || symbols.skips_untyped, Request::SymbolKinds),
        (!symbols.debug_dirs.is_empty(), Request::DebugDirs),
        (symbols.external.is_some(), Request::ExternalSymbols),
        (reading.base.is_some(), Request::Base),
        (reading.counter_bits.is_some(), Request::CounterBits),
        (plan.reports.inlines, Request::Inlines),
        (functions.keep.is_some(), Request::Keep),
        (reading.wall.is_some(), Request::Wall),
        (functions.merge_names || functions.no_library, Request::NamesOfMl),
        (functions.no_library, Request::LibraryOfMl),
    ];
    let asked = asked.into_iter().filter(|(is_asked, _)| *is_asked);
    let found = asked.filter_map(move |(_, request)| Unavailable::find(request, facts));
    found.map(Into::into)
}

/// The warning that no section has uncertainties, for want of a fact.
pub(super) fn of_error(sections: &[Section], missing: Fact) -> Option<Warning> {
    let has_none = sections.iter().all(|section| section.uncertainty.is_empty());
    has_none.then(|| without(missing, Request::Error)).flatten()
}

/// Warnings on options without effect if files are only listed or added up.
pub(super) fn of_files(
    look: &LookOptions,
    reading: &ReadingOptions,
    only_looks: bool,
) -> impl Iterator<Item = Warning> {
    let asked = [
        (look.error, Request::Error),
        (reading.wall.is_some(), Request::Wall),
        (reading.rate.is_some() && only_looks, Request::Rate),
    ];
    let asked = asked.into_iter().filter(|(is_asked, _)| *is_asked);
    asked.filter_map(|(_, request)| without(Fact::Times, request))
}
