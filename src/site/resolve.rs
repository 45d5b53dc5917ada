//! The sections whose missing answers follow from others: the arithmetic behind the assumptions.
//!
//! Each derived answer says its arithmetic with the numbers that went in; the factors and their
//! reasons stand in `models/assumptions.toml`. Ranges are those of the factor alone: what went in
//! has its own.
//!
//! ```text
//! developers ─┬─► files ─► revisions ─┬─► db_size ◄── workspace_files ◄── files
//!             │     ▲         ▲       └─► depot_size ◄── file_size
//!             │     └─────────┴── db_size, where that is the only answer
//!             └─► commands, submits, syncs a day; connections; concurrent syncs; RAM; cores
//! ```

use crate::origin::Origin;
use crate::units::{Bytes, Fraction, Hertz, PerSecond};

use super::answer::Answer;
use super::answerable::{Answerable, grouped};
use super::assumptions::{Entry, Factor};
use super::equipment::Equipment;
use super::fields::Kind;
use super::machine::Model;
use super::read::offices;
use super::section::Section;
use super::sections::{Data, Edge, People, Polls, Server, Workload};
use crate::catalog::Release;

pub(super) fn people(section: &Section<'_>) -> People {
    let developers = section
        .stated("people.developers")
        .unwrap_or_else(|| Answer::missing(1.0));
    let at_work: Answer<Fraction> = section.amount("people.at_work");
    let (n, share) = (developers.value, at_work.value);
    let connections_at_peak = section.derived(
        "people.connections_at_peak",
        |each| (n * share.get() * each).ceil(),
        |each| format!("{} developers × {share} at work × {each}", grouped(n)),
    );
    let people = People {
        developers,
        at_work,
        connections_at_peak,
        sites: offices(section),
    };
    section.reader.finish();
    people
}

/// Files and revisions: each follows from the other, both from the database's size or the people.
fn files_and_revisions(
    section: &Section<'_>,
    developers: f64,
    db_size: Option<&Answer<Bytes>>,
) -> (Answer<f64>, Answer<f64>) {
    let files = section.stated::<f64>("data.files");
    let revisions = section.stated::<f64>("data.revisions");
    let a_file = Factor::of::<f64>("data.revisions", Kind::Count);
    match (files, revisions, db_size) {
        (Some(files), Some(revisions), _) => (files, revisions),
        (Some(files), None, _) => {
            let revisions = revisions_of(section, files.value);
            (files, revisions)
        }
        (None, Some(revisions), _) => {
            let files = files_of(section, &a_file, &revisions);
            (files, revisions)
        }
        (None, None, Some(db)) => {
            let row = Factor::of::<Bytes>("rate.db_all_in", Kind::Size);
            let count = |bytes: f64| (db.value.get() / bytes).round().min(1e11);
            let arithmetic = format!("{} database ÷ {}", db.value, row.shown);
            let revisions = section.assume(
                "data.revisions",
                count(row.value),
                count(row.high),
                count(row.low),
                row.origin(&arithmetic),
            );
            let files = files_of(section, &a_file, &revisions);
            (files, revisions)
        }
        (None, None, None) => {
            let files: Answer<f64> = section.derive(
                "data.files",
                |each, _| developers * each,
                |each| format!("{} developers × {each}", grouped(developers)),
            );
            let revisions = revisions_of(section, files.value);
            (files, revisions)
        }
    }
}

fn revisions_of(section: &Section<'_>, files: f64) -> Answer<f64> {
    section.derive(
        "data.revisions",
        |each, _| (files * each).ceil(),
        |each| format!("{} files × {each}", grouped(files)),
    )
}

fn files_of(section: &Section<'_>, a_file: &Factor, revisions: &Answer<f64>) -> Answer<f64> {
    let count = |each: f64| (revisions.value / each).floor();
    let arithmetic = format!("{} revisions ÷ {}", grouped(revisions.value), a_file.shown);
    section.assume(
        "data.files",
        count(a_file.value),
        count(a_file.high),
        count(a_file.low),
        a_file.origin(&arithmetic),
    )
}

fn db_size(
    section: &Section<'_>,
    developers: f64,
    revisions: f64,
    workspace: f64,
) -> Answer<Bytes> {
    let have = Factor::of::<Bytes>("rate.have_row", Kind::Size);
    section.derive(
        "data.db_size",
        |row, end| revisions * row + developers * workspace * have.at(end),
        |row| {
            format!(
                "{} revisions × {row} + {} developers × {} files in a workspace × {} of db.have",
                grouped(revisions),
                grouped(developers),
                grouped(workspace),
                have.shown
            )
        },
    )
}

