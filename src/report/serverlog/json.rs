//! What a server log says as JSON; `docs/json.md` lists the keys.

use serde_json::{Value, json};

use super::words::flaws;
use super::{checkpoint, journal, points};
use crate::report::header_of;
use crate::report::json::{joined, list};
use crate::serverlog::analysis::{
    Chain, Findings, LARGE_BYTES, Limit, Parts, Party, Ranked, Spread, TableSum, Tally, Transfer,
    Transfers,
};
use crate::serverlog::answers::{Measured, undecided};
use crate::serverlog::quality::{Quality, ServerLevel, TrackLevel};
use crate::serverlog::record::{Moment, Place};

/// A moment as text; null where the log states none.
pub(super) fn at(moment: Moment) -> Value {
    moment.known().map(|at| at.to_string()).into()
}

fn place(place: Place) -> Value {
    json!({ "file": place.file, "line": place.line, "offset_bytes": place.offset })
}

/// A distribution with the unit behind each key; null where there is none.
pub(super) fn spread(found: Option<&Spread>, unit: &str) -> Value {
    let key = |name: &str| format!("{name}{unit}");
    let spread = found.map(|s| {
        json!({
            "count": s.count, (key("mean")): s.mean, (key("p50")): s.p50, (key("p95")): s.p95, (key("max")): s.max,
        })
    });
    spread.into()
}

fn tally(t: &Tally) -> Value {
    json!({
        "commands": t.commands, "failed": t.failed, "lapse_s": t.lapse_s, "processor_s": t.processor_s,
        "lock_wait_s": t.lock_wait_s, "write_held_s": t.write_held_s, "pages_in": t.pages_in,
        "rows_scanned": t.rows_scanned, "sent_bytes": t.sent_bytes,
    })
}

fn ranked(ranked: &Ranked<Tally>) -> Value {
    json!({
        "rows": list(&ranked.rows, |(name, t)| joined(tally(t), json!({ "name": name }))),
        "others": ranked.others.as_ref().map(tally), "others_names": ranked.merged, "lost_at_most_s": ranked.lost,
    })
}

fn party(party: &Party) -> Value {
    json!({
        "user": party.user, "client": party.client, "program": party.program, "function": party.function,
        "arguments": party.arguments, "pid": party.pid, "start": at(party.start), "lapse_s": party.lapse_s,
        "place": place(party.place),
    })
}

fn transfer(t: &Transfer) -> Value {
    json!({
        "user": t.user, "client": t.client, "address": t.address, "start": at(t.start), "lapse_s": t.lapse_s,
        "files": t.files, "moved_bytes": t.bytes, "parallel": t.threads, "rate_bytes_per_s": t.rate(),
        "place": place(t.place),
    })
}

fn transfers(t: &Transfers) -> Value {
    json!({
        "count": t.count, "counted": t.counted, "files": t.files, "moved_bytes": t.bytes,
        "large_from_bytes": LARGE_BYTES, "large": t.large, "large_at_once": t.large_at_once,
        "each_files": spread(t.each_files.as_ref(), "_files"),
        "each_bytes": spread(t.each_bytes.as_ref(), "_bytes"),
        "rate": spread(t.rate_bytes_per_s.as_ref(), "_bytes_per_s"),
        "largest": list(&t.largest, transfer),
    })
}

fn submits(findings: &Findings) -> Value {
    let submits = &findings.submits;
    let more = json!({
        "without_commit": submits.without_commit, "largest_files": submits.largest_files,
        "visible": spread(submits.visible_s.as_ref(), "_s"), "hold": spread(submits.hold_s.as_ref(), "_s"),
        "phases": list(&submits.phases, |(name, mean)| json!({ "function": name, "mean_s": mean })),
    });
    joined(transfers(&submits.moved), more)
}

