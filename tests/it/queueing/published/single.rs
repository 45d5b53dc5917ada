//! Published answers of single stations.

use plimsoll::queueing::closed_forms::{
    FiniteQueueMeans, PriorityClass, QueueMeans, allen_cunneen, erlang_b_load, erlang_c, fork_join2, group_commit,
    machine_repairman, mg1, mg1_preemptive, mg1_priority, mg1_ps, mm1, mmm, mmm_preemptive, mmm_priority, mmmk,
};

use super::case::{Case, Quantity, Subject, figures_within, named};

fn queue(found: QueueMeans) -> [f64; 3] {
    [found.waiting_time, found.response_time, found.queue_length]
}

pub(super) fn cases() -> Vec<Case> {
    let mut all = erlang();
    all.extend(waiting());
    all.extend(general());
    all.extend(finite());
    all.extend(finite_queueing_table());
    all.extend(priorities());
    all.extend(beyond());
    all
}

fn erlang() -> Vec<Case> {
    let load = |servers, lost| erlang_b_load(servers, lost).unwrap();
    vec![
        Case {
            id: "R1a",
            what: "Erlang B: load of 15 lines that lose 1 %",
            source: "erlang.com, manual, \"How much traffic can a trunk group handle?\"",
            subject: Subject::Formulas(vec![load(15, 0.01)]),
            figures: named([("a", "8.108")]),
        },
        Case {
            id: "R1b",
            what: "Erlang B table: (5, 1 %), (9, 1 %), (10, 0.1 %), (8, 5 %), (9, 5 %)",
            source: "\"Carrier Grade Voice over IP\", 2nd ed., appendix A (globalspec.com)",
            subject: Subject::Formulas(vec![
                load(5, 0.01),
                load(9, 0.01),
                load(10, 0.001),
                load(8, 0.05),
                load(9, 0.05),
            ]),
            figures: named([
                ("a 5, 1 %", "1.4"),
                ("a 9, 1 %", "3.8"),
                ("a 10, 0.1 %", "3.1"),
                ("a 8, 5 %", "4.5"),
                ("a 9, 5 %", "5.4"),
            ]),
        },
    ]
}

fn waiting() -> Vec<Case> {
    let hospital = |doctors| mmm(2.0, 1.0 / 3.0, doctors).unwrap();
    let eth = |servers| {
        let [wait, response, _] = queue(mmm(9.0, 0.2, servers).unwrap());
        vec![9.0 * wait, response]
    };
    let agents = mmm(360.0 / 1800.0, 240.0, 55).unwrap();
    vec![
        Case {
            id: "R2",
            what: "M/M/8, λ 6.4, μ 1",
            source: "LINE 3.0.8, MVA",
            subject: Subject::Formulas({
                let [_, response, number] = queue(mmm(6.4, 1.0, 8).unwrap());
                vec![response, number]
            }),
            figures: named([("R", "1.2860"), ("L", "8.2306")]),
        },
        Case {
            id: "R3",
            what: "M/M/1 and M/M/2, λ 2/h, μ 3/h: a hospital's emergency room",
            source: "Hillier and Lieberman, Introduction to Operations Research",
            subject: Subject::Formulas(vec![
                mm1(2.0, 1.0 / 3.0).unwrap().response_time,
                hospital(2).waiting_time,
                hospital(2).response_time,
            ]),
            figures: named([("R m=1", "1/1"), ("Wq m=2", "1/24"), ("R m=2", "3/8")]),
        },
        Case {
            id: "E1",
            what: "M/M/2, λ 9, μ 5",
            source: "ETH Zürich, Advanced Systems Lab 2017, slides on M/M/x [OQ]",
            subject: Subject::Formulas(eth(2)),
            figures: named([("Lq", "7.674"), ("R", "1.053")]),
        },
        Case {
            id: "E2",
            what: "M/M/4, λ 9, μ 5",
            source: "ETH Zürich, Advanced Systems Lab 2017, slides on M/M/x [OQ]",
            subject: Subject::Formulas(eth(4)),
            figures: named([("Lq", "0.105"), ("R", "0.212")]),
        },
        Case {
            id: "E3",
            what: "Erlang C: 360 calls in 30 min of 4 min each, 55 agents",
            source: "Westbay/Mitan, \"The Erlang-C Formula\"",
            subject: Subject::Formulas(vec![erlang_c(55, 48.0), agents.utilization, agents.waiting_time]),
            figures: named([("P(wait)", "0.239"), ("U", "0.873"), ("Wq [s]", "8.2")]),
        },
    ]
}

