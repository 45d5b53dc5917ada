//! The catalogue: what exists and its shape, from `models/`.
//!
//! Knows how to load protocols, filesystems, media, RAID levels, arrays, caches, servers, processors, providers,
//! networks, commands, layouts, scenarios, settings and changes, each number with its origin; embedded in the binary, added to or overridden
//! by a folder on the command line. Must not know the user's site, nor how anything is solved.
//!
//! ```
//! use plimsoll_model::catalog::Catalog;
//! let catalog = Catalog::embedded();
//! let nfs = &catalog.protocols["nfsv3"];
//! assert!(nfs.flushes_on_unlock);
//! assert_eq!(nfs.grades.manageability.value, "excellent"); // N13 table 6
//! ```

/// The value alone, without its place.
fn bare<T>(found: Option<document::Located<T>>) -> Option<T> {
    found.map(|found| found.value)
}

#[macro_use]
mod record;

pub mod change;
mod check;
pub mod command;
mod embedded;
pub mod entry;
mod feature;
pub mod filesystem;
mod folder;
pub mod grade;
pub mod host;
pub mod layout;
pub mod memory;
pub mod processor;
pub mod protocol;
mod provider;
pub mod reference;
mod release;
pub mod scenario;
pub mod setting;
mod standby;
pub mod storage;
mod tool;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::diag::{Diagnostic, Diagnostics};
use crate::document::{self, Reader};
use crate::posterior::{Factors, NumberId, Posterior};

pub use change::{Action, Change, Database};
pub use command::{Command, Lockless, Message, PerFile, Response, Step};
pub use embedded::RULES;
pub use entry::{Called, Entry, Fact, Named};
pub use feature::{Feature, Upgrade};
pub use filesystem::{Filesystem, SYSTEMS};
pub use host::{Form, Network, Server, Usual, usual_server};
pub use layout::{Layout, Place, Volume};
pub use processor::Processor;
pub use protocol::{Access, MountOption, Protocol, Transport};
pub use provider::{Class, Provider};
pub use reference::Reference;
pub use release::{ReadLocks, Release, ReleaseError};
pub use scenario::Scenario;
pub use setting::{Alert, Amount, Setting, Settings, Target, Value};
pub use standby::StandbyKind;
pub use storage::{Array, Cache, LOCAL_DISKS, Medium, Raid, Rented};
pub use tool::{POLLS, Tool};

pub use crate::posterior::{EntryKind, KINDS};

/// What each code of the catalogue's loader means, for `plimsoll explain`.
pub static CODES: &[(&str, &str)] = &[
    ("MOD001", "A catalogue file's id must be its file name, so that a message about the id leads to the file."),
    ("MOD002", "The file was written for another version of the catalogue's format; this one reads schema = 1."),
    ("MOD003", "A file names another entry of the catalogue that does not exist. Add the file, or correct the id."),
    (
        "MOD005",
        "A step of a command, or a setting, exists `since` a release of p4d, written like \"2013.3\"; a setting also since a feature of models/releases.toml, by its id.",
    ),
    (
        "MOD004",
        "A scenario is inconsistent: its load must be stated from beginning to end, a herd needs its size, a failure its repair. The message names the problem.",
    ),
    (
        "MOD008",
        "The usual server of a time names two kinds of disks: the slowest and the fastest that were in such servers.",
    ),
    (
        "MOD006",
        "A setting is inconsistent: it has one of `value`, `amount` and `ask`, names in braces what is known of a server, and its conditions are among those that models/README.md lists.",
    ),
    (
        "MOD009",
        "A change is inconsistent: grades of trouble go from 0 to 4 and of cost from 0 to 5, and an amount of an action from 1 to 100.",
    ),
    (
        "MOD007",
        "A layout is inconsistent: each of db, offline_db, journal, log, depot and checkpoint lies on exactly one volume, and each volume has an absolute mount point of its own, which is not inside the folder `p4` of another volume.",
    ),
];

