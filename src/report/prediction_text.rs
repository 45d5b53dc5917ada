//! Predictions as text.

use super::Column;
use super::prose::about_count;
use super::response::{confirmation, long_holds, responses};
use super::table::{Table, paragraph};
use crate::advisor::{Forecast, Influence};
use crate::site::Site;
use crate::system::{ClassPrediction, Interval, Prediction, ResourceKind};
use crate::units::{Fraction, Seconds, two_digits};
use crate::workload::Work;

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

/// "1.2 s (700 ms – 2.1 s)"; the value alone where no interval was made.
pub(super) fn with_interval(interval: Interval) -> String {
    let shown = |s: f64| Seconds::new(s).estimated();
    if interval.low >= interval.high {
        return shown(interval.value);
    }
    format!(
        "{} ({} – {})",
        shown(interval.value),
        shown(interval.low),
        shown(interval.high)
    )
}

/// "4.3 %", "34 %", "99.8 %"; "< 0.01 %" of next to nothing.
pub(super) fn percent(x: f64) -> String {
    Fraction::new(x).estimated()
}

/// Responses, judged where a site is given, resources and locks of one deployment.
pub fn prediction_text(prediction: &Prediction, site: Option<&Site>) -> String {
    let (mut out, parts) = response_tables(prediction, site);
    if let Some(confirmed) = confirmation(prediction) {
        out.push('\n');
        out.push_str(&paragraph(&confirmed, 2));
    }
    for sentence in long_holds(prediction)
        .into_iter()
        .chain(few_wait_long(prediction))
        .chain(site.and_then(|site| large_syncs(prediction, site)))
    {
        out.push('\n');
        out.push_str(&paragraph(&sentence, 2));
    }
    out.push('\n');
    out.push_str(&parts);
    out.push('\n');
    out.push_str(&resources(prediction));
    out.push_str(&locks(prediction));
    let (name, busy) = prediction.bottleneck();
    line!(out, "\n  bottleneck: {name}, {} busy", percent(busy));
    if let Some(sentence) = may_saturate(prediction) {
        out.push_str(&paragraph(&sentence, 2));
    }
    line!(
        out,
        "  read from the server's memory: {} of database pages, {} of archive bytes",
        percent(prediction.db_hit),
        percent(prediction.depot_hit)
    );
    line!(out, "  solved by: {}", prediction.method);
    out
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

/// Why a mean is above its 95th percentile.
const FEW_WAIT_LONG: &str = "fewer than one command in 20 waits very long and raises the mean: it queues behind a long hold of a lock.";

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
        let stated = work.concurrent_syncs.as_ref();
        let stated = stated.map_or_else(String::new, |stated| {
            format!(" ({} stated)", about_count(stated.value))
        });
        format!(
            "Large syncs: {} a day, of which about {} are in flight at the peak{stated}. Their number a day: {}.",
            about_count(rate.value.get() * 86_400.0),
            two_digits(in_flight),
            rate.origin
        )
    })
}

/// Why the mean of a kind of work is above its 95th percentile, as a sentence; none where it is not.
pub fn mean_above_p95(class: &ClassPrediction) -> Option<String> {
    few_of_it_wait_long(class)
        .then(|| format!("The mean is above the 95th percentile: {FEW_WAIT_LONG}"))
}

/// Times by kind of work, and where they go.
fn response_tables(prediction: &Prediction, site: Option<&Site>) -> (String, String) {
    let rows = responses(prediction, site);
    let is_judged = rows.iter().any(|row| row.target.is_some());
    let is_simulated = rows.iter().any(|row| !row.simulated.is_empty());
    let mut heads = vec!["kind of work", ">mean", "p95 (80 % interval)"];
    heads.extend(is_simulated.then_some("p95 simulated"));
    heads.extend(is_judged.then_some("target"));
    heads.push(">a second");
    let (mut times, mut parts) = (Table::new(&heads), Table::new(&PARTS_HEADS));
    for row in rows {
        let interval = if row.interval.is_empty() {
            String::new()
        } else {
            format!(" ({})", row.interval)
        };
        let target = row.target.map_or(String::new(), |target| {
            format!("{}, {}", target.limit, target.verdict())
        });
        parts.row(vec![class_name(prediction, &row.work), row.parts]);
        let mut cells = vec![row.name, row.mean, format!("{}{interval}", row.p95)];
        cells.extend(is_simulated.then_some(row.simulated));
        cells.extend(is_judged.then_some(target));
        cells.push(row.per_second);
        times.row(cells);
    }
    (times.render(), parts.render())
}

/// Heads of the table that says where times go.
const PARTS_HEADS: [&str; 2] = ["kind of work", "where the time goes"];

fn class_name(prediction: &Prediction, work: &Work) -> String {
    prediction
        .class(work)
        .map_or_else(|| work.to_string(), |class| class.name.clone())
}

