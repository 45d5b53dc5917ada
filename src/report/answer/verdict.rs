//! The verdict: whether the work is carried, for how long, for how many people, and what gives way first.

use serde::Serialize;

use super::super::prediction_text::may_saturate;
use super::super::prose::{about_count, capital, grouped, list, load_in_words};
use super::work::WorkRow;
use super::{Asked, Told};
use crate::advisor::{
    Chosen, Disaster, FACTOR_LEAST, Overload, drives_asked_for, drives_beyond_stated,
};
use crate::system::memory::ServerMemory;
use crate::system::{Resource, ResourceKind};
use crate::units::{Seconds, two_digits};

/// Whether a deployment carries today's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stands {
    /// It does, and meets every target.
    Carries,
    /// It does by the estimate; the interval of a time crosses its target, or an unanswered question decides.
    MayMiss,
    /// It does, and misses a target.
    Misses,
    /// Memory is missing.
    Short,
    /// No layout of this site can keep up with today's load.
    Overloaded,
    /// Nothing that the site has can hold its data.
    Impossible,
}

/// How the sentence begins that names the busiest resource.
pub const BUSIEST: &str = "Busiest today";
/// How the sentence begins that names an unanswered question.
pub(in crate::report) const UNANSWERED: &str = "An unanswered question may change this";
/// A chance of missing a target below this is not in the verdict \[%\].
const RISK_SHOWN: u32 = 10;
/// Below this multiple of today's load there is hardly any room to grow.
pub(in crate::report) const HARDLY_MORE: f64 = 1.1;

