//! The verdict: whether the work is carried, for how long, for how many people, and what gives way first.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::peak::may_saturate;
use super::super::prose::{about_count, capital, grouped};
use super::work::WorkRow;
use super::{AnswerSource, Asked};
use crate::advisor::rules::{Severity, unserved};
use crate::advisor::{
    Bottleneck, Chosen, FACTOR_LEAST, LoadLimit, Miss, Overload, Recovered, WindowVerdict, drives_asked_for,
    drives_beyond_stated, people,
};
use crate::catalog::{Action, Called, Change};
use crate::page::Tone;
use crate::site::Site;
use crate::system::{Resource, ResourceKind};
use crate::units::{Fraction, Seconds, two_digits};

/// Whether a deployment carries today's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stands {
    /// It does, and meets every target.
    Carries,
    /// It does by the estimate; the interval of a time crosses its target, an unanswered question decides, or something is missed
    /// that is wanted of failures, of the night or of later years.
    MayMiss,
    /// It does, and misses a target.
    Misses,
    /// Memory is missing.
    Short,
    /// No layout of this site can keep up with today's load.
    Overloaded,
    /// Nothing that the site has can hold its data, or do any of its work; or no layout can be built of it.
    Impossible,
}

impl Stands {
    /// How it stands out: green only where the work is carried and no interval crosses its target.
    pub fn tone(self) -> Tone {
        match self {
            Self::Carries => Tone::Good,
            Self::MayMiss => Tone::Warning,
            Self::Misses | Self::Short | Self::Overloaded | Self::Impossible => Tone::Bad,
        }
    }
}

/// What a sentence of the verdict is about; they stand in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Whether today's people are carried.
    Carried,
    /// What ends that, or how many people are.
    Ends,
    /// What is missed of recovery, of the night and of room.
    Missed,
    /// What to set where a setting that costs nothing mends something.
    Cure,
    /// The store that is full before.
    Space,
    /// Answers that contradict each other.
    Contradiction,
    /// What was observed, and what was made of the answers.
    Observed,
    /// What else speaks against it.
    Caution,
    /// How the stated answers on recovery are met.
    Kept,
    /// The busiest resource.
    Busiest,
    /// How likely a target is missed.
    Risk,
    /// The question that may change the verdict.
    Question,
    /// What the server must have for it.
    Needs,
}

/// A sentence of the verdict. In JSON it is its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Sentence {
    /// What it is about.
    #[serde(skip)]
    pub topic: Topic,
    /// What it says.
    pub text: String,
}

/// A chance of missing a target below this is not in the verdict \[%\].
const RISK_SHOWN: u32 = 10;
/// So many remedies of missed targets are in the verdict.
pub(crate) const HELPS_NAMED: usize = 3;
/// Below this multiple of today's load there is hardly any room to grow.
pub(in crate::report) const HARDLY_MORE: f64 = 1.1;

impl Topic {
    /// Whether a short verdict has it too: is the load carried and what ends that, what is missed, what mends it for
    /// nothing, until when is space bought, which answers contradict each other.
    pub fn stays(self) -> bool {
        matches!(self, Self::Carried | Self::Ends | Self::Missed | Self::Cure | Self::Space | Self::Contradiction)
    }

    fn says(self, text: String) -> Sentence {
        Sentence { topic: self, text }
    }
}

