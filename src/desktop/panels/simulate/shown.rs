//! The results of a run, row by row over one time axis, and at one moment of it.

use crate::advisor::Driver;
use crate::desktop::answer::simulated::{Hold, Level, Record, Simulated, Waited, scenario};
use crate::desktop::engine::Engine;
use crate::desktop::state::Simulation;
use crate::page::{Cell, Drawn, Table};
use crate::report::{self, kind_word, simulated_times};
use crate::units::{Seconds, significant};

/// Rows shown of who asks, of resources and of locks.
const ROWS: usize = 6;
/// Rows shown of who waits for whom.
const BLAME_ROWS: usize = 10;

/// A run as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// When it ends \[s\].
    pub until: f64,
    /// How far it is \[s\].
    pub time: f64,
    /// The moment that the numbers are of \[s\].
    pub moment: f64,
    /// Whether that moment was chosen by hand.
    pub is_scrubbed: bool,
    /// The part of the time axis that is shown \[s\].
    pub window: (f64, f64),
    /// The worst moment in a sentence, once the run is over.
    pub result: String,
    /// What happens in it.
    pub marks: Vec<Mark>,
    /// Customers in the system, by who asks.
    pub present: Vec<Row>,
    /// The busiest resources.
    pub busy: Vec<Row>,
    /// The locks that are waited for most, and longest held.
    pub locks: Vec<LockRow>,
    /// The longest hold of any of them \[s\].
    pub longest_hold: f32,
    /// Who waits for whom: at the moment, or in all where none was chosen.
    pub blame: Table,
    /// Response times, once the run is over.
    pub responses: Table,
    /// How it was run, once it is over.
    pub how: String,
    /// Names of the activities, which holds refer to.
    pub activities: Vec<String>,
}

/// Something that happens at a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// When \[s\].
    pub at: f64,
    /// Until when \[s\].
    pub until: f64,
    /// What.
    pub text: String,
    /// Whether something fails.
    pub is_failure: bool,
}

/// A number over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What it is of.
    pub name: String,
    /// More about it, on hover.
    pub about: String,
    /// Means of equal bins from the beginning.
    pub bins: Vec<f32>,
    /// What the height of the row stands for.
    pub top: f32,
    /// The number at the moment.
    pub value: String,
    /// The largest of the run.
    pub most: String,
}

/// A lock over time.
#[derive(Debug, Clone, PartialEq)]
pub struct LockRow {
    /// Which.
    pub name: String,
    /// More about it, on hover.
    pub about: String,
    /// Longest holds by those who write.
    pub writes: Vec<Hold>,
    /// The same by those who read.
    pub reads: Vec<Hold>,
    /// How many wait, in equal bins.
    pub waiting: Vec<f32>,
    /// What the height of that stands for.
    pub top: f32,
    /// The numbers at the moment.
    pub value: String,
    /// The longest hold of the run.
    pub most: String,
}

impl LockRow {
    /// Of all its holds \[s\].
    fn lengths(&self) -> impl Iterator<Item = f32> {
        self.writes.iter().chain(&self.reads).map(|hold| hold.length)
    }
}

impl Shown {
    /// `driver` gives what a kind of work or a lock depends on most.
    pub(super) fn of(
        found: &Simulated,
        simulation: &Simulation,
        engine: &Engine,
        driver: &dyn Fn(&str) -> Option<Driver>,
    ) -> Self {
        let record = &found.record;
        let chosen = simulation.moment;
        let chosen = chosen.map(|moment| moment.clamp(0.0, found.time));
        // The latest while it runs, the worst when it is over.
        let worst = found.outcome.is_some().then(|| worst(found));
        let moment = chosen.or(worst).unwrap_or(found.time);
        let window = simulation.zoom.unwrap_or((0.0, found.until));
        let at = At { found, index: (moment / record.bin) as usize, from: moment };
        let done = found.outcome.as_ref();
        let locks = at.locks();
        Self {
            until: found.until,
            time: found.time,
            moment,
            is_scrubbed: chosen.is_some(),
            window: (window.0.max(0.0), window.1.min(found.until)),
            result: worst.map_or_else(String::new, |worst| result(found, worst)),
            marks: marks(found, engine),
            present: at.present(),
            busy: at.busy(),
            longest_hold: locks.iter().flat_map(LockRow::lengths).fold(0.0, f32::max),
            locks,
            blame: blame(found, chosen, driver),
            responses: done.map_or_else(Table::default, |done| simulated_times(done, driver)),
            how: done.map_or_else(String::new, |done| done.how()),
            activities: found.asked.activities.clone(),
        }
    }
}

