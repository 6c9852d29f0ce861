//! Costs at addresses that several functions share.

use super::Warning;
use crate::model::{Address, Profile};
use crate::symbols::{Executable, overlays};

/// Maximum number of bytes of a name in the message.
const NAME_LENGTH: usize = 80;

/// Warns of the functions that share addresses, if any of these has calls or samples.
pub fn check_overlays(profile: &Profile, executable: &Executable) -> Option<Warning> {
    let mut overlays = overlays(executable).ok()?;
    if overlays.is_empty() {
        return None;
    }
    let callees = profile.arcs().iter().map(|arc| arc.callee);
    let callees = callees.map(|callee| callee..Address(callee.0.saturating_add(1)));
    let bins = profile.histograms().iter().flat_map(|histogram| {
        let edges = histogram.edges();
        histogram.bins.hit().map(move |(bin, _)| edges.of_bin_anywhere(bin))
    });
    let mut costs: Vec<_> = callees.chain(bins).collect();
    costs.sort_unstable_by_key(|range| range.start);
    // The highest end so far.
    let mut end = Address(0);
    for range in &mut costs {
        end = end.max(range.end);
        range.end = end;
    }
    overlays.retain(|overlay| {
        let n_before = costs.partition_point(|range| range.start < overlay.range.end);
        n_before > 0 && costs[n_before - 1].end > overlay.range.start
    });
    let first = overlays.first()?;
    let text =
        |name: &[u8]| String::from_utf8_lossy(&name[..name.len().min(NAME_LENGTH)]).into_owned();
    Some(Warning::SharedAddresses {
        functions: first.functions.map(text),
        sections: [text(&first.sections[0]), text(&first.sections[1])],
        start: first.range.start,
        n_more: overlays.len() - 1,
    })
}
