//! Answers to the site's questionnaire that a log decides.
//!
//! Knows the fields' names and how an amount is typed; must not know how a site file is read. An answer that the log does
//! not decide is not there, and [`undecided`] says why.

mod checkpoint;
mod journal;

use super::analysis::{Automation, Day, Findings, SEEN_S, Spread};
use super::quality::ServerLevel;
use super::record::Moment;
use crate::units::{counted, grouped};

/// An answer and how it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    /// The field, as `--set` takes it.
    pub field: &'static str,
    /// As a person would type it: `34 GiB`, `150000 /day`.
    pub value: String,
    /// The range that the log leaves, likewise; the value itself where it leaves none.
    pub range: (String, String),
    /// Whether it is the most that was seen, so that the truth may be more: it raises an answer and never lowers one.
    pub is_least: bool,
    /// How it was counted.
    pub how: String,
    /// Where it was: "log of 2024/06/19", "journal of 2024/06/19", "checkpoint of 2024/06/19".
    pub from: String,
}

/// Seconds of a day.
const DAY_S: f64 = 86_400.0;
/// Hours of a day that a log must cover.
const COVERED_S: f64 = 20.0 * 3600.0;
/// A day with fewer commands than this share of the busiest is a weekend or a holiday.
const WORKING: f64 = 1.0 / 3.0;
/// Fewest events of which a mean is taken, and fewest commands of which a share is.
const FEWEST: u64 = 10;
const SHARED: u64 = 100;

/// Days that the log covers and on which people worked: those of the calendar, and where it covers none those that run
/// from its first command on, for logs are rotated at any time.
pub fn working_days(findings: &Findings) -> Vec<Day> {
    // Builds run on weekends, too. Where no name tells people from builds, all commands count.
    let has_people = findings.days.iter().any(|day| day.by_people() > 0);
    let count = |day: &Day| {
        let commands = if has_people { day.by_people() } else { day.commands() };
        (day.at, commands)
    };
    let of = |days: &[Day]| worked(days, findings.quality.span, count);
    let days = of(&findings.days);
    if days.is_empty() { of(&findings.running_days) } else { days }
}

/// Of some days those that a span covers and that have a third of the busiest day's events; `of` is when a day begins and
/// how many events it has.
fn worked<D: Copy>(days: &[D], span: Option<(Moment, Moment)>, of: impl Fn(&D) -> (Moment, u64)) -> Vec<D> {
    let Some((from, to)) = span else {
        return Vec::new();
    };
    let is_covered = |day: &&D| {
        let (at, _) = of(day);
        at.plus_seconds(DAY_S).min(to).seconds_since(at.max(from)) >= COVERED_S
    };
    let days: Vec<D> = days.iter().filter(is_covered).copied().collect();
    let count = |day: &D| of(day).1;
    let most = days.iter().map(count).max().unwrap_or(0) as f64;
    let is_working = |day: &D| count(day) > 0 && count(day) as f64 >= WORKING * most;
    days.into_iter().filter(is_working).collect()
}

/// The middle of some numbers, with the least and the greatest.
fn middle(mut all: Vec<f64>) -> Option<(f64, f64, f64)> {
    all.sort_by(f64::total_cmp);
    let (first, last) = (*all.first()?, *all.last()?);
    let half = all.len() / 2;
    let middle = if all.len() % 2 == 1 { all[half] } else { f64::midpoint(all[half - 1], all[half]) };
    Some((middle, first, last))
}

