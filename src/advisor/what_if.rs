//! What if: the recommended deployment, or any other, with some things changed.
//!
//! A [`Change`] says what differs: answers, years of growth, the layout and what is chosen for it, a part
//! that failed. [`what_if`] makes the deployment anew and predicts it: what moving a slider costs.
//!
//! Failures are steady states: a set without one disk (its reads cost what its RAID level says, and no
//! spare is being rebuilt), a store on the controllers that are left, one edge fewer with its people on the
//! other servers. The scenarios of `plimsoll simulate` show the way into them and out again.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::as_it_is;
use super::candidates::stores;
use super::headroom::{Overload, overload};
use super::safety::memory_short;
use super::sensitivity::renewed;
use super::sizing::Sizing;
use super::today;
use crate::calibration::Calibration;
use crate::catalog::scenario::Part;
use crate::catalog::{Access, Catalog, Place};
use crate::diag::Diagnostics;
use crate::site::{Site, Vocabulary};
use crate::system::capacity::{self, RoleSize};
use crate::system::{Choices, Deployment, PredictError, Prediction, bind, predict};
use crate::units::{BytesPerSecond, PerSecond, Seconds};
use crate::workload::{Load, from_site};

/// What differs from the deployment that one starts from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Change {
    /// Answers, as `--set` takes them.
    pub answers: BTreeMap<String, String>,
    /// Years of the site's growth, in load and in data.
    pub years: f64,
    /// The system that is there in place of a layout.
    pub as_it_is: bool,
    /// Another layout.
    pub layout: Option<String>,
    /// Edges.
    pub edges: Option<u32>,
    /// Array and protocol of volumes on LUNs.
    pub block: Option<(String, String)>,
    /// Array and protocol of volumes on exports.
    pub file: Option<(String, String)>,
    /// Filesystem of local and block volumes.
    pub filesystem: Option<String>,
    /// The cache added to the stores.
    pub cache: Option<CacheTier>,
    /// Whether exports are mounted with options that need a single client.
    pub tuned_mounts: Option<bool>,
    /// What has failed.
    pub failure: Option<Part>,
}

/// Whether a cache is added to the stores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CacheTier {
    /// None.
    Without,
    /// The one of this id.
    With(String),
}

impl Change {
    /// Whether nothing differs.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// What leads from what was chosen for the deployment that one starts from to another layout with what
    /// was chosen for that: only what differs.
    pub fn towards(from: &Choices, layout: &str, to: &Choices) -> Self {
        let cache = || to.cache.clone().map_or(CacheTier::Without, CacheTier::With);
        Self {
            layout: Some(layout.to_owned()),
            edges: Some(to.edges),
            block: to.block.clone().filter(|_| from.block != to.block),
            file: to.file.clone().filter(|_| from.file != to.file),
            filesystem: (from.filesystem != to.filesystem).then(|| to.filesystem.clone()),
            cache: (from.cache != to.cache).then(cache),
            tuned_mounts: (from.tuned_mounts != to.tuned_mounts).then_some(to.tuned_mounts),
            ..Self::default()
        }
    }
}

/// A deployment to start from.
#[derive(Debug, Clone, Copy)]
pub struct Base<'a> {
    /// The questionnaire.
    pub site: &'a Site,
    /// The words that answers may take.
    pub vocabulary: &'a Vocabulary,
    /// What exists.
    pub catalog: &'a Catalog,
    /// What was measured.
    pub calibration: &'a Calibration,
    /// Its layout.
    pub layout: &'a str,
    /// What was chosen for it.
    pub choices: &'a Choices,
    /// What it does, where that was confirmed by simulation: a change of the same layout moves as many times as much.
    pub confirmed: Option<&'a Prediction>,
}

/// A deployment after a change.
#[derive(Debug, Clone)]
pub struct Changed {
    /// The answers with those that were changed.
    pub site: Site,
    /// What it is.
    pub deployment: Deployment,
    /// What was chosen for it.
    pub choices: Choices,
    /// What it is asked to do.
    pub load: Load,
    /// Sizes of its volumes by role.
    pub sizes: Vec<RoleSize>,
    /// The catalogue with what is left of a store; `None` where no part of one failed.
    pub left: Option<Arc<Catalog>>,
    /// Which server lacks memory, in words; `None` where none does.
    pub short: Option<String>,
    /// What it does; saturation is an answer.
    pub prediction: Result<Prediction, PredictError>,
}

