//! What the answers about today's system say of the model: a system that runs is evidence.
//!
//! **It runs.** Where the site says what is there, today's system is steady at its peak. Where the model finds that it is not,
//! the unanswered questions are moved by the least that makes it so: each has a log-normal prior whose 80 % interval is the
//! assumption's range (1.28 standard deviations each way, asymmetric), and the values taken are the mode of the posterior as far
//! as a linear path finds it. With x the moves in standard deviations and g the gains of ln(load carried) by one of them, the
//! least |x| with g · x = need is x = need · g / |g|² (Lawson and Hanson 1974, minimum-norm solution); it is walked until the
//! system is steady, each move ends at its range, gains are found anew where the load carried no longer grows, and moves that are
//! not needed are taken back. Then the same for stated times, which are to come out within the interval of their estimates. Where all ends of the ranges are not enough, model and answers disagree.

mod question;

use super::demand;
use super::headroom;
use super::of_there::is_stated;
use super::today::{self, System};
use crate::calibration::Calibration;
use crate::catalog::{Catalog, Feature, ReadLocks, Release};
use crate::site::{self, Kind, Moved, Observed, Site, Vocabulary, field};
use crate::system::{Deployment, Lens, PredictError, Prediction, interval, predict, predict_through};
use crate::units::{Seconds, about_count, list, two_digits};
use crate::workload::{Load, Work};
use question::{END, Gain, Move, Question, between, path, plain};

/// A question whose end lets so little more load through is not moved, as a logarithm: limits are known to 2 %.
const GAIN_LEAST: f64 = 0.02;
/// Of the largest gain: what gains less is not moved while that is enough (assumed).
const GAIN_MINOR: f64 = 0.25;
/// A number of files that differs by more is named (assumed).
const NOTICED: f64 = 1.1;
/// A system that people work on saturates at so much more than its peak at the least, as a logarithm: a twentieth (assumed). At the
/// edge of saturation waits have no bound, and nobody would say that it runs.
const RUNS: f64 = 0.049;
/// The same where reads take table locks: a fifth. There the solution may have a load steady which a simulation has not
/// (docs/agreement.md, 85 % of saturation).
const RUNS_WITH_LOCKS: f64 = 0.182;
/// Directions that are tried one after the other (assumed).
const ROUNDS: usize = 3;
/// Steps of each bisection: a thousandth of the path.
const HALVINGS: usize = 10;
/// A stated answer is looked at up to so many times what is stated, or this part of it (assumed).
const FACTOR_MOST: f64 = 100.0;

/// What settles a disagreement.
fn settles(release: Release) -> String {
    let level = if release.has(Feature::Configure) { "p4 configure set server=3" } else { "p4d -v server=3" };
    format!(
        "What settles it: the server log of one busy hour ({level}, then plimsoll init --log). It has \
                       each command with its time, its locks and its files."
    )
}

/// A stated 95th percentile of today's system, and the interval of its estimate as ratios.
#[derive(Debug, Clone)]
struct StatedTime {
    field: &'static str,
    work: Work,
    stated: f64,
    low: f64,
    high: f64,
}

impl StatedTime {
    /// All that are stated and predicted.
    fn all(site: &Site, predicted: &Prediction) -> Vec<Self> {
        let found = site.today.times().filter_map(|(field, target, time)| {
            let stated = time.value.get();
            let mut classes = predicted.classes.iter();
            let class = classes.find(|class| class.work.target() == Some(target))?;
            Some(Self {
                field,
                work: class.work.clone(),
                stated,
                low: class.p95.low / class.p95.value,
                high: class.p95.high / class.p95.value,
            })
        });
        found.collect()
    }

    fn estimate(&self, predicted: &Prediction) -> f64 {
        let class = predicted.class(&self.work);
        class.map_or(self.stated, |class| class.p95.value)
    }

