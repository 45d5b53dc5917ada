//! The answers as plain structs, one for each table of the site file.

use crate::units::{Bytes, BytesPerSecond, Fraction, Growth, Hertz, PerSecond, Seconds, about};

use super::answer::Answer;
use super::asked::{Asked, answers};
use super::protection::Backup;
use super::section::Section;
use crate::catalog::Release;

answers! {
    /// `[criteria]`: weights from 0 to 10.
    struct Criteria of "criteria" {
        /// Weight of speed.
        performance: Answer<f64>,
        /// Weight of reaching depot files without the server.
        direct_file_access: Answer<f64>,
        /// Weight of easy operation.
        manageability: Answer<f64>,
        /// Weight of a low price.
        cost: Answer<f64>,
        /// Weight of easy backup and restore.
        backup: Answer<f64>,
    }
}

/// `[people]`.
#[derive(Debug, Clone, PartialEq)]
pub struct People {
    /// Developers, all offices together; a count.
    pub developers: Answer<f64>,
    /// Share of them at work in the busiest hour.
    pub at_work: Answer<Fraction>,
    /// Connections that the server holds at the peak; a count.
    pub connections_at_peak: Answer<f64>,
    /// Offices beside the main one; empty where there is one office.
    pub sites: Vec<Office>,
}

impl People {
    /// The people of a load that is so many times smaller.
    pub(super) fn over(&self, times: f64) -> Self {
        let mut people = self.clone();
        people.developers.value /= times;
        people
    }
}

answers! {
    /// `[[people.site]]`: one office.
    struct Office of "people.site" {
        /// Round trip to the server.
        round_trip: Answer<Seconds>,
        /// Bandwidth to the server.
        bandwidth: Answer<BytesPerSecond>,
        /// Whether they work at home, each in another place; no where nobody answered.
        at_home: Option<Answer<bool>>,
        /// Whether they read through a proxy today; no where nobody answered.
        proxy: Option<Answer<bool>>,
    }
    given {
        /// What it is called.
        name: String,
        /// Developers there; a count.
        developers: Answer<f64>,
    }
}

impl Office {
    /// Whether it is too far away to be one with the main one: a round trip above 2 ms.
    pub fn is_distant(&self) -> bool {
        const SAME_TOWN: f64 = 0.002;
        self.round_trip.value.get() > SAME_TOWN
    }

    /// Whether a server can stand there: people at home share a way to the server and no place.
    pub fn has_room(&self) -> bool {
        self.at_home.as_ref().is_none_or(|home| !home.value)
    }
}

/// `[data]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Data {
    /// All db.* files.
    pub db_size: Answer<Bytes>,
    /// All versioned files.
    pub depot_size: Answer<Bytes>,
    /// Files on the server; a count.
    pub files: Answer<f64>,
    /// Their revisions; a count, at least `files`.
    pub revisions: Answer<f64>,
    /// Growth of the database.
    pub db_growth: Answer<Growth>,
    /// Growth of the depots.
    pub depot_growth: Answer<Growth>,
    /// Files of the largest workspace; a count.
    pub workspace_files: Answer<f64>,
    /// Size of the largest workspace.
    pub workspace_size: Answer<Bytes>,
    /// Mean size of a file as a sync moves it.
    pub file_size: Answer<Bytes>,
    /// Share of binary files.
    pub binary_share: Answer<Fraction>,
    /// Share of the database's leaf pages that are out of order on disk.
    pub db_out_of_order: Answer<Fraction>,
    /// The largest file, where somebody looked.
    pub largest_file: Option<Answer<Bytes>>,
    /// Share of the depots that nobody changes any more; none where nobody answered.
    pub read_only_share: Option<Answer<Fraction>>,
}

impl Data {
    /// Archives that people work on \[B\]: all but the read-only part.
    pub fn active_depots(&self) -> f64 {
        let read_only = self.read_only_share.as_ref();
        let read_only = read_only.map_or(0.0, |share| share.value.get());
        self.depot_size.value.get() * (1.0 - read_only)
    }
}

