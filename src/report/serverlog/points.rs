//! Who to talk to, and what to change: sentences, the most costly first.

use std::collections::BTreeMap;

use super::words::{call, clock, count, counted, function, name, share, size, time};
use crate::serverlog::analysis::{
    Blamed, Chain, Findings, Hold, LARGE_BYTES, Limit, Poller, Tally, Unexplained, Worst, has_peeking, instead,
    takes_paths,
};
use crate::serverlog::groups::Allowed;
use crate::units::{Fraction, about_count, grouped};

/// Fewest commands of which a share of time says something of all.
const SEVERAL: u64 = 5;
/// Waits below this are no reason to talk to anybody \[s\].
const WAIT_S: f64 = 1.0;
/// Command time a day from which on a poller's owner is worth a talk \[s\].
const POLLED_S: f64 = 60.0;
/// Users and functions that are told of.
const BLAMED: usize = 5;
/// From here on a hold is told of for which nobody waited: exclusive, shared \[s\].
const HELD_S: f64 = 10.0;
const SHARED_S: f64 = 60.0;
/// Command time that a limit would have cut to be worth a word \[s\].
const LIMITED_S: f64 = 10.0;
/// Users that are named whom a limit would not reach.
const LIFTED: usize = 3;

/// People and owners of scripts, each with what their commands do to others.
pub(super) fn talk(findings: &Findings) -> Vec<String> {
    let mut points: Vec<(f64, String)> = Vec::new();
    for blamed in findings.contention.blamed.iter().take(BLAMED) {
        if blamed.waited_s < WAIT_S {
            continue;
        }
        let chains = findings.contention.chains.iter();
        let mut of_this = chains.filter(|c| {
            c.root.user == blamed.user && c.root.function == blamed.function && c.root.program == blamed.program
        });
        let text = match (blamed.commands, of_this.next()) {
            (1, Some(chain)) => one_culprit(chain),
            (commands, _) => format!(
                "{}: {} {} commands held {} and other locks for which others waited {} in all{}.",
                name(&blamed.user),
                count(commands),
                function(&blamed.function),
                name(&blamed.table),
                time(blamed.others_s()),
                own(blamed)
            ),
        };
        points.push((blamed.others_s(), text));
    }
    for poller in findings.pollers.iter().filter(|p| costs(p)).take(3) {
        points.push((poller.tally.lapse_s, one_poller(poller)));
    }
    points.extend(findings.contention.holds.iter().filter_map(|hold| long_hold(findings, hold)).take(3));
    points.extend(findings.contention.unexplained.iter().filter(|wait| wait.waited_s >= WAIT_S).take(2).map(no_holder));
    points.extend(busiest_user(findings));
    let scans = findings.limits.iter().find(|l| l.name == "MaxScanRows");
    if let Some(worst) = scans.and_then(|l| l.worst.as_ref())
        && worst.amount >= 1_000_000
        && takes_paths(&worst.function)
    {
        points.push((
            worst.amount as f64 / 4e5,
            format!(
                "{}: `{}` scanned {} rows in one command. Ask for a narrower path or revision range.",
                name(&worst.user),
                call(&worst.function, &worst.pattern),
                about_count(worst.amount as f64)
            ),
        ));
    }
    points.sort_by(|a, b| b.0.total_cmp(&a.0));
    points.into_iter().map(|(_, text)| text).collect()
}

/// What a user's commands waited for each other, where that counts.
fn own(blamed: &Blamed) -> String {
    if blamed.own_s < 0.1 * blamed.waited_s {
        return String::new();
    }
    format!(", and that user's other commands {}", time(blamed.own_s))
}

/// Who held a lock for how long: "2.6 min label/REL-1 (relbot: `tag -l REL-1 //depot/...`, 02:00:00)".
pub(super) fn hold(hold: &Hold) -> String {
    format!(
        "{} {} ({}: `{}`, {})",
        time(hold.held_s),
        name(&hold.table),
        name(&hold.party.user),
        call(&hold.party.function, &hold.party.arguments),
        clock(hold.party.start)
    )
}