/// Two digits more than an estimate has, without zeros at the end: what is written into a file.
fn plain(x: f64) -> String {
    let shown = crate::units::significant(x, 3);
    if shown.contains('.') {
        return shown.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    shown
}

fn whole(x: f64) -> String {
    format!("{:.0}", x.round().max(1.0))
}

fn percent(x: f64) -> String {
    format!("{} %", plain(100.0 * x))
}

fn kilobytes(x: f64) -> String {
    match x {
        x if x >= 1e9 => format!("{} GB", plain(x / 1e9)),
        x if x >= 1e6 => format!("{} MB", plain(x / 1e6)),
        x => format!("{} kB", plain((x / 1e3).max(0.001))),
    }
}

/// Collects answers.
struct Answers {
    found: Vec<Measured>,
    from: String,
}

impl Answers {
    fn add(
        &mut self,
        field: &'static str,
        (value, low, high): (f64, f64, f64),
        typed: impl Fn(f64) -> String,
        how: String,
    ) {
        let range = (typed(low.min(value)), typed(high.max(value)));
        self.push(field, typed(value), range, how);
    }

    /// One answer, unless there is one already.
    fn push(&mut self, field: &'static str, value: String, range: (String, String), how: String) {
        self.one(Measured { field, value, range, is_least: false, how, from: self.from.clone() });
    }

    /// The most that was seen.
    fn least(&mut self, field: &'static str, most: f64, how: &str) {
        let value = whole(most);
        self.one(Measured {
            field,
            range: (value.clone(), value.clone()),
            value,
            is_least: true,
            how: format!("{how}; there may be more than the log shows"),
            from: self.from.clone(),
        });
    }

    fn one(&mut self, answer: Measured) {
        if self.found.iter().all(|known| known.field != answer.field) {
            self.found.push(answer);
        }
    }
}

/// What logs, journals and checkpoints decide, in the order of the questionnaire. What several do, the log decides, else
/// the journal.
pub fn answers(findings: &Findings) -> Vec<Measured> {
    let mut out = Answers { found: Vec::new(), from: origin(findings.quality.span) };
    people(&mut out, findings);
    files(&mut out, findings);
    load(&mut out, findings);
    server(&mut out, findings);
    proxy(&mut out, findings);
    if let Some(journal) = &findings.journal {
        out.from = dated(OF_JOURNAL, JOURNAL, journal.span);
        journal::answers(&mut out, journal);
    }
    if let Some(checkpoint) = &findings.checkpoint {
        out.from = dated(OF_CHECKPOINT, CHECKPOINT, checkpoint.span);
        checkpoint::answers(&mut out, checkpoint);
    }
    out.found
}

/// What a proxy had in its cache, where the log is a proxy's.
fn proxy(out: &mut Answers, findings: &Findings) {
    let Some(totals) = &findings.upstream.proxy else {
        return;
    };
    let files = totals.server_files + totals.cache_files;
    let bytes = totals.server_bytes + totals.cache_bytes;
    if files < FEWEST || bytes == 0 {
        return;
    }
    let share = totals.cache_bytes as f64 / bytes as f64;
    let how = format!("bytes of its cache over all bytes that the proxy sent, {} of them", counted(files, "file"));
    out.add("proxy.hits", (share, share, share), percent, how);
}

fn people(out: &mut Answers, findings: &Findings) {
    let people = &findings.people;
    // Who is not seen within a day may still work there.
    if people.people > 0 && !working_days(findings).is_empty() {
        let all = people.people as f64;
        let how =
            format!("users of the log whose names are not those of builds and scripts; {} users in all", people.users);
        out.add("people.developers", (all, all, people.users as f64), whole, how);
        let share = people.at_peak.0 as f64 / all;
        let how = format!(
            "{} of {} of them were active in the hour from {}",
            people.at_peak.0, people.people, people.at_peak.1
        );
        out.add("people.at_work", (share, share, share), percent, how);
    }
    if let Some((count, at)) = findings.server.active {
        let at = at.map_or(String::new(), |at| format!(" at {at}"));
        out.least(
            "people.connections_at_peak",
            count as f64,
            &format!("most active threads that the server stated{at}"),
        );
    }
}

fn files(out: &mut Answers, findings: &Findings) {
    let syncs = &findings.syncs;
    let Some((low, high)) = syncs.sized.mean_bytes() else {
        return;
    };
    if syncs.counted < FEWEST || syncs.sized.bytes == 0 {
        return;
    }
    // p4d cuts each count to whole MiB: half of that is missing on average. What submits leave open beyond that widens the range.
    let (mut least, mut most) = (low, high);
    if let Some((low, high)) = findings.submits.moved.sized.mean_bytes() {
        (least, most) = (least.min(high), most.max(low));
    }
    out.add(
        "data.file_size",
        (f64::midpoint(low, high), least, most),
        kilobytes,
        format!(
            "{} bytes over {} of syncs, and half of what p4d cuts off where it states whole MiB; the range holds what that leaves open, and submits",
            grouped(syncs.sized.bytes as f64),
            counted(syncs.sized.files, "file")
        ),
    );
}

/// The mean, with its 80 % interval.
fn each(spread: &Spread) -> (f64, f64, f64) {
    let (low, high) = spread.mean_interval();
    (spread.mean, low, high)
}

/// How a mean and its range are said.
fn mean_of(count: u64, what: &str) -> String {
    format!("mean of {count} {what}; the range is its 80 % interval")
}

/// The origin of a mean where the log counts some of all alone.
fn mean_of_counted(counted: u64, all: u64, what: &str) -> String {
    if counted == all {
        mean_of(counted, what)
    } else {
        format!(
            "mean of the {counted} of {all} {what} of which the log counts the files; the range is its 80 % interval"
        )
    }
}

/// Shares of automation and polling on working days; of the whole log where it covers none.
fn automation(findings: &Findings, days: &[Day]) -> Automation {
    let of = |count: fn(&Day) -> u64| days.iter().map(count).sum::<u64>() as f64;
    let commands = of(Day::commands);
    let Some((from, to)) = findings.quality.span else {
        return findings.automation;
    };
    if commands == 0.0 {
        return findings.automation;
    }
    let whole = findings.automation;
    // Who never sleeps and who polls does so every day alike.
    let span_days = (to.seconds_since(from) / DAY_S).max(days.len() as f64);
    let alike = |share: f64| share * findings.called as f64 * days.len() as f64 / span_days / commands;
    let fraction = of(|day| day.automated.1) / commands;
    Automation {
        fraction,
        low: of(|day| day.automated.0) / commands,
        high: (fraction + alike(whole.high - whole.fraction)).min(1.0),
        polling: alike(whole.polling).min(1.0),
    }
}

#[expect(clippy::too_many_lines, reason = "the answers in the order of the form")]
fn load(out: &mut Answers, findings: &Findings) {
    let days = working_days(findings);
    let n = days.len();
    // Days of the calendar begin at midnight.
    let of_24_hours = days
        .first()
        .filter(|day| day.at.micros % 86_400_000_000 != 0)
        .map_or(String::new(), |day| format!(" of 24 hours, the first from {}", day.at));
    let of_days = if n == 1 {
        format!("one working day{of_24_hours}")
    } else {
        format!("the middle of {n} working days{of_24_hours}; the range holds all of them")
    };
    let per_day = |x: f64| format!("{} /day", plain(x));
    let count = |of: &dyn Fn(&Day) -> u64| middle(days.iter().map(|d| of(d) as f64).collect());
    if let Some(found) = count(&Day::commands) {
        out.add("workload.commands_per_day", found, per_day, of_days.clone());
    }
    if findings.called >= SHARED {
        let share = automation(findings, &days);
        let how = "commands whose program or user is called like a build or script; low: without users of interactive programs; high: with users seen in 20 hours of the day".to_owned();
        // Above 95 % the questionnaire takes no answer.
        let range = (share.fraction, share.low, share.high);
        if share.fraction <= 0.95 {
            out.add("workload.automation_share", range, percent, how);
        }
    }
    let submits = &findings.submits;
    if let Some(found) = count(&|d| d.submits) {
        out.add("workload.submits_per_day", found, per_day, of_days.clone());
    }
    if let Some(files) = &submits.moved.each_files
        && submits.moved.files > 0
        && files.count >= FEWEST
    {
        let all = submits.moved.count;
        out.add(
            "workload.files_per_submit",
            {
                let (mean, low, high) = each(files);
                (mean.max(1.0), low.max(1.0), high.max(1.0))
            },
            plain,
            mean_of_counted(files.count, all, "submits"),
        );
        out.least("workload.largest_submit_files", submits.largest_files as f64, "the largest submit of the log");
    }
    let syncs = &findings.syncs;
    if let Some(found) = count(&|d| d.syncs) {
        out.add("workload.syncs_per_day", found, per_day, of_days.clone());
    }
    if let Some(found) = count(&|d| d.long) {
        out.add("workload.long_commands_per_day", found, per_day, of_days);
    }
    if let Some(files) = &syncs.ordinary_files
        && files.count >= FEWEST
        && syncs.files > 0
    {
        out.add(
            "workload.files_per_sync",
            each(files),
            plain,
            mean_of_counted(
                files.count,
                syncs.count - syncs.large,
                "syncs below 1 GiB, those that bring nothing included",
            ),
        );
    }
    large_syncs(out, findings, &days);
    if let Some(files) = &findings.edited_files
        && files.count >= FEWEST
    {
        out.add("workload.files_per_edit", each(files), plain, mean_of(files.count, "edits, adds and deletes"));
    }
    if findings.called >= SHARED && shows_pollers(findings) {
        let share = automation(findings, &days).polling;
        out.add(
            "workload.polling_share",
            (share, share, share),
            percent,
            format!(
                "calls at regular intervals, of {} by user, program and call",
                counted(findings.pollers.len() as u64, "poller")
            ),
        );
    }
    // The branches that hold locks for long are rare: the log may have none of them.
    let branched = [&findings.submits.branched, &findings.merged_files];
    let most = branched.into_iter().flatten().map(|files| files.max);
    if let Some(most) = most.reduce(f64::max).filter(|most| *most > 0.0) {
        out.least("workload.branch_files", most, "the largest branch or merge command of the log");
    }
    if let Some(rate) = &syncs.rate_bytes_per_s
        && rate.count >= FEWEST
    {
        let shown = |x: f64| format!("{} MB/s", plain(x / 1e6));
        out.add(
            "workload.client_rate",
            (rate.p95, rate.p50, rate.max),
            shown,
            format!(
                "of {} syncs from 16 MiB on, bytes over lapse: 95 % are no faster; a client may take more than the server sent",
                rate.count
            ),
        );
    }
    let ratios = days.iter().map(|day| {
        let mean = day.commands() as f64 / 24.0;
        day.busiest() as f64 / mean
    });
    if let Some(found) = middle(ratios.collect()) {
        out.add("workload.peak_to_mean", found, plain, "busiest hour over the mean of the day's 24 hours".to_owned());
    }
}

/// Whether the log is long enough to show every poller.
fn shows_pollers(findings: &Findings) -> bool {
    findings.quality.span_s() >= SEEN_S
}

fn large_syncs(out: &mut Answers, findings: &Findings, days: &[Day]) {
    let syncs = &findings.syncs;
    if syncs.large == 0 {
        return;
    }
    let at_once = syncs.large_at_once.ceil().max(1.0);
    out.least("workload.concurrent_syncs", at_once, "most syncs from 1 GiB on at once, on average over a minute");
    let size = syncs.large_bytes as f64 / syncs.large as f64;
    let largest = syncs.largest.first().map_or(size, |t| t.bytes as f64);
    out.add(
        "workload.concurrent_sync_size",
        (size, size, size),
        kilobytes,
        format!("mean of {} from 1 GiB on; the largest moved {}", counted(syncs.large, "sync"), kilobytes(largest)),
    );
    if !days.is_empty() {
        let per_day = syncs.large as f64 / (findings.quality.span_s() / DAY_S).max(1.0);
        out.add(
            "workload.large_syncs_per_day",
            (per_day, per_day, per_day),
            |x| format!("{} /day", plain(x)),
            "syncs from 1 GiB on over the days of the log".to_owned(),
        );
    }
}

fn server(out: &mut Answers, findings: &Findings) {
    if let Some(release) = &findings.server.release {
        out.push(
            "server.release",
            release.clone(),
            (release.clone(), release.clone()),
            "p4d names it as it starts, or in background commands of its own".to_owned(),
        );
    }
    if let Some(system) = findings.server.operating_system {
        let how = "p4d names the platform it was built for as it starts".to_owned();
        out.push("infrastructure.operating_systems", system.to_owned(), (system.to_owned(), system.to_owned()), how);
    }
    if findings.peeks > 0 {
        out.add(
            "server.peeking",
            (2.0, 2.0, 3.0),
            whole,
            "there are reads without a lock: db.peeking is 2, or 3".to_owned(),
        );
    }
    if findings.quality.server == ServerLevel::Computes {
        out.add("server.log_level", (3.0, 3.0, 4.0), whole, "there are compute ends".to_owned());
    }
}

/// Which answers the log cannot give, and why: a sentence each.
pub fn undecided(findings: &Findings) -> Vec<String> {
    let mut all = Vec::new();
    let is_alone = findings.quality.records == 0;
    if let Some(journal) = &findings.journal {
        all.extend(journal::undecided(journal, is_alone));
        if is_alone {
            return all;
        }
    } else if is_alone && findings.checkpoint.is_some() {
        return checkpoint::undecided();
    }
    if working_days(findings).is_empty() {
        all.push(
            "Commands, submits and syncs a day, and the peak over the mean: the log covers no 20 hours of a day. Give the logs of a whole working day."
                .to_owned(),
        );
    }
    if findings.syncs.count > 0 && findings.syncs.counted == 0 {
        all.push(
            "Files and bytes of a sync: no line counts them. server=3 writes the server's estimate of each sync, track=1 its totals."
                .to_owned(),
        );
    }
    if findings.quality.records > 0 && !shows_pollers(findings) {
        all.push(format!(
            "Share of polling: what asks every ten minutes is seen as regular after {:.0} minutes, and the log is shorter.",
            SEEN_S / 60.0
        ));
    }
    if findings.submits.moved.count > 0 && findings.submits.moved.each_files.is_none() {
        all.push(
            "Files of a submit: no line counts them. track=1 writes the rows that each commit puts into db.rev."
                .to_owned(),
        );
    }
    if findings.server.active.is_none() {
        all.push(
            "Connections at the peak: the log does not state active threads (p4d does from 2023.1 on). Count the lines of `p4 monitor show`."
                .to_owned(),
        );
    }
    all
}

/// How the sources of answers begin, and what one without a moment is called.
const DATED: &str = "log of ";
const UNDATED: &str = "server log";
const OF_JOURNAL: &str = "journal of ";
const JOURNAL: &str = "journal";
const OF_CHECKPOINT: &str = "checkpoint of ";
const CHECKPOINT: &str = "checkpoint";

/// What the source of an answer is called: "log of 2024/06/19", with the last day where there are several.
pub fn origin(span: Option<(Moment, Moment)>) -> String {
    dated(DATED, UNDATED, span)
}

fn dated(dated: &str, undated: &str, span: Option<(Moment, Moment)>) -> String {
    let Some((from, to)) = span else {
        return undated.to_owned();
    };
    let day = |at: Moment| at.to_string().chars().take(10).collect::<String>();
    if day(from) == day(to) { format!("{dated}{}", day(from)) } else { format!("{dated}{} to {}", day(from), day(to)) }
}

/// Whether [`answers`] called a source so.
pub fn is_of_log(from: &str) -> bool {
    [UNDATED, JOURNAL, CHECKPOINT].contains(&from)
        || [DATED, OF_JOURNAL, OF_CHECKPOINT].iter().any(|dated| from.starts_with(dated))
}
