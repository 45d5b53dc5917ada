//! What the advice is: the recommended deployment with all that is said of it, and the others.

use super::as_it_is::AsItIs;
use super::bill::{Bill, Costs};
use super::contest::Contest;
use super::edges::{EdgeWorth, EdgesEnd};
use super::headroom::{Headroom, Overload};
use super::helps::{Faster, Help};
use super::instance::Instances;
use super::misses::Miss;
use super::recovery::Recovery;
use super::rules::Finding;
use super::safety::MemoryShort;
use super::score::{Scores, Timed};
use super::sensitivity::Influence;
use crate::catalog::{Called, Catalog};
use crate::site::Site;
use crate::system::capacity::{Memory, RoleSize};
use crate::system::{Choices, Deployment, Prediction};
use crate::workload::Load;

/// The recommended deployment with everything that is said of it.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// What it is.
    pub deployment: Deployment,
    /// What was chosen for its layout.
    pub choices: Choices,
    /// What it does at the peak, with intervals.
    pub prediction: Prediction,
    /// Its scores.
    pub scores: Scores,
    /// How long the largest submit holds the commit section \[s\].
    pub largest_commit: f64,
    /// How long the commit of a branch operation holds it \[s\].
    pub branch_commit: f64,
    /// Targets that it misses, in words.
    pub missed: Vec<String>,
    /// What the time of the kinds of work among them goes to, and what would meet their targets.
    pub helps: Vec<Help>,
    /// What gains most by larger TCP windows, which cost nothing; none where each line is filled.
    pub by_wider_windows: Option<Faster>,
    /// The server that lacks most memory at the peak; none where none does.
    pub memory_short: Option<MemoryShort>,
    /// What must be said first: database and journal on one set of disks, drives that an edge needs.
    pub cautions: Vec<String>,
    /// Whether it does not survive its peak or the horizon as it is: memory or room is missing.
    pub falls_short: bool,
    /// Sizes of its volumes by role.
    pub sizes: Vec<RoleSize>,
    /// Memory there and worth having.
    pub memory: Memory,
    /// How far to its limits.
    pub headroom: Headroom,
    /// How it fails and recovers.
    pub recovery: Recovery,
    /// What it is made of, with the site's prices.
    pub bill: Bill,
    /// What it is compared by with other layouts, without a standby, where cost is judged in money.
    pub price: Option<f64>,
    /// What ended the placing of edges; none where no office is distant, or the layout takes no edge.
    pub edges_end: Option<EdgesEnd>,
    /// What each of its edges in an office is there for.
    pub edges_worth: Vec<EdgeWorth>,
    /// Which instance of a cloud carries it; none of a deployment that needs no instance.
    pub instances: Option<Instances>,
}

/// A layout that is not the one, and why.
#[derive(Debug, Clone)]
pub struct Alternative {
    /// The layout's id.
    pub layout: String,
    /// What was chosen for it; `None` where it could not be bound at all.
    pub choices: Option<Choices>,
    /// The best that could be made of it; `None` where it could not be bound at all.
    pub deployment: Option<Deployment>,
    /// What it does, where it was solved.
    pub prediction: Option<Prediction>,
    /// Its scores, where it was solved.
    pub scores: Option<Scores>,
    /// What it costs over the horizon, where cost is judged in money.
    pub price: Option<f64>,
    /// Why it is not the one.
    pub why_not: String,
    /// Whether that is something that comes before every score: space, safety, targets, what is stated on failures, idle edges.
    pub comes_before_scores: bool,
}

impl Alternative {
    /// What it is called: its layout's title; its id where it has none.
    pub fn title<'s>(&'s self, catalog: &'s Catalog) -> &'s str {
        let layout = catalog.layouts.get(&self.layout);
        let own = self.deployment.as_ref().map(|d| d.title.as_str());
        layout.map_or(own.unwrap_or(&self.layout), |layout| &layout.entry.title)
    }

    /// Its protocols and filesystems: "iscsi + nfsv3, xfs"; nothing where it could not be bound.
    pub fn in_words(&self, catalog: &Catalog) -> String {
        let Some(d) = &self.deployment else {
            return String::new();
        };
        let protocols = d.volumes.iter().map(|m| m.reached(catalog));
        let mut protocols: Vec<&str> = protocols.collect();
        protocols.dedup();
        let filesystems = d.volumes.iter().filter_map(|m| m.filesystem.as_deref());
        let filesystems = filesystems.map(|id| catalog.filesystems.called(id));
        let mut filesystems: Vec<&str> = filesystems.collect();
        filesystems.dedup();
        let with = if filesystems.is_empty() { "" } else { ", " };
        format!("{}{with}{}", protocols.join(" + "), filesystems.join(" + "))
    }
}

/// What `advise` says.
#[derive(Debug, Clone)]
pub struct Advice {
    /// The recommendation; `None` where nothing that the site has can do it.
    pub chosen: Option<Chosen>,
    /// What today's load overloads least, where it overloads everything that the site has room on.
    pub overload: Option<Overload>,
    /// The system that is there as a candidate of its own; none where it was not stated, or nothing is recommended.
    pub as_it_is: Option<AsItIs>,
    /// The other layouts, best first; the system that is there, where it was stated, comes last.
    pub alternatives: Vec<Alternative>,
    /// The systems that the site describes and the recommendation does not use, by id, and why.
    pub unused: Vec<(String, String)>,
    /// Risks and rules.
    pub findings: Vec<Finding>,
    /// Which unanswered questions matter, most first.
    pub influences: Vec<Influence>,
    /// How sure the choice is.
    pub contest: Contest,
    /// The best time of each kind of work among all that were solved \[s\]: what performance is judged by.
    pub best_times: Vec<(Timed, f64)>,
    /// What cost is judged by.
    pub costs: Costs,
    /// How many deployments were solved.
    pub solved: usize,
    /// The load that they were solved under.
    pub load: Load,
}

impl Advice {
    /// Whether it does not do what the site wants: a target is missed, or what is stated of failures and the night; memory or room
    /// is short; nothing fits.
    pub fn falls_short(&self, site: &Site) -> bool {
        let chosen = self.chosen.as_ref();
        chosen.is_none_or(|c| c.falls_short || c.misses(site).iter().any(Miss::is_of_target))
    }
}
