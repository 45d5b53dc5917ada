//! Today's system and what to change first: one object for text, JSON and the window.

mod page;
mod source;
mod text;

use schemars::JsonSchema;
use serde::Serialize;

use super::answer::FindingRow;
use super::json::object;
use super::prose::{about_count, list};
use super::{Header, Inputs};
use crate::advisor::today::{Effect, Slower, TodayAdvice};
use crate::catalog::Catalog;
use crate::site::{Peak, Site};
use crate::units::{Seconds, two_digits};
use source::TodaySource;

pub use page::taken_section;
pub use text::{today_screen, today_text};

/// Today's system and what to change first.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TodayAnswer {
    /// The site's name.
    pub title: String,
    /// Whether today's system meets what the site wants.
    pub meets_targets: bool,
    /// What it does and what limits it, in sentences; where the system is assumed, the first says so.
    pub verdict: Vec<String>,
    /// Where everything lies today, with the server and the network.
    pub volumes: Vec<Place>,
    /// "8 cores, 64 GB of memory, p4d 2019.1; one link of 1 Gb/s Ethernet to the clients".
    pub server: String,
    /// What nobody stated of it, and where it is taken from.
    pub taken: Vec<Taken>,
    /// Multiple of today's peak load that it carries; none where that is not known, or where even the least load misses a target.
    pub factor: Option<f64>,
    /// The same as people.
    pub people: Option<f64>,
    /// What limits it.
    pub limit: String,
    /// The store that is too small or fills before the horizon; none where there is room.
    pub space: Option<String>,
    /// Times at today's peak.
    pub times: Vec<TimeRow>,
    /// What the rules find in it, gravest first.
    pub findings: Vec<FindingRow>,
    /// Single changes that give something, best first.
    pub changes: Vec<ChangeRow>,
    /// Changes that give nothing.
    pub no_gain: Vec<ChangeRow>,
    /// Those of them that give more together with another change, which comes first.
    pub only_together: Vec<ChangeRow>,
    /// The best two together; none where no two give more than the better of them.
    pub pair: Option<ChangeRow>,
    /// The best plan, one change after the other: what holds after each.
    pub plan: Vec<ChangeRow>,
    /// What the plan comes to, in sentences.
    pub plan_verdict: String,
    /// What today's system misses of what the site wants, and whether a step of the plan brings it nearer.
    pub missed: Vec<MissedRow>,
    /// How the plan relates to the layout that `advise` recommends, in sentences; nothing where none is.
    pub target: String,
}

/// Something that the site wants and today's system does not give.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MissedRow {
    /// What: "submit", "night window".
    pub name: String,
    /// What is missed of it.
    pub text: String,
    /// Whether a step of the plan meets it or brings it nearer; where none does, no change of the catalogue is one.
    pub plan_helps: bool,
    /// What it comes from; empty where nothing is known.
    pub cause: String,
}

/// Where something lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Place {
    /// "database, journal".
    pub roles: String,
    /// "6 local 10,000 /min disks (600 GB) in RAID 5, NTFS".
    pub place: String,
}

/// What nobody stated of today's system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Taken {
    /// Of what.
    pub of: String,
    /// What.
    pub what: &'static str,
    /// What is taken.
    pub value: String,
    /// From where.
    pub from: String,
}

/// The time of one kind of work.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TimeRow {
    /// Which kind of work.
    pub name: String,
    /// 95th percentile today \[s\]; none where today's peak is overloaded.
    pub before_s: Option<f64>,
    /// The same after a change; for today's system itself the same as before.
    pub after_s: Option<f64>,
    /// What the site wants \[s\]; none of large syncs of which it wants nothing.
    pub target_s: Option<f64>,
    /// Who states it, or why it is assumed.
    pub target_origin: Option<String>,
    /// The same for a person: "11 s (assumed)".
    #[serde(skip)]
    pub target: String,
}

/// A change, or several together, and what they give.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ChangeRow {
    /// The peak that its loads are multiples of.
    #[serde(skip)]
    pub peak: Peak,
    /// The changes, in the order in which they are made.
    pub changes: Vec<PartRow>,
    /// What it is: the titles of all.
    pub title: String,
    /// Multiple of today's peak load that is carried after it; none as for today's system.
    pub factor: Option<f64>,
    /// The same as people.
    pub people: Option<f64>,
    /// Whether these are clearly more than are carried today.
    #[serde(skip)]
    pub carries_more: bool,
    /// Kinds of work whose target is met only after it, and what else is of what is wanted: "RTO", "night window".
    pub fixes: Vec<String>,
    /// How many targets of response times are met after it; none where it is overloaded.
    pub met: Option<usize>,
    /// How many there are.
    pub targets: usize,
    /// What is wanted and nearer after it, but not met.
    pub eases: Vec<String>,
    /// Signs of `today.signs` that the rules of its changes are about.
    pub mends: Vec<String>,
    /// Kinds of work that take clearly longer after it.
    pub slows: Vec<SlowRow>,
    /// What limits the system then.
    pub limit: String,
    /// Whether anything does.
    #[serde(skip)]
    pub is_limited: bool,
    /// Targets that are still missed.
    pub missed: Vec<String>,
    /// Times before and after.
    pub times: Vec<TimeRow>,
    /// How long p4d is down for all of them \[s\].
    pub down_time_s: f64,
    /// The same in words.
    pub down_time: String,
    /// Grade of trouble, 0 to 4: the highest.
    pub trouble: f64,
    /// The same in words.
    pub trouble_means: &'static str,
    /// Grades of cost, 0 to 5 each: their sum.
    pub cost: f64,
}

