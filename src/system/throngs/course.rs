//! How many of a throng are at a station as time goes by.
//!
//! A stay there is N demands, by all servers: u/(1 − ρ) as usual, where those who come keep a share ρ busy, and (u + n)/(1 − ρ)
//! beside n of the throng, as long as all who come get there. From some N₁ on they do not, since a table on their way is asked for
//! more than it can do: it lets through as many as it can, N₁/N of them. So N − ρ·N₁ are u + n then, and the throng has what those
//! few leave to it.
//!
//! Of an exponential work b as much is left after dt as e^(−dt/(N·b)) (processor sharing). Who stands in line for tables comes as
//! the line lets him through: evenly, for as long as the line lasts by itself. The line is as slow as the holds in it.
//!
//! Knows works and lines; not whose they are, nor who waits meanwhile ([`super::stopped`]).
//!
//! Assumption: what those in a line do while they hold its table is work at this station.

use std::cell::OnceCell;

/// A step in time, as a part of the time that has passed, and at least as one of what all works take.
const STEP: f64 = 0.03;
const STEP_LEAST: f64 = 1e-3;
/// So few are as good as nobody.
const NOBODY: f64 = 0.01;
/// Steps after which what is left is left out: far more than it takes.
const STEPS_MAX: usize = 3000;

/// Some of a throng.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// How many.
    pub(super) many: f64,
    /// What each has to do at the station, by all servers \[s\].
    pub(super) work: f64,
    /// For how long they come out of a line \[s\]; zero if they are all there from the beginning.
    pub(super) line: f64,
}

/// Who is at a station beside a throng.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beside {
    /// The share of all servers that those who come keep busy.
    pub(super) busy: f64,
    /// Demands of a stay when nobody of a throng is there, times the share that those who come leave: of one server, as many as
    /// stay there for ever and the one whose stay it is.
    pub(super) usual: f64,
    pub(super) servers: f64,
    /// How many more make the first table on their way be asked for all that it can do; infinite if there is none.
    pub(super) room: f64,
}

impl Beside {
    /// Demands of a stay when nobody of a throng is there.
    fn calm(self) -> f64 {
        self.usual / (1.0 - self.busy)
    }

    /// The same from which on a table with room for so many more is asked for more than it can do.
    pub(super) fn full(self, room: f64) -> f64 {
        self.calm() + room
    }

    /// The same beside so many of a throng, where a table lets through what it can from so many on.
    pub(super) fn stay(self, many: f64, full: f64) -> f64 {
        let there = self.usual + many;
        (there / (1.0 - self.busy)).min(there + self.busy * full)
    }

    /// What each of so many gets done \[1/s\], and how fast a line passes, as a part of how fast it is as usual.
    fn speeds(self, many: f64) -> (f64, f64) {
        let stay = self.stay(many, self.full(self.room));
        let spare = (self.usual + many) / stay;
        let others = (self.usual - self.servers).max(0.0);
        let speed = (spare / (others + many.max(1.0))).min(1.0 / self.servers);
        (speed, self.calm() / stay)
    }
}

#[derive(Clone, Copy)]
struct At {
    time: f64,
    many: f64,
}

/// How many are there, from the beginning to the end; followed when somebody asks.
pub(super) struct Course {
    throng: Vec<Part>,
    pub(super) beside: Beside,
    steps: OnceCell<Vec<At>>,
}

impl Course {
    /// Of a throng of these.
    pub(super) fn of(throng: Vec<Part>, beside: Beside) -> Self {
        Self {
            throng,
            beside,
            steps: OnceCell::new(),
        }
    }

    /// More are never there.
    pub(super) fn most(&self) -> f64 {
        self.throng.iter().map(|part| part.many).sum()
    }

    fn steps(&self) -> &[At] {
        self.steps.get_or_init(|| self.follow())
    }

    /// For how long how many are there \[s\].
    pub(super) fn stretches(&self) -> impl Iterator<Item = (f64, f64)> {
        let steps = self.steps().windows(2);
        steps.map(|step| {
            let many = 0.5 * (step[0].many + step[1].many);
            (step[1].time - step[0].time, many)
        })
    }

