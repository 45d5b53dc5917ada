//! Layouts side by side: figures of each, and by how much they differ from the first.

use super::bill;
use super::peak::{BUSY, led, mean_above_p95, percent, with_interval};
use super::prose::part_in_words;
use super::response::crossed;
use crate::advisor::what_if::Changed;
use crate::advisor::{Advice, Column, Criterion, Driver, Judged, tightest};
use crate::catalog::{Called, Catalog};
use crate::page::{Block, Cell, Table, Tone};
use crate::site::Site;
use crate::system::{ClassPrediction, Interval, LOCAL_DISKS, Mount, Prediction};
use crate::units::{Seconds, significant};
use crate::workload::Work;

/// Less than this is no difference.
const SAME: f64 = 0.005;
/// A smaller difference has no colour: it is within the error of any model.
const SLIGHT: f64 = 0.05;
/// The word for no difference.
const SAME_WORD: &str = "same";

/// A row: what is measured, and a figure of each column.
type Row = Vec<Cell>;

/// The table of the columns, and what it leaves out since it is equal in all.
pub fn side_by_side(catalog: &Catalog, advice: &Advice, columns: &[Column]) -> Vec<Block> {
    let heads: Vec<&str> = std::iter::once("").chain(columns.iter().map(|column| &*column.name)).collect();
    let mut table = Table::new(&heads);
    let groups = [
        ("In short", short(columns)),
        ("Response times, 95 of 100 within", responses(advice, columns)),
        ("At the peak", load(advice, columns)),
        ("What it is", built(catalog, columns)),
        ("Scores", scores(columns)),
        ("Why not", vec![row("", columns, |column| Cell::plain(why_not(column)))]),
    ];
    let mut equal = Vec::new();
    for (place, (title, rows)) in groups.into_iter().enumerate() {
        // The short answer stands whole.
        let is_hidden =
            |row: &Row| place > 0 && columns.len() > 1 && row[1..].iter().all(|cell| cell.text == row[1].text);
        let (same, unlike): (Vec<_>, Vec<_>) = rows.into_iter().partition(is_hidden);
        equal.extend(same.into_iter().map(|mut row| row.swap_remove(0).text).filter(|name| !name.is_empty()));
        if !unlike.is_empty() {
            table.title(title);
        }
        for row in unlike {
            table.linked(String::new(), row);
        }
    }
    let equal = (!equal.is_empty()).then(|| Block::Note(format!("Equal in all columns: {}.", equal.join(", "))));
    std::iter::once(table.into()).chain(equal).collect()
}

fn row(name: &str, columns: &[Column], figure: impl Fn(&Column) -> Cell) -> Row {
    let mut row = vec![Cell::plain(name.to_owned())];
    row.extend(columns.iter().map(figure));
    // The others are compared with the first.
    if let Some(first) = row.get_mut(1).filter(|first| first.below == SAME_WORD) {
        first.below.clear();
    }
    row
}

fn text(text: impl Into<String>) -> Cell {
    Cell::plain(text.into())
}

fn none() -> Cell {
    text("–")
}

fn changed(column: &Column) -> Option<&Changed> {
    column.outcome.as_ref().ok()
}

fn prediction(column: &Column) -> Option<&Prediction> {
    changed(column)?.prediction.as_ref().ok()
}

/// "+12 %": by how much a figure is more than that of the first column, and whether that is well.
fn difference(now: f64, first: Option<f64>, less_is_better: bool) -> (String, Tone) {
    let Some(first) = first.filter(|f| *f > 0.0 && now > 0.0) else {
        return (String::new(), Tone::Plain);
    };
    let ratio = now / first;
    if (ratio - 1.0).abs() < SAME {
        return (SAME_WORD.to_owned(), Tone::Plain);
    }
    let tone = if (ratio - 1.0).abs() < SLIGHT {
        Tone::Plain
    } else if (ratio < 1.0) == less_is_better {
        Tone::Good
    } else {
        Tone::Bad
    };
    let words = match ratio {
        r if r >= 10.0 => format!("× {r:.0}"),
        r if r > 1.0 => format!("+{:.0} %", ((r - 1.0) * 100.0).max(1.0)),
        r => format!("−{:.0} %", ((1.0 - r) * 100.0).max(1.0)),
    };
    (words, tone)
}

/// A figure with its difference from the first.
fn compared(shown: String, (below, tone): (String, Tone)) -> Cell {
    text(shown).below(below).toned(tone)
}

/// A kind of work of a column, with the site that it is judged for.
fn class_of<'c>(column: &'c Column, work: &Work) -> Option<(&'c ClassPrediction, &'c Site)> {
    let class = prediction(column)?.class(work)?;
    Some((class, &changed(column)?.site))
}

