//! Figures that one provider's things have from another's, since no source gives their own.

use crate::catalog::{Called, Catalog, Named};
use crate::system::Deployment;
use crate::units::Fraction;

/// A thing with the figures of another.
#[derive(Debug, Clone, PartialEq)]
pub struct Borrowed {
    /// What it is.
    pub thing: Named,
    /// Whose figures it has.
    pub of: Named,
    /// The widest relative error that they are given for it, one sigma.
    pub spread: f64,
}

impl Borrowed {
    /// "Azure Ultra Disk has figures of provisioned-operations cloud block volume, with an error of 100 %".
    pub fn in_words(&self) -> String {
        format!("{} has figures of {}, with an error of {}", self.thing, self.of, Fraction::new(self.spread))
    }
}

/// What of a deployment has figures of another provider: its server, volumes and services, each once.
pub fn borrowed(catalog: &Catalog, deployment: &Deployment) -> Vec<Borrowed> {
    let mut found: Vec<Borrowed> = Vec::new();
    let mut add = |thing: Named, of: Option<Named>, spreads: &[f64]| {
        let spread = spreads.iter().copied().fold(0.0, f64::max);
        if let Some(of) = of.filter(|_| found.iter().all(|known| known.thing != thing)) {
            found.push(Borrowed { thing, of, spread });
        }
    };
    if let Some(server) = catalog.servers.get(&deployment.server) {
        let of = server.figures_of.as_ref();
        let of = of.map(|id| catalog.servers.named(id));
        let limits = [&server.storage_bandwidth, &server.network_bandwidth];
        let spreads = limits.map(|limit| limit.as_ref().map_or(0.0, |limit| limit.spread));
        add(server.entry.named(), of, &spreads);
    }
    for number in deployment.servers_and_standby() {
        for mount in deployment.volumes_on(number) {
            let medium = catalog.media.get(&mount.medium);
            if let Some(medium) = medium.filter(|_| mount.is_cloud()) {
                let of = medium.figures_of.as_ref();
                let of = of.map(|id| catalog.media.named(id));
                let (read, write) = (medium.random_read.spread, medium.random_write.spread);
                add(medium.entry.named(), of, &[read, write]);
            }
            let array = catalog.arrays.get(&mount.device);
            if let Some(array) = array.filter(|_| !mount.is_private()) {
                let of = array.figures_of.as_ref();
                let of = of.map(|id| catalog.arrays.named(id));
                add(array.entry.named(), of, &[array.read_hit.spread, array.write_ack.spread]);
            }
        }
    }
    found
}
