//! What outputs answer of the questionnaire, with where it was read, and what they leave open.

use std::collections::{BTreeMap, BTreeSet};

use super::amount::{count, iec};
use super::facts::{Collected, Found, Place};
use super::names::processor;
use super::places::plain;
use super::volumes::{self, Volume, are_complete, laid, setting, text};
use crate::diag::harmless_line;
use crate::units::grouped;

/// An answer that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The field, as `--set` takes it; of a volume its key alone.
    pub field: String,
    /// Its value in TOML's spelling.
    pub value: String,
    /// The output: `p4 info`.
    pub from: String,
    /// Where it stands there.
    pub place: Place,
    /// Why somebody should look at it.
    pub check: Option<String>,
}

/// A question that the outputs raise, or leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Open {
    /// The field that it is about.
    pub field: String,
    /// The question in words, with what was seen.
    pub question: String,
}

/// What outputs say to the questionnaire.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answers {
    /// Answers outside of `[[today.volume]]`.
    pub known: Vec<Known>,
    /// Today's volumes.
    pub volumes: Vec<Volume>,
    /// What is open.
    pub open: Vec<Open>,
    /// What was seen and no question asks for, in words.
    pub seen: Vec<String>,
}

impl Answers {
    fn know(&mut self, field: &str, value: String, found: (&str, Place)) {
        self.known.push(Known {
            field: field.to_owned(),
            value,
            from: found.0.to_owned(),
            place: found.1,
            check: None,
        });
    }

    fn check(&mut self, why: &str) {
        if let Some(known) = self.known.last_mut() {
            known.check = Some(why.to_owned());
        }
    }

    fn ask(&mut self, field: &str, question: String) {
        self.open.push(Open {
            field: field.to_owned(),
            question,
        });
    }

    /// The value of a field, as TOML spells it.
    pub fn value(&self, field: &str) -> Option<&str> {
        self.known
            .iter()
            .find(|known| known.field == field)
            .map(|known| known.value.as_str())
    }
}

/// What the outputs say to the questionnaire.
pub fn answers(collected: &Collected) -> Answers {
    let mut answers = Answers::default();
    server(collected, &mut answers);
    settings(collected, &mut answers);
    people(collected, &mut answers);
    machine(collected, &mut answers);
    let laid = laid(collected);
    answers.open.extend(laid.open);
    answers.volumes = laid.volumes;
    data(collected, &mut answers);
    own_drives(collected, &mut answers);
    network(collected, &mut answers);
    load(collected, &mut answers);
    answers
}

/// A value that all outputs agree on; where they do not, a question and nothing.
fn agreed<'c, T>(
    answers: &mut Answers,
    field: &str,
    what: &str,
    all: impl Iterator<Item = &'c Found<T>>,
    shown: impl Fn(&T) -> String,
) -> Option<&'c Found<T>> {
    let mut values: BTreeSet<String> = BTreeSet::new();
    let mut first = None;
    for found in all {
        values.insert(shown(&found.value));
        first = first.or(Some(found));
    }
    if values.len() > 1 {
        let values: Vec<String> = values.iter().map(|value| harmless_line(value)).collect();
        answers.ask(
            field,
            format!(
                "The outputs disagree on {what}: {}. Which holds?",
                values.join(", ")
            ),
        );
        return None;
    }
    first
}

/// A line of `p4 info` that all outputs agree on.
fn info<'c>(
    collected: &'c Collected,
    answers: &mut Answers,
    field: &str,
    name: &str,
) -> Option<&'c Found<(String, String)>> {
    let all = collected
        .info
        .iter()
        .filter(|found| found.value.0 == name && !found.value.1.is_empty());
    agreed(answers, field, &format!("\"{name}\""), all, |(_, value)| {
        value.clone()
    })
}