fn responses(advice: &Advice, columns: &[Column]) -> Vec<Row> {
    let mut works: Vec<&Work> = Vec::new();
    for class in columns.iter().filter_map(prediction).flat_map(|p| &p.classes) {
        if class.work.target().is_some() && !works.contains(&&class.work) {
            works.push(&class.work);
        }
    }
    works.into_iter().map(|work| response(advice, columns, work)).collect()
}

fn response(advice: &Advice, columns: &[Column], work: &Work) -> Row {
    let name = work.to_string();
    let first = columns.first().and_then(|column| class_of(column, work)).map(|(class, _)| class.p95);
    let mut row = row(&name, columns, |column| {
        let Some((class, site)) = class_of(column, work) else {
            return at_less(column, work);
        };
        let (differs, tone) = difference(class.p95.value, first.map(|first| first.value), true);
        let wanted = tightest(site, class);
        let risk = wanted.as_ref().and_then(|want| class.p95.chance_above(want.limit));
        let (mark, tone) = match (&wanted, risk) {
            (None, _) => (String::new(), tone),
            (Some(want), Some(risk)) => (format!(" {}", crossed(risk, want.is_met())), Tone::Warning),
            // Slower is no fault as long as the target is met.
            (Some(want), None) if want.is_met() => {
                (" ✓".to_owned(), if tone == Tone::Bad { Tone::Warning } else { tone })
            }
            (Some(_), None) => (" ✗".to_owned(), Tone::Bad),
        };
        let wanted = wanted.map_or(String::new(), |want| format!("\n{} {}", want.word(), want.limit_shown()));
        let few = mean_above_p95(class).map_or(String::new(), |few| format!("\n{few}"));
        let about = format!("p95 {}\nmean {}{wanted}{few}", with_interval(class.p95), with_interval(class.mean));
        let driver = prediction(column).and_then(|p| Driver::of(advice, p, &name));
        led(compared(format!("{}{mark}", Seconds::new(class.p95.value)), (differs, tone)), &about, driver)
    });
    if let Some(Interval { low, high, .. }) = first.filter(|first| first.low < first.high) {
        row[1].below = format!("{} to {}", Seconds::new(low), Seconds::new(high));
    }
    row
}

/// The time of an overloaded column at the load that it keeps up with.
fn at_less(column: &Column, work: &Work) -> Cell {
    let less = column.carries.as_ref();
    let class = less.and_then(|less| Some((less, less.prediction.class(work)?)));
    class.map_or_else(none, |(less, class)| {
        text(Seconds::new(class.p95.value).to_string())
            .below(format!("at {}", part_in_words(less.factor)))
            .toned(Tone::Bad)
    })
}

/// Headroom, price and missed targets.
fn short(columns: &[Column]) -> Vec<Row> {
    let first = columns.first().and_then(|c| c.headroom);
    let headroom = row("Headroom, times the peak load", columns, |column| match (column.headroom, &column.carries) {
        (None, Some(less)) => {
            text(significant(less.factor, 2)).about("", "The load that it keeps up with.").toned(Tone::Bad)
        }
        (None, None) => none(),
        (Some(factor), _) if factor.is_infinite() => text("more than 64"),
        (Some(factor), _) => compared(significant(factor, 2), difference(factor, first, false))
            .about("data.db_growth", "The largest load at which all targets are met and nothing saturates."),
    });
    let price = row("Price", columns, |column| {
        let judged = column.judged.as_ref();
        let cost = judged
            .and_then(|judged| judged.scores.by_criterion.iter().find(|score| score.criterion == Criterion::Cost));
        cost.map_or_else(none, |cost| {
            let about = format!("Score of the criterion cost: {:.2}; 1 is the cheapest.", cost.value);
            let bill = judged.and_then(|judged| judged.bill.as_ref());
            match bill.and_then(bill::price) {
                Some([total, monthly]) => Cell { below: monthly, ..text(total) },
                None => text(cost.word()),
            }
            .about("criteria.cost", about)
        })
    });
    let missed = row("Targets missed", columns, |column| match column.judged.as_ref().map(|judged| &judged.missed) {
        None => none(),
        Some(missed) if missed.is_empty() => match at_risk(column).as_slice() {
            [] => text("none"),
            risky => text(format!("{} may be missed", risky.len())).about("", risky.join("\n")).toned(Tone::Warning),
        },
        Some(missed) => text(missed.len().to_string()).about("", missed.join("\n")).toned(Tone::Bad),
    });
    vec![headroom, price, missed, row("Speaks against it", columns, unsafe_by)]
}

/// What speaks against building it whatever its times.
fn unsafe_by(column: &Column) -> Cell {
    let overloaded = changed(column).and_then(|changed| changed.prediction.as_ref().err());
    let reasons = match (&column.judged, overloaded) {
        (_, Some(error)) => vec![error.to_string()],
        (Some(judged), None) => judged.unsafe_by.clone(),
        (None, None) => return none(),
    };
    match reasons.as_slice() {
        [] => text("nothing of safety or recovery"),
        [first, ..] => text(first.as_str()).about("", reasons.join("\n")).toned(Tone::Bad),
    }
}

