//! How many large syncs there are a day: stated, else taken from how many were seen in flight, else assumed.
//!
//! What is stated of the number in flight, N, is an observation of a system: their rate is N over the time T of one
//! (Little 1961). T is stated (`today.large_sync_time`), or else taken from the system of today by the model, which the product does
//! once a file is read ([`Site::counted`](super::super::Site::counted)). Until then, and where that system carries nothing, it is
//! the longer of two lower bounds of what any system does (asymptotic bounds, Denning and Buzen 1978): a sync alone at the pace of
//! its client and line, and all of them sharing the clients' network, or an office's line, at 80 % of it.
//!
//! The rate is the demand: it stays the same whatever system is judged.

use super::super::answer::Answer;
use super::super::answerable::{Answerable, grouped};
use super::super::fields::Kind;
use super::super::section::{Section, known};
use super::super::sections::{Data, Infrastructure, Office, People, Server, Today, Workload};
use super::super::vocabulary::Vocabulary;
use super::workload::LARGE_SYNCS;
use crate::origin::Origin;
use crate::units::{Bytes, DAY, Fraction, PerSecond, Seconds};

/// Share of a shared link that large syncs are taken to use where nothing else says how long they take.
const OF_A_LINK: f64 = 0.8;
/// A sync may take so many times as long as at the pace of its client and line.
const LONGER: f64 = 3.0;
/// The 90th percentile of a standard normal variable: ranges hold the truth in four cases of five.
const FOUR_IN_FIVE: f64 = 1.2816;

/// What a large sync's time follows from.
pub(in crate::site) struct Paces<'a> {
    pub(in crate::site) people: &'a People,
    pub(in crate::site) data: &'a Data,
    pub(in crate::site) server: &'a Server,
    pub(in crate::site) infrastructure: &'a Infrastructure,
    pub(in crate::site) today: &'a Today,
    pub(in crate::site) vocabulary: &'a Vocabulary,
}

impl Paces<'_> {
    /// What all clients together can be sent \[B/s\]; without limit where the network is unknown.
    fn network(&self) -> f64 {
        let surroundings = self.infrastructure;
        let link = self.vocabulary.rates.get(&surroundings.client_network.value);
        let links = link.map_or(f64::INFINITY, |link| link * surroundings.client_links.value);
        let model = self.server.model.as_ref();
        let machine = model.and_then(|id| self.vocabulary.machines.get(&id.value));
        let instance = machine.and_then(|machine| machine.server.network_bandwidth.as_ref());
        links.min(instance.map_or(f64::INFINITY, |limit| limit.value.get()))
    }

    /// Distant offices, each with its share of the developers.
    fn distant(&self) -> impl Iterator<Item = (&Office, f64)> {
        let all = self.people.developers.value;
        let offices = self.people.sites.iter().filter(|o| o.is_distant());
        offices.map(move |office| (office, office.developers.value / all))
    }

    /// How long a sync of so many bytes takes alone: the mean over the offices, by their developers \[s\].
    fn alone(&self, bytes: f64, client_rate: f64) -> f64 {
        let threads = self.server.release.value.sync_threads();
        let near = bytes / client_rate.min(self.network());
        let mut far = 0.0;
        let mut main = 1.0;
        for (office, share) in self.distant() {
            let window = threads * self.server.tcp_window.value.get();
            let line = office.bandwidth.value.get();
            let pace = line.min(window / office.round_trip.value.get());
            far += share * near.max(bytes / pace);
            main -= share;
        }
        main.max(0.0) * near + far
    }

    /// How long each of `count` syncs takes at least while they share network and lines \[s\].
    fn together(&self, count: f64, bytes: f64) -> f64 {
        let all = count * bytes;
        let lines = self.distant().map(|(office, share)| all * share / (OF_A_LINK * office.bandwidth.value.get()));
        lines.fold(all / (OF_A_LINK * self.network()), f64::max)
    }
}

/// How many times smaller a file is than those of E07 (39 GB in 179,000 files); 1 for larger ones.
pub(super) fn smaller_than_e07(file: Bytes) -> f64 {
    const FILE: f64 = 218e3;
    (FILE / file.get().max(1.0)).max(1.0)
}

/// Fills in how many large syncs there are, and how many of them are in flight where nothing holds them up.
pub(in crate::site) fn large_syncs(section: &Section<'_>, workload: &mut Workload, paces: &Paces<'_>) {
    let bytes = workload.concurrent_sync_size.value.get();
    let alone = paces.alone(bytes, workload.client_rate.value.get());
    let seen = workload.concurrent_syncs.as_ref().map(|seen| seen.value);
    if workload.large_syncs_per_day.is_stated() {
        contradiction(section, workload, paces, alone);
    } else if section.reader.raw(known(LARGE_SYNCS).key()).is_none() {
        workload.large_syncs_per_day = match seen {
            Some(count) => counted(section, workload, paces, (count, alone)),
            None => assumed(section, workload, paces, alone),
        };
    }
    workload.large_syncs_at_once = seen.unwrap_or_else(|| workload.large_syncs_at_peak() * alone);
}