/// The release and the platform of "P4D/LINUX26X86_64/2023.1/2468153 (2023/07/24)".
fn version(text: &str) -> Option<(String, String)> {
    let mut parts = text.split('/');
    parts.next()?;
    let platform = parts.next()?.to_owned();
    let release = parts.next()?;
    let mut numbers = release.split('.');
    let (year, minor) = (numbers.next()?, numbers.next()?);
    let minor: String = minor
        .chars()
        .take_while(char::is_ascii_digit)
        .take(1)
        .collect();
    let year: u32 = year.parse().ok()?;
    // Until 2000 the years had two digits.
    let year = if (90..100).contains(&year) {
        year + 1900
    } else {
        year
    };
    (!minor.is_empty() && (1998..=2030).contains(&year))
        .then(|| (format!("{year}.{minor}"), platform))
}

fn server(collected: &Collected, answers: &mut Answers) {
    if let Some(found) = info(collected, answers, "name", "ServerID") {
        let name: String = harmless_line(found.value.1.trim())
            .chars()
            .take(200)
            .collect();
        answers.know(
            "name",
            text(&format!("Perforce server {name}")),
            (found.from, found.place),
        );
    }
    if let Some(found) = info(collected, answers, "server.release", "Server version") {
        let at = (found.from, found.place);
        match version(&found.value.1) {
            Some((release, platform)) => {
                answers.know("server.release", text(&release), at);
                let system = match platform.as_str() {
                    p if p.starts_with("LINUX") => Some("linux"),
                    p if p.starts_with("NT") => Some("windows"),
                    p if p.starts_with("SOLARIS") => Some("solaris"),
                    _ => None,
                };
                match system {
                    Some(system) => answers.know("infrastructure.operating_systems", format!("[{}]", text(system)), at),
                    None => answers.ask(
                        "infrastructure.operating_systems",
                        format!("p4d runs on {}, which the catalogue does not have. Which system can it run?", harmless_line(&platform)),
                    ),
                }
                let is_64 = ["64", "ARM64", "AARCH64"]
                    .iter()
                    .any(|end| platform.ends_with(end));
                if is_64 || platform.ends_with("X86") || platform == "NTX86" {
                    answers.know(
                        "server.bits",
                        if is_64 { "64" } else { "32" }.to_owned(),
                        at,
                    );
                }
            }
            None => answers.ask(
                "server.release",
                format!(
                    "Which release of p4d runs? {:?} is not understood.",
                    harmless_line(&found.value.1)
                ),
            ),
        }
    }
    if let Some(found) = info(collected, answers, "server.release", "Server services") {
        let service = harmless_line(&found.value.1);
        let is_main = ["standard", "commit-server", "depot-master"].contains(&service.as_str());
        if !is_main {
            answers.ask(
                "name",
                format!("These outputs are of a server with the service {service}, and a site file is about the commit server. Are they the right ones?"),
            );
        }
    }
    let through: Vec<&str> = collected
        .info
        .iter()
        .filter_map(|found| match found.value.0.as_str() {
            "Proxy version" => Some("a proxy"),
            "Broker version" => Some("a broker"),
            _ => None,
        })
        .collect();
    if let Some(first) = through.first() {
        answers
            .seen
            .push(format!("`p4 info` was run through {first}"));
    }
    let roots: BTreeSet<String> = collected
        .roots
        .iter()
        .map(|found| plain(&found.value))
        .collect();
    if let (2.., Some(found)) = (roots.len(), collected.roots.first()) {
        answers.know(
            "server.instances",
            roots.len().to_string(),
            (found.from, found.place),
        );
    }
}

/// A setting of the server as a number.
fn number(
    collected: &Collected,
    answers: &mut Answers,
    field: &str,
    name: &str,
) -> Option<(f64, &'static str, Place)> {
    let scopes: BTreeSet<&str> = collected
        .settings
        .iter()
        .filter(|found| found.value.name == name)
        .filter_map(|found| found.value.scope.as_deref())
        .filter(|scope| *scope != "any")
        .collect();
    let found = setting(collected, name)?;
    let same = collected
        .settings
        .iter()
        .filter(|other| other.value.name == name && other.value.origin == found.value.origin);
    let values: BTreeSet<&str> = same.map(|other| other.value.value.as_str()).collect();
    if values.len() > 1 {
        let values: Vec<String> = values.into_iter().map(harmless_line).collect();
        let of = if scopes.is_empty() {
            ""
        } else {
            " for different servers"
        };
        answers.ask(
            field,
            format!(
                "{name} is set to {}{of}. Which holds for the commit server?",
                values.join(" and ")
            ),
        );
        return None;
    }
    // "10" and "512K".
    let text = &found.value.value;
    let number = count(text).or_else(|| super::amount::size(text, 1.0));
    match number {
        Some(number) => Some((number, found.from, found.place)),
        None => {
            answers.ask(
                field,
                format!(
                    "{name} is set to {}, which is not understood. What is meant?",
                    harmless_line(text)
                ),
            );
            None
        }
    }
}

