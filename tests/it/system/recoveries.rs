//! What published times of recovery say of `recovery.*`: the section of `docs/first-principles.md`, and the parameters.

use std::fmt::Write as _;

use super::processors::parameter;
use super::*;
use plimsoll::calibration::Dimension;
use plimsoll::experiment::{Experiments, Formula, Maintenance, Named, Product};
use plimsoll::fit::blend;
use plimsoll::posterior::NumberId;
use plimsoll::system::{Interval, Job, Used, durations};
use plimsoll::units::{Seconds, significant};

/// What a kind of job takes over the parts of the model, and how far off that is before any published time: one sigma.
const ERRORS: [(&str, f64); 4] =
    [("recovery.rows", 0.4), ("recovery.checkpoint", 0.3), ("recovery.replay", 0.3), ("recovery.copy", 0.5)];
/// What a published time is read to.
const SPREAD: f64 = 0.03;

/// A published time, its source, and what ran.
struct Published {
    source: usize,
    what: &'static str,
    minutes: f64,
    job: Maintenance,
}

/// The numbers with `recovery.*` as given: each with its error.
fn with_errors(errors: &[(f64, f64)]) -> Calibration {
    let mut calibration = CALIBRATION.clone();
    for ((id, _), (value, spread)) in ERRORS.iter().zip(errors) {
        let parameter = calibration.parameters.get_mut(*id).expect("it is one");
        parameter.value.value = *value;
        parameter.value.spread = *spread;
    }
    calibration
}

/// Two sources: the site of each, its layout, what is published of it.
fn published() -> Vec<Published> {
    let flash = first_principles::database(350.0, "pure-host", "");
    let flash = read(&format!("{}ram = \"512 GiB\"\n", flash.text));
    let old = first_principles::database(104.0, "dell-2950", "");
    let old = read(&format!("{}ram = \"32 GiB\"\n", old.text));
    let new = "350 GB on an all-flash block array, about 2020";
    let all = [
        (0, new, Job::CheckpointOffline, 110.0),
        (0, new, Job::Replay, 90.0),
        (1, "104 GB on SAN disks, 2009", Job::CheckpointOffline, 540.0),
        (1, "104 GB on SAN disks, 2009", Job::Replay, 600.0),
    ];
    let all = all.into_iter().map(|(source, what, job, minutes)| {
        let (site, layout) = [(&flash, "flasharray-only"), (&old, "single-volume")][source];
        let deployment = bind(&CATALOG, &CATALOG.layouts[layout], &rich(site)).expect("it has all");
        let job = Maintenance {
            id: format!("{what}: {}", job.word()),
            load: from_site::load(site),
            site: site.clone(),
            deployment,
            job,
            measured: 60.0 * minutes,
            spread: SPREAD,
            sigma: 0.0,
        };
        Published { source, what, minutes, job }
    });
    all.collect()
}

/// The first source's rsync of a checkpoint whose size it does not state: a stream by ssh, unless a slower network, which it
/// does not state either, limited it.
fn copy(calibration: &Calibration) -> Formula {
    /// Between 1 and 10 Gb/s.
    const NETWORK: f64 = 1.0;
    let number =
        |id: &str| Named { id: NumberId::parameter(id), used: Used::of_parameter(&calibration.parameters[id]) };
    Formula {
        id: "350 GB: rsync of the checkpoint".to_owned(),
        sum: vec![Product {
            times: 350e9,
            numbers: ["checkpoint.share", "copy.byte", "recovery.copy"].map(number).into(),
            over: Vec::new(),
        }],
        dimension: Dimension::Time,
        measured: 32.0 * 60.0,
        spread: SPREAD,
        sigma: NETWORK,
    }
}