/// A hold for which nobody waited, as far as the log goes, but which is long enough that somebody will.
fn long_hold(findings: &Findings, hold: &Hold) -> Option<(f64, String)> {
    let least = if hold.is_exclusive { HELD_S } else { SHARED_S };
    let blamed = &findings.contention.blamed;
    let is_told = |blamed: &Blamed| {
        blamed.waited_s >= WAIT_S && blamed.user == hold.party.user && blamed.function == hold.party.function
    };
    // Those who waited themselves while they held are told of with their root.
    let mut chains = findings.contention.chains.iter();
    let is_link = chains.any(|chain| {
        let mut links = chain.between.iter().map(|between| &between.party);
        chain.root.place == hold.party.place || links.any(|link| link.place == hold.party.place)
    });
    if hold.held_s < least || is_link || blamed.iter().take(BLAMED).any(is_told) {
        return None;
    }
    let often = match (hold.count, hold.every_s) {
        (1, _) => format!("at {}", clock(hold.party.start)),
        (count, None) => format!("at most, {count} times, the longest at {}", clock(hold.party.start)),
        (count, Some(every_s)) => format!("at most, {} times, every {}", grouped(count as f64), time(every_s)),
    };
    let others = if hold.is_exclusive { "nobody else could use it" } else { "nobody could write it" };
    let mut text = format!(
        "{}: `{}` held {} for {} {often}. Meanwhile {others}; in this log none waited for long.",
        name(&hold.party.user),
        call(&hold.party.function, &hold.party.arguments),
        name(&hold.table),
        time(hold.held_s)
    );
    if let Some(instead) = instead(&hold.party.function, &hold.party.arguments) {
        text.push(' ');
        text.push_str(instead);
    }
    // Behind those that did keep others waiting.
    Some((0.1 * hold.held_s, text))
}

/// Waits whose holder is not in the log.
fn no_holder(wait: &Unexplained) -> (f64, String) {
    let text = format!(
        "Holder not in this log: {} waited {} for {}, from {} to {}. It began before the log, has no track lines, or is another server's.",
        counted(wait.commands, "command"),
        time(wait.waited_s),
        name(&wait.table),
        clock(wait.span.0),
        clock(wait.span.1)
    );
    (wait.waited_s, text)
}

/// Whether a poller is worth a talk.
fn costs(poller: &Poller) -> bool {
    poller.per_day(poller.tally.lapse_s) >= POLLED_S
}

/// So many commands that run for longer than their kind when the log ends may wait for a lock (assumed, as of a jam).
const OVERDUE: u64 = 3;

/// Why there is nobody to talk to, where there is nobody.
pub(super) fn nobody(findings: &Findings) -> String {
    if findings.standing.jam.is_some() {
        return "Those who stand still come first.".to_owned();
    }
    if findings.quality.with_tables == 0 && findings.pollers.is_empty() {
        return "Cannot be said: no line of this log is about a lock.".to_owned();
    }
    let runs = findings.standing.runs.iter();
    let overdue = runs.filter(|one| one.is_overdue).count() as u64;
    if overdue >= OVERDUE {
        return format!(
            "Cannot be said yet: {} run for longer than their kind when the log ends, and none of them has had its locks for a minute. Look again in a minute.",
            counted(overdue, "command")
        );
    }
    if let Some(hold) = findings.contention.holds.first() {
        return format!(
            "Nobody: no command of this log kept others waiting for a second. The longest hold: {}.",
            self::hold(hold)
        );
    }
    let polls = match findings.pollers.len() {
        0 => "none is seen to poll".to_owned(),
        1 => "the one poller costs less than a minute of command time a day".to_owned(),
        n => format!("none of {n} pollers costs a minute of command time a day"),
    };
    format!("Nobody: no command of this log kept others waiting for a second, and {polls}.")
}

/// A user whose commands take a third of all time, without what they waited for others.
fn busiest_user(findings: &Findings) -> Option<(f64, String)> {
    let own = |t: &Tally| (t.lapse_s - t.lock_wait_s).max(0.0);
    let rows = &findings.users.rows;
    let all: f64 = rows.iter().map(|(_, t)| own(t)).sum();
    let (user, tally) = rows.iter().max_by(|a, b| own(&a.1).total_cmp(&own(&b.1)))?;
    let polls = findings.pollers.iter().any(|p| p.user == *user);
    let is_much = rows.len() > 2 && own(tally) > all / 3.0 && own(tally) > 60.0;
    (is_much && tally.commands >= 10 && !polls).then(|| {
        let text = format!(
            "{} runs {} of all command time: {}, {} together.",
            name(user),
            share(own(tally), all),
            counted(tally.commands, "command"),
            time(own(tally))
        );
        (own(tally) * 0.1, text)
    })
}

/// The lock over which most was waited for root culprits, and how long.
fn worst_lock(findings: &Findings) -> Option<(String, f64)> {
    let mut locks: BTreeMap<&str, f64> = BTreeMap::new();
    for chain in &findings.contention.chains {
        *locks.entry(&chain.table).or_default() += chain.waited_s;
    }
    let most = locks.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
    most.map(|(lock, waited_s)| (lock.to_owned(), waited_s))
}

