//! How much of a sheet of A4 blocks take, as the style sheet of the report sets them for print.

use crate::page::{Block, Cell, Table};

/// Height of a sheet between its margins, and its width \[mm\].
const SHEET: (f64, f64) = (269.0, 180.0);
/// Above the first block: what kind of page it is, and the name of the site \[mm\].
const HEAD: f64 = 15.0;
/// The highest drawing \[mm\].
const DRAWING: f64 = 78.0;
/// Letters in a line as wide as the page: of the verdict, of a paragraph.
const LETTERS: (f64, f64) = (86.0, 100.0);
/// Letters of small type in a line of the left and of the right of two columns.
const COLUMNS: [f64; 2] = [62.0, 50.0];

/// What these blocks leave of a sheet \[mm\].
pub(super) fn room(blocks: &[Block]) -> f64 {
    SHEET.0 - HEAD - height(blocks, LETTERS.1)
}

/// The height of the left (0) or the right (1) of two columns \[mm\].
pub(super) fn column(blocks: &[Block], side: usize) -> f64 {
    height(blocks, COLUMNS[side])
}

/// The height of blocks below each other \[mm\], where a line of small type has so many letters.
fn height(blocks: &[Block], letters: f64) -> f64 {
    blocks.iter().map(|block| of(block, letters)).sum()
}

fn of(block: &Block, letters: f64) -> f64 {
    match block {
        Block::Lead(text) => 5.8 * lines(text, LETTERS.0) + 2.0,
        Block::Text(text) => 4.3 * lines(text, letters) + 2.0,
        Block::Note(text) => 3.7 * lines(text, letters) + 1.5,
        Block::Heading(_) | Block::Anchor(..) => 6.5,
        Block::Points(points) | Block::Numbered(points) => {
            let point = |point: &Cell| 3.6 * lines(&point.words(), letters) + 0.5;
            points.iter().map(point).sum()
        }
        Block::Table(table) => of_table(table, letters),
        Block::LoadLine(_) => 16.0,
        Block::Diagram(drawn) => (drawn.height * SHEET.1 / drawn.width).min(DRAWING) + 4.0,
        Block::Small(_) => 49.0,
        Block::Chart(_) | Block::Bars(..) => 75.0,
        Block::Card(_) => 25.0,
        Block::Beside(columns) => {
            let columns = columns.iter().zip(COLUMNS);
            let heights = columns.map(|(blocks, letters)| height(blocks, letters));
            heights.fold(0.0, f64::max)
        }
    }
}

/// A row is as high as the cell that takes most lines; a column of the response times has a quarter of the width, the first more.
fn of_table(table: &Table, letters: f64) -> f64 {
    let columns = table.heads.len().max(1) as f64;
    let row = |cells: &[Cell]| {
        let most = cells.iter().map(|cell| lines(&cell.words(), letters * 1.3 / columns));
        3.4 * most.fold(1.0, f64::max) + 1.3
    };
    8.0 + table.rows.iter().map(|one| row(&one.cells)).sum::<f64>()
}

fn lines(text: &str, letters: f64) -> f64 {
    (text.chars().count() as f64 / letters).ceil()
}
