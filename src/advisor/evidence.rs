//! What the answers about today's system say of the model: a system that runs is evidence.
//!
//! **It runs.** Where the site says what is there, today's system is steady at its peak. Where the model finds that it is not,
//! the unanswered questions are moved by the least that makes it so: each has a log-normal prior whose 80 % interval is the
//! assumption's range (1.28 standard deviations each way, asymmetric), and the values taken are the mode of the posterior as far
//! as a linear path finds it. With x the moves in standard deviations and g the gains of ln(load carried) by one of them, the
//! least |x| with g · x = need is x = need · g / |g|² (Lawson and Hanson 1974, minimum-norm solution); it is walked until the
//! system is steady, each move ends at its range, gains are found anew where the load carried no longer grows, and moves that are
//! not needed are taken back. Where all ends of the ranges are not enough, model and answers disagree.
//!
//! **A stated time of a checkpoint.** Its ratio to the model's own estimate of today's system carries over to every job of rows
//! elsewhere, as far as the mechanism is the same: what one core works through is the same work on each server; what a store
//! limits is so on a database volume of the same device and medium alone.

use super::advise::is_stated;
use super::growth;
use super::today::{self, System};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::{
    Assumption, Backup, Kind, Moved, Observed, Site, Vocabulary, field, split_amount,
};
use crate::system::{
    Deployment, Interval, Job, Lens, Mount, Pace, PredictError, durations, predict_through,
};
use crate::units::{Seconds, two_digits};
use crate::workload::Load;

/// The field of the stated time.
pub(super) const CHECKPOINT_TIME: &str = "today.checkpoint_time";
/// A stated time so many times the estimate, or this part of it, has another reason than the model's error (assumed).
pub(super) const FAR: f64 = 3.0;

/// What a stated time of a checkpoint says.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckpointTime {
    /// How long it took, as stated \[s\].
    pub stated: f64,
    /// The model's own estimate of it on today's system \[s\].
    pub modelled: Interval,
    /// What the model finds to limit it.
    pub limit: String,
    /// Whether one core limits it.
    by_processor: bool,
    /// Device and medium of today's database.
    store: Option<(String, String)>,
}

impl CheckpointTime {
    /// How many times the model's estimate is stated.
    pub fn ratio(&self) -> f64 {
        self.stated / self.modelled.value
    }

    /// Whether the two are far apart.
    pub fn is_far(&self) -> bool {
        let ratio = self.ratio();
        ratio > FAR || ratio < 1.0 / FAR
    }

    /// "29 times the model's estimate, from today.checkpoint_time (12 h, stated)", for a job that takes `paced` times the
    /// estimate.
    pub fn origin(&self, paced: f64) -> String {
        format!(
            "{} times the model's estimate, from {CHECKPOINT_TIME} ({}, stated)",
            two_digits(paced),
            Seconds::new(self.stated)
        )
    }
}

/// Whether the answers say that today's checkpoints are of the live database.
pub(super) fn is_live(site: &Site) -> bool {
    let backup = &site.protection.backup;
    site.today.sign("live-checkpoint").is_some()
        || (backup.is_stated() && backup.value == Backup::Checkpoint)
}

fn store(mount: &Mount) -> (String, String) {
    (mount.device.clone(), mount.medium.clone())
}

/// What the stated time of today's checkpoint says; none where none is stated or there is no system to compare it with.
pub(super) fn checkpoint_time(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
) -> Option<CheckpointTime> {
    let stated = site.today.checkpoint_time.as_ref()?.value.get();
    let there = today::system(site, catalog, calibration).ok()?;
    let d = &there.deployment;
    let found = durations(site, d, &there.load, catalog, calibration, Pace::MODEL);
    let job = if is_live(site) {
        Job::CheckpointLive
    } else {
        Job::CheckpointOffline
    };
    let modelled = found.all.into_iter().find(|one| one.job == job)?;
    (stated > 0.0 && modelled.time.value > 0.0).then(|| CheckpointTime {
        stated,
        by_processor: modelled.is_by_processor(),
        store: d.mount("db").map(store),
        modelled: modelled.time,
        limit: modelled.limit,
    })
}

