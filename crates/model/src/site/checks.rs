//! What only several answers together can get wrong.

use crate::diag::Diagnostic;
use crate::document::Kind as Toml;

use super::answerable::grouped;
use super::machine::{Model, Rule};
use super::section::{Section, known};
use super::sections::{Data, Edge, Infrastructure, People, Server, Targets, Today, Workload};
use crate::units::{Bytes, Seconds};

/// Offices have no more developers than there are.
pub(super) fn people(section: &Section<'_>, people: &People) {
    let sum: f64 = people.sites.iter().map(|s| s.developers.value).sum();
    // A wrong or missing number was reported on its own.
    if !people.developers.is_stated() {
        return;
    }
    if sum > people.developers.value {
        let terms: Vec<String> = people.sites.iter().take(8).map(|s| grouped(s.developers.value)).collect();
        let more = if people.sites.len() > 8 { " + …" } else { "" };
        section.report(
            "people.developers",
            Diagnostic::error(
                "SIT002",
                format!(
                    "the offices have {} developers ({}{more}), more than \"people.developers\"",
                    grouped(sum),
                    terms.join(" + ")
                ),
            )
            .help("\"people.developers\" counts all developers, including those in [[people.site]]"),
            &format!("found {}", grouped(people.developers.value)),
        );
    }
}

/// Every file has a revision, and sizes and counts belong to the same server.
pub(super) fn data(section: &Section<'_>, data: &Data) {
    /// The least that a revision can cost in the database, with room: 150 B of db.rev alone.
    const ROW_LEAST: f64 = 50.0;
    /// More a revision than any published server, ten times over: 80 GB of db.have at E07.
    const ROW_MOST: f64 = 100_000.0;
    if data.revisions.value < data.files.value && data.revisions.is_stated() && data.files.is_stated() {
        section.report(
            "data.revisions",
            Diagnostic::error(
                "SIT003",
                format!(
                    "{} files cannot have {} revisions: each has at least one",
                    grouped(data.files.value),
                    grouped(data.revisions.value)
                ),
            )
            .help("`p4 sizes -sz //...` counts files, `p4 sizes -asz //...` revisions; are the two exchanged?"),
            "fewer than \"data.files\"",
        );
        return;
    }
    if data.db_size.is_stated() && data.db_size.value.get() == 0.0 && data.files.value > 0.0 {
        let files = format!("a database of 0 B beside {} files", grouped(data.files.value));
        nothing(section, "data.db_size", files);
        return;
    }
    let row = data.db_size.value.get() / data.revisions.value.max(1.0);
    if data.db_size.is_stated() && data.revisions.is_stated() && !(ROW_LEAST..=ROW_MOST).contains(&row) {
        section.report(
            "data.db_size",
            Diagnostic::warning(
                "SIT102",
                format!(
                    "a database of {} for {} revisions is {} B each, and 480 to 620 B is usual",
                    data.db_size.value,
                    grouped(data.revisions.value),
                    crate::units::significant(row, 2)
                ),
            )
            .help("check both numbers; if they are right, p4d may need its database rebuilt from a checkpoint"),
            "this or \"data.revisions\" may be wrong",
        );
    }
}

/// A server with users runs commands.
pub(super) fn workload(section: &Section<'_>, workload: &Workload, people: &People) {
    let commands = &workload.commands_per_day;
    if commands.is_stated() && commands.value.get() == 0.0 && people.developers.value > 0.0 {
        let people = format!("no commands a day with {} people", grouped(people.developers.value));
        nothing(section, "workload.commands_per_day", people);
    }
}

fn nothing(section: &Section<'_>, path: &'static str, message: String) {
    let diagnostic = Diagnostic::warning("SIT113", message)
        .help("leave the line out where the number is not known: Plimsoll then assumes one");
    section.report(path, diagnostic, "0 means that there is none");
}

/// What is stated of the machine can be had with its model.
pub(super) fn machine(section: &Section<'_>, server: &Server, model: &Model<'_>) {
    let has = model.server();
    model.check_amount(section, "server.cores", &server.cores, Rule::BoughtOtherwise, has.cores.value);
    model.check_amount(section, "server.ram", &server.ram, Rule::BoughtOtherwise, has.memory.value);
    model.check_amount(section, "server.bits", &server.bits, Rule::AtMost, has.bits.value);
    let disks = has.internal_disks.value;
    model.check_amount(section, "server.local_disks", &server.local_disks, Rule::Freed, disks);
    model.check_word(section, "server.local_medium", &server.local_medium, &has.internal_medium);
}

