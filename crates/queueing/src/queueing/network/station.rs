//! Stations: how many customers they serve at a time, how fast, and whom first.

/// A place where customers are served.
#[derive(Clone, Debug, PartialEq)]
pub struct Station {
    /// Name for messages.
    pub name: String,
    /// How fast it serves.
    pub kind: StationKind,
    /// Who is served next; of no meaning at a delay and at a link.
    pub discipline: Discipline,
}

/// How fast a station serves its customers.
#[derive(Clone, Debug, PartialEq)]
pub enum StationKind {
    /// Nobody waits: time passes for each customer alone.
    Delay,
    /// Parallel servers of speed 1.
    Queueing {
        /// Parallel servers, m, from 1 to [`MOST_SERVERS`](super::MOST_SERVERS).
        servers: u32,
    },
    /// The speed depends on how many customers are there, whichever classes they are of.
    LoadDependent {
        /// Speed of the whole station with 1, 2, … customers, in service per time; the last for all
        /// beyond. Each above zero; from 1 to [`MOST_SERVERS`](super::MOST_SERVERS) of them.
        speeds: Vec<f64>,
    },
    /// A line that streams share: one alone gets no more than window ÷ round trip, n of them get no
    /// more than the line. Demands are the times of one stream alone.
    Link {
        /// Streams that fill the line, c > 0; not always whole. Each of n streams has a speed of
        /// min(1, c/n).
        capacity: f64,
    },
}

/// Who is served next at a station with servers or load-dependent speed.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Discipline {
    /// Everybody at once: product form with any service.
    #[default]
    Ps,
    /// First come, first served: product form if all classes have the same exponential service.
    Fcfs,
    /// The last one preempts, and the preempted one resumes: product form with any service at one server.
    LcfsPr,
    /// Lowest [`Class::priority`](super::Class::priority) first, then first come; whoever is served
    /// is served to the end.
    Priority,
    /// Lowest [`Class::priority`](super::Class::priority) first; a better one preempts, and the
    /// preempted one resumes.
    PreemptivePriority,
}

impl Discipline {
    /// Whether classes are served by their priority.
    pub fn is_ranked(self) -> bool {
        matches!(self, Self::Priority | Self::PreemptivePriority)
    }

    /// Whether a better customer takes the server from a worse one.
    pub fn preempts(self) -> bool {
        self == Self::PreemptivePriority
    }
}

impl Station {
    /// A station of any kind, with processor sharing.
    pub fn new(name: impl Into<String>, kind: StationKind) -> Self {
        Self { name: name.into(), kind, discipline: Discipline::default() }
    }

    /// A station with `servers` parallel servers, m, and processor sharing.
    pub fn queueing(name: impl Into<String>, servers: u32) -> Self {
        Self::new(name, StationKind::Queueing { servers })
    }

    /// A station where nobody waits.
    pub fn delay(name: impl Into<String>) -> Self {
        Self::new(name, StationKind::Delay)
    }

    /// A station whose speed with 1, 2, … customers is given, the last for all beyond.
    pub fn load_dependent(name: impl Into<String>, speeds: Vec<f64>) -> Self {
        Self::new(name, StationKind::LoadDependent { speeds })
    }

    /// A line of `bandwidth` bytes/s whose streams each have at most `window` bytes on the way
    /// during a round trip of `rtt` seconds. The demand of a stream of b bytes is b·rtt/window.
    ///
    /// ```
    /// use plimsoll_queueing::queueing::{Station, StationKind};
    ///
    /// // A 10 MB/s line, 1 MB windows, 250 ms: 4 MB/s a stream.
    /// let line = Station::link("line", 10e6, 1e6, 0.25);
    /// assert_eq!(line.kind, StationKind::Link { capacity: 2.5 });
    /// ```
    pub fn link(name: impl Into<String>, bandwidth: f64, window: f64, rtt: f64) -> Self {
        let capacity = bandwidth * rtt / window;
        Self::new(name, StationKind::Link { capacity })
    }

    /// The same with another discipline.
    #[must_use]
    pub fn with_discipline(mut self, discipline: Discipline) -> Self {
        self.discipline = discipline;
        self
    }
}

impl StationKind {
    /// The most that the station can do, in service per time: m servers, the greatest of its speeds,
    /// c streams; infinite at a delay.
    pub fn greatest_speed(&self) -> f64 {
        match self {
            Self::Delay => f64::INFINITY,
            Self::Queueing { servers } => f64::from(*servers),
            Self::LoadDependent { speeds } => speeds.iter().copied().fold(0.0, f64::max),
            Self::Link { capacity } => *capacity,
        }
    }

    /// Whether it does less with more customers.
    pub fn slows_down(&self) -> bool {
        match self {
            Self::LoadDependent { speeds } => speeds.windows(2).any(|pair| pair[1] < pair[0]),
            _ => false,
        }
    }

    /// What the station does when ever more customers are there; infinite at a delay. Open arrivals
    /// that bring more saturate it.
    pub fn last_speed(&self) -> f64 {
        match self {
            Self::LoadDependent { speeds } => speeds.last().copied().unwrap_or(0.0),
            _ => self.greatest_speed(),
        }
    }
}
