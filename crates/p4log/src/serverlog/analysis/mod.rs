//! What happens on the server, out of the records of its log: one idea a file, all in bounded memory.
//!
//! ```text
//!  record ─┬► quality      how far the log can be trusted, and what it cannot say
//!          ├► kinds, parts     mix of commands, and where their time goes
//!          ├► rankings         users, clients, programs, addresses, patterns; pollers; teams
//!          ├► timeline, active commands at once, by hour and day; people
//!          ├► tables, contention   waits and holds; culprits and their victims
//!          ├► transfers, submits   files, bytes and rates
//!          └► cache, limits, upstream, slowest
//! ```
//!
//! Everything is deterministic: the same records give the same findings. Quantiles are within 0.4 % ([`crate::stats`]),
//! rankings keep what costs most by name ([`ranking`]).

mod active;
mod anonymise;
mod cache;
mod contention;
mod kinds;
mod limits;
mod parts;
mod pattern;
mod pollers;
pub mod ranking;
mod slowest;
mod standing;
mod submits;
mod tables;
mod tally;
mod teams;
mod timeline;
mod transfers;
mod triggers;
mod unserved;
mod upstream;

use super::groups::Groups;
use super::journal::{Checkpoint, Journal};
use super::merge::add;
use super::quality::{Log, Quality, QualityCheck};
use super::range::Range;
use super::record::{Command, Damage, Event, Moment, Sink, What};
use crate::version;

pub use active::{Day, People, USERS};
pub(super) use cache::Values;
pub use cache::{Cache, Largest, Spread};
pub use contention::{
    Asked, Between, Blamed, Blocked, Breadth, Chain, Contention, Hold, LockBar, LockLane, Party, Step, Unexplained,
    Victim, Why, WhyWait,
};
pub(super) use kinds::{Marks, commands, known_words, lock_rank};
pub use kinds::{has_peeking, instead, takes_paths};
pub(in crate::serverlog) use limits::limited;
pub use limits::{Advised, Cut, LIMIT_USERS, Lifted, Limit, Worst};
pub use parts::Parts;
pub use pattern::{pattern, product};
pub use pollers::{Poller, SEEN_S};
pub(in crate::serverlog) use ranking::Cost;
pub use ranking::{Ranked, Ranking};
pub use slowest::Slow;
pub use standing::{Behind, Evidence, Holder, Jam, Lock, Running, Standing};
pub use submits::Submits;
pub use tables::TableSum;
pub use tally::{Said, Tally};
pub use teams::{Team, TeamRow, Teams};
pub use timeline::TimeBin;
pub(super) use transfers::Moved;
pub use transfers::{LARGE_BYTES, Sized, Transfer, Transfers};
pub use triggers::TriggerSum;
pub use unserved::{Cause, Outcome, Unserved};
pub use upstream::{Replica, Upstream};

/// Names that a ranking keeps.
const KEPT: usize = 4096;
/// Rows that each ranking shows.
pub const ROWS: usize = 20;
/// Bins of a second, before they widen.
const SECONDS: usize = 65_536;
/// Characters that are kept of a command's arguments.
const ARGUMENTS: usize = 160;

/// A kind of work: how many commands, and what they cost.
#[derive(Debug, Clone, PartialEq)]
pub struct KindRow {
    /// As `server-log.toml` has it.
    pub id: &'static str,
    /// In words.
    pub title: &'static str,
    /// What its commands cost.
    pub tally: Tally,
    /// Their lapses \[s\]; `None` if the log has none.
    pub lapse_s: Option<Spread>,
}

/// Which commands come from builds and scripts, as a share of all.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Automation {
    /// Programs or users whose names are marks of automation.
    pub fraction: f64,
    /// Without users of interactive programs: the low end.
    pub low: f64,
    /// With users who called something in 20 hours of the day or more: the high end.
    pub high: f64,
    /// Calls of pollers.
    pub polling: f64,
}

