//! A run: a deployment of the catalogue under a workload.

use std::collections::BTreeMap;

use super::amount::{Amount, Known, unknown};
use super::measure::Measure;
use super::workload::Workload;
use crate::calibration::Calibration;
use crate::catalog::{Catalog, ReadLocks, Release, SYSTEMS};
use crate::diag::quoted;
use crate::document::Reader;
use crate::posterior::NumberId;
use crate::site;
use crate::system::{self, Anchor, Choices, Deployment, DiskSet, Lens, Mount, Prediction, Used, bind};
use crate::units::{Bytes, Hertz};
use crate::workload::Load;

/// What a run gave, by the name of the measure.
pub type Readings = BTreeMap<String, f64>;

/// A published measurement as the model runs it.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Its id: its datum's, or that and a word.
    pub id: String,
    /// The datum that it answers to, if it is not there for comparisons alone.
    pub datum: Option<String>,
    /// What stands where.
    pub setup: Setup,
    /// What it is asked to do.
    pub workload: Workload,
    /// What is read off.
    pub measures: Vec<Measure>,
    /// What was assumed about the set-up.
    pub why: Option<String>,
}

/// Hosts, networks and release that several runs share; ids are the catalogue's.
#[derive(Debug, Clone, PartialEq)]
pub struct Lab {
    /// Its id.
    pub id: String,
    /// The host.
    pub server: String,
    /// Family of its processor, where it is not the server file's; only of a server of today.
    pub processor: Option<String>,
    /// Clock at which all its cores run \[Hz\], where it is not the server file's.
    pub clock: Option<f64>,
    /// Network to the clients.
    pub client_network: String,
    /// Network to storage over Ethernet, and over Fibre Channel.
    pub networks: (String, String),
    /// Release of p4d.
    pub release: Release,
    /// `db.peeking`.
    pub peeking: f64,
    /// What one TCP connection is assumed to keep in flight with this release \[B\].
    pub tcp_window: f64,
    /// What was assumed about it.
    pub why: String,
}

/// The deployment of a run; ids are the catalogue's.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// Hosts, networks, release.
    pub lab: Lab,
    /// The layout.
    pub layout: String,
    /// Edges besides the commit server.
    pub edges: u32,
    /// Mount options of all exports; none where the layout and its protocol say.
    pub mount_options: Option<String>,
    /// Memory of the host \[B\], where it is not the server file's.
    pub memory: Option<Amount>,
    /// A cache tier added.
    pub cache: Option<String>,
    /// Filesystem of all volumes that are no exports, where it is not the layout's.
    pub filesystem: Option<String>,
    /// Operating system of the host, where it is not the first that its file names and the filesystem runs on.
    pub system: Option<String>,
    /// Whether drives and arrays may acknowledge a write from their cache; they may where nothing is stated.
    pub write_cache: Option<bool>,
    /// What one TCP connection keeps in flight \[B\], where it is not what its release is assumed to.
    pub tcp_window: Option<Amount>,
    /// Volumes taken from other layouts, by role.
    pub taken: Vec<(&'static str, String)>,
}

/// Why a run has no readings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{run}: {reason}")]
pub struct RunError {
    /// The run.
    pub run: String,
    /// The reason.
    pub reason: String,
}

const ROLES: [&str; 5] = ["db", "journal", "log", "depot", "checkpoint"];

impl Run {
    pub(super) fn read(
        r: &Reader<'_>,
        catalog: &Catalog,
        known: &Known<'_>,
        labs: &BTreeMap<String, Lab>,
        workloads: &BTreeMap<String, Workload>,
        runs: &BTreeMap<String, Self>,
    ) -> Option<Self> {
        r.require(&["id"]);
        let (id, datum, why) = (r.text("id"), r.text("datum"), r.text("why"));
        let like = one_of(r, "like", runs.keys()).map(|id| &runs[&id]);
        if r.raw("like").is_none() {
            r.require(&["lab", "layout", "workload"]);
        }
        if let Some(datum) = &datum
            && known.calibration.datum(&datum.value).is_none()
        {
            let ids = known.calibration.data().map(|d| d.id.as_str());
            unknown(r, "datum", (&datum.value, &datum.place), ids);
        }
        let setup = Setup::read(r, catalog, known, labs, like.map(|run| &run.setup));
        let workload = match one_of(r, "workload", workloads.keys()) {
            Some(id) => Some(&workloads[&id]),
            None => like.map(|run| &run.workload),
        };
        let rows = r.tables("measure");
        let measures = rows.iter().filter_map(|row| Measure::read(row, workload?, known)).collect();
        r.finish();
        Some(Self {
            id: id?.value,
            datum: datum.map(|d| d.value),
            setup: setup?,
            workload: workload?.clone(),
            measures,
            why: why.map(|w| w.value),
        })
    }

