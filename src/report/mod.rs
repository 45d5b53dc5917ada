//! The answer in words and numbers: text for people, JSON for programs.
//!
//! Knows which figures belong together, in which words, and under which keys. How a page looks is `page`'s. Must not solve
//! anything: whatever it tells was computed before. JSON keys end in their unit (`_s`, `_bytes`, `_per_s`, `_fraction`); `docs/json.md` lists them.

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
mod form;
mod growth;
mod handover;
mod json;
mod key_figures;
mod parity;
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

use serde_json::{Map, Value, json};

use crate::advisor::{LayoutPrediction, NoForecast};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::document;
use crate::site::Site;

pub use advice_json::advice_json;
pub use against::{against_json, against_sections, earlier_answer, is_earlier_answer};
pub use answer::{Answer, Asked, FindingRow, LimitRow, LoadLine, Stands, WorkRow, asked};
pub use bars::{busy_bars, score_bars};
pub use blend::{AdviceMoved, Blended, Saved, blend_page, blend_verdict};
pub use blend_json::blend_json;
pub use calibration::{Calibrated, Judged, calibration_page, judged};
pub use calibration_json::calibration_json;
pub use chart_lines::{ResponseChart, load_chart, mark_target, response_charts, stores_chart};
pub use diagram::diagram;
pub use experiment::{Tried, experiment_json, experiment_page};
pub use form::{Form, Further};
pub use growth::{growth_figures, limits_table};
pub use handover::{Source, accuracy_measures, advice_text, layouts_table, report};
pub use key_figures::key_figures;
pub use parity::{BAND, parity_chart, parity_point, parity_svg};
pub use peak::{
    comparison_text, kind_word, led, mean_above_p95, open_in_words, percent, prediction_text,
    with_interval,
};
pub use precision::Wanted;
pub use prediction_json::{comparison_json, no_prediction_json, prediction_json};
#[cfg(feature = "desktop")]
pub(crate) use prose::capital;
pub use screen::{COLUMNS, LINES, advice_screen};
pub use side_by_side::side_by_side;
pub use simulation::{LockRow, RESPONSE_HEADS, ResponseRow, Simulation, simulation_blocks};
pub use simulation_json::simulation_json;
pub use simulations::{Rival, Verdict, simulations_json, simulations_page};
pub use solve::{Compared, Point, Solved, Sweep};
pub use solve_compare::solve_comparison_page;
pub use solve_json::{bounds_json, solve_comparison_json, solve_json, sweep_json, unsolved_json};
pub use solve_page::{bounds_page, solve_page, unsolved_page};
pub use solve_sweep::{sweep_csv, sweep_page};
pub use today::{
    ChangeRow, PartRow, TimeRow, TodayAnswer, people_in_words, taken_section, today_json,
    today_screen, today_text,
};
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
    /// What every JSON answer says of itself: schema, tool, and a hash of what went in.
    pub fn header(&self) -> Map<String, Value> {
        let texts = [&self.site.text].into_iter().chain(&self.site.overrides);
        let site = document::fingerprint(texts.map(String::as_str));
        let parameters = self.catalog.fingerprint ^ self.calibration.fingerprint.rotate_left(1);
        let mut map = header_of(json!({
            "site": self.site.file,
            "site_hash": format!("{site:016x}"),
            "parameters_hash": format!("{parameters:016x}"),
        }));
        map.insert("warnings".to_owned(), self.site.warnings.clone().into());
        map.insert("load".to_owned(), self.site.notes.clone().into());
        map
    }
}

/// Schema and tool, and what went in.
fn header_of(input: Value) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("schema".to_owned(), SCHEMA.into());
    map.insert("tool".to_owned(), env!("CARGO_PKG_VERSION").into());
    map.insert("input".to_owned(), input);
    map
}