fn resources(prediction: &Prediction) -> String {
    let mut table = Table::new(&["resource", "kind", ">busy"]);
    let mut resources: Vec<_> = prediction.resources.iter().collect();
    resources.sort_by(|a, b| {
        b.utilization
            .total_cmp(&a.utilization)
            .then(a.resource.name.cmp(&b.resource.name))
    });
    for resource in resources.iter().take(10) {
        let kind = kind_word(resource.resource.kind()).to_owned();
        table.row(vec![
            resource.resource.name.clone(),
            kind,
            percent(resource.utilization),
        ]);
    }
    table.render()
}

/// Heads of the table that [`busy_locks`] fills.
pub(super) const LOCK_HEADS: [&str; 5] = [
    "lock",
    ">busy",
    ">held for",
    ">writers wait",
    ">readers wait",
];

/// Rows of the busiest locks; none where none is used.
pub(super) fn busy_locks(prediction: &Prediction) -> Vec<Vec<String>> {
    let locks = prediction.locks.iter();
    let busy = locks.filter(|l| l.utilization > 0.001).take(5);
    busy.map(|lock| {
        vec![
            lock.lock.name.clone(),
            percent(lock.utilization),
            Seconds::new(lock.hold).estimated(),
            Seconds::new(lock.write_wait).estimated(),
            Seconds::new(lock.read_wait).estimated(),
        ]
    })
    .collect()
}

fn locks(prediction: &Prediction) -> String {
    let rows = busy_locks(prediction);
    if rows.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&LOCK_HEADS);
    for row in rows {
        table.row(row);
    }
    format!("\n{}", table.render())
}

/// Unanswered questions shown.
const QUESTIONS: usize = 4;

/// What other answers to unanswered questions would change, which the intervals do not contain; empty where all is
/// answered.
pub fn questions_text(influences: &[Influence]) -> String {
    let (full, moving): (Vec<&Influence>, Vec<&Influence>) =
        influences.iter().partition(|i| i.saturates);
    let mut out = String::new();
    if !moving.is_empty() {
        out.push_str(&paragraph(
            &format!(
                "Times hold for the assumed answers; other answers to unanswered questions change them: {}.",
                effects(moving.iter().copied())
            ),
            2,
        ));
    }
    if !full.is_empty() {
        let fields: Vec<&str> = full.iter().map(|i| i.field.as_str()).collect();
        out.push_str(&paragraph(
            &format!(
                "One end of the range of these questions overloads the deployment: {}.",
                fields.join(", ")
            ),
            2,
        ));
    }
    out
}

/// p95 of the kinds of work that have a target, with what is open; empty where nothing is.
pub fn open_times_text(forecast: &Forecast) -> String {
    if forecast.influences.is_empty() && forecast.measured.is_empty() {
        return String::new();
    }
    let shown = |s: f64| Seconds::new(s).estimated();
    let times = forecast
        .open_times()
        .into_iter()
        .map(|open| match open.high {
            Some(high) => format!("{} {} to {}", open.name, shown(open.low), shown(high)),
            None => format!("{} from {} up to an overload", open.name, shown(open.low)),
        });
    let times: Vec<String> = times.collect();
    paragraph(
        &format!(
            "p95 with all that is open, the ranges of answers included (80 %): {}.",
            times.join("; ")
        ),
        2,
    )
}

/// What the ranges of measured answers would change, which the intervals do not contain either; empty where none has a
/// range that matters.
pub fn measured_text(influences: &[Influence]) -> String {
    if influences.is_empty() {
        return String::new();
    }
    paragraph(
        &format!(
            "Over the ranges that the log leaves, measured answers change the times: {}.",
            effects(influences.iter())
        ),
        2,
    )
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
    let mut table = Table::new(&[
        "layout",
        "kind of work",
        "p95 (80 % interval)",
        ">mean",
        "bottleneck or reason",
    ]);
    for (name, outcome) in columns {
        match outcome {
            Err(reason) => {
                table.row(vec![
                    name.clone(),
                    "–".to_owned(),
                    String::new(),
                    String::new(),
                    reason.to_string(),
                ]);
            }
            Ok(Forecast { prediction, .. }) => {
                let (bottleneck, busy) = prediction.bottleneck();
                for (i, class) in prediction
                    .classes
                    .iter()
                    .filter(|c| c.work.is_awaited())
                    .enumerate()
                {
                    table.row(vec![
                        if i == 0 { name.clone() } else { String::new() },
                        class.name.clone(),
                        with_interval(class.p95),
                        Seconds::new(class.mean.value).estimated(),
                        if i == 0 {
                            format!("{bottleneck}, {} busy", percent(busy))
                        } else {
                            String::new()
                        },
                    ]);
                }
            }
        }
    }
    table.render()
}