    fn follow(&self) -> Vec<At> {
        let throng = &self.throng;
        let there = |part: &Part| if part.line > 0.0 { 0.0 } else { part.many };
        let mut there: Vec<f64> = throng.iter().map(there).collect();
        let work: f64 = throng.iter().map(|part| part.many * part.work).sum();
        let lines = throng.iter().map(|part| part.line).fold(0.0, f64::max);
        let (mut time, mut of_lines) = (0.0, 0.0);
        let mut course = Vec::new();
        for _ in 0..STEPS_MAX {
            let many: f64 = there.iter().sum();
            course.push(At { time, many });
            if many < NOBODY && of_lines >= lines {
                break;
            }
            let step = (STEP * time).max(STEP_LEAST * work);
            let (speed, line) = self.beside.speeds(many);
            let ahead = step * line;
            for (there, part) in there.iter_mut().zip(throng) {
                let left = (-speed * step / part.work).exp();
                let mut now = *there * left;
                if part.line > 0.0 {
                    let come = (part.line - of_lines).clamp(0.0, ahead) / step;
                    now += part.many / part.line * come * part.work / speed * (1.0 - left);
                }
                *there = now;
            }
            time += step;
            of_lines += ahead;
        }
        course
    }

    /// ∫ n dt, ∫ n² dt and ∫ n³ dt from a time on, in s.
    pub(super) fn moments_after(&self, time: f64) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for step in self.steps().windows(2).filter(|step| step[1].time > time) {
            let (from, to) = (step[0], step[1]);
            let begin = from.time.max(time);
            let gone = (begin - from.time) / (to.time - from.time);
            let many = from.many + gone * (to.many - from.many);
            for (power, sum) in (1..).zip(&mut sums) {
                *sum += 0.5 * (to.time - begin) * (many.powi(power) + to.many.powi(power));
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::{Beside, Course, Part};

    fn there(many: f64, work: f64) -> Part {
        Part {
            many,
            work,
            line: 0.0,
        }
    }

    /// Where those who come keep such a share of one server busy, and all are let through.
    fn beside(busy: f64) -> Beside {
        Beside {
            busy,
            usual: 1.0,
            servers: 1.0,
            room: f64::INFINITY,
        }
    }

    /// From when on no more than so many are there.
    fn until(course: &Course, least: f64) -> f64 {
        let more = course.stretches().scan(0.0, |time, (lasts, many)| {
            *time += lasts;
            Some((*time, many))
        });
        let more = more.filter(|(_, many)| *many > least);
        more.last().map_or(0.0, |(time, _)| time)
    }

    fn near(a: f64, b: f64, part: f64) {
        assert!((a / b - 1.0).abs() < part, "{a} {b}");
    }

    #[test]
    fn a_throng_is_gone_when_its_work_is_done_beside_that_of_others() {
        // Of exponential works that share a station as many are left as have not had theirs: n·b/(1 − ρ) in all.
        let alike = Course::of(vec![there(100.0, 2.0)], beside(0.5));
        assert!(until(&alike, 100.0) < 1e-9);
        near(until(&alike, 25.0), 0.75 * 100.0 * 2.0 / 0.5, 0.04);
        near(until(&alike, 1.0), 400.0, 0.04);
        // Who has little to do is gone soon, who has much is there to the end.
        let unlike = Course::of(vec![there(50.0, 0.02), there(50.0, 4.0)], beside(0.5));
        assert!(until(&unlike, 40.0) < 0.3 * until(&unlike, 1.0));
        near(until(&unlike, 1.0), (1.0 + 200.0) / 0.5, 0.04);
        // Of 300 who stay for ever each has as much as one of the throng.
        let shared = Beside {
            usual: 301.0,
            ..beside(0.5)
        };
        let slow = Course::of(vec![there(100.0, 2.0)], shared);
        assert!(until(&slow, 50.0) > 3.0 * until(&alike, 50.0));
        // More servers than jobs: nobody is quicker than on one of his own.
        let servers = Beside {
            usual: 30.0,
            servers: 60.0,
            ..beside(0.5)
        };
        let alone = Course::of(vec![there(20.0, 2.0 / 60.0)], servers);
        near(until(&alone, 10.0), 2.0 * 2.0_f64.ln(), 0.05);
    }

    #[test]
    fn it_is_gone_sooner_where_tables_let_through_fewer_of_those_who_come() {
        let narrow = Beside {
            room: 20.0,
            ..beside(0.5)
        };
        // Beside as many as fill the table a stay is as it is without it; beside 100 it is 101 + 0.5·22, not 202.
        let full = narrow.full(20.0);
        near(narrow.stay(10.0, full), full, 1e-9);
        near(narrow.stay(100.0, full), 101.0 + 0.5 * full, 1e-9);
        near(beside(0.5).stay(100.0, f64::INFINITY), 202.0, 1e-9);
        let gone = |beside| until(&Course::of(vec![there(100.0, 2.0)], beside), 20.0);
        assert!(gone(narrow) < 0.75 * gone(beside(0.5)));
    }

    #[test]
    fn it_is_there_for_as_long_as_its_parts_are_beside_each_other() {
        // When each has had x, dt = n·dx: ∫ n dt is ∫ n² dx, or n·m·a·b/(a + b)/(1 − ρ) of n with works a and m with b each.
        let (few, many) = ((30.0, 4.0), (50.0, 0.5));
        let parts = vec![there(few.0, few.1), there(many.0, many.1)];
        let unlike = Course::of(parts, beside(0.5));
        let together = |a: (f64, f64), b: (f64, f64)| a.0 * b.0 * a.1 * b.1 / (a.1 + b.1) / 0.5;
        let all = together(few, few) + 2.0 * together(few, many) + together(many, many);
        near(unlike.moments_after(0.0)[0], all, 0.02);
        // ∫ n² dt of equal ones is ∫ n³ dx, and ∫ n³ dt ∫ n⁴ dx.
        let equal = Course::of(vec![there(40.0, 3.0)], beside(0.8));
        let [one, two, three] = equal.moments_after(0.0);
        near(one, 40_f64.powi(2) * 3.0 / 0.2 / 2.0, 0.02);
        near(two, 40_f64.powi(3) * 3.0 / 0.2 / 3.0, 0.02);
        near(three, 40_f64.powi(4) * 3.0 / 0.2 / 4.0, 0.02);
        // From the middle on a quarter is left, and nothing at the end.
        near(equal.moments_after(until(&equal, 20.0))[0], one / 4.0, 0.05);
        assert!(equal.moments_after(1e6)[0] < 1e-9);
    }

    #[test]
    fn a_line_lets_them_through_as_slowly_as_holds_are_beside_the_throng() {
        let line = |line: f64, work: f64| Part {
            line,
            ..there(100.0, work)
        };
        // Of a line that is much quicker than the station all are there soon; of one that is slower nearly nobody is, and it
        // lasts for as long as the line.
        let quick = Course::of(vec![line(1e-3, 1.0)], beside(0.0));
        near(until(&quick, 1.0), 100.0, 0.1);
        let slow = Course::of(vec![line(1000.0, 1.0)], beside(0.0));
        assert!(until(&slow, 2.0) < 1e-9);
        let gone = until(&slow, 0.05);
        assert!((1000.0..1200.0).contains(&gone), "{gone}");
        // With as many as usual beside them holds take twice as long: who is there for long holds the line up.
        let shared = Beside {
            usual: 10.0,
            ..beside(0.0)
        };
        let last = |parts: Vec<Part>| until(&Course::of(parts, shared), 1e-3);
        let quick_ones = line(1000.0, 1e-3);
        let (alone, held_up) = (
            last(vec![quick_ones]),
            last(vec![there(10.0, 200.0), quick_ones]),
        );
        assert!(held_up > alone + 500.0, "{held_up} {alone}");
    }
}
