//! The whole advice as text: recommendation, predictions, reasons, findings and evidence.

use super::answer::Answer;
use super::assumed;
use super::contest::contest_text;
use super::prediction_text::prediction_text;
use super::prose::{Names, about_count, capital, grouped};
use super::recovery;
use super::shown::measured_numbers;
use super::volumes::{VolumeRow, volume_rows};
use crate::advisor::{Advice, Chosen};
use crate::catalog::Catalog;
use crate::page::{Table, paragraph};
use crate::site::Site;
use crate::system::memory::ServerMemory;
use crate::system::{Deployment, Mount};
use crate::units::{Bytes, BytesPerSecond, Seconds, significant, two_digits};

/// The whole report.
pub fn advice_text(site: &Site, catalog: &Catalog, advice: &Advice) -> String {
    let names = Names::of(catalog);
    let mut out = String::new();
    line!(out, "{} ({})", site.name, site.file);
    for warning in &site.warnings {
        out.push('\n');
        out.push_str(warning.trim_end());
        out.push('\n');
    }
    heading(&mut out, "Recommendation");
    out.push_str(&paragraph(&Answer::of(site, catalog, advice).sentence(), 2));
    if let Some(chosen) = &advice.chosen {
        layout(&mut out, site, catalog, chosen);
        heading(&mut out, "At the peak");
        out.push_str(&prediction_text(&chosen.prediction, Some(site)));
        line!(
            out,
            "  a submit of {} files blocks all other submits for {}",
            grouped(site.workload.largest_submit_files.value),
            Seconds::new(chosen.largest_commit).estimated()
        );
        line!(
            out,
            "  a branch operation of {} files blocks them for {}",
            grouped(site.workload.branch_files.value),
            Seconds::new(chosen.branch_commit).estimated()
        );
        headroom(&mut out, site, chosen, &names);
        memory(&mut out, chosen);
        failures(&mut out, site, chosen, &names);
        bill(&mut out, site, catalog, advice, chosen, &names);
    }
    scores(&mut out, advice);
    others(&mut out, advice, &names);
    if advice.chosen.is_some() {
        heading(&mut out, "How sure the choice is");
        out.push_str(&contest_text(&advice.contest));
    }
    findings(&mut out, advice, &names);
    assumptions(&mut out, site, advice);
    evidence(&mut out, advice);
    out
}

fn bill(
    out: &mut String,
    site: &Site,
    catalog: &Catalog,
    advice: &Advice,
    chosen: &Chosen,
    names: &Names,
) {
    heading(out, "Bill of materials");
    let mut table = Table::new(&super::bill::HEADS);
    for line in &chosen.bill.lines {
        table.row(super::bill::cells(&chosen.bill, line, names).to_vec());
    }
    out.push_str(&table.text());
    let cost = Answer::of(site, catalog, advice).cost;
    out.push_str(&paragraph(&cost, 2));
}

fn heading(out: &mut String, title: &str) {
    line!(out, "\n{}\n{}", title, "═".repeat(title.chars().count()));
}

/// "18.3 TiB (20.1 TB)", or in smaller units below 1 TiB.
pub(super) fn size(bytes: Bytes) -> String {
    if bytes.in_tib() < 1.0 {
        return format!("{} ({})", bytes.iec(), bytes.si());
    }
    format!(
        "{} TiB ({} TB)",
        significant(bytes.in_tib(), 3),
        significant(bytes.in_tb(), 3)
    )
}

fn layout(out: &mut String, site: &Site, catalog: &Catalog, chosen: &Chosen) {
    heading(out, "Layout");
    let d = &chosen.deployment;
    let text = layout_in_words(d);
    out.push_str(&paragraph(&text, 2));
    out.push('\n');
    let rows = one_edge(volume_rows(
        site,
        catalog,
        d,
        &chosen.prediction,
        &chosen.sizes,
    ));
    let mut table = Table::new(&[
        "volume",
        "server",
        "mount point",
        "protocol",
        "device",
        "RAID and disks",
        "filesystem",
    ]);
    for r in &rows {
        table.row(vec![
            r.role.to_owned(),
            r.server.clone(),
            r.mount_point.clone(),
            r.protocol.clone(),
            r.device.clone(),
            r.raid.clone(),
            r.filesystem.clone(),
        ]);
    }
    out.push_str(&table.text());
    out.push('\n');
    out.push_str(&needs(site, &rows));
    out.push('\n');
    for mount in &d.volumes {
        let roles = mount.roles.join(", ");
        out.push_str(&paragraph(&format!("{roles}: {}", mount.why), 2));
        let options = d.mount_options(mount, catalog);
        if !options.is_empty() {
            line!(out, "      mount options: {options}");
        }
    }
}

