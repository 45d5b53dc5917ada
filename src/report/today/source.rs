//! What the analysis of today's system comes to, in words.

use super::super::answer::{HARDLY_MORE, HELPS_NAMED, every, latency, place_in_words};
use super::super::prose::{capital, grouped, list};
use super::super::response::Judged;
use super::{ChangeRow, MissedRow, PartRow, Place, SlowRow, Taken, TimeRow, carried, down_in_words, trouble_in_words};
use crate::advisor::today::{Effect, State, Target, Time, TodayAdvice, mended, words};
use crate::advisor::{Bottleneck, FACTOR_LEAST, Move, Unstated};
use crate::catalog::{Called, Catalog, Change, Database, ReadLocks};
use crate::site::{Peak, Site};
use crate::system::{Interval, Mount};
use crate::units::{Bytes, Fraction, two_digits};

/// So many times the people are clearly more: loads are found to 1 %.
const CLEARLY_MORE: f64 = 1.03;

/// What an answer is about.
pub(super) struct TodaySource<'a> {
    pub(super) site: &'a Site,
    pub(super) catalog: &'a Catalog,
    pub(super) advice: &'a TodayAdvice,
}

impl TodaySource<'_> {
    /// Multiple of today's peak load that is carried; none where the model does not have today's system run, so that this is not
    /// known, and where even the least load misses a target.
    pub(super) fn factor(&self, state: &State) -> Option<f64> {
        let is_known = !self.site.observed.disagrees && !is_at_floor(state);
        is_known.then_some(state.factor)
    }

    /// The same as people.
    pub(super) fn people(&self, state: &State) -> Option<f64> {
        Some(self.factor(state)? * self.site.people.developers.value)
    }

    fn carried(&self, state: &State) -> Option<String> {
        let is_limited = state.limit.is_found();
        let load = self.site.peak.load(state.factor);
        Some(carried(self.people(state)?, &load, is_limited))
    }

    pub(super) fn verdict(&self) -> Vec<String> {
        let today = &self.advice.today;
        let people = crate::advisor::people(&grouped(self.site.people.developers.value));
        let people = match self.site.peak {
            Peak::Today => format!("its {people}"),
            peak @ Peak::Times(_) => peak.people(&people),
        };
        let mut said: Vec<String> = self.shown();
        said.extend(self.site.contradictions.iter().cloned());
        let is_known = !self.site.observed.disagrees;
        if self.advice.system.is_assumed {
            said.push(
                "The present system is not stated: the estimate assumes everything on one volume. State it as [[today.volume]] or infrastructure.current_layout."
                    .to_owned(),
            );
        }
        let beside = not_met("Not met", &self.advice.today);
        let every = every(self.site, beside.is_none());
        if !is_known {
            said.push("What it carries today is not known; the changes are ranked all the same.".to_owned());
        } else if let Some(overload) = &today.overload {
            said.push(format!(
                // How far follows as people, and a share of its time beyond the limit is no better known.
                "Today's system does not carry the peak of {people}: {}.",
                overload.without_share()
            ));
            said.extend(self.carried(today).map(|carried| format!("It meets {every} for {carried}.")));
        } else if today.missed.is_empty() {
            let more = self.carried(today).filter(|_| today.factor >= HARDLY_MORE);
            let more = more.map_or("with hardly any room to grow".to_owned(), |carried| format!("and up to {carried}"));
            said.push(format!("Today's system meets {every} for {people}, {more}."));
            if today.limit.is_found() {
                said.push(format!("Then {}.", today.limit));
            }
        } else {
            said.push(format!("Today's system misses targets of {people}: {}.", few(&today.missed).join("; ")));
            said.push(match self.carried(today) {
                None => "A smaller load does not help.".to_owned(),
                Some(carried) => format!("It meets {every} for {carried}."),
            });
        }
        said.extend(beside);
        said.extend(self.drives());
        let bottleneck = today.bottleneck.as_ref().filter(|_| is_known);
        said.extend(bottleneck.and_then(|bottleneck| match bottleneck {
            Bottleneck::Busy(..) if is_at_floor(today) => None,
            Bottleneck::Busy(name, busy) => {
                let busy = Fraction::new(*busy).estimated();
                Some(format!("Busiest at that load: {name}, {busy}."))
            }
            Bottleneck::Latency { work, what, share } => Some(latency(work, what, *share)),
        }));
        if let Some(space) = self.space() {
            said.push(format!("{}.", capital(&space)));
        }
        said.extend(self.site.notes.iter().cloned());
        if let Some(first) = self.advice.singles.first() {
            // Where nothing must change, it is the most useful one all the same.
            let is_enough = self.advice.plan.is_empty() && self.advice.is_plan_enough();
            let which = if is_enough { "Most useful change" } else { "First change" };
            said.push(format!("{which}: {}.", self.title(first)));
        } else {
            said.push("No single change of the catalogue gives anything.".to_owned());
        }
        said
    }

    /// What today's system shows of unanswered questions.
    fn shown(&self) -> Vec<String> {
        self.site.observed.sentences.clone()
    }

    /// Drives that nobody counted, where the load needs more than are usually assumed.
    fn drives(&self) -> Option<String> {
        let (drives, medium) = self.advice.system.drives_for_load.as_ref()?;
        let target = self.advice.target.iter().flat_map(|target| &target.moves);
        let bought = target.filter_map(|one| match one {
            Move::Volumes(_, mount) if mount.is_local() && mount.medium != *medium => Some(&mount.medium),
            _ => None,
        });
        let bought = bought.map(|other| self.catalog.media.called(other)).next();
        let bought = bought.map_or(String::new(), |other| {
            format!(
                " What `plimsoll advise` buys in their place is another kind, the {other}, of which fewer carry it."
            )
        });
        let medium = self.catalog.media.called(medium);
        Some(format!(
            "Its drives are not stated: the estimate assumes {drives} ({medium}), as many as its load needs.{bought}"
        ))
    }

    pub(super) fn space(&self) -> Option<String> {
        self.advice.system.space(self.site, self.catalog)
    }

    pub(super) fn missed(&self) -> Vec<MissedRow> {
        let rows = self.advice.today.goals.iter().map(|goal| MissedRow {
            name: goal.name.clone(),
            text: goal.words.clone(),
            plan_helps: !self.advice.left.contains(goal),
            cause: goal.cause.clone(),
        });
        rows.collect()
    }

    pub(super) fn volumes(&self) -> Vec<Place> {
        let mounts = self.advice.system.deployment.volumes.iter();
        let unstated = Unstated::of(self.site, &self.advice.system);
        let place = |mount: &Mount| place_in_words(self.catalog, mount, &unstated, false);
        let places = mounts.map(|mount| Place { roles: words(&mount.roles), place: place(mount) });
        places.collect()
    }

    pub(super) fn server(&self) -> String {
        let d = &self.advice.system.deployment;
        let links = if d.client_links == 1.0 { "one link".to_owned() } else { format!("{} links", d.client_links) };
        let cores = if d.cores == 1.0 { "one core".to_owned() } else { format!("{} cores", d.cores) };
        let reads = match d.read_locks {
            ReadLocks::All => "reads take locks",
            ReadLocks::Few => "reads without most locks",
            ReadLocks::None => "reads without locks",
        };
        let edges = if d.edges > 0 { format!("; {}", d.edges_in_words()) } else { String::new() };
        let proxies = if d.proxies.is_empty() { String::new() } else { format!("; a proxy {}", d.proxies_in_words()) };
        format!(
            "{}, {} of memory, p4d {} ({reads}); {links} of {} to the clients{edges}{proxies}",
            cores,
            Bytes::new(d.memory),
            d.release,
            self.catalog.networks.called(&d.client_network)
        )
    }

    pub(super) fn taken(&self) -> Vec<Taken> {
        let taken = self.advice.system.taken.iter();
        let taken = taken.map(|taken| Taken {
            of: taken.of.clone(),
            what: taken.what,
            value: taken.value.clone(),
            from: taken.from.clone(),
        });
        taken.collect()
    }

    pub(super) fn times(&self, after: &State) -> Vec<TimeRow> {
        let before = &self.advice.today.times;
        // Where one of the two is overloaded, the other names the kinds of work.
        let all = if after.times.is_empty() { before } else { &after.times };
        let of = |times: &[Time], one: &Time| {
            let mut times = times.iter();
            Some(times.find(|time| time.work == one.work)?.p95)
        };
        let rows = all.iter().map(|time| TimeRow {
            name: time.name.clone(),
            before_s: of(before, time),
            after_s: of(&after.times, time),
            target_s: time.target.as_ref().map(|want| want.limit),
            target_origin: time.target.as_ref().map(|want| want.origin.to_string()),
            target: time
                .target
                .as_ref()
                .map_or(String::new(), |want| Judged::of(want, Interval::exact(want.time)).limit),
        });
        rows.collect()
    }

    /// How many response times have a target.
    fn wanted(&self, state: &State) -> usize {
        let states = [state, &self.advice.today];
        let counts = states.map(|state| state.times.iter().filter(|time| time.target.is_some()).count());
        counts.into_iter().fold(0, usize::max)
    }

    fn changes(&self, effect: &Effect) -> Vec<&Change> {
        let ids = effect.changes.iter();
        ids.filter_map(|id| self.catalog.changes.get(id)).collect()
    }

    fn title(&self, effect: &Effect) -> String {
        let titles = self.changes(effect).into_iter().map(|c| c.entry.title.as_str());
        list(&titles.collect::<Vec<_>>())
    }

    pub(super) fn row(&self, effect: &Effect) -> ChangeRow {
        let changes = self.changes(effect);
        let database = &self.advice.database;
        let down = effect.down_time;
        let trouble = changes.iter().map(|c| c.trouble.value).fold(0.0, f64::max);
        ChangeRow {
            peak: self.site.peak,
            changes: changes.iter().map(|change| part(change, database)).collect(),
            title: capital(&self.title(effect)),
            factor: self.factor(&effect.after),
            people: self.people(&effect.after),
            carries_more: effect.after.factor > CLEARLY_MORE * self.advice.today.factor,
            fixes: effect.fixes.clone(),
            met: effect.after.met(),
            targets: self.wanted(&effect.after),
            eases: effect.eases.clone(),
            mends: mended(self.site, self.catalog, effect),
            slows: effect.slows.iter().map(SlowRow::of).collect(),
            limit: effect.after.limit.to_string(),
            is_limited: effect.after.limit.is_found(),
            missed: effect.after.missed.clone(),
            times: self.times(&effect.after),
            down_time_s: down,
            down_time: down_in_words(down),
            trouble,
            trouble_means: trouble_in_words(trouble),
            cost: effect.cost,
        }
    }

    /// The layout that `advise` recommends, what it carries until when, and what leads there after the plan.
    pub(super) fn target(&self) -> String {
        let Some(target) = &self.advice.target else {
            return String::new();
        };
        let Target { title, factor, is_limited, reached_in, moves, is_passed, why } = target;
        let people = factor * self.site.people.developers.value;
        let carried = if *factor <= FACTOR_LEAST {
            "it misses a target with any load".to_owned()
        } else {
            carried(people, &self.site.peak.load(*factor), *is_limited)
        };
        let until = reached_in.filter(|time| time.get() > 0.0);
        let until = until.map_or(String::new(), |time| format!(" {}", self.site.horizon.until(time)));
        let head = format!("`plimsoll advise` recommends \"{title}\": {carried}{until}.");
        let passed = "The plan leads elsewhere: it replaces what that layout keeps";
        let reached = self.advice.plan.last();
        let reached = reached.map_or(self.advice.today.factor, |last| last.after.factor);
        let is_more = reached > CLEARLY_MORE * factor;
        match (moves.is_empty(), is_passed) {
            (true, true) => return format!("{head} {passed}."),
            (true, false) if is_more => {
                return format!("{head} The plan leads to it and goes on until growth is covered.");
            }
            (true, false) if self.advice.plan.is_empty() => {
                return format!("{head} That is today's system.");
            }
            (true, false) => return format!("{head} The plan leads to it."),
            (false, _) => {}
        }
        let head = if is_more {
            format!("{head} It takes release and settings as they are; with those of the plan more is carried.")
        } else {
            head
        };
        let stops = if *is_passed {
            passed
        } else if self.advice.is_plan_enough() {
            "The plan stops before it, where it is enough"
        } else {
            "No change of the catalogue leads on to it step by step"
        };
        let moves = moves.iter().map(|one| one.in_words(self.catalog));
        let moves: Vec<String> = moves.collect();
        let why = why.as_ref().map_or(String::new(), |why| format!(" Today's system is not recommended: {why}."));
        format!("{head} {stops}; what remains: {}.{why}", moves.join("; "))
    }

    /// What the plan comes to, and what of today's misses no change of the catalogue brings nearer.
    pub(super) fn plan_verdict(&self) -> String {
        let still =
            (!self.advice.plan.is_empty()).then(|| not_met("Still not met", self.advice.after_plan())).flatten();
        let left = self.advice.left.iter().map(|goal| {
            let cause = match goal.cause.as_str() {
                "" => String::new(),
                cause => format!(" ({cause})"),
            };
            format!("{}{cause}", goal.name)
        });
        let left: Vec<String> = left.collect();
        let left = (!left.is_empty()).then(|| {
            format!(
                "No change of the catalogue brings this nearer: {}. `plimsoll advise` without --from-today compares new designs.",
                few(&left).join("; ")
            )
        });
        // Where nothing is planned, what no change brings nearer says so.
        let load = self.of_load();
        let load = (!self.advice.plan.is_empty() || left.is_none() || self.advice.carries_enough()).then_some(load);
        // What would meet it comes before where else to look.
        let helps = self.advice.helps.iter().take(HELPS_NAMED);
        let helps = helps.map(|help| capital(help));
        let said = load.into_iter().chain(still).chain(left).chain(helps);
        said.collect::<Vec<_>>().join(" ")
    }

    fn of_load(&self) -> String {
        let horizon = &self.site.horizon;
        let time = horizon.time.value;
        let growth = two_digits(100.0 * self.site.data.db_growth.value.get());
        let spare = two_digits(100.0 * horizon.headroom.value.get());
        let until = horizon.until(time);
        let rate = format!("at {growth} % growth a year, with {spare} % to spare");
        // The same as `advise` tells of a layout: how long the load itself is carried.
        let lasts = self.advice.after_plan().reached_in;
        let lasts = lasts.map_or_else(
            || format!("for a century or more at {growth} % growth a year"),
            |lasts| format!("{} at {growth} % growth a year", horizon.until(lasts)),
        );
        let planned = format!("{time} are planned, with {spare} % to spare");
        match self.advice.plan.last() {
            None if self.site.observed.disagrees => {
                "What must change for the load is not known before model and answers agree.".to_owned()
            }
            None if self.advice.carries_enough() => {
                format!("Nothing must change for the load: today's system carries it {lasts}; {planned}.")
            }
            None => "No change of the catalogue helps: `plimsoll advise` without --from-today compares new designs."
                .to_owned(),
            Some(last) => {
                let missed = few(&last.after.missed).join("; ");
                let Some(carried) = self.carried(&last.after) else {
                    let more = "`plimsoll advise` without --from-today compares new designs.";
                    return match missed.as_str() {
                        "" => format!("What the system carries then is not known. {more}"),
                        missed => format!("Then the system still misses: {missed}. {more}"),
                    };
                };
                if self.advice.carries_enough() {
                    format!("Then the system carries {carried}, {lasts}; {planned}.")
                } else if last.after.missed.is_empty() {
                    let needed = self.site.peak.load(self.advice.horizon);
                    format!(
                        "Then the system carries {carried}. {needed} are needed {until} {rate}: `plimsoll advise` without --from-today compares new designs."
                    )
                } else {
                    format!(
                        "Then the system carries {carried}, and still misses: {missed}. `plimsoll advise` without --from-today compares new designs."
                    )
                }
            }
        }
    }
}

