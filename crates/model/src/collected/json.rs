//! Outputs in JSON: `lsblk -J`, `findmnt -J`, `lscpu -J`.

use std::borrow::Cow;

use serde_json::Value;

use super::facts::{Device, Mount};
use super::tables::put;

/// More nodes of a tree are not read, nor deeper ones.
const NODES_MAX: usize = 10_000;
const DEPTH_MAX: usize = 32;

/// What a JSON output says.
#[derive(Debug, PartialEq)]
pub(super) enum Json {
    Devices(Vec<Device>),
    Mounts(Vec<Mount>),
    Processors(Vec<(String, String)>),
}

/// How many of the lines are one JSON object, beginning with the first, and what it says; `None` where they are none.
pub(super) fn object(lines: &[Cow<'_, str>]) -> Option<(usize, Json)> {
    const LINES_MAX: usize = 20_000;
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for (n, line) in lines.iter().enumerate().take(LINES_MAX) {
        for c in line.chars() {
            match c {
                _ if escaped => escaped = false,
                '\\' if in_text => escaped = true,
                '"' => in_text = !in_text,
                '{' | '[' if !in_text => depth += 1,
                '}' | ']' if !in_text => depth = depth.checked_sub(1)?,
                _ => {}
            }
        }
        if depth == 0 {
            // A terminal that wraps cuts within words; lines of JSON are joined as they are.
            let text = lines[..=n].concat();
            let value = serde_json::from_str(&text).or_else(|_| serde_json::from_str(&lines[..=n].join("\n")));
            return Some((n + 1, of_value(&value.ok()?)?));
        }
    }
    None
}

fn of_value(value: &Value) -> Option<Json> {
    if let Some(devices) = tree(&value["blockdevices"]) {
        let devices = devices.into_iter();
        let devices = devices.map(|(node, parent)| device(node, parent));
        return Some(Json::Devices(devices.collect()));
    }
    if let Some(mounts) = tree(&value["filesystems"]) {
        let mounts = mounts.into_iter().map(|(node, _)| mount(node));
        return Some(Json::Mounts(mounts.collect()));
    }
    let lines = tree(&value["lscpu"])?.into_iter().map(|(node, _)| {
        let name = text(&node["field"]);
        (name.trim_end_matches(':').to_owned(), text(&node["data"]))
    });
    Some(Json::Processors(lines.collect()))
}

/// The nodes of a tree from above, each with the index of the one over it.
fn tree(top: &Value) -> Option<Vec<(&Value, Option<usize>)>> {
    let mut found = Vec::new();
    add(top.as_array()?, None, 0, &mut found);
    Some(found)
}

fn add<'v>(nodes: &'v [Value], parent: Option<usize>, depth: usize, found: &mut Vec<(&'v Value, Option<usize>)>) {
    for node in nodes {
        if found.len() >= NODES_MAX || depth > DEPTH_MAX {
            return;
        }
        let index = found.len();
        found.push((node, parent));
        if let Some(children) = node["children"].as_array() {
            add(children, Some(index), depth + 1, found);
        }
    }
}

/// A value as `lsblk` prints it in a table; older ones put numbers in quotes.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn device(node: &Value, parent: Option<usize>) -> Device {
    let mut device = Device { parent, ..Device::default() };
    let fields = node.as_object().into_iter().flatten();
    for (key, value) in fields.filter(|(key, _)| *key != "children") {
        let items = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        for item in items.iter().map(text) {
            let item = item.trim();
            if !item.is_empty() {
                put(&mut device, key, item);
            }
        }
    }
    device
}

fn mount(node: &Value) -> Mount {
    let of = |key: &str| text(&node[key]);
    let source = of("source");
    Mount {
        source: source.split('[').next().unwrap_or_default().to_owned(),
        target: of("target"),
        kind: of("fstype"),
        options: of("options"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Cow<'_, str>> {
        text.lines().map(Cow::Borrowed).collect()
    }

    #[test]
    fn trees_of_old_and_new_lsblk() {
        let old = lines(
            "{\n \"blockdevices\": [\n {\"name\":\"sda\", \"size\":\"1.8T\", \"rota\":\"1\", \"type\":\"disk\", \"mountpoint\":null,\n \"children\": [\n\
             {\"name\":\"sda1\", \"type\":\"part\", \"mountpoint\":\"/\"}\n ]}\n ]\n}\nrest",
        );
        let Some((8, Json::Devices(devices))) = object(&old) else {
            panic!("{:?}", object(&old));
        };
        assert_eq!((devices[0].rotates, devices[1].parent), (Some(true), Some(0)));
        assert_eq!(devices[1].targets, ["/"]);
        let new = lines(
            "{\"blockdevices\":[{\"name\":\"nvme0n1\",\"size\":3840755982336,\"rota\":false,\"type\":\"disk\",\"tran\":\"nvme\",\"mountpoints\":[null,\"/a\"]}]}",
        );
        let Some((1, Json::Devices(devices))) = object(&new) else {
            panic!("{:?}", object(&new));
        };
        assert!(devices[0].is_exact && devices[0].targets == ["/a"]);
    }

    #[test]
    fn what_is_no_output_is_left() {
        for text in ["{", "{}", "{\"a\": 1}", "}", "{\"blockdevices\": [", "{\"x\": \"\\\"}\"}"] {
            assert_eq!(object(&lines(text)), None, "{text}");
        }
        let deep = format!("{}{}", "{\"children\":[".repeat(5000), "]}".repeat(5000));
        assert_eq!(object(&lines(&deep)), None);
    }
}
