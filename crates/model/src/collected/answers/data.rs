//! The data: database, depots, files and revisions.

use std::collections::BTreeMap;

use super::Answers;
use crate::collected::amount::iec;
use crate::collected::facts::{At, Collected, Found, Sizes, TableFile};
use crate::collected::places::plain;
use crate::collected::volumes::{are_complete, root, setting, text};
use crate::diag::harmless_line;
use crate::units::grouped;

pub(super) fn data(collected: &Collected, answers: &mut Answers) {
    database(collected, answers);
    depots(collected, answers);
    files(collected, answers);
    for found in &collected.inodes {
        const FULL: f64 = 0.8;
        let (target, fraction) = &found.value;
        let holds = answers.volumes.iter().any(|volume| volume.target == plain(target));
        if holds && *fraction >= FULL {
            answers.seen.push(format!("{} has {:.0} % of its inodes in use", harmless_line(target), fraction * 100.0));
        }
    }
}

/// Bytes in use on the volume that holds this role, perhaps with others, and where it is mounted.
fn used_on_volume(answers: &Answers, role: &str) -> Option<(f64, String)> {
    let volume = answers.volumes.iter().find(|volume| volume.roles.contains(&role))?;
    Some((volume.used_bytes?, volume.target.clone()))
}

fn database(collected: &Collected, answers: &mut Answers) {
    // Fewer are an excerpt of a list: the smallest server has forty.
    const TABLES_MIN: usize = 10;
    let mut folders: BTreeMap<String, (BTreeMap<&str, f64>, &Found<TableFile>)> = BTreeMap::new();
    for found in &collected.tables {
        let entry = folders.entry(plain(&found.value.folder)).or_insert_with(|| (BTreeMap::new(), found));
        entry.0.insert(&found.value.name, found.value.bytes);
    }
    let root = root(collected).ok().flatten().map(|root| plain(&root));
    let chosen = root.as_deref().and_then(|root| folders.get(root)).or_else(|| match folders.len() {
        1 => folders.values().next(),
        _ => None,
    });
    match chosen {
        Some((tables, found)) if tables.len() >= TABLES_MIN => {
            let bytes: f64 = tables.values().sum();
            answers.know("data.db_size", text(&iec(bytes)), found.at());
        }
        Some((tables, _)) => {
            let shown = tables.len();
            answers.ask("data.db_size", format!("How large is the database? The outputs have {shown} of its tables alone: `du -sch P4ROOT/db.*` has all."));
        }
        None if folders.len() > 1 => {
            let shown: Vec<String> = folders.keys().map(|folder| harmless_line(folder)).collect();
            answers.ask(
                "data.db_size",
                format!(
                    "How large is the database? The outputs have tables in {}, and not which is P4ROOT.",
                    shown.join(" and ")
                ),
            );
        }
        None => {
            let most = used_on_volume(answers, "db").map_or(String::new(), |(bytes, target)| {
                format!(" The volume {} has {} in use, so that it is no more.", harmless_line(&target), iec(bytes))
            });
            answers.ask("data.db_size", format!("How large is the database (all db.* files in P4ROOT)?{most}"));
        }
    }
}

/// How many depots have files of their own.
fn local_depots(collected: &Collected) -> usize {
    let kinds = collected.depots.iter().map(|depot| depot.value.kind.as_str());
    kinds.filter(|kind| ["local", "stream"].contains(kind)).count()
}

