//! What the rules look at: a healthy site, and how a test makes it sick.

use plimsoll::advisor::rules::Facts;
use plimsoll::advisor::{Headroom, Influence, Limit, Recovery, WindowVerdict, recovery};
use plimsoll::calibration::Calibration;
use plimsoll::catalog::Catalog;
use plimsoll::site::{self, Answer, Office, Release, Site, Vocabulary};
use plimsoll::system::capacity::{self, Memory, RoleSize};
use plimsoll::system::{
    Choices, Deployment, LockPrediction, Mount, Prediction, ResourceKind, ResourcePrediction, bind,
    predict,
};
use plimsoll::units::{Bytes, BytesPerSecond, Seconds};
use plimsoll::workload::from_site;
use std::sync::LazyLock;

pub(super) static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::embedded);
pub(super) static CALIBRATION: LazyLock<Calibration> = LazyLock::new(Calibration::embedded);
pub(super) static HEALTHY: LazyLock<World> = LazyLock::new(World::healthy);

pub(super) fn read(text: &str, overrides: &[&str]) -> Site {
    let overrides: Vec<String> = overrides.iter().map(|&o| o.to_owned()).collect();
    site::parse("site.toml", text, &overrides, &Vocabulary::of(&CATALOG))
        .unwrap_or_else(|d| panic!("{}", d.render()))
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
}

impl World {
    /// A site of the sources' time on tested equipment, everything far below its limits.
    fn healthy() -> Self {
        let site = read(
            "schema = 1\nname = \"Healthy\"\n[people]\ndevelopers = 100\n\
             [data]\nworkspace_files = 20_000\ndb_size = \"10 GiB\"\n\
             [workload]\nautomation_share = \"10 %\"\nconcurrent_syncs = 1\n\
             [server]\nmodel = \"dl580-g7\"\nrelease = \"2016.2\"\nram = \"512 GiB\"\n\
             [infrastructure]\nstorage = [\"fas3270\"]\nstorage_network = \"fc-8g\"\n",
            &[],
        );
        let block = Some(("fas3270".to_owned(), "fc".to_owned()));
        let choices = Choices {
            bought: Vec::new(),
            write_cache: true,
            dedicated: true,
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
            filesystem: "xfs".to_owned(),
            networks: ("eth-10g".to_owned(), "fc-8g".to_owned()),
            client_network: "eth-10g".to_owned(),
            client_links: 1.0,
            offices: Vec::new(),
            office_disks: None,
            cache: None,
            release: Release::new(2024, 2),
            lockless: true,
            shared_access: false,
            tuned_mounts: true,
        };
        let mut deployment =
            bind(&CATALOG, &CATALOG.layouts["san-four-volumes"], &choices).expect("it binds");
        for mount in &mut deployment.volumes {
            mount.set = format!("set of {}", mount.roles[0]);
        }
        let load = from_site::load(&site);
        let prediction = predict(&deployment, &load, &CATALOG, &CALIBRATION).expect("it is solved");
        Self {
            sizes: capacity::sizes(&site, &load, &CATALOG, &CALIBRATION),
            memory: capacity::memory(&site, &CALIBRATION, &deployment, &load, prediction.db_hit),
            headroom: Headroom {
                factor: 4.0,
                limit: String::new(),
                work: None,
                busiest: None,
                knee: 8.0,
                reached_in: None,
                memory: None,
                capacity: Vec::new(),
            },
            largest_commit: 1.5,
            influences: Vec::new(),
            recovery: recovery(
                &site,
                &CATALOG,
                &CALIBRATION,
                &deployment,
                &load,
                &prediction,
            ),
            site,
            deployment,
            prediction,
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
        }
    }

    /// A stated RTO against the worst disaster's time, and a stated RPO that is missed or met.
    pub(super) fn recovers(&mut self, rto: Option<WindowVerdict>, rpo_met: Option<bool>) {
        let asked = &mut self.site.protection;
        for one in &mut self.recovery.disasters {
            one.rto = rto.unwrap_or(WindowVerdict::Missed);
            one.rpo_met = rpo_met.unwrap_or(false);
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
        volumes
            .find(|m| m.roles.contains(&role))
            .expect("a volume of the role")
    }

    pub(super) fn export(&mut self, role: &str, protocol: &str, options: Option<usize>) {
        let mount = self.mount(role);
        protocol.clone_into(&mut mount.protocol);
        mount.mount_option = options;
        mount.filesystem = None;
        mount.network = Some("eth-25g".to_owned());
    }

    pub(super) fn busy(&mut self, kind: ResourceKind, utilization: f64) {
        self.prediction.resources.push(ResourcePrediction {
            name: "it".to_owned(),
            kind,
            utilization,
        });
    }

    pub(super) fn lock(&mut self, utilization: f64) {
        self.prediction.locks = vec![LockPrediction {
            name: "db.have on commit server".to_owned(),
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
        }];
    }

    pub(super) fn full_in(&mut self, years: f64) {
        self.site.horizon.time = stated(Seconds::years(3.0));
        self.headroom.capacity = vec![Limit {
            is_fixed: false,
            store: "fas3270".to_owned(),
            server: "fas3270".to_owned(),
            set: "fas3270".to_owned(),
            drives: 10.0,
            needed_today: Bytes::new(5e11),
            parts: Vec::new(),
            more_today: 0.0,
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
        let volume = Mount {
            disks: drives,
            ..self.mount("db").clone()
        };
        self.deployment.office_volumes = vec![volume];
        let assumed = Answer {
            value: 6.0,
            ..self.site.edge.local_disks.clone()
        };
        self.site.edge.local_disks = if is_stated { stated(6.0) } else { assumed };
    }

    pub(super) fn influence(&mut self, ratio: f64, saturates: bool) {
        let influence = |field: &str| Influence {
            field: field.to_owned(),
            ratio,
            time: "browse".to_owned(),
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
