//! Published answers of closed networks with one class.

use plimsoll::queueing::{Class, Method, Network};

use super::super::{demands, network};
use super::case::{Case, Quantity, Subject, figures, figures_within};
use Quantity::{Busy, Number, R, U, Visit, X};

/// Servers, 0 for a delay; population, think time, visits and service times.
pub(super) fn closed(servers: &[u32], n: f64, z: f64, visits: Vec<f64>, times: &[f64]) -> Network {
    let class = Class::closed("jobs", n, z, demands(&visits, times)).with_visits(visits);
    network(servers, vec![class])
}

pub(super) fn cases() -> Vec<Case> {
    let mut all = exact();
    all.extend(limiting());
    all.extend(approximate());
    all
}

fn exact() -> Vec<Case> {
    let terminals = || closed(&[1; 3], 20.0, 4.0, vec![16.0, 10.0, 5.0], &[0.125, 0.3, 0.2]);
    vec![
        Case {
            id: "R20",
            what: "N 20, Z 4, S 0.125, 0.3, 0.2, V 16, 10, 5",
            source: "Jain, The Art of Computer Systems Performance Analysis, mean values [OQ]",
            subject: Subject::Network(terminals(), Method::Exact),
            figures: figures([
                (Number(0), "1.991"),
                (Number(1), "16.177"),
                (Number(2), "0.500"),
                (Visit(0, 0), "0.373"),
                (Visit(0, 1), "4.854"),
                (Visit(0, 2), "0.300"),
            ]),
        },
        Case {
            id: "E12",
            what: "N 3, Z 15, D 0.605, 2.1, 1.35",
            source: "Lazowska et al. 1984, p. 117, exact [LV]",
            subject: Subject::Network(lazowska_117(), Method::Exact),
            figures: figures([(Number(0), "0.0976"), (Number(1), "0.3947"), (Number(2), "0.2350")]),
        },
    ]
}

/// Networks whose answer needs no algorithm.
fn limiting() -> Vec<Case> {
    vec![
        Case {
            id: "R39",
            what: "N 100, Z 10, D 0.2 at 4 servers, 0.1",
            source: "the closed network of simulators' speed tables; enumeration",
            subject: Subject::Network(closed(&[4, 1], 100.0, 10.0, vec![1.0, 1.0], &[0.2, 0.1]), Method::Exact),
            figures: figures([(X(0), "9.119254577")]),
        },
        Case {
            id: "E13",
            what: "N 10000 at 10 stations of D 0.1",
            source: "balanced networks: X = N/(D(N + K − 1)), Zahorjan et al. 1982",
            subject: Subject::Network(closed(&[1; 10], 10_000.0, 0.0, vec![1.0; 10], &[0.1; 10]), Method::Exact),
            figures: figures([(X(0), "100000/10009"), (Number(0), "1000/1"), (R(0), "10009/10")]),
        },
        Case {
            id: "E27",
            what: "N 10000, Z 1, D 6.4 at 64 servers, 0.05",
            source: "asymptotes: X = m/D (Lazowska et al. 1984, chapter 5)",
            subject: Subject::Network(closed(&[64, 1], 10_000.0, 1.0, vec![1.0; 2], &[6.4, 0.05]), Method::Exact),
            figures: figures([(X(0), "10/1"), (U(0), "1/1"), (R(0), "999/1")]),
        },
        Case {
            id: "E14",
            what: "N 3, chains of class switching merged: D 0.35, 0.595, 0.45",
            source: "Schwetman, CSD-TR-355 (1982), figure 9: sums over the classes [OQ]",
            subject: Subject::Network(closed(&[1; 3], 3.0, 0.0, vec![1.0; 3], &[0.35, 0.595, 0.45]), Method::Exact),
            // Sums of two printed numbers: 0.185 + 0.462, 1.175 + 0.252, 0.412 + 0.515; 0.126 + 0.315,
            // 0.618 + 0.132, 0.252 + 0.315.
            figures: figures_within(
                2.0,
                [
                    (Number(0), "0.647"),
                    (Number(1), "1.427"),
                    (Number(2), "0.927"),
                    (Busy(0, 0), "0.441"),
                    (Busy(0, 1), "0.750"),
                    (Busy(0, 2), "0.567"),
                ],
            ),
        },
        Case {
            id: "E15",
            what: "M/M/3//20 as a network: N 20, Z 10, D 1 at 3 servers",
            source: "Feller, section XVII.7, as E7",
            subject: Subject::Network(closed(&[3], 20.0, 10.0, vec![1.0], &[1.0]), Method::Exact),
            figures: figures([(U(0), "0.5958")]),
        },
    ]
}

fn lazowska_117() -> Network {
    closed(&[1; 3], 3.0, 15.0, vec![121.0, 70.0, 50.0], &[0.005, 0.03, 0.027])
}

/// Approximations, as others print them.
fn approximate() -> Vec<Case> {
    vec![Case {
        id: "E16",
        what: "N 3, Z 15, D 0.605, 2.1, 1.35, by Schweitzer's approximation",
        source: "Lazowska et al. 1984, p. 117 [OQ]",
        subject: Subject::Network(lazowska_117(), Method::Schweitzer),
        // The book stops its iteration at a thousandth.
        figures: figures_within(
            3.0,
            [(Number(0), "0.0973"), (Number(1), "0.4021"), (Number(2), "0.2359"), (X(0), "0.1510")],
        ),
    }]
}
