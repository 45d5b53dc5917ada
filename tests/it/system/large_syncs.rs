//! Large syncs are a demand: their rate does not depend on the system, and a flow is never faster than its client.

use std::sync::Arc;

use plimsoll::advisor::{self, Prepared, observed, today};
use plimsoll::queueing::closed_forms::erlang_c;
use plimsoll::site::{self, Site};
use plimsoll::system::Deployment;
use plimsoll::workload::{Arrival, Work, from_site};

use crate::agreement::generated;
use crate::shared::{CALIBRATION, CATALOG, VOCABULARY};

/// Sites of which every so many-th is looked at.
const ALL: u64 = 200;

fn read(workload: &str, rest: &str, set: &[&str]) -> Site {
    let text = format!(
        "schema = 1\nname = \"Syncs\"\n[people]\ndevelopers = 300\n[workload]\nclient_rate = \"200 MB/s\"\n{workload}\n{rest}"
    );
    let set: Vec<String> = set.iter().map(|&text| text.to_owned()).collect();
    let site = site::parse("site.toml", &text, &set, &VOCABULARY);
    let site = site.unwrap_or_else(|error| panic!("{text}\n{}", error.render()));
    observed(&site, &VOCABULARY, &CATALOG, &CALIBRATION).unwrap_or(site)
}

fn at_peak(site: &Site) -> f64 {
    site.workload.large_syncs_at_peak()
}

fn is_near(a: f64, b: f64, within: f64) -> bool {
    (a / b - 1.0).abs() < within
}

/// Processor sharing with capped flows, M/G/R-PS (Lindberger 1999), beside a link and a delay in series.
#[test]
fn a_capped_flow_is_at_most_a_fifth_slower_than_lindbergers() {
    for clients in 1..=40_u32 {
        let r = f64::from(clients);
        for percent in 1..=95 {
            let busy = f64::from(percent) / 100.0;
            let ours = 1.0 + busy / (1.0 - busy) / r;
            let lindberger = 1.0 + erlang_c(clients, busy * r) / (1.0 - busy) / r;
            let ratio = ours / lindberger;
            assert!((1.0 - 1e-9..1.2).contains(&ratio), "{r} {busy} {ratio}");
        }
    }
}

#[test]
fn a_stated_time_makes_a_number_in_flight_a_rate() {
    let site =
        read("concurrent_syncs = 12\nconcurrent_sync_size = \"20 GB\"", "[today]\nlarge_sync_time = \"10 min\"", &[]);
    assert!(is_near(at_peak(&site), 12.0 / 600.0, 1e-9));
    assert!(!site.workload.large_syncs_per_day.is_stated());
}

#[test]
fn a_number_in_flight_alone_never_saturates_the_clients_network() {
    for (count, network) in [(1, "eth-10g"), (48, "eth-10g"), (1000, "eth-1g")] {
        let site = read(
            &format!("concurrent_syncs = {count}\nconcurrent_sync_size = \"20 GB\""),
            &format!("[infrastructure]\nclient_network = \"{network}\""),
            &[],
        );
        let network = &CATALOG.networks[network];
        let rate = network.bandwidth.value.get() * network.efficiency.value.get();
        let share = at_peak(&site) * 20e9 / rate;
        assert!(share < 0.8 + 1e-9, "{count}: {share}");
        let alone = f64::from(count) / (20e9 / 200e6_f64.min(rate));
        assert!(at_peak(&site) <= alone * (1.0 + 1e-9));
    }
}

#[test]
fn what_is_tried_of_the_system_does_not_change_what_clients_want() {
    let many = "concurrent_syncs = 3\nconcurrent_sync_size = \"20 GB\"";
    for rest in [
        "",
        "[server]\nram = \"64 GiB\"\n[infrastructure]\ncurrent_layout = \"local-all\"",
        "[[today.volume]]\nroles = [\"db\", \"journal\", \"log\", \"depot\", \"checkpoint\"]\nmedium = \"disk-10k\"\ndrives = 12",
    ] {
        let held = at_peak(&read(many, rest, &[]));
        for set in ["infrastructure.client_network=eth-100g", "server.release=2013.1", "server.cores=64"] {
            assert_eq!(at_peak(&read(many, rest, &[set])), held, "{set} {rest}");
        }
        let more = read(many, rest, &["workload.concurrent_syncs=6"]);
        assert!(at_peak(&more) > held);
    }
}

/// What people do is a property of the site: whatever is asked, and whatever layout is tried as today's.
#[test]
fn every_question_has_the_same_load() {
    const EVERY: usize = 16;
    for seed in (0..ALL).step_by(EVERY) {
        let text = generated::site(seed);
        let of = |set: &[String]| {
            let site = site::parse("site.toml", &text, set, &VOCABULARY);
            let site = Arc::new(site.unwrap_or_else(|error| panic!("{}", error.render())));
            Prepared::of(site, &VOCABULARY, &CATALOG, &CALIBRATION).site
        };
        let asked = of(&[]);
        let load = from_site::load(&asked).groups;
        let as_today = |site: &Site| today::system(site, &CATALOG, &CALIBRATION);
        let advice = advisor::advise(&asked, &VOCABULARY, &CATALOG, &CALIBRATION);
        assert_eq!(advice.load.groups, load, "{seed}: advise");
        assert_eq!(as_today(&asked).unwrap().load.groups, load, "{seed}");
        for layout in ["local-all", "split", "nfs-all", "single-volume"] {
            let tried = of(&[format!("infrastructure.current_layout={layout}")]);
            assert_eq!(from_site::load(&tried).groups, load, "{seed}: {layout}");
            if let Ok(there) = as_today(&tried) {
                assert_eq!(there.load.groups, load, "{seed}: {layout}, from today");
            }
        }
    }
}

