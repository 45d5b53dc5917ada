//! Tables on one screen: rows and lines give way step by step until the rest fits.

use crate::block::{Cell, Row, Table, Tone};
use crate::text::wrap;

/// How much of something stays, from a step on: `[(1, 5), (4, 2)]` keeps five from the first step and two from the fourth on.
/// Before its first step all of it stays; a screen begins with step 1, and what has no limit of a screen is step 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Keep(pub &'static [(usize, usize)]);

impl Keep {
    /// Always so much.
    pub const ONE: Self = Self(&[(0, 1)]);

    /// At a step.
    pub fn at(self, step: usize) -> usize {
        let past = self.0.iter().take_while(|(from, _)| *from <= step).last();
        past.map_or(usize::MAX, |(_, most)| *most)
    }

    /// The last step that takes anything.
    fn last(self) -> usize {
        self.0.last().map_or(0, |(from, _)| *from)
    }
}

/// How wide a column is on a screen, with the two blanks that follow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Width {
    /// What the others leave.
    #[default]
    Rest,
    /// So wide.
    Of(usize),
    /// As wide as its widest text and the blanks, at least and at most so wide.
    Widest(usize, usize),
}

/// How a table stands on a screen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fit {
    /// A title above it, behind an empty line.
    pub title: String,
    /// Empty lines above it where it has no title; none without.
    pub gap: Option<Keep>,
    /// Columns before its first.
    pub indent: usize,
    /// How wide its columns are; the others take the rest.
    pub widths: Vec<Width>,
    /// How many rows stay: those of a larger rank give way first, then the last.
    pub rows: Keep,
    /// Lines of each row: the last cell has the first of its forms that takes no more, or else the shortest.
    pub lines: Keep,
    /// What is said where rows gave way, of one and of several, with `{}` for how many; nothing is said without it.
    pub more: Option<[&'static str; 2]>,
}

/// A screen: its text, and how each line stands out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Screen {
    /// Lines, each with its end.
    pub text: String,
    /// One a line.
    pub tones: Vec<Tone>,
}

/// Between columns.
const BLANKS: usize = 2;

/// A line and how it stands out.
struct Line {
    tone: Tone,
    text: String,
    /// Whether it belongs to the row that the line before begins.
    goes_on: bool,
}

impl Screen {
    /// All of it.
    pub fn whole(tables: &[Table], columns: usize) -> Self {
        Self::of(&lines(tables, columns, 0))
    }

    /// As much of it as fits so many lines of so many columns; of what still does not fit when all has given way, the whole rows
    /// that do.
    pub fn fitting(tables: &[Table], most: usize, columns: usize) -> Self {
        let of = |fit: &Fit| [Some(fit.rows), Some(fit.lines), fit.gap].into_iter().flatten().map(Keep::last).max();
        let last = tables.iter().filter_map(|table| of(&table.fit)).max().unwrap_or(0);
        let mut shown = Vec::new();
        for step in 1..=last.max(1) {
            shown = lines(tables, columns, step);
            if shown.len() <= most {
                break;
            }
        }
        if shown.len() > most {
            let starts = (0..=most).rev().find(|i| !shown[*i].goes_on);
            shown.truncate(starts.unwrap_or(most));
        }
        Self::of(&shown)
    }

    fn of(lines: &[Line]) -> Self {
        let tones = lines.iter().map(|line| line.tone).collect();
        let text = lines.iter().flat_map(|line| [line.text.as_str(), "\n"]).collect();
        Self { text, tones }
    }
}

fn lines(tables: &[Table], columns: usize, step: usize) -> Vec<Line> {
    let mut out = Vec::new();
    for table in tables {
        table_lines(&mut out, table, columns, step);
    }
    out
}

