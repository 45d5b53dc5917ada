//! The window itself: takes events, runs updates, carries out effects, paints.
//!
//! The only file that uses eframe. It decides nothing: what a command does is [`super::update`]'s
//! business, what is shown that of the panels.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::actions::{ACTIONS, Shortcut};
use super::command::Command;
use super::effect::Effect;
use super::engine::Engine;
use super::files::{self, Home, Kept};
use super::panels::compare::CompareCommand;
use super::panels::rehearsal::RehearsalCommand;
use super::panels::report::ReportCommand;
use super::preferences::Look;
use super::state::State;
use super::update::update;
use super::worker::{Wake, Workers};
use super::{export, frame, kinds, theme};
use crate::collected;
use crate::rehearse::Rehearsed;

/// How long unsaved work is kept in memory alone.
const KEEP_AFTER: Duration = Duration::from_secs(2);

/// Opens the window, with a site file if one is given. Ends when the window closes.
///
/// # Errors
///
/// A sentence, where there is no display or no OpenGL.
pub fn run(file: Option<&Path>) -> Result<(), String> {
    let icon = eframe::icon_data::from_png_bytes(include_bytes!("../../assets/icon/plimsoll-256.png"));
    let mut viewport = egui::ViewportBuilder::default()
        .with_app_id("plimsoll")
        .with_inner_size([1280.0, 800.0])
        .with_min_inner_size([640.0, 400.0]);
    if let Ok(icon) = icon {
        viewport = viewport.with_icon(icon);
    }
    let options = eframe::NativeOptions { viewport, ..Default::default() };
    // What is opened and remembered later has to be found from any folder.
    let file = file.map(|path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
    let build: eframe::AppCreator<'_> = Box::new(move |creation| {
        let app = App::new(&creation.egui_ctx, file, Home::of_user())?;
        Ok(Box::new(app))
    });
    eframe::run_native("Plimsoll", options, build).map_err(|error| {
        let why = why_no_window(&error.to_string());
        format!("cannot open the window: {why}; `plimsoll advise SITE.toml` needs none")
    })
}

/// What a library says of a window that it cannot open. Some of them begin with the file of their source
/// in which they noticed it, a path of the machine that built them: what comes after it is the reason.
fn why_no_window(error: &str) -> String {
    let Some((_, behind)) = error.rsplit_once(".rs:") else {
        return error.to_owned();
    };
    let reason = behind.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':' || c == ' ');
    if reason.is_empty() {
        return "there is no display".to_owned();
    }
    format!("there is no display: {}", reason.trim_end_matches('.'))
}

/// State with all that is outside of it.
pub struct App {
    state: State,
    engine: Arc<Engine>,
    workers: Workers,
    home: Option<Home>,
    queue: Vec<Command>,
    /// When the work that is unsaved was last kept, and its text.
    kept: Option<(Instant, Arc<str>)>,
    shown_title: String,
    shown_look: Option<Look>,
}

impl App {
    /// Starts with a file, or with the start card.
    ///
    /// # Errors
    ///
    /// A sentence, where the machine gives no threads.
    pub fn new(ctx: &egui::Context, file: Option<std::path::PathBuf>, home: Option<Home>) -> Result<Self, String> {
        theme::apply(ctx);
        let engine = Engine::embedded();
        let wake: Wake = {
            let ctx = ctx.clone();
            Arc::new(move || ctx.request_repaint())
        };
        let workers = Workers::new(&engine, &wake)?;
        let mut app = Self {
            state: State::default(),
            engine,
            workers,
            queue: Vec::new(),
            kept: None,
            shown_title: String::new(),
            shown_look: None,
            home,
        };
        if let Some(home) = &app.home {
            app.state.preferences = home.preferences();
        }
        // Without a file the start card is shown.
        app.queue.extend(file.map(Command::Open));
        if let Some(Kept { file, text }) = app.home.as_ref().and_then(Home::find) {
            app.queue.push(Command::Recovered { file, text });
        }
        Ok(app)
    }

