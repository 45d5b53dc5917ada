//! The first page: the sentence, the figures that matter most, the drawn layout.

use super::{Block, Cell, Figure, Section, Told};
use crate::advisor::rules::{Finding, Severity};
use crate::advisor::{Chosen, Contest};
use crate::report::answer::Answer;
use crate::report::chart::{plain, short_share};
use crate::report::diagram::diagram;
use crate::site::Target;
use crate::system::ClassPrediction;
use crate::units::{Seconds, significant};

pub(super) fn summary(told: &Told<'_>) -> Section {
    let site = told.inputs.site;
    let mut blocks = vec![Block::Lead(
        Answer::of(site, told.inputs.catalog, told.advice).sentence(),
    )];
    for warning in &site.warnings {
        // The first line says it; the rest is the place in the file.
        let first = warning.lines().next().unwrap_or_default();
        blocks.push(Block::Note(format!("In the site file: {first}")));
    }
    if let Some(chosen) = &told.advice.chosen {
        blocks.push(Block::Figures(figures(told, chosen)));
        if !chosen.missed.is_empty() {
            let missed = chosen.missed.join("; ");
            blocks.push(Block::Text(format!("Targets that it misses: {missed}.")));
        }
        let drawn = diagram(
            site,
            told.inputs.catalog,
            &chosen.deployment,
            &chosen.prediction,
        );
        blocks.push(Block::Diagram(drawn));
    }
    if let Some(points) = found(told) {
        blocks.push(Block::Heading("To be looked at".to_owned()));
        blocks.push(Block::Points(points));
    }
    Section {
        anchor: "summary",
        title: "Recommendation",
        blocks,
    }
}

fn figures(told: &Told<'_>, chosen: &Chosen) -> Vec<Figure> {
    let mut figures = vec![tightest(told, chosen)];
    let h = &chosen.headroom;
    figures.push(Figure {
        value: format!("{} ×", plain(h.factor, 3)),
        label: "today's peak load".to_owned(),
        note: format!("then {}", h.limit),
        link: "peak".to_owned(),
    });
    figures.push(Figure {
        value: h.reached_in.map_or("never".to_owned(), years),
        label: "until the load gets there".to_owned(),
        note: format!("at {}", told.inputs.site.data.db_growth.value),
        link: "growth".to_owned(),
    });
    let (name, busy) = chosen.prediction.bottleneck();
    figures.push(Figure {
        value: short_share(busy),
        label: "busiest at the peak".to_owned(),
        note: name,
        link: "peak".to_owned(),
    });
    let full = h.capacity.iter().filter_map(|l| Some((l.full_in?, l)));
    let first = full.min_by(|a, b| a.0.get().total_cmp(&b.0.get()));
    figures.push(match first {
        Some((time, limit)) => Figure {
            value: years(time),
            label: "until a store is full".to_owned(),
            note: limit.store.clone(),
            link: "growth".to_owned(),
        },
        None => Figure {
            value: "never".to_owned(),
            label: "a store is full".to_owned(),
            note: "at the stated growth".to_owned(),
            link: "growth".to_owned(),
        },
    });
    figures.push(sureness(&told.advice.contest));
    figures
}

/// "6.2 years", "8 months".
fn years(time: Seconds) -> String {
    let years = time.in_years();
    if years < 1.0 {
        return format!("{} months", plain(years * 12.0, 2));
    }
    format!("{} years", plain(years, 2))
}

/// The kind of work that is closest to its target, or the submit where there is no target.
fn tightest(told: &Told<'_>, chosen: &Chosen) -> Figure {
    let curve = told.views.map(|views| &views.curve);
    let classes = curve.map_or(&[][..], |curve| &curve.classes);
    let judged = classes.iter().filter_map(|c| {
        let class = chosen.prediction.class(&c.work)?;
        let time = if c.by_mean { class.mean } else { class.p95 };
        Some((class, time.value, c.target?, c.by_mean))
    });
    let tightest = judged.max_by(|a, b| (a.1 / a.2).total_cmp(&(b.1 / b.2)));
    if let Some((class, time, target, by_mean)) = tightest {
        return Figure {
            value: Seconds::new(time).to_string(),
            label: format!("{}, {}", class.name, if by_mean { "mean" } else { "p95" }),
            note: format!("target {}, the closest one", Seconds::new(target)),
            link: "peak".to_owned(),
        };
    }
    let submit = |c: &&ClassPrediction| c.work.target() == Some(Target::Submit);
    let class = chosen.prediction.classes.iter().find(submit);
    Figure {
        value: class.map_or("–".to_owned(), |c| Seconds::new(c.p95.value).to_string()),
        label: "submit, p95".to_owned(),
        note: "no target is stated".to_owned(),
        link: "peak".to_owned(),
    }
}

fn sureness(contest: &Contest) -> Figure {
    let link = "certainty".to_owned();
    let Some(likeliest) = contest.rivals.first() else {
        return Figure {
            value: "alone".to_owned(),
            label: "no other layout".to_owned(),
            note: "misses as few targets".to_owned(),
            link,
        };
    };
    let note = if likeliest.is_tied() {
        format!("{} cannot be told apart", likeliest.layout)
    } else {
        format!("better than {}", likeliest.layout)
    };
    Figure {
        value: format!("{} %", significant((1.0 - likeliest.chance) * 100.0, 2)),
        label: "chance to be the best".to_owned(),
        note,
        link,
    }
}

/// What will hurt, in one sentence each, and how many remarks there are beside.
fn found(told: &Told<'_>) -> Option<Vec<Cell>> {
    let findings = &told.advice.findings;
    let (notes, mut grave): (Vec<&Finding>, Vec<&Finding>) =
        findings.iter().partition(|f| f.severity == Severity::Note);
    grave.sort_by_key(|f| std::cmp::Reverse(f.severity));
    let point = |f: &Finding| {
        let text = format!("{} ({}): {}", f.rule, f.severity.word(), f.message);
        Cell::to(text, "findings")
    };
    let mut points: Vec<Cell> = grave.into_iter().map(point).collect();
    if !notes.is_empty() {
        let plural = if notes.len() == 1 { "" } else { "s" };
        let ids: Vec<&str> = notes.iter().map(|f| f.rule).collect();
        let text = format!("{} note{plural}: {}", notes.len(), ids.join(", "));
        points.push(Cell::to(text, "findings"));
    }
    (!points.is_empty()).then_some(points)
}
