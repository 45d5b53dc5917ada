//! Why another layout is not recommended.

use super::criteria::Criterion;
use super::drives;
use super::ranking::{Solved, exposed};
use super::recovery::Promise;
use super::rules::RULES;
use super::score::{self, Scores, Timed};
use crate::site::Site;
use crate::system::Deployment;
use crate::units::{Fraction, two_digits};

/// Why `s` is not the chosen layout: constraints first, then the criteria in which it loses most.
pub(super) fn why_not(site: &Site, chosen: Option<&(Solved, Scores)>, s: &Solved, scores: &Scores) -> String {
    let why = why_not_itself(chosen, s, scores);
    with_drives(site, &s.candidate.deployment, why)
}

/// A reason, with the number of drives in the server where nobody answered it.
pub(super) fn with_drives(site: &Site, deployment: &Deployment, why: String) -> String {
    match drives::asked_for(site, deployment) {
        Some(drives) => format!("with {drives} drives in the server: {why}"),
        None => why,
    }
}

/// "costs 12,000 EUR more over 3 years", where cost is judged in money; a standby costs both the same.
fn dearer(s: &Solved, first: &Solved) -> Option<String> {
    let more = score::price(&s.times)? - score::price(&first.times)?;
    let bill = s.bill.as_ref()?;
    let years = match bill.years {
        1.0 => "1 year".to_owned(),
        years => format!("{} years", two_digits(years)),
    };
    Some(format!("costs {} more over {years}", bill.money(more.round())))
}

fn why_not_itself(chosen: Option<&(Solved, Scores)>, s: &Solved, scores: &Scores) -> String {
    if let Some(full) = &s.safety.full {
        return full.clone();
    }
    let Some((first, best)) = chosen else {
        return "no layout was chosen".to_owned();
    };
    if let Some(reason) = s.safety.worse_than(&first.safety) {
        return reason;
    }
    if s.misses() > first.misses() {
        if s.misses().0 == first.misses().0 {
            return format!("loses {}", s.unkept.lost());
        }
        let promises = s.unkept.promises.iter();
        let promises = promises.map(|promise| format!("misses the {promise}"));
        let all: Vec<String> = s.missed.iter().cloned().chain(promises).collect();
        return all.join("; ");
    }
    if !s.by_standby.is_empty() && first.by_standby.is_empty() {
        let kept: Vec<String> = s.by_standby.iter().map(Promise::to_string).collect();
        return format!("keeps the {} with a standby alone", kept.join(" and the "));
    }
    if let (Some(idle), None) = (&s.idle, &first.idle) {
        return idle.to_string();
    }
    if let (Some(fills), None) = (s.safety.does_not_last(), first.safety.does_not_last()) {
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
            if mine.criterion == Criterion::Performance {
                slowest(first, s)
            } else if let Some(dearer) = dearer(s, first).filter(|_| mine.criterion == Criterion::Cost) {
                dearer
            } else if mine.word() == theirs.word() {
                format!("{} {:.2} instead of {:.2}", mine.criterion, mine.value, theirs.value)
            } else {
                format!(
                    "{} {} ({:.2}) instead of {} ({:.2})",
                    mine.criterion,
                    mine.word(),
                    mine.value,
                    theirs.word(),
                    theirs.value
                )
            },
        ));
    }
    if scores.findings < best.findings {
        let loss = (best.findings / scores.findings).ln();
        let mut own = scores.heeded.iter().filter(|id| !best.heeded.contains(*id));
        let gravest = own.next().and_then(|id| RULES.iter().find(|rule| rule.id == *id));
        let gravest = gravest.map_or(String::new(), |rule| format!(" ({})", rule.summary));
        losses.push((loss, format!("its own findings say to leave it{gravest}")));
    }
    losses.sort_by(|a, b| b.0.total_cmp(&a.0));
    let words: Vec<String> = losses.into_iter().take(2).map(|(_, words)| words).collect();
    if words.is_empty() && exposed(&s.candidate.deployment) > exposed(&first.candidate.deployment) {
        return "scores as high, but it puts less of database, journal and log on block storage (N13-best)".to_owned();
    }
    if words.is_empty() {
        return "scores as high; the chosen layout is simpler or cheaper".to_owned();
    }
    words.join("; ")
}

/// The kind of work that `other` slows most compared with `first`, with both times.
fn slowest(first: &Solved, other: &Solved) -> String {
    let worst = other
        .times
        .iter()
        .filter(|(name, _)| *name != Timed::Price)
        .filter_map(|(name, time)| {
            let best = first.times.iter().find(|(n, _)| n == name)?.1;
            Some((time / best, name))
        })
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match worst {
        Some((ratio, name)) if ratio > 1.005 => {
            // As a ratio: the times of the chosen one may be simulated, those of the others are solved.
            if ratio < 1.95 {
                let more = Fraction::new(ratio - 1.0).estimated();
                return format!("slower: {name} takes {more} longer");
            }
            format!("slower: {name} takes {} times as long", two_digits(ratio))
        }
        _ => "slower on average over all kinds of work".to_owned(),
    }
}
