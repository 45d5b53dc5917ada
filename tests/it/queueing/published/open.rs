//! Published answers of open networks.

use plimsoll::queueing::{Class, Method, Network, Station};

use super::super::demands;
use super::case::{Case, Quantity, Subject, figures, figures_within};
use super::routing::visits;
use Quantity::{Busy, Number, Q, R, Residence, U, Visit, Visits};

fn stations<const N: usize>(names: [&str; N]) -> Vec<Station> {
    names.map(|name| Station::queueing(name, 1)).into()
}

fn one(visits: Vec<f64>, times: &[f64], rate: f64) -> Class {
    let demands = demands(&visits, times);
    Class::open("jobs", rate, demands).with_visits(visits)
}

fn solved(stations: Vec<Station>, classes: Vec<Class>) -> Subject {
    Subject::Network(Network::new(stations, classes), Method::ClosedForm)
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            id: "R6",
            what: "λ 0.3, V 121, 70, 50, S 0.005, 0.03, 0.027",
            source: "Lazowska et al. 1984, p. 113 [OQ]",
            subject: solved(
                stations(["cpu", "disk1", "disk2"]),
                vec![one(vec![121.0, 70.0, 50.0], &[0.005, 0.03, 0.027], 0.3)],
            ),
            figures: [
                // The book cuts 0.1815 off to 0.182 and prints 0.222 of 0.2217.
                figures_within(1.01, [(U(0), "0.182")]),
                figures([(Visits(0, 0), "36.3"), (Number(0), "0.222")]),
            ]
            .into_iter()
            .flatten()
            .collect(),
        },
        two_classes(),
        Case {
            id: "E9",
            what: "λ 3, V 16, 7, 8, S 0.01, 0.02, 0.03",
            source: "Jain, The Art of Computer Systems Performance Analysis, example 34.1 [OQ]",
            subject: solved(
                stations(["cpu", "disk1", "disk2"]),
                vec![one(vec![16.0, 7.0, 8.0], &[0.01, 0.02, 0.03], 3.0)],
            ),
            figures: figures([
                (Visit(0, 0), "0.0192"),
                (Visit(0, 1), "0.0345"),
                (Visit(0, 2), "0.107"),
                (U(0), "0.48"),
                (U(1), "0.42"),
                (U(2), "0.72"),
            ]),
        },
        Case {
            id: "R16",
            what: "λ 4 at station 4, S 0.04, 0.03, 0.06, 0.05, P 1→2,3 ½, 2→1, 3→1 0.6, 4→1",
            source: "Bolch et al. 1998, example 7.4 [OQ]",
            subject: solved(
                stations(["1", "2", "3", "4"]),
                vec![one(
                    visits(
                        [0.0, 0.0, 0.0, 1.0],
                        [[0.0, 0.5, 0.5, 0.0], [1.0, 0.0, 0.0, 0.0], [0.6, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]],
                    ),
                    &[0.04, 0.03, 0.06, 0.05],
                    4.0,
                )],
            ),
            figures: figures([
                (Visits(0, 0), "20"),
                (Visits(0, 1), "10"),
                (Number(0), "4"),
                (Number(1), "0.429"),
                (Number(2), "1.5"),
                (Number(3), "0.25"),
                (Visit(0, 0), "0.2"),
                (Visit(0, 1), "0.043"),
                (Visit(0, 2), "0.15"),
                (Visit(0, 3), "0.0625"),
            ]),
        },
        routed_classes(),
    ]
}

fn two_classes() -> Case {
    let class = |name, rate, visits: [f64; 2], times: [f64; 2]| {
        Class::open(name, rate, demands(&visits, &times)).with_visits(visits.into())
    };
    Case {
        id: "R7",
        what: "λ 3/19, 2/19, V 10, 9 and 5, 4, S 1/10, 1/3 and 2/5, 1",
        source: "Lazowska et al. 1984, p. 138 [OQ]",
        subject: solved(
            stations(["cpu", "disk"]),
            vec![class("A", 3.0 / 19.0, [10.0, 9.0], [0.1, 1.0 / 3.0]), class("B", 2.0 / 19.0, [5.0, 4.0], [0.4, 1.0])],
        ),
        figures: figures([
            (Visits(0, 0), "1.58"),
            (Busy(0, 0), "3/19"),
            (Busy(1, 0), "4/19"),
            (Residence(0, 0), "19/12"),
            (Residence(0, 1), "57/2"),
            (Q(0, 0), "1/4"),
            (R(0), "361/12"),
        ]),
    }
}

fn routed_classes() -> Case {
    let first = visits([1.0, 0.0, 0.0], [[0.0, 0.4, 0.3], [0.6, 0.0, 0.4], [0.5, 0.5, 0.0]]);
    let second = visits([1.0, 0.0, 0.0], [[0.0, 0.3, 0.6], [0.7, 0.0, 0.3], [0.4, 0.6, 0.0]]);
    let class =
        |name, visits: Vec<f64>, times: &[f64]| Class::open(name, 1.0, demands(&visits, times)).with_visits(visits);
    Case {
        id: "E10",
        what: "two routed classes of 1 job/s, μ 8, 12, 16 and 24, 32, 36",
        source: "Bolch et al. 1998, example 7.7, whose K₂₂ of 0.5 is a misprint for 0.451 [OQ]",
        subject: solved(
            stations(["1", "2", "3"]),
            vec![
                class("A", first, &[1.0 / 8.0, 1.0 / 12.0, 1.0 / 16.0]),
                class("B", second, &[1.0 / 24.0, 1.0 / 32.0, 1.0 / 36.0]),
            ],
        ),
        // The book goes on with rounded utilizations.
        figures: figures_within(
            2.0,
            [
                (Visits(0, 0), "3.333"),
                (Visits(0, 1), "2.292"),
                (Visits(0, 2), "1.917"),
                (Visits(1, 1), "8.049"),
                (Visits(1, 2), "8.415"),
                (U(0), "0.833"),
                (U(1), "0.442"),
                (U(2), "0.354"),
                (Q(0, 0), "2.5"),
                (Q(0, 1), "0.342"),
                (Q(0, 2), "0.186"),
                (Q(1, 0), "2.5"),
                (Q(1, 1), "0.451"),
                (Q(1, 2), "0.362"),
            ],
        ),
    }
}
