//! A standby, where the site states one, or where a stated RTO, RPO or availability is missed without: where it stands, in the
//! town that a disaster spares where there is one, and how far it is behind.

use super::recovery::{self, Promise, Unkept};
use super::rented;
use super::search::Search;
use super::sizing::Sizing;
use crate::catalog::{Catalog, Response, StandbyKind};
use crate::site::{Answer, Backup, Office, Site};
use crate::system::capacity::RoleSize;
use crate::system::{Deployment, Interval, Mount, OfficeDisks, Prediction, Resource, StandbyServer, standby_volumes};
use crate::units::{Bytes, PerSecond};
use crate::workload::{Clients, Work};

/// What a deployment does about failures.
pub(super) struct Kept {
    /// The standby that it gets.
    standby: Option<StandbyServer>,
    /// What it does not keep, with that, of what the site states.
    pub(super) broken: Unkept,
    /// What that alone keeps.
    pub(super) by_standby: Vec<Promise>,
}

/// A deployment with a standby where that keeps more of what the site states than the deployment does alone, loses less where
/// neither keeps the stated RPO, or is stated.
pub(super) fn kept(search: &Search<'_>, deployment: &Deployment, prediction: &Prediction) -> Kept {
    let site = search.site;
    let asked = &site.protection;
    let is_stated = asked.backup.is_stated() && asked.backup.value == Backup::Replica;
    let broken = |deployment: &Deployment| recovery::unkept(search, deployment, prediction);
    let alone = broken(deployment);
    let without = |alone| Kept { standby: None, broken: alone, by_standby: Vec::new() };
    if alone.promises.is_empty() && !is_stated {
        return without(alone);
    }
    let Some(bare) = bare(site, search.catalog, deployment) else {
        return without(alone);
    };
    let left = broken(&bare);
    if left.rank() >= alone.rank() && !is_stated {
        return without(alone);
    }
    let Some(with) = equipped((site, search.catalog, search.sizes), bare, prediction) else {
        return without(alone);
    };
    // One that is stated is there in any case.
    let mut by_standby = alone.promises;
    by_standby.retain(|promise| !is_stated && !left.promises.contains(promise));
    Kept { standby: with.standby, broken: left, by_standby }
}

/// A deployment with a standby, on what stores it can have; none where its drives do not hold today's data, or its release knows none.
pub(super) fn placed(
    (site, catalog, sizes): (&Site, &Catalog, &[RoleSize]),
    deployment: &Deployment,
    prediction: &Prediction,
) -> Option<Deployment> {
    let bare = bare(site, catalog, deployment)?;
    equipped((site, catalog, sizes), bare, prediction)
}

/// A deployment with a standby whose drives have no size yet; none where it can have no store or its release knows none.
fn bare(site: &Site, catalog: &Catalog, deployment: &Deployment) -> Option<Deployment> {
    // One without drives lies on arrays as the commit server does.
    let has_drives = site.edge.local_disks.value >= 1.0;
    let on_arrays = || !deployment.volumes.iter().any(Mount::is_private);
    if !has_drives && !on_arrays() {
        return None;
    }
    let mut kinds = catalog.standbys.values();
    let kind = kinds.find(|kind| deployment.release >= kind.since)?;
    let disks = OfficeDisks {
        medium: site.edge.local_medium.value.clone(),
        disks: site.edge.local_disks.value,
        drive: site.edge.drive_size.as_ref().map(|size| size.value.get()),
    };
    let mut with = deployment.clone();
    with.standby = Some(StandbyServer {
        kind: kind.entry.id.clone(),
        office: second_site(site).map(|office| office.name.clone()),
        volumes: standby_volumes(catalog, deployment, &disks),
    });
    Some(with)
}