/// Each revision of a binary file is kept whole and compressed; of a text file the first is, and what a later one
/// changes.
fn depot_size(
    section: &Section<'_>,
    files: f64,
    revisions: f64,
    file_size: Bytes,
    binary: Fraction,
) -> Answer<Bytes> {
    let delta = Factor::of::<f64>("rate.text_delta", Kind::Number);
    let text = 1.0 - binary.get();
    section.derive(
        "data.depot_size",
        |whole, end| {
            let later = (revisions - files).max(0.0);
            let of_text = files + later * delta.at(end);
            let kept = binary.get() * revisions * whole + text * of_text;
            kept * file_size.get()
        },
        |whole| {
            format!(
                "{file_size} × ({binary} of {} revisions × {whole} + the rest of {} files and {} × each later revision)",
                grouped(revisions),
                grouped(files),
                delta.shown
            )
        },
    )
}

pub(super) fn data(section: &Section<'_>, people: &People) -> Data {
    let developers = people.developers.value;
    let stated_db = section.stated::<Bytes>("data.db_size");
    let (files, revisions) = files_and_revisions(section, developers, stated_db.as_ref());
    let most = Factor::of::<f64>("rate.workspace_files_most", Kind::Number);
    let workspace_files: Answer<f64> = section.derived(
        "data.workspace_files",
        |share| (files.value * share).min(most.value).ceil(),
        |share| {
            format!(
                "{} files × {share}, at most {}",
                grouped(files.value),
                most.shown
            )
        },
    );
    let file_size: Answer<Bytes> = section.amount("data.file_size");
    let db_size = stated_db
        .unwrap_or_else(|| db_size(section, developers, revisions.value, workspace_files.value));
    let binary_share: Answer<Fraction> = section.amount("data.binary_share");
    let depot_size = section.stated("data.depot_size").unwrap_or_else(|| {
        let of_binaries = binary_share.value;
        depot_size(
            section,
            files.value,
            revisions.value,
            file_size.value,
            of_binaries,
        )
    });
    let workspace_size = section.derived(
        "data.workspace_size",
        |part| workspace_files.value * file_size.value.get() * part,
        |part| {
            format!(
                "{} files × {} × {part}",
                grouped(workspace_files.value),
                file_size.value
            )
        },
    );
    Data {
        db_size,
        depot_size,
        files,
        revisions,
        db_growth: section.amount("data.db_growth"),
        depot_growth: section.amount("data.depot_growth"),
        workspace_files,
        workspace_size,
        file_size,
        binary_share,
    }
}

/// So many a day for each developer.
fn daily(section: &Section<'_>, path: &'static str, developers: f64) -> Answer<PerSecond> {
    section.derived(
        path,
        |each| developers * each,
        |each| format!("{} developers × {each}", grouped(developers)),
    )
}

/// A number of files from the assumptions, but no more than the server holds.
fn of_all_files(section: &Section<'_>, path: &'static str, files: f64) -> Answer<f64> {
    section.derived(
        path,
        |count| count.min(files),
        |count| format!("{count}, at most the {} files", grouped(files)),
    )
}

pub(super) fn workload(section: &Section<'_>, people: &People, data: &Data) -> Workload {
    let developers = people.developers.value;
    let files = data.files.value;
    let workspace = data.workspace_size.value;
    let commands_per_day = daily(section, "workload.commands_per_day", developers);
    let (tools, polls) = polls(section, people);
    let workload = Workload {
        automation_share: section.amount("workload.automation_share"),
        submits_per_day: daily(section, "workload.submits_per_day", developers),
        files_per_submit: section.amount("workload.files_per_submit"),
        largest_submit_files: of_all_files(section, "workload.largest_submit_files", files),
        syncs_per_day: daily(section, "workload.syncs_per_day", developers),
        files_per_sync: section.amount("workload.files_per_sync"),
        concurrent_syncs: section.derived(
            "workload.concurrent_syncs",
            |each| (developers * each).ceil(),
            |each| format!("{} developers × {each}, rounded up", grouped(developers)),
        ),
        concurrent_sync_size: section.derived(
            "workload.concurrent_sync_size",
            |part| workspace.get() * part,
            |part| format!("{workspace} workspace × {part}"),
        ),
        large_syncs_per_day: section.stated("workload.large_syncs_per_day"),
        files_per_edit: section.amount("workload.files_per_edit"),
        polling_share: polling_share(section, &polls, &commands_per_day),
        tools,
        polls,
        branch_files: of_all_files(section, "workload.branch_files", files),
        client_rate: section.amount("workload.client_rate"),
        peak_to_mean: section.amount("workload.peak_to_mean"),
        commands_per_day,
    };
    section.reader.finish();
    workload
}

