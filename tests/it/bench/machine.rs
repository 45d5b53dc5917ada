//! Machines laid out as files: what is found under and around a folder of theirs.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use plimsoll::bench::environment::{Device, Environment, Roots};

use crate::cli::scratch;

/// `/proc`, `/sys` and `/` of a machine.
pub(super) struct Machine {
    pub(super) root: PathBuf,
}

impl Machine {
    pub(super) fn new(name: &str) -> Self {
        let root = scratch(name);
        for folder in ["proc/self", "sys/dev/block", "sys/class/block", "sys/block", "root"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        Self { root }
    }

    pub(super) fn with(self, files: &[(&str, &str)]) -> Self {
        for (path, text) in files {
            let path = self.root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("{text}\n")).unwrap();
        }
        self
    }

    /// A disk or partition with its number, where the kernel keeps it, and links to it.
    fn with_block(self, place: &str, number: &str, files: &[(&str, &str)]) -> Self {
        let folder = self.root.join("sys/devices").join(place);
        fs::create_dir_all(&folder).unwrap();
        let name = folder.file_name().unwrap().to_owned();
        symlink(&folder, self.root.join("sys/dev/block").join(number)).unwrap();
        symlink(&folder, self.root.join("sys/class/block").join(&name)).unwrap();
        if !place.contains('/') {
            symlink(&folder, self.root.join("sys/block").join(&name)).unwrap();
        }
        let prefixed: Vec<(String, &str)> = files
            .iter()
            .map(|(path, text)| (format!("sys/devices/{place}/{path}"), *text))
            .chain([(format!("sys/devices/{place}/dev"), number)])
            .collect();
        let prefixed: Vec<(&str, &str)> = prefixed.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        self.with(&prefixed)
    }

    /// `upper` lists `lower` as a slave.
    fn made_of(self, upper: &str, lower: &str) -> Self {
        let slaves = self.root.join("sys/devices").join(upper).join("slaves");
        fs::create_dir_all(&slaves).unwrap();
        let lower = self.root.join("sys/devices").join(lower);
        symlink(&lower, slaves.join(lower.file_name().unwrap())).unwrap();
        self
    }

    pub(super) fn roots(&self) -> Roots {
        Roots { proc: self.root.join("proc"), sys: self.root.join("sys"), root: self.root.join("root") }
    }

    pub(super) fn under(&self, folder: &str) -> Environment {
        Environment::under(Path::new(folder), &self.roots())
    }
}

