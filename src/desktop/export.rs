//! Writes what one leaves with: the same as the command line's, by the ending of the file's name.

use std::path::Path;

use super::engine::Engine;
use super::files;
use super::state::State;
use crate::report;

/// Writes the report.
///
/// # Errors
///
/// A sentence: nothing recommended yet, an unknown ending, a file that cannot be written.
pub fn write(path: &Path, state: &State, engine: &Engine) -> Result<(), String> {
    let advised = state
        .advice
        .answer()
        .ok_or_else(|| "there is no recommendation to report yet".to_owned())?;
    let inputs = advised.inputs(engine);
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    let text = match ending.to_lowercase().as_str() {
        "json" => json(&report::advice_json(&inputs, &advised.advice)),
        "txt" => report::advice_text(&advised.site, &engine.catalog, &advised.advice),
        other => {
            return Err(format!(
                "a report is .json or .txt, not {}",
                crate::diag::quoted(other)
            ));
        }
    };
    files::write(path, &text)
}

/// As the command line prints it.
fn json(value: &serde_json::Value) -> String {
    let pretty = serde_json::to_string_pretty(value);
    // A value of ours has text keys only.
    format!("{}\n", pretty.unwrap_or_default())
}
