//! `plimsoll advise SITE.toml --out DIR`.

use std::fs;
use std::path::Path;

use plimsoll::document::read_text;

use crate::cli::{example, plimsoll, scratch, write};

fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path.to_str().unwrap().to_owned());
        }
    }
    found.sort();
    found
}

#[test]
fn out_writes_what_it_says() {
    let folder = scratch("out-new").join("new/handover");
    let name = folder.to_str().unwrap();
    let site = example("game-studio");
    let plain = plimsoll(&["advise", &site]);
    let ran = plimsoll(&["advise", &site, "--out", name]);
    let (before, told) = ran.done().split_once("\nWritten\n").unwrap();
    assert_eq!(
        before.trim_end(),
        plain.done().trim_end(),
        "the answer is the same"
    );
    let mut told: Vec<String> = told.lines().skip(1).map(|l| l.trim().to_owned()).collect();
    told.sort();
    assert_eq!(told, files(&folder));
    let fstab = read_text(&folder.join("config/commit-server/fstab")).unwrap();
    assert!(
        fstab.contains("\nLABEL=p4-db /hxmetadata xfs noatime 0 0\n"),
        "{fstab}"
    );
    assert!(
        folder
            .join("config/edge-1-montreal/p4-configure.sh")
            .exists()
    );
}

#[test]
fn out_in_json_names_the_files() {
    let folder = scratch("out-json");
    let name = folder.to_str().unwrap();
    let answer = plimsoll(&[
        "advise",
        &example("netapp-lab-2013"),
        "--out",
        name,
        "--format",
        "json",
    ])
    .json();
    let mut written: Vec<String> = answer["written"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p.as_str().unwrap().to_owned())
        .collect();
    written.sort();
    assert_eq!(written, files(&folder));
    assert!(!written.is_empty());
    let without = plimsoll(&["advise", &example("netapp-lab-2013"), "--format", "json"]).json();
    assert!(without.get("written").is_none());
}

#[test]
fn a_folder_that_holds_something_is_left_alone() {
    let folder = scratch("out-full");
    let mine = write(&folder, "mine.txt", "mine");
    let name = folder.to_str().unwrap();
    let ran = plimsoll(&["advise", &example("netapp-lab-2013"), "--out", name]);
    assert!(ran.refused().contains("is not empty"), "{}", ran.err);
    assert_eq!(files(&folder), [mine.as_str()]);
    assert_eq!(read_text(Path::new(&mine)).unwrap(), "mine");
    plimsoll(&[
        "advise",
        &example("netapp-lab-2013"),
        "--out",
        name,
        "--format=json",
    ])
    .refused_in_json();
}

#[test]
fn a_file_is_no_folder() {
    let file = write(&scratch("out-file"), "file", "mine");
    for out in [file.clone(), format!("{file}/below")] {
        let ran = plimsoll(&["advise", &example("netapp-lab-2013"), "--out", &out]);
        assert!(ran.refused().contains("cannot write into"), "{}", ran.err);
        assert_eq!(read_text(Path::new(&file)).unwrap(), "mine");
    }
}

#[test]
fn nothing_recommended_writes_nothing() {
    let parent = scratch("out-nothing");
    let folder = parent.join("handover");
    let site = example("netapp-lab-2013");
    let none = "infrastructure.protocols=[\"smb\"]";
    let ran = plimsoll(&[
        "advise",
        &site,
        "--set",
        none,
        "--out",
        folder.to_str().unwrap(),
    ]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("nothing was written"), "{}", ran.out);
    assert!(!folder.exists());
}