    /// How far the stated time lies outside the interval of its estimate, as a logarithm; 0 inside.
    fn apart(&self, predicted: &Prediction) -> f64 {
        let ratio = (self.stated / self.estimate(predicted)).ln();
        let (low, high) = (self.low.ln(), self.high.ln());
        (ratio - high).max(low - ratio).max(0.0)
    }
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

/// Whether another resource is short with less of a load, or the same by clearly less: what was taken away has to do with it.
fn is_relieved(first: &PredictError, then: &PredictError) -> bool {
    /// Of what was short (assumed).
    const LESS: f64 = 0.9;
    let of = |error: &PredictError| match error {
        PredictError::Saturated { utilization, .. } | PredictError::Unsteady { utilization, .. } => *utilization,
        PredictError::Unsolved(_) => f64::INFINITY,
    };
    first.resource() != then.resource() || of(then) < LESS * of(first)
}

/// An answer that is stated as an amount.
struct StatedAmount {
    path: String,
    value: f64,
    unit: String,
}

impl StatedAmount {
    /// So many times as much, as it is written.
    fn times(&self, factor: f64) -> String {
        let value = self.value * factor;
        let is_count = field(&self.path).is_some_and(|f| f.kind == Kind::Count);
        let value = if is_count { value.round() } else { value };
        format!("{}{}", plain(value), self.unit)
    }
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
        Trial { deployment, load: today::load(site) }
    }

    /// What is moved: these questions, and what was known of others before.
    fn moved(&self, moves: &[Option<Move>], how: &str) -> Vec<Moved> {
        let moves = self.questions.iter().zip(moves);
        let moves = moves.filter_map(|(question, to)| Some(question.moved((*to)?, how)));
        let mut moved: Vec<Moved> = moves.collect();
        for before in &self.site.observed.moved {
            let field = &before.assumption.field;
            if moved.iter().all(|moved| moved.assumption.field != *field) {
                moved.push(before.clone());
            }
        }
        moved
    }

    fn with(&self, moves: &[Option<Move>]) -> Option<Trial> {
        let observed = Observed { moved: self.moved(moves, ""), ..Observed::default() };
        let site = self.site.with_observed(observed, self.vocabulary)?;
        Some(self.trial(&site))
    }

    fn predict(&self, trial: &Trial) -> Result<Prediction, PredictError> {
        let lens = Lens::forgetful();
        let Trial { deployment, load } = trial;
        predict_through(lens, deployment, load, self.catalog, self.calibration)
    }

    /// Whether nothing saturates and each stated time comes out within the interval of its estimate.
    fn agrees(&self, moves: &[Option<Move>], times: &[StatedTime]) -> bool {
        self.reaches(moves, times, self.enough(times))
    }

    /// The level of nearness that is enough.
    fn enough(&self, times: &[StatedTime]) -> f64 {
        match (times, self.system.deployment.read_locks) {
            ([], ReadLocks::All) => RUNS_WITH_LOCKS,
            ([], _) => RUNS,
            _ => 0.0,
        }
    }

    /// Whether [`Self::nearness`] is at least so large: seen in one solution.
    fn reaches(&self, moves: &[Option<Move>], times: &[StatedTime], level: f64) -> bool {
        let Some(mut trial) = self.with(moves) else {
            return false;
        };
        if times.is_empty() {
            trial.load = trial.load.scaled(level.exp());
            return self.predict(&trial).is_ok();
        }
        -self.apart(&trial, times) >= level
    }

    /// How far stated times lie outside the intervals of their estimates, as a sum of logarithms; infinite where it saturates.
    fn apart(&self, trial: &Trial, times: &[StatedTime]) -> f64 {
        let predicted = self.predict(trial);
        predicted.map_or(f64::INFINITY, |predicted| times.iter().map(|time| time.apart(&predicted)).sum())
    }

    /// What is to grow: the logarithm of the multiple of the peak at which nothing saturates, looked for from `from` on; once that
    /// is enough, the nearness of the stated times.
    fn nearness(&self, moves: &[Option<Move>], times: &[StatedTime], from: f64) -> f64 {
        let Some(trial) = self.with(moves) else {
            return f64::NEG_INFINITY;
        };
        if !times.is_empty() {
            return -self.apart(&trial, times);
        }
        // Most moves gain nothing: that is seen in one solution.
        let more = from + GAIN_LEAST;
        let runs = self.enough(times);
        if from < runs && !self.reaches(moves, times, more) {
            return from;
        }
        let Trial { deployment, load } = &trial;
        let (catalog, calibration) = (self.catalog, self.calibration);
        let from = if from < runs { more.exp() } else { runs.exp() };
        headroom::steady(catalog, calibration, deployment, load, from).ln()
    }

