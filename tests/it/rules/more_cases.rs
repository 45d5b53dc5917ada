//! What the rules on long holders, tools, edges, maintenance, mounts and signs say of a change of the healthy world.

use super::cases::{CRITICAL, Case, MORE, NOTE, WARNING};
use super::world::{World, stated};
use plimsoll::site::{Backup, Release};
use plimsoll::system::{Job, PredictError, Resource, ResourceKind, SetId, Spot};
use plimsoll::units::{Bytes, Fraction, PerSecond, Seconds};

/// A sign of its own makes a rule fire.
macro_rules! signs {
    ($($id:literal $severity:ident $word:literal),* $(,)?) => {
        pub(super) const SIGNED: &[Case] = &[$(($id, $severity, |w| w.sign($word))),*];
    };
}

signs![
    "QUE007" WARNING "stalls",
    "NET006" WARNING "slow-syncs",
    "OSX005" WARNING "memory-ballooning",
    "OSX005" WARNING "vm-snapshots",
    "OSX005" WARNING "processor-steal",
    "MEM004" WARNING "swapping",
    "OSX004" WARNING "huge-pages",
    "CPU002" WARNING "power-saving",
    "PLC015" WARNING "antivirus",
    "PLC013" NOTE "access-times",
    "PLC014" NOTE "server-locks-on-disk",
    "RCV009" WARNING "journal-not-rotated",
    "MEM005" WARNING "no-command-limits",
    "EVD004" NOTE "monitor-off",
    "EVD004" NOTE "untracked-log",
    "EDG003" WARNING "pull-list-polled",
    "QUE008" WARNING "exclusive-opens",
    "QUE009" WARNING "static-labels",
    "CAP009" WARNING "stale-workspaces",
    "BLD002" WARNING "full-build-workspaces",
    "BLD003" WARNING "shared-build-workspace",
    "QUE010" WARNING "slow-triggers",
    "CAP008" WARNING "default-free-space-limits",
];

fn at_night(w: &mut World, job: Job, seconds: f64) {
    w.site.protection.backup = stated(Backup::Checkpoint);
    w.site.protection.night_window = stated(Seconds::new(3600.0));
    w.takes(job, seconds);
}

fn db_on_own(w: &mut World, medium: &str, raid: &str) {
    let db = w.mount("db");
    "local-raid".clone_into(&mut db.device);
    medium.clone_into(&mut db.medium);
    raid.clone_into(&mut db.raid);
}

fn depots(w: &mut World, device: &str, bytes: f64) {
    let mount = w.mount("depot");
    device.clone_into(&mut mount.device);
    if device == "cloud-block" {
        "local".clone_into(&mut mount.protocol);
    }
    for size in &mut w.sizes {
        if size.role == "depot" {
            (size.data, size.data_at_horizon) = (Bytes::new(bytes / 2.0), Bytes::new(bytes));
        }
    }
}

fn beside(w: &mut World, edges: u32) {
    w.idle();
    w.deployment.edges = edges;
}

fn one_path(w: &mut World, used: f64) {
    w.idle();
    w.mount("depot").network = w.mount("db").network.clone();
    w.busy(ResourceKind::Ports, used);
}

fn busiest(w: &mut World, kind: ResourceKind, used: f64, disks: f64) {
    w.idle();
    w.busy(kind, used);
    w.busy(ResourceKind::Disks, disks);
}

