//! What another device, edge, option or size of everything may change, and what not.

use super::*;
use plimsoll::system::DiskSet;

/// The catalogue with one kind of thing twice as fast.
fn faster(what: &str) -> Catalog {
    let mut catalog = CATALOG.clone();
    for medium in catalog.media.values_mut() {
        match what {
            "random reads" => medium.random_read.value = medium.random_read.value * 0.5,
            "random writes" => medium.random_write.value = medium.random_write.value * 0.5,
            "forced writes" => {
                medium.flush.value = medium.flush.value * 0.5;
                medium.forced_write.value = medium.forced_write.value * 2.0;
            }
            "streams" => medium.stream.value = medium.stream.value * 2.0,
            _ => {}
        }
    }
    for array in catalog.arrays.values_mut() {
        match what {
            "array ports" => array.bandwidth.value = array.bandwidth.value * 2.0,
            "array operations" => {
                if let Some(operations) = &mut array.operations {
                    operations.value = operations.value * 2.0;
                }
            }
            "array writes" => {
                array.write_bandwidth.value = array.write_bandwidth.value * 2.0;
                if let Some(forced) = &mut array.forced_write {
                    forced.value = forced.value * 2.0;
                }
            }
            "array latency" => {
                array.front_end.value = array.front_end.value * 0.5;
                array.read_hit.value = array.read_hit.value * 0.5;
                array.write_ack.value = array.write_ack.value * 0.5;
                array.sync_service.value = array.sync_service.value * 0.5;
            }
            _ => {}
        }
    }
    for protocol in catalog.protocols.values_mut() {
        match what {
            "slots" => protocol.slots.value *= 2.0,
            "connections" => {
                if let Some(bytes) = &mut protocol.connection_bandwidth {
                    bytes.value = bytes.value * 2.0;
                }
                if let Some(calls) = &mut protocol.connection_calls {
                    calls.value = calls.value * 2.0;
                }
            }
            _ => {}
        }
    }
    for network in catalog.networks.values_mut() {
        match what {
            "bandwidth" => network.bandwidth.value = network.bandwidth.value * 2.0,
            "round trips" => network.round_trip.value = network.round_trip.value * 0.5,
            _ => {}
        }
    }
    catalog
}

/// A faster device never slows down a group that is alone on the server.
///
/// Of several groups this is not true, in p4d or in any queue: whoever is done sooner at the disks
/// comes sooner to the processor, where others stand. So each group is taken by itself: of open ones
/// no response may rise, of a closed one the rate of its cycle may not fall.
#[test]
fn a_faster_device_never_slows_a_group_down() {
    let site = Answers { medium: "disk-15k", ram: 8, ..ORDINARY }.site();
    let load = from_site::load(&site);
    for layout in ["single-volume", "split", "nfs-all"] {
        let deployment = on(layout, &rich(&site));
        for group in &load.groups {
            let load = alone(&load, group);
            let load = if matches!(group.arrival, Arrival::Open { .. }) { load.scaled(0.3) } else { load };
            let at = |catalog: &Catalog| predict(&deployment, &load, catalog, &CALIBRATION).expect("not saturated");
            let before = at(&CATALOG);
            for what in [
                "random reads",
                "random writes",
                "streams",
                "array ports",
                "array writes",
                "array latency",
                "array operations",
                "slots",
                "connections",
                "bandwidth",
                "round trips",
            ] {
                let after = at(&faster(what));
                let name = format!("{layout} {} {what}", group.clients);
                assert!(after.group_rates[0] >= before.group_rates[0] * (1.0 - 1e-3), "{name}");
                if matches!(group.arrival, Arrival::Closed { .. }) {
                    continue;
                }
                for (a, b) in before.classes.iter().zip(&after.classes) {
                    assert!(
                        b.mean.value <= a.mean.value * (1.0 + 1e-3),
                        "{name}: {} {} {}",
                        a.name,
                        a.mean.value,
                        b.mean.value
                    );
                }
            }
        }
    }
}