/// Kinds of work whose interval crosses their target.
fn at_risk(column: &Column) -> Vec<String> {
    let (Some(changed), Some(prediction)) = (changed(column), prediction(column)) else {
        return Vec::new();
    };
    let crosses = prediction.classes.iter().filter_map(|class| {
        let want = tightest(&changed.site, class)?;
        let risk = class.p95.chance_above(want.limit)?;
        Some(format!("{} {}", class.name, crossed(risk, want.is_met())))
    });
    crosses.collect()
}

fn load(advice: &Advice, columns: &[Column]) -> Vec<Row> {
    let bottleneck = row("Bottleneck", columns, |column| {
        let Some(prediction) = prediction(column) else {
            return none();
        };
        let (resource, busy) = prediction.bottleneck();
        let name = resource.to_string();
        let about = format!("the busiest resource or lock: {name}");
        let driver = Driver::of(advice, prediction, &name);
        let tone = if busy >= BUSY { Tone::Warning } else { Tone::Plain };
        led(compared(percent(busy), (name, tone)), &about, driver)
    });
    let held = |column: &Column| column.judged.as_ref().map(|judged| judged.largest_commit);
    let first = columns.first().and_then(held);
    let commit = row("Commit section of the largest submit", columns, |column| {
        held(column).map_or_else(none, |time| {
            compared(Seconds::new(time).to_string(), difference(time, first, true)).about(
                "workload.largest_submit_files",
                "All other submits wait this long while the largest submit commits.",
            )
        })
    });
    vec![bottleneck, commit]
}

/// What the deployment of a column is, in words.
fn built(catalog: &Catalog, columns: &[Column]) -> Vec<Row> {
    let mounts = |changed: &Changed, say: &dyn Fn(&Mount) -> Option<String>| {
        distinct(changed.deployment.volumes.iter().filter_map(say))
    };
    let said = |name: &str, say: &dyn Fn(&Changed, &Catalog) -> String| {
        row(name, columns, |column| {
            changed(column).map_or_else(none, |changed| text(say(changed, changed.catalog(catalog))))
        })
    };
    vec![
        said("Protocols", &|changed, catalog| mounts(changed, &|m| Some(m.reached(catalog).to_owned()))),
        said("Stores", &|changed, catalog| {
            let devices = changed.deployment.devices().into_iter();
            distinct(devices.map(|id| match id {
                LOCAL_DISKS => catalog.protocols.called("local").to_owned(),
                id => catalog.arrays.called(id).to_owned(),
            }))
        }),
        said("Filesystems", &|changed, catalog| {
            let called = |id: &String| catalog.filesystems.called(id).to_owned();
            mounts(changed, &|m| m.filesystem.as_ref().map(called))
        }),
        said("Edges", &|changed, _| changed.deployment.edges.to_string()),
        said("Proxies", &|changed, _| changed.deployment.proxies_in_words()),
    ]
}

fn distinct(words: impl Iterator<Item = String>) -> String {
    let mut seen: Vec<String> = Vec::new();
    for word in words {
        if !seen.contains(&word) {
            seen.push(word);
        }
    }
    seen.join(", ")
}

fn scores(columns: &[Column]) -> Vec<Row> {
    let scored = |name: &str, origin: &str, value: &dyn Fn(&Judged) -> Option<(f64, String)>| {
        let of = |column: &Column| column.judged.as_ref().and_then(value);
        let first = columns.first().and_then(of).map(|(score, _)| score);
        row(name, columns, |column| {
            of(column).map_or_else(none, |(score, word)| {
                compared(format!("{score:.3}"), difference(score, first, false)).about(origin, word)
            })
        })
    };
    let by_criterion = |criterion| {
        move |judged: &Judged| {
            let score = judged.scores.by_criterion.iter().find(|score| score.criterion == criterion)?;
            Some((score.value, score.word().to_owned()))
        }
    };
    let total = |judged: &Judged| Some((judged.scores.total, "the weighted geometric mean of the others".to_owned()));
    let rows = Criterion::ALL.into_iter().map(|criterion| {
        let origin = format!("criteria.{}", criterion.key());
        scored(&criterion.to_string(), &origin, &by_criterion(criterion))
    });
    rows.chain([scored("total", "", &total)]).collect()
}

/// Why it cannot be built, is overloaded, lacks memory, or is not the first.
fn why_not(column: &Column) -> String {
    column.problem().unwrap_or_else(|| {
        let judged = column.judged.as_ref();
        let why_not = judged.map_or("", |judged| judged.why_not.as_str());
        let is_told = judged.is_some_and(|judged| judged.lacks_memory);
        match changed(column).and_then(|changed| changed.short.as_deref()) {
            Some(short) if why_not.is_empty() => short.to_owned(),
            Some(short) if !is_told => format!("{short}; {why_not}"),
            _ => why_not.to_owned(),
        }
    })
}
