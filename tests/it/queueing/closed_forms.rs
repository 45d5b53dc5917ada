//! Formulas of single stations: their laws, their limits, and what they refuse.

use plimsoll::queueing::closed_forms::{
    FormulaError, PriorityClass, QueueMeans, allen_cunneen, erlang_b, erlang_b_load, erlang_b_servers, fork_join,
    fork_join2, ggm, group_commit, machine_repairman, mg1, mg1_batches, mg1_preemptive, mg1_priority, mg1_setup,
    mg1_vacations, mgm, mm1, mmm, mmm_preemptive, mmm_priority, mmmk, shared_link,
};
use proptest::prelude::*;

use super::same_cases;

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-9 * expected.abs().max(1e-9)
}

/// Every formula of one kind of customers, by arrival rate, for a service of 1 s.
type Formula = fn(f64, f64, u32) -> Result<QueueMeans, FormulaError>;

const FORMULAS: [(&str, Formula); 10] = [
    ("M/M/1", |rate, _, _| mm1(rate, 1.0)),
    ("M/M/m", |rate, _, m| mmm(rate * f64::from(m), 1.0, m)),
    ("M/G/1", |rate, scv, _| mg1(rate, 1.0, scv)),
    ("M/G/m", |rate, scv, m| mgm(rate * f64::from(m), 1.0, scv, m)),
    ("G/G/m", |rate, scv, m| ggm(rate * f64::from(m), scv, 1.0, 1.0 / (1.0 + scv), m)),
    ("Allen–Cunneen", |rate, scv, m| allen_cunneen(rate * f64::from(m), scv, 1.0, 1.0 / (1.0 + scv), m)),
    ("batches", |rate, scv, m| mg1_batches(rate / f64::from(m), f64::from(m), scv, 1.0, scv)),
    ("vacations", |rate, scv, _| mg1_vacations(rate, 1.0, scv, 3.0, scv)),
    ("setup", |rate, scv, _| mg1_setup(rate, 1.0, scv, 0.1, scv)),
    ("link", |rate, scv, _| shared_link(rate * (1.0 + scv), 1.0, 1.0 + scv, 1.0)),
];

