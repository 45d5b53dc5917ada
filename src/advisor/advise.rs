//! The main job: from a site to a recommendation that can be defended line by line.

use super::advice::{Advice, Chosen};
use super::as_it_is::{AsItIs, as_it_is};
use super::bill::bill;
use super::candidates::{Candidate, candidates};
use super::confirm::{Ask, Stage};
use super::confirm_limit::confirm_with_limit;
use super::contest::{self, Contest, Contestants};
use super::edges;
use super::facts::people;
use super::headroom;
use super::helps::{by_wider_windows, helps};
use super::instance;
use super::of_there::{least_overloaded, of_what_is_there, only_today};
use super::passed_over::{alternatives, nearest, unused};
use super::ranking::{Failed, Ranked, Solved, solve_all};
use super::recovery::recovery;
use super::rules::{self, Facts};
use super::safety::memory_short;
use super::score::{self, Scores};
use super::search::Search;
use super::sensitivity::{self, Influence, Subject};
use super::standby;
use super::stores;
use super::targets::missed;
use super::unstated::Unstated;
use super::why_not::{why_not, with_drives};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::{Site, Vocabulary};
use crate::system::capacity;
use crate::system::{PredictError, commit_time, interval, predict};
use crate::units::about_count;
use crate::workload::from_site;

/// Where the system that is there carries so many times as much as a new one, the advice says so (assumed).
const MUCH_MORE: f64 = 1.1;
/// So many of the best are simulated where one after the other is found to be overloaded: each takes its seconds.
const TRIED_MOST: usize = 3;

/// Recommends a deployment for a site, by what is solved alone.
pub fn advise(site: &Site, vocabulary: &Vocabulary, catalog: &Catalog, calibration: &Calibration) -> Advice {
    advise_confirmed(site, vocabulary, catalog, calibration, &Ask::NOTHING)
}

