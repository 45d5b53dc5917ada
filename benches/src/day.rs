//! A whole working day of the EA site, with its locks: one replication, and several on all cores.

use std::ops::ControlFlow;
use std::thread;
use std::time::Instant;

use cpu_time::ProcessTime;
use plimsoll::advisor;
use plimsoll::calibration::Calibration;
use plimsoll::catalog::Catalog;
use plimsoll::sim::{Model, Replication, Run, Span, fold, simulate};
use plimsoll::site::{self, Vocabulary};
use plimsoll::system::process::process;
use plimsoll::workload::from_site;

use crate::deployments::SITES;
use crate::rounds::median;

/// Simulates the day and prints what it took.
pub fn print(rounds: u64) {
    let (catalog, calibration) = (Catalog::embedded(), Calibration::embedded());
    let vocabulary = Vocabulary::of(&catalog);
    let (name, text) = SITES[0];
    let site = site::parse(name, text, &[], &vocabulary).unwrap_or_else(|errors| panic!("{}", errors.render()));
    let scenario = &catalog.scenarios["working-day"];
    let current = site.infrastructure.current_layout.as_ref();
    let layout = &current.expect("the site says what it has").value;
    let deployment =
        advisor::best_of_layout(&site, &catalog, &calibration, layout).expect("the site has its own layout");
    let load = from_site::with_herds(&site, scenario);
    let process =
        process(&deployment, &load, &catalog, &calibration, Some(scenario)).expect("the scenario can happen there");
    let run = Run { span: Span::Until { time: scenario.length.get(), piece: scenario.piece.get() }, ..Run::default() };
    let start = ProcessTime::now();
    let one = replicate(&process.model, &run, 0);
    let seconds = start.elapsed().as_secs_f64();
    let events = fold(&process.model, &run, &[one]).events;
    println!("| (d) {name}, {}, a working day | |", deployment.title);
    println!("|---|---|");
    println!("| one replication, processor seconds | {seconds:.2} |");
    println!("| events | {events} |");
    println!("| million events/s | {:.2} |", events as f64 / seconds / 1e6);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    scaling(&process.model, &run, cores, rounds);
}

/// One replication alone and one on each core, in turns. Processor seconds tell what cores cost each other, by
/// memory that they share; wall time also what else the machine does.
fn scaling(model: &Model, run: &Run, cores: usize, rounds: u64) {
    let (mut wall, mut processor) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let alone = on_threads(model, run, 1);
        let all = on_threads(model, run, cores);
        wall.push(all.0 / alone.0);
        processor.push(all.1 / alone.1 / cores as f64);
    }
    let (wall, processor) = (median(&wall), median(&processor));
    println!("| {cores} replications on {cores} threads, of one alone: wall time | {wall:.3} |");
    println!("| the same, processor seconds a replication | {processor:.3} |");
}

fn replicate(model: &Model, run: &Run, number: u64) -> Replication {
    simulate(model, run, number, &mut |_| ControlFlow::Continue(())).expect("the model is sound")
}

/// Wall time and processor seconds of one replication on each of so many threads \[s\].
#[expect(clippy::disallowed_methods, reason = "this is no solver: it times them")]
fn on_threads(model: &Model, run: &Run, threads: usize) -> (f64, f64) {
    let (start, used) = (Instant::now(), ProcessTime::now());
    thread::scope(|scope| {
        for number in 0..threads {
            thread::Builder::new()
                .name(format!("replication {number}"))
                // The same one on each, so that all have as much to do.
                .spawn_scoped(scope, move || replicate(model, run, 0))
                .expect("a thread starts");
        }
    });
    (start.elapsed().as_secs_f64(), used.elapsed().as_secs_f64())
}
