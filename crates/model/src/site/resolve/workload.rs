//! What people, builds and tools ask of the server.

use crate::origin::Origin;
use crate::site::answer::Answer;
use crate::site::answerable::{Answerable, grouped};
use crate::site::fields::Kind;
use crate::site::section::Section;
use crate::site::sections::{Data, People, Polls, Workload};
use crate::units::{DAY, Fraction, PerSecond};

/// The path of the demand for large syncs.
pub(in crate::site) const LARGE_SYNCS: &str = "workload.large_syncs_per_day";

/// So many a day for each developer.
fn daily(section: &Section<'_>, path: &'static str, developers: f64) -> Answer<PerSecond> {
    section.derived(path, |each| developers * each, |each| format!("{} developers × {each}", grouped(developers)))
}

/// A number of files from the assumptions, but no more than the server holds.
fn of_all_files(section: &Section<'_>, path: &'static str, files: f64) -> Answer<f64> {
    section.derived(path, |count| count.min(files), |count| format!("{count}, at most the {} files", grouped(files)))
}

pub(in crate::site) fn workload(section: &Section<'_>, people: &People, data: &Data) -> Workload {
    let developers = people.developers.value;
    let files = data.files.value;
    let workspace = data.workspace_size.value;
    let commands_per_day = daily(section, "workload.commands_per_day", developers);
    let (tools, polls) = polls(section, people);
    let automation_share = section.answer("workload.automation_share");
    let workload = Workload {
        submits_per_day: daily(section, "workload.submits_per_day", developers),
        files_per_submit: section.answer("workload.files_per_submit"),
        largest_submit_size: section.stated("workload.largest_submit_size"),
        largest_submit_files: of_all_files(section, "workload.largest_submit_files", files),
        syncs_per_day: daily(section, "workload.syncs_per_day", developers),
        files_per_sync: section.answer("workload.files_per_sync"),
        concurrent_syncs: section.stated("workload.concurrent_syncs"),
        concurrent_sync_size: section.derived(
            "workload.concurrent_sync_size",
            |part| workspace.get() * part,
            |part| format!("{workspace} workspace × {part}"),
        ),
        // Follows from what is read later: `super::large_syncs`.
        large_syncs_per_day: section.stated(LARGE_SYNCS).unwrap_or_else(|| Answer::missing(PerSecond::new(0.0))),
        large_syncs_peak_to_mean: section.stated("workload.large_syncs_peak_to_mean"),
        large_syncs_at_once: 0.0,
        long_commands_per_day: daily(section, "workload.long_commands_per_day", developers),
        live_checkpoints_per_day: section.stated("workload.live_checkpoints_per_day"),
        files_per_edit: section.answer("workload.files_per_edit"),
        polling_share: polling_share(section, &polls, &commands_per_day, &automation_share),
        automation_share,
        tools,
        polls,
        branch_files: of_all_files(section, "workload.branch_files", files),
        client_rate: section.answer("workload.client_rate"),
        peak_to_mean: section.answer("workload.peak_to_mean"),
        commands_per_day,
    };
    section.reader.finish();
    workload
}

/// The tools that poll, and how many commands each sends.
fn polls(section: &Section<'_>, people: &People) -> (Option<Answer<Vec<String>>>, Vec<Polls>) {
    let tools: Option<Answer<Vec<String>>> = section.stated("workload.tools");
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
                rate: PerSecond::new(tool.commands_a_day(at_work) / DAY),
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
    automation: &Answer<Fraction>,
) -> Answer<Fraction> {
    /// Something besides is asked for on any server.
    const MOST: f64 = 0.95;
    /// How often tools ask is assumed: three times as often, or a third.
    const RANGE: f64 = 3.0;
    const PATH: &str = "workload.polling_share";
    let rate: f64 = polls.iter().map(|polls| polls.rate.get()).sum();
    if rate <= 0.0 {
        return section.answer(PATH);
    }
    if let Some(stated) = section.stated(PATH) {
        return stated;
    }
    let all = commands.value.get();
    // Where the share of builds and scripts is stated, those of them that poll send no more than that, and programs of people no
    // more than the rest.
    let machines = automation.value.get();
    let most = |polls: &Polls| match polls.command {
        "poll-ci" => (0, machines),
        _ => (1, 1.0 - machines),
    };
    let of_stated = |times: f64| {
        let mut shares = [0.0; 2];
        let mut limits = [1.0; 2];
        for polls in polls {
            let (of, most) = most(polls);
            shares[of] += polls.rate.get() * times / all.max(f64::MIN_POSITIVE);
            if automation.is_stated() {
                limits[of] = most;
            }
        }
        shares[0].min(limits[0]) + shares[1].min(limits[1])
    };
    let share = |times: f64| {
        let polls = rate * times;
        let share = if commands.is_stated() { of_stated(times) } else { polls / (polls + all) };
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
