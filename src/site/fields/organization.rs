//! Fields about the customer: criteria and people.

use super::{Field, Kind};

const WEIGHT: (&str, &str) = ("0", "10");
const WEIGHT_WHY: &str =
    "a weight is a plain mark: 0 does not matter, 10 matters most; only their proportions count";

pub(super) const FIELDS: &[Field] = &[
    Field::bounded("schema", Kind::Count, ("1", "1"),
        "Which version of this form is the file written in?",
        "this version of plimsoll reads schema 1").required(),
    Field::bounded("name", Kind::Text, ("1", "300"),
        "What is the installation called?",
        "1 to 300 characters on one line, since it is the title of every report").required(),
    Field::bounded("criteria.performance", Kind::Number, WEIGHT,
        "How much does speed matter, 0 to 10?", WEIGHT_WHY).answers(1),
    Field::bounded("criteria.direct_file_access", Kind::Number, WEIGHT,
        "How much does it matter that other machines reach the depot files directly, 0 to 10?", WEIGHT_WHY).answers(1),
    Field::bounded("criteria.manageability", Kind::Number, WEIGHT,
        "How much does easy operation matter (growing, moving and cloning volumes), 0 to 10?", WEIGHT_WHY).answers(1),
    Field::bounded("criteria.cost", Kind::Number, WEIGHT,
        "How much does a low price matter, 0 to 10?", WEIGHT_WHY).answers(1),
    Field::bounded("criteria.backup", Kind::Number, WEIGHT,
        "How much does easy backup and restore matter, 0 to 10?", WEIGHT_WHY).answers(1),
    Field::bounded("people.developers", Kind::Count, ("1", "100000"),
        "How many developers use the server, all offices together?",
        "the largest published installation has 12,000 users on a server (Google, 2011); more than 100,000 is not computed").required().answers(4),
    Field::bounded("people.at_work", Kind::Share, ("1 %", "100 %"),
        "What share of the developers is at work in the busiest hour?",
        "nobody at work means no load to size for, and more than all cannot be").answers(4),
    Field::bounded("people.connections_at_peak", Kind::Count, ("1", "1000000"),
        "How many connections does the server hold at the peak (`p4 monitor show`, one line each)?",
        "ten connections for each of 100,000 developers; each costs memory and descriptors").answers(4),
    Field::free("people.site", Kind::Tables,
        "Is development distributed: which offices, beside the main one, how many developers in each, how far away?",
        "one [[people.site]] table an office, at most 100 of them; together they have no more developers than people.developers").answers(5),
    Field::bounded("people.site.name", Kind::Text, ("1", "300"),
        "What is the office called?",
        "1 to 300 characters on one line, since it names a row of the report").required().answers(5),
    Field::bounded("people.site.developers", Kind::Count, ("1", "100000"),
        "How many of the developers work there?",
        "as many as people.developers may be").required().answers(5),
    Field::bounded("people.site.round_trip", Kind::Time, ("0 s", "2 s"),
        "What is the round trip from that office to the server (`ping`)?",
        "half around the world is 0.3 s and over a satellite 0.7 s; beyond 2 s no command is usable").answers(5),
    Field::bounded("people.site.bandwidth", Kind::Bandwidth, ("64 kb/s", "400 Gb/s"),
        "What bandwidth does that office have to the server?",
        "from one ISDN channel to the fastest port sold").answers(5),
];
