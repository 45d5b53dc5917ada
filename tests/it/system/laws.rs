//! Laws and bounds of any site's answer, generated sites among them.

use super::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(7), ..ProptestConfig::default() })]

    /// No NaN, no negative, no infinite number; saturation names a resource or lock that there is; and
    /// Little's law.
    #[test]
    fn every_layout_is_answered_whatever_the_site(answers in answers()) {
        let site = answers.site();
        let load = from_site::load(&site);
        for deployment in layouts(&rich(&site)) {
            let what = format!("{} {answers:?}", deployment.layout);
            match solve(&deployment, &load) {
                Ok(prediction) => {
                    check_finite(&what, &prediction);
                    check_little(&what, &load, &prediction);
                }
                Err(PredictError::Saturated { resource, utilization }) => {
                    prop_assert!(utilization >= 1.0 && utilization.is_finite(), "{what}: {utilization}");
                    let light = solve(&deployment, &load.scaled(1e-4)).expect("it is light");
                    let known = light.busy().any(|(one, _)| *one == resource);
                    prop_assert!(known, "{what}: {resource}");
                }
                Err(error) => prop_assert!(false, "{what}: {error}"),
            }
        }
    }

    /// More users never leave what is busiest idler, up to what the approximation is off.
    #[test]
    fn more_users_never_lower_the_busiest_utilization(answers in answers()) {
        let site = answers.site();
        let load = from_site::load(&site);
        for layout in ["single-volume", "split", "nfs-all", "san-nas-edges"] {
            let deployment = on(layout, &Choices { edges: 1, ..rich(&site) });
            let mut before = 0.0;
            for factor in [0.25, 0.7, 1.0, 1.5] {
                let outcome = solve(&deployment, &load.scaled(factor));
                let (name, busiest) = match outcome {
                    Ok(prediction) => prediction.bottleneck(),
                    Err(PredictError::Saturated { resource, utilization }) => (resource, utilization),
                    Err(error) => panic!("{layout}: {error}"),
                };
                prop_assert!(
                    busiest.min(1.0) >= before - 5e-3,
                    "{layout} × {factor}: {name} {busiest} after {before}, {answers:?}"
                );
                before = busiest.min(1.0);
            }
        }
    }

    /// More memory never finds less in it.
    #[test]
    fn more_memory_never_lowers_a_hit_ratio(answers in answers(), more in 1.0_f64..8.0) {
        let site = answers.site();
        let load = from_site::load(&site);
        let light = load.scaled(1e-3);
        // The connections' memory is that of the full load.
        let light = Load { connections: load.connections, ..light };
        let deployment = on("split", &rich(&site));
        let larger = Deployment { memory: deployment.memory * more, ..deployment.clone() };
        let hits = |d: &Deployment| {
            let p = solve(d, &light).expect("it is light");
            (p.db_hit, p.depot_hit)
        };
        let (less, more) = (hits(&deployment), hits(&larger));
        prop_assert!(more.0 >= less.0 - 1e-12 && more.1 >= less.1 - 1e-12, "{less:?} {more:?}");
    }

    #[test]
    fn a_larger_cache_never_finds_less(
        pages in prop::collection::vec((0.0_f64..1e12, 0.0_f64..1.0), 1..6),
        capacity in 0.0_f64..2e12,
        more in 1.0_f64..4.0,
    ) {
        let sum: f64 = pages.iter().map(|p| p.1).sum::<f64>().max(1e-9);
        let pages: Vec<Popularity> = pages
            .into_iter()
            .map(|(bytes, references)| Popularity { bytes, references: references / sum })
            .collect();
        let (small, large) = (hit_ratio(&pages, capacity), hit_ratio(&pages, capacity * more));
        prop_assert!((0.0..=1.0 + 1e-12).contains(&small), "{small}");
        prop_assert!(large >= small - 1e-9, "{large} < {small}");
    }
}

/// R34b of the reference values: Zipf popularity a over n pages, a cache of c of them.
#[test]
fn hit_ratios_of_zipf_references_are_the_published_ones() {
    for (a, n, c, published) in
        [(0.8, 10_000, 100.0, 0.15662), (0.8, 10_000, 1000.0, 0.43666), (1.0, 100_000, 1000.0, 0.50617)]
    {
        let weights: Vec<f64> = (1..=n).map(|i| f64::from(i).powf(-a)).collect();
        let sum: f64 = weights.iter().sum();
        let pages: Vec<Popularity> = weights.iter().map(|w| Popularity { bytes: 1.0, references: w / sum }).collect();
        let hit = hit_ratio(&pages, c);
        assert!((hit - published).abs() < 1e-5, "a {a} n {n} c {c}: {hit}, published {published}");
    }
}

/// Utilization law, open and closed: twice a light load makes processors and networks twice as busy.
#[test]
fn utilization_is_proportional_to_a_light_load() {
    let (_, load, _) = ordinary("split");
    for deployment in layouts(&rich(&ORDINARY.site())) {
        let at = |factor: f64| {
            let light = Load { connections: load.connections, ..load.scaled(factor) };
            shown(&deployment, &light)
        };
        let (one, two) = (at(1e-4), at(2e-4));
        for (a, b) in one.resources.iter().zip(&two.resources).filter(|(a, _)| a.utilization > 0.0) {
            let ratio = b.utilization / a.utilization;
            assert!((ratio - 2.0).abs() < 0.01, "{}: {}: {ratio}", deployment.layout, a.resource.name);
        }
    }
}

