//! Fields about the system that is there today.

use super::{Field, Kind};
use crate::site::sign::SIGNS;
use crate::site::vocabulary::Words;

/// What a volume can hold, as layouts have it.
const ROLES: &[&str] = &crate::catalog::layout::ROLES;

pub(super) const FIELDS: &[Field] = &[
    Field::bounded("today.parallel_threads", Kind::Count, ("0", "100"),
        "How many threads does a parallel sync have today (`p4 configure show net.parallel.threads`; 0 where it is off)?",
        "p4d starts at most 100 threads for one sync; before release 2014.1 there is one"),
    Field::bounded("today.checkpoint_time", Kind::Time, ("0 s", "7 days"),
        "How long did the last checkpoint take?",
        "a checkpoint that takes a week is none: each day's is to be done within the day"),
    Field::bounded("today.large_sync_time", Kind::Time, ("1 s", "7 days"),
        "How long does a large sync take at the peak?",
        "a workspace that takes longer than a week to fill is filled from a copy"),
    Field::bounded("today.checkpoint_size", Kind::Size, ("0 B", "100 TiB"),
        "How large is the last checkpoint, not compressed?",
        "the limit of the database, of which it is the text"),
    Field::bounded("today.pull_queue", Kind::Count, ("0", "100000000000"),
        "How many files have replicas and edges yet to pull (`p4 pull -ls` on each, the sum)?",
        "no more than the server has revisions"),
    Field::free("today.signs", Kind::List(Words::These(SIGNS)),
        "Which of these signs does the server show today?",
        "words that `plimsoll explain` describes, each with what to look at; [] is none of them"),
    Field::free("today.volume", Kind::Tables,
        "Where do database, journal, log, depots and checkpoints lie today?",
        "one [[today.volume]] table a volume; each role lies on one of them; `plimsoll advise --from-today` reads them"),
    Field::free("today.volume.roles", Kind::List(Words::These(ROLES)),
        "What does the volume hold?",
        "the roles of volumes in layouts; each lies on one volume; those that no volume names lie as in `infrastructure.current_layout`, else beside the nearest role").required(),
    Field::free("today.volume.medium", Kind::Word(Words::Media),
        "What kind of drives are under it? (Without `array` they are the server's own.)",
        "an id of the catalogue; `plimsoll models media` lists them"),
    Field::free("today.volume.array", Kind::Word(Words::Arrays),
        "Which array or filer does it lie on?",
        "an id of the catalogue; `plimsoll models arrays` lists them"),
    Field::free("today.volume.protocol", Kind::Word(Words::Protocols),
        "Over which protocol does the server reach it?",
        "an id of the catalogue that the array speaks; `plimsoll models protocols` lists them"),
    Field::bounded("today.volume.drives", Kind::Count, ("1", "1000"),
        "How many drives does it have to itself? (Leave out where volumes share them.)",
        "a server and its shelves hold less than 1,000 drives"),
    Field::bounded("today.volume.drive_size", Kind::Size, ("1 GB", "1 PB"),
        "How large is each of these drives?",
        "no drive for servers is smaller, and none of 1 PB is sold"),
    Field::free("today.volume.raid", Kind::Word(Words::Raid),
        "In which RAID level are they?",
        "an id of the catalogue; `plimsoll models raid` lists them"),
    Field::free("today.volume.filesystem", Kind::Word(Words::Filesystems),
        "Which filesystem is on it? (Not for exports of a filer.)",
        "an id of the catalogue; `plimsoll models filesystems` lists them"),
    Field::bounded("today.volume.mount_options", Kind::Text, ("1", "300"),
        "With which options is it mounted (`mount`, fourth column of /etc/fstab)?",
        "1 to 300 characters on one line, with commas between the options as in fstab"),
];
