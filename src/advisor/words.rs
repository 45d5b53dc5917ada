//! The words of the advice: the sentence, and why another layout is not the one.

use super::advise::{Alternative, Chosen};
use super::drives;
use super::growth;
use super::ranking::{Solved, exposed};
use super::score::{Scores, Timed};
use crate::catalog::Catalog;
use crate::site::Site;
use crate::system::memory::ServerMemory;
use crate::units::Seconds;

/// Why `s` is not the chosen one: constraints first, then what it loses most by.
pub(super) fn why_not(
    site: &Site,
    chosen: Option<&(Solved, Scores)>,
    s: &Solved,
    scores: &Scores,
) -> String {
    let why = why_not_itself(chosen, s, scores);
    match drives::asked_for(site, &s.candidate.deployment) {
        Some(drives) => format!("with {drives} drives in the server: {why}"),
        None => why,
    }
}

fn why_not_itself(chosen: Option<&(Solved, Scores)>, s: &Solved, scores: &Scores) -> String {
    if let Some(full) = &s.safety.full {
        return full.clone();
    }
    let Some((first, best)) = chosen else {
        return "nothing was chosen".to_owned();
    };
    if let Some(reason) = s.safety.worse_than(&first.safety) {
        return reason;
    }
    if s.missed.len() > first.missed.len() {
        return s.missed.join("; ");
    }
    if let (Some(fills), None) = (&s.safety.fills, &first.safety.fills) {
        return fills.clone();
    }
    let mut losses: Vec<(f64, String)> = Vec::new();
    for (mine, theirs) in scores.by_criterion.iter().zip(&best.by_criterion) {
        let loss = mine.weight * (theirs.value / mine.value).ln();
        if loss <= 0.002 {
            continue;
        }
        losses.push((
            loss,
            if mine.criterion == "performance" {
                slowest(first, s)
            } else {
                format!(
                    "{} {} ({:.2}) against {} ({:.2})",
                    mine.criterion.replace('_', " "),
                    mine.word(),
                    mine.value,
                    theirs.word(),
                    theirs.value
                )
            },
        ));
    }
    losses.sort_by(|a, b| b.0.total_cmp(&a.0));
    let words: Vec<String> = losses.into_iter().take(2).map(|(_, words)| words).collect();
    if words.is_empty() && exposed(&s.candidate.deployment) > exposed(&first.candidate.deployment) {
        return "as good by score, but it keeps less of db, journal and log on block (N13-best)"
            .to_owned();
    }
    if words.is_empty() {
        return format!(
            "cannot be told apart by score ({:.3} against {:.3}); the chosen one is simpler or cheaper",
            scores.total, best.total
        );
    }
    words.join("; ")
}

/// The kind of work in which `other` loses most against `first`, with both times.
fn slowest(first: &Solved, other: &Solved) -> String {
    let worst = other
        .times
        .iter()
        .filter_map(|(name, time)| {
            let best = first.times.iter().find(|(n, _)| n == name)?.1;
            Some((time / best, name, *time, best))
        })
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match worst {
        Some((ratio, name, time, best)) if ratio > 1.005 => format!(
            "slower: {name} {}{} against {}",
            match name {
                Timed::LargestCommit => "",
                Timed::Work(_) => "p95 ",
            },
            Seconds::new(time),
            Seconds::new(best)
        ),
        _ => "slower over all kinds of work together".to_owned(),
    }
}

pub(super) fn nothing_fits(alternatives: &[Alternative]) -> String {
    let reason = alternatives
        .first()
        .map_or("the site allows no layout", |a| a.why_not.as_str());
    format!("Nothing that this site has can do it: {reason}.")
}

