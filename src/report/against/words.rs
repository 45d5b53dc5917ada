//! The comparison of two answers in words: the text and the window show the same tables.

use serde_json::Value;

use super::super::prose::Names;
use super::{SAME, assumptions, changes, findings, made_with};
use crate::advisor::{Difference, Effect};
use crate::catalog::Catalog;
use crate::diag::harmless_line;
use crate::page::{Block, Page, Section, Table, cut};
use crate::units::two_digits;

/// Characters of an answer that stand in its cell.
const ANSWER: usize = 24;

/// Characters of what an answer does, or of a result.
const EFFECT: usize = 40;

/// "submit × 1.8", or what is overloaded.
fn effect_in_words(effect: &Effect, names: &Names) -> String {
    if let Some(reason) = &effect.fails {
        return cut(&harmless_line(&names.said(reason)), EFFECT);
    }
    match effect.most() {
        Some((work, factor)) if factor.max(1.0 / factor) >= SAME => {
            format!("{work} × {}", factor_in_words(factor))
        }
        _ => "no time changes".to_owned(),
    }
}

/// "12", "1.04": near 1 the difference from 1 is what counts.
fn factor_in_words(factor: f64) -> String {
    if (0.5..2.0).contains(&factor) {
        format!("{factor:.2}")
    } else {
        two_digits(factor)
    }
}

/// The comparison in words, table by table: what the text prints and the window shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgainstAnswer {
    /// What of the tool or its data differs; empty where both sides were computed now.
    pub made_with: Vec<String>,
    /// Answers that differ, those first that change most: the field, here, there, what the other answer does alone, and
    /// after those above it. None where the other side is an answer of an earlier run.
    pub answers: Option<Vec<[String; 5]>>,
    /// Assumptions that differ, where the other side is an answer: the field, here, there.
    pub assumptions: Vec<[String; 3]>,
    /// Results that differ, those first that differ most: what, here, there, and the factor.
    pub results: Vec<[String; 4]>,
    /// Rules of findings that the other side has and this one lacks.
    pub new_findings: Vec<String>,
    /// Rules of findings that this side has and the other lacks.
    pub gone_findings: Vec<String>,
}

impl AgainstAnswer {
    /// Title of the answers.
    pub const ANSWERS: &'static str = "Answers that differ, those first that change most";
    /// Heads of the answers.
    pub const ANSWER_HEADS: [&'static str; 5] =
        ["answer", "first", "other", "alone", "after those above"];
    /// Title of the assumptions.
    pub const ASSUMPTIONS: &'static str = "Assumptions that differ";
    /// Heads of the assumptions.
    pub const ASSUMPTION_HEADS: [&'static str; 3] = ["assumed", "first", "other"];
    /// Title of the results.
    pub const RESULTS: &'static str = "Results that differ, those first that differ most";
    /// Heads of the results.
    pub const RESULT_HEADS: [&'static str; 4] = ["result", ">first", ">other", ">factor"];
    /// What is said where no result differs.
    pub const NO_RESULT: &'static str = "None: the same recommendation with the same times.";

    /// Rules that only one side's findings have, with a title each.
    pub fn findings(&self) -> [(&'static str, &[String]); 2] {
        [
            ("Findings of the first alone", &self.gone_findings),
            ("Findings of the other alone", &self.new_findings),
        ]
    }

    /// Of two answers in JSON; `answers` are nothing where the other side is an answer and no site.
    pub fn of(sides: [&Value; 2], answers: Option<&[Difference]>, catalog: &Catalog) -> Self {
        let names = &Names::of(catalog);
        let [first, other] = sides;
        let answer = |text: &str| {
            if text.is_empty() {
                return "not answered".to_owned();
            }
            harmless_line(text)
        };
        let row = |d: &Difference| {
            [
                harmless_line(&d.field),
                answer(&d.first),
                answer(&d.other),
                effect_in_words(&d.alone, names),
                effect_in_words(&d.step, names),
            ]
        };
        let results = changes(first, other).into_iter().map(|c| {
            [
                names.said(&c.what),
                cut(&names.said(&c.shown(&c.first)), EFFECT),
                cut(&names.said(&c.shown(&c.other)), EFFECT),
                c.factor().map_or(String::new(), factor_in_words),
            ]
        });
        // Two sites are compared by one version of the tool, and their assumptions follow from their answers.
        let (made_with, assumptions) = if answers.is_none() {
            (made_with(first, other), assumptions(first, other))
        } else {
            (Vec::new(), Vec::new())
        };
        Self {
            made_with,
            answers: answers.map(|all| all.iter().map(row).collect()),
            assumptions,
            // Two equal cells are no difference to a reader.
            results: results
                .filter(|[_, here, there, _]| here != there)
                .collect(),
            new_findings: findings(other, first),
            gone_findings: findings(first, other),
        }
    }
}

/// The comparison for people.
pub fn against_page(files: [&str; 2], answer: &AgainstAnswer) -> Page {
    let [first, other] = files.map(harmless_line);
    let made_with = answer.made_with.iter().map(Block::text);
    let answers = answer.answers.as_ref().map(|answers| {
        let rows = answers.iter().map(|[field, first, other, alone, step]| {
            // The table stays within a line.
            let (first, other) = (cut(first, ANSWER), cut(other, ANSWER));
            vec![field.clone(), first, other, alone.clone(), step.clone()]
        });
        let table = Table::new(&AgainstAnswer::ANSWER_HEADS).with(rows);
        table.unless_empty().unwrap_or_else(|| Block::text("None."))
    });
    let rows = answer.assumptions.iter().map(|row| row.to_vec());
    let assumptions = Table::new(&AgainstAnswer::ASSUMPTION_HEADS).with(rows);
    let rows = answer.results.iter().map(|row| row.to_vec());
    let results = Table::new(&AgainstAnswer::RESULT_HEADS)
        .with(rows)
        .unless_empty();
    let results = results.unwrap_or_else(|| Block::text(AgainstAnswer::NO_RESULT));
    let findings = answer.findings().map(|(title, rules)| {
        let rules = (!rules.is_empty()).then(|| Block::text(harmless_line(&rules.join(", "))));
        Section::new("findings", title, rules)
    });
    let sections = [
        Section::new("made-with", "Made with", made_with),
        Section::new("answers", AgainstAnswer::ANSWERS, answers),
        Section::new(
            "assumptions",
            AgainstAnswer::ASSUMPTIONS,
            assumptions.unless_empty(),
        ),
        Section::new("results", AgainstAnswer::RESULTS, [results]),
    ];
    let sections = sections.into_iter().chain(findings).collect();
    Page::new(format!("{first} against {other}"), sections)
}

#[cfg(test)]
mod tests {
    use super::factor_in_words;

    #[test]
    fn a_factor_near_one_keeps_its_difference_from_one() {
        let words = [1.036, 0.93, 4.04, 0.2].map(factor_in_words);
        assert_eq!(words, ["1.04", "0.93", "4", "0.2"]);
    }
}