#[expect(clippy::semicolon_if_nothing_returned, reason = "a table of changes, a line each")]
pub(super) const FURTHER: &[Case] = &[
    ("QUE004", NOTE, |w| w.holds("label", 1.0 * MORE)),
    ("QUE004", None, |w| w.holds("label", 1.0)),
    ("QUE004", WARNING, |w| w.holds("client-delete", 10.0 * MORE)),
    ("QUE005", WARNING, |w| w.polls("vscode", 0.4 * MORE)),
    ("QUE005", None, |w| w.polls("vscode", 0.4)),
    ("QUE005", WARNING, |w| w.site.workload.polling_share = stated(Fraction::new(0.6))),
    // Assumed alone it is no finding.
    ("QUE005", None, |w| w.site.workload.polling_share.value = Fraction::new(0.6)),
    ("QUE006", NOTE, |w| {
        w.polls("ugs", 0.1);
        w.site.data.revisions = stated(1.0 / 2.7e-6 * MORE);
    }),
    ("QUE006", None, |w| {
        w.polls("ugs", 0.1);
        w.site.data.revisions = stated(1.0 / 2.7e-6);
    }),
    ("QUE006", None, |w| {
        w.polls("p4v", 0.1);
        w.site.data.revisions = stated(1e9);
    }),
    ("QUE006", WARNING, |w| {
        w.polls("ugs", 0.1);
        w.site.data.revisions = stated(1e8);
    }),
    ("QUE007", None, |w| w.sign("slow-syncs")),
    ("QUE008", NOTE, |w| {
        w.far_edge(100.0, 1e9);
        w.site.data.binary_share = stated(Fraction::new(0.5));
    }),
    ("QUE008", None, |w| {
        w.far_edge(100.0, 1e9);
        w.site.data.binary_share = stated(Fraction::new(0.499));
    }),
    ("QUE011", WARNING, |w| {
        w.overload = Some(PredictError::Saturated { resource: Resource::lock("db.have", 0), utilization: 1.3 });
    }),
    ("QUE011", CRITICAL, |w| {
        w.overload = Some(PredictError::Saturated {
            resource: Resource::shared(Spot::Disks(SetId::Common(0))),
            utilization: 1.2,
        });
        w.site.workload.commands_per_day = stated(PerSecond::new(2.0));
    }),
    ("QUE011", None, |w| w.overload = None),
    ("EDG001", NOTE, |w| {
        w.far_edge(50.0, 1e6);
        w.seeding(86_400.0 * MORE);
    }),
    ("EDG001", None, |w| {
        w.far_edge(50.0, 1e6);
        w.seeding(86_400.0);
    }),
    ("EDG001", WARNING, |w| {
        w.far_edge(50.0, 1e6);
        w.seeding(1e6);
    }),
    ("EDG001", None, |w| {
        w.far_edge(50.0, 1e6);
        w.seeding(1e6);
        w.deployment.shared_depot = true;
    }),
    ("EDG002", WARNING, |w| {
        w.far_edge(100.0, 1e12);
        arrivals(w, 14.0 * 1.001);
    }),
    ("EDG002", None, |w| {
        w.far_edge(100.0, 1e12);
        arrivals(w, 14.0 * 0.999);
    }),
    ("EDG003", WARNING, |w| w.site.today.pull_queue = Some(stated(100_000.0))),
    ("EDG003", None, |w| w.site.today.pull_queue = Some(stated(99_999.0))),
    ("EDG003", CRITICAL, |w| w.site.today.pull_queue = Some(stated(8.8e6))),
    ("EDG004", WARNING, |w| {
        w.far_edge(50.0, 1e9);
        w.site.protection.backup = stated(Backup::Snapshots);
    }),
    ("EDG004", None, |w| {
        w.far_edge(50.0, 1e9);
        w.site.protection.backup = stated(Backup::Replica);
    }),
    ("EDG005", NOTE, |w| {
        beside(w, 1);
        w.busy(ResourceKind::Processor, 0.149);
    }),
    ("EDG005", None, |w| {
        beside(w, 1);
        w.busy(ResourceKind::Processor, 0.15);
    }),
    ("EDG006", WARNING, |w| w.site.workload.commands_per_day = stated(PerSecond::new(12e6 / 86_400.0 * MORE))),
    ("EDG006", None, |w| w.site.workload.commands_per_day = stated(PerSecond::new(12e6 / 86_400.0))),
    ("EDG006", None, |w| {
        w.site.workload.commands_per_day = stated(PerSecond::new(20e6 / 86_400.0));
        w.deployment.edges = 1;
    }),
    ("BLD002", WARNING, |w| builds(w, 10e6 * MORE)),
    ("BLD002", None, |w| builds(w, 10e6 / MORE)),
    ("BLD004", NOTE, |w| {
        w.idle();
        w.is_there = true;
        w.builds_proxy();
        w.busy(ResourceKind::ClientNetwork, 0.199);
    }),
    ("BLD004", None, |w| {
        w.idle();
        w.is_there = true;
        w.builds_proxy();
        w.busy(ResourceKind::ClientNetwork, 0.2);
    }),
    ("BLD005", NOTE, |w| {
        w.site.targets.large_sync = Some(stated(Seconds::new(3600.0)));
        large_sync(w, 1800.0 * MORE);
    }),
    ("BLD005", None, |w| {
        w.site.targets.large_sync = Some(stated(Seconds::new(3600.0)));
        large_sync(w, 1800.0);
    }),
    ("BLD005", WARNING, |w| {
        large_sync(w, 1000.0);
        w.site.targets.large_sync = Some(stated(Seconds::new(1.0)));
    }),
    ("NET004", WARNING, |w| {
        w.office(50.0);
        w.busy(ResourceKind::Wan, 0.7 * MORE);
    }),
    ("NET004", None, |w| {
        w.office(50.0);
        w.busy(ResourceKind::Wan, 0.7);
    }),
    ("NET005", WARNING, |w| {
        w.office(100.0);
        w.site.server.tcp_window = stated(Bytes::new(4.9e6));
    }),
    ("NET005", None, |w| {
        w.office(100.0);
        w.site.server.tcp_window = stated(Bytes::new(5.1e6));
    }),
    // The kernel sizes windows that nobody stated.
    ("NET005", None, |w| {
        w.office(100.0);
        w.site.server.tcp_window.value = Bytes::new(1e4);
    }),
    ("EVD003", NOTE, |w| busiest(w, ResourceKind::Processor, 0.5 * MORE, 0.1)),
    ("EVD003", None, |w| busiest(w, ResourceKind::Processor, 0.5, 0.1)),
    ("EVD003", None, |w| busiest(w, ResourceKind::Processor, 0.6, 0.3)),
    ("EVD003", None, |w| busiest(w, ResourceKind::Stream, 0.9, 0.1)),
    ("EVD003", NOTE, |w| {
        w.idle();
        w.lock(0.6);
    }),
    // Held while pages come from the disks.
    ("EVD003", None, |w| {
        w.idle();
        w.lock(0.6);
        w.memory.hit = 0.97;
    }),
    ("EVD004", NOTE, |w| w.site.server.log_level = stated(2.0)),
    ("EVD004", None, |w| w.site.server.log_level = stated(3.0)),
    ("CAP005", WARNING, |w| w.site.today.checkpoint_size = Some(stated(w.site.data.db_size.value / (10.0 * MORE)))),
    ("CAP005", None, |w| w.site.today.checkpoint_size = Some(stated(w.site.data.db_size.value / 10.0))),
    // Larger than its revisions need, and large at all.
    ("CAP005", WARNING, |w| {
        w.site.data.revisions = stated(20e6);
        w.site.data.workspace_files.value = 0.0;
        w.site.data.db_size = stated(Bytes::new(3.0 * 20e6 * 550.0 * MORE))
    }),
    ("CAP005", None, |w| {
        w.site.data.revisions = stated(20e6);
        w.site.data.workspace_files.value = 0.0;
        w.site.data.db_size = stated(Bytes::new(3.0 * 20e6 * 550.0))
    }),
    ("CAP005", None, |w| {
        w.site.data.revisions = stated(1e6);
        w.site.data.db_size = stated(Bytes::new(20e9))
    }),
    // File lists of workspaces explain as much again.
    ("CAP005", None, |w| {
        w.site.data.revisions = stated(20e6);
        w.site.data.workspace_files.value = 20e6 * 550.0 / 150.0 / w.site.people.developers.value;
        w.site.data.db_size = stated(Bytes::new(6.0 * 20e6 * 550.0));
        w.memory.there = w.site.data.db_size.value;
    }),
    // What fits the memory is no reason by itself.
    ("CAP005", None, |w| w.site.data.db_size = stated(Bytes::new(200e9))),
    ("CAP005", NOTE, |w| w.site.data.db_size = stated(w.memory.there + Bytes::new(1.0))),
    ("CAP006", NOTE, |w| w.checkpoints(0.25 * MORE)),
    ("CAP006", None, |w| w.checkpoints(0.25)),
    ("CAP007", WARNING, |w| archives(w, "ext4", 16_383.0)),
    ("CAP007", None, |w| archives(w, "ext4", 16_384.0)),
    ("CAP007", None, |w| archives(w, "xfs", 1_000.0)),
    ("RCV002", NOTE, |w| at_night(w, Job::CheckpointLive, 60.0 * MORE)),
    ("RCV002", None, |w| at_night(w, Job::CheckpointLive, 60.0)),
    ("RCV002", WARNING, |w| at_night(w, Job::CheckpointLive, 300.0 * MORE)),
    ("RCV002", WARNING, |w| {
        w.sign("live-checkpoint");
        w.checkpoint_took(32_400.0);
    }),
    ("RCV002", None, |w| {
        at_night(w, Job::CheckpointLive, 9000.0);
        w.site.protection.backup = stated(Backup::Replica);
    }),
    ("RCV003", WARNING, |w| at_night(w, Job::CheckpointOffline, 3600.0 * MORE)),
    ("RCV003", None, |w| at_night(w, Job::CheckpointOffline, 3600.0)),
    ("RCV003", WARNING, |w| w.checkpoint_took(32_400.0)),
    ("RCV010", WARNING, |w| w.checkpoint_is(3.0 * MORE)),
    ("RCV010", None, |w| w.checkpoint_is(2.99)),
    ("RCV010", NOTE, |w| w.checkpoint_is(1.0 / (3.0 * MORE))),
    ("RCV010", None, |w| w.checkpoint_is(1.0)),
    ("RCV004", WARNING, |w| {
        available(w, 0.999);
        w.site.protection.availability = stated(Fraction::new(0.9999));
    }),
    ("RCV004", None, |w| {
        available(w, 0.9999);
        w.site.protection.availability = stated(Fraction::new(0.9999));
    }),
    ("RCV005", NOTE, |w| w.takes(Job::Verify, 172_800.0 * MORE)),
    ("RCV005", None, |w| w.takes(Job::Verify, 172_800.0)),
    ("RCV006", CRITICAL, |w| w.site.protection.backup = stated(Backup::None)),
    ("RCV006", None, |w| w.site.protection.backup.value = Backup::None),
    ("RCV007", NOTE, |w| w.site.protection.backup = stated(Backup::Snapshots)),
    ("RCV007", None, |w| {
        w.site.protection.backup = stated(Backup::Snapshots);
        "flashblade".clone_into(&mut w.mount("depot").device);
    }),
    ("RCV008", WARNING, |w| {
        w.site.protection.backup = stated(Backup::Checkpoint);
        w.beside_db("checkpoint");
    }),
    ("RCV008", None, |w| w.site.protection.backup = stated(Backup::Checkpoint)),
    ("PLC009", WARNING, |w| one_path(w, 0.5 * MORE)),
    ("PLC009", None, |w| one_path(w, 0.5)),
    ("PLC009", None, |w| {
        one_path(w, 0.9);
        "flashblade".clone_into(&mut w.mount("depot").device);
    }),
    ("PLC010", CRITICAL, |w| w.options("depot", "rw,soft,timeo=30")),
    ("PLC010", None, |w| w.options("depot", "rw,hard,timeo=600")),
    ("PLC011", WARNING, |w| w.options("db", "noatime,discard")),
    ("PLC011", None, |w| w.options("db", "noatime")),
    ("PLC012", NOTE, |w| {
        w.export("depot", "nfsv3", None);
        w.options("depot", "rw,hard");
    }),
    ("PLC012", None, |w| {
        w.export("depot", "nfsv3", None);
        w.options("depot", "rw,hard,vers=3");
    }),
    ("PLC012", None, |w| w.options("db", "rw")),
    ("PLC013", NOTE, |w| w.options("depot", "rw,strictatime")),
    ("PLC013", None, |w| w.options("depot", "rw,noatime")),
    ("PLC014", WARNING, |w| {
        w.is_there = true;
        w.export("db", "nfsv3", Some(0));
    }),
    // The emitted configuration moves the folder, from the release on that it knows how to.
    ("PLC014", None, |w| w.export("db", "nfsv3", Some(0))),
    ("PLC014", WARNING, |w| {
        w.site.server.release = stated(Release::new(2017, 2));
        w.export("db", "nfsv3", Some(0));
    }),
    ("CLD001", WARNING, |w| on_instance(w, 40_000.0 * 0.7 * MORE)),
    ("CLD001", None, |w| on_instance(w, 40_000.0 * 0.7)),
    ("CLD001", None, |w| {
        on_instance(w, 40_000.0);
        "present-16c".clone_into(&mut w.deployment.server);
    }),
    ("PLC014", None, |w| w.export("depot", "nfsv3", None)),
    ("OSX006", NOTE, |w| w.site.server.is_virtual = Some(stated(true))),
    ("OSX006", None, |w| w.site.server.is_virtual = Some(stated(false))),
    ("OSX006", None, |w| {
        w.site.server.is_virtual = Some(stated(true));
        "cloud-8xl".clone_into(&mut w.deployment.server);
    }),
    ("PLC016", NOTE, |w| temp(w, "system")),
    ("PLC016", NOTE, |w| temp(w, "db")),
    ("PLC016", None, |w| temp(w, "log")),
    ("PLC016", None, |w| {
        temp(w, "system");
        w.is_there = false;
    }),
    ("NET007", NOTE, |w| {
        w.office(50.0);
        w.site.data.largest_file = Some(stated(Bytes::new(1e8 * 1800.0 * MORE)));
    }),
    ("NET007", NOTE, |w| {
        w.office(50.0);
        w.site.workload.largest_submit_size = Some(stated(Bytes::new(1e8 * 1800.0 * MORE)));
    }),
    ("NET007", None, |w| {
        w.office(50.0);
        w.site.data.largest_file = Some(stated(Bytes::new(1e8 * 1800.0)));
    }),
    ("OSX002", NOTE, |w| {
        let both = vec!["windows".to_owned(), "linux".to_owned()];
        w.site.infrastructure.operating_systems = stated(both);
    }),
    ("OSX002", None, |w| {
        w.site.infrastructure.operating_systems = stated(vec!["windows".to_owned()]);
        "windows".clone_into(&mut w.deployment.system);
    }),
    ("OSX003", NOTE, |w| {
        "windows".clone_into(&mut w.deployment.system);
    }),
    ("OSX003", None, |w| {
        w.site.people.developers = stated(2000.0);
    }),
    ("PLC017", NOTE, |w| {
        w.export("depot", "nfsv3", None);
        "iscsi".clone_into(&mut w.mount("db").protocol);
    }),
    ("PLC017", None, |w| {
        w.export("depot", "nfsv3", None);
        "fc".clone_into(&mut w.mount("db").protocol);
    }),
    ("PLC017", None, |w| {
        "iscsi".clone_into(&mut w.mount("db").protocol);
    }),
    ("CPU003", NOTE, |w| {
        w.idle();
        w.site.server.cores = stated(16.0);
        w.largest_commit = 5.0 * MORE;
    }),
    ("CPU003", None, |w| {
        w.idle();
        w.site.server.cores = stated(16.0);
        w.largest_commit = 5.0;
    }),
    ("CPU003", None, |w| {
        w.idle();
        w.busy(ResourceKind::Processor, 0.1);
        w.site.server.cores = stated(16.0);
        w.largest_commit = 9.0;
    }),
    ("MEM005", WARNING, |w| w.site.data.files = stated(w.memory.there.get() / 2048.0 * MORE)),
    ("MEM005", None, |w| w.site.data.files = stated(w.memory.there.get() / 2048.0)),
    ("STO007", NOTE, |w| depots(w, "cloud-block", 16e12 * MORE)),
    ("STO007", None, |w| depots(w, "cloud-block", 16e12)),
    ("STO007", WARNING, |w| depots(w, "cloud-block", 40e12)),
    ("STO007", None, |w| depots(w, "fas3270", 40e12)),
    ("STO008", WARNING, |w| {
        w.idle();
        w.memory.hit = 0.979;
    }),
    ("STO008", None, |w| {
        w.idle();
        w.memory.hit = 0.98;
        w.busy(ResourceKind::Disks, 0.3);
    }),
    ("STO008", WARNING, |w| {
        w.idle();
        w.memory.hit = 0.99;
        w.busy(ResourceKind::Disks, 0.3 * MORE);
    }),
    ("STO008", None, |w| {
        w.memory.hit = 0.5;
        "nvme".clone_into(&mut w.mount("db").medium);
    }),
    ("STO009", WARNING, |w| db_on_own(w, "disk-10k", "raid5")),
    ("STO009", None, |w| db_on_own(w, "disk-10k", "raid10")),
    ("STO009", None, |w| db_on_own(w, "nvme", "raid5")),
    ("STO010", WARNING, |w| {
        w.mount("journal").filesystem = Some("btrfs".to_owned());
    }),
    ("STO010", None, |w| {
        w.mount("db").filesystem = Some("zfs".to_owned());
    }),
    ("STO010", None, |w| {
        w.mount("depot").filesystem = Some("btrfs".to_owned());
    }),
    ("REL001", NOTE, |w| w.site.server.release = stated(Release::new(2022, 1))),
    ("REL001", None, |w| w.site.server.release = stated(Release::new(2022, 2))),
    ("REL001", WARNING, |w| w.site.server.release = stated(Release::new(2013, 3))),
    ("REL001", NOTE, |w| w.site.server.release = stated(Release::new(2014, 1))),
];

