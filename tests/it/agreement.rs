//! The analytic solver against the simulator, on the p4d model: example sites × layouts × loads.
//!
//! `cargo test --release --no-default-features agreement -- --ignored --nocapture` makes the whole table of
//! `docs/agreement.md` (ten minutes; `UPDATE=1` renews the page); a part of it is tested every time.
#![expect(clippy::print_stdout, reason = "the table is to be read")]

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::LazyLock;
use std::thread;

use plimsoll::advisor;
use plimsoll::calibration::Calibration;
use plimsoll::catalog::Catalog;
use plimsoll::document::read_text;
use plimsoll::sim::{self, Model, Outcome, Run, Span};
use plimsoll::site::{self, Site, Vocabulary};
use plimsoll::system::process::process;
use plimsoll::system::{Deployment, Effort, predict};
use plimsoll::workload::{Load, from_site};

static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::embedded);
static CALIBRATION: LazyLock<Calibration> = LazyLock::new(Calibration::embedded);

/// Shares of saturation, and how far the analytic response times may be off there.
const LEVELS: [(f64, f64); 3] = [(0.30, 0.10), (0.60, 0.10), (0.85, 0.20)];
/// Share of its time that a resource is busy at which it is full. People who wait for each other come the closer to all of
/// it the more there are: at 99.9 % a thousand wait (ρ/(1 − ρ)), a third of all in the laboratory of 2013.
const FULL: f64 = 0.99;
/// A simulated mean that is known less well says nothing.
const KNOWN: f64 = 0.10;
/// A large sync holds tables and fills links for minutes to hours, and other syncs share these with it for as long: a
/// steady state goes through so many of the longest one after the other. Large syncs all start at once; the warm-up
/// takes two or three.
const LONGEST: f64 = 12.0;
/// Events of a run: at most where there are no large syncs, at least where there are some.
const EVENTS: u64 = 3_000_000;
/// Events at which a steady state is out of reach.
const EVENTS_MAX: f64 = 1.5e8;

fn sites() -> Vec<(String, Site)> {
    let vocabulary = Vocabulary::of(&CATALOG);
    let mut paths: Vec<_> = std::fs::read_dir("assets/examples")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    paths.sort();
    let name = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    paths
        .iter()
        .map(|path| (name(path), site::load(path, &[], &vocabulary).unwrap()))
        .collect()
}

/// The load with `factor` times the work other than large syncs, of which as many are in flight at any load.
fn times(load: &Load, factor: f64) -> Load {
    let mut scaled = load.scaled(factor);
    for (group, original) in scaled.groups.iter_mut().zip(&load.groups) {
        if group.name == "large syncs" {
            group.arrival = original.arrival;
        }
    }
    scaled
}

/// Whether a load is more than the deployment carries: a lock or resource that work queues for is asked for
/// more than it can do or, large syncs apart (they take what there is), full.
fn saturates(deployment: &Deployment, load: &Load) -> bool {
    let solved = |load: &Load| predict(deployment, load, &CATALOG, &CALIBRATION, Effort::Shown);
    let mut rest = load.clone();
    rest.groups.retain(|g| g.name != "large syncs");
    let full = solved(&rest).map_or(true, |rest| rest.bottleneck().1 >= FULL);
    full || solved(load).is_err()
}

