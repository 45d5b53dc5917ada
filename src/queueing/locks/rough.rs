//! Waits of which searches need thousands: all readers count with their mean hold, and as exponential.
//!
//! Johnson's method (1995) in its plain form: the time that a lock is shut is exponential, and who waits comes
//! again as if it did not. Where readers' holds differ little, within 4 % of a simulated lock up to 90 %
//! of its capacity, in a microsecond; a rare long reader is lost in the mean, and what it shuts is waited
//! for up to a hundred times longer than this says.

use super::crowd::one_after_another;
use super::longest::{geometric_batch, poisson_batch};
use super::{LockError, LockUser, LockWait, capacity, check, mean_waits};

/// What the customers of one crowd together ask of a lock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LockCrowd {
    /// How many they are, n; none if unlimited.
    pub population: Option<f64>,
    /// Acquisitions of readers, Σ λ, in 1/s.
    pub read_rate: f64,
    /// Mean number of readers that would hold it if nobody waited, Σ λ·S.
    pub read_work: f64,
    /// Acquisitions of writers, Σ λ, in 1/s.
    pub write_rate: f64,
    /// The same of writers, Σ λ·S.
    pub write_work: f64,
    /// Second moments of their holds, Σ λ·E\[S²\], in s.
    pub write_square: f64,
    /// Longest mean hold of a user that comes at all, in s.
    pub longest_hold: f64,
}

/// Where a crowd's waits came to rest, from which those of a lock with nearly its users are soon found.
#[derive(Clone, Copy, Debug)]
pub struct CrowdRest {
    /// Sojourn of writers, in s; infinite if nothing is known.
    sojourn: f64,
    /// By how much the waits of readers and of writers grow with it.
    slopes: (f64, f64),
}

impl Default for CrowdRest {
    fn default() -> Self {
        Self {
            sojourn: f64::INFINITY,
            slopes: (f64::NAN, f64::NAN),
        }
    }
}

/// Mean waits for a lock with the given users, roughly.
///
/// ```
/// use plimsoll::queueing::locks::{LockUser, rough};
///
/// // Writers alone are an M/D/1 queue.
/// let writer = LockUser { rate: 5.0, hold: 0.1, scv: 0.0, exclusive: true, population: None, in_turn: false, crowd: 0 };
/// let waits = rough(&[writer]).unwrap();
/// assert!((waits.write_wait - 0.05).abs() < 1e-12);
/// ```
pub fn rough(users: &[LockUser]) -> Result<LockWait, LockError> {
    check(users)?;
    let (ids, crowds) = crowds(users);
    let mut rests = vec![CrowdRest::default(); crowds.len()];
    let mut by_crowd = vec![(0.0, 0.0); crowds.len()];
    let utilization = rough_crowds(&crowds, &mut rests, &mut by_crowd)?;
    let wait = |user: &LockUser| {
        let crowd = ids.iter().position(|id| *id == user.crowd);
        let (read, write) = by_crowd[crowd.unwrap_or_default()];
        if user.exclusive { write } else { read }
    };
    let user_wait: Vec<f64> = users.iter().map(wait).collect();
    let (read_wait, write_wait) = mean_waits(users, &user_wait);
    Ok(LockWait {
        read_wait,
        write_wait,
        utilization,
        asked: utilization,
        exclusive_utilization: crowds.iter().map(|crowd| crowd.write_work).sum(),
        long_wait: vec![0.0; users.len()],
        shut_for: 0.0,
        between: [0.0; 2],
        user_wait,
    })
}