/// A culprit with one command.
fn one_culprit(chain: &Chain) -> String {
    let mut text = format!(
        "{}: `{}` held {} for {} at {}. {} of {} waited {} for it in all.",
        name(&chain.root.user),
        call(&chain.root.function, &chain.root.arguments),
        name(&chain.table),
        time(chain.held_s),
        clock(chain.root.start),
        counted(chain.commands, "command"),
        counted(chain.users, "user"),
        time(chain.waited_s)
    );
    if let Some(between) = chain.between.first() {
        let did = if between.is_queued { "was queued to write" } else { "held" };
        let behind = format!(
            " {} of it was behind {}, who {did} {} meanwhile.",
            time(between.waited_s),
            name(&between.party.user),
            name(&between.table)
        );
        text.push_str(&behind);
    }
    if let Some(instead) = instead(&chain.root.function, &chain.root.arguments) {
        text.push(' ');
        text.push_str(instead);
    }
    text
}

fn one_poller(poller: &Poller) -> String {
    let calls = poller.calls_per_day();
    let from = if poller.addresses > 1 {
        format!(" from each of {} addresses", count(poller.addresses))
    } else {
        String::new()
    };
    let mut cost = Vec::new();
    let processor = poller.per_day(poller.tally.processor_s);
    if processor >= 1.0 {
        cost.push(format!("{} of processor time", time(processor)));
    }
    let lapse = poller.per_day(poller.tally.lapse_s);
    cost.push(format!("{} of command time", time(lapse)));
    format!(
        "{} ({}) polls `{}` every {}{from}: {} calls and {} in 24 hours. Ask for a longer interval, or a trigger instead.",
        name(&poller.user),
        name(crate::serverlog::analysis::product(&poller.program)),
        call(&poller.function, &poller.pattern),
        time(poller.interval_s),
        about_count(calls),
        cost.join(", ")
    )
}

/// Settings and equipment, each with what it would do: those first behind which most time of commands lies, and last what
/// the next log should say.
pub(super) fn change(findings: &Findings) -> Vec<String> {
    let mut points: Vec<(f64, String)> = Vec::new();
    let parts = &findings.parts;
    let of_time = |part: f64| part / parts.lapse_s.max(1e-9);
    let tables = || findings.tables.rows.iter();
    let clients: f64 = tables()
        .filter(|(table, _)| table == "clients" || table == "clientEntity")
        .map(|(_, sum)| sum.read_wait_s.0 + sum.write_wait_s.0)
        .sum();
    if clients >= WAIT_S {
        points.push((
            clients,
            format!(
                "Give each job a workspace of its own: commands waited {} for another command of the same workspace.",
                time(clients)
            ),
        ));
    }
    let peekable = &findings.contention.peekable;
    if findings.peeks == 0
        && peekable.waited_s >= WAIT_S
        && peekable.is_several()
        && has_peeking(findings.server.release.as_deref())
    {
        points.push((
            peekable.waited_s,
            format!(
                "Set db.peeking=2: no read of this log went without a lock, and commands that would then read without one waited {} for locks.",
                time(peekable.waited_s)
            ),
        ));
    }
    if of_time(parts.lock_wait_s) >= 0.1 && parts.lock_wait_s >= WAIT_S && findings.contention.spread.is_several() {
        let which = worst_lock(findings).map_or(String::new(), |(lock, waited_s)| {
            format!(
                ", {} of them behind commands that held {}",
                share(waited_s, findings.contention.waited_s),
                name(&lock)
            )
        });
        points.push((
            findings.contention.spread.waited_s,
            format!(
                "Shorten the longest holds of locks: waits for locks are {} of command time{which}.",
                Fraction::new(of_time(parts.lock_wait_s)).estimated(),
            ),
        ));
    }
    points.extend(findings.limits.iter().filter_map(limit));
    points.extend(equipment(findings));
    points.extend(pressure(findings).map(|text| (parts.paused_s, text)));
    points.extend(large_syncs(findings).map(|text| (0.0, text)));
    points.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut points: Vec<String> = points.into_iter().map(|(_, text)| text).collect();
    let mending = findings.quality.mending();
    if !mending.is_empty() {
        let commands: Vec<String> = mending.iter().map(|c| format!("`{c}`")).collect();
        points.push(format!("Log more, then read the log of a working day: {}.", commands.join(", ")));
    }
    points
}