fn settings(collected: &Collected, answers: &mut Answers) {
    if let Some((value, from, place)) = number(collected, answers, "server.peeking", "db.peeking") {
        answers.know("server.peeking", value.to_string(), (from, place));
    }
    if let Some((value, from, place)) = number(collected, answers, "server.log_level", "server") {
        answers.know("server.log_level", value.to_string(), (from, place));
    }
    let max = number(
        collected,
        answers,
        "today.parallel_threads",
        "net.parallel.max",
    );
    let threads = number(
        collected,
        answers,
        "today.parallel_threads",
        "net.parallel.threads",
    );
    match (max, threads) {
        (Some((0.0, from, place)), _) => answers.know("today.parallel_threads", "0".to_owned(), (from, place)),
        (Some((max, ..)), Some((threads, from, place))) => {
            answers.know("today.parallel_threads", threads.min(max).to_string(), (from, place));
        }
        (Some((max, ..)), None) => answers.ask(
            "today.parallel_threads",
            format!("How many threads does a parallel sync have? net.parallel.max allows {max}, and net.parallel.threads is not shown: without it only clients that ask have any."),
        ),
        (None, Some((threads, ..))) => answers.ask(
            "today.parallel_threads",
            format!("Are parallel syncs allowed? net.parallel.threads is {threads}, and net.parallel.max, which is 0 where nothing sets it, is not shown."),
        ),
        (None, None) => {}
    }
    let release = answers
        .value("server.release")
        .and_then(|value| value.trim_matches('"').parse::<f64>().ok());
    let is_old = release.is_some_and(|release| release < 2014.15);
    if is_old {
        if let Some((bytes, from, place)) =
            number(collected, answers, "server.tcp_window", "net.tcpsize")
        {
            answers.know("server.tcp_window", text(&iec(bytes)), (from, place));
        }
    } else if let Some(found) = collected.tcp_window.last() {
        answers.know(
            "server.tcp_window",
            text(&iec(found.value)),
            (found.from, found.place),
        );
    }
    if let Some((0.0, ..)) = number(collected, answers, "server.log_level", "monitor") {
        answers
            .seen
            .push("monitor is 0: `p4 monitor show` shows nothing".to_owned());
    }
}

fn people(collected: &Collected, answers: &mut Answers) {
    let counted = collected
        .users
        .iter()
        .filter(|found| found.from == "p4 license -u");
    let counted = agreed(
        answers,
        "people.developers",
        "the number of users",
        counted,
        |n| n.to_string(),
    );
    let listed = collected
        .users
        .iter()
        .find(|found| found.from == "p4 users");
    if let Some(found) = counted.or(listed).filter(|found| found.value >= 1.0) {
        let from = (found.from, found.place);
        answers.know("people.developers", found.value.to_string(), from);
        answers.check("users of the server, with those of builds and those who have left: put in people alone");
    } else {
        let licence = collected
            .info
            .iter()
            .find(|found| found.value.0 == "Server license");
        let words = licence.map(|found| found.value.1.split_whitespace().collect::<Vec<_>>());
        let users = words.and_then(|words| {
            let at = words.iter().position(|word| *word == "users")?;
            count(words.get(at.checked_sub(1)?)?)
        });
        let licence = users.map_or(String::new(), |users| {
            format!(" The licence is for {} users.", grouped(users))
        });
        answers.ask(
            "people.developers",
            format!(
                "How many developers use the server?{licence} `p4 license -u` counts the users."
            ),
        );
    }
    if let Some(found) = collected.clients.first() {
        answers.seen.push(format!(
            "{} clients (`{}`)",
            grouped(found.value),
            found.from
        ));
    }
}