    /// The end of each question toward which it gains most, and what one standard deviation toward it gains.
    fn gains(&self, moves: &[Option<Move>], times: &[StatedTime], now: f64) -> Vec<Gain> {
        /// Parts of the way to the end that are looked at: beyond the first the gain may be over.
        const PARTS: [f64; 2] = [1.0, 0.25];
        // The load carried grows beyond what is needed.
        let parts = if times.is_empty() { &PARTS[..1] } else { &PARTS };
        let mut gains = Vec::new();
        for (i, was) in moves.iter().enumerate() {
            let begin = was.map_or(0.0, |to| to.by);
            let left = END - begin;
            if left < END / 100.0 {
                continue;
            }
            let ends: &[usize] = match was {
                Some(Move { end: 0, .. }) => &[0],
                Some(_) => &[1],
                None => &[0, 1],
            };
            let tried = ends.iter().flat_map(|end| parts.iter().map(|part| (*end, part * left)));
            let gained = tried.map(|(end, step)| {
                let mut moves = moves.to_vec();
                moves[i] = Some(Move { end, by: begin + step });
                let gain = self.nearness(&moves, times, now) - now;
                (Gain { question: i, end, by: gain / step }, gain)
            });
            let worth = gained.filter(|(_, gain)| *gain > GAIN_LEAST);
            let best = worth.max_by(|a, b| a.0.by.total_cmp(&b.0.by));
            gains.extend(best.map(|(gain, _)| gain));
        }
        gains
    }

    /// The least moves from `moves` on with which all agrees; those at which nothing more is gained where none do.
    fn least(&self, mut moves: Vec<Option<Move>>, times: &[StatedTime]) -> (Vec<Option<Move>>, bool) {
        let mut agrees = self.agrees(&moves, times);
        for _ in 0..ROUNDS {
            if agrees {
                break;
            }
            let now = self.nearness(&moves, times, self.enough(times));
            let gains = self.gains(&moves, times, now);
            let most = gains.iter().map(|gain| gain.by).fold(0.0, f64::max);
            let major = gains.iter().filter(|gain| gain.by >= GAIN_MINOR * most);
            let major: Vec<Gain> = major.copied().collect();
            let mut tried = [&major, &gains].into_iter();
            if let Some(next) = tried.find_map(|gains| self.first(&moves, gains, times, self.enough(times))) {
                moves = next;
                agrees = true;
                break;
            }
            // As far as it gains; then other questions do.
            let end = path(&moves, &gains).last();
            let end = end.map_or(now, |end| self.nearness(&end, times, now));
            let level = end - GAIN_LEAST;
            let next = self.first(&moves, &gains, times, level);
            match next.filter(|_| level > now) {
                Some(next) => moves = next,
                None => break,
            }
        }
        if agrees {
            self.take_back(&mut moves, times);
        }
        (moves, agrees)
    }

    /// The first moves along a path with which [`Self::nearness`] is so large.
    fn first(
        &self,
        moves: &[Option<Move>],
        gains: &[Gain],
        times: &[StatedTime],
        level: f64,
    ) -> Option<Vec<Option<Move>>> {
        let mut short = moves.to_vec();
        for mut enough in path(moves, gains) {
            if !self.reaches(&enough, times, level) {
                short = enough;
                continue;
            }
            for _ in 0..HALVINGS {
                let middle = between(&short, &enough);
                if self.reaches(&middle, times, level) {
                    enough = middle;
                } else {
                    short = middle;
                }
            }
            return Some(enough);
        }
        None
    }

    /// Takes back the moves without which all agrees too, the smallest first.
    fn take_back(&self, moves: &mut [Option<Move>], times: &[StatedTime]) {
        let mut order: Vec<usize> = (0..moves.len()).filter(|i| moves[*i].is_some()).collect();
        let by = |i: &usize| moves[*i].map_or(0.0, |to| to.by);
        order.sort_by(|a, b| by(a).total_cmp(&by(b)));
        for i in order {
            let was = moves[i].take();
            if !self.agrees(moves, times) {
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
            format!("{path} = {now} in place of {}", question.assumption.value)
        });
        let moved: Vec<String> = moved.collect();
        let mut said = vec![format!("For today's system to run as you say, the estimate takes {}.", list(&moved))];
        let files = |site: &Site| {
            let size = site.workload.concurrent_sync_size.value.get();
            size / site.data.file_size.value.get().max(1.0)
        };
        let (was, is) = (files(self.site), files(site));
        if !(1.0 / NOTICED..=NOTICED).contains(&(was / is)) {
            said.push(format!(
                "A large sync then brings about {} files and not {}.",
                about_count(is),
                about_count(was)
            ));
        }
        said
    }

