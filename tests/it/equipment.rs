//! Storage that the site file describes itself: a candidate of the advice, its numbers as they were stated.

use serde_json::Value;

use crate::cli::{plimsoll, scratch, write};

/// A site whose only array is its own.
const SITE: &str = "\
schema = 1
name = \"Own\"
[people]
developers = 300
[data]
db_size = \"60 GB\"
depot_size = \"20 TB\"
[server]
local_disks = 2
[[equipment]]
name = \"My array\"
kind = \"all-flash block and file\"
usable = \"200 TB\"
bandwidth = \"8 GB/s\"
operations = \"300000 /s\"
read_time = \"0.3 ms\"
write_time = \"0.25 ms\"
protocols = [\"iscsi\", \"nfsv4.1\"]
";

fn run(test: &str, text: &str, arguments: &[&str]) -> crate::cli::Ran {
    let folder = scratch(test);
    let path = write(&folder, "site.toml", text);
    let mut all = vec![arguments[0], path.as_str()];
    all.extend(&arguments[1..]);
    plimsoll(&all)
}

fn number<'a>(answer: &'a Value, name: &str) -> &'a Value {
    let numbers = answer["numbers"].as_array().expect("numbers");
    let found = numbers.iter().find(|n| n["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {numbers:#?}"))
}

#[test]
fn a_system_of_ones_own_is_recommended_by_its_name_with_its_numbers() {
    let advice = run("own_advice", SITE, &["advise", "--format", "json"]);
    let answer = advice.json();
    let volumes = answer["recommendation"]["volumes"].as_array().unwrap();
    assert!(volumes.iter().any(|v| v["device"] == "own-my-array"), "{volumes:#?}");
    let own = &answer["equipment"][0];
    assert_eq!(own["id"], "own-my-array");
    assert_eq!(own["usable_bytes"], 2e14);
    assert!(own["stated"].as_array().unwrap().len() == 6, "{own:#}");
    let text = run("own_text", SITE, &["advise"]);
    assert!(text.out.contains("My array"), "{}", text.out);
    // Nobody stated its drives: no number of them is told, least of all of arrays.
    for volume in volumes.iter().filter(|v| v["device"] == "own-my-array") {
        assert!(!volume["raid"].as_str().unwrap().contains('×'), "{volume:#}");
    }
    let full = run("own_full", SITE, &["advise", "--full", "--no-confirm"]).out;
    assert!(!full.contains("× My array") && !full.contains("× drive of"), "{full}");
    assert!(!text.out.contains("own-my-array"), "{}", text.out);
}

#[test]
fn what_is_stated_has_that_origin_and_no_error_and_the_rest_is_assumed() {
    let ran = run("own_predict", SITE, &["predict", "--layout", "split", "--format", "json"]);
    let answer = ran.json();
    let ack = number(&answer, "arrays/own-my-array.write_ack");
    assert!(ack["origin"].as_str().unwrap().starts_with("stated"), "{ack:#}");
    let controllers = number(&answer, "arrays/own-my-array.cache");
    assert!(controllers["origin"].as_str().unwrap().starts_with("assumed"), "{controllers:#}");
}

#[test]
fn a_slower_system_answers_later_and_a_narrower_one_moves_less() {
    let p95 = |test: &str, text: &str, class: &str| {
        let ran = run(test, text, &["predict", "--layout", "split", "--format", "json"]);
        let answer = ran.json();
        let classes = answer["predictions"].as_array().unwrap().clone();
        let found = classes.iter().find(|c| c["class"] == class).unwrap();
        found["response_time_p95_s"]["value"].as_f64().unwrap()
    };
    let slow = SITE.replace("0.25 ms", "20 ms");
    let (fast, slow) = (p95("own_fast", SITE, "submit"), p95("own_slow", &slow, "submit"));
    assert!(slow > 1.5 * fast, "{slow} {fast}");
    let narrow = SITE.replace("8 GB/s", "100 MB/s");
    let (wide, narrow) = (p95("own_wide", SITE, "large sync"), p95("own_narrow", &narrow, "large sync"));
    assert!(narrow > 1.5 * wide, "{narrow} {wide}");
}

/// Times by kind of work, or what is overloaded, with everything on the array and one of its numbers so.
fn on_own(number: &str, value: &str) -> Result<Vec<(String, f64)>, String> {
    let site = SITE
        .replace("[server]", "file_size = \"2 MB\"\n[workload]\nfiles_per_submit = 100\n[server]")
        .replace("bandwidth = \"8 GB/s\"", "bandwidth = \"8 GB/s\"\nwrite_bandwidth = \"5 GB/s\"");
    let line = site.lines().find(|line| line.starts_with(&format!("{number} =")));
    let site = site.replace(line.unwrap(), &format!("{number} = \"{value}\""));
    let arguments = ["predict", "--layout", "nfs-all", "--format", "json"];
    let ran = run(&format!("own_{number}_{}", value.len()), &site, &arguments);
    let answer = ran.json();
    let Some(classes) = answer["predictions"].as_array() else {
        return Err(answer.to_string());
    };
    let time = |class: &Value| {
        let name = class["class"].as_str().unwrap().to_owned();
        (name, class["response_time_s"]["value"].as_f64().unwrap())
    };
    Ok(classes.iter().map(time).collect())
}

