//! A chart of heap usage over time.

use crate::model::{HeapHistory, HeapSeries, SnapshotTotal};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LiveChart {
    /// Height of each column in lines; at least one unless the usage is 0.
    pub(super) heights: Box<[usize]>,
    /// The most bytes of each column.
    pub(super) bytes: Box<[u64]>,
    /// Bytes at the top of each line, lowest line first.
    pub(super) lines: Box<[u64]>,
    pub(super) peak_column: usize,
    /// Number of events, or the time, that the columns cover.
    pub(super) n_events: u64,
}

/// Characters next to the columns: the bytes at the left.
const BESIDE: usize = 12;

impl LiveChart {
    /// The chart of a heap; `None` if it was never used.
    pub(super) fn new(history: &HeapHistory, width: usize, height: usize) -> Option<Self> {
        let most = history.peak_bytes.live.bytes;
        let points = history.series.points.iter().map(|point| point.bytes);
        let points: Vec<_> = points.collect();
        Self::of_points(&points, most, history.n_events, (width, height))
    }

    /// The chart of a series of snapshots; `None` if no memory was ever in use. A column shows
    /// the maximum of its snapshots, or the last one before it.
    pub(super) fn of_series(series: &HeapSeries, width: usize, height: usize) -> Option<Self> {
        let snapshots = &series.snapshots;
        let most = snapshots.iter().map(SnapshotTotal::all).max()?;
        let end = snapshots.iter().map(|snapshot| snapshot.time).max()?;
        let n_columns = n_columns(width, most);
        let mut points = vec![None; n_columns];
        for snapshot in snapshots {
            let column = u128::from(snapshot.time) * n_columns as u128 / (u128::from(end) + 1);
            let column = usize::try_from(column).unwrap_or(n_columns - 1);
            points[column] = points[column].max(Some(snapshot.all()));
        }
        let mut before = 0;
        let points = points.into_iter().map(|point| {
            before = point.unwrap_or(before);
            before
        });
        let points: Vec<_> = points.collect();
        Self::of_points(&points, most, end, (width, height))
    }

    fn of_points(
        points: &[u64],
        most: u64,
        n_events: u64,
        (width, height): (usize, usize),
    ) -> Option<Self> {
        if most == 0 || height == 0 {
            return None;
        }
        let n_columns = n_columns(width, most).min(points.len());
        let column = |column: usize| {
            let start = column * points.len() / n_columns;
            let end = (column + 1) * points.len() / n_columns;
            highest(&points[start..end])
        };
        let highest: Vec<_> = (0..n_columns).map(column).collect();
        let lines = (1..=height).map(|line| share(most, line, height));
        Some(Self {
            heights: highest.iter().map(|&b| lines_of(b, most, height)).collect(),
            lines: lines.collect(),
            peak_column: highest.iter().position(|&b| b == most).unwrap_or(0),
            n_events,
            bytes: highest.into(),
        })
    }
}

/// Number of columns that fit next to labels up to `most` bytes.
fn n_columns(width: usize, most: u64) -> usize {
    let n_digits = most.checked_ilog10().map_or(1, |log| log as usize + 1);
    width.saturating_sub(BESIDE + n_digits).max(1)
}

fn highest(points: &[u64]) -> u64 {
    points.iter().copied().max().unwrap_or(0)
}

/// Height of `bytes` in lines of `height`, rounded up.
fn lines_of(bytes: u64, most: u64, height: usize) -> usize {
    let lines = (u128::from(bytes) * height as u128).div_ceil(u128::from(most));
    usize::try_from(lines).map_or(height, |lines| lines.min(height))
}

/// The bytes at the top of a line.
fn share(most: u64, line: usize, height: usize) -> u64 {
    let bytes = u128::from(most) * line as u128 / height as u128;
    u64::try_from(bytes).unwrap_or(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BlockTotal, LiveHeapSeries, Peak};

    fn check(bytes: &[u64], width: usize, expected: &[usize]) {
        let block_total = |&bytes: &u64| BlockTotal { count: 1, bytes };
        let live = BlockTotal { count: 1, bytes: *bytes.iter().max().unwrap() };
        let history = HeapHistory {
            peak_bytes: Peak { event: 1, live },
            series: LiveHeapSeries {
                n_events_per_point: 1,
                points: bytes.iter().map(block_total).collect(),
            },
            ..HeapHistory::default()
        };
        let chart =
            LiveChart::new(&history, width + BESIDE + live.bytes.to_string().len(), 4).unwrap();
        assert_eq!(*chart.heights, *expected, "{bytes:?} in {width}");
    }

    #[test]
    fn columns_show_their_maximum() {
        check(&[8, 4, 2, 0], 10, &[4, 2, 1, 0]);
        check(&[8, 4, 2, 0, 1, 7], 3, &[4, 1, 4]);
        check(&[1, 100, 26, 25], 4, &[1, 4, 2, 1]);
        check(&[u64::MAX, 1], 2, &[4, 1]);
    }

    #[test]
    fn nothing_in_use_makes_no_chart() {
        assert_eq!(LiveChart::new(&HeapHistory::default(), 64, 12), None);
    }
}
