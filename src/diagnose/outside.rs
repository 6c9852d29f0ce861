//! Calls that leave the program: evidence of instrumented code whose time the profile
//! excludes.
//!
//! mcount serves every instrumented object of the process, but the histogram covers only the
//! program.

use std::ops::Range;

use super::ProgramRef;
use crate::model::{Address, Profile};
use crate::report::number::counted;
use crate::sorting::ColdSort;
use crate::symbols::{Linkage, System};

/// Calls between the program and other objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideCalls {
    /// Path of the executable.
    executable: String,
    /// Linkage of the executable.
    linkage: Linkage,
    /// Calls to functions outside of the program.
    pub(super) n_to: u64,
    /// Calls from outside of the program.
    n_from: u64,
    /// Lowest and highest outside address.
    range: (Address, Address),
    /// The program has ticks.
    has_ticks: bool,
}

impl OutsideCalls {
    /// Counts the calls that cross the border of the program.
    pub(super) fn count(profile: &Profile, program_ref: ProgramRef<'_>) -> Option<Self> {
        let linkage = &program_ref.program.linkage;
        if !linkage.is_dynamic() {
            return None;
        }
        let covered = covered(profile, program_ref);
        let is_covered = |address: Address| {
            covered.as_ref().is_none_or(|ranges| {
                let n_before = ranges.partition_point(|range| range.start <= address);
                n_before > 0 && ranges[n_before - 1].contains(&address)
            })
        };
        let (mut n_to, mut n_from) = (0_u64, 0_u64);
        let mut ends = Vec::new();
        for arc in profile.arcs() {
            // Call site 0 means an unknown caller.
            let comes_in = arc.call_site.0 != 0 && !is_covered(arc.call_site);
            if !is_covered(arc.callee) {
                n_to = n_to.saturating_add(arc.count);
                ends.push(arc.callee);
            } else if comes_in {
                n_from = n_from.saturating_add(arc.count);
                ends.push(arc.call_site);
            }
        }
        let (low, high) = (ends.iter().min()?, ends.iter().max()?);
        Some(Self {
            executable: program_ref.path.display().to_string(),
            linkage: linkage.clone(),
            n_to,
            n_from,
            range: (*low, *high),
            has_ticks: profile.n_ticks() > 0,
        })
    }

    /// The problem, in one sentence.
    pub(super) fn cause(&self) -> String {
        let Self { executable, linkage, range, .. } = self;
        let calls = match (self.n_to, self.n_from) {
            (n_to, 0) => counted(n_to, "call leads to", "calls lead to"),
            (0, n_from) => counted(n_from, "call comes from", "calls come from"),
            (n_to, n_from) => {
                let to = counted(n_to, "call leads to", "calls lead to");
                let from = counted(n_from, "comes from", "come from");
                format!("{to}, and {from},")
            }
        };
        let place = match range {
            (low, high) if low == high => format!("address {low}"),
            (low, high) => format!("addresses {low} to {high}"),
        };
        let calls = format!("{calls} {place}, outside {executable}");
        if self.has_ticks {
            return format!(
                "{calls}: in shared libraries built with -pg, whose time is not in the profile"
            );
        }
        let libraries = match &*linkage.project_libraries() {
            [] if linkage.loads_plugins => "that the program loads with dlopen()".to_owned(),
            [] => "built with -pg".to_owned(),
            libraries => format!("({})", libraries.join(", ")),
        };
        format!("no samples: the time was spent in shared libraries {libraries}; {calls}")
    }

    /// The advice, in one sentence.
    pub(super) fn advice(&self) -> String {
        include_libraries(&self.linkage)
    }
}

/// How to profile shared libraries and plugins of a program.
pub(super) fn include_libraries(linkage: &Linkage) -> String {
    let libraries = linkage.project_libraries();
    let link = match &*libraries {
        [] if linkage.loads_plugins => "link the plugins into the program".to_owned(),
        [] => "link these libraries statically (-static, or as .a files)".to_owned(),
        libraries => format!(
            "link {} statically (libtool: --disable-shared; CMake: -DBUILD_SHARED_LIBS=OFF)",
            libraries.join(", ")
        ),
    };
    match linkage.system {
        Some(System::Linux) => format!(
            "{link}; or link the program without -pg and profile one library: LD_PROFILE={} \
             ./PROGRAM",
            libraries.first().unwrap_or(&"SONAME")
        ),
        _ => link,
    }
}

/// The addresses of the program: the sampled range, and its code, ascending and disjoint. `None`
/// without a histogram, when any address may belong to the program.
fn covered(profile: &Profile, program_ref: ProgramRef<'_>) -> Option<Vec<Range<Address>>> {
    let histograms = profile.histograms();
    if histograms.is_empty() {
        return None;
    }
    let code = &program_ref.program.code;
    let whole = code.first().zip(code.last());
    let whole = whole.map(|(first, last)| first.start..last.end);
    let sampled = histograms.iter().map(|histogram| histogram.low..histogram.high);
    let mut ranges: Vec<_> = sampled.chain(whole).filter(|range| !range.is_empty()).collect();
    ranges.cold_sort_by_key(|range| (range.start, range.end));
    let mut apart: Vec<Range<Address>> = Vec::new();
    for range in ranges {
        match apart.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => apart.push(range),
        }
    }
    Some(apart)
}
