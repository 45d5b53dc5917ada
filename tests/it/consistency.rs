//! Answers that do not fit each other: a warning with both numbers.

use crate::site::parse;

const SITE: &str = "\
schema = 1
name = \"Odd\"
[people]
developers = 200
[data]
";

fn warnings(text: &str) -> String {
    let site = parse(&format!("{SITE}{text}"), &[]).expect("a site");
    site.warnings.join("\n")
}

#[test]
fn both_numbers_stand_in_the_warning() {
    for (text, code, numbers) in [
        ("depot_size = \"800 TB\"\nfiles = 20_000_000\nfile_size = \"213 KiB\"", "SIT107", ["800 TB", "TiB"]),
        ("depot_size = \"1 GB\"\nfiles = 20_000_000\nfile_size = \"213 KiB\"", "SIT107", ["1 GB", "TiB"]),
        ("files = 1000\nworkspace_files = 5000", "SIT108", ["5,000 files", "1,000"]),
        ("workspace_files = 1000\nworkspace_size = \"2 TB\"", "SIT108", ["2 TB", "1,000 files"]),
        (
            "depot_size = \"1 TB\"\ndepot_growth = \"10 %/year\"\n[workload]\nsubmits_per_day = \"100000 /day\"\n\
             files_per_submit = 50",
            "SIT109",
            ["100,000 submits a day", "100 GB a year"],
        ),
    ] {
        let all = warnings(text);
        assert!(all.contains(code), "{code}: {all}");
        for number in numbers {
            assert!(all.contains(number), "{number}: {all}");
        }
    }
}

#[test]
fn usual_answers_pass() {
    for text in [
        "depot_size = \"5 TB\"\nfiles = 20_000_000",
        "depot_size = \"300 GB\"\nfiles = 1_000_000\ndepot_growth = \"30 %/year\"\n[workload]\nsubmits_per_day = \"1000 /day\"",
        "files = 1_000_000\nworkspace_files = 200_000\nworkspace_size = \"40 GB\"",
    ] {
        let all = warnings(text);
        assert!(!all.contains("SIT1"), "{all}");
    }
}

#[test]
fn a_line_that_is_too_narrow_for_its_people_is_named() {
    let text = "[[people.site]]\nname = \"Lyon\"\ndevelopers = 100\nbandwidth = \"10 Mb/s\"\n[workload]\n\
                syncs_per_day = \"4000 /day\"\nfiles_per_sync = 500\n";
    let all = warnings(text);
    assert!(all.contains("SIT110") && all.contains("Lyon") && all.contains("10 Mb/s"), "{all}");
    let people = SITE.replace("[data]", "connections_at_peak = 90_000\n[data]");
    let site = parse(&people, &[]).expect("a site");
    assert!(site.warnings.join("").contains("SIT111"));
}

#[test]
fn a_target_that_no_equipment_meets_is_called_so() {
    let workload = "[workload]\nconcurrent_sync_size = \"100 GB\"\nclient_rate = \"1 Gb/s\"\n[targets]\n";
    for (target, named) in [("large_sync = \"1 min\"", "13 min"), ("sync_rate = \"200 MB/s\"", "1.60 Gb/s")] {
        let all = warnings(&format!("{workload}{target}\n"));
        assert!(all.contains("SIT117") && all.contains(named), "{all}");
    }
    let all = warnings(&format!("{workload}large_sync = \"20 min\"\nsync_rate = \"100 MB/s\"\n"));
    assert!(!all.contains("SIT117"), "{all}");
}

#[test]
fn submits_and_syncs_are_no_more_than_all_commands() {
    let text = |commands: &str| {
        format!(
            "[workload]\ncommands_per_day = \"{commands}\"\nsubmits_per_day = \"600 /day\"\nsyncs_per_day = \"500 /day\"\n"
        )
    };
    let all = warnings(&text("1000 /day"));
    for part in ["SIT118", "600", "500", "1,000"] {
        assert!(all.contains(part), "{part}: {all}");
    }
    assert!(!warnings(&text("1200 /day")).contains("SIT118"));
}
