//! Systems, storage and networks around the server.

use super::none_yet;
use crate::catalog::{LOCAL_DISKS, Release};
use crate::origin::Origin;
use crate::site::answer::Answer;
use crate::site::assumptions::Entry;
use crate::site::equipment::Equipment;
use crate::site::fields::Kind;
use crate::site::machine::Model;
use crate::site::section::Section;

/// What the site states, else the first system that the named model runs, else the usual one.
pub(in crate::site) fn operating_systems(
    section: &Section<'_>,
    stated: Option<Answer<Vec<String>>>,
    model: Option<&Model<'_>>,
) -> Answer<Vec<String>> {
    const PATH: &str = "infrastructure.operating_systems";
    let named = model.filter(|model| model.is_named());
    stated.unwrap_or_else(|| {
        let first = named.and_then(|model| Some((model, *model.server().systems.first()?)));
        match first {
            Some((model, system)) => model.answer(section, PATH, vec![system.to_owned()]),
            None => section.assumed(PATH),
        }
    })
}

/// What the site states, else what comes with the named model, else the usual.
/// The systems that the site describes come on top.
pub(in crate::site) fn storage(
    section: &Section<'_>,
    model: Option<&Model<'_>>,
    equipment: &[Equipment],
) -> Answer<Vec<String>> {
    const PATH: &str = "infrastructure.storage";
    let mut storage: Answer<Vec<String>> = section.stated(PATH).unwrap_or_else(|| {
        let named = model.filter(|model| model.is_named());
        match named.filter(|model| !model.storage().is_empty()) {
            Some(model) => model.answer(section, PATH, model.storage().to_vec()),
            None => section.assumed(PATH),
        }
    });
    for one in equipment {
        for ids in [&mut storage.value, &mut storage.low, &mut storage.high] {
            if !ids.contains(&one.id) {
                ids.push(one.id.clone());
            }
        }
    }
    storage
}

pub(in crate::site) fn edges_max(section: &Section<'_>, release: &Answer<Release>) -> Answer<f64> {
    const PATH: &str = "infrastructure.edges_max";
    if release.value.edges() {
        return section.answer(PATH);
    }
    let why = format!("p4d {} has no edge servers, which came with 2013.2", release.value);
    none_yet(section, PATH, why)
}

/// The protocols that the storage speaks, and that of stated drives in the server.
pub(in crate::site) fn protocols(
    section: &Section<'_>,
    storage: &Answer<Vec<String>>,
    drives: &Answer<f64>,
) -> Answer<Vec<String>> {
    const PATH: &str = "infrastructure.protocols";
    section.stated(PATH).unwrap_or_else(|| {
        let mut speak = storage.value.clone();
        if drives.is_stated() && drives.value >= 1.0 && !speak.iter().any(|id| id == LOCAL_DISKS) {
            speak.push(LOCAL_DISKS.to_owned());
        }
        let ids = section.ledger.vocabulary.protocols_of(&speak);
        let origin = Origin::Derived { ids: speak, how: "the protocols that the storage speaks".to_owned() };
        section.assume(PATH, ids.clone(), ids.clone(), ids, origin)
    })
}

/// The network to the storage: Fibre Channel where that is the only way to it, else Ethernet.
pub(in crate::site) fn storage_network(section: &Section<'_>, protocols: &Answer<Vec<String>>) -> Answer<String> {
    const PATH: &str = "infrastructure.storage_network";
    section.stated(PATH).unwrap_or_else(|| {
        let on_fabric = &section.ledger.vocabulary.on_fabric;
        let only_fc = !protocols.value.is_empty() && protocols.value.iter().all(|p| on_fabric.contains(p));
        let entry = Entry::<String>::of(if only_fc { "rate.fc_network" } else { PATH }, Kind::Text);
        section.assume(PATH, entry.value, entry.low, entry.high, entry.origin)
    })
}