/// Network, memory, triggers, by what they take of the time.
fn equipment(findings: &Findings) -> Vec<(f64, String)> {
    let mut points: Vec<(f64, String)> = Vec::new();
    let parts = &findings.parts;
    let syncs = findings.parts_by_kind.iter().find(|(id, ..)| *id == "sync");
    if let Some((_, _, sync)) = syncs
        && sync.sending_s >= 0.4 * sync.lapse_s
        && sync.sending_s >= 10.0
        && sync.commands >= SEVERAL
    {
        points.push((
            sync.sending_s,
            format!(
                "Look at the network and the clients' disks: {} of the time of syncs is spent on sending.",
                share(sync.sending_s, sync.lapse_s)
            ),
        ));
    }
    if let Some(hit) = findings.cache.hit_fraction
        && hit < 0.95
        && findings.cache.judged_pages > 10_000
    {
        points.push((
            parts.rest_s * (1.0 - hit),
            format!(
                "Give the server more memory: {} of the database pages came from storage rather than the page cache (estimate).",
                Fraction::new(1.0 - hit).estimated()
            ),
        ));
    }
    if (parts.trigger_s / parts.lapse_s.max(1e-9)) >= 0.1 && parts.trigger_s >= WAIT_S {
        points.push((
            parts.trigger_s,
            format!(
                "Shorten the triggers: they are {} of command time.",
                Fraction::new(parts.trigger_s / parts.lapse_s.max(1e-9)).estimated()
            ),
        ));
    }
    points
}

fn large_syncs(findings: &Findings) -> Option<String> {
    let at_once = findings.syncs.large_at_once;
    (at_once >= 3.0).then(|| {
        format!(
            "Spread large syncs over the day or serve them from an edge or proxy: {} of {} and more ran at once.",
            at_once.ceil(),
            size(LARGE_BYTES as f64)
        )
    })
}

/// What the server says of pressure on it.
fn pressure(findings: &Findings) -> Option<String> {
    let server = &findings.server;
    let mut seen = Vec::new();
    if let Some((paused, at)) = server.paused
        && paused > 0
    {
        let at = at.map_or(String::new(), |at| format!(" at {at}"));
        seen.push(format!("{} paused at once{at}", counted(paused, "command")));
    }
    if findings.parts.paused_s >= 0.1 {
        seen.push(format!("commands paused for {} in all", time(findings.parts.paused_s)));
    }
    for (what, number) in [("the processor", server.pressure.0), ("memory", server.pressure.1)] {
        if number > 0 {
            seen.push(format!("{} of pressure on {what}", counted(number, "report")));
        }
    }
    (!seen.is_empty()).then(|| format!("Add processors or memory, or limit the largest commands: {}.", seen.join(", ")))
}

/// A value for a limit, between the largest ordinary command and those that took far more, and the groups to set it for.
fn limit(limit: &Limit) -> Option<(f64, String)> {
    let advised = limit.advised.as_ref().filter(|one| one.lapse_s >= LIMITED_S)?;
    let mut whose = "the groups of ordinary users".to_owned();
    if !advised.groups.is_empty() {
        let groups = advised.groups.iter().map(|(group, today)| format!("{} (today {})", name(group), allowed(*today)));
        let noun = if advised.groups.len() == 1 { "group" } else { "groups" };
        whose = format!("{noun} {}", listed(groups.collect()));
    }
    let of = |worst: &Worst| {
        format!("{}'s `{}` ({})", name(&worst.user), call(&worst.function, &worst.pattern), amount(limit, worst.amount))
    };
    let mut text = format!(
        "Set {} to {} in {whose}: it would have cut {} of {}, of {} ({} of command time; `--limit {}={}` says how much waiting that saves). The largest ordinary command is {}, the largest above it {}.",
        limit.name,
        count(advised.value),
        count(advised.commands),
        counted(limit.seen, "command"),
        counted(advised.users, "user"),
        time(advised.lapse_s),
        limit.name,
        advised.value,
        of(&advised.ordinary),
        of(&advised.culprit)
    );
    for lifted in advised.lifted.iter().take(LIFTED) {
        let (user, group) = (name(&lifted.user), name(&lifted.group));
        let allows = allowed(lifted.allows);
        text.extend([" ", &user, " is in ", &group, " too, which allows ", &allows]);
        text.push_str(": set it there as well.");
    }
    if !advised.without.is_empty() {
        let users: Vec<String> = advised.without.iter().take(LIFTED).map(|user| name(user)).collect();
        let more = advised.without.len() - users.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let users = users.join(", ");
        text.extend([" In no group, so that no limit reaches them: ", &users, &more, "."]);
    }
    Some((advised.lapse_s, text))
}

/// What a group sets for a limit.
pub(super) fn allowed(allowed: Allowed) -> String {
    match allowed {
        Allowed::Unset => "unset".to_owned(),
        Allowed::Most(most) => count(most),
        Allowed::Unlimited => "unlimited".to_owned(),
    }
}

/// "a", "a and b", "a, b and c".
fn listed(mut names: Vec<String>) -> String {
    match names.pop() {
        Some(last) if !names.is_empty() => format!("{} and {last}", names.join(", ")),
        last => last.unwrap_or_default(),
    }
}

/// An amount in a limit's unit.
pub(super) fn amount(limit: &Limit, amount: u64) -> String {
    match limit.unit {
        "rows" => counted(amount, "row"),
        unit => format!("{} {unit}", count(amount)),
    }
}
