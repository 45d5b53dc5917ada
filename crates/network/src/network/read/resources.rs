//! Stations, locks, pools and caches.

use crate::document::{Item, Limits, Reader};
use crate::sim::{Cache, CacheKind, Discipline, Lock, Pool, Station};
use crate::units::{Bytes, BytesPerSecond, Fraction, Seconds};

use super::distribution::TIME;

/// The words for kinds of stations, in the order of [`DISCIPLINES`].
pub(super) const KINDS: [&str; 7] = ["ps", "fcfs", "lcfs-pr", "priority", "preemptive-priority", "delay", "link"];

const DISCIPLINES: [Discipline; 7] = [
    Discipline::Ps,
    Discipline::Fcfs,
    Discipline::LcfsPr,
    Discipline::Priority,
    Discipline::PreemptivePriority,
    Discipline::Delay,
    Discipline::Ps,
];

const SERVERS: Limits<f64> = Limits { low: 1.0, high: 65_536.0, why: "a station has a whole number of servers" };

const CAPACITY: Limits<f64> = Limits { low: 1.0, high: 4e9, why: "with none of them nobody would ever go on" };

const SPEED: Limits<f64> =
    Limits { low: 1e-9, high: 1e9, why: "the speed of the whole station, 1 being that of one server" };

const LARGEST_CACHE: f64 = 1e7;

/// A station, and what one stream gets if it is a link \[bytes/s\].
pub(super) fn station(item: &Item<'_>) -> (Station, Option<f64>) {
    let mut station = Station { name: item.name.clone(), discipline: Discipline::Ps, servers: 1.0, speeds: Vec::new() };
    let Some(reader) = item.table() else {
        return (station, None);
    };
    let kind = reader.word("kind", &KINDS).map_or("ps", |k| k.value);
    let discipline = KINDS.iter().zip(DISCIPLINES).find(|(k, _)| **k == kind);
    station.discipline = discipline.map_or(Discipline::Ps, |(_, d)| d);
    let mut stream = None;
    match kind {
        "delay" => refuse(&reader, item, &["servers", "speeds"], "nobody waits at a delay"),
        "link" => {
            refuse(
                &reader,
                item,
                &["servers", "speeds"],
                "a link has a bandwidth, and a window and an rtt that limit one stream",
            );
            (station.servers, stream) = link(&reader);
        }
        _ => {
            let servers = reader.within("servers", reader.count("servers"), SERVERS, shown);
            station.servers = servers.map_or(1.0, |s| s.value);
            station.speeds = speeds(&reader);
            if !station.speeds.is_empty() {
                refuse(
                    &reader,
                    item,
                    &["servers"],
                    "speeds stand in place of servers: two servers are speeds = [1, 2]",
                );
            }
        }
    }
    if kind != "link" {
        refuse(&reader, item, &["bandwidth", "window", "rtt"], "only a station of kind = \"link\" has it");
    }
    reader.finish();
    (station, stream)
}

fn shown(x: f64) -> String {
    x.to_string()
}

