//! `plimsoll workload LOG…`: what a server does now, from its log.

use std::fs::File;
use std::io::{self, BufRead as _, Read as _, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::Failure;
use super::out::Output;
use super::output::Outcome;
use super::workload_site::{self, Written};
use super::workload_without::{self, WithoutArguments};
use super::{Common, Format, SiteArguments, color, log_part, places, workload_follow, workload_replay};
use crate::diag::{harmless_line, quoted};
use crate::files::{Mark, NotAFile, Style, open_regular};
use crate::report::serverlog::{self, Workload, workload_html, workload_screen, workload_text};
use crate::serverlog::Pseudonyms;
use crate::serverlog::analysis::{Analysis, Asked, Findings};
use crate::serverlog::answers::{Measured, answers};
use crate::serverlog::export::jsonl::Lines;
use crate::serverlog::export::prometheus::prometheus;
use crate::serverlog::export::sqlite::Tables;
use crate::serverlog::groups::Groups;
use crate::serverlog::logs::{self, cannot_read};
use crate::serverlog::quality::Log;
use crate::serverlog::range::{Clock, Range};
use crate::serverlog::record::{Command, Damage, Event, Moment, Sink};

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command")]
pub(super) struct Arguments {
    /// Server logs in their order, the oldest first: plain, gzip or zstd, `-` for standard input; structured logs
    /// (`commands.csv`, `track.csv`, `all.csv`), with the output of `p4 logschema -A -a` beside them; journals and
    /// checkpoints; or a database of log2sql
    #[arg(value_name = "LOG", required = true)]
    pub(super) logs: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) part: log_part::LogPart,
    #[command(flatten)]
    without: WithoutArguments,
    /// Go on while the last log grows: at a terminal the screen anew, elsewhere a line a change; ctrl-C prints the last screen
    #[arg(long, conflicts_with_all = ["to", "why", "site", "html", "jsonl", "sqlite", "prometheus", "replay"])]
    follow: bool,
    /// Everything, not one screen
    #[arg(long)]
    full: bool,
    /// Write what the log decides into the answers of a site file, made where there is none
    #[arg(long, value_name = "SITE.toml")]
    site: Option<PathBuf>,
    /// With --site: replace answers that somebody stated; without it they stay, and both are shown
    #[arg(long, requires = "site")]
    overwrite: bool,
    /// Why a command waited, and behind whom: of this process, or at this time (`02:05`, `2026/03/03 02:05:30`) the one that
    /// waited longest
    #[arg(long, value_name = "PID|TIME", value_parser = asked, conflicts_with_all = ["replay", "full"])]
    why: Option<Asked>,
    /// Who belongs to which group: output of `p4 -ztag groups` or `p4 -ztag group -o`, or lines of `user,group`
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    groups: Option<PathBuf>,
    /// Pseudonyms for users, groups, workspaces, addresses and paths, everywhere
    #[arg(long)]
    anonymise: bool,
    /// What pseudonyms are made with: the same text gives the same pseudonyms for other logs (default: the log's own text)
    #[arg(long, value_name = "TEXT")]
    key: Option<String>,
    /// Write everything as one HTML page with plots, under pseudonyms
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// With --html: the names themselves
    #[arg(long, requires = "html", conflicts_with = "anonymise")]
    names: bool,
    /// Write the records as JSON Lines
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,
    /// Write the records as a database (`SQLite`) with the tables of log2sql
    #[arg(long, value_name = "FILE")]
    sqlite: Option<PathBuf>,
    /// Write the figures that p4prometheus watches, as text for a collector
    #[arg(long, value_name = "FILE")]
    prometheus: Option<PathBuf>,
    /// Replay the log on the system that a site file describes, and compare waits and times: the model's error on this server
    #[arg(long, value_name = "SITE.toml", conflicts_with_all = ["site", "html", "jsonl", "sqlite", "prometheus", "full"])]
    replay: Option<PathBuf>,
    /// With --replay: another layout of the catalogue, or a layout file, in place of the site's system
    #[arg(long, value_name = "NAME|FILE", requires = "replay")]
    layout: Option<String>,
    /// With --replay: override an answer of the site file (repeatable)
    #[arg(long = "set", value_name = "KEY=VALUE", requires = "replay")]
    set: Vec<String>,
    /// With --replay: seed of random numbers
    #[arg(long, value_name = "N", default_value_t = 1, requires = "replay")]
    seed: u64,
    /// Overwrite files that are there
    #[arg(long)]
    force: bool,
    /// Text for people or JSON for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    /// Colours in the text: to a terminal that has not set `NO_COLOR`, always, or never
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub(super) color: color::Color,
}

