//! Broken site files, each with its whole message as a user reads it.

use std::path::Path;

use plimsoll::document;

use crate::site::parse;

#[test]
fn every_broken_file_is_explained() {
    let mut names: Vec<String> = std::fs::read_dir("tests/broken")
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(names.len() >= 20);
    for name in names {
        let text = document::read_text(&Path::new("tests/broken").join(&name)).unwrap();
        let Err(message) = parse(&text, &[]) else {
            panic!("{name} is accepted");
        };
        let stem = name.trim_end_matches(".toml");
        insta::assert_snapshot!(format!("broken_{stem}"), message);
    }
}
