//! What distance may do to a transfer: windows and round trips, threads, the line, replication.

use plimsoll::catalog::Release;
use plimsoll::workload::{Call, Remote};

use super::{
    Answers, Arrival, Choices, Clients, Deployment, Group, Load, ORDINARY, Prediction, ResourceKind, from_site,
    layouts, on, ordinary, read, resource, rich, shown, simulated,
};

pub(super) const MIB: f64 = 1_048_576.0;
/// Message of a file beside its content in a sync \[B\].
const MESSAGE: f64 = 400.0;

/// One client in another town that syncs again and again.
#[derive(Clone, Copy)]
pub(super) struct Far {
    pub(super) round_trip: f64,
    pub(super) bandwidth: f64,
    pub(super) window: f64,
    pub(super) threads: f64,
    pub(super) client_rate: f64,
    pub(super) files: f64,
    pub(super) bytes: f64,
}

pub(super) const FAR: Far = Far {
    round_trip: 0.15,
    bandwidth: 1.25e9,
    window: 4.0 * MIB,
    threads: 1.0,
    client_rate: f64::INFINITY,
    files: 1000.0,
    bytes: 10e9,
};

impl Far {
    fn load(self) -> Load {
        let (_, mut load, _) = ordinary("single-volume");
        load.groups = vec![Group {
            clients: Clients::LargeSyncsOf("Far".to_owned()),
            arrival: Arrival::Closed { population: 1.0, think_time: 0.0 },
            calls: vec![Call::once("sync", self.files, self.bytes)],
            remote: Some(Remote { round_trip: self.round_trip, bandwidth: self.bandwidth }),
            threads: self.threads,
            connected: false,
            of_builds: 0.0,
        }];
        load.distance.tcp_window = self.window;
        load.client_rate = self.client_rate;
        load
    }

    pub(super) fn sent(self) -> f64 {
        self.bytes + MESSAGE * self.files
    }

    fn on(self, deployment: &Deployment) -> Prediction {
        shown(deployment, &self.load())
    }

    pub(super) fn predicted(self) -> Prediction {
        self.on(&ordinary("single-volume").2)
    }

    fn mean(self) -> f64 {
        mean(&self.predicted(), "large sync (Far)")
    }
}

fn mean(prediction: &Prediction, class: &str) -> f64 {
    let found = crate::class(prediction, class);
    found.unwrap_or_else(|| panic!("no {class}")).mean.value
}

/// Seconds of a class between server and client: networks, line, the client itself.
pub(super) fn transfer(prediction: &Prediction, class: &str) -> f64 {
    let class = crate::class(prediction, class).expect("the class is there");
    let kinds = [ResourceKind::ClientNetwork, ResourceKind::Client, ResourceKind::Wan];
    let parts = class.parts.iter().filter(|(kind, _)| kinds.contains(kind));
    parts.map(|(_, seconds)| seconds).sum()
}

fn assert_close(what: &str, found: f64, expected: f64, within: f64) {
    let error = (found / expected - 1.0).abs();
    assert!(error <= within, "{what}: {found}, {expected} expected");
}

#[test]
fn a_stream_moves_a_window_a_round_trip_and_threads_multiply() {
    for threads in [1.0, 4.0, 10.0] {
        let far = Far { threads, ..FAR };
        let found = transfer(&far.predicted(), "large sync (Far)");
        let expected = far.sent() * far.round_trip / far.window / threads;
        assert_close("transfer", found, expected, 1e-6);
    }
}

#[test]
fn a_transfer_takes_as_long_as_the_slowest_of_window_line_and_client() {
    let line = Far { bandwidth: 1.25e6, ..FAR };
    let on_line = transfer(&line.predicted(), "large sync (Far)");
    // The server's own network is 10 Gb/s of which 94.9 % are payload.
    let network = 1.0 / (1.25e9 * 0.949);
    assert_close("line", on_line, line.sent() * (1.0 / 1.25e6 + network), 1e-5);
    let client = Far { client_rate: 2e6, ..FAR };
    let found = transfer(&client.predicted(), "large sync (Far)");
    assert_close("client", found, client.sent() / 2e6, 1e-6);
}