/// The middle of the bin in which most commands are in the system \[s\].
fn worst(found: &Simulated) -> f64 {
    let mut present: Vec<f32> = Vec::new();
    for level in &found.record.present {
        let means = level.means();
        present.resize(present.len().max(means.len()), 0.0);
        for (sum, mean) in present.iter_mut().zip(means) {
            *sum += mean;
        }
    }
    let bins = present.iter().enumerate();
    let most = bins.max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
    let index = most.map_or(0, |(index, _)| index);
    ((index as f64 + 0.5) * found.record.bin).min(found.time)
}

/// The worst moment and the longest hold in a sentence each.
fn result(found: &Simulated, worst: f64) -> String {
    let at = At { found, index: (worst / found.record.bin) as usize, from: worst };
    let present: f64 = found.record.present.iter().map(|l| at.value(l)).sum();
    let stations = found.asked.stations.iter().enumerate();
    let busy = stations.filter_map(|(index, (name, _))| Some((at.value(found.record.busy(index)?), name)));
    let busiest = busy.max_by(|a, b| a.0.total_cmp(&b.0));
    let busiest = busiest.map_or(String::new(), |(busy, name)| format!("; {name} {} busy", percent(busy)));
    let locks = found.asked.locks.iter().zip(&found.record.locks);
    let holds = locks.filter_map(|(name, lock)| {
        let longest = lock.writes.longest(0.0, found.time, found.time)?;
        Some((longest, name))
    });
    let longest = holds.max_by(|a, b| a.0.length.total_cmp(&b.0.length));
    let longest = longest.map_or(String::new(), |(hold, name)| {
        let holder = found.activity(hold.activity.map(usize::from));
        let length = Seconds::new(f64::from(hold.length));
        format!(" Longest lock: {holder} holds {name} for {length} at {}.", clock(hold.from))
    });
    format!("Busiest at {}: {} commands in the system{busiest}.{longest}", clock(worst), number(present))
}

/// "09:15".
pub fn clock(seconds: f64) -> String {
    let minutes = (seconds / 60.0 + 1e-6).floor().max(0.0) as u64;
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

/// A number of things.
fn number(count: f64) -> String {
    if count > 0.0 && count < 0.01 {
        return "< 0.01".to_owned();
    }
    significant(count, 2)
}

/// A share in percent, in the same way.
fn percent(share: f64) -> String {
    if share > 0.0 && share < 0.001 {
        return "< 0.1 %".to_owned();
    }
    format!("{} %", significant(share * 100.0, 2))
}

fn marks(found: &Simulated, engine: &Engine) -> Vec<Mark> {
    let Ok(scenario) = scenario(&found.asked.day, &engine.catalog) else {
        return Vec::new();
    };
    let herds = scenario.herds.iter().map(|herd| Mark {
        at: herd.at.get(),
        until: herd.at.get() + herd.within.get(),
        text: herd.why.value.clone(),
        is_failure: false,
    });
    let failures = scenario.failures.iter().map(|failure| Mark {
        at: failure.at.get(),
        until: failure.until.get(),
        text: failure.why.value.clone(),
        is_failure: true,
    });
    let mut marks: Vec<Mark> = herds.chain(failures).collect();
    marks.sort_by(|a, b| a.at.total_cmp(&b.at));
    marks
}

/// A moment of a run.
struct At<'a> {
    found: &'a Simulated,
    index: usize,
    from: f64,
}