/// The server about itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Server {
    /// The most active threads that it stated, and when.
    pub active: Option<(u64, Option<Moment>)>,
    /// The most paused ones.
    pub paused: Option<(u64, Option<Moment>)>,
    /// How often it stated pressure on the processor or on memory.
    pub pressure: (u64, u64),
    /// The largest share of new commands that it paused then, or would have, in percent; none where it states no share.
    pub pause_rate: Option<u8>,
    /// Starts.
    pub starts: Vec<Option<Moment>>,
    /// Release of p4d, where it says so as it starts, or a background command of its own names it.
    pub release: Option<String>,
    /// The operating system it was built for, where it says so as it starts.
    pub operating_system: Option<&'static str>,
}

/// All findings.
#[derive(Debug, Clone, PartialEq)]
pub struct Findings {
    /// How good the log is.
    pub quality: Quality,
    /// Commands that people and scripts called.
    pub called: u64,
    /// Work by kind, the costliest first.
    pub kinds: Vec<KindRow>,
    /// By function.
    pub functions: Ranked<Tally>,
    /// By user.
    pub users: Ranked<Tally>,
    /// By client workspace.
    pub clients: Ranked<Tally>,
    /// By program, without its release.
    pub programs: Ranked<Tally>,
    /// By program, of all records: background commands and later phases of submits too.
    pub program_records: Ranked<Tally>,
    /// By address.
    pub addresses: Ranked<Tally>,
    /// By function and pattern of arguments.
    pub patterns: Ranked<Tally>,
    /// Pollers, the costliest first.
    pub pollers: Vec<Poller>,
    /// Commands by hour of the log.
    pub hours: Vec<TimeBin>,
    /// Width of these hours \[s\]: an hour, more for logs of months.
    pub hour_s: i64,
    /// The bin with most commands at once, and its width \[s\].
    pub busiest: Option<(TimeBin, i64)>,
    /// Days of the calendar.
    pub days: Vec<Day>,
    /// Days that run from the log's first command on.
    pub running_days: Vec<Day>,
    /// People.
    pub people: People,
    /// Automation.
    pub automation: Automation,
    /// Where the time of all but background commands goes.
    pub parts: Parts,
    /// Where the time of each kind of work goes: its id, its name, the parts.
    pub parts_by_kind: Vec<(&'static str, &'static str, Parts)>,
    /// Tables and lock files.
    pub tables: Ranked<TableSum>,
    /// Culprits and victims.
    pub contention: Contention,
    /// What runs when the log ends.
    pub standing: Standing,
    /// The slowest commands.
    pub slowest: Vec<Slow>,
    /// What limits would cut.
    pub limits: Vec<Limit>,
    /// What groups cost; `None` where nobody said who belongs to which.
    pub teams: Option<Teams>,
    /// Commands that were not served, the gravest outcome first.
    pub unserved: Vec<Unserved>,
    /// Triggers by name.
    pub triggers: Ranked<TriggerSum>,
    /// Syncs.
    pub syncs: Transfers,
    /// Submits.
    pub submits: Submits,
    /// Files that an edit opens.
    pub edited_files: Option<Spread>,
    /// Files of merges and branches, without those that populate commits.
    pub merged_files: Option<Spread>,
    /// Pages and memory.
    pub cache: Cache,
    /// Edges, proxies, replicas.
    pub upstream: Upstream,
    /// The server about itself.
    pub server: Server,
    /// Reads without a lock.
    pub peeks: u64,
    /// What journals say.
    pub journal: Option<Journal>,
    /// What checkpoints hold.
    pub checkpoint: Option<Checkpoint>,
}

