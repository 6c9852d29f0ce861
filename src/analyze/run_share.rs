//! The share of a run that its samples cover.

use super::uncertainty::{lower_limit, upper_limit};
use crate::model::{Profile, RunTime};

/// Samples and processor time that differ by less than this share agree: the clock of a
/// kernel is that precise on an ordinary machine.
const CLOCK_ERROR: f64 = 0.1;

/// Share of a long run by which its samples and its processor time differ on a quiet machine.
const CLOCK_PRECISION: f64 = 0.03;

/// Shorter times, in ticks, may be due to chance.
const FEW_TICKS: f64 = 10.0;

/// A run in seconds: sampled, on a processor without samples, and waiting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunShare {
    /// Sampled time.
    pub sampled: f64,
    /// Lower limit of the sampled time, with 95 % confidence.
    pub sampled_at_least: f64,
    /// Upper limit.
    pub sampled_at_most: f64,
    /// Maximum length of a tick.
    pub tick: f64,
    pub wall: f64,
    /// Processor time, if known.
    pub processor: Option<f64>,
    /// The part of it in the kernel.
    pub kernel: Option<f64>,
}

impl RunShare {
    /// The shares of a run; `None` if the length of a tick is unknown.
    pub fn new(profile: &Profile, run: RunTime) -> Option<Self> {
        let sampled = profile.sampled_seconds()?;
        let n_samples = profile.n_ticks() as f64;
        let ticks = profile.histograms().iter();
        let ticks = ticks.filter_map(|histogram| histogram.clock.seconds_per_tick());
        let tick = ticks.fold(0.0, f64::max);
        let processor = run.processor;
        Some(Self {
            sampled,
            sampled_at_least: match n_samples {
                0.0 => 0.0,
                _ => sampled * (lower_limit(n_samples) / n_samples),
            },
            sampled_at_most: match n_samples {
                0.0 => upper_limit(0.0) * tick,
                _ => sampled * (upper_limit(n_samples) / n_samples),
            },
            tick,
            wall: run.wall.as_secs_f64(),
            processor: processor.map(|time| time.all().as_secs_f64()),
            kernel: processor.map(|time| time.system.as_secs_f64()),
        })
    }

    /// Processor time without samples, in seconds.
    pub fn unsampled(&self) -> Option<f64> {
        Some((self.processor? - self.sampled).max(0.0))
    }

    /// Time without any processor, in seconds; with several threads, the minimum.
    pub fn idle(&self) -> Option<f64> {
        Some((self.wall - self.processor?).max(0.0))
    }

    /// Wall-clock time without samples in seconds, without other information.
    pub fn uncovered(&self) -> f64 {
        (self.wall - self.sampled).max(0.0)
    }

    /// Returns whether the sampled time exceeds the processor time (or the wall-clock time)
    /// by more than chance and a tick, which `time` may round off. An excess over processor
    /// time must also be larger than the error of an ordinary clock.
    pub fn exceeds_run(&self) -> bool {
        let beyond = |seconds: f64| self.sampled_at_least > seconds + self.tick;
        match self.processor {
            Some(seconds) => beyond(seconds) && self.sampled > (1.0 + CLOCK_ERROR) * seconds,
            None => beyond(self.wall),
        }
    }

    /// Returns whether the sampled time is less than the processor time, by more than chance,
    /// a tick, and the error of an ordinary clock.
    pub fn lacks_samples(&self) -> bool {
        self.processor.is_some_and(|seconds| {
            self.sampled_at_most < seconds - self.tick
                && self.sampled < (1.0 - CLOCK_ERROR) * seconds
        })
    }

    /// How often a counter of 16 bits must have wrapped, if the processor time without samples is
    /// a multiple of its range. Also `None` if the clock is not precise enough.
    pub fn n_wraps(&self) -> Option<f64> {
        let period = self.seconds_per_counter();
        let missing = self.unsampled()?;
        let n_wraps = (missing / period).round();
        let error = CLOCK_PRECISION * self.processor? + FEW_TICKS * self.tick;
        let is_multiple = (missing - n_wraps * period).abs() <= error;
        (n_wraps > 0.0 && is_multiple && error < period / 4.0).then_some(n_wraps)
    }

    /// The time after which a counter of 16 bits starts again at 0.
    pub fn seconds_per_counter(&self) -> f64 {
        f64::from(1_u32 << u16::BITS) * self.tick
    }

