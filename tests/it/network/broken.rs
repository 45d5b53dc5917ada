//! Broken network files, each with its whole message as a user reads it.

use std::path::Path;

use plimsoll::{document, network};

#[test]
fn every_broken_network_is_explained() {
    let folder = Path::new("tests/broken-networks");
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert!(names.len() >= 15);
    for name in names {
        let text = document::read_text(&folder.join(&name)).unwrap();
        let Err(diagnostics) = network::parse("network.toml", &text, &[]) else {
            panic!("{name} is accepted");
        };
        let stem = name.trim_end_matches(".toml");
        insta::assert_snapshot!(format!("broken_network_{stem}"), diagnostics.render());
    }
}

/// What is no error, but perhaps not meant.
#[test]
fn a_rounded_row_of_probabilities_is_a_warning() {
    let text =
        "[station.cpu]\n[class.jobs]\nrate = \"1 /s\"\nservice.cpu = \"1 ms\"\nrouting = { cpu = { cpu = 0.995 } }\n";
    let file = super::file(text);
    insta::assert_snapshot!("warned_rounded_row", file.warnings.join("\n"));
}

#[test]
fn every_code_of_a_message_is_explained() {
    let codes = network::CODES.iter().map(|(code, _)| *code);
    let codes: Vec<&str> = codes.collect();
    let mut sorted = codes.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(codes, sorted, "codes are unique and in order");
}