/// The multiple of the work other than large syncs from which a deployment saturates.
fn saturation(deployment: &Deployment, load: &Load) -> f64 {
    let (mut low, mut high) = (1e-3, 1e4);
    while high / low > 1.001 {
        let middle = f64::sqrt(low * high);
        if saturates(deployment, &times(load, middle)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    low
}

/// One kind of work.
struct Response {
    class: String,
    analytic: f64,
    simulated: f64,
    half_width: f64,
}

impl Response {
    fn error(&self) -> f64 {
        self.analytic / self.simulated - 1.0
    }

    /// What is left of the error beyond what the simulation itself does not know.
    fn certain_error(&self) -> f64 {
        ((self.analytic - self.simulated).abs() - self.half_width).max(0.0) / self.simulated
    }
}

/// One site and layout at one load, by both solvers.
struct Compared {
    bottleneck: String,
    responses: Responses,
}

enum Responses {
    Judged(Vec<Response>),
    /// The analytic side says that it saturates.
    Saturated(String),
    /// A steady state would take so many events.
    OutOfReach(f64),
}

/// How long to simulate so that large syncs come and go, or the events that it would take.
fn run_length(model: &Model, longest: Option<f64>) -> Result<Run, f64> {
    let Some(cycle) = longest else {
        return Ok(Run {
            span: Span::Steady { precision: 0.01 },
            events_max: EVENTS,
            ..Run::default()
        });
    };
    let time = LONGEST * cycle;
    let pilot = Run {
        span: Span::Until { time, piece: cycle },
        events_max: EVENTS / 10,
        ..Run::default()
    };
    let found = simulated(model, &pilot);
    let events = found.events as f64 * time / found.time;
    if events > EVENTS_MAX {
        return Err(events);
    }
    let time = time * (EVENTS as f64 / events).max(1.0);
    let span = Span::SteadyFor { time };
    Ok(Run {
        span,
        events_max: EVENTS_MAX as u64 * 2,
        ..Run::default()
    })
}

fn simulated(model: &Model, run: &Run) -> Outcome {
    let go_on = &mut |_| ControlFlow::Continue(());
    let replication = sim::simulate(model, run, 0, go_on).unwrap();
    sim::fold(model, run, &[replication])
}

/// Simulated models with what was found: several layouts of a site are one model.
type Known = Vec<(Model, Result<Outcome, f64>)>;

fn compare(deployment: &Deployment, load: &Load, known: &mut Known) -> Compared {
    let analytic = match predict(deployment, load, &CATALOG, &CALIBRATION, Effort::Shown) {
        Ok(analytic) => analytic,
        Err(error) => {
            return Compared {
                bottleneck: "–".to_owned(),
                responses: Responses::Saturated(error.to_string()),
            };
        }
    };
    let (bottleneck, busy) = analytic.bottleneck();
    let bottleneck = format!("{bottleneck}, {:.0} %", busy * 100.0);
    let described = process(deployment, load, &CATALOG, &CALIBRATION, None).unwrap();
    let position = known
        .iter()
        .position(|(model, _)| *model == described.model);
    let position = position.unwrap_or_else(|| {
        let longest = analytic.class("large sync").map(|_| {
            let means = analytic.classes.iter().map(|class| class.mean.value);
            means.fold(0.0, f64::max)
        });
        let found =
            run_length(&described.model, longest).map(|run| simulated(&described.model, &run));
        known.push((described.model.clone(), found));
        known.len() - 1
    });
    let outcome = match &known[position].1 {
        Ok(outcome) => outcome,
        Err(events) => {
            return Compared {
                bottleneck,
                responses: Responses::OutOfReach(*events),
            };
        }
    };
    let found = described.activities.iter().zip(&outcome.activities);
    let responses = found
        .filter(|(_, found)| found.response.relative() <= KNOWN)
        .map(|(activity, found)| Response {
            class: activity.name.clone(),
            analytic: analytic.class(&activity.name).unwrap().mean.value,
            simulated: found.response.value,
            half_width: found.response.half_width,
        })
        .collect();
    Compared {
        bottleneck,
        responses: Responses::Judged(responses),
    }
}

fn worst(responses: &[Response]) -> Option<&Response> {
    responses
        .iter()
        .max_by(|a, b| a.certain_error().total_cmp(&b.certain_error()))
}

/// What the page says of all comparisons.
#[derive(Default)]
struct Summary {
    rows: String,
    errors: Vec<Vec<f64>>,
    /// By level: comparisons, and those within the tolerance.
    within: Vec<(usize, usize)>,
    /// By level: said to saturate, out of reach of a simulation, and known too badly.
    unjudged: Vec<(usize, usize, usize)>,
}

impl Summary {
    fn new() -> Self {
        Self {
            errors: vec![Vec::new(); LEVELS.len()],
            within: vec![(0, 0); LEVELS.len()],
            unjudged: vec![(0, 0, 0); LEVELS.len()],
            ..Self::default()
        }
    }

    fn add(&mut self, name: &str, layout: &str, level: usize, compared: &Compared) {
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

    fn page(&mut self) -> String {
        let mut page = String::from(
            "# The analytic solver against the simulator\n\n\
             Every example site × every layout that it can have, at 30, 60 and 85 % of saturation. The large syncs of the site are in flight at\n\
             any load; the work beside them is multiplied until it saturates the deployment: a lock or a resource that it queues for is asked for more than it can do\n\
             or, large syncs apart, 99 % busy. A kind of work is judged\n\
             where the simulated mean is known to 10 %; its error counts beyond the simulation's own 95 % interval. A comparison is within where all its kinds are.\n\n\
             Large syncs last for minutes to hours, all start at once, and shut tables while they read them. So a simulation goes through twelve\n\
             of them, or of whatever takes longer, one after the other, warm-up included; where that takes more than 150 million events nothing is judged, since a shorter run is no steady state\n\
             (its large syncs all transfer at once, or none has come to its end). Made by\n\
             `UPDATE=1 cargo test --release --no-default-features agreement -- --ignored`.\n\n\
             | load | wanted | comparisons | within | median error of a kind of work | 90th percentile | said to saturate | too long to simulate | known too badly |\n\
             |---|---|---|---|---|---|---|---|---|\n",
        );
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

/// Every layout that a site can have, at every level.
fn compare_layouts(site: &Site) -> Vec<(&'static str, usize, Compared)> {
    let load = from_site::load(site);
    let (mut known, mut rows) = (Known::new(), Vec::new());
    for layout in CATALOG.ids("layouts") {
        let Ok(deployment) = advisor::best_of_layout(site, &CATALOG, &CALIBRATION, layout) else {
            continue;
        };
        let saturation = saturation(&deployment, &load);
        for (level, (share, _)) in LEVELS.iter().enumerate() {
            let at = times(&load, share * saturation).in_whole_clients();
            rows.push((layout, level, compare(&deployment, &at, &mut known)));
        }
    }
    rows
}

#[test]
#[ignore = "ten minutes, in release: all of docs/agreement.md"]
fn agreement_of_all_sites_and_layouts() {
    let mut summary = Summary::new();
    let sites = sites();
    let found: Vec<_> = thread::scope(|scope| {
        let sites: Vec<_> = sites
            .iter()
            .map(|(_, site)| scope.spawn(|| compare_layouts(site)))
            .collect();
        let found = sites.into_iter().map(|site| site.join().unwrap());
        found.collect()
    });
    for ((name, _), rows) in sites.iter().zip(&found) {
        for (layout, level, compared) in rows {
            summary.add(name, layout, *level, compared);
        }
    }
    let page = summary.page();
    let path = Path::new("docs/agreement.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    assert!(
        read_text(path).unwrap() == page,
        "docs/agreement.md is not what the table says; run the test with UPDATE=1"
    );
}

#[test]
fn both_agree_on_the_laboratory_of_2013() {
    let (_, site) = sites().remove(2);
    assert!(site.name.contains("2013"));
    let load = from_site::load(&site);
    for layout in ["n13-fc", "n13-nfs", "p17-fa-fb"] {
        let deployment = advisor::best_of_layout(&site, &CATALOG, &CALIBRATION, layout).unwrap();
        // At 85 % rare long holds of locks need more events than every test run has time for.
        let saturation = saturation(&deployment, &load);
        for &(share, tolerance) in &LEVELS[..2] {
            let at = times(&load, share * saturation).in_whole_clients();
            let compared = compare(&deployment, &at, &mut Known::new());
            let Responses::Judged(judged) = &compared.responses else {
                panic!("{layout} {share} is not judged");
            };
            assert!(judged.len() >= 3, "{layout} {share}: {}", judged.len());
            for response in judged {
                assert!(
                    response.certain_error() <= tolerance,
                    "{layout} {share} {}: {} and {} ± {}",
                    response.class,
                    response.analytic,
                    response.simulated,
                    response.half_width
                );
            }
        }
    }
}