/// Reports keys that the station's kind does not have.
fn refuse(reader: &Reader<'_>, item: &Item<'_>, keys: &[&'static str], why: &str) {
    for key in keys {
        if let Some(found) = reader.item(key) {
            let message = format!("station {:?} cannot have {key:?}", item.name);
            let d = found.problem("NET010", message, "not with this kind");
            reader.diagnostics().push(d.help(why));
        }
    }
}

fn speeds(reader: &Reader<'_>) -> Vec<f64> {
    let Some(list) = reader.item("speeds") else {
        return Vec::new();
    };
    let items = list.list("numbers").unwrap_or_default();
    if items.is_empty() && list.list("numbers").is_some() {
        reader.diagnostics().push(
            list.problem("DOC007", "a list of speeds must not be empty", "found nothing")
                .help("the speed with 1 customer, with 2, and so on; the last one holds beyond"),
        );
    }
    let numbers = items.iter().filter_map(|item| {
        let speed = reader.within("speeds", item.number(), SPEED, shown)?;
        Some(speed.value)
    });
    numbers.collect()
}

/// Streams that fill the link, and what one of them gets: window ÷ round trip at most.
fn link(reader: &Reader<'_>) -> (f64, Option<f64>) {
    reader.require(&["bandwidth"]);
    let bandwidth = positive(reader, reader.quantity::<BytesPerSecond>("bandwidth"), "bandwidth");
    let window = positive(reader, reader.quantity::<Bytes>("window"), "window");
    let rtt = reader.within("rtt", reader.quantity::<Seconds>("rtt"), TIME, |s| s.to_string());
    match (reader.item("window"), reader.item("rtt")) {
        (Some(_), None) => {
            reader.require_or("rtt", Some("a window limits a stream by window ÷ rtt"));
        }
        (None, Some(_)) => reader.require_or("window", Some("a round trip limits a stream by window ÷ rtt")),
        _ => {}
    }
    let Some(bandwidth) = bandwidth else {
        return (1.0, Some(1.0));
    };
    let stream = match (window, rtt) {
        (Some(window), Some(rtt)) if rtt.value.get() > 0.0 => (window / rtt.value.get()).min(bandwidth),
        _ => bandwidth,
    };
    (bandwidth / stream, Some(stream))
}

/// The base value of a quantity above zero.
fn positive<Q: crate::units::Quantity>(
    reader: &Reader<'_>,
    found: Option<crate::document::Located<Q>>,
    key: &str,
) -> Option<f64> {
    let limits = Limits { low: Q::from_base(1e-9), high: Q::from_base(1e30), why: "it must be above zero" };
    let found = reader.within(key, found, limits, |q| q.to_string())?;
    Some(found.value.base())
}

/// A lock has nothing but a name.
pub(super) fn lock(item: &Item<'_>) -> Lock {
    if let Some(reader) = item.table() {
        reader.finish();
    }
    Lock { name: item.name.clone() }
}

/// A pool.
pub(super) fn pool(item: &Item<'_>) -> Pool {
    let capacity = item.table().and_then(|reader| {
        reader.require(&["capacity"]);
        let found = reader.within("capacity", reader.count("capacity"), CAPACITY, shown);
        reader.finish();
        found
    });
    Pool { name: item.name.clone(), capacity: capacity.map_or(1, |c| c.value as u32) }
}

/// A cache: a hit ratio, or items of which it keeps those used last.
pub(super) fn cache(item: &Item<'_>) -> Cache {
    let kind = item.table().map(|reader| {
        let kind = if reader.item("hit").is_some() {
            let why = "items, capacity and skew make a cache that remembers; hit is its share of hits";
            refuse_beside_hit(&reader, why);
            let limits = Limits { low: Fraction::ZERO, high: Fraction::new(1.0), why: "a share of the references" };
            let hit = reader.within("hit", reader.quantity("hit"), limits, |f| f.to_string());
            CacheKind::Probability(hit.map_or(0.0, |h| h.value.get()))
        } else {
            lru(&reader)
        };
        reader.finish();
        kind
    });
    Cache { name: item.name.clone(), kind: kind.unwrap_or(CacheKind::Probability(0.0)) }
}

fn refuse_beside_hit(reader: &Reader<'_>, why: &str) {
    for key in ["items", "capacity", "skew"] {
        if let Some(found) = reader.item(key) {
            let d = found.problem("NET010", format!("{key:?} does not go with \"hit\""), "this");
            reader.diagnostics().push(d.help(why));
        }
    }
}

fn lru(reader: &Reader<'_>) -> CacheKind {
    let help = "a cache has hit = \"90 %\", or items, capacity and skew";
    reader.require_or("items", Some(help));
    reader.require_or("capacity", Some(help));
    let size = Limits { low: 1.0, high: LARGEST_CACHE, why: "the simulator keeps every item" };
    let skew = Limits { low: 0.0, high: 10.0, why: "item i is used in proportion to i^-skew; 0 is evenly" };
    let items = reader.within("items", reader.count("items"), size, shown);
    let capacity = reader.within("capacity", reader.count("capacity"), size, shown);
    let skew = reader.within("skew", reader.number("skew"), skew, shown);
    CacheKind::Lru {
        capacity: capacity.map_or(1, |c| c.value as usize),
        items: items.map_or(1, |i| i.value as usize),
        skew: skew.map_or(0.0, |s| s.value),
    }
}
