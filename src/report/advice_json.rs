//! The advice as JSON.

use std::collections::BTreeMap;

use serde_json::Value;

use super::bill::{BillItem, CostsJson};
use super::contest::ContestJson;
use super::json::{list, object, value};
use super::prediction_json::{Prediction, UsedNumber, numbers};
use super::recovery::{RecoveryJson, RecoverySource};
use super::volumes::volume_rows;
use super::{Answer, Header, Inputs, VolumeRow};
use crate::advisor::{self, Advice, Chosen, Influence, rules};
use crate::catalog::Catalog;
use crate::site::{Assumption, Equipment};
use crate::system::memory::ServerMemory;
use crate::system::{Deployment, Mount, ProxyPlace};
use crate::units::Seconds;

/// The whole answer as JSON.
pub fn advice_json(inputs: &Inputs<'_>, advice: &Advice) -> Value {
    value(&Advised::of(inputs, advice))
}

object! {
    /// `advise`: the recommendation for a site, and what it rests on.
    #[derive(serde::Deserialize)]
    Advised of (inputs: &Inputs<'_>, advice: &Advice) [let answer = Answer::of(inputs.site, inputs.catalog, advice);] {
        #[serde(flatten)] header: Header = inputs.header();
        #[serde(default)] site: String = inputs.site.name.clone(), "The site's name.";
        recommendation: Recommendation = Recommendation::of(inputs, advice, &answer), "The recommended layout.";
        answer: Answer = answer, "The short answer, the same as on the screen, on the first page of the report and in the window.";
        #[serde(flatten)] chosen: Option<OfChosen> = advice.chosen.as_ref().map(|chosen| OfChosen::of(inputs, chosen));
        #[serde(skip_deserializing)] alternatives: Vec<Alternative> = list(&advice.alternatives, Alternative::of), "The other layouts.";
        #[serde(default)] costs: CostsJson = CostsJson::of(advice), "What cost is judged by, and the sums.";
        #[serde(skip_deserializing)] contest: ContestJson = ContestJson::of(&advice.contest), "How certain the choice is.";
        #[serde(default)] findings: Vec<Finding> = list(&advice.findings, Finding::of), "Gravest first, then those that cost the site most; where nothing is recommended, of today's system.";
        #[serde(default)] assumptions: Vec<RangedAnswer> = RangedAnswer::all(&inputs.site.assumptions(), &advice.influences), "Assumed answers.";
        #[serde(skip_deserializing)] equipment: Vec<Described> = list(&inputs.site.equipment, Described::of), "Systems that the site describes.";
        #[serde(default)] deployments_solved: usize = advice.solved, "How many deployments were compared.";
        #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")] #[schemars(required)] written: Option<Vec<String>> = None, "With `--out`: the files that were written (`docs/configuration.md`).";
        #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")] #[schemars(required)] earlier: Option<Vec<String>> = None, "With `--out`: configuration of an earlier answer in the same folder that is no part of this one.";
    }

    /// What is known of the recommended layout alone.
    #[derive(serde::Deserialize)]
    OfChosen of (inputs: &Inputs<'_>, chosen: &Chosen) [
        let source = RecoverySource { site: inputs.site, recovery: &chosen.recovery };
    ] {
        #[serde(flatten)] prediction: Prediction = Prediction::of(&chosen.prediction);
        headroom: Headroom = Headroom::of(&chosen.headroom), "How much more load is carried, and for how long.";
        #[serde(skip_deserializing)] recovery: Option<RecoveryJson> = Some(RecoveryJson::of(&source)), "Failure and recovery ([model.md](model.md#failure-and-recovery)).";
        #[serde(skip_deserializing)] bill: Vec<BillItem> = list(&chosen.bill.lines, |line| BillItem::of(&chosen.bill, line)), "What the layout is made of ([prices.md](prices.md)).";
        #[serde(skip_deserializing)] numbers: Vec<UsedNumber> = numbers(&chosen.prediction), "Every number of catalogue, calibration, mix and criteria that the answer rests on.";
    }