/// What a system misses of failures, the night and room; none where it misses nothing of it.
fn not_met(head: &str, state: &State) -> Option<String> {
    let goals = state.goals.iter().filter(|goal| !goal.is_of_work);
    let words: Vec<String> = goals.map(|goal| goal.words.clone()).collect();
    (!words.is_empty()).then(|| format!("{head}: {}.", few(&words).join("; ")))
}

/// The first of several, and how many more there are.
fn few(all: &[String]) -> Vec<String> {
    const NAMED: usize = 3;
    if all.len() <= NAMED + 1 {
        return all.to_vec();
    }
    let more = format!("{} more", all.len() - NAMED);
    all[..NAMED].iter().cloned().chain([more]).collect()
}

/// Whether no load that is looked at is small enough: what is missed does not come from load.
fn is_at_floor(state: &State) -> bool {
    state.factor <= FACTOR_LEAST
}

fn part(change: &Change, database: &Database) -> PartRow {
    PartRow {
        id: change.entry.id.clone(),
        title: capital(&change.entry.title),
        does: change.entry.summary.clone(),
        risk: change.risk.value.clone(),
        down_time_s: change.down(database).get(),
        trouble: change.trouble.value,
        cost: change.cost.value,
        steps: change.steps_from(database.release),
    }
}