/// A hundredth of each number: what it serves is slower, or overloaded by its name, and nothing is faster.
#[test]
fn a_hundredth_of_any_number_is_slower_or_overloaded_and_nothing_is_faster() {
    for (number, usual, hundredth, named) in [
        ("bandwidth", "8 GB/s", "80 MB/s", "My array"),
        ("write_bandwidth", "5 GB/s", "1 MB/s", "writes to My array"),
        ("operations", "300000 /s", "3000 /s", "My array"),
        ("read_time", "0.3 ms", "30 ms", "lock"),
        ("write_time", "0.25 ms", "25 ms", "lock"),
    ] {
        let whole = on_own(number, usual).unwrap();
        match on_own(number, hundredth) {
            // What waits longer holds its locks longer.
            Err(overloaded) => assert!(overloaded.contains(named), "{number}: {overloaded}"),
            Ok(less) => {
                let pairs = whole.iter().zip(&less);
                for ((name, was), (_, is)) in pairs.clone() {
                    assert!(*is >= was * 0.999, "{number}: {name} {was} {is}");
                }
                let slower = pairs.filter(|((_, was), (_, is))| *is > was * 1.05);
                assert!(slower.count() > 0, "{number}: {whole:?} {less:?}");
            }
        }
    }
}

#[test]
fn usable_capacity_is_a_hard_limit_and_reduction_spares_binaries() {
    let small = SITE.replace("200 TB", "15 TB");
    let answer = run("own_small", &small, &["advise", "--format", "json"]).json();
    let volumes = &answer["recommendation"]["volumes"];
    assert!(!volumes.to_string().contains("own-my-array"), "20 TB do not lie on 15: {volumes:#}");
    let why = answer["alternatives"].to_string();
    assert!(why.contains("too little"), "{why}");
    // All binary: what the array says of reduction counts for nothing.
    let reduced = small.replace("usable", "data_reduction = 5\nusable");
    let binary = reduced.replace("[data]", "[data]\nbinary_share = \"100 %\"");
    let answer = run("own_binary", &binary, &["advise", "--format", "json"]).json();
    assert!(!answer["recommendation"]["volumes"].to_string().contains("own-my-array"));
    let text = reduced.replace("[data]", "[data]\nbinary_share = \"0 %\"");
    let answer = run("own_reduced", &text, &["advise", "--format", "json"]).json();
    assert!(answer["recommendation"]["volumes"].to_string().contains("own-my-array"));
}

#[test]
fn ports_bound_the_bandwidth() {
    let ports = SITE.replace("8 GB/s\"", "8 GB/s\"\nports = 1\nport_network = \"eth-1g\"");
    let ran = run("own_ports", &ports, &["predict", "--layout", "split", "--format", "json"]);
    let answer = ran.json();
    let bandwidth = number(&answer, "arrays/own-my-array.bandwidth");
    let value = bandwidth["value"].to_string();
    assert!(value.contains("11") && !value.contains("GB"), "{bandwidth:#}");
}

#[test]
fn wrong_tables_are_refused_with_their_place() {
    for (was, is, says) in [
        ("\"My array\"", "\"a\\u001b[31m\"", "visible characters"),
        ("all-flash block and file", "flashy", "all-flash block"),
        ("usable = \"200 TB\"\n", "", "usable"),
        ("\"0.3 ms\"", "\"0.3 GB\"", "0.3 GB"),
        ("operations = ", "ports = 2\noperations = ", "port_network"),
        ("[\"iscsi\", \"nfsv4.1\"]", "[]", "at least one"),
        ("bandwidth", "bandwith", "bandwidth"),
    ] {
        let text = SITE.replacen(was, is, 1);
        assert_ne!(text, SITE);
        let ran = run("own_wrong", &text, &["advise"]);
        let reason = ran.refused();
        assert!(reason.contains(says), "{was}: {reason}");
        assert!(reason.contains("site.toml:"), "{reason}");
    }
}

#[test]
fn hostile_names_stay_names() {
    for name in ["$(reboot) `x`", "<script>alert(1)</script>", "../../etc", "数组", "array"] {
        let text = SITE.replace("My array", name);
        let ran = run("own_hostile", &text, &["advise", "--format", "json"]);
        let id = ran.json()["equipment"][0]["id"].as_str().unwrap().to_owned();
        assert!(id.starts_with("own-") && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'), "{id}");
    }
}

#[test]
fn who_states_a_system_is_told_why_it_is_not_used() {
    let text = SITE.replace("[data]", "[infrastructure]\nprotocols = [\"local\"]\n[data]");
    let text = text.replace("local_disks = 2", "local_disks = 8");
    for arguments in [&["advise"][..], &["advise", "--full"]] {
        let ran = run("own_unused", &text, arguments);
        let said = ran.done().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.to_lowercase().contains("no layout can use my array: it supports"), "{said}");
    }
    // One that could be used and is not, too.
    let slow = text.replace(
        "protocols = [\"local\"]",
        "protocols = [\"local\", \"iscsi\", \"nfsv4.1\"]\nstorage = [\"local-raid\", \"generic-flash-file\"]",
    );
    let slow = slow.replace("0.3 ms", "80 ms").replace("0.25 ms", "80 ms").replace("8 GB/s", "80 MB/s");
    let ran = run("own_slow", &slow, &["advise"]);
    let said = ran.done().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("My array is not used. The best layout with it"), "{said}");
}