impl AnswerSource<'_> {
    /// Whether the work is carried, and the sentences; `questions` are the unanswered ones, gravest first.
    pub(super) fn verdict(&self, work: &[WorkRow], questions: &[(Asked, u8)]) -> (Stands, Vec<Sentence>) {
        let (stands, mut said) = self.judged(work, questions);
        let unserved = unserved(self.site, self.catalog);
        let unserved = unserved.filter(|(_, are_all)| *are_all);
        let unserved = unserved.map(|(said, _)| format!("{}.", capital(&said.to_string())));
        let contradictions = self.site.contradictions.iter().cloned().chain(unserved);
        said.extend(contradictions.map(|text| Topic::Contradiction.says(text)));
        let observed = self.site.observed.sentences.iter();
        let observed = observed.chain(&self.site.notes).cloned();
        said.extend(observed.map(|text| Topic::Observed.says(text)));
        said.retain(|sentence| !sentence.text.is_empty());
        said.sort_by_key(|sentence| sentence.topic);
        (stands, said)
    }

    fn judged(&self, work: &[WorkRow], questions: &[(Asked, u8)]) -> (Stands, Vec<Sentence>) {
        match (&self.advice.chosen, &self.advice.overload) {
            (Some(chosen), _) => self.of_chosen(chosen, work, questions),
            (None, Some(overload)) => (Stands::Overloaded, self.of_overload(overload)),
            (None, None) => {
                let first = self.advice.alternatives.first();
                let reason = first.map_or("the site allows no layout".to_owned(), |a| {
                    format!("the nearest is \"{}\": {}", self.title(&a.layout), a.why_not)
                });
                let people = self.people();
                let nothing = match first {
                    Some(full) if full.prediction.is_some() => {
                        format!("Nothing that this site has can hold its {people}'s data.")
                    }
                    Some(slow) if slow.deployment.is_some() => format!(
                        "Nothing that this site has keeps up with the work of its {people}, nor with any part of it."
                    ),
                    _ => "No layout can be built of what this site has.".to_owned(),
                };
                let said = vec![Topic::Carried.says(nothing), Topic::Ends.says(format!("{}.", capital(&reason)))];
                (Stands::Impossible, said)
            }
        }
    }

    fn people(&self) -> String {
        people(&grouped(self.site.people.developers.value))
    }

    fn of_chosen(&self, chosen: &Chosen, work: &[WorkRow], questions: &[(Asked, u8)]) -> (Stands, Vec<Sentence>) {
        let risky = risky(work);
        let saturates = may_saturate(&chosen.prediction);
        let decided = questions.first().and_then(decided);
        let misses = chosen.misses(self.site);
        let beside: Vec<&Miss> = misses.iter().filter(|m| m.is_beside_the_work()).collect();
        let is_short = chosen.memory_short.is_some();
        let factor = chosen.headroom.factor;
        let (stands, carried, ends) = if let Some(short) = &chosen.memory_short {
            let people = self.people();
            let people = self.site.peak.people(&people);
            let carried = format!("Does not carry {people}: {short}.");
            (Stands::Short, carried, self.carried(factor, "has memory for"))
        } else if !chosen.missed.is_empty() {
            let meets = format!("meets {} for", every(self.site, beside.is_empty()));
            (Stands::Misses, self.misses(&chosen.missed), self.carried(factor, &meets))
        } else {
            let is_doubtful = risky.is_some() || saturates.is_some() || decided.is_some();
            let stands = if is_doubtful || !beside.is_empty() { Stands::MayMiss } else { Stands::Carries };
            // What may miss a target is told as likely here, also where the sentence on it finds no room.
            let likely = if risky.is_some() { "likely " } else { "" };
            let carries = self.carries(chosen, beside.is_empty(), likely);
            (stands, carries, Self::then(chosen))
        };
        let mut said = vec![Topic::Carried.says(carried), Topic::Ends.says(ends)];
        let mut say = |topic: Topic, text: Option<String>| said.extend(text.map(|text| topic.says(text)));
        for (n, help) in chosen.helps.iter().take(HELPS_NAMED).enumerate() {
            // The first stays on a short screen.
            let topic = if n == 0 { Topic::Cure } else { Topic::Busiest };
            say(topic, Some(help.sentence()));
        }
        let risk = risky.map(|(risk, row)| {
            let (name, now) = (&row.name, self.site.peak.now());
            format!("Not certain: {name} may miss its target {now} (chance {risk} %).")
        });
        say(Topic::Risk, risk);
        if !is_short {
            // What misses its target now is told with what it waits for.
            let now = if chosen.missed.is_empty() { &LoadLimit::NotFound } else { &chosen.headroom.limit };
            let said = match Bottleneck::of(self.site, &chosen.prediction, now) {
                // What would help says what it goes to.
                Bottleneck::Latency { .. } => None,
                Bottleneck::Busy(busiest, busy) => {
                    let busy = two_digits(100.0 * busy);
                    let now = self.site.peak.now();
                    Some(format!("Busiest {now}: {busiest}, {busy} %."))
                }
            };
            say(Topic::Busiest, said);
            say(Topic::Risk, saturates);
        }
        if matches!(stands, Stands::Carries | Stands::MayMiss) {
            say(Topic::Space, self.space_first(chosen));
        }
        say(Topic::Question, decided);
        for caution in &chosen.cautions {
            say(Topic::Caution, Some(format!("{}.", capital(caution))));
        }
        say(Topic::Cure, self.free_cure());
        say(Topic::Missed, not_met(&beside, chosen));
        say(Topic::Kept, self.kept(chosen, &beside));
        say(Topic::Needs, self.drives_asked_for(chosen));
        let beyond = drives_beyond_stated(self.site, &chosen.deployment);
        let beyond =
            beyond.map(|(drives, there)| format!("This needs {drives} drives in the server, which has {there}."));
        say(Topic::Needs, beyond);
        (stands, said)
    }

    /// How many drives it takes where nobody answered how many there are.
    fn drives_asked_for(&self, chosen: &Chosen) -> Option<String> {
        let drives = drives_asked_for(self.site, &chosen.deployment)?;
        let other = self.other_medium(chosen);
        Some(format!(
            "This needs {drives} drives in the server; their number is not answered (server.local_disks).{other}"
        ))
    }

    /// Why the drives are of another kind than is assumed where nobody answered which.
    fn other_medium(&self, chosen: &Chosen) -> String {
        let assumed = &self.site.server.local_medium;
        let bought = chosen.choices.local.as_ref();
        let bought = bought.filter(|(medium, _)| !assumed.is_stated() && *medium != assumed.value);
        bought.map_or(String::new(), |(medium, _)| {
            let [medium, assumed] = [medium, &assumed.value].map(|id| self.catalog.media.called(id));
            format!(" They are bought as {medium}: of the {assumed}, assumed for what is there (server.local_medium), it takes too many.")
        })
    }

    /// What to set where a finding of weight goes away for nothing, by a change that costs nothing and is configuration only: of the
    /// gravest finding.
    fn free_cure(&self) -> Option<String> {
        let changes = self.catalog.changes.values();
        let is_free = |change: &&Change| change.cost.value == 0.0 && change.trouble.value == 0.0;
        let free: Vec<&String> = changes.filter(is_free).flat_map(|c| &c.mends).collect();
        let mut findings = self.advice.findings.iter();
        let finding = findings.find(|finding| {
            let weighs = finding.severity > Severity::Note && !finding.is_of_today;
            weighs && free.iter().any(|rule| *rule == finding.rule)
        })?;
        let action = finding.action.least();
        let chosen = self.advice.chosen.as_ref();
        let faster = chosen.and_then(|chosen| chosen.by_wider_windows.as_ref());
        let is_window = |change: &Change| change.actions.contains(&Action::TcpWindow);
        let mends = |change: &Change| change.mends.iter().any(|rule| rule == finding.rule);
        let mut changes = self.catalog.changes.values();
        let widens = changes.any(|change| is_window(change) && mends(change));
        let then = faster.filter(|_| widens).map_or(String::new(), |faster| {
            let [now, then] = faster.p95.map(|time| Seconds::new(time).estimated());
            format!("; {} takes {then} then in place of {now}", faster.work)
        });
        Some(format!("Free, and not yet counted in these times: {action}{then}."))
    }

    /// How long people wait after a loss, and whether that and what is lost is within the stated RTO and RPO; nothing where one
    /// is missed, or neither is stated.
    fn kept(&self, chosen: &Chosen, missed: &[&Miss]) -> Option<String> {
        let (asked, recovery) = (&self.site.protection, &chosen.recovery);
        let is_of_loss = |miss: &&&Miss| matches!(miss, Miss::Rto { .. } | Miss::Rpo { .. });
        if missed.iter().any(|miss| is_of_loss(&miss)) {
            return None;
        }
        let times = recovery.disasters.iter().filter_map(|one| one.time);
        let longest = times.map(|time| time.value).max_by(f64::total_cmp)?;
        let all = |of: fn(&Recovered) -> WindowVerdict| {
            let surely = recovery.disasters.iter().all(|one| of(one) == WindowVerdict::Met);
            if surely { "met" } else { "may be missed" }
        };
        let rto = (asked.rto.is_stated()).then(|| format!("RTO of {} {}", asked.rto.value, all(|one| one.rto)));
        let rpo = (asked.rpo.is_stated()).then(|| format!("RPO of {} {}", asked.rpo.value, all(|one| one.rpo)));
        let judged: Vec<String> = rto.into_iter().chain(rpo).collect();
        let back = Seconds::new(longest).estimated();
        (!judged.is_empty()).then(|| format!("After a loss people work again in about {back}: {}.", judged.join(", ")))
    }

    /// Which targets are missed: a few by name, the table has all.
    fn misses(&self, missed: &[String]) -> String {
        const NAMED: usize = 3;
        let named = missed[..missed.len().min(NAMED)].join("; ");
        let more = match missed.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        let targets = if missed.len() == 1 { "a target" } else { "targets" };
        let people = self.site.peak.people(&self.people());
        format!("Carries {people} and misses {targets}: {named}{more}.")
    }

    /// How long and how many people.
    fn carries(&self, chosen: &Chosen, is_all_met: bool, likely: &str) -> String {
        let h = &chosen.headroom;
        let today = self.site.peak.people(&self.people());
        let what = format!("and {likely}meets {}", every(self.site, is_all_met));
        let growth = &self.site.data.db_growth;
        let assumed = if growth.is_stated() { "" } else { ", assumed" };
        let rate = format!("at {} % growth a year{assumed}", two_digits(100.0 * growth.value.get()));
        let carried = people(&about_count(h.factor * self.site.people.developers.value));
        let load = self.site.peak.load(h.factor);
        let more =
            if h.limit.is_found() { format!("about {carried}, {load}") } else { format!("{carried} or more, {load}") };
        if h.factor < HARDLY_MORE {
            let later = h.reached_in.filter(|time| time.get() > 0.0);
            let when =
                later.map_or(String::new(), |time| format!(": it lasts {} {rate}", self.site.horizon.until(time)));
            return format!("Carries {today} {what}, with hardly any room to grow{when}.");
        }
        match h.reached_in {
            Some(time) => format!("Carries {today} {what} {} ({more}, {rate}).", self.site.horizon.until(time)),
            None => format!("Carries {today} {what}, up to {more}."),
        }
    }

    /// What ends that, and why.
    fn then(chosen: &Chosen) -> String {
        let h = &chosen.headroom;
        let limit = h.limit.to_string();
        if !h.limit.is_found() {
            return format!("{}.", capital(&limit));
        }
        // What is as busy today is no news.
        let (today, busy_today) = chosen.prediction.bottleneck();
        let office = h.limit.work().and_then(|work| work.clients.office());
        let line = office.map(Resource::line_to);
        let (resource, busy) = match &h.bottleneck {
            None => return format!("Then {limit}."),
            Some(Bottleneck::Latency { work, what, share }) => {
                return format!("Then {limit}. {}", latency(work, what, *share));
            }
            Some(Bottleneck::Busy(resource, busy)) => (resource, busy),
        };
        let is_said = {
            let is_news = *resource != today || *busy > 1.15 * busy_today;
            // The line of another office has nothing to do with what one waits for.
            let is_elsewhere =
                resource.kind() == ResourceKind::Wan && h.limit.work().is_some() && line.as_ref() != Some(resource);
            *busy > 0.5 && is_news && !is_elsewhere && h.limit.resource() != Some(resource)
        };
        if !is_said {
            return format!("Then {limit}.");
        }
        let is = if resource.are_several() { "are" } else { "is" };
        let busy = two_digits(100.0 * busy);
        // Only the office's own line is known to be what its work waits for.
        if line.as_ref() == Some(resource) {
            format!("Then {limit}. It waits for the {resource}, which {is} {busy} % busy.")
        } else {
            let resource = capital(&resource.to_string());
            format!("Then {limit}. {resource} {is} {busy} % busy then.")
        }
    }

    /// The store that is full before the load's limit is reached.
    fn space_first(&self, chosen: &Chosen) -> Option<String> {
        let load = chosen.headroom.reached_in.map_or(f64::INFINITY, Seconds::get);
        let stores = chosen.headroom.capacity.iter();
        // A store that is full before the horizon is among what is missed.
        let stores = stores.filter(|limit| !limit.is_elastic && limit.is_large_enough());
        let full = stores.filter_map(|limit| Some((limit.full_in?, limit)));
        let (time, limit) = full.min_by(|a, b| a.0.get().total_cmp(&b.0.get()))?;
        let (horizon, store) = (&self.site.horizon, &limit.store);
        (time.get() < load).then(|| {
            if limit.is_full_at(horizon) {
                let (years, until) = (horizon.time.value, horizon.until(time));
                format!("Space, bought for {years}, lasts {until}; first full: {store}.")
            } else {
                let when = horizon.when(time);
                format!("Space ends earlier, {when}; first full: {store}.")
            }
        })
    }

    /// How many people are carried where today's are not.
    fn carried(&self, factor: f64, verb: &str) -> String {
        carried(self.site, factor, verb)
    }

    fn of_overload(&self, overload: &Overload) -> Vec<Sentence> {
        let people = self.site.people.developers.value;
        let waiting = (1.0 - overload.factor) * people;
        // Where a simulation found it, the others were not all simulated.
        let which = match &overload.prediction.confirmed {
            Some(_) => "the best layouts",
            None => "any layout",
        };
        let mut said = vec![Topic::Carried.says(format!(
            "Does not carry {} with {which} that this site has: with \"{}\" {}.",
            self.site.peak.people(&self.people()),
            overload.deployment.title,
            overload.limit
        ))];
        said.push(Topic::Ends.says(self.carried(overload.factor, "keeps up with")));
        if waiting >= 1.0 {
            said.push(Topic::Ends.says(format!(
                "The work of the other {} queues up for as long as the peak lasts.",
                about_count(waiting)
            )));
        }
        said
    }
}

