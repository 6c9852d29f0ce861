//! The share of a run that its samples cover.

use super::uncertainty::lower_limit;
use crate::model::{Profile, RunTime};

/// A run in seconds: sampled, on a processor without samples, and waiting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunShare {
    /// Sampled time.
    pub sampled: f64,
    /// Lower limit of the sampled time, with 95 % confidence.
    pub sampled_at_least: f64,
    /// Maximum length of a tick.
    pub tick: f64,
    pub wall: f64,
    /// Processor time, if known.
    pub processor: Option<f64>,
    /// The part of it in the kernel.
    pub kernel: Option<f64>,
    pub n_calls: u64,
}

impl RunShare {
    /// The shares of a run; `None` if the length of a tick is unknown.
    pub fn new(profile: &Profile, run: RunTime) -> Option<Self> {
        let (mut sampled, mut tick) = (0.0, 0.0_f64);
        let mut n_samples = 0.0;
        for histogram in profile.histograms() {
            let clock = &histogram.clock;
            let is_time = clock.dimension.starts_with(b"seconds");
            let rate = f64::from(clock.rate.filter(|_| is_time)?.get());
            let n_ticks = histogram.n_ticks() as f64;
            n_samples += n_ticks;
            sampled += n_ticks / rate;
            tick = tick.max(1.0 / rate);
        }
        let processor = run.processor;
        Some(Self {
            sampled,
            sampled_at_least: match n_samples {
                0.0 => 0.0,
                _ => sampled * (lower_limit(n_samples) / n_samples),
            },
            tick,
            wall: run.wall.as_secs_f64(),
            processor: processor.map(|time| time.all().as_secs_f64()),
            kernel: processor.map(|time| time.system.as_secs_f64()),
            n_calls: profile
                .arcs()
                .iter()
                .fold(0, |sum, arc| arc.count.saturating_add(sum)),
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

    /// Wall-clock time without samples in seconds, if nothing else is known.
    pub fn uncovered(&self) -> f64 {
        (self.wall - self.sampled).max(0.0)
    }

    /// Returns whether the sampled time exceeds the processor time (or the wall-clock time)
    /// by more than chance and a tick, which `time` may round off.
    pub fn exceeds_run(&self) -> bool {
        self.sampled_at_least > self.processor.unwrap_or(self.wall) + self.tick
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
    fn what_is_not_sampled_is_used_without_samples_or_idle() {
        let share = share(102, 8_400, 1_770);
        assert!((share.unsampled().unwrap() - 0.75).abs() < 1e-9);
        assert!((share.idle().unwrap() - 6.63).abs() < 1e-9);
        assert_eq!(
            share.of_processor(share.sampled).map(f64::round),
            Some(58.0)
        );
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
        // Of 100 samples the lower limit is 81.8 (mid-P), and a tick is rounded off.
        assert!(!share(100, 900, 820).exceeds_run());
        assert!(share(100, 900, 790).exceeds_run());
        assert!(!share_of(100, 820, None).exceeds_run());
        assert!(share_of(100, 790, None).exceeds_run());
        assert!(!share_of(0, 0, None).exceeds_run());
    }
}
