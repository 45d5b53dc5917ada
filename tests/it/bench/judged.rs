//! Verdicts of rounds, and of two results against each other.

use plimsoll::bench::{Compared, Measured, Verdict, compare, differences, judge};
use proptest::prelude::*;

use super::results::{measured, with_rounds};

#[test]
fn rounds_are_judged_by_range_and_slope() {
    for (rates, verdict) in [
        (vec![100.0, 104.0, 99.0, 101.0, 102.0], Verdict::Steady),
        (vec![100.0, 130.0, 90.0, 125.0, 95.0], Verdict::Noisy),
        (vec![100.0, 105.0, 110.0, 115.0, 121.0], Verdict::Drifting),
        (vec![300.0, 290.0, 140.0, 100.0, 100.0], Verdict::Burst),
        (vec![100.0, 100.0], Verdict::Unknown),
        (vec![0.0, 0.0, 0.0], Verdict::Unknown),
        // Just inside and just outside of a range of 20 % without slope.
        (vec![90.5, 109.5, 100.0, 109.5, 90.5], Verdict::Steady),
        (vec![89.0, 111.0, 100.0, 111.0, 89.0], Verdict::Noisy),
    ] {
        assert_eq!(judge(&rates), verdict, "{rates:?}");
    }
}

proptest! {
    #[test]
    fn a_verdict_does_not_depend_on_the_unit(
        rates in prop::collection::vec(1.0..1e6_f64, 3..8),
        factor in 1e-3..1e3_f64,
    ) {
        let scaled: Vec<f64> = rates.iter().map(|r| r * factor).collect();
        prop_assert_eq!(judge(&rates), judge(&scaled));
    }

    #[test]
    fn exchanging_two_results_inverts_the_ratio(
        a in prop::collection::vec(50.0..150.0_f64, 5),
        b in prop::collection::vec(50.0..150.0_f64, 5),
    ) {
        let (a, b) = (with_rounds(&a), with_rounds(&b));
        let (there, back) = (&compare(&a, &b)[0], &compare(&b, &a)[0]);
        prop_assert!((there.ratio * back.ratio - 1.0).abs() < 1e-9);
        let ([low, high], [low_back, high_back]) = (there.interval.unwrap(), back.interval.unwrap());
        prop_assert!((low * high_back - 1.0).abs() < 1e-9 && (high * low_back - 1.0).abs() < 1e-9);
        let opposite = match there.verdict {
            Compared::Faster => Compared::Slower,
            Compared::Slower => Compared::Faster,
            same => same,
        };
        prop_assert_eq!(opposite, back.verdict);
    }
}

#[test]
fn what_is_faster_beyond_chance_is_told_from_what_is_not() {
    let base = with_rounds(&[100.0, 101.0, 99.0, 100.5, 99.5]);
    for (rounds, verdict) in [
        ([120.0, 121.0, 119.0, 120.5, 119.5], Compared::Faster),
        ([80.0, 81.0, 79.0, 80.5, 79.5], Compared::Slower),
        ([101.0, 100.0, 99.5, 100.2, 99.8], Compared::Same),
        ([60.0, 180.0, 90.0, 150.0, 120.0], Compared::Unclear),
    ] {
        let compared = compare(&base, &with_rounds(&rounds));
        assert_eq!(compared[0].verdict, verdict, "{rounds:?}");
    }
}

/// Welch's interval of two samples of five by hand: equal variances of the logarithms and equal counts give
/// eight degrees of freedom, t = 2.306.
#[test]
fn the_interval_is_that_of_welch() {
    let logs = [-0.02, -0.01, 0.0, 0.01, 0.02_f64];
    let of = |shift: f64| with_rounds(&logs.map(|l| 100.0 * (l + shift).exp()));
    let compared = &compare(&of(0.0), &of(0.3))[0];
    let variance = logs.iter().map(|l| l * l).sum::<f64>() / 4.0;
    let half = 2.306_004 * (2.0 * variance / 5.0).sqrt();
    let [low, high] = compared.interval.unwrap();
    assert!((low.ln() - (0.3 - half)).abs() < 1e-6, "{low}");
    assert!((high.ln() - (0.3 + half)).abs() < 1e-6, "{high}");
}

#[test]
fn only_tests_that_both_measured_are_compared_and_other_circumstances_are_named() {
    let a = measured();
    let mut b = Measured { tool: "9.9.9".to_owned(), ..a.clone() };
    b.settings.file_bytes *= 2;
    b.tests.clear();
    assert!(compare(&a, &b).is_empty());
    let differ = differences(&a, &b);
    assert!(differ.contains(&"size of the file".to_owned()), "{differ:?}");
    assert!(differ.contains(&"version of the tool".to_owned()), "{differ:?}");
    assert!(differences(&a, &a).is_empty());
}
