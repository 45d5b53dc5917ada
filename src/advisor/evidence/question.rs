//! An unanswered question that evidence moves: how far, to which value, and what such a move gains.

use crate::site::{Assumption, Kind, Moved, field, split_amount};
use crate::units::{Bytes, BytesPerSecond};

/// Standard deviations from the middle to the end of an 80 % interval.
pub(super) const END: f64 = 1.28;

/// An unanswered question that can be moved.
#[derive(Clone)]
pub(super) struct Question {
    pub(super) assumption: Assumption,
    pub(super) unit: String,
    pub(super) is_count: bool,
    /// What is assumed, and the ends of the range.
    pub(super) value: f64,
    pub(super) ends: [f64; 2],
}

/// What one standard deviation toward an end gains.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gain {
    pub(super) question: usize,
    pub(super) end: usize,
    pub(super) by: f64,
}

/// A move: to which end, and how far in standard deviations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Move {
    pub(super) end: usize,
    pub(super) by: f64,
}

impl Question {
    pub(super) fn of(assumption: Assumption) -> Option<Self> {
        /// What describes the load and the machine as amounts.
        const SECTIONS: [&str; 4] = ["people.", "data.", "workload.", "server."];
        let path = &assumption.field;
        let kind = field(path)?.kind;
        if path.starts_with("people.site") || !SECTIONS.iter().any(|s| path.starts_with(s)) {
            return None;
        }
        let (value, unit) = split_amount(&assumption.value_override)?;
        let (low, of_low) = split_amount(&assumption.low_override)?;
        let (high, of_high) = split_amount(&assumption.high_override)?;
        let unit = unit.to_owned();
        let can = unit == of_low && unit == of_high && low > 0.0 && low <= value && value <= high;
        (can && low < high && path != "server.local_disks").then(|| Self {
            unit,
            is_count: kind == Kind::Count,
            value,
            ends: [low, high],
            assumption,
        })
    }

    /// The value after a move, in two digits away from what is assumed, within the range.
    pub(super) fn at(&self, to: Move) -> f64 {
        let end = self.ends[to.end];
        let exact = self.value * (end / self.value).powf((to.by / END).min(1.0));
        let step = 10.0_f64.powf(exact.log10().floor() - 1.0);
        let step = if self.is_count { step.max(1.0) } else { step };
        let (low, high) = (self.ends[0], self.ends[1]);
        let rounded =
            if to.end == 0 { (exact / step + 1e-9).floor() * step } else { (exact / step - 1e-9).ceil() * step };
        rounded.clamp(low, high)
    }

    pub(super) fn moved(&self, to: Move, how: &str) -> Moved {
        let value = self.at(to);
        let text = format!("{}{}", plain(value), self.unit);
        let mut assumption = self.assumption.clone();
        // Beyond it the system does not run.
        let (shown, exact) = if to.end == 0 {
            (&mut assumption.high, &mut assumption.high_override)
        } else {
            (&mut assumption.low, &mut assumption.low_override)
        };
        *shown = readable(value, &self.unit);
        exact.clone_from(&text);
        Moved { assumption, value: text, how: how.to_owned() }
    }
}

/// An amount as a person writes it.
pub(super) fn readable(value: f64, unit: &str) -> String {
    match unit.trim() {
        "B" => Bytes::new(value).to_string(),
        "B/s" => BytesPerSecond::new(value).to_string(),
        _ => format!("{}{unit}", plain(value)),
    }
}

/// Without exponent and the noise of binary fractions.
pub(super) fn plain(x: f64) -> String {
    let text = format!("{x:.9}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Moves along the gains from `moves` on, ever farther, until each is at its end.
pub(super) fn path<'a>(moves: &'a [Option<Move>], gains: &'a [Gain]) -> impl Iterator<Item = Vec<Option<Move>>> + 'a {
    const STEPS: u32 = 12;
    let least = gains.iter().map(|gain| gain.by);
    let far = END / least.fold(f64::INFINITY, f64::min);
    (1..=STEPS).filter(|_| !gains.is_empty()).map(move |step| {
        // Finer near what is assumed.
        let t = far * (f64::from(step) / f64::from(STEPS)).powi(2);
        let mut to = moves.to_vec();
        for gain in gains {
            let begin = to[gain.question].map_or(0.0, |to| to.by);
            to[gain.question] = Some(Move { end: gain.end, by: (begin + t * gain.by).min(END) });
        }
        to
    })
}

/// Half-way between moves.
pub(super) fn between(short: &[Option<Move>], far: &[Option<Move>]) -> Vec<Option<Move>> {
    let pairs = short.iter().zip(far);
    let middle = pairs.map(|(short, far)| {
        let by = short.map_or(0.0, |to| to.by);
        far.map(|to| Move { by: f64::midpoint(by, to.by), ..to })
    });
    middle.collect()
}
