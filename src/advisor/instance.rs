//! Instances of a cloud: what the chosen deployment needs of one, beside what each size has, and the smallest that carries
//! the site.

use super::candidates::Candidate;
use super::drives;
use super::rented;
use super::safety::memory_short;
use super::sizing::Sizing;
use super::targets::missed;
use crate::calibration::Calibration;
use crate::catalog::{Catalog, Form, Server};
use crate::site::Site;
use crate::system::capacity::{RoleSize, servers_memory};
use crate::system::memory::ServerMemory;
use crate::system::{Choices, Deployment, Lens, Prediction, ResourceKind, predict_through};
use crate::units::list;
use crate::workload::Load;

/// Share of an instance's limits that the predicted peak may take: beyond it requests wait longer than they are served, and
/// the busiest minute of the peak hour is throttled.
const BUSY_MAX: f64 = 0.7;

/// What of an instance is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cap {
    /// Memory \[B\].
    Memory,
    /// Cores that the peak keeps busy.
    Cores,
    /// Operations of all volumes \[1/s\].
    Operations,
    /// Bytes of all volumes \[B/s\].
    Volumes,
    /// Bytes to clients and to storage that is no volume \[B/s\].
    Network,
}

impl Cap {
    /// Its word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Memory => "memory_bytes",
            Self::Cores => "cores",
            Self::Operations => "volume_operations_per_s",
            Self::Volumes => "volume_bytes_per_s",
            Self::Network => "network_bytes_per_s",
        }
    }
}

/// One limit of an instance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CapRow {
    /// Which.
    pub cap: Cap,
    /// What the peak takes, on the busiest server.
    pub needs: f64,
    /// What the instance has; none where its file states no limit.
    pub has: Option<f64>,
}

impl CapRow {
    /// Share that the peak takes; 0 without a limit.
    pub fn share(self) -> f64 {
        self.has.map_or(0.0, |has| self.needs / has.max(f64::MIN_POSITIVE))
    }
}

/// An instance beside what is needed.
#[derive(Debug, Clone, PartialEq)]
pub struct InstanceFit {
    /// Id of the server model.
    pub id: String,
    /// Its limits.
    pub rows: Vec<CapRow>,
}

/// What is said of instances.
#[derive(Debug, Clone, PartialEq)]
pub struct Instances {
    /// The one that the site names, beside what is needed; none where it names none.
    pub named: Option<InstanceFit>,
    /// The smallest of the catalogue that carries the site; none where none does.
    pub smallest: Option<InstanceFit>,
}

/// What stated answers ask of an instance that is looked for, in words: " with 2 cores, as stated"; empty where they ask nothing, or name
/// the instance.
pub fn asked_of_instance(site: &Site) -> String {
    let (cores, ram) = (&site.server.cores, &site.server.ram);
    let cores = cores.is_stated().then(|| match cores.value {
        1.0 => "1 core".to_owned(),
        cores => format!("{cores} cores"),
    });
    let memory = ram.is_stated().then(|| format!("{} of memory", ram.value));
    let asked: Vec<String> = cores.into_iter().chain(memory).collect();
    if asked.is_empty() || site.names_server() {
        return String::new();
    }
    format!(" with {}, as stated,", list(&asked))
}

/// The instances for a deployment on volumes of a cloud or on an instance; none of another.
pub(super) fn instances(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    candidate: (&Deployment, &Choices),
    (load, sizes): (&Load, &[RoleSize]),
    prediction: &Prediction,
) -> Option<Instances> {
    let (deployment, choices) = candidate;
    let server = catalog.servers.get(&deployment.server)?;
    let is_instance = server.form == Form::Instance;
    if !is_instance && !deployment.volumes.iter().any(crate::system::Mount::is_cloud) {
        return None;
    }
    let own = is_instance.then(|| InstanceFit {
        id: server.entry.id.clone(),
        rows: rows(catalog, deployment, memory_needed(calibration, deployment, load), prediction),
    });
    // Where no model is named, the search has taken the smallest.
    let named = match own {
        Some(smallest) if !site.names_server() => {
            return Some(Instances { named: None, smallest: Some(smallest) });
        }
        own => own,
    };
    let trial =
        Trial { site, catalog, calibration, choices, layout: &deployment.layout, load, sizes, beside: prediction };
    let smallest = catalog
        .instances_like(&deployment.server, choices.provider.as_ref(), &deployment.system)
        .into_iter()
        .find_map(|server| trial.fit(server));
    Some(Instances { named, smallest })
}

/// The same choices on another instance.
pub(super) fn on_instance(choices: &Choices, server: &Server) -> Choices {
    let memory = server.memory.value.get();
    Choices {
        server: server.entry.id.clone(),
        memory,
        edge_memory: memory,
        cores: server.cores.value,
        processor: server.processor().map(str::to_owned),
        clock: Some(server.clock.value.get()),
        bought: Vec::new(),
        ..choices.clone()
    }
}

