//! What a server log says as JSON.

use schemars::JsonSchema;
use serde::Serialize;

use super::checkpoint::CheckpointJson;
use super::journal::JournalJson;
use super::points;
use super::standing_json::StandingJson;
use super::teams::{AdvisedLimit, TeamsJson};
use super::words::flaws;
use crate::report::json::{Made, list, object};
use crate::serverlog::analysis::{
    self, Cache as CacheUse, Findings, LARGE_BYTES, Parts, Ranked, Said, Spread, Transfer, Transfers,
};
use crate::serverlog::answers::{Measured, undecided};
use crate::serverlog::quality::{self, ServerLevel, TrackLevel};
use crate::serverlog::range::Range;
use crate::serverlog::record;
use crate::serverlog::record::ProxyTotals;

/// A moment as text; null where the log states none.
pub(super) fn at(moment: record::Moment) -> Option<String> {
    moment.known().map(|at| at.to_string())
}

/// Distributions, with the unit behind each key.
macro_rules! spreads {
    ($($name:ident: $mean:literal $p50:literal $p95:literal $max:literal;)*) => {$(
        /// A distribution.
        #[derive(Serialize, JsonSchema)]
        pub(crate) struct $name {
            /// How many are counted.
            count: u64,
            /// Mean.
            #[serde(rename = $mean)]
            mean: f64,
            /// Median.
            #[serde(rename = $p50)]
            p50: f64,
            /// 95th percentile.
            #[serde(rename = $p95)]
            p95: f64,
            /// Largest.
            #[serde(rename = $max)]
            max: f64,
        }

        impl $name {
            pub(crate) fn of(found: &Spread) -> Self {
                let Spread { count, mean, p50, p95, max, .. } = *found;
                Self { count, mean, p50, p95, max }
            }
        }
    )*};
}

spreads! {
    Times: "mean_s" "p50_s" "p95_s" "max_s";
    Sizes: "mean_bytes" "p50_bytes" "p95_bytes" "max_bytes";
    Rates: "mean_bytes_per_s" "p50_bytes_per_s" "p95_bytes_per_s" "max_bytes_per_s";
    Counts: "mean_files" "p50_files" "p95_files" "max_files";
}

object! {
    /// `workload`: what a server log, a journal or a checkpoint says. Times are texts as the log has them,
    /// `2024/03/05 10:00:00`, of the server's clock; null where the log states none, as a paste of track lines does.
    Workload of (findings: &Findings, answers: &[Measured], anonymised: bool, why: Vec<String>, written: Vec<String>, site: Option<SiteWritten>) {
        #[serde(flatten)] made: Made<LogInput> = Made::from(LogInput::of(&findings.quality.log));
        anonymised: bool = anonymised, "Whether names are pseudonyms.";
        quality: Quality = Quality::of(&findings.quality), "How good the log is.";
        standing: StandingJson = StandingJson::of(findings), "What runs when the log ends, and who holds it up.";
        why: Vec<String> = why, "Why the command waited that `--why` asks for, in sentences; empty where none is asked for.";
        talk: Vec<String> = points::talk(findings), "Who to talk to, in sentences.";
        change: Vec<String> = points::change(findings), "What to change, in sentences.";
        activity: Activity = Activity::of(findings), "What was done.";
        time: Time = Time::of(findings), "Where the time went.";
        locks: Locks = Locks::of(findings), "Table locks.";
        pollers: Vec<Poller> = list(&findings.pollers, Poller::of), "Commands that a program repeats.";
        slowest: Vec<Slow> = list(&findings.slowest, Slow::of), "The slowest commands.";
        triggers: Vec<Trigger> = list(&findings.triggers.rows, Trigger::of), "Triggers.";
        limits: Vec<Limit> = list(&findings.limits, Limit::of), "What limits of the server would stop.";
        groups: Option<TeamsJson> = findings.teams.as_ref().map(TeamsJson::of), "What groups cost; null without `--groups`.";
        unserved: Vec<Unserved> = list(&findings.unserved, Unserved::of), "Commands that were not served, the gravest outcome first.";
        syncs: FilesMoved = FilesMoved::of(&findings.syncs), "Syncs.";
        submits: Submits = Submits::of(findings), "Submits.";
        cache: Cache = Cache::of(&findings.cache), "Memory as a cache of the db.";
        memory: Memory = Memory::of(&findings.cache), "Memory of processes.";
        servers: Servers = Servers::of(findings), "Edges, proxies, replicas.";
        server: Server = Server::of(findings), "The server about itself.";
        journal: Option<JournalJson> = findings.journal.as_ref().map(JournalJson::of), "What journals say; null without one.";
        checkpoint: Option<CheckpointJson> = findings.checkpoint.as_ref().map(CheckpointJson::of), "What a checkpoint holds; null without one.";
        answers: Vec<AnswerMeasured> = list(answers, AnswerMeasured::of), "Answers of the questionnaire.";
        undecided: Vec<String> = undecided(findings), "What it leaves open, in sentences.";
        written: Vec<String> = written, "Files that were written.";
        site: Option<SiteWritten> = site, "What became of the answers in a site file; null without `--site`.";
    }

