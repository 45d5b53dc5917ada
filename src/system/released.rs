//! Commands that the end of a hold lets go together: they are at the stations together.
//!
//! Two exponential jobs that come to a processor-sharing station together are both there for as long as the shorter one needs:
//! with demands a and b that is a·b/(a + b) on average, by which each stays longer. Who comes and goes meanwhile is there as
//! well: where jobs of b come so often that they keep a share ρ of the station busy, it takes 1/(1 − Σ ρ·a/(a + b)) times as
//! long (bulk arrivals; Kleinrock, Muntz and Rodemich 1971, where there are many in a bulk). What they leave for later comes
//! with them. Who stands in line for tables is at no station yet: of both waits the longer counts.
//!
//! Who comes to a station then finds more there than as many who come alone. When each has had x since n were let go, there
//! are y = n·e^(−(1 − ρ)·x/b) of them and of those who came meanwhile, which takes 1 + y times as long besides: Σ y² over x,
//! n·n·b/(2·(1 − ρ)) in all. That holds him up for the part of his stay that is for others. It is told of holds that are no
//! pauses: those whom a pause lets go come out of lines that last for as long as that, and stations were the emptier before.
//!
//! Knows who is let go with how many, and how long they stand in line ([`super::pauses`]); not why.

use super::balance::{BUSY_MOST, Frame};
use super::links::Late;
use super::pauses::{LetGo, Pauses};
use super::solve::Piece;

/// A stay that is worth telling \[s\].
const LEAST: f64 = 1e-9;

/// Who is at a station of one server, by work there \[s\].
#[derive(Default)]
struct Bulk {
    /// How many are let go together.
    let_go: Vec<(f64, f64)>,
    /// How often one of these is let go \[1/s\].
    flow: Vec<f64>,
    /// How often who comes and goes does \[1/s\].
    coming: Vec<(f64, f64)>,
}

impl Bulk {
    /// How long one with this demand who is let go with them is held up \[s\].
    fn hold_up(&self, demand: f64) -> f64 {
        together(&self.let_go, demand) / (1.0 - together(&self.coming, demand).min(BUSY_MOST))
    }

    /// How many more are there, of all who come, than where all come alone.
    fn more(&self) -> f64 {
        let flow = self.flow.iter().zip(&self.let_go);
        let sum: f64 = flow
            .map(|(often, (_, work))| often * together(&self.let_go, *work))
            .sum();
        let busy: f64 = self.coming.iter().map(|(often, work)| often * work).sum();
        sum / (1.0 - busy.min(BUSY_MOST))
    }
}

/// How long one of this work is there with all of these, which come to it together \[s\].
fn together(all: &[(f64, f64)], work: f64) -> f64 {
    let all = all.iter();
    all.map(|(many, other)| many * work * other / (work + other))
        .sum()
}

/// By how much pieces stay longer.
struct Longer {
    /// By piece and station \[s\].
    stays: Vec<Vec<f64>>,
    /// By piece, but for what they stand in line meanwhile \[s\].
    seconds: Vec<f64>,
}

impl Frame<'_, '_> {
    /// Who stays for longer because he or others are let go together, where groups' cycles come so often and stays are so
    /// much longer than demands.
    pub(super) fn released(
        &self,
        pauses: &Pauses,
        rates: &[f64],
        stretch: &[Vec<f64>],
    ) -> Vec<Late> {
        let stations = self.plant.stations.len();
        let mut longer = Longer {
            stays: vec![vec![0.0; stations]; self.pieces.len()],
            seconds: vec![0.0; self.pieces.len()],
        };
        for routes in pauses.let_go_by_pauses() {
            let let_go = self.let_go(pauses, routes, rates);
            self.stay_together(&let_go, &self.bulks(rates, &let_go), &mut longer);
        }
        let mut more = vec![0.0; stations];
        for routes in pauses.let_go_by_others() {
            let let_go = self.let_go(pauses, routes, rates);
            let bulks = self.bulks(rates, &let_go);
            self.stay_together(&let_go, &bulks, &mut longer);
            for (more, bulk) in more.iter_mut().zip(&bulks) {
                *more += bulk.more();
            }
        }
        self.meet(&more, stretch, &mut longer);
        let late = longer.seconds.into_iter().zip(longer.stays).enumerate();
        let late = late.filter_map(|(piece, (seconds, stays))| {
            let stays = stays.into_iter().enumerate();
            let (station, _) = stays.max_by(|a, b| a.1.total_cmp(&b.1))?;
            (seconds > LEAST).then_some(Late {
                piece,
                station,
                seconds,
            })
        });
        late.collect()
    }

    /// What a piece has to do at a station, later as well, by all servers \[s\].
    pub(super) fn work_of(&self, piece: &Piece<'_>, k: usize) -> f64 {
        (piece.cost.total().get(k) + piece.cost.later().get(k)) / self.plant.servers(k)
    }