    /// The site with a stated answer that is another, and the questions moved.
    fn answering(&self, moves: &[Option<Move>], path: &str, value: &str) -> Option<Site> {
        let mut overrides = self.site.overrides.clone();
        overrides.push(format!("{path}={value}"));
        let observed = Observed { moved: self.moved(moves, ""), ..Observed::default() };
        let site = self.site.with_observed(observed, self.vocabulary)?;
        site.again(&site.text, &overrides, self.vocabulary).ok()
    }

    /// The stated answers whose change by a factor lets it run, the least change first, with all questions at `moves`; where none
    /// does alone, because something else is short behind it, with the questions that this moves as well.
    fn causes(&self, moves: &[Option<Move>]) -> Vec<(String, f64)> {
        /// Stated answers that are named.
        const NAMED: usize = 2;
        let decides = |path: &str| {
            let sections = ["people.", "data.", "workload.", "server."];
            let is_load = sections.iter().any(|s| path.starts_with(s));
            let is_drives = path.starts_with("today.volume") && path.ends_with(".drives");
            is_load && !path.starts_with("people.site") || is_drives || path == "infrastructure.client_links"
        };
        let stated = self.site.stated_amounts().into_iter();
        let stated: Vec<StatedAmount> = stated
            .filter(|(path, ..)| decides(path))
            .map(|(path, value, unit)| StatedAmount { path, value, unit })
            .collect();
        let mut causes = Vec::new();
        for amount in &stated {
            // More people only dilute what one of their offices asks for: that is no cause.
            let signs: &[f64] = if amount.path.starts_with("people.") { &[-1.0] } else { &[-1.0, 1.0] };
            let of = |sign: &f64| self.least_change(moves, amount, *sign);
            causes.extend(signs.iter().filter_map(of));
        }
        if causes.is_empty() {
            let behind = stated.iter().filter_map(|amount| {
                let moves = self.moves_behind(moves, amount)?;
                self.least_change(&moves, amount, -1.0)
            });
            causes.extend(behind);
        }
        causes.sort_by(|a, b| a.1.ln().abs().total_cmp(&b.1.ln().abs()));
        causes.truncate(NAMED);
        causes
    }

    /// The least factor of a stated answer, below 1 or above it by its sign, with which it runs; none where no factor that is looked
    /// at is enough.
    fn least_change(&self, moves: &[Option<Move>], amount: &StatedAmount, sign: f64) -> Option<(String, f64)> {
        let at = |factor: f64| {
            let site = self.answering(moves, &amount.path, &amount.times(factor));
            site.is_some_and(|site| self.predict(&self.trial(&site)).is_ok())
        };
        let most = FACTOR_MOST.ln();
        if !at((sign * most).exp()) {
            return None;
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
        Some((amount.path.clone(), (sign * enough).exp()))
    }

    /// The questions moved on so that it runs with far less of a stated load, where that is what is short first: what is short behind
    /// it shows only then.
    fn moves_behind(&self, moves: &[Option<Move>], amount: &StatedAmount) -> Option<Vec<Option<Move>>> {
        let is_load = ["people.", "workload."].iter().any(|s| amount.path.starts_with(s));
        if !is_load {
            return None;
        }
        let less = amount.times(1.0 / FACTOR_MOST);
        let moved = self.answering(moves, &amount.path, &less)?;
        let short = |trial: &Trial| self.predict(trial).err();
        let (first, then) = (short(&self.with(moves)?)?, short(&self.trial(&moved))?);
        if !is_relieved(&first, &then) {
            return None;
        }
        let none = vec![None; moves.len()];
        let site = self.answering(&none, &amount.path, &less)?;
        let behind = There { site: &site, system: self.system.clone(), questions: self.questions.clone(), ..*self };
        let (moves, runs) = behind.least(none, &[]);
        runs.then_some(moves)
    }

    /// That stated times do not come out: each with its estimate, and what settles it.
    fn apart_in_words(&self, moves: &[Option<Move>], times: &[StatedTime]) -> Vec<String> {
        let trial = self.with(moves);
        let Some(predicted) = trial.and_then(|trial| self.predict(&trial).ok()) else {
            return Vec::new();
        };
        let far = times.iter().filter(|time| time.apart(&predicted) > 0.0);
        let far: Vec<String> = far
            .map(|time| {
                let estimate = Seconds::new(time.estimate(&predicted)).estimated();
                let stated = Seconds::new(time.stated);
                format!("{stated} for {}, where the estimate is {estimate}", time.field)
            })
            .collect();
        if far.is_empty() {
            return Vec::new();
        }
        vec![
            format!(
                "The model and your answers disagree: you state {}; no answer within the usual ranges brings them together.",
                list(&far)
            ),
            settles(self.site.server.release.value),
        ]
    }

    /// That model and answers disagree: what saturates all the same, which answers are the likeliest cause, what settles it.
    fn disagreement(&self, moves: &[Option<Move>]) -> Vec<String> {
        let trial = self.with(moves);
        let why = trial.and_then(|trial| self.predict(&trial).err());
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
            said.push(format!("It would run with {by} than you state for \"{}\" ({path}).", self.site.question(&path)));
        }
        said.push(settles(self.site.server.release.value));
        said
    }
}

