//! What the rules look at: a healthy site, and how a test makes it sick.

use plimsoll::advisor::rules::Facts;
use plimsoll::advisor::{
    Headroom, Influence, Limit, LoadLimit, Recovery, StatedTimes, Timed, TimedJob, Unstated, WindowVerdict, recovery,
};
use plimsoll::catalog::{Named, ReadLocks, Response};
use plimsoll::site::{self, Answer, Office, Polls, Release, Site};
use plimsoll::system::capacity::{self, Memory, RoleSize};
use plimsoll::system::{
    Choices, Deployment, DiskSet, Duration, Interval, Job, LockPrediction, LongHold, Mount, PredictError, Prediction,
    Proxy, ProxyPlace, Resource, ResourceKind, ResourcePrediction, SetId, Spot, bind, predict,
};
use plimsoll::units::{Bytes, BytesPerSecond, Fraction, PerSecond, Seconds};
use plimsoll::workload::{Clients, Work, from_site};
use std::sync::LazyLock;

use crate::shared::{CALIBRATION, CATALOG, VOCABULARY};

pub(super) static HEALTHY: LazyLock<World> = LazyLock::new(World::healthy);

pub(super) fn read(text: &str, overrides: &[&str]) -> Site {
    let overrides: Vec<String> = overrides.iter().map(|&o| o.to_owned()).collect();
    site::parse("site.toml", text, &overrides, &VOCABULARY).unwrap_or_else(|d| panic!("{}", d.render()))
}

/// What the facts refer to, to be changed by a test.
#[derive(Clone)]
pub(super) struct World {
    pub(super) site: Site,
    pub(super) deployment: Deployment,
    pub(super) prediction: Prediction,
    pub(super) sizes: Vec<RoleSize>,
    pub(super) memory: Memory,
    pub(super) headroom: Headroom,
    pub(super) largest_commit: f64,
    pub(super) influences: Vec<Influence>,
    pub(super) recovery: Recovery,
    pub(super) overload: Option<PredictError>,
    pub(super) is_there: bool,
    pub(super) unstated: Unstated,
}

impl World {
    /// A site of the sources' time on tested equipment, everything far below its limits.
    fn healthy() -> Self {
        let site = read(
            "schema = 1\nname = \"Healthy\"\n[people]\ndevelopers = 100\n\
             [data]\nworkspace_files = 20_000\ndb_size = \"10 GiB\"\n\
             [workload]\nautomation_share = \"10 %\"\nconcurrent_syncs = 1\n\
             [server]\nmodel = \"dl580-g7\"\nrelease = \"2024.2\"\nram = \"512 GiB\"\n\
             [infrastructure]\nstorage = [\"fas3270\"]\nstorage_network = \"fc-8g\"\n",
            &[],
        );
        let block = Some(("fas3270".to_owned(), "fc".to_owned()));
        let choices = Choices {
            proxies: Vec::new(),
            bought: Vec::new(),
            write_cache: true,
            dedicated: true,
            is_virtual: false,
            systems: vec!["linux".to_owned()],
            bits: 64.0,
            server: "dl580-g7".to_owned(),
            memory: site.server.ram.value.get(),
            edge_memory: site.edge.ram.value.get(),
            cores: 24.0,
            processor: None,
            clock: None,
            edges: 0,
            local: None,
            block,
            file: None,
            object: None,
            provider: None,
            filesystem: "xfs".to_owned(),
            networks: ("eth-10g".to_owned(), "fc-8g".to_owned()),
            client_network: "eth-10g".to_owned(),
            client_links: 1.0,
            offices: Vec::new(),
            office_disks: None,
            cache: None,
            release: Release::new(2024, 2),
            read_locks: ReadLocks::Few,
            shared_access: false,
            tuned_mounts: true,
        };
        let mut deployment = bind(&CATALOG, &CATALOG.layouts["san-four-volumes"], &choices).expect("it binds");
        for (at, mount) in deployment.volumes.iter_mut().enumerate() {
            mount.set = DiskSet::apart(SetId::Common(at), mount.roles[0].to_owned());
        }
        let load = from_site::load(&site);
        let prediction = predict(&deployment, &load, &CATALOG, &CALIBRATION).expect("it is solved");
        Self {
            sizes: capacity::sizes(&site, &load, &CATALOG, &CALIBRATION),
            memory: capacity::memory(&site, &CALIBRATION, &deployment, &load, prediction.db_hit),
            headroom: Headroom {
                factor: 4.0,
                limit: LoadLimit::NotFound,
                bottleneck: None,
                knee: 8.0,
                reached_in: None,
                memory: None,
                capacity: Vec::new(),
            },
            largest_commit: 1.5,
            influences: Vec::new(),
            recovery: recovery(&site, &CATALOG, &CALIBRATION, &deployment, &load, &prediction),
            site,
            deployment,
            prediction,
            overload: None,
            is_there: false,
            unstated: Unstated::default(),
        }
    }

