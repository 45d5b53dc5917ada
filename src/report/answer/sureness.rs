//! How sure the choice among the layouts is, in one or two sentences.

use super::super::contest::{ALONE, worlds_in_words};
use super::super::prose::{Sentences, capital, list};
use super::AnswerSource;
use crate::advisor::{Lead, VarianceSource};
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
        let rivals = contest.rivals.iter();
        let mut doubtful = rivals.filter(|rival| rival.standing() != Lead::Clear);
        let Some(likeliest) = doubtful.next() else {
            let at_most = if first.chance < 0.01 { "less than 1 %".to_owned() } else { chance(first.chance) };
            return vec![format!(
                "Clear: the next best layout, {}, is better with a chance of {at_most}.",
                title(&first.layout)
            )];
        };
        let more = match doubtful.count() {
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
        let (name, chance) = (title(&likeliest.layout), chance(likeliest.chance));
        let mut others = self.advice.alternatives.iter();
        let first = match likeliest.standing() {
            // What is likelier to be better does not stand second without its reason.
            Lead::Behind => {
                let other = others.find(|other| other.layout == likeliest.layout);
                let why = if likeliest.lead < 0.0 {
                    other.map(|other| other.why_not.clone())
                } else {
                    contest.worlds.gains(&likeliest.layout)
                };
                let why = why.map_or(String::new(), |why| format!(": {why}"));
                format!("{name} scores higher with a chance of {chance} and is not recommended{why}.")
            }
            Lead::Tied | Lead::Clear => format!(
                "Tied with {name}, which is better with a chance of {chance}{more}: the difference is smaller than its uncertainty."
            ),
        };
        [first].into_iter().chain(doubt).collect()
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
