//! Result files: written, read again, and refused where they are none.

use plimsoll::bench::{BenchError, Measured};

use crate::cli::{plimsoll, scratch, write};

/// What a run on a machine of one's own left, cut to a few tests.
const RESULT: &str = include_str!("../../../assets/examples/measurements/microbenchmark.toml");

pub(super) fn measured() -> Measured {
    Measured::parse(RESULT).expect("the example")
}

/// A result of one test with these rounds.
pub(super) fn with_rounds(rounds: &[f64]) -> Measured {
    let mut result = measured();
    result.tests.truncate(1);
    let mut sorted = rounds.to_vec();
    sorted.sort_by(f64::total_cmp);
    result.tests[0].iops = sorted[sorted.len() / 2];
    result.tests[0].rounds = rounds.to_vec();
    result
}

#[test]
fn a_result_is_read_as_it_was_written() {
    let result = measured();
    let again = Measured::parse(&result.to_toml().expect("text")).expect("a result");
    assert_eq!(again, result);
}

#[test]
fn what_is_no_result_is_refused_with_a_reason() {
    let reason = |text: &str| match Measured::parse(text) {
        Err(BenchError::Input(reason)) => reason,
        other => panic!("{other:?}"),
    };
    assert!(reason("schema = 1\n").contains("no result of a benchmark"));
    assert!(reason("schema = ").contains("line 1"));
    assert!(reason(&RESULT.replacen("schema = 1", "schema = 2", 1)).contains("this version reads schema 1"));
    let odd = RESULT.replacen("tool = ", "toll = ", 1);
    assert!(reason(&odd).contains("toll"), "{}", reason(&odd));
    let negative = RESULT.replacen("iops = ", "iops = -", 1);
    assert!(reason(&negative).contains("negative"), "{}", reason(&negative));
    let endless = RESULT.replacen("iops = ", "iops = inf # ", 1);
    assert!(reason(&endless).contains("infinite"), "{}", reason(&endless));
}

#[test]
fn two_files_are_compared_in_text_and_json() {
    let folder = scratch("bench-compare");
    let a = write(&folder, "a.toml", RESULT);
    let mut faster = measured();
    for test in &mut faster.tests {
        test.iops *= 2.0;
        test.rounds.iter_mut().for_each(|r| *r *= 2.0);
    }
    let b = write(&folder, "b.toml", faster.to_toml().expect("text"));
    let ran = plimsoll(&["bench", "--compare", &a, &b]);
    assert!(ran.done().contains("faster"), "{}", ran.out);
    let answer = plimsoll(&["bench", "--compare", &a, &b, "--format", "json"]).json();
    let first = &answer["tests"][0];
    assert_eq!(first["ratio"]["value"], 2.0);
    assert_eq!(first["verdict"], "faster");
    let ran = plimsoll(&["bench", "--compare", &a, "none.toml"]);
    assert!(ran.refused().contains("none.toml"), "{}", ran.err);
}
