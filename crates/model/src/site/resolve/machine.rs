//! The server's machine and those of the edges, and what p4d of its release does by default.

use super::none_yet;
use crate::catalog::{Feature, Release, memory};
use crate::origin::Origin;
use crate::site::answer::Answer;
use crate::site::answerable::grouped;
use crate::site::assumptions::{Entry, Factor};
use crate::site::fields::Kind;
use crate::site::machine::Model;
use crate::site::section::Section;
use crate::site::sections::{Data, Edge, People, ProxyCache, Server};
use crate::units::{Bytes, Hertz};

/// The answers about the machine, and the model that they come from; `systems` are those that the site states.
pub(in crate::site) fn server<'v>(
    section: &Section<'v>,
    people: &People,
    data: &Data,
    systems: Option<&[String]>,
) -> (Server, Option<Model<'v>>) {
    let release = section.answer("server.release");
    let (named, machine) = Model::of(section, release.value, systems);
    let model = machine.as_ref();
    let processor = processor(section, model);
    let server = Server {
        model: named,
        ram: section.stated("server.ram").unwrap_or_else(|| memory(section, people, data, model)),
        cores: section.stated("server.cores").unwrap_or_else(|| cores(section, people, model)),
        clock: clock(section, processor.as_ref(), model),
        processor,
        is_virtual: section.stated("server.virtual"),
        peeking: peeking(section, &release),
        tcp_window: tcp_window(section, &release),
        release,
        local_disks: section.stated("server.local_disks").unwrap_or_else(|| local_disks(section, model)),
        instances: section.answer("server.instances"),
        local_medium: section.stated("server.local_medium").unwrap_or_else(|| local_medium(section, model)),
        bits: section.stated("server.bits").unwrap_or_else(|| bits(section, model)),
        write_cache: section.answer("server.write_cache"),
        log_level: section.answer("server.log_level"),
    };
    section.reader.finish();
    (server, machine)
}

/// What the named model has; else Perforce's rule, and no more than servers of the time had.
fn memory(section: &Section<'_>, people: &People, data: &Data, model: Option<&Model<'_>>) -> Answer<Bytes> {
    const PATH: &str = "server.ram";
    if let Some(model) = model.filter(|model| model.is_named()) {
        return model.answer(section, PATH, model.server().memory.value);
    }
    let (developers, files) = (people.developers.value, data.files.value);
    let user = Factor::of::<Bytes>("rate.ram_per_user", Kind::Size);
    let least = Factor::of::<Bytes>("rate.ram_least", Kind::Size);
    let usual = model.and_then(|model| model.server().usual.as_ref());
    let most = usual.and_then(|usual| usual.memory_most.as_ref());
    let limit = most.map_or(f64::INFINITY, |most| most.value.get());
    section.derive(
        PATH,
        |file, end| {
            let rule = files * file + developers * user.at(end);
            sold(rule.max(least.value)).min(limit)
        },
        |file| {
            format!(
                "{} files × {file} + {} developers × {}, at least {}, in a size that is sold{}",
                grouped(files),
                grouped(developers),
                user.shown,
                least.shown,
                at_most(most.map(|most| most.value.to_string()), model)
            )
        },
    )
}

/// The smallest memory that is sold and holds so many bytes \[B\].
fn sold(bytes: f64) -> f64 {
    memory::EMBEDDED.sold_for(Bytes::new(bytes)).get()
}

/// What the named model has; else Perforce's rule, and no more than servers of the time had.
fn cores(section: &Section<'_>, people: &People, model: Option<&Model<'_>>) -> Answer<f64> {
    const PATH: &str = "server.cores";
    if let Some(model) = model.filter(|model| model.is_named()) {
        return model.answer(section, PATH, model.server().cores.value);
    }
    let developers = people.developers.value;
    let least = Factor::of::<f64>("rate.cores_least", Kind::Number);
    let most = Factor::of::<f64>("rate.cores_most", Kind::Number);
    let usual = model.and_then(|model| model.server().usual.as_ref());
    let limit = usual.and_then(|usual| usual.cores_most.as_ref());
    let highest = limit.map_or(f64::INFINITY, |limit| limit.value);
    section.derive(
        PATH,
        |each, _| {
            let rule = (developers * each).ceil();
            rule.clamp(least.value, most.value).min(highest)
        },
        |each| {
            format!(
                "{} developers × {each}, from {} to {}{}",
                grouped(developers),
                least.shown,
                most.shown,
                at_most(limit.map(|limit| grouped(limit.value)), model)
            )
        },
    )
}

/// ", and no more than the 4 of a x86 server of 1998 to 2004"; nothing where there is no limit.
fn at_most(limit: Option<String>, model: Option<&Model<'_>>) -> String {
    let (Some(limit), Some(model)) = (limit, model) else {
        return String::new();
    };
    let title = &model.server().entry.title;
    format!(", and no more than {limit} ({title})")
}

/// What the named model has. Where none is named, a number to start from: how many drives a layout takes is then
/// said with it.
fn local_disks(section: &Section<'_>, model: Option<&Model<'_>>) -> Answer<f64> {
    const PATH: &str = "server.local_disks";
    match model.filter(|model| model.is_named()) {
        Some(model) => model.answer(section, PATH, model.server().internal_disks.value),
        None => section.assumed(PATH),
    }
}

