//! Which unanswered question matters most to the recommendation.
//!
//! Each assumption is moved to the low and the high end of its range, the site is read again, and the
//! deployment predicted anew; what moves the times most matters most. Intervals of times do not contain this: they
//! hold for the sizes and rates that the answer shows, and each end of a range is a case of its own.

use super::candidates::{Candidate, choices_for};
use super::equip::buy_memory;
use super::proxies;
use super::score::{Timed, times};
use super::sizing::Sizing;
use super::targets::is_met;
use crate::calibration::Calibration;
use crate::catalog::{Catalog, Form};
use crate::parallel;
use crate::site::{Answer, Site, Vocabulary};
use crate::system::{Choices, Deployment, Proxy, Resting, bind, capacity, predict_with_commit};
use crate::workload::{Load, Work, from_site};

/// What one unanswered question does.
#[derive(Debug, Clone, PartialEq)]
pub struct Influence {
    /// The field.
    pub field: String,
    /// The largest ratio by which a time changes over the range, at least 1.
    pub ratio: f64,
    /// Which time; `None` where none changes.
    pub time: Option<Timed>,
    /// Whether an end of the range saturates a resource.
    pub saturates: bool,
    /// The low and the high end of the range.
    pub ends: Vec<End>,
}

/// Times that move by less than this are not worth asking for.
const TOLD: f64 = 1.02;

impl Influence {
    /// Whether the question is worth asking: a time that performance is judged by moves, or something saturates.
    pub fn matters(&self) -> bool {
        self.saturates || self.ratio > TOLD
    }

    /// Which time it changes most, in words.
    pub fn time_in_words(&self) -> String {
        self.time.as_ref().map_or_else(String::new, Timed::to_string)
    }

    /// The largest factor, at least 1, by which an end of the range makes a kind of work faster or slower.
    pub fn factor(&self, work: &Work) -> f64 {
        let ends = self.ends.iter().filter_map(|end| end.factor(work));
        ends.map(|factor| factor.max(1.0 / factor)).fold(1.0, f64::max)
    }
}

/// What one answer at the end of a range would do.
#[derive(Debug, Clone, PartialEq)]
pub struct End {
    /// The answer with its unit, for a person.
    pub answer: String,
    /// What is then overloaded, or why the deployment cannot be built; nothing where it works.
    pub overload: Option<String>,
    /// p95 of each kind of work, relative to what is assumed.
    pub factors: Vec<(Work, f64)>,
    /// Kinds of work that meet their targets with what is assumed and miss one here.
    pub misses: Vec<Work>,
}

impl End {
    /// p95 of a kind of work, relative to what is assumed.
    pub fn factor(&self, work: &Work) -> Option<f64> {
        let found = self.factors.iter().find(|(w, _)| w == work)?;
        Some(found.1)
    }
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

/// Influences of all assumptions on a deployment, largest first, or those of all measured answers with a range; `ranges`
/// are the site's. Those that move nothing are not among them, those that move only what nobody waits for are.
pub(super) fn influences(
    site: &Site,
    (ranges, of): (&[Range], Of),
    catalog: &Catalog,
    calibration: &Calibration,
    subject: &Subject<'_>,
) -> Vec<Influence> {
    let there = built(site, catalog, calibration, subject).ok();
    let files = site.workload.largest_submit_files.value;
    let rest =
        there.as_ref().and_then(|(deployment, load)| Resting::of(deployment, load, files, catalog, calibration).ok());
    let rest = rest.as_ref();
    let reference = judge_near(rest, [site, site], catalog, calibration, subject).ok();
    let asked = ranges.iter();
    let asked: Vec<&Range> = asked.filter(|range| range.of == of).collect();
    let influences = parallel::map(&asked, |range| {
        let mut worst =
            Influence { field: range.field.clone(), ratio: 1.0, time: None, saturates: false, ends: Vec::new() };
        for (answer, varied) in &range.ends {
            let choices = &renewed(subject.choices, site, varied, catalog);
            let subject = Subject { choices, ..*subject };
            let mut end = End { answer: answer.clone(), overload: None, factors: Vec::new(), misses: Vec::new() };
            match judge_near(rest, [varied, site], catalog, calibration, &subject) {
                Err(reason) => {
                    worst.saturates = true;
                    end.overload = Some(reason);
                }
                Ok(judged) => compare(reference.as_ref(), &judged, &mut worst, &mut end),
            }
            worst.ends.push(end);
        }
        let mut factors = worst.ends.iter().flat_map(|end| &end.factors);
        let moves = factors.any(|(_, factor)| *factor != 1.0);
        (worst.matters() || moves).then_some(worst)
    });
    let mut influences: Vec<Influence> = influences.into_iter().flatten().collect();
    influences
        .sort_by(|a, b| b.saturates.cmp(&a.saturates).then(b.ratio.total_cmp(&a.ratio)).then(a.field.cmp(&b.field)));
    influences
}

/// Why an answer has a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// Nobody answered.
    Assumption,
    /// It was measured, and the log leaves a range.
    Measured,
}