/// So many files a second come to the depots at the peak.
fn arrivals(w: &mut World, files: f64) {
    let work = &mut w.site.workload;
    work.files_per_submit = stated(10.0);
    work.peak_to_mean = stated(1.0);
    work.submits_per_day = stated(PerSecond::new(files / 10.0));
}

/// Builds that write so many rows of db.have a day.
fn builds(w: &mut World, rows: f64) {
    let work = &mut w.site.workload;
    work.concurrent_sync_size = stated(Bytes::new(1e9));
    w.site.data.file_size = stated(Bytes::new(1e6));
    work.large_syncs_per_day = stated(PerSecond::new(rows / 1000.0 / 86_400.0));
}

fn large_sync(w: &mut World, seconds: f64) {
    for class in &mut w.prediction.classes {
        if class.work.is_large_sync() {
            class.p95.value = seconds;
            class.mean.value = seconds;
        }
    }
}

/// Database on a volume of an instance that takes 40,000 operations a second for all its volumes.
fn on_instance(w: &mut World, operations: f64) {
    "cloud-8xl".clone_into(&mut w.deployment.server);
    "cloud-block".clone_into(&mut w.mount("db").device);
    "local".clone_into(&mut w.mount("db").protocol);
    w.idle();
    w.prediction.io.clear();
    let io = plimsoll::system::Io { reads: operations, ..plimsoll::system::Io::default() };
    w.prediction.io.insert((0, "db"), io);
}

/// The temporary files of the system that is there lie so.
fn temp(w: &mut World, place: &str) {
    w.is_there = true;
    w.site.today.temp = Some(stated(place.to_owned()));
}

fn archives(w: &mut World, filesystem: &str, bytes: f64) {
    w.mount("depot").filesystem = Some(filesystem.to_owned());
    w.site.data.depot_size = stated(Bytes::new(bytes * 1e6));
    w.site.data.revisions = stated(1e6);
}

fn available(w: &mut World, expected: f64) {
    w.recovery.availability = Some(plimsoll::advisor::Availability { wanted: 0.9999, expected });
}
