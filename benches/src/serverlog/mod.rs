//! The reader of server logs, and go-libp4dlog beside it, on one log that is made up.

mod generate;

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use cpu_time::ProcessTime;
use nix::sys::resource::{UsageWho, getrusage};
use plimsoll::serverlog;
use plimsoll::serverlog::open::open;
use plimsoll::serverlog::record::{self, Damage, Event, Sink};

/// Counts, as the cheapest reader of records would.
#[derive(Default)]
struct Count {
    commands: u64,
    tables: u64,
    events: u64,
    damage: u64,
}

impl Sink for Count {
    fn command(&mut self, command: &record::Command) {
        self.commands += 1;
        self.tables += command.tables.len() as u64;
    }
    fn event(&mut self, _: &Event) {
        self.events += 1;
    }
    fn damage(&mut self, _: &Damage) {
        self.damage += 1;
    }
}

/// Makes the log, reads it, prints the table.
pub fn print(arguments: &[String]) -> Result<(), String> {
    let folder = arguments
        .first()
        .ok_or("say in which folder the log may be made: serverlog FOLDER [MEGABYTES] [GO-LIBP4DLOG]")?;
    let megabytes: u64 = match arguments.get(1) {
        None => 1024,
        Some(text) => text.parse().map_err(|_| format!("{text:?} is no whole number of megabytes"))?,
    };
    let path = Path::new(folder).join("plimsoll-bench.log");
    let made = File::create(&path).and_then(|file| {
        let mut file = BufWriter::with_capacity(1 << 20, file);
        generate::write(1, megabytes * 1_000_000, &mut file)?;
        file.flush()
    });
    let result = made
        .map_err(|error| format!("cannot make {}: {error}", path.display()))
        .and_then(|()| table(&path, arguments.get(2)));
    // The log goes with the table.
    std::fs::remove_file(&path).map_err(|error| format!("cannot remove {}: {error}", path.display()))?;
    result
}

#[expect(clippy::disallowed_methods, reason = "the time that a person waits is what is measured")]
fn table(path: &Path, beside: Option<&String>) -> Result<(), String> {
    println!("| reader | MB/s | MB/s of processor time | peak memory, MB | commands |");
    println!("|---|---|---|---|---|");
    let mut best: f64 = 0.0;
    let mut best_processor: f64 = 0.0;
    for _ in 0..3 {
        let (began, processor) = (Instant::now(), ProcessTime::now());
        let mut reader = serverlog::Reader::new();
        let mut count = Count::default();
        let mut text = open(path).map_err(|error| error.to_string())?;
        reader.read_opened(0, &mut text, &mut count).map_err(|error| error.to_string())?;
        reader.finish(&mut count);
        let bytes = reader.understood().bytes as f64 / 1e6;
        let speed = bytes / began.elapsed().as_secs_f64();
        let of_processor = bytes / processor.elapsed().as_secs_f64();
        (best, best_processor) = (best.max(speed), best_processor.max(of_processor));
        println!(
            "| ours | {speed:.0} | {of_processor:.0} | {:.0} | {} |",
            peak(UsageWho::RUSAGE_SELF)?,
            count.commands
        );
        if count.damage > 0 || reader.understood().unknown > 0 {
            return Err(format!("{} places of the log were not understood", count.damage));
        }
    }
    let Some(program) = beside else {
        return Ok(());
    };
    let before = children()?;
    let said = Command::new(program).arg(path).output().map_err(|error| format!("cannot run {program}: {error}"))?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let words: Vec<&str> = said.split_whitespace().collect();
    let [bytes, seconds, commands, ..] = words[..] else {
        return Err(format!("{program} says {said:?}"));
    };
    let number = |word: &str| word.parse::<f64>().map_err(|_| format!("{program} says {said:?}"));
    let (bytes, seconds) = (number(bytes)? / 1e6, number(seconds)?);
    let processor = children()? - before;
    println!(
        "| go-libp4dlog | {:.0} | {:.0} | {:.0} | {commands} |",
        bytes / seconds,
        bytes / processor,
        peak(UsageWho::RUSAGE_CHILDREN)?
    );
    println!(
        "\nOurs is {:.1} times as fast, {:.1} times by processor time.",
        best * seconds / bytes,
        best_processor * processor / bytes
    );
    Ok(())
}

/// The largest resident memory, in MB.
fn peak(of: UsageWho) -> Result<f64, String> {
    let usage = getrusage(of).map_err(|error| error.to_string())?;
    Ok(usage.max_rss() as f64 * 1024.0 / 1e6)
}

/// Processor seconds of what was run.
fn children() -> Result<f64, String> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| error.to_string())?;
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}
