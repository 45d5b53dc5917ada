//! The machine: kernel, processor, memory, virtualisation, and what reading the clock costs.
//!
//! Knows `/proc` and `/sys`. Must not know the measured folder.

use std::collections::BTreeSet;
use std::hint::black_box;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::stopwatch::now;
use super::{Roots, names, text};

/// The machine on which was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Operating system, as Rust names it: `"linux"`, `"macos"`, `"windows"`.
    pub system: String,
    /// Processor architecture, such as `"x86_64"`.
    pub architecture: String,
    /// Release of the kernel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// What the maker calls the processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor: Option<String>,
    /// Logical processors that are online.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processors: Option<u64>,
    /// Logical processors that this process may use; fewer in a container or under a CPU set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processors_usable: Option<u64>,
    /// Memory that the kernel has, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// Frequency governors in force, in order, each once; empty where the host has none to show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub governors: Vec<String>,
    /// What is between the kernel and the hardware.
    pub virtualization: Virtualization,
    /// What the kernel reads the time from, such as `"tsc"`; others than `tsc` are slow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_source: Option<String>,
    /// What one reading of the monotonic clock costs, in seconds: the median of many.
    pub clock_read_s: f64,
}

/// What is between the kernel and the hardware.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Virtualization {
    /// Maker of the machine, by its firmware: `"Dell Inc."`, `"QEMU"`, `"Amazon EC2"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vendor: Option<String>,
    /// Product, by its firmware, such as `"PowerEdge R760"` or `"m7i.4xlarge"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub product: Option<String>,
    /// Whether the processor says that a hypervisor is below; only x86 can say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has_hypervisor: Option<bool>,
    /// The hypervisor, where the kernel names it, such as `"xen"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hypervisor: Option<String>,
    /// The container engine, such as `"docker"`; none where no mark of one was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container: Option<String>,
}

impl Host {
    /// What is known of the machine that these folders describe; the clock is this machine's.
    pub fn of(roots: &Roots) -> Self {
        let processor = text(&roots.proc.join("cpuinfo")).unwrap_or_default();
        let cpus = roots.sys.join("devices/system/cpu");
        let clock = "devices/system/clocksource/clocksource0/current_clocksource";
        Self {
            system: std::env::consts::OS.to_owned(),
            architecture: std::env::consts::ARCH.to_owned(),
            kernel: text(&roots.proc.join("sys/kernel/osrelease")),
            processor: field(&processor, "model name").map(str::to_owned),
            processors: text(&cpus.join("online")).and_then(|list| in_list(&list)),
            processors_usable: std::thread::available_parallelism().ok().map(|threads| threads.get() as u64),
            memory_bytes: text(&roots.proc.join("meminfo")).and_then(|text| memory_bytes(&text)),
            governors: governors(&cpus),
            virtualization: Virtualization::of(&processor, roots),
            clock_source: text(&roots.sys.join(clock)),
            clock_read_s: clock_read_s(),
        }
    }
}

impl Virtualization {
    fn of(processor: &str, roots: &Roots) -> Self {
        let firmware = roots.sys.join("class/dmi/id");
        Self {
            vendor: text(&firmware.join("sys_vendor")),
            product: text(&firmware.join("product_name")),
            has_hypervisor: field(processor, "flags").map(|flags| flags.split(' ').any(|flag| flag == "hypervisor")),
            hypervisor: text(&roots.sys.join("hypervisor/type")),
            container: container(roots),
        }
    }
}

/// A line `NAME : VALUE` of a text such as `cpuinfo`: the first one's value.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then_some(value.trim())
    })
}

/// Numbers in a list such as `0-3,8-11`: eight.
///
/// ```
/// use plimsoll_probe::bench::environment::host::in_list;
/// assert_eq!(in_list("0-3,8-11"), Some(8));
/// assert_eq!(in_list("0"), Some(1));
/// assert_eq!(in_list("3-0"), None);
/// ```
pub fn in_list(list: &str) -> Option<u64> {
    let mut total: u64 = 0;
    for range in list.trim().split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
        total = total.checked_add(last.checked_sub(first)?.checked_add(1)?)?;
    }
    Some(total)
}

/// The line `MemTotal: 24684092 kB`, in bytes; the kernel's kB are KiB.
fn memory_bytes(meminfo: &str) -> Option<u64> {
    let kib = field(meminfo, "MemTotal")?.strip_suffix(" kB")?;
    kib.trim().parse::<u64>().ok()?.checked_mul(1024)
}

fn governors(cpus: &Path) -> Vec<String> {
    let policies = cpus.join("cpufreq");
    let governors: BTreeSet<String> =
        names(&policies).iter().filter_map(|name| text(&policies.join(name).join("scaling_governor"))).collect();
    governors.into_iter().collect()
}

/// Marks that container engines leave; systemd's `detect-virt` looks at the same ones.
fn container(roots: &Roots) -> Option<String> {
    // The name that the engine itself wrote there.
    if let Some(named) = text(&roots.root.join("run/systemd/container")) {
        return Some(named);
    }
    for (mark, engine) in [("run/.containerenv", "podman"), (".dockerenv", "docker")] {
        if roots.root.join(mark).is_file() {
            return Some(engine.to_owned());
        }
    }
    let groups = text(&roots.proc.join("1/cgroup"))?;
    let engines = ["kubepods", "docker", "libpod", "lxc", "garden"];
    let engine = engines.iter().find(|engine| groups.contains(**engine))?;
    Some((*engine).to_owned())
}

/// What one reading of the monotonic clock costs, in seconds: the median of batches.
fn clock_read_s() -> f64 {
    const BATCHES: usize = 101;
    const READINGS: u32 = 64;
    let mut batches: Vec<f64> = (0..BATCHES)
        .map(|_| {
            let start = now();
            for _ in 1..READINGS {
                black_box(now());
            }
            // From the first reading's end to that of this one.
            start.elapsed().as_secs_f64() / f64::from(READINGS)
        })
        .collect();
    batches.sort_by(f64::total_cmp);
    batches[BATCHES / 2]
}