/// The same where the users of each crowd are added up already; all sums must be finite, and zero or more.
/// Writes mean waits of each crowd's readers and of its writers, in s, and returns the fraction of what the lock
/// can do, [`capacity`]. It begins where each crowd's waits were at rest, and leaves behind where they are.
///
/// ```
/// use plimsoll::queueing::locks::{CrowdRest, LockCrowd, rough_crowds};
///
/// let writers =
///     LockCrowd { write_rate: 5.0, write_work: 0.5, write_square: 0.05, longest_hold: 0.1, ..LockCrowd::default() };
/// let mut waits = [(0.0, 0.0)];
/// rough_crowds(&[writers], &mut [CrowdRest::default()], &mut waits).unwrap();
/// assert!((waits[0].1 - 0.05).abs() < 1e-12);
/// ```
pub fn rough_crowds(
    crowds: &[LockCrowd],
    rests: &mut [CrowdRest],
    waits: &mut [(f64, f64)],
) -> Result<f64, LockError> {
    let all = Load::found_by(crowds, None);
    let utilization = all.utilization();
    // Crowds without a limit all find the same; and what one finds is near to what the next does.
    let mut unlimited = None;
    let mut near = f64::INFINITY;
    let each = crowds.iter().zip(rests).zip(waits).enumerate();
    for (c, ((crowd, rest), wait)) in each {
        if rest.sojourn == f64::INFINITY {
            rest.sojourn = near;
        }
        let found = match crowd.population {
            Some(_) => Load::found_by(crowds, Some(c)).waits(rest),
            None => *unlimited.get_or_insert_with(|| all.waits(rest)),
        };
        near = rest.sojourn;
        let most = longest_wait(crowds, c);
        *wait = match found {
            Some((read, write)) => (read.min(most), write.min(most)),
            None if most.is_finite() => (most, most),
            None => return Err(LockError::Saturated { utilization }),
        };
    }
    Ok(utilization)
}

/// A customer never waits for more than one hold of each other customer \[s\].
fn longest_wait(crowds: &[LockCrowd], own: usize) -> f64 {
    let of_one = |(c, crowd): (usize, &LockCrowd)| {
        let others = crowd.population.unwrap_or(f64::INFINITY) - if c == own { 1.0 } else { 0.0 };
        one_after_another(others, crowd.longest_hold)
    };
    crowds.iter().enumerate().map(of_one).sum()
}

/// The crowds of these users in the order of their first user, and which they are.
fn crowds(users: &[LockUser]) -> (Vec<usize>, Vec<LockCrowd>) {
    let (mut ids, mut crowds): (Vec<usize>, Vec<LockCrowd>) = (Vec::new(), Vec::new());
    for user in users {
        let known = ids.iter().position(|id| *id == user.crowd);
        let c = known.unwrap_or_else(|| {
            ids.push(user.crowd);
            crowds.push(LockCrowd {
                population: user.population,
                ..LockCrowd::default()
            });
            crowds.len() - 1
        });
        crowds[c].add(user);
    }
    (ids, crowds)
}

impl LockCrowd {
    fn add(&mut self, user: &LockUser) {
        if user.exclusive {
            self.write_rate += user.rate;
            self.write_work += user.rate * user.hold;
            self.write_square += user.rate * user.hold * user.hold * (1.0 + user.scv);
        } else {
            self.read_rate += user.rate;
            self.read_work += user.rate * user.hold;
        }
        if user.rate > 0.0 {
            self.longest_hold = self.longest_hold.max(user.hold);
        }
    }
}

/// Rates and moments of the lock's users as one of them finds them.
#[derive(Clone, Copy, Default)]
struct Load {
    read_rate: f64,
    /// Σ λ·S of readers.
    read_work: f64,
    write_rate: f64,
    /// Σ λ·S of writers.
    write_work: f64,
    /// Σ λ·E[S²] of writers.
    write_square: f64,
}

impl Load {
    /// The load of all crowds; of the one that asks, all customers but one.
    fn found_by(crowds: &[LockCrowd], asking: Option<usize>) -> Self {
        let mut found = Self::default();
        for (c, crowd) in crowds.iter().enumerate() {
            let met = match crowd.population {
                Some(n) if asking == Some(c) => (n - 1.0).max(0.0) / n.max(1.0),
                _ => 1.0,
            };
            found.add(crowd, met);
        }
        found
    }

    fn add(&mut self, crowd: &LockCrowd, times: f64) {
        self.read_rate += crowd.read_rate * times;
        self.read_work += crowd.read_work * times;
        self.write_rate += crowd.write_rate * times;
        self.write_work += crowd.write_work * times;
        self.write_square += crowd.write_square * times;
    }

    fn read_hold(&self) -> f64 {
        if self.read_rate > 0.0 {
            self.read_work / self.read_rate
        } else {
            0.0
        }
    }