/// The site's layout on other instances.
struct Trial<'a> {
    site: &'a Site,
    catalog: &'a Catalog,
    calibration: &'a Calibration,
    choices: &'a Choices,
    layout: &'a str,
    load: &'a Load,
    sizes: &'a [RoleSize],
    beside: &'a Prediction,
}

impl Trial<'_> {
    /// The instance beside what the site needs of it; none where it does not carry the site.
    fn fit(&self, server: &Server) -> Option<InstanceFit> {
        let (catalog, calibration) = (self.catalog, self.calibration);
        let choices = on_instance(self.choices, server);
        let layout = catalog.layouts.get(self.layout)?;
        let mut candidate: Candidate = drives::bound(self.site, catalog, layout, choices).ok()?;
        let (site, sizes) = (self.site, self.sizes);
        let sizing = Sizing::of(site, catalog, sizes);
        sizing.provision(&mut candidate.deployment);
        rented::buy(sizing, calibration, &mut candidate, self.load);
        let deployment = &candidate.deployment;
        let lens = Lens::forgetful();
        let found = predict_through(lens, deployment, self.load, catalog, calibration).ok()?;
        let rows = carried(catalog, calibration, (deployment, self.load), &found)?;
        let is_enough = missed(self.site, &found).len() <= missed(self.site, self.beside).len();
        is_enough.then(|| InstanceFit { id: server.entry.id.clone(), rows })
    }
}

/// The limits of a deployment's instance beside what the peak takes; none where it does not carry the peak within them.
pub(super) fn carried(
    catalog: &Catalog,
    calibration: &Calibration,
    (deployment, load): (&Deployment, &Load),
    prediction: &Prediction,
) -> Option<Vec<CapRow>> {
    let memory = memory_needed(calibration, deployment, load);
    let rows = rows(catalog, deployment, memory, prediction);
    let carries =
        memory_short(calibration, deployment, load).is_none() && rows.iter().all(|row| row.share() <= most(row.cap));
    carries.then_some(rows)
}

/// The share of a limit that the peak may take. What memory needs is counted whole; large syncs take all the bandwidth that
/// there is, so that their times decide about it.
fn most(cap: Cap) -> f64 {
    match cap {
        Cap::Memory | Cap::Volumes | Cap::Network => 1.0 + 1e-9,
        Cap::Cores | Cap::Operations => BUSY_MAX,
    }
}

/// What the processes of a deployment's servers need at the peak, on that which needs most \[B\].
fn memory_needed(calibration: &Calibration, deployment: &Deployment, load: &Load) -> f64 {
    let all = servers_memory(calibration, deployment, load);
    all.iter().map(ServerMemory::need).fold(0.0, f64::max)
}

/// Larger instances that take the place of a deployment's own as its load grows.
///
/// What a peak takes of cores, operations and bytes grows with the load (utilization law); memory is counted anew.
pub(super) struct Growing<'a> {
    calibration: &'a Calibration,
    deployment: &'a Deployment,
    load: &'a Load,
    /// What today's peak takes, memory left out.
    needs: Vec<CapRow>,
    /// Those with as many cores and as much memory at least, the smallest first.
    larger: Vec<&'a Server>,
}

impl<'a> Growing<'a> {
    /// Of a deployment on an instance; `is_sold` says which others come into question.
    pub(super) fn of(
        catalog: &'a Catalog,
        calibration: &'a Calibration,
        (deployment, load): (&'a Deployment, &'a Load),
        peak: &Prediction,
        is_sold: impl Fn(&Server) -> bool,
    ) -> Self {
        let is_larger = |one: &&Server| {
            let (cores, memory) = (one.cores.value, one.memory.value.get());
            let is_other = one.entry.id != deployment.server;
            is_other && cores >= deployment.cores && memory >= deployment.memory && is_sold(one)
        };
        let like = catalog.instances_like(&deployment.server, None, &deployment.system);
        let rows = rows(catalog, deployment, 0.0, peak).into_iter();
        Self {
            calibration,
            deployment,
            load,
            needs: rows.filter(|row| row.cap != Cap::Memory).collect(),
            larger: like.into_iter().filter(is_larger).collect(),
        }
    }

    /// The instances until the load is `most` times today's: each with the load that it carries before a limit of it is taken
    /// whole. Where none that is sold carries more, the last one stays.
    pub(super) fn steps(&self, own: &'a Server, most: f64) -> Vec<(f64, &'a Server)> {
        let deployment = self.deployment;
        let mut steps = vec![(self.carries(own, deployment.memory, most), own)];
        for larger in &self.larger {
            let before = steps.last().map_or(0.0, |(times, _)| *times);
            if before >= most {
                break;
            }
            let times = self.carries(larger, larger.memory.value.get(), most);
            if times > before {
                steps.push((times, larger));
            }
        }
        if let Some((times, _)) = steps.last_mut() {
            *times = f64::INFINITY;
        }
        steps
    }

