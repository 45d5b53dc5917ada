//! Who stands at a table that a throng makes be asked for more than it can do.
//!
//! While a stay at the station is N demands, a table that is asked for all it can do at N₁ lets through N₁/N of those who come as
//! usual ([`super::course`]). The rest stands there until it lets through more than come: in line, so that those who have come
//! first go first. A client who stands there does not come again. So many stand there for so long as at a table that is shut to
//! all for T and then open: that T is told, since it is simple to say who waits how long at a shut table
//! ([`super::super::pauses`]).
//!
//! Knows how many come; not who.

use super::course::Course;
use crate::system::once;

/// A step in time once the throng is gone, as a part of the time that has passed.
const STEP: f64 = 0.03;
/// So few seconds of those who come are as good as nobody.
const NOBODY: f64 = 1e-6;
/// Halvings until a time is told.
const HALVINGS: usize = 40;

/// Who comes to a table: streams from outside, where nothing else is said.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Comers {
    /// The part of them that is a number of clients.
    pub(in super::super) closed: f64,
    /// How often each of these comes \[1/s\].
    pub(in super::super) often: f64,
}

impl Comers {
    /// Those who stand at a table that is shut for so long, times how long they do, of a second's comers \[s²\].
    fn stand_at_shut(self, lasts: f64) -> f64 {
        let open = 1.0 - self.closed;
        open * 0.5 * lasts * lasts + self.closed * once::stay(self.often, lasts)
    }

    /// For how long a table would have to be shut that as many stand there for as long \[s\].
    fn shut_for(self, standing: f64) -> f64 {
        let (mut less, mut more) = (0.0, (2.0 * standing).sqrt());
        while self.stand_at_shut(more) < standing {
            (less, more) = (more, 2.0 * more);
        }
        for _ in 0..HALVINGS {
            let between = 0.5 * (less + more);
            if self.stand_at_shut(between) < standing {
                less = between;
            } else {
                more = between;
            }
        }
        0.5 * (less + more)
    }
}

/// Who stands at a table, in seconds of those who come as usual, and for how long they have.
#[derive(Clone, Copy, Debug, Default)]
struct Standing {
    open: f64,
    closed: f64,
    so_far: f64,
}

impl Standing {
    fn all(self) -> f64 {
        self.open + self.closed
    }

    /// While such a part of those who come as usual is let through.
    fn pass(&mut self, lasts: f64, let_through: f64, comers: Comers) {
        let before = self.all();
        let away = comers.closed - comers.often * self.closed;
        self.open += (1.0 - comers.closed) * lasts;
        self.closed += away.max(0.0) * lasts;
        let come = self.all();
        let stay = (1.0 - let_through * lasts / come).max(0.0);
        self.open *= stay;
        self.closed *= stay;
        self.so_far += 0.5 * lasts * (before + self.all());
    }
}

impl Course {
    /// For how long a table would have to be shut that holds up its comers as this throng does until the next is there \[s\], if it
    /// has room for so many more at the station until it is asked for more than it can do.
    pub(in super::super) fn stops(&self, room: f64, comers: Comers, next: f64) -> f64 {
        let full = self.beside.full(room);
        // Most tables would need more than there are.
        if self.beside.stay(self.most(), full) <= full {
            return 0.0;
        }
        let let_through = |many: f64| {
            let there = self.beside.usual + many;
            full / (there + self.beside.busy * full)
        };
        let (mut standing, mut time) = (Standing::default(), 0.0);
        for (lasts, many) in self.stretches() {
            standing.pass(lasts, let_through(many), comers);
            time += lasts;
        }
        while time < next && standing.all() > NOBODY {
            let lasts = STEP * time;
            standing.pass(lasts, let_through(0.0), comers);
            time += lasts;
        }
        comers.shut_for(standing.so_far)
    }
}

#[cfg(test)]
mod tests {
    use super::super::course::{Beside, Part};
    use super::{Comers, Course, Standing};

    const OPEN: Comers = Comers {
        closed: 0.0,
        often: 0.0,
    };

    fn near(a: f64, b: f64, part: f64) {
        assert!((a / b - 1.0).abs() < part, "{a} {b}");
    }

    #[test]
    fn a_table_that_lets_through_half_and_then_more_is_shut_for_less_time() {
        let stand = |let_through: f64| {
            let mut standing = Standing::default();
            for _ in 0..10_000 {
                standing.pass(0.01, let_through, OPEN);
            }
            for _ in 0..100_000 {
                standing.pass(0.01, 1.5, OPEN);
            }
            assert!(standing.all() < 1e-9);
            standing.so_far
        };
        // Of 100 s half stand there at the end, and are gone after as long again: ½·(50·100 + 50·100).
        near(stand(0.5), 5000.0, 1e-2);
        near(OPEN.shut_for(stand(0.5)), 100.0, 1e-2);
        // Shut for T, and open then.
        near(OPEN.shut_for(0.5 * 300.0 * 300.0), 300.0, 1e-6);
    }

    #[test]
    fn clients_who_stand_there_do_not_come_again() {
        let clients = Comers {
            closed: 1.0,
            often: 0.02,
        };
        let mut standing = Standing::default();
        for _ in 0..30_000 {
            standing.pass(0.01, 0.0, clients);
        }
        // 1/a seconds of them are all of them.
        near(standing.all(), 50.0 * (1.0 - (-6.0_f64).exp()), 1e-3);
        near(clients.shut_for(standing.so_far), 300.0, 1e-3);
    }

    #[test]
    fn a_throng_that_is_too_small_for_a_table_stops_nobody() {
        let beside = |room: f64| Beside {
            busy: 0.5,
            usual: 1.0,
            servers: 1.0,
            room,
        };
        let throng = |room: f64| {
            let part = Part {
                many: 100.0,
                work: 2.0,
                line: 0.0,
            };
            Course::of(vec![part], beside(room)).stops(room, OPEN, 1e4)
        };
        assert_eq!(throng(200.0), 0.0);
        let (some, more) = (throng(150.0), throng(20.0));
        assert!(some > 0.0 && more > some, "{some} {more}");
        // It has half of the station at least: its 200 s of work are done by then.
        assert!(more < 2.0 * 400.0, "{more}");
        // Who is at a table without room stands there when the next throng comes.
        let full = throng(0.0);
        assert!(full > more && full < 1e4, "{full}");
    }
}
