//! Calibration files of the user: laid over the binary's own, or refused with a useful message.

use std::collections::BTreeSet;
use std::path::Path;

use plimsoll::calibration::Calibration;

#[test]
fn a_folder_adds_a_source_and_replaces_a_parameter() {
    let folder = std::env::temp_dir().join(format!("plimsoll-calibration-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("T01.toml"), GOOD).unwrap();
    std::fs::write(folder.join("parameters.toml"), PARAMETER.replace("1.8 us", "1.5 us")).unwrap();
    std::fs::write(folder.join("notes.txt"), "not read").unwrap();
    let loaded = Calibration::load(Some(&folder));
    std::fs::remove_dir_all(&folder).unwrap();
    let calibration = loaded.unwrap();
    assert_eq!(calibration.value("T01-run", "elapsed"), Some(3.0));
    assert_eq!(calibration.value("N13-mount-both", "elapsed"), Some(406.0));
    assert_eq!(calibration.parameter("row_write.2017").unwrap().shown, "1.5 us");
    // The others stay where the fit has them.
    let other = calibration.parameter("row_write.2012").unwrap();
    assert_eq!(other.value.origin.kind(), "fitted");
    assert_eq!(Calibration::embedded().parameter("row_write.2012"), Some(other));
}

#[test]
fn a_later_file_of_the_same_name_replaces_the_source() {
    let later = GOOD.replace("\"3 s\"", "\"4 s\"");
    let files = [("a/T01.toml", GOOD), ("b/T01.toml", later.as_str())];
    let calibration = Calibration::from_files(&files).unwrap();
    assert_eq!(calibration.value("T01-run", "elapsed"), Some(4.0));
}

#[test]
fn a_folder_that_is_not_there_or_holds_nothing_is_refused() {
    let nowhere = Calibration::load(Some(Path::new("/nowhere/calibration"))).unwrap_err();
    let report = nowhere.render();
    assert!(report.contains("cannot read the folder \"/nowhere/calibration\""), "{report}");
    assert!(report.contains("CAL017") && report.contains("= help:"), "{report}");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let report = Calibration::load(Some(&sources)).unwrap_err().render();
    assert!(report.contains("CAL017") && report.contains("no .toml file"), "{report}");
}

const GOOD: &str = r#"schema = 1
id = "T01"
title = "A test"
authors = ["Nobody"]
published = "2001-02"
document = "None"
summary = "Pins down nothing."

[[setup]]
id = "T01-lab"
title = "A laboratory"
section = "1"
text = "A host."

[[datum]]
id = "T01-run"
kind = "value"
title = "A run"
section = "2"
setup = "T01-lab"
obtained = "printed"
statement = "It took a while."
value = [
  { name = "elapsed", value = "3 s", spread = "2 %" },
  { name = "files", value = 12, unit = "files" },
]

[[datum]]
id = "T01-order"
kind = "ordering"
title = "Two ways"
section = "3"
setup = "T01-lab"
obtained = "text"
statement = "One is better."
order = ["fc", "nfs"]
measure = "elapsed"
"#;

const PARAMETER: &str = r#"schema = 1

[[parameter]]
id = "row_write.2017"
title = "time of a row"
value = "1.8 us"
origin = "derived"
from = ["T01-run"]
note = "elapsed over files"
"#;

/// Name of the snapshot, what is replaced in [`GOOD`], by what.
const BROKEN: &[(&str, &str, &str)] = &[
    ("unknown_key", "statement = \"It", "statment = \"It"),
    ("unknown_key_in_value", "spread = \"2 %\"", "sigma = \"2 %\""),
    ("number_without_unit", "value = 12, unit = \"files\"", "value = 12"),
    ("missing_origin", "obtained = \"printed\"\n", ""),
    ("unknown_origin", "obtained = \"printed\"", "obtained = \"print\""),
    ("unknown_setup", "setup = \"T01-lab\"\nobtained = \"printed\"", "setup = \"T01-lap\"\nobtained = \"printed\""),
    ("duplicate_datum", "id = \"T01-order\"", "id = \"T01-run\""),
    ("duplicate_value", "name = \"files\"", "name = \"elapsed\""),
    ("id_of_another_source", "id = \"T01-order\"", "id = \"T02-order\""),
    ("id_is_not_the_file", "id = \"T01\"", "id = \"T02\""),
    ("wrong_unit", "\"3 s\"", "\"3 secs\""),
    ("unit_of_wrong_case", "\"3 s\"", "\"3 gib\""),
    ("text_without_unit", "\"3 s\"", "\"3\""),
    ("unit_twice", "value = \"3 s\"", "value = \"3 s\", unit = \"s\""),
    ("unit_twice_in_words", "value = \"3 s\"", "value = \"3 s\", unit = \"runs\""),
    ("quantity_as_bare_number", "value = 12, unit = \"files\"", "value = 12, unit = \"GHz\""),
    (
        "value_without_figures",
        "value = [\n  { name = \"elapsed\", value = \"3 s\", spread = \"2 %\" },\n  { name = \"files\", value = 12, unit = \"files\" },\n]\n",
        "",
    ),
    ("ordering_without_order", "order = [\"fc\", \"nfs\"]\nmeasure = \"elapsed\"\n", ""),
    ("order_without_measure", "measure = \"elapsed\"\n", ""),
    ("tied_is_not_in_order", "measure =", "tied = [[\"fc\", \"smb\"]]\nmeasure ="),
    ("range_upside_down", "value = \"3 s\"", "low = \"3 s\", high = \"2 s\""),
    ("range_of_two_dimensions", "value = \"3 s\"", "low = \"3 s\", high = \"2 MB\""),
    ("half_a_range", "value = \"3 s\"", "low = \"3 s\""),
    ("end_that_is_no_bound", "value = \"3 s\"", "value = \"3 s\", low = \"2 s\""),
    ("spread_out_of_range", "\"2 %\"", "\"200 %\""),
    ("spread_as_number", "\"2 %\"", "0.02"),
    ("schema_of_the_future", "schema = 1", "schema = 2"),
    ("empty_section", "section = \"2\"", "section = \" \""),
    ("no_date", "\"2001-02\"", "\"spring 2001\""),
    ("not_toml", "summary = \"Pins", "summary = Pins"),
];

#[test]
fn a_broken_source_is_refused_with_place_and_help() {
    for (name, from, to) in BROKEN {
        let text = GOOD.replacen(from, to, 1);
        assert_ne!(text, GOOD, "{name} breaks nothing");
        check_refused(name, &[("calibration/T01.toml", &text)]);
    }
}

#[test]
fn a_broken_parameter_is_refused_with_place_and_help() {
    let cases = [
        ("parameter_without_origin", "origin = \"derived\"\n", ""),
        ("parameter_from_nothing", "from = [\"T01-run\"]", "from = []"),
        ("parameter_without_arithmetic", "note = \"elapsed over files\"\n", ""),
        ("parameter_negative", "\"1.8 us\"", "\"-1.8 us\""),
        ("parameter_unknown_key", "note =", "why ="),
        ("parameter_wrong_unit", "\"1.8 us\"", "\"1.8 usec\""),
    ];
    for (name, from, to) in cases {
        let text = PARAMETER.replacen(from, to, 1);
        assert_ne!(text, PARAMETER, "{name} breaks nothing");
        check_refused(name, &[("calibration/parameters.toml", &text)]);
    }
}

#[test]
fn a_parameter_replaces_only_one_of_its_kind() {
    let unknown = PARAMETER.replace("row_write.2017", "row_write.2016");
    let size = PARAMETER.replace("1.8 us", "1.8 KiB");
    let own = ("calibration/parameters.toml", PARAMETER);
    for (name, text) in [("replaces_unknown_parameter", unknown), ("replaces_by_another_dimension", size)] {
        check_refused(name, &[own, ("mine/parameters.toml", &text)]);
    }
}

#[test]
fn a_broken_server_is_refused() {
    let row = "\n[[configuration]]\nnumber = 1\nserver = \"A\"\nos = \"B\"\nbits = 32\nram = \"8\"\n\
               cpu = \"C\"\ninternal_rpm = 10000\nsan_rpm = 10000\ndb_raid = \"RAID ten\"\n\
               db_filesystem = \"xfs\"\nos_stripe = \"4 KiB\"\n";
    check_refused("broken_server", &[("calibration/T01.toml", &format!("{GOOD}{row}"))]);
}

#[test]
fn one_run_reports_every_problem() {
    let text = BROKEN
        .iter()
        .filter(|(name, ..)| ["wrong_unit", "number_without_unit", "unknown_setup"].contains(name))
        .fold(GOOD.to_owned(), |text, (_, from, to)| text.replacen(from, to, 1));
    let report = Calibration::from_files(&[("T01.toml", &text)]).unwrap_err().render();
    for code in ["CAL003", "CAL001", "CAL006", "3 errors"] {
        assert!(report.contains(code), "{report}");
    }
}

fn check_refused(name: &str, files: &[(&str, &str)]) {
    let Err(diagnostics) = Calibration::from_files(files) else {
        panic!("{name} is not refused");
    };
    for diagnostic in diagnostics.sorted() {
        let is_ours = diagnostic.code.starts_with("CAL");
        assert!(!is_ours || !diagnostic.help.is_empty(), "{name}: {} without help", diagnostic.code);
    }
    insta::assert_snapshot!(name, diagnostics.render());
}

#[test]
fn the_good_snippets_are_good() {
    let files = [("T01.toml", GOOD), ("parameters.toml", PARAMETER)];
    let calibration = Calibration::from_files(&files).unwrap();
    assert_eq!(calibration.datum("T01-order").unwrap().order, ["fc", "nfs"]);
    let origins = calibration.check_origins(&BTreeSet::new(), std::iter::empty());
    assert_eq!(origins, Vec::<String>::new());
}