/// The servers of a layout in one sentence.
pub(super) fn layout_in_words(d: &Deployment) -> String {
    let beside = d.edges as usize - d.offices.len();
    let mut edges = match beside {
        0 => String::new(),
        1 => "; one edge like it".to_owned(),
        n => format!("; {n} edges like it"),
    };
    let own = if d.office_volumes.iter().any(Mount::is_cloud) {
        "volumes"
    } else {
        "disks"
    };
    for office in &d.offices {
        edges = format!("{edges}; an edge in {office} on its own {own}");
    }
    let links = if d.client_links > 1.0 {
        format!("{} × ", d.client_links)
    } else {
        String::new()
    };
    format!(
        "{} ({}): server {}, {} cores, {} of memory, {}-bit {}{edges}; clients over {links}{}",
        d.layout,
        d.title,
        d.server,
        d.cores,
        memory_size(d.memory),
        d.bits,
        d.system,
        d.client_network
    )
}

/// What each volume has to hold and to serve.
fn needs(site: &Site, rows: &[VolumeRow]) -> String {
    let mut table = Table::new(&[
        "volume",
        "server",
        ">data today",
        ">to provide",
        ">at the horizon",
        ">IOPS",
        ">transfer",
    ]);
    for r in rows {
        table.row(vec![
            r.role.to_owned(),
            r.server.clone(),
            site.size_estimated(r.data),
            size(r.size),
            size(r.size_at_horizon),
            at_least_one(r.iops),
            if r.bytes_per_s >= 1.0 {
                BytesPerSecond::new(r.bytes_per_s).estimated()
            } else {
                "–".to_owned()
            },
        ]);
    }
    table.text()
}

/// "175 GiB (188 GB)": servers are sold in either.
fn memory_size(bytes: f64) -> String {
    let bytes = Bytes::new(bytes);
    format!("{} ({})", bytes.iec(), bytes.si())
}

/// Edges are alike: one row stands for each of them, with the busiest one's requests.
pub(super) fn one_edge(rows: Vec<VolumeRow>) -> Vec<VolumeRow> {
    let mut kept: Vec<VolumeRow> = Vec::new();
    for mut row in rows {
        if row.of_like_edge {
            "each edge".clone_into(&mut row.server);
        }
        match kept
            .iter_mut()
            .find(|k| k.server == row.server && k.role == row.role)
        {
            Some(k) => {
                k.server_idx = row.server_idx;
                k.iops = k.iops.max(row.iops);
                k.bytes_per_s = k.bytes_per_s.max(row.bytes_per_s);
            }
            None => kept.push(row),
        }
    }
    kept
}

pub(super) fn at_least_one(x: f64) -> String {
    match x {
        0.0 => "–".to_owned(),
        x if x < 1.0 => "< 1".to_owned(),
        x => significant(x, 2),
    }
}

fn headroom(out: &mut String, site: &Site, chosen: &Chosen, names: &Names) {
    heading(out, "Headroom");
    let h = &chosen.headroom;
    let load = if h.limit.is_found() {
        let when = h
            .reached_in
            .map_or("not reached at this growth".to_owned(), |t| {
                site.horizon.when(t)
            });
        let times = two_digits(h.factor);
        format!("up to {times} × today's peak ({when}); then {}", h.limit)
    } else {
        h.limit.to_string()
    };
    out.push_str(&paragraph(&format!("load: {load}"), 2));
    let knee = if h.knee > 100.0 {
        "nothing saturates below 100 × today's peak".to_owned()
    } else {
        format!(
            "the busiest resource saturates at {} × today's peak",
            two_digits(h.knee)
        )
    };
    line!(out, "  knee: {knee}");
    for limit in &h.capacity {
        let when = limit
            .full_in
            .map_or("not full within a century".to_owned(), |t| {
                format!("full {}", site.horizon.when(t))
            });
        let reduced = if limit.data_reduction > 1.01 {
            format!(
                " at {} : 1 data reduction",
                two_digits(limit.data_reduction)
            )
        } else {
            String::new()
        };
        let buy = limit
            .to_buy
            .as_ref()
            .map_or(String::new(), |b| format!("; buy {}", names.said(b)));
        out.push_str(&paragraph(
            &format!(
                "{}: holds {}{reduced}, needs {} at the horizon; {when}{buy}",
                limit.store,
                size(limit.usable),
                size(limit.needed)
            ),
            2,
        ));
    }
}

fn memory(out: &mut String, chosen: &Chosen) {
    let m = &chosen.memory;
    let rule = format!(
        "memory: the commit server has {}; Perforce's rule of thumb is {}; the whole database and all processes need {}",
        m.there,
        m.rule.estimated(),
        m.all.estimated()
    );
    out.push_str(&paragraph(&rule, 2));
    for one in &m.servers {
        out.push_str(&paragraph(&memory_of(&chosen.deployment, one), 2));
    }
}

/// Maintenance, lost parts, disasters.
fn failures(out: &mut String, site: &Site, chosen: &Chosen, names: &Names) {
    heading(out, "Failure and recovery");
    let recovery = &chosen.recovery;
    let told = recovery::Told {
        site,
        names,
        recovery,
    };
    for sentence in told.sentences() {
        out.push_str(&paragraph(&sentence, 2));
    }
}

