//! What a deployment does at the peak, for every face: times against targets, where they go, how busy what is.

use super::Column;
use super::answer::WorkRow;
use super::bars::busy_bars;
use super::prose::{about_count, part_in_words};
use super::response::{confirmation, long_holds, parts as parts_of, responses};
use crate::advisor::{Advice, Driver, Influence, LayoutPrediction, tightest};
use crate::catalog::Response;
use crate::page::{Block, Cell, Drawn, Range, Table, blocks_text};
use crate::site::{self, Site};
use crate::system::{ClassPrediction, Interval, Prediction, ResourceKind};
use crate::units::{DAY, Fraction, Seconds, list, two_digits};
use crate::workload::Task;

/// The name of a kind of resource in tables.
pub fn kind_word(kind: ResourceKind) -> &'static str {
    match kind {
        ResourceKind::Processor => "processor",
        ResourceKind::ClientNetwork => "client network",
        ResourceKind::Client => "client workstation",
        ResourceKind::StorageNetwork => "storage network",
        ResourceKind::Slots => "NFS requests",
        ResourceKind::Connections => "NFS connections",
        ResourceKind::Disks => "disks",
        ResourceKind::Stream => "disk transfer",
        ResourceKind::Ports => "array ports",
        ResourceKind::Wan => "line to the office",
        ResourceKind::Delay => "round trips",
        ResourceKind::Lock => "locks",
    }
}

/// "700 ms to 2.1 s"; nothing where no interval was made.
pub(super) fn between(interval: Interval) -> String {
    let Interval { low, high, .. } = interval;
    let shown = |s: f64| Seconds::new(s).estimated();
    if low >= high {
        return String::new();
    }
    format!("{} to {}", shown(low), shown(high))
}

/// "1.2 s (700 ms to 2.1 s)"; the value alone where no interval was made.
pub fn with_interval(interval: Interval) -> String {
    let value = Seconds::new(interval.value).estimated();
    match between(interval).as_str() {
        "" => value,
        between => format!("{value} ({between})"),
    }
}

/// "4.3 %", "34 %", "99.8 %"; "< 0.01 %" of next to nothing.
///
/// ```
/// use plimsoll::report::percent;
/// assert_eq!(percent(0.043), "4.3 %");
/// assert_eq!(percent(9.1e-7), "< 0.01 %");
/// assert_eq!(percent(0.0), "0 %");
/// ```
pub fn percent(x: f64) -> String {
    Fraction::new(x).estimated()
}

/// A resource that is busier is where growth ends first, in \[0, 1\]; no fault as long as targets are met.
pub(super) const BUSY: f64 = 0.6;

/// A cell with words about it, that leads to what its figure depends on most.
pub fn led(cell: Cell, words: &str, driver: Option<Driver>) -> Cell {
    let (id, said) = driver.map_or_else(Default::default, |driver| (driver.id, driver.words));
    let parts: Vec<&str> = [words, &said].into_iter().filter(|part| !part.is_empty()).collect();
    let words = parts.join("\n");
    cell.about(id, words)
}

/// A deployment at the peak: times, judged where a site is given, what is to know of them, how busy what is, and locks.
pub(super) struct Peak<'a> {
    pub(super) prediction: &'a Prediction,
    pub(super) site: Option<&'a Site>,
    /// Kinds of work that the short answer names in more words.
    pub(super) known: &'a [WorkRow],
    /// Of whose unanswered questions figures may depend most; without it they lead nowhere.
    pub(super) advice: Option<&'a Advice>,
}

