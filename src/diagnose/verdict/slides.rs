//! By how much the addresses of a profile may be too high, most likely first.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::setting::Setting;
use crate::model::Address;

/// Programs are loaded at whole pages.
const PAGE: u64 = 0x1000;

/// Callees that vote for a distance.
const N_VOTERS: usize = 16;

/// How far behind the start of a function its hook is called, for voting.
const MAX_PROLOGUE: u64 = 128;

/// Distances that are looked at closely.
const N_CANDIDATES: usize = 8;

/// Distances other than 0: those that put the start of the histogram where profiling of
/// the program starts, then those that most callees vote for. All are to be judged.
pub(super) fn candidates(setting: &Setting<'_>) -> Vec<u64> {
    let mut slides = by_histogram(setting);
    slides.extend(by_callees(setting));
    let mut seen = Vec::new();
    for slide in slides {
        if slide != 0 && !seen.contains(&slide) && seen.len() < 2 * N_CANDIDATES {
            seen.push(slide);
        }
    }
    seen
}

fn by_histogram(setting: &Setting<'_>) -> Vec<u64> {
    let starts = &setting.code.landmarks.starts;
    let histograms = setting.profile.histograms().iter().take(N_CANDIDATES);
    let distances = histograms.flat_map(|histogram| {
        starts.iter().map(|start| {
            // The start was rounded down by a few bytes.
            let distance = histogram.low.0.wrapping_sub(start.0);
            distance.wrapping_add(PAGE / 2) & !(PAGE - 1)
        })
    });
    distances.take(N_CANDIDATES).collect()
}

/// A few callees vote for every distance of whole pages that puts them soon behind the
/// start of some function.
fn by_callees(setting: &Setting<'_>) -> Vec<u64> {
    let Some(table) = setting.functions() else {
        return Vec::new();
    };
    let mut votes: HashMap<u64, usize, RandomState> = HashMap::default();
    let mut vote = |callee: Address, start: Address| {
        let distance = callee.0.wrapping_sub(start.0);
        if distance % PAGE < MAX_PROLOGUE {
            *votes.entry(distance - distance % PAGE).or_default() += 1;
        }
    };
    let step = (setting.callees.len() / N_VOTERS).max(1);
    for callee in setting.callees.iter().step_by(step).take(N_VOTERS) {
        for symbol in table.symbols() {
            vote(*callee, symbol.range.start);
        }
    }
    let mut ranked: Vec<_> = votes.into_iter().collect();
    ranked.sort_unstable_by_key(|&(slide, n_votes)| (std::cmp::Reverse(n_votes), slide));
    ranked.truncate(N_CANDIDATES);
    ranked.into_iter().map(|(slide, _)| slide).collect()
}
