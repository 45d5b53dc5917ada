//! Why the layout that another answer recommends is not the first one's, in sentences.

use super::super::Advised;
use super::is_same;
use crate::advisor::{Advice, Criterion, Deciding, Difference, Turns, deciding, rules};
use crate::catalog::Catalog;
use crate::diag::harmless_line;
use crate::report::contest::share;
use crate::site::Site;
use crate::units::two_digits;

/// Scores that are nearer to each other read alike.
const SHOWN: f64 = 0.005;
/// Findings that are named.
const NAMED: usize = 2;

/// The deciding reason with its two numbers, what would change the order, and what each carries; that nothing differs, where nothing
/// does. `advice` is that of the first.
pub(crate) fn deciding_sentences(
    site: &Site,
    catalog: &Catalog,
    advice: &Advice,
    sides: [&Advised; 2],
    answers: Option<&[Difference]>,
) -> Vec<String> {
    if is_same(sides, answers) {
        return vec!["Both are the same: no answer, no result and no finding differs.".to_owned()];
    }
    let [_, other] = sides;
    let recommended = &other.recommendation;
    let Some(chosen) = &advice.chosen else {
        return vec![nothing(catalog, advice, recommended.layout.as_deref())];
    };
    let Some(layout) = &recommended.layout else {
        return vec!["Nothing is recommended for the other.".to_owned()];
    };
    let title = &chosen.deployment.title;
    let name = recommended.title.as_ref().unwrap_or(layout);
    let name = format!("\"{}\"", harmless_line(name));
    let first = if *layout == chosen.deployment.layout {
        vec![format!("Both recommend {name}.")]
    } else {
        match deciding(site, advice, layout) {
            None => vec![format!(
                "The other recommends {name}, which the answers of the first do not allow; the first recommends \"{title}\"."
            )],
            Some(decides) => {
                let [why, turns] = in_words(&decides);
                let over = decides.other().in_words(catalog);
                let over = if over.is_empty() { String::new() } else { format!(" ({over})") };
                vec![format!("Not {name}{over} but \"{title}\": {why}."), turns]
            }
        }
    };
    let there = other.chosen.as_ref().map(|chosen| &chosen.headroom);
    let carries = there.and_then(|there| {
        let (here, there_factor) = (chosen.headroom.carried()?, there.factor?);
        Some(format!(
            "The other carries {} times its load ({}); the first {} times.",
            two_digits(there_factor),
            harmless_line(&there.limit),
            two_digits(here)
        ))
    });
    let said = first.into_iter().chain(carries);
    said.filter(|text| !text.is_empty()).collect()
}

/// Nothing is recommended for the first, and why not what the other recommends.
fn nothing(catalog: &Catalog, advice: &Advice, layout: Option<&str>) -> String {
    let mut alternatives = advice.alternatives.iter();
    let found = alternatives.find(|one| Some(one.layout.as_str()) == layout);
    let why = found.map_or(String::new(), |one| format!(" Not \"{}\": {}.", one.title(catalog), one.why_not));
    format!("Nothing is recommended for the first.{why}")
}

/// Whether the order turns where the other's findings are mended, by its total score then and that of the recommended one.
fn where_mended(mended: f64, total: f64) -> String {
    if mended > total {
        "The order turns where these are mended.".to_owned()
    } else {
        format!("Where these are mended it has {mended:.2}, and the order stays.")
    }
}

/// What decides, and what would change the order.
pub(crate) fn in_words(decides: &Deciding<'_>) -> [String; 2] {
    match decides {
        Deciding::Before(other) => {
            [other.why_not.clone(), "This comes before every score, so no weight changes the order.".to_owned()]
        }
        Deciding::Simpler(other) => {
            [other.why_not.clone(), "Their scores cannot be told apart; the simpler one is recommended.".to_owned()]
        }
        Deciding::Regret { lost: [own, of_other], question, .. } => [
            format!(
                "it scores higher with the assumed answers, but is the greater risk: over the sampled cases it falls {} below the best on average, this one {}",
                share(*of_other),
                share(*own)
            ),
            question
                .as_ref()
                .map_or(String::new(), |question| format!("The order may turn where {question} is answered.")),
        ],
        Deciding::Findings { rules: heeded, factors: [best, own], totals: [total, less], .. } => {
            let found = heeded.iter().filter_map(|id| {
                let mut all = rules::RULES.iter();
                Some(all.find(|rule| rule.id == *id)?.summary)
            });
            let found: Vec<&str> = found.take(NAMED).collect();
            [
                format!(
                    "its own findings decide, they count {own:.2} of 1 against {best:.2} ({}); in all {less:.2} against {total:.2}",
                    found.join("; ")
                ),
                // Its total without what its findings take off.
                where_mended(less / own, *total),
            ]
        }
        // What two digits do not show decides nothing that a reader can follow.
        Deciding::Criterion { other, totals: [total, less], .. } if total - less < SHOWN => {
            in_words(&Deciding::Simpler(other))
        }
        Deciding::Criterion { other, criterion, scores: [best, own], totals: [total, less], turns } => {
            let slower =
                if *criterion == Criterion::Performance { format!(" ({})", other.why_not) } else { String::new() };
            [
                format!(
                    "{criterion} decides, {own:.2} of 1 against {best:.2}{slower}; in all {less:.2} against {total:.2}"
                ),
                match turns {
                    Turns::Weight { below, now } => format!(
                        "The order turns where {criterion} weighs less than {} in place of {} (criteria.{}).",
                        two_digits(*below),
                        two_digits(*now),
                        criterion.key()
                    ),
                    Turns::Never => format!("No weight of {criterion} changes the order."),
                },
            ]
        }
    }
}
