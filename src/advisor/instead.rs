//! What a customer would rather have, by the word for it, and the best layout of an advice that has it.

use super::advice::{Advice, Alternative};
use crate::catalog::{Access, Called, Catalog, EntryKind};
use crate::site::Site;
use crate::system::{Deployment, Mount};

/// Words for kinds of storage that are no entry of the catalogue.
const USUAL: [(&str, Access); 8] = [
    ("block", Access::Block),
    ("san", Access::Block),
    ("file", Access::File),
    ("filer", Access::File),
    ("nas", Access::File),
    ("object", Access::Object),
    ("das", Access::Local),
    ("nvme", Access::Local),
];

/// What is asked for in place of the recommendation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Instead {
    /// A layout, by its id.
    Layout(String),
    /// An array, or the service of a provider, by its id.
    Array(String),
    /// Any of these protocols, by their ids.
    Protocols(Vec<String>),
    /// Edge servers.
    Edges,
}

impl Instead {
    /// What a customer's words mean; `None` where they name nothing that the catalogue has.
    ///
    /// ```
    /// use plimsoll::advisor::Instead;
    /// # use plimsoll::{catalog::Catalog, posterior::Posterior};
    /// # let catalog = Catalog::load(None, &Posterior::default()).unwrap();
    /// let iscsi = Instead::Protocols(vec!["iscsi".to_owned()]);
    /// for words in ["iscsi", "iSCSI-all", "everything on iSCSI", "why not iSCSI?"] {
    ///     assert_eq!(Instead::of(&catalog, words).as_ref(), Some(&iscsi));
    /// }
    /// assert_eq!(Instead::of(&catalog, "FlashBlade"), Some(Instead::Array("flashblade".to_owned())));
    /// assert_eq!(Instead::of(&catalog, "a parrot"), None);
    /// ```
    pub fn of(catalog: &Catalog, words: &str) -> Option<Self> {
        let words = words.trim().to_lowercase();
        let parts = words.split(|c: char| !c.is_alphanumeric() && c != '.');
        let mut parts = parts.filter(|part| part.len() > 1);
        let whole = Self::of_word(catalog, &words);
        whole.or_else(|| parts.find_map(|part| Self::of_word(catalog, part)))
    }

    /// The words of which each alone means something.
    pub fn words(catalog: &Catalog) -> Vec<&str> {
        let kinds = [EntryKind::Layout, EntryKind::Protocol, EntryKind::Array];
        let ids = kinds.into_iter().flat_map(|kind| catalog.ids(kind));
        let usual = USUAL.iter().map(|(word, _)| *word);
        ids.chain(usual).chain(["edge"]).collect()
    }

    fn of_word(catalog: &Catalog, word: &str) -> Option<Self> {
        if catalog.layouts.contains_key(word) {
            return Some(Self::Layout(word.to_owned()));
        }
        if matches!(word, "edge" | "edges") {
            return Some(Self::Edges);
        }
        let protocols = catalog.protocols.values().map(|p| (&p.entry, p.access));
        let usual = USUAL.iter().find(|(usual, _)| *usual == word);
        let usual = usual.map(|(_, access)| *access);
        let is_version = |id: &str| id.strip_prefix(word).is_some_and(|v| v.starts_with('v'));
        let is_meant = |id: &str, name: &str| id == word || name.to_lowercase() == word;
        let protocols = protocols.filter(|(entry, access)| {
            is_meant(&entry.id, &entry.name) || is_version(&entry.id) || usual == Some(*access)
        });
        let protocols: Vec<String> = protocols.map(|(entry, _)| entry.id.clone()).collect();
        if !protocols.is_empty() {
            return Some(Self::Protocols(protocols));
        }
        let arrays = catalog.arrays.values().map(|array| &array.entry);
        if let Some(array) = arrays.clone().find(|a| is_meant(&a.id, &a.name)) {
            return Some(Self::Array(array.id.clone()));
        }
        // A word that one array alone has in its name.
        let has = |name: &str| name.to_lowercase().split(' ').any(|part| part == word);
        let mut named = arrays.filter(|array| word.len() > 2 && has(&array.name));
        match (named.next(), named.next()) {
            (Some(array), None) => Some(Self::Array(array.id.clone())),
            _ => None,
        }
    }

