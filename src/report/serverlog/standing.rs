//! What stands still when the log ends, who holds it up, and why a command waited.

use super::words::{age, call, clock, count, counted, function, name, party, share, time};
use crate::page::{Section, Table};
use crate::serverlog::analysis::{Asked, Evidence, Findings, Holder, Jam, ROWS, Running, Standing};
use crate::serverlog::record::Moment;
use crate::units::list;

/// From here on nothing has ended for long \[s\].
const QUIET_S: f64 = 60.0;
/// What no holder is reason for.
const NEVER: &str = "Never `kill -9` a process of p4d: it can leave the database damaged.";

/// What stands still, who holds it up, what to do: a sentence or two each; nothing where all goes on.
pub(super) fn now(findings: &Findings) -> Vec<String> {
    let standing = &findings.standing;
    let Some(jam) = &standing.jam else {
        return ended_since(standing).into_iter().collect();
    };
    let mut says = vec![still(standing, jam)];
    says.extend(ended_since(standing));
    says.extend(holders(standing, jam));
    says
}

/// What the monitor beside the log says of those without an end.
fn ended_since(standing: &Standing) -> Option<String> {
    let ended = standing.ended_since.filter(|ended| *ended > 0)?;
    Some(format!(
        "{} without an end in the log {} ended since: `p4 monitor show` does not list {} any more. {} left.",
        counted(ended, "command"),
        has(ended),
        if ended == 1 { "it" } else { "them" },
        match standing.running {
            0 => "None is".to_owned(),
            1 => "1 is".to_owned(),
            more => format!("{} are", count(more)),
        }
    ))
}

/// "has", "have".
fn has(number: u64) -> &'static str {
    if number == 1 { "has" } else { "have" }
}

/// "stands still", "stand still".
fn stands(number: u64) -> &'static str {
    if number == 1 { "stands still" } else { "stand still" }
}

fn still(standing: &Standing, jam: &Jam) -> String {
    let ended = match standing.last_end {
        None => "no command of this log has ended".to_owned(),
        Some(last) if standing.at.seconds_since(last) >= QUIET_S => {
            format!("no command has ended since {}", clock(last))
        }
        Some(_) => format!(
            "{} of {} {}, the first since {}, while others go on",
            counted(jam.stuck, "command"),
            counted(jam.users, "user"),
            stands(jam.stuck),
            clock(jam.since)
        ),
    };
    format!(
        "At {}: {ended}. {} run, {} of them for more than a minute, of {} in all.",
        clock(standing.at),
        count(standing.running),
        count(standing.minute),
        counted(standing.users, "user")
    )
}

/// Who holds others up, and how that is known.
fn holds(jam: &Jam, place: usize, holder: &Holder) -> String {
    let running = &holder.running;
    let (who, how) = match (holder.evidence, jam.holders.len()) {
        (Evidence::Seen, _) => ("Holder", "by what `p4 monitor show` or `lslocks` says beside the log".to_owned()),
        (Evidence::Printed, 1) => ("Holder", "by the lock lines that it printed while it runs".to_owned()),
        (Evidence::Kind, 1) => {
            ("Probable holder", "by what such a command locks, and by what has not ended since".to_owned())
        }
        (_, several) => {
            (if place == 0 { "Possible holder" } else { "Or" }, format!("one of {several} whose locks they need"))
        }
    };
    let ended = running.end.map(|end| format!("; it ended at {}", clock(end)));
    // Of the others only the first has those behind it in the chain.
    let come = jam.chain.iter().filter(|behind| place == 0 && !behind.is_stuck && behind.waits_for.is_some());
    let come = match come.count() as u64 {
        0 => String::new(),
        come => format!(", and {} that came just now", count(come)),
    };
    format!(
        "{who}: {}, pid {}, for {} (since {}{}), with `{}`, {how}. {} of {} {} behind it{come}, for {}.",
        name(&running.user),
        running.pid,
        age(running.age_s),
        clock(running.start),
        ended.unwrap_or_default(),
        call(&running.function, &running.arguments),
        counted(holder.behind.0, "command"),
        counted(holder.behind.1, "user"),
        stands(holder.behind.0),
        locks(holder)
    )
}

