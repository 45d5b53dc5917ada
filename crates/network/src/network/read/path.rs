//! Paths: the steps of a customer in their order.
//!
//! ```toml
//! path = [
//!   "cpu",                                            # a service, as `service.cpu` says
//!   { station = "disk", service = "5 ms" },           # one with a time of its own
//!   { exclusive = "db.rev", steps = ["cpu", "disk"] } # a lock held around steps
//! ]
//! ```

use crate::diag::Diagnostic;
use crate::document::{Item, Limits, Reader};
use crate::sim::{Distribution, Mode, Step};

use super::distribution::{Unit, distribution, probability};
use super::names::{Names, find_text};
use super::order::Held;
use super::visits::{service_at, services, unit};

/// What a step can be.
const KINDS: [&str; 11] =
    ["station", "shared", "exclusive", "pool", "fork", "spawn", "choose", "repeat", "cache", "sized", "activity"];

/// Steps within steps.
const DEPTH_MAX: usize = 32;

/// Most steps in one list: each customer goes through all of them.
const STEPS_MAX: usize = 10_000;

/// A class' path.
pub(super) fn path(reader: &Reader<'_>, names: &mut Names) -> Option<Vec<Step>> {
    let services = services(reader, names);
    let item = reader.item("path")?;
    let mut walk = Walk { names, services: &services, held: Vec::new(), depth: 0 };
    walk.list(&item)
}

struct Walk<'n> {
    names: &'n mut Names,
    services: &'n [Option<Distribution>],
    /// What the customer holds here.
    held: Vec<Held>,
    depth: usize,
}