    /// The deployment.
    pub fn deployment(&self, catalog: &Catalog) -> Result<Deployment, RunError> {
        let wrong = |reason: String| self.wrong(reason);
        let setup = &self.setup;
        let choices = setup.choices(catalog);
        let bind = |layout: &str| bind(catalog, &catalog.layouts[layout], &choices);
        let mut deployment = bind(&setup.layout).map_err(|error| wrong(error.to_string()))?;
        for (role, layout) in &setup.taken {
            let other = bind(layout).map_err(|error| wrong(error.to_string()))?;
            let Some(mount) = other.mount(role) else {
                return Err(wrong(format!("{layout} has no volume for {role}")));
            };
            for volume in &mut deployment.volumes {
                volume.roles.retain(|r| r != role);
            }
            let set = match mount.set.apart_for {
                None => deployment.shared_set(&mount.device),
                Some(_) => DiskSet { id: deployment.next_set(), ..mount.set.clone() },
            };
            deployment.volumes.push(Mount { roles: vec![role], set, ..mount.clone() });
        }
        if let Some(filesystem) = &setup.filesystem {
            for volume in deployment.volumes.iter_mut().filter(|v| v.filesystem.is_some()) {
                volume.filesystem = Some(filesystem.clone());
            }
        }
        if let Some(options) = &setup.mount_options {
            set_mount_options(&mut deployment, options, catalog).map_err(wrong)?;
        }
        Ok(deployment)
    }

    /// Runs it with every number times its factor.
    pub fn predict(
        &self,
        catalog: &Catalog,
        calibration: &Calibration,
        factors: &BTreeMap<NumberId, f64>,
    ) -> Result<(Readings, Prediction), RunError> {
        let deployment = self.deployment(catalog)?;
        self.predict_on(&deployment, catalog, calibration, factors)
    }

    /// The same on its deployment, which no factor changes.
    pub fn predict_on(
        &self,
        deployment: &Deployment,
        catalog: &Catalog,
        calibration: &Calibration,
        factors: &BTreeMap<NumberId, f64>,
    ) -> Result<(Readings, Prediction), RunError> {
        let parameter = parameters_times(factors, calibration);
        let load = self.load(&parameter);
        let mut prediction =
            system::predict_through(Lens::scaling(factors).remembering(), deployment, &load, catalog, calibration)
                .map_err(|error| self.wrong(error.to_string()))?;
        for id in self.parameters() {
            let used = Used::of_parameter(&calibration.parameters[id]);
            prediction.used.insert(NumberId::parameter(id), used);
        }
        let readings = self.readings(&prediction, &load, &parameter)?;
        Ok((readings, prediction))
    }

    /// Its readings on its deployment, and where that comes to rest.
    pub(crate) fn anchored(
        &self,
        deployment: &Deployment,
        catalog: &Catalog,
        calibration: &Calibration,
        factors: &BTreeMap<NumberId, f64>,
    ) -> Result<(Readings, Anchor), RunError> {
        let parameter = parameters_times(factors, calibration);
        let load = self.load(&parameter);
        let (prediction, anchor) = Anchor::of(factors, deployment, &load, catalog, calibration)
            .map_err(|error| self.wrong(error.to_string()))?;
        let readings = self.readings(&prediction, &load, &parameter)?;
        Ok((readings, anchor))
    }

    /// Its readings with other factors, looked for from where it came to rest.
    pub(crate) fn near(
        &self,
        anchor: &Anchor,
        deployment: &Deployment,
        (catalog, calibration): (&Catalog, &Calibration),
        factors: &BTreeMap<NumberId, f64>,
    ) -> Result<Readings, RunError> {
        let parameter = parameters_times(factors, calibration);
        let load = self.load(&parameter);
        let prediction = anchor
            .near(factors, deployment, &load, catalog, calibration)
            .map_err(|error| self.wrong(error.to_string()))?;
        self.readings(&prediction, &load, &parameter)
    }

