//! The bill of materials: what is ordered, and what it costs.

use super::{Block, Section, Table};
use crate::advisor::Chosen;
use crate::report::answer::Answer;
use crate::report::bill::table;

pub(super) fn bill(chosen: &Chosen, answer: &Answer) -> Section {
    let (heads, rows) = table(&chosen.bill);
    let mut shown = Table::new(&heads);
    for row in rows {
        shown.row(row);
    }
    let mut blocks = vec![Block::Text(answer.cost.to_string()), Block::Table(shown)];
    if !answer.figures.is_empty() {
        blocks.push(Block::Note(format!("Sizes rest on figures {}", answer.figures)));
    }
    blocks.push(Block::Note(
        "What is bought holds until the horizon; what is rented grows month by month. docs/prices.md lists the items that can have a price."
            .to_owned(),
    ));
    Section { anchor: "bill", title: "Bill of materials", appendix: false, blocks }
}
