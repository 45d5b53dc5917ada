//! `plimsoll models` and `explain`, and the folders that add to what they show.

use serde_json::Value;

use plimsoll::catalog::KINDS;

use crate::cli::{example, is_text, plimsoll, scratch, write};
use crate::site_hostile::is_harmless;

const FLASHARRAY: &str = include_str!("../../models/arrays/flasharray.toml");

#[test]
fn models_lists_every_kind() {
    let all = plimsoll(&["models"]);
    let json = plimsoll(&["models", "--format", "json"]).json();
    assert_eq!((&json["schema"], &json["tool"]), (&1.into(), &env!("CARGO_PKG_VERSION").into()));
    for kind in KINDS {
        let ran = plimsoll(&["models", kind]);
        let table = ran.done().split("\n\n").nth(1).unwrap();
        assert!(all.done().contains(table), "{kind}");
        let one = plimsoll(&["models", kind, "--format", "json"]).json();
        assert_eq!(one[kind], json[kind]);
        let entries = one[kind].as_array().expect(kind);
        assert!(!entries.is_empty());
        for entry in entries {
            let id = entry["id"].as_str().unwrap();
            assert!(table.contains(&format!("  {id} ")), "{id}");
            assert!(["title", "summary"].iter().all(|key| is_text(&entry[key])), "{id}");
            for fact in entry["facts"].as_array().unwrap() {
                assert!(["path", "origin", "why"].iter().all(|key| is_text(&fact[key])));
                // A layout as a whole has an origin and no value.
                assert!(is_text(&fact["value"]) || fact["path"] == "origin", "{id}: {fact}");
            }
        }
    }
}

#[test]
fn an_unknown_kind_is_corrected() {
    let ran = plimsoll(&["models", "array"]);
    insta::assert_snapshot!("unknown_kind", ran.refused());
    let answer = plimsoll(&["models", "array", "--format", "json"]).refused_in_json();
    assert!(answer.to_string().contains("arrays"));
}

#[test]
fn short_explanations_read_well() {
    for (name, id) in [
        ("field", "data.db_size"),
        ("reference", "KB2957"),
        ("parameter", "row_write.2017"),
        ("datum", "N13-mount-both"),
        ("code_document", "DOC003"),
        ("code_site", "SIT001"),
        ("code_models", "MOD003"),
    ] {
        let ran = plimsoll(&["explain", id, "--calibration", crate::frozen::FOLDER]);
        insta::assert_snapshot!(format!("explain_{name}"), ran.done());
    }
}

#[test]
fn everything_with_an_id_is_explained() {
    for (id, kind, word) in [
        ("STO001", "rule", "\n  Limits\n"),
        ("saturated-disks", "rule", "\n  Limits\n"),
        ("N13-mount-both", "calibration datum", "406 s"),
        ("N13", "source", "N13-mount-both"),
        ("row_write.2017", "parameter", "P17-branchsubmit-ssd"),
        ("SAG", "reference", "Perforce"),
        ("nfsv3", "catalogue entry", "NFS version 3"),
        ("protocols/nfsv3", "catalogue entry", "NFS version 3"),
        ("servers/dell-2950", "catalogue entry", "E07"),
        ("workload.concurrent_syncs", "field of the site file", "unit"),
        ("DOC007", "error code", "outside its limits"),
    ] {
        let ran = plimsoll(&["explain", id]);
        assert!(ran.done().contains(word), "{id}: {}", ran.out);
        assert!(ran.done().contains(&format!("({kind})")), "{}", ran.out);
        assert!(is_harmless(&ran.out));
        let json = plimsoll(&["explain", id, "--format", "json"]).json();
        assert_eq!((&json["id"], &json["kind"]), (&id.into(), &kind.into()));
        assert_eq!(json["tool"], env!("CARGO_PKG_VERSION"));
        assert!(is_text(&json["text"]));
    }
}

