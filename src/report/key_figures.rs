//! The key figures of a recommendation: the time nearest to its target, the busiest resource, the first limit.

use super::answer::{Answer, nearest};
use super::peak::{BUSY, led};
use super::prose::capital;
use super::response::Judged;
use crate::advisor::{Advice, Driver};
use crate::page::{Cell, Table, Tone};

/// A row each: what it is, and the figure with what explains it.
pub fn key_figures(advice: &Advice, answer: &Answer) -> Table {
    let mut table = Table::new(&["", ""]);
    for (label, figure) in [time(advice, answer), busiest(advice, answer), limit(answer)].into_iter().flatten() {
        table.linked(String::new(), vec![Cell::plain(label), figure]);
    }
    table
}

/// The kind of work that misses its target, or most likely does, or is nearest to it.
fn time(advice: &Advice, answer: &Answer) -> Option<(String, Cell)> {
    let row = *nearest(&answer.work, 1).first()?;
    let target = row.target.as_ref().map_or_else(Cell::default, Judged::cell);
    let notes: Vec<&str> = [row.interval.as_str(), &target.text].into_iter().filter(|note| !note.is_empty()).collect();
    let figure = Cell::plain(row.p95.clone()).below(notes.join("\n")).toned(target.tone);
    let driver = Driver::nearest(advice, None, &row.work.to_string());
    let label = format!("{}: 95 of 100 within", capital(&row.name));
    Some((label, led(figure, "The range is the 80 % interval.", driver)))
}

fn busiest(advice: &Advice, answer: &Answer) -> Option<(String, Cell)> {
    let row = answer.busiest.first()?;
    let chosen = advice.chosen.as_ref();
    let driver = chosen.and_then(|chosen| {
        let name = chosen.prediction.bottleneck().0.to_string();
        Driver::of(advice, &chosen.prediction, &name)
    });
    let tone = if row.utilization >= BUSY { Tone::Warning } else { Tone::Good };
    let figure = Cell::plain(row.busy.clone()).below(row.name.clone()).toned(tone);
    Some(("Busiest at the peak".to_owned(), led(figure, "The busiest resource or lock at the peak.", driver)))
}

fn limit(answer: &Answer) -> Option<(String, Cell)> {
    let row = answer.limits.first()?;
    let figure = Cell::plain(capital(&row.when)).below(row.text.to_string());
    Some((format!("First limit: {}", row.what), figure.about("data.db_growth", row.text.to_string())))
}