/// The pace of jobs of rows in a deployment.
pub(super) fn pace(observed: Option<&CheckpointTime>, deployment: &Deployment) -> Pace {
    let Some(observed) = observed else {
        return Pace::MODEL;
    };
    let ratio = observed.ratio();
    let is_same_store = deployment.mount("db").map(store) == observed.store;
    // What takes less time than the estimate does so in all that works at once.
    let of = |limits: bool| if limits || ratio < 1.0 { ratio } else { 1.0 };
    Pace {
        processor: of(observed.by_processor),
        stations: if is_same_store {
            of(!observed.by_processor)
        } else {
            1.0
        },
    }
}

/// Standard deviations from the middle to the end of an 80 % interval.
const END: f64 = 1.28;
/// A question whose end lets so little more load through is not moved, as a logarithm: limits are known to 2 %.
const GAIN_LEAST: f64 = 0.02;
/// Of the largest gain: what gains less is not moved while that is enough (assumed).
const GAIN_MINOR: f64 = 0.25;
/// Directions that are tried one after the other (assumed).
const ROUNDS: usize = 5;
/// Steps of each bisection: a thousandth of the path.
const HALVINGS: usize = 10;
/// A stated answer is looked at up to so many times what is stated, or this part of it (assumed).
const FACTOR_MOST: f64 = 100.0;

/// An unanswered question that can be moved.
struct Question {
    assumption: Assumption,
    unit: String,
    is_count: bool,
    /// What is assumed, and the ends of the range.
    value: f64,
    ends: [f64; 2],
}

/// A move: to which end, and how far in standard deviations.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Move {
    end: usize,
    by: f64,
}

impl Question {
    fn of(assumption: Assumption) -> Option<Self> {
        /// What describes the load and the machine as amounts.
        const SECTIONS: [&str; 4] = ["people.", "data.", "workload.", "server."];
        let path = &assumption.field;
        let kind = field(path)?.kind;
        if path.starts_with("people.site") || !SECTIONS.iter().any(|s| path.starts_with(s)) {
            return None;
        }
        let (value, unit) = split_amount(&assumption.value_override)?;
        let (low, of_low) = split_amount(&assumption.low_override)?;
        let (high, of_high) = split_amount(&assumption.high_override)?;
        let unit = unit.to_owned();
        let can = unit == of_low && unit == of_high && low > 0.0 && low <= value && value <= high;
        (can && low < high && path != "server.local_disks").then(|| Self {
            unit,
            is_count: kind == Kind::Count,
            value,
            ends: [low, high],
            assumption,
        })
    }

    /// The value after a move, in two digits away from what is assumed, within the range.
    fn at(&self, to: Move) -> f64 {
        let end = self.ends[to.end];
        let exact = self.value * (end / self.value).powf((to.by / END).min(1.0));
        let step = 10.0_f64.powf(exact.log10().floor() - 1.0);
        let step = if self.is_count { step.max(1.0) } else { step };
        let (low, high) = (self.ends[0], self.ends[1]);
        let rounded = if to.end == 0 {
            (exact / step + 1e-9).floor() * step
        } else {
            (exact / step - 1e-9).ceil() * step
        };
        rounded.clamp(low, high)
    }

    fn moved(&self, to: Move, how: &str) -> Moved {
        let value = self.at(to);
        let text = format!("{}{}", plain(value), self.unit);
        let mut assumption = self.assumption.clone();
        // Beyond it the system does not run.
        let (shown, exact) = if to.end == 0 {
            (&mut assumption.high, &mut assumption.high_override)
        } else {
            (&mut assumption.low, &mut assumption.low_override)
        };
        shown.clone_from(&text);
        exact.clone_from(&text);
        Moved {
            assumption,
            value: text,
            how: how.to_owned(),
        }
    }
}

