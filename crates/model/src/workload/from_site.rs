//! The load that a site's answers imply, at the peak.
//!
//! People are closed groups, one an office: each thinks between commands, so that a slow server is
//! asked less. Builds and pollers are an open stream: they do not wait for each other. So are large syncs: a stream
//! for each distant office by its share of the developers, and one beside the server for the rest. How many of them are in
//! flight is what a system makes of it. Commands that touch a whole workspace or branch are a stream of
//! their own: few, but others wait for their locks. Rates are means of the day times peak-to-mean.

use super::mix::EMBEDDED;
use super::{Arrival, Beside, Call, Clients, Distance, Dump, Group, Load, Remote};
use crate::catalog::{POLLS, Scenario};
use crate::site::{Office, Site};

/// Files of `verify` do not occur at the peak; what counts the depot counts once a day.
const NONE: f64 = 0.0;

/// Perforce's rule for memory: 1.5 KB a file keeps large queries off the disks (KB2957).
const HOT_BYTES_A_FILE: f64 = 1536.0;

/// Sizes that bind a command's "files" to the site's answers.
struct Sizes {
    edit: f64,
    sync: f64,
    submit: f64,
    workspace: f64,
    branch: f64,
    whole_branch: f64,
    file: f64,
}

impl Sizes {
    fn of(site: &Site) -> Self {
        Self {
            edit: site.workload.files_per_edit.value,
            sync: site.workload.files_per_sync.value,
            submit: site.workload.files_per_submit.value,
            workspace: site.data.workspace_files.value,
            // A merge between people's changes, not the yearly branch: that is `branch_files`.
            branch: site.workload.files_per_submit.value * EMBEDDED.size("merge"),
            whole_branch: site.workload.branch_files.value,
            file: site.data.file_size.value.get(),
        }
    }

    /// A call of `command`, `weight` times a cycle.
    fn call(&self, command: &str, weight: f64) -> Call {
        let files = match command {
            "sync" | "sync-n" | "sync-p" => self.sync,
            "submit" | "shelve" | "unshelve" | "opened" => self.submit,
            "edit" | "add" | "delete" | "revert" | "resolve" => self.edit,
            "integrate" | "integrate-n" => self.branch,
            "flush" | "client-delete" | "label" => self.workspace,
            "populate" | "obliterate" => self.whole_branch,
            "dirs" | "fstat" | "files" | "have" | "poll-ide" => EMBEDDED.size("listing"),
            "filelog" => 1.0,
            _ => NONE,
        };
        let call = Call { weight, ..Call::once(command, files, 0.0) };
        self.resized(call, files)
    }

    /// The call with so many files, and their content where it moves any.
    fn resized(&self, call: Call, files: f64) -> Call {
        let content = matches!(call.command.as_str(), "sync" | "submit" | "shelve" | "unshelve");
        let bytes = if content { files * self.file } else { 0.0 };
        Call { files, bytes, ..call }
    }
}

/// A call of a command, as large as the site's answers say.
pub fn call(site: &Site, command: &str) -> Call {
    Sizes::of(site).call(command, 1.0)
}

/// Rates at the peak \[1/s\].
struct Rates {
    submits: f64,
    syncs: f64,
    polls: f64,
    others: f64,
}

fn rates(site: &Site) -> Rates {
    let w = &site.workload;
    let peak = w.peak_to_mean.value;
    let commands = w.commands_per_day.value.get();
    let (submits, syncs) = (w.submits_per_day.value.get(), w.syncs_per_day.value.get());
    let polls = commands * w.polling_share.value.get();
    let others = (commands - submits - syncs - polls).max(0.0);
    Rates { submits: submits * peak, syncs: syncs * peak, polls: polls * peak, others: others * peak }
}

