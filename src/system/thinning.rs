//! Whoever comes to a station while a throng there thins out.
//!
//! While a throng is so large that tables are shut, commands stand at these ([`super::pauses`]). Once these are open the rest of
//! it is still there, and holds up everybody who comes to the station: for that part of his stay that is for others, as many
//! times as long as there are more ([`super::throngs`]).
//!
//! Knows who comes to stations, and from when on; not how a throng came there ([`super::throngs`]).

use super::around::Around;
use super::balance::Frame;
use super::links::Late;
use super::pauses::Pauses;

/// A stay that is worth telling \[s\].
const LEAST: f64 = 1e-9;

impl Frame<'_, '_> {
    /// By how much pieces stay longer beside what is left of throngs when the jams that these make let them pass, where stays are
    /// so much longer than demands.
    pub(super) fn thinning(
        &self,
        pauses: &Pauses,
        around: &Around,
        stretch: &[Vec<f64>],
    ) -> Vec<Late> {
        let mut late = Vec::new();
        for jam in &around.jams {
            let throng = &around.throngs[jam.throng];
            let station = throng.station;
            // Most pieces pass when the same table opens.
            let mut known = (f64::NAN, 0.0);
            for (p, piece) in self.pieces.iter().enumerate() {
                let demand = piece.waited().get(station);
                if self.load.groups[piece.group].never_thinks() || demand <= 0.0 {
                    continue;
                }
                let from = pauses.let_pass(jam, p);
                if known.0 != from {
                    known = (from, throng.moments_after(from)[0] * throng.each());
                }
                let for_others = 1.0 - 1.0 / stretch[piece.group][station].max(1.0);
                let seconds = demand * jam.often * known.1 * for_others;
                if seconds > LEAST {
                    late.push(Late {
                        piece: p,
                        station,
                        seconds,
                    });
                }
            }
        }
        late
    }
}