/// Takes records and adds them up.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// The part of the log that is looked at.
    range: Range,
    check: QualityCheck,
    called: u64,
    kinds: Vec<(Tally, Values)>,
    functions: Ranking<Tally>,
    users: Ranking<Tally>,
    clients: Ranking<Tally>,
    programs: Ranking<Tally>,
    program_records: Ranking<Tally>,
    triggers: Ranking<TriggerSum>,
    addresses: Ranking<Tally>,
    patterns: Ranking<Tally>,
    pollers: pollers::PollerSearch,
    hours: timeline::Timeline,
    seconds: timeline::Timeline,
    active: active::Active,
    parts: parts::ByKind,
    tables: tables::Tables,
    contention: contention::Collector,
    standing: standing::Collector,
    slowest: slowest::Slowest,
    limits: limits::Limits,
    syncs: transfers::Syncs,
    submits: submits::Phases,
    edited: Values,
    merged: Values,
    pages: cache::Pages,
    upstream: upstream::UpstreamSums,
    server: Server,
    unserved: unserved::Collector,
    peeks: u64,
    groups: Option<Groups>,
}

impl Default for Analysis {
    fn default() -> Self {
        let ranking = || Ranking::new(KEPT);
        Self {
            range: Range::default(),
            check: QualityCheck::default(),
            called: 0,
            kinds: vec![(Tally::default(), Values::default()); kinds::count()],
            functions: ranking(),
            users: ranking(),
            clients: ranking(),
            programs: ranking(),
            program_records: ranking(),
            triggers: Ranking::new(KEPT),
            addresses: ranking(),
            patterns: ranking(),
            pollers: pollers::PollerSearch::default(),
            hours: timeline::Timeline::new(3600, 8192),
            seconds: timeline::Timeline::new(1, SECONDS),
            active: active::Active::default(),
            parts: parts::ByKind::default(),
            tables: tables::Tables::default(),
            contention: contention::Collector::default(),
            standing: standing::Collector::default(),
            slowest: slowest::Slowest::new(ROWS),
            limits: limits::Limits::default(),
            syncs: transfers::Syncs::new(ROWS),
            submits: submits::Phases::new(ROWS),
            edited: Values::default(),
            merged: Values::default(),
            pages: cache::Pages::default(),
            upstream: upstream::UpstreamSums::default(),
            server: Server::default(),
            unserved: unserved::Collector::default(),
            peeks: 0,
            groups: None,
        }
    }
}

impl Sink for Analysis {
    fn command(&mut self, command: &Command) {
        self.check.command(command);
        let tally = Tally::of(command);
        let kind = kinds::kind(&command.function);
        let is_called = kinds::is_called(command);
        let (sum, lapses) = &mut self.kinds[kind];
        sum.add(&tally);
        if let Some(lapse_s) = command.lapse_s {
            lapses.add(lapse_s);
        }
        self.functions.entry(&command.function, Tally::default).add(&tally);
        self.program_records.entry(product(&command.program), Tally::default).add(&tally);
        for trigger in &command.triggers {
            self.triggers.entry(&trigger.name, TriggerSum::default).add(trigger);
        }
        self.parts.add(kind, command);
        for table in &command.tables {
            self.tables.add(table);
            add(&mut self.peeks, table.peeks);
        }
        self.contention.add(command);
        self.standing.add(command);
        self.unserved.command(command);
        self.pages.add(command);
        self.upstream.add(command, &tally);
        self.syncs.add(command);
        if let Some(begun) = self.submits.add(command) {
            self.active.submitted(self.range.part(begun, 0.0).0);
        }
        if command.function == "pull"
            && command.address == "background"
            && let Some(release) = release(&command.program)
        {
            self.server.release = Some(release);
        }
        let is_background =
            kind == kinds::with_id("replication") || matches!(command.function.as_str(), "IDLE" | "client-Stats");
        if !is_background {
            // The later phases of a submit and parallel transfers are charged to who began them, and count as no command.
            let charged = Tally { commands: u64::from(is_called), ..tally };
            self.charge(command, &charged);
            self.slowest.add(command);
            let (begin, lapse_s) = self.in_range(command);
            self.seconds.add(begin, lapse_s);
        }
        if is_called {
            self.called(command, &tally);
        }
    }