/// A kind of work that takes longer after a change.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SlowRow {
    /// Which it is.
    pub name: String,
    /// Multiple of today's peak load at which both are.
    pub load_factor: f64,
    /// 95th percentile today \[s\].
    pub before_s: f64,
    /// The same after it.
    pub after_s: f64,
    /// Where most of the longer time goes.
    pub goes_to: &'static str,
}

impl SlowRow {
    fn of(slower: &Slower) -> Self {
        let [before_s, after_s] = slower.p95;
        Self {
            name: slower.name.clone(),
            load_factor: slower.factor,
            before_s,
            after_s,
            goes_to: slower.kind.in_words(),
        }
    }
}

/// One change of the catalogue.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PartRow {
    /// Its id in `models/changes`.
    pub id: String,
    /// What it is.
    pub title: String,
    /// What it does.
    pub does: String,
    /// What can go wrong.
    pub risk: String,
    /// How long p4d is down \[s\].
    pub down_time_s: f64,
    /// Grade of trouble, 0 to 4.
    pub trouble: f64,
    /// Grade of cost, 0 to 5.
    pub cost: f64,
    /// What is done, in order.
    pub steps: Vec<String>,
}

/// What grades of trouble mean.
const TROUBLE: [&str; 5] = ["configuration only", "restart", "new hardware", "data migration", "new server"];

/// What a grade of trouble means.
fn trouble_in_words(trouble: f64) -> &'static str {
    TROUBLE.get(trouble as usize).copied().unwrap_or("new server")
}

impl TodayAnswer {
    /// Title of where everything lies.
    pub const VOLUMES: &'static str = "Volumes and server";
    /// Title of the findings.
    pub const FINDINGS: &'static str = "What is wrong";
    /// Title of the changes.
    pub const CHANGES: &'static str = "What to change first";

    /// Of an analysis.
    pub fn of(site: &Site, catalog: &Catalog, advice: &TodayAdvice) -> Self {
        let told = TodaySource { site, catalog, advice };
        let rows = |effects: &[Effect]| effects.iter().map(|e| told.row(e)).collect::<Vec<_>>();
        let findings = advice.findings.iter().map(FindingRow::of);
        Self {
            title: site.name.clone(),
            meets_targets: !advice.falls_short(),
            verdict: told.verdict(),
            volumes: told.volumes(),
            server: told.server(),
            taken: told.taken(),
            factor: told.factor(&advice.today),
            people: told.people(&advice.today),
            limit: advice.today.limit.to_string(),
            space: told.space(),
            times: told.times(&advice.today),
            findings: findings.collect(),
            changes: rows(&advice.singles),
            no_gain: rows(&advice.useless),
            only_together: rows(&advice.only_together),
            pair: advice.pair.as_ref().map(|pair| told.row(pair)),
            plan_verdict: told.plan_verdict(),
            target: told.target(),
            missed: told.missed(),
            plan: rows(&advice.plan),
        }
    }
}

impl ChangeRow {
    /// "meets submit", "submit 12 × faster", "more people".
    pub fn what_it_fixes(&self) -> String {
        /// As much faster as is worth naming beside more people, and at all.
        const MUCH: f64 = 1.5;
        const AT_ALL: f64 = 1.1;
        let gives = if self.fixes.is_empty() {
            let much = self.faster(MUCH);
            let more = self.carries_more.then(|| "more people".to_owned());
            let nearer = (!self.eases.is_empty()).then(|| format!("{} nearer", list(&self.eases)));
            nearer.or(much).or(more).or_else(|| self.faster(AT_ALL)).unwrap_or_else(|| "little".to_owned())
        } else {
            self.meets()
        };
        match self.slows.first() {
            Some(slow) => format!("{gives}; slows {}", slow.name),
            None => gives,
        }
    }

    /// "meets submit and edit", "meets 25 of 40 targets and RTO": by name where these are few.
    fn meets(&self) -> String {
        const NAMED: usize = 3;
        /// Letters of so many lines of a column.
        const LETTERS: usize = 50;
        let names = list(&self.fixes);
        let is_short = self.fixes.len() <= NAMED && names.chars().count() <= LETTERS;
        let is_of_work = |name: &&String| self.times.iter().any(|time| time.name == **name);
        let (of_work, beside): (Vec<_>, Vec<_>) = self.fixes.iter().partition(is_of_work);
        match self.met.filter(|_| of_work.len() > 1 && !is_short) {
            Some(met) => {
                let count = format!("{met} of {} targets", self.targets);
                let met = [count].into_iter().chain(beside.into_iter().cloned());
                format!("meets {}", list(&met.collect::<Vec<_>>()))
            }
            None => format!("meets {names}"),
        }
    }

