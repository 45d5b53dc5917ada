//! What the model of p4d must obey, whatever the site: the sites and checks that the files below share.

mod batch_arrivals;
mod benchmarks;
mod binding_numbers;
mod caches;
mod changes;
mod distance;
mod durable;
mod failures;
mod first_principles;
mod instances;
mod large_syncs;
mod laws;
mod logged;
mod long_holds;
mod near_saturation;
mod nfs;
mod p4d;
mod percentiles;
mod processors;
mod recoveries;
mod rest;
mod sizes;
mod waking;
mod worlds;

use std::ops::ControlFlow;
use std::path::Path;

use proptest::prelude::*;

use plimsoll::advisor::{best_of_layout, candidates, choices_for};
use plimsoll::calibration::Calibration;
use plimsoll::catalog::{Catalog, ReadLocks};
use plimsoll::sim::{self, Outcome, Run, Span};
use plimsoll::site::{self, Site, Vocabulary};
use plimsoll::system::cache::{Popularity, hit_ratio};
use plimsoll::system::capacity::{self, RoleSize};
use plimsoll::system::interval::add_intervals;
use plimsoll::system::process::{Process, process};
use plimsoll::system::{
    BindError, Choices, ClassPrediction, Deployment, Job, PredictError, Prediction, ResourceKind, bind, commit_time,
    durations, predict,
};
use plimsoll::units::{Bytes, Quantity};
use plimsoll::workload::{Arrival, Call, Clients, Group, Load, from_site};

use crate::shared::{CALIBRATION, CATALOG, VOCABULARY};

fn read(text: &str) -> Site {
    site::parse("site.toml", text, &[], &VOCABULARY).unwrap_or_else(|d| panic!("{text}\n{}", d.render()))
}

/// Choices of a site that has everything a layout may ask for.
fn rich(site: &Site) -> Choices {
    let choices = choices_for(site, &CATALOG);
    Choices {
        local: Some((site.server.local_medium.value.clone(), 12.0)),
        block: Some(("fas3270".to_owned(), "fc".to_owned())),
        file: Some(("fas3270".to_owned(), "nfsv3".to_owned())),
        object: Some(("cloud-object".to_owned(), "s3".to_owned())),
        provider: Some("aws".to_owned()),
        ..choices
    }
}

/// Every general layout that the release has, with as many edges as it allows.
fn layouts(choices: &Choices) -> Vec<Deployment> {
    let general = CATALOG.layouts.values().filter(|l| !l.reference);
    general
        .filter_map(|layout| {
            let edges = layout.edges.iter().copied().max().unwrap_or(0);
            let choices = Choices { edges, ..choices.clone() };
            match bind(&CATALOG, layout, &choices) {
                Err(BindError::Release { .. }) => None,
                bound => Some(bound.expect("the site has everything else")),
            }
        })
        .collect()
}

fn solve(deployment: &Deployment, load: &Load) -> Result<Prediction, PredictError> {
    predict(deployment, load, &CATALOG, &CALIBRATION)
}

/// A site file with the answers that matter here.
#[derive(Debug, Clone)]
struct Answers {
    developers: u32,
    commands: u32,
    submits: u32,
    files_per_submit: u32,
    large_syncs: u32,
    ram: u32,
    release: &'static str,
    server: &'static str,
    medium: &'static str,
    offices: u32,
    network: &'static str,
}

/// A middling site of today.
const ORDINARY: Answers = Answers {
    developers: 300,
    commands: 600,
    submits: 5,
    files_per_submit: 10,
    large_syncs: 3,
    ram: 128,
    release: "2024.2",
    server: "present-32c",
    medium: "nvme",
    offices: 0,
    network: "eth-10g",
};

impl Answers {
    fn text(&self) -> String {
        let Self {
            developers,
            commands,
            submits,
            files_per_submit,
            large_syncs,
            ram,
            release,
            server,
            medium,
            network,
            offices,
        } = self;
        let (all, submitted) = (commands * developers, submits * developers);
        let mut text = format!(
            "schema = 1\nname = \"Any\"\n[people]\ndevelopers = {developers}\n\
             [workload]\ncommands_per_day = \"{all} /day\"\nsubmits_per_day = \"{submitted} /day\"\n\
             files_per_submit = {files_per_submit}\nconcurrent_syncs = {large_syncs}\n\
             [server]\nmodel = \"{server}\"\nrelease = \"{release}\"\nram = \"{ram} GiB\"\n\
             local_medium = \"{medium}\"\n\
             [infrastructure]\nstorage_network = \"{network}\"\nclient_network = \"{network}\"\n",
        );
        for office in 0..*offices {
            let office = format!(
                "[[people.site]]\nname = \"Office {office}\"\ndevelopers = {}\nround_trip = \"80 ms\"\n\
                 bandwidth = \"200 Mb/s\"\n",
                developers / 5
            );
            text.push_str(&office);
        }
        text
    }

    fn site(&self) -> Site {
        read(&self.text())
    }
}

fn answers() -> impl Strategy<Value = Answers> {
    let hosts = prop::sample::select(vec![
        ("2005.2", "dell-2950", "disk-10k", "eth-1g"),
        ("2012.1", "dl580-g7", "disk-15k", "eth-1g"),
        ("2016.2", "pure-host", "ssd-sas", "eth-10g"),
        ("2024.2", "present-16c", "nvme", "eth-25g"),
    ]);
    let counts = (10_u32..4000, 60_u32..2000, 1_u32..40, 1_u32..300);
    (counts, 0_u32..40, 2_u32..512, hosts, 0_u32..4).prop_map(
        |((developers, commands, submits, files_per_submit), large_syncs, ram, host, offices)| {
            let (release, server, medium, network) = host;
            Answers {
                developers,
                commands,
                submits,
                files_per_submit,
                large_syncs,
                ram,
                release,
                server,
                medium,
                offices,
                network,
            }
        },
    )
}

