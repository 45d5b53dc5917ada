//! What the site wants and a recommended layout does not give: targets, memory, recovery, the night's window, room.

use std::fmt;

use super::advice::Chosen;
use super::recovery::{Disaster, Recovery, Told, Verdict, lost_in_words};
use super::safety::MemoryShort;
use super::stated_times::is_live;
use super::stores::Limit;
use crate::site::{Answer, Site};
use crate::system::Interval;
use crate::units::{Fraction, Seconds};

/// Something that the site wants, and how far the layout is from it.
#[derive(Debug, Clone, PartialEq)]
pub enum Miss {
    /// Memory at the peak.
    Memory(MemoryShort),
    /// A response time, in words.
    Target(String),
    /// Time until people work again.
    Rto {
        /// What is wanted.
        wanted: Wanted<Seconds>,
        /// What is lost.
        lost: Disaster,
        /// How long it takes; none where no backup survives.
        back: Option<Seconds>,
    },
    /// Work that a disaster may lose.
    Rpo {
        /// What is wanted.
        wanted: Wanted<Seconds>,
        /// What is lost.
        lost: Disaster,
        /// The work that is lost with it, counted in time; none where all is.
        loses: Option<Seconds>,
    },
    /// Share of the time that the server answers.
    Availability {
        /// What is wanted.
        wanted: Wanted<Fraction>,
        /// What is expected, in \[0, 1\]; none where the commit server does not come back.
        expected: Option<f64>,
    },
    /// The night in which a checkpoint is made.
    Night {
        /// How long it is.
        wanted: Wanted<Seconds>,
        /// How long the shortest checkpoint takes.
        takes: Told,
        /// Whether today's checkpoints are of the live database.
        is_live: bool,
    },
    /// Room to the horizon.
    Space {
        /// For how long it is bought.
        wanted: Wanted<Seconds>,
        /// What fills up.
        store: String,
        /// When; none where it does not hold today's data.
        full_in: Option<Seconds>,
        /// The same in words: "in about 2 years".
        when: String,
    },
}

/// A wanted value, and whether nobody stated it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wanted<T> {
    /// The value.
    pub value: T,
    /// Whether it is assumed.
    pub is_assumed: bool,
}

impl<T: Copy> Wanted<T> {
    pub(super) fn of(answer: &Answer<T>) -> Self {
        Self { value: answer.value, is_assumed: !answer.is_stated() }
    }
}

/// "8 h", "8 h (assumed)".
impl<T: fmt::Display> fmt::Display for Wanted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let assumed = if self.is_assumed { " (assumed)" } else { "" };
        write!(f, "{}{assumed}", self.value)
    }
}

impl Miss {
    /// Its word, for programs.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Memory(_) => "memory",
            Self::Target(_) => "target",
            Self::Rto { .. } => "rto",
            Self::Rpo { .. } => "rpo",
            Self::Availability { .. } => "availability",
            Self::Night { .. } => "night-window",
            Self::Space { .. } => "space",
        }
    }

    /// Whether a target is missed: of the work, or a stated one of failures or the night.
    pub fn is_of_target(&self) -> bool {
        match self {
            Self::Memory(_) | Self::Target(_) => true,
            Self::Space { .. } => false,
            _ => !self.is_assumed(),
        }
    }

    /// What a standby does about it where there is none, in words.
    pub fn by_standby(&self, recovery: &Recovery) -> Option<String> {
        let standby = recovery.standby?;
        let [switch, lag] = [standby.switch, standby.lag].map(|time| Seconds::new(time).estimated());
        match self {
            Self::Rto { .. } | Self::Availability { .. } => Some(format!("a standby takes over in about {switch}")),
            Self::Rpo { .. } => Some(format!("a standby loses about {lag}")),
            _ => None,
        }
    }

    /// Whether the layout carries the work as it should: what is missed is wanted of failures, of the night or of later years.
    pub fn is_beside_the_work(&self) -> bool {
        !matches!(self, Self::Memory(_) | Self::Target(_))
    }
}

/// "RTO of 8 h (assumed): people work again 17 h after the commit server is lost".
impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(short) => short.fmt(f),
            Self::Target(words) => f.write_str(words),
            Self::Rto { wanted, lost, back } => match back {
                Some(back) => write!(f, "RTO of {wanted}: people work again {} after {lost} is lost", back.estimated()),
                None => write!(f, "RTO of {wanted}: no backup survives the loss of {lost}"),
            },
            Self::Rpo { wanted, lost, loses } => {
                let work = lost_in_words(loses.map(Seconds::get));
                write!(f, "RPO of {wanted}: {work} is lost with {lost}")
            }
            Self::Availability { wanted, expected } => match expected {
                Some(share) => write!(f, "availability of {wanted}: {:.3} % expected", 100.0 * share),
                None => write!(f, "availability of {wanted}: a lost commit server does not come back"),
            },
            Self::Night { wanted, takes, is_live } => {
                // A copy's locks nobody, but takes drives and cores all the same.
                let too = if *is_live { ", of an offline copy too" } else { "" };
                write!(f, "night window of {wanted}: a checkpoint takes {takes}{too}")
            }
            Self::Space { wanted, store, when, .. } => write!(f, "room for {wanted}: {store} is full {when}"),
        }
    }
}

