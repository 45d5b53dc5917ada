//! Commands and their number at once over time, in bins that widen when there would be too many.

use std::collections::BTreeMap;

use crate::serverlog::record::Moment;

/// One bin.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Bin {
    starts: u64,
    /// Seconds of commands that lie in the bin in part.
    partial_s: f64,
    /// By how much the number of commands that fill the whole bin changes here.
    delta: i64,
}

/// A timeline.
#[derive(Debug, Clone)]
pub(super) struct Timeline {
    width_s: i64,
    most: usize,
    bins: BTreeMap<i64, Bin>,
}

/// A bin as it came out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeBin {
    /// When it begins.
    pub at: Moment,
    /// Commands that began in it.
    pub starts: u64,
    /// Commands at once, on average over the bin.
    pub at_once: f64,
}

impl Timeline {
    /// Bins of so many seconds at first, at most so many of them.
    pub(super) fn new(width_s: i64, most: usize) -> Self {
        Self { width_s: width_s.max(1), most: most.max(2), bins: BTreeMap::new() }
    }

    /// How wide bins are now \[s\].
    pub(super) fn width_s(&self) -> i64 {
        self.width_s
    }

    /// A command from its beginning for so many seconds; one of which no time is stated is left out.
    pub(super) fn add(&mut self, start: Moment, lapse_s: f64) {
        if start.known().is_none() {
            return;
        }
        let first = start.micros.div_euclid(1_000_000 * self.width_s);
        self.bins.entry(first).or_default().starts += 1;
        self.lasts(start, lapse_s);
    }

    /// For how long a command lasts whose beginning was counted.
    pub(super) fn lasts(&mut self, start: Moment, lapse_s: f64) {
        let width = self.width_s as f64;
        let from = start.micros as f64 / 1e6 / width;
        let to = from + lapse_s.max(0.0) / width;
        let (first, last) = (from.floor() as i64, to.floor() as i64);
        let bin = self.bins.entry(first).or_default();
        if first == last {
            bin.partial_s += (to - from) * width;
        } else {
            bin.partial_s += (first as f64 + 1.0 - from) * width;
            self.bins.entry(first + 1).or_default().delta += 1;
            let end = self.bins.entry(last).or_default();
            end.delta -= 1;
            end.partial_s += (to - last as f64) * width;
        }
        while self.bins.len() > self.most {
            self.widen();
        }
    }

    /// Joins each two bins.
    fn widen(&mut self) {
        let width = self.width_s as f64;
        let mut wider: BTreeMap<i64, Bin> = BTreeMap::new();
        for (at, bin) in std::mem::take(&mut self.bins) {
            let half = at.div_euclid(2);
            let odd = at.rem_euclid(2) == 1;
            let joined = wider.entry(half).or_default();
            joined.starts += bin.starts;
            joined.partial_s += bin.partial_s;
            if odd {
                // From the middle of the joined bin on: in part in this one, wholly in the next.
                joined.partial_s += bin.delta as f64 * width;
                if bin.delta != 0 {
                    wider.entry(half + 1).or_default().delta += bin.delta;
                }
            } else {
                joined.delta += bin.delta;
            }
        }
        self.bins = wider;
        self.width_s *= 2;
    }

    /// The bins in which something began, ended or changed, in order.
    pub(super) fn slots(&self) -> Vec<TimeBin> {
        let width = self.width_s as f64;
        let mut whole = 0_i64;
        let slots = self.bins.iter().map(|(at, bin)| {
            whole += bin.delta;
            TimeBin {
                at: Moment { micros: at.saturating_mul(self.width_s).saturating_mul(1_000_000) },
                starts: bin.starts,
                at_once: whole as f64 + bin.partial_s / width,
            }
        });
        slots.collect()
    }

    /// The bin with the most commands at once, the first of several.
    pub(super) fn busiest(&self) -> Option<TimeBin> {
        let slots = self.slots();
        slots.into_iter().fold(None, |best: Option<TimeBin>, slot| match best {
            Some(best) if best.at_once >= slot.at_once => Some(best),
            _ => Some(slot),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: f64) -> Moment {
        Moment { micros: (seconds * 1e6) as i64 }
    }

    #[test]
    fn commands_at_once_survive_wider_bins() {
        for most in [1000, 8] {
            let mut line = Timeline::new(1, most);
            // Three at once for 100 s, and short ones to fill bins.
            for _ in 0..3 {
                line.add(at(64.0), 128.0);
            }
            for i in 1..=40 {
                line.add(at(f64::from(i) * 8.0), 0.0);
            }
            let busiest = line.busiest().unwrap_or(TimeBin { at: at(0.0), starts: 0, at_once: 0.0 });
            assert!((busiest.at_once - 3.0).abs() < 1e-9, "{most} {busiest:?} {}", line.width_s());
            let begun: u64 = line.slots().iter().map(|s| s.starts).sum();
            assert_eq!(begun, 43);
        }
    }

    #[test]
    fn a_command_in_parts_of_bins_counts_for_its_seconds() {
        let mut line = Timeline::new(10, 100);
        line.add(at(5.0), 10.0);
        let slots = line.slots();
        assert!((slots[0].at_once - 0.5).abs() < 1e-9);
        assert!((slots[1].at_once - 0.5).abs() < 1e-9, "{slots:?}");
    }
}