    /// A system that the site describes; the rest is that of a usual one of its kind.
    Described of (one: &Equipment) {
        id: String = one.id.clone();
        name: String = one.name.clone();
        kind: &'static str = one.kind.word(), "What it is.";
        usable_bytes: f64 = one.usable.value.get(), "Usable space.";
        stated: Vec<Stated> = list(one.stated(), Stated::of), "What the site states of it.";
    }

    /// An attribute that the site states.
    Stated of ((key, value, origin): (&'static str, String, String)) {
        name: &'static str = key, "Which attribute.";
        value: String = value, "With its unit.";
        origin: String = origin, "Where it is stated.";
    }

    /// The recommended layout.
    #[derive(serde::Deserialize)]
    #[serde(default)]
    #[derive(Default)]
    Recommendation of (inputs: &Inputs<'_>, advice: &Advice, answer: &Answer) [
        let chosen = advice.chosen.as_ref();
        let deployment = chosen.map(|chosen| &chosen.deployment);
    ] {
        sentence: String = answer.sentence(), "In one sentence.";
        layout: Option<String> = deployment.map(|d| d.layout.clone()), "Its id; null where nothing fits.";
        #[serde(default)] title: Option<String> = deployment.map(|d| d.title.clone()), "What it is called.";
        edges: u32 = deployment.map_or(0, |d| d.edges), "How many edges it has.";
        #[serde(skip_deserializing)] volumes: Vec<Volume> = chosen.map_or_else(Vec::new, |chosen| Volume::all(inputs, chosen)), "One a role and server.";
        #[serde(flatten)] chosen: Option<OfRecommended> = chosen.map(|chosen| OfRecommended::of(inputs.catalog, chosen));
    }

    /// What is said of a layout that is recommended.
    #[derive(serde::Deserialize)]
    OfRecommended of (catalog: &Catalog, chosen: &Chosen) [let d = &chosen.deployment;] {
        #[serde(skip_deserializing)] standby: Option<Standby> = Standby::of(chosen), "The standby on a second site; null where there is none.";
        #[serde(skip_deserializing)] instance: Option<Instances> = chosen.instances.as_ref().map(Instances::of), "Instances of a cloud; null where none is needed.";
        #[serde(default)] shared_depot: bool = d.shared_depot, "Whether all servers share the depot.";
        #[serde(skip_deserializing)] proxies: Vec<Proxy> = list(&d.proxies, Proxy::of), "Proxies: caches of file contents.";
        cache: Option<String> = d.cache.clone(), "A cache of the storage, or null.";
        #[serde(skip_deserializing)] server: Server = Server::of(catalog, chosen), "The commit server and its memory.";
        largest_commit_s: f64 = chosen.largest_commit, "How long the largest submit holds the commit section.";
        #[serde(default)] branch_commit_s: f64 = chosen.branch_commit, "How long a branch operation of `workload.branch_files` holds the commit section.";
        targets_missed: Vec<String> = chosen.missed.clone(), "In words; not empty: exit code 1.";
        #[serde(default)] cautions: Vec<String> = chosen.cautions.clone(), "Warnings that come first: database and journal on one set of disks, drives that an edge needs beyond the assumed ones.";
        #[serde(skip_deserializing)] scores: Scores = Scores::of(&chosen.scores), "How it does by each criterion.";
    }

    /// A proxy.
    Proxy of (proxy: &crate::system::Proxy) {
        office: Option<String> = match &proxy.place {
            ProxyPlace::Office(office) => Some(office.clone()),
            ProxyPlace::Builds => None,
        }, "The distant office in which it stands; null beside the build farm.";
        cache_bytes: f64 = proxy.cache, "Room for its cache.";
        hits: f64 = proxy.hits, "Share of the content that it has when it is asked (`proxy.hits`).";
        medium: String = proxy.medium.clone(), "What its drives are.";
        machines: f64 = proxy.machines, "Machines side by side, each with the whole cache.";
        drives: f64 = proxy.disks, "How many in each, without RAID.";
        drive_bytes: f64 = proxy.disk_bytes, "Size of each.";
    }

    /// A volume of a server.
    Volume of (r: &VolumeRow, d: &Deployment) {
        role: &'static str = r.role, "db, `offline_db`, journal, log, depot or checkpoint.";
        server: String = r.server.clone(), "Whose it is.";
        mount_point: String = r.mount_point.clone(), "Where it is mounted.";
        protocol: String = r.protocol.id.clone(), "How it is reached.";
        device: String = r.device.id.clone(), "The array or drives.";
        raid: String = r.raid.id.clone(), "The RAID level.";
        filesystem: String = r.filesystem.id.clone(), "`export` on a filer.";
        mount_options: String = r.mount_options.clone(), "Options of the mount.";
        data_bytes: f64 = r.data.get().round(), "Data that are there today.";
        data_at_horizon_bytes: f64 = r.data_at_horizon.get().round(), "Data at the horizon.";
        size_bytes: f64 = r.size.get().round(), "To provide today: data, headroom, snapshot reserve.";
        size_at_horizon_bytes: f64 = r.size_at_horizon.get().round(), "To provide at the horizon.";
        io_per_s: f64 = r.iops, "Operations at the peak.";
        transfer_bytes_per_s: f64 = r.bytes_per_s, "Transfer at the peak.";
        bought: Option<Bought> = d.mount(r.role).and_then(|mount| mount.bought).map(|bought| Bought::of(&bought)), "What is bought with a volume of a cloud; else null.";
        why: String = r.why.clone(), "Why it lies there.";
    }

    /// What is bought with a volume of a cloud.
    Bought of (bought: &crate::system::Bought) {
        operations_per_s: f64 = bought.operations, "Operations.";
        bandwidth_bytes_per_s: f64 = bought.bandwidth, "Bandwidth.";
    }

    /// The commit server and its memory.
    #[derive(Default)]
    Server of (catalog: &Catalog, chosen: &Chosen) [let (d, memory) = (&chosen.deployment, &chosen.memory);] {
        model: String = d.server.clone(), "Its id in the catalogue.";
        operating_system: String = d.system.clone(), "Its operating system.";
        bits: f64 = d.bits, "32 or 64.";
        cores: f64 = d.cores, "Cores.";
        processor: Option<String> = d.processor.clone(), "Family of the processor; null on a server whose processor costs are its generation's.";
        clock_hz: Option<f64> = d.clock(catalog), "Clock of all cores; null as the family.";
        memory_bytes: f64 = d.memory, "Memory.";
        edge_memory_bytes: f64 = d.edge_memory, "Memory of an edge.";
        memory_need: Vec<MemoryNeed> = list(&memory.servers, |m| MemoryNeed::of(d, m)), "One a server.";
        memory_rule_bytes: f64 = memory.rule.get().round(), "Memory by Perforce's rule.";
        memory_all_bytes: f64 = memory.all.get().round(), "The whole db, and all that the commit server needs at the peak.";
        client_network: String = d.client_network.clone(), "Network to the clients.";
        client_links: f64 = d.client_links, "Links of it.";
    }

    /// What a server needs of its memory at the peak.
    MemoryNeed of (d: &Deployment, m: &ServerMemory) {
        server: String = d.server_in_words(m.server), "Which server.";
        memory_bytes: f64 = m.there, "Memory that it has.";
        need_bytes: f64 = m.need().round(), "Memory that it needs.";
        connections: f64 = m.connections, "Connections at the peak.";
        processes_bytes: f64 = m.processes.round(), "Of their processes.";
        system_bytes: f64 = m.system.round(), "Of the operating system.";
        large_syncs_bytes: f64 = m.syncs.round(), "Of large syncs.";
        largest_command_bytes: f64 = m.largest.round(), "Of the largest command.";
        page_cache_bytes: f64 = m.cache().round(), "What is left for the page cache.";
    }

    /// The instance that carries the site, and the one that it names.
    Instances of (found: &advisor::Instances) {
        smallest: Option<Instance> = found.smallest.as_ref().map(Instance::of), "The smallest of the catalogue that carries the site, or null.";
        named: Option<Instance> = found.named.as_ref().map(Instance::of), "The one that the site names, or null.";
    }

    /// An instance of a cloud.
    Instance of (fit: &advisor::InstanceFit) {
        id: String = fit.id.clone();
        limits: Vec<InstanceLimit> = list(&fit.rows, InstanceLimit::of), "What it must do, and what it does.";
    }

    /// A limit of an instance.
    InstanceLimit of (row: &advisor::CapRow) {
        what: &'static str = row.cap.word(), "`memory_bytes`, cores, `volume_operations_per_s`, `volume_bytes_per_s`, `network_bytes_per_s`.";
        needs: f64 = row.needs, "What the peak needs.";
        has: Option<f64> = row.has, "What it has; null without a limit.";
    }

    /// How a layout does by each criterion.
    #[derive(Default)]
    Scores of (scores: &advisor::Scores) {
        total: f64 = scores.total, "The weighted mean.";
        criteria: BTreeMap<String, Score> = scores.by_criterion.iter().map(|s| (s.criterion.key().to_owned(), Score::of(s))).collect(), "By criterion.";
    }

    /// How a layout does by a criterion.
    Score of (s: &advisor::Score) {
        score: f64 = s.value, "0 to 1.";
        weight_fraction: f64 = s.weight, "Weight of the criterion.";
        grade: &'static str = s.word(), "The score in a word.";
    }

    /// How much more load is carried, and for how long.
    #[derive(Default, serde::Deserialize)]
    #[serde(default)]
    Headroom of (h: &advisor::Headroom) {
        factor: Option<f64> = h.carried(), "Largest multiple of today's peak that meets all targets; null where even 1/64 of it misses one.";
        limit: String = h.limit.to_string(), "What ends it.";
        knee_factor: Option<f64> = h.knee.is_finite().then_some(h.knee), "Multiple at which, large syncs apart, the busiest resource is fully busy.";
        reached_in_s: Option<f64> = h.reached_in.map(Seconds::get), "When growth reaches it; null: never.";
        #[serde(skip_deserializing)] capacity: Vec<StoreSpace> = list(&h.capacity, StoreSpace::of), "One a store of each server.";
    }

    /// Space of a store.
    StoreSpace of (l: &advisor::Limit) [let grows = !l.is_fixed;] {
        store: String = l.store.id.clone(), "Which store.";
        server: String = l.server.clone(), "Whose it is.";
        needed_today_bytes: f64 = l.needed_today.get().round(), "Needed today.";
        can_grow: bool = grows, "false of a system that the site describes; the next three are null then.";
        drives: Option<f64> = grows.then_some(l.drives), "Drives that it has.";
        drives_more_today: Option<f64> = grows.then_some(l.more_today), "Drives to buy today where it is too small.";
        drives_more_at_horizon: Option<f64> = grows.then_some(l.more_at_horizon), "Drives to buy until the horizon.";
        usable_bytes: f64 = l.usable.get().round(), "Usable space.";
        data_reduction: f64 = l.data_reduction, "Assumed data reduction.";
        to_buy: Option<String> = l.to_buy.clone(), "What must be bought beyond the usual equipment, or null.";
        needed_at_horizon_bytes: f64 = l.needed.get().round(), "Needed at the horizon.";
        full_in_s: Option<f64> = l.full_in.map(Seconds::get), "When it is full; null: never.";
    }

    /// Another layout; what was not solved lacks the keys of a prediction.
    Alternative of (a: &advisor::Alternative) {
        layout: String = a.layout.clone();
        why_not: String = a.why_not.clone(), "Why it is not recommended.";
        #[serde(flatten)] deployment: Option<Bound> = a.deployment.as_ref().map(Bound::of);
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] total_price: Option<f64> = a.price, "Price over the horizon, where cost is judged in money.";
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] scores: Option<Scores> = a.scores.as_ref().map(Scores::of), "How it does by each criterion.";
        #[serde(flatten)] prediction: Option<Prediction> = a.prediction.as_ref().map(Prediction::of);
    }

    /// What another layout is made of.
    Bound of (d: &Deployment) {
        edges: u32 = d.edges, "How many edges it has.";
        volumes: Vec<BoundVolume> = list(&d.volumes, BoundVolume::of), "Volumes of the commit server.";
    }

    /// A volume of another layout.
    BoundVolume of (m: &Mount) {
        roles: Vec<&'static str> = m.roles.clone(), "What lies there.";
        protocol: String = m.protocol.clone(), "How it is reached.";
        device: String = m.device.clone(), "The array or drives.";
        raid: String = m.raid.clone(), "The RAID level.";
        filesystem: Option<String> = m.filesystem.clone(), "The filesystem; null on a filer.";
    }

    /// A finding of a rule.
    #[derive(Default, serde::Deserialize)]
    #[serde(default)]
    Finding of (f: &rules::Finding) {
        rule: String = f.rule.to_owned(), "Id of the rule.";
        severity: String = f.severity.word().to_owned(), "note, warning or critical.";
        message: String = f.message.to_string(), "What is wrong.";
        action: String = f.action.to_string(), "What to do.";
        sure: String = f.basis().in_words(), "How sure: an estimate, from the answers, or which assumed answer it rests on.";
        stays: Option<String> = f.stays.clone(), "Why it is recommended nevertheless, where another layout, edge or memory would remedy it; else null.";
        of: String = if f.is_of_today { "today" } else { "recommended" }.to_owned(), "recommended, or today: of today's system, and absent in the recommended one.";
        #[serde(skip_deserializing)] also: Vec<&'static str> = f.also.clone(), "Rules that state the same fact.";
        #[serde(skip_deserializing)] evidence: Vec<Evidence> = list(&f.evidence, Evidence::of), "What it rests on.";
    }

    /// What a finding rests on.
    Evidence of (e: &rules::Evidence) {
        id: String = e.id.clone(), "Id of the datum or document.";
        text: String = e.text.clone(), "What it says.";
    }

    /// An assumed answer, or a measured one that has a range, and what its range does.
    #[derive(Default, serde::Deserialize)]
    #[serde(default)]
    RangedAnswer of (a: &Assumption, influence: Option<&Influence>) {
        field: String = a.field.clone(), "Its field.";
        value: String = a.value.clone(), "The answer.";
        low: String = a.low.clone(), "Lower end of its range.";
        high: String = a.high.clone(), "Upper end of its range.";
        origin: String = a.origin.to_string(), "Where it comes from.";
        influence_ratio: f64 = influence.map_or(1.0, |i| i.ratio), "How much it moves a time over its range.";
        saturates: bool = influence.is_some_and(|i| i.saturates), "Whether something is overloaded within the range.";
    }
}

