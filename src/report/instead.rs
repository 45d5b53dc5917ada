//! Why not what a customer asks for: the deciding reason, and the best layout with it beside the recommended one.

use super::against::in_words;
use super::json::object;
use super::prose::capital;
use super::{Header, Inputs, side_by_side};
use crate::advisor::{self, Advice, Alternative, Chosen, Instead, deciding, what_if};
use crate::page::{Block, Page, Section};
use crate::site::Vocabulary;

/// An answer to "why not".
#[derive(Debug)]
pub struct WhyNot {
    /// What was asked for, in words.
    asked: String,
    /// The answers that were changed to allow it.
    allowed: Vec<String>,
    /// The layout that is recommended, and the best one with what was asked for.
    layouts: [Option<String>; 2],
    /// The reason, as sentences.
    why: Vec<String>,
    /// The multiple of today's load that each carries with all targets met.
    headroom: [Option<f64>; 2],
    /// Both side by side.
    blocks: Vec<Block>,
}

impl WhyNot {
    /// Answers it from an advice about a site that allows it by these answers; `stated` is the layout that is recommended without
    /// them.
    pub fn of(
        inputs: &Inputs<'_>,
        vocabulary: &Vocabulary,
        advice: &Advice,
        instead: &Instead,
        (stated, allowed): (Option<&str>, Vec<String>),
    ) -> Self {
        let catalog = inputs.catalog;
        let asked = instead.name(catalog);
        // What only the answers exclude is compared with what they leave.
        let has = |chosen: &&Chosen| !allowed.is_empty() && instead.is_in(&chosen.deployment, None);
        let excluded = advice.chosen.as_ref().filter(has).and_then(|_| {
            let mut others = advice.alternatives.iter();
            others.find(|other| Some(other.layout.as_str()) == stated)
        });
        let best = excluded.or_else(|| instead.best(advice));
        let columns = best.and_then(|best| columns(inputs, vocabulary, advice, best));
        let columns = columns.unwrap_or_default();
        let headroom = [0, 1].map(|at| columns.get(at)?.headroom.filter(|f| f.is_finite()));
        Self {
            why: why(inputs, advice, instead, (best, excluded.is_some())),
            layouts: [
                advice.chosen.as_ref().map(|c| c.deployment.layout.clone()),
                best.map(|best| best.layout.clone()),
            ],
            blocks: if columns.is_empty() { Vec::new() } else { side_by_side(catalog, advice, &columns) },
            asked,
            allowed,
            headroom,
        }
    }

    /// As a page.
    pub fn page(self) -> Page {
        let allowed = self.allowed.join(", ");
        let allowed = (!allowed.is_empty())
            .then(|| Block::Note(format!("Answered with {allowed}, which the site file does not say.")));
        let why = self.why.into_iter().map(Block::Text).chain(allowed);
        Page::new(
            format!("Why not {}", self.asked),
            vec![Section::new("why", "Why", why), Section::new("beside", "Beside the recommended layout", self.blocks)],
        )
    }
}

/// The recommendation and the other one.
fn columns(
    inputs: &Inputs<'_>,
    vocabulary: &Vocabulary,
    advice: &Advice,
    best: &Alternative,
) -> Option<Vec<advisor::Column>> {
    let chosen = advice.chosen.as_ref()?;
    let base = what_if::Base {
        site: inputs.site,
        vocabulary,
        catalog: inputs.catalog,
        calibration: inputs.calibration,
        layout: &chosen.deployment.layout,
        choices: &chosen.choices,
        confirmed: Some(&chosen.prediction),
    };
    let other = best.choices.as_ref()?;
    let change = what_if::Change::towards(&chosen.choices, &best.layout, other);
    advisor::columns(&base, advice, [("Instead", &change)])
}

/// The reason, as sentences.
fn why(
    inputs: &Inputs<'_>,
    advice: &Advice,
    instead: &Instead,
    (best, is_excluded): (Option<&Alternative>, bool),
) -> Vec<String> {
    let catalog = inputs.catalog;
    let asked = instead.name(catalog);
    let mut said = Vec::new();
    if let Some(chosen) = &advice.chosen {
        let deployment = &chosen.deployment;
        let title = &deployment.title;
        let has = |role| instead.is_in(deployment, role);
        said.push(if is_excluded {
            format!("Only the answers exclude {asked}: where they allow it, \"{title}\" is recommended.")
        } else if has(Some("db")) {
            format!("\"{title}\" is recommended, and has {asked}.")
        } else if has(None) {
            format!("\"{title}\" is recommended, with {asked} for a part, but not for the database.")
        } else {
            format!("\"{title}\" is recommended, without {asked}.")
        });
    } else {
        said.push("Nothing is recommended for this site.".to_owned());
    }
    match best {
        Some(best) => {
            let over = best.in_words(catalog);
            let over = if over.is_empty() { over } else { format!(" ({over})") };
            let title = best.title(catalog);
            said.push(if is_excluded {
                format!("As answered it is \"{title}\".")
            } else {
                format!("The best other layout with {asked} is \"{title}\"{over}.")
            });
            let [why, turns] = match deciding(inputs.site, advice, &best.layout) {
                Some(decides) => in_words(&decides),
                None => [best.why_not.clone(), String::new()],
            };
            said.push(format!("{}. {turns}", capital(&why)).trim_end().to_owned());
        }
        None => said.push(format!(
            "No other layout of this site has {asked}; this site has {}. To compare it, name an array in infrastructure.storage that offers it.",
            advisor::offered(inputs.site, catalog)
        )),
    }
    said
}

object! {
    /// `advise --why-not`: the best layout with what was asked for beside the recommended one.
    WhyNotJson of (inputs: &Inputs<'_>, found: &WhyNot) {
        #[serde(flatten)] header: Header = inputs.header();
        asked: String = found.asked.clone(), "What was asked for, as the catalogue calls it.";
        allowed: Vec<String> = found.allowed.clone(), "Answers that were changed to allow it, as `--set` takes them.";
        layout: Option<String> = found.layouts[0].clone(), "The recommended layout; null where nothing is recommended.";
        instead: Option<String> = found.layouts[1].clone(), "What stands beside it: the best other layout that has it, or what is recommended where the answers exclude it; null where the site has none.";
        why: Vec<String> = found.why.clone(), "Why it is not recommended, in sentences.";
        headroom: Option<f64> = found.headroom[0], "The multiple of today's load that the recommended layout carries with all targets met; null where no limit was found.";
        headroom_instead: Option<f64> = found.headroom[1], "The same of the other; null where it is overloaded, cannot be built or has no limit.";
    }
}