/// The load of a site at its peak.
pub fn load(site: &Site) -> Load {
    let sizes = Sizes::of(site);
    let rates = rates(site);
    let machines = site.workload.automation_share.value.get();
    let mut groups = people(site, &sizes, &rates, 1.0 - machines);
    groups.extend(automation(site, &sizes, &rates, machines));
    groups.extend(large_syncs(site));
    groups.extend(long_commands(site, &sizes));
    groups.extend(live_checkpoints(site, &sizes));
    Load {
        groups,
        client_rate: site.workload.client_rate.value.get(),
        db_bytes: site.data.db_size.value.get(),
        // Half of the metadata does well (SAG), and so does 1.5 KB a file (KB2957).
        db_hot_bytes: (site.data.db_size.value.get() / 2.0).min(site.data.files.value * HOT_BYTES_A_FILE),
        instances: site.server.instances.value,
        revisions_a_file: (site.data.revisions.value / site.data.files.value).max(1.0),
        dump: Dump::of(site),
        depot_bytes: site.data.depot_size.value.get(),
        connections: site.people.connections_at_peak.value,
        beside: Beside::of(site),
        large_syncs_at_once: site.workload.concurrent_syncs.as_ref().map(|count| count.value),
        cold: false,
        distance: Distance::of(site),
    }
}

/// The load with the herds of a scenario as its last groups, in their order; they come when they are
/// sent for.
pub fn with_herds(site: &Site, scenario: &Scenario) -> Load {
    let sizes = Sizes::of(site);
    let mut load = load(site);
    load.groups.extend(scenario.herds.iter().map(|herd| {
        let mut call = sizes.call(&herd.command, 1.0);
        if let Some(files) = herd.files {
            call = sizes.resized(call, files);
        }
        Group {
            clients: Clients::Herd(herd.at.to_string()),
            arrival: Arrival::Open { rate: 0.0 },
            calls: vec![call],
            remote: None,
            threads: 1.0,
            connected: false,
            of_builds: 0.0,
        }
    }));
    load
}

fn people(site: &Site, sizes: &Sizes, rates: &Rates, share: f64) -> Vec<Group> {
    let developers = site.people.developers.value;
    let distant: f64 = site.people.sites.iter().map(|o| o.developers.value).sum();
    let office = |clients: Clients, there: f64, remote: Option<Remote>| {
        let part = there / developers * share;
        let total = (rates.submits + rates.syncs + rates.others) * part;
        let population = there * site.people.at_work.value.get();
        if total <= 0.0 || population <= 0.0 {
            return None;
        }
        let mut calls =
            vec![sizes.call("submit", rates.submits * part / total), sizes.call("sync", rates.syncs * part / total)];
        let others = rates.others * part / total;
        calls.extend(EMBEDDED.shares("interactive").map(|(c, s)| sizes.call(c, others * s)));
        Some(Group {
            clients,
            arrival: Arrival::Closed { population, think_time: population / total },
            calls,
            remote,
            threads: 1.0,
            connected: false,
            of_builds: 0.0,
        })
    };
    let main = office(Clients::MainOffice, (developers - distant).max(0.0), None);
    let others = site.people.sites.iter().filter(|o| o.is_distant()).map(|o| {
        let clients = Clients::Office(o.name.clone());
        office(clients, o.developers.value, Some(remote(o)))
    });
    // An office in the same building is part of the main one.
    let near: f64 = site.people.sites.iter().filter(|o| !o.is_distant()).map(|o| o.developers.value).sum();
    let main = if near > 0.0 { office(Clients::MainOffice, developers - distant + near, None) } else { main };
    main.into_iter().chain(others.flatten()).collect()
}

fn remote(office: &Office) -> Remote {
    Remote { round_trip: office.round_trip.value.get(), bandwidth: office.bandwidth.value.get() }
}

fn automation(site: &Site, sizes: &Sizes, rates: &Rates, share: f64) -> Vec<Group> {
    let mut calls = vec![sizes.call("submit", rates.submits * share), sizes.call("sync", rates.syncs * share)];
    let others = rates.others * share;
    calls.extend(EMBEDDED.shares("automation").map(|(c, s)| sizes.call(c, others * s)));
    let shares = polling(site);
    let shares = shares.into_iter();
    calls.extend(shares.map(|(c, s)| sizes.call(c, rates.polls * s)));
    calls.retain(|c| c.weight > 0.0);
    if calls.is_empty() {
        return Vec::new();
    }
    vec![Group {
        clients: Clients::Automation,
        arrival: Arrival::Open { rate: 1.0 },
        calls,
        remote: None,
        threads: 1.0,
        connected: false,
        of_builds: 1.0,
    }]
}