    /// "iSCSI", "NFS version 3 or NFS version 4.1", "edge servers".
    pub fn name(&self, catalog: &Catalog) -> String {
        match self {
            Self::Layout(id) => format!("\"{}\"", catalog.layouts[id].entry.title),
            Self::Array(id) => catalog.arrays.called(id).to_owned(),
            Self::Protocols(ids) => {
                let names = ids.iter().map(|id| catalog.protocols.called(id));
                names.collect::<Vec<_>>().join(" or ")
            }
            Self::Edges => "edge servers".to_owned(),
        }
    }

    /// The word by which it is asked for.
    pub fn word(&self) -> &str {
        match self {
            Self::Layout(id) | Self::Array(id) => id,
            Self::Protocols(ids) => ids.first().map_or("local", String::as_str),
            Self::Edges => "edges",
        }
    }

    /// Whether a deployment has it; where it is storage: with a volume of this role, or with any.
    pub fn is_in(&self, deployment: &Deployment, role: Option<&str>) -> bool {
        let any = |holds: &dyn Fn(&Mount) -> bool| {
            let is_asked = |mount: &Mount| role.is_none_or(|role| mount.roles.contains(&role));
            let mut mounts = deployment.volumes.iter();
            mounts.any(|mount| is_asked(mount) && holds(mount))
        };
        match self {
            Self::Layout(id) => deployment.layout == *id,
            Self::Array(id) => any(&|mount| mount.device == *id),
            Self::Protocols(ids) => any(&|mount| ids.contains(&mount.protocol)),
            Self::Edges => deployment.edges > 0,
        }
    }

    /// The best other layout that has it, for the database if any has it there.
    pub fn best<'a>(&self, advice: &'a Advice) -> Option<&'a Alternative> {
        let find = |role| {
            let mut all = advice.alternatives.iter();
            all.find(|other| match (&other.deployment, self) {
                (Some(deployment), _) => self.is_in(deployment, role),
                (None, Self::Layout(id)) => other.layout == *id,
                (None, _) => false,
            })
        };
        find(Some("db")).or_else(|| find(None))
    }

    /// Answers with which a site allows it, as `--set` takes them; none where it does already, or where its storage has no such
    /// protocol.
    pub fn allowed(&self, site: &Site, catalog: &Catalog) -> Vec<String> {
        let stated = &site.infrastructure;
        let more = |key: &str, has: &[String], wanted: &[String]| {
            let new: Vec<&String> = wanted.iter().filter(|id| !has.contains(id)).collect();
            let all = has.iter().chain(new.iter().copied());
            let all: Vec<String> = all.map(|id| format!("{id:?}")).collect();
            (!new.is_empty()).then(|| format!("infrastructure.{key}=[{}]", all.join(", ")))
        };
        let (storage, protocols) = match self {
            Self::Array(id) => {
                let array = catalog.arrays.get(id);
                let protocols = array.map_or(Vec::new(), |array| array.protocols.clone());
                (vec![id.clone()], protocols)
            }
            Self::Protocols(ids) => {
                let storage = stated.storage.value.iter();
                let arrays = storage.filter_map(|id| catalog.arrays.get(id));
                let mut offered = arrays.flat_map(|array| &array.protocols);
                if !offered.any(|id| ids.contains(id)) {
                    return Vec::new();
                }
                (Vec::new(), ids.clone())
            }
            Self::Layout(_) => (Vec::new(), Vec::new()),
            Self::Edges => {
                let none = stated.edges_max.value < 1.0;
                return none.then(|| "infrastructure.edges_max=1".to_owned()).into_iter().collect();
            }
        };
        let storage = more("storage", &stated.storage.value, &storage);
        let protocols = more("protocols", &stated.protocols.value, &protocols);
        storage.into_iter().chain(protocols).collect()
    }
}
