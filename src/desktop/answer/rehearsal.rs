//! A rehearsal: what it will do, what was counted while it runs, and its result. The same as `plimsoll rehearse`.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::super::engine::Engine;
use super::super::rehearsal::Form;
use crate::advisor::Prepared;
use crate::bench::now;
use crate::bench::{self, BenchError};
use crate::diag::{Diagnostics, harmless_line, quoted};
use crate::page::{Page, Table};
use crate::rehearse::{self, Count, Layout, Live, Plan, Progress, Rehearsed, no_server_here};
use crate::site::{self, Site};
use crate::units::Bytes;

/// What is rehearsed: a site and how.
#[derive(Debug, Clone, PartialEq)]
pub struct RehearsalAsked {
    /// The questionnaire.
    pub site: Arc<Site>,
    /// Folders, load and times.
    pub form: Form,
}

/// What a rehearsal will do: the answer of `--dry-run`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RehearsalPlan {
    /// Clients, bytes and time, in a sentence; nothing where the load cannot be rehearsed.
    pub sentence: String,
    /// Kinds of work and how often each comes.
    pub kinds: Table,
    /// What differs from the site.
    pub notes: Vec<String>,
    /// Each folder and what it lies on.
    pub places: Vec<String>,
    /// Why it is refused, in the words of the command line.
    pub refused: Option<String>,
    /// What killed runs left in the folders.
    pub leftovers: Vec<String>,
    /// What to know before it starts.
    pub warnings: Vec<String>,
    /// What was removed before, and what could not be.
    pub cleaned: Vec<String>,
}

impl RehearsalPlan {
    /// Looks at the folders and plans; writes nothing.
    pub fn new(engine: &Engine, asked: &RehearsalAsked) -> Self {
        let mut shown = Self::default();
        let planned = shown.plan(engine, asked);
        shown.refused = planned.err();
        shown
    }

    fn plan(&mut self, engine: &Engine, asked: &RehearsalAsked) -> Result<(), String> {
        let (_, plan) = planned(engine, asked)?;
        self.sentence = rehearse::plan_sentence(&plan);
        self.kinds = rehearse::plan_kinds(&plan);
        self.notes.clone_from(&plan.notes);
        let Some(folders) = asked.form.at() else {
            return Ok(());
        };
        let keep = asked.form.wanted()?.keep_free().map_err(said_of)?;
        let layout = Layout::of(&folders, keep).map_err(said_of)?;
        for place in &layout.places {
            self.warnings.extend(place.warnings.clone());
            let left = place.leftovers.iter().map(|leftover| {
                let path = harmless_line(&leftover.path.to_string_lossy());
                format!("{path} ({})", Bytes::new(leftover.bytes as f64))
            });
            self.leftovers.extend(left);
            let free = place.space.map_or_else(String::new, |space| {
                format!(", {} free", Bytes::new(space.free as f64).estimated())
            });
            let on = bench::Environment::of(&place.path).ok();
            let on = on.and_then(|on| on.filesystem().map(|kind| format!(" on {kind}")));
            let path = harmless_line(&place.path.to_string_lossy());
            self.places
                .push(format!("{path}{}{free}", on.unwrap_or_default()));
        }
        layout.has_room_for(&plan).map_err(said_of)?;
        if asked.form.is_beside_server {
            return Ok(());
        }
        no_server_here().map_err(said_of)
    }

