//! The server and who uses it: release, settings, people.

use std::collections::BTreeSet;

use super::{Answers, agreed};
use crate::collected::amount::{count, iec, size};
use crate::collected::facts::{At, Collected, Found};
use crate::collected::places::plain;
use crate::collected::volumes::{setting, text};
use crate::diag::harmless_line;
use crate::units::grouped;
use plimsoll_p4log::version::{operating_system, version};

/// A line of `p4 info` that all outputs agree on.
fn info<'c>(
    collected: &'c Collected,
    answers: &mut Answers,
    field: &str,
    name: &str,
) -> Option<&'c Found<(String, String)>> {
    let all = collected.info.iter().filter(|found| found.value.0 == name && !found.value.1.is_empty());
    agreed(answers, field, &format!("\"{name}\""), all, |(_, value)| value.clone())
}

/// The release, and of the platform the system and its bits.
fn release(found: &Found<(String, String)>, answers: &mut Answers) {
    let at = found.at();
    let Some((release, platform)) = version(&found.value.1) else {
        answers.ask(
            "server.release",
            format!("Which release of p4d runs? {:?} is not understood.", harmless_line(&found.value.1)),
        );
        return;
    };
    answers.know("server.release", text(&release), at);
    match operating_system(&platform) {
        Some(system) => answers.know("infrastructure.operating_systems", format!("[{}]", text(system)), at),
        None => answers.ask(
            "infrastructure.operating_systems",
            format!(
                "p4d runs on {}, which the catalogue does not have. Which system can it run?",
                harmless_line(&platform)
            ),
        ),
    }
    let is_64 = ["64", "ARM64", "AARCH64"].iter().any(|end| platform.ends_with(end));
    if is_64 || platform.ends_with("X86") || platform == "NTX86" {
        let bits = if is_64 { "64" } else { "32" };
        answers.know("server.bits", bits.to_owned(), at);
    }
}

pub(super) fn server(collected: &Collected, answers: &mut Answers) {
    if let Some(found) = info(collected, answers, "name", "ServerID") {
        let name: String = harmless_line(found.value.1.trim()).chars().take(200).collect();
        answers.know("name", text(&format!("Perforce server {name}")), found.at());
    }
    if let Some(found) = info(collected, answers, "server.release", "Server version") {
        release(found, answers);
    }
    if let Some(found) = info(collected, answers, "server.release", "Server services") {
        let service = harmless_line(&found.value.1);
        let is_main = ["standard", "commit-server", "depot-master"].contains(&service.as_str());
        if !is_main {
            answers.ask(
                "name",
                format!("These outputs are of a server with the service {service}, and a site file is about the commit server. Are they the right ones?"),
            );
        }
    }
    let through: Vec<&str> = collected
        .info
        .iter()
        .filter_map(|found| match found.value.0.as_str() {
            "Proxy version" => Some("a proxy"),
            "Broker version" => Some("a broker"),
            _ => None,
        })
        .collect();
    if let Some(first) = through.first() {
        answers.seen.push(format!("`p4 info` was run through {first}"));
    }
    let roots: BTreeSet<String> = collected.roots.iter().map(|found| plain(&found.value)).collect();
    if let (2.., Some(found)) = (roots.len(), collected.roots.first()) {
        answers.know("server.instances", roots.len().to_string(), found.at());
    }
}

