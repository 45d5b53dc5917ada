//! The rows of the comparison: figures of each layout, and by how much they differ from the first.

use crate::advisor::Driver;
use crate::advisor::what_if::Changed;
use crate::advisor::{Advice, CRITERIA, Judged, tightest};
use crate::desktop::answer::{Column, Compared};
use crate::desktop::panels::drivers::hover_text;
use crate::desktop::theme::BUSY;
use crate::desktop::widgets::Tone;
use crate::report::response::crossed;
use crate::report::{mean_above_p95, percent, with_interval};
use crate::site::Site;
use crate::system::{ClassPrediction, Interval, Prediction};
use crate::units::{Seconds, significant};
use crate::workload::Work;

/// Less than this is no difference.
const SAME: f64 = 0.005;
/// A smaller difference has no colour: it is within the error of any model.
const SLIGHT: f64 = 0.05;
/// The word for no difference.
const SAME_WORD: &str = "same";

/// Rows under a title.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The title.
    pub title: String,
    /// The rows.
    pub measures: Vec<Measure>,
}

/// A row.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// What is measured.
    pub name: String,
    /// A figure for each column.
    pub figures: Vec<Figure>,
}

/// A figure of one layout.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The figure with its unit, and a mark where there is a target.
    pub text: String,
    /// By how much it differs from the first column; of times in that column the 80 % interval.
    pub difference: String,
    /// What the figure or the difference means.
    pub tone: Tone,
    /// More.
    pub hover: String,
    /// What it depends on most: something whose origin can be looked at.
    pub origin: Option<String>,
}

impl Figure {
    fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            difference: String::new(),
            tone: Tone::Plain,
            hover: String::new(),
            origin: None,
        }
    }

    fn none() -> Self {
        Self::plain("–")
    }
}

/// All rows.
pub(super) fn groups(advice: &Advice, compared: &Compared) -> Vec<Group> {
    let groups = [
        ("In short", short(compared)),
        (
            "Response times, 95 of 100 within",
            responses(advice, compared),
        ),
        ("At the peak", load(advice, compared)),
        ("What it is", built(compared)),
        ("Scores", scores(compared)),
    ];
    groups
        .into_iter()
        .filter(|(_, measures)| !measures.is_empty())
        .map(|(title, measures)| Group {
            title: title.to_owned(),
            measures,
        })
        .collect()
}

fn measure(name: &str, compared: &Compared, figure: impl Fn(&Column) -> Figure) -> Measure {
    let mut figures: Vec<Figure> = compared.columns.iter().map(figure).collect();
    // The others are compared with the first.
    if let Some(first) = figures
        .first_mut()
        .filter(|first| first.difference == SAME_WORD)
    {
        first.difference.clear();
    }
    Measure {
        name: name.to_owned(),
        figures,
    }
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

/// A kind of work of a column, with the site that it is judged for.
fn class_of<'c>(column: &'c Column, work: &Work) -> Option<(&'c ClassPrediction, &'c Site)> {
    let class = prediction(column)?.class(work)?;
    Some((class, &changed(column)?.site))
}

fn responses(advice: &Advice, compared: &Compared) -> Vec<Measure> {
    let mut works: Vec<&Work> = Vec::new();
    for class in compared
        .columns
        .iter()
        .filter_map(prediction)
        .flat_map(|p| &p.classes)
    {
        if class.work.target().is_some() && !works.contains(&&class.work) {
            works.push(&class.work);
        }
    }
    let row = |work: &Work| {
        let name = &work.to_string();
        let first = compared.columns.first().and_then(|c| class_of(c, work));
        let first = first.map(|(class, _)| class.p95.value);
        let figure = |column: &Column| {
            let Some((class, site)) = class_of(column, work) else {
                return Figure::none();
            };
            let (differs, tone) = difference(class.p95.value, first, true);
            let wanted = tightest(site, class);
            let risk = wanted.as_ref();
            let risk = risk.and_then(|want| class.p95.chance_above(want.limit));
            let (mark, tone) = match (&wanted, risk) {
                (None, _) => (String::new(), tone),
                (Some(want), Some(risk)) => {
                    let words = crossed(risk, want.is_met());
                    (format!(" {words}"), Tone::Warning)
                }
                // Slower is no fault as long as the target is met.
                (Some(want), None) if want.is_met() => {
                    let tone = if tone == Tone::Bad {
                        Tone::Warning
                    } else {
                        tone
                    };
                    (" ✓".to_owned(), tone)
                }
                (Some(_), None) => (" ✗".to_owned(), Tone::Bad),
            };
            let driver = prediction(column).and_then(|p| Driver::of(advice, p, name));
            let wanted = wanted.map_or(String::new(), |want| {
                format!("\n{} {}", want.word(), want.limit_shown())
            });
            let few = mean_above_p95(class).map_or(String::new(), |few| format!("\n{few}"));
            Figure {
                text: format!("{}{mark}", Seconds::new(class.p95.value)),
                difference: differs,
                tone,
                hover: hover_text(
                    &format!(
                        "p95 {}\nmean {}{wanted}{few}",
                        with_interval(class.p95),
                        with_interval(class.mean)
                    ),
                    driver.as_ref(),
                ),
                origin: driver.map(|driver| driver.id),
            }
        };
        let mut row = measure(name, compared, figure);
        let first = compared.columns.first().and_then(|c| class_of(c, work));
        if let Some((figure, (class, _))) = row.figures.first_mut().zip(first) {
            let Interval { low, high, .. } = class.p95;
            if low < high {
                figure.difference = format!("{} to {}", Seconds::new(low), Seconds::new(high));
            }
        }
        row
    };
    works.into_iter().map(row).collect()
}