impl Walk<'_> {
    /// A list of steps, or one step alone.
    fn list(&mut self, item: &Item<'_>) -> Option<Vec<Step>> {
        let items = if item.is_text() || item.is_table() { vec![item.clone()] } else { item.list("steps")? };
        if self.depth >= DEPTH_MAX {
            let d = item.problem("NET007", format!("steps are nested more than {DEPTH_MAX} deep"), "here");
            item.diagnostics().push(d);
            return None;
        }
        if items.len() > STEPS_MAX {
            let d = item.problem("NET007", format!("{} steps are more than {STEPS_MAX}", items.len()), "here");
            let help = "write { repeat = N, steps = […] }, or one step with the service of all";
            item.diagnostics().push(d.help(help));
            return None;
        }
        self.depth += 1;
        let mut steps = Vec::new();
        let mut good = true;
        for item in &items {
            match self.step(item) {
                Some(found) => steps.extend(found),
                None => good = false,
            }
        }
        self.depth -= 1;
        good.then_some(steps)
    }

    fn step(&mut self, item: &Item<'_>) -> Option<Vec<Step>> {
        if item.is_text() {
            let station = find_text(&self.names.stations, "station", item)?;
            let service = service_at(self.services, station, item, self.names)?;
            return Some(vec![Step::Serve { station, service }]);
        }
        if !item.is_table() {
            item.wrong("a step: a station's name, or a table such as { exclusive = \"db.rev\", steps = [\"cpu\"] }");
            return None;
        }
        let reader = item.table()?;
        let kind = kind(&reader, item)?;
        let found = self.of_kind(&reader, item, kind);
        reader.finish();
        found
    }

    fn of_kind(&mut self, reader: &Reader<'_>, item: &Item<'_>, kind: &str) -> Option<Vec<Step>> {
        let value = |key| reader.item(key);
        Some(match kind {
            "station" => {
                let station = find_text(&self.names.stations, "station", &value("station")?)?;
                let service = match value("service") {
                    Some(service) => distribution(&service, unit(self.names, station))?,
                    None => service_at(self.services, station, item, self.names)?,
                };
                let fixed = reader.boolean("fixed").is_some_and(|fixed| fixed.value);
                vec![if fixed { Step::Fixed { station, service } } else { Step::Serve { station, service } }]
            }
            "shared" | "exclusive" => self.locked(reader)?,
            "pool" => self.pooled(reader)?,
            "fork" => vec![Step::Fork(self.branches(&value("fork")?)?)],
            "spawn" => {
                // Whoever is not waited for holds nothing of what its parent holds.
                let held = std::mem::take(&mut self.held);
                let body = self.list(&value("spawn")?);
                self.held = held;
                vec![Step::Spawn(body?)]
            }
            "choose" => vec![Step::Choose(self.choices(&value("choose")?)?)],
            "repeat" => {
                let limits = Limits { low: 0.0, high: 1e6, why: "how often the steps are done" };
                let times = reader.within("repeat", reader.count("repeat"), limits, |x| x.to_string());
                let body = self.body(reader)?;
                vec![Step::Repeat { times: times?.value as u32, body }]
            }
            "cache" => self.cached(reader)?,
            "sized" => {
                let factor = distribution(&value("sized")?, Unit::Factor);
                let body = self.body(reader)?;
                vec![Step::Sized { factor: factor?, body }]
            }
            _ => {
                let name = reader.text("activity")?;
                let activity = self.names.activity(&name.value);
                vec![Step::Timed { activity, body: self.body(reader)? }]
            }
        })
    }

    /// The steps that a step is about.
    fn body(&mut self, reader: &Reader<'_>) -> Option<Vec<Step>> {
        reader.require(&["steps"]);
        self.list(&reader.item("steps")?)
    }

    /// Locks around steps; taken in the order of the file, let go together.
    fn locked(&mut self, reader: &Reader<'_>) -> Option<Vec<Step>> {
        let mut locks: Vec<(usize, Mode)> = Vec::new();
        let before = self.held.len();
        let mut good = true;
        for (key, mode) in [("shared", Mode::Shared), ("exclusive", Mode::Exclusive)] {
            let Some(item) = reader.item(key) else {
                continue;
            };
            let items = if item.is_text() { vec![item] } else { item.list("locks")? };
            for item in &items {
                let Some(lock) = find_text(&self.names.locks, "lock", item) else {
                    good = false;
                    continue;
                };
                if locks.iter().any(|(known, _)| *known == lock) {
                    let message = format!("lock {:?} is requested twice", self.names.locks[lock]);
                    item.diagnostics().push(item.problem("NET008", message, "the second time"));
                    good = false;
                    continue;
                }
                let held = &self.held[..before];
                self.names.order.note(held, Held::Lock(lock), item.place());
                locks.push((lock, mode));
            }
        }
        locks.sort_by_key(|(lock, _)| *lock);
        self.held.extend(locks.iter().map(|(lock, _)| Held::Lock(*lock)));
        let body = self.body(reader);
        self.held.truncate(before);
        let names: Vec<usize> = locks.iter().rev().map(|(lock, _)| *lock).collect();
        let mut steps = vec![Step::Lock(locks)];
        steps.extend(body?);
        steps.push(Step::Unlock(names));
        good.then_some(steps)
    }

    fn pooled(&mut self, reader: &Reader<'_>) -> Option<Vec<Step>> {
        let item = reader.item("pool")?;
        let pool = find_text(&self.names.pools, "pool", &item);
        let count = match reader.item("count") {
            Some(_) => {
                let limits = Limits { low: 1.0, high: 4e9, why: "how many of the pool one customer takes" };
                reader.within("count", reader.count("count"), limits, |x| x.to_string())?.value as u32
            }
            None => 1,
        };
        if let Some(pool) = pool {
            self.names.order.note(&self.held, Held::Pool(pool), item.place());
            self.held.push(Held::Pool(pool));
        }
        let body = self.body(reader);
        let pool = pool?;
        self.held.pop();
        let mut steps = vec![Step::Take { pool, count }];
        steps.extend(body?);
        steps.push(Step::Give { pool, count });
        Some(steps)
    }

    fn branches(&mut self, item: &Item<'_>) -> Option<Vec<Vec<Step>>> {
        let mut branches = Vec::new();
        for branch in &item.list("branches, each a list of steps")? {
            branches.push(self.list(branch)?);
        }
        if branches.is_empty() {
            let d = item.problem("NET007", "a fork needs at least one branch", "found none");
            item.diagnostics().push(d);
            return None;
        }
        Some(branches)
    }

    fn choices(&mut self, item: &Item<'_>) -> Option<Vec<(f64, Vec<Step>)>> {
        let mut choices = Vec::new();
        for choice in &item.list("choices, each { chance = 0.3, steps = [...] }")? {
            let reader = choice.table()?;
            reader.require(&["chance"]);
            let chance = reader.item("chance").and_then(|c| probability(&reader, "chance", &c));
            let body = self.body(&reader);
            reader.finish();
            choices.push((chance?, body?));
        }
        let sum: f64 = choices.iter().map(|(chance, _)| chance).sum();
        if sum > 1.0 + 1e-6 {
            let message = "the chances of a choice add up to 1 at most";
            item.diagnostics().push(item.problem("NET007", message, format!("found {sum}")));
            return None;
        }
        if sum < 1.0 - 1e-9 {
            choices.push((1.0 - sum, Vec::new()));
        }
        Some(choices)
    }

    fn cached(&mut self, reader: &Reader<'_>) -> Option<Vec<Step>> {
        let cache = find_text(&self.names.caches, "cache", &reader.item("cache")?);
        let mut side = |key| match reader.item(key) {
            Some(item) => self.list(&item),
            None => Some(Vec::new()),
        };
        let (hit, miss) = (side("hit"), side("miss"));
        Some(vec![Step::Refer { cache: cache?, hit: hit?, miss: miss? }])
    }
}

/// Which kind of step a table is.
fn kind(reader: &Reader<'_>, item: &Item<'_>) -> Option<&'static str> {
    let found: Vec<&'static str> =
        (KINDS.iter().copied()).filter(|kind| reader.keys().any(|key| key == *kind)).collect();
    match found[..] {
        ["shared", "exclusive"] => return Some("shared"),
        [kind] => return Some(kind),
        _ => {}
    }
    let place = item.place();
    let mut d = if found.is_empty() {
        Diagnostic::error("NET007", "a step must say what it is")
    } else {
        Diagnostic::error("NET007", format!("a step is one thing, not {}", found.join(" and ")))
    }
    .at(place.source, place.span.clone(), "this step");
    if let Some(unknown) = reader.keys().find(|key| *key != "steps" && *key != "service")
        && found.is_empty()
    {
        d = d.suggest(unknown, KINDS);
    }
    reader.diagnostics().push(d.help(format!("one of: {}", KINDS.join(", "))));
    None
}
