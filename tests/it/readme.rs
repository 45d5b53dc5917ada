//! The README's commands, run as written, and what it shows of them. `UPDATE=1` renews what is shown.

use std::path::Path;
use std::process::Command;

use plimsoll::document::read_text;

use crate::reproduction::{Lab, Row, commit_rows, mount_rows, sync_rows};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The commands of the README's set-up: each line of its first `sh` block.
fn commands() -> Vec<String> {
    let readme = read_text(&root().join("README.md")).unwrap();
    let block = readme
        .split("```sh\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    block.lines().map(str::to_owned).collect()
}

/// Compares what stands between `<!-- NAME -->` and `<!-- /NAME -->` with `fresh`.
fn shown(name: &str, fresh: &str) {
    let path = root().join("README.md");
    let readme = read_text(&path).unwrap();
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let (before, rest) = readme.split_once(&open).unwrap();
    let (old, after) = rest.split_once(&close).unwrap();
    if old != fresh {
        assert!(
            std::env::var_os("UPDATE").is_some(),
            "README.md shows an old {name}; run the test with UPDATE=1"
        );
        std::fs::write(&path, format!("{before}{open}{fresh}{close}{after}")).unwrap();
    }
}

#[test]
fn the_set_up_is_two_commands() {
    assert_eq!(
        commands(),
        [
            "cargo run --release -- advise assets/examples/game-studio.toml",
            "cargo test"
        ]
    );
}

#[test]
fn the_first_command_shows_what_the_readme_shows() {
    let first = &commands()[0];
    let arguments = first.split_once("-- ").unwrap().1.split(' ');
    let output = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let end = text.find("\nCriteria\n").unwrap();
    shown(
        "advice",
        &format!("```text\n{}\n```\n", text[..end].trim_end()),
    );
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
        &format!(
            "```toml\nschema = 1\n{described}```\n\n```text\n$ {command}\n{}\n```\n",
            text.trim_end()
        ),
    );
}

#[test]
fn the_accuracy_table_is_the_models() {
    let lab = Lab::new();
    let rows: Vec<Row> = [mount_rows(&lab), commit_rows(&lab), sync_rows(&lab)]
        .into_iter()
        .flatten()
        .collect();
    let head = "| datum | what | published | predicted | error |\n|---|---|---|---|---|\n";
    let lines: String = rows.iter().map(line).collect();
    // A figure that a parameter was derived from alone tests nothing.
    let tested = rows.iter().filter(|r| !IDENTITIES.contains(&r.id));
    let mut errors: Vec<f64> = tested.map(|r| r.error().abs() * 100.0).collect();
    errors.sort_by(f64::total_cmp);
    let (median, worst) = (errors[errors.len() / 2], errors[errors.len() - 1]);
    let figures = errors.len();
    let table = format!(
        "{head}{lines}\nMedian error {median:.1} %, worst {worst:.1} %, over {figures} figures.\n"
    );
    shown("accuracy", &table);
}

/// Figures that have a parameter of their own: the processor cost of a host that was measured once.
const IDENTITIES: [&str; 2] = ["N13-branchsubmit-sample", "Z09-commit"];

fn line(row: &Row) -> String {
    format!(
        "| {} | {} | {} | {:.0} | {} |\n",
        row.id,
        row.what,
        row.published,
        row.predicted,
        if IDENTITIES.contains(&row.id) {
            "identity".to_owned()
        } else {
            format!("{:+.1} %", row.error() * 100.0)
        }
    )
}
