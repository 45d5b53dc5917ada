//! The controls that choose: layout, edges, arrays, protocols, filesystem, cache, mounts, what failed.

use super::knobs::{Knob, Offer, Panel, choice};
use super::set::Set;
use crate::advisor::what_if::{CacheTier, pairs};
use crate::catalog::scenario::Part;
use crate::catalog::{Access, Place};
use crate::system::Choices;

impl Panel<'_> {
    pub(super) fn layout(&self) -> Knob {
        let recommended = &self.deployment.layout;
        let chosen = self.change.layout.as_ref().unwrap_or(recommended);
        let offered = self.catalog().layouts.iter();
        let options = offered.filter(|(id, layout)| !layout.reference || *id == recommended);
        let options = options.map(|(id, layout)| {
            let is_recommended = id == recommended;
            Offer {
                label: layout.entry.title.clone(),
                set: Set::Layout((!is_recommended).then(|| id.clone())),
                is_chosen: id == chosen,
                is_recommended,
                problem: self.unbuildable(id),
            }
        });
        let help = "Which volumes there are, and where they lie.";
        choice(
            "Layout",
            help,
            options.collect(),
            self.change.layout.is_some(),
            Set::Layout(None),
            None,
        )
    }

    /// Why a layout cannot be built with what the site has.
    fn unbuildable(&self, layout: &str) -> Option<String> {
        let own = self.alternatives.iter().filter(|a| a.layout == layout);
        let mut own = own.peekable();
        let first = own.peek()?.why_not.clone();
        own.all(|a| a.choices.is_none()).then_some(first)
    }

    pub(super) fn edges(&self) -> Knob {
        let recommended = self.choices.edges;
        let after = self.after.map(|after| after.choices.edges);
        let chosen = self.change.edges.or(after).unwrap_or(recommended);
        let layout = self
            .change
            .layout
            .as_ref()
            .unwrap_or(&self.deployment.layout);
        let mut counts = self
            .catalog()
            .layouts
            .get(layout)
            .map_or(Vec::new(), |l| l.edges.clone());
        counts.extend([recommended, chosen]);
        counts.sort_unstable();
        counts.dedup();
        let options = counts.into_iter().map(|count| Offer {
            label: match count {
                0 => "no edge".to_owned(),
                1 => "1 edge".to_owned(),
                n => format!("{n} edges"),
            },
            set: Set::Edges((count != recommended).then_some(count)),
            is_chosen: count == chosen,
            is_recommended: count == recommended,
            problem: None,
        });
        let help = "Edge servers beside the commit server.";
        choice(
            "Edges",
            help,
            options.collect(),
            self.change.edges.is_some(),
            Set::Edges(None),
            None,
        )
    }

    /// Array and protocol of volumes of one kind, where the layout has such.
    pub(super) fn pair(&self, label: &'static str, place: Place, access: Access) -> Option<Knob> {
        let id = self
            .change
            .layout
            .as_ref()
            .unwrap_or(&self.deployment.layout);
        let layout = self.catalog().layouts.get(id)?;
        if !layout.volumes.iter().any(|v| v.place == place) {
            return None;
        }
        let is_block = access == Access::Block;
        let set = move |pair| {
            if is_block {
                Set::Block(pair)
            } else {
                Set::File(pair)
            }
        };
        let of = |choices: &Choices| {
            let pair = if is_block {
                &choices.block
            } else {
                &choices.file
            };
            pair.clone()
        };
        let changed = if is_block {
            &self.change.block
        } else {
            &self.change.file
        };
        let recommended = of(self.choices);
        let after = self.after.and_then(|after| of(&after.choices));
        let chosen = changed.clone().or(after).or_else(|| recommended.clone());
        let options = pairs(self.catalog(), access).into_iter().map(|pair| {
            let (array, protocol) = &pair;
            let array = self
                .catalog()
                .arrays
                .get(array)
                .map_or(array, |a| &a.entry.title);
            let protocol = self
                .catalog()
                .protocols
                .get(protocol)
                .map_or(protocol, |p| &p.entry.title);
            let is_recommended = recommended.as_ref() == Some(&pair);
            Offer {
                label: format!("{array}, {protocol}"),
                is_chosen: chosen.as_ref() == Some(&pair),
                is_recommended,
                set: set((!is_recommended).then_some(pair)),
                problem: None,
            }
        });
        let help = if is_block {
            "Array and protocol of the volumes on LUNs."
        } else {
            "Array and protocol of the volumes on exports."
        };
        Some(choice(
            label,
            help,
            options.collect(),
            changed.is_some(),
            set(None),
            None,
        ))
    }

    pub(super) fn filesystem(&self) -> Knob {
        let recommended = &self.choices.filesystem;
        let chosen = self.change.filesystem.as_ref().unwrap_or(recommended);
        let options = self
            .catalog()
            .filesystems
            .iter()
            .map(|(id, filesystem)| Offer {
                label: filesystem.entry.title.clone(),
                set: Set::Filesystem((id != recommended).then(|| id.clone())),
                is_chosen: id == chosen,
                is_recommended: id == recommended,
                problem: None,
            });
        let help = "Filesystem of local volumes and of those on LUNs.";
        let is_changed = self.change.filesystem.is_some();
        choice(
            "Filesystem",
            help,
            options.collect(),
            is_changed,
            Set::Filesystem(None),
            None,
        )
    }

    pub(super) fn cache(&self) -> Knob {
        let recommended = self.choices.cache.as_ref();
        let chosen = match &self.change.cache {
            None => recommended,
            Some(CacheTier::Without) => None,
            Some(CacheTier::With(id)) => Some(id),
        };
        let none = Offer {
            label: "none".to_owned(),
            set: Set::Cache(recommended.map(|_| CacheTier::Without)),
            is_chosen: chosen.is_none(),
            is_recommended: recommended.is_none(),
            problem: None,
        };
        let caches = self.catalog().caches.iter().map(|(id, cache)| Offer {
            label: cache.entry.title.clone(),
            set: Set::Cache((Some(id) != recommended).then(|| CacheTier::With(id.clone()))),
            is_chosen: Some(id) == chosen,
            is_recommended: Some(id) == recommended,
            problem: None,
        });
        let options = [none].into_iter().chain(caches).collect();
        let help = "A cache added to the stores.";
        choice(
            "Cache",
            help,
            options,
            self.change.cache.is_some(),
            Set::Cache(None),
            None,
        )
    }

    pub(super) fn tuned_mounts(&self) -> Knob {
        let recommended = self.choices.tuned_mounts;
        let chosen = self.change.tuned_mounts.unwrap_or(recommended);
        let options = [(true, "for a single client"), (false, "for many clients")];
        let options = options.into_iter().map(|(tuned, words)| Offer {
            label: words.to_owned(),
            set: Set::TunedMounts((tuned != recommended).then_some(tuned)),
            is_chosen: tuned == chosen,
            is_recommended: tuned == recommended,
            problem: None,
        });
        let help = "Whether exports are mounted with options that are safe for one client alone.";
        let is_changed = self.change.tuned_mounts.is_some();
        choice(
            "NFS mounts",
            help,
            options.collect(),
            is_changed,
            Set::TunedMounts(None),
            None,
        )
    }

    pub(super) fn failure(&self) -> Knob {
        let deployment = self
            .after
            .map_or(self.deployment, |after| &after.deployment);
        let mut parts = vec![None];
        if let Some(mount) = deployment.mount("db") {
            parts.push(Some(Part::Disk("db")));
            if !mount.is_private() {
                parts.push(Some(Part::Controller("db")));
            }
        }
        let depot = deployment
            .mount("depot")
            .filter(|mount| !mount.is_private());
        if depot.is_some_and(|depot| {
            deployment
                .mount("db")
                .is_none_or(|db| db.device != depot.device)
        }) {
            parts.push(Some(Part::Controller("depot")));
        }
        if deployment.edges > 0 {
            parts.push(Some(Part::Edge));
        }
        if !parts.contains(&self.change.failure) {
            parts.push(self.change.failure);
        }
        let options = parts.into_iter().map(|part| Offer {
            label: match part {
                None => "none".to_owned(),
                Some(Part::Disk(role)) => format!("a disk under {role}"),
                Some(Part::Controller(role)) => format!("a controller under {role}"),
                Some(Part::Edge) => "an edge".to_owned(),
            },
            set: Set::Failure(part),
            is_chosen: part == self.change.failure,
            is_recommended: part.is_none(),
            problem: None,
        });
        let help = "What has failed, as a steady state: no spare is being rebuilt.";
        let is_changed = self.change.failure.is_some();
        choice(
            "What failed",
            help,
            options.collect(),
            is_changed,
            Set::Failure(None),
            None,
        )
    }
}
