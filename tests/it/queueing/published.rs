//! The table of published answers, and what our methods say to each.
//!
//! `cargo test --no-default-features reference_table -- --nocapture` prints it; `docs/reference.md`
//! keeps it (`UPDATE=1` renews the page). A published figure is right to half a unit of its last
//! digit unless its case says why not. [OQ] quotes the tests of octave-queueing 1.2.7, [LV] those of
//! LQNS 6.2, [JX] the example models of JMT.

mod beyond;
mod bolch;
mod case;
mod closed;
mod coverage;
mod enumerate;
mod limits;
mod mixed;
mod open;
mod page;
mod routing;
mod several;
mod simulated;
mod simulated_stations;
mod single;

use std::io::Write;

use plimsoll::queueing::{self, Method, Network, Workload};
use plimsoll::sim::Estimate;

use case::{Case, Quantity, Subject, value_of};
use coverage::Coverage;
use enumerate::enumerate;
use simulated::{OF_TABLE, Simulation};

/// One figure of the table, with everybody's answer.
struct Row {
    id: &'static str,
    figure: String,
    published: &'static str,
    ours: f64,
    tolerance: f64,
    /// What a simulation should find: ours, unless that is an approximation.
    truth: f64,
    /// The sum over all states.
    enumerated: Option<f64>,
    /// Relative errors of approximations against ours.
    linearizer: Option<f64>,
    schweitzer: Option<f64>,
    /// With its 95 % interval.
    simulated: Option<Estimate>,
    /// Whether that interval is one; else it is only wide enough.
    has_interval: bool,
}

impl Row {
    fn error(&self) -> f64 {
        self.ours - value_of(self.published)
    }

    fn is_ok(&self) -> bool {
        self.error().abs() <= self.tolerance
    }

    /// What is wrong with it, if anything is.
    fn complaint(&self) -> Option<String> {
        let Self { id, figure, ours, .. } = self;
        if !self.is_ok() {
            return Some(format!("{id}, {figure}: {ours}, not {}", self.published));
        }
        if let Some(sum) = self.enumerated
            && (ours - sum).abs() > 1e-9 * sum.abs()
        {
            return Some(format!("{id}, {figure}: {ours}, but the states say {sum}"));
        }
        // Of some two hundred intervals one may be off by more than twice its half-width, which is four
        // standard errors of ten to twenty batches.
        let Estimate { value, half_width } = self.simulated?;
        let truth = self.truth;
        ((value - truth).abs() > 2.5 * half_width + 1e-9 * truth.abs())
            .then(|| format!("{id}, {figure}: {truth}, but simulated {value} ± {half_width}"))
    }
}

/// Parts of the table.
fn sections() -> Vec<(&'static str, Vec<Case>)> {
    vec![
        ("Single stations", single::cases()),
        ("Open networks", open::cases()),
        ("Closed networks, one class", [bolch::cases(), closed::cases()].into_iter().flatten().collect()),
        (
            "Closed and mixed networks, several classes",
            [several::cases(), mixed::cases()].into_iter().flatten().collect(),
        ),
        ("Bounds and locks", limits::cases()),
        ("Priorities in networks, and caches", beyond::cases()),
    ]
}

