//! The comparison of two answers in words: the text and the window show the same tables.

use super::super::advice_json::Advised;
use super::super::prose::capital;
use super::{SAME, assumptions, changes, findings, is_same, made_with};
use crate::advisor::{Difference, Effect};
use crate::diag::harmless_line;
use crate::page::{Block, Cell, Section, Table, cut};
use crate::units::two_digits;

/// Characters of an answer that stand in its cell.
const ANSWER: usize = 24;

/// "submit × 1.8", or what is overloaded.
fn effect_in_words(effect: &Effect) -> String {
    if let Some(reason) = &effect.fails {
        return harmless_line(reason);
    }
    match effect.most() {
        Some((work, factor)) if factor.max(1.0 / factor) >= SAME => {
            format!("{work} × {}", factor_in_words(factor))
        }
        _ => "all times stay".to_owned(),
    }
}

/// "12", "1.04": near 1 the difference from 1 is what counts.
fn factor_in_words(factor: f64) -> String {
    if (0.5..2.0).contains(&factor) { format!("{factor:.2}") } else { two_digits(factor) }
}

/// What two answers in JSON differ by; `answers` are nothing where the other side is an answer and no site.
///
/// Answers and assumptions are about their questions, findings about their rules.
pub(crate) fn against_sections(sides: [&Advised; 2], answers: Option<&[Difference]>, why: &[String]) -> Vec<Section> {
    let why = Section::new("why", "Why", [Block::Text(why.join(" "))]);
    if is_same(sides, answers) {
        return vec![why];
    }
    let [first, other] = sides;
    // Two sites are compared by one version of the tool, and their assumptions follow from their answers.
    let (made_with, assumed) = match answers {
        None => (made_with(first, other), assumptions(first, other)),
        Some(_) => (Vec::new(), Vec::new()),
    };
    let answers = answers.map(|all| {
        let mut table = Table::new(&["answer", "first", "other", "alone", "after those above"]);
        for one in all {
            let effects = [&one.alone, &one.step].map(effect_in_words);
            let answers = [&one.first, &one.other].map(|text| answer(text));
            table.linked(String::new(), asked(&one.field, answers.into_iter().chain(effects)));
        }
        table.unless_empty().unwrap_or_else(|| Block::text("None."))
    });
    let mut assumptions = Table::new(&["assumed", "first", "other"]);
    for [field, here, there] in assumed {
        assumptions.linked(String::new(), asked(&field, [here, there]));
    }
    let results = changes(first, other).into_iter().map(|c| {
        vec![c.what.clone(), c.shown(&c.first), c.shown(&c.other), c.factor().map_or(String::new(), factor_in_words)]
    });
    // Two equal cells are no difference to a reader.
    let results = results.filter(|row| row[1] != row[2]);
    let results = Table::new(&["result", ">first", ">other", ">factor"]).with(results).unless_empty();
    let results = results.unwrap_or_else(|| Block::text("None: the same recommendation with the same times."));
    let rules = |title, rules: Vec<(&str, &str)>| {
        let rules = rules.into_iter().map(|(rule, wrong)| {
            let [rule, wrong] = [rule, wrong].map(harmless_line);
            Cell::plain(format!("{} [{rule}]", capital(&wrong))).about(rule, "")
        });
        let rules: Vec<Cell> = rules.collect();
        Section::new("findings", title, (!rules.is_empty()).then_some(Block::Points(rules)))
    };
    vec![
        why,
        Section::new("made-with", "Made with", made_with.into_iter().map(Block::text)),
        Section::new("answers", "Answers that differ, those first that change most", answers),
        Section::new("assumptions", "Assumptions that differ", assumptions.unless_empty()),
        Section::new("results", "Results that differ, those first that differ most", [results]),
        rules("Findings of the first alone", findings(first, other)),
        rules("Findings of the other alone", findings(other, first)),
    ]
}

/// A row about a question, to which its first cell leads.
fn asked(field: &str, cells: impl IntoIterator<Item = String>) -> Vec<Cell> {
    let field = harmless_line(field);
    let first = Cell::plain(field.clone()).about(field, "");
    [first].into_iter().chain(cells.into_iter().map(Cell::plain)).collect()
}

/// An answer as it stands in its cell: the table stays within a line.
fn answer(text: &str) -> String {
    if text.is_empty() {
        return "not answered".to_owned();
    }
    cut(&harmless_line(text), ANSWER)
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