/// What the named model has, else what servers of the time had.
fn local_medium(section: &Section<'_>, model: Option<&Model<'_>>) -> Answer<String> {
    const PATH: &str = "server.local_medium";
    let Some(model) = model else {
        return section.assumed(PATH);
    };
    let value = model.server().internal_medium.clone();
    match model.server().usual.as_ref().map(|usual| &*usual.media) {
        Some([low, high]) if !model.is_named() => {
            let note = "the kind of its disks, from the slowest to the fastest of the time";
            let range = [value, low.clone(), high.clone()];
            model.answer_within(section, PATH, range, note)
        }
        _ => model.answer(section, PATH, value),
    }
}

/// What the site states, else what the named model has, else the usual family of today; none of an older model, whose
/// processor costs are its generation's.
fn processor(section: &Section<'_>, model: Option<&Model<'_>>) -> Option<Answer<String>> {
    const PATH: &str = "server.processor";
    section.stated(PATH).or_else(|| {
        if model.is_some_and(|model| !model.server().is_of_today()) {
            return None;
        }
        let named = model.filter(|model| model.is_named());
        let own = named.and_then(|model| Some((model, model.server().processor.clone()?)));
        Some(match own {
            Some((model, own)) => model.answer(section, PATH, own),
            None => section.assumed(PATH),
        })
    })
}

/// What the site states, else the clock of the named model, else the typical one of the processor's family; none where
/// the processor has none.
fn clock(
    section: &Section<'_>,
    processor: Option<&Answer<String>>,
    model: Option<&Model<'_>>,
) -> Option<Answer<Hertz>> {
    const PATH: &str = "server.clock";
    section.stated(PATH).or_else(|| {
        let id = &processor?.value;
        let named = model.filter(|model| model.is_named() && model.server().is_of_today());
        if let Some(model) = named {
            return Some(model.answer(section, PATH, model.server().clock.value));
        }
        let (clock, file) = section.ledger.vocabulary.clocks.get(id)?;
        let why = format!("the clock at which all cores of this family typically run ({file})");
        let origin = Origin::Assumed { why };
        Some(section.assume(PATH, *clock, *clock, *clock, origin))
    })
}

/// The word size of p4d is that of the machine.
fn bits(section: &Section<'_>, model: Option<&Model<'_>>) -> Answer<f64> {
    const PATH: &str = "server.bits";
    match model {
        Some(model) => model.answer(section, PATH, model.server().bits.value),
        None => section.assumed(PATH),
    }
}

/// The machines of edges: like the server's where nothing else was answered.
pub(in crate::site) fn edge(section: &Section<'_>, server: &Server) -> Edge {
    const MEDIUM: &str = "edge.local_medium";
    let (ram, disks) = (server.ram.value, server.local_disks.value);
    let least = Factor::of::<f64>("rate.edge_disks_least", Kind::Number);
    let edge = Edge {
        ram: section.derived(
            "edge.ram",
            |times| sold(ram.get() * times),
            |times| format!("{ram} of the server × {times}, in a size that is sold"),
        ),
        local_disks: section.derived(
            "edge.local_disks",
            |times| (disks * times).ceil().max(least.value),
            |times| format!("{} of the server × {times}, at least {}", grouped(disks), least.shown),
        ),
        local_medium: section.stated(MEDIUM).unwrap_or_else(|| {
            let medium = &server.local_medium;
            let how = "as in the server".to_owned();
            let ids = vec!["server.local_medium".to_owned()];
            let origin = Origin::Derived { ids, how };
            let (low, high) = (medium.low.clone(), medium.high.clone());
            section.assume(MEDIUM, medium.value.clone(), low, high, origin)
        }),
        drive_size: section.stated("edge.drive_size"),
        depot_share: section.answer("edge.depot_share"),
    };
    section.reader.finish();
    edge
}

/// What a proxy keeps: as much as the edge of an office, where nothing else was answered.
pub(in crate::site) fn proxy(section: &Section<'_>, edge: &Edge, data: &Data) -> ProxyCache {
    let (share, depots) = (edge.depot_share.value, data.depot_size.value);
    let proxy = ProxyCache {
        cache: section.derived(
            "proxy.cache",
            |times| depots.get() * share.get() * times,
            |times| format!("{share} of {depots} of depots × {times}"),
        ),
        hits: section.answer("proxy.hits"),
    };
    section.reader.finish();
    proxy
}

/// `db.peeking` as p4d has it by default: 2, and 0 before there were reads without locks.
fn peeking(section: &Section<'_>, release: &Answer<Release>) -> Answer<f64> {
    const PATH: &str = "server.peeking";
    if release.value.lockless() {
        return section.answer(PATH);
    }
    let why = format!("p4d {} has no db.peeking, which came with 2013.3: all reads take locks", release.value);
    none_yet(section, PATH, why)
}

/// What the kernel allows where it sizes the buffers (`net.autotune`), else what p4d or the system sets.
fn tcp_window(section: &Section<'_>, release: &Answer<Release>) -> Answer<Bytes> {
    const PATH: &str = "server.tcp_window";
    section.stated(PATH).unwrap_or_else(|| {
        let entry = assumed_window(release.value);
        section.assume(PATH, entry.value, entry.low, entry.high, entry.origin)
    })
}

fn assumed_window(release: Release) -> Entry<Bytes> {
    let id = if release.has(Feature::Autotune) { "server.tcp_window" } else { "rate.tcp_window_fixed" };
    Entry::of(id, Kind::Size)
}

/// What one TCP connection is assumed to keep in flight to and from a server of this release.
///
/// ```
/// use plimsoll_model::site::assumed_tcp_window;
/// let before = assumed_tcp_window("2013.1".parse().unwrap());
/// assert_eq!(before.get(), 65_536.0);
/// ```
pub fn assumed_tcp_window(release: Release) -> Bytes {
    assumed_window(release).value
}