/// The value of a line of `lscpu`.
fn line<'c>(collected: &'c Collected, name: &str) -> Option<&'c Found<(String, String)>> {
    collected
        .processors
        .iter()
        .find(|found| found.value.0 == name)
}

fn machine(collected: &Collected, answers: &mut Answers) {
    let of = |name: &str| line(collected, name).map(|found| found.value.1.as_str());
    let number = |name: &str| of(name).and_then(count).filter(|n| *n >= 1.0);
    let cores = number("Core(s) per socket")
        .zip(number("Socket(s)"))
        .map(|(cores, sockets)| cores * sockets);
    let cores = cores.or_else(|| {
        number("CPU(s)")
            .zip(number("Thread(s) per core"))
            .map(|(all, threads)| (all / threads).max(1.0).floor())
    });
    match (cores, number("CPU(s)")) {
        (Some(cores), _) => {
            let found = line(collected, "Core(s) per socket").or_else(|| line(collected, "CPU(s)"));
            if let Some(found) = found {
                answers.know("server.cores", cores.to_string(), (found.from, found.place));
            }
        }
        (None, Some(all)) => answers.ask(
            "server.cores",
            format!("How many cores does the server have? It has {all} logical processors, and the outputs do not say how many threads a core has: `lscpu` does."),
        ),
        (None, None) => {}
    }
    if let Some(found) = line(collected, "Model name") {
        let (family, model) = (of("CPU family").unwrap_or(""), of("Model").unwrap_or(""));
        let shown = harmless_line(&found.value.1);
        match processor(&found.value.1, family, model) {
            Some(name) => match (&name.id, &name.what) {
                (Some(id), _) => answers.know("server.processor", text(id), (found.from, found.place)),
                (None, what) => answers.ask(
                    "server.processor",
                    format!("The processor is {shown}, {}, which the catalogue does not have. Which family comes nearest?", what.as_deref().unwrap_or("another")),
                ),
            },
            None => answers.ask("server.processor", format!("Of which family is the processor {shown}?")),
        }
        answers.ask(
            "server.clock",
            format!("At which clock do all cores of {shown} run together? lscpu shows that of a single core; the data sheet has the all-core turbo."),
        );
    }
    let vendor = of("Hypervisor vendor");
    let metal = line(collected, "Model name")
        .is_some()
        .then_some("the server is no virtual machine, as far as lscpu shows");
    if let Some(seen) = vendor
        .map(|vendor| {
            format!(
                "the server is a virtual machine ({})",
                harmless_line(vendor)
            )
        })
        .or(metal.map(str::to_owned))
    {
        answers.seen.push(seen);
    }
    let exact = collected
        .memory
        .iter()
        .find(|found| found.from == "/proc/meminfo");
    if let Some(found) = exact.or(collected.memory.first()) {
        answers.know(
            "server.ram",
            text(&iec(found.value)),
            (found.from, found.place),
        );
    } else if let Some(found) = collected.memory_without_unit.first() {
        answers.ask(
            "server.ram",
            format!("How much memory does the server have? `free` shows {} without a unit: KiB by itself, MiB with -m. `grep MemTotal /proc/meminfo` has one.", found.value),
        );
    }
}

fn data(collected: &Collected, answers: &mut Answers) {
    database(collected, answers);
    depots(collected, answers);
    files(collected, answers);
    for found in &collected.inodes {
        const FULL: f64 = 0.8;
        let (target, fraction) = &found.value;
        let holds = answers
            .volumes
            .iter()
            .any(|volume| volume.target == plain(target));
        if holds && *fraction >= FULL {
            answers.seen.push(format!(
                "{} has {:.0} % of its inodes in use",
                harmless_line(target),
                fraction * 100.0
            ));
        }
    }
}

/// Bytes of volumes that hold this role alone.
fn used_alone(answers: &Answers, role: &str) -> Option<(f64, String)> {
    let volume = answers
        .volumes
        .iter()
        .find(|volume| volume.roles.contains(&role))?;
    Some((volume.used_bytes?, volume.target.clone()))
}

