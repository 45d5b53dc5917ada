//! Two sites, or a site and an earlier answer, side by side.

use serde_json::Value;

use crate::cli::{plimsoll, scratch, write};

const SITE: &str = "\
schema = 1
name = \"A\"
[people]
developers = 120
[[people.site]]
name = \"Far\"
developers = 10
[data]
db_size = \"20 GB\"
[server]
ram = \"64 GiB\"
cores = 16
local_disks = 4
[infrastructure]
edges_max = 0
";

#[test]
fn what_differs_is_in_the_order_of_its_effect() {
    let folder = scratch("against");
    let first = write(&folder, "a.toml", SITE);
    let more = SITE
        .replace("developers = 120", "developers = 480")
        .replace("name = \"A\"", "name = \"B\"")
        .replace("20 GB", "20.01 GB")
        .replace("cores = 16\n", "");
    let other = write(&folder, "b.toml", more);
    let ran = plimsoll(&["advise", &first, "--against", &other, "--format", "json"]);
    let answer = ran.json();
    let fields: Vec<&str> = answer["answers"].as_array().unwrap().iter().filter_map(|d| d["field"].as_str()).collect();
    assert_eq!(fields[0], "people.developers", "{answer:#}");
    assert_eq!(fields.len(), 3, "the name is a label: {fields:?}");
    assert!(fields.contains(&"server.cores") && fields.contains(&"data.db_size"));
    // The steps together are the way from the one to the other where the layout is the same.
    let same = |key: &str| answer["results"].as_array().unwrap().iter().any(|r| r["what"] == key);
    if !same("layout") && !same("edges") {
        let total: f64 = answer["answers"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|d| {
                let times = d["step"]["times"].as_array()?;
                let submit = times.iter().find(|t| t["class"] == "submit")?;
                submit["p95_factor"].as_f64()
            })
            .product();
        let results = answer["results"].as_array().unwrap();
        let result = results.iter().find(|r| r["what"] == "submit, p95").unwrap();
        let factor = result["factor"].as_f64().unwrap();
        assert!((total / factor).ln().abs() < 0.15, "{total} {factor}");
    }
    let text = plimsoll(&["advise", &first, "--against", &other]).out;
    assert!(text.contains("people.developers") && text.contains("Results that differ"), "{text}");
}

#[test]
fn an_earlier_answer_of_the_same_site_has_the_same_results() {
    let folder = scratch("against_earlier");
    let first = write(&folder, "a.toml", SITE);
    let earlier = plimsoll(&["advise", &first, "--format", "json"]);
    let earlier = write(&folder, "earlier.json", &earlier.out);
    let ran = plimsoll(&["advise", &first, "--against", &earlier, "--format", "json"]);
    let answer = ran.json();
    assert_eq!(answer["answers"], Value::Null);
    for key in ["results", "assumptions", "findings_new", "findings_gone", "made_with"] {
        assert_eq!(answer[key].as_array().map(Vec::len), Some(0), "{key}: {answer:#}");
    }
}

#[test]
fn what_is_neither_a_site_nor_an_answer_is_refused() {
    let folder = scratch("against_wrong");
    let first = write(&folder, "a.toml", SITE);
    for (text, says) in
        [("{ \"schema\": 1 }", "no answer of `plimsoll advise"), ("{", "no JSON"), ("schema = 1\n", "people")]
    {
        let other = write(&folder, "other", text);
        let ran = plimsoll(&["advise", &first, "--against", &other]);
        assert!(ran.refused().contains(says), "{}", ran.err);
    }
}

#[test]
fn an_override_changes_the_first_site_alone() {
    let folder = scratch("against_set");
    let first = write(&folder, "a.toml", SITE);
    let set = "people.developers=240";
    let ran = ["advise", &first, "--set", set, "--against", &first];
    let answer = plimsoll(&[&ran[..], &["--no-confirm", "--format", "json"]].concat()).json();
    let all = answer["answers"].as_array().unwrap();
    assert_eq!(all.len(), 1, "{answer:#}");
    assert_eq!(all[0]["field"], "people.developers");
    assert_eq!((&all[0]["first"], &all[0]["other"]), (&"240".into(), &"120".into()));
    // A text is an answer too, without quotation marks on the command line.
    let ran = ["advise", &first, "--set", "data.db_size=40 GB", "--against", &first];
    let answer = plimsoll(&[&ran[..], &["--no-confirm", "--format", "json"]].concat()).json();
    assert_eq!(answer["answers"][0]["first"], "\"40 GB\"", "{answer:#}");
}

