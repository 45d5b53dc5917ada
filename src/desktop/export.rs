//! Writes the report and the hand-over folder: the same files as the command line writes.

use std::path::Path;

use super::engine::Engine;
use super::state::State;
use crate::diag::quoted;
use crate::files::{self, Mark, Over, Style};
use crate::report::{Form, Further};

/// What marks a file of configuration: all of their languages have comments that begin with `#`.
const CONFIGURATION: Mark = Mark { style: Style::Hash, kind: "a file of configuration" };

/// Files of a hand-over, by their paths below its folder.
pub fn handover_files(state: &State) -> Vec<String> {
    let Some(advised) = state.lanes.advice.answer() else {
        return Vec::new();
    };
    if advised.advice.chosen.is_none() {
        return Vec::new();
    }
    let files = advised.configuration.iter();
    let report = Form::Html.paths(Path::new("report.html")).into_iter();
    let report = report.map(|path| path.to_string_lossy().into_owned());
    report.chain(files.map(|file| format!("config/{}", file.path()))).collect()
}

/// Writes report and configuration below a folder, as `plimsoll advise --out` does, and gives how many files it
/// wrote. A file that was edited is not written over; then none is written.
///
/// # Errors
///
/// A sentence: nothing recommended yet, a file that may not be replaced, a folder that cannot be written into.
pub fn handover(folder: &Path, state: &State, engine: &Engine) -> Result<usize, String> {
    let advised = state
        .lanes
        .advice
        .answer()
        .filter(|advised| advised.advice.chosen.is_some())
        .ok_or_else(|| "there is no recommendation to hand over yet".to_owned())?;
    let html = Form::Html;
    let inputs = advised.inputs(engine);
    let report = html.written(
        &folder.join("report.html"),
        &inputs,
        &advised.advice,
        &advised.configuration,
        &Further::default(),
    );
    let report = report.into_iter().map(|(path, text)| (path, text, html.mark()));
    let mut documents: Vec<_> = report.collect();
    documents.extend(advised.configuration.iter().map(|file| {
        let path = folder.join("config").join(file.path());
        (path, file.render(), CONFIGURATION)
    }));
    let refused = |path: &Path, why: &dyn std::fmt::Display| {
        let name = quoted(&path.to_string_lossy());
        format!("{name} {why}; choose another folder")
    };
    for (path, _, mark) in &documents {
        files::check(path, Some(*mark), Over::Unchanged).map_err(|e| refused(path, &e))?;
    }
    for (path, text, mark) in &documents {
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|e| refused(path, &e))?;
        }
        files::write(path, text, Some(*mark), Over::Unchanged).map_err(|e| refused(path, &e))?;
    }
    Ok(documents.len())
}

/// Writes the report.
///
/// # Errors
///
/// A sentence: nothing recommended yet, an unknown ending, a file that Plimsoll did not write, one that cannot
/// be written.
pub fn write(path: &Path, state: &State, engine: &Engine) -> Result<(), String> {
    let advised = state.lanes.advice.answer().ok_or_else(|| "there is no recommendation to report yet".to_owned())?;
    let name = quoted(&path.to_string_lossy());
    let form = Form::of(path).ok_or_else(|| format!("{name}: a report ends in .html, .md or .json"))?;
    let mark = Some(form.mark());
    let refused = |refusal| format!("{name} {refusal}; choose another name");
    for path in form.paths(path) {
        files::check(&path, mark, Over::Unchanged).map_err(refused)?;
    }
    let inputs = advised.inputs(engine);
    let written = form.written(path, &inputs, &advised.advice, &advised.configuration, &Further::default());
    for (path, text) in written {
        files::write(&path, &text, mark, Over::Unchanged).map_err(refused)?;
    }
    Ok(())
}
