//! What every feature of a network file is to the analytic methods: exact, approximate or left out. Each is measured
//! against simulations, and `UPDATE=1` renews the table of docs/network-file.md.

use std::ops::ControlFlow;

use plimsoll::network::{self, Answer, Method};
use plimsoll::sim::{self, Run, Span};

/// A feature, networks that have it, and what the page says.
struct Feature {
    name: &'static str,
    /// Networks, without their first line.
    networks: &'static [&'static str],
    /// What analytic methods do; none where they are exact.
    by: Option<&'static str>,
    /// The error that the answer states, as a fraction; none where it states that nothing limits it.
    stated: Option<f64>,
    method: Method,
}

const fn exact(name: &'static str, networks: &'static [&'static str]) -> Feature {
    Feature { name, networks, by: None, stated: Some(0.0), method: Method::Auto }
}

const fn near(name: &'static str, by: &'static str, stated: f64, networks: &'static [&'static str]) -> Feature {
    Feature { name, networks, by: Some(by), stated: Some(stated), method: Method::Auto }
}

const fn unlimited(name: &'static str, by: &'static str, networks: &'static [&'static str]) -> Feature {
    Feature { stated: None, ..near(name, by, 0.0, networks) }
}

/// Two closed classes with services of 1 s and 0.1 s at station s.
macro_rules! two {
    ($station:literal) => {
        concat!(
            "[station.s]\n",
            $station,
            "\n[class.a]\npopulation = 4\nthink = \"3 s\"\npriority = 1\ndemand.s = \"1 s\"\n",
            "[class.b]\npopulation = 4\nthink = \"1 s\"\ndemand.s = \"0.1 s\"\n"
        )
    };
}

/// One closed class of five with this path.
macro_rules! path {
    ($path:literal) => {
        concat!(
            "[station.cpu]\n[station.disk]\nkind = \"fcfs\"\n[pool.p]\ncapacity = 2\n[lock.l]\n[lock.m]\n",
            "[cache.drawn]\nhit = \"70 %\"\n[cache.lru]\nitems = 100\ncapacity = 20\nskew = 1\n",
            "[class.a]\npopulation = 5\nthink = \"2 s\"\nservice = { cpu = \"0.3 s\", disk = \"0.2 s\" }\npath = ",
            $path,
            "\n"
        )
    };
}

/// An open class at one station.
macro_rules! open {
    ($station:literal, $arrivals:literal) => {
        concat!("[station.s]\n", $station, "\n[class.a]\n", $arrivals, "\ndemand.s = \"0.7 s\"\n")
    };
}