/// The same with what its standby's stores need; none where their drives do not hold today's data: it takes nothing over.
fn equipped(
    (site, catalog, sizes): (&Site, &Catalog, &[RoleSize]),
    mut with: Deployment,
    prediction: &Prediction,
) -> Option<Deployment> {
    let sizing = Sizing::of(site, catalog, sizes);
    sizing.provision(&mut with);
    rented::buy_standby(sizing, &mut with, prediction);
    let limits = sizing.capacity(&with);
    let mut limits = limits.iter().filter(|limit| limit.server_idx == with.servers());
    let is_small = limits.any(|limit| limit.too_small_today().is_some());
    (!is_small).then_some(with)
}

/// A deployment with its standby, where it gets one: its stores fill up too.
pub(super) fn with(search: &Search<'_>, deployment: &Deployment, prediction: &Prediction) -> Deployment {
    let standby = kept(search, deployment, prediction).standby;
    let mut whole = deployment.clone();
    if standby.is_some() {
        whole.standby = standby;
    }
    whole
}

/// The office that is far enough for a disaster to spare it, and has the widest line.
fn second_site(site: &Site) -> Option<&Office> {
    let offices = site.people.sites.iter();
    let distant = offices.filter(|office| office.is_distant() && office.has_room());
    let width = |office: &&Office| office.bandwidth.value.get();
    distant.max_by(|a, b| width(a).total_cmp(&width(b)).then(b.name.cmp(&a.name)))
}

/// How far a standby is behind at the end of a peak \[s\], by what its line carries.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Behind {
    /// The journal: submits that the standby does not know of.
    journal: f64,
    /// The archives: files whose content it lacks.
    archives: f64,
}

impl Behind {
    /// Work that is lost with the first site, counted in time \[s\].
    fn lost(self) -> f64 {
        self.journal.max(self.archives)
    }
}

/// Work that is lost with the first site where the standby of a deployment takes over, counted in time \[s\]; `lag` is how far
/// a standby beside it would be behind.
///
/// What the line does not carry while the load is at its peak waits: (asked ÷ carried − 1) × the peak's length. The ends of the
/// interval are those of what is asked, of the line's other use and of the peak: errors of answers and of the catalogue's
/// numbers, in squares of logarithms. Each part errs by the numbers that it hangs on and by no others: large syncs on the
/// line, which are counted, do not err by the files of a submit. On a nearly full line the ends lie far apart.
pub(super) fn behind(
    site: &Site,
    catalog: &Catalog,
    standby: &StandbyServer,
    prediction: &Prediction,
    lag: Interval,
) -> Option<Interval> {
    let kind = catalog.standbys.get(&standby.kind)?;
    let mut offices = site.people.sites.iter();
    let office = offices.find(|office| standby.office.as_ref() == Some(&office.name))?;
    let line = office.bandwidth.value.get();
    let used = used(prediction, &office.name);
    let journal = prediction.io.get(&(0, "journal")).map_or(0.0, |io| io.bytes);
    let work = &site.workload;
    let file_size = &site.data.file_size;
    let submitted = work.submits_per_day.value.get()
        * work.peak_to_mean.value
        * work.files_per_submit.value
        * file_size.value.get();
    // Archives in a bucket need no copy.
    let mut own = standby.volumes.iter();
    let has_depots = own.any(|mount| mount.roles.contains(&"depot"));
    let archives = if has_depots { submitted } else { 0.0 };
    // At most what the office's ordinary syncs bring: no cache has any of it.
    let files = work.files_per_sync.value * file_size.value.get();
    let of_files = (syncs(prediction, &office.name) * files / line).min(used);
    let peak = Interval::around(kind.peak.value.get(), kind.peak.spread);
    let at = |side: f64, lag: f64, peak: f64| {
        let spread = |spread: f64| Interval::around(1.0, spread).high.ln();
        let (demand, peaks) = (spread(kind.demand.spread), half(side, &work.peak_to_mean, |x| x));
        let size = half(side, file_size, Bytes::get);
        let submits = half(side, &work.submits_per_day, PerSecond::get);
        let moved = |errors: &[f64]| {
            let squares: f64 = errors.iter().map(|half| half * half).sum();
            (side * squares.sqrt()).exp()
        };
        let syncs = half(side, &work.files_per_sync, |x| x);
        let used = (used - of_files) * moved(&[demand, peaks]) + of_files * moved(&[demand, peaks, size, syncs]);
        let per_submit = half(side, &work.files_per_submit, |x| x);
        let [compression, share] = [&kind.compression, &kind.journal_share].map(|n| spread(n.spread));
        let asked = [
            journal * moved(&[demand, peaks, submits, per_submit, compression, share]),
            archives * moved(&[demand, peaks, submits, per_submit, size]),
        ];
        let free = line * (1.0 - used).max(0.0);
        lags(kind, free, asked, lag + office.round_trip.value.get(), peak).lost()
    };
    Some(Interval {
        value: at(0.0, lag.value, peak.value),
        low: at(-1.0, lag.low, peak.low),
        high: at(1.0, lag.high, peak.high),
    })
}