    /// How long each piece is held up by those who are let go with it, were it at no line \[s\].
    pub(super) fn held_up(&self, let_go: &[LetGo], rates: &[f64]) -> Vec<f64> {
        let bulks = self.bulks(rates, let_go);
        let pieces = self.pieces.iter();
        let held_up = pieces.map(|piece| {
            let waited = piece.waited().iter();
            let waited = waited.map(|(k, demand)| bulks[k].hold_up(demand / self.plant.servers(k)));
            waited.sum()
        });
        held_up.collect()
    }

    /// Of those who are let go, by route, those of each piece.
    pub(super) fn let_go(&self, pauses: &Pauses, routes: &[LetGo], rates: &[f64]) -> Vec<LetGo> {
        let pieces = self.pieces.iter().enumerate();
        let let_go = pieces.map(|(p, piece)| {
            let rate = rates[piece.group] * piece.weight / self.load.instances;
            pauses.let_go(routes, p, rate)
        });
        let_go.collect()
    }

    /// Adds what those who are let go hold up each other.
    fn stay_together(&self, let_go: &[LetGo], bulks: &[Bulk], longer: &mut Longer) {
        for (p, own) in let_go.iter().enumerate() {
            let mut together = 0.0;
            for (k, demand) in self.pieces[p].waited().iter() {
                if own.likely * demand > LEAST {
                    let longer_there = bulks[k].hold_up(demand / self.plant.servers(k));
                    longer.stays[p][k] += own.likely * longer_there;
                    together += longer_there;
                }
            }
            longer.seconds[p] += own.likely * (together - own.in_line).max(0.0);
        }
    }

    /// Adds what those hold up who come while so many more than usual are at each station.
    fn meet(&self, more: &[f64], stretch: &[Vec<f64>], longer: &mut Longer) {
        for (p, piece) in self.pieces.iter().enumerate() {
            if self.load.groups[piece.group].never_thinks() {
                continue;
            }
            for (k, demand) in piece.waited().iter() {
                let for_others = 1.0 - 1.0 / stretch[piece.group][k].max(1.0);
                let stay = demand / self.plant.servers(k) * more[k] * for_others;
                longer.stays[p][k] += stay;
                longer.seconds[p] += stay;
            }
        }
    }

    /// Who is at each station where so many of each piece are let go.
    fn bulks(&self, rates: &[f64], let_go: &[LetGo]) -> Vec<Bulk> {
        let stations = self.plant.stations.iter().enumerate();
        let bulks = stations.map(|(k, (station, _))| {
            let mut bulk = Bulk::default();
            if !station.kind.greatest_speed().is_finite() {
                return bulk;
            }
            for (piece, let_go) in self.pieces.iter().zip(let_go) {
                let work = self.work_of(piece, k);
                if work > 0.0 {
                    let often = rates[piece.group] * piece.weight;
                    bulk.let_go.push((let_go.many, work));
                    bulk.flow.push(often * let_go.likely);
                    if !self.load.groups[piece.group].never_thinks() {
                        bulk.coming.push((often, work));
                    }
                }
            }
            bulk
        });
        bulks.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Bulk;

    #[test]
    fn a_bulk_is_held_up_by_itself_and_by_who_comes_meanwhile() {
        let (many, demand, busy) = (100.0, 3.0, 0.8);
        let mut bulk = Bulk {
            let_go: vec![(many, demand)],
            ..Bulk::default()
        };
        // On average half of the others are through before one of them.
        assert!((bulk.hold_up(demand) - many * demand / 2.0).abs() < 1e-9);
        // n(a) = n·e^(−(1 − ρ)·a/D) of them are there when each has had a: n·D/(2 − ρ) on average over a (Kleinrock, Muntz
        // and Rodemich 1971).
        bulk.coming.push((busy / demand, demand));
        let longer = bulk.hold_up(demand);
        assert!(
            (longer - many * demand / (2.0 - busy)).abs() < 1e-9,
            "{longer}"
        );
        // Who needs hardly anything is not held up by those who come after him.
        assert!((bulk.hold_up(1e-6) / (many * 1e-6) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn who_comes_alone_finds_as_many_more_as_where_all_come_in_bulks() {
        // Where λ bulks of n come a second and nobody alone, ρ·(n − 1)/(2·(1 − ρ)) more are there than where all come alone
        // (M^[X]/M/1): of n² pairs in a bulk n are of one with himself.
        let (often, many, work) = (0.01, 20.0, 3.0);
        let busy = often * many * work;
        let bulk = Bulk {
            let_go: vec![(many, work)],
            flow: vec![often * many],
            coming: vec![(often * many, work)],
        };
        let exact = busy * (many - 1.0) / (2.0 * (1.0 - busy));
        let told = bulk.more() * (many - 1.0) / many;
        assert!((told / exact - 1.0).abs() < 1e-12, "{told} {exact}");
    }
}
