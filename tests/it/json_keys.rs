//! Keys of the JSON answers: `json_keys.txt` pins each with its kind of value, and `docs/json.md` names each.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::LazyLock;

use plimsoll::document::read_text;
use serde_json::Value;

use crate::cli::{plimsoll_in, scratch, write};
use crate::cli_workload::{day, journals};
use crate::kept;
use crate::serverlog_reader::fixtures;

/// In the project's folder. The fit of some day, so that what is null does not follow today's.
const OF_EXAMPLES: [(&str, &[&str]); 11] = [
    (
        "advise",
        &[
            "advise tests/site_full.toml --confirm 50ms --calibration tests/frozen",
            "advise assets/examples/game-studio.toml --calibration tests/frozen",
            "advise assets/examples/netapp-lab-2013.toml --calibration tests/frozen",
        ],
    ),
    (
        "advise --from-today",
        &["advise assets/examples/sun-partner-2009.toml --from-today --calibration tests/frozen"],
    ),
    (
        "advise --against",
        &[
            "advise assets/examples/netapp-lab-2013.toml --set people.developers=240 --against assets/examples/netapp-lab-2013.toml --calibration tests/frozen",
        ],
    ),
    (
        "predict",
        &[
            "predict assets/examples/netapp-lab-2013.toml --layout n13-fc --confirm 50ms --calibration tests/frozen",
            "predict assets/examples/game-studio.toml --layout local-all --calibration tests/frozen",
        ],
    ),
    (
        "predict --compare",
        &[
            "predict assets/examples/netapp-lab-2013.toml --compare n13-fc,n13-nfs --calibration tests/frozen",
        ],
    ),
    (
        "predict --experiment",
        &["predict --experiment P17-branchsubmit-ssd --calibration tests/frozen"],
    ),
    (
        "simulate",
        &[
            "simulate assets/examples/netapp-lab-2013.toml --layout n13-fc --events 50000 --calibration tests/frozen",
            "simulate assets/examples/netapp-lab-2013.toml --layout n13-fc --scenario peak-hour --replications 1 --events 100000 --calibration tests/frozen",
        ],
    ),
    (
        "simulate --compare",
        &[
            "simulate assets/examples/netapp-lab-2013.toml --compare n13-fc,n13-nfs --events 50000 --replications 2 --calibration tests/frozen",
        ],
    ),
    (
        "solve",
        &[
            "solve assets/examples/networks/jain-terminals.toml",
            "solve assets/examples/networks/p4d-small.toml --method sim --precision 20%",
            "solve assets/examples/networks/mm1.toml --method bounds",
            "solve assets/examples/networks/mm1.toml --set 'class.jobs.rate=9 /s'",
            "solve assets/examples/networks/mm1.toml --compare exact,amva",
            "solve assets/examples/networks/mm1.toml --sweep jobs.rate=0.5:1.5:0.5",
        ],
    ),
    (
        "workload --replay",
        &[
            "workload assets/examples/logs/blocked.log --replay assets/examples/netapp-lab-2013.toml --layout n13-fc",
        ],
    ),
    ("models, explain", &["models arrays", "explain STO001"]),
];

/// In a folder with [`inputs`].
const OF_FILES: [(&str, &[&str]); 4] = [
    (
        "calibrate --add",
        &[
            "calibrate --add run.toml --save saved",
            "calibrate --add bench.toml --site site.toml",
        ],
    ),
    (
        "workload",
        &[
            "workload blocked.log",
            "workload traps.log",
            "workload day.log journal checkpoint --site written.toml",
        ],
    ),
    (
        "bench",
        &["bench . --dry-run", "bench --compare bench.toml bench.toml"],
    ),
    ("rehearse", &["rehearse site.toml --at . --dry-run"]),
];

fn inputs(folder: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/examples");
    for (name, example) in [
        ("run.toml", "measurements/branchsubmit.toml"),
        ("bench.toml", "measurements/microbenchmark.toml"),
        ("site.toml", "netapp-lab-2013.toml"),
        ("blocked.log", "logs/blocked.log"),
    ] {
        write(folder, name, read_text(&root.join(example)).unwrap());
    }
    let traps = [fixtures::SUBMIT_AND_SYNC, fixtures::OTHERS].concat();
    write(folder, "traps.log", traps);
    write(folder, "day.log", day());
    write(folder, "journal", journals::journal(0..48));
    write(folder, "checkpoint", journals::checkpoint());
}