fn general() -> Vec<Case> {
    vec![
        Case {
            id: "R5a",
            what: "M/G/1, λ 1, Coxian service of mean 0.5 and c² = 4",
            source: "JMT, mg1fcfs (simulated within 3 %) [JX]; Pollaczek–Khinchine: 7/4",
            subject: Subject::Formulas({
                let [_, response, number] = queue(mg1(1.0, 0.5, 4.0).unwrap());
                vec![response, number, response]
            }),
            figures: [
                figures_within(1.0, [(Quantity::Named("R exact"), "7/4")]),
                figures_within(
                    // 3 % of the value.
                    1050.0,
                    [(Quantity::Named("L simulated"), "1.7358"), (Quantity::Named("R simulated"), "1.7478")],
                ),
            ]
            .into_iter()
            .flatten()
            .collect(),
        },
        Case {
            id: "R5b",
            what: "M/G/1-PS, the same service",
            source: "JMT, mg1ps (simulated within 3 %) [JX]; insensitivity: 1",
            subject: Subject::Formulas({
                let shared = mg1_ps(1.0, 0.5).unwrap();
                vec![shared.response_time, shared.queue_length]
            }),
            figures: [
                figures_within(1.0, [(Quantity::Named("R exact"), "1/1")]),
                figures_within(600.0, [(Quantity::Named("L simulated"), "1.0084")]),
            ]
            .into_iter()
            .flatten()
            .collect(),
        },
        Case {
            id: "E4",
            what: "G/G/1, 80 requests/s, coefficients of variation 2 and 1/3, service 9 ms; and M/G/1",
            source: "Menascé, Almeida and Dowdy, Performance by Design, example 11.8",
            subject: Subject::Formulas(vec![
                mg1(80.0, 0.009, 1.0 / 9.0).unwrap().waiting_time,
                allen_cunneen(80.0, 4.0, 0.009, 1.0 / 9.0, 1).unwrap().utilization,
            ]),
            figures: named([("Wq M/G/1", "0.0129"), ("U", "0.72")]),
        },
    ]
}

fn finite() -> Vec<Case> {
    let of = |found: FiniteQueueMeans| found;
    let three = of(mmmk(40.0, 1.0 / 30.0, 3, 7).unwrap());
    let four = of(mmmk(50.0, 0.1, 4, 6).unwrap());
    let two = of(mmmk(3.0, 0.5, 2, 5).unwrap());
    let web = "an example on the web [OQ]";
    vec![
        Case {
            id: "R5c",
            what: "M/M/1/11, λ 9, μ 10",
            source: "JMT, mm1k (simulated, 4.2465 at least) and mm1k_fcr [JX]",
            subject: Subject::Formulas(vec![mmmk(9.0, 0.1, 1, 11).unwrap().queue_length; 2]),
            figures: figures_within(
                // Their intervals' half-widths, 0.0434 and 0.0399.
                870.0,
                [(Quantity::Named("L"), "4.2899"), (Quantity::Named("L region"), "4.2782")],
            ),
        },
        Case {
            id: "R31a",
            what: "M/M/3/7, λ 40, μ 30",
            source: web,
            subject: Subject::Formulas(vec![three.empty_probability, three.response_time]),
            figures: named([("p0", "0.255037"), ("R", "0.036517")]),
        },
        Case {
            id: "R31b",
            what: "M/M/4/6, λ 50, μ 10",
            source: web,
            subject: Subject::Formulas(vec![four.blocking_probability]),
            figures: named([("pK", "0.293543")]),
        },
        Case {
            id: "R31c",
            what: "M/M/2/5, λ 3, μ 2",
            source: web,
            subject: Subject::Formulas(vec![
                two.empty_probability,
                two.blocking_probability,
                two.queue_length,
                two.waiting_time,
            ]),
            // They cut digits off.
            figures: figures_within(
                2.0,
                [
                    (Quantity::Named("p0"), "0.179334"),
                    (Quantity::Named("pK"), "0.085113"),
                    (Quantity::Named("L"), "2.00595"),
                    (Quantity::Named("Wq"), "0.230857"),
                ],
            ),
        },
        Case {
            id: "E5",
            what: "M/M/1/10, λ = μ",
            source: "every number is as likely: L = K/2 [OQ]",
            subject: Subject::Formulas(vec![
                mmmk(1.0, 1.0, 1, 10).unwrap().queue_length,
                mmmk(1.0, 1.0, 1, 10).unwrap().empty_probability,
            ]),
            figures: named([("L", "5/1"), ("p0", "1/11")]),
        },
    ]
}

