//! Work by station.

/// Stations that a command usually meets.
const STATIONS_USUAL: usize = 8;

/// Demand of one piece of work at each station \[s\], by the station's index.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::system) struct Demand(Vec<(usize, f64)>);

/// The same where it lies in another's memory.
#[derive(Debug, Clone, Copy)]
pub(in crate::system) struct Seconds<'d>(&'d [(usize, f64)]);

impl<'d> Seconds<'d> {
    /// By station in their order, each once, those without work left out.
    pub(in crate::system) fn of(stations: &'d [(usize, f64)]) -> Self {
        Self(stations)
    }

    pub(in crate::system) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    pub(in crate::system) fn get(self, station: usize) -> f64 {
        let found = self.0.iter().find(|(k, _)| *k == station);
        found.map_or(0.0, |(_, seconds)| *seconds)
    }

    /// In the order of the stations.
    pub(in crate::system) fn iter(self) -> impl Iterator<Item = (usize, f64)> + 'd {
        self.0.iter().copied()
    }

    /// With so many times as long a stay at each station \[s\].
    pub(in crate::system) fn stretched(self, stretch: &[f64]) -> f64 {
        self.0.iter().map(|(k, d)| d * stretch[*k]).sum()
    }
}

impl Demand {
    pub(in crate::system) fn add(&mut self, station: usize, seconds: f64) {
        if seconds > 0.0 {
            if self.0.capacity() == 0 {
                self.0.reserve(STATIONS_USUAL);
            }
            // So few that a search from the end beats a tree.
            let after = self.0.iter().rposition(|(k, _)| *k <= station);
            match after {
                Some(at) if self.0[at].0 == station => self.0[at].1 += seconds,
                _ => self.0.insert(after.map_or(0, |at| at + 1), (station, seconds)),
            }
        }
    }

    /// Adds all of another.
    pub(in crate::system) fn join(&mut self, other: &Self) {
        for (station, seconds) in other.iter() {
            self.add(station, seconds);
        }
    }

    /// One beyond the last station.
    pub(in crate::system) fn reach(&self) -> usize {
        self.0.last().map_or(0, |(k, _)| k + 1)
    }

    pub(in crate::system) fn seconds(&self) -> Seconds<'_> {
        Seconds(&self.0)
    }

    /// At all stations together \[s\].
    pub(in crate::system) fn sum(&self) -> f64 {
        self.0.iter().map(|(_, seconds)| seconds).sum()
    }

    /// In the order of the stations.
    pub(in crate::system) fn iter(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.seconds().iter()
    }
}