    fn event(&mut self, event: &Event) {
        self.check.event(event);
        let most = |kept: &mut Option<(u64, Option<Moment>)>, count: u64| {
            if kept.is_none_or(|(most, _)| count > most) {
                *kept = Some((count, event.at));
            }
        };
        match &event.what {
            What::Active(count) => most(&mut self.server.active, *count),
            What::Paused(count) => most(&mut self.server.paused, *count),
            What::Pressure { cpu, memory, pause_rates } => {
                let server = &mut self.server;
                server.pressure.0 += u64::from(*cpu > 0);
                server.pressure.1 += u64::from(*memory > 0);
                let rate = pause_rates.map(|[cpu, memory]| cpu.max(memory));
                server.pause_rate = server.pause_rate.max(rate);
            }
            What::Started { version } => {
                if let Some((release, platform)) = version::version(version) {
                    self.server.release = Some(release);
                    self.server.operating_system = version::operating_system(&platform);
                }
                if self.server.starts.len() < 1000 {
                    self.server.starts.push(event.at);
                }
            }
            What::Error { .. } => self.unserved.event(event),
        }
    }

    fn damage(&mut self, damage: &Damage) {
        self.check.damage(damage);
    }
}

impl Analysis {
    /// Charges a command to its user, workspace, program and address.
    fn charge(&mut self, command: &Command, tally: &Tally) {
        for (ranking, name) in [
            (&mut self.users, command.user.as_str()),
            (&mut self.clients, &command.client),
            (&mut self.programs, product(&command.program)),
            (&mut self.addresses, &command.address),
        ] {
            ranking.entry(name, Tally::default).add(tally);
        }
    }

    /// A command that a person or script called.
    fn called(&mut self, command: &Command, tally: &Tally) {
        self.called += 1;
        let marks = Marks::of(command);
        let is_sync = transfers::is_sync(command);
        let (begin, lapse_s) = self.in_range(command);
        self.active.add(command, begin, marks, is_sync);
        let shape = pollers::shape(command);
        let named = format!("{} {shape}", command.function);
        self.patterns.entry(named.trim_end(), Tally::default).add(tally);
        self.pollers.add(command, tally, &shape);
        self.hours.add(begin, lapse_s);
        self.limits.add(command);
        let Some(opened) = command.rows_put("db.working") else {
            return;
        };
        match command.function.as_str() {
            "user-edit" | "user-add" | "user-delete" => self.edited.add(opened as f64),
            "user-integrate" | "user-merge" | "user-copy" if !kinds::is_query(command) => {
                self.merged.add(opened as f64);
            }
            _ => {}
        }
    }

    /// An analysis of a part of a log: what began before it counts from its beginning on.
    pub fn of(range: Range) -> Self {
        Self { range, standing: standing::Collector::until(range.to), ..Self::default() }
    }

    /// When a command began and how long it took \[s\], as far as that lies in the part of the log that is looked at.
    fn in_range(&self, command: &Command) -> (Moment, f64) {
        let lapse_s = command.lapse_s.unwrap_or(0.0);
        if command.start.known().is_none() {
            return (command.start, lapse_s);
        }
        self.range.part(command.start, lapse_s)
    }

    /// Asks why a command waited: [`Contention::why`] answers.
    pub fn ask(&mut self, asked: Asked) {
        self.contention.asked = Some(asked);
    }

    /// Says who belongs to which group, and what groups may take.
    pub fn group_by(&mut self, groups: Groups) {
        self.groups = Some(groups);
    }

    /// What runs at the end of the log, which counts for as long as it runs by then.
    fn standing(&mut self, log: &mut Log) -> Standing {
        let beside = log.beside.take();
        let collector = std::mem::take(&mut self.standing);
        let standing = collector.found((log.last, log.last_end), self.peeks > 0, beside.as_ref());
        // What ended after the part that is looked at has been counted with its end.
        for one in standing.runs.iter().filter(|one| one.end.is_none()) {
            let lasts = Tally {
                commands: 0,
                lapse_s: one.age_s,
                said: Said { lapses: 1, ..Said::default() },
                ..Tally::default()
            };
            for (ranking, name) in [
                (&mut self.users, one.user.as_str()),
                (&mut self.clients, &one.client),
                (&mut self.programs, product(&one.program)),
                (&mut self.addresses, &one.address),
            ] {
                ranking.entry(name, Tally::default).add(&lasts);
            }
            let (begin, age_s) = self.range.part(one.start, one.age_s);
            self.hours.lasts(begin, age_s);
            self.seconds.lasts(begin, age_s);
        }
        standing
    }