#[test]
fn threads_share_one_client() {
    let beside = |threads: f64| {
        let mut load = Far { threads, client_rate: 1e8, ..FAR }.load();
        load.groups[0].clients = Clients::LargeSyncs;
        load.groups[0].remote = None;
        let prediction = shown(&ordinary("single-volume").2, &load);
        transfer(&prediction, "large sync")
    };
    let far = |threads: f64| {
        let far = Far { threads, client_rate: 1e7, ..FAR };
        transfer(&far.predicted(), "large sync (Far)")
    };
    for threads in [1.0, 10.0] {
        assert_close("beside", beside(threads), FAR.sent() / 1e8, 1e-6);
        assert_close("far", far(threads), FAR.sent() / 1e7, 1e-6);
    }
}

#[test]
fn small_files_wait_for_answers() {
    let small = Far { files: 100_000.0, bytes: 1e8, window: 64.0 * 1024.0, ..FAR };
    let old = Deployment { release: Release::new(2012, 1), ..ordinary("single-volume").2 };
    for threads in [1.0, 2.0] {
        let found = transfer(&Far { threads, ..small }.on(&old), "large sync (Far)");
        let expected = small.files * MESSAGE / 2000.0 * small.round_trip / threads;
        assert_close("answers", found, expected, 1e-6);
    }
    // Today's connections leave so many unanswered that the window decides.
    let found = transfer(&small.predicted(), "large sync (Far)");
    let window = small.sent() * small.round_trip / small.window;
    assert_close("window", found, window, 1e-4);
}

#[test]
fn a_longer_way_never_speeds_a_sync_up() {
    let rises = |what: &str, times: Vec<f64>| {
        let pairs = times.windows(2);
        pairs.for_each(|pair| assert!(pair[1] >= pair[0] * (1.0 - 1e-9), "{what}: {times:?}"));
        assert!(times[times.len() - 1] > times[0], "{what}: {times:?}");
    };
    for threads in [1.0, 10.0] {
        let far = Far { threads, client_rate: 2.5e8, ..FAR };
        let trips = [0.003, 0.01, 0.04, 0.15, 0.3];
        let times = trips.map(|round_trip| Far { round_trip, ..far }.mean());
        rises("round trip", times.to_vec());
        let lines = [1e10, 1e9, 1e8, 1e7, 1e6];
        let times = lines.map(|bandwidth| Far { bandwidth, ..far }.mean());
        rises("bandwidth", times.to_vec());
        let windows = [16.0 * MIB, 4.0 * MIB, MIB, 0.5 * MIB, 0.0625 * MIB];
        let times = windows.map(|window| Far { window, ..far }.mean());
        rises("window", times.to_vec());
    }
}

/// An office with a fifth of the people, 80 ms away.
fn office(large_syncs: u32) -> Answers {
    Answers { offices: 1, large_syncs, ..ORDINARY }
}

#[test]
fn large_syncs_are_split_by_developers_and_are_a_demand() {
    for all in [10, 3, 1] {
        let site = office(all).site();
        let load = from_site::load(&site);
        let large = load.groups.iter().filter(|g| g.clients.are_large_syncs());
        let rates: Vec<f64> = large
            .map(|group| match group.arrival {
                Arrival::Open { rate } => rate,
                Arrival::Closed { .. } => panic!("{:?}", group.arrival),
            })
            .collect();
        let people = &site.people;
        let share = people.sites[0].developers.value / people.developers.value;
        let sum: f64 = rates.iter().sum();
        assert!((rates[1] / sum - share).abs() < 1e-12, "{rates:?}");
        let a_day = sum / site.workload.peak_to_mean.value;
        let stated = site.workload.large_syncs_per_day.value.get();
        assert!((a_day / stated - 1.0).abs() < 1e-12);
    }
    let none = from_site::load(&office(0).site());
    assert!(none.groups.iter().all(|g| !g.clients.are_large_syncs()));
}

#[test]
fn a_large_sync_over_150_ms_is_slower_than_beside_the_server() {
    let text = office(10).text().replace("80 ms", "150 ms").replace("200 Mb/s", "10 Gb/s");
    let site = read(&text);
    let load = from_site::load(&site);
    let choices = Choices { edges: 0, ..rich(&site) };
    let prediction = shown(&on("single-volume", &choices), &load);
    let (far, near) = (mean(&prediction, "large sync (Office 0)"), mean(&prediction, "large sync"));
    assert!(far > near, "{far} {near}");
}

