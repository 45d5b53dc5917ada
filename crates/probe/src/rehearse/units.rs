//! What a unit of work costs the processors here: as the model has it, and as it was measured.
//!
//! p4d's own instructions cannot be had without p4d. So each unit (a command, a row, a byte) does its real work (messages, pages,
//! copies) and then as much more comparing and copying of rows as makes it cost what the model says for a core of this speed. The
//! sum is measured again, alone, and goes into the prediction: what the rehearsal tests is how units add up under a load.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use super::connection::{ClientEnd, Pace, Portion, Request, pair};
use super::course::Course;
use super::field::Field;
use super::plan::Plan;
use super::processor::Burner;
use super::script::{Content, Op, Script};
use super::server::Server;
use crate::bench::environment::text;
use crate::bench::ground::now;
use crate::calibration::Calibration;

/// Processor seconds of a unit of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Units {
    pub(super) command: f64,
    pub(super) row_read: f64,
    pub(super) row_write: f64,
    pub(super) byte: f64,
}

/// What is burnt beside a unit's real work \[s\].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Burns {
    pub(super) command: f64,
    pub(super) row_read: f64,
    pub(super) row_write: f64,
    pub(super) byte_moved: f64,
    pub(super) byte_digested: f64,
}

/// All that is known of the units.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Costs {
    /// What the model says for a core of this speed.
    pub(super) wanted: Units,
    /// What the real work of each costs.
    pub(super) real: Units,
    /// What both cost together, measured: what the prediction takes.
    pub(super) all: Units,
    /// Time that a round trip of a message over the loopback interface takes beyond its processor work \[s\].
    pub(super) trip: f64,
    /// Speed of a core: clock times instructions per clock relative to Skylake \[1/s\].
    pub(super) speed: f64,
}

/// Rows of a probe's command: ten pages, which cost more than the rest of the command.
const ROWS: f64 = 200.0;
/// Bytes of a probe's command: more than caches hold, as those of a large sync \[B\].
const BYTES: f64 = 64e6;
/// The time between two commands of a probe: as between those of people, caches have cooled and a processor sleeps. Longer than any
/// idle state of a server's processor takes to be entered (under 1 ms in the tables of Linux's `intel_idle`).
pub(super) const PAUSE: Duration = Duration::from_millis(3);
/// Commands of a probe: as many as keep it short, since all probes together pause for 3 s.
const COMMANDS: usize = 40;
/// Round trips of a command as the rehearsal makes it, as many as `round_trips.command`: two messages and their echoes, the request
/// and its answer.
const TRIPS: f64 = 3.0;
/// Times that a probe is repeated. The least counts: other work on the machine adds to the time and takes nothing from it.
const REPEATS: usize = 3;

/// How many scripts measure units.
const SCRIPTS: u32 = 5;

/// Scripts that measure a unit each; they stand behind those of the plan. A command is what all do before their own, without its rows:
/// the request, table files opened, locks, a line of the log, an answer. Rows are of all tables, as those of the load.
pub(super) fn scripts(plan: &Plan) -> [Script; SCRIPTS as usize] {
    let one = |op| Script { ops: vec![op] };
    let content = Content { moved: BYTES, ..Content::default() };
    [
        plan.prologue.without_rows(),
        one(Op::ReadRows { rows: ROWS, scan: false, tables: (0..plan.tables.len()).collect() }),
        one(Op::WriteRows { rows: ROWS, tables: vec![0] }),
        one(Op::Out(content)),
        Script { ops: Vec::new() },
    ]
}

impl Units {
    /// What the model says, for a core that takes `row` seconds for a row of the benchmark's processor test, and the speed of
    /// that core.
    pub(super) fn wanted(calibration: &Calibration, row: Option<f64>) -> Option<(Self, f64)> {
        let parameter = |id: &str| calibration.parameter(id).map(|p| p.value.value);
        let measured = parameter("speed.2017")?;
        let ticks = parameter("bench.row_ticks")?;
        let speed = row.map_or(measured, |row| ticks / row);
        let ratio = measured / speed * parameter("speed_error.2026")?;
        let cost = |what: &str| Some(parameter(&format!("{what}.2017"))? * ratio);
        let units = Self {
            command: cost("command")?,
            row_read: cost("row_read")?,
            row_write: cost("row_write")?,
            byte: cost("byte")?,
        };
        Some((units, speed))
    }
}

/// Processor time of all threads of this process so far \[s\]; none where the kernel does not count it.
pub(super) fn processor_time() -> Option<f64> {
    let tasks = fs::read_dir("/proc/self/task").ok()?;
    let each = tasks.flatten().map(|task| spent(&task.path()));
    // A thread may have ended meanwhile.
    Some(each.flatten().sum())
}

/// Processor time of a thread \[s\].
fn spent(task: &Path) -> Option<f64> {
    let text = text(&task.join("schedstat"))?;
    let spent: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(spent * 1e-9)
}

/// A client and its server, alone.
struct Alone {
    client: ClientEnd,
    course: Arc<Course>,
    server: Option<JoinHandle<()>>,
    first: u32,
}

/// A client that nothing holds up.
const FREE: Pace = Pace { rate: f64::INFINITY, round_trip: 0.0 };

