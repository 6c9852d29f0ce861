//! Bins in pieces, and sums of them.

use super::*;

fn bins(len: usize, pieces: &[(usize, &[u16])]) -> Bins {
    let pieces = pieces.iter();
    Bins::new(len, pieces.map(|&(start, ticks)| (start, Counters::Narrow(ticks.into()))))
}

fn check(bins: &Bins, expected: &[u64]) {
    let one_by_one: Vec<_> = (0..bins.len()).map(|bin| bins.get(bin)).collect();
    assert_eq!(one_by_one, expected);
    let hit = (0..).zip(expected.iter().copied()).filter(|(_, ticks)| *ticks > 0);
    assert!(bins.hit().eq(hit));
    assert_eq!(bins, &Bins::from(expected));
}

#[test]
fn bins_in_no_piece_are_zero() {
    check(&bins(0, &[]), &[]);
    check(&bins(3, &[]), &[0; 3]);
    check(&bins(7, &[(1, &[5, 0]), (4, &[6, 7])]), &[0, 5, 0, 0, 6, 7, 0]);
}

#[test]
fn sums_have_the_width_that_they_need() {
    let mut sum = bins(3, &[(0, &[1, 0xffff, 7])]);
    sum.add(&bins(3, &[(0, &[1, 0, 1])]));
    check(&sum, &[2, 0xffff, 8]);
    sum.add(&bins(3, &[(0, &[1, 1, 1])]));
    check(&sum, &[3, 0x1_0000, 9]);
    sum.add(&Bins::from([0, u64::MAX, 3]));
    check(&sum, &[3, u64::MAX, 12]);
    sum.add(&Bins::from([1, 1, 1]));
    check(&sum, &[4, u64::MAX, 13]);
}

#[test]
fn pieces_that_lie_elsewhere_are_added() {
    let mut sum = bins(9, &[(1, &[1, 1]), (6, &[1])]);
    sum.add(&bins(9, &[(2, &[2, 2]), (5, &[2, 2, 2])]));
    check(&sum, &[0, 1, 3, 2, 0, 2, 3, 2, 0]);
    sum.add(&bins(9, &[(0, &[4]), (3, &[4])]));
    check(&sum, &[4, 1, 3, 6, 0, 2, 3, 2, 0]);
}

#[test]
fn the_longer_counts() {
    let mut sum = bins(1, &[(0, &[1])]);
    sum.add(&bins(3, &[(0, &[1, 2, 3])]));
    check(&sum, &[2, 2, 3]);
    sum.add(&bins(1, &[(0, &[1])]));
    check(&sum, &[3, 2, 3]);
}

#[test]
fn a_sum_of_many_is_that_of_each() {
    // Long enough for several to be added at once, with full counters anywhere.
    let ticks = |seed: u64| {
        (0..200_u64).map(move |bin| {
            let full = (bin * 7 + seed).is_multiple_of(61);
            if full { u64::from(u16::MAX) } else { (bin * seed) % 300 }
        })
    };
    let mut sum = Bins::default();
    let mut expected = [0; 200];
    for seed in 0..40 {
        let counters: Box<[u16]> = ticks(seed).map(|n| u16::try_from(n).unwrap()).collect();
        sum.add(&Bins::new(200, [(0, Counters::Narrow(counters))]));
        expected.iter_mut().zip(ticks(seed)).for_each(|(sum, n)| *sum += n);
        check(&sum, &expected);
        assert_eq!(sum.most(), expected.into_iter().max().unwrap());
    }
}
