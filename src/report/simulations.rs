//! Simulated alternatives side by side: what is faster, by how much, and what is tied.

use serde_json::Value;

use super::estimate::end;
use super::json::{Estimate as EstimateJson, list, object, value};
use super::peak::percent;
use super::simulation::{Simulation, seconds};
use super::simulation_json::SimulatedLayout;
use super::{Header, Inputs};
use crate::page::{Block, Page, Section, Table};
use crate::sim::{ActivityOutcome, Difference, Estimate, Stopped};
use crate::system::Deployment;
use crate::units::Seconds;

/// One of the alternatives that were simulated with the same arrivals and sizes.
#[derive(Debug, Clone)]
pub struct Rival {
    /// As it was named.
    pub name: String,
    /// What it is.
    pub deployment: Deployment,
    /// What was found.
    pub simulation: Simulation,
    /// By activity: how far its response is from the first alternative's; none where there is nothing to
    /// compare with.
    pub differences: Vec<Option<Difference>>,
}

/// The verdict of a difference and its interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The whole interval lies below 0.
    Faster,
    /// The whole interval lies above 0.
    Slower,
    /// The interval contains 0.
    Tied,
    /// There is no interval: too few completions.
    Unknown,
}

impl Verdict {
    /// The verdict of an estimated difference.
    ///
    /// ```
    /// use plimsoll::{report::Verdict, sim::Estimate};
    /// let apart = |value, half_width| Verdict::of(Estimate { value, half_width });
    /// assert_eq!(apart(-2.0, 1.0), Verdict::Faster);
    /// assert_eq!(apart(2.0, 3.0), Verdict::Tied);
    /// assert_eq!(apart(2.0, f64::INFINITY), Verdict::Unknown);
    /// ```
    pub fn of(apart: Estimate) -> Self {
        if !apart.half_width.is_finite() {
            Self::Unknown
        } else if apart.high() < 0.0 {
            Self::Faster
        } else if apart.low() > 0.0 {
            Self::Slower
        } else {
            Self::Tied
        }
    }

    fn key(self) -> &'static str {
        match self {
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::Tied => "tied",
            Self::Unknown => "unknown",
        }
    }
}

/// "faster by 12 ms ± 500 µs (34 %)", as a share of the first one's response; or why there is no verdict.
fn sentence(apart: Estimate, first: f64) -> String {
    let verdict = Verdict::of(apart);
    let shown = |s: f64| Seconds::new(s).estimated();
    let share = |s: f64| {
        if first > 0.0 { format!(" ({})", percent(s / first)) } else { String::new() }
    };
    let by = apart.value.abs();
    match verdict {
        Verdict::Faster | Verdict::Slower => {
            format!("{} by {} ± {}{}", verdict.key(), shown(by), shown(apart.half_width), share(by))
        }
        Verdict::Tied if apart.half_width == 0.0 => "the same".to_owned(),
        Verdict::Tied => {
            let most = apart.high().abs().max(apart.low().abs());
            let (most, share) = (shown(most), share(most));
            format!("tied: differs by at most {most}{share}")
        }
        Verdict::Unknown => "too few completions to compare".to_owned(),
    }
}

/// p95 of an activity.
fn p95(found: &ActivityOutcome) -> Estimate {
    let quantiles = found.quantiles.iter();
    let mut tails = quantiles.filter(|(p, _)| *p == 0.95);
    tails.next().map_or_else(Estimate::default, |(_, e)| *e)
}

/// Response times side by side with a verdict on each kind of work, what is busiest in each, and how they
/// were simulated.
pub fn simulations_page(site: &str, rivals: &[Rival]) -> Page {
    let Some(first) = rivals.first() else {
        return Page::new(site, Vec::new());
    };
    let heading = format!("{site}: alternatives with the same arrivals and sizes, each compared with {}", first.name);
    let short = rivals.iter().filter_map(|rival| {
        let short = rival.simulation.short.as_ref()?;
        let words = format!("{} does not survive the peak: {short}", rival.name);
        Some(Block::Lead(words))
    });
    let found =
        [responses(first, rivals).into(), Block::points(rivals.iter().map(about)), Block::text(how(first, rivals))];
    Page::new(heading, vec![Section::untitled(short.chain(found))])
}

fn responses(first: &Rival, rivals: &[Rival]) -> Table {
    let mut names: Vec<&str> = Vec::new();
    for activity in rivals.iter().flat_map(|r| &r.simulation.process.activities) {
        if !names.contains(&activity.name.as_str()) {
            names.push(&activity.name);
        }
    }
    let mut table = Table::new(&["kind of work", "alternative", ">mean", ">p95", "compared with the first"]);
    for name in names {
        let mut shown = name;
        for (n, rival) in rivals.iter().enumerate() {
            let Some((found, difference)) = rival.of(name) else {
                continue;
            };
            let against = match (difference, first.of(name)) {
                _ if n == 0 => String::new(),
                (Some(difference), Some((there, _))) => verdicts(difference, there),
                _ if rival.is_unsteady() => "no steady state".to_owned(),
                _ if first.is_unsteady() => format!("{} has no steady state", first.name),
                _ => format!("{} has none", first.name),
            };
            table.row(vec![
                std::mem::take(&mut shown).to_owned(),
                rival.name.clone(),
                seconds(found.response),
                Seconds::new(p95(found).value).estimated(),
                against,
            ]);
        }
    }
    table
}

