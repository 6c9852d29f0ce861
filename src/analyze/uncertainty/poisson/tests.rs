use super::*;

/// The point between these ends where a rising function reaches a value, found by bisection.
fn rising_to(value: f64, (mut low, mut high): (f64, f64), of: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if of(middle) < value {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// Garwood's limits, with which published tables are: the number of samples itself
/// counts whole on either side.
fn garwood(samples: f64) -> (f64, f64) {
    let end = 2.0 * samples + 20.0;
    (
        rising_to(RARE, (0.0, end), |mean| gamma_below(samples, mean)),
        rising_to(1.0 - RARE, (0.0, end), |mean| gamma_below(samples + 1.0, mean)),
    )
}

#[test]
fn gamma_quantiles_equal_published_tables() {
    // Exact 95 % limits of Poisson counts, as in Pearson and Hartley's tables.
    let table = [
        (1.0, 0.0253, 5.572),
        (2.0, 0.2422, 7.225),
        (3.0, 0.6187, 8.767),
        (4.0, 1.0899, 10.242),
        (5.0, 1.6235, 11.668),
        (10.0, 4.795, 18.390),
        (20.0, 12.217, 30.888),
        (50.0, 37.111, 65.919),
        (100.0, 81.364, 121.627),
    ];
    for (samples, low, high) in table {
        let found = garwood(samples);
        assert!((found.0 - low).abs() < 6e-4, "{samples}: {found:?}");
        assert!((found.1 - high).abs() < 6e-4, "{samples}: {found:?}");
    }
    assert!((garwood(0.0).1 - 3.689).abs() < 6e-4);
}

#[test]
fn limits_of_no_and_of_one_sample_follow_by_hand() {
    // Half the probability of 0 samples is 2.5 %: e^-m = 0.05.
    let (low, high) = interval(0.0);
    assert_eq!(low, 0.0);
    assert!((high - 20f64.ln()).abs() < 1e-12, "{high}");
    // For one sample: the probability of 0, plus half of that of 1, is 2.5 % or 97.5 %.
    let rest = |mean: f64| (1.0 + mean / 2.0) * (-mean).exp();
    let (low, high) = interval(1.0);
    assert!((rest(low) - 0.975).abs() < 1e-12, "{low}");
    assert!((rest(high) - 0.025).abs() < 1e-12, "{high}");
}

#[test]
fn limits_are_within_conservative_ones() {
    for samples in 1..200u32 {
        let samples = f64::from(samples);
        let (low, high) = interval(samples);
        let wide = garwood(samples);
        assert!(wide.0 <= low && low <= samples && samples < high && high < wide.1);
    }
}

#[test]
fn limits_rise_with_samples_and_fractions_of_them() {
    let mut before = interval(0.0);
    for step in 1..20_000u32 {
        let now = interval(f64::from(step) / 16.0);
        assert!(before.0 < now.0 && before.1 < now.1, "at {step} sixteenths");
        before = now;
    }
}

#[test]
fn the_approximation_is_less_than_a_hundredth_of_a_sample_off() {
    for samples in [999.0, 1000.0, 1500.0, 5000.0, 20_000.0f64] {
        let ends = (0.0, 2.0 * samples);
        let low = rising_to(RARE, ends, |mean| chance_of_more(samples, mean).0);
        let high = rising_to(1.0 - RARE, ends, |mean| chance_of_more(samples, mean).0);
        let found = interval(samples);
        assert!((found.0 - low).abs() < 0.01 && (found.1 - high).abs() < 0.01);
    }
}

/// How often the interval holds a mean, counted out over all numbers of samples.
fn coverage(mean: f64, limits: &[(f64, f64)]) -> f64 {
    let mut chance = (-mean).exp();
    let mut sum = 0.0;
    for (samples, &(low, high)) in (0u32..).zip(limits) {
        if (low..=high).contains(&mean) {
            sum += chance;
        }
        chance *= mean / f64::from(samples + 1);
    }
    sum
}

#[test]
fn intervals_contain_the_truth_as_often_as_claimed() {
    let numbers = || (0..700u32).map(f64::from);
    let ours: Vec<_> = numbers().map(interval).collect();
    let wide: Vec<_> = numbers().map(garwood).collect();
    let mean_coverage = |limits: &[(f64, f64)], low: f64, high: f64| {
        let means = (0..400u32).map(|step| low + (high - low) * f64::from(step) / 400.0);
        means.map(|mean| coverage(mean, limits)).sum::<f64>() / 400.0
    };
    for (low, high) in [(5.0, 10.0), (10.0, 30.0), (30.0, 100.0), (100.0, 400.0)] {
        let held = mean_coverage(&ours, low, high);
        assert!((0.948..0.954).contains(&held), "{low} to {high}: {held}");
    }
    // This is why the limits of the tables are not used.
    assert!(mean_coverage(&wide, 5.0, 10.0) > 0.965);
}
