//! Checks whether recorded callees can have called mcount.
//!
//! mcount records its return address. That is a single place in each function, directly after
//! a call, and all functions call the same mcount. If calls of the machine are not
//! recognised, it is at least near the start of a function.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::evidence::{CalleePosition, Evidence};
use super::setting::{Setting, moved};
use crate::model::Address;
use crate::symbols::{CallTarget, PROLOGUE_SIZE};

/// Out of this many callees, one may be wrong, for handwritten code that calls mcount in
/// another way.
const CALLEES_PER_MISFIT: usize = 1000;

/// With at most this many callees, all must be correct.
const CALLEES_PER_SINGLE: usize = 20;

#[derive(Debug, Default)]
pub(super) struct Callees {
    /// Callees in the code of the program.
    pub(super) n_all: usize,
    pub(super) n_fits: usize,
    /// Impossible callees; others may be correct or not.
    pub(super) n_misfits: usize,
    place: Option<CalleePosition>,
    /// The target of the call before most callees.
    pub(super) mcount: Option<CallTarget>,
    /// How much less than return addresses are recorded.
    pub(super) below_returns: u64,
}

impl Callees {
    pub(super) fn contradict(&self) -> bool {
        let n_tolerated = match self.n_misfits {
            0 => return false,
            1 => CALLEES_PER_SINGLE,
            _ => CALLEES_PER_MISFIT,
        };
        self.n_misfits * n_tolerated >= self.n_all
    }

    /// Returns whether callees were not recorded by mcount.
    pub(super) fn are_starts(&self) -> bool {
        self.place == Some(CalleePosition::AtStart)
    }

    pub(super) fn evidence(self) -> Option<Evidence> {
        let place = self.place.filter(|_| self.n_all > 0)?;
        Some(Evidence::Callees {
            n_fits: self.n_fits,
            n_misfits: self.n_misfits,
            n_all: self.n_all,
            place,
        })
    }
}

pub(super) fn inspect(setting: &Setting<'_>, slide: u64) -> Callees {
    let callees = setting.callees.iter().map(|&callee| moved(callee, slide));
    let callees: Vec<_> = callees.filter(|&c| setting.code.contains(c)).collect();
    if !setting.code.reads_calls() {
        return by_prologue(setting, &callees);
    }
    let n_all = callees.len();
    let starts = callees.iter().filter(|&&callee| is_start(setting, callee));
    let n_starts = starts.count();
    if 2 * n_starts > n_all {
        return Callees {
            n_all,
            n_fits: n_starts,
            n_misfits: n_all - n_starts,
            place: Some(CalleePosition::AtStart),
            ..Callees::default()
        };
    }
    let targets = callees.iter();
    let targets = targets.map(|&callee| setting.code.call_returning_to(callee));
    let targets: Vec<_> = targets.collect();
    let usual = usual_target(setting, &targets);
    let mut found = Callees {
        n_all,
        mcount: usual,
        place: Some(CalleePosition::AfterMcount(setting.code.bounds.mcount_name.clone())),
        ..Callees::default()
    };
    for target in &targets {
        match target {
            Some(target) if setting.code.is_mcount(*target) || Some(*target) == usual => {
                found.n_fits += 1;
            }
            Some(CallTarget::At(start)) if is_start(setting, *start) => found.n_misfits += 1,
            Some(_) => {}
            None => found.n_misfits += 1,
        }
    }
    found
}

/// The same for profilers that record the call of mcount, not its return address.
pub(super) fn inspect_with_calls(setting: &Setting<'_>, slide: u64) -> Callees {
    let found = inspect(setting, slide);
    let Some(call_size) = setting.code.call_size().filter(|_| found.n_fits == 0) else {
        return found;
    };
    let at_calls = inspect(setting, slide.wrapping_sub(call_size));
    match at_calls.place {
        Some(CalleePosition::AfterMcount(_))
            if at_calls.n_fits > 0 && at_calls.n_fits == at_calls.n_all =>
        {
            Callees { below_returns: call_size, ..at_calls }
        }
        _ => found,
    }
}

/// Returns whether any callee is impossible for every mcount: neither after a call, at one, nor
/// at the start of a function.
pub(super) fn are_impossible(setting: &Setting<'_>, slide: u64) -> bool {
    let call_size = setting.code.call_size();
    let is_at_calls = |size| !are_impossible_at(setting, slide.wrapping_sub(size));
    are_impossible_at(setting, slide) && !call_size.is_some_and(is_at_calls)
}

fn are_impossible_at(setting: &Setting<'_>, slide: u64) -> bool {
    let callees = setting.callees.iter().map(|&callee| moved(callee, slide));
    let mut inside = callees.filter(|&callee| setting.code.contains(callee));
    let is_impossible =
        |callee| setting.code.call_returning_to(callee).is_none() && !is_start(setting, callee);
    setting.code.reads_calls() && inside.any(is_impossible)
}

/// The target of the call before most callees: mcount, if its address is unknown, unless the
/// target is a function with another name.
fn usual_target(setting: &Setting<'_>, targets: &[Option<CallTarget>]) -> Option<CallTarget> {
    let mut counts: HashMap<CallTarget, usize, RandomState> = HashMap::default();
    for &target in targets.iter().flatten() {
        *counts.entry(target).or_default() += 1;
    }
    let is_possible = |target: &CallTarget, n: usize| match *target {
        CallTarget::At(address) => !is_start(setting, address),
        CallTarget::Slot(_) | CallTarget::Relative(_) => true,
        CallTarget::Register => 2 * n > targets.len(),
    };
    let possible = counts.into_iter().filter(|(target, n)| is_possible(target, *n));
    let most = possible.max_by_key(|&(target, n)| (n, std::cmp::Reverse(target)));
    most.map(|(target, _)| target)
}

/// Returns whether a function of the program starts there.
fn is_start(setting: &Setting<'_>, address: Address) -> bool {
    let function = setting.function_at(address);
    function.is_some_and(|function| function.range.start == address)
}

/// Correct callees are near a start. Code without names has no starts, so nothing fits.
fn by_prologue(setting: &Setting<'_>, callees: &[Address]) -> Callees {
    if setting.functions().is_none() {
        return Callees::default();
    }
    let is_soon = |callee: &&Address| {
        let function = setting.function_at(**callee);
        function.is_some_and(|function| callee.0 - function.range.start.0 < PROLOGUE_SIZE)
    };
    let n_fits = callees.iter().filter(is_soon).count();
    let n_others = callees.len() - n_fits;
    Callees {
        n_all: callees.len(),
        n_fits,
        // Some functions start with much before they call the hook.
        n_misfits: if n_others > n_fits { n_others } else { 0 },
        place: Some(CalleePosition::Prologue),
        ..Callees::default()
    }
}
