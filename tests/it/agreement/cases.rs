//! What is compared: example sites and generated ones, each at a share of the load that saturates it.

use std::cell::OnceCell;
use std::path::Path;

use plimsoll::advisor;
use plimsoll::site::{self, Site};
use plimsoll::system::process::{Process, process};
use plimsoll::system::{Deployment, PredictError, Prediction, predict};
use plimsoll::workload::{Load, from_site};

use super::generated;
use super::kept::Kept;

use crate::shared::{CALIBRATION, CATALOG, VOCABULARY};

/// Shares of saturation.
pub(super) const SHARES: [f64; 3] = [0.30, 0.60, 0.85];
/// Generated sites: those with even numbers were looked at while the model was made, the others only when it was done.
pub(super) const GENERATED: u64 = 64;
/// Layouts of each example site, evenly from those that it can have.
const LAYOUTS: usize = 3;
/// Busy share at which a resource counts as full: at 99 % a hundred wait.
const FULL: f64 = 0.99;

/// Where a case comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Set {
    Examples,
    Working,
    Unseen,
}

/// A deployment under a load.
pub(super) struct Case {
    /// Site, layout and share of saturation.
    pub(super) name: String,
    pub(super) set: Set,
    pub(super) share: f64,
    /// Whether reads take no table locks.
    pub(super) lockless: bool,
    /// The multiple of the site's load from which it saturates.
    pub(super) saturation: f64,
    deployment: Deployment,
    load: Load,
}

impl Case {
    pub(super) fn solve(&self) -> Result<Prediction, PredictError> {
        predict(&self.deployment, &self.load, &CATALOG, &CALIBRATION)
    }

    pub(super) fn process(&self) -> Process {
        process(&self.deployment, &self.load, &CATALOG, &CALIBRATION, None).unwrap()
    }
}

/// The multiple of the load from which a deployment saturates, in steps of a hundredth.
fn saturation(deployment: &Deployment, load: &Load) -> f64 {
    let saturates = |factor: f64| {
        let solved = predict(deployment, &load.scaled(factor), &CATALOG, &CALIBRATION);
        solved.map_or(true, |found| found.bottleneck().1 >= FULL)
    };
    let factor = |step: i32| 1.01_f64.powi(step);
    let (mut low, mut high) = (-700, 1000);
    while high - low > 1 {
        let middle = i32::midpoint(low, high);
        if saturates(factor(middle)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    factor(low)
}

/// A site on one of its layouts at shares of saturation: of that at which it was simulated, if it was.
fn cases(
    (name, site, set): (&str, &Site, Set),
    deployment: &Deployment,
    shares: &[f64],
    kept: Option<&Kept>,
) -> Vec<Case> {
    let layout = &deployment.layout;
    let load = from_site::load(site);
    let now = OnceCell::new();
    let cases = shares.iter().map(|share| {
        let name = format!("{name} {layout} {:.0} %", share * 100.0);
        let known = kept.and_then(|kept| kept.saturation(&name));
        let saturation = known.unwrap_or_else(|| *now.get_or_init(|| saturation(deployment, &load)));
        Case {
            name,
            set,
            share: *share,
            lockless: deployment.read_locks.peeks(),
            saturation,
            deployment: deployment.clone(),
            load: load.scaled(share * saturation).in_whole_clients(),
        }
    });
    cases.collect()
}

/// What a site can make of each layout that it can have.
fn deployments(site: &Site) -> Vec<Deployment> {
    let all = advisor::best_of_each(site, &CATALOG, &CALIBRATION).into_iter();
    all.filter_map(|(_, found)| found.ok()).collect()
}

/// How many sites there are.
pub(super) fn sites() -> usize {
    examples().len() + GENERATED as usize
}

/// Of what a site can have, that of which simulations are kept, filled up evenly from the others: a new layout of the catalogue
/// changes no case.
fn chosen<'d>(name: &str, all: &'d [Deployment], most: usize, kept: &Kept) -> Vec<&'d Deployment> {
    let is_kept = |d: &&Deployment| kept.has(&format!("{name} {} ", d.layout));
    let known: Vec<&Deployment> = all.iter().filter(is_kept).take(most).collect();
    let others: Vec<&Deployment> = all.iter().filter(|d| !is_kept(d)).collect();
    let missing = (most - known.len()).min(others.len());
    let more = (0..missing).map(|k| others[k * others.len() / missing]);
    known.iter().copied().chain(more).collect()
}

/// The cases of one of the sites, the examples first, at shares of the saturation that is known where it is asked for.
pub(super) fn of_site(index: usize, kept: &Kept, at_known: bool) -> Vec<Case> {
    let examples = examples();
    let at = at_known.then_some(kept);
    if let Some(path) = examples.get(index) {
        let site = site::load(Path::new(path), &[], &VOCABULARY).unwrap();
        let all = deployments(&site);
        let name = Path::new(path).file_stem().unwrap().to_string_lossy();
        let chosen = chosen(&name, &all, LAYOUTS, kept).into_iter();
        let cases = chosen.flat_map(|found| cases((&name, &site, Set::Examples), found, &SHARES, at));
        return cases.collect();
    }
    let seed = (index - examples.len()) as u64;
    let (name, text) = (format!("generated-{seed}"), generated::site(seed));
    let site = site::parse(&format!("{name}.toml"), &text, &[], &VOCABULARY)
        .unwrap_or_else(|errors| panic!("{}\n{text}", errors.render()));
    let mut all = deployments(&site);
    let first = seed as usize * 7 % all.len().max(1);
    all.rotate_left(first);
    let set = if seed.is_multiple_of(2) { Set::Working } else { Set::Unseen };
    let share = SHARES[(seed / 2) as usize % SHARES.len()];
    let chosen = chosen(&name, &all, 1, kept).into_iter();
    let cases = chosen.flat_map(|found| cases((&name, &site, set), found, &[share], at));
    cases.collect()
}

fn examples() -> Vec<String> {
    let mut paths: Vec<String> = std::fs::read_dir("assets/examples")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .map(|path| path.to_string_lossy().into_owned())
        .collect();
    paths.sort();
    paths
}
