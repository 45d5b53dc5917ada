//! How often `calibrate --add` refuses a measurement that is right, and one of a number that is wrong; and that no number stands
//! where a limit changes over.
#![expect(clippy::print_stdout, reason = "says what it found")]

use plimsoll::advisor::choices_for;
use plimsoll::bench::{Evidence, Measured, Standing};
use plimsoll::calibration::Calibration;
use plimsoll::catalog::Catalog;
use plimsoll::experiment::{Experiments, Measurement};
use plimsoll::fit;
use plimsoll::posterior::{Free, NumberId, Posterior};
use plimsoll::site;
use plimsoll::system::{Choices, Durations, Numbers, Resting, bind, durations, estimates};
use plimsoll::workload::from_site;

use crate::cli::{example, plimsoll, scratch, write};
use crate::shared::{CALIBRATION, CATALOG, VOCABULARY};

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
    for (like, wrong) in
        [("P17-branchsubmit-fb", "arrays/flashblade.sync_service"), ("P17-branchsubmit-fa", "parameter row_write.2017")]
    {
        let run = format!(
            "[[run]]\nid = \"ours\"\nlike = \"{like}\"\nmeasure = [{{ name = \"it\", what = \"commit-time\", measured = \"1 s\", spread = \"3 %\" }}]\n"
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
    let evidence = Evidence::of(&measured, standing.expect("it is there"), (&catalog, &calibration), 0);
    let [right, _] = refused(&evidence.expect("evidence").measurement, "media/nvme.random_read", 300);
    assert!(right <= 0.03, "{right}");
    println!("bench on nvme: {right}");
    for medium in ["disk-sata", "disk-15k", "cloud-st1"] {
        let ran = plimsoll(&["calibrate", "--add", RESULT, "--as", &format!("medium={medium}")]);
        assert_eq!(ran.code, 1, "{medium}: {}", ran.out);
    }
}

/// A slope at a point, times the error of a number, says at most a few times what the whole error does: no number stands on a
/// switch, where a step of 2 % crosses what no error of it does more of.
#[derive(Default)]
struct Switches(Vec<String>);

impl Switches {
    /// Looks at figures `at` with each number as it stands, and with it larger by so much, on the logarithmic scale.
    fn look(&mut self, what: &str, used: &Numbers, at: &[f64], moved: &dyn Fn(&NumberId, f64) -> Option<Vec<f64>>) {
        const STEP: f64 = 0.02;
        for (number, used) in used.iter().filter(|(_, used)| used.is_uncertain()) {
            let moved = [STEP, -STEP, used.spread, -used.spread].map(|step| moved(number, step));
            let [Some(up), Some(down), Some(more), Some(less)] = moved else {
                continue;
            };
            for (k, there) in at.iter().enumerate() {
                let slope = (up[k] / down[k]).ln() / (2.0 * STEP) * used.spread;
                let whole = [&more, &less].map(|moved| (moved[k] / there).ln().abs());
                let whole = whole[0].max(whole[1]);
                if slope.abs() > 3.0 * whole + 0.05 {
                    let found = format!("{slope:.2} at the point, {whole:.2} over its error");
                    self.0.push(format!("{what}, figure {k}: {number}: {found}"));
                }
            }
        }
    }
}

#[test]
fn no_number_stands_on_a_switch() {
    let (catalog, calibration) = (&*CATALOG, &*CALIBRATION);
    let experiments = Experiments::embedded(catalog, calibration);
    let mut found = Switches::default();
    let mut layouts = std::collections::BTreeSet::new();
    for run in experiments.runs.values() {
        // One run of each layout and workload reads what the others do.
        if !layouts.insert((run.setup.layout.clone(), run.workload.title.clone())) {
            continue;
        }
        let deployment = run.deployment(catalog).expect("it binds");
        let load = run.load(&|id| calibration.parameters[id].value.value);
        let Ok(at) = Resting::of(&deployment, &load, 0.0, catalog, calibration) else {
            continue;
        };
        let rates = |number: &NumberId, step: f64| {
            let (moved, _) = at.shifted([(number, step.exp())]).ok()?;
            Some(moved.group_rates)
        };
        found.look(&run.id, at.used(), &at.prediction().group_rates, &rates);
    }
    // Of sites the times of each kind of work, and of maintenance.
    for name in ["game-studio", "pure-lab-2017", "netapp-lab-2013"] {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(example(name));
        let site = site::load(&file, &[], &VOCABULARY).expect("an example");
        let load = from_site::load(&site);
        for layout in ["single-volume", "flasharray-flashblade", "local-all"] {
            let choices = Choices {
                local: Some(("ssd-sas".to_owned(), 12.0)),
                block: Some(("fas3270".to_owned(), "fc".to_owned())),
                file: Some(("fas3270".to_owned(), "nfsv3".to_owned())),
                ..choices_for(&site, catalog)
            };
            let Ok(deployment) = bind(catalog, &catalog.layouts[layout], &choices) else {
                continue;
            };
            let what = format!("{name} on {layout}");
            let times = |all: &[plimsoll::system::ClassPrediction]| -> Vec<f64> {
                all.iter().map(|class| class.mean.value).collect()
            };
            if let Ok(at) = Resting::of(&deployment, &load, 0.0, catalog, calibration) {
                let moved = |number: &NumberId, step: f64| {
                    let (moved, _) = at.shifted([(number, step.exp())]).ok()?;
                    Some(times(&moved.classes))
                };
                found.look(&what, at.used(), &times(&at.prediction().classes), &moved);
            }
            let known = calibration.posterior.standing();
            let jobs = |known: &Posterior| {
                let times = known.times();
                estimates(&site, &deployment, &load, catalog, calibration, &times)
            };
            let times = |of: &Durations| of.all.iter().map(|job| job.time.value).collect();
            let at = jobs(&known);
            let there: Vec<f64> = times(&at);
            let moved = |number: &NumberId, step: f64| {
                let free = Free {
                    id: "moved".to_owned(),
                    title: String::new(),
                    scales: vec![number.clone()],
                    prior: 1.0,
                    why: String::new(),
                    own: true,
                };
                let mut moved = Posterior::of_prior(vec![free]);
                moved.shift[0] = step;
                Some(times(&jobs(&moved)))
            };
            let used = durations(&site, &deployment, &load, catalog, calibration, &known).used;
            found.look(&format!("maintenance of {what}"), &used, &there, &moved);
        }
    }
    assert!(found.0.is_empty(), "{}", found.0.join("\n"));
}
