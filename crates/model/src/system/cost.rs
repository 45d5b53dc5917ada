//! What a command costs: seconds at the stations, lock sections, bytes.
//!
//! A load has dozens of commands with several sections each. Their lists lie one after the other in one
//! memory of their command, so that a search does not spend its time on making and dropping them.

use std::ops::Range;

use super::plant::{Demand, Ledger, Seconds};

/// Relative error of a sum of seconds.
pub(super) const ROUNDING: f64 = 1e-9;

/// What is left of a sum of seconds without some of them; none where that is but rounding.
pub(super) fn left(all: f64, without: f64) -> f64 {
    let rest = all - without;
    if rest > ROUNDING * all { rest } else { 0.0 }
}

/// Tables that a step of a script takes, and whether it takes them alone.
pub(super) type Take<'a> = (&'a [String], bool);

/// Locks held together, and what is done under them. Its lists are those of its [`Cost`].
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Section {
    /// The tables, step by step.
    pub(super) takes: Range<usize>,
    /// How many times its tables are taken, one batch after the other.
    pub(super) times: f64,
    /// Demand while they are held, all times together.
    pub(super) inside: Range<usize>,
    /// Demand since the section before it, or the command's begin.
    pub(super) before: Range<usize>,
    /// Where the tables lie: 0 is the commit server.
    pub(super) server: usize,
    /// Whether it is the commit section.
    pub(super) commit: bool,
}

/// What a command does next, in the order of its script.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Act {
    /// Work at the stations.
    Work(Demand),
    /// Begins what links do while the work that follows goes on.
    Meanwhile(Demand),
    /// Takes the locks of a section, by its index in [`Cost::sections`].
    Enter(usize),
    /// Lets go of them.
    Leave,
}

/// One command's demand.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Cost<'a> {
    /// All of it in the order of the script, if scripts are kept: neighbouring work is one act.
    pub(super) script: Vec<Act>,
    /// Its lock sections.
    pub(super) sections: Vec<Section>,
    /// Bytes sent to the client.
    pub(super) sent: f64,
    /// Requests by role of the volume.
    pub(super) io: Ledger,
    /// What all sections take.
    pub(super) takes: Vec<Take<'a>>,
    /// Seconds by station of all lists.
    pub(super) lists: Vec<(usize, f64)>,
    pub(super) total: Range<usize>,
    pub(super) later: Range<usize>,
    pub(super) beside: Range<usize>,
    pub(super) held: Range<usize>,
    pub(super) hidden: Range<usize>,
    pub(super) meanwhile: Range<usize>,
}

impl<'a> Cost<'a> {
    /// All that its user waits for.
    pub(super) fn total(&self) -> Seconds<'_> {
        self.list(&self.total)
    }

    /// What the devices do later, and what links, slots and the other disks of a stripe do meanwhile.
    pub(super) fn later(&self) -> Seconds<'_> {
        self.list(&self.later)
    }

    /// The part of it that the other disks do meanwhile.
    pub(super) fn beside(&self) -> Seconds<'_> {
        self.list(&self.beside)
    }

    /// The part of it that is busy while the caller waits at another station for the same call.
    pub(super) fn held(&self) -> Seconds<'_> {
        self.list(&self.held)
    }

    /// The part of it that links do while network and client have what they sent before.
    pub(super) fn hidden(&self) -> Seconds<'_> {
        self.list(&self.hidden)
    }

    /// What network and client do while links do what is hidden.
    pub(super) fn meanwhile(&self) -> Seconds<'_> {
        self.list(&self.meanwhile)
    }

    /// What is done under the locks of each section, in their order.
    pub(super) fn insides(&self) -> impl Iterator<Item = Seconds<'_>> {
        self.sections.iter().map(|s| self.list(&s.inside))
    }

    /// Of so many seconds that are done later at a station, those that are beside nothing that is waited for.
    pub(super) fn left_for_later(&self, station: usize, seconds: f64) -> f64 {
        let beside = if self.total().get(station) > 0.0 { self.beside().get(station) } else { 0.0 };
        let meanwhile = self.hidden().get(station) + self.held().get(station);
        left(seconds, beside + meanwhile)
    }

    /// One of its lists.
    pub(super) fn list(&self, range: &Range<usize>) -> Seconds<'_> {
        Seconds::of(&self.lists[range.clone()])
    }

    /// What a section takes, step by step.
    pub(super) fn takes(&self, section: &Section) -> &[Take<'a>] {
        &self.takes[section.takes.clone()]
    }

    /// Nothing, with the memory kept.
    pub(super) fn clear(&mut self) {
        let mut cleared = std::mem::take(self);
        cleared.sections.clear();
        cleared.takes.clear();
        cleared.lists.clear();
        self.sections = cleared.sections;
        self.takes = cleared.takes;
        self.lists = cleared.lists;
    }
}