    /// How many times today's load an instance with so much memory \[B\] carries, looked for up to `most`.
    fn carries(&self, server: &Server, memory: f64, most: f64) -> f64 {
        let own = |cap: Cap| match cap {
            Cap::Memory => None,
            Cap::Cores => Some(server.cores.value),
            cap => quantity(server, cap),
        };
        let limits = self.needs.iter().filter_map(|row| Some(own(row.cap)? / row.needs.max(f64::MIN_POSITIVE)));
        // What it has to carry today it carries, or the answer says otherwise.
        let least = limits.fold(most, f64::min).max(1.0);
        let holds = |times: f64| {
            let load = self.load.grown(times, 1.0);
            memory_needed(self.calibration, self.deployment, &load) <= memory
        };
        if holds(least) {
            return least;
        }
        let (mut low, mut high) = (1.0, least);
        while high - low > 0.01 {
            let middle = f64::midpoint(low, high);
            if holds(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// What an instance has of one of its limits on volumes and network; none where its file states none.
fn quantity(server: &Server, cap: Cap) -> Option<f64> {
    match cap {
        Cap::Memory | Cap::Cores => None,
        Cap::Operations => Some(server.storage_operations.as_ref()?.value.get()),
        Cap::Volumes => Some(server.storage_bandwidth.as_ref()?.value.get()),
        Cap::Network => Some(server.network_bandwidth.as_ref()?.value.get()),
    }
}

/// The limits of a deployment's server beside what the peak takes; `memory` is what its processes need \[B\].
pub(super) fn rows(catalog: &Catalog, deployment: &Deployment, memory: f64, prediction: &Prediction) -> Vec<CapRow> {
    let server = catalog.servers.get(&deployment.server);
    let instance = server.filter(|server| server.form == Form::Instance);
    let busy = |kind: ResourceKind| {
        let all = prediction.resources.iter().filter(|r| r.resource.kind() == kind);
        all.map(|r| r.utilization).fold(0.0, f64::max)
    };
    let [operations, bytes] = volumes(deployment, prediction);
    let network =
        busy(ResourceKind::ClientNetwork) * client_rate(catalog, deployment) + exports(deployment, prediction);
    let limit = |of: Option<f64>| instance.and(of);
    let has = |cap: Cap| match cap {
        Cap::Memory => Some(deployment.memory),
        Cap::Cores => Some(deployment.cores),
        cap => quantity(server?, cap),
    };
    let needs = [
        (Cap::Memory, memory),
        (Cap::Cores, busy(ResourceKind::Processor) * deployment.cores),
        (Cap::Operations, operations),
        (Cap::Volumes, bytes),
        (Cap::Network, network),
    ];
    let rows = needs.map(|(cap, needs)| CapRow { cap, needs, has: limit(has(cap)) });
    rows.to_vec()
}

/// Operations and bytes of all rented volumes at the peak, on the server that has most of each.
fn volumes(deployment: &Deployment, prediction: &Prediction) -> [f64; 2] {
    let mut most = [0.0_f64; 2];
    for server in 0..deployment.servers() {
        let mounts = deployment.volumes_on(server).into_iter();
        let roles = mounts.filter(|mount| mount.is_cloud()).flat_map(|m| &m.roles);
        let io = roles.filter_map(|role| prediction.io.get(&(server, *role)));
        let sum = io.fold([0.0, 0.0], |sum, io| [sum[0] + io.reads + io.writes, sum[1] + io.bytes]);
        most = [most[0].max(sum[0]), most[1].max(sum[1])];
    }
    most
}

/// Bytes to storage that is reached over the network, on the server that has most \[B/s\].
fn exports(deployment: &Deployment, prediction: &Prediction) -> f64 {
    let of = |server: usize| {
        let mounts = deployment.volumes_on(server).into_iter();
        let roles = mounts.filter(|mount| !mount.is_private()).flat_map(|m| &m.roles);
        let io = roles.filter_map(|role| prediction.io.get(&(server, *role)));
        io.map(|io| io.bytes).sum::<f64>()
    };
    (0..deployment.servers()).map(of).fold(0.0, f64::max)
}

/// What the link to the clients gives, as the prediction has it \[B/s\].
fn client_rate(catalog: &Catalog, deployment: &Deployment) -> f64 {
    let network = catalog.networks.get(&deployment.client_network);
    let link = network.map_or(0.0, |n| n.bandwidth.value.get() * n.efficiency.value.get());
    let server = catalog.servers.get(&deployment.server);
    let limit = server.and_then(|server| server.network_bandwidth.as_ref());
    let limit = limit.map_or(f64::INFINITY, |limit| limit.value.get());
    (link * deployment.client_links).min(limit)
}