/// What marks a page: it is written over while nobody has edited it.
const PAGE: Mark = Mark { style: Style::Markup, kind: "a report on a server log" };
/// And the text for Prometheus, which a timer renews.
const FIGURES: Mark = Mark { style: Style::Hash, kind: "figures of a server log" };
/// Bytes of each log that make the key of pseudonyms.
const KEY_BYTES: u64 = 1 << 16;
/// And of standard input: a pipe hands over so many at once (`PIPE_BUF` of POSIX), however it is filled.
const INPUT_KEY_BYTES: usize = 512;

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    if let Some(site) = &arguments.replay {
        return replayed(arguments, site);
    }
    let has_pseudonyms = arguments.anonymise || (arguments.html.is_some() && !arguments.names);
    if arguments.key.is_some() && !has_pseudonyms {
        let reason = "--key makes pseudonyms, of which there are none here; add --anonymise";
        return Err(Failure::wrong(reason));
    }
    let change = arguments.without.change();
    if arguments.follow || change.is_some() {
        let key = arguments.anonymise.then(|| key(arguments)).transpose()?;
        let names = key.map(|key| Pseudonyms::new(&key));
        return match change {
            Some(change) => workload_without::run(arguments, &change, names.as_ref()),
            None => workload_follow::run(arguments, names.as_ref()),
        };
    }
    let groups = arguments.groups()?;
    let outputs = Outputs::of(arguments)?;
    let key = Pseudonyms::new(&key(arguments)?);
    let names = arguments.anonymise.then_some(key);
    let range = arguments.part.range(&arguments.logs)?;
    let mut analysis = Analysis::of(range.unwrap_or_default());
    if let Some(asked) = arguments.why {
        analysis.ask(asked);
    }
    if let Some(groups) = groups {
        analysis.group_by(groups);
    }
    let log = match read(arguments, range, names, &outputs, &mut analysis) {
        Ok(log) => log,
        Err(reason) => {
            outputs.discard();
            return Err(reason.into());
        }
    };
    let mut findings = analysis.finish(log);
    let answers = answers(&findings);
    let mut written = outputs.keep()?;
    if arguments.anonymise {
        findings.anonymise(&key);
    }
    if let Some(path) = &arguments.prometheus {
        Output::new(path, Some(FIGURES), arguments.force).write(&prometheus(&findings))?;
        written.push(path.clone());
    }
    if let Some(path) = &arguments.html {
        let mut shown = findings.clone();
        if !arguments.names && !arguments.anonymise {
            shown.anonymise(&key);
        }
        let made = made_from(&shown);
        let text = workload_html(&shown, &answers, &made);
        Output::new(path, Some(PAGE), arguments.force).write(&text)?;
        written.push(path.clone());
    }
    let site = match &arguments.site {
        Some(path) => Some(workload_site::write(path, &answers, arguments.overwrite)?),
        None => None,
    };
    Ok(shown(arguments, &findings, &answers, &written, site.as_ref()))
}

/// The log on the system that a site file describes.
fn replayed(arguments: &Arguments, site: &Path) -> Result<Outcome, Failure> {
    workload_replay::run(&workload_replay::Wanted {
        logs: &arguments.logs,
        part: &arguments.part,
        site: SiteArguments { site: site.to_path_buf(), set: arguments.set.clone(), load: None },
        layout: arguments.layout.as_deref(),
        common: Common {
            format: arguments.format,
            models: None,
            calibration: None,
            seed: arguments.seed,
            quiet: false,
            color: arguments.color,
        },
    })
}

/// What is printed of findings of which no file is made.
pub(super) fn said(arguments: &Arguments, findings: &Findings) -> Outcome {
    shown(arguments, findings, &answers(findings), &[], None)
}

fn made_from(findings: &Findings) -> String {
    let understood = &findings.quality.log.understood;
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "Made by plimsoll {version} from {} lines of {} file(s).",
        understood.lines,
        findings.quality.log.files.len()
    )
}

fn shown(
    arguments: &Arguments,
    findings: &Findings,
    answers: &[Measured],
    written: &[PathBuf],
    site: Option<&Written>,
) -> Outcome {
    let paths: Vec<String> = written.iter().map(|p| p.display().to_string()).collect();
    let why = why(arguments.why, findings);
    if arguments.format == Format::Json {
        let site = site.map(Written::json);
        let answer = Workload::of(findings, answers, arguments.anonymise, why, paths, site);
        return Outcome::json(&answer, false);
    }
    if arguments.why.is_some() {
        return Outcome::done(why.join("\n") + "\n");
    }
    let mut done: Vec<String> = site.map(Written::lines).unwrap_or_default();
    let paths = paths.iter().map(|path| harmless_line(path));
    done.extend(paths.map(|path| format!("Written: {path}")));
    if arguments.full {
        let mut text = workload_text(findings, answers);
        for line in &done {
            text.extend(["\n", line, "\n"]);
        }
        return Outcome::done(text);
    }
    let mut next = Vec::new();
    if site.is_none() && !answers.is_empty() {
        let decided = answers.iter().filter(|answer| !answer.is_least).count();
        let does = match (decided, answers.len() - decided) {
            (0, _) => "raises the answers of the questionnaire that the log exceeds".to_owned(),
            (1, 0) => "writes one answer of the questionnaire".to_owned(),
            (n, 0) => format!("writes {n} answers of the questionnaire"),
            (1, _) => "writes one answer of the questionnaire and raises those that the log exceeds".to_owned(),
            (n, _) => format!("writes {n} answers of the questionnaire and raises those that the log exceeds"),
        };
        next.push(format!("Next: --full shows everything; --site SITE.toml {does}."));
    }
    next.extend(without(arguments, findings));
    next.append(&mut done);
    let screen = workload_screen(findings, &next);
    Outcome::done(screen.text).toned(arguments.color.tones(screen.tones))
}