/// Without exponent and the noise of binary fractions.
fn plain(x: f64) -> String {
    let text = format!("{x:.9}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Today's system under what the answers may be.
struct There<'a> {
    site: &'a Site,
    vocabulary: &'a Vocabulary,
    catalog: &'a Catalog,
    calibration: &'a Calibration,
    system: System,
    questions: Vec<Question>,
}

/// What today's system does under a site's load.
struct Trial {
    deployment: Deployment,
    load: Load,
}

impl There<'_> {
    /// The system as it is with the load and the machine of other answers.
    fn trial(&self, site: &Site) -> Trial {
        let mut deployment = self.system.deployment.clone();
        let (was, is) = (self.site, site);
        if is.server.ram != was.server.ram {
            deployment.memory = is.server.ram.value.get();
            deployment.edge_memory = is.edge.ram.value.get();
        }
        if is.server.cores != was.server.cores {
            deployment.cores = is.server.cores.value;
        }
        Trial {
            deployment,
            load: today::load(site),
        }
    }

    fn moved(&self, moves: &[Option<Move>], how: &str) -> Vec<Moved> {
        let moves = self.questions.iter().zip(moves);
        let moves = moves.filter_map(|(question, to)| Some(question.moved((*to)?, how)));
        moves.collect()
    }

    fn with(&self, moves: &[Option<Move>]) -> Option<Trial> {
        let observed = Observed {
            moved: self.moved(moves, ""),
            ..Observed::default()
        };
        let site = self.site.with_observed(observed, self.vocabulary)?;
        Some(self.trial(&site))
    }

    fn saturates(&self, trial: &Trial) -> Option<PredictError> {
        let lens = Lens::forgetful();
        let Trial { deployment, load } = trial;
        predict_through(lens, deployment, load, self.catalog, self.calibration).err()
    }

    fn runs(&self, moves: &[Option<Move>]) -> bool {
        let trial = self.with(moves);
        trial.is_some_and(|trial| self.saturates(&trial).is_none())
    }

    /// Logarithm of the multiple of the peak at which nothing saturates, looked for from `from` on.
    fn carries(&self, trial: &Trial, from: f64) -> f64 {
        let Trial { deployment, load } = trial;
        let (catalog, calibration) = (self.catalog, self.calibration);
        growth::carried(catalog, calibration, deployment, load, &[], from.exp())
            .0
            .ln()
    }

    /// The better end of each question that is not at its end, and what one standard deviation toward it gains.
    fn gains(&self, moves: &[Option<Move>], now: f64) -> Vec<(usize, usize, f64)> {
        let mut gains = Vec::new();
        for (i, was) in moves.iter().enumerate() {
            let left = END - was.map_or(0.0, |to| to.by);
            if left < END / 100.0 {
                continue;
            }
            let gain = |end: usize| {
                let mut moves = moves.to_vec();
                moves[i] = Some(Move { end, by: END });
                let trial = self.with(&moves)?;
                Some((end, self.carries(&trial, now) - now))
            };
            let ends = match was {
                Some(to) => vec![gain(to.end)],
                None => vec![gain(0), gain(1)],
            };
            let best = ends.into_iter().flatten();
            let best = best.max_by(|a, b| a.1.total_cmp(&b.1));
            if let Some((end, gain)) = best.filter(|(_, gain)| *gain > GAIN_LEAST) {
                gains.push((i, end, gain / left));
            }
        }
        gains
    }

    /// The least moves that let it run; the moves at which nothing more is gained where none do.
    fn least(&self) -> (Vec<Option<Move>>, bool) {
        let mut moves = vec![None; self.questions.len()];
        let mut runs = false;
        for _ in 0..ROUNDS {
            let Some(trial) = self.with(&moves) else {
                break;
            };
            let now = self.carries(&trial, 0.0);
            let gains = self.gains(&moves, now);
            let most = gains.iter().map(|(.., gain)| *gain).fold(0.0, f64::max);
            if most <= 0.0 {
                break;
            }
            let along = |gains: &[(usize, usize, f64)], t: f64| {
                let mut to = moves.clone();
                for (i, end, gain) in gains {
                    let by = to[*i].map_or(0.0, |to: Move| to.by) + t * gain;
                    to[*i] = Some(Move {
                        end: *end,
                        by: by.min(END),
                    });
                }
                to
            };
            let major = gains.iter().copied();
            let major: Vec<_> = major
                .filter(|(.., gain)| *gain >= GAIN_MINOR * most)
                .collect();
            let far = |gains: &[(usize, usize, f64)]| {
                let least = gains.iter().map(|(.., gain)| *gain);
                END / least.fold(f64::INFINITY, f64::min)
            };
            let tried = [&major, &gains].into_iter();
            let enough = tried
                .clone()
                .find(|gains| self.runs(&along(gains, far(gains))));
            runs = enough.is_some();
            let gains = enough.unwrap_or(&major);
            let goal: Box<dyn Fn(&[Option<Move>]) -> bool> = if runs {
                Box::new(|moves| self.runs(moves))
            } else {
                // As far as it gains: then another direction.
                let end = self.with(&along(gains, far(gains)));
                let end = end.map_or(now, |trial| self.carries(&trial, now));
                Box::new(move |moves| {
                    let trial = self.with(moves);
                    trial.is_some_and(|trial| self.carries(&trial, now) >= end - GAIN_LEAST)
                })
            };
            let (mut short, mut enough) = (0.0, far(gains));
            for _ in 0..HALVINGS {
                let middle = f64::midpoint(short, enough);
                if goal(&along(gains, middle)) {
                    enough = middle;
                } else {
                    short = middle;
                }
            }
            let next = along(gains, enough);
            drop(goal);
            let stays = next == moves;
            moves = next;
            if runs || stays {
                break;
            }
        }
        if runs {
            self.take_back(&mut moves);
        }
        (moves, runs)
    }

    /// Takes back the moves without which it runs too, the smallest first.
    fn take_back(&self, moves: &mut [Option<Move>]) {
        let mut order: Vec<usize> = (0..moves.len()).filter(|i| moves[*i].is_some()).collect();
        let by = |i: &usize| moves[*i].map_or(0.0, |to| to.by);
        order.sort_by(|a, b| by(a).total_cmp(&by(b)));
        for i in order {
            let was = moves[i].take();
            if !self.runs(moves) {
                moves[i] = was;
            }
        }
    }

    /// "of 12,000 and not 70,000": each moved answer beside its question.
    fn sentences(&self, site: &Site, moves: &[Option<Move>]) -> Vec<String> {
        let assumptions = site.assumptions();
        let moved = self.questions.iter().zip(moves);
        let moved = moved.filter(|(_, to)| to.is_some()).map(|(question, _)| {
            let path = &question.assumption.field;
            let now = assumptions.iter().find(|a| a.field == *path);
            let now = now.map_or("", |a| a.value.as_str());
            format!(
                "{} About {now}, and not {} as is usual.",
                self.site.question(path),
                question.assumption.value
            )
        });
        let said = "Today's system runs, so these answers follow; the estimate uses them:";
        std::iter::once(said.to_owned()).chain(moved).collect()
    }

    /// The stated answers whose change by a factor lets it run, the least change first, with all questions at `moves`.
    fn causes(&self, moves: &[Option<Move>]) -> Vec<(String, f64)> {
        /// Stated answers that are named.
        const NAMED: usize = 2;
        let moved = self.moved(moves, "");
        let runs = |path: &str, value: String| {
            let mut overrides = self.site.overrides.clone();
            overrides.push(format!("{path}={value}"));
            let observed = Observed {
                moved: moved.clone(),
                ..Observed::default()
            };
            let site = self.site.with_observed(observed, self.vocabulary)?;
            let site = site.again(&site.text, &overrides, self.vocabulary).ok()?;
            self.saturates(&self.trial(&site)).is_none().then_some(())
        };
        let is_load = |path: &str| {
            let sections = ["people.", "data.", "workload.", "server."];
            sections.iter().any(|s| path.starts_with(s)) && !path.starts_with("people.site")
        };
        let mut causes = Vec::new();
        let stated = self.site.stated_amounts().into_iter();
        for (path, value, unit) in stated.filter(|(path, ..)| is_load(path)) {
            let is_count = field(&path).is_some_and(|f| f.kind == Kind::Count);
            let at = |factor: f64| {
                let value = value * factor;
                let value = if is_count { value.round() } else { value };
                runs(&path, format!("{}{unit}", plain(value))).is_some()
            };
            for sign in [-1.0, 1.0] {
                let most = FACTOR_MOST.ln();
                if !at((sign * most).exp()) {
                    continue;
                }
                let (mut short, mut enough) = (0.0, most);
                for _ in 0..HALVINGS {
                    let middle = f64::midpoint(short, enough);
                    if at((sign * middle).exp()) {
                        enough = middle;
                    } else {
                        short = middle;
                    }
                }
                causes.push((path.clone(), (sign * enough).exp()));
            }
        }
        causes.sort_by(|a, b| a.1.ln().abs().total_cmp(&b.1.ln().abs()));
        causes.truncate(NAMED);
        causes
    }

    /// That model and answers disagree: what saturates all the same, which answers are the likeliest cause, what settles it.
    fn disagreement(&self, moves: &[Option<Move>]) -> Vec<String> {
        let trial = self.with(moves);
        let why = trial.and_then(|trial| self.saturates(&trial));
        let why = why.map_or(String::new(), |error| format!(": {error}"));
        let mut said = vec![format!(
            "The model and your answers disagree: no answer within the usual ranges lets today's system run{why}."
        )];
        for (path, factor) in self.causes(moves) {
            let by = if factor < 1.0 {
                format!("{} times less", two_digits(1.0 / factor))
            } else {
                format!("{} times more", two_digits(factor))
            };
            said.push(format!(
                "It would run with {by} than you state for \"{}\" ({path}).",
                self.site.question(&path)
            ));
        }
        said.push(
            "What settles it: the server log of one busy hour (p4 configure set server=3, then plimsoll init --log); it has commands, \
             syncs and their sizes."
                .to_owned(),
        );
        said
    }
}