fn database(collected: &Collected, answers: &mut Answers) {
    let mut folders: BTreeMap<String, (BTreeMap<&str, f64>, &Found<super::facts::TableFile>)> =
        BTreeMap::new();
    for found in &collected.tables {
        let entry = folders
            .entry(plain(&found.value.folder))
            .or_insert_with(|| (BTreeMap::new(), found));
        entry.0.insert(&found.value.name, found.value.bytes);
    }
    let root = volumes::root(collected)
        .ok()
        .flatten()
        .map(|root| plain(&root));
    let chosen = root
        .as_deref()
        .and_then(|root| folders.get(root))
        .or_else(|| match folders.len() {
            1 => folders.values().next(),
            _ => None,
        });
    match chosen {
        // Some tables are no database; the smallest server has forty.
        Some((tables, found)) if tables.len() >= 10 => {
            let bytes: f64 = tables.values().sum();
            answers.know("data.db_size", text(&iec(bytes)), (found.from, found.place));
        }
        Some((tables, _)) => {
            let shown = tables.len();
            answers.ask("data.db_size", format!("How large is the database? The outputs have {shown} of its tables alone: `du -sch P4ROOT/db.*` has all."));
        }
        None if folders.len() > 1 => {
            let shown: Vec<String> = folders.keys().map(|folder| harmless_line(folder)).collect();
            answers.ask("data.db_size", format!("How large is the database? The outputs have tables in {}, and not which is P4ROOT.", shown.join(" and ")));
        }
        None => {
            let most = used_alone(answers, "db").map_or(String::new(), |(bytes, target)| {
                format!(
                    " The volume {} has {} in use, so that it is no more.",
                    harmless_line(&target),
                    iec(bytes)
                )
            });
            answers.ask(
                "data.db_size",
                format!("How large is the database (all db.* files in P4ROOT)?{most}"),
            );
        }
    }
}

fn depots(collected: &Collected, answers: &mut Answers) {
    let root = volumes::root(collected).ok().flatten();
    let base = setting(collected, "server.depot.root").map(|found| found.value.value.clone());
    let base = base.or_else(|| root.filter(|_| are_complete(collected)));
    let base = base.as_deref().map(plain);
    let whole = collected
        .folders
        .iter()
        .rev()
        .find(|found| Some(plain(&found.value.0)) == base);
    // Below P4ROOT lies the database too.
    let whole = whole.filter(|_| setting(collected, "server.depot.root").is_some());
    let mut of_depots: BTreeMap<String, &Found<(String, f64)>> = BTreeMap::new();
    for found in &collected.folders {
        let path = plain(&found.value.0);
        let is_depot = collected.depots.iter().any(|depot| {
            let map = plain(&depot.value.map);
            path == map
                || base
                    .as_ref()
                    .is_some_and(|base| path == format!("{base}/{map}"))
        });
        if is_depot {
            of_depots.insert(path, found);
        }
    }
    let local = collected
        .depots
        .iter()
        .filter(|depot| ["local", "stream"].contains(&depot.value.kind.as_str()))
        .count();
    if let Some(found) = whole {
        answers.know(
            "data.depot_size",
            text(&iec(found.value.1)),
            (found.from, found.place),
        );
    } else if let (true, Some(found)) = (
        local > 0 && of_depots.len() >= local,
        of_depots.values().next(),
    ) {
        let bytes: f64 = of_depots.values().map(|found| found.value.1).sum();
        answers.know(
            "data.depot_size",
            text(&iec(bytes)),
            (found.from, found.place),
        );
    } else {
        let most = used_alone(answers, "depot").map_or(String::new(), |(bytes, target)| {
            format!(
                " The volume {} has {} in use, so that they are no more.",
                harmless_line(&target),
                iec(bytes)
            )
        });
        answers.ask("data.depot_size", format!("How large are the depots (versioned files, as they lie on disk)?{most} `du -sh` of their folder says so."));
    }
}

