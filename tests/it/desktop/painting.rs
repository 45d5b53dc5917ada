//! The whole window painted without a display, and asked by the names that a screen reader reads.

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use plimsoll::desktop::actions::ACTIONS;
use plimsoll::desktop::command::Command;
use plimsoll::desktop::panels::Panel;
use plimsoll::desktop::presets;
use plimsoll::desktop::state::State;
use plimsoll::desktop::{frame, theme};

use super::{engine, opened, perform};

/// A window on a state; what is asked for is done after each frame.
pub(crate) struct Window {
    pub(crate) state: State,
    is_dressed: bool,
}

/// A window of a size, in one of the looks.
pub(crate) fn window(state: State, size: [f32; 2], is_dark: bool) -> Harness<'static, Window> {
    let mode = if is_dark { egui::Theme::Dark } else { egui::Theme::Light };
    let app = move |ui: &mut egui::Ui, window: &mut Window| {
        if !window.is_dressed {
            theme::apply(ui.ctx());
            window.is_dressed = true;
            ui.ctx().request_discard("fonts come with the next frame");
            return;
        }
        let mut queue = Vec::new();
        frame::show(ui, &window.state, &engine(), &mut queue);
        for command in queue {
            perform(&mut window.state, command);
            ui.ctx().request_repaint();
        }
    };
    let window = Window { state, is_dressed: false };
    Harness::builder().with_size(size).with_theme(mode).with_max_steps(60).build_ui_state(app, window)
}

#[test]
fn the_rail_goes_to_every_panel() {
    let mut window = window(opened(2), [1280.0, 800.0], false);
    for panel in Panel::ALL {
        window.get_by_role_and_label(egui::accesskit::Role::Button, panel.title()).click();
        window.run();
        assert_eq!(window.state().state.panel, panel);
    }
}

/// Paints a state from one pixel to 8K in both looks. One window is made larger and larger: its letters are drawn once.
pub(crate) fn paints_at_any_size(state: &State) {
    for is_dark in [false, true] {
        let mut window = window(state.clone(), [1.0, 1.0], is_dark);
        for size in [[1.0, 1.0], [200.0, 100.0], [1280.0, 720.0], [7680.0, 4320.0]] {
            window.set_size(size.into());
            window.run();
        }
    }
}

#[test]
fn every_panel_paints_in_both_looks_and_at_any_size() {
    for panel in Panel::ALL {
        let mut state = opened(2);
        state.panel = panel;
        paints_at_any_size(&state);
    }
}

/// The places of all lines of text of a shape that are at least partly seen, with their words.
fn texts(shape: &egui::Shape, seen: egui::Rect, found: &mut Vec<(egui::Rect, String)>) {
    match shape {
        egui::Shape::Vec(shapes) => {
            for shape in shapes {
                texts(shape, seen, found);
            }
        }
        egui::Shape::Text(text) => {
            let rows = text.galley.rows.iter();
            for row in rows.filter(|row| row.visuals.mesh_bounds.is_positive()) {
                let at = row.visuals.mesh_bounds.translate(row.pos.to_vec2());
                let at = at.rotate_bb(egui::emath::Rot2::from_angle(text.angle));
                let at = at.translate(text.pos.to_vec2()).intersect(seen);
                if at.is_positive() {
                    found.push((at, row.text()));
                }
            }
        }
        _ => {}
    }
}

/// What is painted of a window just now: its lines of text and their places.
fn painted(window: &Harness<'_, Window>) -> Vec<(egui::Rect, String)> {
    let mut found = Vec::new();
    for clipped in &window.output().shapes {
        texts(&clipped.shape, clipped.clip_rect, &mut found);
    }
    found
}

#[test]
fn the_name_of_the_site_stands_beside_the_menus() {
    let state = opened(2);
    let site = state.reading.last.as_ref().expect("a site");
    let name = site.name.clone();
    let mut window = window(state, [1280.0, 800.0], false);
    window.run();
    let found = painted(&window);
    // At the right end of the first line.
    let at = |(at, text): &(egui::Rect, String)| *text == name && at.top() < 30.0;
    let (at, _) = found.iter().find(|one| at(one)).expect("the name");
    assert!(at.right() > 1240.0 && at.right() < 1280.0, "{at:?}");
}

