//! Customers in service at a shared station, by when their services end on the station's clock.
//!
//! Where a newcomer preempts one of many, the one to preempt has to be found and taken out: that is
//! O(log n) by an order of its own. A list of a few is searched sooner than two orders are kept.

use std::collections::{BTreeMap, BTreeSet};

use crate::sim::calendar::Calendar;

/// Most places whose list is searched.
const SEARCHED: usize = 16;

/// Rank and order of arrival: who of those in service is preempted.
type Standing = (u8, u64);

/// Bits of the end, which sort as times do, order of entry, and the task.
type End = (u64, u64, u32);

/// Customers in service.
#[derive(Debug)]
pub(super) enum Serving {
    /// Nobody is preempted, or few are searched.
    Listed(Calendar),
    /// Many, of whom one may be preempted.
    Ranked { ends: BTreeSet<End>, standings: BTreeMap<Standing, End>, entered: u64 },
}

impl Serving {
    /// For so many places at a station where newcomers preempt or do not.
    pub(super) fn new(places: usize, preempts: bool) -> Self {
        if preempts && places > SEARCHED {
            Self::Ranked { ends: BTreeSet::new(), standings: BTreeMap::new(), entered: 0 }
        } else {
            Self::Listed(Calendar::default())
        }
    }

    /// Whether [`Self::push`] needs standings.
    #[inline(always)]
    pub(super) fn is_ranked(&self) -> bool {
        matches!(self, Self::Ranked { .. })
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Listed(calendar) => calendar.len(),
            Self::Ranked { ends, .. } => ends.len(),
        }
    }

    /// When the next service ends; there must be one.
    #[inline(always)]
    pub(super) fn next_time(&self) -> f64 {
        match self {
            Self::Listed(calendar) => calendar.next_time(),
            Self::Ranked { ends, .. } => ends.first().map_or(f64::INFINITY, |e| f64::from_bits(e.0)),
        }
    }

    /// A service begins that ends at a time of the station's clock.
    #[inline(always)]
    pub(super) fn push(&mut self, end: f64, task: u32, standing: Standing) {
        match self {
            Self::Listed(calendar) => calendar.push(end, task),
            Self::Ranked { ends, standings, entered } => {
                *entered += 1;
                let end = (end.to_bits(), *entered, task);
                ends.insert(end);
                standings.insert(standing, end);
            }
        }
    }

    /// Takes the one out whose service ends next; there must be one. `standing` gives that of a task.
    #[inline(always)]
    pub(super) fn pop(&mut self, standing: impl Fn(u32) -> Standing) -> u32 {
        match self {
            Self::Listed(calendar) => calendar.pop(),
            Self::Ranked { ends, standings, .. } => {
                let task = ends.pop_first().map_or(0, |(_, _, task)| task);
                standings.remove(&standing(task));
                task
            }
        }
    }

    /// The one of the lowest or highest standing.
    pub(super) fn extreme(&self, highest: bool, standing: impl Fn(u32) -> Standing) -> Option<u32> {
        match self {
            Self::Listed(calendar) if highest => calendar.all().max_by_key(|t| standing(*t)),
            Self::Listed(calendar) => calendar.all().min_by_key(|t| standing(*t)),
            Self::Ranked { standings, .. } => {
                let found = if highest { standings.last_key_value() } else { standings.first_key_value() };
                found.map(|(_, (_, _, task))| *task)
            }
        }
    }

    /// Takes one out; when its service would have ended.
    pub(super) fn remove(&mut self, task: u32, standing: Standing) -> Option<f64> {
        match self {
            Self::Listed(calendar) => calendar.remove(task),
            Self::Ranked { ends, standings, .. } => {
                let end = standings.remove(&standing)?;
                ends.remove(&end);
                Some(f64::from_bits(end.0))
            }
        }
    }
}
