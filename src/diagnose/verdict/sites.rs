//! Whether there are calls where arcs come from, and whether they can lead to where the
//! arcs do.
//!
//! Profilers of C libraries keep a table by call site with an entry for 4, 8 or 16
//! bytes of code, and write down where these start: the call returns to one of them.

use std::collections::HashMap;
use std::ops::Range;

use foldhash::fast::RandomState;

use super::Evidence;
use super::callees::Callees;
use super::setting::{Setting, moved};
use crate::model::{Address, CallArc};
use crate::symbols::Target;

/// The most code that an entry of the table is for is two to the power of this.
const MAX_HALVINGS: usize = 4;

/// Of this many call sites one may be no multiple of what the others are.
const SITES_PER_STRAY: usize = 10;

/// How far behind the start of a function its hook may be called.
const MAX_PROLOGUE: u64 = 256;

#[derive(Debug, Default)]
pub(super) struct Sites {
    /// Arcs from the program's code into it.
    pub(super) n_all: usize,
    /// Those from a call to their callee.
    pub(super) n_direct: usize,
    /// Those from where there is no call.
    pub(super) n_nowhere: usize,
    /// Those from where all calls lead to other functions, which return.
    pub(super) n_elsewhere: usize,
    /// It is known where functions start.
    has_names: bool,
}

impl Sites {
    pub(super) fn contradict(&self) -> bool {
        let n_contradicting = self.n_contradicting();
        match self.has_names {
            true => n_contradicting > 1 && 100 * n_contradicting >= self.n_all,
            false => n_contradicting > 2 && 4 * n_contradicting >= self.n_all,
        }
    }

    pub(super) fn are_doubtful(&self) -> bool {
        let n_contradicting = self.n_contradicting();
        self.has_names && n_contradicting > 0 && 20 * n_contradicting >= self.n_all
    }

    pub(super) fn n_contradicting(&self) -> usize {
        self.n_nowhere + self.n_elsewhere
    }

    pub(super) fn evidence(self) -> Option<Evidence> {
        (self.n_all > 0).then_some(Evidence::Sites {
            n_direct: self.n_direct,
            // Without names it is not known which of them are to be trusted.
            n_contradicting: match self.has_names || self.contradict() {
                true => self.n_contradicting(),
                false => 0,
            },
            n_all: self.n_all,
        })
    }
}

/// What a place says about an arc from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Finding {
    Nowhere,
    Elsewhere,
    MayBe,
    Direct,
}

pub(super) fn examine(setting: &Setting<'_>, slide: u64, callees: &Callees) -> Sites {
    if !setting.code.reads_calls() {
        return Sites::default();
    }
    let mut examination = Examination {
        setting,
        hook: callees.hook.filter(|&hook| hook != Target::Register),
        step: step_of(setting, slide),
        jumps_away: HashMap::default(),
        counted: HashMap::default(),
    };
    let mut sites = Sites {
        has_names: setting.functions().is_some(),
        ..Sites::default()
    };
    for arc in setting.profile.arcs() {
        let arc = CallArc {
            call_site: moved(arc.call_site, slide),
            callee: moved(arc.callee, slide),
            count: arc.count,
        };
        let ends = [arc.call_site, arc.callee];
        if ends.iter().all(|&end| setting.code.contains(end)) {
            sites.n_all += 1;
            match examination.examine(&arc) {
                Finding::Direct => sites.n_direct += 1,
                Finding::Nowhere if examination.is_counted(arc.call_site) => sites.n_nowhere += 1,
                Finding::Elsewhere if examination.is_counted(arc.call_site) => {
                    sites.n_elsewhere += 1;
                }
                Finding::Nowhere | Finding::Elsewhere | Finding::MayBe => {}
            }
        }
    }
    // What is no hook may have its own idea of where a call is.
    if callees.are_starts() && 2 * sites.n_contradicting() > sites.n_all {
        return Sites::default();
    }
    sites
}

