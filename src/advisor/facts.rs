//! The solved deployment as rules look at it, with what several of them ask of it.

use super::finding::{Evidence, SIGNS};
use super::headroom::Headroom;
use super::recovery::{Recovery, Timed};
use super::sensitivity::Influence;
use super::unstated::{Part, Unstated};
use crate::calibration::Calibration;
use crate::catalog::memory;
use crate::catalog::{Access, Called, Catalog, Form, MountOption, Value};
use crate::site::{Backup, Site};
use crate::system::capacity::{Memory, RoleSize, provide};
use crate::system::{
    Deployment, Duration, Job, Mount, PredictError, Prediction, Resource, ResourceKind, role_in_words,
};
use crate::units::{Bytes, Fraction, Seconds, grouped, list};

/// What rules may use.
#[derive(Debug)]
pub struct Facts<'a> {
    /// The questionnaire.
    pub site: &'a Site,
    /// What exists.
    pub catalog: &'a Catalog,
    /// What was measured.
    pub calibration: &'a Calibration,
    /// The deployment.
    pub deployment: &'a Deployment,
    /// What it does at the peak.
    pub prediction: &'a Prediction,
    /// Sizes by role.
    pub sizes: &'a [RoleSize],
    /// Memory of the servers, and what they need.
    pub memory: &'a Memory,
    /// How far to the limits.
    pub headroom: &'a Headroom,
    /// How long the largest submit holds the commit section \[s\].
    pub largest_commit: f64,
    /// Which assumptions matter, largest first.
    pub influences: &'a [Influence],
    /// How it fails and recovers.
    pub recovery: &'a Recovery,
    /// Whether the deployment is the system that is there, which no emitted configuration has touched.
    pub is_there: bool,
    /// What nobody stated of it.
    pub unstated: &'a Unstated,
    /// What today's peak overloads: the prediction is then of the largest load that is carried.
    pub overload: Option<&'a PredictError>,
}

/// Busy resources.
pub(super) struct Busy {
    /// "client network 82 % busy, …".
    pub(super) words: String,
    /// The busiest.
    pub(super) evidence: Evidence,
    /// All of them.
    pub(super) resources: Vec<Resource>,
}

/// Memory to buy for a need on a deployment's server: that of the next instance, or what modules give that fill the channels of its
/// processor; of a processor whose channels are not known the next size that is usual.
pub(super) fn memory_to_buy(catalog: &Catalog, deployment: &Deployment, need: Bytes) -> Bytes {
    let server = catalog.servers.get(&deployment.server);
    if server.is_some_and(|server| server.form == Form::Instance) {
        let all = catalog.instances_like(&deployment.server, None, &deployment.system);
        let mut sizes = all.into_iter().map(|one| one.memory.value);
        if let Some(size) = sizes.find(|size| *size >= need) {
            return size;
        }
    }
    let processor = deployment.processor.as_ref();
    let processor = processor.and_then(|id| catalog.processors.get(id));
    if let Some(size) = processor.and_then(|one| one.memory_for(need)) {
        return size;
    }
    memory::EMBEDDED.sold_for(need)
}

/// A day \[s\].
pub(super) const A_DAY: f64 = 86_400.0;
/// Days of a year on which people work (assumed, as are all costs of findings: they rank, and are not shown).
pub(super) const WORKDAYS: f64 = 250.0;
/// Working hours of a person and year.
pub(super) const WORK_HOURS: f64 = 2000.0;

/// "300 people", "1 person", of a number as it is shown.
pub(crate) fn people(shown: &str) -> String {
    match shown {
        "1" => "1 person".to_owned(),
        _ => format!("{shown} people"),
    }
}