/// "It keeps up with about 210 of 350 people (60 % of today's peak load).": of a multiple of today's load; nothing from 1 on.
pub fn carried(site: &Site, factor: f64, verb: &str) -> String {
    if factor >= 1.0 {
        return String::new();
    }
    if factor <= FACTOR_LEAST {
        return "A smaller load does not help.".to_owned();
    }
    let today = site.people.developers.value;
    format!(
        "It {verb} about {} of {} ({}).",
        about_count(factor * today),
        people(&grouped(today)),
        site.peak.load(factor)
    )
}

/// "every assumed target", "every target of response time" where something else of what is wanted is missed.
pub(crate) fn every(site: &Site, is_all_met: bool) -> String {
    let of = if is_all_met { "" } else { " of response time" };
    format!("{}{of}", site.targets.every())
}

/// "72 % of the time of submit (Lyon) goes to round trips, with any load."
pub(crate) fn latency(work: &str, what: &str, share: f64) -> String {
    let share = Fraction::new(share).estimated();
    format!("{share} of the time of {work} goes to {what}, with any load.")
}

/// What is missed beside the work, in one sentence.
fn not_met(missed: &[&Miss], chosen: &Chosen) -> Option<String> {
    let missed = missed.iter().map(|miss| match miss.by_standby(&chosen.recovery) {
        Some(helps) => format!("{miss} ({helps})"),
        None => miss.to_string(),
    });
    let missed: Vec<String> = missed.collect();
    (!missed.is_empty()).then(|| format!("Not met: {}.", missed.join("; ")))
}

/// The case of an unanswered question, where it changes the verdict.
fn decided((asked, gravity): &(Asked, u8)) -> Option<String> {
    let assumed = &asked.value;
    (*gravity > 0).then(|| {
        format!("An unanswered question may change this: {} (assumed {assumed}; {}).", asked.question, asked.case)
    })
}

/// The kind of work that most likely misses its target though its estimate meets it, with the chance \[%\].
fn risky(work: &[WorkRow]) -> Option<(u32, &WorkRow)> {
    let risky = work.iter().filter_map(|row| {
        let target = row.target.as_ref()?;
        let risk = target.risk.filter(|risk| *risk >= RISK_SHOWN && target.is_met)?;
        Some((risk, row))
    });
    risky.max_by_key(|(risk, _)| *risk)
}
