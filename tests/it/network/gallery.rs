//! Every network of the gallery, exactly, approximately and simulated, beside what was published.
//! `UPDATE=1` renews `docs/gallery.md`.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use plimsoll::document::read_text;
use plimsoll::network::{self, Answer, File, Method};
use plimsoll::sim::{self, Estimate, Run, Span};
use plimsoll::units::significant;

/// Which number of an answer.
#[derive(Clone, Copy, Debug)]
enum Of {
    /// Throughput of a class \[1/s\].
    Throughput(&'static str),
    /// Response time of a class \[s\].
    Response(&'static str),
    /// Number at a station.
    Queue(&'static str),
    /// Number of a class at a station.
    ClassQueue(&'static str, &'static str),
    /// Time of a class at a station \[s\].
    Residence(&'static str, &'static str),
    /// Busy fraction of a station.
    Utilization(&'static str),
    /// Visits to a station \[1/s\].
    Visits(&'static str),
}

/// One number of one network.
struct Case {
    file: &'static str,
    of: Of,
    /// As published, with half a unit of its last digit; none where nobody published it.
    published: Option<(f64, f64)>,
    /// Largest relative error of the approximate method that the table shows.
    approximate: f64,
}

const fn case(file: &'static str, of: Of, value: f64, rounding: f64) -> Case {
    Case { file, of, published: Some((value, rounding)), approximate: 0.05 }
}

const fn unpublished(file: &'static str, of: Of, approximate: f64) -> Case {
    Case { file, of, published: None, approximate }
}

const CASES: &[Case] = &[
    case("mm1", Of::Response("jobs"), 5.0, 1e-9),
    case("mm1", Of::Queue("server"), 4.0, 1e-9),
    case("mm8", Of::Response("jobs"), 1.2860, 5e-5),
    case("mm8", Of::Queue("servers"), 8.2306, 5e-5),
    case("hospital", Of::Response("patients"), 1350.0, 1e-6),
    case("mg1-fcfs", Of::Response("jobs"), 1.75, 1e-9),
    case("mg1-ps", Of::Response("jobs"), 1.0, 1e-9),
    Case {
        // Arrivals as Poisson nearly double the wait: the note says so.
        approximate: 0.9,
        ..case("dm1", Of::Response("jobs"), 2.692_73, 5e-6)
    },
    case("mm1k", Of::Queue("server"), 4.276_904, 5e-7),
    case("lazowska-113", Of::Utilization("cpu"), 0.182, 5e-4),
    case("lazowska-113", Of::Visits("cpu"), 36.3, 0.05),
    case("lazowska-113", Of::Queue("cpu"), 0.222, 5e-4),
    case("lazowska-138", Of::Residence("A", "cpu"), 1.58, 5e-3),
    case("lazowska-138", Of::ClassQueue("A", "cpu"), 0.25, 5e-3),
    case("lazowska-142", Of::Throughput("A"), 3.0 / 19.0, 1e-9),
    case("lazowska-142", Of::ClassQueue("A", "disk"), 15.0 / 19.0, 1e-9),
    case("lazowska-142", Of::ClassQueue("B", "cpu"), 5.0 / 19.0, 1e-9),
    case("lazowska-148", Of::ClassQueue("C", "cpu"), 4.0 / 19.0, 1e-9),
    case("lazowska-148", Of::ClassQueue("D", "disk"), 14.0 / 19.0, 1e-9),
    case("lazowska-batch-terminal", Of::ClassQueue("batch", "cpu"), 9.717, 5e-4),
    case("lazowska-batch-terminal", Of::ClassQueue("terminals", "disk"), 2.090, 5e-4),
    case("bolch-7-4", Of::Queue("cpu"), 4.0, 1e-9),
    case("bolch-7-4", Of::Queue("printer"), 0.429, 5e-4),
    case("bolch-7-4", Of::Queue("disk"), 1.5, 1e-9),
    case("bolch-7-5", Of::Queue("one"), 0.873, 5e-4),
    case("bolch-7-5", Of::Queue("three"), 1.585, 5e-4),
    case("bolch-8-1", Of::Queue("one"), 1.290, 5e-4),
    case("bolch-8-1", Of::Throughput("jobs"), 0.944_419, 5e-7),
    case("bolch-8-1-load-dependent", Of::Queue("one"), 1.290, 5e-4),
    case("bolch-8-1-load-dependent", Of::Queue("two"), 1.050, 5e-4),
    case("bolch-8-3", Of::Queue("cpu"), 0.244, 5e-4),
    case("bolch-8-3", Of::Throughput("jobs"), 9.920, 5e-4),
    case("bolch-8-4", Of::Queue("disk 2"), 0.686, 5e-4),
    case("bolch-8-4", Of::Throughput("jobs"), 1.217_461, 5e-7),
    unpublished("bolch-9-6", Of::Throughput("terminals"), 0.05),
    case("hsieh-lam", Of::Throughput("jobs"), 6.7148, 5e-5),
    case("jain-terminals", Of::Queue("cpu"), 1.991, 5e-4),
    case("jain-terminals", Of::Queue("disk A"), 16.177, 5e-4),
    case("jain-terminals", Of::Residence("users", "disk A"), 48.54, 5e-3),
    unpublished("denning-buzen", Of::Response("terminals"), 0.05),
    case("machine-repairman", Of::Queue("repairman"), 2.145_823, 5e-7),
    case("machine-repairman", Of::Utilization("repairman"), 0.785_418, 5e-7),
    case("fork-join", Of::Response("jobs"), 2.875, 1e-9),
    case("priority", Of::Response("urgent"), 2.0, 1e-9),
    case("priority", Of::Response("patient"), 4.3333, 5e-5),
    case("preemptive-priority", Of::Response("urgent"), 1.4286, 5e-5),
    case("preemptive-priority", Of::Response("patient"), 4.7619, 5e-5),
    case("readers-writer", Of::Throughput("customers"), 3.0279, 5e-5),
    unpublished("readers-and-writers", Of::Response("readers"), 0.05),
    unpublished("readers-and-writers", Of::Response("writers"), 0.05),
    case("lru-cache", Of::Visits("disk"), 5.633, 5e-3),
    unpublished("lru-cache", Of::Response("references"), 0.05),
    unpublished("threads", Of::Response("users"), 0.1),
    unpublished("wan-link", Of::Response("transfers"), 0.05),
    unpublished("p4d-small", Of::Response("browse"), 0.1),
    unpublished("p4d-small", Of::Response("submit"), 0.1),
];

/// Half-width of the simulated intervals.
const PRECISION: f64 = 0.02;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/examples/networks")
}

impl Of {
    fn words(self) -> String {
        match self {
            Self::Throughput(class) => format!("throughput of {class}, /s"),
            Self::Response(class) => format!("response time of {class}, s"),
            Self::Queue(station) => format!("number at {station}"),
            Self::ClassQueue(class, station) => format!("number of {class} at {station}"),
            Self::Residence(class, station) => format!("time of {class} at {station}, s"),
            Self::Utilization(station) => format!("utilization of {station}"),
            Self::Visits(station) => format!("visits to {station}, /s"),
        }
    }

    fn of(self, answer: &Answer) -> Estimate {
        let class = |name: &str| answer.classes.iter().find(|c| c.name == name).unwrap();
        let station = |name: &str| answer.stations.iter().position(|s| s.name == name).unwrap();
        let plain = |value: f64| Estimate { value, half_width: if answer.run.is_some() { f64::INFINITY } else { 0.0 } };
        match self {
            Self::Throughput(name) => class(name).throughput,
            Self::Response(name) => class(name).response,
            Self::Queue(name) => answer.stations[station(name)].queue_length,
            Self::Utilization(name) => answer.stations[station(name)].utilization,
            Self::Visits(name) => answer.stations[station(name)].throughput,
            Self::ClassQueue(of, name) => plain(class(of).stations[station(name)].queue_length),
            Self::Residence(of, name) => plain(class(of).stations[station(name)].residence),
        }
    }
}

fn simulated(file: &File) -> Answer {
    let run = Run { span: Span::Steady { precision: PRECISION }, ..Run::default() };
    let one = sim::simulate(&file.model, &run, 0, &mut |_| ControlFlow::Continue(())).unwrap();
    Answer::of_simulation(&file.model, sim::fold(&file.model, &run, &[one]))
}

/// The answers for one file.
struct Answers {
    exact: Option<Answer>,
    approximate: Option<Answer>,
    simulated: Answer,
}

fn answers(file: &File) -> Answers {
    let auto = network::solve(file, Method::Auto).unwrap();
    let approximate = if auto.approximate {
        Some(auto.clone())
    } else {
        let linearizer = network::solve(file, Method::Linearizer);
        linearizer.ok().filter(|answer| answer.approximate)
    };
    Answers { exact: (!auto.approximate).then_some(auto), approximate, simulated: simulated(file) }
}

/// The row of a case; asserts that its numbers agree.
fn row(case: &Case, answers: &Answers) -> String {
    let at = format!("{}, {}", case.file, case.of.words());
    let of = |answer: &Option<Answer>| answer.as_ref().map(|a| case.of.of(a).value);
    let (exact, approximate) = (of(&answers.exact), of(&answers.approximate));
    if let (Some(exact), Some((value, rounding))) = (exact, case.published) {
        let error = (exact - value).abs();
        assert!(error <= rounding * 1.000_001, "{at}: exact {exact}, published {value}");
    }
    let estimate = case.of.of(&answers.simulated);
    let truth = case.published.map(|(value, _)| value).or(exact);
    if let Some(truth) = exact.or(truth) {
        // A number of one class has no interval of its own; its error is some multiple of the goal.
        let width = if estimate.half_width.is_finite() { 2.0 * estimate.half_width } else { 3.0 * PRECISION * truth };
        let error = (estimate.value - truth).abs();
        assert!(error <= width, "{at}: simulated {estimate:?}, true {truth}");
    }
    let truth = truth.unwrap_or(estimate.value);
    if let Some(found) = approximate {
        let error = (found / truth - 1.0).abs();
        assert!(error <= case.approximate, "{at}: approximate {found}, true {truth}");
    }
    let shown = |x: Option<f64>| x.map_or("–".to_owned(), |x| significant(x, 5));
    let published = case.published.map(|(value, rounding)| {
        // As many decimals as were printed; five digits of what a formula gives.
        if rounding < 1e-8 {
            return significant(value, 5);
        }
        let decimals = (-(2.0 * rounding).log10().floor()).max(0.0) as usize;
        format!("{value:.decimals$}")
    });
    let with_error = approximate.map_or("–".to_owned(), |found| {
        format!("{} ({:+.1} %)", significant(found, 4), (found / truth - 1.0) * 100.0)
    });
    let interval = if estimate.half_width.is_finite() {
        format!(" ± {}", significant(estimate.half_width, 2))
    } else {
        String::new()
    };
    format!(
        "| [{0}](../assets/examples/networks/{0}.toml) | {1} | {2} | {3} | {4} | {5}{interval} |\n",
        case.file,
        case.of.words(),
        published.unwrap_or_else(|| "–".to_owned()),
        shown(exact),
        with_error,
        significant(estimate.value, 4),
    )
}

const HEAD: &str = "\
# The gallery of networks

Every network of `assets/examples/networks/`, solved exactly, approximately and by simulation. *published* is what
the source that each file names prints (or its formula gives); *exact* is `--method auto` where the network has an exact
answer; *approximate* is the Linearizer, or `--method auto` where nothing is exact, with its error against the published,
exact or simulated value, in this order; *simulated* is one replication with seed 1 to 2 %, with its 95 % interval (numbers
of one class at one station have none). This page is made by `UPDATE=1 cargo test --no-default-features gallery`, which also
asserts that the numbers agree. One network by hand:

```sh
plimsoll solve assets/examples/networks/jain-terminals.toml --compare exact,amva,linearizer,sim
```

| network | what | published | exact | approximate | simulated |
|---|---|---|---|---|---|
";

#[test]
fn the_gallery_is_right_by_every_method() {
    let mut page = HEAD.to_owned();
    let mut last: Option<(&str, Answers)> = None;
    for case in CASES {
        if last.as_ref().is_none_or(|(file, _)| *file != case.file) {
            let path = folder().join(format!("{}.toml", case.file));
            let file = network::load(&path, &[]).unwrap();
            last = Some((case.file, answers(&file)));
        }
        let (_, answers) = last.as_ref().unwrap();
        page.push_str(&row(case, answers));
    }
    crate::kept::page("docs/gallery.md", &page);
}

#[test]
fn every_network_of_the_gallery_is_in_the_table() {
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let stem = name.trim_end_matches(".toml");
        assert!(CASES.iter().any(|case| case.file == stem), "{name} has no case");
        let text = read_text(&folder().join(&name)).unwrap();
        assert!(text.contains("# Source: "), "{name} names no source");
    }
}

#[test]
fn bounds_are_as_published() {
    let of = |name: &str| {
        let file = network::load(&folder().join(name), &[]).unwrap();
        network::bounds(&file).unwrap().remove(0)
    };
    // Bolch et al. 1998, example 9.6.
    let bolch = of("bolch-9-6.toml");
    // They print the asymptotic 0.109 /s and 64 s; ours lie between these and the exact answer.
    let file = network::load(&folder().join("bolch-9-6.toml"), &[]).unwrap();
    let exact = network::solve(&file, Method::Exact).unwrap();
    let exact = &exact.classes[0];
    assert!((exact.throughput.value..=0.1087).contains(&bolch.throughput_high));
    assert!((64.0..=exact.response.value).contains(&bolch.response_low));
    // Denning and Buzen 1978.
    let terminals = of("denning-buzen.toml");
    assert!((terminals.knee.unwrap() - 22.2).abs() < 1e-9);
    assert!((terminals.response_low - 10.0).abs() < 1e-9);
    assert_eq!(terminals.limited_by.as_deref(), Some("cpu"));
}
