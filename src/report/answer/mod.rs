//! The short answer as data: verdict, layout, times against targets, limits, what to do, what to ask, how sure.
//!
//! Each sentence is written here once; the one-screen text, the JSON, the first page of the report and the window
//! show these.

mod as_it_is;
mod findings;
mod instances;
mod limits;
mod places;
mod questions;
mod sureness;
mod tables;
mod verdict;
mod work;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bill;
use super::prose::{Sentences, about_count, grouped};
use crate::advisor::{Advice, people};
use crate::catalog::Catalog;
use crate::page;
use crate::site::Site;
use crate::units::Bytes;

pub use as_it_is::AsItIsRow;
pub use findings::FindingRow;
pub use limits::LimitRow;
pub(super) use places::place_in_words;
pub use places::{LayoutRows, PlaceRow};
pub use questions::{Asked, asked, range};
pub(super) use verdict::{HARDLY_MORE, HELPS_NAMED, every, latency};
pub use verdict::{Sentence, Stands, Topic, carried};
pub use work::{BusyRow, WorkRow};
pub use work::{nearest, nearest_first};

/// The short answer to "does it carry the work, for how long, and what first?".
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// The site's name.
    #[serde(skip_deserializing)]
    pub title: String,
    /// Whether the work is carried.
    pub stands: Stands,
    /// The verdict in sentences; the first is the headline.
    #[serde(skip_deserializing)]
    pub verdict: Vec<Sentence>,
    /// All that the recommended layout misses of what is wanted, stated or assumed; each stands in the verdict.
    #[serde(skip_deserializing)]
    pub missed: Vec<MissRow>,
    /// Where everything lies; nothing where nothing is recommended.
    #[serde(skip_deserializing)]
    pub layout: Option<LayoutRows>,
    /// The system that is there, judged as the others are; nothing where it was not stated.
    #[serde(skip_deserializing)]
    pub as_it_is: Option<AsItIsRow>,
    /// Times against targets, of the kinds of work that a person waits for.
    #[serde(skip_deserializing)]
    pub work: Vec<WorkRow>,
    /// The busiest resources and locks, busiest first: at today's peak, or at the load that an overloaded deployment
    /// does carry.
    #[serde(skip_deserializing)]
    pub busiest: Vec<BusyRow>,
    /// Rare long stalls: who holds what for how long and how often, and who waits for that.
    #[serde(skip_deserializing)]
    pub stalls: Vec<String>,
    /// What ends the use of the deployment as it is, soonest first.
    #[serde(skip_deserializing)]
    pub limits: Vec<LimitRow>,
    /// What happens while a disk, a controller or an edge is lost, in one sentence; nothing where nothing is recommended.
    #[serde(skip_deserializing)]
    pub n_minus_one: String,
    /// Which things have figures of another provider, since no source gives their own, and by how much these may err; empty where none
    /// has.
    pub figures: String,
    /// Which instance of a cloud carries it; nothing where no instance is needed.
    #[serde(skip_deserializing)]
    pub instance: String,
    /// What it costs, or what is to be bought and why cost is no money; nothing where nothing is recommended.
    #[serde(skip_deserializing)]
    pub cost: Sentences,
    /// Risks and what to do about them, gravest first.
    #[serde(skip_deserializing)]
    pub findings: Vec<FindingRow>,
    /// Unanswered questions, those first that move the answer most.
    #[serde(skip_deserializing)]
    pub questions: Vec<Asked>,
    /// How sure the choice among the layouts is; nothing where there is no choice.
    #[serde(skip_deserializing)]
    pub sure: Sentences,
    /// Headroom on one scale; nothing where nothing is recommended.
    #[serde(skip_deserializing)]
    pub load_line: Option<LoadLine>,
    /// Why each layout is not recommended, where none is; else why each system that the site describes is not used.
    #[serde(skip_deserializing)]
    pub why_not: Vec<String>,
}

/// Something that is wanted and missed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MissRow {
    /// "memory", "target", "rto", "rpo", "availability", "night-window" or "space".
    pub what: &'static str,
    /// What is wanted and what is found.
    pub text: String,
    /// Whether it is a target: of the work, or stated of failures or the night (exit code 1).
    pub is_target: bool,
}