/// A site as it would be read at both ends of what nobody answered, or of what was measured.
pub(super) struct Range {
    pub(super) of: Of,
    pub(super) field: String,
    /// The low and the high end, each with its unit for a person.
    pub(super) ends: Vec<(String, Site)>,
}

/// The ranges of all assumptions and of all measured answers that have one.
pub(super) fn ranges(site: &Site, vocabulary: &Vocabulary) -> Vec<Range> {
    let at = |field: &str, end: &str| {
        let mut overrides = site.overrides.clone();
        overrides.push(format!("{field}={end}"));
        site.again(&site.text, &overrides, vocabulary).ok()
    };
    let assumptions = site.assumptions().into_iter();
    let measured = site.measured_ranges().iter().cloned();
    assumptions
        .map(|a| (Of::Assumption, a))
        .chain(measured.map(|a| (Of::Measured, a)))
        .filter(|(_, a)| a.low_override != a.high_override)
        // How many drives it takes is part of the advice where nobody said how many there are.
        .filter(|(_, a)| a.field != "server.local_disks")
        // What is bearable moves no time, and what is preferred is not uncertain: an unstated weight is the usual one.
        .filter(|(_, a)| !a.field.starts_with("targets.") && !a.field.starts_with("criteria."))
        .filter_map(|(of, a)| {
            let low = at(&a.field, &a.low_override)?;
            let high = at(&a.field, &a.high_override)?;
            let field = a.field;
            let ends = vec![(a.low, low), (a.high, high)];
            Some(Range { of, field, ends })
        })
        .collect()
}

/// The same choices, made for `site`, for a site of which some answers are others. Memory that was bought stays where the
/// answers on memory are the same.
pub(super) fn renewed(choices: &Choices, site: &Site, varied: &Site, catalog: &Catalog) -> Choices {
    let fresh = choices_for(varied, catalog);
    let there = choices_for(site, catalog);
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
    // The server stays, and its processor with it, where the time of another release has another usual server.
    let is_same = fresh.server == choices.server;
    let (processor, clock) =
        if is_same { (fresh.processor, fresh.clock) } else { (choices.processor.clone(), choices.clock) };
    // An instance that was chosen has what its size has.
    let server = catalog.servers.get(&choices.server);
    let is_chosen = !is_same && server.is_some_and(|server| server.form == Form::Instance);
    let (memory, edge_memory, cores) = if is_chosen {
        (choices.memory, choices.edge_memory, choices.cores)
    } else {
        let kept = |is: f64, was: f64, has: f64| {
            let is_same = is.to_bits() == was.to_bits();
            if is_same { has } else { is }
        };
        let memory = kept(fresh.memory, there.memory, choices.memory);
        let edge_memory = kept(fresh.edge_memory, there.edge_memory, choices.edge_memory);
        (memory, edge_memory, fresh.cores)
    };
    Choices {
        memory,
        edge_memory,
        cores,
        processor,
        clock,
        proxies: {
            let proxies = choices.proxies.iter();
            let renewed = |has: &Proxy| proxies::proxy(varied, catalog, has.place.clone());
            proxies.map(renewed).collect()
        },
        office_disks: fresh.office_disks,
        local,
        networks: fresh.networks,
        client_network: fresh.client_network,
        client_links: fresh.client_links,
        write_cache: fresh.write_cache,
        release: fresh.release,
        read_locks: fresh.read_locks,
        ..choices.clone()
    }
}

