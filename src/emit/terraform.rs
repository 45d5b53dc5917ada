//! Servers, volumes and services of a cloud as variables for Terraform.
//!
//! One map of servers, each with its own volumes as an `aws_ebs_volume` and its like take them, one of proxies, and one of the file
//! services and buckets that they share; names of variables are ours, so that any module can be fed with them.

use super::file::{ConfigFile, ConfigLine, Language};
use super::quote;
use super::sheet::Sheet;
use crate::advisor::Chosen;
use crate::catalog::{Catalog, Server};
use crate::site::Site;
use crate::system::{Mount, ProxyPlace};
use crate::units::grouped;

const GIB: f64 = 1_073_741_824.0;
/// What EBSDOC calls an MB/s of a volume, its interface takes as a MiB/s: the same number, so that what is included is not undercut.
const MB: f64 = 1e6;
/// Why volumes have their sizes.
const VOLUMES: &str = "sizes of the first month; operations and bandwidth for the predicted peak and half as much again, within the \
                       limits of the volume and the instance";

/// The variables; none where nothing lies on volumes of a cloud.
pub(super) fn variables(site: &Site, catalog: &Catalog, chosen: &Chosen) -> Option<ConfigFile> {
    let d = &chosen.deployment;
    if !d.volumes.iter().any(Mount::is_cloud) {
        return None;
    }
    let smallest = chosen.instances.as_ref().and_then(|i| i.smallest.as_ref());
    let suggested = smallest.and_then(|fit| catalog.servers.get(&fit.id));
    let from = suggested.map_or("model".to_owned(), |s| format!("servers/{}", s.entry.id));
    let mut lines = vec![
        ConfigLine::new(format!("plimsoll_site = {}", text(&site.name)), "what these variables are of", &["name"]),
        ConfigLine::new(
            format!("plimsoll_instance_least = {}", least(suggested)),
            match suggested {
                Some(suggested) => format!(
                    "the smallest of the catalogue that carries the site: {}; null is no limit, rates are rounded down to two digits",
                    suggested.entry.title
                ),
                None => "no instance of the catalogue carries the site within its own limits".to_owned(),
            },
            &[&from],
        ),
    ];
    lines.extend(servers(site, catalog, chosen));
    lines.extend(proxies(catalog, chosen));
    lines.extend(services(catalog, chosen));
    Some(ConfigFile {
        name: "plimsoll.auto.tfvars".to_owned(),
        server: "terraform".to_owned(),
        of_edge: false,
        title: "variables for Terraform".to_owned(),
        language: Language::Environment,
        lines,
    })
}

/// Each server with its instance and its own volumes.
fn servers(site: &Site, catalog: &Catalog, chosen: &Chosen) -> Vec<ConfigLine> {
    let d = &chosen.deployment;
    let server = catalog.servers.get(&d.server);
    let title = server.map_or(d.server.as_str(), |server| &server.entry.title);
    let id = format!("servers/{}", d.server);
    let mut lines = vec![ConfigLine::new(
        "plimsoll_servers = {",
        "commit server, edges and standby, each with its own volumes",
        &["model"],
    )];
    // What has drives of its own is a machine that stands elsewhere.
    for number in d.servers_and_standby().filter(|number| !d.is_machine(*number)) {
        let name = quote::slug(&Sheet::new(site, catalog, chosen, number).title);
        lines.push(ConfigLine::new(
            format!(
                "  {} = {{ cores = {}, memory_gib = {}, volumes = {{",
                text(&name),
                d.cores,
                (d.memory_of(number) / GIB).ceil()
            ),
            format!("an instance with at least that: {title}; a virtual processor is half a core"),
            &[&id],
        ));
        let rented = d.private_sets(number).into_iter().filter(|m| m.is_cloud());
        lines.extend(rented.map(|mount| {
            let all = mount.disks * mount.disk_bytes;
            let now = ordered(chosen, number, mount).unwrap_or(all);
            let line = format!("    {}", volume(catalog, mount, now));
            let [now, all] = [now, all].map(|bytes| (bytes / GIB).ceil());
            let then = grouped(all);
            let grows = format!("{VOLUMES}; this volume grows to {then} GiB until the horizon");
            let why = if now < all { grows } else { VOLUMES.to_owned() };
            ConfigLine::new(line, why, &["model"])
        }));
        close("  } }", &mut lines);
    }
    close("}", &mut lines);
    lines
}

/// Each proxy with its machines and what its cache lies on.
fn proxies(catalog: &Catalog, chosen: &Chosen) -> Vec<ConfigLine> {
    let proxies = &chosen.deployment.proxies;
    if proxies.is_empty() {
        return Vec::new();
    }
    let id: &[&str] = &["proxy.cache"];
    let mut lines = vec![ConfigLine::new(
        "plimsoll_proxies = {",
        "machines for p4p, each with a volume for its cache; size them by their network",
        id,
    )];
    for proxy in proxies {
        let medium = catalog.media.get(&proxy.medium);
        let kind = medium.and_then(|medium| medium.terraform.as_deref());
        let name = match &proxy.place {
            ProxyPlace::Builds => "builds".to_owned(),
            ProxyPlace::Office(office) => quote::slug(office),
        };
        lines.push(ConfigLine::new(
            format!(
                "  {} = {{ machines = {}, cache = {{ type = {}, size_gib = {} }} }}",
                text(&name),
                proxy.machines,
                text(kind.unwrap_or(&proxy.medium)),
                (proxy.disks * proxy.disk_bytes / GIB).ceil()
            ),
            format!("stands {}", proxy.place.in_words()),
            id,
        ));
    }
    close("}", &mut lines);
    lines
}

