//! How the proxies of a deployment are started.

use super::file::{ConfigFile, ConfigLine};
use super::fill;
use super::quote;
use super::script::Shell;
use super::sheet::Sheet;
use crate::catalog::{Called, Target};
use crate::system::{Proxy, ProxyPlace};
use crate::units::Bytes;

/// The folder of a cache, on drives of its own.
const CACHE: &str = "/hxcache";

/// A script for each proxy, with the TCP window that the commit server is given.
pub(super) fn files(commit: &Sheet<'_>) -> Vec<ConfigFile> {
    let settings = fill::settings(commit, Target::P4, None);
    let window = settings.iter().find(|setting| setting.name == "net.tcpsize");
    let window = window.map_or(String::new(), |setting| format!(" -v net.tcpsize={}", quote::shell(&setting.value)));
    let numbered = (1..).zip(&commit.deployment.proxies);
    let all = numbered.map(|(number, proxy)| start(commit, number, proxy, &window));
    all.collect()
}

fn start(commit: &Sheet<'_>, number: usize, proxy: &Proxy, window: &str) -> ConfigFile {
    let (site, catalog) = (commit.site, commit.catalog);
    let shell = Shell::Sh;
    let medium = catalog.media.called(&proxy.medium);
    let drives = if proxy.disks > 1.0 { "s" } else { "" };
    let room = format!(
        "Room for a cache of {}: {} {medium}{drives} ({}) in each machine, without RAID. What is lost is fetched again, and nothing is \
         backed up. p4p never cleans it: remove files that nobody read for a month.",
        site.size(Bytes::new(proxy.cache)),
        proxy.disks,
        Bytes::new(proxy.disk_bytes).si(),
    );
    ConfigFile {
        name: shell.file_name("p4p"),
        server: match &proxy.place {
            ProxyPlace::Builds => format!("proxy {number} (build farm)"),
            ProxyPlace::Office(office) => format!("proxy {number} ({office})"),
        },
        of_edge: false,
        title: "starts the proxy; run it as the user that owns the cache".to_owned(),
        language: shell.language(),
        lines: vec![
            ConfigLine::new(
                shell.ask(
                    "PLIMSOLL_SERVER",
                    "address and port of the commit server, or of the edge that serves these clients, as the proxy reaches it",
                ),
                "Stops until the server is named.",
                &["P4CMD"],
            ),
            ConfigLine::new(
                shell.run(&format!("mkdir -p {CACHE}")),
                room,
                &["proxy.cache", "SDP"],
            ),
            ConfigLine::new(
                shell.run(&format!(
                    "p4p -d -p 1666 -t \"$PLIMSOLL_SERVER\" -r {CACHE} -L {CACHE}/p4p.log -v track=1{window}"
                )),
                "Clients set P4PORT to this machine. The level track=1 logs how much content came from the cache.",
                &["P4CMD", "P4LOGS", "proxy.hits"],
            ),
        ],
    }
}
