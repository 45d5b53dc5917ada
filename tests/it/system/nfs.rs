//! Calls over NFS: slots, connections, an array's operations, and what one page takes.

use super::*;

use plimsoll::catalog::{Array, Network, Protocol};

/// By how much a rate may be off where the iteration ends.
const ROUNDS: f64 = 1e-4;
/// The same where a station of more than 32 servers is split.
const SPLIT: f64 = 0.01;
const PAGE: f64 = 8192.0;
/// Pages that `fstst-8k-read` reads.
pub(super) const PAGES: f64 = 1000.0;

/// Everything over NFS on one filer, without mount options.
pub(super) fn on_filer(release: &'static str) -> Deployment {
    let site = Answers { release, ..ORDINARY }.site();
    let mut deployment = on("nfs-all", &rich(&site));
    for volume in &mut deployment.volumes {
        volume.mount_option = None;
    }
    deployment
}

/// So many clients without pause who each run a command.
pub(super) fn clients(many: f64, call: Call) -> Load {
    let group = Group {
        clients: Clients::Benchmark("readers".to_owned()),
        arrival: Arrival::Closed { population: many, think_time: 0.0 },
        calls: vec![call],
        remote: None,
        threads: 1.0,
        connected: true,
        of_builds: 0.0,
    };
    Load {
        groups: vec![group],
        db_bytes: 1e12,
        db_hot_bytes: 1e11,
        client_rate: f64::INFINITY,
        instances: 1.0,
        revisions_a_file: 1.0,
        dump: plimsoll::workload::Dump::default(),
        depot_bytes: 1e12,
        connections: many,
        beside: plimsoll::workload::Beside::default(),
        distance: plimsoll::workload::Distance::default(),
        large_syncs_at_once: None,
        cold: true,
    }
}

pub(super) fn readers(many: f64) -> Load {
    clients(many, Call::once("fstst-8k-read", 0.0, 0.0))
}

/// The catalogue with the filer, its protocol, its network and the host changed.
pub(super) fn with(change: impl FnOnce(&mut Array, &mut Protocol, &mut Network)) -> Catalog {
    let mut catalog = CATALOG.clone();
    let array = catalog.arrays.get_mut("fas3270").expect("it is there");
    let protocol = catalog.protocols.get_mut("nfsv3").expect("it is there");
    let network = catalog.networks.get_mut("eth-10g").expect("it is there");
    change(array, protocol, network);
    catalog
}

fn solved(deployment: &Deployment, load: &Load, catalog: &Catalog) -> Prediction {
    predict(deployment, load, catalog, &CALIBRATION).expect("it is not saturated")
}

/// The set of an array is so fast that it never holds anybody up, and so is the processor.
pub(super) fn roomy(mut deployment: Deployment) -> Deployment {
    deployment.cores = 4096.0;
    for volume in &mut deployment.volumes {
        volume.disks = 1e5;
    }
    deployment
}

/// What a page takes on an idle server, part by part \[s\]: on the way and at the controller; on the disks.
pub(super) fn page(catalog: &Catalog, deployment: &Deployment) -> (f64, f64) {
    let mount = deployment.mount("db").expect("it is there");
    let (array, protocol) = (&catalog.arrays[&mount.device], &catalog.protocols[&mount.protocol]);
    let network = &catalog.networks[mount.network.as_ref().expect("an export")];
    let link = network.bandwidth.value.base() * network.efficiency.value.base();
    let way = protocol.command_overhead.value.base()
        + network.round_trip.value.base()
        + array.front_end.value.base()
        + PAGE / link
        + PAGE / array.bandwidth.value.base();
    (way, catalog.media[&mount.medium].random_read.value.base())
}

/// Of missed pages, those that come alone; the others are neighbours in a larger request.
pub(super) fn requests_a_page(catalog: &Catalog, deployment: &Deployment) -> f64 {
    let mount = deployment.mount("db").expect("it is there");
    let near = CALIBRATION.parameters["page_locality"].value.value;
    let size = catalog.protocols[&mount.protocol].request_size.value.base();
    1.0 - near + near * PAGE / size
}

/// Seconds of a class at a kind of resource.
fn part(prediction: &Prediction, kind: ResourceKind) -> f64 {
    let parts = prediction.classes[0].parts.iter();
    parts.filter(|(k, _)| *k == kind).map(|(_, s)| s).sum()
}

