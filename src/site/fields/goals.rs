//! Fields about what is wanted: targets, protection, horizon; and prices.

use super::{Field, Kind};
use crate::site::price::Per;
use crate::site::protection::Backup;
use crate::site::vocabulary::Words;

const TARGET: (&str, &str) = ("1 ms", "1 day");
const TARGET_WHY: &str = "no command answers within 1 ms over a network, and what may take more than a day needs no target";
const RECOVERY: (&str, &str) = ("0 s", "30 days");
const RECOVERY_WHY: &str =
    "0 s asks for a replica; a server that may be gone for a month needs no sizing";
const KEPT_WHY: &str = "they lie beside the database and cost its volume; more than a year of daily ones belongs on tape";

pub(super) const FIELDS: &[Field] = &[
    Field::bounded(
        "targets.submit",
        Kind::Time,
        TARGET,
        "Within what time must 95 % of submits be done?",
        TARGET_WHY,
    ),
    Field::bounded(
        "targets.edit",
        Kind::Time,
        TARGET,
        "Within what time must 95 % of edits (checkouts) be done?",
        TARGET_WHY,
    ),
    Field::bounded(
        "targets.browse",
        Kind::Time,
        TARGET,
        "Within what time must 95 % of browsing commands (dirs, fstat, filelog) answer?",
        TARGET_WHY,
    ),
    Field::bounded(
        "targets.sync",
        Kind::Time,
        TARGET,
        "Within what time must 95 % of ordinary syncs be done?",
        TARGET_WHY,
    ),
    Field::bounded(
        "targets.large_sync",
        Kind::Time,
        TARGET,
        "Within what time must 95 % of large syncs, of whole workspaces, be done?",
        TARGET_WHY,
    ),
    Field::bounded(
        "targets.sync_rate",
        Kind::Bandwidth,
        ("1 KB/s", "50 GB/s"),
        "How fast must one large sync move data?",
        "one client's fastest port, 400 Gb/s, is 50 GB/s; below 1 KB/s no target is missed",
    ),
    Field::free(
        "protection.backup",
        Kind::Word(Words::These(Backup::WORDS)),
        "How is the server backed up today, and restored?",
        "one of the ways that the layouts can be laid out for",
    )
    .answers(7),
    Field::bounded(
        "protection.snapshot_reserve",
        Kind::Share,
        ("0 %", "90 %"),
        "What share of a volume is kept free for snapshots?",
        "with more than 90 % reserved nothing is left for data",
    )
    .answers(7),
    Field::bounded(
        "protection.checkpoints_kept",
        Kind::Count,
        ("0", "400"),
        "How many checkpoints are kept on disk?",
        KEPT_WHY,
    )
    .answers(7),
    Field::bounded(
        "protection.journals_kept",
        Kind::Count,
        ("0", "400"),
        "How many rotated journals are kept on disk?",
        KEPT_WHY,
    )
    .answers(7),
    Field::bounded(
        "protection.night_window",
        Kind::Time,
        ("1 min", "24 h"),
        "How long is the night's window for checkpoints?",
        "a checkpoint a day has to be done within the day; below a minute there is no window",
    )
    .answers(7),
    Field::bounded(
        "protection.rpo",
        Kind::Time,
        RECOVERY,
        "How much work, counted in time, may a disaster lose (RPO)?",
        RECOVERY_WHY,
    )
    .answers(7),
    Field::bounded(
        "protection.rto",
        Kind::Time,
        RECOVERY,
        "How long may it take until people work again after a disaster (RTO)?",
        RECOVERY_WHY,
    )
    .answers(7),
    Field::bounded(
        "protection.availability",
        Kind::Share,
        ("90 %", "100 %"),
        "What share of the time must the server answer?",
        "below 90 %, five weeks a year, any machine is good enough",
    )
    .answers(1),
    Field::bounded(
        "horizon.time",
        Kind::Time,
        ("0 s", "15 years"),
        "For how long is the equipment bought?",
        "storage is replaced within 15 years, and growth compounded for longer is a guess",
    )
    .answers(2),
    Field::bounded(
        "horizon.from",
        Kind::Count,
        ("2000", "2100"),
        "In which year do these answers hold? (With it, limits are shown as years.)",
        "whole years of this century",
    ),
    Field::bounded(
        "horizon.headroom",
        Kind::Share,
        ("0 %", "90 %"),
        "What share of capacity is to stay free at the end?",
        "with more than 90 % free nothing is left to use",
    )
    .answers(2),
    Field::free(
        "price",
        Kind::Tables,
        "What do the things on offer cost, if known?",
        "one [[price]] table a thing; with a price for each thing in which layouts differ, cost is judged in money (docs/prices.md)",
    )
    .answers(1),
    Field::free(
        "price.item",
        Kind::Word(Words::Anything),
        "What is priced: the id of a server, array, medium, network or cache, or ram, line, edge-licence?",
        "any id of the catalogue; `plimsoll models` lists them",
    )
    .required(),
    Field::bounded(
        "price.price",
        Kind::Money,
        ("0", "1000000000"),
        "What does it cost?",
        "a number and the three capital letters of its currency; a billion buys any server room",
    )
    .required(),
    Field::free(
        "price.unit",
        Kind::Word(Words::These(Per::WORDS)),
        "For how much of it: the whole unit, a drive, a TB, a port, a month?",
        "the ways in which the item is sold",
    ),
    Field::bounded(
        "price.size",
        Kind::Size,
        ("1 GB", "1 PB"),
        "For which size of drive? (Leave out if for any.)",
        "no drive for servers is smaller, and none of 1 PB is sold",
    ),
    Field::free(
        "price.per",
        Kind::Word(Words::These(Per::WORDS)),
        "For how much of it (an older name of `unit`)?",
        "the same words",
    ),
];