/// A site's load with one of its groups alone.
fn alone(load: &Load, group: &Group) -> Load {
    let mut load = load.clone();
    load.groups = vec![group.clone()];
    load
}

/// A load with so many large syncs in flight all the time, as in published tests, in place of those that a day brings.
fn in_flight(load: Load, count: f64) -> Load {
    let mut load = load;
    for group in &mut load.groups {
        if group.clients == Clients::LargeSyncs {
            group.arrival = Arrival::Closed { population: count, think_time: 0.0 };
        }
    }
    load
}

/// The ordinary site on one layout.
fn ordinary(layout: &str) -> (Site, Load, Deployment) {
    let site = ORDINARY.site();
    let load = from_site::load(&site);
    let deployment = on(layout, &rich(&site));
    (site, load, deployment)
}

fn on(layout: &str, choices: &Choices) -> Deployment {
    bind(&CATALOG, &CATALOG.layouts[layout], choices).expect("the site has everything")
}

fn shown(deployment: &Deployment, load: &Load) -> Prediction {
    solve(deployment, load).expect("it is not saturated")
}

/// What is simulated of it in so many hours, at most 50 million events.
fn simulated(deployment: &Deployment, load: &Load, hours: f64) -> (Process, Outcome) {
    let process = process(deployment, load, &CATALOG, &CALIBRATION, None);
    let process = process.expect("it can be simulated");
    let run = Run { span: Span::SteadyFor { time: hours * 3600.0 }, events_max: 50_000_000, ..Run::default() };
    let one = sim::simulate(&process.model, &run, 0, &mut |_| ControlFlow::Continue(()));
    let found = sim::fold(&process.model, &run, &[one.expect("it runs")]);
    (process, found)
}

/// So many large syncs are in flight at Sun's partner, as E07 judges servers for 200 to 1,000 people by 1 to 5.
const SUNS_IN_FLIGHT: f64 = 3.0;

/// The example of Sun's partner, whose large syncs read their tables for minutes, in a layout.
fn suns(layout: &str) -> (Deployment, Load) {
    let path = Path::new("assets/examples/sun-partner-2009.toml");
    let site = site::load(path, &[], &VOCABULARY).expect("it is right");
    let deployment = best_of_layout(&site, &CATALOG, &CALIBRATION, layout);
    (deployment.expect("it has that"), from_site::load(&site))
}

fn resource(prediction: &Prediction, name: &str) -> f64 {
    let found = prediction.resources.iter().find(|r| r.resource.name == name);
    found.unwrap_or_else(|| panic!("no {name}")).utilization
}

/// Seconds that a class waits for locks.
fn lock_part(prediction: &Prediction, class: &str) -> f64 {
    let class = crate::class(prediction, class).expect("the class is there");
    let lock = class.parts.iter().find(|(kind, _)| *kind == ResourceKind::Lock);
    lock.map_or(0.0, |(_, seconds)| *seconds)
}

fn check_finite(what: &str, prediction: &Prediction) {
    let good = |name: &str, value: f64| {
        assert!(value.is_finite() && value >= 0.0, "{what}: {name} is {value}");
    };
    for class in &prediction.classes {
        for interval in [class.mean, class.p95] {
            good(&class.name, interval.value);
            good(&class.name, interval.low);
            good(&class.name, interval.high);
        }
        good(&class.name, class.throughput);
        good(&class.name, class.rate.unwrap_or(0.0));
        let parts: f64 = class.parts.iter().map(|(_, seconds)| seconds).sum();
        let error = (parts - class.mean.value).abs();
        assert!(error <= 1e-9 * class.mean.value, "{what}: the parts of {}", class.name);
    }
    for share in prediction.resources.iter().map(|r| (&r.resource.name, r.utilization)) {
        good(share.0, share.1);
        assert!(share.1 <= 1.0, "{what}: {share:?}");
    }
    for lock in &prediction.locks {
        for value in [lock.write_wait, lock.read_wait, lock.hold, lock.utilization] {
            good(&lock.lock.name, value);
        }
    }
    if let Some(commit) = prediction.commit {
        good("commit section", commit.hold);
        assert!(commit.hold > 0.0, "{what}: a commit takes time");
    }
    for ((_, role), io) in &prediction.io {
        for value in [io.reads, io.writes, io.bytes] {
            good(role, value);
        }
    }
    prediction.group_rates.iter().for_each(|rate| good("a rate", *rate));
    for hit in [prediction.db_hit, prediction.depot_hit] {
        assert!((0.0..=1.0).contains(&hit), "{what}: hit {hit}");
    }
    for (name, used) in &prediction.used {
        assert!(used.value.is_finite() && used.spread >= 0.0, "{what}: {name}");
    }
}

/// Little's law: of a closed group those who do not think are in a command.
///
/// Lock waits are told as the network was solved with them, so this says nothing about whether they came
/// to rest; [`rates_and_waits_come_to_rest`] does.
fn check_little(what: &str, load: &Load, prediction: &Prediction) {
    for (group, rate) in load.groups.iter().zip(&prediction.group_rates) {
        let Arrival::Closed { population, think_time } = group.arrival else {
            continue;
        };
        let of_group = |c: &&ClassPrediction| c.work.clients == group.clients;
        let classes = prediction.classes.iter().filter(of_group);
        let inside: f64 = classes.map(|c| c.throughput * c.mean.value).sum();
        let expected = population - rate * think_time;
        let error = (inside - expected).abs() / population;
        assert!(
            error < 1e-3,
            "{what}: {}: {inside} of {population}, {expected} expected; {}",
            group.clients,
            prediction.method
        );
    }
}
