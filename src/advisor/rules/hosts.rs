//! The machines: processor, instance, operating system, release.

use super::{Busy, Check, Evidence, Facts, Finding, Said, Severity};
use crate::advisor::instance::{Cap, CapRow, rows};
use crate::catalog::{Called, Feature, Form};
use crate::site::Release;
use crate::system::ResourceKind;
use crate::system::memory::ServerMemory;
use crate::units::{Bytes, Fraction, Seconds, about_count, grouped, two_digits};

use Check::{Each, Once};

/// The rules of this file.
pub(super) const RULES: &[(&str, Check)] = &[
    ("CLD001", Once(instance_limits)),
    ("CPU001", Once(busy_processor)),
    ("CPU003", Once(idle_cores)),
    ("OSX001", Each(windows_32_bit)),
    ("OSX002", Once(case_handling)),
    ("OSX003", Once(windows_not_modelled)),
    ("OSX006", Once(virtual_machine)),
    ("REL001", Once(old_release)),
];

fn virtual_machine(facts: &Facts<'_>) -> Option<Finding> {
    let server = facts.catalog.servers.get(&facts.deployment.server)?;
    let answer = facts.site.server.is_virtual.as_ref()?;
    // What an instance of a cloud has is what its provider sells.
    if !answer.value || server.form == Form::Instance {
        return None;
    }
    let (cores, memory) = (facts.deployment.cores, Bytes::new(facts.deployment.memory).estimated());
    Some(
        Finding::note(
            Said::from(format!(
                "the server is a virtual machine, and the estimate gives it {cores} cores and {memory} of memory of its own"
            ))
            .then("what other guests of its host take is not in it"),
            "reserve these on the host, give the guest its disks directly or a store that no other guest fills, and watch steal time at the peak (vmstat, column st)",
            vec![Evidence::answer("server.virtual", answer, "yes")],
        )
        .costing(1.0),
    )
}

fn instance_limits(facts: &Facts<'_>) -> Option<Finding> {
    /// Beyond it requests wait longer than they are served (LAZOWSKA1984).
    const SHARE_MAX: f64 = 0.7;

    let memory = facts.memory.servers.iter().map(ServerMemory::need);
    let memory = memory.fold(0.0, f64::max);
    let rows = rows(facts.catalog, facts.deployment, memory, facts.prediction);
    // Memory and cores have findings of their own, and hold for any machine.
    let of_instances = rows.iter().filter(|row| !matches!(row.cap, Cap::Memory | Cap::Cores));
    let worst = of_instances.max_by(|a, b| a.share().total_cmp(&b.share()));
    let worst = worst.filter(|row| row.share() > SHARE_MAX)?;
    let server = facts.catalog.servers.called(&facts.deployment.server);
    let share = Fraction::new(worst.share()).estimated();
    Some(
        Finding::warning(
            Said::from(format!(
                "{server} has {} for {}, and the peak takes {share} of it",
                limit_of(*worst),
                shared_by(worst.cap)
            ))
            .then("volumes and clients then wait for the instance"),
            Said::from("take a larger instance")
                .then("more operations or bandwidth for one volume do not help beyond what the instance has"),
            vec![
                Evidence::new("model", format!("{} needed at the peak", amount_of(worst.cap, worst.needs))),
                Evidence::new("EBSDOC", "an instance has one limit for all its volumes"),
            ],
        )
        .costing(facts.loaded(0.005)),
    )
}

/// "40,000 operations/s".
fn limit_of(row: CapRow) -> String {
    amount_of(row.cap, row.has.unwrap_or(0.0))
}

fn amount_of(cap: Cap, amount: f64) -> String {
    match cap {
        Cap::Memory => Bytes::new(amount).estimated(),
        Cap::Cores => format!("{amount} cores"),
        Cap::Operations => format!("{} operations/s", grouped(amount.round())),
        Cap::Volumes => format!("{} MB/s", grouped((amount / 1e6).round())),
        Cap::Network => format!("{} Gb/s", two_digits(amount * 8e-9)),
    }
}

fn shared_by(cap: Cap) -> &'static str {
    match cap {
        Cap::Memory => "all processes",
        Cap::Cores => "all commands",
        Cap::Operations | Cap::Volumes => "all its volumes together",
        Cap::Network => "its network",
    }
}

