//! `plimsoll report`: where it writes, what it never writes over, exit codes.

use std::fs;
use std::io::Read as _;

use crate::cli::{example, plimsoll, scratch, write};

const SITE: &str = "netapp-lab-2013";

fn text(path: impl AsRef<std::path::Path>) -> String {
    let mut text = String::new();
    let mut file = fs::File::open(path).unwrap();
    file.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn the_ending_says_the_form() {
    let folder = scratch("report-forms");
    let site = example(SITE);
    for (name, begins) in [("a.html", "<!DOCTYPE html>\n"), ("a.md", "# "), ("a.json", "{\n")] {
        let path = folder.join(name);
        let path = path.to_str().unwrap();
        let ran = plimsoll(&["report", &site, "-o", path]);
        let sentence = plimsoll(&["advise", &site, "--quiet"]);
        let mut said = format!("{}{path}\n", sentence.done());
        if name == "a.html" {
            let appendix = folder.join("a-appendix.html");
            said = format!("{said}{}\n", appendix.display());
            assert!(text(appendix).starts_with(begins));
        }
        assert_eq!(ran.done(), said);
        let written = text(path);
        assert!(written.starts_with(begins), "{}", &written[..80]);
        // Again: its own file may be replaced, and has the same bytes.
        let again = plimsoll(&["report", &site, "-o", path, "-q"]);
        assert_eq!(again.done(), "");
        assert_eq!(text(path), written);
    }
    let json = text(folder.join("a.json"));
    let advised = plimsoll(&["advise", &site, "--format", "json"]);
    let (first, rest) = json.split_once('\n').unwrap();
    let (mark, rest) = rest.split_once('\n').unwrap();
    assert!(mark.contains("made by plimsoll "), "{mark}");
    assert_eq!(format!("{first}\n{rest}"), advised.done(), "byte for byte but for the mark");
    let left: Vec<_> = fs::read_dir(&folder).unwrap().collect();
    assert_eq!(left.len(), 4, "nothing unfinished is left: {left:?}");
}

#[test]
fn what_is_no_report_is_not_written_over() {
    let folder = scratch("report-refused");
    let site = example(SITE);
    let mine = write(&folder, "mine.html", "<p>my own page</p>");
    let ran = plimsoll(&["report", &site, "-o", &mine]);
    assert!(ran.refused().contains("was not made by plimsoll"), "{}", ran.err);
    assert_eq!(text(&mine), "<p>my own page</p>");
    let forced = plimsoll(&["report", &site, "-o", &mine, "--force", "-q"]);
    assert_eq!(forced.done(), "");
    assert!(text(&mine).contains("plimsoll"));
    let ran = plimsoll(&["report", &site, "-o", folder.to_str().unwrap()]);
    assert!(ran.refused().contains(".html, .md or .json"), "{}", ran.err);
    fs::create_dir(folder.join("folder.html")).unwrap();
    for (name, theirs) in [
        ("notes.md", "# Notes\n\n## Recommendation\n\nBuy more disks.\n"),
        ("t.json", "{\"tool\": \"hammer\"}\n"),
        ("t2.json", "{\n  \"tool\": \"hammer\",\n  \"schema\": 1\n}\n"),
        ("page.html", "<meta name=\"generator\" content=\"plimsoll 0.1.0\">\n"),
        ("empty.html", ""),
    ] {
        let path = write(&folder, name, theirs);
        let ran = plimsoll(&["report", &site, "-o", &path]);
        let refused = ran.refused();
        assert!(refused.contains("was not made by plimsoll"), "{refused}");
        assert!(refused.contains("--force"), "{refused}");
        assert_eq!(text(&path), theirs);
    }
    // Ours, and edited since.
    let edited = text(&mine).replace("<h1>", "<h1>My ");
    let mine = write(&folder, "mine.html", &edited);
    let ran = plimsoll(&["report", &site, "-o", &mine]);
    assert!(ran.refused().contains("edited since"), "{}", ran.err);
    assert_eq!(text(&mine), edited);
    let path = folder.join("folder.html");
    let ran = plimsoll(&["report", &site, "-o", path.to_str().unwrap()]);
    assert!(ran.refused().contains("is no file"), "{}", ran.err);
    let path = write(&folder, "file", "x") + "/report.html";
    let ran = plimsoll(&["report", &site, "-o", &path]);
    assert!(ran.refused().contains("Not a directory"), "{}", ran.err);
    let ran = plimsoll(&["report", &site, "-o", &path, "--format", "json"]);
    ran.refused_in_json();
}

#[test]
fn a_target_that_is_missed_is_exit_code_1_and_a_wrong_site_3() {
    let folder = scratch("report-codes");
    let path = folder.join("a.html");
    let path = path.to_str().unwrap();
    let site = example(SITE);
    let ran = plimsoll(&["report", &site, "-o", path, "--set", "targets.browse=1 ms"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(text(path).contains("misses a target"));
    let ran = plimsoll(&["report", &site, "-o", path, "--set", "targets.brows=1 us"]);
    assert!(ran.refused().contains("browse"));
    assert_eq!(plimsoll(&["report", &site]).code, 2);
}

#[test]
fn the_report_comes_with_the_configuration() {
    let folder = scratch("report-out");
    let path = folder.join("new");
    let ran = plimsoll(&["advise", &example(SITE), "--out", path.to_str().unwrap(), "-q"]);
    ran.done();
    let page = text(path.join("report-appendix.html"));
    let fstab = text(path.join("config/commit-server/fstab"));
    assert!(page.contains(">config/commit-server/fstab<"));
    // The same beside a report of its own, in a folder that is there.
    fs::create_dir(folder.join("beside")).unwrap();
    let beside = folder.join("beside/report.html");
    let beside = beside.to_str().unwrap();
    let ran = plimsoll(&["report", &example(SITE), "-o", beside, "--configuration"]);
    let said = ran.done();
    let written = folder.join("beside/config/commit-server/fstab");
    assert!(said.contains(written.to_str().unwrap()), "{said}");
    assert_eq!(text(written), fstab);
}

#[test]
fn a_folder_that_is_misspelt_is_not_made() {
    let folder = scratch("report-nowhere");
    let site = example(SITE);
    let nowhere = folder.join("nowhere");
    let page = nowhere.join("x.html");
    let below = nowhere.join("out");
    let commands = [
        vec!["report", site.as_str(), "-o", page.to_str().unwrap()],
        vec!["advise", site.as_str(), "--no-confirm", "--out", below.to_str().unwrap()],
        vec!["init", page.to_str().unwrap(), "--from", "game-studio"],
    ];
    for command in commands {
        let ran = plimsoll(&command);
        assert!(ran.refused().contains("does not exist"), "{command:?}: {}", ran.err);
        assert!(!nowhere.exists(), "{command:?}");
    }
}
