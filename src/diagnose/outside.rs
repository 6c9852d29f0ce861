//! Calls that lead out of the program: proof that code was counted whose time is not
//! in the profile.
//!
//! The function that counts calls serves every object of the process that was built for
//! profiling, but the histogram covers the program alone.

use super::ProgramRef;
use crate::model::{Address, Profile};
use crate::report::number::counted;
use crate::symbols::{Linkage, System};

/// Calls between the program and what is not of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideCalls {
    /// The executable.
    executable: String,
    /// How it is linked.
    linkage: Linkage,
    /// Calls of functions that are not of the program.
    pub(super) n_to: u64,
    /// Calls of the program's functions from elsewhere.
    n_from: u64,
    /// The lowest and the highest address of both.
    range: (Address, Address),
    /// The program itself has ticks.
    has_ticks: bool,
}

impl OutsideCalls {
    /// Adds up the calls along arcs with an end in the program and one elsewhere.
    pub(super) fn count(profile: &Profile, program_ref: ProgramRef<'_>) -> Option<Self> {
        let linkage = &program_ref.program.linkage;
        if !linkage.is_dynamic() {
            return None;
        }
        let (mut n_to, mut n_from) = (0_u64, 0_u64);
        let mut ends = Vec::new();
        for arc in profile.arcs() {
            // Nobody is called from address 0: that is a caller who is not known.
            let comes_in = arc.call_site.0 != 0 && !is_covered(profile, program_ref, arc.call_site);
            if !is_covered(profile, program_ref, arc.callee) {
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

    /// What is odd, in one sentence.
    pub(super) fn cause(&self) -> String {
        let Self {
            executable, range, ..
        } = self;
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
        let ticks = if self.has_ticks {
            ""
        } else {
            "; there are no ticks of its own"
        };
        format!(
            "{calls} {place}, outside of {executable}: shared objects that were built with -pg \
             too, whose time is not in the profile{ticks}"
        )
    }

    /// What to do about it, in one sentence.
    pub(super) fn advice(&self) -> String {
        let libraries = self.linkage.own_libraries();
        let which = match &*libraries {
            [] => "that code".to_owned(),
            libraries => libraries.join(", "),
        };
        let link = format!("link {which} into the program itself (-static, or as .a file)");
        match self.linkage.system {
            Some(System::Linux) => {
                format!("{link}, or run it with LD_PROFILE=SONAME, which profiles one library")
            }
            _ => link,
        }
    }
}

/// Whether an address is of the program: in what the profiler sampled, or in its code.
/// Without a histogram nobody knows what the profiler took for the program.
fn is_covered(profile: &Profile, program_ref: ProgramRef<'_>, address: Address) -> bool {
    let histograms = profile.histograms();
    let code = &program_ref.program.code;
    let ends = code.first().zip(code.last());
    histograms.is_empty()
        || ends.is_some_and(|(first, last)| (first.start..last.end).contains(&address))
        || histograms
            .iter()
            .any(|histogram| (histogram.low..histogram.high).contains(&address))
}