#[test]
fn an_earlier_answer_is_compared_as_it_was_made_and_however_long() {
    let folder = scratch("against_long");
    let first = write(&folder, "a.toml", SITE);
    let earlier = plimsoll(&["advise", &first, "--no-confirm", "--format", "json"]);
    let blank = " ".repeat(2 << 20);
    let earlier = write(&folder, "earlier.json", format!("{}{blank}", earlier.out));
    let answer = plimsoll(&["advise", &first, "--against", &earlier, "--format", "json"]).json();
    assert_eq!(answer["results"].as_array().map(Vec::len), Some(0), "{answer:#}");
}

#[test]
fn rows_stay_within_a_screen() {
    let folder = scratch("against_width");
    let first = write(&folder, "a.toml", SITE);
    // Alone, so many files cannot be read.
    let more = SITE.replace("20 GB\"", "20 GB\"\nfiles = 90_000_000\nrevisions = 900_000_000");
    let other = write(&folder, "b.toml", more);
    let text = plimsoll(&["advise", &first, "--against", &other, "--no-confirm"]).out;
    let widest = text.lines().map(|line| line.chars().count()).max();
    assert!(widest < Some(170), "{text}");
}

/// "Why not iSCSI": the criterion that decides, its two numbers, and what would change the order, before any table.
#[test]
fn what_decides_comes_first_with_what_would_change_it() {
    let folder = scratch("against-why");
    let of = |name: &str, protocols: &str| {
        let text = format!(
            "schema = 1\nname = \"{name}\"\n[people]\ndevelopers = 200\n[server]\nlocal_disks = 0\n[infrastructure]\n\
             storage = [\"flasharray\", \"fas3270\"]\nprotocols = [{protocols}]\n"
        );
        write(&folder, &format!("{name}.toml"), text)
    };
    let all = of("all", "\"nfsv3\", \"iscsi\", \"fc\"");
    let why = |other: &str, sets: &[&str]| {
        let mut arguments = vec!["advise", &all, "--no-confirm", "--against", other];
        for set in sets {
            arguments.extend(["--set", set]);
        }
        let text = plimsoll(&arguments).out;
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let iscsi = of("iscsi", "\"iscsi\"");
    let said = why(&iscsi, &["criteria.direct_file_access=5"]);
    let head = said.split("Answers that differ").next().expect("a beginning");
    assert!(head.contains("(iSCSI") && head.contains("decides, 0."), "{head}");
    assert!(!head.contains("flasharray"), "an id: {head}");
    let below = head.split("weighs less than ").nth(1).expect("a weight");
    let below: f64 = below.split(' ').next().expect("it").parse().expect("a number");
    assert!((0.0..5.0).contains(&below), "{head}");
    // It does change the order.
    let weight = format!("criteria.direct_file_access={}", 0.5 * below);
    let turned = why(&iscsi, &[&weight]);
    let turned = turned.split("Answers that differ").next().expect("a beginning");
    assert!(!turned.contains("direct file access decides"), "{turned}");
    let nfs = of("nfs", "\"nfsv3\"");
    let said = why(&nfs, &[]);
    let head = said.split("Answers that differ").next().expect("a beginning");
    assert!(head.contains("Everything on NAS") && head.contains("The other carries "), "{head}");
}

#[test]
fn a_file_against_itself_differs_in_nothing() {
    let folder = scratch("against-itself");
    let first = write(&folder, "a.toml", SITE);
    let text = plimsoll(&["advise", &first, "--no-confirm", "--against", &first]).out;
    assert!(text.contains("against itself"), "{text}");
    assert!(text.contains("Both are the same: no answer, no result and no finding differs."), "{text}");
    assert!(!text.contains("None"), "{text}");
}
