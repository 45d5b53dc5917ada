//! Which unanswered question matters most to the recommendation.
//!
//! Each assumption is moved to the low and the high end of its range, the site is read again, and the
//! deployment predicted anew; what moves the times most matters most. The same moves widen the intervals.

use super::candidates::choices_for;
use super::score::{Timed, times};
use super::stores::provision;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::{self, Answer, Site, Vocabulary};
use crate::system::{
    Choices, Deployment, Lens, Prediction, bind, capacity, commit_time, interval, predict_through,
};
use crate::workload::{Load, Work, from_site};

/// What one unanswered question does.
#[derive(Debug, Clone, PartialEq)]
pub struct Influence {
    /// The field.
    pub field: String,
    /// The largest ratio by which a time changes over the range, at least 1.
    pub ratio: f64,
    /// Which time.
    pub time: String,
    /// Whether an end of the range saturates a resource.
    pub saturates: bool,
    /// How each kind of work moves between the ends.
    pub moves: Vec<Move>,
}

/// Times that move by less than this are not worth asking for.
const TOLD: f64 = 1.02;

impl Influence {
    /// Whether the question is worth asking: a time that performance is judged by moves, or something saturates.
    pub fn matters(&self) -> bool {
        self.saturates || self.ratio > TOLD
    }
}

/// How a time moves over the range of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    /// Which kind of work.
    pub work: Work,
    /// Logarithm by which it falls at most, zero or less.
    pub down: f64,
    /// Logarithm by which it rises at most, zero or more.
    pub up: f64,
}

/// Whose times move.
pub(super) struct Subject<'a> {
    /// The layout's id.
    pub(super) layout: &'a str,
    /// What was chosen for it.
    pub(super) choices: &'a Choices,
    /// Whether its stores get the disks that the data need; a layout with devices of its own keeps them.
    pub(super) grows: bool,
}

/// Influences of all assumptions on a deployment, largest first; `ranges` are the site's. Those that move
/// nothing are not among them, those that move only what nobody waits for are.
pub(super) fn influences(
    site: &Site,
    ranges: &[Range],
    catalog: &Catalog,
    calibration: &Calibration,
    subject: &Subject<'_>,
) -> Vec<Influence> {
    let reference = judge(site, catalog, calibration, subject);
    let mut influences: Vec<Influence> = ranges
        .iter()
        .filter(|range| !range.field.starts_with("criteria"))
        .filter_map(|range| {
            let mut worst = Influence {
                field: range.field.clone(),
                ratio: 1.0,
                time: String::new(),
                saturates: false,
                moves: Vec::new(),
            };
            for varied in &range.ends {
                let choices = &renewed(subject.choices, varied, catalog);
                let subject = Subject {
                    choices,
                    ..*subject
                };
                match judge(varied, catalog, calibration, &subject) {
                    None => worst.saturates = true,
                    Some(judged) => compare(reference.as_ref(), &judged, &mut worst),
                }
            }
            let moves = worst.moves.iter().any(|m| m.down < 0.0 || m.up > 0.0);
            (worst.matters() || moves).then_some(worst)
        })
        .collect();
    influences.sort_by(|a, b| {
        b.saturates
            .cmp(&a.saturates)
            .then(b.ratio.total_cmp(&a.ratio))
            .then(a.field.cmp(&b.field))
    });
    influences
}

/// Widens the intervals of a prediction by what other answers would make of it.
pub(super) fn widen(prediction: &mut Prediction, influences: &[Influence]) {
    interval::widen(prediction, |work| {
        let moves = influences.iter().flat_map(|i| &i.moves);
        let moves = moves.filter(|moved| moved.work == *work);
        moves.map(|moved| (moved.down, moved.up)).collect()
    });
}

/// A site as it would be read at both ends of what nobody answered.
pub(super) struct Range {
    pub(super) field: String,
    pub(super) ends: [Site; 2],
}

