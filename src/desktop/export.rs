//! Writes what one leaves with: the same as the command line's, by the ending of the file's name.

use std::path::Path;

use super::engine::Engine;
use super::state::State;
use crate::diag::quoted;
use crate::files::{self, Over};
use crate::report::Form;

/// Writes the report.
///
/// # Errors
///
/// A sentence: nothing recommended yet, an unknown ending, a file of somebody else's, one that cannot be
/// written.
pub fn write(path: &Path, state: &State, engine: &Engine) -> Result<(), String> {
    let advised = state
        .advice
        .answer()
        .ok_or_else(|| "there is no recommendation to report yet".to_owned())?;
    let name = quoted(&path.to_string_lossy());
    let form =
        Form::of(path).ok_or_else(|| format!("{name}: a report ends in .html, .md or .json"))?;
    let mark = Some(form.mark());
    let refused = |refusal| format!("{name} {refusal}; choose another name");
    files::check(path, mark, Over::Unchanged).map_err(refused)?;
    let inputs = advised.inputs(engine);
    let text = form.written(&inputs, &advised.advice, &advised.configuration)?;
    files::write(path, &text, mark, Over::Unchanged).map_err(refused)
}
