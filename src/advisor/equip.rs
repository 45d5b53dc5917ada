//! What a candidate is given before it is solved: drives, memory, what it rents.

use super::candidates::{Candidate, choices_for};
use super::facts::memory_to_buy;
use super::instance::on_instance;
use super::rented;
use super::search::Search;
use super::sizing::Sizing;
use crate::calibration::Calibration;
use crate::catalog::{Catalog, Form, Server};
use crate::site::Site;
use crate::system::capacity::servers_memory;
use crate::system::memory::ServerMemory;
use crate::system::{Choices, Deployment};
use crate::units::Bytes;
use crate::workload::Load;

/// The most memory that a 32-bit server uses \[B\].
const ADDRESSED_BY_32_BITS: f64 = 4.0 * 1024.0 * 1024.0 * 1024.0;

/// Of an older model whose file does not say how much memory it takes: so many times what its file has (assumed).
const MEMORY_MOST: f64 = 2.0;

/// Gives a candidate its drives, the memory that its servers lack at the peak, and what it rents.
pub(super) fn equip(search: &Search<'_>, candidate: &mut Candidate) {
    let (site, catalog, calibration) = search.known();
    let load = search.load;
    let sizing = Sizing::of(site, catalog, search.sizes);
    sizing.provision(&mut candidate.deployment);
    buy_memory(catalog, calibration, candidate, load);
    rented::buy(sizing, calibration, candidate, load);
}

/// Gives the servers of a candidate the memory that their processes need at the peak: a machine more modules, an instance of a
/// cloud the next size. The commit server holds all connections, since the edges may fail. Where no memory that is sold holds
/// them, it stays as it is.
pub(super) fn buy_memory(catalog: &Catalog, calibration: &Calibration, candidate: &mut Candidate, load: &Load) {
    let servers = servers_memory(calibration, &candidate.deployment, load);
    let alone = ServerMemory::all_on_commit(&servers).map_or(0.0, |all| all.need());
    let edges = servers.iter().skip(1).map(ServerMemory::need);
    give_memory(catalog, candidate, alone, edges.fold(0.0, f64::max));
}

/// Gives the commit server and the edges at least so much memory \[B\], as far as it is sold.
pub(super) fn give_memory(catalog: &Catalog, candidate: &mut Candidate, commit: f64, edge: f64) {
    let Candidate { deployment, choices } = candidate;
    let Some(server) = catalog.servers.get(&deployment.server) else {
        return;
    };
    if commit <= deployment.memory && edge <= deployment.edge_memory {
        return;
    }
    match server.form {
        Form::Instance => {
            let need = commit.max(edge);
            let holds = |one: &&Server| one.memory.value.get() >= need && one.cores.value >= deployment.cores;
            let provider = choices.provider.as_ref();
            let all = catalog.instances_like(&deployment.server, provider, &deployment.system);
            if let Some(next) = all.into_iter().find(holds) {
                *choices = on_instance(choices, next);
            }
        }
        Form::Machine => {
            let usual = server.usual.as_ref();
            let most = usual.and_then(|usual| usual.memory_most.as_ref());
            let most = match most {
                Some(most) => most.value.get(),
                None if server.is_of_today() => f64::INFINITY,
                None => MEMORY_MOST * server.memory.value.get(),
            };
            let most = if deployment.bits < 64.0 { most.min(ADDRESSED_BY_32_BITS) } else { most };
            let there = deployment.clone();
            let buy = |has: &mut f64, need: f64| {
                let with = memory_to_buy(catalog, &there, Bytes::new(need)).get().min(most);
                if need > *has && with >= need {
                    *has = with;
                }
            };
            buy(&mut choices.memory, commit);
            buy(&mut choices.edge_memory, edge);
        }
    }
    put_on(deployment, choices);
}

/// The same on an instance of a provider; servers in offices that have drives of their own stay the machines that they are.
pub(super) fn on_other_instance(search: &Search<'_>, candidate: &Candidate, instance: &Server) -> Candidate {
    let (site, catalog, calibration) = search.known();
    let mut other = candidate.clone();
    other.choices = on_instance(&candidate.choices, instance);
    let edges = 1..candidate.deployment.servers();
    if edges.into_iter().any(|edge| candidate.deployment.is_machine(edge)) {
        other.choices.edge_memory = candidate.choices.edge_memory;
    }
    put_on(&mut other.deployment, &other.choices);
    let sizing = Sizing::of(site, catalog, search.sizes);
    rented::buy(sizing, calibration, &mut other, search.load);
    other
}

/// Gives a candidate the servers that are there, whatever was bought for it.
pub(super) fn as_there(site: &Site, catalog: &Catalog, candidate: &mut Candidate) {
    let there = choices_for(site, catalog);
    let Candidate { deployment, choices } = candidate;
    *choices = Choices {
        server: there.server,
        memory: there.memory,
        edge_memory: there.edge_memory,
        cores: there.cores,
        processor: there.processor,
        clock: there.clock,
        ..choices.clone()
    };
    put_on(deployment, choices);
}

/// Puts a deployment on the servers of its choices.
fn put_on(deployment: &mut Deployment, choices: &Choices) {
    deployment.server.clone_from(&choices.server);
    deployment.memory = choices.memory;
    deployment.edge_memory = choices.edge_memory;
    deployment.cores = choices.cores;
    deployment.processor.clone_from(&choices.processor);
    deployment.clock = choices.clock;
}
