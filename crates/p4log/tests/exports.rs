//! A log in which every field has a value of its own, through every export, and beside log2sql (go-libp4dlog of January 2026).

use std::collections::BTreeMap;
use std::path::PathBuf;

use plimsoll_p4log::serverlog::Reader;
use plimsoll_p4log::serverlog::analysis::Analysis;
use plimsoll_p4log::serverlog::export::{jsonl, prometheus, sqlite};
use plimsoll_p4log::serverlog::quality::Log;
use plimsoll_p4log::serverlog::record::{Command, Damage, Event, Sink};
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags};

const LOG: &str = include_str!("data/every_field.log");

fn read(log: &str, sink: &mut dyn Sink) {
    let mut reader = Reader::new();
    reader.read(0, &mut log.as_bytes(), sink).expect("a slice is read without errors");
    reader.finish(sink);
}

fn json_lines(log: &str) -> String {
    let mut out = Vec::new();
    let mut lines = jsonl::Lines::new(&mut out, None);
    read(log, &mut lines);
    lines.finish().expect("a vector takes all");
    String::from_utf8(out).expect("JSON is text")
}

/// A database that is removed when it is dropped.
struct Written(PathBuf);

impl Written {
    fn of(name: &str, log: &str) -> Self {
        let path = std::env::temp_dir().join(format!("plimsoll-{name}-{}.db", std::process::id()));
        drop(std::fs::remove_file(&path));
        let mut tables = sqlite::Tables::create(&path, None).expect("a database");
        read(log, &mut tables);
        tables.finish().expect("a database");
        Self(path)
    }

    /// The rows of a table by the names of their columns.
    fn rows(&self, table: &str) -> Vec<BTreeMap<String, Value>> {
        let connection = Connection::open_with_flags(&self.0, OpenFlags::SQLITE_OPEN_READ_ONLY);
        let connection = connection.expect("the database");
        let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).expect("the table");
        let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let rows = statement.query_map([], |row| {
            let value = |(at, name): (usize, &String)| Ok((name.clone(), row.get(at)?));
            names.iter().enumerate().map(value).collect()
        });
        rows.expect("rows").map(|row| row.expect("a row")).collect()
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.0));
    }
}

#[test]
fn json_lines_have_every_field() {
    assert_eq!(json_lines(LOG), include_str!("data/every_field.jsonl"));
}

/// Which of the values of `log2sql` are another's here, and why.
fn is_explained(table: &str, column: &str, theirs: &serde_json::Value, ours: &Value) -> bool {
    let number = |value: &Value| match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Real(number) => Some(*number),
        _ => None,
    };
    match (theirs.as_f64(), number(ours)) {
        // Seconds are numbers of 32 bits there.
        (Some(theirs), Some(ours)) if (theirs - ours).abs() < 1e-6 => true,
        // It counts the line of the block's header.
        (Some(theirs), Some(ours)) if column == "lineNumber" && table != "events" => theirs + 1.0 == ours,
        // What the log does not say is 0 there; in its events it is what the log said last.
        (Some(theirs), None) => theirs == 0.0 || table == "events" || column == "running",
        // Its key is a hash of the start line, under which two commands can be one.
        (None, _) if column == "processkey" => true,
        (None, None) => matches!(ours, Value::Text(text) if theirs == text.as_str()),
        _ => false,
    }
}

