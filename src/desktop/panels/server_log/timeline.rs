//! Locks over the time of a log: a lane a table, with its holds and how many commands waited.
//!
//! The log says how long a command waited and held, not when within its lapse. A hold is a bar over the whole lapse of
//! its command; a wait is spread evenly over it, so that the area of what is painted is what was waited.

use std::ops::Range;
use std::sync::Arc;

use crate::desktop::answer::Logged;
use crate::report::serverlog::{axis_clock, hold_in_words, name, wait_in_words};
use crate::serverlog::analysis::{LockBar, LockLane};
use crate::serverlog::record::Moment;
use crate::units::{Seconds, about_count, two_digits};

/// Bins of the part that is shown.
pub const BINS: usize = 240;
/// The shortest part that is shown \[s\].
pub(super) const SHORTEST: f64 = 2.0;
/// Commands that are named at a place, of those that wait and of those that hold.
const NAMED: usize = 4;

/// All lanes over one axis.
#[derive(Debug, Clone)]
pub struct Timeline {
    /// When the log begins.
    pub begin: Moment,
    /// How long it is \[s\].
    pub all_s: f64,
    /// The part that is shown \[s from the beginning\].
    pub window: (f64, f64),
    /// The lanes, those over which most was waited first.
    pub lanes: Vec<Lane>,
    /// The longest hold \[s\].
    pub longest_hold_s: f64,
    /// What is left out, and what a bar cannot say.
    pub note: String,
}

/// The lock of a table.
#[derive(Debug, Clone)]
pub struct Lane {
    /// The table or lock file.
    pub name: String,
    /// "waited 73 s; longest 28 s".
    pub waited: String,
    /// Holds of the exclusive lock that reach into the part that is shown.
    pub writes: Vec<Bar>,
    /// Holds of the shared lock.
    pub reads: Vec<Bar>,
    /// Commands that wait, on average over each bin of the part that is shown.
    pub waiting: Vec<f32>,
    /// The most of them.
    pub top: f32,
    /// What is known of each command: the log, and the place of this lane in it.
    log: (Arc<Logged>, usize),
}

/// A hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// When its command began \[s from the beginning\].
    pub from: f64,
    /// When it ended.
    pub until: f64,
    /// How long the lock was held \[s\].
    pub held_s: f64,
}

impl Bar {
    /// The share of its command's lapse in which the lock was held.
    pub fn share(&self) -> f64 {
        (self.held_s / (self.until - self.from).max(1e-9)).clamp(0.0, 1.0)
    }
}

impl Timeline {
    /// Of a log; none where nobody waited for a lock.
    pub fn of(logged: &Arc<Logged>, zoom: Option<(f64, f64)>) -> Option<Self> {
        let read = logged.read.as_ref()?;
        let contention = &read.findings.contention;
        let (begin, end) = read.findings.quality.span?;
        if contention.lanes.is_empty() {
            return None;
        }
        let all_s = end.seconds_since(begin).max(1.0);
        let window = zoom.map_or((0.0, all_s), |(from, until)| {
            let from = from.clamp(0.0, all_s);
            (from, until.clamp(from, all_s))
        });
        let window = if window.1 - window.0 < 1.0 { (0.0, all_s) } else { window };
        let lanes: Vec<Lane> = contention
            .lanes
            .iter()
            .enumerate()
            .map(|(place, lane)| Lane::of((logged.clone(), place), lane, begin, window))
            .collect();
        let holds = contention.lanes.iter().flat_map(|lane| &lane.holds);
        let left_out: u64 = contention.lanes.iter().map(|lane| lane.left_out).sum();
        Some(Self {
            begin,
            all_s,
            window,
            lanes,
            longest_hold_s: holds.map(LockBar::longest_s).fold(0.0, f64::max),
            note: note(left_out),
        })
    }

    /// "10:00:05" of a time from the beginning; with the day where the log has several.
    pub fn clock(&self, seconds: f64) -> String {
        let at = self.begin.plus_seconds(seconds);
        let end = self.begin.plus_seconds(self.all_s);
        let day = |at: Moment| at.to_string().chars().take(10).collect::<String>();
        if day(self.begin) == day(end) {
            axis_clock(at)
        } else {
            let day: String = day(at).chars().skip(5).collect();
            format!("{day} {}", axis_clock(at))
        }
    }

    /// What is shown, in words.
    pub fn part(&self) -> String {
        let (from, until) = self.window;
        let length = Seconds::new(until - from).estimated();
        format!("{} to {} ({length})", self.clock(from), self.clock(until))
    }
}

