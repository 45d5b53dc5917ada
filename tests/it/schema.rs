//! `plimsoll schema`: what it accepts is what the reader accepts, as far as a schema can say it.

use plimsoll::document::read_text;
use regex_automata::nfa::thompson::pikevm::PikeVM;
use serde_json::Value;

use crate::cli::{SITES, example, plimsoll, plimsoll_in, scratch};
use crate::site::LEAST;

/// What is wrong with a value by a schema; the keywords that ours use. `root` has the definitions.
pub(crate) fn wrong(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        let definition = root.pointer(name.trim_start_matches('#')).unwrap();
        wrong(root, definition, value, at, found);
    }
    for choices in [&schema["anyOf"], &schema["oneOf"]] {
        let fits = |choice: &Value| {
            let mut found = Vec::new();
            wrong(root, choice, value, at, &mut found);
            found.is_empty()
        };
        if choices.as_array().is_some_and(|choices| !choices.iter().any(fits)) {
            found.push(format!("{at}: {value} is none of {choices}"));
        }
    }
    let is_a = |kind: &Value| match kind.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.as_f64().is_some_and(|x| x.fract() == 0.0),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("{other}"),
    };
    let is = match &schema["type"] {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(is_a),
        kind => is_a(kind),
    };
    if !is {
        found.push(format!("{at}: {value} is no {}", schema["type"]));
        return;
    }
    let limits = [("minimum", 1.0), ("maximum", -1.0)];
    for (key, sign) in limits {
        let (limit, number) = (schema[key].as_f64(), value.as_f64());
        if limit.zip(number).is_some_and(|(limit, number)| sign * number < sign * limit) {
            found.push(format!("{at}: {value} beyond {key}"));
        }
    }
    let pattern = schema["pattern"].as_str().map(|p| PikeVM::new(p).unwrap());
    if pattern.is_some_and(|p| {
        let mut cache = p.create_cache();
        !p.is_match(&mut cache, value.as_str().unwrap())
    }) {
        found.push(format!("{at}: {value} does not match"));
    }
    let words = schema["enum"].as_array();
    if words.is_some_and(|words| !words.contains(value)) {
        found.push(format!("{at}: {value} is no known word"));
    }
    for item in value.as_array().into_iter().flatten() {
        wrong(root, &schema["items"], item, &format!("{at}[]"), found);
    }
    let has_keys = ["properties", "additionalProperties"].map(|keyword| schema.get(keyword).is_some());
    let Some(entries) = value.as_object().filter(|_| has_keys.contains(&true)) else {
        return;
    };
    for key in schema["required"].as_array().into_iter().flatten() {
        if !entries.contains_key(key.as_str().unwrap()) {
            found.push(format!("{at}: {key} is missing"));
        }
    }
    for (key, value) in entries {
        let further = Some(&schema["additionalProperties"]).filter(|further| further.is_object());
        match schema["properties"].get(key).or(further) {
            Some(below) => wrong(root, below, value, &format!("{at}.{key}"), found),
            None => found.push(format!("{at}: {key} is unknown")),
        }
    }
}

fn against(schema: &Value, text: &str) -> Vec<String> {
    let site: toml::Table = text.parse().unwrap();
    let mut found = Vec::new();
    let site = serde_json::to_value(site).unwrap();
    wrong(schema, schema, &site, "", &mut found);
    found
}

#[test]
fn the_examples_and_a_full_site_are_valid() {
    let schema = plimsoll(&["schema"]).json();
    assert_eq!(schema["required"], serde_json::json!(["schema", "name", "people"]));
    let root = env!("CARGO_MANIFEST_DIR");
    let examples = SITES.map(example).into_iter().chain(["tests/site_full.toml".to_owned()]);
    for path in examples {
        let text = read_text(format!("{root}/{path}").as_ref()).unwrap();
        assert_eq!(against(&schema, &text), Vec::<String>::new(), "{path}");
    }
    assert_eq!(against(&schema, LEAST), Vec::<String>::new());
}

#[test]
fn what_the_reader_refuses_is_invalid() {
    let schema = plimsoll(&["schema"]).json();
    for (answer, reason) in [
        ("[data]\ndb_size = \"34 Gib\"", "does not match"),
        ("[data]\ndb_sise = \"34 GiB\"", "is unknown"),
        ("[data]\ndb_size = 34", "is no"),
        ("[server]\ncores = 1.5", "is no"),
        ("[server]\ncores = 5000", "maximum"),
        ("[infrastructure]\nprotocols = [\"nfs\"]", "known word"),
        ("[[people.site]]\nname = \"Lyon\"", "missing"),
        ("[server]\nrelease = \"2024\"", "does not match"),
    ] {
        let found = against(&schema, &format!("{LEAST}{answer}\n"));
        assert_eq!(found.len(), 1, "{answer}: {found:?}");
        assert!(found[0].contains(reason), "{answer}: {found:?}");
    }
}

#[test]
fn every_answer_has_its_question() {
    let schema = plimsoll(&["schema"]).json();
    let db = &schema["properties"]["data"]["properties"]["db_size"];
    assert!(db["description"].to_string().contains("How large is the database"));
    assert_eq!(db["examples"][0], "34 GiB");
}

#[test]
fn it_is_written_where_an_editor_finds_it() {
    let folder = scratch("schema");
    let save = ["schema", "--save", "plimsoll.schema.json"];
    plimsoll_in(&folder, &save).done();
    let text = read_text(&folder.join("plimsoll.schema.json")).unwrap();
    let written: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(written, plimsoll(&["schema"]).json());
    assert!(plimsoll_in(&folder, &save).refused().contains("--force"));
}