/// `[workload]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Workload {
    /// All commands, as a mean over the whole day.
    pub commands_per_day: Answer<PerSecond>,
    /// Share of commands from builds and scripts.
    pub automation_share: Answer<Fraction>,
    /// Submits, as a mean over the whole day.
    pub submits_per_day: Answer<PerSecond>,
    /// Files of a typical submit; a number.
    pub files_per_submit: Answer<f64>,
    /// Files of the largest submit that counts; a count.
    pub largest_submit_files: Answer<f64>,
    /// Content of the largest submit, where somebody knows it.
    pub largest_submit_size: Option<Answer<Bytes>>,
    /// Syncs, as a mean over the whole day.
    pub syncs_per_day: Answer<PerSecond>,
    /// Files that a typical sync brings; a number.
    pub files_per_sync: Answer<f64>,
    /// Large syncs that were seen in flight at the peak; a count. None where nobody answered: how many are in flight follows
    /// from how many there are a day and how long each takes.
    pub concurrent_syncs: Option<Answer<f64>>,
    /// What each of them moves.
    pub concurrent_sync_size: Answer<Bytes>,
    /// Large syncs, as a mean over the whole day: the demand, whatever the system makes of it.
    pub large_syncs_per_day: Answer<PerSecond>,
    /// Rate of the large syncs' busiest hour over their day's mean rate, where it is their own; a ratio.
    pub large_syncs_peak_to_mean: Option<Answer<f64>>,
    /// Large syncs that are in flight at the peak where each takes as long as its client and line do; a number. Their memory
    /// is reserved.
    pub large_syncs_at_once: f64,
    /// Commands that touch a whole workspace or branch, as a mean over the whole day.
    pub long_commands_per_day: Answer<PerSecond>,
    /// Checkpoints of the live database while people work, as a mean over the whole day; none where nobody answered.
    pub live_checkpoints_per_day: Option<Answer<PerSecond>>,
    /// Files of a typical edit; a number.
    pub files_per_edit: Answer<f64>,
    /// Ids of the tools that poll; none where nobody answered.
    pub tools: Option<Answer<Vec<String>>>,
    /// What each of them sends.
    pub polls: Vec<Polls>,
    /// Share of commands that are polling by IDEs and build systems.
    pub polling_share: Answer<Fraction>,
    /// Files of a typical branch operation; a count.
    pub branch_files: Answer<f64>,
    /// How fast one client takes data: its network port and its disk.
    pub client_rate: Answer<BytesPerSecond>,
    /// Rate of the busiest hour over the day's mean rate; a ratio.
    pub peak_to_mean: Answer<f64>,
}

impl Workload {
    /// Large syncs at the peak \[1/s\].
    pub fn large_syncs_at_peak(&self) -> f64 {
        self.large_syncs_per_day.value.get() * self.large_syncs_peak()
    }

    /// Rate of the large syncs' busiest hour over their day's mean rate.
    pub fn large_syncs_peak(&self) -> f64 {
        let own = self.large_syncs_peak_to_mean.as_ref();
        own.unwrap_or(&self.peak_to_mean).value
    }
}

/// What a tool's polls are.
#[derive(Debug, Clone, PartialEq)]
pub struct Polls {
    /// Id of the tool.
    pub tool: String,
    /// Id of the command that stands for them.
    pub command: &'static str,
    /// How many, as a mean over the whole day.
    pub rate: PerSecond,
}

/// `[server]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Server {
    /// Id of the machine in the catalogue.
    pub model: Option<Answer<String>>,
    /// Release of p4d.
    pub release: Answer<Release>,
    /// Memory.
    pub ram: Answer<Bytes>,
    /// Processor cores; a count.
    pub cores: Answer<f64>,
    /// Id of the family of the processor; none where the model is older and nobody stated one.
    pub processor: Option<Answer<String>>,
    /// The clock at which all cores run together; as the processor.
    pub clock: Option<Answer<Hertz>>,
    /// `db.peeking`, 0 to 3.
    pub peeking: Answer<f64>,
    /// Disks in the server for Perforce; a count.
    pub local_disks: Answer<f64>,
    /// Instances of p4d on the machine, which share the data and the load evenly; a count.
    pub instances: Answer<f64>,
    /// Id of their kind in the catalogue.
    pub local_medium: Answer<String>,
    /// 32 or 64.
    pub bits: Answer<f64>,
    /// Whether the RAID controller of the server's own disks has protected memory.
    pub write_cache: Answer<bool>,
    /// Level of the server log, 0 to 5.
    pub log_level: Answer<f64>,
    /// Bytes that one TCP connection keeps in flight.
    pub tcp_window: Answer<Bytes>,
    /// Whether it is a virtual machine; none where nobody answered.
    pub is_virtual: Option<Answer<bool>>,
}

