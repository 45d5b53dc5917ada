//! The answer in words and numbers: text for people, JSON for programs.
//!
//! Knows which figures belong together, in which words, and under which keys. How a page looks is `page`'s. Must not solve
//! anything: whatever it tells was computed before. JSON answers are structs (`json.rs`); their keys end in their unit (`_s`, `_bytes`,
//! `_per_s`, `_fraction`), and `docs/json.md` is written from their comments.

/// Adds a formatted line to a text.
macro_rules! line {
    ($out:expr, $($arg:tt)*) => {{
        $out.push_str(&format!($($arg)*));
        $out.push('\n');
    }};
}
pub(crate) use line;

mod advice_json;
mod against;
pub mod answer;
mod assumed;
mod bars;
mod bill;
mod blend;
mod blend_json;
mod calibration;
mod calibration_json;
mod chart_lines;
mod contest;
pub mod csv;
mod diagram;
mod diagram_build;
mod diagram_offices;
mod estimate;
mod experiment;
pub mod explanation;
mod figures;
mod form;
mod growth;
mod handover;
mod instead;
pub(crate) mod json;
mod key_figures;
mod peak;
mod precision;
mod prediction_json;
mod prose;
mod recovery;
pub mod response;
mod screen;
pub mod serverlog;
mod side_by_side;
mod simulation;
mod simulation_json;
mod simulations;
mod solve;
mod solve_compare;
mod solve_json;
mod solve_page;
mod solve_sweep;
mod today;
mod volumes;
mod what_if;

use crate::advisor::{LayoutPrediction, NoForecast};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::document;
use crate::site::Site;
use json::{Made, object};

pub(crate) use advice_json::Advised;
pub use advice_json::advice_json;
pub use against::is_earlier_answer;
pub(crate) use against::{Against, against_sections, deciding_sentences, earlier_answer};
pub use answer::{Answer, Asked, FindingRow, LimitRow, LoadLine, Stands, WorkRow, asked, carried, range};
pub use bars::{busy_bars, score_bars};
pub use blend::{AdviceMoved, Blended, Saved, blend_page, blend_verdict};
pub(crate) use blend_json::BlendedJson;
pub(crate) use calibration::Ranged;
pub use calibration::{Calibrated, Judged, accuracy_measures, calibration_page, judged, parameters_blocks};
pub(crate) use calibration_json::CalibratedJson;
pub use chart_lines::{
    CHART_LINES, ResponseChart, decades, load_chart, most_telling, response_charts, stores_chart, target_marks,
    with_horizon, years_axis,
};
pub use diagram::diagram;
pub(crate) use experiment::Experiments;
pub use experiment::{Tried, experiment_page};
pub use figures::{Figure, figures_summary, figures_table};
pub(crate) use form::Reported;
pub use form::{Form, Further};
pub use growth::{growth_figures, limits_table};
pub use handover::{Source, advice_text, layouts_table, report};
pub use instead::WhyNot;
pub(crate) use instead::WhyNotJson;
pub use key_figures::key_figures;
pub use peak::{
    comparison_text, kind_word, led, mean_above_p95, open_in_words, percent, prediction_text, with_interval,
};
pub use precision::Wanted;
pub(crate) use prediction_json::{KindOfWork, Predicted, PredictedSideBySide, Prediction, UsedNumber};
pub use prose::Sentences;
pub use screen::{COLUMNS, LINES, advice_screen};
pub use side_by_side::side_by_side;
pub use simulation::{Simulation, simulated_times, simulation_blocks};
pub(crate) use simulation_json::{SimulatedJson, SimulatedLayout};
pub(crate) use simulations::SimulatedSideBySide;
pub use simulations::{Rival, Verdict, simulations_json, simulations_page};
pub use solve::{Compared, Point, Solved, Sweep};
pub use solve_compare::solve_comparison_page;
pub(crate) use solve_json::{
    NetworkAnswer, NetworkBounds, NetworkHeader, NetworkSideBySide, NetworkSolved, NetworkSwept, NetworkUnsolved,
};
pub use solve_page::{bounds_page, solve_page, unsolved_page};
pub use solve_sweep::{sweep_csv, sweep_page};
pub(crate) use today::FromToday;
pub use today::{ChangeRow, PartRow, TimeRow, TodayAnswer, people_in_words, taken_section, today_screen, today_text};
pub use volumes::{VolumeRow, size_shown, volume_rows};
pub use what_if::{Simulated, WhatIf, estimate};

/// A layout's name with what it does, or why it cannot be had.
pub type Column = (String, Result<LayoutPrediction, NoForecast>);

/// Version of the JSON schema.
pub const SCHEMA: u32 = 1;

/// What an answer about a site was made from.
#[derive(Debug, Clone, Copy)]
pub struct Inputs<'a> {
    /// The questionnaire.
    pub site: &'a Site,
    /// What exists.
    pub catalog: &'a Catalog,
    /// What was measured.
    pub calibration: &'a Calibration,
}

impl Inputs<'_> {
    /// What an answer says of itself, with a hash of what went in.
    pub(crate) fn header(&self) -> Header {
        Header::of(self)
    }
}

object! {
    /// What every answer about a site says of itself.
    #[derive(serde::Deserialize)]
    Header of (inputs: &Inputs<'_>) {
        #[serde(flatten)] made: Made<SiteInput> = Made::from(SiteInput::of(inputs));
        #[serde(default)] warnings: Vec<String> = inputs.site.warnings.clone(), "Warnings about the site file.";
        #[serde(default)] load: Vec<String> = inputs.site.notes.clone(), "What a changed number of people, or `--load`, scales, and what stays as it was stated; empty otherwise.";
    }

    /// What an answer about a site was made from.
    #[derive(Clone, Default, serde::Deserialize)]
    #[serde(default)]
    SiteInput of (inputs: &Inputs<'_>) [
        let texts = [&inputs.site.text].into_iter().chain(&inputs.site.overrides);
        let site = document::fingerprint(texts.map(String::as_str));
        let parameters = inputs.catalog.fingerprint ^ inputs.calibration.fingerprint.rotate_left(1);
    ] {
        site: String = inputs.site.file.clone(), "The site file as named.";
        site_hash: String = hash(site), "Hash of the file's text and the overrides.";
        parameters_hash: String = hash(parameters), "Hash of catalogue and calibration, with what `--models` and `--calibration` laid over them.";
    }
}

/// A fingerprint as answers have it.
fn hash(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}