fn rows(case: &Case) -> Vec<Row> {
    let ours = case.answers();
    let network = match &case.subject {
        Subject::Network(network, method) => Some((network, *method)),
        Subject::Formulas(_) => None,
    };
    // What is compared with an approximation is not a truth.
    let exact = network.filter(|(_, method)| !matches!(method, Method::Linearizer | Method::Schweitzer));
    let by = |method| exact.and_then(|(network, _)| case.by(network, method));
    let (linearizer, schweitzer) = (by(Method::Linearizer), by(Method::Schweitzer));
    let states = exact.and_then(|(network, _)| Some((network, enumerate(network)?)));
    let is_beyond = |network: &Network| {
        let product_form = queueing::bounds::of_network(network).unwrap().product_form;
        !product_form
    };
    let simulation = network
        .filter(|(network, _)| exact.is_some() || is_beyond(network))
        .filter(|(network, _)| is_simulated(network))
        .map(|(network, _)| (network, Simulation::new(network, OF_TABLE)));
    let station = simulated_stations::simulate(case.id, OF_TABLE);
    case.figures
        .iter()
        .enumerate()
        .map(|(idx, figure)| {
            let relative = |values: &Option<Vec<f64>>| values.as_ref().map(|v| v[idx] / ours[idx] - 1.0);
            Row {
                id: case.id,
                figure: figure.quantity.label(network.map(|(network, _)| network)),
                published: figure.published,
                ours: ours[idx],
                tolerance: figure.tolerance,
                enumerated: states.as_ref().map(|(network, states)| states.of(figure.quantity, network)),
                linearizer: relative(&linearizer),
                schweitzer: relative(&schweitzer),
                truth: if network.is_some() && exact.is_none() { value_of(figure.published) } else { ours[idx] },
                has_interval: !matches!(figure.quantity, Quantity::Q(..)),
                simulated: match (&simulation, &station) {
                    (Some((network, simulation)), _) => simulation.of(figure.quantity, network),
                    (None, found) => found.as_ref().map(|found| found[idx]),
                },
            }
        })
        .collect()
}

/// Ten thousand customers would take their time to spread.
fn is_simulated(network: &Network) -> bool {
    network.classes.iter().all(|class| match class.workload {
        Workload::Closed { population, .. } => population < 1000.0,
        Workload::Open { .. } => true,
    })
}

#[test]
fn the_reference_table_is_as_published() {
    let sections: Vec<_> = sections()
        .into_iter()
        .map(|(title, cases)| {
            let rows: Vec<Vec<Row>> = cases.iter().map(rows).collect();
            (title, cases, rows)
        })
        .collect();
    let cases = sections.iter().flat_map(|(_, cases, _)| cases);
    let coverages: Vec<Coverage> =
        cases.filter(|case| coverage::CASES.contains(&case.id)).flat_map(coverage::coverage).collect();
    let page = page::page(&sections, &coverages);
    std::io::stdout().write_all(page.as_bytes()).unwrap();
    let all: Vec<&Row> = sections.iter().flat_map(|(.., rows)| rows.iter().flatten()).collect();
    let wrong: Vec<String> = all.iter().filter_map(|row| row.complaint()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for Coverage { id, figure, held, bias, .. } in &coverages {
        // 95 % and 2.8 standard errors of a share of 400, a little less since runs are short.
        let part = *held as f64 / coverage::RUNS as f64;
        assert!((0.91..0.985).contains(&part), "{id}, {figure}: {part} of the intervals hold it");
        assert!(bias.abs() < 4.0, "{id}, {figure}: off by {bias} standard errors");
    }
    crate::kept::page("docs/reference.md", &page);
}

#[test]
fn published_examples_are_many_and_named_once() {
    let ids: Vec<&str> =
        sections().iter().flat_map(|(_, cases)| cases.iter().map(|case| case.id).collect::<Vec<_>>()).collect();
    let mut unique = ids.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), ids.len());
    assert!(ids.len() >= 40, "{} cases", ids.len());
}

#[test]
fn approximations_of_published_networks_are_close() {
    for case in sections().iter().flat_map(|(_, cases)| cases) {
        let Subject::Network(network, Method::Exact) = &case.subject else {
            continue;
        };
        if case.id == "E17" {
            // A single customer who never leaves a server: Schweitzer is 26 % off.
            continue;
        }
        let truth = queueing::mixed::solve(network, Method::Exact).unwrap();
        for (method, tolerance) in [(Method::Schweitzer, 0.06), (Method::Linearizer, 0.02)] {
            let found = queueing::mixed::solve(network, method).unwrap();
            for (found, truth) in found.classes.iter().zip(&truth.classes) {
                let error = (found.throughput / truth.throughput - 1.0).abs();
                assert!(error < tolerance, "{}, {method}: error {error}", case.id);
            }
        }
    }
}