/// The same, and what is recommended is confirmed by simulation: it is judged by what that found.
#[expect(clippy::too_many_lines, reason = "the steps of the main job, one after the other")]
pub fn advise_confirmed(
    site: &Site,
    vocabulary: &Vocabulary,
    catalog: &Catalog,
    calibration: &Calibration,
    ask: &Ask<'_>,
) -> Advice {
    let load = from_site::load(site);
    let sizes = capacity::sizes(site, &load, catalog, calibration);
    let (candidates, dropped) = candidates(site, catalog);
    (ask.doing)(Stage::Ranking(candidates.len()));
    let search = Search::of((site, catalog, calibration), &load, &sizes);
    let Ranked { solved: mut ranked, failed, best_times, costs } = solve_all(&search, &candidates, &[]);
    let count = ranked.len() + failed.len();
    let winner = ranked.first().is_some_and(|(s, _)| s.safety.full.is_none());
    let overload = if winner { None } else { least_overloaded(site, catalog, calibration, &failed, &load, &sizes) };
    if !winner {
        let findings = of_what_is_there(site, catalog, calibration, overload.as_ref(), &load, &sizes);
        return Advice {
            chosen: None,
            as_it_is: None,
            overload,
            unused: unused(site, catalog, &ranked, &failed, winner),
            alternatives: alternatives(site, &ranked, failed, nearest(site, catalog, dropped), winner),
            findings,
            influences: Vec::new(),
            contest: Contest::default(),
            best_times,
            costs,
            solved: count,
            load,
        };
    }
    (ask.doing)(Stage::Contest);
    let ranges = sensitivity::ranges(site, vocabulary);
    let mut refuted: Vec<Failed> = Vec::new();
    let (mut chosen, contest, passed_over) = loop {
        let sides = contest::sides(&ranked);
        let mut contestants = Contestants::of(site, &ranges, catalog, calibration, &load, &sides);
        let mut contest = contestants.contest();
        // Where what is not known would cost the best of the middle more than another, the other is chosen.
        let other = contest.worlds.least_regret();
        let place = other.and_then(|other| {
            let of = |(s, _): &(Solved, Scores)| s.candidate.deployment.layout == other;
            ranked.iter().position(of)
        });
        let passed_over = place.map(|place| {
            contestants.put_first(&ranked[place].0.candidate.deployment.layout);
            contest = contestants.contest();
            ranked[..=place].rotate_right(1);
            ranked[1].0.candidate.deployment.layout.clone()
        });
        match choose(&search, &ranked[0], ask) {
            Ok(chosen) => break (chosen, contest, passed_over),
            // The simulation is as good a witness as the solution: the layout is overloaded, and the next is looked at.
            Err(error) => {
                let (unsteady, _) = ranked.remove(0);
                refuted.push((unsteady.candidate, error));
            }
        }
        let is_safe = |(s, _): &(Solved, Scores)| s.safety.full.is_none();
        if refuted.len() == TRIED_MOST || !ranked.first().is_some_and(is_safe) {
            let (candidate, error) = &refuted[0];
            let overload = headroom::overload_simulated(catalog, calibration, &candidate.deployment, &load, error, ask);
            let findings = of_what_is_there(site, catalog, calibration, overload.as_ref(), &load, &sizes);
            refuted.extend(failed);
            return Advice {
                chosen: None,
                as_it_is: None,
                overload,
                unused: unused(site, catalog, &ranked, &refuted, false),
                alternatives: alternatives(site, &ranked, refuted, dropped, false),
                findings,
                influences: Vec::new(),
                contest: Contest::default(),
                best_times,
                costs,
                solved: count,
                load,
            };
        }
    };
    refuted.extend(failed);
    let unused = unused(site, catalog, &ranked, &refuted, winner);
    let mut alternatives = alternatives(site, &ranked, refuted, dropped, winner);
    if let Some(passed_over) = passed_over
        && let Some(found) = alternatives.iter_mut().find(|a| a.layout == passed_over)
    {
        let why = contest.worlds.riskier(&passed_over);
        found.why_not = match &found.deployment {
            Some(deployment) => with_drives(site, deployment, why),
            None => why,
        };
    }
    let subject = Subject { layout: &chosen.deployment.layout, choices: &chosen.choices, grows: true };
    let open = (&ranges[..], sensitivity::Of::Assumption);
    let mut influences = sensitivity::influences(site, open, catalog, calibration, &subject);
    influences.retain(Influence::matters);
    let mut findings = rules::check(&Facts {
        site,
        catalog,
        calibration,
        deployment: &chosen.deployment,
        prediction: &chosen.prediction,
        sizes: &chosen.sizes,
        memory: &chosen.memory,
        headroom: &chosen.headroom,
        largest_commit: chosen.largest_commit,
        influences: &influences,
        recovery: &chosen.recovery,
        is_there: false,
        unstated: &Unstated::default(),
        overload: None,
    });
    search.explain(&mut findings, &ranked, chosen.edges_end.as_ref());
    findings.extend(only_today(site, catalog, calibration, &findings));
    // What the recommended layout mends of today's system comes after what is to be done about it.
    rules::sort(&mut findings, |finding| usize::from(finding.is_of_today));
    let as_it_is = as_it_is(&search, &ranked[0], &chosen.deployment, &best_times);
    if let Some(more) = as_it_is.as_ref().and_then(|there| carries_more(site, there, &chosen)) {
        chosen.cautions.push(more);
    }
    let next = next_carries_more(&search, &ranked, &contest, &chosen);
    chosen.cautions.extend(next);
    alternatives.extend(as_it_is.iter().map(|there| there.candidate.clone()));
    Advice {
        overload,
        unused,
        as_it_is,
        chosen: Some(chosen),
        alternatives,
        findings,
        influences,
        contest,
        best_times,
        costs,
        solved: count,
        load,
    }
}