/// Each edge adds a client network, and large syncs go through it, until the shared depot binds.
#[test]
fn another_edge_never_lowers_large_syncs_unless_the_depot_binds() {
    for large_syncs in [2, 20] {
        let site = Answers { large_syncs, network: "eth-1g", ..ORDINARY }.site();
        let load = from_site::load(&site);
        for layout in ["san-nas-edges", "flasharray-flashblade", "local-nvme-nas-depot", "block-edges"] {
            let mut before: Option<f64> = None;
            for edges in 0..6 {
                let deployment = on(layout, &Choices { edges, ..rich(&site) });
                let prediction = solve(&deployment, &load).expect("it is solved");
                let rate = crate::class(&prediction, "large sync").expect("it is there").throughput;
                let depot = deployment.mount("depot").expect("it is there");
                let binds = prediction.resources.iter().any(|r| r.resource.is_set_of(depot) && r.utilization > 0.9);
                if let Some(before) = before {
                    assert!(binds || rate >= before * (1.0 - 1e-3), "{layout} {edges}: {rate} after {before}");
                }
                before = Some(rate);
            }
        }
    }
}

/// Journal and db on the same spindles: what this model says.
///
/// Writes are acknowledged from protected memory, so no commit waits for the journal's disks, and an
/// append pays for its seek wherever it lies. What is left is work: it is the same however the disks are
/// divided, and one pool of them is the idler the more of them the db had to give up. The classical
/// advice to split holds for disks without such memory, which the model does not have.
#[test]
fn dividing_the_spindles_conserves_work_and_never_helps_a_heavy_db() {
    let site = Answers { medium: "disk-15k", ram: 8, large_syncs: 0, ..ORDINARY }.site();
    let mut load = from_site::load(&site);
    (load.db_bytes, load.db_hot_bytes) = (2e12, 1e12);
    let together = on("single-volume", &Choices { filesystem: "xfs".to_owned(), ..rich(&site) });
    let journal_disks = 2.0;
    let mut split = together.clone();
    let mut journal = split.volumes[0].clone();
    split.volumes[0].roles.retain(|r| *r != "journal");
    split.volumes[0].disks -= journal_disks;
    journal.roles = vec!["journal"];
    journal.disks = journal_disks;
    journal.set = DiskSet::apart(together.next_set(), "journal".to_owned());
    split.volumes.push(journal.clone());
    let (one, two) = (shown(&together, &load), shown(&split, &load));
    let disks = |p: &Prediction, set: &str| resource(p, &format!("disks of {set} (commit server)"));
    let [set, journals] = [&together.volumes[0], &journal].map(|m| m.set_name(&CATALOG).name);
    let (pool, db) = (disks(&one, &set), disks(&two, &set));
    let journal = disks(&two, &journals);
    assert!(pool > 0.3, "the db load is heavy: {pool}");
    let (before, after) = (pool * 12.0, db * 10.0 + journal * 2.0);
    assert!((after / before - 1.0).abs() < 0.02, "{before} {after}");
    assert!(db > pool);
    let hold = |p: &Prediction| p.commit.expect("there are submits").hold;
    assert!(hold(&two) >= hold(&one) * 0.999);
    // With spindles of its own besides the db's, the journal never hurts.
    split.volumes[0].disks += journal_disks;
    let three = shown(&split, &load);
    assert!(three.group_rates[0] >= one.group_rates[0] * (1.0 - 1e-4));
    assert!(hold(&three) <= hold(&one) * 1.001);
}

#[test]
fn mount_options_only_help_and_both_help_most() {
    let site = Answers { ram: 16, ..ORDINARY }.site();
    let browse = benchmarks::browse(11.0);
    let people = from_site::load(&site);
    let people = alone(&people, &people.groups[0]);
    for load in [browse, people] {
        let at = |options: Option<&str>| {
            let mut deployment = on("nfs-all", &rich(&site));
            for volume in &mut deployment.volumes {
                let known = &CATALOG.protocols[&volume.protocol].mount_options;
                volume.mount_option = options.map(|o| known.iter().position(|k| k.options == o).expect("known"));
            }
            shown(&deployment, &load).group_rates[0]
        };
        let (none, lock, cto, both) =
            (at(None), at(Some("local_lock=all")), at(Some("nocto")), at(Some("nocto,local_lock=all")));
        assert!(lock >= none && cto >= none, "{none} {lock} {cto}");
        assert!(both >= lock && both >= cto, "{lock} {cto} {both}");
    }
}

