//! What brings a deployment back after a disaster, how long that takes, and how much work is lost.

use super::{Availability, Disaster, Recovered, Subject, Verdict};
use crate::advisor::{people, standby};
use crate::catalog::Called;
use crate::site::Backup;
use crate::system::{Durations, Interval, Job, Mount, Numbers, Prediction, role_in_words};
use crate::units::{grouped, list};

/// Roles of which a copy matters.
const COPIED: [&str; 4] = ["db", "journal", "depot", "checkpoint"];

/// What a disaster takes.
#[derive(Debug, Clone, Copy)]
struct Gone {
    /// Whether the volume of each of [`COPIED`] goes.
    roles: [bool; 4],
    /// Whether no backup has what goes.
    for_good: bool,
}

/// How people get to work again.
struct WayBack {
    /// How long it takes \[s\]; none where nothing brings the data back.
    time: Option<Interval>,
    /// In words.
    how: String,
    /// The job that it rests on.
    by: Option<Job>,
}

impl Subject<'_> {
    pub(super) fn disasters(&self, durations: &Durations, shown: &Prediction, used: &mut Numbers) -> Vec<Recovered> {
        let behind = self.behind(shown, used);
        let mut all = vec![self.disaster(Disaster::CommitServer, durations, behind, used)];
        let mut seen: Vec<&str> = Vec::new();
        for mount in &self.deployment.volumes {
            // The volumes and buckets of a cloud outlive its machines; what loses them loses the region.
            let outlives = mount.is_private() || mount.is_object(self.catalog);
            if outlives || seen.contains(&mount.device.as_str()) {
                continue;
            }
            seen.push(&mount.device);
            let lost = Disaster::Store(self.catalog.arrays.named(&mount.device));
            all.push(self.disaster(lost, durations, behind, used));
        }
        all
    }

    /// How far a standby is behind \[s\]; `None` where there is no standby.
    fn behind(&self, shown: &Prediction, used: &mut Numbers) -> Option<Interval> {
        if !self.has_standby() {
            return None;
        }
        let of_layout = self.deployment.standby.as_ref();
        let lag = self.parameter(used, "standby.lag");
        let behind = of_layout.and_then(|standby| standby::behind(self.site, self.catalog, standby, shown, lag));
        Some(behind.unwrap_or(lag))
    }

    fn disaster(
        &self,
        lost: Disaster,
        durations: &Durations,
        behind: Option<Interval>,
        used: &mut Numbers,
    ) -> Recovered {
        let gone = self.gone(&lost);
        let spare = self.parameter(used, "spare.ready");
        let (way, loses, survives) = if let Some(behind) = behind {
            let loses = behind.value.is_finite().then_some(behind);
            let survives = "the standby has all but what it is behind";
            (self.takes_over(used), loses, survives)
        } else {
            let (loses, survives) = self.loses(gone, used);
            let way = self.comes_back(&lost, gone, spare, durations);
            (way, loses, survives)
        };
        let WayBack { time, how, by } = way;
        let asked = &self.site.protection;
        let (rto, rpo) = (asked.rto.value.get(), asked.rpo.value.get());
        Recovered {
            rto: time.map_or(Verdict::Missed, |time| Verdict::of(time, rto)),
            rpo: loses.map_or(Verdict::Missed, |loses| Verdict::of(loses, rpo)),
            lost,
            time,
            loses,
            how,
            by,
            journal: survives.to_owned(),
        }
    }

    fn gone(&self, lost: &Disaster) -> Gone {
        let is_lost = |mount: &Mount| match lost {
            Disaster::CommitServer => mount.is_local(),
            Disaster::Store(array) => mount.device == array.id,
        };
        let goes = |role: &str| self.deployment.mount(role).is_some_and(is_lost);
        let [db, journal, depot, checkpoint] = COPIED.map(goes);
        // A snapshot lies on the disks that it is of; on a server's own there is none.
        let backup = self.site.protection.backup.value;
        let is_backed_up = matches!(backup, Backup::Tape | Backup::Checkpoint);
        Gone { roles: [db, journal, depot, checkpoint], for_good: (depot || (db && checkpoint)) && !is_backed_up }
    }

    /// The standby takes over.
    fn takes_over(&self, used: &mut Numbers) -> WayBack {
        let how = match &self.deployment.standby {
            Some(standby) => {
                let place = standby.place();
                let slower = standby.office.as_ref().and_then(|id| self.far_away(id));
                format!("the standby in {place} takes over{}", slower.unwrap_or_default())
            }
            None => "the standby takes over".to_owned(),
        };
        WayBack { time: Some(self.parameter(used, "standby.switch")), how, by: None }
    }

    /// What a standby in an office means for the people of the main one.
    fn far_away(&self, office: &str) -> Option<String> {
        let all = &self.site.people;
        let mut offices = all.sites.iter();
        let trip = offices.find(|one| one.name == office)?.round_trip.value;
        let distant = all.sites.iter().filter(|one| one.is_distant());
        let distant: f64 = distant.map(|one| one.developers.value).sum();
        let main = (all.developers.value - distant).max(0.0);
        (main >= 1.0).then(|| {
            let main = people(&grouped(main));
            format!("; then {main} of the main office work from {trip} away, with that round trip in each command")
        })
    }

    /// What brings people back to work without a standby, with `spare` for the machine or store.
    fn comes_back(&self, lost: &Disaster, gone: Gone, spare: Interval, durations: &Durations) -> WayBack {
        let [db, _, depot, checkpoint] = gone.roles;
        if gone.for_good {
            let names: Vec<&str> = COPIED
                .into_iter()
                .zip(gone.roles)
                .filter(|(_, goes)| *goes)
                .map(|(role, _)| role_in_words(role))
                .collect();
            let why = match (self.site.protection.backup.value, lost) {
                (Backup::Snapshots, Disaster::Store(_)) => "with their snapshots",
                (Backup::Snapshots, _) => "since a server's own disks take no snapshots",
                _ => "since there is no backup",
            };
            return WayBack { time: None, how: format!("{} are gone {why}", list(&names)), by: None };
        }
        let (by, how) = if depot {
            let how = "a spare, then database and depots from the backup";
            (Some(Job::Restore), how)
        } else if db && checkpoint {
            let how = "a spare, then the database from the backup";
            (Some(Job::RestoreDatabase), how)
        } else if db {
            let how = "a spare, then the last checkpoint is replayed";
            (Some(Job::Replay), how)
        } else {
            let how = match lost {
                Disaster::CommitServer => "a spare server on the same volumes",
                Disaster::Store(_) => "a spare store; database and depots lie elsewhere",
            };
            (None, how)
        };
        let job = by.and_then(|job| durations.time(job));
        WayBack { time: Some(job.map_or(spare, |job| plus(spare, job))), how: how.to_owned(), by }
    }

    /// The most work that is lost without a standby, counted in time \[s\], none where all is; and what survives, in words.
    fn loses(&self, gone: Gone, used: &mut Numbers) -> (Option<Interval>, &'static str) {
        let [_, journal, depot, _] = gone.roles;
        if gone.for_good {
            return (None, "nothing brings it back");
        }
        if !journal && !depot {
            let survives = "the journal survives: every commit is in it";
            return (Some(Interval::exact(0.0)), survives);
        }
        let interval = self.parameter(used, "backup.interval");
        let survives = if journal {
            "the journal written after the last backup is lost with it"
        } else {
            "archives written after the last backup are lost with it"
        };
        (Some(Interval::exact(interval.value)), survives)
    }

    /// Each failure of the commit server takes as long as its recovery.
    pub(super) fn availability(&self, disasters: &[Recovered], used: &mut Numbers) -> Option<Availability> {
        let down = disasters.first()?.time?.value;
        let between = self.parameter(used, "server.failures").value;
        (between > 0.0).then(|| Availability {
            wanted: self.site.protection.availability.value.get(),
            expected: between / (between + down),
        })
    }
}

/// One after the other; errors in squares.
fn plus(a: Interval, b: Interval) -> Interval {
    let value = a.value + b.value;
    let above = (a.high - a.value).hypot(b.high - b.value);
    let below = (a.value - a.low).hypot(b.value - b.low);
    Interval { value, low: value - below, high: value + above }
}