fn table_lines(out: &mut Vec<Line>, table: &Table, columns: usize, step: usize) {
    let fit = &table.fit;
    let mut order: Vec<usize> = (0..table.rows.len()).collect();
    order.sort_by_key(|place| (table.rows[*place].rank, *place));
    order.truncate(fit.rows.at(step));
    order.sort_unstable();
    let left = table.rows.len() - order.len();
    let more = fit.more.filter(|_| left > 0).map(|[one, many]| if left == 1 { one } else { many });
    let most = fit.lines.at(step);
    if (order.is_empty() && more.is_none()) || most == 0 {
        return;
    }
    let gap = if fit.title.is_empty() { fit.gap.map_or(0, |gap| gap.at(step)) } else { 1 };
    row(out, Tone::Plain, vec![String::new(); gap]);
    if !fit.title.is_empty() {
        row(out, Tone::Heading, wrap(&fit.title, columns));
    }
    let rows: Vec<&Row> = order.into_iter().map(|place| &table.rows[place]).collect();
    let widths = widths(table, &rows, columns);
    if table.heads.iter().any(|head| !head.text.is_empty()) {
        let heads: Vec<&str> = table.heads.iter().map(|head| head.text.as_str()).collect();
        row(out, Tone::Heading, cells(table, &heads, &widths));
    }
    for shown in &rows {
        let (last, width) = (shown.cells.len() - 1, widths.last().copied().unwrap_or(columns));
        let texts: Vec<&str> = (shown.cells.iter().enumerate())
            .map(|(place, cell)| if place == last { cell.fitting(width, most) } else { &cell.text })
            .collect();
        let tone = shown.cells.iter().map(|cell| cell.tone).find(|tone| *tone != Tone::Plain);
        row(out, tone.unwrap_or_default(), cells(table, &texts, &widths));
    }
    if let Some(more) = more {
        row(out, Tone::Plain, [format!("  {}", more.replace("{}", &left.to_string()))]);
    }
}

fn row(out: &mut Vec<Line>, tone: Tone, lines: impl IntoIterator<Item = String>) {
    let lines = lines.into_iter().enumerate();
    out.extend(lines.map(|(n, text)| Line { tone, text, goes_on: n > 0 }));
}

/// How wide each column is; the last has no blanks behind it.
fn widths(table: &Table, rows: &[&Row], columns: usize) -> Vec<usize> {
    let of = |place: usize| match table.fit.widths.get(place).copied().unwrap_or_default() {
        Width::Rest => None,
        Width::Of(width) => Some(width),
        Width::Widest(least, most) => {
            let texts = rows.iter().map(|row| row.cells[place].text.chars().count());
            let blanks = if place + 1 == table.heads.len() { 0 } else { BLANKS };
            Some((texts.max().unwrap_or(0) + blanks).clamp(least, most))
        }
    };
    let widths: Vec<Option<usize>> = (0..table.heads.len()).map(of).collect();
    let used: usize = table.fit.indent + widths.iter().flatten().sum::<usize>();
    let rest = widths.iter().filter(|width| width.is_none()).count();
    let each = columns.saturating_sub(used) / rest.max(1);
    widths.into_iter().map(|width| width.unwrap_or(each)).collect()
}

/// The lines of a row; the text of a cell that is wider than its column goes on in the lines below.
fn cells(table: &Table, texts: &[&str], widths: &[usize]) -> Vec<String> {
    let last = texts.len() - 1;
    let inner = |place: usize| {
        if place == last { widths[place] } else { widths[place].saturating_sub(BLANKS) }
    };
    let wrapped: Vec<Vec<String>> = (texts.iter().enumerate()).map(|(place, text)| wrap(text, inner(place))).collect();
    let line = |n: usize| {
        let mut line = " ".repeat(table.fit.indent);
        for (place, lines) in wrapped.iter().enumerate() {
            let text = lines.get(n).map_or("", String::as_str);
            let (width, inner) = (widths[place], inner(place));
            let cell = if table.heads[place].right { format!("{text:>inner$}") } else { text.to_owned() };
            let pad = " ".repeat(width.saturating_sub(cell.chars().count()));
            line.extend([cell.as_str(), pad.as_str()]);
        }
        line.trim_end().to_owned()
    };
    (0..wrapped.iter().map(Vec::len).max().unwrap_or(0)).map(line).collect()
}

impl Cell {
    /// A cell that gives way: the first of these forms that fits, or else the last, which is the shortest.
    pub fn forms(forms: impl IntoIterator<Item = String>) -> Self {
        let mut forms = forms.into_iter();
        let text = forms.next().unwrap_or_default();
        Self { shorter: forms.collect(), ..Self::plain(text) }
    }

    /// As many items of a list as fit after what introduces them, at least one, and how many more there are.
    pub fn list(before: &str, items: &[String]) -> Self {
        let said = |count: usize| {
            let shown = items[..count].join("; ");
            match items.len() - count {
                0 => format!("{before} {shown}."),
                more => format!("{before} {shown}; and {more} more."),
            }
        };
        Self::forms((1..=items.len()).rev().map(said))
    }

    /// The first form that takes at most so many lines, or else the shortest.
    fn fitting(&self, width: usize, most: usize) -> &str {
        let mut forms = std::iter::once(&self.text).chain(&self.shorter);
        let fits = forms.find(|text| wrap(text, width).len() <= most);
        fits.unwrap_or_else(|| self.shorter.last().unwrap_or(&self.text))
    }
}

