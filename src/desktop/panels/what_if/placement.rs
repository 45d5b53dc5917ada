//! The controls that choose: layout, edges, arrays, protocols, filesystem, cache, mounts, what failed.

use super::knobs::{Knob, Panel, choice, offers};
use super::set::Set;
use crate::advisor::what_if::{CacheTier, pairs};
use crate::catalog::scenario::Part;
use crate::catalog::{Access, Place};
use crate::system::Choices;

impl Panel<'_> {
    /// The layout's id, recommended or chosen.
    fn chosen_layout(&self) -> &String {
        let chosen = self.change.layout.as_ref();
        chosen.unwrap_or(&self.deployment.layout)
    }

    pub(super) fn layout(&self) -> Knob {
        let recommended = &self.deployment.layout;
        let layouts = self.catalog().layouts.iter();
        let layouts = layouts.filter(|(id, layout)| !layout.reference || *id == recommended);
        let words = layouts.clone();
        let words = words.map(|(id, layout)| (id.clone(), layout.entry.title.clone()));
        let mut offers = offers(words, self.chosen_layout(), recommended, Set::Layout);
        for (offer, (id, _)) in offers.iter_mut().zip(layouts) {
            offer.problem = self.unbuildable(id);
        }
        let help = "Which volumes there are, and where they lie.";
        let is_changed = self.change.layout.is_some();
        choice("Layout", help, offers, is_changed, Set::Layout(None))
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
        let layout = self.catalog().layouts.get(self.chosen_layout());
        let mut counts = layout.map_or(Vec::new(), |layout| layout.edges.clone());
        counts.extend([recommended, chosen]);
        counts.sort_unstable();
        counts.dedup();
        let words = counts.into_iter().map(|count| match count {
            0 => (0, "no edge".to_owned()),
            1 => (1, "1 edge".to_owned()),
            n => (n, format!("{n} edges")),
        });
        let offers = offers(words, &chosen, &recommended, Set::Edges);
        let help = "Edge servers beside the commit server.";
        let is_changed = self.change.edges.is_some();
        choice("Edges", help, offers, is_changed, Set::Edges(None))
    }

    /// Array and protocol of volumes of one kind, where the layout has such.
    pub(super) fn pair(&self, label: &'static str, place: Place, access: Access) -> Option<Knob> {
        let layout = self.catalog().layouts.get(self.chosen_layout())?;
        if !layout.volumes.iter().any(|v| v.place == place) {
            return None;
        }
        let is_block = access == Access::Block;
        let set: fn(_) -> Set = if is_block { Set::Block } else { Set::File };
        let of = |choices: &Choices| {
            let pair = if is_block { &choices.block } else { &choices.file };
            pair.clone()
        };
        let changed = if is_block { &self.change.block } else { &self.change.file };
        let recommended = of(self.choices);
        let after = self.after.and_then(|after| of(&after.choices));
        let chosen = changed.clone().or(after).or_else(|| recommended.clone());
        let (arrays, protocols) = (&self.catalog().arrays, &self.catalog().protocols);
        let words = pairs(self.catalog(), access).into_iter().map(|pair| {
            let (array, protocol) = &pair;
            let array = arrays.get(array).map_or(array, |a| &a.entry.title);
            let protocol = protocols.get(protocol).map_or(protocol, |p| &p.entry.title);
            let words = format!("{array}, {protocol}");
            (Some(pair), words)
        });
        let offers = offers(words, &chosen, &recommended, |pair| set(pair.flatten()));
        let help = if is_block {
            "Array and protocol of the volumes on LUNs."
        } else {
            "Array and protocol of the volumes on exports."
        };
        let is_changed = changed.is_some();
        Some(choice(label, help, offers, is_changed, set(None)))
    }

    pub(super) fn filesystem(&self) -> Knob {
        let recommended = &self.choices.filesystem;
        let chosen = self.change.filesystem.as_ref().unwrap_or(recommended);
        let known = self.catalog().filesystems.iter();
        let words = known.map(|(id, filesystem)| (id.clone(), filesystem.entry.title.clone()));
        let offers = offers(words, chosen, recommended, Set::Filesystem);
        let help = "Filesystem of local volumes and of those on LUNs.";
        let is_changed = self.change.filesystem.is_some();
        choice("Filesystem", help, offers, is_changed, Set::Filesystem(None))
    }

    pub(super) fn cache(&self) -> Knob {
        let recommended = &self.choices.cache;
        let chosen = match &self.change.cache {
            None => recommended.clone(),
            Some(CacheTier::Without) => None,
            Some(CacheTier::With(id)) => Some(id.clone()),
        };
        let known = self.catalog().caches.iter();
        let known = known.map(|(id, cache)| (Some(id.clone()), cache.entry.title.clone()));
        let words = [(None, "none".to_owned())].into_iter().chain(known);
        let set =
            |cache: Option<Option<String>>| Set::Cache(cache.map(|id| id.map_or(CacheTier::Without, CacheTier::With)));
        let offers = offers(words, &chosen, recommended, set);
        let help = "A cache added to the stores.";
        let is_changed = self.change.cache.is_some();
        choice("Cache", help, offers, is_changed, Set::Cache(None))
    }

    pub(super) fn tuned_mounts(&self) -> Knob {
        let recommended = self.choices.tuned_mounts;
        let chosen = self.change.tuned_mounts.unwrap_or(recommended);
        let words = [(true, "for a single client"), (false, "for many clients")];
        let words = words.map(|(tuned, words)| (tuned, words.to_owned()));
        let offers = offers(words, &chosen, &recommended, Set::TunedMounts);
        let help = "Whether exports are mounted with options that are safe for one client alone.";
        let is_changed = self.change.tuned_mounts.is_some();
        choice("NFS mounts", help, offers, is_changed, Set::TunedMounts(None))
    }

    pub(super) fn failure(&self) -> Knob {
        let deployment = self.after.map_or(self.deployment, |after| &after.deployment);
        let mut parts = vec![None];
        if let Some(mount) = deployment.mount("db") {
            parts.push(Some(Part::Disk("db")));
            if !mount.is_private() {
                parts.push(Some(Part::Controller("db")));
            }
        }
        let depot = deployment.mount("depot").filter(|mount| !mount.is_private());
        if depot.is_some_and(|depot| deployment.mount("db").is_none_or(|db| db.device != depot.device)) {
            parts.push(Some(Part::Controller("depot")));
        }
        if deployment.edges > 0 {
            parts.push(Some(Part::Edge));
        }
        if !parts.contains(&self.change.failure) {
            parts.push(self.change.failure);
        }
        let words = parts.into_iter().map(|part| match part {
            None => (None, "none".to_owned()),
            Some(Part::Disk(role)) => (part, format!("a disk under {role}")),
            Some(Part::Controller(role)) => (part, format!("a controller under {role}")),
            Some(Part::Edge) => (part, "an edge".to_owned()),
        });
        let failed = self.change.failure;
        let offers = offers(words, &failed, &None, |part| Set::Failure(part.flatten()));
        let help = "What has failed, as a steady state: no spare is being rebuilt.";
        choice("What failed", help, offers, failed.is_some(), Set::Failure(None))
    }
}