/// Files and bytes of all depots, from `//...` or else from the sum of depots.
fn total(collected: &Collected, all: bool) -> Option<(f64, f64, &'static str, Place)> {
    let of = || {
        collected
            .sizes
            .iter()
            .filter(|found| found.value.all == Some(all))
    };
    if let Some(found) = of().find(|found| found.value.path.trim_end_matches("#head") == "//...") {
        return Some((
            found.value.files,
            found.value.bytes,
            found.from,
            found.place,
        ));
    }
    let is_depot = |path: &str| {
        path.strip_prefix("//")
            .is_some_and(|rest| rest.split('/').count() == 2 && rest.ends_with("/..."))
    };
    let mut depots: BTreeMap<&str, &Found<super::facts::Sizes>> = BTreeMap::new();
    for found in of().filter(|found| is_depot(&found.value.path)) {
        depots.insert(&found.value.path, found);
    }
    let local = collected
        .depots
        .iter()
        .filter(|depot| ["local", "stream"].contains(&depot.value.kind.as_str()))
        .count();
    let first = depots.values().next()?;
    let are_all = local > 0 && depots.len() >= local;
    let (from, place) = (first.from, first.place);
    let sum =
        |of: fn(&super::facts::Sizes) -> f64| depots.values().map(|found| of(&found.value)).sum();
    are_all.then(|| (sum(|s| s.files), sum(|s| s.bytes), from, place))
}

fn files(collected: &Collected, answers: &mut Answers) {
    let mut unsure: Vec<&Found<super::facts::Sizes>> = collected
        .sizes
        .iter()
        .filter(|found| found.value.all.is_none() && found.value.path == "//...")
        .collect();
    unsure.sort_by(|a, b| a.value.files.total_cmp(&b.value.files));
    let (mut head, mut every) = (total(collected, false), total(collected, true));
    match &unsure[..] {
        // Revisions are at least as many as files.
        [few, .., many]
            if few.value.files < many.value.files && head.is_none() && every.is_none() =>
        {
            let of = |found: &Found<super::facts::Sizes>| {
                (
                    found.value.files,
                    found.value.bytes,
                    found.from,
                    found.place,
                )
            };
            (head, every) = (Some(of(few)), Some(of(many)));
        }
        [one, ..] if head.is_none() && every.is_none() => {
            let files = grouped(one.value.files);
            answers.ask("data.files", format!("`p4 sizes` shows {files} files. Was it run with -a, so that these are revisions? Paste it with its command."));
        }
        _ => {}
    }
    if let Some((files, bytes, from, place)) = head {
        answers.know("data.files", files.to_string(), (from, place));
        if files >= 1.0 && bytes >= files {
            answers.know(
                "data.file_size",
                text(&iec((bytes / files).round())),
                (from, place),
            );
            answers.check("the mean of all files: a typical sync may bring others");
        }
    }
    match (every, &head) {
        (Some((revisions, ..)), Some((files, ..))) if revisions < *files => answers.ask(
            "data.revisions",
            format!("`p4 sizes -a` shows {} revisions and `p4 sizes` {} files, which cannot be. Which holds?", grouped(revisions), grouped(*files)),
        ),
        (Some((revisions, _, from, place)), _) => answers.know("data.revisions", revisions.to_string(), (from, place)),
        (None, _) => {}
    }
}

/// The server's own drives under today's volumes.
fn own_drives(collected: &Collected, answers: &mut Answers) {
    let own = answers
        .volumes
        .iter()
        .filter_map(|volume| volume.own.as_ref());
    let (mut disks, mut kinds) = (BTreeSet::new(), BTreeSet::new());
    for drives in own {
        disks.extend(drives.disks.iter().cloned());
        kinds.extend(drives.medium.clone());
    }
    let from = collected.trees.last().map(|tree| (tree.from, tree.place));
    let Some(from) = from.filter(|_| !disks.is_empty()) else {
        return;
    };
    answers.know("server.local_disks", disks.len().to_string(), from);
    if let (1, Some(kind)) = (kinds.len(), kinds.pop_first()) {
        answers.know("server.local_medium", text(&kind), from);
    }
}

