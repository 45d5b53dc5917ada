//! Bars of an advice: how busy what is, and how layouts score.

use super::peak::kind_word;
use crate::advisor::Advice;
use crate::page::{Bar, BarsData, Measure};
use crate::system::Prediction;
use crate::units::Seconds;

/// The busiest resources and locks, at most `most` of them; each is about the resource or lock of its name.
pub fn busy_bars(prediction: &Prediction, most: usize) -> BarsData {
    let resources = prediction.resources.iter();
    let resources = resources.map(|r| {
        let kind = kind_word(r.kind).to_owned();
        (r.name.clone(), r.name.clone(), r.utilization, kind)
    });
    let locks = prediction.locks.iter().map(|l| {
        let held = format!("held for {}", Seconds::new(l.hold));
        (
            format!("lock {}", l.name),
            l.name.clone(),
            l.utilization,
            held,
        )
    });
    let mut all: Vec<(String, String, f64, String)> = resources.chain(locks).collect();
    all.sort_by(|a, b| b.2.total_cmp(&a.2).then_with(|| a.0.cmp(&b.0)));
    all.retain(|(_, _, busy, _)| *busy >= 5e-4);
    all.truncate(most);
    BarsData {
        title: "How busy".to_owned(),
        measure: Measure::Share,
        full: 1.0,
        bars: all
            .into_iter()
            .enumerate()
            .map(|(i, (label, name, value, note))| Bar {
                label,
                value,
                note,
                about: name,
                emphasis: i == 0,
            })
            .collect(),
    }
}

/// Total scores: the chosen layout and the best of each other, at most `most` bars.
pub fn score_bars(advice: &Advice, most: usize) -> BarsData {
    let mut bars: Vec<Bar> = Vec::new();
    if let Some(chosen) = &advice.chosen {
        bars.push(Bar {
            label: chosen.deployment.layout.clone(),
            value: chosen.scores.total,
            note: "recommended".to_owned(),
            about: String::new(),
            emphasis: true,
        });
    }
    for alternative in &advice.alternatives {
        let Some(scores) = &alternative.scores else {
            continue;
        };
        if bars.len() < most && !bars.iter().any(|b| b.label == alternative.layout) {
            bars.push(Bar {
                label: alternative.layout.clone(),
                value: scores.total,
                note: alternative.why_not.clone(),
                about: String::new(),
                emphasis: false,
            });
        }
    }
    BarsData {
        title: "Score by layout".to_owned(),
        measure: Measure::Score,
        full: 1.0,
        bars,
    }
}
