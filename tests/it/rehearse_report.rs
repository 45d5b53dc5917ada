//! Saved rehearsals: a section of the hand-over report, and points as a table without rehearsing anything.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use plimsoll::document::read_text;
use plimsoll::rehearse::Rehearsed;
use serde_json::{Value, json};

use crate::cli::{Ran, example, plimsoll, scratch, write};

const SAVED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rehearsal.toml");
const POINTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/rehearsal.toml");
const SITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/rehearsal-site.toml");

fn text(path: &Path) -> String {
    let mut text = String::new();
    let mut file = fs::File::open(path).expect("a file");
    file.read_to_string(&mut text).expect("UTF-8");
    text
}

fn reported(path: &Path, more: &[&str]) -> Ran {
    let site = example("netapp-lab-2013");
    let path = path.to_str().expect("UTF-8");
    plimsoll(&[&["report", &site, "-o", path, "-q"], more].concat())
}

#[test]
fn a_report_holds_saved_rehearsals() {
    let folder = scratch("rehearse-report");
    let page = folder.join("a.md");
    reported(&page, &["--rehearsal", SAVED]).done();
    let page = text(&page);
    let (_, section) = page.split_once("\n## Rehearsal\n").expect("a section");
    let (section, _) = section.split_once("\n## ").expect("one after it");
    insta::assert_snapshot!("report_rehearsal", section.trim());
    // Two have their headings, and as a page nothing of a name is markup.
    let page = folder.join("a.html");
    reported(&page, &["--rehearsal", SAVED, "--rehearsal", SAVED]).done();
    let page = text(&page);
    assert_eq!(page.matches("2026-11-26 20:35 UTC on /mnt/").count(), 2);
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(!page.contains("<script") && !page.contains("<b>other") && !page.contains("<i>"));
    roxmltree::Document::parse_with_options(
        &page,
        roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() },
    )
    .expect("well-formed");
    let answer = folder.join("a.json");
    reported(&answer, &["--rehearsal", SAVED]).done();
    let answer: Value = serde_json::from_str(&text(&answer)).expect("JSON");
    assert_eq!(answer["rehearsals"][0]["kinds"][2]["class"], "submit");
}

#[test]
fn what_is_no_saved_rehearsal_makes_no_report() {
    let folder = scratch("rehearse-report-refused");
    let saved = read_text(Path::new(SAVED)).expect("the fixture");
    for (from, to, said) in [
        ("value = 0.0031", "value = nan", "a time that cannot be"),
        ("value = 0.0031", "value = -1.0", "a time that cannot be"),
        ("high = 0.0033", "high = inf", "a time that cannot be"),
        ("measured_s = 60.0", "measured_s = nan", "cannot be"),
        ("schema = 1\n", "schema = 9\n", "this version reads schema 1"),
        ("plimsoll rehearse\"", "plimsoll bench\"", "plimsoll rehearse"),
        ("seed = 1\n", "seed = 1\nsalt = 2\n", "salt"),
        ("seed = 1\n", "seed = [\n", "r.toml:10"),
    ] {
        assert!(saved.contains(from), "{from}");
        let path = write(&folder, "r.toml", saved.replacen(from, to, 1));
        let page = folder.join("a.html");
        let ran = reported(&page, &["--rehearsal", &path]);
        assert!(ran.refused().contains(said), "{to}: {}", ran.err);
        assert!(!page.exists());
    }
    let page = folder.join("a.html");
    let ran = reported(&page, &["--rehearsal", "/nowhere/r.toml"]);
    ran.refused();
}

/// The fixture as a point of this id and load.
fn point(id: &str, load: f64) -> Value {
    let mut found = Rehearsed::load(Path::new(SAVED)).expect("the fixture");
    found.load_ratio = load;
    json!({ "id": id, "rehearsal": serde_json::to_value(found).expect("JSON") })
}

fn from(folder: &Path, answer: &Value, more: &[&str]) -> Ran {
    let path = write(folder, "points.json", answer.to_string());
    let begin = ["rehearse", SITE, "--points", POINTS, "--from", &path];
    plimsoll(&[&begin, more].concat())
}

#[test]
fn saved_points_become_the_table_again() {
    use plimsoll::rehearse::{Points, points_markdown};
    let folder = scratch("rehearse-from");
    // In the order of the table, whatever that of the answer is.
    let points = [point("load-4", 4.0), point("load-1", 1.0)];
    let answer = json!({ "schema": 1, "tool": "0.1.0", "points": points });
    let table = Points::load(Path::new(POINTS)).expect("the points");
    let found = ["load-1", "load-4"].map(|id| {
        let point = table.point.iter().find(|point| point.id == id);
        let point = point.expect("a point").clone();
        let mut found = Rehearsed::load(Path::new(SAVED)).expect("the fixture");
        found.load_ratio = point.load;
        (point, found)
    });
    let ran = from(&folder, &answer, &[]);
    assert_eq!(ran.done(), points_markdown(&found));
    assert!(ran.out.contains("| load-1 | find | large \\| sync <i> | 12 |"), "{}", ran.out);
    let one = from(&folder, &answer, &["--only", "load-4"]);
    assert_eq!(one.done(), points_markdown(&found[1..]));
    // The same as JSON.
    let again = from(&folder, &answer, &["--format", "json"]).json();
    assert_eq!(again["points"].as_array().map(Vec::len), Some(2));
}

#[test]
fn an_answer_of_other_points_is_refused() {
    let folder = scratch("rehearse-from-refused");
    let answer = |points: Value| json!({ "schema": 1, "tool": "0.1.0", "points": points });
    for (answer, said) in [
        (answer(json!([point("load-77", 1.0)])), "load-77"),
        (answer(json!([point("load-1", 2.0)])), "the table has 1"),
        (answer(json!([point("load-1", 1.0), point("load-1", 1.0)])), "there twice"),
        (answer(json!([{ "id": "load-1" }])), "rehearsal"),
        (json!({ "schema": 2, "tool": "0.1.0", "points": [] }), "schema 2"),
        (json!([]), "no JSON answer of --points"),
    ] {
        let ran = from(&folder, &answer, &[]);
        assert!(ran.refused().contains(said), "{said}: {}", ran.err);
    }
    let begin = ["rehearse", SITE, "--from", "x.json"];
    assert_eq!(plimsoll(&begin).code, 2);
}
