//! Answers that do not fit each other: each a warning with both numbers in one sentence.
//!
//! Only what was stated is held against each other; limits are wide, since these are means of very different servers.

use crate::diag::{Diagnostic, quoted};
use crate::units::{Bytes, BytesPerSecond, DAY, YEAR, list};

use super::answerable::grouped;
use super::section::Section;
use super::sections::{Data, People, Workload};

/// Archives that are so many times larger than all revisions together, uncompressed, are of another server.
const ARCHIVES_MOST: f64 = 10.0;
/// Archives that are so much smaller than the files' newest revisions, too: text compresses to a fifth, and branches copy
/// no archives.
const ARCHIVES_LEAST: f64 = 0.01;
/// A year of submits that is so many times larger or smaller than the stated growth does not fit it: submits are means,
/// and archives are compressed.
const GROWTH_APART: f64 = 20.0;
/// A workspace whose stated size is so many times larger or smaller than its files at the mean size.
const WORKSPACE_APART: f64 = 30.0;

/// The tables in which the answers stand.
pub(super) struct Tables<'s, 'a> {
    pub(super) people: &'s Section<'a>,
    pub(super) data: &'s Section<'a>,
    pub(super) workload: &'s Section<'a>,
}

/// Every check.
pub(super) fn check(tables: &Tables<'_, '_>, people: &People, data: &Data, workload: &Workload) {
    archives(tables.data, data);
    workspace(tables.data, data);
    growth(tables.data, data, workload);
    lines(tables.workload, people, data, workload);
    connections(tables.people, people);
    tools(tables.workload, workload);
    parts_of_commands(tables.workload, workload);
}

fn warn(section: &Section<'_>, path: &'static str, code: &'static str, message: String, help: &str) {
    let diagnostic = Diagnostic::warning(code, message).help(help);
    section.report(path, diagnostic, "does not fit the others");
}

/// " (assumed)" behind a number that nobody stated.
fn assumed(is_stated: bool) -> &'static str {
    if is_stated { "" } else { " (assumed)" }
}

/// 800 TB of archives beside 20 M files of 213 KiB, which are 4.3 TB.
fn archives(section: &Section<'_>, data: &Data) {
    if !data.depot_size.is_stated() || !data.files.is_stated() {
        return;
    }
    let size = data.file_size.value.get();
    let newest = data.files.value * size;
    let all = data.revisions.value.max(data.files.value) * size;
    let stated = data.depot_size.value;
    let files = grouped(data.files.value);
    let mean = format!("{}{}", data.file_size.value, assumed(data.file_size.is_stated()));
    if stated.get() > ARCHIVES_MOST * all {
        let message = format!(
            "archives of {stated} beside {files} files of {mean}, which are {}, and {} with all {} revisions{}",
            Bytes::new(newest),
            Bytes::new(all),
            grouped(data.revisions.value),
            assumed(data.revisions.is_stated())
        );
        let help = "check the three numbers: `p4 sizes -asz //...` counts files and bytes of all revisions, `p4 diskspace` what the archives take";
        warn(section, "data.depot_size", "SIT107", message, help);
    } else if stated.get() < ARCHIVES_LEAST * newest {
        let message = format!(
            "archives of {stated} beside {files} files of {mean}, which are {} before compression",
            Bytes::new(newest)
        );
        let help = "check the numbers: is the mean size of a file that of large files alone?";
        warn(section, "data.depot_size", "SIT107", message, help);
    }
}

/// More files in a workspace than there are, or a size that its files do not have.
fn workspace(section: &Section<'_>, data: &Data) {
    let (files, size) = (&data.workspace_files, &data.workspace_size);
    if files.is_stated() && data.files.is_stated() && files.value > data.files.value {
        let message =
            format!("a workspace of {} files, and the server has {}", grouped(files.value), grouped(data.files.value));
        let help = "a workspace holds one revision of a file at most";
        warn(section, "data.workspace_files", "SIT108", message, help);
        return;
    }
    if !files.is_stated() || !size.is_stated() {
        return;
    }
    let of_files = files.value * data.file_size.value.get();
    let ratio = size.value.get() / of_files.max(1.0);
    if !(1.0 / WORKSPACE_APART..=WORKSPACE_APART).contains(&ratio) {
        let message = format!(
            "a workspace of {} in {} files, which at {}{} each are {}",
            size.value,
            grouped(files.value),
            data.file_size.value,
            assumed(data.file_size.is_stated()),
            Bytes::new(of_files)
        );
        let help = "check the two numbers, or state data.file_size";
        warn(section, "data.workspace_size", "SIT108", message, help);
    }
}

