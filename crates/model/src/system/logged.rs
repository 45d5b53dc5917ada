//! A simulated server's log: the records that p4d would have written.
//!
//! What the simulator did is taken from its trace: when commands began and ended, which locks they waited for and held, how large
//! they were. What a command touches (rows, files, bytes, processor time) is its script's, times its size; rows that are read or
//! written under locks are spread evenly over the tables of that section, which p4d does not do. Names are made up.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::deployment::Deployment;
use super::piece::Piece;
use super::plant::{Plant, ResourceKind};
use super::process::{Process, process_of};
use super::tables::is_in_db;
use crate::calibration::Calibration;
use crate::catalog::{Catalog, Command as Script, PerFile, Scenario, Step};
use crate::serverlog::commands::words;
use crate::serverlog::quality::COMPUTING;
use crate::serverlog::record::{Command, Ending, FileTotals, LockTimes, Moment, Rpc, Section, TableUse, Usage};
use crate::serverlog::write::{Levels, LogPart, parts};
use crate::sim::{Event, Mode, What};
use crate::workload::{Arrival, Clients, Group, Load};

/// The lock of the commit section, whose phase of a submit is a command of its own in a log.
const COMMIT: &str = "meta/commit";

/// What a kind of command is in a log.
struct Kind {
    function: String,
    arguments: &'static str,
    user: &'static str,
    people: u64,
    program: &'static str,
    network: u8,
    files: f64,
    bytes: f64,
    processor_s: f64,
    is_sent: bool,
    /// Whether it sends a message a file.
    is_listed: bool,
    is_received: bool,
    /// Rows by table: read by key, scanned, written.
    rows: BTreeMap<String, [f64; 3]>,
}

/// A deployment under a load, whose simulation is written as the log of one server.
pub struct Logged {
    /// What the simulator takes.
    pub process: Process,
    kinds: Vec<(usize, Kind)>,
    server: usize,
    /// Whether reads do without locks, so that they are peeks in a log.
    peeks: bool,
}

impl Logged {
    /// Of one server, 0 being the commit server; a sentence if the scenario cannot happen here.
    pub fn new(
        deployment: &Deployment,
        load: &Load,
        models: (&Catalog, &Calibration),
        scenario: Option<&Scenario>,
        server: usize,
    ) -> Result<Self, String> {
        // A lapse in a log begins when the connection stands.
        let connected = |group: &Group| Group { connected: true, ..group.clone() };
        let load = &Load { groups: load.groups.iter().map(connected).collect(), ..*load };
        let kinds = |plant: &Plant<'_>, pieces: &[Piece<'_>]| -> Vec<(usize, Kind)> {
            let kinds = pieces.iter().map(|piece| (piece.server, kind(piece, plant, load)));
            kinds.collect()
        };
        let (process, kinds) = process_of(deployment, load, models, scenario, true, kinds)?;
        Ok(Self { process, kinds, server, peeks: deployment.read_locks.peeks() })
    }

    /// Writes what `levels` say of commands that begin after a warm-up \[s\], which ends at this moment, in the order of time.
    pub fn log<W: FnMut(&str)>(&self, levels: Levels, (origin, warm_up): (Moment, f64), write: W) -> Log<'_, W> {
        Log {
            logged: self,
            levels,
            origin,
            warm_up,
            open: BTreeMap::new(),
            waiting: BinaryHeap::new(),
            order: 0,
            look_at: GATHERED,
            commands: 0,
            write,
        }
    }
}

