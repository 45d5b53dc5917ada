//! What the rows of a checkpoint add up to.

use std::collections::{BTreeMap, HashMap};

use super::super::pseudonym::siphash;
use super::checkpoint::{ACTIVE_DAYS, Checkpoint, Contents, Held, UNUSED_DAYS, Users, Workspaces};
use super::records::{Record, content, number, time};
use super::sums::{OTHERS, TABLES, is_person, moment};

/// Times of use that are kept, of users and of workspaces.
const TIMES: usize = 1_000_000;
/// The type of a workspace in `db.domain`: the letter c.
const WORKSPACE: u64 = 99;
const DAY_S: i64 = 86_400;

/// Users or workspaces, and when they were used.
#[derive(Debug, Default)]
struct Used {
    count: u64,
    /// Seconds since 1970, of those whose rows say so.
    times: Vec<i64>,
}

impl Used {
    fn add(&mut self, field: Option<&&[u8]>) {
        self.count += 1;
        if let Some(at) = field.and_then(|field| time(field))
            && self.times.len() < TIMES
        {
            self.times.push(at);
        }
    }

    fn join(&mut self, other: Self) {
        self.count += other.count;
        let room = TIMES.saturating_sub(self.times.len());
        self.times.extend(other.times.into_iter().take(room));
    }

    /// How many were used so many days before a time, or later.
    fn since(&self, until: i64, days: u32) -> Option<u64> {
        let from = until - i64::from(days) * DAY_S;
        let used = self.times.iter().filter(|at| **at >= from).count() as u64;
        (!self.times.is_empty()).then_some(used)
    }
}

/// The rows of one file, or of several.
#[derive(Debug, Default)]
pub(super) struct Census {
    files: u64,
    /// The first and the last time of its notes.
    made: Option<(i64, i64)>,
    rows: u64,
    bytes: u64,
    index: HashMap<String, usize>,
    tables: Vec<Held>,
    /// The table whose rows are read.
    at: usize,
    /// The tables of files, by a hash of their name and of what their first row begins with.
    begins: BTreeMap<u64, String>,
    twice: Option<String>,
    revisions: Contents,
    heads: Contents,
    users: u64,
    people: Used,
    workspaces: Used,
    /// The workspace whose files are read, how many it has so far, and how many the largest has.
    workspace: u64,
    workspace_files: u64,
    largest_files: u64,
}

impl Census {
    /// How many files were checkpoints.
    pub(super) fn files(&self) -> u64 {
        self.files
    }

    /// Whether there is no row.
    pub(super) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// A note: a checkpoint states in its first and in its last one when it was made.
    pub(super) fn note(&mut self, record: &Record) {
        self.bytes += record.bytes();
        if let Some(at) = record.time() {
            let made = self.made.get_or_insert((at, at));
            *made = (made.0.min(at), made.1.max(at));
        }
    }

    /// A row; whether the rows of its table stand together so far, as they do in a checkpoint.
    pub(super) fn row(&mut self, record: &Record) -> bool {
        let (Some(name), bytes) = (record.table(), record.bytes()) else {
            return true;
        };
        let fields = record.fields();
        let first = fields.first().copied().unwrap_or_default();
        let is_same = self.rows > 0 && self.tables[self.at].name == name;
        let at = if is_same { self.at } else { self.table(name) };
        let is_new = self.tables[at].rows == 0;
        if is_new {
            let key = [name.as_bytes(), first, fields.get(1).copied().unwrap_or(b"")];
            self.begins.insert(siphash((0, 0), &key.join(&b' ')), name.to_owned());
        }
        self.at = at;
        self.rows += 1;
        self.bytes += bytes;
        let table = &mut self.tables[at];
        table.rows += 1;
        table.bytes += bytes;
        match name {
            "db.rev" => add(&mut self.revisions, &fields),
            "db.revhx" => add(&mut self.heads, &fields),
            "db.have" => self.have(first),
            "db.user" => {
                self.users += 1;
                // `user email jobview update access …`
                if is_person(first) {
                    self.people.add(fields.get(4));
                }
            }
            // `domain type host mount mount mount owner update access …`
            "db.domain" if fields.get(1).and_then(|field| number(field)) == Some(WORKSPACE) => {
                self.workspaces.add(fields.get(8));
            }
            _ => {}
        }
        is_same || is_new || self.tables[at].name == OTHERS
    }