/// The ranges of all assumptions that have one.
pub(super) fn ranges(site: &Site, vocabulary: &Vocabulary) -> Vec<Range> {
    let at = |field: &str, end: &str| {
        let mut overrides = site.overrides.clone();
        overrides.push(format!("{field}={end}"));
        site::parse(&site.file, &site.text, &overrides, vocabulary).ok()
    };
    let assumptions = site.assumptions().into_iter();
    assumptions
        .filter(|a| a.low_override != a.high_override)
        // How many drives it takes is part of the advice where nobody said how many there are.
        .filter(|a| a.field != "server.local_disks")
        .filter_map(|a| {
            let ends = [
                at(&a.field, &a.low_override)?,
                at(&a.field, &a.high_override)?,
            ];
            let field = a.field;
            Some(Range { field, ends })
        })
        .collect()
}

/// The same choices for a site of which some answers are others.
pub(super) fn renewed(choices: &Choices, varied: &Site, catalog: &Catalog) -> Choices {
    let fresh = choices_for(varied, catalog);
    let mut local = fresh.local.or_else(|| choices.local.clone());
    // What the advice chose where nobody answered stays chosen: how many drives, and their kind.
    if let (Some((medium, drives)), Some((chosen, number))) = (&mut local, &choices.local) {
        let is_named = varied.server.model.as_ref().is_some_and(Answer::is_stated);
        if varied.server.are_drives_open() {
            *drives = *number;
        }
        if !is_named && !varied.server.local_medium.is_stated() {
            medium.clone_from(chosen);
        }
    }
    Choices {
        memory: fresh.memory,
        edge_memory: fresh.edge_memory,
        office_disks: fresh.office_disks,
        cores: fresh.cores,
        local,
        networks: fresh.networks,
        client_network: fresh.client_network,
        client_links: fresh.client_links,
        release: fresh.release,
        lockless: fresh.lockless,
        ..choices.clone()
    }
}

/// A layout made anew for a site, with room for its data, and the site's load.
pub(super) fn made(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    layout: &str,
    choices: &Choices,
) -> Option<(Deployment, Load)> {
    let mut deployment = bind(catalog, catalog.layouts.get(layout)?, choices).ok()?;
    let load = from_site::load(site);
    let sizes = capacity::sizes(site, &load, catalog, calibration);
    provision(site, catalog, &mut deployment, &sizes);
    Some((deployment, load))
}

/// Times that performance is judged by, and p95 of every kind of work.
struct Judged {
    times: Vec<(Timed, f64)>,
    classes: Vec<(Work, f64)>,
}

fn judge(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    subject: &Subject<'_>,
) -> Option<Judged> {
    let Subject {
        layout, choices, ..
    } = subject;
    let (deployment, load) = if subject.grows {
        made(site, catalog, calibration, layout, choices)?
    } else {
        let bound = bind(catalog, catalog.layouts.get(*layout)?, choices).ok()?;
        (bound, from_site::load(site))
    };
    let prediction =
        predict_through(Lens::forgetful(), &deployment, &load, catalog, calibration).ok()?;
    let files = site.workload.largest_submit_files.value;
    let commit = commit_time(&deployment, &load, files, catalog, calibration);
    let classes = prediction.classes.iter();
    Some(Judged {
        times: times(&prediction, commit),
        classes: classes.map(|c| (c.work.clone(), c.p95.value)).collect(),
    })
}

fn compare(reference: Option<&Judged>, judged: &Judged, worst: &mut Influence) {
    let Some(reference) = reference else { return };
    for (work, time) in &judged.classes {
        let Some((_, before)) = reference.classes.iter().find(|(w, _)| w == work) else {
            continue;
        };
        let change = (time / before).ln();
        let known = worst.moves.iter().position(|m| m.work == *work);
        let at = known.unwrap_or_else(|| {
            worst.moves.push(Move {
                work: work.clone(),
                down: 0.0,
                up: 0.0,
            });
            worst.moves.len() - 1
        });
        let moved = &mut worst.moves[at];
        (moved.down, moved.up) = (moved.down.min(change), moved.up.max(change));
    }
    for (name, time) in &judged.times {
        let Some((_, before)) = reference.times.iter().find(|(n, _)| n == name) else {
            continue;
        };
        let ratio = (time / before).max(before / time);
        if ratio > worst.ratio {
            worst.ratio = ratio;
            worst.time = name.to_string();
        }
    }
}