/// What a command of a script touches, of a client of its group.
fn kind(piece: &Piece<'_>, plant: &Plant<'_>, load: &Load) -> Kind {
    let group = &load.groups[piece.group];
    let call = &group.calls[piece.call];
    let script = piece.command;
    let mut rows = BTreeMap::new();
    if script.prologue {
        add_rows(&mut rows, &plant.catalog.commands["overhead"], 0.0);
    }
    add_rows(&mut rows, script, call.files);
    let processor = piece.cost.total().iter();
    let processor = processor.filter(|(k, _)| plant.kind(*k) == ResourceKind::Processor);
    let people = match group.arrival {
        Arrival::Closed { population, .. } => population.max(1.0) as u64,
        Arrival::Open { .. } => MACHINES,
    };
    let (user, program, network) = match &group.clients {
        Clients::MainOffice | Clients::LargeSyncs | Clients::LongCommands | Clients::LiveCheckpoints => {
            ("user", "P4V/NTX64/2024.2/2655015/v93", 1)
        }
        Clients::Office(_) | Clients::LargeSyncsOf(_) => ("remote", "P4V/NTX64/2024.2/2655015/v93", 2),
        Clients::Automation | Clients::Herd(_) | Clients::Benchmark(_) => {
            ("build", "p4/2024.2/LINUX26X86_64/2697822", 3)
        }
    };
    let moves = |wanted: fn(&Step) -> bool| script.steps.iter().any(wanted);
    let (function, arguments) = words(&script.entry.id);
    Kind {
        function,
        arguments,
        user,
        people,
        program,
        network,
        files: call.files,
        bytes: call.bytes,
        processor_s: processor.map(|(_, seconds)| seconds).sum(),
        is_sent: moves(|step| matches!(step, Step::ReadArchive { .. })),
        is_listed: moves(|step| matches!(step, Step::Send(message) if message.size.per_file.is_some())),
        is_received: moves(|step| matches!(step, Step::WriteArchive { .. })),
        rows,
    }
}

/// Machines that a stream of builds and scripts comes from: made up, the model knows only their rate.
const MACHINES: u64 = 20;

fn add_rows(rows: &mut BTreeMap<String, [f64; 3]>, script: &Script, files: f64) {
    let count = |per: &PerFile<f64>| {
        per.per_command.as_ref().map_or(0.0, |x| x.value) + per.per_file.as_ref().map_or(0.0, |x| x.value) * files
    };
    let mut tables: &[String] = &[];
    for step in &script.steps {
        let (all, what) = match step {
            Step::Lock { tables: locked, .. } => {
                tables = locked;
                continue;
            }
            Step::ReadRows { rows, scan } => (count(rows), usize::from(*scan)),
            Step::WriteRows(rows) => (count(rows), 2),
            _ => continue,
        };
        let in_db = || tables.iter().filter(|table| is_in_db(table));
        // A row a file is written into the table of opened files, or of those in workspaces, as p4d does.
        let own = ["db.working", "db.have"];
        let own = own.into_iter().find(|own| in_db().any(|table| table == own));
        let own = own.filter(|_| what == 2 && all >= files && in_db().count() > 1);
        let others = in_db().filter(|table| own.is_none_or(|own| *table != own));
        let others: Vec<&String> = others.collect();
        let rest = all - own.map_or(0.0, |_| files);
        for table in &others {
            rows.entry((*table).clone()).or_default()[what] += rest / others.len() as f64;
        }
        if let Some(own) = own {
            rows.entry(own.to_owned()).or_default()[what] += files;
        }
    }
}

/// A lock that is asked for or held.
struct Hold {
    asked: f64,
    granted: f64,
    exclusive: bool,
}

/// What a command did at one lock so far \[ms\].
#[derive(Default)]
struct Used {
    waits: [f64; 2],
    holds: [f64; 2],
    longest_waits: [f64; 2],
    longest_holds: [f64; 2],
    count: [u64; 2],
    first_asked: f64,
}

/// A command that runs.
struct Running {
    began: f64,
    /// When it let go of the last shared lock, and when it first asked for an exclusive one of a table.
    read: Option<f64>,
    writes: Option<f64>,
    size: f64,
    held: BTreeMap<usize, Hold>,
    used: BTreeMap<usize, Used>,
}

/// Takes a simulation's events and writes the log.
pub struct Log<'l, W> {
    logged: &'l Logged,
    levels: Levels,
    origin: Moment,
    warm_up: f64,
    open: BTreeMap<u64, Running>,
    /// Parts that may still have to stand behind others, by time and order.
    waiting: BinaryHeap<Reverse<(Moment, u64, String)>>,
    order: u64,
    /// How many of them there are when it is worth looking which can be written.
    look_at: usize,
    commands: u64,
    write: W,
}

/// Parts that are gathered at least before it is looked which can be written: looking takes as long as there are clients.
const GATHERED: usize = 4096;