/// "Put db, journal and log on …, depots on …: …".
pub(super) fn sentence(site: &Site, catalog: &Catalog, chosen: &Chosen) -> String {
    let d = &chosen.deployment;
    let mut places: Vec<(&str, String, Vec<&str>)> = Vec::new();
    for mount in &d.volumes {
        let place = place(catalog, mount);
        let roles = mount
            .roles
            .iter()
            .copied()
            .filter(|r| !matches!(*r, "offline_db"));
        // Two sets of the server's own disks are two, however alike.
        let set = if mount.is_private() {
            mount.set.as_str()
        } else {
            ""
        };
        match places.iter_mut().find(|(s, p, _)| *s == set && *p == place) {
            Some((.., held)) => held.extend(roles),
            None => places.push((set, place, roles.collect())),
        }
    }
    let parts: Vec<String> = places
        .iter()
        .map(|(_, place, roles)| format!("{} on {place}", list(roles)))
        .collect();
    let edges = match d.edges {
        0 => String::new(),
        1 => ", with a commit server and one edge".to_owned(),
        n => format!(", with a commit server and {n} edges"),
    };
    let beside = d.edges as usize - d.offices.len();
    let shared = match (d.offices.as_slice(), beside) {
        ([], 0) => String::new(),
        ([], _) if d.shared_depot => " that share the depots".to_owned(),
        ([], _) => String::new(),
        (offices, 0) => format!(" in {}", offices.join(" and ")),
        (offices, _) => format!(", of them one each in {}", offices.join(" and ")),
    };
    let proxies = if d.proxies {
        "; build farms read through proxies"
    } else {
        ""
    };
    let cache = d
        .cache
        .as_ref()
        .map_or(String::new(), |c| format!("; add the cache {c}"));
    let survives = !chosen.memory.servers.iter().any(ServerMemory::is_short);
    let verdict = if !survives {
        "with that memory it does not survive today's peak".to_owned()
    } else if chosen.missed.is_empty() {
        let h = &chosen.headroom;
        let growth = &site.data.db_growth;
        let assumed = if growth.is_stated() { "" } else { ", assumed" };
        let when = h.reached_in.map_or(String::new(), |t| {
            format!(", reached in {t} with {}{assumed}", growth.value)
        });
        let held = if growth::has_targets(site) {
            "all targets hold"
        } else {
            "response times stay within three times today's"
        };
        if h.factor < HARDLY_MORE {
            format!("{held} today, and there is nothing to spare: {}", h.limit)
        } else {
            format!("{held} up to {:.1} times today's peak{when}", h.factor)
        }
    } else {
        format!("even so it misses a target: {}", chosen.missed.join("; "))
    };
    let cautions: String = chosen.cautions.iter().map(|c| caution(c)).collect();
    let drives = drives::asked_for(site, d).map_or(String::new(), |drives| {
        format!(
            " This takes {drives} drives in the server; how many it has was not answered (server.local_disks)."
        )
    });
    format!(
        "{cautions}Put {}{edges}{shared}{proxies}{cache}: {verdict}.{drives}",
        parts.join("; ")
    )
}

/// Multiple of today's peak below which one decimal would say that nothing more is carried.
const HARDLY_MORE: f64 = 1.05;

/// A sentence of a clause, said before the recommendation.
fn caution(clause: &str) -> String {
    let mut letters = clause.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}. ", first.unwrap_or_default(), letters.as_str())
}

/// "FlashArray over iSCSI with xfs".
fn place(catalog: &Catalog, mount: &crate::system::Mount) -> String {
    let fs = mount
        .filesystem
        .as_ref()
        .map_or(String::new(), |fs| format!(" with {fs}"));
    if mount.is_local() {
        return format!(
            "{} disks of the server ({}, {}){fs}",
            mount.disks, mount.medium, mount.raid
        );
    }
    if mount.is_cloud() {
        return format!("cloud disks ({}){fs}", mount.medium);
    }
    let device = &mount.device;
    let usual = catalog.arrays.get(device).map(|a| &a.raid);
    let raid = match usual {
        Some(usual) if *usual != mount.raid => format!(" ({})", mount.raid),
        _ => String::new(),
    };
    format!("{device}{raid} over {}{fs}", mount.protocol)
}

/// "db, journal and log".
fn list(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