/// How to ask what others would have waited less without the one whom most was waited for.
fn without(arguments: &Arguments, findings: &Findings) -> Option<String> {
    let first = findings.contention.blamed.first()?;
    let is_plain = |name: char| name.is_ascii_alphanumeric() || "._-".contains(name);
    let is_plain = !first.user.is_empty() && first.user.chars().all(is_plain);
    (is_plain && !arguments.anonymise).then(|| {
        format!("`--without user={}` says what others would have waited less without that user's commands.", first.user)
    })
}

/// What `--why` asks for.
fn asked(text: &str) -> Result<Asked, String> {
    if let Ok(pid) = text.parse() {
        return Ok(Asked::Process(pid));
    }
    let clock = Clock::read(text);
    clock.map(Asked::At).map_err(|why| format!("a process is a number; {why}"))
}

/// Why the command waited that is asked for; a sentence where nothing is known of it.
fn why(asked: Option<Asked>, findings: &Findings) -> Vec<String> {
    let Some(asked) = asked else {
        return Vec::new();
    };
    let said = serverlog::why(findings, asked);
    if !said.is_empty() {
        return said;
    }
    vec![match asked {
        Asked::Process(pid) if findings.contention.asked_ran => format!(
            "No command of process {pid} waited for a lock for 50 ms or more or kept others waiting, and none of it runs when the log ends."
        ),
        Asked::Process(pid) => format!("The log has no command of a process {pid}."),
        Asked::At(clock) => match outside(clock, findings) {
            Some((from, to)) => {
                format!("The log goes from {from} to {to}: that time is not in it.")
            }
            None => "No command waited for a lock for 50 ms or more at that time.".to_owned(),
        },
    }]
}

/// From when to when the log goes, if a time lies outside.
fn outside(clock: Clock, findings: &Findings) -> Option<(Moment, Moment)> {
    let (from, to) = findings.quality.span?;
    (!(from..=to).contains(&clock.before(to))).then_some((from, to))
}

impl Arguments {
    /// Who belongs to which group, where a file says it.
    pub(super) fn groups(&self) -> Result<Option<Groups>, String> {
        self.groups.as_deref().map(groups).transpose()
    }
}

/// The groups in a file.
fn groups(path: &Path) -> Result<Groups, String> {
    const BYTES_MAX: u64 = 64 << 20;
    let name = path.to_string_lossy();
    let file = open_regular(path).map_err(|error| match error {
        NotAFile::Io(error) => cannot_read(path, &error),
        NotAFile::Is(what) => format!("{} is {what}; groups are read from a file", quoted(&name)),
    })?;
    let mut bytes = Vec::new();
    file.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(|error| cannot_read(path, &error))?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err(format!("{} is longer than any list of groups", quoted(&name)));
    }
    Groups::read(&name, &String::from_utf8_lossy(&bytes))
}

/// What pseudonyms are made with: what the user says, else the beginning of each log.
fn key(arguments: &Arguments) -> Result<Vec<u8>, String> {
    if let Some(key) = &arguments.key {
        return Ok(key.as_bytes().to_vec());
    }
    let mut bytes = Vec::new();
    for path in &arguments.logs {
        if path == Path::new("-") {
            let mut input = io::stdin().lock();
            // It stays there to be read.
            let first = input.fill_buf().map_err(|error| cannot_read(path, &error))?;
            bytes.extend_from_slice(&first[..first.len().min(INPUT_KEY_BYTES)]);
            continue;
        }
        let file = logs::open_regular(path)?;
        file.take(KEY_BYTES).read_to_end(&mut bytes).map_err(|error| cannot_read(path, &error))?;
    }
    Ok(bytes)
}

/// Files that records go to as they are read.
struct Outputs<'a> {
    arguments: &'a Arguments,
    /// The database while it grows, beside its place.
    growing: Option<PathBuf>,
}