/// What is said where the system that is there carries much more than the recommended one.
fn carries_more(site: &Site, there: &AsItIs, chosen: &Chosen) -> Option<String> {
    let (factor, _) = there.carries.as_ref().filter(|(factor, _)| *factor >= 1.0)?;
    let people = people(&about_count(factor * site.people.developers.value));
    (*factor > MUCH_MORE * chosen.headroom.factor).then(|| {
        format!("today's system carries more within the same targets, about {people}: `plimsoll advise --from-today` improves it step by step")
    })
}

/// What is said where one of the next layouts carries much more within the same targets: the score, which decides among those that
/// carry enough, does not know how much more a layout carries.
fn next_carries_more(
    search: &Search<'_>,
    ranked: &[(Solved, Scores)],
    contest: &Contest,
    chosen: &Chosen,
) -> Option<String> {
    let (site, catalog, calibration) = search.known();
    let found = chosen.prediction.correction.clone().of_another();
    let much = MUCH_MORE * chosen.headroom.carried()?;
    contest.rivals.iter().find_map(|rival| {
        let of = |(one, _): &&(Solved, Scores)| one.candidate.deployment.layout == rival.layout;
        let (other, scores) = ranked.iter().find(of)?;
        let on_it = (&other.candidate.deployment, search.load);
        let known = (site, catalog, calibration);
        let factor = headroom::limit_above(known, on_it, &found, much)?;
        let people = people(&about_count(factor * site.people.developers.value));
        let title = &other.candidate.deployment.title;
        let why = why_not(site, ranked.first(), other, scores);
        Some(format!("\"{title}\" carries more within the same targets, about {people}, and is not recommended: {why}"))
    })
}

fn choose(search: &Search<'_>, (first, scores): &(Solved, Scores), ask: &Ask<'_>) -> Result<Chosen, PredictError> {
    let (site, catalog, calibration) = search.known();
    let (load, sizes) = (search.load, search.sizes);
    (ask.doing)(Stage::Chosen);
    let Candidate { mut deployment, choices } = first.candidate.clone();
    let shown = predict(&deployment, load, catalog, calibration);
    let mut prediction = shown.unwrap_or_else(|_| first.prediction.clone());
    interval::add_intervals(&mut prediction, &deployment, load, catalog, calibration);
    let known = (site, catalog, calibration);
    confirm_with_limit(known, &mut prediction, &deployment, load, ask)?;
    (ask.doing)(Stage::Findings);
    deployment = standby::with(search, &deployment, &prediction);
    let bill = bill(known, &deployment, (load, sizes), &prediction);
    let memory = capacity::memory(site, calibration, &deployment, load, prediction.db_hit);
    let headroom = headroom::headroom(site, catalog, calibration, &deployment, load, &prediction, sizes);
    let recovery = recovery(site, catalog, calibration, &deployment, load, &prediction);
    for (name, number) in &recovery.used {
        let known = prediction.used.entry(name.clone());
        known.or_insert_with(|| number.clone());
    }
    let instances =
        instance::instances(site, catalog, calibration, (&deployment, &choices), (load, sizes), &prediction);
    let safety = &first.safety;
    let memory_short = memory_short(calibration, &deployment, load);
    let mut cautions = safety.cautions();
    cautions.extend(stores::edges_in_words(site, &deployment));
    let files = site.workload.branch_files.value;
    let on_it = (&deployment, load);
    let helps = helps(known, on_it, &prediction);
    let by_wider_windows = by_wider_windows((catalog, calibration), on_it, &prediction);
    let branch_commit = commit_time(&deployment, load, files, catalog, calibration);
    Ok(Chosen {
        bill,
        instances,
        price: score::price(&first.times),
        edges_end: edges::end(search, first),
        edges_worth: edges::worth(search, first),
        branch_commit,
        deployment,
        choices,
        scores: scores.clone(),
        largest_commit: first.largest_commit,
        missed: missed(site, &prediction),
        helps,
        by_wider_windows,
        memory_short,
        falls_short: safety.short.is_some() || safety.fills.is_some(),
        cautions,
        sizes: sizes.to_vec(),
        memory,
        headroom,
        recovery,
        prediction,
    })
}