fn server_level(level: ServerLevel) -> Value {
    match level {
        ServerLevel::Unknown => json!({ "level": null, "at_least": 0 }),
        ServerLevel::Starts => json!({ "level": 1, "at_least": 1 }),
        ServerLevel::CompletionsAtLeast => json!({ "level": null, "at_least": 2 }),
        ServerLevel::Completions => json!({ "level": 2, "at_least": 2 }),
        ServerLevel::Computes => json!({ "level": 3, "at_least": 3 }),
    }
}

fn track_level(level: TrackLevel) -> Value {
    match level {
        TrackLevel::Unknown => json!({ "is": "unknown" }),
        TrackLevel::Off => json!({ "is": "off", "tracked_fraction": 0 }),
        TrackLevel::Every => json!({ "is": "every", "tracked_fraction": 1 }),
        TrackLevel::Slow { from_s, fraction } => {
            json!({ "is": "censored", "from_s": from_s, "tracked_fraction": fraction })
        }
        TrackLevel::Some { fraction } => json!({ "is": "some", "tracked_fraction": fraction }),
    }
}

fn quality(q: &Quality) -> Value {
    let (u, ends) = (&q.log.understood, &q.endings);
    json!({
        "files": list(&q.log.files, |file| json!({
            "name": file.name, "size_bytes": file.bytes, "kind": file.kind, "packed": file.packed, "broken": file.broken,
        })),
        "from": q.span.map(|(from, _)| at(from)), "to": q.span.map(|(_, to)| at(to)), "span_s": q.span_s(),
        "text_bytes": u.bytes, "lines": u.lines, "understood_lines": u.understood, "noise_lines": u.noise,
        "unknown_lines": u.unknown, "understood_fraction": q.understood(),
        "server": server_level(q.server), "track": track_level(q.track), "records": q.records,
        "endings": {
            "completed": ends.completed, "tracked": ends.tracked, "unreported": ends.unreported,
            "removed": ends.removed, "restart": ends.restart, "replaced": ends.replaced, "pending": ends.pending,
        },
        "failed": q.failed, "backwards": q.backwards,
        "gaps": list(&q.gaps, |(from, seconds)| json!({ "from": at(*from), "lasts_s": seconds })),
        "damages": q.damages.0, "damaged_bytes": q.damaged_bytes,
        "first_damages": list(&q.damages.1, |damage| json!({
            "place": place(damage.place), "length_bytes": damage.bytes, "found": damage.found,
        })),
        "notes": q.log.notes, "flaws": flaws(q), "cannot": q.cannot(), "mend": q.mending(),
    })
}

fn table(name: &str, t: &TableSum) -> Value {
    let both = |(total, longest): (f64, f64)| json!({ "total_s": total, "longest_s": longest });
    json!({
        "name": name, "commands": t.commands, "read_locks": t.read_locks, "write_locks": t.write_locks,
        "read_wait": both(t.read_wait_s), "write_wait": both(t.write_wait_s),
        "read_held": both(t.read_held_s), "write_held": both(t.write_held_s),
        "peeks": t.peeks, "peek_wait_s": t.peek_s.0, "peek_held_s": t.peek_s.1,
        "pages_in": t.pages.0, "pages_out": t.pages.1, "pages_cached": t.pages.2,
        "rows_scanned": t.rows_scanned, "rows_written": t.rows_written,
    })
}

fn chain(chain: &Chain) -> Value {
    json!({
        "root": party(&chain.root), "lock": chain.table, "held_s": chain.held_s, "waited_s": chain.waited_s,
        "commands": chain.commands, "users": chain.users,
        "between": list(&chain.between, |b| json!({
            "command": party(&b.party), "lock": b.table, "waited_s": b.waited_s, "queued": b.is_queued,
        })),
        "victims": list(&chain.victims, |victim| json!({
            "command": party(&victim.party), "lock": victim.table, "waited_s": victim.waited_s,
            "through": victim.through,
        })),
    })
}

