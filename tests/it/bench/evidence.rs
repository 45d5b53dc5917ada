//! What `calibrate --add` makes of a benchmark's result.

use plimsoll::bench::{Evidence, Measured, Standing};
use plimsoll::calibration::Calibration;
use plimsoll::catalog::Catalog;
use plimsoll::fit;
use plimsoll::posterior::{EntryKind, NumberId, Posterior};

use super::results::measured;
use crate::cli::{example, plimsoll, scratch, write};

const RESULT: &str = "assets/examples/measurements/microbenchmark.toml";

fn catalog() -> (Catalog, Calibration) {
    let calibration = Calibration::uncalibrated(None).expect("the calibration");
    let catalog = Catalog::load(None, &calibration.posterior).expect("the catalogue");
    (catalog, calibration)
}

fn evidence(result: &Measured, told: &[&str]) -> Result<Evidence, String> {
    let (catalog, calibration) = catalog();
    let told: Vec<String> = told.iter().map(|t| (*t).to_owned()).collect();
    Standing::of(&result.environment, &told, &catalog)
        .and_then(|standing| Evidence::of(result, standing, (&catalog, &calibration), 0))
        .map_err(|error| error.to_string())
}

/// A result that measured exactly what the model says moves nothing: each formula is the model's.
#[test]
fn a_measurement_of_what_is_predicted_moves_nothing() {
    let (catalog, calibration) = catalog();
    let mut evidence = evidence(&measured(), &["medium=nvme"]).expect("evidence");
    let published = Posterior::embedded();
    let factors = published.factors().plain();
    for formula in &mut evidence.measurement.experiments.formulas {
        formula.measured = formula.value(&factors);
    }
    let formulas = std::mem::take(&mut evidence.measurement.experiments.formulas);
    let experiments = plimsoll::experiment::Experiments::of_formulas(formulas);
    let (prior, free) = (published, &evidence.measurement.free);
    let blend = fit::blend((&catalog, &calibration), &experiments, &prior, free, false).expect("a blend");
    assert!(blend.chi_squared < 1e-9, "{}", blend.chi_squared);
    for shift in blend.before.shift.iter().zip(&blend.after.shift) {
        assert!((shift.0 - shift.1).abs() < 1e-6);
    }
    // And yet more is known of the hardware than before.
    let variance = |posterior: &Posterior, i: usize| posterior.covariance[i][i];
    let own = prior.free.len()..blend.after.free.len();
    for i in own {
        let (before, after) = (variance(&blend.before, i), variance(&blend.after, i));
        assert!(after < 0.9 * before, "{}: {before} to {after}", blend.after.free[i].id);
    }
}

/// Twice as fast a device is found to be twice as fast, in the number that says so.
#[test]
fn a_faster_stream_is_a_larger_stream() {
    let (catalog, calibration) = catalog();
    let result = measured();
    let published = Posterior::embedded();
    let stream = |result: &Measured| {
        let evidence = evidence(result, &["medium=nvme"]).expect("evidence");
        let measurement = &evidence.measurement;
        let blend = fit::blend((&catalog, &calibration), &measurement.experiments, &published, &measurement.free, true)
            .expect("a blend");
        blend.after.factors().factor(&EntryKind::Medium.number("nvme", "stream"))
    };
    let mut faster = result.clone();
    let test = faster.tests.iter_mut().find(|t| t.id == "read.64k.sequential.16").expect("a test");
    test.iops *= 2.0;
    test.rounds.iter_mut().for_each(|r| *r *= 2.0);
    let ratio = stream(&faster) / stream(&result);
    assert!((1.9..2.05).contains(&ratio), "{ratio}");
}

