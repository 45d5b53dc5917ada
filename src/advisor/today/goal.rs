//! What a system misses of what the site wants: of its work, of failures, of the night, of room.

use super::action::Made;
use super::state::Judge;
use crate::advisor::headroom::largest_part;
use crate::advisor::misses::{Miss, Wanted, beside_the_work};
use crate::advisor::recovery::{self, Recovery};
use crate::advisor::safety::memory_short;
use crate::advisor::stated_times::StatedTimes;
use crate::advisor::targets::{Missed, missed_by_work};
use crate::site::Answer;
use crate::system::{ClassPrediction, Job, PredictError, Prediction};
use crate::units::Fraction;

/// What nothing brings is nearer by so many times once something does (assumed).
const NEARER_MOST: f64 = 10.0;

/// Something that the site wants and a system does not give.
#[derive(Debug, Clone, PartialEq)]
pub struct Goal {
    /// What: "submit (Lyon)", "night window", "work during checkpoints".
    pub name: String,
    /// What is missed of it, in words.
    pub words: String,
    /// What the time goes to, or what else it comes from, in words; empty where nothing is known.
    pub cause: String,
    /// Whether it is the work at the peak, and not failures, the night or room.
    pub is_of_work: bool,
    /// Whether a target is missed: of the work, or a stated one of failures or the night.
    pub is_of_target: bool,
    /// How many times what is wanted it is: infinite where nothing brings it.
    strain: f64,
}

impl Goal {
    /// How many times nearer other goals that are missed leave it: infinite where it is none of them, and not more than
    /// [`NEARER_MOST`] where it is.
    pub(super) fn nearer(&self, after: &[Self]) -> f64 {
        let mut left = after.iter();
        let left = left.find(|goal| goal.name == self.name);
        left.map_or(f64::INFINITY, |left| {
            if left.strain.is_infinite() { 1.0 } else { (self.strain / left.strain).min(NEARER_MOST) }
        })
    }

    fn of_target(missed: Missed<'_>) -> Self {
        Self {
            name: missed.class.name.clone(),
            words: missed.words,
            cause: goes_to(missed.class),
            is_of_work: true,
            is_of_target: true,
            strain: missed.want.time / missed.want.limit,
        }
    }

    fn of_overload(error: &PredictError, carried: f64) -> Self {
        Self {
            name: "the peak load".to_owned(),
            words: error.to_string(),
            cause: String::new(),
            is_of_work: true,
            is_of_target: true,
            strain: 1.0 / carried,
        }
    }

    fn of_miss(miss: &Miss, recovery: &Recovery) -> Self {
        let cause = match miss {
            Miss::Rto { lost, .. } | Miss::Rpo { lost, .. } => {
                let mut all = recovery.disasters.iter();
                let found = all.find(|one| one.lost == *lost);
                found.map_or(String::new(), |one| one.how.clone())
            }
            Miss::Night { .. } => by_limit(recovery, Job::CheckpointOffline),
            _ => String::new(),
        };
        Self {
            name: miss.name().to_owned(),
            words: miss.to_string(),
            cause,
            is_of_work: false,
            is_of_target: miss.is_of_target(),
            strain: miss.strain(),
        }
    }
}

/// "62 % of its time goes to the drives".
fn goes_to(class: &ClassPrediction) -> String {
    largest_part(class).map_or(String::new(), |(kind, share)| {
        let share = Fraction::new(share).estimated();
        format!("{share} of its time goes to {}", kind.in_words())
    })
}

/// "it is limited by one core of commit server".
fn by_limit(recovery: &Recovery, job: Job) -> String {
    let mut all = recovery.durations.iter();
    let found = all.find(|timed| timed.duration.job == job);
    found.map_or(String::new(), |timed| format!("it is limited by {}", timed.duration.limit))
}

impl Judge<'_> {
    /// What a system misses of its work at today's peak, of which it carries so much.
    pub(super) fn of_work(&self, made: &Made, peak: &Result<Prediction, PredictError>, carried: f64) -> Vec<Goal> {
        let prediction = match peak {
            Ok(prediction) => prediction,
            Err(error) => return vec![Goal::of_overload(error, carried)],
        };
        let short = memory_short(self.calibration, &made.deployment, &made.load);
        let short =
            short.map(|short| Goal { is_of_work: true, ..Goal::of_miss(&Miss::Memory(short), &Recovery::default()) });
        let targets = missed_by_work(self.site, prediction).into_iter();
        let targets = targets.map(Goal::of_target);
        short.into_iter().chain(targets).collect()
    }

    /// What it misses beside: of failures what is stated alone, since no machine is bought for what is assumed.
    pub(super) fn beside(&self, made: &Made, shown: &Prediction) -> Vec<Goal> {
        let mut site = std::borrow::Cow::Borrowed(self.site);
        let mut observed = self.observed.clone();
        if made.upkeep.is_rebuilt {
            observed = observed.map(StatedTimes::of_another_database);
            let order = Fraction::new(0.0);
            site.to_mut().data.db_out_of_order = Answer::stated(order, "after the change");
        }
        let known = (&*site, self.catalog, self.calibration);
        let on_it = (&made.deployment, &made.load);
        let found = recovery::whole(known, on_it, shown, observed);
        let stores = self.system.stores_of(self.site, self.catalog, &made.deployment);
        let counts = |miss: &Miss| match miss {
            Miss::Night { .. } | Miss::Space { .. } => true,
            _ => !miss.is_assumed(),
        };
        let missed = beside_the_work(self.site, &found, &stores).into_iter();
        let missed = missed.filter(counts);
        let goals = missed.map(|miss| Goal::of_miss(&miss, &found));
        let locked = made.upkeep.is_live.then(|| self.locked(&found)).flatten();
        goals.chain(locked).collect()
    }

    /// The work of a system whose checkpoints lock all tables, where they last longer than the night. To meet it is another thing than
    /// the night window: a checkpoint of an offline copy takes as long, but nobody waits for it.
    fn locked(&self, found: &Recovery) -> Option<Goal> {
        let window = &self.site.protection.night_window;
        let locks = |job| matches!(job, Job::CheckpointLive | Job::CheckpointParallel);
        let durations = found.durations.iter().map(|timed| &timed.duration);
        let live = durations.filter(|one| locks(one.job));
        let shortest = live.min_by(|a, b| a.time.value.total_cmp(&b.time.value))?;
        let nights = shortest.time.value / window.value.get();
        (nights > 1.0).then(|| {
            let wanted = Wanted::of(window);
            let takes = found.told(shortest);
            let night = Miss::Night { wanted, takes, is_live: true };
            Goal {
                name: "work during checkpoints".to_owned(),
                words: format!(
                    "work during checkpoints: they lock all tables for {takes}, longer than the night of {wanted}"
                ),
                ..Goal::of_miss(&night, found)
            }
        })
    }
}
