//! Published answers of closed networks: the examples of Bolch, Greiner, de Meer and Trivedi.

use plimsoll::queueing::{Class, Method, Network, Station};

use super::super::demands;
use super::case::{Case, Quantity, Subject, figures, figures_within};
use super::closed::closed;
use super::routing::cycle;
use Quantity::{Number, U, Visit, Visits, X};

pub(super) fn cases() -> Vec<Case> {
    vec![several_servers(), mean_values(), with_a_delay(), with_speeds(), routed()]
}

fn several_servers() -> Case {
    Case {
        id: "R11",
        what: "N 3, S 1/0.8, 1/0.6, 1/0.4, m 2, 3, 1, V 1, 0.667, 0.2",
        source: "Bolch et al. 1998, example 8.1, convolution [OQ]",
        subject: Subject::Network(
            closed(&[2, 3, 1], 3.0, 0.0, vec![1.0, 0.667, 0.2], &[1.25, 1.0 / 0.6, 2.5]),
            Method::Exact,
        ),
        // Digits of the normalization constants 2.861, 4.218, 4.465 were rounded on the way.
        figures: figures_within(
            2.0,
            [
                (X(0), "0.945"),
                (Visits(0, 1), "0.630"),
                (Visits(0, 2), "0.189"),
                (U(0), "0.590"),
                (U(1), "0.350"),
                (U(2), "0.473"),
                (Number(0), "1.290"),
                (Number(1), "1.050"),
                (Number(2), "0.660"),
                (Visit(0, 0), "1.366"),
                (Visit(0, 1), "1.667"),
                (Visit(0, 2), "3.496"),
            ],
        ),
    }
}

fn mean_values() -> Case {
    Case {
        id: "R12",
        what: "N 6, S 0.02, 0.2, 0.4, 0.6, V 1, 0.4, 0.2, 0.1",
        source: "Bolch et al. 1998, example 8.3, mean values [OQ]",
        subject: Subject::Network(
            closed(&[1; 4], 6.0, 0.0, vec![1.0, 0.4, 0.2, 0.1], &[0.02, 0.2, 0.4, 0.6]),
            Method::Exact,
        ),
        figures: figures([
            (X(0), "9.920"),
            (Visits(0, 1), "3.968"),
            (U(0), "0.198"),
            (U(1), "0.794"),
            (U(3), "0.595"),
            (Number(0), "0.244"),
            (Number(1), "2.261"),
            (Number(2), "2.261"),
            (Number(3), "1.234"),
            (Visit(0, 0), "0.025"),
            (Visit(0, 1), "0.570"),
            (Visit(0, 2), "1.140"),
            (Visit(0, 3), "1.244"),
        ]),
    }
}

fn with_a_delay() -> Case {
    Case {
        id: "R13",
        what: "N 3, S 0.5, 0.6, 0.8, 1, m 2, 1, 1, ∞, V 1, 0.5, 0.5, 1",
        source: "Bolch et al. 1998, examples 8.4 and 8.7 [OQ]",
        subject: Subject::Network(
            closed(&[2, 1, 1, 0], 3.0, 0.0, vec![1.0, 0.5, 0.5, 1.0], &[0.5, 0.6, 0.8, 1.0]),
            Method::Exact,
        ),
        // They print 1.218 for 1.2175, and 0.776 for 0.7768.
        figures: figures_within(
            2.0,
            [
                (X(0), "1.218"),
                (U(0), "0.304"),
                (U(1), "0.365"),
                (U(2), "0.487"),
                (Number(0), "0.624"),
                (Number(1), "0.473"),
                (Number(2), "0.686"),
                (Number(3), "1.217"),
                (Visit(0, 0), "0.512"),
                (Visit(0, 1), "0.776"),
                (Visit(0, 2), "1.127"),
            ],
        ),
    }
}

fn with_speeds() -> Case {
    Case {
        id: "E11",
        what: "the same with load-dependent stations: speeds 1, 2 and 1, 2, 3",
        source: "Bolch et al. 1998, example 8.7 [OQ]",
        subject: Subject::Network(load_dependent(), Method::Exact),
        figures: figures_within(
            1.1,
            [(X(0), "1.218"), (Number(0), "0.624"), (Number(1), "0.473"), (Number(2), "0.686"), (Number(3), "1.217")],
        ),
    }
}

fn routed() -> Case {
    Case {
        id: "R18",
        what: "N 3, S 1/0.8, 1/0.6, 1/0.4, P 0.6 0.3 0.1; 0.2 0.3 0.5; 0.4 0.1 0.5",
        source: "Bolch et al. 1998, example 7.5, Gordon and Newell [OQ]",
        subject: Subject::Network(
            closed(
                &[1; 3],
                3.0,
                0.0,
                cycle([[0.6, 0.3, 0.1], [0.2, 0.3, 0.5], [0.4, 0.1, 0.5]]),
                &[1.25, 1.0 / 0.6, 2.5],
            ),
            Method::Exact,
        ),
        figures: figures([
            (U(0), "0.543"),
            (U(1), "0.386"),
            (U(2), "0.797"),
            (Number(0), "0.873"),
            (Number(1), "0.541"),
            (Number(2), "1.585"),
        ]),
    }
}

fn load_dependent() -> Network {
    let demands = demands(&[1.0, 0.5, 0.5, 1.0], &[0.5, 0.6, 0.8, 1.0]);
    let stations = vec![
        Station::load_dependent("1", vec![1.0, 2.0]),
        Station::queueing("2", 1),
        Station::queueing("3", 1),
        Station::load_dependent("4", vec![1.0, 2.0, 3.0]),
    ];
    Network::new(stations, vec![Class::closed("jobs", 3.0, 0.0, demands)])
}