/// XFS on LVM on a RAID 10 of two disks, one of them by a partition.
pub(super) fn server(name: &str) -> Machine {
    let flags = "fpu vme de pse tsc msr pae constant_tsc";
    Machine::new(name)
        .with(&[
            (
                "proc/self/mountinfo",
                "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n\
                 2 1 253:3 / /hxmetadata rw,noatime - xfs /dev/mapper/vg0-p4--db rw,inode64",
            ),
            ("proc/sys/kernel/osrelease", "6.8.0-45-generic"),
            (
                "proc/cpuinfo",
                &format!("processor\t: 0\nmodel name\t: AMD EPYC 9354\nflags\t\t: {flags}\n\nprocessor\t: 1"),
            ),
            ("proc/meminfo", "MemTotal:       263434592 kB\nMemFree:        1 kB"),
            ("proc/1/cgroup", "0::/init.scope"),
            ("sys/devices/system/cpu/online", "0-63"),
            ("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance"),
            ("sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "powersave"),
            ("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc"),
            ("sys/class/dmi/id/sys_vendor", "Dell Inc."),
            ("sys/class/dmi/id/product_name", "PowerEdge R7615"),
        ])
        .with_block("sda", "8:0", &[("queue/rotational", "1"), ("device/model", "ST4000NM")])
        .with_block("sda/sda1", "8:1", &[("partition", "1"), ("size", "2048")])
        .with_block(
            "nvme0n1",
            "259:0",
            &[
                ("device/model", "SAMSUNG MZQL23T8HCLS-00A07          "),
                ("queue/rotational", "0"),
                ("queue/scheduler", "[none] mq-deadline kyber bfq"),
                ("queue/write_cache", "write through"),
                ("queue/logical_block_size", "512"),
                ("queue/physical_block_size", "4096"),
                ("queue/nr_requests", "1023"),
                ("queue/discard_max_bytes", "2199023255040"),
                ("size", "7501476528"),
            ],
        )
        .with_block("sdb", "8:16", &[("queue/scheduler", "none [mq-deadline] kyber"), ("queue/discard_max_bytes", "0")])
        .with_block("sdb/sdb1", "8:17", &[("partition", "1")])
        .with_block("md127", "9:127", &[("md/level", "raid10"), ("queue/rotational", "0")])
        .with_block("dm-3", "253:3", &[("dm/name", "vg0-p4--db"), ("queue/rotational", "0")])
        .made_of("dm-3", "md127")
        .made_of("md127", "nvme0n1")
        .made_of("md127", "sdb/sdb1")
}

fn names(device: &Device) -> Vec<&str> {
    device.all().into_iter().map(|d| d.name.as_str()).collect()
}

#[test]
fn a_mapped_device_lists_all_that_it_is_made_of() {
    let found = server("env-lvm").under("/hxmetadata/p4/1/db1");
    let device = found.device.unwrap();
    assert_eq!(names(&device), ["dm-3", "md127", "nvme0n1", "sdb"]);
    assert_eq!(device.mapped_name.as_deref(), Some("vg0-p4--db"));
    let array = &device.parts[0];
    assert_eq!(array.array_level.as_deref(), Some("raid10"));
    let flash = &array.parts[0];
    assert_eq!(flash.model.as_deref(), Some("SAMSUNG MZQL23T8HCLS-00A07"));
    assert_eq!(flash.scheduler.as_deref(), Some("none"));
    assert_eq!(flash.write_cache.as_deref(), Some("write through"));
    assert_eq!(flash.logical_block_bytes, Some(512));
    assert_eq!(flash.physical_block_bytes, Some(4096));
    assert_eq!(flash.requests_max, Some(1023));
    assert_eq!(flash.takes_discard, Some(true));
    assert_eq!(flash.size_bytes, Some(3_840_755_982_336));
    assert_eq!(flash.is_rotational, Some(false));
    let disk = &array.parts[1];
    assert_eq!(disk.partition.as_deref(), Some("sdb1"));
    assert_eq!(disk.scheduler.as_deref(), Some("mq-deadline"));
    assert_eq!(disk.takes_discard, Some(false));
    // Nothing says these, so nothing is said.
    assert_eq!((disk.is_rotational, disk.size_bytes), (None, None));
}

#[test]
fn a_partition_is_described_as_its_disk() {
    let found = server("env-partition").under("/home");
    let device = found.device.clone().unwrap();
    assert_eq!((device.name.as_str(), device.partition.as_deref()), ("sda", Some("sda1")));
    assert_eq!(device.number.as_deref(), Some("8:0"));
    assert!(found.is_rotational() && !found.is_in_memory());
}

#[test]
fn the_host_is_described_as_far_as_it_says() {
    let host = server("env-host").under("/").host;
    assert_eq!(host.kernel.as_deref(), Some("6.8.0-45-generic"));
    assert_eq!(host.processor.as_deref(), Some("AMD EPYC 9354"));
    assert_eq!(host.processors, Some(64));
    assert_eq!(host.memory_bytes, Some(263_434_592 * 1024));
    assert_eq!(host.governors, ["performance", "powersave"]);
    assert_eq!(host.clock_source.as_deref(), Some("tsc"));
    let under = host.virtualization;
    assert_eq!(under.vendor.as_deref(), Some("Dell Inc."));
    assert_eq!(under.has_hypervisor, Some(false));
    assert_eq!((under.hypervisor, under.container), (None, None));
    assert!(host.clock_read_s > 0.0 && host.clock_read_s < 1e-3, "{}", host.clock_read_s);
}

#[test]
fn of_an_empty_machine_nothing_is_guessed() {
    let found = Machine::new("env-empty").under("/data");
    assert_eq!((&found.mount, &found.device), (&None, &None));
    assert_eq!((&found.host.kernel, &found.host.processor), (&None, &None));
    assert_eq!((found.host.processors, found.host.memory_bytes), (None, None));
    assert_eq!(found.host.virtualization.has_hypervisor, None);
    assert_eq!(found.warnings(), Vec::<String>::new());
}

#[test]
fn hypervisors_and_containers_leave_marks() {
    let guest = |name: &str| Machine::new(name).with(&[("proc/cpuinfo", "model name : x\nflags : fpu hypervisor lm")]);
    let container = |machine: Machine| {
        let under = machine.under("/").host.virtualization;
        assert_eq!(under.has_hypervisor, Some(true));
        under.container
    };
    assert_eq!(container(guest("env-guest")), None);
    let docker = guest("env-docker").with(&[("root/.dockerenv", "")]);
    assert_eq!(container(docker).as_deref(), Some("docker"));
    let podman = guest("env-podman").with(&[("root/run/.containerenv", "engine=podman")]);
    assert_eq!(container(podman).as_deref(), Some("podman"));
    let nspawn = guest("env-nspawn").with(&[("root/run/systemd/container", "systemd-nspawn")]);
    assert_eq!(container(nspawn).as_deref(), Some("systemd-nspawn"));
    let pod = guest("env-pod").with(&[("proc/1/cgroup", "0::/kubepods/burstable/pod1/x")]);
    assert_eq!(container(pod).as_deref(), Some("kubepods"));
}

#[test]
fn btrfs_names_its_device_and_has_no_number_of_it() {
    let lines = "1 0 0:30 /@ / rw - btrfs /dev/nvme0n1p2 rw,space_cache=v2\n\
                 2 1 0:31 / /b rw - btrfs /dev/mapper/vg0-p4--db rw\n\
                 3 1 0:32 / /c rw - btrfs /dev/../../etc rw\n\
                 4 1 0:33 / /z rw - zfs tank/p4 rw\n\
                 5 1 0:34 / /m rw - tmpfs tmpfs rw,size=1g";
    let machine = server("env-btrfs").with(&[("proc/self/mountinfo", lines)]).with_block(
        "nvme0n1/nvme0n1p2",
        "259:2",
        &[("partition", "2")],
    );
    let device = |folder: &str| machine.under(folder).device.map(|device| device.name);
    assert_eq!(device("/home").as_deref(), Some("nvme0n1"));
    assert_eq!(device("/b").as_deref(), Some("dm-3"));
    assert_eq!(device("/c"), None);
    assert_eq!(device("/z"), None);
    assert_eq!(device("/m"), None);
    assert!(machine.under("/m/x").is_in_memory());
}

#[test]
fn devices_that_are_made_of_each_other_end() {
    let machine = server("env-circle").made_of("nvme0n1", "dm-3");
    let device = machine.under("/hxmetadata").device.unwrap();
    assert!(names(&device).len() < 100);
}

#[test]
fn an_environment_survives_its_file() {
    let found = server("env-file").under("/hxmetadata");
    let text = toml::to_string(&found).unwrap();
    let mut back: Environment = toml::from_str(&text).unwrap();
    // What tells mounts apart while the machine runs is not kept.
    let mount = found.mount.as_ref().unwrap();
    let kept = back.mount.as_mut().unwrap();
    (kept.id, kept.parent) = (mount.id, mount.parent);
    assert_eq!(back, found);
    assert!(!text.contains("\nhypervisor ="), "what is unknown is not written: {text}");
}

#[test]
fn differences_are_named_with_both_sides() {
    let before = server("env-before").under("/hxmetadata");
    assert_eq!(before.differences(&before), Vec::<String>::new());
    let after = server("env-after")
        .with(&[
            ("proc/sys/kernel/osrelease", "6.12.1"),
            (
                "proc/self/mountinfo",
                "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n\
                 2 1 253:3 / /hxmetadata rw,relatime - xfs /dev/mapper/vg0-p4--db rw,inode64",
            ),
        ])
        .under("/hxmetadata");
    assert_eq!(
        before.differences(&after),
        ["kernel: 6.8.0-45-generic, then 6.12.1", "mount options: rw, noatime, inode64, then rw, relatime, inode64"]
    );
}

#[test]
fn what_makes_numbers_doubtful_is_said() {
    let lines = "1 0 0:30 / / rw - overlay overlay rw\n\
                 2 1 0:31 / /n rw - nfs4 nas:/x rw,vers=4.2,local_lock=all\n\
                 3 1 7:0 / /l rw - ext4 /dev/loop0 rw";
    let machine = server("env-doubt").with(&[("proc/self/mountinfo", lines)]).with_block(
        "loop0",
        "7:0",
        &[("loop/backing_file", "/var/images/x.img")],
    );
    let has = |folder: &str, part: &str| {
        let warnings = machine.under(folder).warnings();
        assert!(warnings.iter().any(|w| w.contains(part)), "{folder}: {warnings:?}");
    };
    has("/", "layers of a container");
    has("/", "powersave");
    has("/n", "local_lock=all");
    has("/l", "/var/images/x.img");
}

/// This machine, whatever it is.
#[test]
#[cfg(target_os = "linux")]
fn this_machine_says_something() {
    let found = Environment::of(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
    assert!(found.host.kernel.is_some() && found.host.memory_bytes.is_some());
    assert!(found.host.processors.unwrap() >= 1);
    let mount = found.mount.unwrap();
    assert!(Path::new(&found.folder).starts_with(&mount.point));
    assert!(Environment::of(Path::new("/nowhere/at/all")).is_err());
}