impl Peak<'_> {
    /// Response times of all kinds of work that people wait for, and where they go.
    pub(super) fn times(&self) -> [Table; 2] {
        let mut table = Table::new(&[
            "kind of work",
            ">mean",
            ">95 % within",
            ">80 % interval",
            "simulated",
            ">target",
            "",
            ">per s",
        ]);
        let mut parts = Table::new(&["kind of work", "where the time goes"]);
        for row in responses(self.prediction, self.site) {
            let known = self.known.iter().find(|known| known.work == row.work);
            let (limit, verdict, tone) = row.target.map_or_else(Default::default, |target| {
                let (verdict, tone) = (target.verdict(), target.tone());
                (target.limit, verdict, tone)
            });
            let Some(class) = self.prediction.class(&row.work) else {
                continue;
            };
            let name = known.map_or(row.name, |known| known.name.clone());
            parts.linked(
                String::new(),
                vec![Cell::plain(name.clone()), Cell::plain(row.parts).about("", parts_of(class).join("\n"))],
            );
            let want = self.site.and_then(|site| tightest(site, class));
            let Interval { value, low, high } = class.p95;
            let target = want.map(|want| want.limit);
            let range = Drawn::Range(Range { value, low, high, target });
            let led =
                |text: String| self.led(Cell::plain(text), &class.name, &mean_above_p95(class).unwrap_or_default());
            let cells = vec![
                led(name),
                led(row.mean),
                led(row.p95),
                Cell::plain(row.interval).drawn(range).toned(tone),
                Cell::plain(row.simulated),
                Cell::plain(limit),
                Cell::plain(verdict).toned(tone),
                Cell::plain(row.per_second),
            ];
            table.linked(String::new(), cells);
        }
        [table.filled(), parts]
    }

    /// A cell that leads to what a figure depends on most.
    fn led(&self, cell: Cell, figure: &str, words: &str) -> Cell {
        let driver = self.advice.and_then(|advice| Driver::of(advice, self.prediction, figure));
        led(cell, words, driver)
    }

    /// What is to know of the times: the simulation, rare long holds, large syncs, what may saturate.
    pub(super) fn notes(&self) -> Vec<Block> {
        let served = format!(
            "{} of the database pages and {} of the archive bytes are read from the server's memory.",
            percent(self.prediction.db_hit),
            percent(self.prediction.depot_hit)
        );
        let is_edit = |class: &ClassPrediction| {
            class.work.task == Task::Response(Response::Edit) && class.work.target().is_some()
        };
        let edits = self.prediction.classes.iter().any(is_edit);
        let edits = edits.then(|| EDITS.to_owned());
        let notes = confirmation(self.prediction)
            .into_iter()
            .chain(long_holds(self.prediction))
            .chain(few_wait_long(self.prediction))
            .chain(self.site.and_then(|site| large_syncs(self.prediction, site)))
            .chain(may_saturate(self.prediction))
            .chain([served])
            .chain(edits);
        notes.map(Block::Note).collect()
    }

    /// How busy resources and locks are.
    pub(super) fn busy(&self) -> Vec<Block> {
        let mut bars = busy_bars(self.prediction, BARS);
        for bar in &mut bars.bars {
            let led = self.led(Cell::default(), &bar.about, &bar.note);
            (bar.about, bar.note) = (led.about, led.more);
        }
        let mut locks = Table::new(&["lock", ">busy", ">held for", ">writers wait", ">readers wait"]);
        for lock in self.prediction.locks.iter().filter(|lock| lock.utilization > LEAST_USED).take(LOCKS) {
            let time = |s: f64| Cell::plain(Seconds::new(s).estimated());
            let cells = vec![
                self.led(Cell::plain(lock.lock.name.clone()), &lock.lock.name, ""),
                Cell::plain(percent(lock.utilization)).drawn(Drawn::Busy(lock.utilization)),
                time(lock.hold),
                time(lock.write_wait),
                time(lock.read_wait),
            ];
            locks.linked(String::new(), cells);
        }
        let mut blocks = Vec::new();
        if !bars.bars.is_empty() {
            blocks.push(Block::Bars(bars, true));
        }
        blocks.extend(locks.unless_empty());
        blocks
    }
}

/// Resources that are shown, and locks, of those that are in use for a larger share of the time than the least.
const BARS: usize = 10;
const LOCKS: usize = 5;
const LEAST_USED: f64 = 0.001;

