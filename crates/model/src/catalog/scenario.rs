//! Scenarios: how the load varies over a stretch of time, and what happens meanwhile.
//!
//! Times are counted from the scenario's beginning, which is midnight where it is a day.

use super::entry::Entry;
use crate::document::{Limits, Reader};
use crate::origin::Sourced;
use crate::units::{DAY, Fraction, Seconds};

/// Longest scenario: a week.
const LENGTH_MAX: f64 = 7.0 * DAY;

/// A stretch of time to be simulated.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// Id, title, summary, facts.
    pub entry: Entry,
    /// The scenario that length, piece and load are taken from, if they are not its own.
    pub like: Option<String>,
    /// How long it lasts.
    pub length: Seconds,
    /// Length of a piece of its time series.
    pub piece: Seconds,
    /// How the load varies, one stretch after the other from 0 to the length.
    pub stretches: Vec<Stretch>,
    /// Many clients who come at once.
    pub herds: Vec<Herd>,
    /// Parts that fail.
    pub failures: Vec<Failure>,
}

/// Load over a stretch of time, as a share of the site's peak.
#[derive(Debug, Clone, PartialEq)]
pub struct Stretch {
    /// When it ends.
    pub until: Seconds,
    /// People and their large syncs.
    pub people: f64,
    /// Builds and pollers.
    pub automation: f64,
    /// Why.
    pub why: Sourced<String>,
}

/// Clients who send the same command at once.
#[derive(Debug, Clone, PartialEq)]
pub struct Herd {
    /// The first comes.
    pub at: Seconds,
    /// All have come after that.
    pub within: Seconds,
    /// What they send: a command's id.
    pub command: String,
    /// How many.
    pub clients: Clients,
    /// Files that each touches; what the site says where it is not stated.
    pub files: Option<f64>,
    /// Why.
    pub why: Sourced<String>,
}

/// How many clients.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Clients {
    /// So many.
    Count(f64),
    /// A share of the connections at the peak.
    Share(f64),
}

/// A part that fails and is repaired.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// When it fails.
    pub at: Seconds,
    /// When it works again.
    pub until: Seconds,
    /// What fails.
    pub part: Part,
    /// Why.
    pub why: Sourced<String>,
}

/// What can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// One disk of the set that holds a role's volume.
    Disk(&'static str),
    /// One controller of the store that holds a role's volume.
    Controller(&'static str),
    /// The first edge: it stands still, and so do its people.
    Edge,
}

/// A time since the beginning.
fn time(r: &Reader<'_>, key: &'static str) -> Option<Seconds> {
    let limits =
        Limits { low: Seconds::new(0.0), high: Seconds::new(LENGTH_MAX), why: "a scenario lasts a week at most" };
    let found = r.within(key, r.quantity::<Seconds>(key), limits, |t| t.to_string());
    found.map(|t| t.value)
}

impl Scenario {
    pub(super) fn read(r: &Reader<'_>, entry: Entry) -> Option<Self> {
        let herds = r.tables("herd");
        let failures = r.tables("failure");
        let like = r.text("like").map(|like| like.value);
        let herds: Vec<Option<Herd>> = herds.iter().map(Herd::read).collect();
        let failures: Vec<Option<Failure>> = failures.iter().map(Failure::read).collect();
        // Another's load takes the place of its own.
        let load = if like.is_none() { Load::read(r) } else { Some(Load::default()) };
        r.finish();
        let load = load?;
        Some(Self {
            entry,
            length: load.length,
            piece: load.piece,
            stretches: load.stretches,
            herds: herds.into_iter().flatten().collect(),
            failures: failures.into_iter().flatten().collect(),
            like,
        })
    }

    /// Takes length, piece and load of another.
    pub(super) fn take_load(&mut self, other: &Self) {
        self.length = other.length;
        self.piece = other.piece;
        self.stretches.clone_from(&other.stretches);
    }
}

/// Length, piece and load of a scenario.
#[derive(Default)]
struct Load {
    length: Seconds,
    piece: Seconds,
    stretches: Vec<Stretch>,
}

impl Load {
    fn read(r: &Reader<'_>) -> Option<Self> {
        r.require(&["length", "piece", "load"]);
        let rows = r.tables("load");
        let stretches: Vec<Option<Stretch>> = rows.iter().map(Stretch::read).collect();
        let (length, piece) = (time(r, "length"), time(r, "piece"));
        // What follows compares them, which says nothing where one could not be read.
        let stretches = stretches.into_iter().collect::<Option<Vec<Stretch>>>()?;
        let load = Self { length: length?, piece: piece?, stretches };
        let (is_ordered, is_cut, is_full) = (load.is_ordered(r, &rows), load.is_cut_well(r), load.is_full(r));
        (is_ordered && is_cut && is_full).then_some(load)
    }

    /// Whether each stretch ends after the one before; reports which does not.
    fn is_ordered(&self, r: &Reader<'_>, rows: &[Reader<'_>]) -> bool {
        let mut before = Seconds::new(0.0);
        let mut is_ordered = true;
        for (stretch, row) in self.stretches.iter().zip(rows) {
            if stretch.until.get() <= before.get() {
                let found = format!("it ends at {}", stretch.until);
                let message = "each stretch must end after the one before";
                r.report("MOD004", message, row.place(), found);
                is_ordered = false;
            }
            before = stretch.until;
        }
        is_ordered
    }

    fn is_cut_well(&self, r: &Reader<'_>) -> bool {
        let (piece, length) = (self.piece.get(), self.length.get());
        let is_well = piece >= length / 2000.0 && piece <= length;
        if !is_well {
            let found = format!("pieces of {} in {}", self.piece, self.length);
            let message = "the time series must have 1 to 2000 pieces";
            r.report("MOD004", message, r.place(), found);
        }
        is_well
    }

    fn is_full(&self, r: &Reader<'_>) -> bool {
        let end = self.stretches.last().map_or(0.0, |s| s.until.get());
        let is_full = end >= self.length.get();
        if !is_full {
            let found = format!("the load is stated until {}", Seconds::new(end));
            let message = "the load must be stated to the end of the scenario";
            r.report("MOD004", message, r.place(), found);
        }
        is_full
    }
}