impl Facts<'_> {
    /// Memory to buy for a need: what can be ordered.
    pub(super) fn memory_to_buy(&self, need: Bytes) -> Bytes {
        memory_to_buy(self.catalog, self.deployment, need)
    }

    /// Whether it was weighed where proxies pay: those that a recommended deployment does not have bring too little.
    pub(super) fn weighed_proxies(&self) -> bool {
        !self.is_there && self.site.infrastructure.proxies.value
    }

    /// People at work at once.
    pub(super) fn at_work(&self) -> f64 {
        let people = &self.site.people;
        people.developers.value * people.at_work.value.get()
    }

    /// "300 people".
    pub(super) fn people_in_words(&self) -> String {
        people(&grouped(self.site.people.developers.value))
    }

    /// What a standstill of so many hours, so many times a year, costs \[person-hours/year\].
    pub(super) fn standstill(&self, hours: f64, times: f64) -> f64 {
        self.at_work() * hours * times
    }

    /// What it costs if everybody loses this share of the working time \[person-hours/year\].
    pub(super) fn slowed(&self, share: f64) -> f64 {
        self.at_work() * WORK_HOURS * share
    }

    /// The same of what the load causes: a load that nobody stated may be a quarter of what is assumed (a guess, as all costs).
    pub(super) fn loaded(&self, share: f64) -> f64 {
        self.if_loaded(self.slowed(share))
    }

    /// The same of a cost that is known.
    pub(super) fn if_loaded(&self, cost: f64) -> f64 {
        const UNSTATED: f64 = 0.25;
        let is_stated = self.site.workload.commands_per_day.is_stated();
        cost * if is_stated { 1.0 } else { UNSTATED }
    }

    /// How many large syncs there are a day, as evidence of how many are in flight.
    pub(super) fn syncs_in_flight(&self) -> Evidence {
        let rate = &self.site.workload.large_syncs_per_day;
        Evidence::answer("workload.large_syncs_per_day", rate, rate.value)
    }

    /// A sign that was seen on the server, as evidence.
    pub(super) fn seen(&self, sign: &str) -> Option<Evidence> {
        let answer = self.site.today.sign(sign)?;
        Some(Evidence::answer(SIGNS, answer, sign))
    }

    /// How busy the busiest resource of these kinds is.
    pub(super) fn utilization(&self, kinds: &[ResourceKind]) -> f64 {
        let all = self.prediction.resources.iter();
        let used = all.filter(|r| kinds.contains(&r.resource.kind())).map(|r| r.utilization);
        used.fold(0.0, f64::max)
    }

    /// Maintenance of one kind, with its predicted time.
    pub(super) fn job(&self, job: Job) -> Option<&Timed> {
        let mut all = self.recovery.durations.iter();
        all.find(|timed| timed.duration.job == job)
    }

    /// How long the seeding of the edge in an office takes, and what limits it.
    pub(super) fn seeding(&self, office: &str) -> Option<&Duration> {
        let mut all = self.recovery.durations.iter().map(|timed| &timed.duration);
        all.find(|duration| duration.job == Job::Seed && duration.of.id == office)
    }

    /// The volumes that a system that is there mounts with stated options, and these.
    pub(super) fn stated_options(&self) -> impl Iterator<Item = (&Mount, Vec<&str>)> {
        let stated = |mount: &'_ Mount| mount.stated_options.is_some();
        let volumes = self.deployment.volumes.iter().filter(move |m| stated(m));
        volumes.map(|mount| {
            let options = mount.stated_options.as_deref().unwrap_or_default();
            (mount, options.split(',').map(str::trim).collect())
        })
    }

    /// How long maintenance of one kind takes \[s\], and where that comes from: the stated time of today's checkpoint as far as it
    /// applies.
    pub(super) fn job_time(&self, job: Job) -> Option<(f64, Evidence)> {
        let duration = &self.job(job)?.duration;
        let time = duration.time.value;
        let shown = Seconds::new(time).estimated();
        let observed = self.recovery.observed.as_ref();
        let from = match observed.filter(|_| duration.paced != 1.0) {
            Some(observed) => format!("{shown}: {}", observed.origin(duration.paced)),
            None => format!("{shown} (estimate)"),
        };
        Some((time, Evidence::new("model", from)))
    }

    /// Whether a role lies on flash.
    pub(super) fn is_on_flash(&self, role: &str) -> bool {
        let mount = self.deployment.mount(role);
        let medium = mount.and_then(|mount| self.catalog.media.get(&mount.medium));
        medium.is_some_and(|medium| medium.kind == "flash")
    }

    /// Whether there is a standby, stated or in the deployment.
    pub(super) fn has_standby(&self) -> bool {
        self.site.protection.backup.value == Backup::Replica || self.deployment.standby.is_some()
    }

    /// A text that the emitted configuration sets, so that a finding and a file give the same number.
    pub(super) fn setting(&self, file: &str, name: &str) -> Option<String> {
        let list = &self.catalog.settings.get(file)?.list;
        let setting = list.iter().find(|setting| setting.name == name)?;
        let release = self.site.server.release.value;
        if setting.since.is_some_and(|since| release < since) {
            return None;
        }
        match &setting.value {
            Value::Text(text) => Some(text.value.clone()),
            Value::Amount(amount) => {
                let of = match amount.of {
                    "cores" => self.deployment.cores,
                    "bandwidth_delay" => self.on_longest_line(),
                    of => {
                        let role = of.strip_prefix("volume_")?;
                        let size = self.sizes.iter().find(|size| size.role == role)?;
                        let mount = self.deployment.mount(role)?;
                        size.data.get() * provide(self.site, self.catalog, mount)
                    }
                };
                let number = amount.reckon(of);
                Some(amount.text.value.replace("{}", &format!("{number:.0}")))
            }
            Value::Ask { .. } => None,
        }
    }

    /// What is in flight on the longest line to an office \[B\].
    fn on_longest_line(&self) -> f64 {
        let offices = self.site.people.sites.iter();
        let in_flight = offices.map(|o| o.bandwidth.value.get() * o.round_trip.value.get());
        in_flight.fold(0.0, f64::max)
    }

    /// A figure of a datum with the datum's title, as the source has it.
    pub(super) fn measured(&self, id: &str, name: &str) -> Evidence {
        let figure = self.calibration.datum(id).map(|datum| {
            let shown = datum.value(name).map_or("", |value| &value.shown);
            format!("{}: {} {shown}", datum.title, name.replace('-', " "))
        });
        Evidence::new(id, figure.unwrap_or_else(|| name.to_owned()))
    }

    /// Resources of these kinds that are busier than `limit`, busiest first; nothing where there are none.
    pub(super) fn busier(&self, kinds: &[ResourceKind], limit: f64) -> Option<Busy> {
        let mut busy: Vec<_> = self
            .prediction
            .resources
            .iter()
            .filter(|r| kinds.contains(&r.resource.kind()) && r.utilization > limit)
            .collect();
        busy.sort_by(|a, b| b.utilization.total_cmp(&a.utilization));
        let first = busy.first()?;
        let words: Vec<String> = busy
            .iter()
            .map(|r| format!("{} {} busy", r.resource.name, Fraction::new(r.utilization).estimated()))
            .collect();
        let text = format!(
            "{} is {} busy at the peak, above {}",
            first.resource.name,
            Fraction::new(first.utilization).estimated(),
            Fraction::new(limit)
        );
        Some(Busy {
            words: words.join(", "),
            evidence: Evidence::new("model", text),
            resources: busy.iter().map(|r| r.resource.clone()).collect(),
        })
    }

    /// The volume of a role if it lies on an export.
    pub(super) fn on_export(&self, role: &str) -> Option<&Mount> {
        let mount = self.deployment.mount(role)?;
        (mount.access(self.catalog) == Access::File).then_some(mount)
    }

    /// Whether a volume lies on storage that a provider rents out: its block volumes, or a service that grows with what is kept.
    pub(super) fn is_rented(&self, mount: &Mount) -> bool {
        let array = self.catalog.arrays.get(&mount.device);
        mount.is_cloud() || array.is_some_and(|array| array.elastic)
    }

    /// The version of NFS that a volume is mounted by; none of other protocols.
    pub(super) fn nfs_version(&self, mount: &Mount) -> Option<f64> {
        self.catalog.protocols.get(&mount.protocol)?.nfs_version
    }

    /// What the mount options of a volume remove or require; nothing without options.
    pub(super) fn options_of(&self, mount: &Mount) -> Option<&MountOption> {
        let protocol = self.catalog.protocols.get(&mount.protocol)?;
        protocol.mount_options.get(mount.mount_option?)
    }

    /// The first of these properties of these roles' volumes that nobody stated, in words; `None` where all are known.
    pub(super) fn unstated(&self, roles: &[&'static str], parts: &[Part]) -> Option<String> {
        self.unstated.what(roles, parts)
    }

    /// The same of the volumes behind resources.
    pub(super) fn unstated_behind(&self, resources: &[Resource]) -> Option<String> {
        let mut resources = resources.iter();
        let role = resources.find_map(|one| self.unstated.behind(self.deployment, one))?;
        self.unstated(&[role], &[Part::Store])
    }

    /// The array that a volume lies on, by name.
    pub(super) fn array_name<'m>(&'m self, mount: &'m Mount) -> &'m str {
        self.catalog.arrays.called(&mount.device)
    }

    /// The protocol that a volume is reached over, by name.
    pub(super) fn protocol_name<'m>(&'m self, mount: &'m Mount) -> &'m str {
        mount.reached(self.catalog)
    }

    /// What a volume's drives are, as far as it is known: "general-purpose cloud block volume", "6 drives in RAID 10 in the server".
    pub(super) fn drives_in_words(&self, mount: &Mount) -> String {
        if mount.is_cloud() {
            return self.catalog.media.called(&mount.medium).to_owned();
        }
        let array = self.catalog.arrays.get(&mount.device);
        let drives = if array.is_some_and(|array| array.is_fixed) {
            // Nobody states the drives of a system that the site describes.
            "drives".to_owned()
        } else {
            self.unstated.drives_of(self.catalog, mount)
        };
        if mount.is_local() {
            format!("{drives} in the server")
        } else {
            format!("{drives} of {}", self.array_name(mount))
        }
    }

    /// The roles that share a volume's set of disks.
    pub(super) fn roles_beside(&self, mount: &Mount) -> Vec<&'static str> {
        let beside = |m: &&Mount| m.shares_disks(mount);
        let volumes = self.deployment.volumes.iter().filter(beside);
        volumes.flat_map(|m| m.roles.iter().copied()).collect()
    }
}

/// "database and journal": roles as a person calls them.
pub(super) fn words(roles: &[&str]) -> String {
    let words: Vec<&str> = roles.iter().map(|role| role_in_words(role)).collect();
    list(&words)
}

/// "database and journal lie", "the journal lies".
pub(super) fn lie(roles: &[&str]) -> String {
    match roles {
        ["depot" | "checkpoint"] => format!("the {} lie", words(roles)),
        [_] => format!("the {} lies", words(roles)),
        _ => format!("{} lie", words(roles)),
    }
}