/// Reads whose percentiles are those of a known coefficient of variation are found to have nearly that.
#[test]
fn percentiles_of_a_read_say_how_much_reads_vary() {
    let (catalog, calibration) = catalog();
    let published = Posterior::embedded();
    let assumed = catalog.media["nvme"].read_variation.value;
    let blended = |variation: f64| {
        let mut result = measured();
        result.tests.retain(|test| test.id == "read.8k.random.1");
        let times = result.tests[0].latency_s.as_mut().expect("times");
        let at = |z: f64| {
            let third = variation / 3.0;
            (1.0 - third * third + z * third).powi(3)
        };
        (times.p50, times.p90, times.p99) = (at(0.0), at(1.2816), at(2.3263));
        let evidence = evidence(&result, &["medium=nvme"]).expect("evidence");
        let measurement = &evidence.measurement;
        let (experiments, free) = (&measurement.experiments, &measurement.free);
        let library = (&catalog, &calibration);
        let blend = fit::blend(library, experiments, &published, free, true).expect("a blend");
        let factors = blend.after.factors();
        assumed * factors.factor(&EntryKind::Medium.number("nvme", "read_variation"))
    };
    for variation in [0.1, 0.25, 0.7, 1.5] {
        let found = blended(variation);
        let near = 0.9..1.1;
        assert!(near.contains(&(found / variation)), "{variation} {found}");
    }
}

#[test]
fn the_advice_says_what_was_measured_when_and_where() {
    let folder = scratch("bench-evidence");
    let save = folder.join("mine");
    let save = save.to_str().expect("UTF-8");
    let ran = plimsoll(&["calibrate", "--add", RESULT, "--as", "medium=nvme", "--save", save]);
    assert!(ran.code <= 1, "{}", ran.err);
    for words in ["medium nvme: stated by --as", "filesystem", "media/nvme.random_read"] {
        assert!(ran.out.contains(words), "{words}: {}", ran.out);
    }
    let ran = plimsoll(&["advise", &example("game-studio"), "--full", "--calibration", save]);
    assert!(ran.code <= 1, "{}", ran.err);
    let line = ran.out.lines().find(|line| line.contains("media/nvme.random_read"));
    assert!(line.is_some_and(|line| line.contains("measured on 2026-11-22")), "{line:?}");
}

#[test]
fn what_is_not_known_or_not_believed_is_left_out_and_told() {
    let without = evidence(&measured(), &[]).expect("evidence");
    assert!(without.left_out.iter().any(|why| why.contains("medium")), "{:?}", without.left_out);
    let mut memory = measured();
    for test in &mut memory.tests {
        test.verdict = plimsoll::bench::Verdict::NotDurable;
    }
    let refused = evidence(&memory, &["medium=nvme"]).expect_err("nothing to learn");
    assert!(refused.contains("reached no device"), "{refused}");
}

#[test]
fn a_wrong_name_of_hardware_is_told_with_the_right_one() {
    for (told, says) in [
        ("medium", "KIND=ID"),
        ("medum=nvme", "did you mean medium?"),
        ("medium=nvm", "did you mean nvme?"),
        ("disks=0", "from 1 to 10000"),
        ("disks=many", "from 1 to 10000"),
    ] {
        let ran = plimsoll(&["calibrate", "--add", RESULT, "--as", told]);
        assert!(ran.refused().contains(says), "{told}: {}", ran.err);
    }
    let folder = scratch("bench-as");
    let own = write(&folder, "own.toml", include_str!("../../../assets/examples/measurements/branchsubmit.toml"));
    let ran = plimsoll(&["calibrate", "--add", &own, "--as", "medium=nvme"]);
    assert!(ran.refused().contains("results of `plimsoll bench`"), "{}", ran.err);
}

/// A result with the processor test, whose rows take so long \[s\].
fn with_rows(row: f64) -> Measured {
    let mut result = measured();
    let mut test = result.tests[0].clone();
    "rows.1".clone_into(&mut test.id);
    test.block_bytes = None;
    test.order = None;
    test.threads = 1;
    test.verdict = plimsoll::bench::Verdict::Steady;
    test.iops = 0.01 / row;
    test.rounds = vec![test.iops; 5];
    let times = test.latency_s.as_mut().expect("times");
    times.p50 = 100.0 * row;
    test.parts = Vec::new();
    test.open_loop = None;
    result.tests = vec![test];
    result
}