/// Why a change cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum WhatIfError {
    /// An answer is wrong.
    #[error("{}", .0.render())]
    Answer(Box<Diagnostics>),
    /// The layout cannot be had so.
    #[error("{0}")]
    Layout(String),
    /// The part cannot fail, or all is lost with it.
    #[error("{0}")]
    Failure(String),
}

/// Makes a deployment anew with a change, and predicts it.
pub fn what_if(base: &Base<'_>, change: &Change) -> Result<Changed, WhatIfError> {
    let Base { vocabulary, catalog, calibration, .. } = *base;
    let site = if change.answers.is_empty() {
        base.site.clone()
    } else {
        let mut overrides = base.site.overrides.clone();
        let answers = change.answers.iter();
        overrides.extend(answers.map(|(field, value)| format!("{field}={value}")));
        base.site.again(&base.site.text, &overrides, vocabulary).map_err(WhatIfError::Answer)?
    };
    let Started { mut deployment, choices, load } =
        if change.as_it_is { of_today(base, &site)? } else { of_layout(base, &site, change)? };
    let time = Seconds::years(change.years);
    let load = load.grown(site.data.db_growth.value.over(time), site.data.depot_growth.value.over(time));
    let sizes = capacity::sizes(&site, &load, catalog, calibration);
    if !change.as_it_is {
        Sizing::of(&site, catalog, &sizes).provision(&mut deployment);
    }
    let left = match change.failure {
        None => None,
        Some(part) => fail(part, &mut deployment, catalog)?,
    };
    let catalog = left.as_deref().unwrap_or(catalog);
    let is_simulated = !change.as_it_is && deployment.layout == base.layout;
    let confirmed = base.confirmed.filter(|_| is_simulated);
    let is_same = choices == *base.choices && change.failure.is_none() && change.answers.is_empty();
    let correction = confirmed.map(|confirmed| {
        let found = confirmed.correction.clone();
        if is_same { found } else { found.of_another() }
    });
    let solved = predict(&deployment, &load, catalog, calibration);
    let prediction = match &correction {
        Some(correction) => solved.and_then(|solved| solved.confirmed_by(correction)),
        None => solved,
    };
    Ok(Changed {
        short: memory_short(calibration, &deployment, &load).map(|short| short.to_string()),
        site,
        deployment,
        choices,
        load,
        sizes,
        left,
        prediction,
    })
}

/// What a change starts from, before it grows or fails.
struct Started {
    deployment: Deployment,
    choices: Choices,
    load: Load,
}

/// The system that is there, as it is stated.
fn of_today(base: &Base<'_>, site: &Site) -> Result<Started, WhatIfError> {
    let mut system = today::system(site, base.catalog, base.calibration)
        .map_err(|reason| WhatIfError::Layout(reason.to_string()))?;
    as_it_is::TITLE.clone_into(&mut system.deployment.title);
    Ok(Started { deployment: system.deployment, choices: system.choices, load: system.load })
}

/// The layout that is asked for, or the one that one starts from, with what is chosen for it.
fn of_layout(base: &Base<'_>, site: &Site, change: &Change) -> Result<Started, WhatIfError> {
    let catalog = base.catalog;
    let layout_id = change.layout.as_deref().unwrap_or(base.layout);
    let layout =
        catalog.layouts.get(layout_id).ok_or_else(|| WhatIfError::Layout(format!("no layout {layout_id:?}")))?;
    let mut choices = renewed(base.choices, base.site, site, catalog);
    if change.layout.is_some() && change.edges.is_none() && !layout.edges.contains(&choices.edges) {
        choices.edges = layout.edges.first().copied().unwrap_or(0);
    }
    choose(&mut choices, change);
    let block = |place| layout.volumes.iter().any(|v| v.place == place);
    // The site's own arrays come first; one of the catalogue stands in where it has none of the kind.
    let store = |access| {
        let own = stores(site, catalog, access).into_iter();
        own.chain(pairs(catalog, access)).next()
    };
    if choices.block.is_none() && block(Place::Block) {
        choices.block = store(Access::Block);
    }
    if choices.file.is_none() && block(Place::File) {
        choices.file = store(Access::File);
    }
    if choices.object.is_none() && block(Place::Object) {
        choices.object = store(Access::Object);
    }
    let deployment = bind(catalog, layout, &choices).map_err(|error| WhatIfError::Layout(error.to_string()))?;
    Ok(Started { deployment, choices, load: from_site::load(site) })
}