impl At<'_> {
    fn record(&self) -> &Record {
        &self.found.record
    }

    /// A level at the moment; the last bin that there is where it is the end.
    fn value(&self, level: &Level) -> f64 {
        let before = self.index.checked_sub(1);
        let found = level.mean(self.index);
        found.or_else(|| before.and_then(|index| level.mean(index))).unwrap_or(0.0)
    }

    fn present(&self) -> Vec<Row> {
        let stretch = Seconds::new(self.record().bin);
        let named = self.found.asked.classes.iter().zip(&self.record().present);
        let rows = named.map(|(name, level)| {
            let (peak, mean) = (level.peak(), level.overall());
            let row = Row {
                name: name.clone(),
                about: format!(
                    "{name}: commands in the system. At most {} over {stretch}, mean {}.",
                    number(peak),
                    number(mean)
                ),
                bins: level.means(),
                top: peak as f32,
                value: number(self.value(level)),
                most: number(peak),
            };
            (peak, row)
        });
        highest(rows)
    }

    fn busy(&self) -> Vec<Row> {
        let stretch = Seconds::new(self.record().bin);
        let named = self.found.asked.stations.iter().enumerate();
        let rows = named.filter_map(|(index, (name, kind))| {
            let level = self.record().busy(index)?;
            let row = Row {
                name: name.clone(),
                about: format!(
                    "{name} ({}): at most {} over {stretch}, mean {}.",
                    kind_word(*kind),
                    percent(level.peak()),
                    percent(level.overall())
                ),
                bins: level.means(),
                top: 1.0,
                value: percent(self.value(level)),
                most: percent(level.peak()),
            };
            Some((level.peak(), row))
        });
        highest(rows)
    }

    fn locks(&self) -> Vec<LockRow> {
        let stretch = Seconds::new(self.record().bin);
        let named = self.found.asked.locks.iter().zip(&self.record().locks);
        let mut ranked: Vec<_> = named
            .map(|(name, lock)| ((lock.waiting.overall(), lock.written.overall()), name, lock))
            .filter(|((_, written), ..)| *written > 0.0)
            .collect();
        ranked.sort_by(|(a, name, _), (b, other, _)| {
            let longer = b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1));
            longer.then(name.cmp(other))
        });
        let rows = ranked.into_iter().take(ROWS);
        rows.map(|((waiting, written), name, lock)| {
            let bin = self.record().bin;
            let longest = lock.writes.longest(self.from - bin, self.from + bin, self.found.time);
            let most = lock.writes.longest(0.0, self.found.time, self.found.time);
            let held = longest.map_or_else(String::new, |hold| {
                let who = self.found.activity(hold.activity.map(usize::from));
                let length = Seconds::new(f64::from(hold.length));
                format!(" Longest near {}: {length} by {who}.", clock(self.from))
            });
            LockRow {
                name: name.clone(),
                about: format!(
                    "{name}: written {} of the time, {} wait for it on average, at most {} over {stretch}.{held}",
                    percent(written),
                    number(waiting),
                    number(lock.waiting.peak())
                ),
                writes: lock.writes.until(self.found.time),
                reads: lock.reads.until(self.found.time),
                waiting: lock.waiting.means(),
                top: lock.waiting.peak() as f32,
                value: format!(
                    "{} wait, {} held",
                    number(self.value(&lock.waiting)),
                    percent(self.value(&lock.written))
                ),
                most: most.map_or_else(String::new, |hold| format!("hold {}", Seconds::new(f64::from(hold.length)))),
            }
        })
        .collect()
    }
}

/// The rows with the highest peaks.
fn highest(rows: impl Iterator<Item = (f64, Row)>) -> Vec<Row> {
    let mut rows: Vec<(f64, Row)> = rows.filter(|(peak, _)| *peak > 0.0).collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.name.cmp(&b.1.name)));
    rows.into_iter().take(ROWS).map(|(_, row)| row).collect()
}

/// A cell that leads to what a kind of work or a lock depends on most.
fn led(text: String, driver: Option<Driver>) -> Cell {
    report::led(Cell::plain(text), "", driver)
}

fn blame(found: &Simulated, moment: Option<f64>, driver: &dyn Fn(&str) -> Option<Driver>) -> Table {
    let blame = &found.record.blame;
    let bin = moment.map(|moment| blame.bin_of(moment));
    let seconds = |row: &Waited| match bin {
        Some(bin) => f64::from(row.bins[bin]),
        None => row.seconds,
    };
    let all: f64 = blame.rows.iter().map(seconds).sum();
    let mut rows: Vec<(f64, &Waited)> = blame.rows.iter().map(|row| (seconds(row), row)).collect();
    rows.retain(|(seconds, _)| *seconds > 0.0);
    let key = |row: &Waited| (row.lock, row.victim, row.culprit);
    rows.sort_by(|(a, row), (b, other)| b.total_cmp(a).then(key(row).cmp(&key(other))));
    let mut table = Table::new(&["waiting", "lock", "held by", ">total wait", "share of all waits"]);
    for (seconds, row) in rows.into_iter().take(BLAME_ROWS) {
        let lock = found.asked.locks.get(row.lock).map_or("", String::as_str);
        let names = [found.activity(row.victim), lock, found.activity(row.culprit)];
        let mut cells: Vec<Cell> = names.map(|name| led(name.to_owned(), driver(name))).into();
        let share = seconds / all;
        cells.push(Cell::plain(Seconds::new(seconds).to_string()));
        cells.push(Cell::plain(percent(share)).drawn(Drawn::Share(share)));
        table.linked(String::new(), cells);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::clock;

    #[test]
    fn times_are_those_of_a_clock() {
        assert_eq!(clock(0.0), "00:00");
        assert_eq!(clock(9.25 * 3600.0), "09:15");
        assert_eq!(clock(86_400.0), "24:00");
        assert_eq!(clock(59.999_999_9), "00:01");
    }
}
