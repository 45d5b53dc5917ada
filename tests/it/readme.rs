//! The README's commands, run as written, and what it shows of them; the accuracy that `calibration/README.md` shows.
//! `UPDATE=1` renews what is shown.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use plimsoll::calibration::DatumKind;
use plimsoll::document::read_text;
use plimsoll::experiment::Claim;
use plimsoll::fit::declared;

use plimsoll::report::accuracy_measures;

use crate::reproduction::{Held, held};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The commands of the README's set-up: each line of its first `sh` block.
fn commands() -> Vec<String> {
    let readme = read_text(&root().join("README.md")).unwrap();
    let block = readme.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    block.lines().map(str::to_owned).collect()
}

/// Compares a section of the README with `fresh`.
fn shown(name: &str, fresh: &str) {
    crate::kept::section("README.md", name, fresh);
}

#[test]
fn the_set_up_is_two_commands() {
    assert_eq!(
        commands(),
        ["cargo run --release --no-default-features -- advise assets/examples/game-studio.toml", "cargo test"]
    );
}

#[test]
fn the_first_command_shows_what_the_readme_shows() {
    let first = &commands()[0];
    let arguments = first.split_once("-- ").unwrap().1.split(' ');
    let output = Command::new(env!("CARGO_BIN_EXE_plimsoll")).args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    shown("advice", &format!("```text\n{}\n```\n", text.trim_end()));
}

#[test]
fn the_network_example_shows_what_the_readme_shows() {
    let network = "assets/examples/networks/jain-terminals.toml";
    let command = format!("plimsoll solve {network} --compare exact,amva,linearizer");
    let output = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .args(command.split(' ').skip(1))
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let file = read_text(&root().join(network)).unwrap();
    let (_, described) = file.split_once("schema = 1\n").unwrap();
    shown(
        "network",
        &format!("```toml\nschema = 1\n{described}```\n\n```text\n$ {command}\n{}\n```\n", text.trim_end()),
    );
}

#[test]
fn the_accuracy_table_is_the_models() {
    let mut table = "| measure | target | is |\n|---|---|---|\n".to_owned();
    for measure in accuracy_measures(&declared()) {
        let (what, target, is) = (measure.what, measure.target, measure.is);
        writeln!(table, "| {what} | {target} | {is} |").unwrap();
    }
    table.push('\n');
    table.push_str("| published figure | published | predicted | error |\n|---|---|---|---|\n");
    let held = held();
    let values = held.iter().filter(|h| h.kind == DatumKind::Value && matches!(h.claim, Claim::Exactly(_)));
    table.extend(values.map(line));
    crate::kept::section("calibration/README.md", "accuracy", &table);
}

fn line(held: &Held) -> String {
    let error = (held.residual.exp() - 1.0) * 100.0;
    let note = if held.is_fitted { "" } else { " (no mechanism)" };
    format!("| {} | {} | {} | {error:+.1} %{note} |\n", held.id, held.shown[0], held.shown[1])
}
