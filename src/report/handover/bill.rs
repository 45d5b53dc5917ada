//! The bill of materials: what is ordered, and what it costs.

use super::{Block, Section, Table};
use crate::advisor::Chosen;
use crate::report::answer::Answer;
use crate::report::bill::{HEADS, cells};

pub(super) fn bill(chosen: &Chosen, answer: &Answer) -> Section {
    let mut table = Table::new(&HEADS);
    for line in &chosen.bill.lines {
        table.row(cells(&chosen.bill, line).to_vec());
    }
    let has_prices = chosen.bill.currency.is_some();
    let mut blocks = vec![Block::Text(answer.cost.to_string())];
    if has_prices {
        blocks.push(Block::Table(table));
    } else {
        for row in &mut table.rows {
            row.cells.truncate(3);
        }
        table.heads.truncate(3);
        blocks.push(Block::Table(table));
    }
    blocks.push(Block::Note(
        "Quantities hold until the horizon, in the units in which things are ordered; docs/prices.md lists the items that can have a price."
            .to_owned(),
    ));
    Section {
        anchor: "bill",
        title: "Bill of materials",
        appendix: false,
        blocks,
    }
}
