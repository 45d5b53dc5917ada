//! What each rule says of a change of the healthy world: above, below and at its thresholds.

use super::world::{World, stated};
use plimsoll::advisor::WindowVerdict;
use plimsoll::advisor::rules::Severity;
use plimsoll::catalog::ReadLocks;
use plimsoll::site::{Backup, Release};
use plimsoll::system::ResourceKind;
use plimsoll::system::memory::ServerMemory;
use plimsoll::units::{Bytes, Fraction, Seconds};

/// Id of a rule, the worst that it says, and the change.
pub(super) type Case = (&'static str, Option<Severity>, fn(&mut World));
pub(super) const NOTE: Option<Severity> = Some(Severity::Note);
pub(super) const WARNING: Option<Severity> = Some(Severity::Warning);
pub(super) const CRITICAL: Option<Severity> = Some(Severity::Critical);
/// The least above a threshold.
pub(super) const MORE: f64 = 1.000_000_1;

/// What each rule says of a change of the healthy world: above, below and at its thresholds.
#[expect(clippy::assigning_clones, clippy::semicolon_if_nothing_returned, reason = "a table of changes, a line each")]
pub(super) const CASES: &[Case] = &[
    ("BLD001", NOTE, |w| {
        w.is_there = true;
        w.busy(ResourceKind::ClientNetwork, 0.3);
        w.site.workload.automation_share = stated(Fraction::new(0.3 * MORE))
    }),
    ("BLD001", None, |w| {
        w.is_there = true;
        w.busy(ResourceKind::ClientNetwork, 0.3 / MORE);
        w.site.workload.automation_share = stated(Fraction::new(0.5))
    }),
    ("BLD001", None, |w| {
        w.is_there = true;
        w.site.workload.automation_share = stated(Fraction::new(0.3))
    }),
    ("BLD001", NOTE, |w| {
        w.is_there = true;
        w.busy(ResourceKind::ClientNetwork, 0.3);
        w.syncs_in_flight(3.0 * MORE)
    }),
    ("BLD001", None, |w| {
        w.is_there = true;
        w.syncs_in_flight(2.0)
    }),
    ("BLD001", None, |w| {
        // Whether a proxy pays was weighed.
        w.busy(ResourceKind::ClientNetwork, 0.3);
        w.syncs_in_flight(3.0 * MORE)
    }),
    ("BLD001", WARNING, |w| {
        w.is_there = true;
        w.busy(ResourceKind::ClientNetwork, 0.3);
        w.site.workload.automation_share = stated(Fraction::new(0.5));
        w.syncs_in_flight(3.0 * MORE);
    }),
    ("BLD001", None, |w| {
        w.is_there = true;
        w.syncs_in_flight(30.0);
        w.builds_proxy();
    }),
    ("BLD001", None, |w| {
        w.is_there = true;
        w.syncs_in_flight(30.0);
        w.deployment.edges = 1;
    }),
    ("EVD001", NOTE, |w| {
        w.deployment.server = "present-16c".to_owned();
        w.deployment.processor = Some("turin".to_owned());
    }),
    ("EVD001", NOTE, |w| w.mount("db").medium = "nvme".to_owned()),
    ("EVD001", NOTE, |w| {
        w.mount("db").device = "cloud-block".to_owned();
        w.mount("db").medium = "cloud-gp3".to_owned();
    }),
    ("EVD001", NOTE, |w| w.mount("db").device = "generic-hybrid".to_owned()),
    ("EVD001", None, |w| w.deployment.server = "pure-host".to_owned()),
    ("EVD002", WARNING, |w| w.influence(1.5 * MORE, false)),
    ("EVD002", None, |w| w.influence(1.5, false)),
    ("EVD002", WARNING, |w| w.influence(1.0, true)),
    ("CAP001", CRITICAL, |w| w.full_in(2.969)),
    ("CAP001", None, |w| w.full_in(2.97)),
    ("CAP001", None, |w| w.full_in(3.0)),
    ("CAP003", WARNING, |w| w.headroom.reached_in = Some(Seconds::years(2.96))),
    ("CAP003", None, |w| w.headroom.reached_in = Some(Seconds::years(2.98))),
    ("CAP003", None, |w| w.headroom.reached_in = None),
    ("CAP002", WARNING, |w| {
        w.site.protection.backup = stated(Backup::Snapshots);
        w.site.protection.snapshot_reserve = stated(Fraction::new(0.099));
    }),
    ("CAP002", None, |w| {
        w.site.protection.backup = stated(Backup::Snapshots);
        w.site.protection.snapshot_reserve = stated(Fraction::new(0.1));
    }),
    ("CAP002", None, |w| {
        w.site.protection.backup = stated(Backup::Tape);
        w.site.protection.snapshot_reserve = stated(Fraction::new(0.0));
    }),
    ("CAP004", WARNING, |w| w.office_drives(18.0, false)),
    ("CAP004", None, |w| w.office_drives(6.0, false)),
    ("CAP004", None, |w| w.office_drives(18.0, true)),
    ("CPU001", WARNING, |w| w.busy(ResourceKind::Processor, 0.7 * MORE)),
    ("CPU001", None, |w| w.busy(ResourceKind::Processor, 0.7)),
    ("CPU001", None, |w| w.busy(ResourceKind::Disks, 0.9)),
    ("FLX001", NOTE, |w| w.site.data.workspace_files = stated(100_001.0)),
    ("FLX001", None, |w| w.site.data.workspace_files = stated(100_000.0)),
    ("FLX001", None, |w| {
        w.site.data.workspace_files = stated(500_000.0);
        for mount in &mut w.deployment.volumes {
            mount.device = "flasharray".to_owned();
        }
    }),
    ("MEM001", WARNING, |w| w.memory.there = w.memory.rule - Bytes::new(1.0)),
    ("MEM001", None, |w| w.memory.there = w.memory.rule),
    ("MEM002", WARNING, |w| w.memory.hit = 0.979_999),
    ("MEM002", None, |w| w.memory.hit = 0.98),
    ("MEM003", CRITICAL, |w| {
        let server = &mut w.memory.servers[0];
        server.there = server.need() - 1.0;
    }),
    // What the edges hold comes to the commit server while they are down.
    ("MEM003", WARNING, |w| {
        let commit = w.memory.servers[0];
        w.memory.servers.push(ServerMemory { server: 1, ..commit });
        w.memory.servers[0].there = commit.need();
        w.memory.servers[1].there = commit.need();
    }),
    ("MEM003", None, |w| {
        let server = &mut w.memory.servers[0];
        server.there = server.need();
    }),
    ("NET001", WARNING, |w| w.busy(ResourceKind::ClientNetwork, 0.8 * MORE)),
    ("NET001", None, |w| w.busy(ResourceKind::ClientNetwork, 0.8)),
    ("NET002", NOTE, |w| w.office(20.0)),
    ("NET002", None, |w| w.office(19.999)),
    ("NET002", None, |w| {
        w.office(200.0);
        w.deployment.edges = 1;
        w.deployment.offices = vec!["Lyon".to_owned()];
    }),
    // An edge elsewhere does not serve it.
    ("NET002", NOTE, |w| {
        w.office(200.0);
        w.deployment.edges = 1;
    }),
    ("NET002", WARNING, |w| {
        w.office(200.0);
        w.site.targets.browse = stated(Seconds::new(1e-6));
        let here = crate::class(&w.prediction, "browse");
        let mut class = here.expect("people browse").clone();
        class.work.clients = plimsoll::workload::Clients::Office("Lyon".to_owned());
        w.prediction.classes.push(class);
    }),
    ("NET003", NOTE, |w| {
        w.export("depot", "nfsv3", None);
        w.mount("depot").network = Some("eth-10g".to_owned());
    }),
    ("NET003", None, |w| {
        w.export("depot", "nfsv3", None);
        w.mount("depot").network = Some("eth-10g".to_owned());
        w.deployment.client_links = 2.0;
    }),
    ("NET003", None, |w| w.export("depot", "nfsv3", None)),
    ("OSX001", WARNING, |w| w.site.server.bits = stated(32.0)),
    ("OSX001", WARNING, |w| w.deployment.server = "dell-6650".to_owned()),
    ("OSX001", CRITICAL, |w| w.windows(Release::new(2004, 2), 131.0)),
    ("OSX001", WARNING, |w| w.windows(Release::new(2004, 2), 130.0)),
    ("OSX001", WARNING, |w| w.windows(Release::new(2006, 2), 131.0)),
    ("PLC001", CRITICAL, |w| w.export("db", "nfsv3", None)),
    ("PLC001", WARNING, |w| w.export("db", "nfsv3", Some(0))),
    ("PLC001", CRITICAL, |w| w.export("db", "smb", None)),
    ("PLC001", None, |w| w.export("depot", "nfsv3", None)),
    ("PLC002", WARNING, |w| w.export("journal", "nfsv3", Some(0))),
    ("PLC002", None, |w| w.export("log", "nfsv3", None)),
    ("PLC003", WARNING, |w| w.export("depot", "nfsv3", Some(0))),
    ("PLC003", CRITICAL, |w| {
        w.export("depot", "nfsv3", Some(0));
        w.deployment.edges = 1;
        w.deployment.shared_depot = true;
    }),
    ("PLC003", None, |w| w.export("depot", "nfsv3", Some(4))),
    ("PLC004", NOTE, |w| {
        w.export("log", "nfsv3", None);
        w.site.server.log_level = stated(3.0);
    }),
    ("PLC004", None, |w| {
        w.export("log", "nfsv3", None);
        w.site.server.log_level = stated(2.0);
    }),
    ("PLC004", None, |w| w.site.server.log_level = stated(5.0)),
    ("PLC005", WARNING, |w| w.beside_db("depot")),
    ("PLC005", None, |w| {
        w.beside_db("depot");
        w.mount("db").medium = "nvme".to_owned();
    }),
    ("PLC005", None, |w| w.beside_db("log")),
    ("PLC006", WARNING, |w| w.export("journal", "nfsv4.1", None)),
    ("PLC006", None, |w| w.export("journal", "nfsv3", None)),
    ("PLC006", None, |w| w.export("depot", "nfsv4.1", None)),
    ("PLC007", NOTE, |w| w.beside_db("journal")),
    ("PLC008", NOTE, |w| w.site.infrastructure.dedicated = stated(false)),
    ("PLC008", None, |w| {
        w.site.infrastructure.dedicated = stated(false);
        for mount in &mut w.deployment.volumes {
            mount.device = "local-raid".to_owned();
        }
    }),
    ("QUE001", WARNING, |w| w.largest_commit = 10.0 * MORE),
    ("QUE001", None, |w| w.largest_commit = 10.0),
    ("QUE002", WARNING, |w| w.deployment.read_locks = ReadLocks::All),
    ("QUE003", WARNING, |w| w.lock(0.5 * MORE)),
    ("QUE003", None, |w| w.lock(0.5)),
    ("RCV001", WARNING, |w| w.recovers(Some(WindowVerdict::Missed), None)),
    ("RCV001", None, |w| w.recovers(Some(WindowVerdict::Met), None)),
    ("RCV001", None, |w| w.recovers(Some(WindowVerdict::MayMiss), None)),
    ("RCV001", WARNING, |w| w.recovers(None, Some(false))),
    ("RCV001", None, |w| w.recovers(None, Some(true))),
    ("RCV001", None, |w| w.recovers(None, None)),
    ("STO001", WARNING, |w| w.busy(ResourceKind::Disks, 0.7 * MORE)),
    ("STO001", WARNING, |w| w.busy(ResourceKind::Stream, 0.7 * MORE)),
    ("STO001", WARNING, |w| w.busy(ResourceKind::Ports, 0.7 * MORE)),
    ("STO001", None, |w| w.busy(ResourceKind::Disks, 0.7)),
    ("STO002", WARNING, |w| w.busy(ResourceKind::Slots, 0.7 * MORE)),
    ("STO002", None, |w| w.busy(ResourceKind::Slots, 0.7)),
    ("STO003", CRITICAL, |w| w.mount("log").raid = "raid0".to_owned()),
    ("STO003", None, |w| w.mount("log").raid = "raid1".to_owned()),
    ("STO003", None, |w| {
        w.mount("log").raid = "raid0".to_owned();
        w.mount("log").device = "cloud-block".to_owned();
        w.mount("log").protocol = "local".to_owned();
    }),
    ("STO004", NOTE, |w| w.mount("depot").filesystem = Some("ext3".to_owned())),
    ("STO004", None, |w| w.mount("depot").filesystem = Some("ext4".to_owned())),
    ("STO004", None, |w| w.mount("db").filesystem = Some("ext3".to_owned())),
    ("STO006", WARNING, |w| {
        w.site.infrastructure.protocols = stated(vec!["nfsv4.1".to_owned()]);
        w.site.infrastructure.storage = stated(vec!["ea-san".to_owned()]);
    }),
    ("STO006", WARNING, |w| {
        let windows = vec!["windows".to_owned()];
        w.site.infrastructure.operating_systems = stated(windows);
        w.site.infrastructure.storage = stated(vec!["cloud-nfs".to_owned()]);
        w.site.infrastructure.protocols = stated(vec!["nfsv3".to_owned()]);
    }),
    ("STO006", None, |w| w.site.infrastructure.protocols = stated(vec!["fc".to_owned()])),
    // What serves a protocol that is allowed is not there.
    ("STO006", NOTE, |w| {
        w.site.infrastructure.protocols = stated(vec!["fc".to_owned(), "iscsi".to_owned()]);
        w.site.infrastructure.storage = stated(vec!["ea-san".to_owned()]);
    }),
    ("STO006", None, |w| {
        let both = vec!["fc".to_owned(), "local".to_owned()];
        w.site.infrastructure.protocols = stated(both);
        w.site.infrastructure.storage = stated(vec!["ea-san".to_owned()]);
    }),
    // What nobody stated is not missed.
    ("STO006", NOTE, |w| {
        w.site.infrastructure.protocols = stated(vec!["iscsi".to_owned()]);
        let storage = &mut w.site.infrastructure.storage;
        storage.value = vec!["cloud-block".to_owned(), "cloud-nfs".to_owned()];
        storage.origin = w.site.server.tcp_window.origin.clone();
    }),
];
