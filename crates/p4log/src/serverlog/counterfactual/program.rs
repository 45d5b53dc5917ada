//! What a command does, step by step: its locks one after the other, and its own time around them.
//!
//! p4d takes the locks that a command needs together, in one order, and the log has how long each was held, waits for later ones
//! included. A table that was locked several times was held for the longest of these together with the others, and for the rest
//! by itself.

use super::trace::{Call, Mode, Plan, Use};

/// Holds of one table that are replayed apart: what was held more often is held so often, for as long together.
const APART: u32 = 16;

/// Who held a lock for less than this part of what he waited then had let go of it before: both are rounded, and lapses are sums
/// (assumed).
const OVERLAPS: f64 = 0.9;

/// A step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Step {
    /// Its own time \[µs\].
    Work(i64),
    Take(u32, Mode),
    Give(u32),
}

/// Holds of one lock, apart from others: µs each.
#[derive(Debug, Clone, Copy)]
struct Apart {
    lock: u32,
    mode: Mode,
    times: u32,
    each: i64,
}

/// A command's locks: which are taken together, with the hold of each after the last is there, and which apart.
struct Locked {
    together: Vec<(u32, Mode, i64)>,
    apart: Vec<Apart>,
}

fn locked(uses: &[Use]) -> Locked {
    let us = |ms: u32| i64::from(ms) * 1000;
    let mut locked = Locked { together: Vec::new(), apart: Vec::new() };
    // Waits for locks that come later: who holds this one meanwhile holds it so much longer.
    let mut later = 0;
    for used in uses.iter().rev() {
        let (lock, mode, held) = (used.lock, used.mode, us(used.held));
        let times = used.times.min(APART + 1);
        let longest = match us(used.longest) {
            0 => held / i64::from(times),
            longest => longest.min(held),
        };
        let rest = held - longest;
        if times > 1 && rest > 0 {
            let times = times - 1;
            let each = rest / i64::from(times);
            locked.apart.push(Apart { lock, mode, times, each });
        }
        let is_twice = locked.together.iter().any(|(other, ..)| *other == lock);
        let is_before = (longest as f64) < OVERLAPS * later as f64;
        if mode == Mode::Peek || is_twice || is_before {
            let each = longest;
            locked.apart.push(Apart { lock, mode, times: 1, each });
        } else {
            locked.together.push((lock, mode, (longest - later).max(0)));
        }
        later += us(used.wait);
    }
    locked.together.reverse();
    // Those that are given back before the others are taken come first.
    locked.apart.reverse();
    locked
}

/// The steps of a command of which a part is left; `when` in its own time it locks, from 0 to 1.
pub(super) fn program(plan: &Plan, call: &Call, rest: f32, when: f64) -> Vec<Step> {
    let own = (call.lapse - plan.waited(call)).max(0);
    let scaled = |time: i64| (time as f64 * f64::from(rest)) as i64;
    if rest <= 0.0 {
        // It runs at another time, or elsewhere: what its user does next is not of this.
        return vec![Step::Work(own)];
    }
    let Locked { together, apart } = locked(plan.uses(call));
    let longest = together.iter().map(|(.., held)| *held).max().unwrap_or(0);
    let holds = apart.iter().map(|one| one.each * i64::from(one.times));
    let idle = (own - longest - holds.sum::<i64>()).max(0);
    let mut steps = vec![Step::Work(scaled((idle as f64 * when) as i64))];
    for one in apart.iter().filter(|one| one.times == 1) {
        hold(&mut steps, one, scaled(one.each));
    }
    for (lock, mode, _) in &together {
        steps.push(Step::Take(*lock, *mode));
    }
    let mut by_hold: Vec<(i64, u32)> = together.iter().map(|(lock, _, held)| (*held, *lock)).collect();
    by_hold.sort_unstable();
    let mut past = 0;
    for (held, lock) in by_hold {
        steps.push(Step::Work(scaled(held - past)));
        steps.push(Step::Give(lock));
        past = held;
    }
    let many = || apart.iter().filter(|one| one.times > 1);
    let gaps: u32 = many().map(|one| one.times).sum();
    let after = scaled((idle as f64 * (1.0 - when)) as i64);
    let gap = after / i64::from(gaps + 1);
    for one in many() {
        for _ in 0..one.times {
            steps.push(Step::Work(gap));
            hold(&mut steps, one, scaled(one.each));
        }
    }
    steps.push(Step::Work(after - gap * i64::from(gaps)));
    steps
}

fn hold(steps: &mut Vec<Step>, one: &Apart, time: i64) {
    steps.push(Step::Take(one.lock, one.mode));
    if one.mode != Mode::Peek {
        steps.push(Step::Work(time));
        steps.push(Step::Give(one.lock));
    }
}
