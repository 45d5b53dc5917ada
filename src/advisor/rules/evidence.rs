//! What the answer rests on.

use super::memory::HIT_MIN;
use super::network::is_storage;
use super::{Check, Evidence, Facts, Finding, Said};
use crate::advisor::Timed;
use crate::advisor::borrowed::{Borrowed, borrowed};
use crate::advisor::sensitivity::Influence;
use crate::catalog::{Called, Entry, Feature};
use crate::system::ResourceKind;
use crate::units::{Fraction, Seconds, significant, two_digits};

use Check::Once;

/// The rules of this file.
pub(super) const RULES: &[(&str, Check)] = &[
    ("EVD001", Once(weak_evidence)),
    ("EVD002", Once(decisive_assumption)),
    ("EVD003", Once(storage_will_not_help)),
    ("EVD004", Once(quiet_log)),
];

fn weak_evidence(facts: &Facts<'_>) -> Option<Finding> {
    // A system that is there need not be tried before it is bought.
    if facts.is_there {
        return None;
    }
    let mut untested: Vec<String> = Vec::new();
    // Nothing is published after P17: its costs times a ratio of clocks and instructions per clock.
    if let Some(processor) = &facts.deployment.processor {
        let family = facts.catalog.processors.called(processor);
        untested.push(format!("{family} processors"));
    }
    for mount in &facts.deployment.volumes {
        let medium = facts.catalog.media.get(&mount.medium).map(|m| &m.entry);
        let array = facts.catalog.arrays.get(&mount.device).map(|a| &a.entry);
        // A server's own drives and a provider's volumes are bought by their kind, an array's drives with the array.
        let own = array.filter(|array| !mount.is_private() && !tested(facts, array));
        let untried = own.or(medium.filter(|medium| !tested(facts, medium)));
        if let Some(entry) = untried
            && !untested.contains(&entry.name)
        {
            untested.push(entry.name.clone());
        }
    }
    if untested.is_empty() {
        return None;
    }
    let borrowed = borrowed(facts.catalog, facts.deployment);
    let borrowed: Vec<String> = borrowed.iter().map(Borrowed::in_words).collect();
    let model = facts.catalog.servers.called(&facts.deployment.server);
    let mut evidence = vec![Evidence::new("server.model", format!("{model} represents the server"))];
    let widest = facts
        .prediction
        .classes
        .iter()
        .filter(|c| c.work.target().is_some())
        .max_by(|a, b| (a.p95.high / a.p95.low).total_cmp(&(b.p95.high / b.p95.low)));
    let mut width = String::new();
    if let Some(class) = widest {
        let [low, high] = [class.p95.low, class.p95.high].map(|s| Seconds::new(s).estimated());
        width = format!("the widest estimate is {}, with a 95th percentile between {low} and {high}", class.name);
        evidence.push(Evidence::new(
            "model",
            format!("80 % interval of the 95th percentile of {}: {low} to {high}", class.name),
        ));
        // What to measure first.
        let drivers = &facts.prediction.main_drivers;
        if let Some(driver) = drivers.get(&class.work.to_string()) {
            let factor = significant(driver.factor.max(1.0 / driver.factor), 2);
            let id = driver.number.id();
            evidence.push(Evidence::new(
                "model",
                format!("{id} widens it most: one standard deviation moves it {factor}-fold"),
            ));
        }
    }
    Some(Finding::note(
        Said::from(format!("no published measurement covers this equipment ({})", untested.join(", ")))
            .then(width)
            .then(borrowed.join("; ")),
        "try it on the equipment before buying (plimsoll rehearse SITE.toml --at DIR, with DIR on the new volume)",
        evidence,
    ))
}

/// Whether a figure of it comes from a source that tested p4d.
fn tested(facts: &Facts<'_>, entry: &Entry) -> bool {
    let mut ids = entry.facts.iter().flat_map(|fact| fact.origin.ids());
    ids.any(|id| facts.calibration.datum(id).is_some())
}

fn decisive_assumption(facts: &Facts<'_>) -> Option<Finding> {
    /// Above it a time changes by more than the model's own error: spreads of 15 to 40 % a parameter
    /// (calibration/parameters.toml) are factors of 1.2 to 1.7 at the ends of an 80 % interval.
    const RATIO_MAX: f64 = 1.5;
    /// How many are named.
    const NAMED: usize = 3;

    let decisive: Vec<&Influence> = facts.influences.iter().filter(|i| i.saturates || i.ratio > RATIO_MAX).collect();
    if decisive.is_empty() {
        return None;
    }
    let named: Vec<&Influence> = decisive.iter().copied().take(NAMED).collect();
    let assumptions = facts.site.assumptions();
    let assumed = |field: &str| {
        let found = assumptions.iter().find(|a| a.field == field);
        found.map_or(String::new(), |a| format!("assumed {}; ", a.value))
    };
    let words: Vec<String> = named
        .iter()
        .map(|i| {
            let question = facts.site.question(&i.field);
            format!("{question} ({}{})", assumed(&i.field), effect(i))
        })
        .collect();
    let fields: Vec<&str> = named.iter().map(|i| i.field.as_str()).collect();
    let number = match decisive.len() {
        1 => "1 unanswered question dominates".to_owned(),
        n => format!("{n} unanswered questions dominate"),
    };
    Some(Finding::warning(
        format!("{number} this result. {}", words.join(" ")),
        format!("answer {}", fields.join(", ")),
        named.iter().map(|i| Evidence::new(&i.field, format!("{}{}", assumed(&i.field), effect(i)))).collect(),
    ))
}

