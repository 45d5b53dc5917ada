//! JSON answers: each holds its schema (`plimsoll schema ANSWER`), and `docs/json.md` says what the schemas say.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use plimsoll::cli::answers;
use plimsoll::document::{read_text, read_text_up_to};
use serde_json::{Map, Value, json};

use crate::cli::{plimsoll, plimsoll_in, scratch, write};
use crate::cli_workload::{day, journals};
use crate::kept;
use crate::schema::wrong;
use crate::serverlog_reader::fixtures;

/// In the project's folder. The fit of some day, so that what is null does not follow today's.
const OF_EXAMPLES: [(&str, &str); 31] = [
    ("advise", "advise tests/site_full.toml --confirm 50ms --calibration tests/frozen"),
    ("advise", "advise assets/examples/game-studio.toml --calibration tests/frozen"),
    ("advise", "advise assets/examples/netapp-lab-2013.toml --calibration tests/frozen"),
    ("advise-from-today", "advise assets/examples/sun-partner-2009.toml --from-today --calibration tests/frozen"),
    (
        "advise-against",
        "advise assets/examples/netapp-lab-2013.toml --set people.developers=240 --against assets/examples/netapp-lab-2013.toml --calibration tests/frozen",
    ),
    (
        "advise-why-not",
        "advise assets/examples/game-studio.toml --why-not iscsi --no-confirm --calibration tests/frozen",
    ),
    (
        "advise-emit",
        "advise assets/examples/netapp-lab-2013.toml --emit commit-server/fstab --calibration tests/frozen",
    ),
    (
        "predict",
        "predict assets/examples/netapp-lab-2013.toml --layout n13-fc --confirm 50ms --calibration tests/frozen",
    ),
    ("predict", "predict assets/examples/game-studio.toml --layout local-all --calibration tests/frozen"),
    (
        "predict",
        "predict assets/examples/game-studio.toml --layout local-all --set people.developers=90000 --calibration tests/frozen",
    ),
    (
        "predict-compare",
        "predict assets/examples/netapp-lab-2013.toml --compare n13-fc,n13-nfs --calibration tests/frozen",
    ),
    ("predict-experiment", "predict --experiment P17-branchsubmit-ssd --calibration tests/frozen"),
    (
        "simulate",
        "simulate assets/examples/netapp-lab-2013.toml --layout n13-fc --events 50000 --calibration tests/frozen",
    ),
    (
        "simulate",
        "simulate assets/examples/netapp-lab-2013.toml --layout n13-fc --scenario peak-hour --replications 1 --events 100000 --calibration tests/frozen",
    ),
    (
        "simulate-compare",
        "simulate assets/examples/netapp-lab-2013.toml --compare n13-fc,n13-nfs --events 50000 --replications 2 --calibration tests/frozen",
    ),
    ("solve", "solve assets/examples/networks/jain-terminals.toml"),
    ("solve", "solve assets/examples/networks/p4d-small.toml --method sim --precision 20%"),
    ("solve-bounds", "solve assets/examples/networks/mm1.toml --method bounds"),
    ("solve-saturated", "solve assets/examples/networks/mm1.toml --set 'class.jobs.rate=9 /s'"),
    ("solve-compare", "solve assets/examples/networks/mm1.toml --compare exact,amva"),
    ("solve-sweep", "solve assets/examples/networks/mm1.toml --sweep jobs.rate=0.5:1.5:0.5"),
    (
        "workload-replay",
        "workload assets/examples/logs/blocked.log --replay assets/examples/netapp-lab-2013.toml --layout n13-fc",
    ),
    ("workload-without", "workload assets/examples/logs/blocked.log --without user=ann"),
    ("calibrate", "calibrate"),
    ("models", "models arrays"),
    ("explain", "explain STO001"),
    ("collect", "collect"),
    ("errors", "explain nosuch"),
    ("errors", "advise tests/broken/several_at_once.toml"),
    ("errors", "advise nosuch.toml"),
    ("errors", "advise --nosuch"),
];

