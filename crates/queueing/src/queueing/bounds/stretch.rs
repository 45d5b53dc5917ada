//! How much longer a customer stays at a station than its service takes.
//!
//! In a network of product form whoever arrives at a station and finds n − 1 closed customers stays
//! D·n/s(n), where s are the station's speeds with n customers (slowed down by open classes, which
//! get through in any case). Between the least of n/s(n) and a line above it lies every answer.

use super::super::closed_forms::shared_link;
use super::super::levels::Levels;
use super::super::network::StationKind;

/// Time at a station over its demand, by the customers found there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stretch {
    /// Least, whoever is there.
    pub(super) least: f64,
    /// At most, if no closed customer is there.
    pub(super) alone: f64,
    /// What each closed customer adds at most.
    pub(super) each: f64,
    /// What each closed customer adds at least.
    pub(super) each_at_least: f64,
}

impl Stretch {
    /// Of a station to which open classes bring `open_load`, below what it can do.
    pub(super) fn new(kind: &StationKind, open_load: f64) -> Self {
        match kind {
            StationKind::Delay => Self { least: 1.0, alone: 1.0, each: 0.0, each_at_least: 0.0 },
            StationKind::Queueing { servers } => Self::of_servers(f64::from(*servers), open_load),
            StationKind::Link { capacity } => Self::of_servers(*capacity, open_load),
            StationKind::LoadDependent { speeds } => {
                // More customers than speeds do not matter: the last speed stays.
                let most = speeds.len() as f64;
                Self::of_levels(&Levels::new(speeds, open_load, most))
            }
        }
    }

    /// Servers, or streams that fill a link: of each customer the speed is at most 1.
    fn of_servers(servers: f64, open_load: f64) -> Self {
        let each = 1.0 / (servers - open_load);
        // As many streams as this hardly wait, but bounds are bounds.
        let slowest = servers.min(1.0);
        let (least, alone) = shared_link(open_load, 1.0, servers, slowest)
            .map_or((1.0, servers * each), |open| (open.response_time, open.response_time));
        Self { least, alone, each, each_at_least: if servers <= 1.0 { each } else { 0.0 } }
    }

    fn of_levels(levels: &Levels) -> Self {
        let (speeds, alone) = (&levels.speeds, levels.first());
        let last = 1.0 / speeds[speeds.len() - 1];
        let (mut least, mut each) = (alone, last);
        for (n, speed) in (2..).map(f64::from).zip(&speeds[1..]) {
            least = least.min(n / speed);
            each = each.max((n / speed - alone) / (n - 1.0));
        }
        Self { least, alone, each, each_at_least: 0.0 }
    }
}