/// What another answer would do.
fn effect(influence: &Influence) -> String {
    if influence.saturates {
        return "one end of the range overloads the deployment or cannot be built".to_owned();
    }
    let time = influence.time_in_words();
    let times =
        if influence.time == Some(Timed::LargestCommit) { format!("the {time}") } else { format!("{time} times") };
    if influence.ratio < 2.0 {
        let more = Fraction::new(influence.ratio - 1.0).estimated();
        return format!("changes {times} by up to {more}");
    }
    format!("changes {times} up to {}-fold", two_digits(influence.ratio))
}

fn storage_will_not_help(facts: &Facts<'_>) -> Option<Finding> {
    /// At it a queue's mean wait is as long as the service (LAZOWSKA1984).
    const BUSY_MIN: f64 = 0.5;

    let judged = |kind: ResourceKind| !matches!(kind, ResourceKind::Delay | ResourceKind::Client);
    let busy = facts.prediction.busy();
    let (storage, others): (Vec<_>, Vec<_>) =
        busy.filter(|(resource, _)| judged(resource.kind())).partition(|(resource, _)| is_storage(resource.kind()));
    let (resource, used) = others.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let kind = resource.kind();
    let the = if resource.is_lock() { "the " } else { "" };
    let name = format!("{the}{resource}");
    let stored = storage.iter().map(|(_, used)| *used).fold(0.0, f64::max);
    if used <= BUSY_MIN || stored * 2.0 >= used {
        return None;
    }
    if kind == ResourceKind::Lock && held_for_storage(facts) {
        return None;
    }
    let [shown, stored] = [used, stored].map(|u| Fraction::new(u).estimated());
    let action = match kind {
        ResourceKind::Lock => Said::from("shorten the holds or take the lock less often")
            .then("run p4 lockstat at the peak to see whose they are"),
        ResourceKind::Processor => Said::from("a faster clock, fewer polls, edges for builds")
            .then("run p4 monitor show at the peak to see what runs"),
        ResourceKind::Wan => {
            Said::from("an edge at the office, or a faster line").then("run ping and a timed p4 sync there")
        }
        _ => Said::from("more or faster links, edges or proxies").then("run sar -n DEV 1 at the peak to see the link"),
    };
    Some(
        Finding::note(
            Said::from("faster storage will not help").detail(format!(
                "{name} ({}) is {shown} busy at the peak, and no storage is more than {stored} busy",
                kind.in_words()
            )),
            action,
            vec![
                Evidence::new("model", format!("{name} {shown} busy, storage at most {stored}")),
                Evidence::new("LAZOWSKA1984", "the busiest resource bounds what a system does"),
            ],
        )
        .costing(facts.slowed(0.0005))
        .about([&resource.name]),
    )
}

/// Whether locks are held while storage is waited for: the database on an export, or on disks with pages that memory lacks.
fn held_for_storage(facts: &Facts<'_>) -> bool {
    facts.on_export("db").is_some() || facts.memory.hit < HIT_MIN
}

fn quiet_log(facts: &Facts<'_>) -> Option<Finding> {
    /// The level from which on the log has the cost of each command.
    const LEVEL_MIN: f64 = 3.0;

    let level = &facts.site.server.log_level;
    let quiet = level.is_stated() && level.value < LEVEL_MIN;
    let signs = ["untracked-log", "monitor-off"].map(|sign| facts.seen(sign));
    if !quiet && signs.iter().all(Option::is_none) {
        return None;
    }
    let set = |name| facts.setting("p4-configure", name).unwrap_or_else(|| "1".to_owned());
    let mut evidence = vec![
        Evidence::answer("server.log_level", level, level.value),
        Evidence::new("P4LOGS", "from level 3 with track=1 on each command's pages, rows and locks"),
    ];
    evidence.extend(signs.into_iter().flatten());
    Some(
        Finding::note(
            Said::from(format!(
                "the server logs at level {} and does not record all that its commands cost",
                level.value
            ))
            .detail(
                "your answers do not show which \
                 command waits for which",
            ),
            if facts.site.server.release.value.has(Feature::Configure) {
                Said::from(format!(
                    "run p4 configure set server=3, p4 configure set track={} and p4 configure set monitor={}",
                    set("track"),
                    set("monitor")
                ))
                .then("keep a day's log")
            } else {
                Said::from(format!(
                    "start p4d with -v server=3 -v track={}, run p4 counter -f monitor {}, and keep a day's log",
                    set("track"),
                    set("monitor")
                ))
            },
            evidence,
        )
        .costing(facts.slowed(0.0002)),
    )
}