/// The text of a state's panel as its user reads it, for a kept snapshot: as high as the longest panel, without the rail and
/// the menus; what stands beside each other is one line.
pub(crate) fn read(state: State) -> String {
    let mut window = window(state, [1280.0, 9000.0], false);
    window.run();
    let button = |title| window.get_by_role_and_label(egui::accesskit::Role::Button, title);
    let (rail, menus) = (button(Panel::Evidence.title()).rect(), button("Help").rect());
    let mut found = painted(&window);
    found.retain(|(at, _)| at.left() > rail.right() && at.top() > menus.bottom());
    found.sort_by(|(a, _), (b, _)| a.center().y.total_cmp(&b.center().y));
    let lines = found.chunk_by(|(a, _), (b, _)| b.center().y - a.center().y < 4.0);
    let lines = lines.map(|line| {
        let mut line = line.to_vec();
        line.sort_by(|(a, _), (b, _)| a.left().total_cmp(&b.left()));
        let words: Vec<&str> = line.iter().map(|(_, text)| text.trim()).collect();
        words.join("  ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn no_text_is_painted_over_another() {
    let mut over = Vec::new();
    // As high as the longest panel, so that nothing is scrolled out of sight.
    for (example, width) in [(1, 640.0), (1, 1280.0), (2, 640.0), (2, 1920.0)] {
        let mut window = window(opened(example), [width, 9000.0], false);
        for panel in Panel::ALL {
            window.state_mut().state.panel = panel;
            window.run();
            let found = painted(&window);
            assert!(!found.is_empty());
            for (i, (at, text)) in found.iter().enumerate() {
                for (other, second) in &found[i + 1..] {
                    let both = at.intersect(*other);
                    if both.width() >= 1.0 && both.height() >= 1.0 {
                        over.push(format!("{panel:?} at {width}: {text:?} and {second:?}"));
                    }
                }
            }
        }
    }
    assert!(over.is_empty(), "{over:#?}");
}

#[test]
fn every_panel_paints_before_there_is_anything_to_show() {
    for panel in Panel::ALL {
        let state = State { panel, ..State::default() };
        window(state, [1280.0, 720.0], true).run();
    }
}

#[test]
fn the_palette_finds_and_does() {
    let mut window = window(opened(2), [1280.0, 800.0], false);
    perform(&mut window.state_mut().state, Command::AskPalette);
    window.run();
    perform(&mut window.state_mut().state, Command::Type("growth".to_owned()));
    window.run();
    window.key_press(egui::Key::Enter);
    window.run();
    assert_eq!(window.state().state.panel, Panel::Growth);
    assert_eq!(window.state().state.palette, None);
}

#[test]
fn the_start_card_opens_an_example() {
    let mut window = window(State::default(), [1280.0, 720.0], false);
    window.run();
    window.get_by_label("New customer");
    window.get_by_label("Open site file…");
    window.get_by_label_contains(presets::EXAMPLES[0].0).click();
    window.run();
    let state = &window.state().state;
    assert!(state.is_begun() && state.panel == Panel::Recommendation);
}

#[test]
fn a_key_scrolls_a_panel() {
    let mut state = opened(2);
    state.panel = Panel::Recommendation;
    let mut window = window(state, [1280.0, 500.0], false);
    window.run();
    let top = |window: &Harness<'static, Window>| window.get_by_label("What to do first").rect().top();
    let before = top(&window);
    window.key_press(egui::Key::PageDown);
    window.run();
    assert!(top(&window) < before - 100.0);
    window.key_press(egui::Key::Home);
    window.run();
    assert_eq!(top(&window), before);
}

#[test]
fn a_long_and_hostile_name_breaks_nothing() {
    let mut state = opened(2);
    let name = "W".repeat(299);
    for value in [name, "<script>$(reboot)\"'".to_owned()] {
        perform(&mut state, Command::answer("name", &value));
        assert!(state.reading.problems.is_empty());
        let mut window = window(state.clone(), [1280.0, 720.0], false);
        for panel in Panel::ALL {
            window.state_mut().state.panel = panel;
            window.run();
        }
    }
}

#[test]
fn every_action_is_in_a_menu() {
    let mut window = window(opened(2), [1280.0, 800.0], false);
    let mut menus: Vec<&str> = ACTIONS.iter().map(|action| action.menu).collect();
    menus.dedup();
    for menu in menus {
        window.get_by_role_and_label(egui::accesskit::Role::Button, menu).click();
        window.run();
        for action in ACTIONS.iter().filter(|action| action.menu == menu) {
            let found = window.query_all_by_label_contains(action.title).count();
            assert!(found > 0, "{menu}: {}", action.title);
        }
        window.key_press(egui::Key::Escape);
        window.run();
    }
}
