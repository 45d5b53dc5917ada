//! The advice as JSON.

use serde_json::{Map, Value, json};

use super::Inputs;
use super::answer::Answer;
use super::bill::{bill_json, costs_json};
use super::contest::contest_json;
use super::prediction_json::{insert_prediction, numbers};
use super::recovery;
use super::volumes::volume_rows;
use crate::advisor::{Advice, Alternative, Chosen, Influence, InstanceFit, Instances, Scores};
use crate::catalog::Catalog;
use crate::site::{Assumption, Site};
use crate::system::Deployment;

/// The whole answer; keys are listed in `docs/json.md`.
pub fn advice_json(inputs: &Inputs<'_>, advice: &Advice) -> Value {
    let Inputs { site, catalog, .. } = *inputs;
    let mut map = inputs.header();
    map.insert("site".to_owned(), site.name.clone().into());
    let answer = Answer::of(site, catalog, advice);
    map.insert("answer".to_owned(), json!(answer));
    map.insert(
        "recommendation".to_owned(),
        recommendation(site, catalog, advice, &answer.sentence()),
    );
    if let Some(chosen) = &advice.chosen {
        insert_prediction(&mut map, &chosen.prediction);
        map.insert("headroom".to_owned(), headroom(chosen));
        let recovery = &chosen.recovery;
        let told = recovery::Told { site, recovery };
        map.insert("recovery".to_owned(), told.json());
        map.insert("bill".to_owned(), bill_json(&chosen.bill));
        map.insert("numbers".to_owned(), numbers(&chosen.prediction));
    }
    let alternatives: Vec<Value> = advice.alternatives.iter().map(alternative).collect();
    map.insert("alternatives".to_owned(), alternatives.into());
    map.insert("costs".to_owned(), costs_json(advice));
    map.insert("contest".to_owned(), contest_json(&advice.contest));
    map.insert("findings".to_owned(), findings(advice));
    map.insert(
        "assumptions".to_owned(),
        assumptions(site, &advice.influences),
    );
    map.insert("equipment".to_owned(), equipment(site));
    map.insert("deployments_solved".to_owned(), advice.solved.into());
    Value::Object(map)
}

/// What the site describes itself, each attribute with its origin; the rest is that of a usual system of the kind.
fn equipment(site: &Site) -> Value {
    let all = site.equipment.iter().map(|one| {
        let stated = one.stated().into_iter();
        let stated: Vec<Value> = stated
            .map(|(key, value, origin)| json!({ "name": key, "value": value, "origin": origin }))
            .collect();
        json!({
            "id": one.id,
            "name": one.name,
            "kind": one.kind.word(),
            "usable_bytes": one.usable.value.get(),
            "stated": stated,
        })
    });
    all.collect()
}

fn recommendation(site: &Site, catalog: &Catalog, advice: &Advice, sentence: &str) -> Value {
    let Some(chosen) = &advice.chosen else {
        return json!({ "sentence": sentence, "layout": null, "volumes": [], "edges": 0 });
    };
    let d = &chosen.deployment;
    let volumes: Vec<Value> = volume_rows(site, catalog, d, &chosen.prediction, &chosen.sizes)
        .into_iter()
        .map(|r| {
            json!({
                "role": r.role,
                "server": r.server,
                "mount_point": r.mount_point,
                "protocol": r.protocol.id,
                "device": r.device.id,
                "raid": r.raid.id,
                "filesystem": r.filesystem.id,
                "mount_options": r.mount_options,
                "data_bytes": r.data.get().round(),
                "data_at_horizon_bytes": r.data_at_horizon.get().round(),
                "size_bytes": r.size.get().round(),
                "size_at_horizon_bytes": r.size_at_horizon.get().round(),
                "io_per_s": r.iops,
                "transfer_bytes_per_s": r.bytes_per_s,
                "bought": bought(d, r.role),
                "why": r.why,
            })
        })
        .collect();
    let memory = &chosen.memory;
    json!({
        "sentence": sentence,
        "layout": d.layout,
        "volumes": volumes,
        "edges": d.edges,
        "standby": standby(chosen),
        "instance": chosen.instances.as_ref().map(instances),
        "shared_depot": d.shared_depot,
        "proxies": d.proxies,
        "cache": d.cache,
        "server": {
            "model": d.server,
            "operating_system": d.system,
            "bits": d.bits,
            "cores": d.cores,
            "processor": d.processor,
            "clock_hz": d.clock(catalog),
            "memory_bytes": d.memory,
            "edge_memory_bytes": d.edge_memory,
            "memory_need": memory.servers.iter().map(|m| json!({
                "server": d.server_in_words(m.server),
                "memory_bytes": m.there,
                "need_bytes": m.need().round(),
                "connections": m.connections,
                "processes_bytes": m.processes.round(),
                "system_bytes": m.system.round(),
                "large_syncs_bytes": m.syncs.round(),
                "largest_command_bytes": m.largest.round(),
                "page_cache_bytes": m.cache().round(),
            })).collect::<Vec<_>>(),
            "memory_rule_bytes": memory.rule.get().round(),
            "memory_all_bytes": memory.all.get().round(),
            "client_network": d.client_network,
            "client_links": d.client_links,
        },
        "largest_commit_s": chosen.largest_commit,
        "branch_commit_s": chosen.branch_commit,
        "targets_missed": chosen.missed,
        "cautions": chosen.cautions,
        "scores": scores(&chosen.scores),
    })
}