/// Headroom, price and missed targets.
fn short(compared: &Compared) -> Vec<Measure> {
    let first = compared.columns.first().and_then(|c| c.headroom);
    let headroom = measure("Headroom, times today's peak", compared, |column| {
        let Some(factor) = column.headroom else {
            return Figure::none();
        };
        if factor.is_infinite() {
            return Figure::plain("more than 64");
        }
        let (difference, tone) = difference(factor, first, false);
        Figure {
            difference,
            tone,
            hover: "The largest load at which all targets are met and nothing saturates."
                .to_owned(),
            origin: Some("data.db_growth".to_owned()),
            ..Figure::plain(significant(factor, 2))
        }
    });
    let price = measure("Price", compared, |column| {
        let scores = column.judged.as_ref().map(|judged| &judged.scores);
        let cost = scores.and_then(|scores| {
            let mut by = scores.by_criterion.iter();
            by.find(|score| score.criterion == "cost")
        });
        cost.map_or_else(Figure::none, |cost| Figure {
            hover: format!(
                "Score of the criterion cost: {:.2}; 1 is the cheapest.",
                cost.value
            ),
            origin: Some("criteria.cost".to_owned()),
            ..Figure::plain(cost.word())
        })
    });
    vec![headroom, price, missed(compared)]
}

fn load(advice: &Advice, compared: &Compared) -> Vec<Measure> {
    let bottleneck = measure("Bottleneck", compared, |column| {
        let Some(prediction) = prediction(column) else {
            return Figure::none();
        };
        let (resource, busy) = prediction.bottleneck();
        let name = resource.to_string();
        let driver = Driver::of(advice, prediction, &name);
        Figure {
            text: percent(busy),
            difference: name.clone(),
            tone: if busy < BUSY {
                Tone::Plain
            } else {
                Tone::Warning
            },
            hover: hover_text(
                &format!("the busiest resource or lock: {name}"),
                driver.as_ref(),
            ),
            origin: driver.map(|driver| driver.id),
        }
    });
    let judged = |column: &Column| column.judged.as_ref().map(|j| j.largest_commit);
    let first = compared.columns.first().and_then(judged);
    let commit = measure("Commit section of the largest submit", compared, |column| {
        let Some(time) = judged(column) else {
            return Figure::none();
        };
        let (difference, tone) = difference(time, first, true);
        Figure {
            text: Seconds::new(time).to_string(),
            difference,
            tone,
            hover: "All other submits wait this long while the largest submit commits.".to_owned(),
            origin: Some("workload.largest_submit_files".to_owned()),
        }
    });
    vec![bottleneck, commit]
}

fn missed(compared: &Compared) -> Measure {
    measure("Targets missed", compared, |column| {
        match column.judged.as_ref().map(|j| &j.missed) {
            None => Figure::none(),
            Some(missed) if missed.is_empty() => Figure::plain("none"),
            Some(missed) => Figure {
                tone: Tone::Bad,
                hover: missed.join("\n"),
                ..Figure::plain(missed.len().to_string())
            },
        }
    })
}

/// What the deployment of a column is, in words.
type Say = fn(&Changed) -> String;

fn built(compared: &Compared) -> Vec<Measure> {
    const ROWS: [(&str, Say); 4] = [
        ("Protocols", protocols),
        ("Stores", |changed| changed.deployment.devices().join(", ")),
        ("Filesystems", filesystems),
        ("Edges", |changed| changed.deployment.edges.to_string()),
    ];
    let row = |(name, say): &(&str, Say)| {
        measure(name, compared, |column| {
            changed(column).map_or_else(Figure::none, |changed| Figure::plain(say(changed)))
        })
    };
    ROWS.iter().map(row).collect()
}

fn protocols(changed: &Changed) -> String {
    let volumes = changed.deployment.volumes.iter();
    distinct(volumes.map(|v| v.protocol.as_str()))
}

fn filesystems(changed: &Changed) -> String {
    let volumes = changed.deployment.volumes.iter();
    distinct(volumes.filter_map(|v| v.filesystem.as_deref()))
}

fn distinct<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let mut seen: Vec<&str> = Vec::new();
    for word in words {
        if !seen.contains(&word) {
            seen.push(word);
        }
    }
    seen.join(", ")
}

fn scores(compared: &Compared) -> Vec<Measure> {
    let row = |name: &str, value: &dyn Fn(&Judged) -> Option<(f64, String)>| {
        let of = |column: &Column| column.judged.as_ref().and_then(value);
        let first = compared.columns.first().and_then(of).map(|(v, _)| v);
        let origin = CRITERIA.contains(&name).then(|| format!("criteria.{name}"));
        measure(&name.replace('_', " "), compared, |column| {
            let Some((score, word)) = of(column) else {
                return Figure::none();
            };
            let (difference, tone) = difference(score, first, false);
            Figure {
                text: format!("{score:.3}"),
                difference,
                tone,
                hover: word,
                origin: origin.clone(),
            }
        })
    };
    let by_name = |name: &'static str| {
        move |judged: &Judged| {
            let mut scores = judged.scores.by_criterion.iter();
            let score = scores.find(|s| s.criterion == name)?;
            Some((score.value, score.word().to_owned()))
        }
    };
    let total = |judged: &Judged| {
        let words = "the weighted geometric mean of the others".to_owned();
        Some((judged.scores.total, words))
    };
    let rows = CRITERIA.iter().map(|name| row(name, &by_name(name)));
    rows.chain([row("total", &total)]).collect()
}
