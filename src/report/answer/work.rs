//! Times against targets, for stated sizes, and how busy everything is.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::peak::percent;
use super::super::prose::about_count;
use super::super::response::{Judged, long_holds, responses};
use super::AnswerSource;
use crate::site::Target;
use crate::system::Prediction;
use crate::workload::Work;

/// One kind of work.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct WorkRow {
    /// Which it is.
    #[serde(skip)]
    pub work: Work,
    /// "sync of 500 files, 104 MB (Montreal)".
    pub name: String,
    /// "1.3 s": 95 of 100 take no longer.
    pub p95: String,
    /// The same \[s\].
    pub p95_s: f64,
    /// "0.9 s to 1.9 s": its 80 % interval, for this size; nothing where none was made.
    pub interval: String,
    /// What the site wants of it.
    pub target: Option<Judged>,
}

impl WorkRow {
    /// How near it is to missing its target, nothing without one: by the chance of missing it, then by the time over the target.
    fn need(&self) -> (u32, f64) {
        let need = self.target.as_ref().map(|target| {
            let chance = match (target.risk, target.is_met) {
                (None, true) => 1,
                (Some(risk), _) => 1 + risk,
                (None, false) => 101,
            };
            (chance, target.share)
        });
        need.unwrap_or((0, 0.0))
    }
}

/// So many of the rows, in their order: those that are nearest to missing their targets.
pub fn nearest(rows: &[WorkRow], most: usize) -> Vec<&WorkRow> {
    let mut places = nearest_first(rows);
    places.truncate(most);
    places.sort_unstable();
    places.into_iter().map(|place| &rows[place]).collect()
}

/// The places of the rows, those first that are nearest to missing their targets.
pub fn nearest_first(rows: &[WorkRow]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|a, b| {
        let (a, b) = (rows[*a].need(), rows[*b].need());
        b.0.cmp(&a.0).then(b.1.total_cmp(&a.1))
    });
    order
}

/// A resource or lock and how busy it is.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BusyRow {
    /// Its name.
    pub name: String,
    /// "81 %".
    pub busy: String,
    /// Busy fraction, in \[0, 1\].
    pub utilization: f64,
}

/// How many resources are listed.
const BUSIEST: usize = 5;

impl AnswerSource<'_> {
    pub(super) fn work(&self) -> Vec<WorkRow> {
        let Some(prediction) = self.prediction() else {
            return Vec::new();
        };
        let site = self.advice.chosen.as_ref().map(|_| self.site);
        let rows = responses(prediction, site).into_iter();
        let rows = rows.filter(|row| row.work.target().is_some());
        let rows = rows.filter_map(|row| {
            let class = prediction.class(&row.work)?;
            (!prediction.is_usual(class)).then(|| WorkRow {
                name: self.work_name(&row.work),
                p95: row.p95,
                p95_s: class.p95.value,
                interval: row.interval,
                target: row.target,
                work: row.work,
            })
        });
        rows.collect()
    }

    /// What is solved: at today's peak, or at the load that an overloaded deployment does carry.
    fn prediction(&self) -> Option<&Prediction> {
        let overload = self.advice.overload.as_ref().map(|o| &o.prediction);
        let chosen = self.advice.chosen.as_ref().map(|c| &c.prediction);
        chosen.or(overload)
    }

    pub(super) fn busiest(&self) -> Vec<BusyRow> {
        let Some(prediction) = self.prediction() else {
            return Vec::new();
        };
        let busy = prediction.busy();
        let mut all: Vec<(&String, f64)> = busy.map(|(one, used)| (&one.name, used)).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        let busiest = all.into_iter().take(BUSIEST);
        let rows =
            busiest.map(|(name, utilization)| BusyRow { name: name.clone(), busy: percent(utilization), utilization });
        rows.collect()
    }

    pub(super) fn stalls(&self) -> Vec<String> {
        self.prediction().map(long_holds).unwrap_or_default()
    }

    /// "sync of 500 files, 104 MB (Montreal)", "large sync of 60 GB".
    pub(super) fn work_name(&self, work: &Work) -> String {
        let asked = &self.site.workload;
        let files = |count: f64| match count {
            1.0 => " of 1 file".to_owned(),
            n => format!(" of {} files", about_count(n)),
        };
        let of = match work.target() {
            Some(Target::LargeSync) => {
                let count = asked.concurrent_syncs.as_ref();
                let count = count.filter(|_| work.is_at_once());
                let count = count.map(|count| format!(", {} at once", about_count(count.value)));
                let size = asked.concurrent_sync_size.value;
                let place = work.in_brackets();
                return format!("large sync of {size}{}{place}", count.unwrap_or_default());
            }
            Some(Target::Sync) => {
                let count = asked.files_per_sync.value;
                let bytes = self.size(count * self.site.data.file_size.value.get());
                format!("{}, {bytes}", files(count))
            }
            Some(Target::Submit) => files(asked.files_per_submit.value),
            Some(Target::Edit) => files(asked.files_per_edit.value),
            _ => String::new(),
        };
        format!("{}{of}{}", work.what(), work.in_brackets())
    }
}
