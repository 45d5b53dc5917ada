//! Lists that open: the entry that is chosen has the focus at first, and the list follows the focus.

use egui::{Response, Ui};

/// Does that for an entry of an open list, which is to close itself when one was clicked.
pub fn entry(ui: &Ui, entry: &Response, is_chosen: bool) {
    if entry.gained_focus() {
        entry.scroll_to_me(None);
    }
    if !is_chosen {
        return;
    }
    // The pass in which the list was painted last: one that was not painted before has just opened.
    let memory = ui.unique_id().with("painted");
    let pass = ui.ctx().cumulative_pass_nr();
    let before: Option<u64> = ui.data(|data| data.get_temp(memory));
    if before.is_none_or(|before| before + 2 < pass) {
        entry.request_focus();
        entry.scroll_to_me(Some(egui::Align::Center));
    }
    ui.data_mut(|data| data.insert_temp(memory, pass));
}