    pub(super) fn facts(&self) -> Facts<'_> {
        Facts {
            site: &self.site,
            catalog: &CATALOG,
            calibration: &CALIBRATION,
            deployment: &self.deployment,
            prediction: &self.prediction,
            sizes: &self.sizes,
            memory: &self.memory,
            headroom: &self.headroom,
            largest_commit: self.largest_commit,
            influences: &self.influences,
            recovery: &self.recovery,
            overload: self.overload.as_ref(),
            is_there: self.is_there,
            unstated: &self.unstated,
        }
    }

    /// A stated RTO against the worst disaster's time, and a stated RPO that is missed or met.
    pub(super) fn recovers(&mut self, rto: Option<WindowVerdict>, rpo_met: Option<bool>) {
        let asked = &mut self.site.protection;
        for one in &mut self.recovery.disasters {
            one.rto = rto.unwrap_or(WindowVerdict::Missed);
            one.rpo = if rpo_met.unwrap_or(false) { WindowVerdict::Met } else { WindowVerdict::Missed };
        }
        if rto.is_some() {
            asked.rto = stated(asked.rto.value);
        }
        if rpo_met.is_some() {
            asked.rpo = stated(asked.rpo.value);
        }
    }

    pub(super) fn mount(&mut self, role: &str) -> &mut Mount {
        let mut volumes = self.deployment.volumes.iter_mut();
        volumes.find(|m| m.roles.contains(&role)).expect("a volume of the role")
    }

    /// Puts a volume on the disks of the database.
    pub(super) fn beside_db(&mut self, role: &str) {
        let set = self.mount("db").set.clone();
        self.mount(role).set = set;
    }

    pub(super) fn export(&mut self, role: &str, protocol: &str, options: Option<usize>) {
        let mount = self.mount(role);
        protocol.clone_into(&mut mount.protocol);
        mount.mount_option = options;
        mount.filesystem = None;
        mount.network = Some("eth-25g".to_owned());
    }

    pub(super) fn busy(&mut self, kind: ResourceKind, utilization: f64) {
        // Disks are those of the database.
        let spot = match kind {
            ResourceKind::Disks => Spot::Disks(self.mount("db").set.id),
            ResourceKind::Processor => Spot::Processor,
            ResourceKind::ClientNetwork => Spot::ClientNetwork,
            ResourceKind::Slots => Spot::Requests(Named::default()),
            ResourceKind::Ports => Spot::Ports(Named::default()),
            ResourceKind::Stream => Spot::Transfer(SetId::Common(0)),
            ResourceKind::Wan => Spot::Backups,
            kind => unreachable!("{kind:?}"),
        };
        let name = match kind {
            ResourceKind::Disks => format!("disks of {}", self.mount("db").set_name(&CATALOG)),
            _ => "it".to_owned(),
        };
        let resource = Resource { name, ..Resource::shared(spot) };
        self.prediction.resources.push(ResourcePrediction { resource, utilization });
    }

    /// So many large syncs in flight at the peak.
    pub(super) fn syncs_in_flight(&mut self, count: f64) {
        let times = count / self.prediction.large_syncs_in_flight();
        let classes = self.prediction.classes.iter_mut();
        for class in classes.filter(|class| class.work.is_large_sync()) {
            class.throughput *= times;
        }
    }

    pub(super) fn lock(&mut self, utilization: f64) {
        self.prediction.locks = vec![LockPrediction {
            lock: Resource::lock("db.have", 0),
            write_wait: 0.2,
            read_wait: 0.1,
            hold: 0.15,
            utilization,
        }];
    }

    pub(super) fn office(&mut self, milliseconds: f64) {
        self.site.people.sites = vec![Office {
            name: "Lyon".to_owned(),
            developers: stated(20.0),
            round_trip: stated(Seconds::new(milliseconds / 1000.0)),
            bandwidth: stated(BytesPerSecond::new(1e8)),
            at_home: None,
            proxy: None,
        }];
    }

    /// A proxy beside the build farm.
    pub(super) fn builds_proxy(&mut self) {
        self.deployment.proxies = vec![Proxy {
            place: ProxyPlace::Builds,
            cache: 1e12,
            hits: 0.8,
            machines: 1.0,
            medium: "nvme".to_owned(),
            disks: 1.0,
            disk_bytes: 1.92e12,
        }];
    }

    /// Signs that were seen on the server.
    pub(super) fn sign(&mut self, word: &str) {
        self.site.today.signs = Some(stated(vec![word.to_owned()]));
    }

    /// An office of 20 people with an edge that keeps all of the depots.
    pub(super) fn far_edge(&mut self, milliseconds: f64, bandwidth: f64) {
        self.office(milliseconds);
        self.deployment.edges = 1;
        self.deployment.offices = vec!["Lyon".to_owned()];
        self.site.people.sites[0].bandwidth = stated(BytesPerSecond::new(bandwidth));
        self.site.edge.depot_share = stated(Fraction::new(1.0));
    }

    /// The edge in Lyon is filled within so many seconds.
    pub(super) fn seeding(&mut self, seconds: f64) {
        let duration = Duration {
            job: Job::Seed,
            of: "Lyon".to_owned().into(),
            bytes: 1e12,
            time: Interval::exact(seconds),
            limit: "line to Lyon".to_owned(),
            is_by_thread: false,
            least: 0.0,
            paced: 1.0,
        };
        let window = None;
        self.recovery.durations.push(TimedJob { duration, window });
    }

    /// Options with which a volume of today is mounted.
    pub(super) fn options(&mut self, role: &str, options: &str) {
        self.mount(role).stated_options = Some(options.to_owned());
    }

    /// One tool, and so large a share of polls.
    pub(super) fn polls(&mut self, tool: &str, share: f64) {
        let work = &mut self.site.workload;
        work.tools = Some(stated(vec![tool.to_owned()]));
        work.polls = vec![Polls { tool: tool.to_owned(), command: "poll-ide", rate: PerSecond::new(1.0) }];
        work.polling_share.value = Fraction::new(share);
    }

    /// A command that holds a table so long, ten times a working day.
    pub(super) fn holds(&mut self, command: &str, hold: f64) {
        self.prediction.long_holds = vec![LongHold {
            files: 1000.0,
            holder: Work::new(&Clients::Automation, None, command),
            lock: "db.label on commit server".to_owned(),
            hold,
            rate: 10.0 / 28_800.0,
            met_by: vec![(Work::new(&Clients::MainOffice, Some(Response::Edit), "edit"), 0.1)],
        }];
    }

    /// The time of a kind of maintenance.
    pub(super) fn takes(&mut self, job: Job, seconds: f64) {
        for timed in &mut self.recovery.durations {
            if timed.duration.job == job {
                timed.duration.time = Interval::exact(seconds);
            }
        }
    }

    /// The last checkpoint took so many seconds.
    pub(super) fn checkpoint_took(&mut self, seconds: f64) {
        self.site.today.checkpoint_time = Some(stated(Seconds::new(seconds)));
        let (site, deployment) = (&self.site, &self.deployment);
        let load = from_site::load(site);
        let predicted = &self.prediction;
        self.recovery = recovery(site, &CATALOG, &CALIBRATION, deployment, &load, predicted);
    }

    /// The last checkpoint took so many times the estimate.
    pub(super) fn checkpoint_is(&mut self, times: f64) {
        self.checkpoint_took(1.0);
        let observed = self.recovery.observed.as_ref();
        let observed = observed.and_then(StatedTimes::checkpoint).expect("a time is stated");
        self.checkpoint_took(times * observed.modelled.value);
    }

    /// All utilizations that the model found are gone.
    pub(super) fn idle(&mut self) {
        self.prediction.resources.clear();
        self.prediction.locks.clear();
    }

    /// A store whose checkpoints take such a share.
    pub(super) fn checkpoints(&mut self, share: f64) {
        self.full_in(30.0);
        self.site.protection.checkpoints_kept = stated(7.0);
        let limit = &mut self.headroom.capacity[0];
        limit.parts = vec![("checkpoint", [limit.usable * share, limit.usable])];
    }

    pub(super) fn full_in(&mut self, years: f64) {
        self.site.horizon.time = stated(Seconds::years(3.0));
        self.headroom.capacity = vec![Limit {
            is_fixed: false,
            in_powers_of_1000: false,
            is_elastic: false,
            is_assumed: false,
            store: Named::from("fas3270".to_owned()),
            server: "fas3270".to_owned(),
            server_idx: 0,
            set: SetId::Common(0),
            set_name: "fas3270".to_owned(),
            drives: 10.0,
            needed_today: Bytes::new(5e11),
            parts: Vec::new(),
            more_today: 0.0,
            ordered: Bytes::new(0.0),
            more_at_horizon: 0.0,
            usable: Bytes::new(1e12),
            needed: Bytes::new(9e11),
            data_reduction: 1.0,
            to_buy: None,
            full_in: Some(Seconds::years(years)),
            grows_by: "data.db_growth",
        }];
    }

    /// An office's edge of so many drives, where 6 were assumed or stated.
    pub(super) fn office_drives(&mut self, drives: f64, is_stated: bool) {
        self.office(50.0);
        self.deployment.edges = 1;
        self.deployment.offices = vec!["Lyon".to_owned()];
        let volume = Mount { disks: drives, device: "local-raid".to_owned(), ..self.mount("db").clone() };
        self.deployment.office_volumes = vec![volume];
        let assumed = Answer { value: 6.0, ..self.site.edge.local_disks.clone() };
        self.site.edge.local_disks = if is_stated { stated(6.0) } else { assumed };
    }

    pub(super) fn influence(&mut self, ratio: f64, saturates: bool) {
        let influence = |field: &str| Influence {
            field: field.to_owned(),
            ratio,
            time: Some(Timed::Work(Work::new(&Clients::MainOffice, Some(Response::Browse), "fstat"))),
            saturates,
            ends: Vec::new(),
        };
        self.influences = vec![
            influence("data.files"),
            influence("people.site.0.round_trip"),
            influence("server.ram"),
            influence("server.cores"),
        ];
    }

    /// A 32-bit server on Windows.
    pub(super) fn windows(&mut self, release: Release, connections: f64) {
        self.site.server.bits = stated(32.0);
        self.site.server.release = stated(release);
        self.site.infrastructure.operating_systems = stated(vec!["windows".to_owned()]);
        self.site.people.connections_at_peak = stated(connections);
    }
}

pub(super) fn stated<T: Clone>(value: T) -> Answer<T> {
    Answer::stated(value, "site.toml:1")
}