impl Changed {
    /// At which load it would still work where that of the change overloads it; `None` where it does not, or carries next to nothing.
    pub fn carries(&self, whole: &Catalog, calibration: &Calibration) -> Option<Overload> {
        let limit = self.prediction.as_ref().err()?;
        let catalog = self.catalog(whole);
        overload(catalog, calibration, &self.deployment, &self.load, limit)
    }

    /// The catalogue that it is predicted with: `whole`, or what a failure left of it.
    pub fn catalog<'a>(&'a self, whole: &'a Catalog) -> &'a Catalog {
        self.left.as_deref().unwrap_or(whole)
    }
}

fn choose(choices: &mut Choices, change: &Change) {
    let Change { edges, block, file, filesystem, cache, tuned_mounts, .. } = change;
    if let Some(edges) = edges {
        choices.edges = *edges;
    }
    if block.is_some() {
        choices.block.clone_from(block);
    }
    if file.is_some() {
        choices.file.clone_from(file);
    }
    if let Some(filesystem) = filesystem {
        choices.filesystem.clone_from(filesystem);
    }
    match cache {
        None => {}
        Some(CacheTier::Without) => choices.cache = None,
        Some(CacheTier::With(id)) => choices.cache = Some(id.clone()),
    }
    if let Some(tuned) = tuned_mounts {
        choices.tuned_mounts = *tuned;
        choices.shared_access &= !*tuned;
    }
}

/// Every array of the catalogue with each protocol of one access that it serves.
pub fn pairs(catalog: &Catalog, access: Access) -> Vec<(String, String)> {
    let is_such = |protocol: &&String| {
        let found = catalog.protocols.get(*protocol);
        found.is_some_and(|protocol| protocol.access == access)
    };
    let arrays = catalog.arrays.iter();
    arrays
        .flat_map(|(id, array)| {
            let protocols = array.protocols.iter().filter(is_such);
            protocols.map(|protocol| (id.clone(), protocol.clone()))
        })
        .collect()
}

/// Takes what failed out of the deployment; gives the catalogue with what is left of a store, if it is one.
pub(super) fn fail(
    part: Part,
    deployment: &mut Deployment,
    catalog: &Catalog,
) -> Result<Option<Arc<Catalog>>, WhatIfError> {
    let no = |reason: String| Err(WhatIfError::Failure(reason));
    match part {
        Part::Edge if deployment.edges == 0 => no("there is no edge that could fail".to_owned()),
        Part::Edge => {
            deployment.edges -= 1;
            deployment.offices.truncate(deployment.edges as usize);
            Ok(None)
        }
        Part::Disk(role) => {
            let Some(mount) = deployment.mount(role).cloned() else {
                return no(format!("no volume holds {role}"));
            };
            let raid = &catalog.raid[&mount.raid];
            if raid.failures_tolerated.value < 1.0 || mount.disks <= 1.0 {
                return no(format!("{} does not survive the loss of a disk: {role} is lost", mount.raid));
            }
            // A read of the lost disk costs reads of several: as if there were so many disks fewer.
            let left = (mount.disks - 1.0) / mount.disks / raid.degraded_read_factor.value;
            for volume in deployment.on_set(mount.set.id) {
                volume.disks *= left;
            }
            Ok(None)
        }
        Part::Controller(role) => {
            let Some(mount) = deployment.mount(role).cloned() else {
                return no(format!("no volume holds {role}"));
            };
            if mount.is_private() {
                return no(format!(
                    "{role} lies on the server's own disks: there is no controller pair that could fail"
                ));
            }
            let mut left = catalog.clone();
            if let Some(array) = left.arrays.get_mut(&mount.device) {
                let controllers = array.controllers.value;
                if controllers < 2.0 {
                    return no(format!("{} has one controller: {role} is down", array.entry.name));
                }
                // One more that fails, in a scenario, finds one fewer.
                array.controllers.value -= 1.0;
                let share = array.controllers.value / controllers;
                for rate in [&mut array.bandwidth, &mut array.write_bandwidth] {
                    rate.value = BytesPerSecond::new(rate.value.get() * share);
                }
                if let Some(operations) = &mut array.operations {
                    operations.value = PerSecond::new(operations.value.get() * share);
                }
            }
            Ok(Some(Arc::new(left)))
        }
    }
}