/// The reference errs by 30 %, so that a host which is slower than its family is found to be a little slower.
#[test]
fn rows_in_memory_move_the_speed_of_the_processor_by_what_the_reference_allows() {
    let (catalog, calibration) = catalog();
    let published = Posterior::embedded();
    let turin = &catalog.processors["turin"];
    let ticks = &calibration.parameter("bench.row_ticks").expect("it is there").value;
    let expected = ticks.value / (turin.ipc.value * turin.clock.value.get());
    let blended = |slower: f64| {
        let result = with_rows(slower * expected);
        let evidence = evidence(&result, &["processor=turin", "medium=nvme"]).expect("evidence");
        let measurement = &evidence.measurement;
        let library = (&catalog, &calibration);
        let (experiments, free) = (&measurement.experiments, &measurement.free);
        let blend = fit::blend(library, experiments, &published, free, true).expect("a blend");
        let factors = blend.after.factors();
        let found = factors.of(&EntryKind::Processor.number("turin", "ipc"));
        let found = found.expect("it is free").clone();
        // What p4d errs by where it is judged by its processor's speed was not measured.
        assert_eq!(factors.factor(&NumberId::parameter("speed_error.2026")), 1.0);
        found
    };
    let same = blended(1.0);
    assert!((same.times - 1.0).abs() < 1e-3, "{}", same.times);
    let before = turin.ipc.spread.hypot(turin.clock.spread);
    assert!(same.spread < before && same.spread > 0.8 * before, "{}", same.spread);
    let slower = blended(1.3);
    assert!((0.9..0.999).contains(&slower.times), "{}", slower.times);
}

/// Text that is packed twice as fast as expected is believed in part: p4d packs with another implementation.
#[test]
fn packed_text_moves_what_a_byte_of_a_checkpoint_takes() {
    const BLOCK: f64 = 65_536.0;
    let (catalog, calibration) = catalog();
    let published = Posterior::embedded();
    let turin = &catalog.processors["turin"];
    let parameter = |id: &str| calibration.parameter(id).expect("it is there").value.value;
    let speed = parameter("speed.2017") / (turin.ipc.value * turin.clock.value.get());
    for (test, id) in [("deflate.1", "compress"), ("inflate.1", "decompress")] {
        let blended = |times: f64| {
            let mut result = with_rows(times * parameter(id) * speed * BLOCK / 100.0);
            test.clone_into(&mut result.tests[0].id);
            let standing = ["processor=turin", "medium=nvme"];
            let evidence = evidence(&result, &standing).expect("evidence");
            let measurement = &evidence.measurement;
            let (experiments, free) = (&measurement.experiments, &measurement.free);
            let library = (&catalog, &calibration);
            let blend = fit::blend(library, experiments, &published, free, true).expect("a blend");
            let factors = blend.after.factors();
            let found = factors.of(&NumberId::parameter(id)).expect("it is free");
            (found.times, found.spread)
        };
        let (same, spread) = blended(1.0);
        assert!((same - 1.0).abs() < 1e-3, "{test} {same}");
        assert!(spread < 0.35, "{test} {spread}");
        let (faster, _) = blended(0.5);
        assert!((0.51..0.8).contains(&faster), "{test} {faster}");
    }
}

#[test]
fn rows_of_an_unknown_processor_are_left_out() {
    let reason = evidence(&with_rows(1e-6), &["medium=nvme"]);
    let reason = reason.expect_err("nothing else was measured");
    assert!(reason.contains("--as processor=ID"), "{reason}");
    let reason = evidence(&with_rows(1e-6), &["processor=turing"]);
    let reason = reason.expect_err("there is none");
    assert!(reason.contains("turin"), "{reason}");
}