/// Everything that exists, by id. Ordered, so that every walk is the same.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    /// FC, iSCSI, NFS …
    pub protocols: BTreeMap<String, Protocol>,
    /// XFS, ext3 …
    pub filesystems: BTreeMap<String, Filesystem>,
    /// Disks and flash.
    pub media: BTreeMap<String, Medium>,
    /// RAID levels.
    pub raid: BTreeMap<String, Raid>,
    /// Storage arrays.
    pub arrays: BTreeMap<String, Array>,
    /// Cache tiers.
    pub caches: BTreeMap<String, Cache>,
    /// Server models.
    pub servers: BTreeMap<String, Server>,
    /// Processor families.
    pub processors: BTreeMap<String, Processor>,
    /// Providers of clouds.
    pub providers: BTreeMap<String, Provider>,
    /// Networks and fabrics.
    pub networks: BTreeMap<String, Network>,
    /// p4d's commands.
    pub commands: BTreeMap<String, Command>,
    /// Layout templates.
    pub layouts: BTreeMap<String, Layout>,
    /// Days to be simulated.
    pub scenarios: BTreeMap<String, Scenario>,
    /// Settings of servers, by where they are written.
    pub settings: BTreeMap<String, Settings>,
    /// Changes of a system that is there.
    pub changes: BTreeMap<String, Change>,
    /// Tools that poll the server.
    pub tools: BTreeMap<String, Tool>,
    /// Ways to run a standby.
    pub standbys: BTreeMap<String, StandbyKind>,
    /// Works that the origins cite.
    pub references: BTreeMap<String, Reference>,
    /// Fingerprint of all texts that it was read from.
    pub fingerprint: u64,
    /// Where each entry was read, by kind and id.
    files: BTreeMap<(EntryKind, String), String>,
    /// The entries that a folder brought.
    laid_over: BTreeSet<(EntryKind, String)>,
}

impl Catalog {
    /// What the binary carries.
    ///
    /// # Panics
    ///
    /// If an embedded file is broken: the tests load them all.
    pub fn embedded() -> Self {
        Self::load(None, &Posterior::embedded()).unwrap_or_else(|d| panic!("embedded models:\n{}", d.render()))
    }

    /// What the binary carries, with a folder laid over it: `DIR/arrays/mine.toml` adds or overrides.
    ///
    /// Numbers of the binary's files are those after the fit; what a folder says is taken as it stands, but for
    /// what a measurement of the user's own made of it.
    pub fn load(over: Option<&Path>, posterior: &Posterior) -> Result<Self, Box<Diagnostics>> {
        let (factors, own) = (posterior.factors(), posterior.own_factors());
        let mut diagnostics = Diagnostics::default();
        let embedded = embedded::files().map(|(kind, id, text)| {
            let name = format!("models/{}/{id}.toml", kind.folder());
            ((kind, id.to_owned()), (name, text.to_owned()))
        });
        let mut files: folder::Files = embedded.collect();
        if let Some(folder) = over {
            folder::read(folder, &mut files, &diagnostics);
        }
        let names = files.iter().map(|(key, (name, _))| (key.clone(), name.clone())).collect();
        let sources: Vec<_> = files
            .into_iter()
            .map(|((kind, id), (name, text))| (kind, id, diagnostics.add_source(name, text)))
            .collect();
        let fingerprint = document::fingerprint(sources.iter().map(|(.., source)| diagnostics.text(*source)));
        let mut catalog = Self { fingerprint, files: names, ..Self::default() };
        let mut roots = BTreeMap::new();
        for (kind, id, source) in sources {
            if let Some(mut root) = document::parse(source, &diagnostics) {
                let is_own = embedded::text(kind, &id) != Some(diagnostics.text(source));
                fit(&mut root, (kind, &id), if is_own { &own } else { &factors });
                if is_own {
                    catalog.laid_over.insert((kind, id.clone()));
                }
                catalog.add(kind, &id, &root, &diagnostics);
                roots.insert((kind, id), root);
            }
        }
        let source = diagnostics.add_source("models/references.toml", embedded::REFERENCES);
        if let Some(root) = document::parse(source, &diagnostics) {
            catalog.references = reference::read(&Reader::new(&root, &diagnostics));
        }
        catalog.share_loads();
        catalog.check_ids(&roots, &diagnostics);
        if diagnostics.has_errors() { Err(Box::new(diagnostics)) } else { Ok(catalog) }
    }

    /// Whether a number is of an entry that a folder brought.
    pub fn is_laid_over(&self, number: &NumberId) -> bool {
        match number {
            NumberId::Parameter(_) => false,
            NumberId::Entry { kind, entry, .. } => self.laid_over.contains(&(*kind, entry.clone())),
        }
    }

    /// Gives scenarios that are like another its load.
    fn share_loads(&mut self) {
        let own: BTreeMap<String, Scenario> = self
            .scenarios
            .iter()
            .filter(|(_, scenario)| scenario.like.is_none())
            .map(|(id, scenario)| (id.clone(), scenario.clone()))
            .collect();
        for scenario in self.scenarios.values_mut() {
            if let Some(other) = scenario.like.as_ref().and_then(|like| own.get(like)) {
                scenario.take_load(other);
            }
        }
    }