/// How much code an entry of the profiler's table was for: no less than what nearly all
/// call sites in the code are multiples of, from the start of the histogram.
fn step_of(setting: &Setting<'_>, slide: u64) -> u64 {
    let start = setting.profile.histograms().first().map_or(0, |h| h.low.0);
    let sites = setting.profile.arcs().iter().map(|arc| arc.call_site);
    let inside = sites.filter(|&site| setting.code.contains(moved(site, slide)));
    // By how often the distance to the start can be halved.
    let mut n_sites = [0usize; MAX_HALVINGS + 1];
    for site in inside {
        let distance = site.0.wrapping_sub(start);
        n_sites[MAX_HALVINGS.min(distance.trailing_zeros() as usize)] += 1;
    }
    let n_all: usize = n_sites.iter().sum();
    let mut n_multiples = 0;
    for (halvings, n) in n_sites.iter().enumerate().rev() {
        n_multiples += n;
        if SITES_PER_STRAY * (n_all - n_multiples) <= n_all {
            return 1 << halvings;
        }
    }
    1
}

struct Examination<'a, 'b> {
    setting: &'a Setting<'b>,
    /// What is called as the hook, if that is not known by name.
    hook: Option<Target>,
    step: u64,
    /// Whether the function that starts there may go on elsewhere without a call.
    jumps_away: HashMap<Address, bool, RandomState>,
    /// Whether the function that starts there calls the hook.
    counted: HashMap<Address, bool, RandomState>,
}

impl Examination<'_, '_> {
    /// Whether code calls the hook where its function starts, or that function is not
    /// known. Other code has calls that nobody sees: the system starts handlers of
    /// signals and threads as if something had called them, and assembler does what it
    /// likes.
    fn is_counted(&mut self, site: Address) -> bool {
        let Some(function) = self.setting.function_at(site) else {
            return true;
        };
        let Range { start, end } = function.range;
        if let Some(&is_known) = self.counted.get(&start) {
            return is_known;
        }
        let prologue = start.0.saturating_add(1)..=end.0.min(start.0.saturating_add(MAX_PROLOGUE));
        let step = self.setting.code.return_step();
        let mut places = prologue
            .filter(|place| place.is_multiple_of(step))
            .map(Address);
        let is_counted = places.any(|place| {
            let target = self.setting.code.call_returning_to(place);
            target.is_some_and(|target| self.is_hook(target))
        });
        self.counted.insert(start, is_counted);
        is_counted
    }

    fn is_hook(&self, target: Target) -> bool {
        self.hook == Some(target) || self.setting.code.is_hook(target)
    }

    fn examine(&mut self, arc: &CallArc) -> Finding {
        let code = &self.setting.code;
        let callee = self.setting.function_at(arc.callee);
        let callee = callee.map(|callee| callee.range.clone());
        let mut found = Finding::Nowhere;
        for offset in 0..self.step {
            let place = Address(arc.call_site.0.wrapping_add(offset));
            if !place.0.is_multiple_of(code.return_step()) {
                continue;
            }
            let target = code.call_returning_to(place);
            // The hook calls no function of the program's.
            if let Some(target) = target.filter(|&target| !self.is_hook(target)) {
                found = found.max(self.leads(target, arc.callee, callee.as_ref()));
            }
            if found == Finding::Direct {
                break;
            }
        }
        found
    }

    /// Whether a call leads to a callee, perhaps by way of another function that jumps
    /// there and was not counted.
    fn leads(
        &mut self,
        target: Target,
        recorded: Address,
        callee: Option<&Range<Address>>,
    ) -> Finding {
        let Target::At(target) = target else {
            return Finding::MayBe;
        };
        if let Some(callee) = callee.filter(|callee| callee.contains(&target)) {
            let is_before = target <= recorded && callee.start <= target;
            return if is_before {
                Finding::Direct
            } else {
                Finding::MayBe
            };
        }
        let Some(other) = self.setting.function_at(target) else {
            let is_soon = callee.is_none() && recorded.0.wrapping_sub(target.0) < MAX_PROLOGUE;
            return if is_soon {
                Finding::Direct
            } else {
                Finding::MayBe
            };
        };
        let body = other.range.clone();
        if callee.is_some_and(|callee| callee.start == body.end) {
            return Finding::MayBe;
        }
        // Stubs of the linker's have no names: they lie behind a function that has one.
        if body.start != target {
            return Finding::MayBe;
        }
        let code = &self.setting.code;
        let jumps = self.jumps_away.entry(target);
        match *jumps.or_insert_with(|| code.may_jump_away(&body)) {
            true => Finding::MayBe,
            false => Finding::Elsewhere,
        }
    }
}
