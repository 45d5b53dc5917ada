//! Bars of an advice: how busy what is, and how layouts score.

use super::peak::kind_word;
use crate::advisor::Advice;
use crate::page::{Bar, BarsData, Measure};
use crate::system::Prediction;
use crate::units::Seconds;

/// The busiest resources and locks, at most `most` of them.
pub fn busy_bars(prediction: &Prediction, most: usize) -> BarsData {
    let resources = prediction.resources.iter();
    let resources = resources.map(|r| {
        let kind = kind_word(r.kind).to_owned();
        (r.name.clone(), r.utilization, kind)
    });
    let locks = prediction.locks.iter().map(|l| {
        let held = format!("held for {}", Seconds::new(l.hold));
        (format!("lock {}", l.name), l.utilization, held)
    });
    let mut all: Vec<(String, f64, String)> = resources.chain(locks).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    all.retain(|(_, busy, _)| *busy >= 5e-4);
    all.truncate(most);
    BarsData {
        title: "How busy".to_owned(),
        measure: Measure::Share,
        full: 1.0,
        bars: all
            .into_iter()
            .enumerate()
            .map(|(i, (label, value, note))| Bar {
                label,
                value,
                note,
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
