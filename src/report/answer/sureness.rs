//! How sure the choice among the layouts is, in one or two sentences.

use super::super::contest::{ALONE, worlds_in_words};
use super::super::prose::{Sentences, capital, list};
use super::AnswerSource;
use crate::advisor::VarianceSource;
use crate::units::two_digits;

impl AnswerSource<'_> {
    pub(super) fn sure(&self) -> Sentences {
        let worlds = worlds_in_words(&self.advice.contest, |id| format!("\"{}\"", self.title(id)));
        self.lead().into_iter().chain(worlds).collect()
    }

    fn lead(&self) -> Vec<String> {
        let contest = &self.advice.contest;
        let title = |id: &str| format!("\"{}\"", self.title(id));
        let chance = |c: f64| format!("{} %", two_digits(100.0 * c));
        let Some(first) = contest.rivals.first() else {
            return vec![ALONE.to_owned()];
        };
        let mut tied = contest.rivals.iter().filter(|r| r.is_tied());
        let Some(likeliest) = tied.next() else {
            let at_most = if first.chance < 0.01 {
                "less than 1 %".to_owned()
            } else {
                chance(first.chance)
            };
            return vec![format!(
                "Clear: the next best layout, {}, is better with a chance of {at_most}.",
                title(&first.layout)
            )];
        };
        let more = match tied.count() {
            0 => String::new(),
            n => format!(", and with {n} more"),
        };
        let doubt = contest.doubts.first().map(|doubt| {
            let source = &doubt.source;
            let what = match source {
                VarianceSource::Model => source.to_string(),
                VarianceSource::Question(_) => format!("the answer to {source}"),
                VarianceSource::Measured(_) => format!("the range of the measured {source}"),
                VarianceSource::Parameter(_) | VarianceSource::Number(_) => {
                    format!("a number of the model, {source}")
                }
            };
            format!("Most of the doubt: {what} ({}).", chance(doubt.share))
        });
        // What is likelier to be better does not stand second without its reason.
        let mut others = self.advice.alternatives.iter();
        let why = others
            .find(|other| other.layout == likeliest.layout && likeliest.chance > 0.5)
            .map(|other| format!("It is not recommended: {}.", other.why_not));
        let tied = format!(
            "Tied with {}, which is better with a chance of {}{more}: the difference is smaller than its uncertainty.",
            title(&likeliest.layout),
            chance(likeliest.chance)
        );
        [tied].into_iter().chain(why).chain(doubt).collect()
    }

    /// Why each system that the site describes is not used.
    pub(super) fn unused(&self) -> Vec<String> {
        let unused = self.advice.unused.iter();
        unused.map(|(_, why)| capital(why)).collect()
    }

    /// Why each layout is not recommended, each reason once.
    pub(super) fn why_not(&self) -> Vec<String> {
        let mut said: Vec<String> = Vec::new();
        let alternatives = self.advice.alternatives.iter();
        let (built, missing): (Vec<_>, Vec<_>) = alternatives.partition(|a| a.deployment.is_some());
        for a in built {
            let text = format!("{}: {}", self.title(&a.layout), a.why_not);
            if !said.contains(&text) {
                said.push(text);
            }
        }
        let mut titles: Vec<String> = Vec::new();
        for a in missing {
            let title = format!("\"{}\"", self.title(&a.layout));
            if !titles.contains(&title) {
                titles.push(title);
            }
        }
        if !titles.is_empty() {
            said.push(format!("Not for this site's equipment: {}", list(&titles)));
        }
        said
    }
}
