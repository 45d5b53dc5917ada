//! The window: a sizing session in front of a customer.
//!
//! ```text
//!  keys, pointer, menus ─► Command ─► update(&mut State) ─► Effect ─► shell ─► files, workers
//!                             ▲                                                     │
//!                             └──────────────── answers, under their numbers ◄──────┘
//!  State ─► panels::*::data (no egui) ─► panels::*::ui (paints, asks)
//! ```
//!
//! [`state::State`] is plain data; [`update::update`] alone changes it, with the panels' own `update`s, and does nothing
//! else; [`worker`] answers questions on threads of their own, and late answers are dropped
//! ([`lane::Lane`]); [`shell`] alone knows eframe. So nearly all of it is tested without a window. Must not
//! know the command line.

pub mod actions;
pub mod answer;
pub mod command;
pub mod dialog;
pub mod dialogs;
pub mod effect;
pub mod engine;
pub mod export;
pub mod files;
pub mod frame;
pub mod injected;
pub mod inquiry;
pub mod kinds;
pub mod lane;
pub mod palette;
pub mod panels;
pub mod preferences;
pub mod presets;
pub mod reading;
pub mod shell;
pub mod start;
pub mod state;
pub mod theme;
pub mod update;
pub mod widgets;
pub mod worker;

pub use shell::run;
