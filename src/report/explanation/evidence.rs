//! What was measured and what was made of it: parameters, data, sources, references.

use super::{Explanation, Known};
use crate::page::Cell;
use crate::posterior::{Free, NumberId, Posterior};
use crate::units::significant;

/// 80 % of a normal distribution lie within so many sigma.
const SIGMAS: f64 = 1.2816;

/// What the data made of a free parameter: factors on the numbers that it scales.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Moved {
    /// One time in ten it lies below, before any datum.
    prior_low: f64,
    /// One time in ten it lies above, before any datum.
    prior_high: f64,
    /// Where the data put it.
    mean: f64,
    /// One time in ten it lies below.
    low: f64,
    /// One time in ten it lies above.
    high: f64,
}

impl Moved {
    /// Of the free parameter of an index.
    fn of(posterior: &Posterior, index: usize) -> Self {
        let free = &posterior.free[index];
        let shift = posterior.shift[index];
        let sigma = posterior.covariance[index][index].max(0.0).sqrt();
        Self {
            prior_low: (-SIGMAS * free.prior).exp(),
            prior_high: (SIGMAS * free.prior).exp(),
            mean: shift.exp(),
            low: (shift - SIGMAS * sigma).exp(),
            high: (shift + SIGMAS * sigma).exp(),
        }
    }

    /// "× 0.89 (0.85 to 0.93)".
    fn words(&self) -> String {
        let shown = |x| significant(x, 3);
        let (mean, low, high) = (shown(self.mean), shown(self.low), shown(self.high));
        format!("× {mean} ({low} to {high})")
    }

    /// "× 1 (0.46 to 2.16)".
    fn prior_words(&self) -> String {
        let shown = |x| significant(x, 3);
        let (low, high) = (shown(self.prior_low), shown(self.prior_high));
        format!("× 1 ({low} to {high})")
    }
}

pub(super) fn parameter(known: &Known<'_>, id: &str) -> Option<Explanation> {
    let p = known.calibration.parameter(id)?;
    let sigma = format!("{} (one sigma: {:.0} %)", p.shown, p.value.spread * 100.0);
    let mut found =
        Explanation::new(id, "parameter", &p.title).facts(vec![("value", sigma)]).text(p.value.origin.to_string());
    // Other origins say it themselves.
    if let Some(note) = p.note.as_ref().filter(|_| p.value.origin.kind() == "fitted") {
        found = found.text(note);
    }
    let number = NumberId::parameter(id);
    let posterior = &known.calibration.posterior;
    let scaling = posterior.free.iter().filter(|f| f.scales.contains(&number));
    Some(found.link(p.value.origin.ids()).link(scaling.map(|free| &free.id)))
}

/// What the fit may move.
pub(super) fn free(known: &Known<'_>, id: &str) -> Option<Explanation> {
    let posterior = &known.calibration.posterior;
    let index = posterior.free.iter().position(|free| free.id == id)?;
    let Free { title, scales, why, .. } = &posterior.free[index];
    let moved = Moved::of(posterior, index);
    let scales: Vec<String> = scales.iter().map(NumberId::to_string).collect();
    let by = &posterior.moved_by[index];
    let data = if by.is_empty() { "none".to_owned() } else { by.join(", ") };
    Some(
        Explanation::new(id, "what the fit may move", title)
            .facts(vec![
                ("before", format!("{}, 80 %: {why}", moved.prior_words())),
                ("after", format!("{}, 80 %", moved.words())),
                ("moved by", data),
                ("scales", scales.join(", ")),
            ])
            .link(by)
            .link(&scales),
    )
}

pub(super) fn datum(known: &Known<'_>, id: &str) -> Option<Explanation> {
    let d = known.calibration.datum(id)?;
    let source = known.calibration.sources.get(&d.source_id);
    let mut facts = vec![("source", format!("{}, section {}; {:?}, {:?}", d.source_id, d.section, d.kind, d.obtained))];
    if let Some(source) = source {
        let who = source.authors.join(", ");
        facts.push(("document", format!("{}, {who}, {}; {}", source.title, source.published, source.document)));
    }
    if let Some(setup) = source.and_then(|s| s.setup(&d.setup)) {
        facts.push(("setup", format!("{}: {}", setup.id, setup.text)));
    }
    if !d.order.is_empty() {
        facts.push(("order", format!("best first: {}", d.order.join(", "))));
    }
    if let Some(reading) = &d.reading {
        facts.push(("reading", reading.clone()));
    }
    let values = d.values.iter().map(|v| {
        let of = v.of.as_ref().map_or(String::new(), |of| format!(" {of}"));
        [v.name.clone(), format!("{}{of}", v.shown)].map(Cell::plain).to_vec()
    });
    let posterior = &known.calibration.posterior;
    let moved = posterior.free.iter().zip(&posterior.moved_by);
    let moved = moved.filter(|(_, by)| by.contains(&d.id));
    Some(
        Explanation::new(id, "calibration datum", &d.title)
            .text(&d.statement)
            .facts(facts)
            .rows(&["figure", "value"], values.collect())
            .link([&d.source_id])
            .link(moved.map(|(free, _)| &free.id)),
    )
}

pub(super) fn source(known: &Known<'_>, id: &str) -> Option<Explanation> {
    let s = known.calibration.sources.get(id)?;
    let data = s.data.iter().map(|d| {
        let id = Cell::plain(d.id.clone()).about(&d.id, "");
        vec![id, Cell::plain(d.title.clone())]
    });
    Some(
        Explanation::new(id, "source", &s.title)
            .facts(vec![
                ("authors", s.authors.join(", ")),
                ("published", s.published.clone()),
                ("document", s.document.clone()),
            ])
            .text(&s.summary)
            .rows(&["datum", "what it is"], data.collect()),
    )
}

pub(super) fn reference(known: &Known<'_>, id: &str) -> Option<Explanation> {
    let r = known.catalog.references.get(id)?;
    let title = format!("{}, {}, {}", r.author, r.title, r.year);
    Some(
        Explanation::new(id, "reference", title)
            .facts(vec![("where", r.place.clone()), ("used for", r.used_for.clone())]),
    )
}
