//! This machine as a deployment of the model: its numbers are the probes', and nobody else's.

use std::collections::BTreeMap;

use super::plan::Plan;
use super::probes::Volume;
use super::units::Costs;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::origin::{Measurement, Origin, Sourced};
use crate::posterior::{EntryKind, NumberId};
use crate::system::{Deployment, DiskSet, LOCAL_DISKS, Mount, SetId};
use crate::units::{Bytes, BytesPerSecond, Fraction, Seconds};

/// Ids of what is put into the catalogue.
const SERVER: &str = "rehearsal-machine";
const NETWORK: &str = "rehearsal-network";
/// Relative error of a unit's processor time: caches and clock under load.
const UNIT_SPREAD: f64 = 0.1;

/// The model of this machine.
pub(super) struct Machine {
    pub(super) deployment: Deployment,
    pub(super) catalog: Catalog,
    pub(super) calibration: Calibration,
}

/// A volume: its roles, the device that it is on, and what the device does.
pub(super) struct OnDevice {
    pub(super) roles: Vec<&'static str>,
    pub(super) device: String,
    pub(super) volume: Volume,
}

fn measured<T>(value: T, spread: f64) -> Sourced<T> {
    let origin = Origin::Measured { by: vec![Measurement::named("probes of this rehearsal")] };
    Sourced { value, origin, spread }
}

/// One server with the site's memory, so many processors and these volumes.
pub(super) fn deployment(plan: &Plan, cores: f64, volumes: Vec<Mount>) -> Deployment {
    Deployment {
        layout: "rehearsal".to_owned(),
        title: "this machine".to_owned(),
        server: SERVER.to_owned(),
        memory: plan.memory,
        edge_memory: plan.memory,
        cores,
        processor: None,
        clock: None,
        edges: 0,
        shared_depot: false,
        proxies: Vec::new(),
        volumes,
        offices: Vec::new(),
        office_volumes: Vec::new(),
        edge_volumes: Vec::new(),
        standby: None,
        cache: None,
        client_network: NETWORK.to_owned(),
        client_links: 1.0,
        system: "linux".to_owned(),
        bits: 64.0,
        write_cache: false,
        dedicated: true,
        processors_sleep: true,
        release: plan.release,
        read_locks: plan.read_locks,
    }
}

impl Machine {
    pub(super) fn of(
        plan: &Plan,
        (catalog, calibration): (&Catalog, &Calibration),
        volumes: &[OnDevice],
        (costs, cores, wake): (&Costs, f64, f64),
    ) -> Result<Self, String> {
        let mut catalog = catalog.clone();
        let mut calibration = calibration.clone();
        host(&mut catalog)?;
        network(&mut catalog, plan, costs)?;
        let mut mounts = Vec::new();
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
        for (place, on) in volumes.iter().enumerate() {
            // Volumes on one device share it: they have the numbers of its first.
            let first = *known.entry(&on.device).or_insert(place);
            let medium = format!("rehearsal-{first}");
            if !catalog.media.contains_key(&medium) {
                insert_medium(&mut catalog, &medium, &on.volume)?;
            }
            mounts.push(mount(on, medium, SetId::Common(first)));
        }
        spend(&mut calibration, costs, wake)?;
        Ok(Self { deployment: deployment(plan, cores, mounts), catalog, calibration })
    }
}

fn lacks(what: &str) -> String {
    format!("the catalogue has no {what}")
}

/// The host: nothing but the probes, which have bus, driver and filesystem in them.
fn host(catalog: &mut Catalog) -> Result<(), String> {
    let nothing = Seconds::new(0.0);
    let protocol = catalog.protocols.get_mut("local").ok_or_else(|| lacks("protocol local"))?;
    protocol.command_overhead = measured(nothing, 0.0);
    let array = catalog.arrays.get_mut(LOCAL_DISKS).ok_or_else(|| lacks("array local-raid"))?;
    array.front_end = measured(nothing, 0.0);
    array.read_hit = measured(nothing, 0.0);
    array.cache = measured(Bytes::new(0.0), 0.0);
    let mut server = catalog.servers.get("x86-2017").ok_or_else(|| lacks("server x86-2017"))?.clone();
    SERVER.clone_into(&mut server.entry.id);
    server.processor = None;
    catalog.servers.insert(SERVER.to_owned(), server);
    Ok(())
}

/// The network to the clients: what was measured, and the round trip that was asked for.
fn network(catalog: &mut Catalog, plan: &Plan, costs: &Costs) -> Result<(), String> {
    let mut network = catalog.networks.get("eth-100g").ok_or_else(|| lacks("network eth-100g"))?.clone();
    NETWORK.clone_into(&mut network.entry.id);
    let added = plan.settings.round_trip;
    // A byte over the loopback interface is the processor's work alone.
    network.bandwidth = measured(BytesPerSecond::new(1e12), 0.0);
    network.efficiency = measured(Fraction::new(1.0), 0.0);
    network.round_trip = measured(Seconds::new((costs.trip + added).max(1e-9)), 0.2);
    catalog.networks.insert(NETWORK.to_owned(), network);
    Ok(())
}

