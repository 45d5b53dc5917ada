//! Certainty of the choice of a layout, as text and JSON.

use super::json::{list, object};
use super::peak::percent;
use crate::advisor::{Contest, Rival, Standing, VarianceShare, VarianceSource, Worlds};

/// Shares below are not shown.
const LEAST: f64 = 1e-3;
/// Doubts and data shown.
const SHOWN: usize = 5;

/// The text where there is no rival.
pub(super) const ALONE: &str = "No other layout of this site does as well on safety and targets, so no score decides.";

/// The published data behind the lead, those that matter most first, with their shares.
pub(super) fn data_behind(contest: &Contest) -> Vec<String> {
    let data = contest.data.iter().take(SHOWN);
    data.filter(|(_, part)| *part >= LEAST).map(|(id, part)| format!("{id} ({})", share(*part))).collect()
}

/// A share or a lead; less than a tenth of a percent counts as nothing.
pub(super) fn share(x: f64) -> String {
    if x.abs() < LEAST { "< 0.1 %".to_owned() } else { percent(x) }
}

/// "In 2,000 cases … this layout is best in 83 %, … in 12 %. On average this one scores 1 % below the best of a case, that one 4 %."
pub(super) fn worlds_in_words(contest: &Contest, title: impl Fn(&str) -> String) -> Option<String> {
    let worlds = &contest.worlds;
    let (first, others) = worlds.standings.split_first()?;
    let second = others.iter().max_by(|a, b| a.best.total_cmp(&b.best))?;
    let loss = |regret: f64| share(-(-regret).exp_m1());
    Some(format!(
        "In {} cases sampled from the open answers and the model's errors this layout is best in {}, {} in {}. On average this one scores {} below the best of a case, that one {}.",
        super::prose::grouped(worlds.count as f64),
        share(first.best),
        title(&second.layout),
        share(second.best),
        loss(first.regret),
        loss(second.regret)
    ))
}

object! {
    /// How certain the choice is.
    #[derive(Default)]
    #[schemars(rename = "Contest")]
    ContestJson of (contest: &Contest) {
        worlds: Sampled = Sampled::of(&contest.worlds), "The choice under sampled answers and errors.";
        rivals: Vec<RivalJson> = list(&contest.rivals, RivalJson::of), "The lead over each other layout.";
        hangs_on: Vec<VarianceJson> = list(&contest.doubts, VarianceJson::of), "Parts of the variance of the lead over the likeliest rival.";
        data: Vec<BehindLead> = list(&contest.data, |(id, part)| BehindLead::of(id, *part)), "Published data behind the lead.";
        most: Most = Most::of(contest), "What the lead depends on most.";
    }

    /// The choice under sampled answers and errors.
    #[derive(Default)]
    Sampled of (worlds: &Worlds) {
        sampled: usize = worlds.count, "How many were sampled.";
        layouts: Vec<StandingJson> = list(&worlds.standings, StandingJson::of), "The recommended layout first.";
    }

    /// A layout among the sampled cases.
    #[schemars(rename = "Standing")]
    StandingJson of (s: &Standing) {
        layout: String = s.layout.clone();
        best_fraction: f64 = s.best, "Share of the cases in which it is the best.";
        regret_fraction: f64 = -(-s.regret).exp_m1(), "Share of the score that it lacks of the best, on average.";
    }

    /// The lead over another layout.
    #[schemars(rename = "RivalLayout")]
    RivalJson of (r: &Rival) {
        layout: String = r.layout.clone();
        lead_fraction: f64 = r.lead.exp_m1(), "By how much its score is lower.";
        low_fraction: f64 = r.range[0].exp_m1(), "The lead that a tenth of the sampled cases stays below.";
        high_fraction: f64 = r.range[1].exp_m1(), "The lead that a tenth of them exceeds.";
        chance_fraction: f64 = r.chance, "Chance that it is better.";
        verdict: &'static str = r.standing().word(), "worse; tied (it is likelier to be worse, and the lead is smaller than its uncertainty); or likelier better (something else than the score decides).";
    }

    /// A part of the variance of a lead.
    #[schemars(rename = "VarianceShare")]
    VarianceJson of (d: &VarianceShare) {
        kind: &'static str = d.source.word(), "parameter, number, question, measured (the range of a measured answer) or model.";
        name: String = d.source.to_string(), "What it is.";
        share_fraction: f64 = d.share, "Its part.";
    }

    /// A published datum behind a lead.
    BehindLead of (datum: &str, share: f64) {
        datum: String = datum.to_owned();
        share_fraction: f64 = share, "Part of the variance that errors of it bring.";
    }

    /// What a lead depends on most.
    #[derive(Default)]
    Most of (contest: &Contest) [
        let most = |found: Option<&VarianceShare>| found.map(|d| Share::of(&d.source.to_string(), d.share));
        let datum = contest.data.first().map(|(id, part)| Share::of(id, *part));
    ] {
        parameter: Option<Share> = most(contest.most(|of| matches!(of, VarianceSource::Parameter(_)))), "The parameter of the model, or null.";
        datum: Option<Share> = datum, "The published datum, or null.";
        question: Option<Share> = most(contest.most(|of| matches!(of, VarianceSource::Question(_)))), "The unanswered question, or null.";
    }

    /// A part of a variance.
    Share of (name: &str, share: f64) {
        name: String = name.to_owned();
        share_fraction: f64 = share, "Its part.";
    }
}