fn note(left_out: u64) -> String {
    const WHEN: &str = "The log does not say when within its run a command waited or held a lock: a hold is drawn over the \
                        whole run of its command, paler the smaller the part of it, and a wait is spread evenly over its run.";
    if left_out == 0 {
        return WHEN.to_owned();
    }
    let left_out = about_count(left_out as f64);
    format!("{WHEN} About {left_out} shorter waits and holds are left out.")
}

impl Lane {
    fn of(log: (Arc<Logged>, usize), lane: &LockLane, begin: Moment, window: (f64, f64)) -> Self {
        let holds = |seconds: &dyn Fn(&LockBar) -> f64| -> Vec<Bar> {
            let bars = lane.holds.iter().filter(|bar| seconds(bar) > 0.0);
            let bars = bars.map(|bar| {
                let (from, until) = ends(bar, begin);
                Bar { from, until, held_s: seconds(bar) }
            });
            bars.filter(|bar| bar.until >= window.0 && bar.from <= window.1).collect()
        };
        let waiting = waiting(lane, begin, window);
        let time = |s: f64| Seconds::new(s).estimated();
        let longest = lane.waits.iter().map(|bar| bar.read_s + bar.write_s);
        Self {
            name: name(&lane.table),
            waited: format!("waited {}, longest {}", time(lane.waited_s), time(longest.fold(0.0, f64::max))),
            writes: holds(&|bar| bar.write_s),
            reads: holds(&|bar| bar.read_s),
            top: waiting.iter().copied().fold(0.0, f32::max),
            waiting,
            log,
        }
    }

    /// "at most 3.4 wait at once".
    pub fn most(&self) -> String {
        if self.top > 0.0 {
            let top = two_digits(f64::from(self.top));
            format!("here at most {top} wait at once")
        } else {
            "nobody waits here".to_owned()
        }
    }

    /// Who waits for the lock and who holds it at a time, give or take, a line each: the longest first.
    pub fn at(&self, begin: Moment, time: f64, reach: f64) -> Vec<String> {
        let Some(bars) = self.bars() else {
            return Vec::new();
        };
        let mut lines = Vec::new();
        for (bars, is_hold) in [(&bars.holds, true), (&bars.waits, false)] {
            let is_near = |bar: &&LockBar| {
                let (from, until) = ends(bar, begin);
                from - reach <= time && time <= until + reach
            };
            let mut found: Vec<&LockBar> = bars.iter().filter(is_near).collect();
            found.sort_by(|a, b| b.longest_s().total_cmp(&a.longest_s()));
            let words = |bar: &&LockBar| {
                if is_hold { hold_in_words(bar) } else { wait_in_words(bar) }
            };
            lines.extend(found.iter().take(NAMED).map(words));
            let more = found.len().saturating_sub(NAMED);
            if more > 0 {
                lines.push(format!("and {more} more"));
            }
        }
        lines
    }

    fn bars(&self) -> Option<&LockLane> {
        let (logged, place) = &self.log;
        logged.read.as_ref()?.findings.contention.lanes.get(*place)
    }
}

/// When a command began and ended \[s from the beginning\].
fn ends(bar: &LockBar, begin: Moment) -> (f64, f64) {
    let from = bar.start.seconds_since(begin);
    (from, from + bar.lapse_s.max(1e-3))
}

/// Commands that wait, on average over each bin.
fn waiting(lane: &LockLane, begin: Moment, window: (f64, f64)) -> Vec<f32> {
    let mut bins = vec![0.0_f64; BINS];
    let width = (window.1 - window.0) / BINS as f64;
    for bar in &lane.waits {
        let (from, until) = ends(bar, begin);
        // A wait may be longer than the lapse that the log has for it: then all of the lapse was waited.
        let level = ((bar.read_s + bar.write_s) / (until - from)).min(1.0);
        for place in reached(from, until, window, width) {
            let left = window.0 + width * place as f64;
            let overlap = (until.min(left + width) - from.max(left)).max(0.0);
            bins[place] += level * overlap / width;
        }
    }
    bins.into_iter().map(|level| level as f32).collect()
}

/// The bins into which a time reaches.
fn reached(from: f64, until: f64, window: (f64, f64), width: f64) -> Range<usize> {
    let place = |time: f64| ((time - window.0) / width).clamp(0.0, BINS as f64);
    let (first, last) = (place(from).floor() as usize, place(until).ceil() as usize);
    first..last.min(BINS)
}