    /// What was read.
    LogInput of (log: &quality::Log) {
        logs: Vec<String> = list(&log.files, |file| file.name.clone()), "The files as named.";
    }

    /// A place in a file.
    Place of (place: record::Place) {
        file: usize = place.file, "Which file, from 0.";
        line: u64 = place.line, "Which line.";
        offset_bytes: u64 = place.offset, "Where the line begins.";
    }

    /// What commands cost.
    Cost of (t: &analysis::Tally) {
        commands: u64 = t.commands, "How many.";
        failed: u64 = t.failed, "Of them failed.";
        lapse_s: Option<f64> = Said::of(t.said.lapses, t.lapse_s), "From beginning to end; null, as what follows, where the log says it of none.";
        processor_s: Option<f64> = Said::of(t.said.usages, t.processor_s), "Processor time.";
        lock_wait_s: Option<f64> = Said::of(t.said.locks, t.lock_wait_s), "Waiting for locks.";
        write_held_s: Option<f64> = Said::of(t.said.locks, t.write_held_s), "Write locks held.";
        pages_in: Option<u64> = Said::of(t.said.locks, t.pages_in), "Pages of the db read.";
        rows_scanned: Option<u64> = Said::of(t.said.locks, t.rows_scanned), "Rows scanned.";
        sent_bytes: Option<u64> = Said::of(t.said.sent, t.sent_bytes), "Sent to clients.";
    }

    /// Names by what their commands cost.
    Ranking of (ranked: &Ranked<analysis::Tally>) {
        rows: Vec<Row> = list(&ranked.rows, |(name, t)| Row::of(name, t)), "The costliest.";
        others: Option<Cost> = ranked.others.as_ref().map(Cost::of), "All others together; null without others.";
        others_names: u64 = ranked.merged, "How many others.";
        lost_at_most_s: f64 = ranked.lost, "What a row may lack.";
    }

    /// A row of a ranking.
    Row of (name: &str, t: &analysis::Tally) {
        name: String = name.to_owned(), "Whose commands.";
        #[serde(flatten)] cost: Cost = Cost::of(t);
    }

    /// A command.
    Command of (party: &analysis::Party) {
        user: String = party.user.clone(), "Its user.";
        client: String = party.client.clone(), "Its workspace.";
        program: String = party.program.clone(), "The program that sent it.";
        function: String = party.function.clone(), "What it does.";
        arguments: String = party.arguments.clone(), "Its arguments.";
        pid: u64 = party.pid, "Its process.";
        start: Option<String> = at(party.start), "When it began.";
        lapse_s: f64 = party.lapse_s, "From beginning to end.";
        place: Place = Place::of(party.place), "Where it stands in the log.";
    }

    /// A transfer of files.
    Transferred of (t: &Transfer) {
        user: String = t.user.clone(), "Whose it is.";
        client: String = t.client.clone(), "The workspace.";
        address: String = t.address.clone(), "Where the client is.";
        start: Option<String> = at(t.start), "When it began.";
        lapse_s: f64 = t.lapse_s, "From beginning to end.";
        files: u64 = t.files, "Files.";
        moved_bytes: u64 = t.bytes, "Bytes.";
        parallel: u64 = t.threads, "Parallel threads.";
        rate_bytes_per_s: f64 = t.rate(), "Bytes over the lapse.";
        place: Place = Place::of(t.place), "Where it stands in the log.";
    }

    /// Transfers of files.
    FilesMoved of (t: &Transfers) {
        count: u64 = t.count, "How many.";
        counted: u64 = t.counted, "Those of which the log counts files, if only as none, or bytes.";
        files: u64 = t.files, "Files.";
        moved_bytes: u64 = t.bytes, "Bytes.";
        large_from_bytes: u64 = LARGE_BYTES, "What counts as large.";
        large: u64 = t.large, "Large ones.";
        large_at_once: f64 = t.large_at_once, "Large ones at a time, on average.";
        each_files: Option<Counts> = t.each_files.as_ref().map(Counts::of), "Files of one; null where none is counted.";
        each_bytes: Option<Sizes> = t.each_bytes.as_ref().map(Sizes::of), "Bytes of one; null where none is counted.";
        rate: Option<Rates> = t.rate_bytes_per_s.as_ref().map(Rates::of), "Rate of one; null where none is known.";
        largest: Vec<Transferred> = list(&t.largest, Transferred::of), "The largest.";
    }

