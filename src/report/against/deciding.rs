//! Why the layout that another answer recommends is not the first one's, in sentences.

use super::super::Advised;
use crate::advisor::{Advice, Criterion, Deciding, Turns, deciding, rules};
use crate::catalog::Catalog;
use crate::diag::harmless_line;
use crate::report::contest::share;
use crate::site::Site;
use crate::units::two_digits;

/// Findings that are named.
const NAMED: usize = 2;

/// The deciding reason with its two numbers, what would change the order, and what each carries; nothing where one of the answers
/// recommends nothing.
pub(crate) fn deciding_sentences(
    site: &Site,
    catalog: &Catalog,
    advice: &Advice,
    other: &Advised,
) -> Vec<String> {
    let Some(chosen) = &advice.chosen else {
        return vec!["Nothing is recommended for the first.".to_owned()];
    };
    let recommended = &other.recommendation;
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
            Some(Deciding::Before(other)) => vec![format!(
                "Not {name} but \"{title}\": {}. This comes before every score, so no weight changes the order.",
                other.why_not
            )],
            Some(Deciding::Regret {
                other,
                lost: [own, of_other],
                question,
            }) => {
                let over = other.in_words(catalog);
                let [own, of_other] = [own, of_other].map(share);
                let turns = question
                    .map(|question| format!("The order may turn where {question} is answered."));
                let said = format!(
                    "Not {name} ({over}) but \"{title}\": it scores higher as far as is known, and loses {of_other} of the score on average over the cases of what is not known, against {own}."
                );
                [said].into_iter().chain(turns).collect()
            }
            Some(Deciding::Findings {
                other,
                rules: heeded,
                factors: [best, own],
                totals: [total, less],
            }) => {
                let over = other.in_words(catalog);
                let found = heeded.iter().filter_map(|id| {
                    let mut all = rules::RULES.iter();
                    Some(all.find(|rule| rule.id == *id)?.summary)
                });
                let found: Vec<&str> = found.take(NAMED).collect();
                vec![
                    format!(
                        "Not {name} ({over}) but \"{title}\": its own findings decide, they count {own:.2} of 1 against {best:.2} ({}); in all {less:.2} against {total:.2}.",
                        found.join("; ")
                    ),
                    "The order turns where these are mended.".to_owned(),
                ]
            }
            Some(Deciding::Criterion {
                other,
                criterion,
                scores: [best, own],
                totals: [total, less],
                turns,
            }) => {
                let over = other.in_words(catalog);
                let slower = (criterion == Criterion::Performance)
                    .then(|| format!(" ({})", other.why_not))
                    .unwrap_or_default();
                vec![
                    format!(
                        "Not {name} ({over}) but \"{title}\": {criterion} decides, {own:.2} of 1 against {best:.2}{slower}; in all {less:.2} against {total:.2}."
                    ),
                    match turns {
                        Turns::Weight { below, now } => format!(
                            "The order turns where {criterion} weighs less than {} in place of {} (criteria.{}).",
                            two_digits(below),
                            two_digits(now),
                            criterion.key()
                        ),
                        Turns::Never => format!("No weight of {criterion} changes the order."),
                    },
                ]
            }
        }
    };
    let there = other.chosen.as_ref().map(|chosen| &chosen.headroom);
    let carries = there.and_then(|there| {
        let here = &chosen.headroom;
        let (here, there_factor) = (here.carried()?, there.factor?);
        Some(format!(
            "The other carries {} times its load, then {}; the first {} times.",
            two_digits(there_factor),
            harmless_line(&there.limit),
            two_digits(here)
        ))
    });
    first.into_iter().chain(carries).collect()
}
