//! The sheet that a command's cost is added up on, station by station: one for all commands.

use std::ops::Range;

use super::cost::{Act, Cost, Section, Take};
use super::plant::{Demand, Price};

/// Whether the order of a command's steps is kept: only the simulator asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scripts {
    /// It is.
    Kept,
    /// Only sums.
    Dropped,
}

/// Seconds at one station.
#[derive(Debug, Clone, Copy, Default)]
struct Spent {
    total: f64,
    /// In the open section.
    inside: f64,
    /// Since the last section was left.
    outside: f64,
    /// Later, but for what links, slots and the other disks of a stripe do meanwhile.
    later: f64,
    beside: f64,
    hidden: f64,
    /// While the caller waits at another station for the same call.
    held: f64,
    /// While links do what is hidden.
    meanwhile: f64,
}

/// Where a command stands; the memory is used again for the next.
#[derive(Clone, Default)]
struct Sums<'a> {
    stations: Vec<Spent>,
    cost: Cost<'a>,
}

/// A cost being added up.
pub(super) struct Sheet<'a> {
    scripts: Scripts,
    sums: Sums<'a>,
    /// The section that is open.
    pub(super) open: Option<Section>,
    /// Whether links do something meanwhile.
    hiding: bool,
    /// By server, how it stands after what every command does first.
    prologues: Vec<Option<Sums<'a>>>,
}

impl<'a> Sheet<'a> {
    pub(super) fn new(scripts: Scripts) -> Self {
        Self { scripts, sums: Sums::default(), open: None, hiding: false, prologues: Vec::new() }
    }

    /// Goes on from how it stood after the prologue on a server, if that was kept.
    pub(super) fn resume(&mut self, server: usize) -> bool {
        let Some(Some(known)) = self.prologues.get(server) else {
            return false;
        };
        self.sums.stations.clone_from(&known.stations);
        let (cost, known) = (&mut self.sums.cost, &known.cost);
        cost.script.clone_from(&known.script);
        cost.sections.clone_from(&known.sections);
        cost.takes.clone_from(&known.takes);
        cost.lists.clone_from(&known.lists);
        cost.sent = known.sent;
        cost.io = known.io;
        true
    }

    /// Keeps how it stands for later commands on a server.
    pub(super) fn keep(&mut self, server: usize) {
        if self.prologues.len() <= server {
            self.prologues.resize_with(server + 1, || None);
        }
        self.prologues[server] = Some(self.sums.clone());
    }

