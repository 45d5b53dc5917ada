//! Certainty of the choice of a layout, as text and JSON.

use serde_json::{Value, json};

use super::peak::percent;
use crate::advisor::{Contest, VarianceKind};

/// Shares below are not shown.
const LEAST: f64 = 1e-3;
/// Doubts and data shown.
const SHOWN: usize = 5;

/// The text where there is no rival.
pub(super) const ALONE: &str =
    "No other layout of this site does as well on safety and targets, so no score decides.";

/// The published data behind the lead, those that matter most first, with their shares.
pub(super) fn data_behind(contest: &Contest) -> Vec<String> {
    let data = contest.data.iter().take(SHOWN);
    data.filter(|(_, part)| *part >= LEAST)
        .map(|(id, part)| format!("{id} ({})", share(*part)))
        .collect()
}

/// The parameter, the published datum and the unanswered question that the lead depends on most.
fn most(contest: &Contest) -> [(&'static str, Option<(&str, f64)>); 3] {
    let doubt = |kind| {
        let most = contest.most(kind);
        most.map(|d| (d.name.as_str(), d.share))
    };
    let datum = contest.data.first().map(|(id, part)| (id.as_str(), *part));
    [
        ("parameter of the model", doubt(VarianceKind::Parameter)),
        ("published figure", datum),
        ("unanswered question", doubt(VarianceKind::Question)),
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