/// A layout made anew for a site, with room for its data and memory for its peak, and the site's load.
pub(super) fn made(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    layout: &str,
    choices: &Choices,
) -> Option<(Deployment, Load)> {
    let mut candidate =
        Candidate { deployment: bind(catalog, catalog.layouts.get(layout)?, choices).ok()?, choices: choices.clone() };
    let load = from_site::load(site);
    let sizes = capacity::sizes(site, &load, catalog, calibration);
    Sizing::of(site, catalog, &sizes).provision(&mut candidate.deployment);
    buy_memory(catalog, calibration, &mut candidate, &load);
    Some((candidate.deployment, load))
}

/// Times that performance is judged by, p95 of every kind of work, and which of them miss a target.
pub(super) struct Judged {
    times: Vec<(Timed, f64)>,
    pub(super) classes: Vec<(Work, f64)>,
    misses: Vec<Work>,
}

/// The deployment and the load that a site's work is judged on; or why it cannot be built.
fn built(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    subject: &Subject<'_>,
) -> Result<(Deployment, Load), String> {
    let Subject { layout, choices, .. } = subject;
    let cannot = || "the layout cannot be built then".to_owned();
    if subject.grows {
        return made(site, catalog, calibration, layout, choices).ok_or_else(cannot);
    }
    let layout = catalog.layouts.get(*layout).ok_or_else(cannot)?;
    let bound = bind(catalog, layout, choices).map_err(|error| error.to_string())?;
    Ok((bound, from_site::load(site)))
}

/// What a site's work takes; or what is overloaded, or why the deployment cannot be built.
pub(super) fn judge(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    subject: &Subject<'_>,
) -> Result<Judged, String> {
    judge_near(None, [site, site], catalog, calibration, subject)
}

/// The same from where one that differs by little came to rest. What misses a target misses that of the site whose targets are shown
/// too: an assumed target that moves with an answer makes no miss.
fn judge_near(
    rest: Option<&Resting<'_>>,
    [site, shown]: [&Site; 2],
    catalog: &Catalog,
    calibration: &Calibration,
    subject: &Subject<'_>,
) -> Result<Judged, String> {
    let (deployment, load) = built(site, catalog, calibration, subject)?;
    let files = site.workload.largest_submit_files.value;
    let solved = match rest {
        Some(rest) => rest.near(&deployment, &load, files),
        None => predict_with_commit(&deployment, &load, files, catalog, calibration),
    };
    let (prediction, commit) = solved.map_err(|error| error.to_string())?;
    let classes = prediction.classes.iter();
    let missing = classes.clone().filter(|class| !is_met(site, class) && !is_met(shown, class));
    Ok(Judged {
        times: times(&prediction, commit),
        misses: missing.map(|c| c.work.clone()).collect(),
        classes: classes.map(|c| (c.work.clone(), c.p95.value)).collect(),
    })
}

fn compare(reference: Option<&Judged>, judged: &Judged, worst: &mut Influence, end: &mut End) {
    let Some(reference) = reference else { return };
    for (work, time) in &judged.classes {
        if let Some((_, before)) = reference.classes.iter().find(|(w, _)| w == work) {
            end.factors.push((work.clone(), time / before));
        }
    }
    let misses = judged.misses.iter();
    let misses = misses.filter(|work| !reference.misses.contains(work));
    end.misses = misses.cloned().collect();
    for (name, time) in &judged.times {
        let Some((_, before)) = reference.times.iter().find(|(n, _)| n == name) else {
            continue;
        };
        let ratio = (time / before).max(before / time);
        if ratio > worst.ratio {
            worst.ratio = ratio;
            worst.time = Some(name.clone());
        }
    }
}