/// In a folder with [`inputs`], in this order.
const OF_FILES: [(&str, &str); 21] = [
    ("calibrate-add", "calibrate --add run.toml --save saved"),
    ("calibrate-add", "calibrate --add bench.toml --site site.toml"),
    ("workload", "workload blocked.log"),
    ("workload", "workload traps.log"),
    ("workload", "workload day.log journal checkpoint --site written.toml"),
    ("bench-dry-run", "bench . --dry-run"),
    ("bench-compare", "bench --compare bench.toml bench.toml"),
    ("clean", "bench . --clean"),
    ("rehearse-dry-run", "rehearse site.toml --at . --dry-run"),
    ("rehearse-points", "rehearse site.toml --points points.toml --from points.json"),
    ("clean", "rehearse site.toml --at . --clean"),
    ("init", "init copied.toml --from game-studio"),
    ("init", "init from.toml --from outputs.txt"),
    ("init", "init logged.toml --log blocked.log"),
    ("init-advise", "init site.toml --questions 0"),
    ("report", "report site.toml -o report.json --rehearsal rehearsal.toml"),
    ("report-json", "report.json"),
    ("simulate-log", "simulate site.toml --layout n13-fc --log simulated.log --log-time '1 min'"),
    ("bench", "bench.toml"),
    ("rehearse", "rehearsal.toml"),
    ("collect", "collect --save collect.sh"),
];

/// Answers that no run above makes: those of minutes, one that measures, and traces, of which the shortest has hundreds of megabytes.
const NOT_RUN: [&str; 4] = ["calibrate-check", "rehearse-compare", "simulate-trace", "simulate-trace-locks"];

fn inputs(folder: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, path) in [
        ("run.toml", "assets/examples/measurements/branchsubmit.toml"),
        ("bench.toml", "assets/examples/measurements/microbenchmark.toml"),
        ("site.toml", "assets/examples/netapp-lab-2013.toml"),
        ("blocked.log", "assets/examples/logs/blocked.log"),
        ("outputs.txt", "tests/collected/everything-on-nfs.txt"),
        ("rehearsal.toml", "tests/rehearsal.toml"),
    ] {
        write(folder, name, read_text(&root.join(path)).unwrap());
    }
    let traps = [fixtures::SUBMIT_AND_SYNC, fixtures::OTHERS].concat();
    write(folder, "traps.log", traps);
    write(folder, "day.log", day());
    write(folder, "journal", journals::journal(0..48));
    write(folder, "checkpoint", journals::checkpoint());
    let rehearsal = saved(&folder.join("rehearsal.toml")).remove(0);
    let load = &rehearsal["load_ratio"];
    let point = format!("schema = 1\n[[point]]\nid = \"one\"\nhalf = \"find\"\nat = \"any\"\nload = {load}\n");
    write(folder, "points.toml", point);
    let points = json!({ "schema": 1, "tool": "any", "points": [{ "id": "one", "rehearsal": rehearsal }] });
    write(folder, "points.json", points.to_string());
}

/// The objects of a file: TOML, JSON, or JSON Lines.
fn saved(path: &Path) -> Vec<Value> {
    let text = read_text_up_to(path, 64 << 20).unwrap();
    match path.extension().and_then(|end| end.to_str()) {
        Some("toml") => {
            vec![serde_json::to_value(toml::from_str::<toml::Table>(&text).unwrap()).unwrap()]
        }
        Some("jsonl") => text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
        _ => {
            let mut answer: Value = serde_json::from_str(&text).unwrap();
            // By which Plimsoll knows a file of its own again: no part of the answer.
            answer.as_object_mut().unwrap().remove("mark");
            vec![answer]
        }
    }
}

