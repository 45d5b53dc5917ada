//! The JSON Schema of the site file, made from [`FIELDS`]: an editor completes and checks the answers with it.

use serde_json::{Map, Value, json};

use super::fields::{FIELDS, Field, Kind};
use super::vocabulary::Vocabulary;
use crate::units::{Bytes, BytesPerSecond, Fraction, Growth, Hertz, PerSecond, Quantity, Seconds};

/// The schema, draft 2020-12, with the ids of a vocabulary as the words that answers take.
///
/// ```
/// use plimsoll_model::site::{Vocabulary, schema};
/// let schema = schema(&Vocabulary::default());
/// let people = &schema["properties"]["people"]["properties"];
/// assert_eq!(people["developers"]["type"], "integer");
/// assert_eq!(people["developers"]["maximum"], 100_000);
/// ```
pub fn schema(vocabulary: &Vocabulary) -> Value {
    let mut root = table(&fields_of(""), vocabulary);
    if let Some(properties) = root.get_mut("properties") {
        properties["measured"] = json!({
            "type": "object",
            "description": "Which answers `plimsoll workload --site` took from a log or `plimsoll init --from` from outputs: [measured.SECTION] with KEY = { value, from, low, high }.",
            "additionalProperties": { "type": "object", "additionalProperties": {
                "type": "object",
                "required": ["value", "from"],
                "properties": { "value": {}, "from": { "type": "string" }, "low": {}, "high": {} },
                "additionalProperties": false,
            } },
        });
    }
    for (key, value) in [
        ("$schema", "https://json-schema.org/draft/2020-12/schema"),
        ("title", "Plimsoll site file"),
        ("description", "The planning questionnaire: docs/site-file.md"),
    ] {
        root.insert(key.to_owned(), value.into());
    }
    root.into()
}

/// The fields and sections right below a path, by their whole path, in the order of asking.
fn fields_of(path: &str) -> Vec<String> {
    let prefix = if path.is_empty() { String::new() } else { format!("{path}.") };
    let mut found: Vec<String> = Vec::new();
    for field in FIELDS.iter() {
        let Some(rest) = field.path.strip_prefix(&prefix) else {
            continue;
        };
        let key = rest.split('.').next().unwrap_or(rest);
        let path = format!("{prefix}{key}");
        if !found.contains(&path) {
            found.push(path);
        }
    }
    found
}

/// The schema of a table that has these entries and no others.
fn table(paths: &[String], vocabulary: &Vocabulary) -> Map<String, Value> {
    let mut properties = Map::new();
    let mut required: Vec<Value> = Vec::new();
    for path in paths {
        let key = path.rsplit('.').next().unwrap_or(path);
        let field = FIELDS.iter().find(|f| f.path == path.as_str());
        let below = fields_of(path);
        let is_list = field.is_some_and(|f| f.kind == Kind::Tables);
        let value = match field {
            Some(field) if !is_list => answer(field, vocabulary),
            _ => {
                let one = Value::from(table(&below, vocabulary));
                match field {
                    Some(field) => json!({
                        "type": "array", "items": one, "description": description(field),
                    }),
                    None => one,
                }
            }
        };
        let has_required = |p: &String| FIELDS.iter().any(|f| f.path == p.as_str() && f.required);
        if field.is_some_and(|f| f.required) || (!is_list && below.iter().any(has_required)) {
            required.push(key.into());
        }
        properties.insert(key.to_owned(), value);
    }
    let mut found = Map::new();
    found.insert("type".to_owned(), "object".into());
    found.insert("additionalProperties".to_owned(), false.into());
    found.insert("properties".to_owned(), properties.into());
    if !required.is_empty() {
        found.insert("required".to_owned(), required.into());
    }
    found
}

/// The question, and why the limits.
fn description(field: &Field) -> String {
    let limits = match (field.limits, field.kind) {
        (Some((low, high)), kind) if kind != Kind::Text && low != high => {
            format!(" {low} to {high}:")
        }
        _ => String::new(),
    };
    format!("{}{limits} {}.", field.question, field.why)
}

fn answer(field: &Field, vocabulary: &Vocabulary) -> Value {
    let number = |text: &str| -> Value {
        let whole = text.parse::<i64>().map(Value::from);
        whole.or_else(|_fraction| text.parse::<f64>().map(Value::from)).unwrap_or_default()
    };
    let mut found = match field.kind {
        Kind::Text => json!({ "type": "string" }),
        Kind::Count => json!({ "type": "integer" }),
        Kind::Number => json!({ "type": "number" }),
        Kind::Size => quantity::<Bytes>(),
        Kind::Time => quantity::<Seconds>(),
        Kind::Rate => quantity::<PerSecond>(),
        Kind::Bandwidth => quantity::<BytesPerSecond>(),
        Kind::Clock => quantity::<Hertz>(),
        Kind::Share => quantity::<Fraction>(),
        Kind::Growth => quantity::<Growth>(),
        Kind::Release => json!({ "type": "string", "pattern": "^[0-9]{4}\\.[0-9]+$" }),
        Kind::YesNo => json!({ "type": "boolean" }),
        Kind::Word(words) => json!({ "type": "string", "enum": vocabulary.words(words) }),
        Kind::List(words) => json!({
            "type": "array", "items": { "type": "string", "enum": vocabulary.words(words) },
        }),
        Kind::Tables => json!({ "type": "array" }),
        Kind::Money => json!({ "type": "string", "pattern": "^\\s*[0-9._eE]+\\s*[A-Z]{3}\\s*$" }),
    };
    if let Some((low, high)) = field.limits {
        let keys = match field.kind {
            Kind::Count | Kind::Number => Some(["minimum", "maximum"]),
            Kind::Text => Some(["minLength", "maxLength"]),
            _ => None,
        };
        if let Some([least, most]) = keys {
            found[least] = number(low);
            found[most] = number(high);
        }
    }
    found["description"] = description(field).into();
    if let Some((_, example)) = field.unit.split_once(", ") {
        found["examples"] = json!([example.trim_matches('"')]);
    }
    found
}

/// A number and one of the units of a quantity.
fn quantity<Q: Quantity>() -> Value {
    let units: Vec<&str> = Q::UNITS.iter().map(|(unit, _)| *unit).collect();
    let pattern = format!("^\\s*[-+]?[0-9._]+([eE][-+]?[0-9]+)?\\s*({})\\s*$", units.join("|"));
    json!({ "type": "string", "pattern": pattern })
}