/// Commands that touch a whole workspace or branch, from beside the server.
fn long_commands(site: &Site, sizes: &Sizes) -> Option<Group> {
    let work = &site.workload;
    let rate = work.long_commands_per_day.value.get() * work.peak_to_mean.value;
    let calls = EMBEDDED.shares("long").map(|(command, share)| {
        let call = sizes.call(command, share);
        // What usually lists a folder lists a whole workspace.
        if command == "fstat" { sizes.resized(call, sizes.workspace) } else { call }
    });
    (rate > 0.0).then(|| beside_the_server(Clients::LongCommands, rate, calls.collect()))
}

/// Checkpoints of the live database while people work: as many in the busiest hour as in any other.
fn live_checkpoints(site: &Site, sizes: &Sizes) -> Option<Group> {
    let rate = site.workload.live_checkpoints_per_day.as_ref()?.value.get();
    let calls = vec![sizes.call("checkpoint", 1.0)];
    (rate > 0.0).then(|| beside_the_server(Clients::LiveCheckpoints, rate, calls))
}

/// Today's checkpoint of the live database, where it is no answer how many there are by day and the one of the night lasts beyond it.
pub fn checkpoint_into_the_day(site: &Site) -> Option<Group> {
    let is_live = site.today.sign("live-checkpoint").is_some();
    let lasts = site.today.checkpoint_time.as_ref()?.value;
    let is_answered = site.workload.live_checkpoints_per_day.is_some();
    let calls = vec![Sizes::of(site).call("checkpoint", 1.0)];
    (is_live && !is_answered && lasts.get() > site.protection.night_window.value.get())
        .then(|| beside_the_server(Clients::LiveCheckpoints, 1.0 / crate::units::DAY, calls))
}

/// A stream of commands from beside the server.
fn beside_the_server(clients: Clients, rate: f64, calls: Vec<Call>) -> Group {
    Group {
        clients,
        arrival: Arrival::Open { rate },
        calls,
        remote: None,
        threads: 1.0,
        connected: false,
        of_builds: 0.0,
    }
}

/// The commands that polls are made of with their shares: by the tools that the site names, else by `models/mix.toml`.
fn polling(site: &Site) -> Vec<(&str, f64)> {
    let polls = &site.workload.polls;
    let sum: f64 = polls.iter().map(|polls| polls.rate.get()).sum();
    if sum <= 0.0 {
        return EMBEDDED.shares("polling").collect();
    }
    // In the order of the mix, each command once.
    let of = |command: &str| {
        let of_it = polls.iter().filter(|polls| polls.command == command);
        of_it.map(|polls| polls.rate.get()).sum::<f64>() / sum
    };
    let shares = POLLS.map(|command| (command, of(command)));
    shares.into_iter().filter(|(_, share)| *share > 0.0).collect()
}

/// Large syncs at the peak of the main office, and of each distant one \[1/s\]: by their developers.
pub fn large_syncs_by_office(site: &Site) -> (f64, Vec<(&Office, f64)>) {
    let all = site.workload.large_syncs_at_peak();
    let distant = site.people.sites.iter().filter(|o| o.is_distant());
    let distant = distant.map(|office| {
        let share = office.developers.value / site.people.developers.value;
        (office, all * share)
    });
    let distant: Vec<_> = distant.collect();
    let away: f64 = distant.iter().map(|(_, rate)| rate).sum();
    ((all - away).max(0.0), distant)
}

fn large_syncs(site: &Site) -> Vec<Group> {
    let (main, distant) = large_syncs_by_office(site);
    let main = (main > 0.0).then(|| large_syncs_of(site, Clients::LargeSyncs, main));
    let distant = distant.into_iter().filter(|(_, rate)| *rate > 0.0);
    let distant = distant.map(|(office, rate)| Group {
        remote: Some(remote(office)),
        // The build farm stands at the main office.
        of_builds: 0.0,
        ..large_syncs_of(site, Clients::LargeSyncsOf(office.name.clone()), rate)
    });
    main.into_iter().chain(distant).collect()
}

fn large_syncs_of(site: &Site, clients: Clients, rate: f64) -> Group {
    let bytes = site.workload.concurrent_sync_size.value.get();
    let files = (bytes / site.data.file_size.value.get()).max(1.0);
    Group {
        clients,
        arrival: Arrival::Open { rate },
        calls: vec![Call::once("sync", files, bytes)],
        remote: None,
        threads: site.server.release.value.sync_threads(),
        connected: false,
        of_builds: site.workload.automation_share.value.get(),
    }
}