impl Alone {
    fn start(field: &Arc<Field>, burner: &Burner) -> io::Result<Self> {
        let (client, stream) = pair()?;
        let server = Server::new(field, Arc::new(stream), burner, 1);
        let course = &field.course;
        let server = std::thread::Builder::new().name("rehearsal probe".to_owned()).spawn(move || server.serve())?;
        Ok(Self {
            client: ClientEnd::new(course.opened(client), FREE, course),
            course: Arc::clone(course),
            server: Some(server),
            first: field.scripts.len() as u32 - SCRIPTS,
        })
    }

    fn command(&mut self, script: u32) -> io::Result<()> {
        let request =
            Request { script: self.first + script, kind: 0, factor: 1.0, portion: Portion::Whole, threads: 1 };
        self.client.command(&request)?;
        Ok(())
    }

    /// Processor seconds of what `does` does `count` units of: the least of a few times.
    fn each(&mut self, count: f64, mut does: impl FnMut(&mut Self) -> io::Result<()>) -> io::Result<f64> {
        let unknown =
            || io::Error::new(io::ErrorKind::Unsupported, "this kernel does not count the processor time of threads");
        let mut least = f64::INFINITY;
        for _ in 0..REPEATS {
            let before = processor_time().ok_or_else(unknown)?;
            does(self)?;
            let after = processor_time().ok_or_else(unknown)?;
            least = least.min((after - before) / count);
        }
        Ok(least)
    }

    /// Processor seconds of one of the commands that `does` sends, with pauses between them.
    fn with_pauses(&mut self, does: impl Fn(&mut Self) -> io::Result<()>) -> io::Result<f64> {
        self.each(COMMANDS as f64, |alone| {
            for _ in 0..COMMANDS {
                std::thread::sleep(PAUSE);
                does(alone)?;
            }
            Ok(())
        })
    }

    fn units(&mut self) -> io::Result<Units> {
        let command = self.with_pauses(|alone| {
            alone.client.echo()?;
            alone.client.echo()?;
            alone.command(0)
        })?;
        let empty = self.with_pauses(|alone| alone.command(4))?;
        let read = self.with_pauses(|alone| alone.command(1))?;
        let written = self.with_pauses(|alone| alone.command(2))?;
        Ok(Units {
            command,
            row_read: (read - empty).max(0.0) / ROWS,
            row_write: (written - empty).max(0.0) / ROWS,
            byte: self.each(BYTES, |alone| alone.command(3))?,
        })
    }

    /// The time of a round trip of a command after a pause in which no processor works: until the other end has been woken.
    fn trip(&mut self) -> io::Result<f64> {
        // What a pause itself costs the processor lies before a command.
        let (_, pause) = self.after_pauses(|_| Ok(()))?;
        let (command, busy) = self.after_pauses(|alone| {
            alone.client.echo()?;
            alone.client.echo()?;
            alone.command(0)
        })?;
        let idle = command - (busy - pause).max(0.0);
        Ok(idle.max(0.0) / TRIPS)
    }

    /// The median time of what `does` does after a pause, and the processor's work for both, the mean \[s\].
    fn after_pauses(&mut self, does: impl Fn(&mut Self) -> io::Result<()>) -> io::Result<(f64, f64)> {
        let mut times = Vec::with_capacity(COMMANDS);
        let before = processor_time().unwrap_or_default();
        for _ in 0..COMMANDS {
            std::thread::sleep(PAUSE);
            let begun = now();
            does(self)?;
            times.push(begun.elapsed().as_secs_f64());
        }
        let busy = processor_time().unwrap_or_default() - before;
        Ok((crate::stats::median(&times), busy / COMMANDS as f64))
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        // Ends the server's thread.
        self.course.hang_up();
        if let Some(server) = self.server.take() {
            drop(server.join());
        }
    }
}

/// Measures the units on a field that nobody else uses, and sets what is burnt beside them.
pub(super) fn measure(
    field: Field,
    burner: &Burner,
    (wanted, speed): (Units, f64),
    hits: (f64, f64),
) -> io::Result<(Field, Costs)> {
    let again =
        |shared: Arc<Field>| Arc::into_inner(shared).ok_or_else(|| io::Error::other("a probe's thread is still there"));
    let mut field = field;
    (field.db_hit, field.depot_hit) = (1.0, 1.0);
    let shared = Arc::new(field);
    let mut alone = Alone::start(&shared, burner)?;
    let real = alone.units()?;
    drop(alone);
    let mut field = again(shared)?;
    let rest = |wanted: f64, real: f64| (wanted - real).max(0.0);
    field.burns = Burns {
        command: rest(wanted.command, real.command),
        row_read: rest(wanted.row_read, real.row_read),
        row_write: rest(wanted.row_write, real.row_write),
        byte_moved: rest(wanted.byte, real.byte),
        byte_digested: wanted.byte.max(real.byte),
    };
    let shared = Arc::new(field);
    let mut alone = Alone::start(&shared, burner)?;
    // The kernel may count the server's thread that has ended for a moment more.
    std::thread::sleep(Duration::from_millis(50));
    let all = alone.units()?;
    let trip = alone.trip()?;
    drop(alone);
    let mut field = again(shared)?;
    (field.db_hit, field.depot_hit) = hits;
    let costs = Costs { wanted, real, all, trip, speed };
    match field.course.take_error() {
        Some(error) => Err(error),
        None => Ok((field, costs)),
    }
}
