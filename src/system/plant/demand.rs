//! Work by station.

/// Stations that a command usually meets.
const STATIONS_USUAL: usize = 8;

/// Demand of one piece of work at each station \[s\], by the station's index.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::system) struct Demand(Vec<(usize, f64)>);

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
                _ => self
                    .0
                    .insert(after.map_or(0, |at| at + 1), (station, seconds)),
            }
        }
    }

    /// By station; those without work are left out.
    pub(in crate::system) fn of(seconds: impl Iterator<Item = f64>) -> Self {
        let mut stations = Vec::new();
        for (k, seconds) in seconds.enumerate() {
            if seconds > 0.0 {
                if stations.capacity() == 0 {
                    stations.reserve(STATIONS_USUAL);
                }
                stations.push((k, seconds));
            }
        }
        Self(stations)
    }

    /// One beyond the last station.
    pub(in crate::system) fn reach(&self) -> usize {
        self.0.last().map_or(0, |(k, _)| k + 1)
    }

    pub(in crate::system) fn get(&self, station: usize) -> f64 {
        let found = self.0.iter().find(|(k, _)| *k == station);
        found.map_or(0.0, |(_, seconds)| *seconds)
    }

    /// In the order of the stations.
    pub(in crate::system) fn iter(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.0.iter().copied()
    }
}
