//! The analytic solver against the simulator, on the p4d model: example sites × layouts × loads.
//!
//! `cargo test --release --no-default-features --test it agreement_of -- --ignored --nocapture` makes the whole table of
//! `docs/agreement.md` (two hours; `UPDATE=1` renews the page); a part of it is tested every time.

mod page;
mod simulated;

use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, OnceLock};
use std::thread;

use plimsoll::advisor;
use plimsoll::calibration::Calibration;
use plimsoll::catalog::Catalog;
use plimsoll::document::read_text;
use plimsoll::sim::{Model, Outcome, Stopped};
use plimsoll::site::{self, Site, Vocabulary};
use plimsoll::system::process::{Process, process};
use plimsoll::system::{Deployment, Effort, Prediction, predict};
use plimsoll::workload::{Load, from_site};

use page::{Compared, Response, Responses, Summary, head};
use simulated::{EVENTS, EVENTS_ENOUGH, is_known, simulated_until_known};

static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::embedded);
static CALIBRATION: LazyLock<Calibration> = LazyLock::new(Calibration::embedded);

const PAGE: &str = "docs/agreement.md";

/// Shares of saturation, and how far the analytic response times may be off there.
const LEVELS: [(f64, f64); 3] = [(0.30, 0.10), (0.60, 0.10), (0.85, 0.20)];
/// Share of its time that a resource is busy at which it is full. People who wait for each other come the closer to all of
/// it the more there are: at 99.9 % a thousand wait (ρ/(1 − ρ)), a third of all in the laboratory of 2013.
const FULL: f64 = 0.99;

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

/// The multiple of the work other than large syncs from which a deployment saturates, in steps of a hundredth: so that it stays
/// the same, and what was simulated with it, where the analytic answer hardly changes.
fn saturation(deployment: &Deployment, load: &Load) -> f64 {
    let factor = |step: i32| 1.01_f64.powi(step);
    let (mut low, mut high) = (-700, 1000);
    while high - low > 1 {
        let middle = i32::midpoint(low, high);
        if saturates(deployment, &times(load, factor(middle))) {
            high = middle;
        } else {
            low = middle;
        }
    }
    factor(low)
}

/// What there is to compare: a site and layout at one load, solved, and what would be simulated.
struct Case {
    layout: &'static str,
    level: usize,
    solved: Result<(Prediction, Process), String>,
}

fn case(deployment: &Deployment, load: &Load, layout: &'static str, level: usize) -> Case {
    let solved = predict(deployment, load, &CATALOG, &CALIBRATION, Effort::Shown);
    let process = || process(deployment, load, &CATALOG, &CALIBRATION, None).unwrap();
    Case {
        layout,
        level,
        solved: solved
            .map(|analytic| (analytic, process()))
            .map_err(|error| error.to_string()),
    }
}

/// The longest kind of work where there are large syncs, rounded up to a power of √2.
fn longest(analytic: &Prediction) -> Option<f64> {
    analytic.class("large sync")?;
    let means = analytic.classes.iter().map(|class| class.mean.value);
    let longest = means.fold(0.0, f64::max);
    Some(f64::exp2((2.0 * longest.log2()).ceil() / 2.0))
}