/// What a command answers, on stdout or stderr; what a file holds.
fn answered(folder: &Path, run: &str) -> Vec<Value> {
    let words = shlex::split(run).unwrap();
    if let [file] = words.as_slice()
        && folder.join(file).exists()
    {
        return saved(&folder.join(file));
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ran = plimsoll_in(folder, &[&words[..], &["--format", "json"]].concat());
    let text = if ran.out.is_empty() { &ran.err } else { &ran.out };
    vec![serde_json::from_str(text).unwrap_or_else(|error| panic!("{run}: {error}: {text}"))]
}

#[test]
fn every_answer_holds_its_schema() {
    let (root, folder) = (Path::new(env!("CARGO_MANIFEST_DIR")), scratch("json-answers"));
    inputs(&folder);
    let [schemas, _] = answers();
    let of_examples = OF_EXAMPLES.iter().map(|run| (root, run));
    let of_files = OF_FILES.iter().map(|run| (folder.as_path(), run));
    let mut run = BTreeSet::from(NOT_RUN);
    let mut found = Vec::new();
    for (folder, (name, command)) in of_examples.chain(of_files) {
        let (_, schema) = schemas.iter().find(|(answer, _)| answer == name).unwrap();
        for answer in answered(folder, command) {
            wrong(schema, schema, &answer, &format!("{command}: "), &mut found);
        }
        run.insert(name);
    }
    let all: BTreeSet<&str> = schemas.iter().map(|(name, _)| *name).collect();
    assert_eq!(run, all);
    found.dedup();
    assert!(found.is_empty(), "{:#?}", &found[..found.len().min(40)]);
}

#[test]
fn an_unknown_key_and_a_missing_one_are_found() {
    let [schemas, _] = answers();
    let (_, schema) = schemas.iter().find(|(name, _)| *name == "explain").unwrap();
    let mut answer = plimsoll(&["explain", "STO001", "--format", "json"]).json();
    answer["text"] = Value::Null;
    answer["more"] = 1.into();
    answer.as_object_mut().unwrap().remove("kind");
    let mut found = Vec::new();
    wrong(schema, schema, &answer, "", &mut found);
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn a_schema_is_printed_by_name() {
    let [schemas, _] = answers();
    for (name, schema) in schemas.iter().take(3) {
        assert_eq!(plimsoll(&["schema", name]).json(), *schema, "{name}");
    }
    assert_eq!(plimsoll(&["schema", "nosuch"]).code, 2);
}

/// Where an object was described first: its definition, its heading or path, and the heading's anchor.
type Known = BTreeMap<String, (Value, String, String)>;

/// The part of `docs/json.md` that the schemas say.
#[derive(Default)]
struct Page {
    /// Sections so far: what has all keys of one names it in their place.
    sections: Vec<(String, Value)>,
    known: Known,
    text: String,
    /// The heading under which rows are written.
    heading: String,
}

impl Page {
    fn section(&mut self, level: &str, name: &str, schema: &Value) {
        name.clone_into(&mut self.heading);
        let about = described(schema);
        let head = "| object | keys |\n|---|---|";
        write!(self.text, "{level} {name}\n\n{about}\n\n{head}\n").unwrap();
        self.row("", schema, schema);
        self.text.push('\n');
        let title = schema["title"].as_str().unwrap().to_owned();
        let mut definition = schema.clone();
        for keyword in ["$schema", "$defs", "title"] {
            definition.as_object_mut().unwrap().remove(keyword);
        }
        let known = (definition, name.to_owned(), anchor(name));
        self.known.insert(title, known);
        self.sections.push((name.to_owned(), schema["properties"].clone()));
        self.sections.sort_by_key(|(_, keys)| std::cmp::Reverse(keys.as_object().unwrap().len()));
    }

    /// A row about an object, then one for each of the objects in it.
    fn row(&mut self, path: &str, root: &Value, object: &Value) {
        let no_keys = Map::new();
        let mut keys = object["properties"].as_object().unwrap_or(&no_keys).clone();
        let mut told = Vec::new();
        for (section, common) in &self.sections {
            let common = common.as_object().unwrap();
            if common.iter().all(|(key, of)| keys.get(key) == Some(of)) {
                keys.retain(|key, _| !common.contains_key(key));
                told.push(format!("the keys of [{section}](#{})", anchor(section)));
            }
        }
        let mut below = Vec::new();
        let required: Vec<&str> =
            object["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (key, schema) in &keys {
            let is_optional = !required.contains(&key.as_str());
            told.push(self.key((path, key), root, schema, is_optional, &mut below));
        }
        if let Some(further) = object.get("additionalProperties").filter(|further| further.is_object()) {
            told.push(self.key((path, "NAME"), root, further, false, &mut below));
        }
        let shown = if path.is_empty() { String::new() } else { format!("`{path}`") };
        writeln!(self.text, "| {shown} | {} |", told.join("<br>")).unwrap();
        for (path, object) in below {
            self.row(&path, root, &object);
        }
    }

    /// A key, what its value is and means. Objects in it that are told for the first time are put `below`.
    fn key(
        &mut self,
        (path, key): (&str, &str),
        root: &Value,
        schema: &Value,
        is_optional: bool,
        below: &mut Vec<(String, Value)>,
    ) -> String {
        let (mut kinds, mut inner) = (Vec::new(), Vec::new());
        kind(root, schema, "", &mut kinds, &mut inner);
        kinds.extend(is_optional.then(|| "absent".to_owned()));
        let mut meaning = described(schema);
        for (suffix, name, object) in inner {
            let path = [path, key].join(if path.is_empty() { "" } else { "." });
            let path = format!("{path}{suffix}");
            let known = self.known.get(&name).filter(|(known, ..)| *known == object);
            if let Some((_, label, anchor)) = known {
                write!(meaning, " See [{label}](#{anchor}).").unwrap();
            } else {
                let label = format!("{path} of {}", self.heading);
                self.known.insert(name, (object.clone(), label, anchor(&self.heading)));
                below.push((path, object));
            }
        }
        let kinds = kinds.join(", ");
        let meaning = meaning.trim();
        format!("`{key}` {kinds}{}{meaning}", if meaning.is_empty() { "" } else { ": " })
    }
}

/// Kinds of a value, and the objects in it: what stands behind the path, name and definition.
fn kind(root: &Value, schema: &Value, suffix: &str, kinds: &mut Vec<String>, inner: &mut Vec<(String, String, Value)>) {
    let all = |key: &str| schema[key].as_array().into_iter().flatten();
    if let Some(pointer) = schema["$ref"].as_str() {
        let definition = root.pointer(pointer.trim_start_matches('#')).unwrap();
        if definition["type"] == "object" {
            kinds.push("object".to_owned());
            let name = pointer.rsplit('/').next().unwrap().to_owned();
            inner.push((suffix.to_owned(), name, definition.clone()));
        } else {
            kind(root, definition, suffix, kinds, inner);
        }
    }
    for choice in all("anyOf").chain(all("oneOf")) {
        kind(root, choice, suffix, kinds, inner);
    }
    let words: Vec<&Value> = all("enum").chain(schema.get("const")).collect();
    kinds.extend(words.iter().map(|word| format!("`{}`", word.as_str().unwrap())));
    let types = match &schema["type"] {
        Value::Array(types) => types.as_slice(),
        one => std::slice::from_ref(one),
    };
    for one in types.iter().filter_map(Value::as_str).filter(|_| words.is_empty()) {
        kinds.push(match one {
            "string" => "text".to_owned(),
            "integer" => "number".to_owned(),
            "boolean" => "true or false".to_owned(),
            other => other.replace("array", "list"),
        });
        let each = &schema["additionalProperties"];
        match one {
            "array" => kind(root, &schema["items"], &format!("{suffix}[]"), &mut Vec::new(), inner),
            "object" if each.is_object() => kind(root, each, &format!("{suffix}.NAME"), &mut Vec::new(), inner),
            "object" => inner.push((suffix.to_owned(), schema.to_string(), schema.clone())),
            _ => {}
        }
    }
    kinds.dedup();
}

/// What a schema says of itself.
fn described(schema: &Value) -> String {
    let text = schema["description"].as_str().unwrap_or_default();
    text.replace('\n', " ").replace('|', "\\|")
}

/// The anchor of a heading.
fn anchor(heading: &str) -> String {
    heading.to_lowercase().replace(' ', "-")
}

#[test]
fn the_page_on_json_says_what_the_schemas_say() {
    let [schemas, parts] = answers();
    let mut page = Page::default();
    for (name, schema) in &parts {
        page.section("###", name, schema);
    }
    let of_parts = std::mem::take(&mut page.text);
    for (name, schema) in &schemas {
        page.section("##", name, schema);
    }
    let text = format!("{}## Objects that several answers have\n\n{of_parts}", page.text);
    kept::section("docs/json.md", "answers", &text);
}
