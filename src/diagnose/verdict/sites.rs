//! Checks whether call sites contain calls, and whether these can lead to the callees of
//! arcs.
//!
//! Profilers in C libraries have a table of call sites with an entry for 4, 8 or 16 bytes of
//! code, and record the start of an entry: the call returns into one of them. Source:
//! `gmon/mcount.c` in glibc.

use std::ops::Range;
use std::sync::OnceLock;

use super::Evidence;
use super::callees::Callees;
use super::setting::{Setting, moved};
use crate::model::{Address, CallArc};
use crate::symbols::{CallTarget, MAX_PROLOGUE, SymbolId};
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
}

impl SiteEvidence {
    pub(super) fn contradict(&self) -> bool {
        let n_contradicting = self.n_contradicting();
        if self.has_names {
            n_contradicting > 1 && 100 * n_contradicting >= self.n_all
        } else {
            n_contradicting > 2 && 4 * n_contradicting >= self.n_all
        }
    }

    pub(super) fn are_doubtful(&self) -> bool {
        let n_contradicting = self.n_contradicting();
        self.has_names && n_contradicting > 0 && 20 * n_contradicting >= self.n_all
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
            has_names: self.has_names || other.has_names,
        }
    }

    pub(super) fn evidence(self) -> Option<Evidence> {
        (self.n_all > 0).then_some(Evidence::Sites {
            n_direct: self.n_direct,
            // Without names it is not known which of them are to be trusted.
            n_contradicting: if self.has_names || self.contradict() {
                self.n_contradicting()
            } else {
                0
            },
            n_all: self.n_all,
        })
    }
}

/// The result for one arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SiteFinding {
    Nowhere,
    Elsewhere,
    MayBe,
    Direct,
}

pub(super) fn inspect(setting: &Setting<'_>, slide: u64, callees: &Callees) -> SiteEvidence {
    if !setting.code.reads_calls() {
        return SiteEvidence::default();
    }
    let once = || {
        let mut answers = Vec::new();
        answers.resize_with(setting.n_functions(), OnceLock::new);
        answers.into()
    };
    let examination = SiteInspection {
        setting,
        slide,
        mcount: callees.mcount.filter(|&mcount| mcount != CallTarget::Register),
        step: setting.profile.call_site_step(|site| setting.code.contains(moved(site, slide))),
        jumps_away: once(),
        counted: once(),
    };
    let arcs = setting.profile.arcs();
    let found = threads::pieces(arcs, PIECE, |arcs| examination.inspect_all(arcs));
    let found = found.into_iter().fold(SiteEvidence::default(), SiteEvidence::and);
    let sites = SiteEvidence { has_names: setting.functions().is_some(), ..found };
    // What is no hook may have its own idea of where a call is.
    if callees.are_starts() && 2 * sites.n_contradicting() > sites.n_all {
        return SiteEvidence::default();
    }
    sites
}

struct SiteInspection<'a, 'b> {
    setting: &'a Setting<'b>,
    slide: u64,
    /// The target of calls of mcount, if not known by name.
    mcount: Option<CallTarget>,
    step: u64,
    /// Whether each function may jump elsewhere, computed on demand.
    jumps_away: Box<[OnceLock<bool>]>,
    /// Whether each function calls mcount, computed on demand.
    counted: Box<[OnceLock<bool>]>,
}

impl SiteInspection<'_, '_> {
    fn inspect_all(&self, arcs: &[CallArc]) -> SiteEvidence {
        let mut sites = SiteEvidence::default();
        for arc in arcs {
            let arc = CallArc {
                call_site: moved(arc.call_site, self.slide),
                callee: moved(arc.callee, self.slide),
                count: arc.count,
            };
            let ends = [arc.call_site, arc.callee];
            if !ends.iter().all(|&end| self.setting.code.contains(end)) {
                continue;
            }
            sites.n_all += 1;
            match self.inspect(&arc) {
                SiteFinding::Direct => sites.n_direct += 1,
                SiteFinding::Nowhere if self.is_counted(arc.call_site) => sites.n_nowhere += 1,
                SiteFinding::Elsewhere if self.is_counted(arc.call_site) => sites.n_elsewhere += 1,
                SiteFinding::Nowhere | SiteFinding::Elsewhere | SiteFinding::MayBe => {}
            }
        }
        sites
    }

    /// Returns whether code calls mcount at the start of its function, or that function is
    /// unknown. Other code has invisible callers: the system starts signal handlers and
    /// threads as if something had called them, and assembly code may do anything.
    fn is_counted(&self, site: Address) -> bool {
        let Some((id, function)) = self.setting.numbered_function_at(site) else {
            return true;
        };
        *self.counted[id.index()].get_or_init(|| self.calls_mcount(&function.range))
    }

    /// Returns whether a function calls mcount near its start.
    fn calls_mcount(&self, function: &Range<Address>) -> bool {
        let Range { start, end } = *function;
        let prologue = start.0.saturating_add(1)..=end.0.min(start.0.saturating_add(MAX_PROLOGUE));
        let step = self.setting.code.return_step();
        let mut places = prologue.filter(|place| place.is_multiple_of(step)).map(Address);
        places.any(|place| {
            let target = self.setting.code.call_returning_to(place);
            target.is_some_and(|target| self.is_mcount(target))
        })
    }

    fn is_mcount(&self, target: CallTarget) -> bool {
        self.mcount == Some(target) || self.setting.code.is_mcount(target)
    }

    fn inspect(&self, arc: &CallArc) -> SiteFinding {
        let code = &self.setting.code;
        let callee = self.setting.function_at(arc.callee);
        let callee = callee.map(|callee| callee.range.clone());
        let mut found = SiteFinding::Nowhere;
        for offset in 0..self.step {
            let place = Address(arc.call_site.0.wrapping_add(offset));
            if !place.0.is_multiple_of(code.return_step()) {
                continue;
            }
            let target = code.call_returning_to(place);
            // The hook calls no function of the program's.
            if let Some(target) = target.filter(|&target| !self.is_mcount(target)) {
                found = found.max(self.leads(target, arc.callee, callee.as_ref()));
            }
            if found == SiteFinding::Direct {
                break;
            }
        }
        found
    }

    /// Returns whether a call leads to a callee, possibly through an uninstrumented function
    /// that jumps there.
    fn leads(
        &self,
        target: CallTarget,
        recorded: Address,
        callee: Option<&Range<Address>>,
    ) -> SiteFinding {
        let CallTarget::At(target) = target else {
            return SiteFinding::MayBe;
        };
        if let Some(callee) = callee.filter(|callee| callee.contains(&target)) {
            let is_before = target <= recorded && callee.start <= target;
            return if is_before { SiteFinding::Direct } else { SiteFinding::MayBe };
        }
        let Some((id, other)) = self.setting.numbered_function_at(target) else {
            let is_soon = callee.is_none() && recorded.0.wrapping_sub(target.0) < MAX_PROLOGUE;
            return if is_soon { SiteFinding::Direct } else { SiteFinding::MayBe };
        };
        let body = &other.range;
        if callee.is_some_and(|callee| callee.start == body.end) {
            return SiteFinding::MayBe;
        }
        // Stubs of the linker's have no names: they lie behind a function that has one.
        if body.start != target {
            return SiteFinding::MayBe;
        }
        if self.jumps_away(id, body) { SiteFinding::MayBe } else { SiteFinding::Elsewhere }
    }

    fn jumps_away(&self, id: SymbolId, body: &Range<Address>) -> bool {
        let code = &self.setting.code;
        *self.jumps_away[id.index()].get_or_init(|| code.may_jump_away(body))
    }
}