fn network(collected: &Collected, answers: &mut Answers) {
    const NAMES: [(f64, &str); 4] = [
        (1e9, "eth-1g"),
        (10e9, "eth-10g"),
        (25e9, "eth-25g"),
        (100e9, "eth-100g"),
    ];
    let is_port = |name: &str| {
        ![
            "lo", "docker", "veth", "virbr", "br", "bond", "team", "tun", "tap",
        ]
        .iter()
        .any(|start| name.starts_with(start))
    };
    let mut ports: BTreeMap<&str, &Found<(String, f64)>> = BTreeMap::new();
    for found in collected
        .ports
        .iter()
        .filter(|found| is_port(&found.value.0) && found.value.1 > 0.0)
    {
        ports.insert(&found.value.0, found);
    }
    let shown: Vec<String> = ports
        .iter()
        .map(|(name, found)| format!("{} at {:.0} Gb/s", harmless_line(name), found.value.1 / 1e9))
        .collect();
    match (ports.len(), ports.values().next()) {
        (1, Some(found)) => match NAMES.iter().find(|(speed, _)| *speed == found.value.1) {
            Some((_, id)) => answers.know(
                "infrastructure.client_network",
                text(id),
                (found.from, found.place),
            ),
            None => answers.ask(
                "infrastructure.client_network",
                format!(
                    "Which network joins the server and its clients? Its port is {}.",
                    shown.join(", ")
                ),
            ),
        },
        (2.., _) => answers.ask(
            "infrastructure.client_network",
            format!(
                "Which of the server's ports lead to its clients: {}?",
                shown.join(", ")
            ),
        ),
        _ => {}
    }
}