/// All of it, and how it was solved.
pub fn prediction_text(prediction: &Prediction, site: Option<&Site>) -> String {
    blocks_text(&prediction_blocks(prediction, site))
}

/// The same as blocks of a page.
pub(super) fn prediction_blocks(prediction: &Prediction, site: Option<&Site>) -> Vec<Block> {
    let peak = Peak { prediction, site, known: &[], advice: None };
    let [times, parts] = peak.times();
    let mut blocks = Vec::from_iter(times.unless_empty());
    blocks.extend(peak.notes());
    blocks.extend(parts.unless_empty());
    blocks.extend(peak.busy());
    blocks.push(Block::Note(format!("Solved by: {}.", prediction.method)));
    blocks
}

/// That the numbers' errors leave open whether a resource keeps up; none where they do not.
pub(super) fn may_saturate(prediction: &Prediction) -> Option<String> {
    let busiest = prediction.busiest.as_ref()?;
    let chance = busiest.overload_chance()?;
    let Interval { value, low, high } = busiest.utilization;
    Some(format!(
        "May saturate ({chance} %): the work that arrives needs {} of the time of {} (80 % interval {} to {}); above 100 % it queues up.",
        percent(value),
        busiest.resource,
        percent(low),
        percent(high)
    ))
}

/// Why edits wait for the storage of the depots.
const EDITS: &str = "Edits are add, delete, edit and revert: a revert fetches its files from the depots, so that their storage has a part in \
                     the mean.";

/// Why a mean is above its 95th percentile.
const FEW_WAIT_LONG: &str =
    "fewer than one command in 20 waits very long and raises the mean: it queues behind a long hold of a lock.";

fn few_of_it_wait_long(class: &ClassPrediction) -> bool {
    class.mean.value > class.p95.value
}

/// Kinds of work whose mean is above the 95th percentile, and why; nothing where there are none.
pub(super) fn few_wait_long(prediction: &Prediction) -> Option<String> {
    let classes = prediction.classes.iter();
    let few = classes.filter(|c| c.work.is_awaited() && few_of_it_wait_long(c));
    let names: Vec<&str> = few.map(|c| c.name.as_str()).collect();
    (!names.is_empty()).then(|| {
        let names = names.join(", ");
        format!("Where the mean is above the 95th percentile ({names}), {FEW_WAIT_LONG}")
    })
}

/// How many large syncs there are a day and are in flight at the peak, beside what was stated; none where there are none.
pub(super) fn large_syncs(prediction: &Prediction, site: &Site) -> Option<String> {
    let in_flight = prediction.large_syncs_in_flight();
    let work = &site.workload;
    let rate = &work.large_syncs_per_day;
    (in_flight > 0.0).then(|| {
        let at_once = work.concurrent_syncs.as_ref();
        let at_once = at_once.map_or_else(String::new, |stated| {
            let count = about_count(stated.value);
            let stated = match site.peak {
                site::Peak::Today => "stated".to_owned(),
                site::Peak::Times(times) => {
                    format!("{} times what is stated", two_digits(times))
                }
            };
            format!(
                " While {count} run at once ({stated}), each gets 1/{count} of the busiest resource that they share, after other work: the \
                 times \"all at once\" are the least that this allows."
            )
        });
        let a_day = rate.value.get() * DAY;
        format!(
            "Large syncs: {} a day, of which about {} are in flight at the peak. Their number a day: {}.{at_once}",
            if a_day < 10.0 { two_digits(a_day) } else { about_count(a_day) },
            two_digits(in_flight),
            rate.origin
        )
    })
}

/// Why the mean of a kind of work is above its 95th percentile, as a sentence; none where it is not.
pub fn mean_above_p95(class: &ClassPrediction) -> Option<String> {
    few_of_it_wait_long(class).then(|| format!("The mean is above the 95th percentile: {FEW_WAIT_LONG}"))
}

/// Unanswered questions shown.
const QUESTIONS: usize = 4;