    fn readings(
        &self,
        prediction: &Prediction,
        load: &Load,
        parameter: &impl Fn(&str) -> f64,
    ) -> Result<Readings, RunError> {
        let readings = self.measures.iter().map(|measure| {
            let value = measure.what.of(prediction, load, parameter);
            let value = value.filter(|v| v.is_finite()).ok_or_else(|| {
                let name = quoted(&measure.name);
                self.wrong(format!("the prediction has nothing for {name}"))
            })?;
            Ok((measure.name.clone(), value))
        });
        readings.collect()
    }

    fn wrong(&self, reason: String) -> RunError {
        RunError { run: self.id.clone(), reason }
    }

    /// Its load, where `parameter` gives the value of a parameter.
    pub fn load(&self, parameter: &impl Fn(&str) -> f64) -> Load {
        let mut load = self.workload.load(parameter);
        let window = self.setup.tcp_window.as_ref();
        load.distance.tcp_window = window.map_or_else(|| self.setup.lab.tcp_window, |stated| stated.value(parameter));
        load
    }

    /// The parameters that its description names.
    fn parameters(&self) -> impl Iterator<Item = &str> {
        let measures = self.measures.iter().filter_map(|m| m.what.amounts());
        let amounts = self.workload.amounts().chain(measures);
        let amounts = amounts.chain(&self.setup.tcp_window);
        amounts.filter_map(|amount| match amount {
            Amount::Parameter(id) => Some(id.as_str()),
            _ => None,
        })
    }
}

/// The value of a parameter times its factor.
fn parameters_times(factors: &BTreeMap<NumberId, f64>, calibration: &Calibration) -> impl Fn(&str) -> f64 {
    |id: &str| {
        let factor = factors.get(&NumberId::parameter(id)).unwrap_or(&1.0);
        calibration.parameters[id].times(*factor)
    }
}

/// The id under a key, if there is such an entry.
fn one_of<'k>(r: &Reader<'_>, key: &'static str, ids: impl Iterator<Item = &'k String> + Clone) -> Option<String> {
    let found = r.text(key)?;
    if ids.clone().any(|id| *id == found.value) {
        return Some(found.value);
    }
    let what = key.replace("like", "run").replace('_', " ");
    unknown(r, &what, (&found.value, &found.place), ids.map(String::as_str));
    None
}

impl Lab {
    pub(super) fn read(r: &Reader<'_>, catalog: &Catalog) -> Option<Self> {
        r.require(&["id", "server", "client_network", "ethernet", "fabric", "release", "why"]);
        let network = |key| one_of(r, key, catalog.networks.keys());
        let (id, why) = (r.text("id"), r.text("why"));
        let server = one_of(r, "server", catalog.servers.keys());
        let processor = one_of(r, "processor", catalog.processors.keys());
        let clock = r.quantity::<Hertz>("clock").map(|clock| clock.value.get());
        let client_network = network("client_network");
        let networks = (network("ethernet"), network("fabric"));
        let release = r.text("release")?;
        let parsed: Option<Release> = release.value.parse().ok();
        if parsed.is_none() {
            let message = format!("{} is no release", quoted(&release.value));
            r.report("EXP002", message, &release.place, "such as \"2016.2\"");
        }
        let peeking = r.number("peeking").map(|p| p.value);
        if peeking.is_none() && parsed.is_some_and(Release::lockless) {
            let message = "`peeking` must be stated from release 2013.3 on";
            r.report("EXP002", message, r.place(), "2 where reads take no locks");
        }
        r.finish();
        Some(Self {
            id: id?.value,
            server: server?,
            processor,
            clock,
            client_network: client_network?,
            networks: (networks.0?, networks.1?),
            release: parsed?,
            tcp_window: site::assumed_tcp_window(parsed?).get(),
            // Before 2013.3 there is none, and reads take locks.
            peeking: peeking.unwrap_or(0.0),
            why: why?.value,
        })
    }
}