/// A provider's volumes come with its instances: no other machine has them.
pub(super) fn rented_media(
    [server_table, edge_table]: [&Section<'_>; 2],
    server: &Server,
    edge: &Edge,
    model: Option<&Model<'_>>,
    storage: &[String],
) {
    let services = &server_table.ledger.vocabulary.block_services;
    let may_rent = model.is_some_and(Model::is_instance) || storage.iter().any(|id| services.contains(id));
    let media = [
        (server_table, "server.local_medium", &server.local_medium),
        (edge_table, "edge.local_medium", &edge.local_medium),
    ];
    for (section, path, medium) in media {
        let vocabulary = section.ledger.vocabulary;
        let is_rented = |id: &String| vocabulary.rented_media.contains(id);
        if may_rent || !medium.is_stated() || !is_rented(&medium.value) {
            continue;
        }
        let drives = vocabulary.server_media.iter();
        let drives: Vec<&str> = drives.filter(|id| !is_rented(id)).map(String::as_str).collect();
        section.report(
            path,
            Diagnostic::error(
                "SIT018",
                format!("{} is a volume of a cloud, and this server is no instance of one", medium.value),
            )
            .help(format!("the media that go into a server are {}", drives.join(", ")))
            .help(format!(
                "for a server in a cloud name its instance in \"server.model\", or its provider's volumes in \"infrastructure.storage\": {}",
                services.join(", ")
            )),
            "does not go into a server",
        );
    }
}

/// 32 or 64, and nothing between.
pub(super) fn server(section: &Section<'_>, server: &Server) {
    if server.bits.value != 32.0 && server.bits.value != 64.0 {
        section.report(
            "server.bits",
            Diagnostic::error("SIT010", "\"server.bits\" must be 32 or 64"),
            &format!("found {}", server.bits.value),
        );
    }
    let processor = server.processor.as_ref().map(|answer| &answer.value);
    let since = processor.and_then(|id| Some((id, section.ledger.vocabulary.since.get(id)?)));
    if let Some((id, since)) = since.filter(|(_, since)| server.release.value < **since) {
        let path = match &server.model {
            _ if server.release.is_stated() => "server.release",
            Some(model) if model.is_stated() => "server.model",
            _ => "server.processor",
        };
        section.report(
            path,
            Diagnostic::error("SIT021", format!("p4d {} does not run on {id}", server.release.value))
                .help(format!("it does since {since}: state server.release, or another processor or instance")),
            "too old for this processor",
        );
    }
    if server.peeking.is_stated() && !server.release.value.lockless() && asks_for_some(section, "server.peeking") {
        section.report(
            "server.peeking",
            Diagnostic::warning(
                "SIT104",
                format!("p4d {} does not know db.peeking, so the model uses 0", server.release.value),
            )
            .help("db.peeking came with 2013.3; check \"server.release\", or plan the upgrade"),
            "has no effect",
        );
    }
}

/// A site that speaks of large syncs, and whose only target for syncs is the one for ordinary syncs.
pub(super) fn targets(section: &Section<'_>, targets: &Targets, workload: &Workload) {
    let (syncs, size) = (&workload.large_syncs_per_day, &workload.concurrent_sync_size);
    let are_meant = syncs.is_stated() || workload.concurrent_syncs.is_some() || size.is_stated();
    let assumed = targets.large_sync.as_ref().filter(|answer| !answer.is_stated());
    if let Some(assumed) = assumed
        && targets.sync.is_stated()
        && are_meant
        && syncs.value.get() > 0.0
    {
        section.report(
            "targets.sync",
            Diagnostic::warning(
                "SIT106",
                format!(
                    "\"targets.sync\" judges ordinary syncs; the large ones of {} each have an assumed target of {}",
                    size.value,
                    assumed.value
                ),
            )
            .help("if large syncs are meant, call it \"targets.large_sync\"; both may be stated, and \"targets.sync_rate\" is for large ones"),
            "for ordinary syncs only",
        );
    }
}

/// Targets that no equipment meets: what a sync moves, at its least, takes longer at the pace of a client, at its best.
pub(super) fn reachable(section: &Section<'_>, targets: &Targets, workload: &Workload, data: &Data) {
    let pace = workload.client_rate.high;
    let files = workload.files_per_sync.low * data.file_size.low.get();
    let each = workload.concurrent_sync_size.low;
    let large = targets.large_sync.as_ref();
    let times = [("targets.sync", Some(&targets.sync), Bytes::new(files)), ("targets.large_sync", large, each)];
    let report = |path, message: String| {
        let help = "check the target, what a sync moves (workload.files_per_sync, data.file_size, workload.concurrent_sync_size) and \
                    workload.client_rate";
        section.contradicts(path, "SIT117", &message, help);
    };
    for (path, target, bytes) in times {
        let Some(target) = target.filter(|target| target.is_stated()) else {
            continue;
        };
        let least = Seconds::new(bytes.get() / pace.get());
        if target.value < least {
            report(
                path,
                format!(
                    "{path} = {}, and at least {} at a client's {} at most take {}: no equipment meets it",
                    target.value,
                    bytes.estimated(),
                    pace.in_bits(),
                    least.estimated()
                ),
            );
        }
    }
    let rate = targets.sync_rate.as_ref().map(|rate| rate.value);
    if let Some(rate) = rate.filter(|rate| *rate > pace) {
        report(
            "targets.sync_rate",
            format!(
                "targets.sync_rate = {}, and a client takes {} at most: no equipment meets it",
                rate.in_bits(),
                pace.in_bits()
            ),
        );
    }
}

/// A checkpoint, a replay and a restore move the whole database: a time in which no store does is dropped.
pub(super) fn today(section: &Section<'_>, today: &mut Today, data: &Data) {
    let model = today.model.as_ref().zip(today.operating_system.as_ref());
    let machines = &section.ledger.vocabulary.machines;
    let machine = model.and_then(|(model, system)| Some((machines.get(&model.value)?, &system.value)));
    if let Some((machine, system)) = machine.filter(|(m, system)| !m.server.systems.contains(&system.as_str())) {
        let runs = machine.server.systems.join(", ");
        section.report(
            "today.operating_system",
            Diagnostic::error(
                "SIT012",
                format!("\"today.operating_system\" is {system}, but today's server runs {runs} ({})", machine.file),
            )
            .help("correct the system, or name another model"),
            &format!("it runs {runs}"),
        );
    }
    let fastest = section.ledger.vocabulary.fastest_read;
    if fastest <= 0.0 || !data.db_size.is_stated() {
        return;
    }
    let least = Seconds::new(data.db_size.value.get() / fastest);
    let jobs = [
        ("today.checkpoint_time", "a checkpoint", &mut today.checkpoint_time),
        ("today.replay_time", "a replay", &mut today.replay_time),
        ("today.restore_time", "a restore", &mut today.restore_time),
    ];
    for (field, job, answer) in jobs {
        let Some(time) = answer.as_ref().map(|time| time.value).filter(|time| *time < least) else {
            continue;
        };
        *answer = None;
        section.report(
            field,
            Diagnostic::warning(
                "SIT115",
                format!(
                    "{job} of {} in {time}: the fastest store moves that in {}",
                    data.db_size.value,
                    least.estimated()
                ),
            )
            .help("it goes through the whole database; look at the log of the job. The time is not used."),
            "too short",
        );
    }
}

/// Whether more than 0 is written.
fn asks_for_some(section: &Section<'_>, path: &'static str) -> bool {
    let written = section.reader.raw(known(path).key());
    !written.is_some_and(|value| value.kind == Toml::Integer(0))
}

/// Edge servers need a release that has them.
pub(super) fn infrastructure(section: &Section<'_>, infrastructure: &Infrastructure, server: &Server) {
    filesystems(section, infrastructure, server);
    let path = "infrastructure.edges_max";
    if infrastructure.edges_max.is_stated() && !server.release.value.edges() && asks_for_some(section, path) {
        section.report(
            "infrastructure.edges_max",
            Diagnostic::warning(
                "SIT105",
                format!("p4d {} has no edge servers, so the advice uses none", server.release.value),
            )
            .help("edge servers came with 2013.2; check \"server.release\", or plan the upgrade"),
            "needs a later release",
        );
    }
}

/// The filesystems that are allowed exist on one of the operating systems, or one of them does.
fn filesystems(section: &Section<'_>, infrastructure: &Infrastructure, server: &Server) {
    let path = "infrastructure.filesystems";
    let Some(wanted) = infrastructure.filesystems.as_ref() else {
        return;
    };
    let systems = &infrastructure.operating_systems.value;
    let year = server.release.value.year();
    let all = &section.ledger.vocabulary.on_systems;
    let exists = |id: &String| all.get(id).is_some_and(|one| one.is_on(systems, year));
    // One that is no filesystem was reported.
    let are_known = wanted.value.iter().all(|id| all.contains_key(id));
    if wanted.value.is_empty() || systems.is_empty() || !are_known || wanted.value.iter().any(exists) {
        return;
    }
    let there: Vec<&str> = all.keys().filter(|id| exists(id)).map(String::as_str).collect();
    let (names, verb) = (wanted.value.join(", "), if wanted.value.len() == 1 { "does" } else { "do" });
    section.report(
        path,
        Diagnostic::error("SIT019", format!("{names} {verb} not exist on {} in {year}", systems.join(" or "))).help(
            format!("there {} can be had: {}", if there.len() == 1 { "this one" } else { "these" }, there.join(", ")),
        ),
        "no server of this site can have it",
    );
}
