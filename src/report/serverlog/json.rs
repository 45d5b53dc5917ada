//! What a server log says as JSON; `docs/json.md` lists the keys.

use serde_json::{Map, Value, json};

use super::words::flaws;
use super::{checkpoint, journal, points};
use crate::report::SCHEMA;
use crate::serverlog::analysis::{
    Findings, LARGE_BYTES, Party, Ranked, Spread, Tally, Transfer, Transfers,
};
use crate::serverlog::answers::{Measured, undecided};
use crate::serverlog::quality::{ServerLevel, TrackLevel};
use crate::serverlog::record::{Moment, Place};

/// A moment as text; null where the log states none.
pub(super) fn at(moment: Moment) -> Value {
    moment.known().map(|at| at.to_string()).into()
}

fn place(place: Place) -> Value {
    json!({ "file": place.file, "line": place.line, "offset_bytes": place.offset })
}

pub(super) fn spread(found: Option<&Spread>, unit: &str) -> Value {
    let Some(found) = found else {
        return Value::Null;
    };
    let mut map = Map::new();
    map.insert("count".to_owned(), found.count.into());
    for (key, value) in [
        ("mean", found.mean),
        ("p50", found.p50),
        ("p95", found.p95),
        ("max", found.max),
    ] {
        map.insert(format!("{key}{unit}"), value.into());
    }
    map.into()
}