proptest! {
    #![proptest_config(same_cases(256))]

    #[test]
    fn littles_law_holds_and_waits_grow_with_the_load(
        load in 0.01..0.98_f64, more in 0.001..0.01_f64, scv in 0.0..5.0_f64, m in 1..20_u32,
    ) {
        for (name, formula) in FORMULAS {
            let (low, high) = (formula(load, scv, m).unwrap(), formula(load + more, scv, m).unwrap());
            prop_assert!(close(low.utilization, load), "{name}: {low:?}");
            prop_assert!(close(low.response_time, low.waiting_time + 1.0), "{name}: {low:?}");
            let rate = low.queue_length / low.response_time;
            let expected = load * match name {
                "M/M/m" | "M/G/m" | "G/G/m" | "Allen–Cunneen" => f64::from(m),
                "link" => 1.0 + scv,
                _ => 1.0,
            };
            prop_assert!(close(rate, expected), "{name}: {low:?}");
            prop_assert!(low.waiting_time >= 0.0 && low.waiting_time.is_finite(), "{name}");
            prop_assert!(high.waiting_time >= low.waiting_time * (1.0 - 1e-12), "{name}: {load}");
            let saturated = formula(1.0 + more, scv, m);
            prop_assert!(matches!(saturated, Err(FormulaError::Saturated { .. })), "{name}");
        }
    }

    #[test]
    fn special_cases_are_the_simpler_formulas(
        load in 0.01..0.98_f64, scv in 0.0..5.0_f64, m in 1..20_u32,
    ) {
        let rate = load * f64::from(m);
        let single = mg1(load, 1.0, scv).unwrap().waiting_time;
        let several = mmm(rate, 1.0, m).unwrap().waiting_time;
        let same = [
            ("M/G/m with one server", mgm(load, 1.0, scv, 1), single),
            ("M/G/m with c² = 1", mgm(rate, 1.0, 1.0, m), several),
            ("Allen–Cunneen of M/G/1", allen_cunneen(load, 1.0, 1.0, scv, 1), single),
            ("Whitt of M/G/1", ggm(load, 1.0, 1.0, scv, 1), single),
            ("G/G/m with c² = 1", ggm(rate, 1.0, 1.0, 1.0, m), several),
            ("batches of one", mg1_batches(load, 1.0, 0.0, 1.0, scv), single),
            ("no vacations", mg1_vacations(load, 1.0, scv, 0.0, scv), single),
            ("no setup", mg1_setup(load, 1.0, scv, 0.0, scv), single),
            ("a link of m streams", shared_link(rate, 1.0, f64::from(m), 1.0), several),
        ];
        for (name, found, expected) in same {
            prop_assert!(close(found.unwrap().waiting_time, expected), "{name}");
        }
        prop_assert_eq!(fork_join(load, 1.0, 2), fork_join2(load, 1.0));
        prop_assert!(close(fork_join(load, 1.0, 1).unwrap(), mm1(load, 1.0).unwrap().response_time));
        // Many places turn nobody away, many machines are a stream.
        let roomy = mmmk(rate, 1.0, m, 100_000).unwrap();
        prop_assert!((roomy.waiting_time - several).abs() < 1e-6 * (1.0 + several));
        let many = machine_repairman(1_000_000, 1e6 / rate, 1.0, m).unwrap();
        prop_assert!((many.waiting_time - several).abs() < 0.02 * several + 1e-3, "{many:?}");
    }

    #[test]
    fn a_repair_shop_obeys_the_laws(
        machines in 1..200_u32, running in 0.1..100.0_f64, m in 1..20_u32,
    ) {
        let shop = machine_repairman(machines, running, 1.0, m).unwrap();
        prop_assert!(close(shop.queue_length, shop.throughput * shop.response_time));
        prop_assert!(close(shop.utilization * f64::from(m), shop.throughput));
        let cycle = shop.response_time + running;
        prop_assert!(close(f64::from(machines), shop.throughput * cycle));
    }

    #[test]
    fn erlangs_formula_is_inverted(servers in 1..500_u32, lost in 1e-6..0.99_f64) {
        let load = erlang_b_load(servers, lost).unwrap();
        prop_assert!((erlang_b(servers, load) / lost - 1.0).abs() < 1e-9);
        prop_assert_eq!(erlang_b_servers(load * (1.0 - 1e-9), lost).unwrap(), servers);
        prop_assert_eq!(erlang_b_servers(load * (1.0 + 1e-9), lost).unwrap(), servers + 1);
    }

    /// Kleinrock's conservation law: who goes first does not change Σ ρ·Wq.
    #[test]
    fn priorities_only_move_the_wait(
        loads in prop::collection::vec(0.01..0.2_f64, 1..5), scv in 0.0..5.0_f64, m in 1..9_u32,
    ) {
        let of = |rate: &f64| PriorityClass { arrival_rate: *rate, service_time: 1.0, scv };
        let classes: Vec<_> = loads.iter().map(of).collect();
        let rates: Vec<f64> = loads.iter().map(|load| load * f64::from(m)).collect();
        let sum: f64 = loads.iter().sum();
        let work = |found: &[QueueMeans]| -> f64 {
            found.iter().map(|class| class.utilization * class.waiting_time).sum()
        };
        let first_come = mg1(sum, 1.0, scv).unwrap();
        prop_assert!(close(work(&mg1_priority(&classes).unwrap()), sum * first_come.waiting_time));
        let several = sum * mmm(sum * f64::from(m), 1.0, m).unwrap().waiting_time;
        prop_assert!(close(work(&mmm_priority(&rates, 1.0, m).unwrap()), several));
        let preemptive = mmm_preemptive(&rates, 1.0, m).unwrap();
        prop_assert!(close(work(&preemptive), several));
        // Nobody goes before the first; with one server both formulas say the same.
        let alone = mmm(rates[0], 1.0, m).unwrap();
        prop_assert!(close(preemptive[0].response_time, alone.response_time));
        let exponential: Vec<_> = classes.iter().map(|c| PriorityClass { scv: 1.0, ..*c }).collect();
        let single = mmm_preemptive(&loads, 1.0, 1).unwrap();
        for (a, b) in single.iter().zip(mg1_preemptive(&exponential).unwrap()) {
            prop_assert!(close(a.response_time, b.response_time), "{a:?} {b:?}");
        }
    }

    /// The wait of a class that is hardly there is the limit of that of one that is.
    #[test]
    fn a_vanishing_class_waits_like_a_small_one(
        before in 0.0..0.95_f64, m in 1..9_u32,
    ) {
        let wait = |rate: f64| {
            let rates = [before * f64::from(m), rate];
            mmm_preemptive(&rates, 1.0, m).unwrap()[1].waiting_time
        };
        // Just above and just below the load where the derivative takes over.
        let edge = 1e-5 * (1.0 - before) * f64::from(m);
        let (below, above) = (wait(edge * 0.999_999), wait(edge * 1.000_001));
        prop_assert!((below - above).abs() < 1e-5 * above + 1e-9, "{below} {above}");
        let alone = wait(0.0);
        prop_assert!(alone <= below && below - alone < 1e-4 * (1.0 + below), "{alone} {below}");
    }
}

#[test]
fn formulas_refuse_what_they_are_not_defined_for() {
    let refused = |result: Result<QueueMeans, FormulaError>, name: &str| {
        let error = result.unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    };
    refused(mgm(f64::NAN, 1.0, 1.0, 1), "arrival rate");
    refused(ggm(0.5, -1.0, 1.0, 1.0, 1), "variation of arrivals");
    refused(mgm(0.5, 1.0, 1.0, 0), "number of servers");
    refused(mg1_batches(0.1, 0.5, 0.0, 1.0, 1.0), "mean batch");
    refused(mg1_vacations(0.1, 1.0, 1.0, f64::INFINITY, 0.0), "vacation time");
    refused(mg1_setup(0.1, 1.0, 1.0, -1.0, 0.0), "setup time");
    refused(shared_link(1.0, 1.0, 10.0, 0.0), "limit of a stream");
    assert!(erlang_b_load(0, 0.1).is_err() && erlang_b_load(1, 1.0).is_err());
    assert!(erlang_b_servers(1.0, 0.0).is_err());
    assert!(machine_repairman(0, 1.0, 1.0, 1).is_err());
    assert!(machine_repairman(3, 0.0, 1.0, 1).is_err());
    assert!(fork_join(0.5, 1.0, 0).is_err() && group_commit(-1.0, 1.0).is_err());
    let saturated = mmm_preemptive(&[1.0, 1.0], 1.0, 2);
    assert!(matches!(saturated, Err(FormulaError::Saturated { .. })));
}
