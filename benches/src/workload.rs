//! The three networks that every engine simulates, with the exact answer of each.

/// A network to simulate.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Workload {
    /// M/M/1: arrivals at 0.8 /s, one server of mean 1 s, first come first served.
    Single,
    /// Closed: 100 customers think 10 s, then take 0.2 s of a processor shared among all on 4 cores,
    /// then 0.1 s of a disk, first come first served; all exponential.
    Closed,
    /// M/M/8: arrivals at 6.4 /s, eight servers of mean 1 s, first come first served.
    Eight,
}

/// Customers of [`Workload::Closed`].
pub const CUSTOMERS: u32 = 100;
/// Its mean think time \[s\].
pub const THINK: f64 = 10.0;
/// Its mean processor time \[s\].
pub const PROCESSOR: f64 = 0.2;
/// Its cores.
pub const CORES: u32 = 4;
/// Its mean disk time \[s\].
pub const DISK: f64 = 0.1;

/// What one run of an engine found.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Arrivals from outside and completed services; of the closed network completions, thinking
    /// included.
    pub events: u64,
    /// Mean response time \[s\], or of the closed network cycles a second.
    pub answer: f64,
}

impl Workload {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 3] = [Self::Single, Self::Closed, Self::Eight];

    /// Its letter and name.
    pub fn title(self) -> &'static str {
        match self {
            Self::Single => "(a) M/M/1, 80 % busy",
            Self::Closed => "(b) closed, 100 customers",
            Self::Eight => "(c) M/M/8, 80 % busy",
        }
    }

    /// What is asked, and its exact value: closed forms, and for (b) exact mean value analysis.
    pub fn truth(self) -> (&'static str, f64) {
        match self {
            Self::Single => ("W", 5.0),
            Self::Closed => ("X", 9.119_254_577),
            Self::Eight => ("W", 1.286_028_1),
        }
    }

    /// Servers, and arrivals a second, of the open ones.
    pub fn open(self) -> (usize, f64) {
        match self {
            Self::Single => (1, 0.8),
            Self::Eight => (8, 6.4),
            Self::Closed => unreachable!("the closed network has no arrivals"),
        }
    }
}