    /// Submits.
    Submits of (findings: &Findings) [let submits = &findings.submits;] {
        #[serde(flatten)] moved: FilesMoved = FilesMoved::of(&submits.moved);
        without_commit: u64 = submits.without_commit, "Submits that committed nothing.";
        largest_files: u64 = submits.largest_files, "Files of the largest.";
        visible: Option<Times> = submits.visible_s.as_ref().map(Times::of), "All phases together; null where none is timed.";
        hold: Option<Times> = submits.hold_s.as_ref().map(Times::of), "Hold of the commit section; null where none is timed.";
        phases: Vec<Phase> = list(&submits.phases, |(name, mean)| Phase::of(name, *mean)), "Phases of a submit.";
    }

    /// A phase of a submit.
    Phase of (name: &str, mean: f64) {
        function: String = name.to_owned(), "Which one.";
        mean_s: f64 = mean, "Its mean time.";
    }

    /// What the log's server level is.
    Level of (level: Option<u8>, at_least: u8) {
        level: Option<u8> = level, "The level, or null where it is not certain.";
        at_least: u8 = at_least, "It is this or more.";
    }

    /// How much of the log has track lines.
    TrackLines of (is: &'static str, from_s: Option<f64>, fraction: Option<f64>) {
        is: &'static str = is, "every, censored, some, off or unknown.";
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] from_s: Option<f64> = from_s, "Of a censored log: the lapse from which commands have them.";
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] tracked_fraction: Option<f64> = fraction, "Share of the commands that have them; absent where it is unknown.";
    }

    /// How good a log is.
    Quality of (q: &quality::Quality) [let u = &q.log.understood;] {
        files: Vec<LogFile> = list(&q.log.files, LogFile::of), "The files that were read.";
        from: Option<String> = q.span.and_then(|(from, _)| at(from)), "When the log begins.";
        to: Option<String> = q.span.and_then(|(_, to)| at(to)), "When the log ends.";
        span_s: f64 = q.span_s(), "The time between.";
        part: Option<Part> = q.log.part.map(|(range, span)| Part::of(range, span)), "Where a part of the log was asked for: which; else null.";
        text_bytes: u64 = u.bytes, "Bytes of text.";
        lines: u64 = u.lines, "Lines.";
        understood_lines: u64 = u.understood, "Of them understood.";
        noise_lines: u64 = u.noise, "Of them known to say nothing.";
        unknown_lines: u64 = u.unknown, "Of them not understood.";
        understood_fraction: f64 = q.understood(), "Share of the lines that is understood.";
        server: Level = server_level(q.server), "The level of the log.";
        track: TrackLines = track_level(q.track), "Track lines.";
        records: u64 = q.records, "Commands.";
        endings: Endings = Endings::of(&q.endings), "How commands ended.";
        failed: u64 = q.failed, "Commands that failed.";
        backwards: u64 = q.backwards, "How often the clock went back.";
        gaps: Vec<Gap> = list(&q.gaps, |(from, seconds)| Gap::of(*from, *seconds)), "Times without a line.";
        damages: u64 = q.damages.0, "Damaged places.";
        damaged_bytes: u64 = q.damaged_bytes, "Bytes of them.";
        first_damages: Vec<Damage> = list(&q.damages.1, Damage::of), "The first of them.";
        notes: Vec<String> = q.log.notes.clone(), "What could not be read, in sentences; also the first of `flaws[]`.";
        flaws: Vec<String> = flaws(q), "What is wrong with the log, in sentences.";
        cannot: Vec<String> = list(q.cannot(), String::from), "What it cannot say, in sentences.";
        mend: Vec<String> = list(q.mending(), String::from), "Commands that mend that.";
    }

    /// The part of a log that was asked for.
    Part of (range: Range, span: (record::Moment, record::Moment)) {
        from: Option<String> = range.from.and_then(at), "From when on; null from the log's beginning on.";
        to: Option<String> = range.to.and_then(at), "To when; null to the log's end.";
        log_from: Option<String> = at(span.0), "When the whole log begins.";
        log_to: Option<String> = at(span.1), "When it ends.";
    }

    /// A file that was read.
    LogFile of (file: &quality::LogFile) {
        name: String = file.name.clone(), "As named.";
        size_bytes: u64 = file.bytes, "Its size.";
        kind: &'static str = file.kind, "What it is; empty for a server log.";
        packed: &'static str = file.packed, "How it is packed; empty for plain text.";
        broken: Option<String> = file.broken.clone(), "Why it ended before its end, where it is cut or damaged; else null.";
    }

    /// How commands ended.
    Endings of (ends: &quality::Endings) {
        completed: u64 = ends.completed, "As they say.";
        tracked: u64 = ends.tracked, "Known from track lines alone.";
        unreported: u64 = ends.unreported, "Of kinds that never say their end.";
        removed: u64 = ends.removed, "Removed from the monitor table.";
        restart: u64 = ends.restart, "By a restart of the server.";
        replaced: u64 = ends.replaced, "Known from the next command of their process.";
        pending: u64 = ends.pending, "Not within the log.";
    }

    /// A time without a line.
    Gap of (from: record::Moment, seconds: f64) {
        from: Option<String> = at(from), "When it begins.";
        lasts_s: f64 = seconds, "How long it lasts.";
    }

    /// A damaged place.
    Damage of (damage: &record::Damage) {
        place: Place = Place::of(damage.place), "Where it is.";
        length_bytes: u64 = damage.bytes, "How long it is.";
        found: String = damage.found.clone(), "What stands there.";
    }

    /// A sum of times and the longest of them.
    Sum of ((total, longest): (f64, f64)) {
        total_s: f64 = total, "All together.";
        longest_s: f64 = longest, "The longest.";
    }

    /// Locks of a table of the db.
    Table of (name: &str, t: &analysis::TableSum) {
        name: String = name.to_owned(), "The table.";
        commands: u64 = t.commands, "Commands that used it.";
        read_locks: u64 = t.read_locks, "Read locks.";
        write_locks: u64 = t.write_locks, "Write locks.";
        read_wait: Sum = Sum::of(t.read_wait_s), "Waits for read locks.";
        write_wait: Sum = Sum::of(t.write_wait_s), "Waits for write locks.";
        read_held: Sum = Sum::of(t.read_held_s), "Read locks held.";
        write_held: Sum = Sum::of(t.write_held_s), "Write locks held.";
        peeks: u64 = t.peeks, "Reads without a lock.";
        peek_wait_s: f64 = t.peek_s.0, "Their waits.";
        peek_held_s: f64 = t.peek_s.1, "Their times.";
        pages_in: u64 = t.pages.0, "Pages read.";
        pages_out: u64 = t.pages.1, "Pages written.";
        pages_cached: u64 = t.pages.2, "Pages found in memory.";
        rows_scanned: u64 = t.rows_scanned, "Rows scanned.";
        rows_written: u64 = t.rows_written, "Rows written.";
    }

    /// Commands that waited for one command.
    Chain of (chain: &analysis::Chain) {
        root: Command = Command::of(&chain.root), "The command that held the lock.";
        lock: String = chain.table.clone(), "The table.";
        held_s: f64 = chain.held_s, "How long it was held.";
        waited_s: f64 = chain.waited_s, "Waits of all together.";
        commands: u64 = chain.commands, "How many waited.";
        users: u64 = chain.users, "Users of these.";
        between: Vec<Between> = list(&chain.between, Between::of), "Commands through which others waited.";
        victims: Vec<Victim> = list(&chain.victims, Victim::of), "Those that waited longest.";
    }

    /// A command through which others waited.
    Between of (b: &analysis::Between) {
        command: Command = Command::of(&b.party), "The command.";
        lock: String = b.table.clone(), "The table.";
        waited_s: f64 = b.waited_s, "How long it waited itself.";
        queued: bool = b.is_queued, "Whether it queued to write, so that readers waited behind it; else it held the lock.";
    }

    /// A command that waited.
    Victim of (victim: &analysis::Victim) {
        command: Command = Command::of(&victim.party), "The command.";
        lock: String = victim.table.clone(), "The table.";
        waited_s: f64 = victim.waited_s, "How long.";
        through: bool = victim.through, "Whether it waited through another command.";
    }

    /// Table locks.
    Locks of (findings: &Findings) [let contention = &findings.contention;] {
        tables: Vec<Table> = list(&findings.tables.rows, |(name, sum)| Table::of(name, sum)), "Tables of the db.";
        waited_s: f64 = contention.waited_s, "Waits of all commands.";
        looked_at_s: f64 = contention.looked_at_s, "Of them those that were looked at.";
        explained_s: f64 = contention.explained_s, "Of them those whose cause is known.";
        chains: Vec<Chain> = list(&contention.chains, Chain::of), "Commands for which others waited longest.";
        holds: Vec<Hold> = list(&contention.holds, Hold::of), "The longest holds, whether others waited or not.";
        unexplained: Vec<Unexplained> = list(&contention.unexplained, Unexplained::of), "Waits whose holder is not in the log.";
        blamed: Vec<Blamed> = list(contention.blamed.iter().take(50), Blamed::of), "Kinds of commands for which others waited.";
    }

    /// A long hold of one user's function on one lock.
    Hold of (hold: &analysis::Hold) {
        command: Command = Command::of(&hold.party), "The longest.";
        lock: String = hold.table.clone(), "The table or lock file.";
        exclusive: bool = hold.is_exclusive, "Whether nobody else could have it.";
        held_s: f64 = hold.held_s, "How long.";
        count: u64 = hold.count, "How many there are.";
        every_s: Option<f64> = hold.every_s, "From one to the next; null where there are fewer than three.";
    }

    /// Waits whose holder is not in the log.
    Unexplained of (wait: &analysis::Unexplained) {
        lock: String = wait.table.clone(), "The table or lock file.";
        commands: u64 = wait.commands, "How many waited.";
        waited_s: f64 = wait.waited_s, "How long in all.";
        from: Option<String> = at(wait.span.0), "When the first of them began.";
        to: Option<String> = at(wait.span.1), "When the last of them ended.";
    }

    /// A kind of command for which others waited.
    Blamed of (b: &analysis::Blamed) {
        user: String = b.user.clone(), "Its user.";
        program: String = b.program.clone(), "The program that sent it.";
        function: String = b.function.clone(), "What it does.";
        lock: String = b.table.clone(), "The table.";
        commands: u64 = b.commands, "How many of them.";
        others_waited_s: f64 = b.others_s(), "How long others waited for them.";
        own_waited_s: f64 = b.own_s, "And how long other commands of the same user.";
    }

    /// Parts that add up to a lapse.
    #[expect(clippy::struct_field_names, reason = "all are times")]
    LapseParts of (parts: &Parts) [
        let [paused_s, lock_wait_s, processor_s, sending_s, client_s, trigger_s, rest_s] = parts.named().map(|(_, _, seconds)| seconds);
    ] {
        paused_s: f64 = paused_s, "Paused by the server.";
        lock_wait_s: f64 = lock_wait_s, "Waiting for locks.";
        processor_s: f64 = processor_s, "On a processor.";
        sending_s: f64 = sending_s, "Sending to the client.";
        client_s: f64 = client_s, "Waiting for the client.";
        trigger_s: f64 = trigger_s, "In triggers.";
        rest_s: f64 = rest_s, "The rest, an estimate.";
    }

    /// Lapses of commands with their parts.
    Lapses of (parts: &Parts) {
        #[serde(flatten)] parts: LapseParts = LapseParts::of(parts);
        commands: u64 = parts.commands, "How many.";
        lapse_s: f64 = parts.lapse_s, "From beginning to end.";
        compute_s: f64 = parts.compute_s, "Of them computing.";
    }

    /// Where the time went.
    Time of (findings: &Findings) {
        all: Lapses = Lapses::of(&findings.parts), "Of all commands.";
        kinds: Vec<KindTime> = list(&findings.parts_by_kind, |(id, _, parts)| KindTime::of(id, parts)), "By kind of command.";
    }

    /// Where the time of a kind of command went.
    KindTime of (id: &str, parts: &Parts) {
        kind: String = id.to_owned(), "The kind.";
        #[serde(flatten)] lapses: Lapses = Lapses::of(parts);
    }

    /// What was done.
    Activity of (findings: &Findings) [let (people, automation) = (&findings.people, &findings.automation);] {
        called: u64 = findings.called, "Commands that clients sent.";
        kinds: Vec<Kind> = list(&findings.kinds, Kind::of), "By kind of command.";
        functions: Ranking = Ranking::of(&findings.functions), "By command.";
        users: Ranking = Ranking::of(&findings.users), "By user.";
        clients: Ranking = Ranking::of(&findings.clients), "By workspace.";
        programs: Ranking = Ranking::of(&findings.programs), "By program.";
        addresses: Ranking = Ranking::of(&findings.addresses), "By address.";
        patterns: Ranking = Ranking::of(&findings.patterns), "By command with its options.";
        hour_s: i64 = findings.hour_s, "Length of what stands in `hours[]`.";
        hours: Vec<Hour> = list(&findings.hours, Hour::of), "Over time.";
        days: Vec<Day> = list(&findings.days, Day::of), "By day.";
        busiest: Option<BusiestTime> = findings.busiest.map(BusiestTime::of), "When most commands ran at once; null where none did.";
        people: u64 = people.people, "Users that are people by their names and programs.";
        distinct_users: u64 = people.users, "Users, 200,000 at most.";
        commands_of_further_users: u64 = people.beyond, "Commands of users beyond these.";
        people_at_peak: u64 = people.at_peak.0, "People in the hour in which most were active.";
        peak_hour: Option<String> = at(people.at_peak.1), "When it began, or null.";
        automation_fraction: Automation = Automation::of(automation), "Share of the commands that programs sent.";
        polling_fraction: f64 = automation.polling, "Share of the commands that are repeated.";
    }

    /// A share with its range.
    Automation of (automation: &analysis::Automation) {
        value: f64 = automation.fraction, "The estimate.";
        low: f64 = automation.low, "The least.";
        high: f64 = automation.high, "The most.";
    }

    /// A kind of command.
    Kind of (row: &analysis::KindRow) {
        kind: String = row.id.to_owned(), "The kind.";
        #[serde(flatten)] cost: Cost = Cost::of(&row.tally);
        each_lapse: Option<Times> = row.lapse_s.as_ref().map(Times::of), "The lapse of one; null where none ended.";
    }

    /// A piece of the time.
    Hour of (hour: &analysis::TimeBin) {
        from: Option<String> = at(hour.at), "When it began.";
        commands: u64 = hour.starts, "Commands that began in it.";
        at_once: f64 = hour.at_once, "Commands at a time, on average.";
    }

    /// A day.
    Day of (day: &analysis::Day) {
        from: Option<String> = at(day.at), "When it began.";
        commands: u64 = day.commands(), "Commands.";
        busiest_hour_commands: u64 = day.busiest(), "Commands of its busiest hour.";
        submits: u64 = day.submits, "Submits.";
        syncs: u64 = day.syncs, "Syncs.";
    }

    /// When most commands ran at once.
    BusiestTime of ((slot, width_s): (analysis::TimeBin, i64)) {
        from: Option<String> = at(slot.at), "When it began.";
        lasts_s: i64 = width_s, "How long it lasted.";
        at_once: f64 = slot.at_once, "Commands at a time, on average.";
    }

    /// A command that a program repeats.
    Poller of (p: &analysis::Poller) {
        #[serde(flatten)] cost: Cost = Cost::of(&p.tally);
        user: String = p.user.clone(), "Its user.";
        program: String = p.program.clone(), "The program.";
        function: String = p.function.clone(), "What it does.";
        pattern: String = p.pattern.clone(), "The command with its options.";
        addresses: u64 = p.addresses, "From how many addresses.";
        interval_s: f64 = p.interval_s, "How far apart.";
        calls_per_day: f64 = p.calls_per_day(), "In 24 hours at that interval.";
        lapse_per_day_s: f64 = p.per_day(p.tally.lapse_s), "Its lapses of these.";
        processor_per_day_s: f64 = p.per_day(p.tally.processor_s), "Its processor time of these.";
    }

    /// A slow command.
    Slow of (slow: &analysis::Slow) {
        user: String = slow.user.clone(), "Its user.";
        client: String = slow.client.clone(), "Its workspace.";
        program: String = slow.program.clone(), "The program that sent it.";
        function: String = slow.function.clone(), "What it does.";
        arguments: String = slow.arguments.clone(), "Its arguments.";
        start: Option<String> = at(slow.start), "When it began.";
        lapse_s: f64 = slow.lapse_s, "From beginning to end.";
        time: Option<LapseParts> = slow.parts.as_ref().map(LapseParts::of), "Its parts; null without track lines.";
        place: Place = Place::of(slow.place), "Where it stands in the log.";
    }

    /// A trigger.
    Trigger of ((name, sum): &(String, analysis::TriggerSum)) {
        name: String = name.clone();
        calls: u64 = sum.calls, "Calls.";
        timed: u64 = sum.timed, "Of them with a lapse.";
        lapse_s: f64 = sum.lapse_s, "Lapses of these together.";
        mean_s: Option<f64> = sum.mean_s(), "Their mean; null without a lapse.";
        longest_s: Option<f64> = sum.mean_s().map(|_| sum.longest_s), "The longest; null without a lapse.";
    }

    /// What a limit of the server would stop.
    Limit of (limit: &analysis::Limit) {
        name: String = limit.name.to_owned(), "The limit.";
        unit: String = limit.unit.to_owned(), "Its unit.";
        how: String = limit.how.to_owned(), "How it is set.";
        seen: u64 = limit.seen, "Commands of which the log says the amount.";
        cuts: Vec<Cut> = list(&limit.cuts, Cut::of), "What some values would stop.";
        largest: Option<Largest> = limit.worst.as_ref().map(Largest::of), "The largest amount; null without one.";
        advised: Option<AdvisedLimit> = limit.advised.as_ref().map(AdvisedLimit::of), "A value between ordinary commands and a few that take far more; null where the log carries none.";
    }

    /// What a value of a limit would stop.
    Cut of (cut: &analysis::Cut) {
        value: u64 = cut.value, "The value.";
        commands: u64 = cut.commands, "Commands beyond it.";
        users: u64 = cut.users, "Users of these, 100,000 at most.";
        lapse_s: f64 = cut.lapse_s, "Lapses of these.";
    }

    /// The largest amount.
    Largest of (worst: &analysis::Worst) {
        amount: u64 = worst.amount, "The amount.";
        user: String = worst.user.clone(), "The user.";
        function: String = worst.function.clone(), "The command.";
        pattern: String = worst.pattern.clone(), "The command with its options.";
    }

    /// Memory as a cache of the db.
    Cache of (cache: &CacheUse) {
        pages_in: u64 = cache.pages_in, "Pages read.";
        pages_out: u64 = cache.pages_out, "Pages written.";
        judged_pages: u64 = cache.judged_pages, "Pages from which the share is estimated.";
        hit_fraction: Option<f64> = cache.hit_fraction, "Share of the pages found in memory, an estimate; null without one.";
        counted: u64 = cache.counted, "Commands of which the log counts disk reads.";
        without_reads: u64 = cache.without_reads, "Of them without any.";
    }

    /// Memory of processes.
    Memory of (cache: &CacheUse) {
        processes: Option<Sizes> = cache.memory_bytes.as_ref().map(Sizes::of), "Memory of a process; null where none is known.";
        largest: Option<LargestProcess> = cache.largest.as_ref().map(LargestProcess::of), "The largest process; null without one.";
    }

    /// The largest process.
    LargestProcess of (largest: &analysis::Largest) {
        resident_bytes: u64 = largest.bytes, "Its memory.";
        user: String = largest.user.clone(), "Its user.";
        function: String = largest.function.clone(), "Its command.";
        start: Option<String> = at(largest.start), "When it began.";
    }

    /// Edges, proxies, replicas.
    Servers of (findings: &Findings) [let upstream = &findings.upstream;] {
        through: Ranking = Ranking::of(&upstream.through), "By the server through which commands came.";
        brokered: u64 = upstream.brokered, "Commands through a broker.";
        replicas: Vec<Replica> = list(&upstream.replicas, Replica::of), "Replicas that fetch the journal.";
        proxy: Option<Proxy> = upstream.proxy.as_ref().map(Proxy::of), "What proxies took from where; null without one.";
    }

    /// A replica that fetches the journal.
    Replica of (r: &analysis::Replica) {
        user: String = r.user.clone(), "Its user.";
        address: String = r.address.clone(), "Its address.";
        is_own: bool = r.is_own, "Whether the log is its own.";
        fetches: u64 = r.fetches, "Fetches.";
        longest_pause_s: f64 = r.longest_gap_s.0, "The longest pause between two.";
        pause_from: Option<String> = at(r.longest_gap_s.1), "When it began.";
        longest_fetch_s: f64 = r.longest_s, "The longest fetch.";
        other_commands: u64 = r.others, "Its other commands.";
    }

    /// What proxies took from where.
    Proxy of (p: &ProxyTotals) {
        server_files: u64 = p.server_files, "Files from the server.";
        server_bytes: u64 = p.server_bytes, "Bytes of these.";
        cache_files: u64 = p.cache_files, "Files from their caches.";
        cache_bytes: u64 = p.cache_bytes, "Bytes of these.";
    }

    /// The server about itself.
    Server of (findings: &Findings) [let server = &findings.server;] {
        release: Option<String> = server.release.clone(), "Its release; null where it does not say.";
        operating_system: Option<&'static str> = server.operating_system, "Its operating system; null where it does not say.";
        active: Option<MostAt> = server.active.map(MostAt::of), "Most active commands that it reports; null where it reports none.";
        paused: Option<MostAt> = server.paused.map(MostAt::of), "Most paused commands that it reports; null where it reports none.";
        processor_pressure: u64 = server.pressure.0, "How often it reports pressure on processors.";
        memory_pressure: u64 = server.pressure.1, "How often it reports pressure on memory.";
        pause_rate_percent: Option<u8> = server.pause_rate, "The largest share of new commands that it paused then, or would have where sys.pressure.max.pause.time is 0; null where it states none.";
        starts: Vec<Option<String>> = list(&server.starts, |when| when.and_then(at)), "When it was started.";
        peeks: u64 = findings.peeks, "Reads without a lock.";
    }

    /// The most of something, and when.
    MostAt of ((count, when): (u64, Option<record::Moment>)) {
        count: u64 = count, "How many.";
        at: Option<String> = when.and_then(at), "When.";
    }

    /// Commands that were not served, of one cause.
    Unserved of (one: &analysis::Unserved) {
        id: String = one.cause.id.clone(), "The cause.";
        outcome: &'static str = one.cause.outcome.name(), "What became of them: `killed`, `refused`, `login failed`, `removed`, `failed`.";
        title: String = one.cause.title.clone(), "The cause for people.";
        commands: u64 = one.commands, "How many.";
        first: Option<String> = one.span.and_then(|(first, _)| at(first)), "When the first ended; null where the log does not say.";
        last: Option<String> = one.span.and_then(|(_, last)| at(last)), "When the last ended.";
        functions: Ranking = Ranking::of(&one.functions), "By function.";
        users: Ranking = Ranking::of(&one.users), "By user; none of commands whose start is not in the log.";
        programs: Ranking = Ranking::of(&one.programs), "By program.";
    }

    /// An answer that a log decides.
    AnswerMeasured of (answer: &Measured) {
        field: String = answer.field.to_owned(), "Its field.";
        value: String = answer.value.clone(), "As typed into a site file.";
        low: String = answer.range.0.clone(), "Lower end of its range.";
        high: String = answer.range.1.clone(), "Upper end of its range.";
        at_least: bool = answer.is_least, "Whether it is the most that the log shows: it lowers no answer.";
        how: String = answer.how.clone(), "How it was found.";
        from: String = answer.from.clone(), "Which log, journal or checkpoint.";
    }

    /// Answers that were written into a site file.
    SiteWritten of (path: &str, rows: &[crate::workload::log_answers::Row]) {
        written: String = path.to_owned(), "The file.";
        answers: Vec<AnswerWritten> = list(rows, AnswerWritten::of), "Each answer.";
    }

    /// What became of an answer in a site file.
    AnswerWritten of (row: &crate::workload::log_answers::Row) [let range = row.range.as_ref();] {
        field: String = row.field.to_owned(), "Its field.";
        unit: Option<&'static str> = crate::site::field(row.field).map(|f| f.unit), "How it is typed.";
        old: Option<String> = row.old.clone(), "What stood there, or null.";
        new: String = row.new.clone(), "What the log says.";
        low: Option<String> = range.map(|[low, _]| low.clone()), "Lower end of its range, or null.";
        high: Option<String> = range.map(|[_, high]| high.clone()), "Upper end of its range, or null.";
        from: String = row.from.clone(), "Which log, journal or checkpoint.";
        became: &'static str = row.became.word(), "written, renewed, replaced, same, kept or refused.";
        why: Option<String> = (!row.why.is_empty()).then(|| row.why.clone()), "Why, or null.";
    }
}

fn server_level(level: ServerLevel) -> Level {
    match level {
        ServerLevel::Unknown => Level::of(None, 0),
        ServerLevel::Starts => Level::of(Some(1), 1),
        ServerLevel::CompletionsAtLeast => Level::of(None, 2),
        ServerLevel::Completions => Level::of(Some(2), 2),
        ServerLevel::Computes => Level::of(Some(3), 3),
    }
}

fn track_level(level: TrackLevel) -> TrackLines {
    match level {
        TrackLevel::Unknown => TrackLines::of("unknown", None, None),
        TrackLevel::Off => TrackLines::of("off", None, Some(0.0)),
        TrackLevel::Every => TrackLines::of("every", None, Some(1.0)),
        TrackLevel::Slow { from_s, fraction } => TrackLines::of("censored", Some(from_s), Some(fraction)),
        TrackLevel::Some { fraction } => TrackLines::of("some", None, Some(fraction)),
    }
}
