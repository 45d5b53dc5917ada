//! What is compared: example sites × layouts × shares of the load that saturates them.

use std::path::Path;
use std::sync::LazyLock;

use plimsoll::advisor;
use plimsoll::calibration::Calibration;
use plimsoll::catalog::Catalog;
use plimsoll::site::{self, Site, Vocabulary};
use plimsoll::system::process::{Process, process};
use plimsoll::system::{Deployment, Effort, Prediction, predict};
use plimsoll::workload::{Clients, Load, from_site};

pub(super) static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::embedded);
static CALIBRATION: LazyLock<Calibration> = LazyLock::new(Calibration::embedded);

/// Shares of saturation, and how far the analytic response times may be off there.
pub(super) const LEVELS: [(f64, f64); 3] = [(0.30, 0.10), (0.60, 0.10), (0.85, 0.20)];
/// Share of its time that a resource is busy at which it is full. People who wait for each other come the closer to all of
/// it the more there are: at 99.9 % a thousand wait (ρ/(1 − ρ)), a third of all in the laboratory of 2013.
pub(super) const FULL: f64 = 0.99;

pub(super) fn sites() -> Vec<(String, Site)> {
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

/// An example site with other answers, as `--set` takes them.
pub(super) fn site_with(name: &str, answers: &[&str]) -> Site {
    let path = format!("assets/examples/{name}.toml");
    let answers: Vec<String> = answers.iter().map(ToString::to_string).collect();
    site::load(Path::new(&path), &answers, &Vocabulary::of(&CATALOG)).unwrap()
}

/// A site on one of the layouts that it can have.
pub(super) struct Candidate {
    pub(super) site: String,
    pub(super) layout: &'static str,
    deployment: Deployment,
    load: Load,
}

/// A candidate at one load, solved, and what would be simulated.
pub(super) struct Case {
    pub(super) site: String,
    pub(super) layout: &'static str,
    pub(super) level: usize,
    /// The multiple of the site's work other than large syncs.
    pub(super) times: f64,
    pub(super) solved: Result<(Prediction, Process), String>,
}

/// The load with `factor` times the work other than large syncs, of which as many are in flight at any load.
fn times(load: &Load, factor: f64) -> Load {
    let mut scaled = load.scaled(factor);
    for (group, original) in scaled.groups.iter_mut().zip(&load.groups) {
        if group.clients == Clients::LargeSyncs {
            group.arrival = original.arrival;
        }
    }
    scaled
}

impl Candidate {
    /// A site on a layout, unless it cannot have it.
    pub(super) fn of(name: &str, site: &Site, layout: &'static str) -> Option<Self> {
        let deployment = advisor::best_of_layout(site, &CATALOG, &CALIBRATION, layout).ok()?;
        Some(Self {
            site: name.to_owned(),
            layout,
            deployment,
            load: from_site::load(site),
        })
    }

    /// Whether a load is more than the deployment carries: a lock or resource that work queues for is asked for
    /// more than it can do or, large syncs apart (they take what there is), full.
    fn saturates(&self, load: &Load) -> bool {
        let solved = |load: &Load| {
            predict(
                &self.deployment,
                load,
                &CATALOG,
                &CALIBRATION,
                Effort::Shown,
            )
        };
        let mut rest = load.clone();
        rest.groups.retain(|g| g.clients != Clients::LargeSyncs);
        let full = solved(&rest).map_or(true, |rest| rest.bottleneck().1 >= FULL);
        full || solved(load).is_err()
    }

    /// The multiple of the work other than large syncs from which a deployment saturates, in steps of a hundredth: so that it
    /// stays the same, and what was simulated with it, where the analytic answer hardly changes.
    pub(super) fn saturation(&self) -> f64 {
        let factor = |step: i32| 1.01_f64.powi(step);
        let (mut low, mut high) = (-700, 1000);
        while high - low > 1 {
            let middle = i32::midpoint(low, high);
            if self.saturates(&times(&self.load, factor(middle))) {
                high = middle;
            } else {
                low = middle;
            }
        }
        factor(low)
    }

    pub(super) fn at(&self, level: usize, factor: f64) -> Case {
        let load = times(&self.load, factor).in_whole_clients();
        let solved = predict(
            &self.deployment,
            &load,
            &CATALOG,
            &CALIBRATION,
            Effort::Shown,
        );
        let process = || process(&self.deployment, &load, &CATALOG, &CALIBRATION, None).unwrap();
        Case {
            site: self.site.clone(),
            layout: self.layout,
            level,
            times: factor,
            solved: solved
                .map(|analytic| (analytic, process()))
                .map_err(|error| error.to_string()),
        }
    }
}