fn insert_medium(catalog: &mut Catalog, id: &str, volume: &Volume) -> Result<(), String> {
    let mut entry = catalog.media.get("nvme").ok_or_else(|| lacks("medium nvme"))?.clone();
    let (v, s) = (volume, volume.spread);
    id.clone_into(&mut entry.entry.id);
    entry.random_read = measured(Seconds::new(v.read_s), s);
    entry.random_write = measured(Seconds::new(v.read_s), s);
    entry.stream = measured(BytesPerSecond::new(v.stream), s);
    entry.parallelism = measured(v.parallel, s);
    entry.flush = measured(Seconds::new(v.flush_s), s);
    entry.forced_write = measured(BytesPerSecond::new(v.forced), s);
    catalog.media.insert(id.to_owned(), entry);
    // Of the filesystem the probes have everything but what an appended journal takes.
    let mut filesystem = catalog.filesystems.get("xfs").ok_or_else(|| lacks("filesystem xfs"))?.clone();
    id.clone_into(&mut filesystem.entry.id);
    filesystem.read_efficiency = measured(Fraction::new(1.0), 0.0);
    filesystem.forced_append_writes = measured(v.append_writes, s);
    catalog.filesystems.insert(id.to_owned(), filesystem);
    Ok(())
}

fn mount(on: &OnDevice, medium: String, set: SetId) -> Mount {
    Mount {
        roles: on.roles.clone(),
        mount_point: "/".to_owned(),
        why: String::new(),
        protocol: "local".to_owned(),
        device: LOCAL_DISKS.to_owned(),
        set: DiskSet { called: Some(medium.clone()), ..DiskSet::shared(set) },
        filesystem: Some(medium.clone()),
        medium,
        raid: "raid0".to_owned(),
        disks: 1.0,
        disk_bytes: 1e12,
        bought: None,
        mount_option: None,
        stated_options: None,
        network: None,
    }
}

/// The processor's costs are the measured units.
fn spend(calibration: &mut Calibration, costs: &Costs, wake: f64) -> Result<(), String> {
    let ours = [
        ("command.2017", costs.all.command),
        ("row_read.2017", costs.all.row_read),
        ("row_write.2017", costs.all.row_write),
        ("byte.2017", costs.all.byte),
        ("wake.delay", wake),
    ];
    for (id, value) in ours {
        let parameter = calibration.parameters.get_mut(id);
        let parameter = parameter.ok_or_else(|| format!("the calibration has no parameter {id}"))?;
        parameter.value = measured(value, UNIT_SPREAD);
        parameter.shown = Seconds::new(value).to_string();
    }
    let is_ours = |number: &NumberId| match number {
        NumberId::Parameter(id) => ours.iter().any(|(own, _)| own == id),
        NumberId::Entry { .. } => {
            number.is_of(EntryKind::Protocol, "local") || number.is_of(EntryKind::Array, "local-raid")
        }
    };
    calibration.posterior = calibration.posterior.clone().reaching(is_ours);
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::plan::Settings;
    use super::super::units::Units;
    use super::*;
    use crate::document::read_text;
    use crate::site::{self, Vocabulary};
    use crate::system::predict;

    #[test]
    fn the_prediction_is_of_what_is_rehearsed() {
        let (catalog, calibration) = (Catalog::embedded(), Calibration::embedded());
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rehearsal-site.toml");
        let text = read_text(&path).expect("the site of the points");
        let vocabulary = Vocabulary::of(&catalog);
        let answers = ["server.ram=12 GiB", "workload.concurrent_syncs=2"].map(str::to_owned);
        let site = site::parse("points", &text, &answers, &vocabulary).expect("a site");
        let plan = Plan::of(&site, &catalog, &calibration, &Settings::default()).expect("a plan");
        assert!(plan.db_hit < 1.0, "the memory is too small for all pages");
        let volume = Volume {
            read_s: 1e-4,
            parallel: 16.0,
            stream: 1e9,
            flush_s: 1e-4,
            append_writes: 2.0,
            forced: 5e8,
            spread: 0.1,
        };
        let costs =
            Costs { all: Units { command: 5e-5, row_read: 1e-6, row_write: 1e-6, byte: 1e-9 }, ..Costs::default() };
        let volumes = [OnDevice { roles: vec!["db", "journal", "log", "depot"], device: "sda".to_owned(), volume }];
        let inputs = (&catalog, &calibration);
        let machine = Machine::of(&plan, inputs, &volumes, (&costs, 2.0, 1e-4)).expect("a machine");
        let found =
            predict(&machine.deployment, &plan.load, &machine.catalog, &machine.calibration).expect("a prediction");
        assert!((found.db_hit - plan.db_hit).abs() < 1e-12, "{} {}", found.db_hit, plan.db_hit);
        assert!((found.depot_hit - plan.depot_hit).abs() < 1e-12);
        for kind in &plan.kinds {
            assert!(found.class(&kind.work).is_some(), "{}", kind.work);
        }
        // The processor's numbers are the rehearsal's own, and no published datum moves them.
        let used = &found.used[&NumberId::parameter("command.2017")];
        assert_eq!((used.value, used.origin.kind()), (5e-5, "measured"));
    }
}
