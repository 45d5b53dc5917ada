//! Certainty of the choice of a layout, as text and JSON.

use serde_json::{Value, json};

use super::prediction_text::percent;
use crate::advisor::{Contest, Doubt, DoubtKind, Rival};
use crate::page::{Table, paragraph};

/// Causes of the uncertainty of a lead are shown down to this share of its variance.
const SHARE_MIN: f64 = 0.03;
/// Shares below are not shown.
const LEAST: f64 = 1e-3;
/// Doubts and data shown.
const SHOWN: usize = 5;

/// The text where there is no rival.
pub(super) const ALONE: &str =
    "No other layout of this site does as well on safety and targets, so no score decides.";

/// Heads of the table that [`rival_cells`] fills.
pub(super) const RIVAL_HEADS: [&str; 5] = [
    "compared with",
    ">lead of the chosen one",
    ">± (one sigma)",
    ">chance that it is better",
    "verdict",
];

/// A row about a rival.
pub(super) fn rival_cells(rival: &Rival) -> Vec<String> {
    let verdict = if rival.is_tied() { "tied" } else { "worse" };
    vec![
        rival.layout.clone(),
        share(rival.lead.exp_m1()),
        share(rival.sigma.exp_m1()),
        share(rival.chance),
        verdict.to_owned(),
    ]
}

/// The published data behind the lead, those that matter most first, with their shares.
pub(super) fn data_behind(contest: &Contest) -> Vec<String> {
    let data = contest.data.iter().take(SHOWN);
    data.filter(|(_, part)| *part >= LEAST)
        .map(|(id, part)| format!("{id} ({})", share(*part)))
        .collect()
}

/// The rivals with their chances, and what the lead depends on; nothing if there are none.
pub(super) fn contest_text(contest: &Contest) -> String {
    let Some(likeliest) = contest.rivals.first() else {
        return paragraph(ALONE, 2);
    };
    let mut table = Table::new(&RIVAL_HEADS);
    for rival in &contest.rivals {
        table.row(rival_cells(rival));
    }
    let mut out = table.text();
    if let Some(words) = worlds_in_words(contest, str::to_owned) {
        out.push_str(&paragraph(&words, 2));
    }
    let doubts = contest.doubts.iter().filter(|d| d.share >= SHARE_MIN);
    let all: Vec<String> = doubts.take(SHOWN).map(words).collect();
    if !all.is_empty() {
        let over = &likeliest.layout;
        let depends = format!(
            "The lead over {over} depends on {} (shares of its variance).",
            all.join(", ")
        );
        out.push_str(&paragraph(&depends, 2));
    }
    let most: Vec<String> = most(contest)
        .into_iter()
        .filter_map(|(word, found)| {
            let (name, part) = found?;
            Some(format!("{word}: {name} ({})", share(part)))
        })
        .collect();
    if !most.is_empty() {
        out.push_str(&paragraph(
            &format!("Most important {}.", most.join(", ")),
            2,
        ));
    }
    let data = data_behind(contest);
    if data.len() > 1 {
        let errors = format!(
            "Its published data, by their share of the variance: {}.",
            data.join(", ")
        );
        out.push_str(&paragraph(&errors, 2));
    }
    out
}

/// The parameter, the published datum and the unanswered question that the lead depends on most.
fn most(contest: &Contest) -> [(&'static str, Option<(&str, f64)>); 3] {
    let doubt = |kind| {
        let most = contest.most(kind);
        most.map(|d| (d.name.as_str(), d.share))
    };
    let datum = contest.data.first().map(|(id, part)| (id.as_str(), *part));
    [
        ("parameter of the model", doubt(DoubtKind::Parameter)),
        ("published figure", datum),
        ("unanswered question", doubt(DoubtKind::Question)),
    ]
}

/// A share or a lead; less than a tenth of a percent counts as nothing.
pub(super) fn share(x: f64) -> String {
    if x.abs() < LEAST {
        "< 0.1 %".to_owned()
    } else {
        percent(x)
    }
}

fn words(doubt: &Doubt) -> String {
    let share = share(doubt.share);
    match doubt.kind {
        DoubtKind::Model => format!("{} ({share})", doubt.name),
        DoubtKind::Question => format!("the answer to {} ({share})", doubt.name),
        DoubtKind::Measured => format!("the range of the measured {} ({share})", doubt.name),
        kind => format!("the {} {} ({share})", kind.word(), doubt.name),
    }
}

/// "Best in 83 % of 2,000 sampled worlds; the second best, ..., loses 4 % of the score on average, the recommended 1 %."
pub(super) fn worlds_in_words(contest: &Contest, title: impl Fn(&str) -> String) -> Option<String> {
    let worlds = &contest.worlds;
    let (first, second) = (worlds.standings.first()?, worlds.second()?);
    let loss = |regret: f64| share(-(-regret).exp_m1());
    Some(format!(
        "Unanswered questions and errors together: best in {} of {} sampled cases, {} in {}; taking that instead costs {} of the score on average, this one {}.",
        share(first.best),
        super::prose::grouped(worlds.count as f64),
        title(&second.layout),
        share(second.best),
        loss(second.regret),
        loss(first.regret)
    ))
}

/// The same for programs.
pub(super) fn contest_json(contest: &Contest) -> Value {
    let rivals: Vec<Value> = contest
        .rivals
        .iter()
        .map(|r| {
            json!({
                "layout": r.layout,
                "lead_fraction": r.lead.exp_m1(),
                "sigma_log": r.sigma,
                "chance_fraction": r.chance,
                "tied": r.is_tied(),
            })
        })
        .collect();
    let doubts: Vec<Value> = contest
        .doubts
        .iter()
        .map(|d| json!({ "kind": d.kind.word(), "name": d.name, "share_fraction": d.share }))
        .collect();
    let data: Vec<Value> = contest
        .data
        .iter()
        .map(|(id, share)| json!({ "datum": id, "share_fraction": share }))
        .collect();
    let [parameter, datum, question] = most(contest).map(|(_, found)| {
        found.map(|(name, share)| json!({ "name": name, "share_fraction": share }))
    });
    let most = json!({ "parameter": parameter, "datum": datum, "question": question });
    let worlds = &contest.worlds;
    let standings: Vec<Value> = worlds
        .standings
        .iter()
        .map(|s| {
            json!({
                "layout": s.layout,
                "best_fraction": s.best,
                "regret_fraction": -(-s.regret).exp_m1(),
            })
        })
        .collect();
    let worlds = json!({ "sampled": worlds.count, "layouts": standings });
    json!({ "worlds": worlds, "rivals": rivals, "hangs_on": doubts, "data": data, "most": most })
}