/// All that a class waits for between the host and the medium.
fn at_stores(prediction: &Prediction) -> f64 {
    [
        ResourceKind::Slots,
        ResourceKind::Connections,
        ResourceKind::StorageNetwork,
        ResourceKind::Ports,
        ResourceKind::Disks,
        ResourceKind::Stream,
    ]
    .iter()
    .map(|kind| part(prediction, *kind))
    .sum()
}

/// A page that one client reads takes the host's work, the round trip, the front end, the transfer, and a hit of the
/// array's cache or a read of the disks: each once, whatever limits the calls.
#[test]
fn an_idle_read_takes_the_sum_of_its_parts_once() {
    let deployment = roomy(on_filer("2024.2"));
    let without_cache = with(|array, _, _| array.cache.value = Bytes::new(0.0));
    let all_cached = with(|array, _, _| array.cache.value = Bytes::new(1e15));
    let limited = with(|array, _, _| {
        array.cache.value = Bytes::new(0.0);
        array.operations = Some(operations(50_000.0));
    });
    for (catalog, cached) in [(&without_cache, false), (&limited, false), (&all_cached, true)] {
        let (way, medium) = page(catalog, &deployment);
        let hit = catalog.arrays["fas3270"].read_hit.value.base();
        let expected = way + if cached { hit } else { medium };
        let calls = PAGES * requests_a_page(catalog, &deployment);
        let one = solved(&deployment, &readers(1e-6), catalog);
        let found = at_stores(&one) / calls;
        assert!((found / expected - 1.0).abs() < 1e-4, "{found} {expected} {cached}");
        let process = process(&deployment, &readers(1.0), catalog, &CALIBRATION, None);
        let process = process.expect("it can be simulated");
        let run = Run { span: Span::SteadyFor { time: 3600.0 }, events_max: 1_000_000, ..Run::default() };
        let outcome = sim::simulate(&process.model, &run, 0, &mut |_| ControlFlow::Continue(()));
        let outcome = sim::fold(&process.model, &run, &[outcome.expect("it runs")]);
        let simulated = outcome.activities[0].response.value / one.classes[0].mean.value;
        assert!((simulated - 1.0).abs() < 0.2, "{simulated} {cached}");
    }
}

fn operations(rate: f64) -> plimsoll::origin::Sourced<plimsoll::units::PerSecond> {
    let rate = plimsoll::units::PerSecond::new(rate);
    let known = &CATALOG.arrays["flashblade"].operations;
    let known = known.as_ref().expect("it states one");
    plimsoll::origin::Sourced::new(rate, known.origin.clone())
}

/// A slot is held from the call to its answer, the time on the disks included: S slots carry at most S calls in the time
/// of one (Little 1961), however many clients there are and however fast all else is.
#[test]
fn slots_carry_no_more_calls_than_slots_over_the_time_of_a_call() {
    let deployment = roomy(on_filer("2012.1"));
    for slots in [1.0, 4.0, 16.0, 64.0] {
        let mut catalog = with(|array, protocol, network| {
            array.cache.value = Bytes::new(0.0);
            array.bandwidth.value = array.bandwidth.value * 1e4;
            network.bandwidth.value = network.bandwidth.value * 1e4;
            protocol.slots.value = slots;
            protocol.connection_calls = None;
            protocol.connection_bandwidth = None;
        });
        for server in catalog.servers.values_mut() {
            server.nfs_slots.value = 1e6;
        }
        let (way, medium) = page(&catalog, &deployment);
        let most = slots / (way + medium);
        let calls = PAGES * requests_a_page(&catalog, &deployment);
        let rate = |many: f64| {
            let found = solved(&deployment, &readers(many), &catalog);
            found.group_rates[0] * calls
        };
        for many in [0.5 * slots, slots, 4.0 * slots, 40.0 * slots] {
            let found = rate(many);
            assert!(found <= most * (1.0 + ROUNDS), "{slots} {many}: {found} {most}");
        }
        let full = rate(400.0 * slots);
        assert!(full > 0.97 * most, "{slots}: {full} of {most}");
    }
}

