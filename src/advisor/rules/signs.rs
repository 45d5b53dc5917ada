//! Rules that repeat a sign of `today.signs`, each a row: what the sign does, what to do about it, and what it costs.

use super::{Evidence, Facts, Finding, Said};
use crate::catalog::Feature;
use crate::system::memory::ServerMemory;
use crate::units::{Bytes, Seconds, about_count, grouped};

/// A rule that repeats a sign.
#[derive(Debug)]
pub(super) struct SignRule {
    /// Its id; a rule that several signs fire has a row for each.
    pub(super) rule: &'static str,
    /// The word of the site file.
    sign: &'static str,
    /// What it does to the users, with a number.
    message: fn(&Facts<'_>) -> Said,
    /// What to do.
    action: fn() -> Said,
    /// What else it rests on.
    evidence: fn(&Facts<'_>) -> Vec<Evidence>,
    /// The share of the working time that everybody loses.
    slows: f64,
    /// For how many hours it stops the server, and how often a year.
    stops: (f64, f64),
}

impl SignRule {
    /// The sign, and the rule that repeats it.
    pub(super) fn sign_and_rule(&self) -> (&'static str, &'static str) {
        (self.sign, self.rule)
    }

    /// A warning where the sign was seen.
    pub(super) fn finding(&self, facts: &Facts<'_>) -> Option<Finding> {
        let mut evidence = vec![facts.seen(self.sign)?];
        evidence.extend((self.evidence)(facts));
        let (hours, times) = self.stops;
        let cost = facts.slowed(self.slows) + facts.standstill(hours, times);
        Some(Finding::warning((self.message)(facts), (self.action)(), evidence).costing(cost))
    }
}

/// The server goes on.
const NEVER: (f64, f64) = (0.0, 0.0);

pub(super) const SIGN_RULES: &[SignRule] = &[
    SignRule {
        rule: "BLD003",
        sign: "shared-build-workspace",
        message: |facts| {
            Said::from("builds that share a workspace wait for its lock in turn").detail(format!(
                "the {} large syncs that are in flight at the peak become one \
                 after the other, and storage will not help",
                about_count(facts.prediction.large_syncs_in_flight())
            ))
        },
        action: || Said::from("give each build agent a workspace of its own").detail("p4 client -t TEMPLATE NAME"),
        evidence: |facts| {
            vec![
                facts.syncs_in_flight(),
                Evidence::new("KB3163", "commands that change a client hold its lock exclusively"),
            ]
        },
        slows: 0.0005,
        stops: NEVER,
    },
    SignRule {
        rule: "CAP009",
        sign: "stale-workspaces",
        message: |facts| {
            Said::from(format!(
                "rows of workspaces that nobody uses keep the database at {}",
                facts.site.data.db_size.value
            ))
            .then("memory, checkpoints and syncs pay for them")
        },
        action: || {
            "run p4 -ztag -F '%Access% %client%' clients | sort -n, then at night p4 unload -f -c NAME or p4 client -d -f NAME for those of last year".into()
        },
        evidence: |facts| vec![database(facts), facts.measured("E07-scale", "db.have")],
        slows: 0.002,
        stops: NEVER,
    },
    SignRule {
        rule: "CPU002",
        sign: "power-saving",
        message: |facts| {
            Said::from(format!(
                "the {} cores save power between commands, and short commands run at a low clock with locks held",
                facts.site.server.cores.value
            ))
        },
        action: || {
            "run cpupower frequency-set -g performance, and choose the performance profile in the firmware".into()
        },
        evidence: |facts| {
            let cores = &facts.site.server.cores;
            vec![
                Evidence::answer("server.cores", cores, cores.value),
                Evidence::new("KB2957", "a fast clock matters more than many cores"),
            ]
        },
        slows: 0.003,
        stops: NEVER,
    },
    SignRule {
        rule: "MEM004",
        sign: "swapping",
        message: |facts| {
            let need = facts.memory.servers.first().map_or(0.0, ServerMemory::need);
            Said::from("the server swaps").then(format!(
                "the model finds a need of {} at the peak in {}",
                Bytes::new(need).estimated(),
                facts.memory.there
            ))
        },
        action: || {
            let since = Feature::CommandMemory.since();
            Said::from(format!(
                "run ps -eo rss,args --sort=-rss | head at the peak, limit these commands (p4 group: MaxResults, from {since} on MaxMemory), and set vm.swappiness=10"
            ))
        },
        evidence: |facts| vec![memory(facts), Evidence::new("E07-standard", "vm.swappiness 10")],
        slows: 0.02,
        stops: NEVER,
    },
    SignRule {
        rule: "OSX004",
        sign: "huge-pages",
        message: |facts| {
            Said::from("transparent huge pages are on").then(format!(
                "the kernel compacts memory for {} processes, and commands stall",
                about_count(facts.site.people.connections_at_peak.value)
            ))
        },
        action: || {
            "run echo never > /sys/kernel/mm/transparent_hugepage/enabled, the same for defrag, and keep it with the emitted tmpfiles.d file".into()
        },
        evidence: |facts| {
            let connections = &facts.site.people.connections_at_peak;
            vec![
                Evidence::answer("people.connections_at_peak", connections, connections.value),
                Evidence::new("P4BENCH", "hosts are prepared with transparent huge pages off"),
            ]
        },
        slows: 0.002,
        stops: NEVER,
    },
    SignRule {
        rule: "OSX005",
        sign: "memory-ballooning",
        message: |facts| {
            Said::from("the host takes memory back from the virtual machine").detail(format!(
                "of {} less is there than was bought, and the page cache goes first",
                facts.memory.there
            ))
        },
        action: || "reserve all of the machine's memory on the host, and remove the balloon driver".into(),
        evidence: |facts| vec![memory(facts)],
        slows: 0.01,
        stops: NEVER,
    },
    SignRule {
        rule: "OSX005",
        sign: "vm-snapshots",
        message: |facts| {
            Said::from(format!(
                "snapshots of the running machine stop it with tables locked, and {} wait",
                facts.people_in_words()
            ))
        },
        action: || "delete the snapshots, and back up checkpoints and depots in their place".into(),
        evidence: |facts| vec![memory(facts)],
        slows: 0.005,
        stops: NEVER,
    },
    SignRule {
        rule: "OSX005",
        sign: "processor-steal",
        message: |facts| {
            Said::from(format!(
                "other machines take time of the {} cores, also while locks are held",
                facts.site.server.cores.value
            ))
        },
        action: || Said::from("reserve the cores, or move the machine").then("look at the st column of vmstat 1"),
        evidence: |facts| vec![memory(facts)],
        slows: 0.008,
        stops: NEVER,
    },
    SignRule {
        rule: "PLC015",
        sign: "antivirus",
        message: |facts| {
            Said::from(format!(
                "a scanner or agent opens the tables ({}), the journal and each archive that is written",
                facts.site.data.db_size.value
            ))
            .then(
                "commands wait, and a locked \
                 journal stops the server",
            )
        },
        action: || {
            Said::from("exclude the volumes of db, journal, log and depots from scanning and file backup")
                .then("back up checkpoints and depots")
        },
        evidence: |facts| {
            let published = "no antivirus or backup agent on metadata and logs";
            vec![database(facts), Evidence::new("SDP", published)]
        },
        slows: 0.005,
        stops: (2.0, 0.5),
    },
    SignRule {
        rule: "QUE007",
        sign: "stalls",
        message: |facts| Said::from("everything stalls now and then").then(longest_hold(facts)),
        action: || {
            "run p4 monitor show -ael and p4 lockstat during a stall, and grep -E '\\+[0-9]{5,}ms' in the server log afterwards".into()
        },
        evidence: |_| {
            let published = "held times of the log name the command that everybody waits for";
            vec![Evidence::new("KB2514", published)]
        },
        slows: 0.01,
        stops: NEVER,
    },
    SignRule {
        rule: "QUE009",
        sign: "static-labels",
        message: |facts| {
            Said::from(format!(
                "each static label of a workspace writes up to {} rows with db.label locked",
                about_count(facts.site.data.workspace_files.value)
            ))
            .then("commands that read labels wait")
        },
        action: || {
            Said::from("use automatic labels")
                .detail("p4 label NAME, with Revision: @CHANGE in place of p4 tag and p4 labelsync")
        },
        evidence: |facts| {
            let files = &facts.site.data.workspace_files;
            vec![
                Evidence::answer("data.workspace_files", files, grouped(files.value)),
                Evidence::new("SCHEMA", "db.label has a row for each label and file"),
            ]
        },
        slows: 0.001,
        stops: NEVER,
    },
    SignRule {
        rule: "QUE010",
        sign: "slow-triggers",
        message: |facts| {
            Said::from(format!(
                "triggers delay commands, {} submits among them",
                facts.site.workload.submits_per_day.value
            ))
            .then("storage will not help")
        },
        action: || {
            "run grep -A1 \"' trigger \" in the server log for the lapse of each, and let slow ones queue their work and return".into()
        },
        evidence: |facts| {
            let submits = &facts.site.workload.submits_per_day;
            vec![
                Evidence::answer("workload.submits_per_day", submits, submits.value),
                Evidence::new("P4LOGS", "the log has a lapse for each trigger"),
            ]
        },
        slows: 0.002,
        stops: NEVER,
    },
    SignRule {
        rule: "RCV009",
        sign: "journal-not-rotated",
        message: |facts| {
            Said::from(format!("the journal grows by {} and is not rotated", journal_a_day(facts)))
                .then("a full volume stops the server, and a recovery replays all of it")
        },
        action: || {
            Said::from("run p4 admin journal each night, and replay the rotated journal into the offline copy")
                .detail("p4d -r offline_db -jr JOURNAL")
        },
        evidence: |_| vec![Evidence::new("SDP", "the package rotates the journal each night")],
        slows: 0.0,
        stops: (4.0, 0.5),
    },
];

fn database(facts: &Facts<'_>) -> Evidence {
    let db = &facts.site.data.db_size;
    Evidence::answer("data.db_size", db, db.value)
}

fn memory(facts: &Facts<'_>) -> Evidence {
    Evidence::answer("server.ram", &facts.site.server.ram, facts.memory.there)
}

/// What the model knows of the command that holds the lock.
fn longest_hold(facts: &Facts<'_>) -> String {
    let holds = facts.prediction.long_holds.iter();
    match holds.max_by(|a, b| a.hold.total_cmp(&b.hold)) {
        Some(hold) => format!(
            "the longest hold that your answers imply is {} by {}",
            Seconds::new(hold.hold).estimated(),
            hold.holder
        ),
        None if facts.seen("live-checkpoint").is_some() => format!(
            "today each checkpoint of the live database holds its tables while it runs; here nothing holds them for longer than the largest submit, {}",
            Seconds::new(facts.largest_commit).estimated()
        ),
        None => format!(
            "your answers imply no long hold (the largest submit takes {}), so the command that holds the lock is not known",
            Seconds::new(facts.largest_commit).estimated()
        ),
    }
}

/// "2 GiB a day (estimate)": the journal's volume is sized for two days.
fn journal_a_day(facts: &Facts<'_>) -> String {
    const DAYS: f64 = 2.0;
    let size = facts.sizes.iter().find(|size| size.role == "journal");
    size.map_or(String::new(), |size| format!("{} a day (estimate)", (size.data / DAYS).estimated()))
}