impl Server {
    /// Whether nobody said how many drives there are, nor named a model that says it: how many a layout takes is
    /// then part of the advice.
    pub fn are_drives_open(&self) -> bool {
        let is_named = self.model.as_ref().is_some_and(Answer::is_stated);
        !is_named && !self.local_disks.is_stated()
    }

    /// The kinds of disks that may be in it: the one that was stated, or all that are assumed possible.
    pub fn may_have(&self, medium: &str) -> bool {
        let media = &self.local_medium;
        [&media.value, &media.low, &media.high].iter().any(|m| *m == medium)
    }
}

/// `[edge]`: the machine of an edge server.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    /// Memory of every edge.
    pub ram: Answer<Bytes>,
    /// Disks for Perforce in the edge of a distant office; a count.
    pub local_disks: Answer<f64>,
    /// Id of their kind in the catalogue.
    pub local_medium: Answer<String>,
    /// Size of each; `None` is the catalogue's usual one, or larger ones where the data need them.
    pub drive_size: Option<Answer<Bytes>>,
    /// Share of the depots that the edge of a distant office keeps.
    pub depot_share: Answer<Fraction>,
}

/// `[proxy]`: what a proxy keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct ProxyCache {
    /// Room for it.
    pub cache: Answer<Bytes>,
    /// Share of the content that it, or the edge of an office, has when it is asked.
    pub hits: Answer<Fraction>,
}

answers! {
    /// `[infrastructure]`.
    struct Infrastructure of "infrastructure" {
        /// Id of the network to the clients.
        client_network: Answer<String>,
        /// Links to the clients; a count.
        client_links: Answer<f64>,
        /// Whether proxies would be accepted.
        proxies: Answer<bool>,
        /// Whether the storage serves Perforce alone.
        dedicated: Answer<bool>,
        /// Ids of caches.
        caches: Answer<Vec<String>>,
        /// Id of the layout nearest to today's.
        current_layout: Option<Answer<String>>,
        /// Ids of filesystems; `None` is any.
        filesystems: Option<Answer<Vec<String>>>,
    }
    given {
        /// `linux`, `solaris`, `windows`.
        operating_systems: Answer<Vec<String>>,
        /// Ids of protocols.
        protocols: Answer<Vec<String>>,
        /// Ids of arrays.
        storage: Answer<Vec<String>>,
        /// Id of the network to the storage.
        storage_network: Answer<String>,
        /// Edge servers that would be accepted; a count.
        edges_max: Answer<f64>,
    }
}

/// Where temporary files lie that are on no volume for Perforce.
pub const SYSTEM_DISK: &str = "system";

answers! {
    /// `[today]`: the system that is there.
    #[derive(Default)]
    struct Today of "today" {
        /// The server model that is there; none where it is that of `[server]`.
        model: Option<Answer<String>>,
        /// The operating system that is there; none where it is one of those that are allowed.
        operating_system: Option<Answer<String>>,
        /// Whether builds read through proxies; none where nobody answered.
        proxies: Option<Answer<bool>>,
        /// Whether builds read from a replica; none where nobody answered.
        build_replica: Option<Answer<bool>>,
        /// Where temporary files of p4d lie: a role whose volume they share, or [`SYSTEM_DISK`]; none where nobody answered.
        temp: Option<Answer<String>>,
        /// Threads of a parallel sync; none where nobody answered.
        parallel_threads: Option<Answer<f64>>,
        /// Within which time 95 % of the submits end.
        submit_time: Option<Answer<Seconds>>,
        /// Within which time 95 % of the ordinary syncs end.
        sync_time: Option<Answer<Seconds>>,
        /// Within which time 95 % of the commands that only read end.
        browse_time: Option<Answer<Seconds>>,
        /// How long the last checkpoint took.
        checkpoint_time: Option<Answer<Seconds>>,
        /// How long the last replay of a checkpoint took.
        replay_time: Option<Answer<Seconds>>,
        /// How long the last restore of the database took, with its replay.
        restore_time: Option<Answer<Seconds>>,
        /// How long a large sync takes at the peak.
        large_sync_time: Option<Answer<Seconds>>,
        /// Size of the last checkpoint, not compressed.
        checkpoint_size: Option<Answer<Bytes>>,
        /// Files in the queues of archives that replicas and edges have yet to pull; a count.
        pull_queue: Option<Answer<f64>>,
        /// Signs of trouble: words of [`super::SIGNS`]; none where nobody answered.
        signs: Option<Answer<Vec<String>>>,
    }
    given {
        /// Its volumes; empty where nobody stated one.
        volumes: Vec<TodayVolume>,
        /// Its machine, where `[server]` is another that takes its place; none where the two are one.
        server: Option<Box<Server>>,
    }
}