/// A setting of the server as a number.
fn number(collected: &Collected, answers: &mut Answers, field: &str, name: &str) -> Option<(f64, At)> {
    let scopes: BTreeSet<&str> = collected
        .settings
        .iter()
        .filter(|found| found.value.name == name)
        .filter_map(|found| found.value.scope.as_deref())
        .filter(|scope| *scope != "any")
        .collect();
    let found = setting(collected, name)?;
    let same =
        collected.settings.iter().filter(|other| other.value.name == name && other.value.origin == found.value.origin);
    let values: BTreeSet<&str> = same.map(|other| other.value.value.as_str()).collect();
    if values.len() > 1 {
        let values: Vec<String> = values.into_iter().map(harmless_line).collect();
        let of = if scopes.is_empty() { "" } else { " for different servers" };
        answers
            .ask(field, format!("{name} is set to {}{of}. Which holds for the commit server?", values.join(" and ")));
        return None;
    }
    // "10" and "512K".
    let text = &found.value.value;
    let number = count(text).or_else(|| size(text, 1.0));
    if let Some(number) = number {
        Some((number, found.at()))
    } else {
        answers
            .ask(field, format!("{name} is set to {}, which is not understood. What is meant?", harmless_line(text)));
        None
    }
}

pub(super) fn settings(collected: &Collected, answers: &mut Answers) {
    if let Some((value, at)) = number(collected, answers, "server.peeking", "db.peeking") {
        answers.know("server.peeking", value.to_string(), at);
    }
    if let Some((value, at)) = number(collected, answers, "server.log_level", "server") {
        answers.know("server.log_level", value.to_string(), at);
    }
    let max = number(collected, answers, "today.parallel_threads", "net.parallel.max");
    let threads = number(collected, answers, "today.parallel_threads", "net.parallel.threads");
    match (max, threads) {
        (Some((0.0, at)), _) => answers.know("today.parallel_threads", "0".to_owned(), at),
        (Some((max, _)), Some((threads, at))) => {
            answers.know("today.parallel_threads", threads.min(max).to_string(), at);
        }
        (Some((max, _)), None) => answers.ask(
            "today.parallel_threads",
            format!("How many threads does a parallel sync have? net.parallel.max allows {max}, and net.parallel.threads is not shown: without it only clients that ask have any."),
        ),
        (None, Some((threads, _))) => answers.ask(
            "today.parallel_threads",
            format!("Are parallel syncs allowed? net.parallel.threads is {threads}, and net.parallel.max, which is 0 where nothing sets it, is not shown."),
        ),
        (None, None) => {}
    }
    // From 2014.2 on the kernel sizes the window. Years have four digits, minor numbers one.
    let release = answers.value("server.release");
    if release.is_some_and(|release| release.trim_matches('"') < "2014.2") {
        if let Some((bytes, at)) = number(collected, answers, "server.tcp_window", "net.tcpsize") {
            answers.know("server.tcp_window", text(&iec(bytes)), at);
        }
    } else if let Some(found) = collected.tcp_window.last() {
        answers.know("server.tcp_window", text(&iec(found.value)), found.at());
    }
    if let Some((0.0, _)) = number(collected, answers, "server.log_level", "monitor") {
        answers.seen.push("monitor is 0: `p4 monitor show` shows nothing".to_owned());
    }
}

pub(super) fn people(collected: &Collected, answers: &mut Answers) {
    let counted = collected.users.iter().filter(|found| found.from == "p4 license -u");
    let counted = agreed(answers, "people.developers", "the number of users", counted, ToString::to_string);
    let listed = collected.users.iter().find(|found| found.from == "p4 users");
    if let Some(found) = counted.or(listed).filter(|found| found.value >= 1.0) {
        answers.know("people.developers", found.value.to_string(), found.at());
        answers.check("users of the server, with those of builds and those who have left: put in people alone");
    } else {
        let licence = collected.info.iter().find(|found| found.value.0 == "Server license");
        let words = licence.map(|found| found.value.1.split_whitespace().collect::<Vec<_>>());
        let users = words.and_then(|words| {
            let at = words.iter().position(|word| *word == "users")?;
            count(words.get(at.checked_sub(1)?)?)
        });
        let licence = users.map_or(String::new(), |users| format!(" The licence is for {} users.", grouped(users)));
        answers.ask(
            "people.developers",
            format!("How many developers use the server?{licence} `p4 license -u` counts the users."),
        );
    }
    if let Some(found) = collected.clients.first() {
        answers.seen.push(format!("{} clients (`{}`)", grouped(found.value), found.from));
    }
}