/// How far the 80 % interval of an answer reaches to a side of its value, below or above it, as a logarithm; 0 of a stated one.
fn half<T: Copy>(side: f64, answer: &Answer<T>, number: impl Fn(T) -> f64) -> f64 {
    let ratio =
        if side < 0.0 { number(answer.value) / number(answer.low) } else { number(answer.high) / number(answer.value) };
    if ratio.is_finite() && ratio > 1.0 { ratio.ln() } else { 0.0 }
}

/// The same from rates of journal and archives \[B/s\], the time that is lost in any case and the length of the peak \[s\].
fn lags(kind: &StandbyKind, free: f64, [journal, archives]: [f64; 2], base: f64, peak: f64) -> Behind {
    let sent = journal / kind.compression.value.max(1.0);
    let for_journal = free * kind.journal_share.value;
    let for_archives = (free - sent.min(for_journal)).max(0.0);
    let late = |asked: f64, carried: f64| {
        if asked <= carried {
            0.0
        } else if carried <= 0.0 {
            f64::INFINITY
        } else {
            (asked / carried - 1.0) * peak
        }
    };
    Behind { journal: base + late(sent, for_journal), archives: base + late(archives, for_archives) }
}

/// How busy the office's own work keeps its line, in \[0, 1\].
fn used(prediction: &Prediction, office: &str) -> f64 {
    let line = Resource::line_to(office);
    let mut resources = prediction.resources.iter();
    let line = resources.find(|r| r.resource == line);
    line.map_or(0.0, |line| line.utilization)
}

/// Ordinary syncs of an office \[1/s\].
fn syncs(prediction: &Prediction, office: &str) -> f64 {
    let clients = Clients::Office(office.to_owned());
    let class = prediction.class(&Work::new(&clients, Some(Response::Sync), "sync"));
    class.map_or(0.0, |class| class.throughput)
}

#[cfg(test)]
mod tests {
    use super::lags;
    use crate::catalog::Catalog;

    #[test]
    fn a_wider_line_is_never_further_behind_and_a_wide_one_only_by_its_base() {
        let catalog = Catalog::embedded();
        let kind = &catalog.standbys["second-site"];
        let mut before = f64::INFINITY;
        for step in 0..40 {
            let free = 1e4 * 1.6_f64.powi(step);
            let found = lags(kind, free, [2e6, 20e6], 5.0, 3600.0).lost();
            assert!(found <= before, "{free}: {found} after {before}");
            before = found;
        }
        assert_eq!(before, 5.0);
        assert_eq!(lags(kind, 0.0, [1.0, 0.0], 5.0, 3600.0).lost(), f64::INFINITY);
        assert_eq!(lags(kind, 0.0, [0.0, 0.0], 5.0, 3600.0).lost(), 5.0);
    }

    #[test]
    fn a_line_with_half_of_what_is_asked_is_a_peak_behind() {
        let catalog = Catalog::embedded();
        let kind = &catalog.standbys["second-site"];
        let found = lags(kind, 1e6, [0.0, 2e6], 0.0, 3600.0);
        assert_eq!(found.archives, 3600.0);
        assert_eq!(found.journal, 0.0);
    }
}