impl Today {
    /// Times of work that are stated: the field, which work, and how long it takes.
    pub fn times(&self) -> impl Iterator<Item = (&'static str, Target, &Answer<Seconds>)> {
        let all = [
            ("today.submit_time", Target::Submit, &self.submit_time),
            ("today.sync_time", Target::Sync, &self.sync_time),
            ("today.browse_time", Target::Browse, &self.browse_time),
            ("today.large_sync_time", Target::LargeSync, &self.large_sync_time),
        ];
        let stated = all.into_iter();
        stated.filter_map(|(field, target, time)| Some((field, target, time.as_ref()?)))
    }

    /// The answer that has a sign; none where nobody saw it.
    pub fn sign(&self, word: &str) -> Option<&Answer<Vec<String>>> {
        let signs = self.signs.as_ref()?;
        signs.value.iter().any(|sign| sign == word).then_some(signs)
    }
}

answers! {
    /// `[[today.volume]]`: one volume of the system that is there; `None` is unanswered.
    struct TodayVolume of "today.volume" {
        /// Id of the kind of its drives.
        medium: Option<Answer<String>>,
        /// Id of the array that it lies on.
        array: Option<Answer<String>>,
        /// Id of the protocol.
        protocol: Option<Answer<String>>,
        /// Drives that it has to itself; a count.
        drives: Option<Answer<f64>>,
        /// Size of each.
        drive_size: Option<Answer<Bytes>>,
        /// Id of the RAID level.
        raid: Option<Answer<String>>,
        /// Id of the filesystem.
        filesystem: Option<Answer<String>>,
    }
    given {
        /// What it holds: roles of layouts.
        roles: Vec<String>,
        /// Options that it is mounted with, as in fstab.
        mount_options: Option<String>,
    }
}

/// What a target of the site judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// Submits.
    Submit,
    /// Edits.
    Edit,
    /// Browsing commands.
    Browse,
    /// Ordinary syncs.
    Sync,
    /// Syncs of whole workspaces: those that `workload.large_syncs_per_day` counts.
    LargeSync,
}

impl Target {
    /// All of them, in the order of the fields.
    pub const ALL: [Self; 5] = [Self::Submit, Self::Edit, Self::Browse, Self::Sync, Self::LargeSync];

    /// The field that states it, without its section.
    pub fn key(self) -> &'static str {
        match self {
            Self::Submit => "submit",
            Self::Edit => "edit",
            Self::Browse => "browse",
            Self::Sync => "sync",
            Self::LargeSync => "large_sync",
        }
    }
}

/// `[targets]`: each a 95th percentile, of people beside the server where it is assumed ([`super::Site::target`] has those of
/// distant offices).
#[derive(Debug, Clone, PartialEq)]
pub struct Targets {
    /// Response time of a submit.
    pub submit: Answer<Seconds>,
    /// Response time of an edit.
    pub edit: Answer<Seconds>,
    /// Response time of a browsing command.
    pub browse: Answer<Seconds>,
    /// Response time of an ordinary sync.
    pub sync: Answer<Seconds>,
    /// Response time of the sync of a whole workspace; none where only a rate is stated.
    pub large_sync: Option<Answer<Seconds>>,
    /// Rate of one sync of a whole workspace; none where none is stated.
    pub sync_rate: Option<Answer<BytesPerSecond>>,
    /// Share of the pace that a client can take at best at which assumed targets have content arrive.
    pub content_share: f64,
    /// The same of large syncs.
    pub large_share: f64,
    /// Round trips by which they are longer over a line.
    pub round_trips: f64,
}