/// The verdict on the mean, and in short that on the tail.
fn verdicts(difference: &Difference, first: &ActivityOutcome) -> String {
    if difference.pairs < 2 {
        return "interrupted before two pairs of replications were done".to_owned();
    }
    let mean = sentence(difference.response, first.response.value);
    let tail = difference.p95;
    let shown = |s: f64| Seconds::new(s.abs()).estimated();
    match Verdict::of(tail) {
        Verdict::Unknown => mean,
        Verdict::Tied => format!("{mean}; p95 tied"),
        verdict => {
            let sign = if verdict == Verdict::Faster { "−" } else { "+" };
            let (by, error) = (shown(tail.value), shown(tail.half_width));
            format!("{mean}; p95 {sign}{by} ± {error}")
        }
    }
}

fn about(rival: &Rival) -> String {
    let Rival { deployment, simulation, .. } = rival;
    let busiest =
        simulation.bottleneck().map_or(String::new(), |(name, busy)| format!("; busiest: {name}, {}", percent(busy)));
    let scenario = simulation.scenario.as_ref();
    let scenario = scenario.map_or(String::new(), |title| format!(", {title}"));
    let end = end(&simulation.outcome);
    format!(
        "{}: {} ({}), {}{scenario}{busiest}{end}",
        rival.name,
        deployment.title,
        deployment.layout,
        deployment.beside_in_words()
    )
}

fn how(first: &Rival, rivals: &[Rival]) -> String {
    let all = rivals.iter().flat_map(|r| &r.differences).flatten();
    let pairs = all.map(|d| d.pairs).max().unwrap_or(0);
    let how = first.simulation.how();
    if pairs < 2 {
        return how;
    }
    format!("{how}; differences are over {pairs} pairs of replications, for each kind of work separately")
}

impl Rival {
    /// What was found of a kind of work, and its difference to the first; none where it did not occur.
    fn of(&self, name: &str) -> Option<(&ActivityOutcome, Option<&Difference>)> {
        let outcomes = &self.simulation.outcome.activities;
        let idx = outcomes.iter().position(|a| a.name == name)?;
        let difference = self.differences.get(idx).and_then(Option::as_ref);
        (outcomes[idx].completions > 0).then_some((&outcomes[idx], difference))
    }

    fn is_unsteady(&self) -> bool {
        self.simulation.outcome.stopped == Stopped::Unsteady
    }
}

/// Simulated alternatives with their differences to the first, as JSON.
pub fn simulations_json(inputs: &Inputs<'_>, rivals: &[Rival]) -> Value {
    value(&SimulatedSideBySide::of(inputs, rivals))
}

object! {
    /// `simulate --compare`.
    SimulatedSideBySide of (inputs: &Inputs<'_>, rivals: &[Rival]) {
        #[serde(flatten)] header: Header = inputs.header();
        compare: Vec<RivalJson> = list(rivals.iter().enumerate(), |(n, rival)| RivalJson::of(&rivals[0], rival, n > 0)), "Each alternative.";
    }

    /// An alternative, simulated with the same arrivals and sizes as the first.
    #[schemars(rename = "Alternative")]
    RivalJson of (first: &Rival, rival: &Rival, is_compared: bool) {
        name: String = rival.name.clone(), "As it was named.";
        #[serde(flatten)] simulated: SimulatedLayout = SimulatedLayout::of(&rival.deployment, &rival.simulation);
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] difference: Option<Vec<Apart>> = is_compared.then(|| differences(first, rival)), "Of all but the first: its response times less those of the first, of what both do; empty where one of both has no steady state (`run.stopped` is unsteady; exit code 1).";
    }

    /// How far the response times of a kind of work are apart.
    Apart of (class: &str, difference: &Difference, first: &ActivityOutcome) {
        class: String = class.to_owned(), "The kind of work.";
        response_time_s: EstimateJson = EstimateJson::of(difference.response), "Difference of the means; negative: faster than the first. Its ends are null where there are too few completions.";
        response_time_p95_s: EstimateJson = EstimateJson::of(difference.p95), "Difference of the 95th percentiles.";
        verdict: &'static str = Verdict::of(difference.response).key(), "On the mean: faster, slower, tied (the interval contains 0) or unknown (there is none).";
        sentence: String = verdicts(difference, first), "The same in words, with the 95th percentile.";
        correlation: Option<f64> = difference.correlation, "Of both means over the pairs, −1 to 1: how much the common random numbers sharpened the difference; null where nothing varies.";
        pairs: usize = difference.pairs, "Replications of both that ran to their end.";
    }
}

fn differences(first: &Rival, rival: &Rival) -> Vec<Apart> {
    let names = rival.simulation.process.activities.iter().map(|a| &a.name);
    let found = names.filter_map(|name| {
        let (_, difference) = rival.of(name)?;
        let (difference, (there, _)) = (difference?, first.of(name)?);
        Some(Apart::of(name, difference, there))
    });
    found.collect()
}