fn holders(standing: &Standing, jam: &Jam) -> Vec<String> {
    let mut says = Vec::new();
    let places = jam.holders.iter().enumerate();
    says.extend(places.map(|(place, holder)| holds(jam, place, holder)));
    if let Some(holder) = jam.holders.first() {
        if !standing.is_past {
            says.push(what_to_do(standing, holder));
        }
        says.extend(holder.instead.map(|instead| format!("Next time: {instead}")));
    } else if !standing.is_past {
        let take = if standing.ended_since.is_some() {
            "nor from `p4 monitor show`. Take `lslocks -u -o COMMAND,PID,MODE,PATH,BLOCKER` and give it, too: it names"
        } else {
            "alone. Take `p4 monitor show -aeL` and `lslocks -u -o COMMAND,PID,MODE,PATH,BLOCKER` and give both beside the log: they name"
        };
        says.push(format!("Who holds them up cannot be said from the log {take} who has which lock. {NEVER}"));
    }
    says
}

/// Up to three locks.
fn locks(holder: &Holder) -> String {
    const SHOWN: usize = 3;
    let mut names: Vec<String> = holder.locks.iter().take(SHOWN).map(|lock| name(lock)).collect();
    if let more @ 1.. = holder.locks.len().saturating_sub(SHOWN) {
        names.push(format!("{more} more"));
    }
    list(&names)
}

/// How to end a holder, and at what risk: Perforce's guide, "Pause, resume, and terminate processes".
fn what_to_do(standing: &Standing, holder: &Holder) -> String {
    let running = &holder.running;
    let (pid, what) = (running.pid, function(&running.function));
    let first = if standing.ended_since.is_some() {
        format!("`p4 monitor show` lists {pid} with {what}.")
    } else {
        format!("First see that it still runs: `p4 monitor show -aeL` lists {pid} with {what}.")
    };
    let end = if holder.can_be_ended {
        format!(
            "Then `p4 monitor terminate {pid}` ends it at its next look, within 50,000 rows or lines, if it has run for ten seconds; {} is told that it was cancelled and has to run it again.",
            name(&running.user)
        )
    } else {
        format!("`p4 monitor terminate` does not end it: talk to {} and let it end.", name(&running.user))
    };
    format!("{first} {end} {NEVER}")
}

/// Everything that runs at the end of the log, the oldest first.
pub(super) fn running(findings: &Findings) -> Section {
    let standing = &findings.standing;
    if standing.runs.is_empty() {
        return Section::default();
    }
    let mut says = now(findings);
    if says.is_empty() {
        says.push(format!(
            "{} had not ended when the log did, at {}; none stands still by what their kinds take and lock.",
            counted(standing.running, "command"),
            standing.at
        ));
    }
    let mut table = Table::new(&["pid", "user", "command", "since", ">runs for", ">95 % take", "waits for", "of pid"]);
    let waits = |one: &Running| {
        let jam = standing.jam.as_ref()?;
        let behind = jam.chain.iter().find(|b| b.running.pid == one.pid)?;
        behind.waits_for.clone()
    };
    for one in standing.runs.iter().take(2 * ROWS) {
        let (lock, of) =
            waits(one).map_or((String::new(), String::new()), |(pid, lock)| (name(&lock), pid.to_string()));
        let cells = vec![
            one.pid.to_string(),
            name(&one.user),
            call(&one.function, &one.arguments),
            one.start.to_string(),
            age(one.age_s),
            one.usual_s.map_or_else(|| "not known".to_owned(), time),
            lock,
            of,
        ];
        table.row(cells);
    }
    super::parts::section("now", "What runs when the log ends", says, [("", table)])
}

