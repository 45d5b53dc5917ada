//! Keys that scroll, and scrolling to what has the focus.

use egui::style::ScrollAnimation;
use egui::text_edit::TextEditState;
use egui::{Id, Key, Modifiers, Ui, Vec2};

/// What a pass of painting has done already, so that an area around another does not do it again.
#[derive(Debug, Clone, Copy, Default)]
struct Done {
    /// The pass.
    pass: u64,
    /// The widget that had the focus.
    focused: Option<Id>,
    keys: bool,
    followed: bool,
}

/// Scrolls the area around: to the widget that took the focus, and by `PageUp`, `PageDown`, Home and End. To be called
/// at the end of its content; an inner area comes before the one around it, and that leaves then alone what the
/// inner one did.
pub fn follow(ui: &mut Ui) {
    let memory = Id::unique("scroll follows the focus");
    let pass = ui.ctx().cumulative_pass_nr();
    let focused = ui.memory(egui::Memory::focused);
    let mut done: Done = ui.data(|data| data.get_temp(memory)).unwrap_or_default();
    let before = done.focused;
    if done.pass != pass {
        done = Done { pass, focused, ..Done::default() };
        // Seen for the whole pass: areas that come later compare with the same.
        ui.data_mut(|data| data.insert_temp(memory.with("before"), before));
    }
    let before: Option<Id> = ui.data(|data| data.get_temp(memory.with("before"))).flatten();
    let is_by_pointer = ui.input(|i| i.pointer.any_down() || i.pointer.any_released());
    if focused != before
        && !is_by_pointer
        && !done.followed
        && let Some(response) = focused.and_then(|id| ui.ctx().read_response(id))
        && response.layer_id == ui.layer_id()
        && ui.min_rect().intersects(response.rect)
    {
        if !ui.clip_rect().contains_rect(response.rect) {
            ui.scroll_to_rect(response.rect.expand2(Vec2::new(0.0, 24.0)), None);
        }
        done.followed = true;
    }
    if !done.keys {
        done.keys = by_keys(ui, focused);
    }
    ui.data_mut(|data| data.insert_temp(memory, done));
}

/// Whether a key scrolled; keys that move the caret of a text are the text's.
fn by_keys(ui: &mut Ui, focused: Option<Id>) -> bool {
    let is_text = focused.is_some_and(|id| TextEditState::load(ui.ctx(), id).is_some());
    if is_text || ui.ctx().memory(|memory| memory.top_modal_layer().is_some()) {
        return false;
    }
    let page = (ui.clip_rect().height() - 60.0).max(40.0);
    let all = ui.min_rect().height();
    let keys = [(Key::PageDown, -page), (Key::PageUp, page), (Key::End, -all), (Key::Home, all)];
    for (key, way) in keys {
        if ui.input_mut(|i| i.consume_key(Modifiers::NONE, key)) {
            ui.scroll_with_delta_animation(Vec2::new(0.0, way), ScrollAnimation::none());
            return true;
        }
    }
    false
}