impl<W: FnMut(&str)> Log<'_, W> {
    /// Something happens in the simulation.
    pub fn see(&mut self, event: &Event) {
        let now = event.time;
        match event.what {
            What::Sized { factor } => self.running(event.customer, now).size = factor,
            What::Starts => self.running(event.customer, now).began = now,
            What::Asks { lock, mode, .. } => {
                if mode == Mode::Exclusive && is_in_db(&self.logged.process.tables[lock].0) {
                    self.running(event.customer, now).writes.get_or_insert(now);
                }
                let hold = Hold { asked: now, granted: now, exclusive: mode == Mode::Exclusive };
                self.running(event.customer, now).held.insert(lock, hold);
            }
            What::Granted { lock, .. } => {
                if let Some(hold) = self.running(event.customer, now).held.get_mut(&lock) {
                    hold.granted = now;
                }
            }
            What::Releases { lock, .. } => self.running(event.customer, now).release(lock, now),
            What::Completes { activity } => {
                if let Some(running) = self.open.remove(&event.customer) {
                    self.complete(activity, event.customer, &running, now);
                }
            }
            _ => {}
        }
    }

    fn running(&mut self, customer: u64, now: f64) -> &mut Running {
        self.open.entry(customer).or_insert_with(|| Running {
            began: now,
            read: None,
            writes: None,
            size: 1.0,
            held: BTreeMap::new(),
            used: BTreeMap::new(),
        })
    }

    fn complete(&mut self, activity: usize, customer: u64, running: &Running, now: f64) {
        let (server, kind) = &self.logged.kinds[activity];
        if *server == self.logged.server && now >= self.warm_up {
            for command in self.commands_of(kind, customer, running, now) {
                self.commands += 1;
                let parts = parts(&command, self.levels).into_iter();
                // What began before the log has its end in it alone, as in a log that was rotated.
                for LogPart { at, text } in parts.filter(|part| part.at >= self.origin) {
                    self.order += 1;
                    self.waiting.push(Reverse((at, self.order, text)));
                }
            }
        }
        if self.waiting.len() < self.look_at {
            return;
        }
        let first = self.open.values().map(|r| r.began).fold(now, f64::min);
        let until = self.at(first);
        while let Some(Reverse((at, ..))) = self.waiting.peek()
            && *at < until
            && let Some(Reverse((_, _, text))) = self.waiting.pop()
        {
            (self.write)(&text);
        }
        self.look_at = self.waiting.len() + GATHERED;
    }

    fn at(&self, seconds: f64) -> Moment {
        self.origin.plus_seconds(seconds - self.warm_up)
    }

    /// The command; a submit is three.
    fn commands_of(&self, kind: &Kind, customer: u64, running: &Running, now: f64) -> Vec<Command> {
        let number = customer % kind.people + 1;
        let size = running.size;
        let whole = |from: f64, until: f64| Command {
            // A client keeps its connection, and with it its process.
            pid: 1000 + customer,
            start: self.at(from),
            end: Some(self.at(until)),
            ending: Ending::Completed,
            user: format!("{}{number}", kind.user),
            client: format!("{}{number}-ws", kind.user),
            address: format!("10.{}.{}.{}", kind.network, number / 250, number % 250 + 1),
            program: kind.program.to_owned(),
            function: kind.function.clone(),
            arguments: kind.arguments.to_owned(),
            lapse_s: Some(until - from),
            tracked: self.levels.track,
            ..Command::default()
        };
        let mut command = whole(running.began, now);
        command.usage = Some(Usage { user_ms: (kind.processor_s * size * 1e3).round() as u64, ..Usage::default() });
        let (files, bytes) = ((kind.files * size).round() as u64, (kind.bytes * size) as u64);
        let totals = FileTotals {
            sent_files: if kind.is_sent { files } else { 0 },
            sent_bytes: if kind.is_sent { bytes } else { 0 },
            received_files: if kind.is_received { files } else { 0 },
            received_bytes: if kind.is_received { bytes } else { 0 },
        };
        if totals != FileTotals::default() {
            command.files = Some(totals);
        }
        command.rpc = Some(Rpc {
            received: 2 + totals.received_files,
            sent: 2 + if kind.is_listed { files } else { 0 },
            received_bytes: totals.received_bytes,
            sent_bytes: totals.sent_bytes,
            ..Rpc::default()
        });
        if COMPUTING.contains(&kind.function.as_str()) {
            // Where it reads without locks, what it reads ends when it begins to write.
            let computed = running.read.or(running.writes).unwrap_or(now);
            command.compute_s = Some(computed - running.began);
        }
        command.tables = self.tables(kind, running);
        let commit = running.used.iter().find(|(lock, _)| self.logged.process.tables[**lock].0 == COMMIT);
        match commit {
            Some((_, commit)) if kind.function == "user-submit" => {
                self.phases(command, whole, (running.began, now), commit)
            }
            _ => vec![command],
        }
    }

    /// The three phases of a submit: what is sent comes before the commit section, which has tables and locks.
    fn phases(
        &self,
        mut command: Command,
        whole: impl Fn(f64, f64) -> Command,
        (began, now): (f64, f64),
        commit: &Used,
    ) -> Vec<Command> {
        let mut first = whole(began, began);
        "-i".clone_into(&mut first.arguments);
        let mut transfer = whole(began, commit.first_asked);
        "dm-SubmitChange".clone_into(&mut transfer.function);
        transfer.arguments = String::new();
        transfer.files = command.files.take();
        transfer.rpc = command.rpc.take();
        "dm-CommitSubmit".clone_into(&mut command.function);
        command.arguments = String::new();
        command.start = self.at(commit.first_asked);
        command.lapse_s = Some(now - commit.first_asked);
        vec![first, transfer, command]
    }

    fn tables(&self, kind: &Kind, running: &Running) -> Vec<TableUse> {
        let mut tables: BTreeMap<&str, TableUse> = BTreeMap::new();
        for (table, [get, scan, put]) in &kind.rows {
            let rows = |mean: &f64| (mean * running.size).round() as u64;
            let used = tables.entry(table).or_default();
            (used.rows_get, used.rows_scan, used.rows_put) = (rows(get), rows(scan), rows(put));
        }
        // The commit section of an edge's submit is in the commit server's log.
        let locks = running.used.iter().filter_map(|(lock, used)| {
            let (table, server) = &self.logged.process.tables[*lock];
            (*server == self.logged.server).then_some((table.as_str(), used))
        });
        for (table, used) in locks {
            used.say(tables.entry(table).or_default());
        }
        for used in tables.values_mut() {
            let is_read = used.rows_get + used.rows_scan > 0;
            let is_locked = used.rows_put + used.read_locks + used.write_locks > 0;
            used.peeks = u64::from(self.logged.peeks && is_read && !is_locked);
        }
        let named = tables.into_iter().map(|(name, mut table)| {
            name.clone_into(&mut table.name);
            if !is_in_db(name) {
                table.section = Section::LockFile;
                table.mode = Some(if table.write_locks > 0 { 'W' } else { 'R' });
            }
            table
        });
        named.collect()
    }

    /// The end of the log: writes what is still to be written, and says how many commands it has. Commands that run on are not
    /// in it.
    pub fn finish(mut self) -> u64 {
        while let Some(Reverse((_, _, text))) = self.waiting.pop() {
            (self.write)(&text);
        }
        self.commands
    }
}

