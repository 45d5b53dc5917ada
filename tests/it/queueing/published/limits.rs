//! Published bounds, and locks.

use plimsoll::queueing::bounds::{
    asymptotic, balanced_job, knee_population, of_network, proportional, saturation_throughput,
};
use plimsoll::queueing::locks::capacity;
use plimsoll::queueing::{Class, Method, mixed};

use super::super::network;
use super::case::{Case, Subject, named};

pub(super) fn cases() -> Vec<Case> {
    let mut all = bounds();
    all.push(within());
    all.push(composite());
    all.push(lock());
    all
}

fn bounds() -> Vec<Case> {
    let demands = [0.1, 0.1, 0.09, 0.08];
    let of = |n: f64| {
        let found = proportional(&demands, n);
        [found.throughput_low, found.throughput_high]
    };
    let bolch = asymptotic(&[9.2, 8.0], 120.0, 20.0);
    vec![
        Case {
            id: "R27",
            what: "D 0.1, 0.1, 0.09, 0.08, N 2, 5, 10, 20, 80: proportional bounds",
            source: "Hsieh and Lam 1987, table IV [OQ]",
            subject: Subject::Formulas([2.0, 5.0, 10.0, 20.0, 80.0].map(of).concat()),
            figures: named([
                ("X ≥, 2", "4.3174"),
                ("X ≤, 2", "4.3174"),
                ("X ≥, 5", "6.6600"),
                ("X ≤, 5", "6.7297"),
                ("X ≥, 10", "8.0219"),
                ("X ≤, 10", "8.2700"),
                ("X ≥, 20", "8.8672"),
                ("X ≤, 20", "9.3387"),
                ("X ≥, 80", "9.6736"),
                ("X ≤, 80", "10.000"),
            ]),
        },
        Case {
            id: "R37",
            what: "N 20, Z 120, D 9.2, 8: asymptotic bounds",
            source: "Bolch et al. 1998, example 9.6 [OQ]",
            subject: Subject::Formulas(vec![
                bolch.throughput_high,
                bolch.response_time_low,
                saturation_throughput(&[9.2, 8.0]),
            ]),
            figures: named([("X ≤", "0.109"), ("R ≥", "64"), ("1/D", "0.109")]),
        },
        Case {
            id: "E25",
            what: "N 4, Z 6, D 2, 3, 1: where the bounds cross, and the bounds there",
            source: "Lazowska et al. 1984, section 5.2: N* = (D + Z)/Dmax; by hand",
            subject: Subject::Formulas(vec![
                knee_population(&[2.0, 3.0, 1.0], 6.0),
                asymptotic(&[2.0, 3.0, 1.0], 6.0, 4.0).throughput_high,
                // R ≤ D + (N − 1)·Dmax/(1 + Z/(N·D)) = 6 + 9/(1 + 6/24).
                balanced_job(&[2.0, 3.0, 1.0], 6.0, 4.0).response_time_high,
            ]),
            figures: named([("N*", "4/1"), ("X ≤", "1/3"), ("R ≤", "66/5")]),
        },
    ]
}

/// The exact answers that lie within Hsieh's and Lam's bounds.
fn within() -> Case {
    let exact = |n: f64| {
        let class = Class::closed("jobs", n, 0.0, vec![0.1, 0.1, 0.09, 0.08]);
        let solution = mixed::solve(&network(&[1; 4], vec![class]), Method::Convolution).unwrap();
        solution.classes[0].throughput
    };
    Case {
        id: "R27x",
        what: "the same network exactly, by convolution",
        source: "normalization constants, in the project's collection",
        subject: Subject::Formulas([2.0, 5.0, 10.0, 20.0, 80.0].map(exact).into()),
        figures: named([
            ("X, 2", "4.3174"),
            ("X, 5", "6.7148"),
            ("X, 10", "8.2062"),
            ("X, 20", "9.1682"),
            ("X, 80", "9.8530"),
        ]),
    }
}

/// Two classes with demands (10, 7, 5, 4) and (5, 2, 4, 6).
fn composite() -> Case {
    let classes = vec![
        Class::closed("A", 5.0, 0.0, vec![10.0, 7.0, 5.0, 4.0]),
        Class::closed("B", 10.0, 0.0, vec![5.0, 2.0, 4.0, 6.0]),
    ];
    let found = of_network(&network(&[1; 4], classes)).unwrap();
    let [a, b] = [0, 1].map(|idx: usize| found.classes[idx].bounds);
    Case {
        id: "E26",
        what: "N 5, 10, D 10, 7, 5, 4 and 5, 2, 4, 6: composite bounds",
        source: "Kerola 1986, equations 11 and 13, inputs of octave-queueing; by hand",
        subject: Subject::Formulas(vec![a.throughput_low, b.throughput_low]),
        figures: named([("X A ≥", "5/166"), ("X B ≥", "10/101")]),
    }
}

fn lock() -> Case {
    // Of all who come, a fraction are writers; the load of a lock is proportional to the rate.
    let most = |fraction: f64, read: f64, write: f64| 1.0 / capacity((1.0 - fraction) / fraction, read, 1.0, write);
    Case {
        id: "R30b",
        what: "writers/s through a readers–writer lock, first come, first served; writers' part p, holds 1, 1; 0.05, 0.2; 1, 2",
        source: "renewal argument (cf. Johnson 1995); simulated 0.30321, 2.52554, 0.37178",
        subject: Subject::Formulas(vec![most(0.1, 1.0, 1.0), most(0.02, 0.05, 0.2), most(0.5, 1.0, 2.0)]),
        figures: named([("X p 0.1", "0.30279"), ("X p 0.02", "2.52780"), ("X p 0.5", "0.37131")]),
    }
}
