//! What the length of a run says of its samples.

use super::Warning;
use crate::analyze::RunShare;
use crate::symbols::{Linkage, System};

/// The share of a run below which samples say little about it, in percent.
const LOW_PERCENT: f64 = 50.0;

/// Times that are shorter than this many ticks are left to chance.
const FEW_TICKS: f64 = 10.0;

/// Seconds that it takes at least to count a call: some ten instructions and as many
/// words of memory.
const COST_OF_CALL: f64 = 3e-9;

/// The share of time from which a part of it is worth a word.
const NOTABLE_SHARE: f64 = 0.05;

/// How samples do not fit the time of their run. All numbers are seconds.
#[derive(Clone, Debug, PartialEq)]
pub enum RunTimeOddity {
    /// Most of the processor time has no samples.
    WithoutSamples {
        /// The part without samples.
        unsampled: f64,
        /// All of the processor time.
        processor: f64,
        /// How the program is linked.
        linkage: Linkage,
        /// Calls that were counted, if counting them can be a notable part of it.
        n_calls: Option<u64>,
    },
    /// Samples cover little of a run whose processor time is not known.
    LittleOfRun {
        /// What the samples stand for.
        sampled: f64,
        /// From start to end.
        wall: f64,
    },
    /// The run was on no processor for most of its time.
    MostlyIdle {
        /// The time on no processor.
        idle: f64,
        /// From start to end.
        wall: f64,
    },
    /// Samples stand for more than the processor time.
    MoreThanRun {
        /// What the samples stand for.
        sampled: f64,
        /// All of the processor time.
        processor: f64,
    },
    /// Samples stand for more than the time from start to end, which is all that is
    /// known of the run.
    MoreThanWall {
        /// What the samples stand for.
        sampled: f64,
        /// From start to end.
        wall: f64,
    },
}

/// Whether samples cover too little of a run, or more than there was of it.
#[must_use]
pub fn check_run(share: &RunShare, linkage: &Linkage) -> Vec<Warning> {
    let oddities = oddities(share, linkage).into_iter();
    oddities.flatten().map(Warning::RunTime).collect()
}

fn oddities(share: &RunShare, linkage: &Linkage) -> [Option<RunTimeOddity>; 2] {
    let &RunShare { sampled, wall, .. } = share;
    let is_low = |percent: Option<f64>| percent.is_some_and(|percent| percent < LOW_PERCENT);
    let is_long = |seconds: f64| seconds > FEW_TICKS * share.tick;
    let measured = (share.processor, share.unsampled(), share.idle());
    let (Some(processor), Some(unsampled), Some(idle)) = measured else {
        if share.exceeds_run() {
            return [Some(RunTimeOddity::MoreThanWall { sampled, wall }), None];
        }
        let is_little = is_low(share.of_wall(sampled)) && is_long(share.uncovered());
        return [
            is_little.then_some(RunTimeOddity::LittleOfRun { sampled, wall }),
            None,
        ];
    };
    if share.exceeds_run() {
        return [
            Some(RunTimeOddity::MoreThanRun { sampled, processor }),
            None,
        ];
    }
    let lacks_samples = is_low(share.of_processor(sampled)) && is_long(unsampled);
    let is_idle = is_low(share.of_wall(processor)) && is_long(idle);
    [
        lacks_samples.then(|| RunTimeOddity::WithoutSamples {
            unsampled,
            processor,
            linkage: linkage.clone(),
            n_calls: Some(share.n_calls).filter(|&n_calls| {
                let is_in_library = linkage.is_dynamic() && linkage.system == Some(System::Linux);
                is_in_library && n_calls as f64 * COST_OF_CALL > NOTABLE_SHARE * unsampled
            }),
        }),
        is_idle.then_some(RunTimeOddity::MostlyIdle { idle, wall }),
    ]
}

impl RunTimeOddity {
    /// The stable code.
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::WithoutSamples { .. } | Self::LittleOfRun { .. } => "W039",
            Self::MostlyIdle { .. } => "W040",
            Self::MoreThanRun { .. } | Self::MoreThanWall { .. } => "W041",
        }
    }

    /// What is odd, in one sentence.
    pub(super) fn cause(&self) -> String {
        match self {
            Self::WithoutSamples {
                unsampled,
                processor,
                linkage,
                n_calls,
            } => {
                let libraries = match &*linkage.libraries {
                    [] => String::new(),
                    names => format!(": code of shared libraries has none ({})", names.join(", ")),
                };
                // The hook of glibc is in its shared library, where there is one.
                let counting = n_calls.map_or(String::new(), |n_calls| {
                    format!(", and counting {n_calls} calls is done there")
                });
                format!(
                    "{unsampled:.2} of {processor:.2} s of processor time have no \
                     samples{libraries}{counting}"
                )
            }
            Self::LittleOfRun { sampled, wall } => format!(
                "samples cover {sampled:.2} of {wall:.2} s: the rest is waiting, or code that is \
                 not the program's own"
            ),
            Self::MostlyIdle { idle, wall } => format!(
                "no processor worked on the program for {idle:.2} of {wall:.2} s: it waited, of \
                 which there are no samples"
            ),
            Self::MoreThanRun { sampled, processor } => format!(
                "samples cover {sampled:.2} s, which is more than the {processor:.2} s of \
                 processor time of the run"
            ),
            Self::MoreThanWall { sampled, wall } => format!(
                "samples cover {sampled:.2} s, which is more than the {wall:.2} s from start to \
                 end: threads or processes ran at the same time, or the time or the clock is \
                 not that of this run"
            ),
        }
    }

    /// What to do about it, in one sentence.
    pub(super) fn advice(&self) -> String {
        match self {
            Self::WithoutSamples {
                n_calls: Some(_), ..
            } => "compile with optimisation, so that small functions are inlined and not counted; \
                link statically to see what counting costs"
                .into(),
            Self::WithoutSamples { linkage, .. } => how_to_sample(linkage),
            Self::LittleOfRun { .. } => "let `time` measure the run, and give its output to \
                --wall: it tells work from waiting"
                .into(),
            Self::MostlyIdle { .. } => {
                "see whether the machine was busy; what it waits for says a \
                tracer of system calls, such as strace -c -w or ktrace"
                    .into()
            }
            Self::MoreThanRun { .. } => "give the time of all runs whose profiles are given, and \
                look whether their clock ticks as fast as its header says"
                .into(),
            Self::MoreThanWall { .. } => "let `time` measure all runs whose profiles are given, \
                and give its output to --wall: it has the time of all processors"
                .into(),
        }
    }
}

/// How to get samples of what has none. Processes that were started and waited for
/// count in the time of the run.
fn how_to_sample(linkage: &Linkage) -> String {
    let started = "processes that it started have profiles of their own (GMON_OUT_PREFIX)";
    match (&*linkage.libraries, linkage.system) {
        ([], _) => format!("build all of it with -pg; {started}"),
        (_, Some(System::Linux)) => {
            format!("link statically, or run it with LD_PROFILE=SONAME for one library; {started}")
        }
        _ => format!("link statically; {started}"),
    }
}