    /// Adds one file of a kind under its file's name, and gives its id.
    pub fn add_file(&mut self, kind: EntryKind, path: &Path) -> Result<String, Box<Diagnostics>> {
        let mut diagnostics = Diagnostics::default();
        let id = folder::id_of(path);
        match document::read_text(path) {
            Ok(text) => {
                let source = diagnostics.add_source(path.display().to_string(), text);
                if let Some(root) = document::parse(source, &diagnostics) {
                    let key = (kind, id.clone());
                    self.files.insert(key.clone(), path.display().to_string());
                    self.add(kind, &id, &root, &diagnostics);
                    self.share_loads();
                    self.check_ids(&BTreeMap::from([(key, root)]), &diagnostics);
                }
            }
            Err(error) => diagnostics.push(Diagnostic::error("DOC001", error.to_string())),
        }
        if diagnostics.has_errors() { Err(Box::new(diagnostics)) } else { Ok(id) }
    }

    /// The ids of one kind.
    pub fn ids(&self, kind: EntryKind) -> Vec<&str> {
        self.entries(kind).into_iter().map(|entry| entry.id.as_str()).collect()
    }

    /// Instances that a named one can be replaced by, the smallest first: of its provider (else of `provider`), with processors
    /// of the same kind, where they run a system.
    pub fn instances_like(&self, named: &str, provider: Option<&String>, system: &str) -> Vec<&Server> {
        let named = self.servers.get(named);
        let provider = named.and_then(|server| server.provider.as_ref()).or(provider);
        let kind_of = |server: &Server| {
            let family = self.processors.get(server.processor()?)?;
            Some(family.architecture)
        };
        let kind = named.and_then(kind_of);
        let is_alike = |server: &&Server| {
            server.form == Form::Instance
                && server.provider.as_ref() == provider
                && server.systems.contains(&system)
                && (kind.is_none() || kind_of(server) == kind)
        };
        let mut all: Vec<&Server> = self.servers.values().filter(is_alike).collect();
        all.sort_by(|a, b| {
            let memory = a.memory.value.get().total_cmp(&b.memory.value.get());
            let cores = a.cores.value.total_cmp(&b.cores.value);
            memory.then(cores).then_with(|| a.entry.id.cmp(&b.entry.id))
        });
        all
    }

    /// The provider whose block service or rented medium has this id.
    pub fn provider_of(&self, id: &str) -> Option<&Provider> {
        let mut providers = self.providers.values();
        providers.find(|p| {
            let media = [&p.general, &p.provisioned];
            let mut all = media.into_iter().chain(&p.throughput).chain([&p.block]);
            all.any(|own| own == id)
        })
    }

    /// The file that an entry was read from.
    pub fn file(&self, kind: EntryKind, id: &str) -> String {
        let file = self.files.get(&(kind, id.to_owned()));
        file.cloned().unwrap_or_else(|| format!("{id}.toml"))
    }
}

/// For each kind of entry the list that holds it and what reads one.
macro_rules! lists {
    ($($kind:ident $list:ident $entry:ident,)*) => {
        impl Catalog {
            /// Reads one file into the list of its kind.
            fn add(&mut self, kind: EntryKind, id: &str, root: &document::Value, diagnostics: &Diagnostics) {
                let reader = Reader::new(root, diagnostics);
                let entry = Entry::read(&reader, root, id);
                match kind {
                    $(EntryKind::$kind => if let Some(item) = $entry::read(&reader, entry) {
                        self.$list.insert(id.to_owned(), item);
                    })*
                }
            }

            /// The heads of one kind.
            pub fn entries(&self, kind: EntryKind) -> Vec<&Entry> {
                match kind {
                    $(EntryKind::$kind => self.$list.values().map(|item| &item.entry).collect(),)*
                }
            }

            /// The name of an entry; its id if there is no such entry.
            pub fn called<'a>(&'a self, kind: EntryKind, id: &'a str) -> &'a str {
                match kind {
                    $(EntryKind::$kind => self.$list.get(id).map_or(id, |item| &item.entry.name),)*
                }
            }
        }
    };
}

lists! {
    Protocol protocols Protocol,
    Filesystem filesystems Filesystem,
    Medium media Medium,
    Raid raid Raid,
    Array arrays Array,
    Cache caches Cache,
    Server servers Server,
    Processor processors Processor,
    Provider providers Provider,
    Network networks Network,
    Command commands Command,
    Layout layouts Layout,
    Scenario scenarios Scenario,
    Settings settings Settings,
    Change changes Change,
    Tool tools Tool,
    Standby standbys StandbyKind,
}

/// Multiplies the numbers of an entry's file by their factors.
fn fit(root: &mut document::Value, (kind, id): (EntryKind, &str), factors: &Factors) {
    for (key, factor) in factors.of_entry(kind, id) {
        document::scale(root, key, factor.times, factor.spread, &factor.ids);
    }
}