/// The site with what its system shows of unanswered questions: the same site where nobody says what is there, or where today's
/// system runs as assumed.
pub fn observed(
    site: Site,
    vocabulary: &Vocabulary,
    catalog: &Catalog,
    calibration: &Calibration,
) -> Site {
    if !is_stated(&site) {
        return site;
    }
    let Ok(system) = today::system(&site, catalog, calibration) else {
        return site;
    };
    let questions = site.assumptions().into_iter().filter_map(Question::of);
    let there = There {
        questions: questions.collect(),
        site: &site,
        vocabulary,
        catalog,
        calibration,
        system,
    };
    let as_it_is = there.trial(&site);
    if there.saturates(&as_it_is).is_none() {
        return site;
    }
    let (moves, runs) = there.least();
    let observed = if runs {
        let how = "today's system runs with its load: the least change of what is assumed with which it does";
        let moved = there.moved(&moves, how);
        let observed = Observed {
            moved,
            ..Observed::default()
        };
        let Some(found) = site.with_observed(observed.clone(), vocabulary) else {
            return site;
        };
        Observed {
            sentences: there.sentences(&found, &moves),
            ..observed
        }
    } else {
        Observed {
            sentences: there.disagreement(&moves),
            disagrees: true,
            ..Observed::default()
        }
    };
    drop(there);
    site.with_observed(observed, vocabulary).unwrap_or(site)
}