    fn table(&mut self, name: &str) -> usize {
        if let Some(at) = self.index.get(name) {
            return *at;
        }
        let at = self.tables.len();
        if at >= TABLES && name != OTHERS {
            return self.table(OTHERS);
        }
        self.index.insert(name.to_owned(), at);
        self.tables.push(Held { name: name.to_owned(), ..Held::default() });
        at
    }

    /// `@//workspace/path@ …`: rows are in the order of their keys, so that those of a workspace stand together.
    fn have(&mut self, file: &[u8]) {
        let path = file.strip_prefix(b"@//").unwrap_or(file);
        let end = memchr::memchr(b'/', path).unwrap_or(path.len());
        let workspace = siphash((0, 0), &path[..end]);
        if workspace != self.workspace {
            (self.workspace, self.workspace_files) = (workspace, 0);
        }
        self.workspace_files += 1;
        self.largest_files = self.largest_files.max(self.workspace_files);
    }

    /// Takes the rows of a file that has ended.
    pub(super) fn join(&mut self, file: Self) {
        self.files += 1;
        if let Some((from, to)) = file.made {
            let made = self.made.get_or_insert((from, to));
            *made = (made.0.min(from), made.1.max(to));
        }
        self.rows += file.rows;
        self.bytes += file.bytes;
        for held in file.tables {
            let at = self.table(&held.name);
            self.tables[at].rows += held.rows;
            self.tables[at].bytes += held.bytes;
        }
        for (begin, name) in file.begins {
            if self.begins.insert(begin, name.clone()).is_some() {
                self.twice = Some(name);
            }
        }
        self.revisions.join(file.revisions);
        self.heads.join(file.heads);
        self.users += file.users;
        self.people.join(file.people);
        self.workspaces.join(file.workspaces);
        self.largest_files = self.largest_files.max(file.largest_files);
    }

    /// What they hold; `None` if there was no row.
    pub(super) fn found(self) -> Option<Checkpoint> {
        if self.is_empty() {
            return None;
        }
        let used = self.people.times.iter().chain(&self.workspaces.times);
        // Where the notes say nothing it was made after the last use of all.
        let made = self.made.map(|(_, to)| to).or(used.max().copied());
        let (people, workspaces) = (self.people.count, self.workspaces.count);
        let used = made.and_then(|made| self.workspaces.since(made, UNUSED_DAYS));
        let dated = self.workspaces.times.len() as u64;
        let mut tables = self.tables;
        tables.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.name.cmp(&b.name)));
        Some(Checkpoint {
            span: self.made.map(|(from, to)| (moment(from), moment(to))),
            files: self.files,
            rows: self.rows,
            bytes: self.bytes,
            tables,
            revisions: self.revisions,
            heads: self.heads,
            users: Users {
                all: self.users,
                people,
                active: made.and_then(|made| self.people.since(made, ACTIVE_DAYS)),
            },
            workspaces: Workspaces {
                all: workspaces,
                unused: used.map(|used| dated - used),
                largest_files: self.largest_files,
            },
            twice: self.twice,
        })
    }
}

/// A row of a revision, if it has content.
fn add(sum: &mut Contents, fields: &[&[u8]]) {
    if let Some((size, is_lazy)) = content(fields) {
        sum.join(Contents {
            sized: 1,
            bytes: size,
            lazy: u64::from(is_lazy),
            lazy_bytes: if is_lazy { size } else { 0 },
        });
    }
}