const FEATURES: &[Feature] = &[
    exact(
        "`ps`, `delay`, `link`, with any service",
        &[
            two!(""),
            two!("servers = 3"),
            "[station.s]\n[station.d]\nkind = \"delay\"\n[class.a]\npopulation = 6\nthink = \"1 s\"\ndemand = { s = { mean = \"0.5 s\", scv = 5 }, d = { shape = \"constant\", mean = \"1 s\" } }\n",
            "[station.wan]\nkind = \"link\"\nbandwidth = \"10 MB/s\"\nwindow = \"1 MB\"\nrtt = \"250 ms\"\n[class.a]\nrate = \"3 /s\"\ndemand.wan = \"2 MB\"\n",
        ],
    ),
    exact(
        "`fcfs`, all with the same exponential service",
        &[
            "[station.s]\nkind = \"fcfs\"\nservers = 2\n[class.a]\npopulation = 4\nthink = \"1 s\"\ndemand.s = \"1 s\"\n[class.b]\npopulation = 2\nthink = \"3 s\"\ndemand.s = \"1 s\"\n",
        ],
    ),
    exact(
        "`fcfs` and `priority`, one server, Poisson arrivals, nothing else visited",
        &[
            "[station.s]\nkind = \"fcfs\"\n[class.a]\nrate = \"0.5 /s\"\ndemand.s = { mean = \"1 s\", scv = 3 }\n",
            "[station.s]\nkind = \"priority\"\n[class.a]\nrate = \"0.3 /s\"\ndemand.s = \"1 s\"\n[class.b]\nrate = \"0.3 /s\"\npriority = 1\ndemand.s = { shape = \"constant\", mean = \"1.2 s\" }\n",
        ],
    ),
    near(
        "`fcfs` with unlike services",
        "residual times (Reiser 1979)",
        0.45,
        &[
            two!("kind = \"fcfs\""),
            two!("kind = \"fcfs\"\nservers = 2"),
            two!("kind = \"fcfs\"\nservers = 3"),
            "[station.s]\nkind = \"fcfs\"\nservers = 2\n[class.a]\nrate = \"1 /s\"\ndemand.s = { mean = \"1.5 s\", scv = 6 }\n",
        ],
    ),
    exact(
        "`lcfs-pr`, one server or `speeds`",
        &[two!("kind = \"lcfs-pr\""), two!("kind = \"lcfs-pr\"\nspeeds = [1, 1.5, 2]")],
    ),
    near(
        "`lcfs-pr`, several servers with unlike services",
        "as `ps`",
        0.71,
        &[
            two!("kind = \"lcfs-pr\"\nservers = 2"),
            "[station.s]\nkind = \"lcfs-pr\"\nservers = 2\n[class.a]\npopulation = 4\nthink = \"1 s\"\ndemand.s = { mean = \"1 s\", scv = 10 }\n[class.b]\npopulation = 4\nthink = \"1 s\"\ndemand.s = \"0.1 s\"\n",
        ],
    ),
    near(
        "`priority`, `preemptive-priority`",
        "mean values (Bryant et al. 1984)",
        0.32,
        &[
            two!("kind = \"priority\""),
            two!("kind = \"preemptive-priority\""),
            two!("kind = \"preemptive-priority\"\nservers = 2"),
            "[station.s]\nkind = \"preemptive-priority\"\n[class.a]\npopulation = 3\nthink = \"2 s\"\ndemand.s = \"1 s\"\n[class.b]\npopulation = 4\nthink = \"4 s\"\npriority = 1\ndemand.s = \"1 s\"\n",
        ],
    ),
    exact("`speeds`", &[two!("speeds = [1, 1.5, 1.2, 0.8]"), two!("speeds = [1, 2, 2.5]")]),
    Feature {
        method: Method::Linearizer,
        ..near(
            "`speeds` that fall, by `amva`, `linearizer`, `aql`",
            "as at the mean number",
            0.33,
            &[two!("speeds = [1, 1.5, 1.2, 0.8]"), two!("speeds = [1, 0.6, 0.5]")],
        )
    },
    exact(
        "`population`, `think`, `rate`; `demand`, `visits`, `routing`",
        &[
            "[station.cpu]\n[station.disk]\n[class.a]\npopulation = 5\nthink = { mean = \"2 s\", scv = 4 }\nservice = { cpu = \"0.2 s\", disk = \"0.5 s\" }\nenter = \"cpu\"\nrouting = { cpu = { disk = 0.6 }, disk = \"cpu\" }\n[class.b]\nrate = \"0.3 /s\"\nvisits = { cpu = 1.5, disk = 0.5 }\nservice = { cpu = \"0.2 s\", disk = \"0.5 s\" }\n",
        ],
    ),
    near(
        "a closed class of which all times are constant",
        "as if they varied",
        0.4,
        &[
            "[station.s]\nkind = \"lcfs-pr\"\n[class.a]\npopulation = 5\nthink = { shape = \"constant\", mean = \"6 s\" }\ndemand.s = { shape = \"constant\", mean = \"0.5 s\" }\n",
        ],
    ),
    near(
        "`interarrival`, all stations `fcfs` or `delay`",
        "decomposition (Whitt 1983)",
        0.18,
        &[
            open!("kind = \"fcfs\"", "interarrival = { shape = \"constant\", mean = \"1 s\" }"),
            open!("kind = \"fcfs\"", "interarrival = { mean = \"1 s\", scv = 4 }"),
            "[station.s]\nkind = \"fcfs\"\nservers = 2\n[class.a]\ninterarrival = { mean = \"1 s\", scv = 6 }\ndemand.s = { shape = \"constant\", mean = \"1 s\" }\n",
            "[station.s]\nkind = \"fcfs\"\n[station.t]\nkind = \"fcfs\"\nservers = 2\n[class.a]\ninterarrival = { mean = \"1 s\", scv = 10 }\ndemand = { s = \"0.3 s\", t = { shape = \"constant\", mean = \"1.4 s\" } }\n",
        ],
    ),
    unlimited(
        "`interarrival` elsewhere, `burst`",
        "a Poisson stream of the same rate",
        &[
            open!("", "interarrival = { mean = \"1 s\", scv = 6 }"),
            open!("", "burst = { rates = [\"0.2 /s\", \"4 /s\"], stays = [\"80 s\", \"10 s\"] }"),
        ],
    ),
    near(
        "`shared`, `exclusive`",
        "surrogate delays (Jacobson and Lazowska 1982)",
        0.72,
        &[
            path!("[\"cpu\", { exclusive = \"l\", steps = [\"disk\"] }]"),
            path!("[\"cpu\", { shared = \"l\", steps = [\"disk\", { exclusive = \"m\", steps = [\"cpu\"] }] }]"),
            path!("[{ exclusive = \"l\", steps = [\"cpu\", { exclusive = \"m\", steps = [\"disk\"] }] }]"),
        ],
    ),
    near(
        "`pool`, held once, around whole stations",
        "a flow-equivalent server (Chandy et al. 1975)",
        0.39,
        &[
            path!("[{ pool = \"p\", steps = [\"cpu\", \"disk\"] }]"),
            path!("[\"cpu\", { pool = \"p\", steps = [\"disk\"] }]"),
            "[station.s]\n[station.t]\n[pool.p]\ncapacity = 2\n[class.a]\npopulation = 4\nthink = \"2 s\"\nservice = { s = \"0.8 s\", t = \"0.1 s\" }\npath = [{ pool = \"p\", steps = [\"s\", \"t\"] }]\n[class.b]\npopulation = 4\nthink = \"2 s\"\nservice = { s = \"0.1 s\", t = \"0.2 s\" }\npath = [{ pool = \"p\", steps = [\"s\", \"t\"] }]\n",
        ],
    ),
    unlimited(
        "`pool` in any other way",
        "left out",
        &[path!("[\"cpu\", { pool = \"p\", count = 2, steps = [\"cpu\", \"disk\"] }]")],
    ),
    near(
        "`fork`, each station in one branch, once",
        "the longest of independent branches (Nelson and Tantawi 1988)",
        0.15,
        &[
            path!("[{ fork = [[\"cpu\"], [\"disk\"]] }]"),
            "[station.a]\n[station.b]\n[station.c]\n[class.j]\nrate = \"0.7 /s\"\nservice = { a = { mean = \"1 s\", scv = 3 }, b = \"1 s\", c = \"0.8 s\" }\npath = [{ fork = [[\"a\"], [\"b\"], [\"c\"]] }]\n",
        ],
    ),
    near(
        "`fork` in any other way",
        "branches one after the other",
        0.92,
        &[
            path!("[{ fork = [[\"cpu\"], [\"cpu\", \"disk\"]] }]"),
            "[station.s]\nkind = \"fcfs\"\nservers = 4\n[class.a]\npopulation = 1\nthink = \"1 s\"\nservice.s = \"1 s\"\npath = [{ fork = [[\"s\"], [\"s\"], [\"s\"], [\"s\"]] }]\n",
        ],
    ),
    near(
        "`spawn`",
        "a Poisson stream",
        0.1,
        &[path!("[\"cpu\", { spawn = [\"disk\"] }]"), path!("[\"cpu\", { spawn = [\"cpu\", \"disk\"] }, \"disk\"]")],
    ),
    exact(
        "`choose`, `repeat`, `activity`, a `cache` with `hit`",
        &[path!(
            "[\"cpu\", { choose = [{ chance = 0.4, steps = [\"disk\"] }] }, { repeat = 2, steps = [\"cpu\"] }, { cache = \"drawn\", miss = [\"disk\"] }]"
        )],
    ),
    near(
        "a `cache` with `items`",
        "Che's approximation (2002)",
        0.02,
        &[path!("[\"cpu\", { cache = \"lru\", miss = [\"disk\", \"disk\"] }]")],
    ),
    near(
        "`sized`",
        "sizes independent of each other",
        0.15,
        &[path!("[{ sized = { scv = 4 }, steps = [\"cpu\", \"disk\"] }]")],
    ),
];

