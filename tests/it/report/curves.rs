//! Curves over the load and over the years.

use plimsoll::advisor::{Advice, Chosen, Closeness, Curve, LoadAndStores, curve, load_and_stores};
use plimsoll::site::Site;

use crate::cli::SITES;
use crate::shared::{Advised, FROZEN, frozen_example};

pub(super) fn curve_of(site: &Site, advice: &Advice, chosen: &Chosen, points: usize) -> Curve {
    curve(
        site,
        &FROZEN.catalog,
        &FROZEN.calibration,
        &chosen.deployment,
        &advice.load,
        Some(&chosen.prediction),
        points,
        Closeness::Quick,
    )
}

pub(super) fn outlook_of(site: &Site, chosen: &Chosen, years: f64) -> LoadAndStores {
    load_and_stores(site, &FROZEN.catalog, &chosen.deployment, &chosen.sizes, &chosen.headroom, years, 25)
}

#[test]
fn a_curve_rises_to_where_something_gives_way() {
    for name in SITES {
        let Advised { site, advice } = frozen_example(name);
        let chosen = advice.chosen.as_ref().unwrap();
        let curve = curve_of(site, advice, chosen, 24);
        assert!(!curve.classes.is_empty(), "{name}");
        for class in &curve.classes {
            let factors: Vec<f64> = class.points.iter().map(|p| p.factor).collect();
            assert!(factors.len() >= 16, "{name} {}: {factors:?}", class.name);
            assert!(factors.is_sorted_by(|a, b| a < b), "{name}: {factors:?}");
            assert!(factors[0] <= 0.5 && factors.contains(&1.0), "{factors:?}");
            let (first, last) = (class.points[0], class.points[class.points.len() - 1]);
            assert!(last.mean >= first.mean * 0.99, "{name} {}: {} falls to {}", class.name, first.mean, last.mean);
            for p in &class.points {
                assert!(p.mean > 0.0 && p.p95.value.is_finite());
                assert!(p.p95.low <= p.p95.value && p.p95.value <= p.p95.high);
            }
        }
        // Headroom looks for the same place by its own bisection.
        let limit = curve.limit.as_ref().unwrap();
        let ratio = limit.factor / chosen.headroom.factor;
        assert!((0.95..1.05).contains(&ratio), "{name}: {ratio}");
        assert!((curve.knee.factor / chosen.headroom.knee - 1.0).abs() < 1e-9);
        if let Some(saturation) = &curve.saturation {
            assert!(saturation.factor >= limit.factor, "{name}");
            let beyond = curve.busiest.last().unwrap().factor;
            assert!(beyond < saturation.factor, "{name}: {beyond}");
        }
    }
}

#[test]
fn a_load_that_saturates_today_has_a_curve_below() {
    let Advised { site, advice } = frozen_example("netapp-lab-2013");
    let chosen = advice.chosen.as_ref().unwrap();
    let mut heavy = advice.clone();
    heavy.load = advice.load.scaled(60.0);
    let whole = curve_of(site, advice, chosen, 24);
    let curve = curve_of(site, &heavy, chosen, 24);
    let (Some(saturation), Some(at)) = (&curve.saturation, &whole.saturation) else {
        // Closed groups alone never saturate: then the limit tells.
        assert!(whole.saturation.is_none());
        return;
    };
    assert!(saturation.factor <= 1.0);
    let ratio = saturation.factor * 60.0 / at.factor;
    assert!((0.9..1.1).contains(&ratio), "{ratio}");
}

#[test]
fn stores_are_full_when_the_outlook_says_so() {
    for name in SITES {
        let Advised { site, advice } = frozen_example(name);
        let chosen = advice.chosen.as_ref().unwrap();
        for limit in &chosen.headroom.capacity {
            let Some(full) = limit.full_in.filter(|t| t.in_years() > 0.01) else {
                continue;
            };
            let load_and_stores = outlook_of(site, chosen, full.in_years());
            let store = load_and_stores.stores.iter().find(|s| s.store == limit.store);
            let points = &store.unwrap().points;
            let last = points[points.len() - 1].used.value;
            assert!((last - 1.0).abs() < 2e-3, "{name} {}: {last}", limit.store);
        }
        let load_and_stores = outlook_of(site, chosen, outlook_of(site, chosen, 1.0).horizon);
        let last = load_and_stores.load[load_and_stores.load.len() - 1];
        let growth = site.data.db_growth.value.over(site.horizon.time.value);
        assert!((last.factor.value / growth - 1.0).abs() < 1e-9);
        assert!(last.factor.low <= last.factor.value && last.factor.value <= last.factor.high);
    }
}

/// `cargo test --release --no-default-features curve_speed -- --ignored --nocapture`
#[test]
#[ignore = "measures"]
#[expect(clippy::disallowed_methods, clippy::print_stdout, reason = "measuring is its purpose")]
fn curve_speed() {
    for name in SITES {
        let Advised { site, advice } = frozen_example(name);
        let chosen = advice.chosen.as_ref().unwrap();
        for points in [12, 24] {
            let mut times: Vec<f64> = (0..40)
                .map(|_| {
                    let start = std::time::Instant::now();
                    let curve = curve_of(site, advice, chosen, points);
                    assert!(!curve.classes.is_empty());
                    start.elapsed().as_secs_f64() * 1e3
                })
                .collect();
            times.sort_by(f64::total_cmp);
            println!("{name}, {points} points: median {:.2} ms", times[20]);
        }
    }
}
