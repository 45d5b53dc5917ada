//! Records as the text that p4d writes: for logs of simulated servers, and for trying a reader.

use std::fmt::Write as _;

use super::record::{Command, FileTotals, LockTimes, Moment, Rpc, Section, TableUse, Usage};

/// What a server logs: `p4 configure set server=N` and `track=N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Levels {
    /// 1: that a command began; 2: that it was completed as well; 3: the end of its compute phase as well.
    pub server: u8,
    /// Whether every command has a track block (`track` 1) or none (0).
    pub track: bool,
}

/// A part of the log, and the moment at which it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogPart {
    /// When.
    pub at: Moment,
    /// The text, with the blank line behind it.
    pub text: String,
}

const HEADER: &str = "Perforce server info:\n";

/// The parts of one command, in the order in which they are written.
///
/// ```
/// use plimsoll_p4log::serverlog::record::{Command, Moment};
/// use plimsoll_p4log::serverlog::write::{Levels, parts};
///
/// let command = Command {
///     pid: 4711,
///     start: Moment { micros: 1_718_799_931_000_000 },
///     end: Some(Moment { micros: 1_718_799_931_413_000 }),
///     user: "ann".to_owned(),
///     client: "ann-ws".to_owned(),
///     address: "10.0.0.7".to_owned(),
///     program: "p4/2024.2/LINUX26X86_64/2697822".to_owned(),
///     function: "user-sync".to_owned(),
///     arguments: "//depot/...".to_owned(),
///     lapse_s: Some(0.413),
///     ..Command::default()
/// };
/// let written = parts(&command, Levels { server: 2, track: false });
/// assert_eq!(
///     written[1].text,
///     "Perforce server info:\n\t2024/06/19 12:25:31 pid 4711 completed .413s\n\n"
/// );
/// ```
pub fn parts(command: &Command, levels: Levels) -> Vec<LogPart> {
    let mut parts = vec![LogPart { at: command.start, text: format!("{HEADER}{}\n\n", start_line(command)) }];
    let line = |at: Moment, what: &str| LogPart { at, text: format!("{HEADER}\t{at} pid {} {what}\n\n", command.pid) };
    if let Some(compute) = command.compute_s.filter(|_| levels.server >= 3) {
        let at = command.start.plus_seconds(compute);
        // Both are rounded; it comes before "completed".
        let at = command.end.map_or(at, |end| at.min(end));
        parts.push(line(at, &format!("compute end {}s", lapse(compute))));
    }
    let (Some(end), Some(all)) = (command.end, command.lapse_s) else {
        return parts;
    };
    if levels.server >= 2 {
        let usage = command.usage.as_ref().map(|u| format!(" {}", usage(u)));
        let what = format!("completed {}s{}", lapse(all), usage.unwrap_or_default());
        parts.push(line(end, &what));
    }
    if levels.track {
        parts.push(LogPart { at: end, text: track(command, all) });
    }
    parts
}

/// Seconds as p4d prints them: three digits, whole seconds from a hundred on.
fn lapse(seconds: f64) -> String {
    let thousandths = (seconds * 1e3).round();
    if thousandths < 1e3 {
        format!(".{thousandths:03}")
    } else if thousandths < 1e4 {
        format!("{seconds:.2}")
    } else if thousandths < 1e5 {
        format!("{seconds:.1}")
    } else {
        format!("{seconds:.0}")
    }
}

fn start_line(command: &Command) -> String {
    let Command { start, pid, user, client, address, program, function, arguments, .. } = command;
    let space = if arguments.is_empty() { "" } else { " " };
    format!("\t{start} pid {pid} {user}@{client} {address} [{program}] '{function}{space}{arguments}'")
}

fn usage(usage: &Usage) -> String {
    format!(
        "{}+{}us {}+{}io 0+0net {}k {}pf",
        usage.user_ms, usage.system_ms, usage.blocks_in, usage.blocks_out, usage.resident_kib, usage.faults
    )
}

fn track(command: &Command, all: f64) -> String {
    let mut text = format!("{HEADER}{}\n", start_line(command));
    let mut line = |said: std::fmt::Arguments<'_>| {
        // Writing to a text does not fail.
        let written = writeln!(text, "--- {said}");
        debug_assert!(written.is_ok(), "a text takes what is written to it");
    };
    line(format_args!("lapse {}s", lapse(all)));
    if let Some(paused) = command.paused_s {
        line(format_args!("paused {}s", lapse(paused)));
    }
    if let Some(used) = &command.usage {
        line(format_args!("usage {}", usage(used)));
    }
    if let Some(rpc) = &command.rpc {
        line(format_args!("{}", messages(rpc)));
    }
    if let Some(files) = &command.files {
        line(format_args!("{}", totals(files)));
    }
    for table in &command.tables {
        match (table.section, table.mode) {
            (Section::LockFile, Some(mode)) => line(format_args!("{}({mode})", table.name)),
            _ => line(format_args!("{}", table.name)),
        }
        for said in lines(table) {
            line(format_args!("  {said}"));
        }
    }
    text.push('\n');
    text
}

fn messages(rpc: &Rpc) -> String {
    format!(
        "rpc msgs/size in+out {}+{}/{}mb+{}mb himarks {}/{} snd/rcv {}s/{}s",
        rpc.received,
        rpc.sent,
        rpc.received_bytes >> 20,
        rpc.sent_bytes >> 20,
        rpc.himark_forward,
        rpc.himark_reverse,
        lapse(rpc.send_s),
        lapse(rpc.receive_s)
    )
}

fn totals(files: &FileTotals) -> String {
    format!(
        "filetotals (svr) send/recv files+bytes {}+{}mb/{}+{}mb",
        files.sent_files,
        files.sent_bytes >> 20,
        files.received_files,
        files.received_bytes >> 20
    )
}

/// The lines below a table's name: those that say something.
fn lines(table: &TableUse) -> Vec<String> {
    let mut said = Vec::new();
    let pages = [table.pages_in, table.pages_out, table.pages_cached];
    if pages.iter().any(|pages| *pages > 0) {
        let [read, written, cached] = pages;
        said.push(format!("pages in+out+cached {read}+{written}+{cached}"));
    }
    if table.section == Section::Table {
        said.push(format!(
            "locks read/write {}/{} rows get+pos+scan put+del {}+{}+{} {}+{}",
            table.read_locks,
            table.write_locks,
            table.rows_get,
            table.rows_pos,
            table.rows_scan,
            table.rows_put,
            table.rows_del
        ));
    }
    for (which, times) in [("total", &table.total), ("max", &table.longest)] {
        if *times != LockTimes::default() {
            said.push(format!(
                "{which} lock wait+held read/write {}ms+{}ms/{}ms+{}ms",
                times.read_wait_ms, times.read_held_ms, times.write_wait_ms, times.write_held_ms
            ));
        }
    }
    if table.peeks > 0 {
        said.push(format!(
            "peek count {} wait+held total/max {}ms+{}ms/{}ms+{}ms",
            table.peeks, table.peek_wait_ms, table.peek_held_ms, table.peek_longest_wait_ms, table.peek_longest_held_ms
        ));
    }
    said
}

#[cfg(test)]
mod tests {
    use super::lapse;

    #[test]
    fn times_have_three_digits() {
        for (seconds, text) in
            [(0.0, ".000"), (0.0316, ".032"), (0.9999, "1.00"), (1.384, "1.38"), (70.94, "70.9"), (108.6, "109")]
        {
            assert_eq!(lapse(seconds), text);
        }
    }
}
