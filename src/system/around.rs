//! What is around an instance of p4d whose commands are looked at: those whom the last round's pauses let go, at the stations that
//! all instances share.
//!
//! Knows whom to ask for that, and that holds are quieter in the rest of the time; not how any of it comes about
//! ([`super::throngs`], [`super::contention`]).

use std::borrow::Cow;

use super::balance::{BUSY_MOST, Frame};
use super::contention::Contention;
use super::pauses::Jam;
use super::solve::Effort;
use super::throngs::Throng;
use crate::workload::Arrival;

/// Where it is told; else nothing.
#[derive(Default)]
pub(super) struct Around {
    pub(super) throngs: Vec<Throng>,
    /// What they make of its tables.
    pub(super) jams: Vec<Jam>,
    /// The share of each station that streams from outside leave to those who are let go.
    pub(super) spare: Vec<f64>,
}

/// Stays under locks, and what is around an instance of p4d, with the throngs that the last round's pauses let go, where they
/// are told.
pub(super) fn beside_throngs<'s>(
    frame: &Frame<'_, '_>,
    contention: &Contention<'_>,
    (rates, stretch): (&[f64], &'s [Vec<f64>]),
    effort: Effort,
) -> (Cow<'s, [Vec<f64>]>, Around) {
    let pauses = contention.pauses().filter(|_| effort == Effort::Shown);
    let Some(pauses) = pauses else {
        return (Cow::Borrowed(stretch), Around::default());
    };
    let tables = contention.tables(rates, &frame.plant.all_servers());
    let throngs = frame.throngs(pauses, rates, stretch, &tables.least_room());
    let thronged = frame.thronged(&throngs, rates);
    let around = Around {
        jams: contention.jams(&throngs, &tables),
        spare: frame.spare_beside_streams(rates),
        throngs,
    };
    let calm = frame.calm(stretch, &thronged);
    (Cow::Owned(calm), around)
}

impl Frame<'_, '_> {
    /// The share of each station that streams from outside leave.
    fn spare_beside_streams(&self, rates: &[f64]) -> Vec<f64> {
        let stations = self.plant.stations.iter().enumerate();
        let spare = stations.map(|(k, (station, _))| {
            if !station.kind.greatest_speed().is_finite() {
                return 1.0;
            }
            let open = self.pieces.iter().filter(|piece| {
                let arrival = self.load.groups[piece.group].arrival;
                matches!(arrival, Arrival::Open { .. })
            });
            let busy = open.map(|piece| rates[piece.group] * piece.weight * self.work_of(piece, k));
            1.0 - busy.sum::<f64>().min(BUSY_MOST)
        });
        spare.collect()
    }
}