#[test]
fn a_database_has_what_log2sql_writes() {
    let written = Written::of("exports", LOG);
    let theirs: BTreeMap<String, Vec<serde_json::Map<String, serde_json::Value>>> =
        serde_json::from_str(include_str!("data/every_field.log2sql.json")).expect("JSON");
    let mut compared = 0;
    for (table, rows) in &theirs {
        let ours = written.rows(table);
        for row in rows {
            let same = ours.iter().find(|our| match table.as_str() {
                "tableUse" => matches!(&our["tableName"], Value::Text(name) if row["tableName"] == name.as_str()),
                "events" => matches!(our["lineNumber"], Value::Integer(line) if row["lineNumber"] == line),
                _ => true,
            });
            let same = same.expect("a row of the same name");
            assert_eq!(same.keys().len(), row.len(), "{table}: columns");
            for (column, value) in row {
                let ours = &same[column];
                assert!(is_explained(table, column, value, ours), "{table}.{column}: {value}, {ours:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 150, "{compared}");
    // Lock files have rows of their own, which log2sql leaves out.
    let names: Vec<Value> = written.rows("tableUse").iter().map(|row| row["tableName"].clone()).collect();
    assert!(names.contains(&Value::Text("clients/ann-ws_W".to_owned())), "{names:?}");
}

#[test]
fn a_database_is_read_as_it_was_written() {
    let written = Written::of("reread", LOG);
    let mut out = Vec::new();
    let mut lines = jsonl::Lines::new(&mut out, None);
    sqlite::read(&written.0, 0, &mut lines).expect("the database");
    lines.finish().expect("a vector takes all");
    let again: serde_json::Value =
        serde_json::from_slice(out.split(|byte| *byte == b'\n').next().expect("a line")).expect("JSON");
    let log: serde_json::Value = serde_json::from_str(json_lines(LOG).lines().next().expect("a line")).expect("JSON");
    let (again, log) = (again.as_object().expect("an object"), log.as_object().expect("an object"));
    for (key, value) in log {
        match key.as_str() {
            // A place in the database, and what its tables have no columns for.
            "offset_bytes" | "tables" => {}
            _ => assert_eq!(again.get(key), Some(value), "{key}"),
        }
    }
}

#[test]
fn prometheus_names_nobody() {
    let block = LOG.replace("--- clients/ann-ws(W)\n", "--- have.pt//1/ann-ws(W)\n---   total lock wait+held read/write 0ms+0ms/141ms+142ms\n--- stream//depot/secret(R)\n--- ann/secret(R)\n");
    let mut analysis = Analysis::default();
    read(&block, &mut analysis);
    let text = prometheus::prometheus(&analysis.finish(Log::default()));
    for name in ["ann", "secret", "depot", "192.0.2.11"] {
        assert!(!text.contains(name), "{name}: {text}");
    }
    assert!(text.contains("p4_total_write_held_seconds{table=\"have.pt\"} 0.142\n"), "{text}");
    assert!(text.contains("{table=\"stream\"}"), "{text}");
    assert!(text.contains("{table=\"other locks\"}"), "{text}");
}

/// The functions of the commands.
#[derive(Default)]
struct Functions(Vec<String>);

impl Sink for Functions {
    fn command(&mut self, command: &Command) {
        self.0.push(command.function.clone());
    }
    fn event(&mut self, _: &Event) {}
    fn damage(&mut self, _: &Damage) {}
}

#[test]
fn a_completed_that_comes_late_is_of_the_command_whose_track_block_came() {
    let start = |time: &str, pid: u64, call: &str| {
        format!("Perforce server info:\n\t2026/03/03 {time} pid {pid} bob@ws 192.0.2.44 [p4/2024.1/L/1] '{call}'\n")
    };
    let completed = |time: &str, pid: u64, lapse: &str| {
        format!(
            "Perforce server info:\n\t2026/03/03 {time} pid {pid} completed {lapse}s 1+1us 0+0io 0+0net 4088k 0pf\n\n"
        )
    };
    let files = start("02:00:00", 44, "user-files //...");
    let block = format!("{files}--- lapse 2.02s\n--- db.rev\n---   pages in+out+cached 1+2+3\n\n");
    let other =
        |time: &str, pid: u64| format!("{}\n{}", start(time, pid, "user-fstat //..."), completed(time, pid, ".500"));
    for (what, between, last) in [
        ("at once", String::new(), "02:00:02"),
        ("others meanwhile", other("02:00:02", 45), "02:00:02"),
        ("others for longer than a block is waited for", other("02:00:20", 45), "02:00:20"),
        ("the next of its process", other("02:00:02", 44), "02:00:03"),
    ] {
        let log = format!("{files}\n{block}{between}{}", completed(last, 44, "2.02"));
        let mut functions = Functions::default();
        read(&log, &mut functions);
        let commands = 1 + usize::from(!between.is_empty());
        assert_eq!(functions.0.len(), commands, "{what}: {:?}", functions.0);
        assert!(functions.0.iter().all(|name| !name.is_empty()), "{what}");
    }
}
