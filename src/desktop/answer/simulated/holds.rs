//! From when to when a lock was held, thinned: of the holds that begin in one column of the timeline only the
//! longest is kept, so that a day of millions of holds takes no more room than the screen can show.

/// Columns of a timeline.
pub(super) const COLUMNS: usize = 720;

/// One hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hold {
    /// When it began \[s\].
    pub from: f64,
    /// How long it lasted \[s\].
    pub length: f32,
    /// Index of the activity that held it, or that began to; none for what is not timed.
    pub activity: Option<u16>,
}

/// Holds that follow each other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Holds {
    /// The kept ones, in order.
    kept: Vec<Hold>,
    /// Who holds it now, and since when.
    open: Option<(f64, Option<u16>)>,
}

impl Holds {
    /// Somebody begins to hold it.
    pub(super) fn begin(&mut self, time: f64, activity: Option<usize>) {
        let activity = activity.and_then(|index| u16::try_from(index).ok());
        self.open = Some((time, activity));
    }

    /// It is free again; `column` is the length of a column \[s\].
    pub(super) fn end(&mut self, time: f64, column: f64) {
        let Some((from, activity)) = self.open.take() else {
            return;
        };
        let hold = Hold { from, length: (time - from) as f32, activity };
        let place = |from: f64| (from / column).floor();
        match self.kept.last_mut() {
            Some(last) if place(last.from) == place(from) => {
                if hold.length > last.length {
                    *last = hold;
                }
            }
            _ => self.kept.push(hold),
        }
    }

    /// The longest holds by column, in order, with the one that goes on at `time`.
    pub fn until(&self, time: f64) -> Vec<Hold> {
        let open = self.open.map(|(from, activity)| Hold { from, length: (time - from) as f32, activity });
        self.kept.iter().copied().chain(open).collect()
    }

    /// The longest hold that was going on at some time between two moments.
    pub fn longest(&self, from: f64, until: f64, time: f64) -> Option<Hold> {
        let holds = self.until(time).into_iter();
        holds
            .filter(|hold| hold.from < until && hold.from + f64::from(hold.length) > from)
            .max_by(|a, b| a.length.total_cmp(&b.length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_of_a_column_stays() {
        let mut holds = Holds::default();
        for (from, until, who) in [(0.0, 0.5, 1), (1.0, 3.0, 2), (4.0, 4.1, 3), (11.0, 31.0, 4)] {
            holds.begin(from, Some(who));
            holds.end(until, 10.0);
        }
        holds.begin(40.0, None);
        let kept = holds.until(45.0);
        let who: Vec<Option<u16>> = kept.iter().map(|hold| hold.activity).collect();
        assert_eq!(who, [Some(2), Some(4), None]);
        assert_eq!(kept[2].length, 5.0);
        let longest = holds.longest(20.0, 60.0, 45.0).expect("one goes on");
        assert_eq!(longest.activity, Some(4));
    }
}
