//! The words that answers may take, and what the catalogue says of the server models among them.

use std::collections::BTreeMap;

use crate::catalog::layout::ROLES;
use crate::catalog::{
    Called, Catalog, EntryKind, Filesystem, Form, Medium, Provider, Release, Server, Tool, Transport,
};
use crate::document::{Kind as Toml, Reader};
use crate::units::Hertz;

use super::answerable::BETWEEN;
use super::equipment::Sort;
use super::fields::{Kind, field, kept};
use super::price::{Per, UNLISTED};
use super::protection::Backup;
use super::sign::SIGNS;

/// What the catalogue's file says of a server model.
#[derive(Debug, Clone, PartialEq)]
pub struct Machine {
    /// The file that says it: `models/servers/cloud-8xl.toml`.
    pub file: String,
    /// What it says.
    pub server: Server,
    /// The storage that comes with it, as its provider has it: ids of arrays.
    pub storage: Vec<String>,
}

/// The ids that the catalogue has, by kind, and its server models.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Vocabulary {
    /// The ids of each kind.
    pub ids: BTreeMap<EntryKind, Vec<String>>,
    /// What one link of each carries of a transfer \[B/s\].
    pub rates: BTreeMap<String, f64>,
    /// Those media that a server has: drives that are sold, and volumes that a provider rents with an instance.
    pub server_media: Vec<String>,
    /// Those of them that a provider rents.
    pub rented_media: Vec<String>,
    /// The arrays whose volumes they are: block services of providers.
    pub block_services: Vec<String>,
    /// The tools that poll, by id: how often each asks makes `workload.polling_share` where nobody answered it.
    pub pollers: BTreeMap<String, Tool>,
    /// The server models, by id: what they have is assumed where the site names one and says no more.
    pub machines: BTreeMap<String, Machine>,
    /// The typical clock of each processor family, and the file that says it, by id.
    pub clocks: BTreeMap<String, (Hertz, String)>,
    /// The first release of p4d on a processor family, by its id, of those that older releases do not run on.
    pub since: BTreeMap<String, Release>,
    /// What each array speaks, by its id: ids of protocols, as its file has them.
    pub speaks: BTreeMap<String, Vec<String>>,
    /// The filesystems, by id: each exists on some systems.
    pub on_systems: BTreeMap<String, Filesystem>,
    /// Ids of the protocols that a Fibre Channel fabric carries.
    pub on_fabric: Vec<String>,
    /// What the fastest store reads \[B/s\]: an array, or a server full of drives; 0 without a catalogue.
    pub fastest_read: f64,
}

/// Which words a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Words {
    /// These and no others.
    These(&'static [&'static str]),
    /// Ids of one kind of entry.
    Ids(EntryKind),
    /// Ids of the media that a server has.
    ServerMedia,
    /// Ids of anything that can be bought: servers, arrays, networks, media, caches, and what has no entry there.
    Anything,
}

/// The kinds of what can be bought.
pub const BOUGHT: [EntryKind; 5] =
    [EntryKind::Server, EntryKind::Array, EntryKind::Network, EntryKind::Medium, EntryKind::Cache];

impl Words {
    /// From an entry of `models/questions.toml`: the words themselves, or the name of a list.
    pub(super) fn read(entry: &Reader<'_>) -> Option<Self> {
        if let Some(Toml::List(_)) = entry.raw("words").map(|words| &words.kind) {
            let words = entry.texts("words")?.into_iter();
            let words: Vec<&str> = words.map(|word| kept(word.value)).collect();
            return Some(Self::These(words.leak()));
        }
        let list = entry.text("words")?.value;
        if let Some(kind) = EntryKind::of_folder(&list) {
            return Some(Self::Ids(kind));
        }
        Some(match list.as_str() {
            "server-media" => Self::ServerMedia,
            "anything" => Self::Anything,
            "kinds-of-storage" => Self::These(Sort::WORDS),
            "roles" => Self::These(&ROLES),
            "signs" => Self::These(SIGNS),
            "units-of-price" => Self::These(Per::WORDS),
            "ways-of-backup" => Self::These(Backup::WORDS),
            _ => return None,
        })
    }
}

impl Words {
    /// What a person calls one of these words: an entry of the catalogue by its name.
    fn called<'a>(self, catalog: &'a Catalog, word: &'a str) -> &'a str {
        match self {
            Self::Ids(kind) => catalog.called(kind, word),
            Self::ServerMedia => catalog.media.called(word),
            Self::These(_) | Self::Anything => word,
        }
    }
}

