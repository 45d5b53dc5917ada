//! Closed networks state by state: the sum of the product form, with no recursion to get wrong.

use plimsoll::queueing::{Network, StationKind, Workload};

use super::case::Quantity;

/// Most states that are summed.
const MOST_STATES: f64 = 400_000.0;

/// Means over all states.
pub(super) struct Enumeration {
    /// Mean number of each class at each station.
    number: Vec<Vec<f64>>,
    /// Mean number of busy servers due to each class at each station.
    busy: Vec<Vec<f64>>,
    throughput: Vec<f64>,
}

/// Sums the states of a network; none if it has open classes, or too many states.
pub(super) fn enumerate(network: &Network) -> Option<Enumeration> {
    let mut populations = Vec::new();
    for class in &network.classes {
        match class.workload {
            Workload::Closed { population, .. } => populations.push(population as usize),
            Workload::Open { .. } => return None,
        }
    }
    let places = network.stations.len() + 1;
    let ways: f64 =
        populations.iter().map(|n| (1..places).map(|i| (n + i) as f64 / i as f64).product::<f64>()).product();
    if ways > MOST_STATES {
        return None;
    }
    let mut sums = Sums {
        network,
        total: 0.0,
        number: vec![vec![0.0; places - 1]; populations.len()],
        busy: vec![vec![0.0; places - 1]; populations.len()],
    };
    let mut state = vec![vec![0; places]; populations.len()];
    sums.place(&mut state, 0, 0, &populations);
    Some(sums.means(&populations))
}

struct Sums<'a> {
    network: &'a Network,
    total: f64,
    number: Vec<Vec<f64>>,
    busy: Vec<Vec<f64>>,
}

impl Sums<'_> {
    /// Puts what is left of a class at each place in turn; the last place is thinking.
    fn place(&mut self, state: &mut [Vec<usize>], class: usize, place: usize, left: &[usize]) {
        let Some(&here) = left.get(class) else {
            self.add(state);
            return;
        };
        if place + 1 == state[class].len() {
            state[class][place] = here;
            self.place(state, class + 1, 0, left);
            return;
        }
        for count in 0..=here {
            state[class][place] = count;
            let mut rest = left.to_vec();
            rest[class] -= count;
            self.place(state, class, place + 1, &rest);
        }
    }

    fn add(&mut self, state: &[Vec<usize>]) {
        let mut weight = 1.0_f64;
        for (class, counts) in self.network.classes.iter().zip(state) {
            let Workload::Closed { think_time, .. } = class.workload else {
                return;
            };
            let demands = class.demands.iter().chain([&think_time]);
            for (demand, count) in demands.zip(counts) {
                for number in 1..=*count {
                    weight *= demand / number as f64;
                }
            }
        }
        let present = |place: usize| -> usize { state.iter().map(|counts| counts[place]).sum() };
        for (place, station) in self.network.stations.iter().enumerate() {
            for number in 1..=present(place) {
                weight *= number as f64 / speed(&station.kind, number);
            }
        }
        self.total += weight;
        for (class, counts) in state.iter().enumerate() {
            for (place, station) in self.network.stations.iter().enumerate() {
                let (own, all) = (counts[place] as f64, present(place));
                if own > 0.0 {
                    let served = speed(&station.kind, all) * own / all as f64;
                    self.number[class][place] += weight * own;
                    self.busy[class][place] += weight * served;
                }
            }
        }
    }

    fn means(self, populations: &[usize]) -> Enumeration {
        let total = self.total;
        let mean = |sums: Vec<Vec<f64>>| -> Vec<Vec<f64>> {
            let row = |row: Vec<f64>| row.into_iter().map(|sum| sum / total).collect();
            sums.into_iter().map(row).collect()
        };
        let (number, busy) = (mean(self.number), mean(self.busy));
        let classes = self.network.classes.iter().zip(populations);
        let throughput = classes
            .zip(number.iter().zip(&busy))
            .map(|((class, population), (number, busy))| {
                // By any station where there is work, else by whoever is thinking.
                let work = class.demands.iter().zip(busy).find(|(demand, _)| **demand > 0.0);
                match (work, class.workload) {
                    (Some((demand, busy)), _) => busy / demand,
                    (None, Workload::Closed { think_time, .. }) => {
                        (*population as f64 - number.iter().sum::<f64>()) / think_time
                    }
                    (None, Workload::Open { .. }) => 0.0,
                }
            })
            .collect();
        Enumeration { number, busy, throughput }
    }
}

fn speed(kind: &StationKind, number: usize) -> f64 {
    match kind {
        StationKind::Delay => number as f64,
        StationKind::Queueing { servers } => number.min(*servers as usize) as f64,
        StationKind::LoadDependent { speeds } => speeds[number.min(speeds.len()) - 1],
        StationKind::Link { capacity } => capacity.min(number as f64),
    }
}

impl Enumeration {
    /// What a solver should say.
    pub(super) fn of(&self, quantity: Quantity, network: &Network) -> f64 {
        let visits = |c: usize, k: usize| network.classes[c].visits_at(k);
        let residence = |c: usize, k: usize| self.number[c][k] / self.throughput[c];
        let busy = |c: usize, k: usize| {
            let servers = network.stations[k].kind.greatest_speed();
            self.busy[c][k] / if servers.is_finite() { servers } else { 1.0 }
        };
        let all = 0..network.classes.len();
        match quantity {
            Quantity::Named(name) => panic!("`{name}` is not a figure of networks"),
            Quantity::X(c) => self.throughput[c],
            Quantity::Visits(c, k) => self.throughput[c] * visits(c, k),
            Quantity::R(c) => (0..network.stations.len()).map(|k| residence(c, k)).sum(),
            Quantity::Residence(c, k) => residence(c, k),
            Quantity::Visit(c, k) => residence(c, k) / visits(c, k),
            Quantity::Q(c, k) => self.number[c][k],
            Quantity::Number(k) => all.map(|c| self.number[c][k]).sum(),
            Quantity::Busy(c, k) => busy(c, k),
            Quantity::U(k) => all.map(|c| busy(c, k)).sum(),
        }
    }
}
