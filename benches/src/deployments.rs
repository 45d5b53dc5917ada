//! How long a what-if of a p4d deployment takes: every candidate of every example site.

use plimsoll::advisor::candidates;
use plimsoll::calibration::Calibration;
use plimsoll::catalog::Catalog;
use plimsoll::site::{self, Vocabulary};
use plimsoll::system::{Deployment, Lens, predict_through};
use plimsoll::workload::{Load, from_site};

use crate::rounds::{median, seconds_of};

/// The example sites.
pub const SITES: [(&str, &str); 5] = [
    ("ea-redwood-shores-2007", include_str!("../../assets/examples/ea-redwood-shores-2007.toml")),
    ("game-studio", include_str!("../../assets/examples/game-studio.toml")),
    ("netapp-lab-2013", include_str!("../../assets/examples/netapp-lab-2013.toml")),
    ("pure-lab-2017", include_str!("../../assets/examples/pure-lab-2017.toml")),
    ("sun-partner-2009", include_str!("../../assets/examples/sun-partner-2009.toml")),
];

/// Deployments of one site with as many servers.
struct Batch {
    site: &'static str,
    servers: usize,
    load: Load,
    deployments: Vec<Deployment>,
}

/// Times one solution of each deployment and prints, by site and number of servers, the median and
/// the slowest over the deployments.
pub fn print(rounds: u64) {
    let (catalog, calibration) = (Catalog::embedded(), Calibration::embedded());
    println!("| site | servers | deployments | one prediction, µs (slowest) | refused |");
    println!("|---|---|---|---|---|");
    for batch in batches(&catalog) {
        let (mut refused, mut times) = (0, Vec::new());
        for deployment in &batch.deployments {
            let solve = || {
                let lens = Lens::forgetful();
                predict_through(lens, deployment, &batch.load, &catalog, &calibration)
            };
            refused += usize::from(solve().is_err());
            times.push(seconds_of(rounds, solve) * 1e6);
        }
        let slowest = times.iter().copied().fold(0.0, f64::max);
        println!(
            "| {} | {} | {} | {:.0} ({slowest:.0}) | {refused} |",
            batch.site,
            batch.servers,
            batch.deployments.len(),
            median(&times),
        );
    }
}

/// Candidates of a large search.
const MANY: usize = 10_000;

/// Times a search of [`MANY`] candidates, those of the example sites over and over, on one thread and on two.
#[expect(clippy::disallowed_methods, reason = "the time that a person waits is what is measured")]
pub fn print_search() {
    let (catalog, calibration) = (Catalog::embedded(), Calibration::embedded());
    let batches = batches(&catalog);
    let all: Vec<(&Load, &Deployment)> =
        batches.iter().flat_map(|batch| batch.deployments.iter().map(|d| (&batch.load, d))).collect();
    let many: Vec<_> = all.iter().cycle().take(MANY).copied().collect();
    let solve = |part: &[(&Load, &Deployment)]| {
        let solved = part.iter().filter(|(load, deployment)| {
            let lens = Lens::forgetful();
            predict_through(lens, deployment, load, &catalog, &calibration).is_ok()
        });
        solved.count()
    };
    println!("| candidates | threads | time, s | carried |");
    println!("|---|---|---|---|");
    for threads in [1, 2] {
        let begun = std::time::Instant::now();
        let carried: usize = std::thread::scope(|scope| {
            let parts = many.chunks(MANY.div_ceil(threads));
            let running: Vec<_> = parts.map(|part| scope.spawn(move || solve(part))).collect();
            running.into_iter().map(|one| one.join().unwrap_or(0)).sum()
        });
        let time = begun.elapsed().as_secs_f64();
        println!("| {MANY} | {threads} | {time:.2} | {carried} |");
    }
}

fn batches(catalog: &Catalog) -> Vec<Batch> {
    let mut batches: Vec<Batch> = Vec::new();
    for (name, text) in SITES {
        let site = site::parse(name, text, &[], &Vocabulary::of(catalog))
            .unwrap_or_else(|errors| panic!("{}", errors.render()));
        let load = from_site::load(&site);
        let (found, _) = candidates(&site, catalog);
        let first = batches.len();
        for candidate in found {
            let servers = candidate.deployment.servers();
            let known = batches[first..].iter().position(|b| b.servers == servers);
            let batch = known.map_or(batches.len(), |k| first + k);
            if batch == batches.len() {
                batches.push(Batch { site: name, servers, load: load.clone(), deployments: Vec::new() });
            }
            batches[batch].deployments.push(candidate.deployment);
        }
        batches[first..].sort_by_key(|batch| batch.servers);
    }
    batches
}