    /// What has been added up so far, but for the demands.
    pub(super) fn cost(&mut self) -> &mut Cost<'a> {
        &mut self.sums.cost
    }

    /// The cost, with a clean sheet left behind.
    pub(super) fn finish(&mut self) -> Cost<'a> {
        let total = self.list(|s| s.total);
        let later = self.list(|s| s.later + s.beside + s.hidden + s.held);
        let beside = self.list(|s| s.beside);
        let held = self.list(|s| s.held);
        let hidden = self.list(|s| s.hidden);
        let meanwhile = self.list(|s| s.meanwhile);
        self.hiding = false;
        let written = &mut self.sums.cost;
        let cost = Cost {
            script: std::mem::take(&mut written.script),
            total,
            later,
            beside,
            held,
            hidden,
            meanwhile,
            ..written.clone()
        };
        written.clear();
        self.sums.stations.clear();
        cost
    }

    /// Whether the commit section was entered and left.
    pub(super) fn has_committed(&self) -> bool {
        self.sums.cost.sections.iter().any(|s| s.commit)
    }

    /// Adds time at a station to the command and to the section that is open.
    pub(super) fn spend(&mut self, station: usize, seconds: f64) {
        self.reach(station + 1);
        let sum = &mut self.sums.stations[station];
        sum.total += seconds;
        if self.open.is_some() {
            sum.inside += seconds;
        } else {
            sum.outside += seconds;
        }
        if self.hiding {
            sum.meanwhile += seconds;
        }
        if self.scripts == Scripts::Kept {
            let script = &mut self.sums.cost.script;
            if !matches!(script.last(), Some(Act::Work(_))) {
                script.push(Act::Work(Demand::default()));
            }
            if let Some(Act::Work(work)) = script.last_mut() {
                work.add(station, seconds);
            }
        }
    }

    /// Adds so many units of work that the caller waits for.
    pub(super) fn add(&mut self, price: &Price, amount: f64) {
        self.begin(price, amount);
        self.hold(price, amount);
        for (station, seconds) in price.stations.iter() {
            self.spend(station, seconds * amount);
        }
    }

    /// Adds so many units of work of which up to `hidden` seconds at a station go on while something
    /// else does: the caller waits for the rest.
    pub(super) fn add_hiding(&mut self, price: &Price, amount: f64, hidden: impl Fn(usize) -> f64) {
        self.begin(price, amount);
        self.hold(price, amount);
        let meanwhile = |station: usize, seconds: f64| (seconds * amount).min(hidden(station));
        let mut links = Demand::default();
        for (station, seconds) in price.stations.iter() {
            let seconds = meanwhile(station, seconds);
            self.sums.stations[station].hidden += seconds;
            self.hiding |= seconds > 0.0;
            if self.scripts == Scripts::Kept {
                links.add(station, seconds);
            }
        }
        if links.reach() > 0 {
            self.act(Act::Meanwhile(links));
        }
        for (station, seconds) in price.stations.iter() {
            let waited = seconds * amount - meanwhile(station, seconds);
            if waited > 0.0 {
                self.spend(station, waited);
            }
        }
    }

    /// Adds so many units of work that nobody waits for.
    pub(super) fn add_later(&mut self, price: &Price, amount: f64) {
        self.begin(price, amount);
        // Nobody waits, so that slots and links are but busy.
        for (station, seconds) in price.stations.iter().chain(price.held.iter()) {
            self.sums.stations[station].later += seconds * amount;
        }
    }

    /// Adds time at a station that nobody waits for.
    pub(super) fn spend_later(&mut self, station: usize, seconds: f64) {
        self.reach(station + 1);
        self.sums.stations[station].later += seconds;
    }

    fn begin(&mut self, price: &Price, amount: f64) {
        if let Some(entry) = price.io {
            self.sums.cost.io.enter(entry, amount);
        }
        self.reach(price.reach);
        for (station, seconds) in price.beside.iter() {
            self.sums.stations[station].beside += seconds * amount;
        }
    }

    fn hold(&mut self, price: &Price, amount: f64) {
        for (station, seconds) in price.held.iter() {
            self.sums.stations[station].held += seconds * amount;
        }
    }

    /// Opens a section on a server, or goes on in the one that is open.
    pub(super) fn enter(&mut self, server: usize) -> &mut Section {
        if self.open.is_none() {
            self.hiding = false;
            self.act(Act::Enter(self.sums.cost.sections.len()));
        }
        let taken = self.sums.cost.takes.len();
        self.open.get_or_insert_with(|| Section { takes: taken..taken, server, times: 1.0, ..Section::default() })
    }

    /// Takes tables in the section that is open.
    pub(super) fn take(&mut self, take: Take<'a>) {
        self.sums.cost.takes.push(take);
    }

    /// Closes the section that is open.
    pub(super) fn leave(&mut self) {
        let Some(mut section) = self.open.take() else {
            return;
        };
        self.hiding = false;
        section.takes.end = self.sums.cost.takes.len();
        section.inside = self.list(|s| s.inside);
        section.before = self.list(|s| s.outside);
        for station in &mut self.sums.stations {
            station.inside = 0.0;
            station.outside = 0.0;
        }
        self.sums.cost.sections.push(section);
        self.act(Act::Leave);
    }

    fn act(&mut self, act: Act) {
        if self.scripts == Scripts::Kept {
            self.sums.cost.script.push(act);
        }
    }

    fn reach(&mut self, stations: usize) {
        if self.sums.stations.len() < stations {
            self.sums.stations.resize(stations, Spent::default());
        }
    }

    /// Lists the stations with so much work each, those with none left out.
    fn list(&mut self, seconds: impl Fn(&Spent) -> f64) -> Range<usize> {
        let lists = &mut self.sums.cost.lists;
        let begin = lists.len();
        lists.reserve(self.sums.stations.len());
        for (k, spent) in self.sums.stations.iter().enumerate() {
            let seconds = seconds(spent);
            if seconds > 0.0 {
                lists.push((k, seconds));
            }
        }
        begin..lists.len()
    }
}