fn busy_processor(facts: &Facts<'_>) -> Option<Finding> {
    /// Above it bursts of the busiest hour saturate the cores: the peak hour's mean leaves 30 % for the
    /// minutes that are busier than it (assumed; LAZOWSKA1984 for the curve).
    const UTILIZATION_MAX: f64 = 0.7;

    let Busy { words: busy, evidence, resources } = facts.busier(&[ResourceKind::Processor], UTILIZATION_MAX)?;
    let cores = facts.deployment.cores;
    Some(Finding::warning(
        Said::from(format!("{cores} cores are too few")).detail(busy).then("commands that wait for a core keep their locks meanwhile"),
        "use more cores if many commands run at once, a faster clock if locks are held long, edges or proxies for builds",
        vec![
            evidence,
            Evidence::answer("server.cores", &facts.site.server.cores, cores),
            Evidence::new(
                "KB2957",
                "a faster clock shortens the time that locks are held",
            ),
        ],
    ).costing(facts.loaded(0.005)).about(resources.iter().map(|r| &r.name)))
}

fn idle_cores(facts: &Facts<'_>) -> Option<Finding> {
    /// Cores from which on fewer and faster ones are sold (assumed).
    const CORES_MIN: f64 = 16.0;
    /// Share of the time below which nearly all cores wait for work (assumed).
    const BUSY_MAX: f64 = 0.1;
    /// Shorter holds are not felt by many (assumed) \[s\].
    const HOLD_MIN: f64 = 5.0;

    let cores = &facts.site.server.cores;
    let used = facts.utilization(&[ResourceKind::Processor]);
    let stated = cores.is_stated() && cores.value >= CORES_MIN;
    if !stated || used >= BUSY_MAX || facts.largest_commit <= HOLD_MIN {
        return None;
    }
    let hold = Seconds::new(facts.largest_commit).estimated();
    Some(
        Finding::note(
            format!(
                "the {} cores are {} busy at the peak, while the largest submit holds the commit section for {hold} on one of them",
                cores.value,
                Fraction::new(used).estimated()
            ),
            Said::from("choose fewer cores of a higher clock with the next machine").then("more cores bring nothing"),
            vec![
                Evidence::answer("server.cores", cores, cores.value),
                Evidence::new("KB2957", "a fast clock matters more than many cores"),
            ],
        )
        .costing(1.0),
    )
}

fn windows_32_bit(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    /// Connections that exhaust 2,048 descriptors at about 15 each (E07-win32).
    const CONNECTIONS_MAX: f64 = 130.0;
    /// Address space of a 32-bit process \[B\] (E07-win32).
    const PROCESS: f64 = 2e9;

    let server = &facts.site.server;
    let model = facts.catalog.servers.get(&facts.deployment.server);
    if server.bits.value != 32.0 && model.is_none_or(|m| m.bits.value != 32.0) {
        return;
    }
    out.push(
        Finding::warning(
            format!(
                "a 32-bit p4d process can use {} of the {} of memory, so that large commands fail",
                Bytes::new(PROCESS).si(),
                Bytes::new(facts.deployment.memory).si()
            ),
            "use a 64-bit p4d on a 64-bit server",
            vec![
                facts.measured("E07-win32", "process-memory"),
                facts.measured("E07-lock", "linux64-to-best-32bit"),
                Evidence::answer("server.bits", &server.bits, server.bits.value),
            ],
        )
        .costing(facts.standstill(1.0, 10.0)),
    );
    let volumes = facts.deployment.volumes.iter();
    let mut filesystems = volumes.filter_map(|m| m.filesystem.as_deref());
    let systems = &facts.site.infrastructure.operating_systems.value;
    let windows = systems.iter().all(|s| s == "windows") || filesystems.any(|fs| fs == "ntfs");
    let people = &facts.site.people.connections_at_peak;
    let connections = people.value / facts.deployment.servers() as f64;
    if !windows || server.release.value.has(Feature::NativeIo) || connections <= CONNECTIONS_MAX {
        return;
    }
    out.push(
        Finding::critical(
            Said::from(format!(
                "{connections:.0} connections to a server exceed the {CONNECTIONS_MAX} that 2,048 descriptors allow"
            ))
            .then("p4d then crashes"),
            "use a 64-bit server on Linux, or at least release 2006.2 with native I/O",
            vec![
                facts.measured("E07-win32", "users"),
                facts.measured("E07-win32", "descriptors"),
                Evidence::answer("people.connections_at_peak", people, people.value),
            ],
        )
        .costing(facts.standstill(1.0, 10.0)),
    );
}

