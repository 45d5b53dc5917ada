//! Networks without product form, and caches: approximations against what is known exactly.

use plimsoll::queueing::{Class, Discipline, Method, Network, Station};
use plimsoll::system::cache::{Popularity, hit_ratio};

use super::super::chain;
use super::case::{Case, Figure, Quantity, Subject, figures, figures_about, named, value_of};
use Quantity::{Q, X};

/// Bondi's and Chuang's networks: two customers who go first at station 1, and some who go second;
/// service times at station 1, and at station 2 of either class.
const PRIORITIES: [Model; 3] = [
    Model {
        id: "E28",
        what: "N 2, 6, station 1 by priority (interrupted), S 0.02, 0.2; station 2 S 0.05",
        second: 6,
        first_station: [0.02, 0.2],
        second_station: 0.05,
        exact: ["15.1561", "3.4800", "0.3798"],
    },
    Model {
        id: "E29",
        what: "N 2, 1, the same with S 0.1, 0.1 and 0.1",
        second: 1,
        first_station: [0.1, 0.1],
        second_station: 0.1,
        exact: ["5.9524", "1.5476", "0.8690"],
    },
    Model {
        id: "E30",
        what: "N 2, 3, the same with S 0.2, 0.02 and 0.1",
        second: 3,
        first_station: [0.2, 0.02],
        second_station: 0.1,
        exact: ["3.3246", "3.6437", "1.0305"],
    },
];

struct Model {
    id: &'static str,
    what: &'static str,
    second: u32,
    first_station: [f64; 2],
    second_station: f64,
    /// Throughputs, and number of the first class at the first station.
    exact: [&'static str; 3],
}

const QUANTITIES: [Quantity; 3] = [X(0), X(1), Q(0, 0)];

pub(super) fn cases() -> Vec<Case> {
    let mut all: Vec<Case> = PRIORITIES.iter().map(Model::case).collect();
    all.push(least_recently_used());
    all
}

impl Model {
    fn case(&self) -> Case {
        let stations =
            vec![Station::queueing("1", 1).with_discipline(Discipline::PreemptivePriority), Station::queueing("2", 1)];
        let [a, b] = self.first_station.map(|time| vec![time, self.second_station]);
        let classes =
            vec![Class::closed("A", 2.0, 0.0, a), Class::closed("B", f64::from(self.second), 0.0, b).with_priority(1)];
        let [x, y, q] = self.exact;
        Case {
            id: self.id,
            what: self.what,
            source: "global balance, inputs of Bondi and Chuang 1988 (as JMT tests them)",
            subject: Subject::Network(Network::new(stations, classes), Method::Linearizer),
            // What ours is off by; Chandy's and Lakshmi's is off by up to 22 % in throughput.
            figures: figures_about(0.15, [(QUANTITIES[0], x), (QUANTITIES[1], y), (QUANTITIES[2], q)]),
        }
    }

    /// The same by a Markov chain over the numbers at station 1.
    fn by_chain(&self) -> [f64; 3] {
        let ([fast, slow], time) = (self.first_station, self.second_station);
        let states = chain::stationary((0_u32, 0_u32), |&(a, b)| {
            let away = [2 - a, self.second - b];
            let share = |count: u32| f64::from(count) / f64::from(away[0] + away[1]) / time;
            let mut next = Vec::new();
            if a > 0 {
                next.push(((a - 1, b), 1.0 / fast));
            } else if b > 0 {
                next.push(((a, b - 1), 1.0 / slow));
            }
            if away[0] > 0 {
                next.push(((a + 1, b), share(away[0])));
            }
            if away[1] > 0 {
                next.push(((a, b + 1), share(away[1])));
            }
            next
        });
        let part = |serves: fn(&(u32, u32)) -> bool| chain::mean(&states, |state| f64::from(u8::from(serves(state))));
        [
            part(|(a, _)| *a > 0) / fast,
            part(|(a, b)| *a == 0 && *b > 0) / slow,
            chain::mean(&states, |(a, _)| f64::from(*a)),
        ]
    }
}

/// Zipf: item i is asked for in proportion to i^−α.
fn zipf(skew: f64, items: u32) -> Vec<Popularity> {
    let weight = |item: u32| f64::from(item).powf(-skew);
    let sum: f64 = (1..=items).map(weight).sum();
    (1..=items).map(|item| Popularity { bytes: 1.0, references: weight(item) / sum }).collect()
}

fn least_recently_used() -> Case {
    let small = zipf(0.8, 10_000);
    Case {
        id: "R34b",
        what: "hit ratio of LRU, Zipf 0.8 of 10,000 items with 100 and 1000 places, Zipf 1 of 100,000 with 1000",
        source: "Che's approximation (Che, Tung and Wang 2002); simulated 0.15678, 0.43715, 0.50650",
        subject: Subject::Formulas(vec![
            hit_ratio(&small, 100.0),
            hit_ratio(&small, 1000.0),
            hit_ratio(&zipf(1.0, 100_000), 1000.0),
        ]),
        figures: named([("h 100", "0.15662"), ("h 1000", "0.43666"), ("h Zipf 1", "0.50617")]),
    }
}

#[test]
fn priorities_in_closed_networks_are_as_global_balance_says() {
    for model in &PRIORITIES {
        let printed: Vec<Figure> = figures([0, 1, 2].map(|idx| (QUANTITIES[idx], model.exact[idx])));
        for (figure, found) in printed.iter().zip(model.by_chain()) {
            let off = (found - value_of(figure.published)).abs();
            assert!(off <= figure.tolerance, "{}: {found}, not {}", model.id, figure.published);
        }
    }
}