/// The site with what its system shows of unanswered questions; none where today's system does as assumed, or where that is shown
/// already. Of a system that nobody states, how many large syncs it has is all that is taken.
pub fn observed(site: &Site, vocabulary: &Vocabulary, catalog: &Catalog, calibration: &Calibration) -> Option<Site> {
    if site.observed != Observed::default() {
        return None;
    }
    // What is tried of the site (`--set`, `--load`) is no system that runs: that is the one of the file, with what is said of today
    // and of the large syncs that it has.
    let is_of_today = |text: &&String| text.trim_start().starts_with("today.") || site::is_about_large_syncs(text);
    let of_today: Vec<String> = site.overrides.iter().filter(is_of_today).cloned().collect();
    let filed = site::parse(&site.file, &site.text, &of_today, vocabulary).ok();
    let found = shown(filed.as_ref().unwrap_or(site), vocabulary, catalog, calibration)?;
    site.with_observed(found.observed, vocabulary)
}

/// A site with what its system shows.
fn shown(site: &Site, vocabulary: &Vocabulary, catalog: &Catalog, calibration: &Calibration) -> Option<Site> {
    let with_counted = demand::counted(site, vocabulary, catalog, calibration);
    if !is_stated(site) {
        return with_counted;
    }
    let site = with_counted.as_ref().unwrap_or(site);
    let system = today::system(site, catalog, calibration).ok()?;
    let questions = site.assumptions().into_iter().filter_map(Question::of);
    let there = There { questions: questions.collect(), site, vocabulary, catalog, calibration, system };
    let none = vec![None; there.questions.len()];
    let (mut moves, runs) = there.least(none, &[]);
    // What is stated of times is looked at in a system that runs; their intervals are those of what is assumed.
    let trial = there.with(&moves).filter(|_| runs);
    let predicted = trial.and_then(|Trial { deployment, load }| {
        let is_asked = site.today.times().next().is_some();
        let mut predicted = is_asked.then(|| predict(&deployment, &load, catalog, calibration).ok()).flatten()?;
        interval::add_intervals(&mut predicted, &deployment, &load, catalog, calibration);
        Some(predicted)
    });
    let times = predicted.map_or(Vec::new(), |predicted| StatedTime::all(site, &predicted));
    let mut come_out = true;
    if !times.is_empty() {
        let (nearest, found) = there.least(moves.clone(), &times);
        come_out = found;
        if found {
            moves = nearest;
        }
    }
    if runs && come_out && moves.iter().all(Option::is_none) {
        return with_counted;
    }
    let mut observed = Observed::default();
    if runs {
        let how = "today's system runs with its load and the times that are stated: the least change of what is assumed with which it does";
        observed.moved = there.moved(&moves, how);
        if moves.iter().any(Option::is_some)
            && let Some(found) = site.with_observed(observed.clone(), vocabulary)
        {
            observed.sentences = there.sentences(&found, &moves);
        }
        if !come_out {
            observed.disagrees = true;
            observed.sentences.extend(there.apart_in_words(&moves, &times));
        }
    } else {
        observed.disagrees = true;
        observed.moved.clone_from(&site.observed.moved);
        observed.sentences = there.disagreement(&moves);
    }
    site.with_observed(observed, vocabulary)
}
