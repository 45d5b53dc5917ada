//! The codes of this module's messages, for `plimsoll explain`.

/// Each code with what it means and what to do, in a sentence or two.
pub static CODES: &[(&str, &str)] = &[
    (
        "SIT001",
        "All five criteria weigh 0. Recommendations are ranked by these weights, so at least one must count; leave [criteria] out to let all count the same.",
    ),
    (
        "SIT002",
        "The offices in [[people.site]] have more developers than people.developers, which counts all developers. Raise the total or correct the offices.",
    ),
    (
        "SIT003",
        "There are fewer revisions than files, though each file has at least one. The two numbers are often exchanged.",
    ),
    ("SIT004", "A list that offers choices is empty. Name at least one, or leave the line out to let it be assumed."),
    ("SIT005", "A release of p4d is a year, a point and a number from 1 to 4, such as 2024.2. `p4 info` shows it."),
    ("SIT006", "A price is a number and the three capital letters of its currency, such as \"12000 EUR\"."),
    (
        "SIT007",
        "A name is 1 to 300 visible characters on one line. It titles reports, so control characters and marks that turn the direction of writing are refused.",
    ),
    ("SIT008", "Two offices have the same name. Reports have one row for each office."),
    ("SIT009", "Prices are in several currencies. Convert them to one."),
    ("SIT010", "p4d is a 32-bit or a 64-bit program."),
    ("SIT011", "The file is written in a version of the form that this program does not read."),
    (
        "SIT012",
        "An answer contradicts the named server model. Leave the line out to use the value of the model's file. On your own machine, memory and disks may differ from the file; a cloud instance has fixed ones.",
    ),
    (
        "SIT013",
        "Two [[today.volume]] tables hold the same role. Database, journal, log, depots and checkpoints each lie on one volume.",
    ),
    (
        "SIT014",
        "The array of a [[today.volume]] does not serve its protocol. Correct one of the two, or leave the protocol out.",
    ),
    (
        "SIT015",
        "The [[today.volume]] tables do not say where the database lies, and no infrastructure.current_layout does. Add \"db\" to the roles of its volume.",
    ),
    (
        "SIT016",
        "An [[equipment]] table describes a system that the catalogue does not have: each needs a name of its own, a kind and its usable capacity, ports go together with their network, and there are at most 20.",
    ),
    (
        "SIT017",
        "A [[price]] is for one unit of one item: drives, TB or TiB of media and arrays, ports of networks, hours of instances and so on (docs/prices.md); each item has one price for a unit and a size.",
    ),
    (
        "SIT018",
        "server.local_medium or edge.local_medium names a volume of a cloud, and the server is no instance of one. Name a drive, or the instance in server.model.",
    ),
    (
        "SIT019",
        "None of infrastructure.filesystems exists on the operating systems of the site in the year of its release. Name one that does, or leave the line out.",
    ),
    (
        "SIT020",
        "--load takes all of the load so many times: a number from 0.01 to 1000, such as 1.5 for half as much again.",
    ),
    (
        "SIT021",
        "The processor of the server or of its instance needs a newer release of p4d: Arm needs 2025.1. State server.release, or name another processor or instance.",
    ),
    (
        "SIT102",
        "Size of the database and number of revisions do not fit: a revision costs 480 to 620 B on published servers. The file is used as it is.",
    ),
    ("SIT103", "A list names an entry twice. The second is ignored."),
    ("SIT104", "db.peeking is set on a release before 2013.3, which does not know it."),
    ("SIT105", "Edge servers are allowed with a release before 2013.2, which has none."),
    (
        "SIT106",
        "`targets.sync` judges ordinary syncs. The large syncs (`workload.large_syncs_per_day`) have a target of their own, `targets.large_sync`, and it is not stated but assumed.",
    ),
    (
        "SIT107",
        "Size of the archives and number and size of files do not fit. Archives hold all revisions, compressed; both numbers stand in the message.",
    ),
    (
        "SIT108",
        "The workspace does not fit its files: it has more than the server, or its size is not theirs at the mean size of a file.",
    ),
    ("SIT109", "What submits bring in a year and the growth of the archives differ by more than a factor of 20."),
    (
        "SIT110",
        "The syncs of an office move more in the busiest hour than its line carries. The file is used as it is; the prediction shows what that does.",
    ),
    (
        "SIT111",
        "More than 100 connections at the peak for each developer: that is the number of a day, or of another server.",
    ),
    ("SIT112", "A price is 0, so the thing counts as free. Leave the price out where it is not known."),
    (
        "SIT113",
        "No command is run, no data are kept, or there are no files on a server with users. The prediction then says little; the file is used as it is.",
    ),
    (
        "SIT114",
        "The large syncs in flight at the peak and how many there are a day do not fit: the message has both numbers, and what the rate makes in flight. The rate is used.",
    ),
    (
        "SIT115",
        "The stated time of a checkpoint, a replay or a restore is shorter than the fastest store, of the catalogue or of the site, moves the database. The time is not used.",
    ),
    (
        "SIT116",
        "The tools that are named send more commands a day, by the rates of the catalogue, than are stated in all. Both numbers stand in the message; most of the stated commands are then taken for polls.",
    ),
    (
        "SIT117",
        "A stated target that no equipment meets: the bytes of a sync alone take longer at the pace of a client. The message has both times.",
    ),
    ("SIT118", "Submits and syncs are stated as more than all commands together. They are used as stated."),
];
