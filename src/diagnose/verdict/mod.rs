//! Determines whether a program wrote a profile. A gmon.out does not name its program, so
//! addresses are compared: start-up code rounds the ends of the code for the histogram, each
//! function calls mcount at one place, and calls are recorded with their return addresses.
//! All of these change with a new build.
//!
//! `docs/accuracy.md` has the weights of the evidence. Arcs that leave the program's code are
//! not evidence.

mod callees;
mod checked_program;
mod evidence;
mod images;
mod range;
mod setting;
mod sites;
mod stacks;
mod ticks;

#[cfg(test)]
mod tests;

pub use checked_program::CheckedProgram;
pub use evidence::{CalleePosition, Evidence, EvidenceSide, FittingShare, RangeFit};
pub use images::unused_images;
pub use stacks::verdict_of_stacks;

use std::fmt;
use std::ops::Range;
use std::path::Path;

use super::age::{modified, time_before};
use crate::model::{Address, Profile};
use crate::report::{InputEvidence, InputVerdict, escape_controls};
use crate::symbols::Program;
use setting::Setting;

/// Whether a program wrote the profile, with the evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The result.
    pub judgement: Judgement,
    /// In an order that depends only on the files.
    pub evidence: Box<[Evidence]>,
}

/// Whether a program wrote the profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// No evidence against it.
    SameBuild,
    /// It did, at another address.
    LoadedElsewhere {
        /// The lowest address of its image in memory for which everything fits.
        base: Address,
    },
    /// It did not: some recorded address is impossible.
    OtherBuild,
    /// Unknown.
    CannotTell(Doubt),
}

/// Why the result is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The profile contains no addresses that depend on the build.
    NoEvidence,
    /// Only the histogram supports it.
    OnlyHistogram,
    /// Most of the evidence fits, a little does not.
    Contradictions,
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SameBuild => f.write_str("matches the profile"),
            Self::LoadedElsewhere { base } => {
                write!(f, "matches the profile, loaded at {base}")
            }
            Self::OtherBuild => f.write_str("does not match the profile"),
            Self::CannotTell(doubt) => write!(f, "may match the profile: {doubt}"),
        }
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoEvidence => "nothing recorded differs between builds",
            Self::OnlyHistogram => "only the end of the histogram matches, which many builds share",
            Self::Contradictions => "most addresses match, and a few do not",
        })
    }
}

impl Verdict {
    /// The evidence against the program.
    pub fn against(&self) -> impl Iterator<Item = &Evidence> {
        let evidence = self.evidence.iter();
        evidence.filter(|evidence| evidence.side() == EvidenceSide::Against)
    }

    /// Lines for people about an executable.
    pub fn lines(&self, executable: &Path) -> Vec<String> {
        let path = executable.display().to_string();
        let path = escape_controls(path.as_bytes());
        let first = format!("  program    {}: {}", String::from_utf8_lossy(&path), self.judgement);
        let evidence = self.evidence.iter().map(|evidence| {
            let mark = match evidence.side() {
                EvidenceSide::For => '+',
                EvidenceSide::Against => '-',
                EvidenceSide::Neither => ' ',
            };
            format!("             {mark} {evidence}")
        });
        [first].into_iter().chain(evidence).collect()
    }

    /// The verdict as a part of a report.
    pub fn for_report(&self) -> InputVerdict {
        let evidence = self.evidence.iter().map(|evidence| InputEvidence {
            side: match evidence.side() {
                EvidenceSide::For => "for",
                EvidenceSide::Against => "against",
                EvidenceSide::Neither => "neither",
            }
            .into(),
            message: evidence.to_string(),
        });
        InputVerdict {
            judgement: match self.judgement {
                Judgement::SameBuild => "same-build",
                Judgement::LoadedElsewhere { .. } => "loaded-elsewhere",
                Judgement::OtherBuild => "other-build",
                Judgement::CannotTell(_) => "unknown",
            }
            .into(),
            message: self.judgement.to_string(),
            evidence: evidence.collect(),
        }
    }

    /// If a program linked at fixed addresses fits a little away from them, it is another build,
    /// whose code moved. If it fits far away, a special loader moved it.
    #[must_use]
    pub fn unless_fixed(mut self, program: &Program) -> Self {
        if let Judgement::LoadedElsewhere { base } = self.judgement {
            let distance = base.0.wrapping_sub(program.link_base.0).cast_signed();
            if program.is_fixed && distance.unsigned_abs() < FARTHEST_MOVE {
                self.judgement = Judgement::OtherBuild;
                let moved = std::iter::once(Evidence::Moved { distance });
                self.evidence = moved.chain(self.evidence).collect();
            }
        }
        self
    }

