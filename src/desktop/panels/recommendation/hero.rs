//! Paints the verdict: the headline, what follows from it, and the load line.

use egui::{CornerRadius, Label, RichText, Ui, Vec2};

use super::data::Data;
use crate::desktop::theme::{self, Theme};
use crate::desktop::widgets::{self, Tone, chip, pictures::load_line};
use crate::report::Answer;
use crate::report::answer::{Sentence, Topic};

/// Sentences below the headline on the first screen, beside those that stay; the others on pointing at them.
const SENTENCES: usize = 2;

pub(super) fn show(ui: &mut Ui, data: &Data, answer: &Answer) {
    let theme = Theme::of(ui);
    widgets::wide_card(ui, |ui| {
        let (headline, rest) = match answer.verdict.split_first() {
            Some((headline, rest)) => (headline.text.as_str(), rest),
            None => ("", &[][..]),
        };
        if data.is_stale {
            chip(ui, "computing anew", Tone::Plain);
        } else if data.is_simulated {
            chip(ui, "being simulated", Tone::Plain)
                .on_hover_text("Solved times are shown until the simulation has confirmed them.");
        }
        if let Some(rough) = &data.rough {
            chip(ui, rough, Tone::Warning).on_hover_text("Few questions are answered: most numbers are assumed.");
        }
        ui.horizontal_top(|ui| {
            let tone = Tone::from(answer.stands.tone()).color(theme);
            let (mark, _) = ui.allocate_exact_size(Vec2::new(5.0, 26.0), egui::Sense::hover());
            ui.painter().rect_filled(mark, CornerRadius::same(2), tone);
            let text = RichText::new(headline).text_style(theme::verdict());
            ui.add(Label::new(text).wrap());
        });
        // The busiest resource is a key figure below.
        let rest = rest.iter().filter(|said| said.topic != Topic::Busiest);
        let (shown, more): (Vec<_>, Vec<_>) =
            (rest.enumerate()).partition(|(place, said)| *place < SENTENCES || said.topic.stays());
        let joined = |said: Vec<(usize, &Sentence)>| {
            let texts: Vec<&str> = said.iter().map(|(_, said)| said.text.as_str()).collect();
            texts.join(" ")
        };
        // A unit stays beside its number.
        let text = joined(shown).replace(" %", "\u{a0}%");
        if !text.is_empty() {
            let label = ui.add(Label::new(RichText::new(text).color(theme.muted)).wrap());
            if !more.is_empty() {
                label.on_hover_text(joined(more));
            }
        }
        for warning in &data.warnings {
            let first = warning.trim().lines().next().unwrap_or_default();
            let text = RichText::new(first).small().color(theme.warning);
            ui.add(Label::new(text).truncate()).on_hover_text(warning);
        }
        if let Some(line) = &answer.load_line {
            ui.add_space(2.0);
            load_line(ui, &line.drawn());
        }
    });
    ui.add_space(theme::GAP);
}
