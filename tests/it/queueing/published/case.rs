//! What a published case is: inputs, published figures, source, and which figure of ours answers.

use plimsoll::queueing::{Method, Network, Solution, mixed};

/// One published example.
pub(super) struct Case {
    /// Name of the row; R numbers are those of the project's collection.
    pub(super) id: &'static str,
    /// The inputs, for people.
    pub(super) what: &'static str,
    /// Who published it.
    pub(super) source: &'static str,
    /// The inputs, for the solvers.
    pub(super) subject: Subject,
    /// What was published.
    pub(super) figures: Vec<Figure>,
}

/// How a case is answered.
pub(super) enum Subject {
    /// By a method for networks.
    Network(Network, Method),
    /// By formulas of single stations, of locks or of bounds: one value for each figure.
    Formulas(Vec<f64>),
}

/// One published number.
pub(super) struct Figure {
    pub(super) quantity: Quantity,
    /// As printed: digits, or a fraction.
    pub(super) published: &'static str,
    /// Largest difference accepted.
    pub(super) tolerance: f64,
}

/// Which number it is; classes c and stations k by index.
#[derive(Clone, Copy)]
pub(super) enum Quantity {
    /// Of a formula, by name.
    Named(&'static str),
    /// Throughput of a class.
    X(usize),
    /// Visits of a class to a station a second.
    Visits(usize, usize),
    /// Response time of a class.
    R(usize),
    /// Residence time of a class at a station, over all visits.
    Residence(usize, usize),
    /// Time a visit of a class to a station.
    Visit(usize, usize),
    /// Number of customers of a class at a station.
    Q(usize, usize),
    /// Number of customers of all classes at a station.
    Number(usize),
    /// Utilization of a station by a class, or number in service at a delay.
    Busy(usize, usize),
    /// Utilization of a station.
    U(usize),
}

/// Half a unit of the last digit; a fraction is exact.
fn tolerance_of(published: &str) -> f64 {
    if published.contains('/') {
        return 1e-9;
    }
    let decimals = published.split_once('.').map_or("", |(_, digits)| digits);
    decimals.chars().fold(0.5, |unit, _| unit / 10.0)
}

/// The number that a text says.
pub(super) fn value_of(published: &str) -> f64 {
    let number = |text: &str| text.parse::<f64>().unwrap();
    published.split_once('/').map_or_else(|| number(published), |(over, under)| number(over) / number(under))
}

/// Figures that are right to their last digit.
pub(super) fn figures<const N: usize>(printed: [(Quantity, &'static str); N]) -> Vec<Figure> {
    figures_within(1.0, printed)
}

/// Figures that the source rounded on the way, or cut off: within so many halves of the last digit.
pub(super) fn figures_within<const N: usize>(halves: f64, printed: [(Quantity, &'static str); N]) -> Vec<Figure> {
    printed
        .into_iter()
        .map(|(quantity, published)| Figure {
            quantity,
            published,
            // A last digit may have been rounded from nearly a five.
            tolerance: tolerance_of(published) * halves * 1.01,
        })
        .collect()
}

/// Figures whose source computed them less closely than it prints: within a part of each.
pub(super) fn figures_about<const N: usize>(part: f64, printed: [(Quantity, &'static str); N]) -> Vec<Figure> {
    let mut figures = figures(printed);
    for figure in &mut figures {
        figure.tolerance = part * value_of(figure.published);
    }
    figures
}

/// Figures named by themselves, for formulas.
pub(super) fn named<const N: usize>(printed: [(&'static str, &'static str); N]) -> Vec<Figure> {
    figures(printed.map(|(name, published)| (Quantity::Named(name), published)))
}

impl Case {
    /// Our answers to its figures.
    pub(super) fn answers(&self) -> Vec<f64> {
        match &self.subject {
            Subject::Formulas(values) => {
                assert_eq!(values.len(), self.figures.len(), "{}", self.id);
                values.clone()
            }
            Subject::Network(network, method) => {
                self.by(network, *method).unwrap_or_else(|| panic!("{}: {:?}", self.id, mixed::solve(network, *method)))
            }
        }
    }

    /// The same by another method; none where it does not apply.
    pub(super) fn by(&self, network: &Network, method: Method) -> Option<Vec<f64>> {
        let solution = mixed::solve(network, method).ok()?;
        let values = self.figures.iter();
        Some(values.map(|figure| figure.quantity.of(network, &solution)).collect())
    }
}

impl Quantity {
    fn of(self, network: &Network, solution: &Solution) -> f64 {
        let visits = |c: usize, k: usize| network.classes[c].visits_at(k);
        let class = |c: usize| &solution.classes[c];
        match self {
            Self::Named(name) => panic!("`{name}` is not a figure of networks"),
            Self::X(c) => class(c).throughput,
            Self::Visits(c, k) => class(c).throughput * visits(c, k),
            Self::R(c) => class(c).response_time,
            Self::Residence(c, k) => class(c).residence_time[k],
            Self::Visit(c, k) => class(c).residence_time[k] / visits(c, k),
            Self::Q(c, k) => class(c).queue_length[k],
            Self::Number(k) => solution.stations[k].queue_length,
            Self::Busy(c, k) => {
                let servers = network.stations[k].kind.greatest_speed();
                let busy = class(c).throughput * network.classes[c].demands[k];
                busy / if servers.is_finite() { servers } else { 1.0 }
            }
            Self::U(k) => solution.stations[k].utilization,
        }
    }

    /// How the table calls it.
    pub(super) fn label(self, network: Option<&Network>) -> String {
        let class = |c: usize| network.map_or_else(String::new, |n| n.classes[c].name.clone());
        let station = |k: usize| network.map_or_else(String::new, |n| n.stations[k].name.clone());
        let several = network.is_some_and(|n| n.classes.len() > 1);
        let at = |letter: &str, c: usize, k: usize| {
            let station = station(k);
            if several { format!("{letter} {}, {station}", class(c)) } else { format!("{letter} {station}") }
        };
        let of = |letter: &str, c: usize| {
            if several { format!("{letter} {}", class(c)) } else { letter.to_owned() }
        };
        match self {
            Self::Named(name) => name.to_owned(),
            Self::X(c) => of("X", c),
            Self::R(c) => of("R", c),
            Self::Visits(c, k) => at("X", c, k),
            Self::Residence(c, k) => at("V·R", c, k),
            Self::Visit(c, k) => at("R", c, k),
            Self::Q(c, k) => at("Q", c, k),
            Self::Busy(c, k) => at("U", c, k),
            Self::Number(k) => format!("Q {}", station(k)),
            Self::U(k) => format!("U {}", station(k)),
        }
    }
}