/// Machine repairman: 6 machines and 1, 20 and 3; waiting is lost time of machines.
fn finite_queueing_table() -> Vec<Case> {
    // Feller: service takes a tenth of the time that machines run.
    let feller = |machines: u32, repairmen: u32| {
        let shop = machine_repairman(machines, 10.0, 1.0, repairmen).unwrap();
        let waiting = shop.throughput * shop.waiting_time / f64::from(machines);
        vec![1.0 - shop.utilization, waiting]
    };
    // Efficiency: one less the fraction of machines that wait, at a service factor X = S/(S + Z).
    let efficiency = |factor: f64| {
        let shop = machine_repairman(5, (1.0 - factor) / factor, 1.0, 1).unwrap();
        1.0 - shop.throughput * shop.waiting_time / 5.0
    };
    let factors = [0.012, 0.025, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1];
    vec![
        Case {
            id: "E6",
            what: "M/M/1//6, service a tenth of the running time",
            source: "Feller, An Introduction to Probability Theory, vol. 1, section XVII.7",
            subject: Subject::Formulas(feller(6, 1)),
            figures: named([("loss repairman", "0.4845"), ("loss machines", "0.0549")]),
        },
        Case {
            id: "E7",
            what: "M/M/3//20, service a tenth of the running time",
            source: "Feller, An Introduction to Probability Theory, vol. 1, section XVII.7",
            subject: Subject::Formulas(feller(20, 3)),
            figures: named([("loss repairmen", "0.4042"), ("loss machines", "0.01694")]),
        },
        Case {
            id: "E8",
            what: "M/M/1//5, efficiency by service factor S/(S + Z)",
            source: "finite queueing tables (Peck and Hazelwood 1958), as textbooks print them",
            subject: Subject::Formulas(factors.map(efficiency).to_vec()),
            figures: named([
                ("F 0.012", "0.999"),
                ("F 0.025", "0.997"),
                ("F 0.05", "0.989"),
                ("F 0.06", "0.983"),
                ("F 0.07", "0.977"),
                ("F 0.08", "0.969"),
                ("F 0.09", "0.960"),
                ("F 0.1", "0.950"),
            ]),
        },
    ]
}

/// Hillier and Lieberman's hospital with critical, serious and stable patients; by hand from
/// Cobham's formula and checked by Markov chains elsewhere in these tests.
fn priorities() -> Vec<Case> {
    let rates = [0.2, 0.6, 1.2];
    let classes = rates.map(|arrival_rate| PriorityClass { arrival_rate, service_time: 1.0 / 3.0, scv: 1.0 });
    let waits = |found: Vec<QueueMeans>| -> Vec<f64> { found.iter().map(|class| class.waiting_time).collect() };
    let source = "Cobham 1954, inputs of Hillier and Lieberman; by hand";
    vec![
        Case {
            id: "R4a",
            what: "M/M/1, λ 0.2, 0.6, 1.2, μ 3, priorities, not interrupted",
            source,
            subject: Subject::Formulas(waits(mg1_priority(&classes).unwrap())),
            figures: named([("Wq 1", "5/21"), ("Wq 2", "25/77"), ("Wq 3", "10/11")]),
        },
        Case {
            id: "R4b",
            what: "the same, interrupted and resumed",
            source: "Kleinrock vol. 2, section 3.4, the same inputs; by hand",
            subject: Subject::Formulas(waits(mg1_preemptive(&classes).unwrap())),
            figures: named([("Wq 1", "1/42"), ("Wq 2", "71/462"), ("Wq 3", "34/33")]),
        },
        Case {
            id: "R4c",
            what: "M/M/2, the same patients, not interrupted",
            source,
            subject: Subject::Formulas(waits(mmm_priority(&rates, 1.0 / 3.0, 2).unwrap())),
            figures: named([("Wq 1", "5/174"), ("Wq 2", "25/754"), ("Wq 3", "5/104")]),
        },
        Case {
            id: "R4d",
            what: "M/M/2, the same patients, interrupted and resumed",
            source: "Hillier and Lieberman's argument; by hand",
            subject: Subject::Formulas(waits(mmm_preemptive(&rates, 1.0 / 3.0, 2).unwrap())),
            figures: named([("Wq 1", "1/2697"), ("Wq 2", "4721/596037"), ("Wq 3", "347/5304")]),
        },
    ]
}

fn beyond() -> Vec<Case> {
    let fork = |load| fork_join2(load, 1.0).unwrap();
    let flush = |rate| {
        let found = group_commit(rate, 0.001).unwrap();
        vec![found.waiting_time * 1e3, found.utilization, found.batch]
    };
    vec![
        Case {
            id: "R28",
            what: "fork and join over two M/M/1, μ 1, ρ 0.3, 0.5, 0.7",
            source: "Flatto and Hahn 1984; Thomasian, ACM CSUR 47(2) 2014, eq. 6",
            subject: Subject::Formulas(vec![fork(0.3), fork(0.5), fork(0.7)]),
            figures: named([("R 0.3", "2.08929"), ("R 0.5", "2.875"), ("R 0.7", "4.70833")]),
        },
        Case {
            id: "R33a",
            what: "group commit, 1000 commits/s, flush of exactly 1 ms",
            source: "renewal argument; simulated 0.365481, 0.730712, 1.366416",
            subject: Subject::Formulas(flush(1000.0)),
            figures: named([("Wq [ms]", "0.365529"), ("U", "0.731059"), ("batch", "1.367879")]),
        },
        Case {
            id: "R33b",
            what: "group commit, 5000 commits/s, flush of exactly 1 ms",
            source: "renewal argument",
            subject: Subject::Formulas(flush(5000.0)),
            figures: named([("Wq [ms]", "0.499327"), ("U", "0.998654"), ("batch", "5.006738")]),
        },
    ]
}