/// What is open beside the intervals of a forecast: other answers, ranges of measured ones, and the times with all of it.
pub fn open_in_words(forecast: &LayoutPrediction) -> Vec<String> {
    let LayoutPrediction { influences, measured, .. } = forecast;
    let (full, moving): (Vec<&Influence>, Vec<&Influence>) = influences.iter().partition(|i| i.saturates);
    let mut said = Vec::new();
    if !moving.is_empty() {
        said.push(format!(
            "Times hold for the assumed answers; other answers to unanswered questions change them: {}.",
            effects(moving.iter().copied())
        ));
    }
    if !full.is_empty() {
        let fields: Vec<&str> = full.iter().map(|i| i.field.as_str()).collect();
        said.push(format!("One end of the range of these questions overloads the deployment: {}.", fields.join(", ")));
    }
    if !measured.is_empty() {
        said.push(format!(
            "Over the ranges that the log leaves, measured answers change the times: {}.",
            effects(measured.iter())
        ));
    }
    if !said.is_empty() {
        let shown = |s: f64| Seconds::new(s).estimated();
        let all = forecast.open_times().into_iter();
        let (times, overloaded): (Vec<_>, Vec<_>) = all.partition(|open| open.high.is_some());
        let times = times.into_iter().filter_map(|open| {
            let high = shown(open.high?);
            Some(format!("{} {} to {high}", open.name, shown(open.low)))
        });
        // What is overloaded at one end is said once.
        let from = overloaded.iter().map(|open| format!("{} {}", open.name, shown(open.low)));
        let from: Vec<String> = from.collect();
        let from = (!from.is_empty()).then(|| format!("up to an overload from {}", list(&from)));
        let times: Vec<String> = times.chain(from).collect();
        said.push(format!("p95 with all that is open, the ranges of answers included (80 %): {}.", times.join("; ")));
    }
    said
}

/// "data.files (submit by up to × 2.1), people.developers (one end overloads the deployment) and 3 more".
fn effects<'a>(influences: impl ExactSizeIterator<Item = &'a Influence>) -> String {
    let more = match influences.len().saturating_sub(QUESTIONS) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let words = influences.take(QUESTIONS).map(|i| {
        if i.saturates {
            return format!("{} (one end overloads the deployment)", i.field);
        }
        let ratio = two_digits(i.ratio);
        format!("{} ({} by up to × {ratio})", i.field, i.time_in_words())
    });
    format!("{}{more}", words.collect::<Vec<String>>().join(", "))
}

/// Several deployments side by side: p95 of each kind of work.
pub fn comparison_text(columns: &[Column]) -> String {
    let mut table =
        Table::new(&["layout", "kind of work", "95 % within (80 % interval)", ">mean", "bottleneck or reason"]);
    for (name, outcome) in columns {
        // What is overloaded shows what it does at the load that it keeps up with.
        let (name, shown, reason) = match outcome {
            Ok(found) => {
                let (bottleneck, busy) = found.prediction.bottleneck();
                let reason = format!("{bottleneck}, {} busy", percent(busy));
                (name.clone(), Some(&found.prediction), reason)
            }
            Err(reason) => match reason.carries() {
                Some(less) => {
                    (format!("{name}, at {}", part_in_words(less.factor)), Some(&less.prediction), reason.to_string())
                }
                None => (name.clone(), None, reason.to_string()),
            },
        };
        let mut first = [name, reason];
        let Some(prediction) = shown else {
            let [name, reason] = first;
            let none = ["–", "", ""].map(str::to_owned);
            table.row([name].into_iter().chain(none).chain([reason]).collect());
            continue;
        };
        let awaited = prediction.classes.iter().filter(|c| c.work.is_awaited());
        for class in awaited {
            let [name, reason] = std::mem::take(&mut first);
            table.row(vec![
                name,
                class.name.clone(),
                with_interval(class.p95),
                Seconds::new(class.mean.value).estimated(),
                reason,
            ]);
        }
    }
    table.text()
}
