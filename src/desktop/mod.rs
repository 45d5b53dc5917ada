//! The window: for now the advice of one site file, read and scrolled.
//!
//! Plain state ([`State`]), one enum of commands ([`Command`]), a pure [`update`]; painting asks and
//! changes nothing. Later issues add the questionnaire, what-if and charts to the same shape. Must not
//! know the command line.

use std::path::{Path, PathBuf};

use crate::advisor;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::report;
use crate::site::{self, Vocabulary};

/// What the window shows; plain data, no egui types.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct State {
    /// The site file, if one was opened.
    pub file: Option<PathBuf>,
    /// The advice, or why there is none.
    pub shown: Shown,
}

/// The text in the middle.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Shown {
    /// Nothing was opened yet.
    #[default]
    Nothing,
    /// The advice as text.
    Advice(String),
    /// What is wrong with the file.
    Problem(String),
}

/// What a person can ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Open a site file (dropped on the window).
    Open(PathBuf),
    /// Read the file again.
    Reload,
}

/// What the shell must do; [`update`] itself does nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Read the file and work out the advice.
    Advise(PathBuf),
}

/// The only place where the state changes on a command.
pub fn update(state: &mut State, command: Command) -> Option<Effect> {
    match command {
        Command::Open(path) => {
            state.file = Some(path.clone());
            Some(Effect::Advise(path))
        }
        Command::Reload => state.file.clone().map(Effect::Advise),
    }
}

/// Works out what to show for a file: the same answer as the command line's.
pub fn advice(path: &Path) -> Shown {
    let (catalog, calibration) = (Catalog::embedded(), Calibration::embedded());
    let vocabulary = Vocabulary::of(&catalog);
    match site::load(path, &[], &vocabulary) {
        Err(error) => Shown::Problem(error.render()),
        Ok(site) => {
            let advice = advisor::advise(&site, &vocabulary, &catalog, &calibration);
            Shown::Advice(report::advice_text(&site, &catalog, &advice))
        }
    }
}

/// Opens the window, with a site file if one is given. Ends when the window closes.
///
/// # Errors
///
/// A sentence, where there is no display or no OpenGL.
pub fn run(file: Option<&Path>) -> Result<(), String> {
    let mut app = App::default();
    if let Some(path) = file {
        app.queue.push(Command::Open(path.to_owned()));
    }
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default().with_inner_size([1120.0, 800.0]),
        ..Default::default()
    };
    eframe::run_native("Plimsoll", options, Box::new(|_| Ok(Box::new(app)))).map_err(|error| {
        format!("cannot open the window: {error}; `plimsoll advise SITE.toml` needs none")
    })
}

#[derive(Default)]
struct App {
    state: State,
    queue: Vec<Command>,
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        let dropped = ctx.input(|i| i.raw.dropped_files.clone());
        self.queue.extend(
            dropped
                .into_iter()
                .map(|f| f.path().to_path_buf())
                .map(Command::Open),
        );
        for command in std::mem::take(&mut self.queue) {
            if let Some(Effect::Advise(path)) = update(&mut self.state, command) {
                self.state.shown = advice(&path);
            }
        }
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        window_ui(ui, &self.state, &mut self.queue);
    }
}

/// Paints the state; what is asked for goes to `out`.
pub fn window_ui(ui: &mut egui::Ui, state: &State, out: &mut Vec<Command>) {
    egui::CentralPanel::default().show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.heading("Plimsoll");
            if let Some(file) = &state.file {
                ui.label(file.display().to_string());
                if ui.button("Reload").clicked() {
                    out.push(Command::Reload);
                }
            }
        });
        ui.separator();
        egui::ScrollArea::both()
            .auto_shrink([false, false])
            .show(ui, |ui| match &state.shown {
                Shown::Nothing => {
                    ui.label("Drop a site file here. The examples lie in assets/examples.");
                }
                Shown::Advice(text) | Shown::Problem(text) => {
                    ui.add(egui::Label::new(egui::RichText::new(text).monospace()).extend());
                }
            });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opening_asks_for_advice_and_reloading_needs_a_file() {
        let mut state = State::default();
        assert_eq!(update(&mut state, Command::Reload), None);
        let effect = update(&mut state, Command::Open("a.toml".into()));
        assert_eq!(effect, Some(Effect::Advise("a.toml".into())));
        assert_eq!(update(&mut state, Command::Reload), effect);
    }

    #[test]
    fn a_file_that_is_not_there_is_a_problem_in_words() {
        let Shown::Problem(text) = advice(Path::new("no/such/site.toml")) else {
            panic!("a missing file gives no advice");
        };
        assert!(text.contains("no/such/site.toml"), "{text}");
    }
}
