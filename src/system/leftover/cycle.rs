//! How much of a client's work at a station is done beside what it left there for later, turn by turn.
//!
//! What was left begins to be done when the cycle does, and goes on while the client is anywhere else: of a large sync that
//! waits for its first round trips for minutes hardly anything is still left when it comes to the disks. Beside the client
//! both have as much of a server: as much of the one is done as of the other.
//!
//! Knows what one cycle does in its order; not who else is there ([`super`]).
//!
//! Assumption: anywhere else it is as long as it would be alone.

use crate::system::solve::Piece;

/// What is done at a station in a cycle of a piece, in its order.
pub(in crate::system) struct Cycle {
    pub(super) piece: usize,
    /// How often a cycle of its group.
    pub(super) weight: f64,
    turns: Vec<Turn>,
}

/// Under the locks of a section, or between two.
struct Turn {
    section: Option<usize>,
    /// Work anywhere else since the turn before, and here \[s\].
    elsewhere: f64,
    here: f64,
}

/// What a turn meets of what was left.
pub(super) struct Met {
    pub(super) section: Option<usize>,
    /// Work that is done beside it \[s\].
    pub(super) beside: f64,
    /// What each server still has of it when the turn is over \[s\].
    pub(super) left: f64,
    /// For how long such a turn is anywhere else first \[s\].
    pub(super) elsewhere: f64,
}

impl Cycle {
    pub(super) fn of(index: usize, piece: &Piece<'_>, station: usize) -> Self {
        let cost = &piece.cost;
        let mut cycle = Self {
            piece: index,
            weight: piece.weight,
            turns: Vec::new(),
        };
        let mut elsewhere = 0.0;
        for (s, section) in cost.sections.iter().enumerate() {
            for (section, list) in [(None, &section.before), (Some(s), &section.inside)] {
                cycle.turn(section, cost.list(list).iter(), station, &mut elsewhere);
            }
        }
        let rest = cost.total().iter().map(|(k, _)| (k, cost.after_tables(k)));
        let rest = rest.filter(|(_, seconds)| *seconds > 0.0);
        cycle.turn(None, rest, station, &mut elsewhere);
        cycle
    }

    /// Adds what is done in a section, or between two, after so long anywhere else: by station, in its order.
    fn turn(
        &mut self,
        section: Option<usize>,
        work: impl Iterator<Item = (usize, f64)>,
        station: usize,
        elsewhere: &mut f64,
    ) {
        for (k, seconds) in work {
            if k == station {
                self.turns.push(Turn {
                    section,
                    elsewhere: std::mem::take(elsewhere),
                    here: seconds,
                });
            } else {
                *elsewhere += seconds;
            }
        }
    }

    /// What each turn meets of what was left where each server has so much of it, which takes so many times as long while the
    /// client is anywhere else.
    pub(super) fn meets(&self, each: f64, stretch: f64) -> impl Iterator<Item = Met> {
        self.turns.iter().scan(each, move |left, turn| {
            *left = (*left - turn.elsewhere / stretch).max(0.0);
            let beside = left.min(turn.here);
            *left -= beside;
            Some(Met {
                section: turn.section,
                beside,
                left: *left,
                elsewhere: turn.elsewhere,
            })
        })
    }
}

#[cfg(test)]
impl Cycle {
    /// One turn of so much work, under the locks of the first section of the first piece, after so long anywhere else.
    pub(super) fn of_one(elsewhere: f64, here: f64) -> Self {
        Self {
            piece: 0,
            weight: 1.0,
            turns: vec![Turn {
                section: Some(0),
                elsewhere,
                here,
            }],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cycle, Turn};

    #[test]
    fn what_is_left_goes_on_while_the_client_is_anywhere_else() {
        let turn = |elsewhere, here| Turn {
            section: None,
            elsewhere,
            here,
        };
        let cycle = Cycle {
            piece: 0,
            weight: 1.0,
            turns: vec![turn(4.0, 3.0), turn(10.0, 5.0), turn(1.0, 5.0)],
        };
        let met = |each| {
            let met = cycle.meets(each, 2.0);
            met.map(|met| (met.beside, met.left)).collect::<Vec<_>>()
        };
        assert_eq!(met(1.0), [(0.0, 0.0); 3]);
        // Of 20 s 2 s are done before, 3 s beside the first turn, 5 s until the second, 5 s beside that.
        assert_eq!(met(20.0), [(3.0, 15.0), (5.0, 5.0), (4.5, 0.0)]);
    }
}