/// What submits bring in a year against the growth of the archives.
fn growth(section: &Section<'_>, data: &Data, workload: &Workload) {
    let submits = &workload.submits_per_day;
    let all_stated = data.depot_growth.is_stated() && data.depot_size.is_stated() && submits.is_stated();
    let rate = data.depot_growth.value.over(crate::units::Seconds::years(1.0)) - 1.0;
    if !all_stated || rate <= 0.0 {
        return;
    }
    let each = workload.files_per_submit.value * data.file_size.value.get();
    let brought = submits.value.get() * YEAR * each;
    let grown = data.depot_size.value.get() * rate;
    let ratio = brought / grown.max(1.0);
    if !(1.0 / GROWTH_APART..=GROWTH_APART).contains(&ratio) {
        let message = format!(
            "{} submits a day of {} files{} of {}{} bring {} a year, and archives of {} that grow by {} take {} a year",
            grouped((submits.value.get() * DAY).round()),
            grouped(workload.files_per_submit.value),
            assumed(workload.files_per_submit.is_stated()),
            data.file_size.value,
            assumed(data.file_size.is_stated()),
            Bytes::new(brought),
            data.depot_size.value,
            data.depot_growth.value,
            Bytes::new(grown)
        );
        let help =
            "growth is that of the archives on disk, a year; large files that builds submit count as submits too";
        warn(section, "data.depot_growth", "SIT109", message, help);
    }
}

/// What the ordinary syncs of an office move at the peak against its line.
fn lines(section: &Section<'_>, people: &People, data: &Data, workload: &Workload) {
    let syncs = &workload.syncs_per_day;
    if !syncs.is_stated() || people.developers.value <= 0.0 {
        return;
    }
    let each = workload.files_per_sync.value * data.file_size.value.get();
    let of_people = 1.0 - workload.automation_share.value.get();
    let peak = syncs.value.get() * workload.peak_to_mean.value * each * of_people;
    for office in people.sites.iter().filter(|office| office.bandwidth.is_stated()) {
        let share = office.developers.value / people.developers.value;
        let moved = peak * share;
        if moved > office.bandwidth.value.get() {
            let message = format!(
                "the syncs of the people in {} move {} in the busiest hour ({} files{} of {}{} each), and their line carries {}",
                quoted(&office.name),
                BytesPerSecond::new(moved).in_bits(),
                grouped(workload.files_per_sync.value),
                assumed(workload.files_per_sync.is_stated()),
                data.file_size.value,
                assumed(data.file_size.is_stated()),
                office.bandwidth.value.in_bits()
            );
            let help = "check workload.syncs_per_day, workload.files_per_sync and the office's bandwidth; with an edge there, files cross the line once";
            warn(section, "workload.syncs_per_day", "SIT110", message, help);
        }
    }
}

/// Connections at the peak against the people who are at work then.
fn connections(section: &Section<'_>, people: &People) {
    const MOST_EACH: f64 = 100.0;
    let connections = &people.connections_at_peak;
    if !connections.is_stated() || !people.developers.is_stated() {
        return;
    }
    let most = MOST_EACH * people.developers.value;
    if connections.value > most {
        let message = format!(
            "{} connections at the peak are {} for each of the {} developers",
            grouped(connections.value),
            grouped((connections.value / people.developers.value).round()),
            grouped(people.developers.value)
        );
        let help = "`p4 monitor show` counts commands that run; connections a day are more";
        warn(section, "people.connections_at_peak", "SIT111", message, help);
    }
}

/// Submits and syncs that are more than all commands together.
fn parts_of_commands(section: &Section<'_>, workload: &Workload) {
    let parts =
        [(&workload.submits_per_day, "workload.submits_per_day"), (&workload.syncs_per_day, "workload.syncs_per_day")];
    let commands = &workload.commands_per_day;
    let stated = parts.iter().filter(|(answer, _)| answer.is_stated());
    let sum: f64 = stated.clone().map(|(answer, _)| answer.value.get()).sum();
    if !commands.is_stated() || sum <= commands.value.get() {
        return;
    }
    let a_day = |rate: f64| grouped((rate * DAY).round());
    let named = stated.map(|(answer, path)| format!("{path} = {}", a_day(answer.value.get())));
    let named: Vec<String> = named.collect();
    let message = format!(
        "{}, and workload.commands_per_day = {} for all commands; submits and syncs are used as stated, without any other command",
        list(&named),
        a_day(commands.value.get())
    );
    let help = "commands_per_day counts every command, submits and syncs among them";
    section.contradicts("workload.commands_per_day", "SIT118", &message, help);
}

/// Tools that send more commands than are stated in all.
fn tools(section: &Section<'_>, workload: &Workload) {
    let commands = &workload.commands_per_day;
    let polls: f64 = workload.polls.iter().map(|polls| polls.rate.get()).sum();
    let Some(named) = workload.tools.as_ref().filter(|_| {
        // A share of polls that is stated says how many they are.
        commands.is_stated() && !workload.polling_share.is_stated()
    }) else {
        return;
    };
    if polls <= commands.value.get() {
        return;
    }
    let a_day = |rate: f64| grouped((rate * DAY).round());
    let message = format!(
        "{} send {} commands a day by the rates of models/tools (workload.tools, {}), and workload.commands_per_day = {} ({}); {} of \
         the stated commands are taken for polls",
        named.value.join(", "),
        a_day(polls),
        named.origin,
        a_day(commands.value.get()),
        commands.origin,
        workload.polling_share.value,
    );
    let help = "check both: the server log counts commands by program (`plimsoll workload LOG`), and workload.polling_share states the share";
    section.contradicts("workload.commands_per_day", "SIT116", &message, help);
}
