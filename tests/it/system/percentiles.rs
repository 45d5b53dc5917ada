//! Percentiles where a few commands wait for minutes, beside simulated ones.

use super::*;
use plimsoll::catalog::Step;

#[test]
fn who_is_nearly_never_stuck_is_fast_in_95_of_100_cases() {
    let (deployment, load) = suns("n13-fc");
    let load = in_flight(load, SUNS_IN_FLIGHT);
    let found = shown(&deployment, &load);
    let (process, simulated) = simulated(&deployment, &load, 60_000.0 / 3600.0);
    // Three times the mean would be 14 s for browses, a hundred times what is simulated; what is left tells of holds that are
    // shorter than pauses. Of polls more than one in twenty is stuck: 79 s would be a third of what is simulated.
    for (name, most) in [("browse", 10.0), ("poll-ide (automation)", 2.0)] {
        let told = crate::class(&found, name).unwrap().p95.value;
        let activity = process.activities.iter().position(|a| a.name == name);
        let quantiles = &simulated.activities[activity.unwrap()].quantiles;
        let truth = quantiles.iter().find(|(share, _)| *share == 0.95).unwrap();
        let off = told / truth.1.value;
        assert!(off < most && off > 1.0 / most, "{name}: {told} {truth:?}");
    }
    // A mean above the 95th percentile is explained where it is shown.
    let text = plimsoll::report::prediction_text(&found, None);
    let few = "(submit, sync, edit, browse, browse (automation)), fewer than one command in 20 waits";
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(&text).contains(few), "{text}");
}

/// 95th percentile less mean of a command of a stated size that reads so many pages, over its time at the drives: solved and
/// simulated.
fn of_reads(medium: &'static str, pages: f64) -> [f64; 2] {
    let site = Answers { medium, ..ORDINARY }.site();
    let mut deployment = on("local-all", &rich(&site));
    deployment.cores = 4096.0;
    let mut catalog = CATALOG.clone();
    let command = catalog.commands.get_mut("fstst-8k-read").expect("a command");
    for step in &mut command.steps {
        if let Step::ReadPages(count) = step {
            count.value = pages;
        }
    }
    let calibration = first_principles::with_parameter("size.command", 0.0);
    let read = CATALOG.media[medium].random_read.value.base();
    let mut load = from_site::load(&site);
    load.cold = true;
    load.groups = vec![Group {
        clients: Clients::Benchmark("reads".to_owned()),
        arrival: Arrival::Open { rate: 0.01 / (pages * read) },
        calls: vec![Call::once("fstst-8k-read", 0.0, 0.0)],
        remote: None,
        threads: 1.0,
        connected: true,
        of_builds: 0.0,
    }];
    let found = predict(&deployment, &load, &catalog, &calibration).expect("it is idle");
    let solved = &found.classes[0];
    let process = process(&deployment, &load, &catalog, &calibration, None);
    let process = process.expect("it can be simulated");
    let run = Run { span: Span::SteadyFor { time: 2e6 * pages * read }, ..Run::default() };
    let one = sim::simulate(&process.model, &run, 0, &mut |_| ControlFlow::Continue(()));
    let simulated = sim::fold(&process.model, &run, &[one.expect("it runs")]);
    let activity = &simulated.activities[0];
    let p95 = activity.quantiles.iter().find(|(share, _)| *share == 0.95);
    let p95 = p95.expect("it is told").1.value;
    let mut parts = solved.parts.iter();
    let disks = parts.find(|(kind, _)| *kind == ResourceKind::Disks);
    let disks = disks.expect("it reads").1;
    let beyond = [solved.p95.value - solved.mean.value, p95 - activity.response.value];
    beyond.map(|seconds| seconds / disks)
}

#[test]
fn one_read_has_the_quantiles_of_its_medium_and_ten_thousand_have_their_mean() {
    for medium in ["disk-15k", "disk-sata", "nvme", "ssd-sas"] {
        // Of a normal time with this variation 5 % take longer than 1.645 σ beyond the mean; with a right tail a little longer.
        let normal = 1.645 * CATALOG.media[medium].read_variation.value;
        for found in of_reads(medium, 1.0) {
            assert!((0.8..1.2).contains(&(found / normal)), "{medium}: {found} {normal}");
        }
        for found in of_reads(medium, 10_000.0) {
            assert!(found.abs() < 0.02, "{medium}: {found}");
        }
    }
}