/// The tools that poll, and how many commands each sends.
fn polls(section: &Section<'_>, people: &People) -> (Option<Answer<Vec<String>>>, Vec<Polls>) {
    const A_DAY: f64 = 86_400.0;
    let tools: Option<Answer<Vec<String>>> = section.stated_choice("workload.tools");
    let at_work = people.developers.value * people.at_work.value.get();
    let pollers = &section.ledger.vocabulary.pollers;
    let named = tools.iter().flat_map(|tools| &tools.value);
    let mut polls: Vec<Polls> = Vec::new();
    for tool in named.filter_map(|id| pollers.get(id)) {
        // Named twice it polls no more.
        if polls.iter().all(|polls| polls.tool != tool.entry.id) {
            polls.push(Polls {
                tool: tool.entry.id.clone(),
                command: tool.sends,
                rate: PerSecond::new(tool.commands_a_day(at_work) / A_DAY),
            });
        }
    }
    (tools, polls)
}

/// What was stated, else what the tools send, else what is assumed.
fn polling_share(
    section: &Section<'_>,
    polls: &[Polls],
    commands: &Answer<PerSecond>,
) -> Answer<Fraction> {
    /// Something besides is asked for on any server.
    const MOST: f64 = 0.95;
    /// How often tools ask is assumed: three times as often, or a third.
    const RANGE: f64 = 3.0;
    const PATH: &str = "workload.polling_share";
    let rate: f64 = polls.iter().map(|polls| polls.rate.get()).sum();
    if rate <= 0.0 {
        return section.amount(PATH);
    }
    if let Some(stated) = section.stated(PATH) {
        return stated;
    }
    let all = commands.value.get();
    let share = |times: f64| {
        let polls = rate * times;
        let share = if commands.is_stated() {
            polls / all.max(f64::MIN_POSITIVE)
        } else {
            polls / (polls + all)
        };
        Fraction::new(share.min(MOST))
    };
    let ids: Vec<&str> = polls.iter().map(|polls| polls.tool.as_str()).collect();
    let how = format!(
        "{} send {} by the rates of models/tools, of {}",
        ids.join(", "),
        Answerable::shown(&PerSecond::new(rate), Kind::Rate),
        Answerable::shown(&commands.value, Kind::Rate)
    );
    let ids = vec!["workload.tools".to_owned()];
    let origin = Origin::Derived { ids, how };
    section.assume(PATH, share(1.0), share(1.0 / RANGE), share(RANGE), origin)
}