/// Multiples of today's peak load on one scale.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LoadLine {
    /// Today's people.
    pub people: f64,
    /// Where growth is at the end of the horizon; 1 without growth.
    pub horizon: f64,
    /// "in 3 years", or "2029" where the year of the answers is known.
    pub horizon_label: String,
    /// The largest multiple that is carried.
    pub limit: f64,
    /// "about 1,400 people".
    pub limit_label: String,
}

impl LoadLine {
    /// As it is drawn.
    pub fn drawn(&self) -> page::LoadLine {
        let (horizon, limit) = (&self.horizon_label, &self.limit_label);
        page::LoadLine {
            today: format!("today {}", people(&grouped(self.people))),
            horizon: (self.horizon, format!("{horizon}: {:.1} × today", self.horizon)),
            limit: (self.limit, format!("limit {limit}, {:.1} × today", self.limit)),
        }
    }
}

impl Answer {
    /// Of an advice.
    pub fn of(site: &Site, catalog: &Catalog, advice: &Advice) -> Self {
        let source = AnswerSource::of(site, catalog, advice);
        let work = source.work();
        let questions = source.questions();
        let (stands, verdict) = source.verdict(&work, &questions);
        let layout = source.layout();
        let none = layout.is_none();
        Self {
            title: site.name.clone(),
            stands,
            verdict,
            missed: source.missed(),
            as_it_is: source.as_it_is(),
            busiest: source.busiest(),
            stalls: source.stalls(),
            limits: source.limits(),
            n_minus_one: source.n_minus_one(),
            instance: source.instance(),
            figures: source.figures(),
            cost: bill::cost(&site.prices, advice, |id| source.title(id).to_owned()),
            findings: source.findings(),
            sure: if none { Sentences::default() } else { source.sure() },
            load_line: source.load_line(),
            why_not: if none { source.why_not() } else { source.unused() },
            layout,
            work,
            questions: questions.into_iter().map(|(asked, _)| asked).collect(),
        }
    }

    /// The verdict and the layout as one text, for who wants one sentence.
    pub fn sentence(&self) -> String {
        let verdict = joined(&self.verdict);
        match &self.layout {
            Some(layout) => format!("{verdict} {}", layout.sentence()),
            None => verdict,
        }
    }
}

/// Sentences one after the other.
pub fn joined(sentences: &[Sentence]) -> String {
    let texts: Vec<&str> = sentences.iter().map(|said| said.text.as_str()).collect();
    texts.join(" ")
}

/// What an answer is about.
struct AnswerSource<'a> {
    site: &'a Site,
    catalog: &'a Catalog,
    advice: &'a Advice,
}

impl<'a> AnswerSource<'a> {
    fn of(site: &'a Site, catalog: &'a Catalog, advice: &'a Advice) -> Self {
        Self { site, catalog, advice }
    }

    fn missed(&self) -> Vec<MissRow> {
        let chosen = self.advice.chosen.iter();
        let missed = chosen.flat_map(|chosen| chosen.misses(self.site));
        let row =
            missed.map(|miss| MissRow { what: miss.word(), text: miss.to_string(), is_target: miss.is_of_target() });
        row.collect()
    }

    fn n_minus_one(&self) -> String {
        let chosen = self.advice.chosen.as_ref();
        let recovery = chosen.map(|chosen| &chosen.recovery);
        recovery.map_or(String::new(), |recovery| {
            let source = super::recovery::RecoverySource { site: self.site, recovery };
            source.n_minus_one()
        })
    }

    fn load_line(&self) -> Option<LoadLine> {
        let chosen = self.advice.chosen.as_ref()?;
        let today = self.site.people.developers.value;
        let horizon = self.site.horizon.time.value;
        let limit = chosen.headroom.carried()?;
        Some(LoadLine {
            people: today,
            horizon: self.site.data.db_growth.value.over(horizon),
            horizon_label: match self.site.horizon.year(horizon) {
                Some(year) => year,
                None => format!("in {horizon}"),
            },
            limit,
            limit_label: format!("about {}", people(&about_count(limit * today))),
        })
    }

    fn size(&self, bytes: f64) -> String {
        self.site.size(Bytes::new(bytes))
    }

    /// A layout's title; its id where it has none.
    fn title<'s>(&'s self, id: &'s str) -> &'s str {
        let layout = self.catalog.layouts.get(id);
        layout.map_or(id, |layout| &layout.entry.title)
    }
}
