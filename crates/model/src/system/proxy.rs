//! Proxies (P4P): machines beside their users that keep the file contents these fetched.

use super::deployment::{Choices, Deployment};
use crate::units::list;

/// Whose proxy it is: beside it stands the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProxyPlace {
    /// The build farm, in the server's town.
    Builds,
    /// A distant office.
    Office(String),
}

impl ProxyPlace {
    /// "beside the build farm", "in Lyon".
    pub fn in_words(&self) -> String {
        match self {
            Self::Builds => "beside the build farm".to_owned(),
            Self::Office(office) => format!("in {office}"),
        }
    }
}

/// A proxy. It answers content alone: metadata, locks and submits are the server's as before.
#[derive(Debug, Clone, PartialEq)]
pub struct Proxy {
    /// Where it stands.
    pub place: ProxyPlace,
    /// Room for its cache \[B\].
    pub cache: f64,
    /// Share of the content that it has when it is asked.
    pub hits: f64,
    /// Machines side by side, each with the whole cache.
    pub machines: f64,
    /// What its drives are. They are in no RAID: what is lost is fetched again.
    pub medium: String,
    /// How many in each machine.
    pub disks: f64,
    /// Size of each \[B\].
    pub disk_bytes: f64,
}

impl Deployment {
    /// "beside the build farm and in Lyon"; nothing without proxies.
    pub fn proxies_in_words(&self) -> String {
        let places = self.proxies.iter().map(|proxy| proxy.place.in_words());
        list(&places.collect::<Vec<_>>())
    }
}

impl Deployment {
    /// "no edge", "an edge in Lyon; a proxy beside the build farm".
    pub fn beside_in_words(&self) -> String {
        let edges = self.edges_in_words();
        if self.proxies.is_empty() { edges } else { format!("{edges}; a proxy {}", self.proxies_in_words()) }
    }
}

impl Choices {
    /// The proxies of which a deployment has something: none in an office with an edge of its own.
    pub fn proxies_beside(&self, served: usize) -> Vec<Proxy> {
        let served = &self.offices[..served.min(self.offices.len())];
        let has_use = |proxy: &&Proxy| match &proxy.place {
            ProxyPlace::Builds => true,
            ProxyPlace::Office(office) => !served.contains(office),
        };
        self.proxies.iter().filter(has_use).cloned().collect()
    }
}