fn locks(findings: &Findings) -> Value {
    let contention = &findings.contention;
    json!({
        "tables": list(&findings.tables.rows, |(name, sum)| table(name, sum)),
        "waited_s": contention.waited_s, "looked_at_s": contention.looked_at_s, "explained_s": contention.explained_s,
        "chains": list(&contention.chains, chain),
        "blamed": list(contention.blamed.iter().take(50), |b| json!({
            "user": b.user, "program": b.program, "function": b.function, "lock": b.table,
            "commands": b.commands, "others_waited_s": b.waited_s,
        })),
    })
}

/// Seconds of each part of a lapse.
fn parts(parts: &Parts) -> Value {
    let named = parts.named().into_iter();
    named
        .map(|(id, _, seconds)| (format!("{id}_s"), seconds))
        .collect()
}

fn time(findings: &Findings) -> Value {
    let all = |p: &Parts| {
        let sums =
            json!({ "commands": p.commands, "lapse_s": p.lapse_s, "compute_s": p.compute_s });
        joined(parts(p), sums)
    };
    json!({
        "all": all(&findings.parts),
        "kinds": list(&findings.parts_by_kind, |(id, _, p)| joined(all(p), json!({ "kind": id }))),
    })
}

fn activity(findings: &Findings) -> Value {
    let (people, automation) = (&findings.people, &findings.automation);
    json!({
        "called": findings.called,
        "kinds": list(&findings.kinds, |row| {
            let more = json!({ "kind": row.id, "each_lapse": spread(row.lapse_s.as_ref(), "_s") });
            joined(tally(&row.tally), more)
        }),
        "functions": ranked(&findings.functions), "users": ranked(&findings.users),
        "clients": ranked(&findings.clients), "programs": ranked(&findings.programs),
        "addresses": ranked(&findings.addresses), "patterns": ranked(&findings.patterns),
        "hour_s": findings.hour_s,
        "hours": list(&findings.hours, |hour| json!({
            "from": at(hour.at), "commands": hour.starts, "at_once": hour.at_once,
        })),
        "days": list(&findings.days, |day| json!({
            "from": at(day.at), "commands": day.commands(), "busiest_hour_commands": day.busiest(),
            "submits": day.submits, "syncs": day.syncs,
        })),
        "busiest": findings.busiest.map(|(slot, width_s)| json!({
            "from": at(slot.at), "lasts_s": width_s, "at_once": slot.at_once,
        })),
        "people": people.people, "distinct_users": people.users, "commands_of_further_users": people.beyond,
        "people_at_peak": people.at_peak.0, "peak_hour": at(people.at_peak.1),
        "automation_fraction": { "value": automation.fraction, "low": automation.low, "high": automation.high },
        "polling_fraction": automation.polling,
    })
}

fn pollers(findings: &Findings) -> Value {
    list(&findings.pollers, |p| {
        let more = json!({
            "user": p.user, "program": p.program, "function": p.function, "pattern": p.pattern,
            "addresses": p.addresses, "interval_s": p.interval_s, "calls_per_day": p.calls_per_day(),
            "lapse_per_day_s": p.per_day(p.tally.lapse_s), "processor_per_day_s": p.per_day(p.tally.processor_s),
        });
        joined(tally(&p.tally), more)
    })
}

fn slowest(findings: &Findings) -> Value {
    list(&findings.slowest, |slow| {
        json!({
            "user": slow.user, "client": slow.client, "program": slow.program, "function": slow.function,
            "arguments": slow.arguments, "start": at(slow.start), "lapse_s": slow.lapse_s,
            "time": slow.parts.as_ref().map(parts), "place": place(slow.place),
        })
    })
}

fn triggers(findings: &Findings) -> Value {
    list(&findings.triggers.rows, |(name, sum)| {
        json!({
            "name": name, "calls": sum.calls, "timed": sum.timed, "lapse_s": sum.lapse_s,
            "mean_s": sum.mean_s(), "longest_s": sum.mean_s().map(|_| sum.longest_s),
        })
    })
}