/// What was found of a feature.
struct Found {
    /// Largest error of a throughput or a response time.
    error: f64,
    /// Whether the answers say that they are exact.
    says_exact: bool,
    lines: Vec<String>,
}

fn simulated(file: &network::File) -> Answer {
    let run = Run { span: Span::Steady { precision: 0.02 }, events_max: 400_000, ..Run::default() };
    let one = sim::simulate(&file.model, &run, 0, &mut |_| ControlFlow::Continue(())).unwrap();
    Answer::of_simulation(&file.model, sim::fold(&file.model, &run, &[one]))
}

fn measure(feature: &Feature) -> Found {
    let mut found = Found { error: 0.0, says_exact: true, lines: Vec::new() };
    for network in feature.networks {
        let text = format!("schema = 1\n{network}");
        let file = match network::parse("feature.toml", &text, &[]) {
            Ok(file) => file,
            Err(wrong) => panic!("{}", wrong.render()),
        };
        let answer = network::solve(&file, feature.method).unwrap();
        let truth = simulated(&file);
        for (class, truth) in answer.classes.iter().zip(&truth.classes) {
            let pairs = [(class.throughput, truth.throughput), (class.response, truth.response)];
            for (value, truth) in pairs {
                // What the simulation does not know is no error.
                let off = ((value.value - truth.value).abs() - truth.half_width).max(0.0);
                found.error = found.error.max(off / truth.value);
            }
        }
        found.says_exact &= !answer.approximate;
        found.lines.push(answer.solved_by);
    }
    found
}