    /// Adds modification times. They do not affect the verdict, since files are copied and clocks
    /// are wrong.
    #[must_use]
    pub fn with_times(mut self, profile: &Path, executable: &Path) -> Self {
        if time_before(modified(profile), modified(executable)).is_some() {
            let mut evidence = self.evidence.into_vec();
            evidence.push(Evidence::NewerFile);
            self.evidence = evidence.into();
        }
        self
    }
}

/// A new build may move code by the size of the code before it.
const FARTHEST_MOVE: u64 = 1 << 24;

/// Determines whether a program, or one image of it, with its code, wrote a profile.
fn verdict_on(
    profile: &Profile,
    checked: &CheckedProgram<'_>,
    image: Option<&[Range<Address>]>,
) -> Verdict {
    let profile = checked.code.without_set_bits(profile);
    let setting = Setting::new(&profile, checked, image);
    let findings = Findings::new(&setting, 0);
    let judgement = findings.judgement();
    // If it fits as far as it can be checked, other offsets are not tried.
    if matches!(judgement, Judgement::SameBuild | Judgement::CannotTell(Doubt::OnlyHistogram)) {
        return findings.into_verdict(judgement);
    }
    for slide in setting.load_offsets() {
        if let Some(moved) = Findings::that_fit(&setting, slide) {
            let base = Address(checked.program.link_base.0.wrapping_add(slide));
            return moved.into_verdict(Judgement::LoadedElsewhere { base });
        }
    }
    findings.into_verdict(judgement)
}

/// The evidence for a load offset.
struct Findings {
    nothing_in_code: Option<Evidence>,
    range: Option<RangeFit>,
    callees: callees::Callees,
    sites: sites::SiteEvidence,
    misplaced: ticks::MisplacedTicks,
}

impl Findings {
    fn new(setting: &Setting<'_>, slide: u64) -> Self {
        let range = range::fit(setting, slide);
        let callees = match &range {
            Some(range) if range.fits() => callees::inspect_with_calls(setting, slide),
            _ => callees::inspect(setting, slide),
        };
        Self {
            nothing_in_code: setting.nothing_in_code(slide),
            range,
            sites: sites::inspect(setting, slide, &callees),
            callees,
            misplaced: ticks::inspect(setting, slide),
        }
    }

    /// The evidence, if it is sufficient and nothing contradicts it. Nearly all offsets are
    /// wrong, and a few callees already show that.
    fn that_fit(setting: &Setting<'_>, slide: u64) -> Option<Self> {
        if callees::are_impossible(setting, slide) {
            return None;
        }
        let findings = Self::new(setting, slide);
        findings.all_fit().then_some(findings)
    }

    fn judgement(&self) -> Judgement {
        let range = self.range.as_ref();
        let is_other = self.nothing_in_code.is_some()
            || range.is_some_and(|range| !range.fits())
            || self.callees.contradict()
            || self.sites.contradict()
            || self.callees.n_misfits > 0 && self.sites.n_contradicting() > 0
            || self.misplaced.contradict();
        if is_other {
            Judgement::OtherBuild
        } else if self.callees.n_misfits > 0 || self.sites.are_doubtful() {
            Judgement::CannotTell(Doubt::Contradictions)
        } else if self.callees.n_fits > 0 {
            Judgement::SameBuild
        } else if range.is_some() {
            Judgement::CannotTell(Doubt::OnlyHistogram)
        } else {
            Judgement::CannotTell(Doubt::NoEvidence)
        }
    }

    fn all_fit(&self) -> bool {
        let has_range = self.range.is_some();
        let n_fits = self.callees.n_fits;
        let is_enough = n_fits >= LEAST_CALLEES || has_range && n_fits == self.callees.n_all;
        let has_doubt = self.callees.n_misfits > 0 || self.sites.n_contradicting() > 0;
        is_enough && !has_doubt && self.judgement() != Judgement::OtherBuild
    }

    fn into_verdict(self, judgement: Judgement) -> Verdict {
        let mut evidence: Vec<Evidence> = self.nothing_in_code.into_iter().collect();
        evidence.extend(self.callees.evidence());
        evidence.extend(self.sites.evidence());
        evidence.extend(self.range.map(Evidence::HistogramEnd));
        evidence.extend(self.misplaced.evidence());
        Verdict { judgement, evidence: evidence.into() }
    }
}

/// Fewer callees than this also fit at a wrong address.
const LEAST_CALLEES: usize = 3;