fn case_handling(facts: &Facts<'_>) -> Option<Finding> {
    let allowed = &facts.site.infrastructure.operating_systems;
    let is_windows = |system: &String| system == "windows";
    let (evidence, leaves) = match &facts.site.today.operating_system {
        Some(today) => (Evidence::answer("today.operating_system", today, &today.value), is_windows(&today.value)),
        None => (
            Evidence::answer("infrastructure.operating_systems", allowed, allowed.value.join(", ")),
            allowed.is_stated() && allowed.value.iter().any(is_windows),
        ),
    };
    if !leaves || facts.deployment.system == "windows" {
        return None;
    }
    let files = &facts.site.data.files;
    Some(
        Finding::note(
            format!("a server that moves from Windows to {} compares the names of {} files by case", facts.deployment.system, about_count(files.value)),
            "replay the checkpoint and start p4d with -C1 (p4d -C1 -r ROOT -jr CHECKPOINT), so that names compare as before",
            vec![
                evidence,
                Evidence::new("E07-standard", "a case-insensitive server on Linux"),
                Evidence::new("SAG", "p4d -C1 is case-insensitive on Unix"),
            ],
        )
        .costing(1.0),
    )
}

fn windows_not_modelled(facts: &Facts<'_>) -> Option<Finding> {
    let people = &facts.site.people.developers;
    if facts.deployment.system != "windows" {
        return None;
    }
    Some(
        Finding::note(
            Said::from(format!(
                "the server runs Windows for {}",
                facts.people_in_words()
            ))
            .then("what Windows itself adds is not modelled: in the published comparison edits took 5 to 8 times as long as on Linux"),
            "move to Linux with the next machine, with p4d -C1 so that names compare as before",
            vec![
                Evidence::answer("people.developers", people, grouped(people.value)),
                facts.measured("E07-edit", "windows64-to-linux64"),
                facts.measured("E07-sync-load", "windows64-factor"),
            ],
        )
        .costing(facts.slowed(0.0005)),
    )
}

/// "upgrade to release 2026.1: security becomes 4, whatever was set, and its other defaults rise"; where that release is not known to
/// run on the server's operating system, "move to Linux, then upgrade …".
pub(super) fn upgrade(facts: &Facts<'_>, release: Release) -> Said {
    let newest = Release::newest();
    let system = &facts.deployment.system;
    if !newest.is_known_on(system) {
        let unknown = "whether that release runs on today's operating system is not known, its release notes say it";
        return Said::from(format!("move to Linux, then upgrade to release {newest}")).detail(unknown);
    }
    let rises = release.upgrades_to(newest);
    let rises: Vec<&str> = rises.filter_map(|upgrade| upgrade.rises.as_deref()).collect();
    let action = Said::from(format!("upgrade to release {newest}"));
    if rises.is_empty() {
        return action;
    }
    action.then(rises.join("; "))
}

fn old_release(facts: &Facts<'_>) -> Option<Finding> {
    let answer = &facts.site.server.release;
    let release = answer.value;
    if !answer.is_stated() || release.has(Feature::CommandMemory) {
        return None;
    }
    let lacks = Feature::ALL.iter();
    let lacks = lacks.filter(|feature| feature.is_lacked() && !release.has(**feature));
    let lacks: Vec<&str> = lacks.map(|feature| feature.title()).collect();
    // Commands wait for each other that would not today.
    let early = !release.has(Feature::ParallelSyncs);
    Some(
        Finding::new(
            if early { Severity::Warning } else { Severity::Note },
            format!("release {release} lacks {}", lacks.join(", ")),
            upgrade(facts, release)
                .then("try it on a copy first (p4d -r COPY -xu), then verify and time your own commands"),
            vec![
                Evidence::answer("server.release", answer, release),
                facts.measured("P17-lockless", "lockless-from"),
                Evidence::new("P4HELP", "configurables and the releases that have them"),
            ],
        )
        .costing(facts.slowed(if early { 0.002 } else { 0.0005 })),
    )
}
