//! What the site wants of each kind of work, stated or assumed (`models/questions.toml`), and whether a prediction keeps it.

use super::load_limit::LoadLimit;
use crate::origin::Origin;
use crate::site::Site;
use crate::system::{ClassPrediction, Prediction};
use crate::units::Seconds;

/// One thing that the site wants of a kind of work.
#[derive(Debug, Clone, PartialEq)]
pub struct Want {
    /// What it must not exceed \[s\].
    pub limit: f64,
    /// What it takes, 95 % of the times \[s\].
    pub time: f64,
    /// Who says so, and why.
    pub origin: Origin,
    /// Whether the site does not state it.
    pub is_assumed: bool,
}

impl Want {
    /// Whether it is kept.
    pub fn is_met(&self) -> bool {
        self.time <= self.limit
    }

    /// The limit, as precise as it is.
    pub fn limit_shown(&self) -> String {
        let limit = Seconds::new(self.limit);
        if self.is_assumed { limit.estimated() } else { limit.to_string() }
    }

    /// "target", "assumed target".
    pub fn word(&self) -> &'static str {
        target_word(self.is_assumed)
    }
}

/// "target" where the site states it, "assumed target" where it does not.
pub fn target_word(is_assumed: bool) -> &'static str {
    if is_assumed { "assumed target" } else { "target" }
}

/// Everything that the site wants of a kind of work: a response time, of large syncs also the time in which their bytes move at
/// a wanted rate. Each is held against the 95th percentile.
pub(super) fn wants(site: &Site, class: &ClassPrediction) -> Vec<Want> {
    let Some(target) = class.work.target() else {
        return Vec::new();
    };
    let time = site.target(target, class.work.clients.office());
    let time = time.map(|answer| Want {
        limit: answer.value.get(),
        time: class.p95.value,
        is_assumed: !answer.is_stated(),
        origin: answer.origin,
    });
    let rate = site.targets.sync_rate.as_ref();
    let rate = rate.filter(|_| class.work.is_large_sync());
    let rate = rate.map(|rate| Want {
        limit: site.workload.concurrent_sync_size.value.get() / rate.value.get(),
        time: class.p95.value,
        is_assumed: false,
        origin: rate.origin.clone(),
    });
    time.into_iter().chain(rate).collect()
}

/// Of what the site wants of a kind of work, the one that is nearest to being missed, or missed by most; none of what nobody
/// waits for.
pub fn tightest(site: &Site, class: &ClassPrediction) -> Option<Want> {
    let strain = |want: &Want| want.time / want.limit;
    let wants = wants(site, class).into_iter();
    wants.max_by(|a, b| strain(a).total_cmp(&strain(b)))
}

/// Whether a kind of work keeps all that the site wants of it.
pub(super) fn is_met(site: &Site, class: &ClassPrediction) -> bool {
    wants(site, class).iter().all(Want::is_met)
}

/// Targets that a prediction misses, in words.
pub fn missed(site: &Site, prediction: &Prediction) -> Vec<String> {
    let missed = missed_by_work(site, prediction).into_iter();
    missed.map(|missed| missed.words).collect()
}

/// A target that a prediction misses.
pub(super) struct Missed<'a> {
    /// By which work.
    pub(super) class: &'a ClassPrediction,
    /// What is wanted of it.
    pub(super) want: Want,
    /// Both in words.
    pub(super) words: String,
}

/// The same, each with its kind of work.
pub(super) fn missed_by_work<'a>(site: &Site, prediction: &'a Prediction) -> Vec<Missed<'a>> {
    let misses = |class: &ClassPrediction| !is_met(site, class);
    // Where the usual one misses its target, more at once tell nothing new.
    let is_said = |at_once: &ClassPrediction| {
        let usual = |one: &&ClassPrediction| !one.work.is_at_once() && one.work.clients == at_once.work.clients;
        let mut usual = prediction.classes.iter().filter(usual);
        at_once.work.is_at_once() && (prediction.is_usual(at_once) || usual.any(misses))
    };
    let classes = prediction.classes.iter().filter(|class| !is_said(class));
    let missed = classes.flat_map(|class| {
        let wants = wants(site, class).into_iter();
        wants.filter(|want| !want.is_met()).map(|want| {
            let limit = Seconds::new(want.limit);
            // Two digits do not show what is missed by less than these.
            let (time, limit) = match Seconds::new(want.time) {
                time if time.estimated() == limit.estimated() => (time.to_string(), limit.to_string()),
                time => (time.estimated(), want.limit_shown()),
            };
            let words = format!("{} takes {time} ({} {limit})", class.name, want.word());
            Missed { class, want, words }
        })
    });
    missed.collect()
}

/// The first target that a prediction misses.
pub(super) fn first_missed(site: &Site, prediction: &Prediction) -> Option<LoadLimit> {
    prediction.classes.iter().find_map(|class| {
        let mut wants = wants(site, class).into_iter();
        let want = wants.find(|want| !want.is_met())?;
        let (word, limit) = (want.word(), want.limit_shown());
        let words = format!("{} misses its {word} of {limit}", class.name);
        let work = class.work.clone();
        Some(LoadLimit::Target { work, words })
    })
}
