//! What `docs/agreement.md` says of all comparisons.
#![expect(clippy::print_stdout, reason = "the table is to be read")]

use std::fmt::Write as _;

use super::simulated::{EVENTS_ENOUGH, EVENTS_MAX, KNOWN, LONGEST, TIMES, TIMES_FOR_ANYTHING};
use super::{Case, FULL, LEVELS};

/// One kind of work.
pub(super) struct Response {
    pub(super) class: String,
    pub(super) analytic: f64,
    pub(super) simulated: f64,
    pub(super) half_width: f64,
}

impl Response {
    fn error(&self) -> f64 {
        self.analytic / self.simulated - 1.0
    }

    /// What is left of the error beyond what the simulation itself does not know.
    pub(super) fn certain_error(&self) -> f64 {
        ((self.analytic - self.simulated).abs() - self.half_width).max(0.0) / self.simulated
    }
}

/// One site and layout at one load, by both solvers.
pub(super) struct Compared {
    pub(super) bottleneck: String,
    pub(super) responses: Responses,
}

pub(super) enum Responses {
    Judged(Vec<Response>),
    /// The analytic side says that it saturates.
    Saturated(String),
    /// A steady state would take so many events.
    OutOfReach(f64),
    /// Simulated customers come faster than they leave.
    Unsteady,
}

fn worst(responses: &[Response]) -> Option<&Response> {
    responses
        .iter()
        .max_by(|a, b| a.certain_error().total_cmp(&b.certain_error()))
}

/// What is judged and how, and what the first table's columns are.
pub(super) fn head() -> String {
    let percent = |share: f64| format!("{:.0}", share * 100.0);
    let [low, middle, high] = LEVELS.map(|(share, _)| percent(share));
    let (full, known) = (percent(FULL), percent(KNOWN));
    let million = |events: f64| format!("{:.0} million", events / 1e6);
    let (enough, most) = (million(EVENTS_ENOUGH), million(EVENTS_MAX));
    let anything = million(EVENTS_ENOUGH * TIMES_FOR_ANYTHING);
    format!(
        "# The analytic solver against the simulator\n\n\
         Every example site × every layout that it can have, at {low}, {middle} and {high} % of saturation. The large syncs of the site are in flight at\n\
         any load; the work beside them is multiplied until it saturates the deployment: a lock or a resource that it queues for is asked for more than it can do\n\
         or, large syncs apart, {full} % busy. A kind of work is judged\n\
         where the simulated mean is known to {known} %; its error counts beyond the simulation's own 95 % interval. A comparison is within where all its kinds are.\n\n\
         Large syncs last for minutes to hours, all start at once, and shut tables while they read them. So a simulation goes through {LONGEST}\n\
         of them, or of whatever takes longer, one after the other, warm-up included: a shorter run is no steady state (its large syncs all transfer at once,\n\
         or none has come to its end). What would take more than {most} events is not judged. Where it leaves a kind of work known worse, it goes\n\
         on {TIMES} times as long, and again, up to {enough} events, or {anything} where nothing is known;\n\
         what is known too badly then is not judged, nor what finds no steady state in the simulator. Made by\n\
         `UPDATE=1 cargo test --release --no-default-features --test it agreement_of -- --ignored` (two hours on two cores).\n\n\
         | load | wanted | comparisons | within | median error of a kind of work | 90th percentile | said to saturate | too long to simulate | known too badly |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    )
}

/// What the page says of all comparisons.
#[derive(Default)]
pub(super) struct Summary {
    rows: String,
    errors: Vec<Vec<f64>>,
    /// By level: comparisons, and those within the tolerance.
    within: Vec<(usize, usize)>,
    /// By level: said to saturate, out of reach of a simulation, and known too badly.
    unjudged: Vec<(usize, usize, usize)>,
}

impl Summary {
    pub(super) fn new() -> Self {
        Self {
            errors: vec![Vec::new(); LEVELS.len()],
            within: vec![(0, 0); LEVELS.len()],
            unjudged: vec![(0, 0, 0); LEVELS.len()],
            ..Self::default()
        }
    }

    pub(super) fn add(
        &mut self,
        name: &str,
        &Case { layout, level, .. }: &Case,
        compared: &Compared,
    ) {
        let (share, tolerance) = LEVELS[level];
        let head = format!(
            "| {name} | {layout} | {:.0} % | {} |",
            share * 100.0,
            compared.bottleneck
        );
        let row = match &compared.responses {
            Responses::Saturated(reason) => {
                self.unjudged[level].0 += 1;
                format!("{head} 0 | {reason} | | |")
            }
            Responses::OutOfReach(events) => {
                self.unjudged[level].1 += 1;
                let millions = events / 1e6;
                format!("{head} 0 | a steady state would take {millions:.0} million events | | |")
            }
            Responses::Unsteady => {
                self.unjudged[level].2 += 1;
                format!("{head} 0 | simulated, more come than leave | | |")
            }
            Responses::Judged(responses) => match worst(responses) {
                None => {
                    self.unjudged[level].2 += 1;
                    format!("{head} 0 | nothing is known well enough | | |")
                }
                Some(worst) => {
                    let within = worst.certain_error() <= tolerance;
                    self.errors[level].extend(responses.iter().map(|r| r.error().abs()));
                    self.within[level].0 += 1;
                    self.within[level].1 += usize::from(within);
                    let error = format!("{:+.1} %", worst.error() * 100.0);
                    let class = &worst.class;
                    let yes = if within { "yes" } else { "no" };
                    format!("{head} {} | {class} | {error} | {yes} |", responses.len())
                }
            },
        };
        println!("{row}");
        writeln!(self.rows, "{row}").unwrap();
    }

    pub(super) fn page(&mut self) -> String {
        let mut page = head();
        for (level, (share, tolerance)) in LEVELS.iter().enumerate() {
            let errors = &mut self.errors[level];
            errors.sort_by(f64::total_cmp);
            let quantile = |q: f64| errors[((errors.len() - 1) as f64 * q) as usize] * 100.0;
            let (all, within) = self.within[level];
            let (saturated, long, badly) = self.unjudged[level];
            writeln!(
                page,
                "| {:.0} % | {:.0} % | {all} | {within} | {:.1} % | {:.1} % | {saturated} | {long} | {badly} |",
                share * 100.0,
                tolerance * 100.0,
                quantile(0.5),
                quantile(0.9),
            )
            .unwrap();
        }
        page.push_str("\n| site | layout | load | bottleneck, analytic | kinds judged | worst kind of work | its error | within |\n|---|---|---|---|---|---|---|---|\n");
        page.push_str(&self.rows);
        page
    }
}
