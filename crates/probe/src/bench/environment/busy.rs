//! Whether something else uses the machine now: servers, the disk, the processors.
//!
//! Knows `/proc` and `/sys/block`. Must not stop anybody: it only says what it saw, as sentences.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::super::stopwatch::now;
use super::{Environment, Roots, names, text};

/// Servers of Perforce by the names of their processes; `p4d_1` and the like are of the same kind.
const SERVERS: [&str; 3] = ["p4d", "p4broker", "p4p"];

/// A disk or processors busier than this disturb a measurement: 10 % is what results may differ by.
pub const SHARE_BUSY_MAX: f64 = 0.1;

/// How long disk and processors are watched.
pub const WATCHED: Duration = Duration::from_millis(500);

/// How often a stop is looked for while watching.
const STOP_EVERY: Duration = Duration::from_millis(50);

/// A server of Perforce that runs on this host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// Name of the process.
    pub name: String,
    /// Its number.
    pub process: u64,
    /// Its folder, P4ROOT for p4d; none where this user may not know.
    pub folder: Option<String>,
}

/// What stands in the way of a quiet measurement, one sentence each; empty if nothing does. Takes
/// [`WATCHED`], unless stopped.
pub fn warnings(environment: &Environment, roots: &Roots, stop: &AtomicBool) -> Vec<String> {
    let before = Reading::of(environment, roots);
    let start = now();
    while start.elapsed() < WATCHED && !stop.load(Ordering::Relaxed) {
        std::thread::sleep(STOP_EVERY);
    }
    let elapsed = start.elapsed();
    let after = Reading::of(environment, roots);
    let mut warnings: Vec<String> = servers(&roots.proc).iter().map(Server::warning).collect();
    warnings.extend(before.warnings(&after, elapsed));
    warnings
}

/// The servers of Perforce that run, by process number.
pub fn servers(proc: &Path) -> Vec<Server> {
    let mut servers: Vec<Server> = names(proc)
        .iter()
        .filter_map(|name| {
            let process = name.parse().ok()?;
            let folder = proc.join(name);
            let name = text(&folder.join("comm"))?;
            let folder = std::fs::read_link(folder.join("cwd")).ok();
            is_server(&name).then(|| Server {
                name,
                process,
                folder: folder.map(|folder| folder.to_string_lossy().into_owned()),
            })
        })
        .collect();
    servers.sort_by_key(|server| server.process);
    servers
}

/// Whether a process of this name is a server of Perforce.
///
/// ```
/// use plimsoll_probe::bench::environment::busy::is_server;
/// assert!(is_server("p4d") && is_server("p4d_master") && is_server("p4broker_1"));
/// assert!(!is_server("p4") && !is_server("p4dctl") && !is_server("p4python"));
/// ```
pub fn is_server(name: &str) -> bool {
    SERVERS.iter().any(|server| {
        let rest = name.strip_prefix(server);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    })
}

impl Server {
    fn warning(&self) -> String {
        let at = self.folder.as_ref();
        let at = at.map_or(String::new(), |folder| format!(" in {folder}"));
        format!(
            "{} runs{at} (process {}): it disturbs the measurement, and the measurement disturbs its users",
            self.name, self.process
        )
    }
}

/// Counters at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Reading {
    /// Milliseconds with a request under way, of each device.
    devices: Vec<(String, Option<u64>)>,
    /// Ticks of all processors: in use, in all.
    processors: Option<(u64, u64)>,
    /// Whether a resynchronisation of an array is under way.
    arrays: Vec<(String, String)>,
}

impl Reading {
    fn of(environment: &Environment, roots: &Roots) -> Self {
        let all = environment.device.as_ref().map(super::Device::all);
        let all = all.unwrap_or_default();
        let block = roots.sys.join("block");
        let devices = all.iter().map(|device| {
            let stat = text(&block.join(&device.name).join("stat"));
            (device.name.clone(), stat.as_deref().and_then(busy_ms))
        });
        let arrays = all.iter().filter_map(|device| {
            let action = text(&block.join(&device.name).join("md/sync_action"))?;
            (action != "idle").then(|| (device.name.clone(), action))
        });
        Self {
            devices: devices.collect(),
            processors: text(&roots.proc.join("stat")).and_then(|stat| ticks(&stat)),
            arrays: arrays.collect(),
        }
    }

    fn warnings(&self, after: &Self, elapsed: Duration) -> Vec<String> {
        let mut warnings = Vec::new();
        for ((name, before), (_, after)) in self.devices.iter().zip(&after.devices) {
            let (Some(before), Some(after)) = (before, after) else {
                continue;
            };
            let busy_s = after.saturating_sub(*before) as f64 / 1e3;
            let share = (busy_s / elapsed.as_secs_f64()).min(1.0);
            if share > SHARE_BUSY_MAX {
                warnings.push(format!(
                    "{name} was busy {:.0} % of the time before the measurement began: other processes use the disk",
                    share * 100.0
                ));
            }
        }
        if let (Some((used, all)), Some((used_after, all_after))) = (self.processors, after.processors) {
            let used = used_after.saturating_sub(used) as f64;
            let share = used / all_after.saturating_sub(all).max(1) as f64;
            if share > SHARE_BUSY_MAX {
                warnings.push(format!(
                    "the processors were busy {:.0} % of the time before the measurement began: other processes use them",
                    share * 100.0
                ));
            }
        }
        for (name, action) in &after.arrays {
            warnings.push(format!("the array {name} is busy with maintenance ({action}): it is slower than at rest"));
        }
        warnings
    }
}

/// Milliseconds with a request under way: the tenth number of a device's `stat` (kernel
/// documentation, "block/stat").
pub fn busy_ms(stat: &str) -> Option<u64> {
    stat.split_whitespace().nth(9)?.parse().ok()
}

/// Ticks of all processors in use, and in all, from the first line of `/proc/stat`.
pub fn ticks(stat: &str) -> Option<(u64, u64)> {
    let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let ticks: Option<Vec<u64>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
    // user nice system idle iowait irq softirq steal; guest time is in user's already.
    let ticks = ticks?;
    let all: u64 = ticks.iter().take(8).sum();
    let idle: u64 = ticks.iter().skip(3).take(2).sum();
    Some((all.checked_sub(idle)?, all))
}