/// The answers about the machine, and the model that they come from; `systems` are those that the site states.
pub(super) fn server<'v>(
    section: &Section<'v>,
    people: &People,
    data: &Data,
    systems: Option<&[String]>,
) -> (Server, Option<Model<'v>>) {
    let release = section.choice("server.release");
    let (named, machine) = Model::of(section, release.value, systems);
    let model = machine.as_ref();
    let processor = processor(section, model);
    let server = Server {
        model: named,
        ram: section
            .stated("server.ram")
            .unwrap_or_else(|| memory(section, people, data, model)),
        cores: section
            .stated("server.cores")
            .unwrap_or_else(|| cores(section, people, model)),
        clock: clock(section, processor.as_ref(), model),
        processor,
        peeking: peeking(section, &release),
        tcp_window: tcp_window(section, &release),
        release,
        local_disks: section
            .stated("server.local_disks")
            .unwrap_or_else(|| local_disks(section, model)),
        instances: section.amount("server.instances"),
        local_medium: section
            .stated_choice("server.local_medium")
            .unwrap_or_else(|| local_medium(section, model)),
        bits: section
            .stated("server.bits")
            .unwrap_or_else(|| bits(section, model)),
        write_cache: section.choice("server.write_cache"),
        log_level: section.amount("server.log_level"),
    };
    section.reader.finish();
    (server, machine)
}
/// What the named model has; else Perforce's rule, and no more than servers of the time had.
fn memory(
    section: &Section<'_>,
    people: &People,
    data: &Data,
    model: Option<&Model<'_>>,
) -> Answer<Bytes> {
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
            rule.max(least.value).min(limit)
        },
        |file| {
            format!(
                "{} files × {file} + {} developers × {}, at least {}{}",
                grouped(files),
                grouped(developers),
                user.shown,
                least.shown,
                at_most(most.map(|most| most.value.to_string()), model)
            )
        },
    )
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
    section.stated_choice(PATH).or_else(|| {
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
        let why = format!("the clock at which all cores of {id} typically run ({file})");
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

/// What the site states, else the first system that the named model runs, else the usual one.
pub(super) fn operating_systems(
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
pub(super) fn storage(
    section: &Section<'_>,
    model: Option<&Model<'_>>,
    equipment: &[Equipment],
) -> Answer<Vec<String>> {
    const PATH: &str = "infrastructure.storage";
    let mut storage: Answer<Vec<String>> = section.stated_choice(PATH).unwrap_or_else(|| {
        let named = model.filter(|model| model.is_named());
        match named.filter(|model| !model.server().storage.is_empty()) {
            Some(model) => model.answer(section, PATH, model.server().storage.clone()),
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

/// The machines of edges: like the server's where nothing else was answered.
pub(super) fn edge(section: &Section<'_>, server: &Server) -> Edge {
    const MEDIUM: &str = "edge.local_medium";
    let (ram, disks) = (server.ram.value, server.local_disks.value);
    let least = Factor::of::<f64>("rate.edge_disks_least", Kind::Number);
    let edge = Edge {
        ram: section.derived(
            "edge.ram",
            |times| ram.get() * times,
            |times| format!("{ram} of the server × {times}"),
        ),
        local_disks: section.derived(
            "edge.local_disks",
            |times| (disks * times).ceil().max(least.value),
            |times| {
                format!(
                    "{} of the server × {times}, at least {}",
                    grouped(disks),
                    least.shown
                )
            },
        ),
        local_medium: section.stated_choice(MEDIUM).unwrap_or_else(|| {
            let medium = &server.local_medium;
            let how = format!("as in the server: {}", medium.value);
            let ids = vec!["server.local_medium".to_owned()];
            let origin = Origin::Derived { ids, how };
            let (low, high) = (medium.low.clone(), medium.high.clone());
            section.assume(MEDIUM, medium.value.clone(), low, high, origin)
        }),
        drive_size: section.stated("edge.drive_size"),
        depot_share: section.amount("edge.depot_share"),
    };
    section.reader.finish();
    edge
}

/// `db.peeking` as p4d has it by default: 2, and 0 before there were reads without locks.
fn peeking(section: &Section<'_>, release: &Answer<Release>) -> Answer<f64> {
    const PATH: &str = "server.peeking";
    if release.value.lockless() {
        return section.amount(PATH);
    }
    let why = format!(
        "p4d {} has no db.peeking, which came with 2013.3: all reads take locks",
        release.value
    );
    none_yet(section, PATH, why)
}

/// What the kernel allows where it sizes the buffers (`net.autotune`), else what p4d or the system sets.
fn tcp_window(section: &Section<'_>, release: &Answer<Release>) -> Answer<Bytes> {
    const PATH: &str = "server.tcp_window";
    section.stated(PATH).unwrap_or_else(|| {
        let id = if release.value.autotunes() {
            PATH
        } else {
            "rate.tcp_window_fixed"
        };
        let entry = Entry::<Bytes>::of(id, Kind::Size);
        section.assume(PATH, entry.value, entry.low, entry.high, entry.origin)
    })
}

pub(super) fn edges_max(section: &Section<'_>, release: &Answer<Release>) -> Answer<f64> {
    const PATH: &str = "infrastructure.edges_max";
    if release.value.edges() {
        return section.amount(PATH);
    }
    let why = format!(
        "p4d {} has no edge servers, which came with 2013.2",
        release.value
    );
    none_yet(section, PATH, why)
}

/// Zero of what the release does not have, whatever was stated; `checks` warns.
fn none_yet(section: &Section<'_>, path: &'static str, why: String) -> Answer<f64> {
    match section.stated::<f64>(path) {
        Some(stated) => Answer {
            value: 0.0,
            low: 0.0,
            high: 0.0,
            ..stated
        },
        None => section.assume(path, 0.0, 0.0, 0.0, Origin::Assumed { why }),
    }
}

/// The protocols that the storage speaks, and the network that they need.
pub(super) fn protocols(
    section: &Section<'_>,
    storage: &Answer<Vec<String>>,
) -> Answer<Vec<String>> {
    const PATH: &str = "infrastructure.protocols";
    section.stated_choice(PATH).unwrap_or_else(|| {
        let ids = section.ledger.vocabulary.protocols_of(&storage.value);
        let origin = Origin::Derived {
            ids: storage.value.clone(),
            how: format!("the protocols of {}", storage.value.join(", ")),
        };
        section.assume(PATH, ids.clone(), ids.clone(), ids, origin)
    })
}

/// The network to the storage: Fibre Channel where that is the only way to it, else Ethernet.
pub(super) fn storage_network(
    section: &Section<'_>,
    protocols: &Answer<Vec<String>>,
) -> Answer<String> {
    const PATH: &str = "infrastructure.storage_network";
    section.stated_choice(PATH).unwrap_or_else(|| {
        let on_fabric = &section.ledger.vocabulary.on_fabric;
        let only_fc =
            !protocols.value.is_empty() && protocols.value.iter().all(|p| on_fabric.contains(p));
        let entry = Entry::<String>::of(if only_fc { "rate.fc_network" } else { PATH }, Kind::Text);
        section.assume(PATH, entry.value, entry.low, entry.high, entry.origin)
    })
}
