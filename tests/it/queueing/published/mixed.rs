//! Published answers of mixed networks.

use plimsoll::queueing::Class;

use super::super::demands;
use super::case::{Case, Quantity, figures, figures_within};
use super::several::{class, exact};
use Quantity::{Busy, Q, Visit, X};

fn open(name: &str, rate: f64, visits: Vec<f64>, times: &[f64]) -> Class {
    Class::open(name, rate, demands(&visits, times)).with_visits(visits)
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            id: "R9",
            what: "open λ 1, 0.5, D 1/4, 1/6 and 1/2, 1; closed N 1, 1, D 1/2, 1 and 1, 4/3",
            source: "Lazowska et al. 1984, p. 148 [OQ]",
            subject: exact(
                &[1, 1],
                vec![
                    open("A", 1.0, vec![1.0, 1.0], &[0.25, 1.0 / 6.0]),
                    open("B", 0.5, vec![1.0, 1.0], &[0.5, 1.0]),
                    class("C", 1.0, 0.0, vec![1.0, 1.0], &[0.5, 1.0]),
                    class("D", 1.0, 0.0, vec![1.0, 1.0], &[1.0, 4.0 / 3.0]),
                ],
            ),
            figures: figures([(Q(2, 0), "4/19"), (Q(2, 1), "15/19"), (Q(3, 0), "5/19"), (Q(3, 1), "14/19")]),
        },
        Case {
            id: "E23",
            what: "open λ 0.5, 0.25, V 2, 1 and 2.5, 1.5; closed N 1, 1, V 1, 0.5 and 1, 0.4",
            source: "Bolch et al. 1998, example 8.6 [OQ]",
            subject: exact(
                &[1, 1],
                vec![
                    open("1", 0.5, vec![2.0, 1.0], &[0.4, 0.6]),
                    open("2", 0.25, vec![2.5, 1.5], &[0.8, 1.6]),
                    class("3", 1.0, 0.0, vec![1.0, 0.5], &[0.3, 0.5]),
                    class("4", 1.0, 0.0, vec![1.0, 0.4], &[0.5, 0.8]),
                ],
            ),
            figures: figures_within(
                2.0,
                [
                    (Busy(0, 0), "2/5"),
                    (Busy(0, 1), "3/10"),
                    (Busy(1, 0), "1/2"),
                    (Busy(1, 1), "3/5"),
                    (Visit(2, 0), "4.829"),
                    (Visit(2, 1), "6.951"),
                    (Visit(3, 0), "7.727"),
                    (Visit(3, 1), "11.636"),
                    (Q(2, 0), "0.582"),
                    (Q(2, 1), "0.418"),
                    (Q(3, 0), "0.624"),
                    (Q(3, 1), "0.376"),
                    (Q(0, 0), "8.822"),
                    (Q(0, 1), "5.383"),
                    (Q(1, 0), "11.028"),
                    (Q(1, 1), "10.766"),
                    (Visit(0, 0), "8.822"),
                    (Visit(1, 1), "28.710"),
                    (X(2), "0.120"),
                    (X(3), "0.081"),
                ],
            ),
        },
        Case {
            id: "E24",
            what: "open λ 1, S 0.25; closed N 3, S 0.25, 0.1",
            source: "Schwetman, CSD-TR-355 (1982), figure 10 [OQ]",
            subject: exact(
                &[1, 1],
                vec![
                    open("open", 1.0, vec![1.0, 0.0], &[0.25, 0.0]),
                    class("closed", 3.0, 0.0, vec![1.0, 1.0], &[0.25, 0.1]),
                ],
            ),
            figures: figures([
                (Busy(0, 0), "0.25"),
                (Visit(0, 0), "1.201"),
                (Visit(1, 0), "0.885"),
                (Visit(1, 1), "0.135"),
            ]),
        },
    ]
}