fn percent(share: f64) -> String {
    format!("{} %", (100.0 * share).ceil())
}

fn table(found: &[Found]) -> String {
    let mut page = String::from("| feature | analytic methods | error stated | measured in |\n|---|---|---|---|\n");
    for (feature, found) in FEATURES.iter().zip(found) {
        let by = feature.by.map_or("exact".to_owned(), |by| format!("approximate: {by}"));
        let stated = match feature.stated {
            Some(0.0) => "none".to_owned(),
            Some(stated) => format!("up to {:.0} %", 100.0 * stated),
            None => format!("no limit ({} here)", percent(found.error)),
        };
        let networks = match feature.networks.len() {
            1 => "1 network".to_owned(),
            n => format!("{n} networks"),
        };
        page.extend([format!("| {} | {by} | {stated} | {networks} |\n", feature.name)]);
    }
    page
}

#[test]
fn every_feature_is_as_exact_as_the_answer_and_the_page_say() {
    let found: Vec<Found> = FEATURES.iter().map(measure).collect();
    for (feature, found) in FEATURES.iter().zip(&found) {
        let name = feature.name;
        match feature.stated {
            Some(0.0) => {
                assert!(found.says_exact, "{name}: {:?}", found.lines);
                assert!(found.error < 0.01, "{name} is {} off", found.error);
            }
            Some(stated) => {
                assert!(found.error <= stated, "{name}: {} is more than stated", found.error);
                assert!(found.error > 0.4 * stated || stated <= 0.02, "{name}: only {}", found.error);
                let words = format!("(measured up to {:.0} % off)", 100.0 * stated);
                let all_say = found.lines.iter().all(|line| line.contains(&words));
                assert!(all_say, "{name}: {:?} without {words}", found.lines);
            }
            None => {
                let words = "(error without limit)";
                let all_say = found.lines.iter().all(|line| line.contains(words));
                assert!(all_say, "{name}: {:?}", found.lines);
            }
        }
    }
    crate::kept::section("docs/network-file.md", "features", &table(&found));
}