    /// The findings; `log` says what was read.
    pub fn finish(mut self, mut log: Log) -> Findings {
        let (journal, checkpoint) = (log.journal.take(), log.checkpoint.take());
        let standing = self.standing(&mut log);
        let pollers = self.pollers.found();
        let polled: u64 = pollers.iter().map(|p| p.tally.commands).sum();
        let sleepless = self.active.sleepless();
        let active = self.active.found();
        let days = &active.days;
        let all: u64 = days.iter().map(Day::commands).sum();
        let share = |count: u64| {
            if all == 0 { 0.0 } else { count as f64 / all as f64 }
        };
        let by_names: u64 = days.iter().map(|d| d.automated.1).sum();
        let automation = Automation {
            fraction: share(by_names),
            low: share(days.iter().map(|d| d.automated.0).sum()),
            high: share(by_names + sleepless).min(1.0),
            polling: share(polled),
        };
        let (parts, parts_by_kind) = self.parts.found();
        let contention = self.contention.found(ROWS);
        let groups = self.groups.as_ref();
        let teams = groups.map(|groups| teams::teams(groups, &self.users, &contention.blamed));
        Findings {
            quality: self.check.quality(log),
            called: self.called,
            kinds: kind_rows(self.kinds),
            functions: self.functions.ranked(2 * ROWS),
            users: self.users.ranked(ROWS),
            clients: self.clients.ranked(ROWS),
            programs: self.programs.ranked(ROWS),
            program_records: self.program_records.ranked(KEPT),
            triggers: self.triggers.ranked(ROWS),
            addresses: self.addresses.ranked(ROWS),
            patterns: self.patterns.ranked(ROWS),
            pollers,
            hour_s: self.hours.width_s(),
            hours: self.hours.slots(),
            busiest: self.seconds.busiest().map(|slot| (slot, self.seconds.width_s())),
            days: active.days,
            running_days: active.running_days,
            people: active.people,
            automation,
            parts,
            parts_by_kind,
            tables: self.tables.found(),
            contention,
            standing,
            slowest: self.slowest.found(),
            limits: self.limits.found(groups),
            teams,
            syncs: self.syncs.found(),
            submits: self.submits.found(),
            edited_files: self.edited.spread(),
            merged_files: self.merged.spread(),
            cache: self.pages.found(),
            upstream: self.upstream.found(),
            unserved: self.unserved.found(),
            server: self.server,
            peeks: self.peeks,
            journal,
            checkpoint,
        }
    }
}

/// A row for each kind of work that was called, the weightiest first.
fn kind_rows(kinds: Vec<(Tally, Values)>) -> Vec<KindRow> {
    let kinds = kinds.into_iter().enumerate();
    let mut kinds: Vec<KindRow> = kinds
        .filter(|(_, (tally, _))| tally.commands > 0)
        .map(|(kind, (tally, lapses))| {
            let (id, title) = kinds::names(kind);
            KindRow { id, title, tally, lapse_s: lapses.spread() }
        })
        .collect();
    kinds.sort_by(|a, b| b.tally.weight().total_cmp(&a.tally.weight()));
    kinds
}

/// Why marks of automation are only a hint.
pub fn why_automation() -> &'static str {
    kinds::why_automation()
}

/// The release in `p4d/2018.1/LINUX26X86_64/1660568`, without words behind it.
fn release(program: &str) -> Option<String> {
    let rest = program.strip_prefix("p4d/")?;
    let release: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let (year, minor) = release.split_once('.')?;
    (year.len() == 4 && !minor.is_empty()).then_some(release)
}