    fn utilization(&self) -> f64 {
        if self.write_rate == 0.0 {
            return 0.0;
        }
        let write_hold = self.write_work / self.write_rate;
        capacity(
            self.read_rate,
            self.read_hold(),
            self.write_rate,
            write_hold,
        )
    }

    /// Mean waits of a reader and of a writer that arrive; none if saturated. From where nearly this load was at
    /// rest, and leaves behind where it is.
    fn waits(&self, rest: &mut CrowdRest) -> Option<(f64, f64)> {
        // Writers and their batches take no more than all holds one after the other, ln(1 + r) being at most r.
        if self.read_work + self.write_work >= 1.0 && self.utilization() >= 1.0 {
            return None;
        }
        // A first writer waits for the readers that hold the lock, a Poisson number of them.
        let read_hold = self.read_hold();
        let (first, first_square) = poisson_batch(self.read_work);
        let (first, first_square) = (first * read_hold, first_square * read_hold * read_hold);
        if self.write_rate == 0.0 {
            return Some((0.0, first));
        }
        let write_hold = self.write_work / self.write_rate;
        let write_square = self.write_square / self.write_rate;
        // Between two writers of a busy period come fewer readers than between any two, since the
        // second arrives before the first is done; how many fewer follows from the wait itself.
        let waits = |sojourn: f64| {
            let ratio = self.read_rate / (self.write_rate + 1.0 / sojourn);
            let (batch, square) = geometric_batch(ratio);
            self.welch(
                (write_hold, write_square),
                (first, first_square),
                (batch * read_hold, square * read_hold * read_hold),
            )
        };
        Some(self_consistent(waits, write_hold, rest))
    }

    /// Welch's M/G/1 queue: work found, and work found and own batch.
    fn welch(&self, hold: (f64, f64), first: (f64, f64), batch: (f64, f64)) -> (f64, f64) {
        let moments =
            |batch: (f64, f64)| (hold.0 + batch.0, hold.1 + 2.0 * hold.0 * batch.0 + batch.1);
        let ((first_mean, first_square), (mean, square)) = (moments(first), moments(batch));
        let rate = self.write_rate;
        let spare = 1.0 - rate * mean;
        let cycle = spare + rate * first_mean;
        let work = rate * square / (2.0 * spare) + rate * (first_square - square) / (2.0 * cycle);
        let idle = spare / cycle;
        (
            work.max(0.0),
            work.max(0.0) + idle * first.0 + (1.0 - idle) * batch.0,
        )
    }
}

/// Most steps to a sojourn that agrees with itself; a few are usual.
const STEPS_MAX: usize = 200;
/// Relative change of a sojourn at which it agrees with itself; the waits found with it are nearer still.
const SETTLED: f64 = 1e-8;
/// The same where it is known by how much waits grow with it: what is missing is added, and off by its square.
const NEAR: f64 = 2e-4;

/// Waits of readers and writers that agree with the sojourn that they are found with: the secant method
/// from where they were at rest, where a longer sojourn makes for a longer one, but less and less so.
fn self_consistent(
    waits: impl Fn(f64) -> (f64, f64),
    write_hold: f64,
    rest: &mut CrowdRest,
) -> (f64, f64) {
    let mut before: Option<(f64, (f64, f64))> = None;
    let mut found = (0.0, 0.0);
    for _ in 0..STEPS_MAX {
        let sojourn = rest.sojourn;
        found = waits(sojourn);
        let image = found.1 + write_hold;
        if image == 0.0 {
            break;
        }
        if !sojourn.is_finite() {
            rest.sojourn = image;
            continue;
        }
        if let Some((x, (read, write))) = before
            && x != sojourn
        {
            let per = 1.0 / (sojourn - x);
            rest.slopes = ((found.0 - read) * per, (found.1 - write) * per);
        }
        let known = (0.0..1.0).contains(&rest.slopes.1);
        let slopes = if known { rest.slopes } else { (0.0, 0.0) };
        let missing = (image - sojourn) / (1.0 - slopes.1);
        rest.sojourn = (sojourn + missing).max(f64::MIN_POSITIVE);
        if known && missing.abs() <= NEAR * sojourn || missing.abs() <= SETTLED * sojourn {
            return (found.0 + slopes.0 * missing, found.1 + slopes.1 * missing);
        }
        before = Some((sojourn, found));
    }
    found
}