    /// What the window shows.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Carries out the commands since the last frame.
    pub fn work(&mut self, ctx: &egui::Context) {
        self.take_events(ctx);
        self.queue.extend(self.workers.answers());
        while !self.queue.is_empty() {
            for command in std::mem::take(&mut self.queue) {
                for effect in update(&mut self.state, command, &self.engine) {
                    self.carry_out(ctx, effect);
                }
            }
        }
        self.keep_unsaved(ctx);
        self.dress(ctx);
    }

    /// Paints; commands are carried out before the next frame.
    pub fn paint(&mut self, ui: &mut egui::Ui) {
        frame::show(ui, &self.state, &self.engine, &mut self.queue);
        if !self.queue.is_empty() {
            ui.request_repaint();
        }
    }

    fn take_events(&mut self, ctx: &egui::Context) {
        let dropped = ctx.input(|i| i.raw.dropped_files.clone());
        let paths = dropped.into_iter().map(|f| f.path().to_path_buf());
        let paths: Vec<_> = paths.collect();
        if !paths.is_empty() {
            self.queue.push(Command::Drop(paths));
        }
        if ctx.input(|i| i.viewport().close_requested()) && !self.state.is_leaving {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.queue.push(Command::Close);
        }
        let is_modal = self.state.dialog.is_some() || self.state.palette.is_some();
        if is_modal {
            if ctx.input_mut(|i| i.consume_key(egui::Modifiers::NONE, egui::Key::Escape)) {
                self.queue.push(Command::Dismiss);
            }
            return;
        }
        // Shift first: egui matches a key with fewer modifiers too.
        let mut actions: Vec<_> =
            ACTIONS.iter().filter_map(|action| Some((action.shortcut?, &action.command))).collect();
        actions.sort_by_key(|(shortcut, _)| !shortcut.shift);
        for (shortcut, command) in actions {
            if let Some(key) = keyboard(shortcut)
                && ctx.input_mut(|i| i.consume_shortcut(&key))
            {
                self.queue.push(command.clone());
            }
        }
    }

    fn carry_out(&mut self, ctx: &egui::Context, effect: Effect) {
        match effect {
            Effect::Ask(question) => self.workers.ask(question),
            Effect::Tell(signal) => self.workers.tell(signal),
            Effect::Drop(lane) => self.workers.drop_question(lane),
            Effect::ReadOther(path) => {
                let text = files::read(&path);
                self.queue.push(Command::Compare(CompareCommand::Opened { path, text }));
            }
            Effect::ReadRehearsal(path) => {
                let read = Rehearsed::load(&path);
                let read = read.map(Arc::new).map_err(|error| error.to_string());
                self.queue.push(Command::Rehearsal(RehearsalCommand::Opened(path, read)));
            }
            Effect::Sort(paths) => {
                self.queue.push(Command::Dropped(kinds::known(paths)));
            }
            Effect::Gather(paths) => {
                let read = collected::load(paths.iter().map(std::path::PathBuf::as_path));
                let read = read.map(Box::new).map_err(|error| error.to_string());
                self.queue.push(Command::OutputsRead(read));
            }
            Effect::Read(path) => {
                let text = files::read(&path);
                self.queue.push(Command::Opened { path, text });
            }
            Effect::Write { path, text, over } => {
                let problem = files::write(&path, &text, over).err();
                self.queue.push(Command::Saved { path, text, problem });
            }
            Effect::Export(path) => {
                let problem = export::write(&path, &self.state, &self.engine).err();
                self.queue.push(Command::Report(ReportCommand::Exported { path, problem }));
            }
            Effect::Handover(folder) => {
                let written = export::handover(&folder, &self.state, &self.engine);
                self.queue.push(Command::Report(ReportCommand::HandedOver { folder, written }));
            }
            Effect::ShowFolder(folder) => {
                let url = format!("file://{}", folder.display());
                ctx.open_url(egui::OpenUrl::same_tab(url));
            }
            Effect::List(folder) => {
                let folder = folder.canonicalize().unwrap_or(folder);
                let entries = files::list(&folder);
                self.queue.push(Command::Listed { folder, entries });
            }
            Effect::Remember(preferences) => self.at_home(|home| home.remember(&preferences)),
            Effect::Copy(text) => ctx.copy_text(text),
            Effect::ForgetRecovery => {
                self.kept = None;
                self.at_home(Home::forget);
            }
            Effect::TakeFound => self.at_home(Home::take_found),
            Effect::ForgetFound => self.at_home(Home::forget_found),
            Effect::Close => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
        }
    }

