//! Heap usage over time, as a limited number of points.

use crate::model::{BlockTotal, LiveHeapSeries};

const N_POINTS: usize = 1024;

/// Builds a series. When it is full, pairs of points are merged.
#[derive(Debug, Default)]
pub(super) struct SeriesBuilder {
    n_halvings: u32,
    points: Vec<BlockTotal>,
    /// The last event of the last point.
    last_event: u64,
}

impl SeriesBuilder {
    /// Records the heap usage after an event. Events come in order, from 1.
    #[inline]
    pub(super) fn note(&mut self, event: u64, live: BlockTotal) {
        while event > self.last_event {
            self.add_point();
        }
        if let Some(point) = self.points.last_mut() {
            *point = greater(*point, live);
        }
    }

    pub(super) fn finish(self) -> LiveHeapSeries {
        LiveHeapSeries { n_events_per_point: 1 << self.n_halvings, points: self.points.into() }
    }

    fn add_point(&mut self) {
        if self.points.len() == N_POINTS {
            let pairs = self.points.chunks(2);
            let halved =
                pairs.map(|pair| pair.iter().copied().fold(BlockTotal::default(), greater));
            self.points = halved.collect();
            self.n_halvings += 1;
        }
        self.points.push(BlockTotal::default());
        self.last_event += 1 << self.n_halvings;
    }
}

fn greater(left: BlockTotal, right: BlockTotal) -> BlockTotal {
    BlockTotal { count: left.count.max(right.count), bytes: left.bytes.max(right.bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(n_events: u64, n_points: usize, n_events_per_point: u64) {
        let mut builder = SeriesBuilder::default();
        for event in 1..=n_events {
            builder.note(event, BlockTotal { count: event, bytes: 7 });
        }
        let series = builder.finish();
        let shape = (series.points.len(), series.n_events_per_point);
        assert_eq!(shape, (n_points, n_events_per_point), "{n_events} events");
        for (index, point) in (1..).zip(&series.points) {
            let last = (index * n_events_per_point).min(n_events);
            assert_eq!((point.count, point.bytes), (last, 7), "{n_events} events");
        }
    }

    #[test]
    fn every_point_has_the_maximum_of_its_events() {
        check(0, 0, 1);
        check(1, 1, 1);
        check(1024, 1024, 1);
        check(1025, 513, 2);
        check(5000, 625, 8);
    }
}