/// So many bytes a day for each developer, and as many more for builds as builds send more commands, in syncs of the size. Where
/// files are smaller than those of E07, which the bytes are taken from, as many files as there.
fn assumed(section: &Section<'_>, workload: &Workload, paces: &Paces<'_>, alone: f64) -> Answer<PerSecond> {
    const GB: f64 = 1e9;
    let developers = paces.people.developers.value;
    let file = paces.data.file_size.value;
    let smaller = smaller_than_e07(file);
    let people = 1.0 - workload.automation_share.value.get();
    // What nobody stated fills neither the clients' network nor an office's line of the file's own load, and has no more in flight
    // than there are people; so many times the load is so many times of it.
    let bytes = workload.concurrent_sync_size.value.get();
    let on_lines = section.times_load() / paces.together(1.0, bytes).max(f64::MIN_POSITIVE);
    let in_flight = developers / alone.max(f64::MIN_POSITIVE);
    let most = on_lines.min(in_flight) / workload.large_syncs_peak();
    let size = &workload.concurrent_sync_size.value;
    section.derive(
        LARGE_SYNCS,
        |each, _| {
            let wanted = developers * each * GB / DAY / people / smaller / size.get().max(1.0);
            wanted.min(most)
        },
        |each| {
            format!(
                "{} developers × {each} GB a day{}, over the {} of the commands that people send, in syncs of {size}",
                grouped(developers),
                if smaller > 1.0 {
                    format!(", or as many files as these are of 218 kB for files of {file}")
                } else {
                    String::new()
                },
                Answerable::shown(&Fraction::new(people), Kind::Share)
            )
        },
    )
}

/// The rate at which so many are in flight.
fn counted(
    section: &Section<'_>,
    workload: &Workload,
    paces: &Paces<'_>,
    (count, alone): (f64, f64),
) -> Answer<PerSecond> {
    let bytes = workload.concurrent_sync_size.value.get();
    let stated = paces.today.large_sync_time.as_ref().map(|t| t.value.get());
    let together = paces.together(count, bytes);
    let time = stated.unwrap_or_else(|| alone.max(together));
    let at_most = if stated.is_some() { 1.0 } else { LONGER };
    let peak = workload.large_syncs_peak();
    // So many of a Poisson number were seen.
    let spread = FOUR_IN_FIVE * count.sqrt();
    let rate = |count: f64, time: f64| PerSecond::new(count / time.max(f64::MIN_POSITIVE) / peak);
    let why = match stated {
        Some(_) => "of today.large_sync_time",
        None if together > alone => {
            "that all of them take at least, sharing the clients' network or an office's line at 80 % of it"
        }
        None => "that one takes at least, at the pace of its client and line",
    };
    let value = rate(count, time);
    let how = format!(
        "{} in flight at the peak (workload.concurrent_syncs) over the {} {why}, over {} times the mean = {}",
        grouped(count),
        Seconds::new(time),
        Answerable::shown(&peak, Kind::Number),
        Answerable::shown_assumed(&value, Kind::Rate),
    );
    let origin = Origin::Derived { ids: vec!["workload.concurrent_syncs".to_owned()], how };
    let fewest = rate((count - spread).max(count / 4.0), time * at_most);
    section.assume(LARGE_SYNCS, value, fewest, rate(count + spread, time), origin)
}

/// A rate and a number in flight that do not fit each other by more than their ranges: the rate is used.
fn contradiction(section: &Section<'_>, workload: &Workload, paces: &Paces<'_>, alone: f64) {
    let (Some(seen), rate) = (&workload.concurrent_syncs, workload.large_syncs_at_peak()) else {
        return;
    };
    let stated = paces.today.large_sync_time.as_ref().map(|t| t.value.get());
    let fewest = rate * stated.unwrap_or(alone);
    let most = rate * stated.unwrap_or(alone * LONGER);
    let low = fewest - FOUR_IN_FIVE * fewest.sqrt() - 1.0;
    let high = most + FOUR_IN_FIVE * most.sqrt() + 1.0;
    if (low..=high).contains(&seen.value) {
        return;
    }
    let range = |low: String, high: String| {
        if low == high { low } else { format!("{low} to {high}") }
    };
    let message = format!(
        "{} large syncs in flight at the peak (workload.concurrent_syncs, {}), and workload.large_syncs_per_day = {} ({}) makes {} of them \
         at {} each; the rate is used",
        grouped(seen.value),
        seen.origin,
        Answerable::shown(&workload.large_syncs_per_day.value, Kind::Rate),
        workload.large_syncs_per_day.origin,
        range(grouped(fewest.round()), grouped(most.round().max(1.0))),
        range(
            Seconds::new(stated.unwrap_or(alone)).estimated(),
            Seconds::new(stated.unwrap_or(alone * LONGER)).estimated(),
        ),
    );
    let help = "check both numbers, workload.large_syncs_peak_to_mean and the size of a sync; leave out the one that is less certain";
    section.contradicts("workload.concurrent_syncs", "SIT114", &message, help);
}
