//! Properties of every profile.

use std::sync::Arc;

use proptest::prelude::*;

use profan::analyze::{CostGraph, Material, SectionOptions, flat_section};
use profan::filter::{FilterSets, FilterSpecs};
use profan::model::{Address, CallArc, Clock, Histogram, InstructionStarts, MergePolicy, Profile};
use profan::symbols::SymbolTable;

use crate::tables::rows_of;

const LOW: u64 = 0x1000;

/// Histograms of any width, ticks anywhere, arcs between any addresses.
fn profile() -> impl Strategy<Value = Profile> {
    let bins = proptest::collection::vec(0u64..1000, 1..200);
    // Ranges may be damaged: shorter than their bins, empty, reversed.
    let histogram = (bins, -300i64..100, 0u64..5).prop_map(|(bins, extra, start)| {
        let low = LOW + start * 0x40;
        let high = low + bins.len() as u64 * 4;
        Histogram {
            low: Address(low),
            high: Address(high.wrapping_add_signed(extra)),
            n_bins: bins.len() as u64,
            bins: bins.into(),
            full_bins: Vec::new(),
            instructions: InstructionStarts::default(),
            clock: Clock::seconds(100),
        }
    });
    let arc = (0u64..0x600, 0u64..0x600, 0u64..50);
    let arcs = proptest::collection::vec(arc, 0..60);
    (proptest::collection::vec(histogram, 0..3), arcs).prop_map(|(histograms, arcs)| {
        let mut profile = Profile::default();
        for histogram in histograms {
            let added = profile.add_histogram(histogram, MergePolicy::LENIENT);
            added.expect("all are in seconds");
        }
        for (from, to, count) in arcs {
            profile.add_arc(CallArc {
                call_site: Address(LOW + from),
                callee: Address(LOW + to),
                count,
            });
        }
        profile
    })
}

fn table() -> SymbolTable {
    SymbolTable::of_entries((0..24).map(|index| Address(LOW + 0x20 + index * 0x33)))
}

/// Seconds of every row of the flat profile, and of time outside functions.
fn seconds_of(profile: &Profile) -> (f64, f64) {
    let table = table();
    let filters = FilterSets::resolve(&FilterSpecs::default(), &table);
    let costs = CostGraph::from_histograms(profile, &table, &filters, &[]);
    let (costs, table) = (Arc::new(costs), Arc::new(table));
    let material = Material {
        costs: &costs,
        table: &table,
        filters: &filters,
        options: SectionOptions {
            shows_zero_cost: false,
            is_bsd: false,
            ..SectionOptions::default()
        },
    };
    let rows = rows_of(&flat_section(&material, None));
    let rows = rows.iter().map(|row| row.real("self_seconds")).sum();
    let sampling = costs.sampling.as_ref().expect("time was sampled");
    (rows, sampling.outside / 100.0)
}

proptest! {
    #[test]
    fn own_times_lie_between_their_limits(profile in profile()) {
        let table = table();
        let filters = FilterSets::resolve(&FilterSpecs::default(), &table);
        let costs = CostGraph::from_histograms(&profile, &table, &filters, &[]);
        let (costs, table) = (Arc::new(costs), Arc::new(table));
    let material = Material {
            costs: &costs,
            table: &table,
            filters: &filters,
            options: SectionOptions {
                shows_zero_cost: true,
                has_error: true,
                ..SectionOptions::default()
            },
        };
        for row in rows_of(&flat_section(&material, None)) {
            if !row.has("self_low_seconds") {
                prop_assert_eq!(profile.n_ticks(), 0);
                continue;
            }
            let own = row.real("self_seconds");
            let (low, high) = (row.real("self_low_seconds"), row.real("self_high_seconds"));
            prop_assert!(low <= own + 1e-6 && own < high, "{low} {own} {high}");
        }
    }

    #[test]
    fn ticks_in_are_ticks_out(profile in profile()) {
        let (rows, outside) = seconds_of(&profile);
        let recorded = profile.n_ticks() as f64 / 100.0;
        prop_assert!((rows - recorded).abs() <= 1e-9 * recorded, "{rows} of {recorded}");
        prop_assert!((-1e-9..=recorded + 1e-6).contains(&outside));
    }

    #[test]
    fn the_order_of_files_does_not_matter(a in profile(), b in profile(), c in profile()) {
        let sum = |profiles: [&Profile; 3]| {
            let mut sum = Profile::default();
            for profile in profiles {
                sum.merge(profile.clone(), MergePolicy::LENIENT).expect("all are in seconds");
            }
            sum.sort_records();
            sum
        };
        let (first, second) = (sum([&a, &b, &c]), sum([&c, &a, &b]));
        prop_assert_eq!(first.arcs(), second.arcs());
        prop_assert_eq!(first.n_ticks(), second.n_ticks());
        let key = |h: &Histogram| (h.low, h.high, h.bins.hit().collect::<Vec<_>>());
        let sorted = |profile: &Profile| {
            let mut keys: Vec<_> = profile.histograms().iter().map(key).collect();
            keys.sort();
            keys
        };
        prop_assert_eq!(sorted(&first), sorted(&second));
    }
}