fn depots(collected: &Collected, answers: &mut Answers) {
    let root = root(collected).ok().flatten();
    let base = setting(collected, "server.depot.root").map(|found| found.value.value.clone());
    let base = base.or_else(|| root.filter(|_| are_complete(collected)));
    let base = base.as_deref().map(plain);
    let whole = collected.folders.iter().rev().find(|found| Some(plain(&found.value.0)) == base);
    // Below P4ROOT lies the database too.
    let whole = whole.filter(|_| setting(collected, "server.depot.root").is_some());
    let mut of_depots: BTreeMap<String, &Found<(String, f64)>> = BTreeMap::new();
    for found in &collected.folders {
        let path = plain(&found.value.0);
        let is_depot = collected.depots.iter().any(|depot| {
            let map = plain(&depot.value.map);
            path == map || base.as_ref().is_some_and(|base| path == format!("{base}/{map}"))
        });
        if is_depot {
            of_depots.insert(path, found);
        }
    }
    let local = local_depots(collected);
    if let Some(found) = whole {
        answers.know("data.depot_size", text(&iec(found.value.1)), found.at());
    } else if let (true, Some(found)) = (local > 0 && of_depots.len() >= local, of_depots.values().next()) {
        let bytes: f64 = of_depots.values().map(|found| found.value.1).sum();
        answers.know("data.depot_size", text(&iec(bytes)), found.at());
    } else {
        let most = used_on_volume(answers, "depot").map_or(String::new(), |(bytes, target)| {
            format!(" The volume {} has {} in use, so that they are no more.", harmless_line(&target), iec(bytes))
        });
        answers.ask("data.depot_size", format!("How large are the depots (versioned files, as they lie on disk)?{most} `du -sh` of their folder says so."));
    }
}

/// Files and bytes of all depots, from `//...` or else from the sum of depots.
fn total(collected: &Collected, all: bool) -> Option<(f64, f64, At)> {
    let of = || collected.sizes.iter().filter(|found| found.value.all == Some(all));
    if let Some(found) = of().find(|found| found.value.path.trim_end_matches("#head") == "//...") {
        return Some((found.value.files, found.value.bytes, found.at()));
    }
    let is_depot =
        |path: &str| path.strip_prefix("//").is_some_and(|rest| rest.split('/').count() == 2 && rest.ends_with("/..."));
    let mut depots: BTreeMap<&str, &Found<Sizes>> = BTreeMap::new();
    for found in of().filter(|found| is_depot(&found.value.path)) {
        depots.insert(&found.value.path, found);
    }
    let local = local_depots(collected);
    let first = depots.values().next()?;
    let are_all = local > 0 && depots.len() >= local;
    let at = first.at();
    let sum = |of: fn(&Sizes) -> f64| depots.values().map(|found| of(&found.value)).sum();
    are_all.then(|| (sum(|s| s.files), sum(|s| s.bytes), at))
}

fn files(collected: &Collected, answers: &mut Answers) {
    let mut unsure: Vec<&Found<Sizes>> =
        collected.sizes.iter().filter(|found| found.value.all.is_none() && found.value.path == "//...").collect();
    unsure.sort_by(|a, b| a.value.files.total_cmp(&b.value.files));
    let (mut head, mut every) = (total(collected, false), total(collected, true));
    match &unsure[..] {
        // Revisions are at least as many as files.
        [few, .., many] if few.value.files < many.value.files && head.is_none() && every.is_none() => {
            let of = |found: &Found<Sizes>| (found.value.files, found.value.bytes, found.at());
            (head, every) = (Some(of(few)), Some(of(many)));
        }
        [one, ..] if head.is_none() && every.is_none() => {
            let files = grouped(one.value.files);
            answers.ask("data.files", format!("`p4 sizes` shows {files} files. Was it run with -a, so that these are revisions? Paste it with its command."));
        }
        _ => {}
    }
    if let Some((files, bytes, at)) = head {
        answers.know("data.files", files.to_string(), at);
        if files >= 1.0 && bytes >= files {
            answers.know("data.file_size", text(&iec((bytes / files).round())), at);
            answers.check("the mean of all files: a typical sync may bring others");
        }
    }
    match (every, &head) {
        (Some((revisions, ..)), Some((files, ..))) if revisions < *files => answers.ask(
            "data.revisions",
            format!(
                "`p4 sizes -a` shows {} revisions and `p4 sizes` {} files, which cannot be. Which holds?",
                grouped(revisions),
                grouped(*files)
            ),
        ),
        (Some((revisions, _, at)), _) => answers.know("data.revisions", revisions.to_string(), at),
        (None, _) => {}
    }
}
