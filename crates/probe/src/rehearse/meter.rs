//! What the kernel counts meanwhile: processors, this process, the control group, devices, networks.

use std::path::Path;

use super::units::processor_time;
use crate::bench::Place;
use crate::bench::environment::busy::ticks;
use crate::bench::environment::{self, text};
use crate::bench::ground::now;

/// The name of what all processors of a machine do.
pub(super) const MACHINE: &str = "processors of the machine";
/// The name of what this process does of it.
pub(super) const OWN: &str = "processors, by the rehearsal";

/// Which devices lie below the volumes.
#[derive(Debug, Clone)]
pub(super) struct Meter {
    devices: Vec<String>,
    group: Option<String>,
}

/// The counters at a moment.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    at: std::time::Instant,
    processors: Option<(u64, u64)>,
    stolen: Option<u64>,
    own: Option<f64>,
    group_us: Option<u64>,
    /// Of each device: requests, sectors and milliseconds busy.
    devices: Vec<Option<[u64; 3]>>,
    /// Sent over the loopback interface \[B\].
    sent: Option<u64>,
}

/// A share of its time that something was busy, by name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Busy {
    pub(super) name: String,
    pub(super) share: f64,
    pub(super) per_s: Option<f64>,
    pub(super) bytes_per_s: Option<f64>,
}

impl Meter {
    pub(super) fn of(places: &[Place]) -> Self {
        let mut devices: Vec<String> = places
            .iter()
            .filter_map(|place| environment::Environment::of(&place.path).ok()?.device)
            .map(|device| device.name)
            .collect();
        devices.sort();
        devices.dedup();
        let group = text(Path::new("/proc/self/cgroup"));
        let group = group.and_then(|text| {
            let own = text.lines().find_map(|line| line.strip_prefix("0::"))?;
            Some(format!("/sys/fs/cgroup{}/cpu.stat", own.trim_end_matches('/')))
        });
        Self { devices, group }
    }

    pub(super) fn read(&self) -> Reading {
        let text = |path: &str| text(Path::new(path));
        let stat = text("/proc/stat").unwrap_or_default();
        let disks = text("/proc/diskstats").unwrap_or_default();
        let device = |name: &String| {
            let line = disks.lines().find(|line| line.split_whitespace().nth(2) == Some(name))?;
            let number = |n: usize| line.split_whitespace().nth(n)?.parse::<u64>().ok();
            // kernel documentation, "iostats": reads, merged, sectors, ms, writes, merged, sectors, ms, in flight, ms busy.
            let (reads, writes) = (number(3)?, number(7)?);
            let sectors = number(5)? + number(9)?;
            Some([reads + writes, sectors, number(12)?])
        };
        let net = text("/proc/net/dev").unwrap_or_default();
        let sent = net.lines().filter_map(|line| {
            let (name, counts) = line.split_once(':')?;
            // Eight numbers of what was received come first.
            let sent = counts.split_whitespace().nth(8)?.parse::<u64>().ok()?;
            (name.trim() == "lo").then_some(sent)
        });
        let sent = sent.reduce(u64::saturating_add);
        let stolen = stat.lines().find_map(|line| line.strip_prefix("cpu "));
        let group = self.group.as_deref().and_then(text).unwrap_or_default();
        let group = group.lines().find_map(|line| line.strip_prefix("usage_usec "));
        Reading {
            at: now(),
            processors: ticks(&stat),
            stolen: stolen.and_then(|line| line.split_whitespace().nth(7)?.parse().ok()),
            own: processor_time(),
            group_us: group.and_then(|n| n.trim().parse().ok()),
            devices: self.devices.iter().map(device).collect(),
            sent,
        }
    }

    /// How busy each was between two moments on a machine with so many processors.
    pub(super) fn between(&self, before: &Reading, after: &Reading, cores: f64) -> Vec<Busy> {
        /// A sector of /proc/diskstats \[B\].
        const SECTOR: f64 = 512.0;
        let time = (after.at - before.at).as_secs_f64();
        let mut all = Vec::new();
        if time <= 0.0 {
            return all;
        }
        let plain = |name: &str, share: f64| Busy { name: name.to_owned(), share, per_s: None, bytes_per_s: None };
        if let (Some((used, ticks)), Some((used_after, ticks_after))) = (before.processors, after.processors) {
            let ticks = ticks_after.saturating_sub(ticks).max(1) as f64;
            all.push(plain(MACHINE, used_after.saturating_sub(used) as f64 / ticks));
            if let (Some(a), Some(b)) = (before.stolen, after.stolen) {
                all.push(plain("processors taken by the hypervisor", b.saturating_sub(a) as f64 / ticks));
            }
        }
        if let (Some(a), Some(b)) = (before.own, after.own) {
            all.push(plain(OWN, ((b - a) / time / cores).max(0.0)));
        }
        if let (Some(a), Some(b)) = (before.group_us, after.group_us) {
            all.push(plain("processors, by the control group", b.saturating_sub(a) as f64 * 1e-6 / time / cores));
        }
        for (name, pair) in self.devices.iter().zip(before.devices.iter().zip(&after.devices)) {
            let (Some(a), Some(b)) = pair else { continue };
            let rate = |n: usize| b[n].saturating_sub(a[n]) as f64 / time;
            all.push(Busy {
                name: format!("device {name}"),
                share: (rate(2) / 1e3).min(1.0),
                per_s: Some(rate(0)),
                bytes_per_s: Some(rate(1) * SECTOR),
            });
        }
        if let (Some(a), Some(b)) = (before.sent, after.sent) {
            let rate = b.saturating_sub(a) as f64 / time;
            all.push(Busy { bytes_per_s: Some(rate), ..plain("loopback network", 0.0) });
        }
        all
    }
}