/// Why the command that is asked for waited, a sentence each; nothing if none that waited is known.
pub fn why(findings: &Findings, asked: Asked) -> Vec<String> {
    let standing = &findings.standing;
    // Those that stand still when the log ends have waited for longest.
    let stood_at = |at: Moment| {
        let chain = standing.jam.as_ref().map_or(&[][..], |jam| &jam.chain);
        let mut stood = chain.iter().filter(|behind| behind.is_stuck);
        let oldest = stood.find(|behind| behind.running.start <= at && at <= standing.at);
        oldest.map(|behind| behind.running.pid)
    };
    let pid = match asked {
        Asked::Process(pid) => Some(pid),
        Asked::At(clock) => stood_at(clock.before(standing.at)),
    };
    if let Some(says) = pid.and_then(|pid| of_running(findings, pid)) {
        return says;
    }
    let Some(why) = &findings.contention.why else {
        return Vec::new();
    };
    let mut says = vec![format!(
        "{} (pid {}, {}, {}).",
        party(&why.party),
        why.party.pid,
        why.party.start,
        time(why.party.lapse_s)
    )];
    if why.waits.is_empty() {
        says.push("It waited for no lock for 50 ms or more.".to_owned());
    }
    if let Some(blocked) = &why.blocked {
        says.push(format!(
            "{} of {} waited {} in all behind it, most of that for {}.",
            counted(blocked.commands, "command"),
            counted(blocked.users, "user"),
            time(blocked.waited_s),
            name(&blocked.table)
        ));
    }
    for wait in &why.waits {
        let part = share(wait.part_s, wait.waited_s);
        let mut text = format!("It waited {} for {}; {part} of that", time(wait.waited_s), name(&wait.table));
        let steps = wait.steps.iter().enumerate().map(|(place, step)| {
            let did = match (step.is_queued, place + 1 == wait.steps.len()) {
                (true, _) => "was queued to write",
                (false, false) => "waited too while it held",
                (false, true) => "held",
            };
            format!(
                " behind {} (pid {}, {}), which {did} {}",
                party(&step.party),
                step.party.pid,
                clock(step.party.start),
                name(&step.table)
            )
        });
        let steps: Vec<String> = steps.collect();
        text.push_str(&if steps.is_empty() {
            " for a holder that is not in this log.".to_owned()
        } else {
            steps.join(",") + "."
        });
        says.push(text);
    }
    says
}

/// The chain of a command that runs when the log ends.
fn of_running(findings: &Findings, pid: u64) -> Option<Vec<String>> {
    let standing = &findings.standing;
    let one = standing.runs.iter().find(|one| one.pid == pid)?;
    let mut says = vec![format!(
        "{}: {} (pid {pid}) runs since {}, for {} when the log ends.",
        name(&one.user),
        call(&one.function, &one.arguments),
        clock(one.start),
        age(one.age_s)
    )];
    let Some(jam) = &standing.jam else {
        says.push("Nothing stands still, so that nobody is seen to hold it up.".to_owned());
        return Some(says);
    };
    let mut at = pid;
    // Each is behind an older one, so that the chain ends.
    for _ in 0..jam.chain.len() {
        let next = jam.chain.iter().find(|behind| behind.running.pid == at);
        let Some((before, lock)) = next.and_then(|behind| behind.waits_for.clone()) else {
            break;
        };
        let Some(holder) = standing.runs.iter().find(|one| one.pid == before) else {
            break;
        };
        says.push(format!(
            "It waits for {}, by all signs behind {}: {} (pid {before}, since {}).",
            name(&lock),
            name(&holder.user),
            call(&holder.function, &holder.arguments),
            clock(holder.start)
        ));
        at = before;
    }
    let holder = jam.holders.iter().position(|holder| holder.running.pid == at);
    match (holder, at == pid) {
        (Some(place), true) => {
            let holder = &jam.holders[place];
            says.push(holds(jam, place, holder));
            if !standing.is_past {
                says.push(what_to_do(standing, holder));
            }
        }
        (Some(_), false) => {}
        (None, _) => says.push("For whom it waits cannot be said from the log.".to_owned()),
    }
    Some(says)
}

/// What of a followed log is told where it changes: whether it is there, how many stand still, and behind whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    is_there: bool,
    jam: Option<(u64, Vec<u64>)>,
}

impl State {
    /// Of the findings so far; whether the file that is followed is there.
    pub fn of(findings: &Findings, is_there: bool) -> Self {
        let jam = findings.standing.jam.as_ref();
        let holders = |jam: &Jam| jam.holders.iter().map(|holder| holder.running.pid).collect();
        Self { is_there, jam: jam.map(|jam| (jam.stuck, holders(jam))) }
    }

    /// Whether something stands still.
    pub fn is_jam(&self) -> bool {
        self.jam.is_some()
    }

    /// In a line.
    pub fn line(&self, findings: &Findings) -> String {
        let standing = &findings.standing;
        if !self.is_there {
            return "The log is not there yet.".to_owned();
        }
        let Some(jam) = &standing.jam else {
            return format!(
                "At {}: nothing stands still; {} {}.",
                clock(standing.at),
                counted(standing.running, "command"),
                if standing.running == 1 { "runs" } else { "run" }
            );
        };
        let holder = jam.holders.first().map(|holder| holds(jam, 0, holder));
        let says = [Some(still(standing, jam)), holder];
        says.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}
