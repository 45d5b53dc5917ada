//! Damaged files are refused or read, never a panic, and what is read is solved or refused.

use std::path::Path;
use std::sync::LazyLock;

use plimsoll::{document, network};
use proptest::prelude::*;

const PIECES: [&str; 12] = ["\"", "[", "]", "{", "}", "=", "0", "-1", "1e300", "\"0 s\"", "\n", "steps = [\"cpu\"]"];

static GALLERY: LazyLock<Vec<String>> = LazyLock::new(gallery);

fn gallery() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/examples/networks");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| document::read_text(path).unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_files_are_refused_or_solved(
        file in 0_usize..1000,
        damage in prop::collection::vec((0.0..1.0_f64, 0_usize..12, 0_usize..4), 1..4),
    ) {
        let texts = &*GALLERY;
        let mut text: Vec<char> = texts[file % texts.len()].chars().collect();
        for (at, piece, cut) in damage {
            let at = (at * text.len() as f64) as usize;
            let end = (at + cut).min(text.len());
            text.splice(at..end, PIECES[piece].chars());
        }
        let text: String = text.into_iter().collect();
        match network::parse("damaged.toml", &text, &[]) {
            Ok(file) => {
                // What is accepted has bounds and an answer, or a sentence why not.
                let _bounds = network::bounds(&file);
                let _answer = network::solve(&file, network::Method::Auto);
                prop_assert!(file.model.validate().is_ok(), "{:?}", file.model.validate());
            }
            Err(diagnostics) => prop_assert!(!diagnostics.render().is_empty()),
        }
    }
}

#[test]
fn too_many_names_are_refused_soon() {
    let head = "schema = 1\n[class.c]\nrate = \"1 /s\"\ndemand.s0 = \"1 ms\"\n";
    let stations = (0..5000).map(|n| format!("[station.s{n}]\n"));
    let text = format!("{head}{}", stations.collect::<String>());
    let message = network::parse("n.toml", &text, &[]).unwrap_err().render();
    assert!(message.contains("at most 1000 of \"station\""), "{message}");
}

#[test]
fn steps_that_are_nested_too_deep_are_refused() {
    let deep = format!("{}\"s\"{}", "{ repeat = 1, steps = [".repeat(35), "] }".repeat(35));
    let text = format!("schema = 1\n[station.s]\n[class.c]\nrate = \"1 /s\"\nservice.s = \"1 ms\"\npath = [{deep}]\n");
    let message = network::parse("n.toml", &text, &[]).unwrap_err().render();
    assert!(message.contains("nested more than 32 deep"), "{message}");
}
