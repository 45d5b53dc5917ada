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
    let folder = scratch("out-new").join("handover");
    let name = folder.to_str().unwrap();
    let site = example("game-studio");
    let plain = plimsoll(&["advise", &site]);
    let ran = plimsoll(&["advise", &site, "--out", name]);
    let (before, told) = ran.done().split_once("\nWritten\n").unwrap();
    assert_eq!(before.trim_end(), plain.done().trim_end(), "the answer is the same");
    let mut told: Vec<String> = told.lines().skip(1).map(|l| l.trim().to_owned()).collect();
    told.sort();
    assert_eq!(told, files(&folder));
    let fstab = read_text(&folder.join("config/commit-server/fstab")).unwrap();
    assert!(fstab.contains("\nLABEL=p4-db /hxmetadata xfs noatime 0 0\n"), "{fstab}");
    assert!(folder.join("config/proxy-2-montreal/p4p.sh").exists());
}

#[test]
fn out_in_json_names_the_files() {
    let folder = scratch("out-json");
    let name = folder.to_str().unwrap();
    let answer = plimsoll(&["advise", &example("netapp-lab-2013"), "--out", name, "--format", "json"]).json();
    let mut written: Vec<String> =
        answer["written"].as_array().unwrap().iter().map(|p| p.as_str().unwrap().to_owned()).collect();
    written.sort();
    assert_eq!(written, files(&folder));
    assert!(!written.is_empty());
    let without = plimsoll(&["advise", &example("netapp-lab-2013"), "--format", "json"]).json();
    assert!(without.get("written").is_none());
}

#[test]
fn what_others_keep_in_the_folder_is_left_alone() {
    let folder = scratch("out-full");
    let mine = write(&folder, "mine.txt", "mine");
    let theirs = write(&folder, "config/commit-server/fstab", "/dev/sda / ext4\n");
    let name = folder.to_str().unwrap();
    let site = example("netapp-lab-2013");
    let ran = plimsoll(&["advise", &site, "--out", name]);
    let refused = ran.refused();
    assert!(refused.contains("nothing was written"), "{refused}");
    assert!(refused.contains("was not made by plimsoll; --force"), "{refused}");
    assert_eq!(files(&folder), [theirs.as_str(), mine.as_str()]);
    assert_eq!(read_text(Path::new(&theirs)).unwrap(), "/dev/sda / ext4\n");
    plimsoll(&["advise", &site, "--out", name, "--format=json"]).refused_in_json();
    plimsoll(&["advise", &site, "--out", name, "--force", "-q"]).done();
    assert!(read_text(Path::new(&theirs)).unwrap().contains("LABEL="));
    assert_eq!(read_text(Path::new(&mine)).unwrap(), "mine");
}

#[test]
fn what_nobody_edited_is_written_again_and_an_edit_is_kept() {
    let folder = scratch("out-again");
    let name = folder.to_str().unwrap();
    let site = example("netapp-lab-2013");
    plimsoll(&["advise", &site, "--out", name, "-q"]).done();
    let all = |folder: &Path| -> Vec<(String, String)> {
        let read = |path: String| (path.clone(), read_text(Path::new(&path)).unwrap_or_default());
        files(folder).into_iter().map(read).collect()
    };
    let first = all(&folder);
    plimsoll(&["advise", &site, "--out", name, "-q"]).done();
    assert_eq!(all(&folder), first, "the same bytes");
    let path = folder.join("config/commit-server/fstab");
    let edited = read_text(&path).unwrap().replace("noatime", "relatime");
    fs::write(&path, &edited).unwrap();
    let ran = plimsoll(&["advise", &site, "--out", name]);
    assert!(ran.refused().contains("edited since"), "{}", ran.err);
    assert_eq!(read_text(&path).unwrap(), edited);
    // What belonged to an earlier answer is named and stays.
    fs::remove_file(&path).unwrap();
    let earlier = folder.join("config/edge-9");
    fs::create_dir(&earlier).unwrap();
    let (_, one) = first.iter().find(|(path, _)| path.ends_with("/fstab")).unwrap();
    write(&earlier, "fstab", one);
    write(&earlier, "theirs", "theirs");
    let ran = plimsoll(&["advise", &site, "--out", name]);
    let (_, told) = ran.done().split_once("Left by an earlier answer").unwrap();
    assert!(told.contains("edge-9/fstab") && !told.contains("theirs"), "{told}");
    assert!(earlier.join("fstab").exists());
}

#[cfg(unix)]
#[test]
fn no_link_in_the_folder_is_followed() {
    let folder = scratch("out-links");
    let (out, victim) = (folder.join("out"), folder.join("victim"));
    fs::create_dir(&out).unwrap();
    fs::create_dir(&victim).unwrap();
    std::os::unix::fs::symlink(&victim, out.join("config")).unwrap();
    let site = example("netapp-lab-2013");
    for force in [&["-q"][..], &["-q", "--force"]] {
        let arguments = ["advise", &site, "--out", out.to_str().unwrap()];
        let ran = plimsoll(&[&arguments[..], force].concat());
        assert!(ran.refused().contains("nothing was written"), "{}", ran.err);
    }
    assert!(files(&victim).is_empty() && files(&out).is_empty());
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
    let ran = plimsoll(&["advise", &site, "--set", none, "--out", folder.to_str().unwrap()]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("nothing was written"), "{}", ran.out);
    assert!(!folder.exists());
}