impl Stretch {
    fn read(r: &Reader<'_>) -> Option<Self> {
        r.require(&["until", "people", "automation", "why"]);
        let factor = |key| {
            let limits = Limits { low: 0.0, high: 10.0, why: "it is a share of the site's peak" };
            let found = r.within(key, r.number(key), limits, |x| x.to_string());
            found.map(|f| f.value)
        };
        let (people, automation) = (factor("people"), factor("automation"));
        let (until, why) = (time(r, "until"), r.statement("why"));
        r.finish();
        Some(Self { until: until?, people: people?, automation: automation?, why: why? })
    }
}

impl Herd {
    fn read(r: &Reader<'_>) -> Option<Self> {
        const CLIENTS_MAX: f64 = 1e6;
        r.require(&["at", "within", "command", "why"]);
        let has = |key| r.raw(key).is_some();
        let (has_count, has_share) = (has("clients"), has("share_of_connections"));
        let count = r.count("clients").map(|c| Clients::Count(c.value));
        let share = r.quantity::<Fraction>("share_of_connections");
        let share = share.map(|s| Clients::Share(s.value.get()));
        let (at, within) = (time(r, "at"), time(r, "within"));
        let files = r.number("files").map(|f| f.value);
        let (command, why) = (r.text("command"), r.statement("why"));
        r.finish();
        let clients = match (has_count, has_share) {
            (true, false) => count?,
            (false, true) => share?,
            (both, _) => {
                let found = if both { "both" } else { "neither" };
                let message = "a herd needs `clients` or `share_of_connections`";
                r.report("MOD004", message, r.place(), format!("found {found}"));
                return None;
            }
        };
        if matches!(clients, Clients::Count(count) if count > CLIENTS_MAX) {
            let message = "a herd has at most a million clients";
            let found = "more than a million";
            r.report("MOD004", message, r.place(), found);
            return None;
        }
        Some(Self { at: at?, within: within?, command: command?.value, clients, files, why: why? })
    }
}

impl Failure {
    fn read(r: &Reader<'_>) -> Option<Self> {
        r.require(&["at", "until", "part", "why"]);
        let part = r.word("part", &["disk", "controller", "edge"]);
        let role = r.word("role", &super::layout::ROLES);
        let (at, until, why) = (time(r, "at"), time(r, "until"), r.statement("why"));
        r.finish();
        let times = at.zip(until);
        if let Some((at, until)) = times.filter(|(at, until)| until.get() <= at.get()) {
            let message = "a repair comes after its failure";
            let found = format!("from {at} to {until}");
            r.report("MOD004", message, r.place(), found);
        }
        let part = match (part?.value, role.map(|role| role.value)) {
            ("edge", _) => Part::Edge,
            ("disk", Some(role)) => Part::Disk(role),
            ("controller", Some(role)) => Part::Controller(role),
            // One that could not be read was reported.
            _ if r.raw("role").is_some() => return None,
            (part, _) => {
                let message = "a part of the storage needs the `role` of its volume";
                r.report("MOD004", message, r.place(), format!("which {part} is not said"));
                return None;
            }
        };
        let (at, until) = times?;
        Some(Self { at, until, part, why: why? })
    }
}