    /// Removes what killed runs left in the folders, as `--clean` does, and plans.
    pub fn cleaned(engine: &Engine, asked: &RehearsalAsked) -> Self {
        let mut said = Vec::new();
        let mut folders: Vec<PathBuf> = asked.form.at().into_iter().flatten().collect();
        folders.sort_unstable();
        folders.dedup();
        for folder in folders {
            let name = quoted(&folder.to_string_lossy());
            let cleaned = match bench::clean(&folder) {
                Ok(cleaned) => cleaned,
                Err(error) => {
                    said.push(format!("{name} cannot be cleaned: {error}"));
                    continue;
                }
            };
            said.extend(cleaned.removed.iter().map(|leftover| {
                let path = harmless_line(&leftover.path.to_string_lossy());
                format!("removed {path} ({})", Bytes::new(leftover.bytes as f64))
            }));
            said.extend(cleaned.failed.iter().map(|(leftover, error)| {
                let path = harmless_line(&leftover.path.to_string_lossy());
                let error = harmless_line(&error.to_string());
                format!("{path} was not removed, or not whole: {error}")
            }));
        }
        Self {
            cleaned: said,
            ..Self::new(engine, asked)
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn said_of(error: BenchError) -> String {
    error.to_string()
}

fn first_of(wrong: &Diagnostics) -> String {
    let first = wrong.sorted().into_iter().next();
    first.map_or_else(
        || "the site file is not usable".to_owned(),
        |first| first.message.clone(),
    )
}

/// The site as it is rehearsed, and the plan.
fn planned(engine: &Engine, asked: &RehearsalAsked) -> Result<(Arc<Site>, Plan), String> {
    let settings = asked.form.wanted()?.settings().map_err(said_of)?;
    let (file, text) = (&asked.site.file, &asked.site.text);
    let site = site::parse(file, text, &asked.form.set(), &engine.vocabulary)
        .map_err(|wrong| first_of(&wrong))?;
    let Prepared { site, catalog } = engine.prepared(Arc::new(site));
    let plan = Plan::of(&site, &catalog, &engine.calibration, &settings)?;
    Ok((site, plan))
}

/// A rehearsal that runs, or one that is done.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rehearsing {
    /// What goes on.
    pub doing: String,
    /// The share of it that is done.
    pub done: f64,
    /// What was counted of the load; none before it begins, and of a saved result.
    pub course: Option<Course>,
    /// The result.
    pub result: Option<RehearsalResult>,
}

/// A result, and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct RehearsalResult {
    /// All figures.
    pub found: Arc<Rehearsed>,
    /// The same as the command line prints.
    pub page: Page,
    /// The file that it was opened from.
    pub file: Option<PathBuf>,
}

/// The course of a load: what was counted, time by time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Course {
    /// Warm-up, and all time with it \[s\].
    pub warm_up_s: f64,
    /// The same.
    pub all_s: f64,
    /// How long it has been driven \[s\].
    pub past_s: f64,
    /// Commands a second that are planned if responses took no time, large syncs left out.
    pub planned_per_s: f64,
    /// Commands a second, at the end of each piece of time \[s\].
    pub rates: Vec<(f64, f64)>,
    /// Commands that were done.
    pub commands: u64,
    /// The kinds of work, as planned.
    pub kinds: Vec<KindCourse>,
}

/// The course of a kind of work.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KindCourse {
    /// Which.
    pub name: String,
    /// Commands that were done.
    pub commands: u64,
    /// The mean response of the commands that ended in a piece of time \[s\]; none where none ended.
    pub means: Vec<(f64, f64)>,
    /// The mean that the model predicts \[s\].
    pub predicted: Option<f64>,
}

impl Rehearsing {
    /// A result that was saved.
    pub fn saved(file: PathBuf, found: Arc<Rehearsed>) -> Self {
        Self {
            done: 1.0,
            result: Some(RehearsalResult {
                page: rehearse::page(&found),
                found,
                file: Some(file),
            }),
            ..Self::default()
        }
    }