/// Cases with what was simulated of them, for `enough` events where less does not tell, several threads at a time. Several
/// layouts of a site may be one model, which is simulated once.
fn compare<'c>(cases: impl Iterator<Item = &'c Case>, enough: f64) -> Vec<Compared> {
    let cases: Vec<&Case> = cases.collect();
    let mut models: Vec<(&Model, Option<f64>)> = Vec::new();
    let of_case = cases.iter().map(|case| {
        let (analytic, process) = case.solved.as_ref().ok()?;
        let known = models
            .iter()
            .position(|(model, _)| **model == process.model);
        Some(known.unwrap_or_else(|| {
            models.push((&process.model, longest(analytic)));
            models.len() - 1
        }))
    });
    let of_case: Vec<Option<usize>> = of_case.collect();
    let found: Vec<OnceLock<Result<Outcome, f64>>> =
        models.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let claimed = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        for k in claimed.take_while(|k| *k < models.len()) {
            let (model, longest) = models[k];
            found[k].get_or_init(|| simulated_until_known(model, longest, enough));
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let outcomes = of_case
        .into_iter()
        .map(|model| model.map(|m| found[m].get().unwrap()));
    cases
        .iter()
        .zip(outcomes)
        .map(|(case, outcome)| compared(case, outcome))
        .collect()
}

fn compared(case: &Case, outcome: Option<&Result<Outcome, f64>>) -> Compared {
    let (analytic, process) = match &case.solved {
        Ok(solved) => solved,
        Err(error) => {
            return Compared {
                bottleneck: "–".to_owned(),
                responses: Responses::Saturated(error.clone()),
            };
        }
    };
    let (bottleneck, busy) = analytic.bottleneck();
    let bottleneck = format!("{bottleneck}, {:.0} %", busy * 100.0);
    let responses = match outcome.unwrap() {
        Err(events) => Responses::OutOfReach(*events),
        Ok(outcome) if outcome.stopped == Stopped::Unsteady => Responses::Unsteady,
        Ok(outcome) => {
            let found = process.activities.iter().zip(&outcome.activities);
            let responses = found
                .filter(|(_, found)| is_known(found))
                .map(|(activity, found)| Response {
                    class: activity.name.clone(),
                    analytic: analytic.class(&activity.name).unwrap().mean.value,
                    simulated: found.response.value,
                    half_width: found.response.half_width,
                });
            Responses::Judged(responses.collect())
        }
    };
    Compared {
        bottleneck,
        responses,
    }
}

/// Every layout that a site can have, at these levels.
fn cases_of(site: &Site, layouts: &[&'static str], levels: usize) -> Vec<Case> {
    let load = from_site::load(site);
    let mut cases = Vec::new();
    for layout in layouts {
        let Ok(deployment) = advisor::best_of_layout(site, &CATALOG, &CALIBRATION, layout) else {
            continue;
        };
        let saturation = saturation(&deployment, &load);
        for (level, (share, _)) in LEVELS[..levels].iter().enumerate() {
            let at = times(&load, share * saturation).in_whole_clients();
            cases.push(case(&deployment, &at, layout, level));
        }
    }
    cases
}

#[test]
#[ignore = "two hours, in release: all of docs/agreement.md"]
fn agreement_of_all_sites_and_layouts() {
    let mut summary = Summary::new();
    let sites = sites();
    let layouts = CATALOG.ids("layouts");
    let cases: Vec<Vec<Case>> = thread::scope(|scope| {
        let layouts = &layouts;
        let sites = sites
            .iter()
            .map(|(_, site)| scope.spawn(|| cases_of(site, layouts, LEVELS.len())));
        let sites: Vec<_> = sites.collect();
        sites.into_iter().map(|site| site.join().unwrap()).collect()
    });
    let names = sites
        .iter()
        .zip(&cases)
        .flat_map(|((name, _), cases)| cases.iter().map(move |case| (name, case)));
    for ((name, case), compared) in names.zip(compare(cases.iter().flatten(), EVENTS_ENOUGH)) {
        summary.add(name, case, &compared);
    }
    let page = summary.page();
    let path = Path::new(PAGE);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    assert!(
        read_text(path).unwrap() == page,
        "{PAGE} is not what the table says; run the test with UPDATE=1"
    );
}

#[test]
fn the_page_begins_with_what_is_judged_now() {
    let page = read_text(Path::new(PAGE)).unwrap();
    assert!(
        page.starts_with(&head()),
        "{PAGE} should begin with\n{}",
        head()
    );
}

#[test]
fn the_readme_says_how_many_comparisons_are_within_as_the_page_does() {
    let page = read_text(Path::new(PAGE)).unwrap();
    let readme = read_text(Path::new("README.md"))
        .unwrap()
        .replace('\n', " ");
    let rows = page[head().len()..].lines().take(LEVELS.len());
    let within: Vec<String> = rows
        .map(|row| {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            format!("{} of {} at {}", cells[4], cells[3], cells[1])
        })
        .collect();
    for said in &within {
        assert!(readme.contains(said), "the README does not say: {said}");
    }
}

#[test]
fn both_agree_on_the_laboratory_of_2013() {
    let (_, site) = sites().remove(2);
    assert!(site.name.contains("2013"));
    // At 85 % rare long holds of locks need more events than every test run has time for.
    let cases = cases_of(&site, &["n13-fc", "n13-nfs", "p17-fa-fb"], 2);
    assert_eq!(cases.len(), 6);
    for (case, compared) in cases.iter().zip(compare(cases.iter(), EVENTS as f64)) {
        let (share, tolerance) = LEVELS[case.level];
        let Responses::Judged(judged) = &compared.responses else {
            panic!("{} {share} is not judged", case.layout);
        };
        assert!(
            judged.len() >= 3,
            "{} {share}: {}",
            case.layout,
            judged.len()
        );
        for response in judged {
            assert!(
                response.certain_error() <= tolerance,
                "{} {share} {}: {} and {} ± {}",
                case.layout,
                response.class,
                response.analytic,
                response.simulated,
                response.half_width
            );
        }
    }
}

/// Sun's site has large syncs that read their tables for ten minutes.
#[test]
fn both_agree_where_large_syncs_shut_tables_for_minutes() {
    let (_, site) = sites().remove(4);
    assert!(site.name.contains("Sun"), "{}", site.name);
    let cases = cases_of(&site, &["n13-fc"], 1);
    let compared = compare(cases.iter(), EVENTS_ENOUGH).remove(0);
    let Responses::Judged(judged) = compared.responses else {
        panic!("not judged");
    };
    assert!(judged.len() >= 3, "{}", judged.len());
    for response in judged {
        assert!(
            response.certain_error() <= LEVELS[0].1,
            "{}: {} and {} ± {}",
            response.class,
            response.analytic,
            response.simulated,
            response.half_width
        );
    }
}
