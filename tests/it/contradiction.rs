//! How often `calibrate --add` refuses a measurement that is right, and one of a number that is wrong; and that no number stands
//! where a limit changes over.
#![expect(clippy::print_stdout, reason = "says what it found")]

use plimsoll::bench::{Evidence, Measured, Standing};
use plimsoll::calibration::Calibration;
use plimsoll::catalog::Catalog;
use plimsoll::experiment::{Experiments, Measurement};
use plimsoll::fit;
use plimsoll::posterior::{NumberId, Posterior};
use plimsoll::system::Resting;

use crate::cli::{plimsoll, scratch, write};

const RESULT: &str = "assets/examples/measurements/microbenchmark.toml";

fn library() -> (Catalog, Calibration) {
    let calibration = Calibration::uncalibrated(None).expect("the calibration");
    let catalog = Catalog::load(None, &calibration.posterior).expect("the catalogue");
    (catalog, calibration)
}

/// Standard normal numbers (Box and Muller 1958), of a generator with a fixed seed (Lehmer 1951).
fn draws(sets: usize, numbers: usize) -> Vec<Vec<f64>> {
    let mut state = 20_261_128_u64;
    let mut uniform = || {
        state = state * 48_271 % 2_147_483_647;
        state as f64 / 2_147_483_647.0
    };
    let mut normal = || {
        let (u, v) = (uniform(), uniform());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    };
    let mut set = || (0..numbers).map(|_| normal()).collect();
    (0..sets).map(|_| set()).collect()
}

/// In what share of cases the measurement is refused: drawn from what is known, and with a number three times as large.
fn refused(measurement: &Measurement, wrong: &str, sets: usize) -> [f64; 2] {
    let (catalog, calibration) = library();
    let published = Posterior::embedded();
    let wrong = NumberId::read(wrong).expect("a number");
    let draws = draws(sets, 300);
    [None, Some((&wrong, 3.0))].map(|wrong| {
        let (library, free) = ((&catalog, &calibration), &measurement.free);
        let experiments = &measurement.experiments;
        fit::refused(library, experiments, &published, free, wrong, &draws).expect("a share")
    })
}

/// Runs of one's own that are like published ones, with the figures that their servers' logs give.
#[test]
fn a_measured_mechanism_that_is_off_by_three_is_refused_and_what_is_right_is_not() {
    let folder = scratch("power");
    let head = "schema = 1\n[measured]\ntitle = \"t\"\nwho = \"w\"\nwhen = \"2026\"\nwhere = \"h\"\nhardware = \"s\"\n";
    let (catalog, calibration) = library();
    let experiments = Experiments::load(None, &catalog, &calibration).expect("experiments");
    for (like, wrong) in [
        ("P17-branchsubmit-fb", "arrays/flashblade.sync_service"),
        ("P17-branchsubmit-fa", "parameter row_write.2017"),
        ("N13-mount-default", "networks/eth-10g.round_trip"),
    ] {
        let what = if like.starts_with("N13") {
            "cycle"
        } else {
            "commit-time"
        };
        let run = format!(
            "[[run]]\nid = \"ours\"\nlike = \"{like}\"\nmeasure = [{{ name = \"it\", what = \"{what}\", measured = \"1 s\", spread = \"3 %\" }}]\n"
        );
        let path = write(&folder, "ours.toml", format!("{head}{run}"));
        let read = Measurement::load(path.as_ref(), &experiments, &catalog, &calibration);
        let read = read.unwrap_or_else(|d| panic!("{}", d.render()));
        let [right, off] = refused(&read, wrong, 200);
        assert!(right <= 0.03, "{like}: {right}");
        assert!(off >= 0.8, "{like}: {off}");
        println!("{like}, {wrong}: {right} {off}");
    }
}

/// A benchmark on the entry that it is of, drawn again, and on entries that it is not of.
#[test]
fn a_benchmark_is_refused_on_wrong_entries_of_the_catalogue() {
    let (catalog, calibration) = library();
    let measured = Measured::load(RESULT.as_ref()).expect("a result");
    let standing = Standing::of(&measured.environment, &["medium=nvme".to_owned()], &catalog);
    let evidence = Evidence::of(
        &measured,
        standing.expect("it is there"),
        (&catalog, &calibration),
        0,
    );
    let [right, _] = refused(
        &evidence.expect("evidence").measurement,
        "media/nvme.random_read",
        300,
    );
    assert!(right <= 0.03, "{right}");
    println!("bench on nvme: {right}");
    for medium in ["disk-sata", "disk-15k", "cloud-st1"] {
        let ran = plimsoll(&[
            "calibrate",
            "--add",
            RESULT,
            "--as",
            &format!("medium={medium}"),
        ]);
        assert_eq!(ran.code, 1, "{medium}: {}", ran.out);
    }
}

/// A slope at a point, times the error of a number, says at most a few times what the whole error does: no number stands on a
/// switch, where a step of 2 % crosses what no error of it does more of.
#[test]
fn no_number_stands_on_a_switch() {
    const STEP: f64 = 0.02;
    let (catalog, calibration) = (Catalog::embedded(), Calibration::embedded());
    let experiments = Experiments::embedded(&catalog, &calibration);
    let mut found = Vec::new();
    let mut layouts = std::collections::BTreeSet::new();
    for run in experiments.runs.values() {
        // One run of each layout and workload reads what the others do.
        if !layouts.insert((run.setup.layout.clone(), run.workload.title.clone())) {
            continue;
        }
        let deployment = run.deployment(&catalog).expect("it binds");
        let load = run.load(&|id| calibration.parameters[id].value.value);
        let Ok(at) = Resting::of(&deployment, &load, 0.0, &catalog, &calibration) else {
            continue;
        };
        let rates = |step: f64, number: &NumberId| {
            let (moved, _) = at.shifted([(number, step.exp())]).ok()?;
            Some(moved.group_rates)
        };
        let uncertain = at.used().iter().filter(|(_, used)| used.is_uncertain());
        for (number, used) in uncertain {
            let moved = [STEP, -STEP, used.spread, -used.spread].map(|step| rates(step, number));
            let [Some(up), Some(down), Some(more), Some(less)] = moved else {
                continue;
            };
            let there = &at.prediction().group_rates;
            for (k, there) in there.iter().enumerate() {
                let slope = (up[k] / down[k]).ln() / (2.0 * STEP) * used.spread;
                let whole = (more[k] / there)
                    .ln()
                    .abs()
                    .max((less[k] / there).ln().abs());
                if slope.abs() > 3.0 * whole + 0.05 {
                    found.push(format!(
                        "{}: {number}: {slope:.2} at the point, {whole:.2} over its error",
                        run.id
                    ));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
