//! Tagged output of `p4 -ztag`: records of fields.

use std::collections::BTreeMap;

use super::amount::{count, percent, size};
use super::facts::{Depot, Location, Running, Setting, Sizes, Space};
use super::p4::{SECRET, tagged_info};
use crate::serverlog::beside::clock;

/// A record of tagged output.
#[derive(Debug)]
pub(super) enum Tagged {
    Info(Vec<(String, String)>),
    Location(Location),
    Sizes(Sizes),
    Counter(String, String),
    Transfers(f64, f64),
    Running(Running),
    Setting(Setting),
    Depot(Depot),
    Users(f64, Option<f64>),
}

/// What a record of `p4 -ztag` says.
pub(super) fn tagged(record: &BTreeMap<String, String>) -> Option<Tagged> {
    let get = |name: &str| record.get(name).cloned();
    if let Some(location) = tagged_location(record) {
        return Some(Tagged::Location(location));
    }
    if let (Some(path), Some(files), Some(bytes)) = (get("path"), get("fileCount"), get("fileSize")) {
        return Some(Tagged::Sizes(Sizes { path, files: count(&files)?, bytes: size(&bytes, 1.0)?, all: None }));
    }
    if let (Some(transfers), Some(bytes)) = (get("replicaTransfersTotal"), get("replicaBytesTotal")) {
        return Some(Tagged::Transfers(count(&transfers)?, count(&bytes)?));
    }
    if let (Some(name), Some(value)) = (get("counter"), get("value")) {
        return Some(Tagged::Counter(name, value));
    }
    if let (Some(name), Some(value)) = (get("Name"), get("Value")) {
        let setting = Setting {
            name,
            value,
            scope: get("ServerName"),
            origin: get("Type").unwrap_or_else(|| "configure".to_owned()),
        };
        return Some(Tagged::Setting(setting)).filter(|_| !SECRET.contains(&record["Name"].as_str()));
    }
    if let (Some(status), Some(time), Some(command)) = (get("status"), get("time"), get("command")) {
        return Some(Tagged::Running(Running { status: status.chars().next()?, seconds: clock(&time)?, command }));
    }
    if let (Some(name), Some(kind), Some(map)) = (get("name"), get("type"), get("map")) {
        let map = map.trim_end_matches("/...").to_owned();
        return Some(Tagged::Depot(Depot { name, kind, map }));
    }
    if let Some(users) = get("userCount") {
        return Some(Tagged::Users(count(&users)?, get("clientCount").and_then(|n| count(&n))));
    }
    let known = record.iter().filter_map(|(field, value)| Some((tagged_info(field)?.to_owned(), value.clone())));
    let known: Vec<(String, String)> = known.collect();
    (known.len() >= 2).then_some(Tagged::Info(known))
}

/// The same as `p4 -ztag diskspace` has it.
fn tagged_location(record: &BTreeMap<String, String>) -> Option<Location> {
    let get = |names: &[&str]| names.iter().find_map(|name| record.get(*name));
    let bytes = |names: &[&str]| size(get(names)?, 1.0);
    let total = bytes(&["totalBytes", "total"])?;
    let free = bytes(&["freeBytes", "free"]);
    let percent = get(&["percentUsed"]).and_then(|text| percent(&format!("{}%", text.trim_end_matches('%'))));
    let used = bytes(&["usedBytes", "used"])
        .or_else(|| free.map(|free| total - free))
        .or_else(|| percent.map(|percent| total * percent / 100.0))?;
    Some(Location {
        name: get(&["location", "name"])?.clone(),
        space: Space {
            source: get(&["device", "source"]).cloned().unwrap_or_default(),
            kind: get(&["fileSystemType", "fsType", "type", "filesystem"]).cloned(),
            target: get(&["mountPoint", "mountedOn", "mount"]).cloned().unwrap_or_default(),
            total_bytes: total,
            used_bytes: used,
            asked: None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_without_its_use_has_what_is_not_free() {
        let record = [("location", "P4LOG"), ("freeBytes", "25"), ("totalBytes", "100"), ("fsType", "xfs")];
        let record = record.map(|(k, v)| (k.to_owned(), v.to_owned())).into();
        let Some(Tagged::Location(tagged)) = tagged(&record) else {
            panic!("it is one");
        };
        assert_eq!(tagged.space.used_bytes, 75.0);
    }
}
