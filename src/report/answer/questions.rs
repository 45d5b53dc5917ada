//! Unanswered questions in their own words, with what is assumed, and what another answer would do.

use std::cmp::Reverse;

use schemars::JsonSchema;
use serde::Serialize;

use super::super::prose::about_count;
use super::AnswerSource;
use crate::advisor::{Advice, Influence, Timed};
use crate::catalog::Catalog;
use crate::site::{Assumption, Site, answer_in_words};
use crate::units::{Seconds, two_digits};

/// An unanswered question as a person is asked it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Asked {
    /// The question's own words, with the office where it is about one.
    pub question: String,
    /// "5 (1 to 176)": what is assumed, and the range; nothing where nothing is.
    pub assumed: String,
    /// "5": what is assumed, without the range.
    #[serde(skip)]
    pub value: String,
    /// "with 176: edit 57 ms instead of 2.6 ms"; nothing where that is not known.
    pub case: String,
    /// The field, as `--set` takes it.
    pub path: String,
}

/// The question at a path, with what is assumed for it and what another answer would do to the advice.
pub fn asked(catalog: &Catalog, site: &Site, advice: &Advice, path: &str) -> Asked {
    let source = AnswerSource::of(site, catalog, advice);
    let influence = advice.influences.iter().find(|i| i.field == path);
    let case = influence.and_then(|i| source.case(i)).unwrap_or_default();
    source.asked(&site.assumptions(), path, case).0
}

impl AnswerSource<'_> {
    /// Each with its gravity: 0 where every end of the range keeps the targets, 1 where one misses one, 2 where one
    /// overloads the layout.
    pub(super) fn questions(&self) -> Vec<(Asked, u8)> {
        let assumptions = self.site.assumptions();
        let influences = self.advice.influences.iter();
        let asked = influences.filter_map(|i| Some(self.asked(&assumptions, &i.field, self.case(i)?)));
        let mut asked: Vec<(Asked, u8)> = asked.collect();
        // What changes the verdict comes first; else what moves a time most.
        asked.sort_by_key(|(_, gravity)| Reverse(*gravity));
        asked
    }

    fn asked(&self, assumptions: &[Assumption], path: &str, (case, gravity): (String, u8)) -> (Asked, u8) {
        let assumed = assumptions.iter().find(|a| a.field == path);
        let value = assumed.map(|a| answer_in_words(self.catalog, path, &a.value));
        let assumed = assumed.map(|a| range(self.catalog, a));
        let asked = Asked {
            question: self.site.question(path),
            assumed: assumed.unwrap_or_default(),
            value: value.unwrap_or_default(),
            case,
            path: path.to_owned(),
        };
        (asked, gravity)
    }

    /// What the answer at the graver end of a range would do; `None` where it is too little to be shown.
    fn case(&self, influence: &Influence) -> Option<(String, u8)> {
        let overloads = influence.ends.iter().find_map(|end| Some((end, end.overload.as_ref()?)));
        if let Some((end, overload)) = overloads {
            let answer = answer_in_words(self.catalog, &influence.field, &end.answer);
            return Some((format!("with {answer}: {overload}"), 2));
        }
        let misses = influence.ends.iter().find_map(|end| Some((end, end.misses.first()?)));
        let factors = influence.ends.iter().flat_map(|end| end.factors.iter().map(move |f| (end, f)));
        let judged = factors.filter(|(_, (work, _))| work.target().is_some());
        let reach = |factor: f64| factor.max(1.0 / factor);
        let widest = judged.max_by(|a, b| reach(a.1.1).total_cmp(&reach(b.1.1)));
        let Some((end, work, factor)) = misses
            .and_then(|(end, work)| Some((end, work, end.factor(work)?)))
            .or(widest.map(|(end, (work, factor))| (end, work, *factor)))
        else {
            return Some((String::new(), 0));
        };
        let gravity = u8::from(misses.is_some());
        if influence.time == Some(Timed::LargestCommit) && gravity == 0 {
            let by = match influence.ratio {
                r if r < 1.95 => format!("by up to {} %", two_digits(100.0 * (r - 1.0))),
                r if r < 10.0 => format!("up to {}-fold", two_digits(r)),
                r => format!("up to {}-fold", about_count(r)),
            };
            let time = influence.time_in_words();
            return Some((format!("changes the {time} {by}"), 0));
        }
        let chosen = self.advice.chosen.as_ref();
        let Some(now) = chosen.and_then(|c| c.prediction.class(work)) else {
            return Some((String::new(), gravity));
        };
        let [then, now] = apart(now.p95.value * factor, now.p95.value)?;
        let missed = if gravity == 1 { ", and misses its target" } else { "" };
        let case = format!(
            "with {}: {work} {then} instead of {now}{missed}",
            answer_in_words(self.catalog, &influence.field, &end.answer),
        );
        Some((case, gravity))
    }
}

/// Two times with as many digits as show that they differ; `None` where three do not.
fn apart(then: f64, now: f64) -> Option<[String; 2]> {
    let times = [then, now].map(Seconds::new);
    let [two, three] = [times.map(Seconds::estimated), times.map(|time| time.to_string())];
    [two, three].into_iter().find(|[then, now]| then != now)
}

/// "5 (1 to 176)": what is assumed, and the range.
pub fn range(catalog: &Catalog, assumption: &Assumption) -> String {
    let Assumption { field, value, low, high, .. } = assumption;
    let [value, low, high] = [value, low, high].map(|text| answer_in_words(catalog, field, text));
    if low == high { value } else { format!("{value} ({low} to {high})") }
}
