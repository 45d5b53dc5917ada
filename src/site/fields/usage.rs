//! Fields about the data and what is done with it.

use super::{Field, Kind};
use crate::site::vocabulary::Words;

const COUNT_WHY: &str = "the largest published server has about 1 TB of metadata, some 2,000,000,000 rows; 100,000,000,000 is fifty times that";
const GROWTH: (&str, &str) = ("-50 %/year", "1000 %/year");
const GROWTH_WHY: &str = "halving each year is a clean-up, more than eleven times a year is a migration: give the sizes after it instead";
const DAILY: (&str, &str) = ("0 /day", "1000000000 /day");
const DAILY_WHY: &str = "the busiest published server runs 12,000,000 commands a day (Google, 2011); 1,000,000,000 is eighty times that";
const FILES: (&str, &str) = ("1", "1000000000");
const FILES_WHY: &str =
    "one command that touches 1,000,000,000 files takes hours on any server; split it";

const BRANCH_WHY: &str = "one command that touches 1,000,000,000 files takes hours on any server; the answer is how long everybody waits for its commit";

pub(super) const FIELDS: &[Field] = &[
    Field::bounded(
        "data.db_size",
        Kind::Size,
        ("0 B", "100 TiB"),
        "How large is the database (all db.* files in P4ROOT)?",
        "the largest published database is about 1 TB; 100 TiB is a hundred times that",
    )
    .answers(2),
    Field::bounded(
        "data.depot_size",
        Kind::Size,
        ("0 B", "100 PiB"),
        "How large are the depots (versioned files)?",
        "20,000 times the 5 TB of a game company in 2007; check the unit",
    )
    .answers(2),
    Field::bounded(
        "data.files",
        Kind::Count,
        ("0", "100000000000"),
        "How many files does the server hold (`p4 sizes -sz //...`)?",
        COUNT_WHY,
    )
    .answers(2),
    Field::bounded(
        "data.revisions",
        Kind::Count,
        ("0", "100000000000"),
        "How many revisions do they have (`p4 sizes -asz //...`)?",
        COUNT_WHY,
    )
    .answers(2),
    Field::bounded(
        "data.db_growth",
        Kind::Growth,
        GROWTH,
        "By how much does the database grow each year?",
        GROWTH_WHY,
    )
    .answers(2),
    Field::bounded(
        "data.depot_growth",
        Kind::Growth,
        GROWTH,
        "By how much do the depots grow each year?",
        GROWTH_WHY,
    )
    .answers(2),
    Field::bounded(
        "data.workspace_files",
        Kind::Count,
        FILES,
        "How many files does the largest workspace have?",
        FILES_WHY,
    ),
    Field::bounded(
        "data.workspace_size",
        Kind::Size,
        ("0 B", "1 PiB"),
        "How large is the largest workspace?",
        "it has to fit one client's disks",
    ),
    Field::bounded(
        "data.file_size",
        Kind::Size,
        ("1 B", "1 TiB"),
        "How large is a file on average, as a sync moves it?",
        "a mean above 1 TiB means that not files but disk images are stored; check the unit",
    ),
    Field::bounded(
        "data.binary_share",
        Kind::Share,
        ("0 %", "100 %"),
        "What share of the files is binary?",
        "a share of a whole; it counts where `data.depot_size` is not answered: of a text file only changes are kept",
    ),
    Field::bounded(
        "workload.commands_per_day",
        Kind::Rate,
        DAILY,
        "How many Perforce commands are run on a typical day?",
        DAILY_WHY,
    )
    .answers(3),
    Field::bounded(
        "workload.automation_share",
        Kind::Share,
        ("0 %", "95 %"),
        "What share of the commands comes from builds and scripts?",
        "above 95 % the people's commands are too few to be judged: size for the farm alone",
    )
    .answers(3),
    Field::bounded(
        "workload.submits_per_day",
        Kind::Rate,
        DAILY,
        "How many changes are submitted on a typical day?",
        DAILY_WHY,
    )
    .answers(3),
    Field::bounded(
        "workload.files_per_submit",
        Kind::Number,
        ("1", "1000000000"),
        "How many files does a typical submit have?",
        FILES_WHY,
    ),
    Field::bounded(
        "workload.largest_submit_files",
        Kind::Count,
        FILES,
        "How many files does the largest submit have that must not block other users?",
        FILES_WHY,
    ),
    Field::bounded(
        "workload.syncs_per_day",
        Kind::Rate,
        DAILY,
        "How many syncs are run on a typical day?",
        DAILY_WHY,
    )
    .answers(3),
    Field::bounded(
        "workload.files_per_sync",
        Kind::Number,
        ("0", "1000000000"),
        "How many files does a typical sync bring?",
        FILES_WHY,
    ),
    Field::bounded(
        "workload.concurrent_syncs",
        Kind::Count,
        ("0", "10000"),
        "How many large syncs are in flight at the peak? (Used where `large_syncs_per_day` is not answered.)",
        "one published test runs 48; ten thousand full streams fill any server's network at once",
    ),
    Field::bounded(
        "workload.concurrent_sync_size",
        Kind::Size,
        ("0 B", "1 PiB"),
        "How much data does each of those large syncs move?",
        "it has to fit one client's disks",
    ),
    Field::bounded(
        "workload.large_syncs_per_day",
        Kind::Rate,
        DAILY,
        "How many such large syncs are run on a typical day?",
        DAILY_WHY,
    ),
    Field::bounded(
        "workload.large_syncs_peak_to_mean",
        Kind::Number,
        ("1", "50"),
        "How many times the day's mean rate is the rate of large syncs in their busiest hour? (Builds at night have another one than people.)",
        "1 is the same rate around the clock; all in one hour would be 24, in half an hour 48",
    ),
    Field::bounded(
        "workload.files_per_edit",
        Kind::Number,
        ("1", "1000000000"),
        "How many files does a typical edit open?",
        FILES_WHY,
    ),
    Field::free(
        "workload.tools",
        Kind::List(Words::Tools),
        "Which tools ask the server again and again?",
        "ids of the catalogue; `plimsoll models tools` lists them; [] is none",
    )
    .answers(3),
    Field::bounded(
        "workload.polling_share",
        Kind::Share,
        ("0 %", "100 %"),
        "What share of the commands is polling by IDEs and build systems?",
        "a share of a whole",
    )
    .answers(3),
    Field::bounded(
        "workload.branch_files",
        Kind::Count,
        FILES,
        "How many files does a typical branch (integrate, copy, populate) operation have?",
        BRANCH_WHY,
    ),
    Field::bounded(
        "workload.client_rate",
        Kind::Bandwidth,
        ("1 KB/s", "50 GB/s"),
        "How fast does one client take data (its network port and its disk)?",
        "one client's fastest port, 400 Gb/s, is 50 GB/s",
    ),
    Field::bounded(
        "workload.peak_to_mean",
        Kind::Number,
        ("1", "50"),
        "How many times the day's mean rate is the rate of the busiest hour?",
        "1 is the same rate around the clock; all work in one hour would be 24, in half an hour 48",
    )
    .answers(3),
];