    /// The factor that makes samples add up to the processor time.
    pub fn scale_to_processor(&self) -> Option<f64> {
        let factor = self.processor? / self.sampled;
        (factor.is_finite() && factor > 0.0).then_some(factor)
    }

    pub fn of_wall(&self, seconds: f64) -> Option<f64> {
        percent(seconds, self.wall)
    }

    pub fn of_processor(&self, seconds: f64) -> Option<f64> {
        percent(seconds, self.processor?)
    }
}

fn percent(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| 100.0 * part / whole)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::model::{Address, Clock, Histogram, InstructionStarts, MergePolicy, ProcessorTime};

    /// Ticks of a hundredth of a second.
    fn share(n_ticks: u64, wall_ms: u64, user_ms: u64) -> RunShare {
        share_of(n_ticks, wall_ms, Some(user_ms))
    }

    fn share_of(n_ticks: u64, wall_ms: u64, user_ms: Option<u64>) -> RunShare {
        let histogram = Histogram {
            low: Address(0),
            high: Address(4),
            n_bins: 1,
            bins: [n_ticks].into(),
            full_bins: Vec::new(),
            instructions: InstructionStarts::default(),
            clock: Clock::seconds(100),
        };
        let mut profile = Profile::default();
        let added = profile.add_histogram(histogram, MergePolicy::LENIENT);
        added.expect("it is the first");
        let processor = user_ms.map(|user_ms| ProcessorTime {
            user: Duration::from_millis(user_ms),
            system: Duration::ZERO,
        });
        let wall = Duration::from_millis(wall_ms);
        let share = RunShare::new(&profile, RunTime { wall, processor });
        share.expect("the clock counts seconds")
    }

    #[test]
    fn unsampled_time_is_busy_or_idle() {
        let share = share(102, 8_400, 1_770);
        assert!((share.unsampled().unwrap() - 0.75).abs() < 1e-9);
        assert!((share.idle().unwrap() - 6.63).abs() < 1e-9);
        assert_eq!(share.of_processor(share.sampled).map(f64::round), Some(58.0));
        assert_eq!(share.of_wall(share.sampled).map(f64::round), Some(12.0));
    }

    #[test]
    fn threads_use_more_than_the_wall_has_and_scatter_is_not_excess() {
        assert_eq!(share(211, 1_065, 2_113).idle(), Some(0.0));
        assert!(!share(214, 1_065, 2_113).exceeds_run());
        assert!(share(422, 1_065, 2_113).exceeds_run());
        assert!(!share(3, 0, 0).exceeds_run());
        assert_eq!(share(3, 0, 0).of_wall(0.03), None);
    }

    #[test]
    fn samples_exceed_a_run_where_chance_cannot_be_it() {
        // The lower limit of 100 samples is 81.8 (mid-P), and a tick is rounded off.
        assert!(!share(100, 900, 820).exceeds_run());
        assert!(share(100, 900, 790).exceeds_run());
        assert!(!share_of(100, 820, None).exceeds_run());
        assert!(share_of(100, 790, None).exceeds_run());
        assert!(!share_of(0, 0, None).exceeds_run());
    }

    #[test]
    fn a_tenth_is_the_error_of_a_clock() {
        assert!(!share(10_800, 100_000, 100_000).exceeds_run());
        assert!(share(11_200, 100_000, 100_000).exceeds_run());
        assert!(!share(9_200, 100_000, 100_000).lacks_samples());
        assert!(share(8_800, 100_000, 100_000).lacks_samples());
        // The upper limit of 10 samples is 17.
        assert!(!share(10, 170, 170).lacks_samples());
        assert!(share(10, 250, 250).lacks_samples());
        assert_eq!(share(50, 1_000, 1_000).scale_to_processor(), Some(2.0));
        assert_eq!(share(0, 1_000, 1_000).scale_to_processor(), None);
        assert_eq!(share_of(50, 1_000, None).scale_to_processor(), None);
    }

    #[test]
    fn counters_that_wrapped_lose_multiples_of_their_size() {
        let n_wraps = |missing: u64, sampled: u64| {
            let processor = missing + 10 * sampled;
            share(sampled, processor, processor).n_wraps()
        };
        assert_eq!(n_wraps(655_360, 20_000), Some(1.0));
        assert_eq!(n_wraps(1_330_000, 20_000), Some(2.0));
        assert_eq!(n_wraps(500_000, 20_000), None);
        assert_eq!(n_wraps(20_000, 20_000), None);
        // Three percent of two hours are a third of a counter's range.
        assert_eq!(n_wraps(655_360, 700_000), None);
    }
}
