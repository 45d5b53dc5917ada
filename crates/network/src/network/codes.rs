//! What each code of this module means, for `plimsoll explain`.

/// What each code of this module means, for `plimsoll explain`.
pub static CODES: &[(&str, &str)] = &[
    (
        "NET001",
        "The file uses a station, lock, pool or cache that it does not define. The nearest name and all names are listed.",
    ),
    (
        "NET002",
        "A class needs one source of customers: population (closed), or one of rate, interarrival and burst (open).",
    ),
    (
        "NET003",
        "A class needs one account of what its customers do: demand; visits with service; routing with service; or path.",
    ),
    (
        "NET004",
        "A time is given by its mean (\"5 ms\", exponential), by mean and scv, or by shape with the numbers that the shape needs.",
    ),
    (
        "NET005",
        "A routing matrix: each row lists where customers go next, with probabilities that add up to 1 at most; the rest to 1 leaves. Every customer must be able to leave.",
    ),
    ("NET006", "A network needs at least one [station.NAME] and one [class.NAME]."),
    (
        "NET007",
        "A step of a path is the name of a station, or a table with one of: station, shared and exclusive, pool, fork, spawn, choose, repeat, cache, sized, activity.",
    ),
    (
        "NET008",
        "Locks and pools that are requested while others are held can block each other for ever, unless all customers request them in one order. Locks are requested in the order of the file.",
    ),
    ("NET009", "A name is 1 to 60 visible characters on one line."),
    (
        "NET010",
        "A station's keys contradict each other: a delay has no servers, a link has a bandwidth, and speeds stand in place of servers.",
    ),
];
