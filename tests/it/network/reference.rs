//! The page on the network file: its examples are read, and every key that the reader knows is on it.

use std::path::Path;

use plimsoll::{document, network};

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/network-file.md");
    document::read_text(&path).unwrap()
}

#[test]
fn the_examples_of_the_page_are_solved() {
    let page = page();
    let examples: Vec<&str> = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(examples.len() >= 4);
    for example in examples {
        let file = match network::parse("example.toml", example, &[]) {
            Ok(file) => file,
            Err(diagnostics) => panic!("{}", diagnostics.render()),
        };
        network::solve(&file, network::Method::Auto).unwrap();
    }
}

/// What "known here: …" says about a table with a key that nobody knows.
fn known(text: &str) -> Vec<String> {
    let text = format!("schema = 1\n{text}");
    let message = network::parse("n.toml", &text, &[]).unwrap_err().render();
    let list = message.split("known here: ").nth(1);
    let list = list.unwrap_or_else(|| panic!("{message}"));
    let line = list.lines().next().unwrap();
    line.split(", ").map(str::to_owned).collect()
}

#[test]
fn every_key_is_on_the_page() {
    let page = page();
    let rest = "[station.s]\n[class.c]\nrate = \"1 /s\"\ndemand.s = \"1 ms\"\n";
    let tables = [
        format!("qqqqqqqq = 1\n{rest}"),
        format!("{rest}[station.x]\nqqqqqqqq = 1\n"),
        format!("{rest}[station.x]\nkind = \"link\"\nbandwidth = \"1 MB/s\"\nqqqqqqqq = 1\n"),
        format!("{rest}[class.x]\nqqqqqqqq = 1\nrate = \"1 /s\"\ndemand.s = \"1 ms\"\n"),
        format!("{rest}[class.x]\nqqqqqqqq = 1\npopulation = 1\nvisits.s = 1\nservice.s = \"1 ms\"\n"),
        format!("{rest}[pool.x]\ncapacity = 1\nqqqqqqqq = 1\n"),
        format!("{rest}[cache.x]\nhit = \"1 %\"\nqqqqqqqq = 1\n"),
    ];
    for table in tables {
        for key in known(&table) {
            assert!(page.contains(&format!("`{key}`")), "{key} is not on the page");
        }
    }
}

#[test]
fn every_method_is_on_the_page() {
    let page = page();
    for (_, word) in network::Method::WORDS {
        assert!(page.contains(word), "{word}");
    }
}
