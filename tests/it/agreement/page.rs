//! What `docs/agreement.md` says of all comparisons.

use std::fmt::Write as _;

use super::MOVED_LOAD;
use super::cases::{Case, FULL, LEVELS};
use super::simulated::{
    EVENTS_ENOUGH, EVENTS_MAX, EVENTS_PRECISE, End, KNOWN, LONGEST, PRECISE, Simulated, TIMES,
    TIMES_FOR_ANYTHING,
};

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

impl Compared {
    /// A case with what was simulated of it.
    pub(super) fn of(case: &Case, simulated: &Simulated) -> Self {
        let analytic = match &case.solved {
            Ok((analytic, _)) => analytic,
            Err(error) => {
                return Self {
                    bottleneck: "–".to_owned(),
                    responses: Responses::Saturated(error.clone()),
                };
            }
        };
        let (bottleneck, busy) = analytic.bottleneck();
        let known = simulated.known.iter();
        let judged = known.map(|(class, (mean, half_width))| Response {
            class: class.clone(),
            analytic: crate::class(analytic, class).unwrap().mean.value,
            simulated: *mean,
            half_width: *half_width,
        });
        Self {
            bottleneck: format!("{bottleneck}, {:.0} %", busy * 100.0),
            responses: match simulated.end {
                End::TooLong => Responses::OutOfReach(simulated.events),
                End::NotBegun => panic!("{} {}: not simulated", case.site, case.layout),
                End::Unsteady => Responses::Unsteady,
                End::Steady => Responses::Judged(judged.collect()),
            },
        }
    }

    /// Whether some kind of work is further off than it may be, for all that the simulation says: by its mean alone.
    pub(super) fn may_be_outside(&self, tolerance: f64) -> bool {
        match &self.responses {
            Responses::Judged(all) => all.iter().any(|own| own.error().abs() > tolerance),
            _ => false,
        }
    }
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
    let (moved, precise) = (percent(MOVED_LOAD), percent(PRECISE));
    let million = |events: f64| format!("{:.0} million", events / 1e6);
    let (enough, most) = (million(EVENTS_ENOUGH), million(EVENTS_MAX));
    let precisely = million(EVENTS_PRECISE);
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
         what is known too badly then is not judged, nor what finds no steady state in the simulator. A wide interval is no excuse, and of\n\
         many some do not hold: where a mean alone is outside, it goes on in the same way until all kinds are known to {precise} %, up to {precisely} events.\n\n\
         What was simulated is kept in `tests/it/agreement/kept`, and each test run judges by it what is solved now. Two commands make it and this page:\n\n\
         - `UPDATE=1 cargo test --release --no-default-features --test it simulated_anew -- --ignored` simulates what is not kept, or was of\n  \
           another model or of a load that is {moved} % off its share of saturation (80 minutes on two cores for all);\n\
         - `UPDATE=1 cargo test --no-default-features --test it as_the_page_says` renews the page.\n\n\
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
    /// Not simulated, or with other numbers than the model has now.
    without: usize,
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
        Case {
            site,
            layout,
            level,
            ..
        }: &Case,
        compared: &Compared,
    ) {
        let level = *level;
        let (share, tolerance) = LEVELS[level];
        let head = format!(
            "| {site} | {layout} | {:.0} % | {} |",
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
        writeln!(self.rows, "{row}").unwrap();
    }

    /// Counts a comparison that has no simulation of the model as it is.
    pub(super) fn add_one_without(&mut self) {
        self.without += 1;
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
        if self.without > 0 {
            write!(
                page,
                "\n{} comparisons are left out: they were simulated with other numbers than the model has now, or not at all.\n",
                self.without
            )
            .unwrap();
        }
        page.push_str("\n| site | layout | load | bottleneck, analytic | kinds judged | worst kind of work | its error | within |\n|---|---|---|---|---|---|---|---|\n");
        page.push_str(&self.rows);
        page
    }
}