impl Running {
    fn release(&mut self, lock: usize, now: f64) {
        let Some(hold) = self.held.remove(&lock) else {
            return;
        };
        let used = self.used.entry(lock).or_insert_with(|| Used { first_asked: hold.asked, ..Used::default() });
        let how = usize::from(hold.exclusive);
        if !hold.exclusive {
            self.read = Some(now);
        }
        let (wait, held) = ((hold.granted - hold.asked) * 1e3, (now - hold.granted) * 1e3);
        used.waits[how] += wait;
        used.holds[how] += held;
        used.longest_waits[how] = used.longest_waits[how].max(wait);
        used.longest_holds[how] = used.longest_holds[how].max(held);
        used.count[how] += 1;
    }
}

impl Used {
    /// As a log has it: in whole milliseconds.
    fn say(&self, table: &mut TableUse) {
        [table.read_locks, table.write_locks] = self.count;
        let whole = |ms: f64| ms.round() as u64;
        let times = |waits: &[f64; 2], holds: &[f64; 2]| LockTimes {
            read_wait_ms: whole(waits[0]),
            read_held_ms: whole(holds[0]),
            write_wait_ms: whole(waits[1]),
            write_held_ms: whole(holds[1]),
        };
        table.total = times(&self.waits, &self.holds);
        table.longest = times(&self.longest_waits, &self.longest_holds);
    }
}
