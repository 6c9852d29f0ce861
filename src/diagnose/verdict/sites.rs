//! Checks whether call sites contain calls, and whether these can lead to the callees of
//! arcs.
//!
//! Profilers in C libraries have a table of call sites with an entry for 4, 8 or 16 bytes of
//! code, and record the start of an entry: the call returns into one of them. Source:
//! `gmon/mcount.c` in glibc. Ports with little memory have larger entries.

use std::sync::OnceLock;

use super::Evidence;
use super::callees::Callees;
use super::setting::{Setting, moved};
use crate::model::{Address, CallArc, CoarseSites};
use crate::symbols::{CallTarget, SiteCalls, SiteFinding};
use crate::threads;

/// Number of arcs in a unit of parallel work.
const PIECE: usize = 1 << 14;

#[derive(Debug, Default)]
pub(super) struct SiteEvidence {
    /// Arcs within the program's code.
    pub(super) n_all: usize,
    /// Arcs from a call to their callee.
    pub(super) n_direct: usize,
    /// Arcs from a place without a call.
    pub(super) n_nowhere: usize,
    /// Arcs from calls of other functions that return.
    pub(super) n_elsewhere: usize,
    /// Starts of functions are known.
    has_names: bool,
    /// The size of entries larger than usual, to which everything fits.
    coarse: Option<CoarseSites>,
}

impl SiteEvidence {
    pub(super) fn contradict(&self) -> bool {
        self.coarse.is_none() && self.are_many_contradicting()
    }

    fn are_many_contradicting(&self) -> bool {
        let n_contradicting = self.n_contradicting();
        if self.has_names {
            n_contradicting > 1 && 100 * n_contradicting >= self.n_all
        } else {
            n_contradicting > 2 && 4 * n_contradicting >= self.n_all
        }
    }

    pub(super) fn are_doubtful(&self) -> bool {
        let n_contradicting = self.n_contradicting();
        let is_notable = n_contradicting > 0 && 20 * n_contradicting >= self.n_all;
        self.has_names && is_notable || self.coarse.is_some() && n_contradicting > 0
    }

    pub(super) fn n_contradicting(&self) -> usize {
        self.n_nowhere + self.n_elsewhere
    }

    /// The sum of two parts.
    fn and(self, other: Self) -> Self {
        Self {
            n_all: self.n_all + other.n_all,
            n_direct: self.n_direct + other.n_direct,
            n_nowhere: self.n_nowhere + other.n_nowhere,
            n_elsewhere: self.n_elsewhere + other.n_elsewhere,
            ..Self::default()
        }
    }

    pub(super) fn evidence(self) -> Option<Evidence> {
        (self.n_all > 0).then_some(Evidence::Sites {
            n_direct: self.n_direct,
            // Without names it is not known which of them are to be trusted.
            n_contradicting: if self.has_names || self.are_many_contradicting() {
                self.n_contradicting()
            } else {
                0
            },
            n_all: self.n_all,
            step: self.coarse.map(|coarse| coarse.step),
        })
    }
}

/// Call sites with the callees found, both less a distance.
pub(super) fn inspect(setting: &Setting<'_>, slide: u64, callees: &Callees) -> SiteEvidence {
    let slide = slide.wrapping_sub(callees.below_returns);
    if !setting.code.reads_calls() {
        return SiteEvidence::default();
    }
    let is_in_code = |site| setting.code.contains(moved(site, slide));
    let mcount = callees.mcount.filter(|&mcount| mcount != CallTarget::Register);
    let mut counted = Vec::new();
    counted.resize_with(setting.n_functions(), OnceLock::new);
    let examination = SiteInspection {
        setting,
        slide,
        calls: SiteCalls::new(setting.code, setting.functions(), mcount),
        counted: counted.into(),
    };
    // The profiler may adjust addresses of calls before or after rounding.
    let below = [0, callees.below_returns];
    let steps = below.map(|below| setting.profile.call_site_step(below, is_in_code));
    let usual = examination.inspect_all(steps[0].max(steps[1]));
    let coarse = setting.profile.coarse_sites(is_in_code);
    let coarse = coarse.filter(|_| usual.n_contradicting() > 0);
    let sites = match coarse.map(|coarse| (coarse, examination.inspect_all(coarse.step))) {
        Some((coarse, found)) if found.n_contradicting() == 0 => {
            // A few call sites may be such multiples by chance, so the result stays in doubt.
            let found =
                if coarse.is_certain(setting.checked.program.encoding) { found } else { usual };
            SiteEvidence { coarse: Some(coarse), ..found }
        }
        _ => usual,
    };
    // Something other than the profiler's hook may record other call sites.
    if callees.are_starts() && 2 * sites.n_contradicting() > sites.n_all {
        return SiteEvidence::default();
    }
    sites
}

struct SiteInspection<'a, 'b> {
    setting: &'a Setting<'b>,
    slide: u64,
    calls: SiteCalls<'a, 'b>,
    /// Whether each function calls mcount, computed on demand.
    counted: Box<[OnceLock<bool>]>,
}

impl SiteInspection<'_, '_> {
    fn inspect_all(&self, step: u64) -> SiteEvidence {
        let arcs = self.setting.profile.arcs();
        let found = threads::pieces(arcs, PIECE, |arcs| self.inspect(arcs, step));
        let found = found.into_iter().fold(SiteEvidence::default(), SiteEvidence::and);
        SiteEvidence { has_names: self.setting.functions().is_some(), ..found }
    }

    fn inspect(&self, arcs: &[CallArc], step: u64) -> SiteEvidence {
        let mut sites = SiteEvidence::default();
        for arc in arcs {
            let [site, callee] = [arc.call_site, arc.callee].map(|end| moved(end, self.slide));
            if ![site, callee].iter().all(|&end| self.setting.code.contains(end)) {
                continue;
            }
            sites.n_all += 1;
            match self.find(site, callee, step) {
                SiteFinding::Direct => sites.n_direct += 1,
                SiteFinding::Nowhere if self.is_counted(site) => sites.n_nowhere += 1,
                SiteFinding::Elsewhere if self.is_counted(site) => sites.n_elsewhere += 1,
                SiteFinding::Nowhere | SiteFinding::Elsewhere | SiteFinding::MayBe => {}
            }
        }
        sites
    }

    /// The best call within `step` bytes of a site.
    fn find(&self, site: Address, callee: Address, step: u64) -> SiteFinding {
        let mut found = SiteFinding::Nowhere;
        for place in self.calls.places(site, step) {
            found = found.max(self.calls.before(place, callee));
            if found == SiteFinding::Direct {
                break;
            }
        }
        found
    }

    /// Returns whether code calls mcount at the start of its function, or that function is
    /// unknown. Other code has invisible callers: the system starts signal handlers and
    /// threads as if something had called them, and assembly code may do anything.
    fn is_counted(&self, site: Address) -> bool {
        let Some((id, function)) = self.setting.numbered_function_at(site) else {
            return true;
        };
        *self.counted[id.index()].get_or_init(|| {
            let is_mcount = |target| self.calls.is_mcount(target);
            self.calls.know_mcount()
                && self.setting.code.returns_near_start(&function.range, is_mcount)
        })
    }
}