impl Told<'_> {
    /// Whether the work is carried, and the sentences; `questions` are the unanswered ones, gravest first.
    pub(super) fn verdict(
        &self,
        work: &[WorkRow],
        questions: &[(Asked, u8)],
    ) -> (Stands, Vec<String>) {
        let (stands, mut said) = self.judged(work, questions);
        // Behind what is carried and what ends it, so that no screen is too small for any of them.
        let main = said.len().min(2);
        let observed = self.site.observed.sentences.iter();
        let behind = observed
            .map(|text| self.named(text))
            .chain(self.site.contradictions.iter().cloned())
            .chain(self.site.notes.iter().cloned());
        said.splice(main..main, behind);
        (stands, said)
    }

    fn judged(&self, work: &[WorkRow], questions: &[(Asked, u8)]) -> (Stands, Vec<String>) {
        match (&self.advice.chosen, &self.advice.overload) {
            (Some(chosen), _) => self.of_chosen(chosen, work, questions),
            (None, Some(overload)) => (Stands::Overloaded, self.of_overload(overload)),
            (None, None) => {
                let first = self.advice.alternatives.first();
                let reason = first.map_or("the site allows no layout".to_owned(), |a| {
                    format!(
                        "the nearest is \"{}\": {}",
                        self.title(&a.layout),
                        a.why_not
                    )
                });
                let said = vec![
                    format!(
                        "Nothing that this site has can hold its {} people's data.",
                        self.people()
                    ),
                    format!("{}.", capital(&self.named(&reason))),
                ];
                (Stands::Impossible, said)
            }
        }
    }

    fn people(&self) -> String {
        grouped(self.site.people.developers.value)
    }

    fn of_chosen(
        &self,
        chosen: &Chosen,
        work: &[WorkRow],
        questions: &[(Asked, u8)],
    ) -> (Stands, Vec<String>) {
        let mut said = Vec::new();
        let risky = risky(work);
        let saturates = may_saturate(&chosen.prediction);
        let decided = questions.first().and_then(decided);
        let is_short = chosen.memory.servers.iter().any(ServerMemory::is_short);
        let stands = if is_short {
            said.push(format!(
                "Does not carry today's {} people: memory is missing.",
                self.people()
            ));
            said.push(self.carried(chosen.headroom.factor, "has memory for"));
            Stands::Short
        } else if !chosen.missed.is_empty() {
            said.push(self.misses(&chosen.missed));
            said.push(self.carried(
                chosen.headroom.factor,
                &format!("meets {} for", self.site.targets.every()),
            ));
            Stands::Misses
        } else {
            said.push(self.carries(chosen));
            said.push(self.then(chosen));
            said.extend(self.space_first(chosen));
            if risky.is_some() || saturates.is_some() || decided.is_some() {
                Stands::MayMiss
            } else {
                Stands::Carries
            }
        };
        if let (busiest, busy) = chosen.prediction.bottleneck()
            && stands != Stands::Short
        {
            said.push(format!(
                "{BUSIEST}: {}, {} %.",
                self.named(&busiest.to_string()),
                two_digits(100.0 * busy)
            ));
        }
        said.extend(risky);
        said.extend(saturates.filter(|_| stands != Stands::Short));
        said.extend(decided);
        let cautions = chosen.cautions.iter();
        let cautions = cautions.map(|c| format!("{}.", capital(&self.named(c))));
        let unprotected = chosen.recovery.missed(&self.site.protection);
        let lost = unprotected.map(|(lost, missed)| {
            let lost = match lost {
                Disaster::CommitServer => "the commit server".to_owned(),
                Disaster::Store(array) => self.named(array),
            };
            let is = if missed.len() == 1 { "is" } else { "are" };
            format!(
                "If {lost} is lost, the stated {} {is} missed.",
                list(&missed)
            )
        });
        // Behind the sentence that says what ends it, which begins with "Then".
        let place = match stands {
            Stands::Carries | Stands::MayMiss => 2,
            _ => 1,
        };
        said.splice(place..place, lost.into_iter().chain(cautions));
        if let Some(drives) = drives_asked_for(self.site, &chosen.deployment) {
            said.push(format!(
                "This needs {drives} drives in the server; their number is not answered (server.local_disks)."
            ));
        }
        if let Some((drives, there)) = drives_beyond_stated(self.site, &chosen.deployment) {
            said.push(format!(
                "This needs {drives} drives in the server, which has {there}."
            ));
        }
        said.retain(|sentence| !sentence.is_empty());
        (stands, said)
    }

    /// Which targets are missed: a few by name, the table has all.
    fn misses(&self, missed: &[String]) -> String {
        const NAMED: usize = 3;
        let named = self.named(&missed[..missed.len().min(NAMED)].join("; "));
        let more = match missed.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        let targets = if missed.len() == 1 {
            "a target"
        } else {
            "targets"
        };
        let people = self.people();
        format!("Carries today's {people} people and misses {targets}: {named}{more}.")
    }

    /// How long and how many people.
    fn carries(&self, chosen: &Chosen) -> String {
        let h = &chosen.headroom;
        let people = self.people();
        let what = format!("and meets {}", self.site.targets.every());
        let growth = &self.site.data.db_growth;
        let assumed = if growth.is_stated() { "" } else { ", assumed" };
        let rate = format!(
            "at {} % growth a year{assumed}",
            two_digits(100.0 * growth.value.get())
        );
        let carried = about_count(h.factor * self.site.people.developers.value);
        let load = load_in_words(h.factor);
        let more = if h.limit.is_found() {
            format!("about {carried} people, {load}")
        } else {
            format!("{carried} people or more, {load}")
        };
        if h.factor < HARDLY_MORE {
            let later = h.reached_in.filter(|time| time.get() > 0.0);
            let when = later.map_or(String::new(), |time| {
                format!(": it lasts {} {rate}", self.site.horizon.until(time))
            });
            return format!(
                "Carries today's {people} people {what}, with hardly any room to grow{when}."
            );
        }
        match h.reached_in {
            Some(time) => format!(
                "Carries today's {people} people {what} {} ({more}, {rate}).",
                self.site.horizon.until(time)
            ),
            None => format!("Carries today's {people} people {what}, up to {more}."),
        }
    }

    /// What ends that, and why.
    fn then(&self, chosen: &Chosen) -> String {
        let h = &chosen.headroom;
        let limit = self.named(&h.limit.to_string());
        if !h.limit.is_found() {
            return format!("{}.", capital(&limit));
        }
        // What is as busy today does not explain it.
        let (today, busy_today) = chosen.prediction.bottleneck();
        let because = h.busiest.as_ref().filter(|(resource, busy)| {
            let is_news = *resource != today || *busy > 1.15 * busy_today;
            // The line of another office does not explain what one waits for.
            let office = h.limit.work().and_then(|work| work.clients.office());
            let is_elsewhere = resource.kind() == ResourceKind::Wan
                && h.limit.work().is_some()
                && office.map(Resource::line_to).as_ref() != Some(resource);
            *busy > 0.5 && is_news && !is_elsewhere && h.limit.resource() != Some(resource)
        });
        let because = because.map_or(String::new(), |(resource, busy)| {
            format!(
                ": {} {} {} % busy then",
                self.named(&resource.to_string()),
                if resource.are_several() { "are" } else { "is" },
                two_digits(100.0 * busy)
            )
        });
        format!("Then {limit}{because}.")
    }

    /// The store that is full before the load's limit is reached.
    fn space_first(&self, chosen: &Chosen) -> Option<String> {
        let load = chosen
            .headroom
            .reached_in
            .map_or(f64::INFINITY, Seconds::get);
        let stores = chosen.headroom.capacity.iter();
        let stores = stores.filter(|limit| !limit.is_elastic);
        let full = stores.filter_map(|limit| Some((limit.full_in?, limit)));
        let (time, limit) = full.min_by(|a, b| a.0.get().total_cmp(&b.0.get()))?;
        (time.get() < load).then(|| {
            format!(
                "Space ends earlier, {}: {} must grow by then.",
                self.site.horizon.when(time),
                self.named(&limit.store)
            )
        })
    }

    /// How many people are carried where today's are not.
    fn carried(&self, factor: f64, verb: &str) -> String {
        if factor >= 1.0 {
            return String::new();
        }
        if factor <= FACTOR_LEAST {
            return "A smaller load does not help.".to_owned();
        }
        let people = self.site.people.developers.value;
        format!(
            "It {verb} about {} of {} people ({}).",
            about_count(factor * people),
            self.people(),
            load_in_words(factor)
        )
    }

    fn of_overload(&self, overload: &Overload) -> Vec<String> {
        let people = self.site.people.developers.value;
        let waiting = (1.0 - overload.factor) * people;
        // Where a simulation found it, the others were not all simulated.
        let which = match &overload.prediction.confirmed {
            Some(_) => "the best layouts",
            None => "any layout",
        };
        let mut said = vec![format!(
            "Does not carry today's {} people with {which} that this site has: with \"{}\" {}.",
            self.people(),
            overload.deployment.title,
            self.named(&overload.limit.to_string())
        )];
        said.push(self.carried(overload.factor, "keeps up with"));
        if waiting >= 1.0 {
            said.push(format!(
                "The work of the other {} queues up for as long as the peak lasts.",
                about_count(waiting)
            ));
        }
        said
    }
}

/// The case of an unanswered question, where it changes the verdict.
fn decided((asked, gravity): &(Asked, u8)) -> Option<String> {
    let assumed = asked.assumed.split(" (").next().unwrap_or_default();
    (*gravity > 0).then(|| {
        format!(
            "{UNANSWERED}: {} (assumed {assumed}; {}).",
            asked.question, asked.case
        )
    })
}

/// The kind of work that most likely misses its target though its estimate meets it.
fn risky(work: &[WorkRow]) -> Option<String> {
    let risky = work.iter().filter_map(|row| {
        let target = row.target.as_ref()?;
        let risk = target
            .risk
            .filter(|risk| *risk >= RISK_SHOWN && target.is_met)?;
        Some((risk, row))
    });
    let (risk, row) = risky.max_by_key(|(risk, _)| *risk)?;
    Some(format!(
        "Not certain: {} may miss its target today (chance {risk} %).",
        row.name
    ))
}
