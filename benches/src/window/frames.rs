//! Whole frames of the real window, painting included; needs a display.
//!
//! Each panel is painted again and again without waiting for the screen; on What if a key moves a slider
//! before each frame. Under Xvfb the renderer is Mesa's software renderer.

use std::time::{Duration, Instant};

use eframe::egui;
use plimsoll::desktop::panels::Panel;
use plimsoll::desktop::shell::App;

use super::at;

/// Frames of each panel, after as many as it takes to settle.
const FRAMES: usize = 200;
const SETTLING: usize = 60;

/// The window with a hand on its keys and a clock.
struct Driven {
    app: App,
    panel: usize,
    frame: usize,
    last: Option<Instant>,
    times: Vec<Duration>,
}

fn key(key: egui::Key, modifiers: egui::Modifiers) -> egui::Event {
    egui::Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }
}

impl Driven {
    /// What is pressed before this frame.
    fn events(&self) -> Vec<egui::Event> {
        use egui::{Event, Key, Modifiers};
        let panels = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8];
        let is_what_if = Panel::ALL[self.panel] == Panel::WhatIf;
        match self.frame {
            0 => vec![key(panels[self.panel], Modifiers::COMMAND)],
            // By the palette to a slider.
            10 if is_what_if => vec![key(Key::K, Modifiers::COMMAND)],
            12 if is_what_if => vec![Event::Text("what if commands".to_owned())],
            14 if is_what_if => vec![key(Key::Enter, Modifiers::NONE)],
            n if is_what_if && n >= SETTLING => {
                let there = n % 40 < 20;
                let way = if there { Key::ArrowRight } else { Key::ArrowLeft };
                vec![key(way, Modifiers::NONE)]
            }
            _ => Vec::new(),
        }
    }

    fn told(&mut self) {
        let title = Panel::ALL[self.panel].title();
        let times = &mut self.times;
        println!("| {title} | {:.1} | {:.1} |", at(times, 0.5), at(times, 0.99));
        times.clear();
    }
}

impl eframe::App for Driven {
    fn raw_input_hook(&mut self, _ctx: &egui::Context, raw: &mut egui::RawInput) {
        raw.events.extend(self.events());
    }

    fn logic(&mut self, ctx: &egui::Context, frame: &mut eframe::Frame) {
        self.app.logic(ctx, frame);
    }

    #[expect(clippy::disallowed_methods, reason = "this is no solver: it times the window")]
    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        self.app.ui(ui, frame);
        let now = Instant::now();
        if let Some(last) = self.last.replace(now)
            && self.frame >= SETTLING
        {
            self.times.push(now - last);
        }
        self.frame += 1;
        if self.frame == SETTLING + FRAMES {
            self.told();
            self.frame = 0;
            self.panel += 1;
        }
        if self.panel == Panel::ALL.len() {
            ui.send_viewport_cmd(egui::ViewportCommand::Close);
            self.panel = 0;
        }
        ui.request_repaint();
    }
}

/// Opens the window and prints the table of the panels.
pub(super) fn print() -> Result<(), String> {
    println!("| panel | median, ms | 99th percentile, ms |\n|---|---|---|");
    let mut options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default().with_inner_size([1280.0, 800.0]),
        ..Default::default()
    };
    options.glow_options.vsync = false;
    let build: eframe::AppCreator<'_> = Box::new(|creation| {
        Ok(Box::new(Driven {
            app: App::new(&creation.egui_ctx, None, None)?,
            panel: 0,
            frame: 0,
            last: None,
            times: Vec::new(),
        }))
    });
    eframe::run_native("Plimsoll", options, build).map_err(|error| error.to_string())
}
