//! A table of a report, painted: columns as wide as what stands in them asks for.

use egui::Ui;

use super::table::{Cell, Column, Table};
use crate::page;

/// Rows by whose text the widths are chosen.
const LOOKED_AT: usize = 50;
/// Characters that a column is worth, at least and at most.
const CHARACTERS: (usize, usize) = (9, 36);

/// Paints a table; rows are links where they lead somewhere. Says which row was clicked.
pub fn grid(ui: &mut Ui, grid: &page::Table, leads: Option<&str>) -> Option<usize> {
    let columns = columns(grid);
    let table = Table::new(ui, &columns);
    let mut clicked = None;
    for (place, row) in grid.rows.iter().enumerate() {
        let cells = row.cells.iter().enumerate().map(|(column, cell)| {
            let cell = Cell::new(&cell.text);
            match leads.filter(|_| column == 0) {
                Some(about) => cell.link().hover(about),
                None => cell,
            }
        });
        let cells: Vec<Cell<'_>> = cells.collect();
        if table.row(ui, &cells).clicked.is_some() {
            clicked = Some(place);
        }
    }
    clicked
}

/// Columns with their shares of the width.
fn columns(grid: &page::Table) -> Vec<Column<'_>> {
    let heads = grid.heads.iter().enumerate();
    let columns = heads.map(|(place, head)| {
        let cells = grid.rows.iter().take(LOOKED_AT);
        let lengths = cells.filter_map(|row| Some(row.cells.get(place)?.text.chars().count()));
        let longest = lengths.chain([head.text.chars().count() / 2]).max();
        let share = longest.unwrap_or(0).clamp(CHARACTERS.0, CHARACTERS.1) as f32;
        if head.right {
            Column::number(&head.text, share)
        } else {
            Column::text(&head.text, share)
        }
    });
    columns.collect()
}
