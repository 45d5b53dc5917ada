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
            let value = serde_json::from_str(&text)
                .or_else(|_| serde_json::from_str(&lines[..=n].join("\n")));
            return Some((n + 1, of_value(&value.ok()?)?));
        }
    }
    None
}

fn of_value(value: &Value) -> Option<Json> {
    if let Some(devices) = value["blockdevices"].as_array() {
        let mut found = Vec::new();
        collect(devices, None, 0, &mut found);
        return Some(Json::Devices(found));
    }
    if let Some(mounts) = value["filesystems"].as_array() {
        let mut found = Vec::new();
        mounted(mounts, 0, &mut found);
        return Some(Json::Mounts(found));
    }
    let lines = value["lscpu"].as_array()?;
    let mut found = Vec::new();
    processors(lines, 0, &mut found);
    Some(Json::Processors(found))
}

/// A value as `lsblk` prints it in a table; older ones put numbers in quotes.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn collect(nodes: &[Value], parent: Option<usize>, depth: usize, found: &mut Vec<Device>) {
    for node in nodes {
        if found.len() >= NODES_MAX || depth > DEPTH_MAX {
            return;
        }
        let mut device = Device {
            parent,
            ..Device::default()
        };
        for (key, value) in node.as_object().into_iter().flatten() {
            let items = value
                .as_array()
                .map_or(std::slice::from_ref(value), Vec::as_slice);
            if key == "children" {
                continue;
            }
            for item in items {
                let item = text(item);
                let item = item.trim();
                if !item.is_empty() {
                    put(&mut device, key, item);
                }
            }
        }
        let index = found.len();
        found.push(device);
        if let Some(children) = node["children"].as_array() {
            collect(children, Some(index), depth + 1, found);
        }
    }
}

fn mounted(nodes: &[Value], depth: usize, found: &mut Vec<Mount>) {
    for node in nodes {
        if found.len() >= NODES_MAX || depth > DEPTH_MAX {
            return;
        }
        let of = |key: &str| text(&node[key]);
        found.push(Mount {
            source: of("source")
                .split('[')
                .next()
                .unwrap_or_default()
                .to_owned(),
            target: of("target"),
            kind: of("fstype"),
            options: of("options"),
        });
        if let Some(children) = node["children"].as_array() {
            mounted(children, depth + 1, found);
        }
    }
}

fn processors(nodes: &[Value], depth: usize, found: &mut Vec<(String, String)>) {
    for node in nodes {
        if found.len() >= NODES_MAX || depth > DEPTH_MAX {
            return;
        }
        let name = text(&node["field"]);
        found.push((name.trim_end_matches(':').to_owned(), text(&node["data"])));
        if let Some(children) = node["children"].as_array() {
            processors(children, depth + 1, found);
        }
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
        assert_eq!(
            (devices[0].rotates, devices[1].parent),
            (Some(true), Some(0))
        );
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
        for text in [
            "{",
            "{}",
            "{\"a\": 1}",
            "}",
            "{\"blockdevices\": [",
            "{\"x\": \"\\\"}\"}",
        ] {
            assert_eq!(object(&lines(text)), None, "{text}");
        }
        let deep = format!("{}{}", "{\"children\":[".repeat(5000), "]}".repeat(5000));
        assert_eq!(object(&lines(&deep)), None);
    }
}
