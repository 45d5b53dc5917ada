//! What `plimsoll calibrate` shows: tables of accuracy, data and parameters.

use schemars::JsonSchema;
use serde::Serialize;

use super::calibration_json::error;
use super::peak::percent;
use crate::calibration::Calibration;
use crate::experiment::{Claim, Row};
use crate::fit::{Accuracy, Declared, LeftOut, Mover, Summary, half_width};
use crate::page::{Block, Cell, Page, Section, Table};
use crate::posterior::Posterior;
use crate::units::{grouped, significant};

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

/// The factor that the fit found for a free parameter.
pub(super) fn factor(posterior: &Posterior, free: usize) -> Ranged {
    let sigma = posterior.covariance[free][free].max(0.0).sqrt();
    Ranged::of(posterior.shift[free].exp(), sigma)
}

/// Below it an error is none.
const OF_UNMEASURED_LEAST: f64 = 0.005;

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
    accuracy_measures(&declared_of(accuracy.summary))
}

/// As `calibration/accuracy.toml` has them, to four decimals: each figure is the same wherever it is shown.
fn declared_of(s: Summary) -> Declared {
    let rounded = |x: f64| (x * 1e4).round() / 1e4;
    let (held, claims) = s.claims_held;
    Declared {
        median_error: rounded(s.median),
        largest_error: rounded(s.worst),
        left_out_median: rounded(s.left_out_median),
        left_out_90: rounded(s.left_out_90),
        source_factor: rounded(s.source_factor),
        claims_violated: (claims - held) as f64,
        coverage_80: rounded(s.coverage),
        coverage_80_mechanism: rounded(s.mechanism_coverage),
        interval_score: rounded(s.interval_score),
        interval_score_constant: rounded(s.constant_score),
        brier: rounded(s.brier),
        figures_a_parameter: rounded(s.figures as f64 / s.parameters.max(1) as f64),
        figures: Vec::new(),
    }
}

/// The measures of accuracy, each with its target.
pub fn accuracy_measures(d: &Declared) -> Vec<Judged> {
    let upto = |what, target, is: f64, most| Judged { what, target, is: percent(is), met: is <= most };
    let held = |what, is: f64| Judged { what, target: "75 to 95 %", is: percent(is), met: (0.75..=0.95).contains(&is) };
    vec![
        upto("values in sample, median error", "≤ 3 %", d.median_error, 0.03),
        upto("values in sample, largest error", "≤ 15 %", d.largest_error, 0.15),
        upto("each datum from the others, median error", "≤ 12 %", d.left_out_median, 0.12),
        upto("each datum from the others, 90th percentile", "≤ 35 %", d.left_out_90, 0.35),
        Judged {
            what: "commit rates and sync times, each source from the others",
            target: "within 1.5 ×",
            is: format!("{} ×", significant(d.source_factor, 3)),
            met: d.source_factor <= 1.5,
        },
        Judged {
            what: "orderings, bounds and ranges violated",
            target: "none",
            is: grouped(d.claims_violated),
            met: d.claims_violated == 0.0,
        },
        held("80 % intervals that hold the figure, each source from the others", d.coverage_80),
        held("the same, each mechanism from the others", d.coverage_80_mechanism),
        Judged {
            what: "figures to a free parameter",
            target: "≥ 2",
            is: significant(d.figures_a_parameter, 2),
            met: d.figures_a_parameter >= 2.0,
        },
        Judged {
            what: "mean score of 80 % intervals, each source from the others; of the best constant factor",
            target: "the first below the second",
            is: [d.interval_score, d.interval_score_constant].map(|score| significant(score, 3)).join("; "),
            met: d.interval_score < d.interval_score_constant,
        },
        Judged {
            what: "bounds and orders as probabilities, each source from the others (Brier)",
            target: "≤ 0.25",
            is: significant(d.brier, 2),
            met: d.brier <= 0.25,
        },
    ]
}

/// The tables as a page.
pub fn calibration_page(calibrated: &Calibrated<'_>) -> Page {
    let accuracy = calibrated.accuracy;
    let measures = judged(accuracy).into_iter().map(|j| {
        let verdict = if j.met { "met" } else { "missed" };
        vec![j.what.to_owned(), j.target.to_owned(), j.is, verdict.to_owned()]
    });
    let measures = Table::new(&["measure", "target", "is", ""]).with(measures);
    let unmeasured = match accuracy.summary.unmeasured {
        Some(error) if error >= OF_UNMEASURED_LEAST => {
            format!("the figures whose source was left out speak for {} of the time there", percent(error))
        }
        Some(_) => "the figures whose source was left out speak for no error there".to_owned(),
        None => "no figure here says how much".to_owned(),
    };
    let own = format!(
        "Besides the uncertainty of parameters and figures, the model's own error is {} (one sigma), with each datum predicted from the others. At resources that nobody measured, estimates assume more (unmeasured in calibration/parameters.toml): {unmeasured}.",
        percent(accuracy.discrepancy),
    );
    let movers = |i: usize| match &calibrated.movers[i][..] {
        [alone] => format!("{} (alone)", moved_by(std::slice::from_ref(alone), "")),
        movers => moved_by(movers, ""),
    };
    let parameters = parameters_blocks(calibrated.posterior, movers);
    let sections = vec![
        Section::new("accuracy", "Accuracy", [measures.into(), Block::text(own)]),
        Section::new("figures", "Figures", [figures(calibrated).into()]),
        Section::new("claims", "Orderings, bounds and ranges", [claims(calibrated).into()]),
        Section::new("parameters", "Parameters", parameters),
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
        Self { value, low: value / width, high: value * width }
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
            if row.claim.residual(predicted) == 0.0 { "holds" } else { "violated" }
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

/// The free parameters before and after the fit, each with the data that `moved` it, in words; and what each is.
pub fn parameters_blocks(posterior: &Posterior, moved: impl Fn(usize) -> String) -> [Block; 2] {
    let mut table = Table::new(&["parameter", ">prior", ">posterior", ">80 % interval", "moved by"]);
    for (i, free) in posterior.free.iter().enumerate() {
        let factor = factor(posterior, i);
        let shown = |x| significant(x, 3);
        let mut data = moved(i);
        if data.is_empty() {
            "no datum: it stays at its prior".clone_into(&mut data);
        }
        let [prior, posterior, interval, data] = [
            format!("1 ± {}", percent(free.prior)),
            shown(factor.value),
            format!("{} – {}", shown(factor.low), shown(factor.high)),
            data,
        ]
        .map(Cell::plain);
        let id = Cell::plain(free.id.clone()).about(free.id.clone(), "");
        table.linked(String::new(), vec![id, prior, posterior, interval, data]);
    }
    let free = posterior.free.iter();
    let meaning = free.map(|free| format!("{}: {}; {}", free.id, free.title, free.why));
    [table.into(), Block::points(meaning)]
}

/// The data that say most about a parameter, with the share of each; ids without what they all begin with.
pub(super) fn moved_by(movers: &[Mover], prefix: &str) -> String {
    let named = movers.iter().map(|mover| {
        let datum = mover.datum.strip_prefix(prefix).unwrap_or(&mover.datum);
        format!("{datum} {}", percent(mover.share))
    });
    named.collect::<Vec<_>>().join(", ")
}
