//! A log replayed on its own locks without some of its commands: what others would have waited less.
//!
//! ```text
//!  records ─► trace: locks, holds and own time of each command ─► program of each ─┬► engine, everybody in ─► is it the log's waiting?
//!             (select: who is left out, or cut by a limit)                         └► engine, without ──────► what is saved
//! ```
//!
//! Trace-driven: a command takes the locks that the log has, in p4d's order, first come first served, and keeps each for as long
//! as it did, without the waits inside; what it does besides takes as long as it did. What a log does not say is drawn, several
//! times: when in its second a command came, and when in its time it locked. Both replays of a draw draw the same. A user's next
//! command begins after the end of the one before it and the pause between the two (a partly open system: Schroeder, Wierman and
//! Harchol-Balter 2006), unless the pause is so long that he did something else meanwhile.
//!
//! Processors and drives are as busy as they were: what the culprit took of them is not given back.

mod engine;
mod program;
mod select;
mod trace;

use super::Pseudonyms;
use engine::{Played, play};

pub use select::{Change, Limit, NoMatch, Selector};
pub use trace::Trace;

/// Draws of what a log does not say.
const DRAWS: u64 = 8;
/// Of a log with more lock uses than this, fewer.
const MANY: usize = 400_000;
const DRAWS_OF_MANY: u64 = 3;
/// The replay with everybody in has the log's waiting within this factor: it is believed.
const HOLDS: f64 = 1.25;
/// Beyond this factor nothing is said.
const REFUSED: f64 = 2.0;
/// Rows of each table.
const ROWS: usize = 10;
/// Less waiting than this is none \[s\]: the clock of a log has milliseconds, and commands are many.
const NONE_S: f64 = 1.0;

/// What is divided by is at least this \[s\].
const LEAST_S: f64 = 1e-9;

/// Waits for a table or lock file \[s\].
#[derive(Debug, Clone, PartialEq)]
pub struct TableWaits {
    /// Its name; lock files of a kind count as one.
    pub table: String,
    /// Of everybody, by the log.
    pub logged_s: f64,
    /// Of everybody, in the replay.
    pub replayed_s: f64,
    /// Of the others, without those left out.
    pub without_s: f64,
}

/// Who waits less.
#[derive(Debug, Clone, PartialEq)]
pub struct Relieved {
    /// The user.
    pub user: String,
    /// By how much \[s\].
    pub saved_s: f64,
}

/// Whether the replay can be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// With everybody in it has the log's waiting.
    Holds,
    /// It has more or less: the interval holds both.
    Rough,
    /// It does not have it.
    Refused,
    /// The log has no waiting of others, for commands run when it ends.
    Unended,
    /// The log has no waiting of others.
    Nothing,
}

/// What the change would have brought.
#[derive(Debug, Clone, PartialEq)]
pub struct Counterfactual {
    /// Commands that are left out, or cut.
    pub commands: u64,
    /// Of them, those that hold locks for a millisecond or more, or wait.
    pub locking: u64,
    /// Their users.
    pub users: u64,
    /// Of the commands cut, those for which nobody waited in the replay: the limit stops them in vain.
    pub in_vain: u64,
    /// What the others waited, by the log \[s\].
    pub logged_s: f64,
    /// What they wait with everybody in, the mean of the draws \[s\].
    pub replayed_s: f64,
    /// What they wait less \[s\]: best estimate, and the range that the draws and the replay's own error leave.
    pub saved_s: [f64; 3],
    /// Whether that can be believed.
    pub trust: Trust,
    /// By table, those first that were waited for longest.
    pub tables: Vec<TableWaits>,
    /// Who waits less, most first.
    pub relieved: Vec<Relieved>,
    /// Draws.
    pub draws: u64,
    /// Commands that run when the log ends: it has none of their locks.
    pub endless: u64,
    /// Commands that were not kept: the log has more than are.
    pub not_kept: u64,
}

impl Trace {
    /// Replays the log with everybody and with the change.
    pub fn replay(self, seed: u64) -> Result<Counterfactual, NoMatch> {
        self.matched()?;
        let plan = self.ordered();
        let draws = if plan.uses.len() > MANY { DRAWS_OF_MANY } else { DRAWS };
        let played: Vec<[Played; 2]> =
            (0..draws).map(|draw| [false, true].map(|changed| play(&plan, seed.wrapping_add(draw), changed))).collect();
        let logged_s = plan.others_waited_s();
        let others = |changed: usize| played.iter().map(move |run| run[changed].others_s);
        let (with, without) = (mean(others(0)), mean(others(1)));
        // By how much more the log has than the replay.
        let scale = logged_s / with.max(LEAST_S);
        // In proportion, and as the replay has it: they are one where it has the log's waiting.
        let best = scale * (with - without);
        let saved = played.iter().flat_map(|[with, without]| {
            let saved = with.others_s - without.others_s;
            [logged_s * saved / with.others_s.max(LEAST_S), saved]
        });
        let low = saved.clone().fold(best, f64::min);
        let high = saved.fold(best, f64::max);
        Ok(Counterfactual {
            commands: plan.changed.commands,
            locking: plan.locking(),
            users: plan.changed.users.len() as u64,
            in_vain: plan.in_vain(&played[0][0]),
            logged_s,
            replayed_s: with,
            // Nobody waits less than not at all.
            saved_s: [best, low, high].map(|s| s.min(logged_s)),
            trust: trust(logged_s, with, plan.endless),
            tables: plan.tables(&played),
            relieved: plan.relieved(&played, scale),
            draws,
            endless: plan.endless,
            not_kept: plan.not_kept,
        })
    }
}

impl Counterfactual {
    /// Under pseudonyms.
    pub fn anonymise(&mut self, names: &Pseudonyms) {
        for table in &mut self.tables {
            table.table = names.table(&table.table);
        }
        for one in &mut self.relieved {
            one.user = names.user(&one.user);
        }
    }
}

fn trust(logged_s: f64, replayed_s: f64, endless: u64) -> Trust {
    // What still runs may wait: its waits are logged when it ends.
    match (logged_s < NONE_S, endless) {
        (true, 0) => return Trust::Nothing,
        (true, _) => return Trust::Unended,
        (false, _) => {}
    }
    let factor = replayed_s.max(LEAST_S) / logged_s;
    match factor.max(1.0 / factor) {
        factor if factor <= HOLDS => Trust::Holds,
        factor if factor <= REFUSED => Trust::Rough,
        _ => Trust::Refused,
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = values.fold((0_u32, 0.0), |(count, sum), value| (count + 1, sum + value));
    sum / f64::from(count.max(1))
}
