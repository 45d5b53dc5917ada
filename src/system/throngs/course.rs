//! How many of a throng are at a station as time goes by.
//!
//! Each of n who are there has an equal part of what all others leave of it (processor sharing): of an exponential work b as much
//! is left after dt as e^(−(1 − ρ)·dt/(n·b)). Who stands in line for tables comes as the line lets him through: evenly, for as
//! long as the line lasts by itself. The line is as slow as the holds in it, which take 1 + n/u times as long beside n more than
//! the u that are usual.
//!
//! Knows works and lines; not whose they are.
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

#[derive(Clone, Copy)]
struct At {
    time: f64,
    many: f64,
}

/// How many are there, from the beginning to the end; followed when somebody asks.
pub(super) struct Course {
    throng: Vec<Part>,
    spare: f64,
    usual: f64,
    steps: OnceCell<Vec<At>>,
}

impl Course {
    /// Of a throng of these, on a station of which others leave such a share, with so many jobs as are usual.
    pub(super) fn of(throng: Vec<Part>, spare: f64, usual: f64) -> Self {
        Self {
            throng,
            spare,
            usual,
            steps: OnceCell::new(),
        }
    }

    fn steps(&self) -> &[At] {
        self.steps.get_or_init(|| self.follow())
    }

    fn follow(&self) -> Vec<At> {
        let (throng, spare, usual) = (&self.throng, self.spare, self.usual);
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
            let step = (STEP * time).max(STEP_LEAST * work / spare);
            let ahead = step * usual / (usual + many);
            let speed = spare / many.max(1.0);
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

    /// From when on no more than so many are there \[s\].
    pub(super) fn until(&self, least: f64) -> f64 {
        // Most stations would need more than there are.
        if self.throng.iter().map(|part| part.many).sum::<f64>() <= least {
            return 0.0;
        }
        let steps = self.steps();
        let Some(last) = steps.iter().rposition(|at| at.many > least) else {
            return 0.0;
        };
        let at = steps[last];
        steps.get(last + 1).map_or(at.time, |next| {
            let part = (at.many - least) / (at.many - next.many);
            at.time + part * (next.time - at.time)
        })
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
    use super::{Course, Part};

    fn there(many: f64, work: f64) -> Part {
        Part {
            many,
            work,
            line: 0.0,
        }
    }

    fn near(a: f64, b: f64, part: f64) {
        assert!((a / b - 1.0).abs() < part, "{a} {b}");
    }

    #[test]
    fn a_throng_is_gone_when_its_work_is_done_beside_that_of_others() {
        // Of exponential works that share a station as many are left as have not had theirs: n·b/(1 − ρ) in all.
        let alike = Course::of(vec![there(100.0, 2.0)], 0.5, 1.0);
        assert!(alike.until(100.0) < 1e-9);
        near(alike.until(25.0), 0.75 * 100.0 * 2.0 / 0.5, 0.02);
        near(alike.until(1.0), 400.0, 0.04);
        // Who has little to do is gone soon, who has much is there to the end.
        let unlike = Course::of(vec![there(50.0, 0.02), there(50.0, 4.0)], 0.5, 1.0);
        assert!(unlike.until(40.0) < 0.3 * unlike.until(1.0));
        near(unlike.until(1.0), (1.0 + 200.0) / 0.5, 0.04);
    }

    #[test]
    fn it_is_there_for_as_long_as_its_parts_are_beside_each_other() {
        // When each has had x, dt = n·dx: ∫ n dt is ∫ n² dx, or n·m·a·b/(a + b)/(1 − ρ) of n with works a and m with b each.
        let (few, many) = ((30.0, 4.0), (50.0, 0.5));
        let unlike = Course::of(vec![there(few.0, few.1), there(many.0, many.1)], 0.5, 1.0);
        let beside = |a: (f64, f64), b: (f64, f64)| a.0 * b.0 * a.1 * b.1 / (a.1 + b.1) / 0.5;
        let all = beside(few, few) + 2.0 * beside(few, many) + beside(many, many);
        near(unlike.moments_after(0.0)[0], all, 0.02);
        // ∫ n² dt of equal ones is ∫ n³ dx, and ∫ n³ dt ∫ n⁴ dx.
        let [one, two, three] = Course::of(vec![there(40.0, 3.0)], 0.2, 1.0).moments_after(0.0);
        near(one, 40_f64.powi(2) * 3.0 / 0.2 / 2.0, 0.02);
        near(two, 40_f64.powi(3) * 3.0 / 0.2 / 3.0, 0.02);
        near(three, 40_f64.powi(4) * 3.0 / 0.2 / 4.0, 0.02);
        // From the middle on a quarter is left, and nothing at the end.
        let half = Course::of(vec![there(40.0, 3.0)], 0.2, 1.0);
        near(half.moments_after(half.until(20.0))[0], one / 4.0, 0.05);
        assert!(half.moments_after(1e6)[0] < 1e-9);
    }

    #[test]
    fn a_line_lets_them_through_as_slowly_as_holds_are_beside_the_throng() {
        let line = |line: f64| Part {
            line,
            ..there(100.0, 1.0)
        };
        // Of a line that is quicker than the station all are there soon.
        near(
            Course::of(vec![line(1.0)], 1.0, 1e9).until(1.0),
            100.0,
            0.05,
        );
        // Of one that is slower nearly nobody is, and it lasts for as long as the line.
        let slow = Course::of(vec![line(1000.0)], 1.0, 1e9);
        assert!(slow.until(2.0) < 1e-9);
        let gone = slow.until(0.05);
        assert!((1000.0..1040.0).contains(&gone), "{gone}");
        // With as many as usual beside them holds take twice as long: those who are there for 2000 s hold the line up by 1000 s.
        let held_up = Course::of(vec![there(10.0, 200.0), line(1000.0)], 1.0, 10.0);
        let alone = Course::of(vec![there(10.0, 200.0)], 1.0, 10.0).until(0.05);
        let longer = held_up.until(0.05);
        assert!(
            longer > alone + 100.0 && longer < 2.0 * alone,
            "{longer} {alone}"
        );
    }
}