impl Targets {
    /// Share of the pace that a client can take at best at which the assumed target of a kind of work has its content arrive.
    pub fn pace_share(&self, target: Target) -> f64 {
        match target {
            Target::LargeSync => self.large_share,
            _ => self.content_share,
        }
    }

    /// The response time that is wanted; none of large syncs of which a rate is wanted.
    pub fn time(&self, target: Target) -> Option<&Answer<Seconds>> {
        Some(match target {
            Target::Submit => &self.submit,
            Target::Edit => &self.edit,
            Target::Browse => &self.browse,
            Target::Sync => &self.sync,
            Target::LargeSync => return self.large_sync.as_ref(),
        })
    }

    /// Every target, in words: "every target", "every assumed target", "every stated and assumed target".
    pub fn every(&self) -> &'static str {
        let times = Target::ALL.into_iter().filter_map(|t| self.time(t));
        let stated: Vec<bool> = times.map(Answer::is_stated).collect();
        if stated.iter().all(|is| *is) {
            "every target"
        } else if stated.contains(&true) || self.sync_rate.is_some() {
            "every stated and assumed target"
        } else {
            "every assumed target"
        }
    }
}

answers! {
    /// `[protection]`.
    struct Protection of "protection" {
        /// How the server is backed up.
        backup: Answer<Backup>,
        /// Share of a volume kept free for snapshots.
        snapshot_reserve: Answer<Fraction>,
        /// Checkpoints kept on disk; a count.
        checkpoints_kept: Answer<f64>,
        /// Rotated journals kept on disk; a count.
        journals_kept: Answer<f64>,
        /// Time at night in which checkpoints are made.
        night_window: Answer<Seconds>,
        /// Work that a disaster may lose, in time.
        rpo: Answer<Seconds>,
        /// Time until people work again.
        rto: Answer<Seconds>,
        /// Share of the time that the server answers.
        availability: Answer<Fraction>,
    }
}

answers! {
    /// `[horizon]`.
    struct Horizon of "horizon" {
        /// For how long the equipment is bought.
        time: Answer<Seconds>,
        /// The year in which the answers hold, if it was said.
        from: Option<Answer<f64>>,
        /// Share of capacity that is free at the end.
        headroom: Answer<Fraction>,
    }
}

impl Horizon {
    /// The year in which a time from now on ends; `None` where the year of the answers is not stated.
    pub fn year(&self, time: Seconds) -> Option<String> {
        let from = self.from.as_ref()?;
        Some(format!("{:.0}", (from.value + time.in_years()).floor()))
    }

    /// Whether a time from now on ends before the horizon; what was sized for that ends at it, within a percent (arithmetic, not a
    /// measurement).
    pub fn outlasts(&self, time: Seconds) -> bool {
        const SIZED: f64 = 0.99;
        time < self.time.value * SIZED
    }

    /// "about 2027, before the horizon of 3 years"; "about 2 weeks before the horizon of 3 years" where both are so near that they read
    /// alike.
    pub fn before(&self, time: Seconds) -> String {
        let horizon = self.time.value;
        if about(time) == about(horizon) {
            return format!("{} before the horizon of {horizon}", about(horizon - time));
        }
        format!("{}, before the horizon of {horizon}", self.when(time))
    }

    /// "about 2032", or "in about 6 years"; "now".
    pub fn when(&self, time: Seconds) -> String {
        match self.year(time) {
            _ if time.get() <= 0.0 => "now".to_owned(),
            Some(year) if time.in_years() >= 1.0 => format!("about {year}"),
            _ => format!("in {}", self.about(time)),
        }
    }

    /// "about 6 years"; in months where it would read like the horizon and ends before it.
    fn about(&self, time: Seconds) -> String {
        let years = about(time);
        if self.outlasts(time) && time.in_years() > 1.0 && years == about(self.time.value) {
            format!("about {:.0} months", 12.0 * time.in_years())
        } else {
            years
        }
    }

    /// "until about 2032", or "for about 6 years".
    pub fn until(&self, time: Seconds) -> String {
        match self.year(time) {
            Some(year) if time.in_years() >= 1.0 => format!("until about {year}"),
            _ => format!("for {}", self.about(time)),
        }
    }
}
