//! `plimsoll workload --site`: answers of a log in a site file.

use plimsoll::document::read_text;

use super::{day, words, workload};
use crate::cli::{scratch, write};

#[test]
fn answers_are_measured_and_a_stated_one_is_kept() {
    let folder = scratch("workload-site");
    write(&folder, "log", day());
    let ran = workload(&folder, &["log", "--site", "site.toml"]);
    ran.done();
    let site = read_text(&folder.join("site.toml")).unwrap();
    for line in [
        "developers = 4",
        "commands_per_day = \"5070 /day\"",
        "submits_per_day = \"16 /day\"",
        "syncs_per_day = \"16 /day\"",
        "files_per_submit = 4",
        "peak_to_mean = 2.86",
        "file_size = \"1.05 MB\"",
        "[measured.workload]",
        "from = \"log of 2024/03/05\"",
    ] {
        assert!(site.contains(line), "{line} is not in\n{site}");
    }
    // The form takes it, and says where it comes from.
    let vocabulary = plimsoll::site::Vocabulary::default();
    let read = plimsoll::site::parse("site.toml", &site, &[], &vocabulary).unwrap();
    let origin = read.people.developers.origin.to_string();
    assert_eq!(origin, "measured: log of 2024/03/05");

    // What somebody stated stays, with its comment; both are shown.
    let edited = site.replace("submits_per_day = \"16 /day\"", "submits_per_day = \"99 /day\" # ours");
    write(&folder, "site.toml", edited);
    let ran = workload(&folder, &["log", "--site", "site.toml"]);
    assert!(ran.done().contains("Kept workload.submits_per_day = \"99 /day\""), "{}", ran.out);
    let site = read_text(&folder.join("site.toml")).unwrap();
    assert!(site.contains("submits_per_day = \"99 /day\" # ours"), "{site}");
    let ran = workload(&folder, &["log", "--site", "site.toml", "--overwrite"]);
    let said = words(ran.done());
    assert!(said.contains("Replaced workload.submits_per_day = \"99 /day\" by \"16 /day\""), "{said}");
    let site = read_text(&folder.join("site.toml")).unwrap();
    assert!(site.contains("submits_per_day = \"16 /day\" # ours"), "{site}");

    write(&folder, "other.toml", "a = 1\n");
    let ran = workload(&folder, &["log", "--site", "other.toml"]);
    assert!(ran.refused().contains("is not a site file"), "{}", ran.err);
}

#[test]
fn a_measured_answer_that_somebody_changed_is_stated() {
    let text = "schema = 1\nname = \"S\"\n[people]\ndevelopers = 40\n[workload]\nsubmits_per_day = \"8 /day\"\nsyncs_per_day = \"9 /day\"\n[measured.workload]\nsubmits_per_day = { value = \"8 /day\", from = \"log of 2024/03/05\" }\nsyncs_per_day = { value = \"8 /day\", from = \"log of 2024/03/05\" }\n";
    let vocabulary = plimsoll::site::Vocabulary::default();
    let site = plimsoll::site::parse("site.toml", text, &[], &vocabulary).unwrap();
    let workload = &site.workload;
    assert_eq!(workload.submits_per_day.origin.to_string(), "measured: log of 2024/03/05");
    assert_eq!(workload.syncs_per_day.origin.to_string(), "stated: site.toml:7");
    assert!(workload.submits_per_day.is_stated());
    let wrong = text.replace("submits_per_day = {", "submit_per_day = {");
    let error = plimsoll::site::parse("site.toml", &wrong, &[], &vocabulary).unwrap_err();
    assert!(error.render().contains("submit_per_day"), "{}", error.render());
}
