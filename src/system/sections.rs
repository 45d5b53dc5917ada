//! The waits of one command for its sections, one after the other.
//!
//! Knows that who has waited for the end of a closure does not soon meet it again; not where waits come from.

use super::closures::Wait;

/// Part of a closure below which another one is much shorter: assumed.
const MUCH_LESS: f64 = 0.5;

/// The wait of a section \[s\].
#[derive(Clone, Copy, Default)]
pub(super) struct SectionWait {
    pub(super) mean: f64,
    /// The part of it while its table is shut for long, and for how long that is.
    pub(super) long: f64,
    pub(super) shut_for: f64,
}

impl SectionWait {
    /// With a closure that has spread to one of its tables, where so much of the wait is for the later one already: who
    /// waits for the longest waits for all at once.
    pub(super) fn lengthen(&mut self, closure: Wait, for_later: f64) {
        if closure.mean > self.long {
            self.mean += (closure.mean - self.long.max(for_later)).max(0.0);
            (self.long, self.shut_for) = (closure.mean, closure.shut_for);
        }
    }
}

/// Mean wait of a command for its sections, of which each is held for a time after another time since
/// the one before it \[s\].
///
/// A long reader shuts all its tables. Who has got its locks finds those of its next sections open but for
/// what has been shut since: a closure fades from memory in the time that it lasts.
pub(super) fn one_after_the_other<B: Fn() -> f64>(
    sections: impl Iterator<Item = (SectionWait, f64, B)>,
) -> f64 {
    let (mut sum, mut waited, mut shut_for, mut held) = (0.0, 0.0_f64, 0.0_f64, 0.0);
    for (wait, hold, before) in sections {
        if waited > 0.0 {
            waited *= (-(held + before()) / shut_for).exp();
        }
        // What is shut for much less than that is another table's.
        let the_same = wait.shut_for >= shut_for * MUCH_LESS;
        sum += wait.mean - if the_same { wait.long.min(waited) } else { 0.0 };
        if wait.long > waited {
            (waited, shut_for) = (wait.long, wait.shut_for);
        }
        held = hold;
    }
    sum
}