impl Setup {
    fn read(
        r: &Reader<'_>,
        catalog: &Catalog,
        known: &Known<'_>,
        labs: &BTreeMap<String, Lab>,
        like: Option<&Self>,
    ) -> Option<Self> {
        let lab = match one_of(r, "lab", labs.keys()) {
            Some(id) => Some(labs[&id].clone()),
            None => like.map(|like| like.lab.clone()),
        };
        let layout = one_of(r, "layout", catalog.layouts.keys());
        let edges = match &layout {
            Some(id) => catalog.layouts[id].edges.first().copied(),
            None => like.map(|like| like.edges),
        };
        let layout = layout.or_else(|| Some(like?.layout.clone()));
        let mut taken = Vec::new();
        for row in r.tables("take") {
            row.require(&["role", "from"]);
            let role = row.word("role", &ROLES);
            let from = one_of(&row, "from", catalog.layouts.keys());
            row.finish();
            taken.push((role?.value, from?));
        }
        let edges = r.count("edges").map(|e| e.value as u32).or(edges);
        let mount_options = r.text("mount_options").map(|t| t.value);
        let memory = known.quantity::<Bytes>(r, "memory");
        let cache = one_of(r, "cache", catalog.caches.keys());
        let filesystem = one_of(r, "filesystem", catalog.filesystems.keys());
        let system = r.word("system", &SYSTEMS).map(|system| system.value.to_owned());
        let write_cache = r.boolean("write_cache").map(|cached| cached.value);
        let tcp_window = known.quantity::<Bytes>(r, "tcp_window");
        if taken.is_empty() {
            taken = like.map(|like| like.taken.clone()).unwrap_or_default();
        }
        Some(Self {
            lab: lab?,
            edges: edges?,
            layout: layout?,
            mount_options: mount_options.or_else(|| like?.mount_options.clone()),
            memory: memory.or_else(|| like?.memory.clone()),
            cache: cache.or_else(|| like?.cache.clone()),
            filesystem: filesystem.or_else(|| like?.filesystem.clone()),
            system: system.or_else(|| like?.system.clone()),
            write_cache: write_cache.or_else(|| like?.write_cache),
            tcp_window: tcp_window.or_else(|| like?.tcp_window.clone()),
            taken,
        })
    }

    fn choices(&self, catalog: &Catalog) -> Choices {
        let server = &catalog.servers[&self.lab.server];
        let memory = match self.memory {
            Some(Amount::Stated(bytes) | Amount::Figure { value: bytes, .. }) => bytes,
            _ => server.memory.value.get(),
        };
        Choices {
            server: self.lab.server.clone(),
            memory,
            edge_memory: memory,
            cores: server.cores.value,
            processor: self.lab.processor.clone().or_else(|| server.processor().map(str::to_owned)),
            clock: Some(self.lab.clock.unwrap_or(server.clock.value.get())),
            edges: self.edges,
            local: Some((server.internal_medium.clone(), server.internal_disks.value.max(4.0))),
            block: None,
            file: None,
            object: None,
            provider: None,
            filesystem: "xfs".to_owned(),
            networks: self.lab.networks.clone(),
            client_network: self.lab.client_network.clone(),
            client_links: 1.0,
            proxies: Vec::new(),
            offices: Vec::new(),
            office_disks: None,
            bought: Vec::new(),
            cache: self.cache.clone(),
            write_cache: self.write_cache.unwrap_or(true),
            dedicated: true,
            // Published benchmarks left no processor the time to sleep.
            is_virtual: false,
            systems: match &self.system {
                Some(system) => vec![system.clone()],
                None => server.systems.iter().map(|s| (*s).to_owned()).collect(),
            },
            bits: server.bits.value,
            release: self.lab.release,
            read_locks: ReadLocks::of(self.lab.release, self.lab.peeking),
            shared_access: false,
            tuned_mounts: true,
        }
    }
}

/// Mounts every export with exactly these options: a set that its protocol lists, or none, and `nconnect=` at will.
fn set_mount_options(deployment: &mut Deployment, options: &str, catalog: &Catalog) -> Result<(), String> {
    let is_of_set = |part: &&str| !part.is_empty() && !part.starts_with("nconnect=");
    let set: Vec<&str> = options.split(',').filter(is_of_set).collect();
    let set = set.join(",");
    for volume in &mut deployment.volumes {
        let known = &catalog.protocols[&volume.protocol].mount_options;
        if known.is_empty() {
            continue;
        }
        volume.mount_option = known.iter().position(|k| k.options == set);
        if volume.mount_option.is_none() && !set.is_empty() {
            return Err(format!("{} knows no options {options:?}", volume.protocol));
        }
        volume.stated_options = Some(options.to_owned());
    }
    Ok(())
}