/// Whatever the advice refers to can be looked up.
#[test]
fn every_finding_and_assumption_of_an_advice_is_explained() {
    let path = example("netapp-lab-2013");
    let answer = plimsoll(&["advise", &path, "--format", "json"]).json();
    let ids = |list: &str, key: &str| -> Vec<String> {
        let items = answer[list].as_array().unwrap();
        items.iter().map(|i| i[key].as_str().unwrap().to_owned()).collect()
    };
    let mut all = ids("findings", "rule");
    all.extend(ids("assumptions", "field"));
    all.push(answer["recommendation"]["layout"].as_str().unwrap().to_owned());
    for finding in answer["findings"].as_array().unwrap() {
        let evidence = finding["evidence"].as_array().unwrap();
        all.extend(evidence.iter().map(|e| e["id"].as_str().unwrap().to_owned()));
    }
    all.retain(|id| id != "model"); // what the model found is no source
    all.sort();
    all.dedup();
    for id in all {
        let ran = plimsoll(&["explain", &id]);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
}

#[test]
fn an_unknown_id_is_corrected() {
    for (id, near) in [
        ("STO00l", "STO001"),
        ("nfsv33", "nfsv3"),
        ("data.dbsize", "data.db_size"),
        ("DOC03", "DOC003"),
        ("N13-mount-bth", "N13-mount-both"),
        ("row_write.2071", "row_write.2017"),
        ("saturated-disk", "saturated-disks"),
    ] {
        let ran = plimsoll(&["explain", id]);
        let help = format!("nothing is called {id:?}; did you mean {near:?}?");
        assert_eq!(ran.refused(), format!("error: {help}\n"));
        let answer = plimsoll(&["explain", id, "--format", "json"]).refused_in_json();
        assert_eq!(answer["errors"][0]["message"], help);
    }
    assert!(plimsoll(&["explain", ""]).refused().contains("nothing is called"));
}

#[test]
fn every_error_code_that_is_printed_is_explained() {
    let ran = plimsoll(&["models", "--calibration", "missing"]);
    let code = ran.refused().split(['[', ']']).nth(1).unwrap();
    let ran = plimsoll(&["explain", code]);
    assert!(ran.done().contains("(error code)"), "{}", ran.out);
}

#[test]
fn a_folder_of_models_adds_an_array() {
    let folder = scratch("models");
    let mine = FLASHARRAY
        .replace("id = \"flasharray\"", "id = \"my-array\"")
        .replace("title = \"Pure Storage FlashArray\"", "title = \"The array next door\"");
    write(&folder, "arrays/my-array.toml", mine);
    let models = folder.to_str().unwrap();
    let ran = plimsoll(&["models", "arrays", "--models", models]);
    assert!(
        ran.done()
            .lines()
            .any(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") == "my-array The array next door"),
        "{}",
        ran.out
    );
    let ran = plimsoll(&["explain", "arrays/my-array", "--models", models]);
    assert!(ran.done().contains("The array next door"));

    let path = example("netapp-lab-2013");
    let set = "infrastructure.storage=[\"my-array\"]";
    let arguments = ["advise", &path, "--set", set, "--format", "json"];
    plimsoll(&arguments).refused_in_json();
    let answer = plimsoll(&[arguments.as_slice(), &["--models", models]].concat()).json();
    let volumes = answer["recommendation"]["volumes"].as_array().unwrap();
    assert!(volumes.iter().all(|v| v["device"] == "my-array"), "{volumes:#?}");
}

#[test]
fn a_broken_file_of_models_is_explained_with_its_path() {
    let folder = scratch("models-broken");
    let models = folder.to_str().unwrap();
    for (text, reason) in [
        ("no TOML [", "not valid TOML"),
        ("schema = 1\n", "\"id\" is missing"),
        (FLASHARRAY, "the id must be the file's name, \"mine\""),
    ] {
        let path = write(&folder, "arrays/mine.toml", text);
        for arguments in [vec!["models"], vec!["advise", "site.toml"], vec!["explain", "xfs"]] {
            let arguments = [arguments.as_slice(), &["--models", models]].concat();
            let ran = plimsoll(&arguments);
            assert!(ran.refused().contains(reason), "{}", ran.err);
            assert!(ran.err.contains(&path), "{}", ran.err);
        }
        let ran = plimsoll(&["models", "--models", models, "--format", "json"]);
        let answer = ran.refused_in_json();
        let found = answer.to_string().contains(&path);
        assert!(found, "{answer:#}");
    }
}

#[test]
fn a_reference_to_nothing_is_told_with_the_path_of_the_file() {
    let folder = scratch("models-reference");
    let text = FLASHARRAY
        .replace("id = \"flasharray\"", "id = \"mine\"")
        .replace("medium = \"ssd-sas\"", "medium = \"ssd-sad\"");
    let path = write(&folder, "arrays/mine.toml", text);
    let ran = plimsoll(&["models", "--models", folder.to_str().unwrap()]);
    assert!(ran.refused().contains("did you mean \"ssd-sas\"?"), "{}", ran.err);
    assert!(ran.err.contains(&path), "{}", ran.err);
}

#[test]
fn a_folder_of_models_that_adds_nothing_is_refused() {
    let folder = scratch("models-none");
    let file = write(&folder, "file", "");
    write(&folder, "arays/mine.toml", "no TOML [");
    for models in ["missing", &file, folder.to_str().unwrap()] {
        let ran = plimsoll(&["models", "raid", "--models", models]);
        assert!(ran.refused().contains(models), "{}", ran.err);
    }
}

/// The parameter ten times as large, in a folder of its own.
fn slower(name: &str) -> String {
    let text = "schema = 1\n[[parameter]]\nid = \"row_write.2017\"\ntitle = \"a slow processor\"\n\
        value = \"17.79 us\"\norigin = \"assumed\"\nnote = \"ten times slower\"\nspread = \"8 %\"\n";
    let folder = scratch(name);
    write(&folder, "parameters.toml", text);
    folder.to_str().expect("UTF-8").to_owned()
}

fn prediction(calibration: &[&str]) -> Value {
    let path = example("pure-lab-2017");
    let arguments = ["predict", &path, "--layout", "p17-fa", "--format", "json"];
    plimsoll(&[arguments.as_slice(), calibration].concat()).json()
}

#[test]
fn a_folder_of_calibration_changes_a_prediction() {
    let folder = slower("calibration");
    let ran = plimsoll(&["explain", "row_write.2017", "--calibration", &folder]);
    assert!(ran.done().contains("17.79 us"), "{}", ran.out);
    assert!(ran.out.contains("ten times slower"), "{}", ran.out);
    let submit = |answer: &Value| {
        let classes = answer["predictions"].as_array().unwrap();
        let class = classes.iter().find(|c| c["class"] == "submit").unwrap();
        class["response_time_s"]["value"].as_f64().unwrap()
    };
    let before = submit(&prediction(&[]));
    let after = submit(&prediction(&["--calibration", &folder]));
    assert!(after > before, "{before} {after}");
}

#[test]
fn a_folder_of_calibration_changes_the_hash() {
    let folder = slower("calibration-hash");
    let [before, after] = [prediction(&[]), prediction(&["--calibration", &folder])];
    assert_eq!(before["input"]["site_hash"], after["input"]["site_hash"]);
    assert_ne!(before["input"]["parameters_hash"], after["input"]["parameters_hash"]);
}

#[test]
fn a_broken_folder_of_calibration_is_refused() {
    let folder = scratch("calibration-broken");
    let path = write(&folder, "parameters.toml", "schema = 1\nparameter = 3\n");
    let ran = plimsoll(&["models", "--calibration", folder.to_str().unwrap()]);
    assert!(ran.refused().contains(&path), "{}", ran.err);
    let ran = plimsoll(&["models", "--calibration", "missing"]);
    assert!(ran.refused().contains("cannot read the folder"), "{}", ran.err);
}

/// What customers ask in their own words, and no word leads to another that has to be looked up again.
#[test]
fn words_of_customers_are_explained() {
    for word in ["restore", "checkpoint", "double", "NFS", "swap", "P4VFS", "edge", "growth", "lock"] {
        let ran = plimsoll(&["explain", word]);
        assert!(ran.done().contains(&format!("{word} (word)")), "{word}: {}", ran.out);
    }
    for word in plimsoll::report::explanation::words() {
        let ran = plimsoll(&["explain", word]);
        assert!(ran.done().contains("(word)"), "{word}: {}", ran.out);
    }
    let both = plimsoll(&["explain", "checkpoint"]).out;
    assert!(both.contains("checkpoint (catalogue entry)"), "{both}");
}

#[test]
fn words_of_the_answers_are_explained_however_they_are_typed() {
    for word in ["knee", "commit section", "Commit-Section", "p95", "edge-server"] {
        let ran = plimsoll(&["explain", word]);
        assert_eq!(ran.code, 0, "{word}: {}", ran.err);
        assert!(ran.out.contains("(word)"), "{}", ran.out);
    }
    let field = plimsoll(&["explain", "workload.files_per_sync"]).out;
    assert!(field.contains("without an answer") && field.contains("500 (50 to 5,000)"), "{field}");
    assert!(field.contains("how to find it"), "{field}");
}