/// So many submits a second from builds beside the server, and an office that hardly does anything.
fn submits(rate: f64, files: f64, bytes: f64) -> (Load, Deployment) {
    let site = office(0).site();
    let mut load = from_site::load(&site);
    let mut quiet = load.groups.iter().find(|g| g.clients.office().is_some()).unwrap().clone();
    quiet.arrival = Arrival::Closed { population: 1.0, think_time: 1e9 };
    quiet.calls = vec![Call::once("changes", 0.0, 0.0)];
    let builds = Group {
        clients: Clients::Automation,
        arrival: Arrival::Open { rate },
        calls: vec![Call::once("submit", files, bytes)],
        remote: None,
        threads: 1.0,
        connected: false,
        of_builds: 0.0,
    };
    load.groups = vec![builds, quiet];
    let choices = Choices { edges: 1, ..rich(&site) };
    (load, on("san-nas-edges", &choices))
}

#[test]
fn replication_fills_the_line_with_journal_and_the_edges_share_of_content() {
    const LINE: &str = "line to Office 0";
    const BANDWIDTH: f64 = 200e6 / 8.0;
    let (rate, files, bytes) = (2.0, 10.0, 2e6);
    let (mut load, deployment) = submits(rate, files, bytes);
    assert_eq!(deployment.offices, ["Office 0"]);
    // As the commit section of models/commands/submit.toml has it.
    let journal = 1200.0 + 1.6 * 1024.0 * files;
    for (share, growth) in [(0.0, 1.0), (0.2, 1.0), (0.2, 3.0)] {
        load.distance.edge_share = share;
        load.distance.growth = growth;
        let found = resource(&shown(&deployment, &load), LINE);
        let expected = rate * (journal + bytes * share * growth) / BANDWIDTH;
        assert_close(LINE, found, expected, 1e-6);
    }
    // Nobody waits for it.
    let idle = submits(rate, 1.0, 1.0).0;
    load.distance.growth = 1.0;
    let submit = |load: &Load| mean(&shown(&deployment, load), "submit (automation)");
    let mut unsent = load.clone();
    unsent.distance.edge_share = 0.0;
    assert_close("submit", submit(&load), submit(&unsent), 1e-9);
    let (small, large) = (submit(&idle), submit(&load));
    assert!(small < large, "{small} {large}");
    // Without an edge there is nothing to send.
    let without = Deployment { edges: 0, offices: Vec::new(), ..deployment.clone() };
    let prediction = shown(&without, &load);
    assert!(prediction.resources.iter().all(|r| r.resource.name != LINE || r.utilization < 1e-9));
}

#[test]
fn depots_that_grow_by_more_than_submits_bring_are_replicated_as_they_grow() {
    let replicated = |set: &str| {
        let site = read(&ORDINARY.text().replace("[workload]", &format!("{set}\n[workload]")));
        let work = &site.workload;
        let submitted =
            work.submits_per_day.value.get() * work.files_per_submit.value * site.data.file_size.value.get();
        (from_site::load(&site).distance.growth, submitted)
    };
    let (growth, submitted) = replicated("[data]\ndepot_size = \"800 TB\"\ndepot_growth = \"35 %/year\"");
    assert_close("Mb/s", growth * submitted * 8.0 / 1e6, 71.0, 0.01);
    for unknown in ["[data]\ndepot_size = \"800 TB\"", "[data]\ndepot_size = \"1 GB\"\ndepot_growth = \"1 %/year\""] {
        assert!((replicated(unknown).0 - 1.0).abs() < 1e-12, "{unknown}");
    }
}

#[test]
fn a_transfer_over_a_line_takes_as_long_when_it_is_simulated() {
    for (threads, bandwidth) in [(1.0, 1.25e9), (10.0, 2.5e7)] {
        let far = Far { threads, bandwidth, client_rate: 2.5e8, bytes: 1e9, ..FAR };
        let deployment = ordinary("single-volume").2;
        let (process, outcome) = simulated(&deployment, &far.load(), 20.0);
        let activity = process.activities.iter().position(|a| a.name == "large sync (Far)");
        let response = &outcome.activities[activity.expect("it is simulated")].response;
        assert_close("mean", response.value, far.mean(), 0.03);
    }
}

#[test]
fn every_layout_has_room_for_large_syncs_of_offices() {
    let site = office(3).site();
    let load = from_site::load(&site);
    for deployment in layouts(&rich(&site)) {
        let prediction = shown(&deployment, &load);
        super::check_finite(&deployment.layout, &prediction);
        super::check_little(&deployment.layout, &load, &prediction);
    }
}
