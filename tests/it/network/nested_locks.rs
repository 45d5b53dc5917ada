//! Readers and writers of nested locks always have an answer: analysis, or what the command simulates in its place.
#![expect(clippy::let_underscore_must_use, reason = "writing to a text cannot fail")]

use std::fmt::Write as _;

use plimsoll::network::{self, Method, Unsolved};

use super::generated::Draw;
use crate::cli::{plimsoll, scratch, write};

/// Steps that hold locks from this one on inside each other.
fn nested(draw: &mut Draw, from: usize, locks: usize, stations: usize) -> String {
    let mut steps = Vec::new();
    if draw.below(2) == 0 {
        steps.push(format!("\"s{}\"", draw.below(stations)));
    }
    if from < locks && draw.below(5) > 0 {
        let lock = from + draw.below(locks - from);
        let mode = ["shared", "exclusive"][draw.below(2)];
        let inner = nested(draw, lock + 1, locks, stations);
        steps.push(format!("{{ {mode} = \"l{lock}\", steps = {inner} }}"));
    }
    steps.push(format!("\"s{}\"", draw.below(stations)));
    format!("[{}]", steps.join(", "))
}

fn network(draw: &mut Draw) -> String {
    let (stations, locks) = (1 + draw.below(3), 2 + draw.below(4));
    let mut text = String::from("schema = 1\n");
    for idx in 0..stations {
        let kind = ["ps", "fcfs"][if idx == 0 { 0 } else { draw.below(2) }];
        let _ = writeln!(text, "[station.s{idx}]\nkind = \"{kind}\"\nservers = {}", 1 + draw.below(4));
    }
    for idx in 0..locks {
        let _ = writeln!(text, "[lock.l{idx}]");
    }
    for idx in 0..=draw.below(4) {
        let _ = writeln!(text, "[class.c{idx}]");
        if draw.below(4) > 0 {
            let (population, think) = (1 + draw.below(40), 0.1 + 10.0 * draw.unit());
            let _ = writeln!(text, "population = {population}\nthink = \"{think} s\"");
        } else {
            let _ = writeln!(text, "rate = \"{} /s\"", 0.3 * draw.unit());
        }
        let path = nested(draw, 0, locks, stations);
        let _ = writeln!(text, "path = {path}\n[class.c{idx}.service]");
        for station in 0..stations {
            let _ = writeln!(text, "s{station} = \"{} s\"", 0.02 + 0.4 * draw.unit());
        }
    }
    text
}

/// One such network in four asks a lock for more than it can do at its fixed point, or has none, and is simulated.
#[test]
fn waits_for_nested_locks_settle() {
    let (mut solved, mut unsettled) = (0, 0);
    for seed in 4..24 {
        let text = network(&mut Draw(seed * 7919 + 3));
        let file = match network::parse("locks.toml", &text, &[]) {
            Ok(file) => file,
            Err(wrong) => panic!("{}", wrong.render()),
        };
        match network::solve(&file, Method::Auto) {
            Ok(answer) => {
                let sound = |x: f64| x.is_finite() && x >= 0.0;
                let mut classes = answer.classes.iter();
                assert!(classes.all(|c| sound(c.throughput.value) && sound(c.response.value)));
                solved += 1;
            }
            Err(Unsolved::Saturated { .. }) => solved += 1,
            Err(Unsolved::NotSettled(_)) => unsettled += 1,
            Err(other) => panic!("{other}\n{text}"),
        }
    }
    assert!(solved >= 13, "{solved} {unsettled}");
}

/// Writers who fill one lock while readers come to it from inside another: no fixed point is found.
const UNSETTLED: &str = r#"
schema = 1
[station.s]
[lock.outer]
[lock.inner]
[class.writers]
population = 28
think = "9.313664939742972 s"
service.s = "0.2748022261579395 s"
path = [{ exclusive = "inner", steps = ["s"] }, "s"]
[class.readers]
population = 12
think = "1.6502633880574458 s"
service.s = "0.38340839292438883 s"
path = ["s", { exclusive = "outer", steps = [{ shared = "inner", steps = ["s", "s"] }, "s"] }, "s"]
"#;

#[test]
fn what_does_not_settle_is_simulated_and_says_so() {
    let folder = scratch("nested-locks");
    let path = write(&folder, "locks.toml", UNSETTLED);
    let run = |method: &str| {
        let arguments = ["solve", &path, "--quiet", "--precision", "10%", "--method", method];
        plimsoll(&arguments)
    };
    let auto = run("auto");
    let text = auto.done();
    assert!(text.contains("solved by: simulation"), "{text}");
    assert!(text.contains("note: simulated, since analysis found no fixed point"), "{text}");
    let linearizer = run("linearizer");
    let error = linearizer.refused();
    assert!(error.contains("use --method auto or sim"), "{error}");
}
