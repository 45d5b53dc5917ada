//! Figures: report, screen and JSON show the same.

use std::collections::BTreeSet;

use plimsoll::advisor::Advice;
use plimsoll::page::page_markdown;
use plimsoll::report::{Inputs, Source, advice_json, advice_screen, report};
use plimsoll::site::Site;
use serde_json::Value;

use crate::cli::SITES;
use crate::promises::ADVISED;
use crate::shared::{Advised, FROZEN, frozen_example};

const UNITS: [&str; 24] = [
    "%", "×", "times", "people", "years", "months", "weeks", "days", "h", "min", "s", "ms", "µs", "B", "KiB", "MiB",
    "GiB", "TiB", "PiB", "KB", "MB", "GB", "TB", "PB",
];

/// Numbers with their units: "81 %", "7.5 min", "1,400 people".
fn figures(text: &str) -> BTreeSet<String> {
    let marks: &[char] = &['(', ')', ',', ';', ':', '.', '*', '|', '"', '[', ']', '?'];
    let words: Vec<&str> = text.split_whitespace().collect();
    let pairs = words.windows(2).filter_map(|pair| {
        let number = pair[0].trim_matches(marks);
        let unit = pair[1].trim_matches(marks);
        let is_number = number.replace(',', "").parse::<f64>().is_ok();
        (is_number && UNITS.contains(&unit)).then(|| format!("{number} {unit}"))
    });
    pairs.collect()
}

/// All text of a value, but for shares of what is hardly used: a chart says "< 0.1 %" of them.
fn texts(value: &Value, out: &mut String) {
    match value {
        Value::String(text) => {
            out.push_str(text);
            out.push('\n');
        }
        Value::Array(all) => all.iter().for_each(|one| texts(one, out)),
        Value::Object(map) => {
            let busy = map.get("utilization").and_then(Value::as_f64);
            if busy.is_none_or(|busy| busy >= 1e-3) {
                map.values().for_each(|one| texts(one, out));
            }
        }
        _ => {}
    }
}

fn check(site: &Site, advice: &Advice, name: &str) {
    let (catalog, calibration) = (&FROZEN.catalog, &FROZEN.calibration);
    let inputs = Inputs { site, catalog, calibration };
    let source = Source { inputs, advice, curves: None, configuration: &[], further: &[] };
    let told = page_markdown(&report(&source)).replace('\\', "");
    let shown = figures(&told);
    let screen = figures(&advice_screen(site, catalog, advice).text);
    let lacking: Vec<&String> = screen.difference(&shown).collect();
    assert!(lacking.is_empty(), "{name}: the screen alone has {lacking:?}\n{told}");
    let mut answer = String::new();
    texts(&advice_json(&inputs, advice)["answer"], &mut answer);
    let answer = figures(&answer);
    let lacking: Vec<&String> = answer.difference(&shown).collect();
    assert!(lacking.is_empty(), "{name}: JSON alone has {lacking:?}\n{told}");
    assert!(answer.len() > 5, "{name}: {answer:?}");
}

#[test]
fn report_screen_and_json_show_the_same_figures() {
    for name in SITES {
        let Advised { site, advice } = frozen_example(name);
        check(site, advice, name);
    }
    for (seed, site, advice) in ADVISED.iter() {
        check(site, advice, &format!("generated-{seed}"));
    }
}

#[test]
fn figures_are_found() {
    let found = figures("about 6 years (1,400 people, 4 times today\'s), 81 %: 7.5 min; 5 files");
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    assert_eq!(found, ["1,400 people", "4 times", "6 years", "7.5 min", "81 %"]);
}