fn tally(t: &Tally) -> Map<String, Value> {
    let value = json!({
        "commands": t.commands, "failed": t.failed, "lapse_s": t.lapse_s, "processor_s": t.processor_s,
        "lock_wait_s": t.lock_wait_s, "write_held_s": t.write_held_s, "pages_in": t.pages_in,
        "rows_scanned": t.rows_scanned, "sent_bytes": t.sent_bytes,
    });
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn ranked(ranked: &Ranked<Tally>) -> Value {
    let rows = ranked.rows.iter().map(|(name, t)| {
        let mut map = tally(t);
        map.insert("name".to_owned(), name.as_str().into());
        Value::from(map)
    });
    json!({
        "rows": rows.collect::<Vec<_>>(),
        "others": ranked.others.as_ref().map(tally),
        "others_names": ranked.merged,
        "lost_at_most_s": ranked.lost,
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
        "largest": t.largest.iter().map(transfer).collect::<Vec<_>>(),
    })
}

fn quality(findings: &Findings) -> Value {
    let q = &findings.quality;
    let server = match q.server {
        ServerLevel::Unknown => json!({ "level": null, "at_least": 0 }),
        ServerLevel::Starts => json!({ "level": 1, "at_least": 1 }),
        ServerLevel::CompletionsAtLeast => json!({ "level": null, "at_least": 2 }),
        ServerLevel::Completions => json!({ "level": 2, "at_least": 2 }),
        ServerLevel::Computes => json!({ "level": 3, "at_least": 3 }),
    };
    let track = match q.track {
        TrackLevel::Unknown => json!({ "is": "unknown" }),
        TrackLevel::Off => json!({ "is": "off", "tracked_fraction": 0 }),
        TrackLevel::Every => json!({ "is": "every", "tracked_fraction": 1 }),
        TrackLevel::Slow { from_s, fraction } => {
            json!({ "is": "censored", "from_s": from_s, "tracked_fraction": fraction })
        }
        TrackLevel::Some { fraction } => {
            json!({ "is": "some", "tracked_fraction": fraction })
        }
    };
    let files = q.log.files.iter().map(|file| {
        json!({ "name": file.name, "size_bytes": file.bytes, "kind": file.kind, "packed": file.packed, "broken": file.broken })
    });
    let gaps = q
        .gaps
        .iter()
        .map(|(from, seconds)| json!({ "from": at(*from), "lasts_s": seconds }));
    let damages = q.damages.1.iter().map(|damage| {
        json!({ "place": place(damage.place), "length_bytes": damage.bytes, "found": damage.found })
    });
    let u = &q.log.understood;
    json!({
        "files": files.collect::<Vec<_>>(),
        "from": q.span.map(|(from, _)| at(from)), "to": q.span.map(|(_, to)| at(to)), "span_s": q.span_s(),
        "text_bytes": u.bytes, "lines": u.lines, "understood_lines": u.understood, "noise_lines": u.noise,
        "unknown_lines": u.unknown, "understood_fraction": q.understood(),
        "server": server, "track": track, "records": q.records,
        "endings": {
            "completed": q.endings.completed, "tracked": q.endings.tracked, "unreported": q.endings.unreported,
            "removed": q.endings.removed, "restart": q.endings.restart, "replaced": q.endings.replaced,
            "pending": q.endings.pending,
        },
        "failed": q.failed, "backwards": q.backwards, "gaps": gaps.collect::<Vec<_>>(),
        "damages": q.damages.0, "damaged_bytes": q.damaged_bytes, "first_damages": damages.collect::<Vec<_>>(),
        "notes": q.log.notes, "flaws": flaws(q), "cannot": q.cannot(), "mend": q.mending(),
    })
}

fn locks(findings: &Findings) -> Value {
    let tables = findings.tables.rows.iter().map(|(name, t)| {
        let both = |(total, longest): (f64, f64)| json!({ "total_s": total, "longest_s": longest });
        json!({
            "name": name, "commands": t.commands, "read_locks": t.read_locks, "write_locks": t.write_locks,
            "read_wait": both(t.read_wait_s), "write_wait": both(t.write_wait_s),
            "read_held": both(t.read_held_s), "write_held": both(t.write_held_s),
            "peeks": t.peeks, "peek_wait_s": t.peek_s.0, "peek_held_s": t.peek_s.1,
            "pages_in": t.pages.0, "pages_out": t.pages.1, "pages_cached": t.pages.2,
            "rows_scanned": t.rows_scanned, "rows_written": t.rows_written,
        })
    });
    let chains = findings.contention.chains.iter().map(|chain| {
        let between = chain.between.iter().map(|b| {
            json!({ "command": party(&b.party), "lock": b.table, "waited_s": b.waited_s, "queued": b.is_queued })
        });
        let victims = chain.victims.iter().map(|victim| {
            json!({
                "command": party(&victim.party), "lock": victim.table, "waited_s": victim.waited_s,
                "through": victim.through,
            })
        });
        json!({
            "root": party(&chain.root), "lock": chain.table, "held_s": chain.held_s, "waited_s": chain.waited_s,
            "commands": chain.commands, "users": chain.users,
            "between": between.collect::<Vec<_>>(), "victims": victims.collect::<Vec<_>>(),
        })
    });
    let blamed = findings.contention.blamed.iter().take(50).map(|b| {
        json!({
            "user": b.user, "program": b.program, "function": b.function, "lock": b.table,
            "commands": b.commands, "others_waited_s": b.waited_s,
        })
    });
    json!({
        "tables": tables.collect::<Vec<_>>(),
        "waited_s": findings.contention.waited_s,
        "looked_at_s": findings.contention.looked_at_s,
        "explained_s": findings.contention.explained_s,
        "chains": chains.collect::<Vec<_>>(),
        "blamed": blamed.collect::<Vec<_>>(),
    })
}

fn time(findings: &Findings) -> Value {
    let parts = |p: &crate::serverlog::analysis::Parts| {
        let mut map = Map::new();
        map.insert("commands".to_owned(), p.commands.into());
        map.insert("lapse_s".to_owned(), p.lapse_s.into());
        map.insert("compute_s".to_owned(), p.compute_s.into());
        for (id, _, seconds) in p.named() {
            map.insert(format!("{id}_s"), seconds.into());
        }
        Value::from(map)
    };
    let kinds = findings.parts_by_kind.iter().map(|(id, _, p)| {
        let mut value = parts(p);
        value["kind"] = (*id).into();
        value
    });
    json!({ "all": parts(&findings.parts), "kinds": kinds.collect::<Vec<_>>() })
}

fn activity(findings: &Findings) -> Value {
    let kinds = findings.kinds.iter().map(|row| {
        let mut map = tally(&row.tally);
        map.insert("kind".to_owned(), row.id.into());
        map.insert("each_lapse".to_owned(), spread(row.lapse_s.as_ref(), "_s"));
        Value::from(map)
    });
    let hours = findings.hours.iter().map(
        |hour| json!({ "from": at(hour.at), "commands": hour.starts, "at_once": hour.at_once }),
    );
    let days = findings.days.iter().map(|day| {
        json!({
            "from": at(day.at), "commands": day.commands(), "busiest_hour_commands": day.busiest(),
            "submits": day.submits, "syncs": day.syncs,
        })
    });
    let people = &findings.people;
    let automation = &findings.automation;
    json!({
        "called": findings.called, "kinds": kinds.collect::<Vec<_>>(),
        "functions": ranked(&findings.functions), "users": ranked(&findings.users),
        "clients": ranked(&findings.clients), "programs": ranked(&findings.programs),
        "addresses": ranked(&findings.addresses), "patterns": ranked(&findings.patterns),
        "hour_s": findings.hour_s, "hours": hours.collect::<Vec<_>>(), "days": days.collect::<Vec<_>>(),
        "busiest": findings.busiest.map(|(slot, width_s)| json!({
            "from": at(slot.at), "lasts_s": width_s, "at_once": slot.at_once,
        })),
        "people": people.people, "distinct_users": people.users, "commands_of_further_users": people.beyond,
        "people_at_peak": people.at_peak.0, "peak_hour": at(people.at_peak.1),
        "automation_fraction": {
            "value": automation.fraction, "low": automation.low, "high": automation.high,
        },
        "polling_fraction": automation.polling,
    })
}

fn pollers(findings: &Findings) -> Value {
    let pollers = findings.pollers.iter().map(|p| {
        let mut map = tally(&p.tally);
        for (key, value) in [
            ("user", Value::from(p.user.as_str())),
            ("program", p.program.as_str().into()),
            ("function", p.function.as_str().into()),
            ("pattern", p.pattern.as_str().into()),
            ("addresses", p.addresses.into()),
            ("interval_s", p.interval_s.into()),
            ("calls_per_day", p.calls_per_day().into()),
            ("lapse_per_day_s", p.per_day(p.tally.lapse_s).into()),
            ("processor_per_day_s", p.per_day(p.tally.processor_s).into()),
        ] {
            map.insert(key.to_owned(), value);
        }
        Value::from(map)
    });
    pollers.collect()
}

#[expect(clippy::too_many_lines, reason = "a list of keys")]
fn rest(findings: &Findings) -> [(&'static str, Value); 9] {
    let slowest = findings.slowest.iter().map(|slow| {
        let parts = slow.parts.map(|parts| {
            let named = parts.named().into_iter();
            let named = named.map(|(id, _, s)| (format!("{id}_s"), Value::from(s)));
            Value::from(named.collect::<Map<String, Value>>())
        });
        json!({
            "user": slow.user, "client": slow.client, "program": slow.program, "function": slow.function,
            "arguments": slow.arguments, "start": at(slow.start), "lapse_s": slow.lapse_s, "time": parts,
            "place": place(slow.place),
        })
    });
    let limits = findings.limits.iter().map(|limit| {
        let cuts = limit.cuts.iter().map(|cut| {
            json!({ "value": cut.value, "commands": cut.commands, "users": cut.users, "lapse_s": cut.lapse_s })
        });
        json!({
            "name": limit.name, "unit": limit.unit, "how": limit.how, "seen": limit.seen,
            "cuts": cuts.collect::<Vec<_>>(),
            "largest": limit.worst.as_ref().map(|worst| json!({
                "amount": worst.amount, "user": worst.user, "function": worst.function, "pattern": worst.pattern,
            })),
        })
    });
    let submits = &findings.submits;
    let mut submitted = transfers(&submits.moved);
    submitted["without_commit"] = submits.without_commit.into();
    submitted["visible"] = spread(submits.visible_s.as_ref(), "_s");
    submitted["hold"] = spread(submits.hold_s.as_ref(), "_s");
    submitted["largest_files"] = submits.largest_files.into();
    let phases = submits.phases.iter();
    submitted["phases"] = phases
        .map(|(name, mean)| json!({ "function": name, "mean_s": mean }))
        .collect();
    let cache = &findings.cache;
    let upstream = &findings.upstream;
    let replicas = upstream.replicas.iter().map(|r| {
        json!({
            "user": r.user, "address": r.address, "is_own": r.is_own, "fetches": r.fetches,
            "longest_pause_s": r.longest_gap_s.0, "pause_from": at(r.longest_gap_s.1),
            "longest_fetch_s": r.longest_s, "other_commands": r.others,
        })
    });
    let triggers = findings.triggers.rows.iter().map(|(name, sum)| {
        json!({
            "name": name, "calls": sum.calls, "timed": sum.timed, "lapse_s": sum.lapse_s,
            "mean_s": sum.mean_s(), "longest_s": sum.mean_s().map(|_| sum.longest_s),
        })
    });
    let server = &findings.server;
    let most = |found: Option<(u64, Option<Moment>)>| {
        found.map(|(count, when)| json!({ "count": count, "at": when.map(at) }))
    };
    let errors = server.errors.iter();
    let errors = errors.map(|(name, count)| json!({ "operation": name, "count": count }));
    [
        ("slowest", slowest.collect()),
        ("triggers", triggers.collect()),
        ("limits", limits.collect()),
        ("syncs", transfers(&findings.syncs)),
        ("submits", submitted),
        (
            "cache",
            json!({
                "pages_in": cache.pages_in, "pages_out": cache.pages_out, "judged_pages": cache.judged_pages,
                "hit_fraction": cache.hit_fraction, "counted": cache.counted, "without_reads": cache.without_reads,
            }),
        ),
        (
            "memory",
            json!({
                "processes": spread(cache.memory_bytes.as_ref(), "_bytes"),
                "largest": cache.largest.as_ref().map(|l| json!({
                    "resident_bytes": l.bytes, "user": l.user, "function": l.function, "start": at(l.start),
                })),
            }),
        ),
        (
            "servers",
            json!({
                "through": ranked(&upstream.through), "brokered": upstream.brokered,
                "replicas": replicas.collect::<Vec<_>>(),
                "proxy": upstream.proxy.map(|p| json!({
                    "server_files": p.server_files, "server_bytes": p.server_bytes,
                    "cache_files": p.cache_files, "cache_bytes": p.cache_bytes,
                })),
            }),
        ),
        (
            "server",
            json!({
                "release": server.release, "operating_system": server.operating_system, "active": most(server.active), "paused": most(server.paused),
                "processor_pressure": server.pressure.0, "memory_pressure": server.pressure.1,
                "starts": server.starts.iter().map(|when| when.map(at)).collect::<Vec<_>>(),
                "errors": errors.collect::<Vec<_>>(), "peeks": findings.peeks,
            }),
        ),
    ]
}

/// What every answer says of itself.
pub fn workload_header(input: Value) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("schema".to_owned(), SCHEMA.into());
    map.insert("tool".to_owned(), env!("CARGO_PKG_VERSION").into());
    map.insert("input".to_owned(), input);
    map
}

/// The whole answer.
pub fn workload_json(findings: &Findings, answers: &[Measured], anonymised: bool) -> Value {
    let files = findings.quality.log.files.iter();
    let names: Vec<&str> = files.map(|file| file.name.as_str()).collect();
    let mut map = workload_header(json!({ "logs": names }));
    map.insert("anonymised".to_owned(), anonymised.into());
    map.insert("quality".to_owned(), quality(findings));
    map.insert("talk".to_owned(), points::talk(findings).into());
    map.insert("change".to_owned(), points::change(findings).into());
    map.insert("activity".to_owned(), activity(findings));
    map.insert("time".to_owned(), time(findings));
    map.insert("locks".to_owned(), locks(findings));
    map.insert("pollers".to_owned(), pollers(findings));
    for (key, value) in rest(findings) {
        map.insert(key.to_owned(), value);
    }
    let found = findings.journal.as_ref();
    map.insert(
        "journal".to_owned(),
        found.map_or(Value::Null, journal::json),
    );
    let found = findings.checkpoint.as_ref();
    map.insert(
        "checkpoint".to_owned(),
        found.map_or(Value::Null, checkpoint::json),
    );
    let answers = answers.iter().map(|a| {
        json!({
            "field": a.field, "value": a.value, "low": a.range.0, "high": a.range.1, "at_least": a.is_least,
            "how": a.how, "from": a.from,
        })
    });
    map.insert("answers".to_owned(), answers.collect());
    map.insert("undecided".to_owned(), undecided(findings).into());
    map.into()
}