/// What one server needs its memory for at the peak.
pub(super) fn memory_of(d: &Deployment, m: &ServerMemory) -> String {
    let size = |bytes: f64| Bytes::new(bytes).estimated();
    let mut parts = vec![format!(
        "{} connections need {}",
        about_count(m.connections),
        size(m.processes)
    )];
    if m.syncs > 0.0 {
        parts.push(format!("large syncs {}", size(m.syncs)));
    }
    parts.push(format!("the operating system {}", size(m.system)));
    format!(
        "memory of {} at the peak: {}; of {} the page cache gets {}, of which the largest other command needs {} at times",
        d.server_in_words(m.server),
        parts.join(", "),
        Bytes::new(m.there),
        size(m.cache()),
        size(m.largest)
    )
}

fn scores(out: &mut String, advice: &Advice) {
    let Some(chosen) = &advice.chosen else { return };
    heading(out, "Criteria");
    let mut table = Table::new(&["criterion", ">weight", ">score", "grade"]);
    for s in &chosen.scores.by_criterion {
        table.row(vec![
            s.criterion.replace('_', " "),
            format!("{} %", significant(s.weight * 100.0, 2)),
            format!("{:.2}", s.value),
            s.word().to_owned(),
        ]);
    }
    out.push_str(&table.text());
    line!(
        out,
        "  total {:.3}: the weighted geometric mean; compared {} deployments",
        chosen.scores.total,
        advice.solved
    );
}

fn others(out: &mut String, advice: &Advice, names: &Names) {
    heading(out, "Other layouts, and why they are not recommended");
    let mut table = Table::new(&[
        "layout",
        "protocols, filesystem",
        ">edges",
        ">total",
        "why not",
    ]);
    let mut seen: Vec<(String, String)> = Vec::new();
    for a in &advice.alternatives {
        let protocols = a.in_words();
        // The best number of edges stands for the others; JSON has them all.
        let key = (a.layout.clone(), protocols.clone());
        if seen.contains(&key) {
            continue;
        }
        seen.push(key);
        table.row(vec![
            a.layout.clone(),
            protocols,
            a.deployment
                .as_ref()
                .map_or(String::new(), |d| d.edges.to_string()),
            a.scores
                .as_ref()
                .map_or(String::new(), |s| format!("{:.3}", s.total)),
            names.said(&a.why_not),
        ]);
    }
    out.push_str(&table.text());
    for (_, why) in &advice.unused {
        out.push_str(&paragraph(&format!("{}.", capital(&names.said(why))), 2));
    }
}

fn findings(out: &mut String, advice: &Advice, names: &Names) {
    if advice.findings.is_empty() {
        return;
    }
    heading(out, "Findings");
    for f in &advice.findings {
        out.push_str(&paragraph(
            &format!(
                "{}: {}. [{}]",
                f.severity.word(),
                capital(&names.said(&f.message)),
                f.rule
            ),
            2,
        ));
        let action = capital(&names.said(&f.action));
        let sure = f.basis().in_words();
        out.push_str(&paragraph(&format!("{action}. How sure: {sure}."), 6));
        for e in &f.evidence {
            out.push_str(&paragraph(&format!("evidence {}: {}", e.id, e.text), 6));
        }
    }
}

fn assumptions(out: &mut String, site: &Site, advice: &Advice) {
    let influences = &advice.influences;
    let all = assumed::assumptions(site, influences);
    if all.is_empty() {
        return;
    }
    heading(out, "Assumptions (unanswered questions)");
    let mut table = Table::new(&assumed::HEADS);
    for assumption in all {
        table.row(assumed::cells(assumption, influences).to_vec());
    }
    out.push_str(&table.text());
    if let Some(ask) = assumed::ask_first(influences) {
        out.push_str(&paragraph(&ask, 2));
    }
}

/// How many numbers the prediction uses, by origin.
fn evidence(out: &mut String, advice: &Advice) {
    let Some(chosen) = &advice.chosen else { return };
    heading(out, "What the prediction rests on");
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for used in chosen.prediction.used.values() {
        let kind = used.origin.kind();
        match counts.iter_mut().find(|(k, _)| *k == kind) {
            Some((_, n)) => *n += 1,
            None => counts.push((kind, 1)),
        }
    }
    counts.sort_unstable();
    let words: Vec<String> = counts
        .iter()
        .map(|(kind, n)| format!("{n} {kind}"))
        .collect();
    out.push_str(&paragraph(
        &format!(
            "{} numbers of the catalogue and the calibration: {}. The 80 % intervals combine their stated errors with \
             the model's own error, for the stated or assumed sizes and rates. `--format json` lists each number with \
             its origin; `plimsoll explain NAME` shows its evidence.",
            chosen.prediction.used.len(),
            words.join(", ")
        ),
        2,
    ));
    for line in measured_numbers(&chosen.prediction.used) {
        out.push_str(&paragraph(&line, 4));
    }
}
