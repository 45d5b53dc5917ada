//! What `plimsoll calibrate` shows: tables of accuracy, data and parameters.

use schemars::JsonSchema;
use serde::Serialize;

use super::calibration_json::error;
use super::peak::percent;
use crate::calibration::Calibration;
use crate::experiment::{Claim, Row};
use crate::fit::{Accuracy, LeftOut, Mover, Summary, half_width};
use crate::page::{Block, Page, Section, Table};
use crate::posterior::Posterior;
use crate::units::significant;

/// A fit with all that is known of its error.
pub struct Calibrated<'a> {
    /// What was predicted.
    pub rows: &'a [Row],
    /// Numbers before the fit.
    pub calibration: &'a Calibration,
    /// What it found.
    pub posterior: &'a Posterior,
    /// By free parameter.
    pub movers: &'a [Vec<Mover>],
    /// Errors.
    pub accuracy: &'a Accuracy,
}

impl Calibrated<'_> {
    /// The factor that the fit found for a free parameter.
    pub(super) fn factor(&self, free: usize) -> Ranged {
        let posterior = self.posterior;
        let sigma = posterior.covariance[free][free].max(0.0).sqrt();
        Ranged::of(posterior.shift[free].exp(), sigma)
    }
}

/// A figure by which a calibration is judged: name, target, what it is, whether it is met.
#[derive(Serialize, JsonSchema)]
pub struct Judged {
    /// What is judged.
    #[serde(rename = "measure")]
    pub what: &'static str,
    /// The target in words.
    pub target: &'static str,
    /// The figure in words.
    pub is: String,
    /// Whether the target is met.
    pub met: bool,
}

/// The figures by which a calibration is judged, each with its target.
pub fn judged(accuracy: &Accuracy) -> Vec<Judged> {
    let s = accuracy.summary;
    let (held, claims) = s.claims_held;
    let judged = |what, target, is, met| Judged {
        what,
        target,
        is,
        met,
    };
    let ratio = s.figures as f64 / s.parameters.max(1) as f64;
    let mut all = vec![
        judged(
            "values in sample, median error",
            "≤ 3 %",
            percent(s.median),
            s.median <= 0.03,
        ),
        judged(
            "values in sample, largest error",
            "≤ 15 %",
            percent(s.worst),
            s.worst <= 0.15,
        ),
        judged(
            "each datum from the others, median error",
            "≤ 12 %",
            percent(s.left_out_median),
            s.left_out_median <= 0.12,
        ),
        judged(
            "each datum from the others, 90th percentile",
            "≤ 35 %",
            percent(s.left_out_90),
            s.left_out_90 <= 0.35,
        ),
        judged(
            "commit rates and sync times, each source from the others",
            "within 1.5 ×",
            format!("{} ×", significant(s.source_factor, 3)),
            s.source_factor <= 1.5,
        ),
        judged(
            "orderings, bounds and ranges that hold",
            "all",
            format!("{held} of {claims}"),
            held == claims,
        ),
        judged(
            "80 % intervals that hold the figure, each source from the others",
            "75 to 95 %",
            percent(s.coverage),
            (0.75..=0.95).contains(&s.coverage),
        ),
        judged(
            "the same, each mechanism from the others",
            "75 to 95 %",
            percent(s.mechanism_coverage),
            (0.75..=0.95).contains(&s.mechanism_coverage),
        ),
        judged(
            "figures to free parameters",
            "≥ 2 : 1",
            format!(
                "{} to {}: {} : 1",
                s.figures,
                s.parameters,
                significant(ratio, 2)
            ),
            ratio >= 2.0,
        ),
    ];
    all.extend(scored(s));
    all
}

/// Widths of intervals, and chances of bounds and orders, judged without the figure's source.
fn scored(s: Summary) -> [Judged; 2] {
    let scores = [s.interval_score, s.constant_score];
    [
        Judged {
            what: "mean score of 80 % intervals, each source from the others",
            target: "below the best constant factor's",
            is: scores.map(|score| significant(score, 3)).join("; "),
            met: s.interval_score < s.constant_score,
        },
        Judged {
            what: "bounds and orders as probabilities, each source from the others (Brier)",
            target: "≤ 0.25",
            is: significant(s.brier, 2),
            met: s.brier <= 0.25,
        },
    ]
}

/// The tables as a page.
pub fn calibration_page(calibrated: &Calibrated<'_>) -> Page {
    let accuracy = calibrated.accuracy;
    let measures = judged(accuracy).into_iter().map(|j| {
        let verdict = if j.met { "met" } else { "missed" };
        vec![
            j.what.to_owned(),
            j.target.to_owned(),
            j.is,
            verdict.to_owned(),
        ]
    });
    let measures = Table::new(&["measure", "target", "is", ""]).with(measures);
    let own = format!(
        "besides the uncertainty of parameters and figures, the model's own error is {} (one sigma), with each datum predicted from the others; where nobody measured it is larger{}",
        percent(accuracy.discrepancy),
        accuracy
            .summary
            .unmeasured
            .map_or_else(String::new, |error| format!(
                ": {} of the time there, by figures whose source was left out",
                percent(error)
            ))
    );
    let free = calibrated.posterior.free.iter();
    let meaning = free.map(|free| format!("{}: {}; {}", free.id, free.title, free.why));
    let sections = vec![
        Section::new("accuracy", "Accuracy", [measures.into(), Block::text(own)]),
        Section::new("figures", "Figures", [figures(calibrated).into()]),
        Section::new(
            "claims",
            "Orderings, bounds and ranges",
            [claims(calibrated).into()],
        ),
        Section::new(
            "parameters",
            "Parameters",
            [parameters(calibrated).into(), Block::points(meaning)],
        ),
    ];
    Page::new("The model fitted to the published measurements", sections)
}

