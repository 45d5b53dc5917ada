//! Bars of an advice: how busy what is, and how layouts score.

use super::peak::kind_word;
use crate::advisor::Advice;
use crate::page::{Bar, BarsData, Measure};
use crate::system::{Prediction, Resource};
use crate::units::Seconds;

/// The busiest resources and locks, at most `most` of them; each is about the resource or lock of its name.
pub fn busy_bars(prediction: &Prediction, most: usize) -> BarsData {
    let mut all: Vec<(&Resource, f64)> = prediction.busy().collect();
    all.retain(|(_, busy)| *busy >= 5e-4);
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.to_string().cmp(&b.0.to_string())));
    let bars = all.into_iter().take(most).enumerate();
    let bars = bars.map(|(i, (resource, value))| {
        let lock = prediction.locks.iter().find(|lock| lock.lock == *resource);
        Bar {
            label: resource.to_string(),
            value,
            note: match lock {
                Some(lock) => format!("held for {}", Seconds::new(lock.hold)),
                None => kind_word(resource.kind()).to_owned(),
            },
            about: resource.name.clone(),
            emphasis: i == 0,
        }
    });
    BarsData { title: "How busy".to_owned(), measure: Measure::Share, full: 1.0, bars: bars.collect() }
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
    BarsData { title: "Score by layout".to_owned(), measure: Measure::Score, full: 1.0, bars }
}
