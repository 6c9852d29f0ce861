//! The order of rows: descending, with equal rows as in the original.
//!
//! Its sort is not stable, but deterministic. The last-ranked row is moved to the end as a
//! sentinel; a quicksort with pseudo-random pivots leaves ranges of up to 21 rows unsorted; a
//! final insertion sort completes the order.

/// Maximum distance of the ends of a range left to the insertion sort.
const N_UNSORTED: usize = 20;

/// Sorts by descending keys.
pub(super) fn sort<T>(rows: &mut [T], key: impl Fn(&T) -> f64) {
    if rows.len() < 2 {
        return;
    }
    let last = rows.len() - 1;
    let mut least = 0;
    for index in 1..rows.len() {
        if key(&rows[index]) < key(&rows[least]) {
            least = index;
        }
    }
    rows.swap(least, last);
    quicksort(rows, 0, last - 1, &key);
    insertion_sort(rows, &key);
}

/// Partitions the rows from `low` to `high`. A row after `high` is not larger than any of
/// them.
fn quicksort<T>(rows: &mut [T], low: usize, high: usize, key: &impl Fn(&T) -> f64) {
    let mut random = Random::new();
    let mut ranges = vec![(low, high)];
    while let Some((low, high)) = ranges.pop() {
        if high <= low || high - low <= N_UNSORTED {
            continue;
        }
        rows.swap(low, low + random.below(high - low + 1));
        let pivot = key(&rows[low]);
        let (mut up, mut down) = (low, high + 1);
        loop {
            up += 1;
            while key(&rows[up]) > pivot {
                up += 1;
            }
            down -= 1;
            while key(&rows[down]) < pivot {
                down -= 1;
            }
            if up > down {
                break;
            }
            rows.swap(up, down);
        }
        rows.swap(low, down);
        // The left range is next: it draws its pivots before the right one does.
        ranges.push((up, high));
        ranges.push((low, down.saturating_sub(1)));
    }
}

fn insertion_sort<T>(rows: &mut [T], key: &impl Fn(&T) -> f64) {
    for end in 1..rows.len() {
        let mut index = end;
        while index > 0 && key(&rows[index - 1]) < key(&rows[index]) {
            rows.swap(index - 1, index);
            index -= 1;
        }
    }
}

/// The pseudo-random sequence of pivots.
struct Random(u32);

impl Random {
    fn new() -> Self {
        let mut random = Self(13);
        // The original has used the first number for something else.
        random.step();
        random
    }

    fn step(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.0
    }

    /// A number below `n`: the remainder of a signed number.
    fn below(&mut self, n: usize) -> usize {
        let signed = i64::from(self.step().cast_signed());
        let n = i64::try_from(n).expect("no more rows fit into memory");
        usize::try_from(signed.rem_euclid(n)).expect("a remainder is not negative")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_equal_rows_keep_their_order_but_for_the_last_ranked() {
        let mut rows = [(1.0, 'a'), (0.0, 'b'), (2.0, 'c'), (0.0, 'd'), (1.0, 'e')];
        sort(&mut rows, |row| row.0);
        let order: String = rows.iter().map(|row| row.1).collect();
        assert_eq!(order, "caedb");
    }

    #[test]
    fn many_rows_are_sorted() {
        for n_keys in [1, 2, 7, 1000] {
            let mut rows: Vec<f64> = (0..1000).map(|i| f64::from(i * 7919 % n_keys)).collect();
            sort(&mut rows, |row| *row);
            assert!(rows.is_sorted_by(|a, b| a >= b), "{n_keys} keys");
        }
    }
}