    /// Rehearses until `stop` is raised; `emit` gets how far it is. Whatever happens, nothing of it stays in the folders.
    ///
    /// # Errors
    ///
    /// A sentence: why it is refused, what failed, or that it was stopped.
    pub fn run(
        engine: &Engine,
        asked: &RehearsalAsked,
        stop: &AtomicBool,
        emit: &mut dyn FnMut(Self),
    ) -> Result<Self, String> {
        let folders = asked.form.at().ok_or(NO_FOLDER)?;
        let (site, mut plan) = planned(engine, asked)?;
        if !asked.form.is_beside_server {
            no_server_here().map_err(said_of)?;
        }
        let keep = asked.form.wanted()?.keep_free().map_err(said_of)?;
        let layout = Layout::of(&folders, keep).map_err(said_of)?;
        let catalog = site.equipped(&engine.catalog);
        let mut watch = Watch::of(&plan);
        let mut progress = |now: &Progress<'_>| {
            if watch.look(now) {
                emit(watch.shown.clone());
            }
        };
        let inputs = (&*catalog, &engine.calibration);
        let found = rehearse::rehearse(&site, &mut plan, inputs, &layout, stop, &mut progress);
        let found = Arc::new(found.map_err(said_of)?);
        Ok(Self {
            done: 1.0,
            result: Some(RehearsalResult {
                page: rehearse::page(&found),
                found,
                file: None,
            }),
            ..watch.shown
        })
    }
}

/// What is said while no folder is chosen.
pub const NO_FOLDER: &str = "Choose an empty folder on the volume to try.";

/// Makes what is shown of what a rehearsal says of itself, now and then.
struct Watch {
    shown: Rehearsing,
    /// When something was shown last.
    at: Option<Instant>,
    /// The counts at the end of the last piece of time, and that \[s\].
    before: Option<(f64, Vec<Count>)>,
    /// How long a piece of time is \[s\].
    piece: f64,
    course: Course,
}

impl Watch {
    /// Nothing but the load is shown more often.
    const EVERY: Duration = Duration::from_millis(200);

    fn of(plan: &Plan) -> Self {
        let settings = &plan.settings;
        let all_s = (settings.warm_up + settings.measure).as_secs_f64();
        let kinds = plan.kinds.iter().map(|kind| KindCourse {
            name: harmless_line(&kind.work.to_string()),
            ..KindCourse::default()
        });
        Self {
            shown: Rehearsing::default(),
            at: None,
            before: None,
            // Not more often: what is shown takes a part of the processors that are measured.
            piece: (all_s / 60.0).clamp(1.0, 2.0),
            course: Course {
                warm_up_s: settings.warm_up.as_secs_f64(),
                all_s,
                planned_per_s: plan.kinds.iter().filter_map(|kind| kind.per_s).sum(),
                kinds: kinds.collect(),
                ..Course::default()
            },
        }
    }

    /// Whether there is something new to show.
    fn look(&mut self, now_is: &Progress<'_>) -> bool {
        let is_same = self.shown.doing == now_is.doing;
        let is_news = match now_is.live {
            Some(live) => self.count(live) || !is_same,
            None => !is_same || self.at.is_none_or(|at| at.elapsed() > Self::EVERY),
        };
        if !is_news {
            return false;
        }
        self.at = Some(now());
        if !is_same {
            now_is.doing.clone_into(&mut self.shown.doing);
        }
        self.shown.done = now_is.done;
        if now_is.live.is_some() {
            self.shown.course = Some(self.course.clone());
        }
        true
    }

    /// Adds a piece of time where one is over; whether one is.
    fn count(&mut self, live: Live<'_>) -> bool {
        let past = live.past.as_secs_f64();
        let Some((from, before)) = &self.before else {
            // What came before the load, where its units were measured, does not count.
            for (kind, predicted) in self.course.kinds.iter_mut().zip(live.predicted) {
                kind.predicted = *predicted;
            }
            self.before = Some((past, live.counts()));
            return true;
        };
        let length = past - from;
        if length < self.piece {
            return false;
        }
        let counts = live.counts();
        let mut all = 0;
        let pairs = before.iter().zip(&counts);
        for (kind, (before, after)) in self.course.kinds.iter_mut().zip(pairs) {
            let commands = after.commands - before.commands;
            all += commands;
            kind.commands += commands;
            if commands > 0 {
                let response = (after.response_s - before.response_s).max(0.0);
                kind.means.push((past, response / commands as f64));
            }
        }
        self.course.commands += all;
        self.course.rates.push((past, all as f64 / length));
        self.course.past_s = past;
        self.before = Some((past, counts));
        true
    }
}