fn limit(limit: &Limit) -> Value {
    json!({
        "name": limit.name, "unit": limit.unit, "how": limit.how, "seen": limit.seen,
        "cuts": list(&limit.cuts, |cut| json!({
            "value": cut.value, "commands": cut.commands, "users": cut.users, "lapse_s": cut.lapse_s,
        })),
        "largest": limit.worst.as_ref().map(|worst| json!({
            "amount": worst.amount, "user": worst.user, "function": worst.function, "pattern": worst.pattern,
        })),
    })
}

fn cache(findings: &Findings) -> Value {
    let cache = &findings.cache;
    json!({
        "pages_in": cache.pages_in, "pages_out": cache.pages_out, "judged_pages": cache.judged_pages,
        "hit_fraction": cache.hit_fraction, "counted": cache.counted, "without_reads": cache.without_reads,
    })
}

fn memory(findings: &Findings) -> Value {
    json!({
        "processes": spread(findings.cache.memory_bytes.as_ref(), "_bytes"),
        "largest": findings.cache.largest.as_ref().map(|largest| json!({
            "resident_bytes": largest.bytes, "user": largest.user, "function": largest.function,
            "start": at(largest.start),
        })),
    })
}

/// Edges, proxies, replicas.
fn servers(findings: &Findings) -> Value {
    let upstream = &findings.upstream;
    json!({
        "through": ranked(&upstream.through), "brokered": upstream.brokered,
        "replicas": list(&upstream.replicas, |r| json!({
            "user": r.user, "address": r.address, "is_own": r.is_own, "fetches": r.fetches,
            "longest_pause_s": r.longest_gap_s.0, "pause_from": at(r.longest_gap_s.1),
            "longest_fetch_s": r.longest_s, "other_commands": r.others,
        })),
        "proxy": upstream.proxy.map(|p| json!({
            "server_files": p.server_files, "server_bytes": p.server_bytes,
            "cache_files": p.cache_files, "cache_bytes": p.cache_bytes,
        })),
    })
}

/// The server about itself.
fn server(findings: &Findings) -> Value {
    let server = &findings.server;
    let most = |found: Option<(u64, Option<Moment>)>| {
        found.map(|(count, when)| json!({ "count": count, "at": when.map(at) }))
    };
    json!({
        "release": server.release, "operating_system": server.operating_system,
        "active": most(server.active), "paused": most(server.paused),
        "processor_pressure": server.pressure.0, "memory_pressure": server.pressure.1,
        "starts": list(&server.starts, |when| when.map(at).into()),
        "errors": list(&server.errors, |(name, count)| json!({ "operation": name, "count": count })),
        "peeks": findings.peeks,
    })
}

fn answer(answer: &Measured) -> Value {
    json!({
        "field": answer.field, "value": answer.value, "low": answer.range.0, "high": answer.range.1,
        "at_least": answer.is_least, "how": answer.how, "from": answer.from,
    })
}

/// The whole answer.
pub fn workload_json(findings: &Findings, answers: &[Measured], anonymised: bool) -> Value {
    let logs = findings.quality.log.files.iter();
    let logs: Vec<&str> = logs.map(|file| file.name.as_str()).collect();
    let told = json!({
        "anonymised": anonymised,
        "quality": quality(&findings.quality),
        "talk": points::talk(findings),
        "change": points::change(findings),
        "activity": activity(findings),
        "time": time(findings),
        "locks": locks(findings),
        "pollers": pollers(findings),
        "slowest": slowest(findings),
        "triggers": triggers(findings),
        "limits": list(&findings.limits, limit),
        "syncs": transfers(&findings.syncs),
        "submits": submits(findings),
        "cache": cache(findings),
        "memory": memory(findings),
        "servers": servers(findings),
        "server": server(findings),
        "journal": findings.journal.as_ref().map(journal::json),
        "checkpoint": findings.checkpoint.as_ref().map(checkpoint::json),
        "answers": list(answers, answer),
        "undecided": undecided(findings),
    });
    joined(header_of(json!({ "logs": logs })), told)
}