/// What of a server's volume is ordered now \[B\]; none where nothing is said of it.
fn ordered(chosen: &Chosen, server: usize, mount: &Mount) -> Option<f64> {
    let d = &chosen.deployment;
    let of = |server: usize| {
        let mut stores = chosen.headroom.capacity.iter();
        stores.find(|store| store.server_idx == server && store.set == mount.set.id)
    };
    Some(of(d.counted_as(server)).or_else(|| of(0))?.ordered.get())
}

/// A volume by its mount point, so large \[B\]; its throughput where the provider takes one.
fn volume(catalog: &Catalog, mount: &Mount, bytes: f64) -> String {
    let medium = catalog.media.get(&mount.medium);
    let rented = medium.and_then(|medium| medium.rented.as_ref());
    let sells_bandwidth = rented.is_some_and(|rented| rented.sells_bandwidth);
    let kind = medium.and_then(|medium| medium.terraform.as_deref());
    let bought = mount.bought.map_or(String::new(), |bought| {
        let throughput = if sells_bandwidth {
            format!(", throughput_mib_s = {}", (bought.bandwidth / MB).round())
        } else {
            String::new()
        };
        format!(", iops = {}{throughput}", bought.operations)
    });
    format!(
        "{} = {{ type = {}, size_gib = {}{bought}, mount_point = {} }}",
        text(&key(&mount.mount_point)),
        text(kind.unwrap_or(&mount.medium)),
        (bytes / GIB).ceil(),
        text(&mount.mount_point)
    )
}

/// What the servers reach over the network: how much it must hold now, and where it is mounted.
fn services(catalog: &Catalog, chosen: &Chosen) -> Vec<ConfigLine> {
    let mut lines = Vec::new();
    for store in &chosen.headroom.capacity {
        let mut mounts = chosen.deployment.volumes.iter();
        let Some(mount) = mounts.find(|mount| mount.set.id == store.set && !mount.is_private()) else {
            continue;
        };
        let protocol = text(&mount.protocol);
        let place = if mount.is_object(catalog) {
            String::new()
        } else {
            format!(", mount_point = {}", text(&mount.mount_point))
        };
        let array = catalog.arrays.get(&mount.device);
        let kind = array.and_then(|array| array.terraform.as_deref());
        lines.push(ConfigLine::new(
            format!(
                "  {} = {{ type = {}, protocol = {protocol}, size_gib = {}{place} }}",
                text(&key(&mount.set_name(catalog).id)),
                text(kind.unwrap_or(&mount.device)),
                (store.ordered.get() / GIB).ceil()
            ),
            "shared by the servers; what they keep there in the first month, which is also what is paid for then",
            &[&format!("arrays/{}", mount.device)],
        ));
    }
    if lines.is_empty() {
        return lines;
    }
    let reason = "file services and buckets beside the volumes";
    lines.insert(0, ConfigLine::new("plimsoll_services = {", reason, &["model"]));
    close("}", &mut lines);
    lines
}

/// Closes what is open, with the reason of the line before it, which is then not repeated.
fn close(text: &str, lines: &mut Vec<ConfigLine>) {
    let closing = lines.last().map(|last| ConfigLine { text: text.to_owned(), ..last.clone() });
    lines.extend(closing);
}

/// A mount point or the name of a store as a key.
fn key(name: &str) -> String {
    let name = name.trim_matches('/');
    name.replace(['/', ' '], "-").replace(',', "")
}

/// What an instance has, as HCL has it; `null` where there is none.
fn least(server: Option<&Server>) -> String {
    let Some(server) = server else {
        return "null".to_owned();
    };
    // Two digits are known, and rounded up it would leave out the instance itself.
    let number = |value: Option<f64>| {
        value.map_or("null".to_owned(), |value| {
            let step = 10_f64.powf((value.log10().floor() - 1.0).max(0.0));
            format!("{}", (value / step).floor() * step)
        })
    };
    let operations = server.storage_operations.as_ref().map(|x| x.value.get());
    let bandwidth = server.storage_bandwidth.as_ref().map(|x| x.value.get() / MB);
    let network = server.network_bandwidth.as_ref().map(|x| x.value.get() * 8.0 / MB);
    format!(
        "{{ size = {}, cores = {}, memory_gib = {}, volume_iops = {}, volume_mb_s = {}, network_mbit_s = {} }}",
        text(server.terraform.as_ref().unwrap_or(&server.entry.id)),
        server.cores.value,
        (server.memory.value.get() / GIB).ceil(),
        number(operations),
        number(bandwidth),
        number(network)
    )
}

/// A text in quotes as HCL has it: no interpolation, no control characters.
fn text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    // `${` and `%{` begin an interpolation; doubled they do not.
    format!("{}\"", out.replace("${", "$${").replace("%{", "%%{"))
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn nothing_is_interpolated() {
        assert_eq!(text("a\"b\\c"), "\"a\\\"b\\\\c\"");
        assert_eq!(text("${env} %{if} 5 % $ x"), "\"$${env} %%{if} 5 % $ x\"");
        assert_eq!(text("a\nb"), "\"a b\"");
    }
}