impl Table {
    /// Lines of a screen behind so many blanks.
    pub fn lines(indent: usize, lines: impl IntoIterator<Item = Cell>) -> Self {
        let rows = lines.into_iter().map(|line| vec![line]);
        Self { fit: Fit { indent, ..Fit::default() }, ..Self::new(&[""]) }.with_cells(rows)
    }

    /// Rows of a screen behind labels, which take so many columns, or as many as the widest of them up to the most.
    pub fn labelled((width, most): (usize, usize), rows: impl IntoIterator<Item = (String, Cell)>) -> Self {
        let rows = rows.into_iter().map(|(label, cell)| vec![Cell::plain(label), cell]);
        let table = Self::new(&["", ""]).on_screen(&[Width::Widest(width, most)]);
        table.with_cells(rows)
    }

    /// The same behind their numbers from 1.
    pub fn numbered(rows: impl IntoIterator<Item = Cell>) -> Self {
        let rows = rows.into_iter().enumerate();
        Self::labelled((3, 3), rows.map(|(n, cell)| (format!("{}.", n + 1), cell)))
    }

    /// The same with columns so wide, where a screen is laid out.
    #[must_use]
    pub fn on_screen(mut self, widths: &[Width]) -> Self {
        (self.fit.widths, self.fit.indent) = (widths.to_vec(), 2);
        self
    }

    /// The same with these rows.
    #[must_use]
    pub fn with_cells(mut self, rows: impl IntoIterator<Item = Vec<Cell>>) -> Self {
        for row in rows {
            self.linked(String::new(), row);
        }
        self
    }

    /// The same below a title.
    #[must_use]
    pub fn titled(mut self, title: impl Into<String>) -> Self {
        self.fit.title = title.into();
        self
    }

    /// The same behind empty lines.
    #[must_use]
    pub fn apart(mut self, gap: Keep) -> Self {
        self.fit.gap = Some(gap);
        self
    }

    /// The same with so many rows.
    #[must_use]
    pub fn keeping(mut self, rows: Keep) -> Self {
        self.fit.rows = rows;
        self
    }

    /// The same with rows of so many lines.
    #[must_use]
    pub fn within(mut self, lines: Keep) -> Self {
        self.fit.lines = lines;
        self
    }

    /// The same that says how many rows gave way, of one and of several.
    #[must_use]
    pub fn or_more(mut self, of: [&'static str; 2]) -> Self {
        self.fit.more = Some(of);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(count: usize, keep: Keep) -> Table {
        Table::lines(0, (0..count).map(|n| Cell::plain(n.to_string()))).keeping(keep)
    }

    #[test]
    fn parts_give_way_one_after_the_other_until_the_rest_fits() {
        let keep = Keep(&[(2, 60), (3, 40), (4, 1)]);
        let shown = |count| Screen::fitting(&[rows(count, keep)], 45, 20).tones.len();
        assert_eq!((shown(45), shown(100)), (45, 40));
        assert_eq!(Screen::whole(&[rows(100, keep)], 20).tones.len(), 100);
        // Rows of two lines, of which the last that fits begins a line too late.
        let wide = (0..100).map(|_| Cell::plain("two lines".to_owned()));
        let whole = Screen::fitting(&[Table::lines(0, wide)], 45, 5);
        assert_eq!(whole.tones.len(), 44);
    }

    #[test]
    fn the_rows_of_the_largest_rank_give_way_first_and_are_counted() {
        let mut table = rows(4, Keep(&[(1, 2)])).titled("Rows").or_more(["and {} more row", "and {} more rows"]);
        for (row, rank) in table.rows.iter_mut().zip([3, 0, 2, 1]) {
            row.rank = rank;
        }
        let shown = Screen::fitting(&[table], 45, 20);
        assert_eq!(shown.text, "\nRows\n1\n3\n  and 2 more rows\n");
    }

    #[test]
    fn a_cell_has_the_first_form_that_fits_and_a_label_goes_on_below() {
        let cell = Cell::list("All:", &["one".to_owned(), "two".to_owned()]);
        let table = Table::labelled((8, 8), [("a long label".to_owned(), cell)]);
        let shown = |most: &'static [(usize, usize)], columns| {
            Screen::fitting(&[table.clone().within(Keep(most))], 45, columns).text
        };
        assert_eq!(shown(&[(0, 1)], 30), "  a long  All: one; two.\n  label\n");
        assert_eq!(shown(&[(0, 2)], 20), "  a long  All: one;\n  label   two.\n");
        assert_eq!(shown(&[(0, 1)], 20), "  a long  All: one;\n  label   and 1\n          more.\n");
    }
}
