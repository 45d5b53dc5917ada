//! Another server in the place of the one that is there: answers about the machine are those of its model then.

use super::observed::LAYER;
use super::{Answer, Server, Site, Vocabulary};
use crate::catalog;
use crate::origin::Origin;

/// A server that takes the place of the one that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextServer {
    /// Id of the model that is there.
    pub there: String,
    /// Id of the model that takes its place.
    pub model: String,
    /// The operating systems that it runs of those that the site has, or else the usual one.
    pub systems: Vec<String>,
    /// Of the filesystems that are stated, those that they have; none where none is stated.
    pub filesystems: Option<Vec<String>>,
    /// Why it is taken.
    pub why: String,
}

/// Questions about the machine that a model's file answers.
const ANSWERED: [&str; 8] = [
    "server.model",
    "server.ram",
    "server.cores",
    "server.processor",
    "server.clock",
    "server.local_disks",
    "server.local_medium",
    "server.bits",
];

impl Server {
    /// The same p4d on another machine, which has what its file says.
    #[must_use]
    pub fn on(&self, machine: &catalog::Server, origin: &Origin) -> Self {
        fn answer<T: Clone>(value: T, origin: &Origin) -> Answer<T> {
            Answer { low: value.clone(), high: value.clone(), value, origin: origin.clone() }
        }
        Self {
            model: Some(answer(machine.entry.id.clone(), origin)),
            ram: answer(machine.memory.value, origin),
            cores: answer(machine.cores.value, origin),
            bits: answer(machine.bits.value, origin),
            clock: Some(answer(machine.clock.value, origin)),
            processor: machine.processor().map(|id| answer(id.to_owned(), origin)),
            local_disks: answer(machine.internal_disks.value, origin),
            local_medium: answer(machine.internal_medium.clone(), origin),
            ..self.clone()
        }
    }
}

impl Site {
    /// The same site with another server; the one that is there stays its answer about today. Unchanged where another server than
    /// that one is asked about.
    pub(super) fn on_next_server(mut self, next: &NextServer, vocabulary: &Vocabulary) -> Self {
        let model = self.server.model.as_ref();
        let is_there = model.is_some_and(|model| model.value == next.there);
        let machine = vocabulary.machines.get(&next.model);
        let Some(machine) = machine.filter(|_| is_there) else {
            return self;
        };
        let origin = Origin::Derived { ids: vec![next.model.clone()], how: format!("{LAYER}: {}", next.why) };
        let there = self.server.clone();
        self.server = there.on(&machine.server, &origin);
        let systems = &mut self.infrastructure.operating_systems;
        if systems.value != next.systems {
            let system = systems.value.first().cloned().unwrap_or_default();
            let was = std::mem::replace(
                systems,
                Answer { value: next.systems.clone(), low: next.systems.clone(), high: next.systems.clone(), origin },
            );
            let there = Answer { low: system.clone(), high: system.clone(), value: system, origin: was.origin };
            self.today.operating_system.get_or_insert(there);
            // Those that are stated and that it has stay allowed.
            let stated = self.infrastructure.filesystems.as_mut();
            if let Some((stated, kept)) = stated.zip(next.filesystems.as_ref()) {
                (stated.low, stated.high) = (kept.clone(), kept.clone());
                stated.value.clone_from(kept);
            }
        }
        self.today.model.clone_from(&there.model);
        self.today.server = Some(Box::new(there));
        let is_answered = |field: &str| ANSWERED.contains(&field);
        self.assumptions.retain(|one| !is_answered(&one.field));
        self
    }
}
