//! Other servers, and the server about itself, as tables.

use super::parts::{ranking, section};
use super::unserved;
use super::words::{clock, count, counted, name, share, size, time};
use crate::page::{Section, Table};
use crate::serverlog::analysis::{Findings, ROWS};

pub(super) fn others(findings: &Findings) -> Section {
    let upstream = &findings.upstream;
    let server = &findings.server;
    let mut says = Vec::new();
    let mut tables = Vec::new();
    let through: u64 = upstream.through.rows.iter().map(|(_, t)| t.commands).sum();
    if through > 0 {
        says.push(format!(
            "{} of the commands came through another server (edge, proxy or broker).",
            share(through as f64, findings.called as f64)
        ));
        tables.push(("Through which server", ranking("address", &upstream.through, name)));
    }
    if upstream.brokered > 0 {
        says.push(format!("{} through a broker.", counted(upstream.brokered, "command")));
    }
    if let Some(proxy) = &upstream.proxy {
        let files = proxy.cache_files.saturating_add(proxy.server_files);
        let bytes = proxy.cache_bytes.saturating_add(proxy.server_bytes) as f64;
        says.push(format!(
            "The proxy had {} of the files and {} of the bytes in its cache ({} files, {} in all).",
            share(proxy.cache_files as f64, files as f64),
            share(proxy.cache_bytes as f64, bytes),
            count(files),
            size(bytes)
        ));
    }
    if !upstream.replicas.is_empty() {
        says.push(
            "The log does not state how far a replica is behind. It was behind by no more than its longest pause between two fetches of the journal, plus the fetch; `p4 pull -lj` on the replica says more."
                .to_owned(),
        );
        let mut grid = Table::new(&[
            "service user",
            "address",
            ">journal fetches",
            ">longest pause",
            "from",
            ">longest fetch",
            ">other commands",
        ]);
        for replica in upstream.replicas.iter().take(ROWS) {
            let (pause_s, at) = replica.longest_gap_s;
            grid.row(vec![
                name(&replica.user),
                name(&replica.address),
                count(replica.fetches),
                if replica.fetches > 1 { time(pause_s) } else { String::new() },
                if replica.fetches > 1 { at.to_string() } else { String::new() },
                time(replica.longest_s),
                count(replica.others),
            ]);
        }
        tables.push(("Replicas and edges", grid));
    }
    let stated = |what: &str, found: Option<(u64, Option<crate::serverlog::record::Moment>)>| {
        found.map(|(most, at)| {
            let at = at.map_or(String::new(), |at| format!(" at {}", clock(at)));
            format!("The server stated at most {} {what} threads{at}.", count(most))
        })
    };
    says.extend(stated("active", server.active));
    says.extend(stated("paused", server.paused));
    if server.pressure != (0, 0) {
        says.push(format!(
            "The server reported pressure on the processor {}, on memory {}.",
            times(server.pressure.0),
            times(server.pressure.1)
        ));
        says.extend(server.pause_rate.map(|rate| {
            format!("At most {rate} % of new commands were paused then; where sys.pressure.max.pause.time is 0 nobody is, and that is how many would have been.")
        }));
    }
    if !server.starts.is_empty() {
        let first: Vec<String> = server.starts.iter().take(3).filter_map(|at| at.map(|at| at.to_string())).collect();
        says.push(format!("The server started {}: {}.", times(server.starts.len() as u64), first.join(", ")));
    }
    tables.push(("Commands that were not served", unserved::table(findings)));
    section("servers", "Other servers, and the server about itself", says, tables)
}

fn times(number: u64) -> String {
    match number {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        n => format!("{} times", count(n)),
    }
}