impl Miss {
    /// What is wanted, by a short name: "RTO", "night window".
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Memory(_) => "memory",
            Self::Target(_) => "target",
            Self::Rto { .. } => "RTO",
            Self::Rpo { .. } => "RPO",
            Self::Availability { .. } => "availability",
            Self::Night { .. } => "night window",
            Self::Space { .. } => "room to the horizon",
        }
    }

    /// Whether nobody stated what is missed.
    pub(super) fn is_assumed(&self) -> bool {
        match self {
            Self::Memory(_) | Self::Target(_) => false,
            Self::Rto { wanted, .. }
            | Self::Rpo { wanted, .. }
            | Self::Night { wanted, .. }
            | Self::Space { wanted, .. } => wanted.is_assumed,
            Self::Availability { wanted, .. } => wanted.is_assumed,
        }
    }

    /// How many times what is wanted it is; infinite where nothing brings it, 1 of a target, which tells it itself.
    pub(super) fn strain(&self) -> f64 {
        let of = |time: &Option<Seconds>, wanted: &Wanted<Seconds>| {
            time.map_or(f64::INFINITY, |time| time.get() / wanted.value.get())
        };
        match self {
            Self::Memory(short) => short.needs.get() / short.has.get(),
            Self::Target(_) => 1.0,
            Self::Rto { wanted, back, .. } => of(back, wanted),
            Self::Rpo { wanted, loses, .. } => of(loses, wanted),
            Self::Availability { wanted, expected } => {
                expected.map_or(f64::INFINITY, |share| (1.0 - share) / (1.0 - wanted.value.get()))
            }
            Self::Night { wanted, takes, .. } => takes.time().get() / wanted.value.get(),
            Self::Space { wanted, full_in, .. } => {
                full_in.map_or(f64::INFINITY, |full| wanted.value.get() / full.get())
            }
        }
    }
}

impl Chosen {
    /// All that it misses of what the site wants, stated or assumed: what the work needs first.
    pub fn misses(&self, site: &Site) -> Vec<Miss> {
        let memory = self.memory_short.clone().map(Miss::Memory);
        let targets = self.missed.iter().cloned().map(Miss::Target);
        let beside = beside_the_work(site, &self.recovery, &self.headroom.capacity);
        memory.into_iter().chain(targets).chain(beside).collect()
    }
}

/// What is missed of what the site wants of failures, of the night and of room, stated or assumed.
pub(super) fn beside_the_work(site: &Site, recovery: &Recovery, stores: &[Limit]) -> Vec<Miss> {
    let asked = &site.protection;
    let missed = |verdict: Verdict| verdict == Verdict::Missed;
    // Of those that are alike the first, the commit server.
    let disasters = || recovery.disasters.iter().rev();
    let length = |time: Option<f64>| time.unwrap_or(f64::INFINITY);
    let late = disasters().filter(|one| missed(one.rto));
    let late = late.max_by(|a, b| {
        let of = |time: Option<Interval>| length(time.map(|time| time.value));
        of(a.time).total_cmp(&of(b.time))
    });
    let rto = late.map(|one| Miss::Rto {
        wanted: Wanted::of(&asked.rto),
        lost: one.lost.clone(),
        back: one.time.map(|time| Seconds::new(time.value)),
    });
    let losing = disasters().filter(|one| missed(one.rpo));
    let losing = losing.max_by(|a, b| {
        let of = |lost: Option<Interval>| length(lost.map(|lost| lost.value));
        of(a.loses).total_cmp(&of(b.loses))
    });
    let rpo = losing.map(|one| Miss::Rpo {
        wanted: Wanted::of(&asked.rpo),
        lost: one.lost.clone(),
        loses: one.loses.map(|lost| Seconds::new(lost.value)),
    });
    let answers = recovery.availability;
    let availability = answers
        .is_none_or(|a| !a.is_met())
        .then(|| Miss::Availability { wanted: Wanted::of(&asked.availability), expected: answers.map(|a| a.expected) });
    let night = recovery.night_missed().map(|takes| Miss::Night {
        wanted: Wanted::of(&asked.night_window),
        takes,
        is_live: is_live(site),
    });
    let full = stores.iter().filter(|limit| !limit.is_large_enough());
    let space = full.map(|limit| Miss::Space {
        wanted: Wanted::of(&site.horizon.time),
        store: limit.store.to_string(),
        full_in: limit.full_in,
        when: limit.full_in.map_or("before".to_owned(), |time| site.horizon.when(time)),
    });
    let failures = rto.into_iter().chain(rpo).chain(availability);
    failures.chain(night).chain(space).collect()
}
