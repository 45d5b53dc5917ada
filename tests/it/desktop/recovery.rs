//! Unsaved work of a session that crashed, through the whole of the window but its frame.

use std::fs;
use std::path::{Path, PathBuf};

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use plimsoll::desktop::dialog::Dialog;
use plimsoll::desktop::files::{Home, Kept};
use plimsoll::desktop::shell::App;

/// A folder of this test alone.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("plimsoll-{name}-{}", std::process::id()));
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(folder.join("state")).expect("a folder");
    folder
}

/// As if a window with unsaved work had crashed: no process has the largest number there is.
fn crash(folder: &Path) -> PathBuf {
    let kept = Kept { file: None, text: format!("{}# recovered\n", plimsoll::desktop::presets::EMPTY) };
    let text = toml::to_string(&kept).expect("text");
    let left = folder.join("state/unsaved-4294967295.toml");
    fs::write(&left, text).expect("written");
    left
}

/// What is kept in the folder.
fn kept(folder: &Path) -> Vec<String> {
    plimsoll::desktop::files::list(&folder.join("state")).expect("a folder")
}

/// The window at its next start.
fn start(folder: &Path) -> Harness<'static, Option<App>> {
    let folder = folder.to_owned();
    let app = move |ui: &mut egui::Ui, app: &mut Option<App>| match app {
        None => {
            let home = Home::below(&folder);
            *app = Some(App::new(ui.ctx(), None, Some(home)).expect("threads"));
            ui.ctx().request_discard("fonts come with the next frame");
        }
        Some(app) => {
            app.work(ui.ctx());
            app.paint(ui);
        }
    };
    let mut window = Harness::builder().with_size([1280.0, 800.0]).with_max_steps(200).build_ui_state(app, None);
    window.run();
    let app = window.state().as_ref().expect("it started");
    let dialog = &app.state().dialog;
    assert!(matches!(dialog, Some(Dialog::Recover { .. })), "{dialog:?}");
    window
}

#[test]
fn what_was_found_stays_until_somebody_chose() {
    let folder = folder("later");
    let left = crash(&folder);
    let mut window = start(&folder);
    assert_eq!(kept(&folder).len(), 1, "nobody chose yet");
    window.key_press(egui::Key::Escape);
    window.run();
    let found = kept(&folder);
    assert_eq!(found.len(), 1, "it is asked for at the next start");
    // That process is gone, too.
    fs::rename(folder.join("state").join(&found[0]), left).expect("moved");
    drop(window);
    let mut window = start(&folder);
    window.get_by_label("Throw away").click();
    window.run();
    assert_eq!(kept(&folder), Vec::<String>::new());
    drop(fs::remove_dir_all(&folder));
}

#[test]
fn recovered_work_is_kept_on() {
    let folder = folder("recovered");
    crash(&folder);
    let mut window = start(&folder);
    window.get_by_label("Recover").click();
    window.run();
    let app = window.state().as_ref().expect("it runs");
    assert!(app.state().is_dirty() && app.state().dialog.is_none());
    assert!(app.state().scenario.text.ends_with("# recovered\n"));
    let own = format!("unsaved-{}.toml", std::process::id());
    assert_eq!(kept(&folder), [own]);
    drop(fs::remove_dir_all(&folder));
}
