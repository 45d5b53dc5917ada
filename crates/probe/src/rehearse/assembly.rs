//! The answer of a rehearsal, put together from what was driven, probed and predicted.

use std::sync::Arc;

use super::answer::{Environment, KIND, KindOfWork, Named, Rehearsed, SCHEMA, Utilised};
use super::drive::Driven;
use super::field::Field;
use super::judged::Judged;
use super::layout::Layout;
use super::meter::{Busy, Meter};
use super::plan::Plan;
use super::summary;
use super::units::{Costs, Units};
use crate::bench::Measured;
use crate::bench::environment::{Host, Roots};
use crate::site::Site;

/// Commands of the streams that may be left unsent at the end, as a share of those that were due.
const BEHIND_MAX: f64 = 0.05;
/// Commands that must be done, as a share of what is planned if responses took no time: below it clients wait for longer than
/// they think.
const DONE_LEAST: f64 = 0.5;

/// A load that was driven.
pub(super) struct Ran {
    pub(super) driven: Driven,
    pub(super) costs: Costs,
    pub(super) field: Arc<Field>,
    pub(super) meter: Meter,
}

/// What stands around the load in the answer.
pub(super) struct Circumstances<'a> {
    pub(super) when: String,
    pub(super) warnings: Vec<String>,
    pub(super) layout: &'a Layout,
    pub(super) devices: Vec<String>,
    pub(super) probes: Vec<Measured>,
    pub(super) cores: f64,
    pub(super) judged: Judged,
}

impl Ran {
    /// The answer.
    pub(super) fn answer(self, site: &Site, plan: &Plan, around: Circumstances<'_>) -> Rehearsed {
        let Driven { played, readings: (first, last) } = &self.driven;
        let settings = &plan.settings;
        let end = (settings.warm_up + settings.measure).as_secs_f64();
        let samples = &played.samples;
        let begin = summary::begin(plan, samples, (settings.warm_up.as_secs_f64(), end));
        let kinds = summary::kinds(plan, samples, (begin, end), &around.judged);
        let saturated = is_saturated(&kinds, end - begin, (played.due, played.left));
        let busy = self.meter.between(first, last, around.cores);
        let folder = |role: usize| {
            let path = &around.layout.place(role).path;
            path.to_string_lossy().into_owned()
        };
        let mut notes = plan.notes.clone();
        notes.extend(around.judged.notes.clone());
        notes.push(
            "each unit of processor work is its real work and as much comparing and copying of rows as the model has for a core of \
             this speed: p4d's own instructions were not run"
                .to_owned(),
        );
        let host = Host::of(&Roots::default());
        Rehearsed {
            schema: SCHEMA,
            kind: KIND.to_owned(),
            tool: env!("CARGO_PKG_VERSION").to_owned(),
            when: around.when,
            site: site.name.clone(),
            load_ratio: settings.load,
            scale_ratio: plan.scale,
            seed: settings.seed,
            clients: plan.clients() as u64,
            warm_up_s: begin,
            measured_s: end - begin,
            verdict: summary::verdict(samples, (begin, end)),
            saturated,
            predicted_saturated: around.judged.saturated.clone(),
            locked_by: settings.by.title().to_owned(),
            notes,
            environment: Environment {
                host,
                db_folder: folder(0),
                journal_folder: folder(1),
                depot_folder: folder(2),
                devices: around.devices,
                cores: around.cores,
                processes: "threads of one process stand in place of p4d's processes".to_owned(),
                warnings: around.warnings,
            },
            kinds,
            locks: summary::lock_waits(plan, &self.field.locks),
            utilised: busy.into_iter().map(utilised).collect(),
            predicted_utilised: around.judged.busy.iter().map(predicted).collect(),
            units: named(&self.costs),
            probes: around.probes,
        }
    }
}

fn utilised(busy: Busy) -> Utilised {
    Utilised { name: busy.name, busy_fraction: busy.share, requests_per_s: busy.per_s, bytes_per_s: busy.bytes_per_s }
}

fn predicted((name, share): &(String, f64)) -> Utilised {
    Utilised { name: name.clone(), busy_fraction: *share, requests_per_s: None, bytes_per_s: None }
}

/// Whether work came faster than it was done: the stream fell behind, or clients waited for longer than they think.
fn is_saturated(kinds: &[KindOfWork], time: f64, (due, left): (u64, u64)) -> bool {
    let done: f64 = kinds.iter().filter(|k| k.planned_per_s.is_some()).map(|k| k.measured_per_s).sum();
    let planned: f64 = kinds.iter().filter_map(|k| k.planned_per_s).sum();
    // Three standard errors of a Poisson count, as a share of it.
    let expected = planned * time;
    let chance = if expected > 0.0 { 3.0 / expected.sqrt() } else { 1.0 };
    // At any moment a few are due and not sent yet.
    let is_behind = left as f64 > BEHIND_MAX * due as f64 + 3.0;
    is_behind || done < planned * (DONE_LEAST - chance)
}

fn named(costs: &Costs) -> Vec<Named> {
    let one = |name: &str, of: fn(&Units) -> f64| Named {
        name: name.to_owned(),
        model_s: of(&costs.wanted),
        real_s: of(&costs.real),
        measured_s: of(&costs.all),
    };
    vec![
        one("command", |u| u.command),
        one("row read", |u| u.row_read),
        one("row written", |u| u.row_write),
        one("byte moved", |u| u.byte),
    ]
}