/// Objects whose keys are names of things.
const BY_NAME: [&str; 4] = ["criteria", "readings", "targets_missed", "without_script"];

/// What stands at one place of all answers of a command.
#[derive(Debug, Default)]
struct Shape {
    kinds: BTreeSet<&'static str>,
    /// Objects among them.
    objects: usize,
    /// Keys of these objects, each with how many have it.
    keys: BTreeMap<String, (usize, Self)>,
    element: Option<Box<Self>>,
}

impl Shape {
    fn add(&mut self, value: &Value) {
        self.kinds.insert(match value {
            Value::Null => "null",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "number",
            Value::String(_) => "text",
            Value::Array(_) => "list",
            Value::Object(_) => "object",
        });
        for item in value.as_array().into_iter().flatten() {
            self.element.get_or_insert_default().add(item);
        }
        let Some(object) = value.as_object() else {
            return;
        };
        self.objects += 1;
        for (key, value) in object {
            let (count, shape) = self.keys.entry(key.clone()).or_default();
            *count += 1;
            shape.add(value);
        }
    }

    /// A line for each place; an object or a list in which something stands has none of its own unless it may be missing.
    fn lines(&self, at: &str, may_be_absent: bool, out: &mut String) {
        let mut kinds: Vec<&str> = self.kinds.iter().copied().collect();
        if may_be_absent {
            kinds.push("absent");
        }
        let is_empty = self.keys.is_empty() && self.element.is_none();
        if is_empty || kinds.len() > 1 {
            writeln!(out, "{at}: {}", kinds.join(" | ")).unwrap();
        }
        if let Some(element) = &self.element {
            element.lines(&format!("{at}[]"), false, out);
        }
        for (key, (count, shape)) in &self.keys {
            let at = format!("{at}{}{key}", if at.is_empty() { "" } else { "." });
            shape.lines(&at, *count < self.objects, out);
        }
    }

    fn names(&self, found: &mut BTreeSet<String>) {
        found.extend(self.keys.keys().cloned());
        let inner = self.keys.values().map(|(_, shape)| shape);
        for shape in inner.chain(self.element.as_deref()) {
            shape.names(found);
        }
    }
}

/// An answer with one name for all names of things.
fn without_names(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(without_names),
        Value::Object(map) => {
            for (key, value) in map {
                if let (true, Some(object)) = (BY_NAME.contains(&key.as_str()), value.as_object()) {
                    let any = object.values().next().cloned();
                    *value = any
                        .map(|any| ("NAME".to_owned(), any))
                        .into_iter()
                        .collect();
                }
                without_names(value);
            }
        }
        _ => {}
    }
}

fn shape(folder: &Path, runs: &[&str]) -> Shape {
    let mut shape = Shape::default();
    for run in runs {
        let words = shlex::split(run).unwrap();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut answer = plimsoll_in(folder, &[&words[..], &["--format", "json"]].concat()).json();
        without_names(&mut answer);
        shape.add(&answer);
    }
    shape
}

/// Each command runs once for all tests.
static SHAPES: LazyLock<Vec<(&str, Shape)>> = LazyLock::new(|| {
    let (root, folder) = (Path::new(env!("CARGO_MANIFEST_DIR")), scratch("json-keys"));
    inputs(&folder);
    let examples = OF_EXAMPLES
        .iter()
        .map(|(name, runs)| (*name, shape(root, runs)));
    let files = OF_FILES
        .iter()
        .map(|(name, runs)| (*name, shape(&folder, runs)));
    examples.chain(files).collect()
});

#[test]
fn keys_and_their_kinds_stay() {
    let mut page = String::new();
    for (name, shape) in &*SHAPES {
        writeln!(page, "# {name}").unwrap();
        shape.lines("", false, &mut page);
    }
    kept::page("tests/it/json_keys.txt", &page);
}

#[test]
fn the_page_on_json_names_every_key() {
    let page = read_text(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json.md")).unwrap();
    let words: BTreeSet<&str> = page
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .collect();
    let mut keys = BTreeSet::new();
    SHAPES.iter().for_each(|(_, shape)| shape.names(&mut keys));
    // The page says of a spread that its keys end in the unit.
    let is_of_a_spread = |key: &str| {
        let start = key.split('_').next().unwrap_or_default();
        key != start && ["mean", "p50", "p95", "max"].contains(&start)
    };
    let missing: Vec<&String> = keys
        .iter()
        .filter(|key| !words.contains(key.as_str()) && !is_of_a_spread(key) && *key != "NAME")
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