/// The catalogue with everything twice as fast.
fn all_faster() -> Catalog {
    let mut catalog = CATALOG.clone();
    for m in catalog.media.values_mut() {
        m.random_read.value = m.random_read.value * 0.5;
        m.random_write.value = m.random_write.value * 0.5;
        m.stream.value = m.stream.value * 2.0;
        m.flush.value = m.flush.value * 0.5;
        m.forced_write.value = m.forced_write.value * 2.0;
    }
    for a in catalog.arrays.values_mut() {
        for time in [&mut a.front_end, &mut a.read_hit, &mut a.write_ack, &mut a.sync_service] {
            time.value = time.value * 0.5;
        }
        a.bandwidth.value = a.bandwidth.value * 2.0;
        if let Some(operations) = &mut a.operations {
            operations.value = operations.value * 2.0;
        }
        a.write_bandwidth.value = a.write_bandwidth.value * 2.0;
        if let Some(forced) = &mut a.forced_write {
            forced.value = forced.value * 2.0;
        }
    }
    for n in catalog.networks.values_mut() {
        n.bandwidth.value = n.bandwidth.value * 2.0;
        n.round_trip.value = n.round_trip.value * 0.5;
    }
    for p in catalog.protocols.values_mut() {
        p.command_overhead.value = p.command_overhead.value * 0.5;
        if let Some(bytes) = &mut p.connection_bandwidth {
            bytes.value = bytes.value * 2.0;
        }
        if let Some(calls) = &mut p.connection_calls {
            calls.value = calls.value * 2.0;
        }
    }
    catalog
}

/// A server twice as fast in all things under clients twice as fast: half the times, twice the rates.
///
/// Exact, since only the unit of time is another.
#[test]
fn scaling_load_and_speed_changes_nothing_but_the_rates() {
    let catalog = all_faster();
    let mut calibration = CALIBRATION.clone();
    for (id, parameter) in &mut calibration.parameters {
        if ["row_read.", "row_write.", "command.", "byte.", "wake."].iter().any(|p| id.starts_with(p)) {
            parameter.value.value *= 0.5;
        }
    }
    let site = Answers { offices: 2, ..ORDINARY }.site();
    let load = from_site::load(&site);
    let mut fast = load.clone();
    fast.client_rate *= 2.0;
    for group in &mut fast.groups {
        match &mut group.arrival {
            Arrival::Closed { think_time, .. } => *think_time *= 0.5,
            Arrival::Open { rate } => *rate *= 2.0,
        }
        if let Some(remote) = &mut group.remote {
            remote.round_trip *= 0.5;
            remote.bandwidth *= 2.0;
        }
    }
    for deployment in layouts(&rich(&site)) {
        let slow = solve(&deployment, &load);
        let fast = predict(&deployment, &fast, &catalog, &calibration);
        let (Ok(slow), Ok(fast)) = (slow, fast) else {
            continue;
        };
        let alike = |what: &str, a: f64, b: f64| {
            assert!((a - b).abs() <= 1e-3 * a.abs().max(1e-6), "{}: {what}: {a} {b}", deployment.layout);
        };
        for (a, b) in slow.classes.iter().zip(&fast.classes) {
            alike(&a.name, a.mean.value, b.mean.value * 2.0);
            alike(&a.name, a.throughput * 2.0, b.throughput);
        }
        for (a, b) in slow.resources.iter().zip(&fast.resources) {
            alike(&a.resource.name, a.utilization, b.utilization);
        }
    }
}

/// Twice the people on twice the cores, disks, links and slots: as busy, and no slower.
///
/// Not the same to a digit: a queue before 2m servers is shorter than two before m each, and the memory is
/// one. So everything is found in memory here, and responses may fall. Locks are left out: two
/// servers' people on one set of tables wait more, which is why `instances` exists.
#[test]
fn twice_the_people_on_twice_the_server_are_served_as_well() {
    let site = Answers { ram: 2000, large_syncs: 0, submits: 1, ..ORDINARY }.site();
    let load = from_site::load(&site);
    let mut twice = load.scaled(2.0);
    twice.instances = 2.0;
    let small = on("single-volume", &Choices { cores: 8.0, ..rich(&site) });
    let mut large = Deployment { cores: 16.0, client_links: small.client_links * 2.0, ..small.clone() };
    large.volumes[0].disks *= 2.0;
    let (a, b) = (shown(&small, &load), shown(&large, &twice));
    for name in ["processor of commit server", "client network of commit server"] {
        let (a, b) = (resource(&a, name), resource(&b, name));
        assert!((a / b - 1.0).abs() < 0.01, "{name}: {a} {b}");
    }
    for (a, b) in a.classes.iter().zip(&b.classes) {
        assert!(b.mean.value <= a.mean.value * 1.01, "{}: {} {}", a.name, a.mean.value, b.mean.value);
        assert!((b.throughput / a.throughput - 2.0).abs() < 0.02, "{}", a.name);
    }
}
