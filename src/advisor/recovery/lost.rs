//! The deployment while one part of it is lost: a disk, a controller, an edge, a proxy, the page caches.

use super::{Case, CaseTime, Left, Lost, Subject};
use crate::advisor::safety::memory_short;
use crate::advisor::targets::{missed_by_work, tightest};
use crate::advisor::what_if::fail;
use crate::catalog::scenario::Part;
use crate::catalog::{Called, Catalog};
use crate::system::disk_set::sets;
use crate::system::{Deployment, Lens, Mount, Prediction, predict_through};
use crate::workload::{Load, Work};

impl Subject<'_> {
    pub(super) fn cases(&self, shown: &Prediction) -> Vec<Case> {
        let whole = Whole {
            shown,
            missed: missed_by_work(self.site, shown).into_iter().map(|missed| missed.class.work.clone()).collect(),
            is_short: memory_short(self.calibration, self.deployment, self.load).is_some(),
        };
        let mut cases = self.disks(&whole);
        cases.extend(self.controllers(&whole));
        cases.extend(self.edge(&whole));
        cases.extend(self.proxies(&whole));
        let cold = Load { cold: true, ..self.load.clone() };
        cases.push(Case {
            lost: Lost::Caches,
            pause: 0.0,
            left: self.left(&whole, self.deployment, &cold, self.catalog),
        });
        cases
    }

    /// One disk of each set of the commit server, while a new one is filled.
    fn disks(&self, whole: &Whole<'_>) -> Vec<Case> {
        let share = self.calibration.parameter("rebuild.share");
        let rebuilt = share.map_or(0.0, |p| p.value.value);
        let mut cases: Vec<Case> = Vec::new();
        // A provider replaces the disks below its volumes and buckets unseen.
        let is_seen = |mount: &&Mount| !mount.is_cloud() && !mount.is_object(self.catalog);
        for mount in sets(self.deployment.volumes.iter().filter(is_seen)) {
            let Some(role) = mount.roles.first() else {
                continue;
            };
            let mut without = self.deployment.clone();
            let left = match fail(Part::Disk(role), &mut without, self.catalog) {
                Ok(_) => {
                    for volume in without.on_set(mount.set.id) {
                        volume.disks *= 1.0 - rebuilt;
                    }
                    self.left(whole, &without, self.load, self.catalog)
                }
                Err(error) => Left::Gone(error.to_string()),
            };
            cases.push(Case { lost: Lost::Disk(mount.set_name(self.catalog)), pause: 0.0, left });
        }
        cases
    }

    /// One controller of each array.
    fn controllers(&self, whole: &Whole<'_>) -> Vec<Case> {
        let mut cases: Vec<Case> = Vec::new();
        for mount in &self.deployment.volumes {
            let lost = Lost::Controller(self.catalog.arrays.named(&mount.device));
            let Some(role) = mount.roles.first() else {
                continue;
            };
            if mount.is_private() || cases.iter().any(|case| case.lost == lost) {
                continue;
            }
            let mut without = self.deployment.clone();
            let left = match fail(Part::Controller(role), &mut without, self.catalog) {
                Ok(catalog) => {
                    let catalog = catalog.as_deref().unwrap_or(self.catalog);
                    self.left(whole, &without, self.load, catalog)
                }
                Err(error) => Left::Gone(error.to_string()),
            };
            let array = self.catalog.arrays.get(&mount.device);
            let pause = array.and_then(|array| array.takeover.as_ref());
            cases.push(Case { lost, pause: pause.map_or(0.0, |pause| pause.value.get()), left });
        }
        cases
    }

    /// The edge that most people lose: that of the largest office, else one beside the commit server.
    fn edge(&self, whole: &Whole<'_>) -> Option<Case> {
        let d = self.deployment;
        if d.edges == 0 {
            return None;
        }
        let people = |name: &String| {
            let mut offices = self.site.people.sites.iter();
            let office = offices.find(|office| office.name == *name);
            office.map_or(0.0, |office| office.developers.value)
        };
        let offices = d.offices.iter().enumerate();
        let largest = offices.max_by(|a, b| people(a.1).total_cmp(&people(b.1)));
        let server = largest.map_or(d.edges as usize, |(index, _)| index + 1);
        let mut without = d.clone();
        without.edges -= 1;
        if let Some((index, _)) = largest {
            without.offices.remove(index);
        }
        Some(Case {
            lost: Lost::Edge(d.server_in_words(server)),
            pause: 0.0,
            left: self.left(whole, &without, self.load, self.catalog),
        })
    }

    /// A machine of each proxy: its clients ask the server, where it was the only one.
    fn proxies(&self, whole: &Whole<'_>) -> Vec<Case> {
        let places = 0..self.deployment.proxies.len();
        let cases = places.map(|at| {
            let mut without = self.deployment.clone();
            let proxy = &mut without.proxies[at];
            let lost = Lost::Proxy(proxy.place.clone());
            if proxy.machines > 1.0 {
                proxy.machines -= 1.0;
            } else {
                without.proxies.remove(at);
            }
            Case { lost, pause: 0.0, left: self.left(whole, &without, self.load, self.catalog) }
        });
        cases.collect()
    }

    /// What `without` does under a load, beside the whole deployment.
    fn left(&self, whole: &Whole<'_>, without: &Deployment, load: &Load, catalog: &Catalog) -> Left {
        let lens = Lens::forgetful();
        let found = whole.shown.correction.clone().of_another();
        let after = predict_through(lens, without, load, catalog, self.calibration);
        let after = match after.and_then(|after| after.confirmed_by(&found)) {
            Ok(after) => after,
            Err(error) => return Left::Overloaded(error.to_string()),
        };
        let mut times = Vec::new();
        for class in &after.classes {
            if let Some(shown) = whole.shown.class(&class.work)
                && class.work.target().is_some()
            {
                times.push(CaseTime {
                    work: class.work.clone(),
                    name: class.name.clone(),
                    p95: class.p95.value,
                    whole: shown.p95.value,
                    target: tightest(self.site, class),
                });
            }
        }
        // What is missed as a whole is not the lost part's doing.
        let missed = missed_by_work(self.site, &after).into_iter();
        let missed = missed.filter(|missed| !whole.missed.contains(&missed.class.work));
        let mut missed: Vec<String> = missed.map(|missed| missed.words).collect();
        if !whole.is_short {
            let short = memory_short(self.calibration, without, load);
            missed.extend(short.map(|short| short.to_string()));
        }
        Left::Works { times, missed }
    }
}

/// The whole deployment at today's peak.
struct Whole<'a> {
    /// As shown: confirmed by simulation where that was asked for.
    shown: &'a Prediction,
    /// Kinds of work that miss a target.
    missed: Vec<Work>,
    is_short: bool,
}