/// The shown answer to the question at a path as a person says it: the catalogue's names in place of ids.
pub fn answer_in_words(catalog: &Catalog, path: &str, shown: &str) -> String {
    match field(path).map(|field| field.kind) {
        Some(Kind::Word(words)) => words.called(catalog, shown).to_owned(),
        Some(Kind::List(words)) => {
            let named = shown.split(BETWEEN).map(|word| words.called(catalog, word));
            named.collect::<Vec<_>>().join(BETWEEN)
        }
        _ => shown.to_owned(),
    }
}

/// Drives of a full server: 24 bays of 2.5 inches (assumed, as in the advice).
const BAYS: f64 = 24.0;

impl Vocabulary {
    /// The ids of a catalogue.
    pub fn of(catalog: &Catalog) -> Self {
        let ids = |kind| catalog.ids(kind).into_iter().map(str::to_owned).collect();
        let media = |is: fn(&Medium) -> bool| {
            let found = catalog.media.iter().filter(|(_, medium)| is(medium));
            found.map(|(id, _)| id.clone()).collect()
        };
        Self {
            ids: EntryKind::ALL.map(|kind| (kind, ids(kind))).into(),
            rates: catalog
                .networks
                .iter()
                .map(|(id, network)| {
                    let rate = network.bandwidth.value.get() * network.efficiency.value.get();
                    (id.clone(), rate)
                })
                .collect(),
            server_media: media(|medium| medium.rented.is_some() || !medium.sold.is_empty()),
            rented_media: media(|medium| medium.rented.is_some()),
            block_services: catalog.providers.values().map(|p| p.block.clone()).collect(),
            pollers: catalog.tools.clone(),
            machines: catalog
                .servers
                .iter()
                .map(|(id, server)| {
                    let file = catalog.file(EntryKind::Server, id);
                    let provider = server.provider.as_ref();
                    let provider = provider.and_then(|id| catalog.providers.get(id));
                    let machine = Machine {
                        file,
                        server: server.clone(),
                        storage: provider.map(Provider::storage).unwrap_or_default(),
                    };
                    (id.clone(), machine)
                })
                .collect(),
            clocks: catalog
                .processors
                .iter()
                .map(|(id, processor)| {
                    let file = catalog.file(EntryKind::Processor, id);
                    (id.clone(), (processor.clock.value, file))
                })
                .collect(),
            since: catalog
                .processors
                .iter()
                .filter_map(|(id, processor)| Some((id.clone(), processor.since?)))
                .collect(),
            speaks: catalog.arrays.iter().map(|(id, array)| (id.clone(), array.protocols.clone())).collect(),
            fastest_read: {
                let arrays = catalog.arrays.values().map(|a| a.bandwidth.value.get());
                let drives = catalog.media.values().map(|m| BAYS * m.stream.value.get());
                arrays.chain(drives).fold(0.0, f64::max)
            },
            on_systems: catalog.filesystems.clone(),
            on_fabric: catalog
                .protocols
                .iter()
                .filter(|(_, protocol)| protocol.transport == Transport::FibreChannel)
                .map(|(id, _)| id.clone())
                .collect(),
        }
    }

    /// The protocols that one of the arrays or more speak, in their order.
    pub fn protocols_of(&self, arrays: &[String]) -> Vec<String> {
        let mut protocols: Vec<String> = Vec::new();
        for id in arrays.iter().filter_map(|id| self.speaks.get(id)).flatten() {
            if !protocols.contains(id) {
                protocols.push(id.clone());
            }
        }
        protocols
    }

    /// The words that fit a site with this server model, of those that a field takes: only an instance has a provider's volumes.
    pub fn words_for(&self, words: Words, model: Option<&str>) -> Vec<&str> {
        let machine = model.and_then(|id| self.machines.get(id));
        let may_rent = machine.is_some_and(|machine| machine.server.form == Form::Instance);
        let mut found = self.words(words);
        if words == Words::ServerMedia && !may_rent {
            found.retain(|id| !self.rented_media.iter().any(|rented| rented == id));
        }
        found
    }

    /// The words that a field takes.
    pub fn words(&self, words: Words) -> Vec<&str> {
        let ids = |kind| self.ids.get(&kind).into_iter().flatten();
        let ids: Vec<&String> = match words {
            Words::These(words) => return words.to_vec(),
            Words::Ids(kind) => ids(kind).collect(),
            Words::ServerMedia => self.server_media.iter().collect(),
            Words::Anything => BOUGHT.into_iter().flat_map(ids).collect(),
        };
        let listed = ids.into_iter().map(String::as_str);
        match words {
            Words::Anything => listed.chain(UNLISTED.iter().copied()).collect(),
            _ => listed.collect(),
        }
    }
}