impl<'a> Outputs<'a> {
    /// Looks at all places before the work.
    fn of(arguments: &'a Arguments) -> Result<Self, String> {
        let written = [&arguments.html, &arguments.prometheus, &arguments.jsonl, &arguments.sqlite, &arguments.site];
        places::apart(
            arguments.logs.iter().chain(&arguments.groups).map(PathBuf::as_path),
            written.into_iter().filter_map(Option::as_deref),
        )?;
        let marked = [(&arguments.html, PAGE), (&arguments.prometheus, FIGURES)];
        for (path, mark) in marked {
            if let Some(path) = path {
                Output::new(path, Some(mark), arguments.force).check()?;
            }
        }
        for path in [&arguments.jsonl, &arguments.sqlite].into_iter().flatten() {
            Output::new(path, None, arguments.force).check()?;
        }
        let growing = arguments.sqlite.as_deref().map(beside).transpose()?;
        Ok(Self { arguments, growing })
    }

    fn discard(self) {
        if let Some(growing) = &self.growing {
            // Nothing of a broken run is left; what cannot be removed is not ours to report over the first error.
            drop(std::fs::remove_file(growing));
        }
    }

    /// Puts the database in its place; the paths of what was written.
    fn keep(self) -> Result<Vec<PathBuf>, String> {
        let mut written: Vec<PathBuf> = self.arguments.jsonl.iter().cloned().collect();
        if let (Some(path), Some(growing)) = (&self.arguments.sqlite, &self.growing) {
            let moved = copy(growing, path, self.arguments.force);
            drop(std::fs::remove_file(growing));
            moved?;
            written.push(path.clone());
        }
        Ok(written)
    }
}

/// Copies a finished database to its place by the rules for all files.
fn copy(from: &Path, to: &Path, force: bool) -> Result<(), String> {
    let output = Output::new(to, None, force);
    let mut file = File::open(from).map_err(|error| cannot_read(from, &error))?;
    let mut written = output.begin()?;
    io::copy(&mut file, &mut written)
        .map_err(|error| format!("cannot write {}: {error}", quoted(&to.to_string_lossy())))?;
    written.finish().map_err(|refusal| output.said(&refusal))
}

/// A new empty file beside a place.
fn beside(path: &Path) -> Result<PathBuf, String> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let cannot = |error: io::Error| format!("cannot write into {}: {error}", quoted(&folder.to_string_lossy()));
    for number in 0..100 {
        let name = format!(".plimsoll-{}-{number}.unfinished.db", std::process::id());
        let place = folder.join(name);
        match File::create_new(&place) {
            Ok(_) => return Ok(place),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(cannot(error)),
        }
    }
    Err(cannot(io::ErrorKind::AlreadyExists.into()))
}

/// Records for several takers.
struct All<'a>(Vec<&'a mut dyn Sink>);

impl Sink for All<'_> {
    fn command(&mut self, command: &Command) {
        for sink in &mut self.0 {
            sink.command(command);
        }
    }

    fn event(&mut self, event: &Event) {
        for sink in &mut self.0 {
            sink.event(event);
        }
    }

    fn damage(&mut self, damage: &Damage) {
        for sink in &mut self.0 {
            sink.damage(damage);
        }
    }
}

/// Reads all logs into the analysis and the files of records.
fn read(
    arguments: &Arguments,
    range: Option<Range>,
    names: Option<Pseudonyms>,
    outputs: &Outputs<'_>,
    analysis: &mut Analysis,
) -> Result<Log, String> {
    let jsonl = arguments.jsonl.as_deref().map(|path| Output::new(path, None, arguments.force));
    let mut file = jsonl.as_ref().map(Output::begin).transpose()?;
    let mut lines = file.as_mut().map(|file| Lines::new(file as &mut dyn io::Write, names));
    let of_database = |error: rusqlite::Error| format!("cannot write the database: {error}");
    let mut tables =
        outputs.growing.as_deref().map(|path| Tables::create(path, names)).transpose().map_err(of_database)?;
    let mut sinks: Vec<&mut dyn Sink> = vec![analysis];
    sinks.extend(lines.as_mut().map(|lines| lines as &mut dyn Sink));
    sinks.extend(tables.as_mut().map(|tables| tables as &mut dyn Sink));
    let log = log_part::read(&arguments.logs, range, &mut All(sinks))?;
    if let Some(lines) = lines {
        lines.finish().map_err(|error| format!("cannot write the records: {error}"))?;
    }
    if let (Some(output), Some(mut file)) = (jsonl, file) {
        file.flush().map_err(|error| error.to_string())?;
        file.finish().map_err(|refusal| output.said(&refusal))?;
    }
    if let Some(tables) = tables {
        tables.finish().map_err(of_database)?;
    }
    Ok(log)
}