    fn at_home(&self, act: impl FnOnce(&Home)) {
        if let Some(home) = &self.home {
            act(home);
        }
    }

    /// Keeps unsaved work, so that a crash loses two seconds of it.
    fn keep_unsaved(&mut self, ctx: &egui::Context) {
        let text = &self.state.scenario.text;
        let Some(home) = self.home.as_ref().filter(|_| self.state.is_dirty()) else {
            return;
        };
        match &self.kept {
            Some((_, kept)) if kept == text => return,
            Some((at, _)) if at.elapsed() < KEEP_AFTER => {
                ctx.request_repaint_after(KEEP_AFTER);
                return;
            }
            _ => {}
        }
        let kept = Kept { file: self.state.file.clone(), text: text.to_string() };
        // Where it cannot be kept there is nothing better to do than to go on.
        drop(home.keep(&kept));
        #[expect(clippy::disallowed_methods, reason = "when to write is no part of any answer")]
        let now = Instant::now();
        self.kept = Some((now, text.clone()));
    }

    /// Title, look and size, where they changed.
    fn dress(&mut self, ctx: &egui::Context) {
        let title = self.state.title();
        if title != self.shown_title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.shown_title = title;
        }
        let look = self.state.preferences.look;
        if self.shown_look != Some(look) {
            ctx.set_theme(match look {
                Look::System => egui::ThemePreference::System,
                Look::Light => egui::ThemePreference::Light,
                Look::Dark => egui::ThemePreference::Dark,
            });
            self.shown_look = Some(look);
        }
        if ctx.zoom_factor() != self.state.preferences.zoom {
            ctx.set_zoom_factor(self.state.preferences.zoom);
        }
    }
}

/// The same in egui's words; none where it has no such key.
fn keyboard(shortcut: Shortcut) -> Option<egui::KeyboardShortcut> {
    let key = egui::Key::from_name(shortcut.key.strip_prefix("Num").unwrap_or(shortcut.key))?;
    let mut modifiers = egui::Modifiers::NONE;
    if shortcut.command {
        modifiers |= egui::Modifiers::COMMAND;
    }
    if shortcut.shift {
        modifiers |= egui::Modifiers::SHIFT;
    }
    Some(egui::KeyboardShortcut::new(modifiers, key))
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        self.work(ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.paint(ui);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn egui_knows_every_key() {
        for action in ACTIONS.iter() {
            if let Some(shortcut) = action.shortcut {
                assert!(keyboard(shortcut).is_some(), "{}", shortcut.words());
            }
        }
    }

    #[test]
    fn a_missing_display_names_no_path_of_the_build() {
        let said = "winit EventLoopError: os error at /root/.cargo/registry/src/x/winit/src/linux/mod.rs:765: neither WAYLAND_DISPLAY nor DISPLAY is set.";
        assert_eq!(why_no_window(said), "there is no display: neither WAYLAND_DISPLAY nor DISPLAY is set");
        assert_eq!(why_no_window("no OpenGL 2"), "no OpenGL 2");
        assert_eq!(why_no_window("os error at a.rs:1"), "there is no display");
    }
}