/// `recovery.*` by the published times of these sources: values and errors.
fn errors_by(all: &[Published], sources: &[usize]) -> Vec<(f64, f64)> {
    let before = with_errors(&ERRORS.map(|(_, spread)| (1.0, spread)));
    let library = (&*CATALOG, &before);
    let posterior = before.posterior.standing();
    let jobs = all.iter().filter(|one| sources.contains(&one.source));
    let jobs: Vec<Maintenance> = jobs.map(|one| one.job.clone()).collect();
    let mut free: Vec<_> = jobs.iter().flat_map(|job| job.free(library, &posterior)).collect();
    let mut measured = Experiments::of_maintenance(jobs);
    if sources.contains(&0) {
        let copied = Experiments::of_formulas(vec![copy(&before)]);
        measured.rows.extend(copied.rows);
        measured.formulas = copied.formulas;
    }
    let formulas = measured.formulas.iter();
    let numbers = formulas.flat_map(Formula::numbers);
    free.extend(numbers.map(Named::free));
    free.sort_by(|a, b| a.id.cmp(&b.id));
    free.dedup_by(|a, b| a.id == b.id);
    let found = blend(library, &measured, &posterior, &free, true).expect("a maximum").after;
    let of = |(id, prior): (&str, f64)| {
        let number = NumberId::parameter(id).to_string();
        let place = found.free.iter().position(|free| free.id == number);
        place.map_or((1.0, prior), |i| (found.shift[i].exp(), found.covariance[i][i].sqrt()))
    };
    ERRORS.map(of).into()
}

fn predicted(one: &Published, calibration: &Calibration) -> Interval {
    let known = calibration.posterior.standing();
    let Maintenance { site, deployment, load, job, .. } = &one.job;
    let all = durations(site, deployment, load, &CATALOG, calibration, &known);
    all.time(*job).expect("it is done")
}

fn minutes(time: Interval) -> [String; 2] {
    let of = |seconds: f64| significant(seconds / 60.0, 3);
    [of(time.value), format!("{} to {}", of(time.low), of(time.high))]
}

pub(super) fn section() -> String {
    let all = published();
    let fitted = errors_by(&all, &[0, 1]);
    for ((id, _), (value, spread)) in ERRORS.iter().zip(&fitted) {
        let stands = &CALIBRATION.parameter(id).expect("it is one").value;
        let is_that = (stands.value / value - 1.0).abs() < 0.02 && (stands.spread / spread - 1.0).abs() < 0.05;
        assert!(is_that, "{id} is {stands:?}; by the published times all are {fitted:.3?}");
    }
    let others = [1, 0].map(|source| with_errors(&errors_by(&all, &[source])));
    let mut table = String::new();
    let mut near = [0, 0];
    let mut held = [0, 0];
    for one in &all {
        let times = [&CALIBRATION, &others[one.source]].map(|numbers| predicted(one, numbers));
        for (k, time) in times.iter().enumerate() {
            let ratio = time.value / (60.0 * one.minutes);
            near[k] += usize::from((0.5..=2.0).contains(&ratio));
            held[k] += usize::from((time.low..=time.high).contains(&(60.0 * one.minutes)));
        }
        let [[now, range], [left_out, left_range]] = times.map(minutes);
        let _infallible = writeln!(
            table,
            "| {}: {} | {} | {now} | {range} | {left_out} | {left_range} |",
            one.what,
            one.job.job.word(),
            significant(one.minutes, 3),
        );
    }
    assert!(near.iter().all(|near| *near >= 3), "{table}");
    let [rows, checkpoint, replay, copied] = ERRORS.map(|(id, _)| parameter(id));
    format!(
        "The only two sources that are known. What they took over the parts of the model is `recovery.*` of `calibration/parameters.toml`: \
         checkpoints {:.2} times, replays {:.2} times, copies {:.2} times.\n\
         They come from the same update as `calibrate --add` makes: before any datum each is 1, with errors of 40 % for rows in both jobs, 30 % for each job and 50 % for copies; \
         the errors of all other numbers stay beside them.\n\
         The last two columns are by the other source alone. The state of the second source's database is not known in either: 20 % of leaves and 5 % of rows out of order are assumed with it in view,\n\
         and half a year before its checkpoint took about an hour; times of rows and of packing were set with the first source in view. The first source copied its checkpoint by rsync in {} and states neither size nor network: that counts with an error of a factor of e.\n\n\
         | what | published, min | predicted, min | 80 % interval | without its source, min | 80 % interval |\n|---|---|---|---|---|---|\n{table}\n\
         Within a factor of 2: {} of {} in sample, {} without their source. Within the interval: {} and {}.\n",
        rows * checkpoint,
        rows * replay,
        copied,
        Seconds::new(32.0 * 60.0),
        near[0],
        all.len(),
        near[1],
        held[0],
        held[1],
    )
}