    /// The heads of [`Self::time_rows`].
    pub const TIME_HEADS: [&'static str; 4] = ["95 % within", ">today", ">after it", ">target"];

    /// Times of each kind of work today and after it, beside its target.
    pub fn time_rows(&self) -> Vec<[String; 4]> {
        let shown = |s: Option<f64>, none: &str| s.map_or(none.to_owned(), |s| Seconds::new(s).estimated());
        let rows = self.times.iter().map(|time| {
            [
                time.name.clone(),
                shown(time.before_s, "overloaded"),
                shown(time.after_s, "overloaded"),
                time.target.clone(),
            ]
        });
        rows.collect()
    }

    /// "submit 12 × faster": what gains most; none where nothing is so many times as fast.
    fn faster(&self, least: f64) -> Option<String> {
        let judged = self.times.iter();
        let gains = judged.filter_map(|time| Some((time, time.before_s? / time.after_s?)));
        let (time, times) = gains.max_by(|a, b| a.1.total_cmp(&b.1))?;
        let words = if times < 100.0 { two_digits(times) } else { about_count(times) };
        (times >= least).then(|| format!("{} {words} × faster", time.name))
    }

    /// "about 3,700 people (70 % of today's peak load)".
    fn carried(&self) -> Option<String> {
        let load = self.peak.load(self.factor?);
        Some(carried(self.people?, &load, self.is_limited))
    }

    /// "submit takes 1.2 s in place of 0.8 s: more of its time goes to the drives".
    fn slower(&self) -> Option<String> {
        let slow = self.slows.first()?;
        let [after, before] = [slow.after_s, slow.before_s].map(|s| Seconds::new(s).estimated());
        let more = match self.slows.len() {
            1 => "",
            _ => ", and other work longer too",
        };
        let load =
            if slow.load_factor == 1.0 { String::new() } else { format!(" at {}", self.peak.load(slow.load_factor)) };
        Some(format!(
            "{} takes {after} in place of {before}{load}{more}: more of its time goes to {}",
            slow.name, slow.goes_to
        ))
    }

    /// The same as a step of a plan: what the steps before it meet is not told again.
    #[must_use]
    pub fn after(&self, before: Option<&Self>) -> Self {
        let mut step = self.clone();
        if let Some(before) = before {
            step.fixes.retain(|fixed| !before.fixes.contains(fixed));
            step.eases.retain(|eased| !before.eases.contains(eased));
            step.mends.retain(|sign| !before.mends.contains(sign));
        }
        // What was made before is no trouble of the step.
        if let Some(new) = step.changes.last() {
            step.trouble_means = trouble_in_words(new.trouble);
        }
        step
    }

    /// "about 3,700 people; meets submit and edit; then …".
    pub fn gives(&self) -> String {
        let mut said: Vec<String> = self.carried().into_iter().collect();
        if !self.fixes.is_empty() {
            said.push(self.meets());
        }
        if !self.eases.is_empty() {
            said.push(format!("{} nearer", list(&self.eases)));
        }
        if !self.mends.is_empty() {
            said.push(format!("against what was seen ({})", list(&self.mends)));
        }
        said.extend(self.slower());
        let all = if self.changes.len() > 1 { ", all steps so far together" } else { "" };
        said.push(if self.down_time_s > 0.0 {
            format!("p4d is down for {}{all}", self.down_time)
        } else {
            "no down time".to_owned()
        });
        said.push(self.trouble_means.to_owned());
        said.join("; ")
    }
}

impl PartRow {
    /// "Risk: … Down time: 2 h; cost 1 of 5."
    pub fn risk_and_cost(&self) -> String {
        let down = down_in_words(self.down_time_s);
        format!("Risk: {} Down time: {down}; cost {} of 5.", self.risk, self.cost)
    }
}

/// "3,700"; "0" where a target is missed with any number of people.
pub fn people_in_words(people: Option<f64>) -> String {
    people.map_or_else(|| "0".to_owned(), about_count)
}

/// "about 210 people (70 % of today's peak load)".
fn carried(people: f64, load: &str, is_limited: bool) -> String {
    let people = crate::advisor::people(&about_count(people));
    if !is_limited {
        return format!("{people} or more ({load})");
    }
    format!("about {people} ({load})")
}

/// "2 h", "none".
fn down_in_words(seconds: f64) -> String {
    if seconds > 0.0 { Seconds::new(seconds).estimated() } else { "none".to_owned() }
}

object! {
    /// `advise --from-today`: what today's system does, and what to change first.
    FromToday of (inputs: &Inputs<'_>, today: TodayAnswer) {
        #[serde(flatten)] header: Header = inputs.header();
        site: String = inputs.site.name.clone(), "The site's name.";
        today: TodayAnswer = today, "The answer.";
    }
}