/// What ran, waited or was busy at that moment: no peak, so that it answers no question.
fn load(collected: &Collected, answers: &mut Answers) {
    if !collected.running.is_empty() {
        let all = collected.running.len();
        let active = collected
            .running
            .iter()
            .filter(|found| found.value.status == 'R')
            .count();
        answers.seen.push(format!(
            "{} processes of p4d at that moment, of which {} ran a command (`p4 monitor show`)",
            grouped(all as f64),
            grouped(active as f64)
        ));
        answers.ask(
            "people.connections_at_peak",
            format!("How many connections does the server hold at the peak? At the moment of `p4 monitor show` it was {}.", grouped(all as f64)),
        );
    }
    for found in &collected.transfers {
        let (transfers, bytes) = found.value;
        if transfers > 0.0 {
            answers.seen.push(format!(
                "{} transfers of archives wait in the replica, {} (`p4 pull -ls`)",
                grouped(transfers),
                iec(bytes)
            ));
        }
    }
    let of = |which: &str| {
        collected
            .journals
            .iter()
            .find(|found| found.value.0 == which)
            .map(|found| (found.value.1, found.value.2))
    };
    if let (Some(replica), Some(master)) = (of("replica"), of("master"))
        && replica != master
    {
        let behind = if replica.0 == master.0 {
            format!("{} of journal", iec((master.1 - replica.1).max(0.0)))
        } else {
            format!(
                "{} rotations of the journal",
                grouped((master.0 - replica.0).max(0.0))
            )
        };
        answers
            .seen
            .push(format!("the replica is {behind} behind (`p4 pull -lj`)"));
    }
    // The last sample of iostat: the first one is the mean since the machine was started.
    let mut last: BTreeMap<&str, f64> = BTreeMap::new();
    for found in &collected.busy {
        last.insert(&found.value.device, found.value.busy_fraction);
    }
    let busiest = last.iter().max_by(|a, b| a.1.total_cmp(b.1));
    if let Some((device, fraction)) = busiest.filter(|(_, fraction)| **fraction >= 0.01) {
        answers.seen.push(format!(
            "the busiest device was {}, {:.0} % of the time (`iostat`)",
            harmless_line(device),
            fraction * 100.0
        ));
    }
    if collected.log_lines > 0 {
        answers.seen.push(format!(
            "{} lines of a server log, which are not read here",
            grouped(collected.log_lines as f64)
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collected::of_texts;

    fn of(text: &str) -> Answers {
        answers(&of_texts([("a.txt", text)]))
    }

    fn asks(answers: &Answers, field: &str, words: &str) -> bool {
        answers
            .open
            .iter()
            .any(|open| open.field == field && open.question.contains(words))
    }

    #[test]
    fn versions_name_release_and_platform() {
        assert_eq!(
            version("P4D/LINUX26X86_64/2023.1/2468153 (2023/07/24)"),
            Some(("2023.1".to_owned(), "LINUX26X86_64".to_owned()))
        );
        assert_eq!(
            version("P4D/NTX64/2021.1.PREP-TEST_ONLY/1 (x)").map(|v| v.0),
            Some("2021.1".to_owned())
        );
        assert_eq!(
            version("P4D/LINUX22X86/99.2/1").map(|v| v.0),
            Some("1999.2".to_owned())
        );
        assert_eq!(version("P4D/x"), None);
    }

    #[test]
    fn two_servers_are_not_mixed() {
        let both = of(
            "Server version: P4D/LINUX26X86_64/2023.1/1 (x)\nServer version: P4D/LINUX26X86_64/2024.2/2 (x)\n",
        );
        assert_eq!(both.value("server.release"), None);
        assert!(asks(&both, "server.release", "disagree"));
    }

    #[test]
    fn files_and_revisions_are_told_by_their_command_or_their_numbers() {
        let shown = of(
            "$ p4 sizes -s //...\n//... 1000 files 2048000 bytes\n$ p4 sizes -a -s //...\n//... 3000 files 9 bytes\n",
        );
        assert_eq!(
            (shown.value("data.files"), shown.value("data.revisions")),
            (Some("1000"), Some("3000"))
        );
        assert_eq!(shown.value("data.file_size"), Some("\"2 KiB\""));
        let bare = of("//... 3000 files 9 bytes\n//... 1000 files 2048000 bytes\n");
        assert_eq!(
            (bare.value("data.files"), bare.value("data.revisions")),
            (Some("1000"), Some("3000"))
        );
        let one = of("//... 3000 files 9 bytes\n");
        assert!(one.value("data.files").is_none() && asks(&one, "data.files", "-a"));
    }

    #[test]
    fn settings_of_several_servers_are_asked_about() {
        let one =
            of("any: db.peeking = 2\nany: net.parallel.max = 10\nany: net.parallel.threads = 4\n");
        assert_eq!(
            (
                one.value("server.peeking"),
                one.value("today.parallel_threads")
            ),
            (Some("2"), Some("4"))
        );
        let two = of("any: db.peeking = 2\nedge1: db.peeking = 3\n");
        assert!(two.value("server.peeking").is_none() && asks(&two, "server.peeking", "2 and 3"));
        assert_eq!(
            of("net.parallel.max=0 (default)\nnet.parallel.threads=4 (configure)\n")
                .value("today.parallel_threads"),
            Some("0")
        );
        assert!(asks(
            &of("net.parallel.max=10 (configure)\n"),
            "today.parallel_threads",
            "allows 10"
        ));
    }

    #[test]
    fn cores_count_no_threads() {
        let cores = |text: &str| of(text).value("server.cores").map(str::to_owned);
        assert_eq!(
            cores("CPU(s): 64\nThread(s) per core: 2\nCore(s) per socket: 16\nSocket(s): 2\n")
                .as_deref(),
            Some("32")
        );
        assert_eq!(
            cores("CPU(s): 64\nThread(s) per core: 2\n").as_deref(),
            Some("32")
        );
        assert!(asks(&of("$ nproc\n64\n"), "server.cores", "64 logical"));
    }

    #[test]
    fn the_database_is_that_of_the_root() {
        let tables = |folder: &str, bytes: u32| -> String {
            (0..12)
                .map(|i| format!("-rw------- 1 0 0 {bytes} Jan  1 12:00 {folder}/db.t{i}\n"))
                .collect()
        };
        let both = format!(
            "{}{}",
            tables("/p4/root", 1024),
            tables("/p4/offline_db", 10)
        );
        assert!(of(&both).value("data.db_size").is_none());
        let text = format!("Server root: /p4/root\n{both}");
        assert_eq!(of(&text).value("data.db_size"), Some("\"12 KiB\""));
    }
}