/// The standby on a second site, and what it saves; null where there is none.
fn standby(chosen: &Chosen) -> Value {
    let Some(standby) = &chosen.deployment.standby else {
        return Value::Null;
    };
    let disasters = chosen.recovery.disasters.first();
    json!({
        "kind": standby.kind,
        "office": standby.office,
        "takes_over_s": disasters.and_then(|d| d.time).map(|time| time.value),
        "loses_s": disasters.and_then(|d| d.loses),
    })
}

/// The instance that carries the site, and the one that it names.
fn instances(found: &Instances) -> Value {
    let fit = |fit: &InstanceFit| {
        let rows = fit
            .rows
            .iter()
            .map(|row| json!({ "what": row.cap.word(), "needs": row.needs, "has": row.has }));
        json!({ "id": fit.id, "limits": rows.collect::<Vec<Value>>() })
    };
    json!({
        "smallest": found.smallest.as_ref().map(fit),
        "named": found.named.as_ref().map(fit),
    })
}

/// Operations and bandwidth that are bought with a volume of a cloud; null of all others.
fn bought(deployment: &Deployment, role: &str) -> Value {
    let bought = deployment.mount(role).and_then(|mount| mount.bought);
    bought.map_or(Value::Null, |bought| {
        json!({
            "operations_per_s": bought.operations,
            "bandwidth_bytes_per_s": bought.bandwidth,
        })
    })
}

fn scores(scores: &Scores) -> Value {
    let mut map = Map::new();
    for s in &scores.by_criterion {
        map.insert(
            s.criterion.to_owned(),
            json!({ "score": s.value, "weight_fraction": s.weight, "grade": s.word() }),
        );
    }
    json!({ "total": scores.total, "criteria": map })
}

fn headroom(chosen: &Chosen) -> Value {
    let h = &chosen.headroom;
    let capacity: Vec<Value> = h
        .capacity
        .iter()
        .map(|l| {
            json!({
                "store": l.store.id,
                "server": l.server,
                "needed_today_bytes": l.needed_today.get().round(),
                "drives": (!l.is_fixed).then_some(l.drives),
                "drives_more_today": (!l.is_fixed).then_some(l.more_today),
                "drives_more_at_horizon": (!l.is_fixed).then_some(l.more_at_horizon),
                "can_grow": !l.is_fixed,
                "usable_bytes": l.usable.get().round(),
                "data_reduction": l.data_reduction,
                "to_buy": l.to_buy,
                "needed_at_horizon_bytes": l.needed.get().round(),
                "full_in_s": l.full_in.map(crate::units::Seconds::get),
            })
        })
        .collect();
    json!({
        "factor": h.carried(),
        "limit": h.limit.to_string(),
        "knee_factor": h.knee,
        "reached_in_s": h.reached_in.map(crate::units::Seconds::get),
        "capacity": capacity,
    })
}

fn alternative(a: &Alternative) -> Value {
    let mut map = Map::new();
    map.insert("layout".to_owned(), a.layout.clone().into());
    map.insert("why_not".to_owned(), a.why_not.clone().into());
    if let Some(d) = &a.deployment {
        let volumes: Vec<Value> = d
            .volumes
            .iter()
            .map(|m| {
                json!({
                    "roles": m.roles,
                    "protocol": m.protocol,
                    "device": m.device,
                    "raid": m.raid,
                    "filesystem": m.filesystem,
                })
            })
            .collect();
        map.insert("edges".to_owned(), d.edges.into());
        map.insert("volumes".to_owned(), volumes.into());
    }
    if let Some(price) = a.price {
        map.insert("total_price".to_owned(), price.into());
    }
    if let Some(s) = &a.scores {
        map.insert("scores".to_owned(), scores(s));
    }
    if let Some(p) = &a.prediction {
        insert_prediction(&mut map, p);
    }
    Value::Object(map)
}

fn findings(advice: &Advice) -> Value {
    advice
        .findings
        .iter()
        .map(|f| {
            let evidence: Vec<Value> = f
                .evidence
                .iter()
                .map(|e| json!({ "id": e.id, "text": e.text }))
                .collect();
            json!({
                "rule": f.rule,
                "severity": f.severity.word(),
                "message": f.message,
                "action": f.action,
                "sure": f.basis().in_words(),
                "of": if f.is_of_today { "today" } else { "recommended" },
                "also": f.also,
                "evidence": evidence,
            })
        })
        .collect()
}

/// What nobody answered, and what it does.
pub(super) fn assumptions(site: &Site, influences: &[Influence]) -> Value {
    ranged(&site.assumptions(), influences)
}

/// What was measured with a range, and what the range does.
pub(super) fn measured(site: &Site, influences: &[Influence]) -> Value {
    ranged(site.measured_ranges(), influences)
}

fn ranged(answers: &[Assumption], influences: &[Influence]) -> Value {
    answers
        .iter()
        .map(|a| {
            let influence = influences.iter().find(|i| i.field == a.field);
            json!({
                "field": a.field,
                "value": a.value,
                "low": a.low,
                "high": a.high,
                "origin": a.origin.to_string(),
                "influence_ratio": influence.map_or(1.0, |i| i.ratio),
                "saturates": influence.is_some_and(|i| i.saturates),
            })
        })
        .collect()
}
