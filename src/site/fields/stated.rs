//! Fields about storage that is described in the site file itself.

use super::{Field, Kind};
use crate::site::equipment::Sort;
use crate::site::vocabulary::Words;

const LATENCY: (&str, &str) = ("1 us", "1 s");
const LATENCY_WHY: &str =
    "no storage answers within 1 us, and none that takes a second is in order";
const BANDWIDTH: (&str, &str) = ("1 MB/s", "10 TB/s");
const BANDWIDTH_WHY: &str =
    "one old disk moves more than 1 MB/s, and no system for one p4d moves 10 TB/s";

pub(super) const FIELDS: &[Field] = &[
    Field::free("equipment", Kind::Tables,
        "Which array, filer or object store is there, or offered, that the catalogue does not have?",
        "one [[equipment]] table a system; the layouts may use it beside `infrastructure.storage`, and its id is `own-` and its name in small letters, `own-my-array`"),
    Field::bounded("equipment.name", Kind::Text, ("1", "300"),
        "What is it called?",
        "1 to 300 visible characters on one line").required(),
    Field::free("equipment.kind", Kind::Word(Words::These(Sort::WORDS)),
        "What kind of storage is it?",
        "what the site does not state is that of a usual system of the kind (`plimsoll models arrays`, generic-…)").required(),
    Field::bounded("equipment.usable", Kind::Size, ("1 GB", "1000 PB"),
        "How much does it hold usably, before data reduction?",
        "after RAID and spares, and no more can be added: a layout that needs more is excluded").required(),
    Field::bounded("equipment.data_reduction", Kind::Number, ("1", "20"),
        "How many times its usable capacity does it hold through deduplication and compression?",
        "1 where nothing was measured; binary files in the archives count once whatever is stated, since p4d has compressed them"),
    Field::bounded("equipment.bandwidth", Kind::Bandwidth, BANDWIDTH,
        "How fast does it read, over all ports together?", BANDWIDTH_WHY),
    Field::bounded("equipment.write_bandwidth", Kind::Bandwidth, BANDWIDTH,
        "How fast does it take a long write?", BANDWIDTH_WHY),
    Field::bounded("equipment.operations", Kind::Rate, ("100 /s", "100000000 /s"),
        "How many requests of 8 KiB does it take (IOPS)?",
        "one shelf of disks does more than 100 a second, and nothing sold does 100 million"),
    Field::bounded("equipment.read_time", Kind::Time, LATENCY,
        "How long does one random read of 8 KiB take, at its ports and unloaded?", LATENCY_WHY),
    Field::bounded("equipment.write_time", Kind::Time, LATENCY,
        "How long does one write of 8 KiB take until it is acknowledged, at its ports and unloaded?", LATENCY_WHY),
    Field::free("equipment.protocols", Kind::List(Words::Protocols),
        "Which protocols does it serve?",
        "ids of the catalogue; `plimsoll models protocols` lists them"),
    Field::bounded("equipment.ports", Kind::Count, ("1", "256"),
        "How many ports does it have to the servers?",
        "no system has more than 256 ports for one server"),
    Field::free("equipment.port_network", Kind::Word(Words::Networks),
        "Which network are these ports of?",
        "an id of the catalogue; `plimsoll models networks` lists them; all ports together limit the bandwidth"),
    Field::bounded("equipment.controllers", Kind::Count, ("1", "256"),
        "How many controllers or nodes share its load?",
        "one that has none beside it takes the data with it when it fails"),
    Field::free("equipment.snapshots", Kind::YesNo,
        "Does it take snapshots?",
        "yes or no"),
];
