//! The key figures of the recommendation.

use crate::advisor::{Advice, Chosen, target};
use crate::desktop::panels::hang::{Hang, told};
use crate::desktop::panels::what_if::Scale;
use crate::desktop::widgets::Tone;
use crate::report::{interval_shown, mean_above_p95, share_shown};
use crate::site::{Site, Target};
use crate::system::ClassPrediction;
use crate::units::{Bytes, Seconds, significant};

/// From here on a resource counts as busy, and as too busy.
const BUSY: (f64, f64) = (0.6, 0.8);

/// A key figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Tile {
    /// What it is.
    pub label: String,
    /// The number with its unit.
    pub figure: String,
    /// What explains it.
    pub note: String,
    /// What it means.
    pub tone: Tone,
    /// More.
    pub hover: String,
    /// What it hangs on most: something whose origin can be looked at.
    pub origin: Option<String>,
}

/// The key figures, the most important first.
pub(super) fn tiles(site: &Site, advice: &Advice, chosen: &Chosen) -> Vec<Tile> {
    let mut tiles = vec![bottleneck(advice, chosen), headroom(site, chosen)];
    let kinds = Target::ALL.into_iter();
    tiles.extend(kinds.filter_map(|kind| response(site, advice, chosen, kind)));
    tiles.push(memory(chosen));
    tiles.push(largest_commit(site, chosen));
    tiles
}

/// What a busy fraction means.
pub(super) fn busy_tone(utilization: f64) -> Tone {
    match utilization {
        u if u >= BUSY.1 => Tone::Bad,
        u if u >= BUSY.0 => Tone::Warning,
        _ => Tone::Good,
    }
}

fn bottleneck(advice: &Advice, chosen: &Chosen) -> Tile {
    let (name, busy) = chosen.prediction.bottleneck();
    let hang = Hang::of(advice, &chosen.prediction, &name);
    Tile {
        label: "Bottleneck".to_owned(),
        figure: share_shown(busy),
        note: format!("busy: {name}"),
        tone: busy_tone(busy),
        hover: told("The busiest resource or lock at the peak.", hang.as_ref()),
        origin: hang.map(|hang| hang.id),
    }
}

fn headroom(site: &Site, chosen: &Chosen) -> Tile {
    let h = &chosen.headroom;
    let horizon = site.horizon.time.value.get();
    let is_soon = h.reached_in.is_some_and(|t| t.get() < horizon) || h.factor < 1.0;
    let when = h
        .reached_in
        .map_or("never at the stated growth".to_owned(), |t| {
            format!("reached in {t}")
        });
    Tile {
        label: "Headroom".to_owned(),
        figure: format!("{} ×", significant(h.factor, 3)),
        note: format!("today's peak, {when}"),
        tone: if is_soon { Tone::Warning } else { Tone::Good },
        hover: format!("Then {}.", h.limit),
        origin: Some("data.db_growth".to_owned()),
    }
}

/// Of all work of a kind by people the one that is nearest to its target or beyond; the slowest if it has none.
fn response(site: &Site, advice: &Advice, chosen: &Chosen, kind: Target) -> Option<Tile> {
    let classes = chosen.prediction.classes.iter();
    let of_kind = classes.filter(|c| c.work.target() == Some(kind));
    let strain = |c: &ClassPrediction| match target(site, c) {
        Some((limit, time)) => time / limit,
        None => c.p95.value,
    };
    let class = of_kind.max_by(|a, b| strain(a).total_cmp(&strain(b)))?;
    let target = target(site, class);
    let (mark, tone) = match target {
        None => (String::new(), Tone::Plain),
        Some((limit, time)) if time <= limit => {
            (format!("target {} ✓", Seconds::new(limit)), Tone::Good)
        }
        Some((limit, _)) => (format!("target {} ✗", Seconds::new(limit)), Tone::Bad),
    };
    let p95 = class.p95;
    let range = if p95.low < p95.high {
        format!("{} – {}", Seconds::new(p95.low), Seconds::new(p95.high))
    } else {
        String::new()
    };
    let notes: Vec<String> = [range, mark]
        .into_iter()
        .filter(|n| !n.is_empty())
        .collect();
    let hang = Hang::of(advice, &chosen.prediction, &class.name);
    let few = mean_above_p95(class).map_or(String::new(), |few| format!(" {few}"));
    let about = format!(
        "95th percentile {}, mean {}. The range holds 80 %.{few}",
        interval_shown(p95),
        interval_shown(class.mean)
    );
    let mut name = class.name.clone();
    if let Some(first) = name.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    Some(Tile {
        label: format!("{name}, 95 of 100 within"),
        figure: Seconds::new(p95.value).to_string(),
        note: notes.join("\n"),
        tone,
        hover: told(&about, hang.as_ref()),
        origin: hang.map(|hang| hang.id),
    })
}

fn memory(chosen: &Chosen) -> Tile {
    let m = &chosen.memory;
    Tile {
        label: "Memory of each server".to_owned(),
        figure: Bytes::new(chosen.deployment.memory).to_string(),
        note: format!("Perforce's rule {}\ndb and processes {}", m.rule, m.all),
        tone: if m.there >= m.rule {
            Tone::Good
        } else {
            Tone::Warning
        },
        hover: format!(
            "Perforce's rule asks for {}; the whole db and all processes take {}; {} of db pages are found in \
             memory.",
            m.rule,
            m.all,
            share_shown(m.hit)
        ),
        origin: Some("server.ram".to_owned()),
    }
}

fn largest_commit(site: &Site, chosen: &Chosen) -> Tile {
    let files = site.workload.largest_submit_files.value;
    Tile {
        label: "Largest submit".to_owned(),
        figure: Seconds::new(chosen.largest_commit).to_string(),
        note: format!(
            "{} files hold the commit section: everybody waits",
            Scale::Count.show(files)
        ),
        tone: Tone::Plain,
        hover: "How long the largest submit that the site expects holds the commit section."
            .to_owned(),
        origin: Some("workload.largest_submit_files".to_owned()),
    }
}