impl RangedAnswer {
    pub(super) fn all(answers: &[Assumption], influences: &[Influence]) -> Vec<Self> {
        let influence = |a: &Assumption| influences.iter().find(|i| i.field == a.field);
        list(answers, |a| Self::of(a, influence(a)))
    }
}

impl Volume {
    fn all(inputs: &Inputs<'_>, chosen: &Chosen) -> Vec<Self> {
        let d = &chosen.deployment;
        let rows = volume_rows(inputs.site, inputs.catalog, d, &chosen.prediction, &chosen.sizes);
        list(&rows, |row| Self::of(row, d))
    }
}

/// The standby on a second site, and what it saves.
#[derive(serde::Serialize, schemars::JsonSchema)]
pub(crate) struct Standby {
    /// How it is run: an id of the catalogue.
    kind: String,
    /// The office in which it stands; null: another building of the main office.
    office: Option<String>,
    /// How long until it has taken over; null where it does not.
    takes_over_s: Option<f64>,
    /// Work that is lost, counted in time; null: all.
    loses_s: Option<f64>,
}

impl Standby {
    fn of(chosen: &Chosen) -> Option<Self> {
        let standby = chosen.deployment.standby.as_ref()?;
        let lost = chosen.recovery.disasters.first();
        Some(Self {
            kind: standby.kind.clone(),
            office: standby.office.clone(),
            takes_over_s: lost.and_then(|d| d.time).map(|time| time.value),
            loses_s: lost.and_then(|d| d.loses).map(|loses| loses.value),
        })
    }
}