/// Each connection carries as many bytes, and `nconnect` opens eight of them where the client knows it.
#[test]
fn eight_connections_carry_eight_times_the_bytes_of_one() {
    let rate = |release: &'static str| {
        let deployment = roomy(on_filer(release));
        let catalog = with(|array, protocol, network| {
            array.cache.value = Bytes::new(1e15);
            array.bandwidth.value = array.bandwidth.value * 1e4;
            network.bandwidth.value = network.bandwidth.value * 1e3;
            protocol.slots.value = 1e5;
            protocol.connection_calls = None;
        });
        let found = solved(&deployment, &readers(4000.0), &catalog);
        let (resource, busy) = found.bottleneck();
        assert_eq!(resource.kind(), ResourceKind::Connections, "{resource} {busy}");
        found.group_rates[0] / busy
    };
    let (one, eight) = (rate("2018.2"), rate("2019.1"));
    assert!((eight / one - 8.0).abs() < 1e-3, "{}", eight / one);
}

/// Sets a limit of calls to so many times the least that is tried.
type Raise = fn(&mut Array, &mut Protocol, f64);

/// More slots, more or faster connections and more operations never slow anybody down, alone or among many.
#[test]
fn more_of_what_limits_calls_never_slows_anybody_down() {
    let deployment = on_filer("2019.1");
    let limits: [(&str, Raise); 4] = [
        ("slots", |_, protocol, times| {
            protocol.slots.value = 2.0 * times;
        }),
        ("bytes", |_, protocol, times| {
            let bytes = protocol.connection_bandwidth.as_mut().expect("stated");
            bytes.value = bytes.value * (0.001 * times);
        }),
        ("calls", |_, protocol, times| {
            let calls = protocol.connection_calls.as_mut().expect("stated");
            calls.value = calls.value * (0.01 * times);
        }),
        ("operations", |array, _, times| {
            array.operations = Some(operations(500.0 * times));
        }),
    ];
    for many in [0.01, 1.0, 30.0] {
        for (what, limit) in &limits {
            let mut before = 0.0;
            for times in [1.0, 2.0, 4.0, 16.0, 64.0] {
                let catalog = with(|array, protocol, _| {
                    array.cache.value = Bytes::new(1e12);
                    limit(array, protocol, times);
                });
                let rate = solved(&deployment, &readers(many), &catalog).group_rates[0];
                assert!(rate >= before * (1.0 - SPLIT), "{many} {what} {times}: {rate} {before}");
                before = rate;
            }
        }
    }
}

/// The options say how many connections, from the year on in which the client knows the option; nobody else has several.
#[test]
fn connections_are_those_of_the_mount_options_that_the_year_allows() {
    for (release, connections) in [("2018.2", 1.0), ("2019.1", 8.0)] {
        let deployment = roomy(on_filer(release));
        let catalog = with(|_, protocol, _| {
            protocol.slots.value = 1e5;
        });
        let found = solved(&deployment, &readers(1.0), &catalog);
        let busy = found.resources.iter();
        let busy = busy.filter(|r| r.resource.kind() == ResourceKind::Connections);
        let busy: f64 = busy.map(|r| r.utilization).sum();
        let a_call = 1.0 / catalog.protocols["nfsv3"].connection_calls.as_ref().expect("stated").value.base();
        let calls = PAGES * requests_a_page(&catalog, &deployment);
        let expected = found.group_rates[0] * calls * a_call / connections;
        assert!((busy / expected - 1.0).abs() < 1e-6, "{release}: {busy} {expected}");
    }
}

/// A simulated client has its slots for as long as a solved one.
#[test]
fn slots_are_as_busy_when_they_are_simulated() {
    let deployment = on_filer("2012.1");
    let load = readers(6.0);
    let found = shown(&deployment, &load);
    let (process, outcome) = simulated(&deployment, &load, 1.0);
    let slots = process.kinds.iter().position(|k| *k == ResourceKind::Slots);
    let slots = slots.expect("there are some");
    let name = &process.model.stations[slots].name;
    let (solved, simulated) = (resource(&found, name), outcome.stations[slots].utilization.value);
    assert!((simulated / solved - 1.0).abs() < 0.1, "{name}: {solved} {simulated}");
}

/// Hosts before the generation from which the numbers hold have links and slots as limits, and no others.
#[test]
fn connections_of_old_hosts_have_no_limit_of_their_own() {
    let mut deployment = on_filer("2012.1");
    let has_connections = |deployment: &Deployment| {
        let found = shown(deployment, &readers(1.0));
        let mut kinds = found.resources.iter().map(|r| r.resource.kind());
        kinds.any(|kind| kind == ResourceKind::Connections)
    };
    assert!(has_connections(&deployment));
    "dl580-g7".clone_into(&mut deployment.server);
    assert!(!has_connections(&deployment));
}