/// A relative error with its sign: "+3.1 %".
pub(super) fn signed(error: f64) -> String {
    let sign = if error >= 0.0 { "+" } else { "-" };
    format!("{sign}{}", percent(error.abs()))
}

/// A number with its 80 % interval.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub(crate) struct Ranged {
    /// The estimate.
    value: f64,
    /// Lower end of the interval.
    pub(super) low: f64,
    /// Upper end of the interval.
    pub(super) high: f64,
}

impl Ranged {
    /// Of a number whose logarithm is known to one σ.
    pub(super) fn of(value: f64, sigma: f64) -> Self {
        Self::within(value, half_width(sigma, 0.0, 0.0))
    }

    fn within(value: f64, half_width: f64) -> Self {
        let width = half_width.exp();
        Self {
            value,
            low: value / width,
            high: value * width,
        }
    }
}

/// A figure predicted from the others.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub(crate) struct Foretold {
    #[serde(flatten)]
    predicted: Ranged,
    /// Predicted over published less 1.
    error: f64,
    /// Whether the figure lies in the interval.
    inside: bool,
}

impl Foretold {
    pub(super) fn of(row: &Row, left: LeftOut) -> Self {
        let width = half_width(row.stated_error(), left.variance, left.discrepancy);
        Self {
            predicted: Ranged::within(left.predicted, width),
            error: error(row, left.predicted),
            inside: row.claim.residual(left.predicted).abs() <= width,
        }
    }
}

fn figures(calibrated: &Calibrated<'_>) -> Table {
    let mut table = Table::new(&[
        "figure",
        ">published",
        ">predicted",
        ">error",
        ">from the others (80 % interval)",
        "",
        ">from other sources",
    ]);
    for r in &calibrated.accuracy.rows {
        let row = &calibrated.rows[r.row];
        if !matches!(row.claim, Claim::Exactly(_)) {
            continue;
        }
        let dash = || "–".to_owned();
        let show = |value| row.dimension.show(value);
        let others = r.left_out.map(|left| {
            let found = Foretold::of(row, left);
            let Ranged { low, high, .. } = found.predicted;
            let interval = format!("{} ({} – {})", signed(found.error), show(low), show(high));
            (interval, if found.inside { "in" } else { "out" })
        });
        let (others, inside) = others.unwrap_or_else(|| (dash(), ""));
        let sources = r.source_left_out;
        table.row(vec![
            row.id.clone(),
            published(row),
            show(r.predicted),
            signed(error(row, r.predicted)),
            others,
            inside.to_owned(),
            sources.map_or_else(dash, |left| signed(error(row, left.predicted))),
        ]);
    }
    table
}

fn claims(calibrated: &Calibrated<'_>) -> Table {
    let mut table = Table::new(&["claim", ">of", ">predicted", "", "from the others"]);
    for r in &calibrated.accuracy.rows {
        let row = &calibrated.rows[r.row];
        if !matches!(row.claim, Claim::Between(..)) {
            continue;
        }
        let word = |predicted: f64| {
            if row.claim.residual(predicted) == 0.0 {
                "holds"
            } else {
                "violated"
            }
        };
        table.row(vec![
            row.id.clone(),
            published(row),
            row.dimension.show(r.predicted),
            word(r.predicted).to_owned(),
            r.left_out.map_or("–", |l| word(l.predicted)).to_owned(),
        ]);
    }
    table
}

/// What was published: a figure, or the range in which it lies.
pub(super) fn published(row: &Row) -> String {
    let show = |value| row.dimension.show(value);
    match row.claim {
        Claim::Exactly(value) => show(value),
        Claim::Between(low, high) if low > 0.0 && high.is_finite() => {
            format!("{} to {}", show(low), show(high))
        }
        Claim::Between(low, _) if low > 0.0 => format!("≥ {}", show(low)),
        Claim::Between(_, high) => format!("≤ {}", show(high)),
    }
}

fn parameters(calibrated: &Calibrated<'_>) -> Table {
    let heads = [
        "parameter",
        ">prior",
        ">posterior",
        ">80 % interval",
        "moved by",
    ];
    let posterior = calibrated.posterior;
    let rows = posterior.free.iter().enumerate().map(|(i, free)| {
        let factor = calibrated.factor(i);
        let movers = moved_by(&calibrated.movers[i], "");
        let shown = |x| significant(x, 3);
        vec![
            free.id.clone(),
            format!("1 ± {}", percent(free.prior)),
            shown(factor.value),
            format!("{} – {}", shown(factor.low), shown(factor.high)),
            match calibrated.movers[i].len() {
                0 => "no datum: it stays at its prior".to_owned(),
                1 => format!("{movers} (alone)"),
                _ => movers,
            },
        ]
    });
    Table::new(&heads).with(rows)
}

/// The data that say most about a parameter, with the share of each; ids without what they all begin with.
pub(super) fn moved_by(movers: &[Mover], prefix: &str) -> String {
    let named = movers.iter().map(|mover| {
        let datum = mover.datum.strip_prefix(prefix).unwrap_or(&mover.datum);
        format!("{datum} {}", percent(mover.share))
    });
    named.collect::<Vec<_>>().join(", ")
}
