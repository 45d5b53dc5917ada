//! Percentiles where a few commands wait for minutes, beside simulated ones.

use std::ops::ControlFlow;
use std::path::Path;

use plimsoll::advisor::best_of_layout;
use plimsoll::sim::{self, Run, Span};
use plimsoll::system::process::process;

use super::*;

#[test]
fn who_is_nearly_never_stuck_is_fast_in_95_of_100_cases() {
    let path = Path::new("assets/examples/sun-partner-2009.toml");
    let site = site::load(path, &[], &Vocabulary::of(&CATALOG)).unwrap();
    let deployment = best_of_layout(&site, &CATALOG, &CALIBRATION, "n13-fc").unwrap();
    let load = from_site::load(&site);
    let found = predict(&deployment, &load, &CATALOG, &CALIBRATION, Effort::Shown).unwrap();
    let process = process(&deployment, &load, &CATALOG, &CALIBRATION, None).unwrap();
    let run = Run {
        span: Span::SteadyFor { time: 60_000.0 },
        events_max: 50_000_000,
        ..Run::default()
    };
    let one = sim::simulate(&process.model, &run, 0, &mut |_| ControlFlow::Continue(()));
    let simulated = sim::fold(&process.model, &run, &[one.unwrap()]);
    // Three times the mean would be 14 s for browses, a hundred times what is simulated; what is left tells of holds that are
    // shorter than pauses. Of polls more than one in twenty is stuck: 79 s would be a third of what is simulated.
    for (name, most) in [("browse", 10.0), ("poll-ide (automation)", 2.0)] {
        let told = found.class(name).unwrap().p95.value;
        let activity = process.activities.iter().position(|a| a.name == name);
        let quantiles = &simulated.activities[activity.unwrap()].quantiles;
        let truth = quantiles.iter().find(|(share, _)| *share == 0.95).unwrap();
        let off = told / truth.1.value;
        assert!(off < most && off > 1.0 / most, "{name}: {told} {truth:?}");
    }
    // A mean above the 95th percentile is explained where it is shown.
    let text = plimsoll::report::prediction_text(&found);
    let few = "(submit, sync, edit, browse, browse (automation)), fewer than one in 20 waits";
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(&text).contains(few), "{text}");
}