/// An answer that is tried is held against the same system as that of the file.
#[test]
fn a_number_in_flight_is_the_same_in_the_file_and_on_the_command_line() {
    let size = "concurrent_sync_size = \"20 GB\"";
    let rest = "[infrastructure]\nstorage = [\"fas3270\"]\nprotocols = [\"fc\", \"iscsi\"]";
    let filed = read(&format!("concurrent_syncs = 6\n{size}"), rest, &[]);
    let set = ["workload.concurrent_syncs=6"];
    let tried = read(&format!("concurrent_syncs = 3\n{size}"), rest, &set);
    assert!(is_near(at_peak(&tried), at_peak(&filed), 1e-9));
}

#[test]
fn as_many_as_were_seen_are_in_flight_on_the_system_that_is_there() {
    let volume = "[[today.volume]]\nroles = [\"db\", \"journal\", \"log\", \"depot\", \"checkpoint\"]\nmedium = \"disk-10k\"\ndrives";
    let stated = [6, 24].map(|disks| format!("{volume} = {disks}"));
    let assumed = "[infrastructure]\nstorage = [\"fas3270\"]\nprotocols = [\"iscsi\"]".to_owned();
    for rest in stated.iter().chain([&assumed]) {
        let many = "concurrent_syncs = 6\nconcurrent_sync_size = \"20 GB\"";
        let site = read(many, rest, &[]);
        let there = today::system(&site, &CATALOG, &CALIBRATION).unwrap();
        let found = super::shown(&there.deployment, &there.load);
        let in_flight = found.large_syncs_in_flight();
        assert!(is_near(in_flight, 6.0, 0.1), "{rest}: {in_flight}");
    }
}

#[test]
fn without_an_answer_they_grow_with_people_and_builds() {
    let size = "concurrent_sync_size = \"20 GB\"";
    let of = |set: &[&str]| at_peak(&read(size, "", set));
    let usual = of(&[]);
    assert!(is_near(of(&["people.developers=600"]), 2.0 * usual, 1e-9));
    let builds = of(&["workload.automation_share=75 %"]);
    assert!(is_near(builds, 2.0 * usual, 1e-9), "{builds} {usual}");
    let load = from_site::load(&read("", "", &[]));
    let large = load.groups.iter().find(|g| g.clients.are_large_syncs());
    assert!(matches!(large.unwrap().arrival, Arrival::Open { .. }));
}

#[test]
fn a_rate_and_a_number_that_do_not_fit_are_one_warning_and_the_rate_is_used() {
    let text = |count: u32| {
        format!(
            "concurrent_syncs = {count}\nconcurrent_sync_size = \"20 GB\"\nlarge_syncs_per_day = \"86400 /day\"\npeak_to_mean = 1"
        )
    };
    // One a second of 100 s each: 100 to 300 in flight.
    for (count, warnings) in [(100, 0), (250, 0), (5, 1), (2000, 1)] {
        let site = read(&text(count), "", &[]);
        assert!(is_near(at_peak(&site), 1.0, 1e-9));
        let about = site.warnings.iter().filter(|w| w.contains("SIT114"));
        assert_eq!(about.count(), warnings, "{count}: {:?}", site.warnings);
    }
}

/// Asymptotic bounds: with so many at once the clients' network alone takes so many times what one needs of it.
#[test]
fn a_stated_number_at_once_makes_each_longer() {
    let at_once = |count: u32, load: f64| {
        let many = format!("concurrent_syncs = {count}\nconcurrent_sync_size = \"20 GB\"");
        let site = read(&many, "", &[]);
        let chosen = advisor::best_of_layout(&site, &CATALOG, &CALIBRATION, "local-all");
        // A proxy would send what crosses no network here.
        let chosen = Deployment { proxies: Vec::new(), ..chosen.unwrap() };
        let found = super::shown(&chosen, &from_site::load(&site).scaled(load));
        let of = |at_once| {
            let mut classes = found.classes.iter();
            let is_it = |work: &Work| work.is_large_sync() && work.is_at_once() == at_once;
            classes.find(|class| is_it(&class.work)).unwrap().p95.value
        };
        [of(false), of(true)]
    };
    let network = &CATALOG.networks["eth-10g"];
    let rate = network.bandwidth.value.get() * network.efficiency.value.get();
    let mut before = 0.0;
    for count in [2, 20, 200, 2000] {
        let [usual, all] = at_once(count, 1.0);
        let least = f64::from(count) * 20e9 / rate;
        assert!(all >= usual && all >= least && all >= before, "{count}: {all}");
        assert!(all < usual + 4.0 * least, "{count}: {all} {usual} {least}");
        before = all;
    }
    // Half the load is half as many of them, and more room beside other work.
    let [half, one] = [0.5, 1.0].map(|load| at_once(200, load)[1]);
    assert!(one > 2.0 * half, "{half} {one}");
    let none = read("large_syncs_per_day = \"100 /day\"", "", &[]);
    assert_eq!(from_site::load(&none).large_syncs_at_once, None);
}
