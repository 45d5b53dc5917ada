//! The analytic solver against the simulator, on the p4d model: example sites × layouts × loads.
//!
//! `cargo test --release --no-default-features agreement -- --ignored --nocapture` makes the whole table of
//! `docs/agreement.md` (minutes; `UPDATE=1` renews the page); a part of it is tested every time.
#![expect(clippy::print_stdout, reason = "the table is to be read")]

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::LazyLock;

use plimsoll::advisor;
use plimsoll::calibration::Calibration;
use plimsoll::catalog::Catalog;
use plimsoll::document::read_text;
use plimsoll::sim::{self, Run, Span};
use plimsoll::site::{self, Site, Vocabulary};
use plimsoll::system::process::process;
use plimsoll::system::{Deployment, Effort, predict};
use plimsoll::workload::{Load, from_site};

static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::embedded);
static CALIBRATION: LazyLock<Calibration> = LazyLock::new(Calibration::embedded);

/// Shares of saturation, and how far the analytic response times may be off there.
const LEVELS: [(f64, f64); 3] = [(0.30, 0.10), (0.60, 0.10), (0.85, 0.20)];
/// A simulated mean that is known less well says nothing.
const KNOWN: f64 = 0.10;

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

/// How busy the busiest resource or lock is with `factor` times the work other than large syncs, which
/// take what there is.
fn busiest(deployment: &Deployment, load: &Load, factor: f64) -> f64 {
    let mut rest = load.scaled(factor);
    rest.groups.retain(|g| g.name != "large syncs");
    predict(deployment, &rest, &CATALOG, &CALIBRATION, Effort::Search)
        .map_or(1.0, |prediction| prediction.bottleneck().1)
}

/// The load whose busiest resource or lock is at `level` without the large syncs.
fn load_at(deployment: &Deployment, load: &Load, level: f64) -> Load {
    let (mut low, mut high) = (1e-3, 1e4);
    while high / low > 1.001 {
        let middle = f64::sqrt(low * high);
        if busiest(deployment, load, middle) < level {
            low = middle;
        } else {
            high = middle;
        }
    }
    let mut scaled = load.scaled(low);
    for (group, original) in scaled.groups.iter_mut().zip(&load.groups) {
        if group.name == "large syncs" {
            group.arrival = original.arrival;
        }
    }
    scaled.in_whole_clients()
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
    /// Where the analytic side says that it saturates, the reason.
    responses: Result<Vec<Response>, String>,
}

impl Compared {
    fn worst(&self) -> Option<&Response> {
        let responses = self.responses.as_ref().ok()?.iter();
        responses.max_by(|a, b| a.certain_error().total_cmp(&b.certain_error()))
    }
}

fn compare(deployment: &Deployment, load: &Load, events_max: u64) -> Compared {
    let analytic = match predict(deployment, load, &CATALOG, &CALIBRATION, Effort::Shown) {
        Ok(analytic) => analytic,
        Err(error) => {
            return Compared {
                bottleneck: "–".to_owned(),
                responses: Err(error.to_string()),
            };
        }
    };
    let described = process(deployment, load, &CATALOG, &CALIBRATION, None).unwrap();
    let run = Run {
        span: Span::Steady { precision: 0.01 },
        events_max,
        ..Run::default()
    };
    let go_on = &mut |_| ControlFlow::Continue(());
    let replication = sim::simulate(&described.model, &run, 0, go_on).unwrap();
    let outcome = sim::fold(&described.model, &run, &[replication]);
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
    let (bottleneck, busy) = analytic.bottleneck();
    Compared {
        bottleneck: format!("{bottleneck}, {:.0} %", busy * 100.0),
        responses: Ok(responses),
    }
}

/// What the page says of all comparisons.
#[derive(Default)]
struct Summary {
    rows: String,
    errors: Vec<Vec<f64>>,
    /// By level: comparisons, and those within the tolerance.
    within: Vec<(usize, usize)>,
}

impl Summary {
    fn new() -> Self {
        Self {
            errors: vec![Vec::new(); LEVELS.len()],
            within: vec![(0, 0); LEVELS.len()],
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
        let row = match (&compared.responses, compared.worst()) {
            (Err(reason), _) => format!("{head} 0 | {reason} | | no |"),
            (Ok(_), None) => format!("{head} 0 | nothing is known well enough | | |"),
            (Ok(responses), Some(worst)) => {
                let within = worst.certain_error() <= tolerance;
                self.errors[level].extend(responses.iter().map(|r| r.error().abs()));
                self.within[level].0 += 1;
                self.within[level].1 += usize::from(within);
                let error = format!("{:+.1} %", worst.error() * 100.0);
                let class = &worst.class;
                let yes = if within { "yes" } else { "no" };
                format!("{head} {} | {class} | {error} | {yes} |", responses.len())
            }
        };
        println!("{row}");
        writeln!(self.rows, "{row}").unwrap();
    }

    fn page(&mut self) -> String {
        let mut page = String::from(
            "# The analytic solver against the simulator\n\n\
             Every example site × every layout that it can have, at 30, 60 and 85 % of saturation: the load other than large syncs is\n\
             multiplied until the busiest resource or lock would be so busy without them; the large syncs of the site are there as well. A kind of work is judged\n\
             where the simulated mean is known to 10 %; its error counts beyond the simulation's own 95 % interval. Made by\n\
             `UPDATE=1 cargo test --release --no-default-features agreement -- --ignored`.\n\n\
             | load | wanted | comparisons | within | median error of a kind of work | 90th percentile |\n|---|---|---|---|---|---|\n",
        );
        for (level, (share, tolerance)) in LEVELS.iter().enumerate() {
            let errors = &mut self.errors[level];
            errors.sort_by(f64::total_cmp);
            let quantile = |q: f64| errors[((errors.len() - 1) as f64 * q) as usize] * 100.0;
            let (all, within) = self.within[level];
            writeln!(
                page,
                "| {:.0} % | {:.0} % | {all} | {within} | {:.1} % | {:.1} % |",
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

#[test]
#[ignore = "minutes, in release: all of docs/agreement.md"]
fn agreement_of_all_sites_and_layouts() {
    let mut summary = Summary::new();
    for (name, site) in sites() {
        let load = from_site::load(&site);
        for layout in CATALOG.ids("layouts") {
            let Ok(deployment) = advisor::best_of_layout(&site, &CATALOG, &CALIBRATION, layout)
            else {
                continue;
            };
            for (level, (share, _)) in LEVELS.iter().enumerate() {
                let at = load_at(&deployment, &load, *share);
                let compared = compare(&deployment, &at, 2_000_000);
                summary.add(&name, layout, level, &compared);
            }
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
        for &(share, tolerance) in &LEVELS[..2] {
            let at = load_at(&deployment, &load, share);
            let compared = compare(&deployment, &at, 600_000);
            let judged = compared.responses.as_ref().unwrap();
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