/// Utilization law at any load: what a cycle costs at a resource does not change with the number of
/// clients, and no rate asks for more than there is. Ten threads of a sync cost what one costs.
#[test]
fn no_rate_asks_for_more_than_a_resource_has() {
    for cores in [8.0, 16.0, 32.0] {
        for layout in ["single-volume", "split", "nfs-all"] {
            let choices = Choices { cores, ..rich(&ORDINARY.site()) };
            let deployment = on(layout, &choices);
            let at = |clients: f64| shown(&deployment, &benchmarks::parallel_syncs(clients, 1e9));
            let light = at(0.01);
            let cost = |name: &str| resource(&light, name) / light.group_rates[0];
            // From 48 clients on the busiest is full, and the iteration rests where its rates are as close as it was asked for.
            for clients in [1.0, 4.0, 16.0] {
                let busy = at(clients);
                let rough = 1e-9;
                for r in &busy.resources {
                    let asked = busy.group_rates[0] * cost(&r.resource.name);
                    assert!(asked < 1.0 + rough, "{layout} {cores} {clients}: {} asked {asked}", r.resource.name);
                    let error = (asked - r.utilization).abs();
                    assert!(error < rough, "{layout} {cores} {clients}: {} {asked} {}", r.resource.name, r.utilization);
                }
            }
        }
    }
}

#[test]
fn intervals_enclose_the_value_and_widen_with_the_spread_of_their_numbers() {
    let (_, load, deployment) = ordinary("split");
    let load = alone(&load, &load.groups[0]);
    let with = |calibration: &Calibration| {
        let mut prediction = predict(&deployment, &load, &CATALOG, calibration).expect("not saturated");
        add_intervals(&mut prediction, &deployment, &load, &CATALOG, calibration);
        prediction
    };
    let narrow = with(&CALIBRATION);
    check_finite("split", &narrow);
    let mut calibration = CALIBRATION.clone();
    for (id, parameter) in &mut calibration.parameters {
        if id.starts_with("round_trips.") || id.starts_with("byte.") {
            parameter.value.spread *= 2.0;
        }
    }
    // What the fit moved varies by its covariance.
    let posterior = &mut calibration.posterior;
    for covariance in posterior.covariance.iter_mut().flatten() {
        *covariance *= 4.0;
    }
    let wide = with(&calibration);
    for (a, b) in narrow.classes.iter().zip(&wide.classes) {
        for (a, b) in [(a.mean, b.mean), (a.p95, b.p95)] {
            assert!(a.low < a.value && a.value < a.high, "{a:?}");
            assert_eq!(a.value, b.value);
            assert!(b.low < a.low && b.high > a.high, "{a:?} {b:?}");
        }
    }
}

/// The iteration over lock waits and work for later ends because nothing moves, also where spinning disks
/// or a line are full. Where it does not, there is no prediction but an error.
#[test]
fn rates_and_waits_come_to_rest() {
    for (server, release, medium) in
        [("dell-2950", "2005.2", "disk-10k"), ("dl580-g7", "2012.1", "disk-15k"), ("present-32c", "2024.2", "nvme")]
    {
        for developers in [100, 1000] {
            let site = Answers { developers, server, release, medium, offices: 2, large_syncs: 20, ..ORDINARY }.site();
            let load = from_site::load(&site);
            for deployment in layouts(&rich(&site)) {
                let Ok(prediction) = solve(&deployment, &load) else {
                    continue;
                };
                let rounds = rounds(&prediction);
                assert!(rounds < 150, "{} {release} {developers}: {rounds}", deployment.layout);
            }
        }
    }
}

/// How often the network was solved.
fn rounds(prediction: &Prediction) -> usize {
    let mut words = prediction.method.split_whitespace();
    words.find_map(|word| word.parse().ok()).expect("the method tells its rounds")
}

/// Where reads lock no tables the iteration begins so near to its rest that it is there in a few rounds: this is what a
/// what-if costs.
#[test]
fn iterations_without_lock_waits_begin_near_their_rest() {
    for name in ["game-studio", "pure-lab-2017"] {
        let path = format!("assets/examples/{name}.toml");
        let site = site::load(Path::new(&path), &[], &Vocabulary::of(&CATALOG)).unwrap();
        let load = from_site::load(&site);
        for candidate in candidates(&site, &CATALOG).0 {
            if let Ok(prediction) = solve(&candidate.deployment, &load) {
                let rounds = rounds(&prediction);
                assert!(rounds <= 30, "{name} {}: {rounds}", candidate.deployment.layout);
            }
        }
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    let site = Answers { offices: 3, ..ORDINARY }.site();
    let load = from_site::load(&site);
    for deployment in layouts(&rich(&site)) {
        let ask = || solve(&deployment, &load);
        assert_eq!(ask(), ask());
    }
}
