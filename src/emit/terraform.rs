//! Volumes and instances of a cloud as variables for Terraform.
//!
//! One map of volumes with what an `aws_ebs_volume` and its like take; names of variables are ours, so that any module
//! can be fed with them.

use super::file::{ConfigFile, ConfigLine, Language};
use crate::advisor::{Chosen, sets};
use crate::catalog::{Catalog, Server};
use crate::site::Site;

const GIB: f64 = 1_073_741_824.0;
/// What EBSDOC calls an MB/s of a volume, its interface takes as a MiB/s: the same number, so that what is included is not undercut.
const MB: f64 = 1e6;

/// The variables; none where nothing lies on volumes of a cloud.
pub(super) fn variables(site: &Site, catalog: &Catalog, chosen: &Chosen) -> Option<ConfigFile> {
    let d = &chosen.deployment;
    let volumes = sets(d.volumes.iter().filter(|mount| mount.is_cloud()));
    if volumes.is_empty() {
        return None;
    }
    let server = catalog.servers.get(&d.server);
    let title = server.map_or(d.server.as_str(), |server| &server.entry.title);
    let smallest = chosen.instances.as_ref().and_then(|i| i.smallest.as_ref());
    let suggested = smallest.and_then(|fit| catalog.servers.get(&fit.id));
    let from = suggested.map_or("model".to_owned(), |s| format!("servers/{}", s.entry.id));
    let mut lines = vec![
        ConfigLine::new(
            format!("plimsoll_site = {}", text(&site.name)),
            "what these variables are of",
            &["name"],
        ),
        ConfigLine::new(
            format!(
                "plimsoll_instance = {{ cores = {}, memory_gib = {} }}",
                d.cores,
                (d.memory / GIB).ceil()
            ),
            format!("an instance with at least that: {title}; a virtual processor is half a core"),
            &[&format!("servers/{}", d.server)],
        ),
        ConfigLine::new(
            format!("plimsoll_instance_least = {}", least(suggested)),
            match suggested {
                Some(suggested) => format!(
                    "the smallest of the catalogue that carries the site: {}; null is no limit",
                    suggested.entry.title
                ),
                None => {
                    "no instance of the catalogue carries the site within its own limits".to_owned()
                }
            },
            &[&from],
        ),
        ConfigLine::new(
            format!("plimsoll_servers = {}", d.servers()),
            "commit server and edges, each with these volumes",
            &["model"],
        ),
    ];
    let reason = "sizes until the horizon; operations and bandwidth for the predicted peak and half as much again, within the \
                  limits of the volume and the instance";
    lines.push(ConfigLine::new("plimsoll_volumes = {", reason, &["model"]));
    for mount in volumes {
        let kind = mount.medium.trim_start_matches("cloud-");
        let size = (mount.disk_bytes * mount.disks / GIB).ceil();
        let bought = mount.bought.map_or(String::new(), |bought| {
            let throughput = (bought.bandwidth / MB).round();
            format!(
                ", iops = {}, throughput_mib_s = {throughput}",
                bought.operations
            )
        });
        let name = mount.mount_point.trim_matches('/').replace('/', "-");
        lines.push(ConfigLine::new(
            format!(
                "  {} = {{ type = {}, size_gib = {size}{bought}, mount_point = {} }}",
                text(&name),
                text(kind),
                text(&mount.mount_point)
            ),
            reason,
            &["model"],
        ));
    }
    lines.push(ConfigLine::new("}", reason, &["model"]));
    Some(ConfigFile {
        name: "plimsoll.auto.tfvars".to_owned(),
        server: "terraform".to_owned(),
        of_edge: false,
        title: "variables for Terraform".to_owned(),
        language: Language::Environment,
        lines,
    })
}

/// What an instance has, as HCL has it; `null` where there is none.
fn least(server: Option<&Server>) -> String {
    let Some(server) = server else {
        return "null".to_owned();
    };
    let number = |value: Option<f64>| value.map_or("null".to_owned(), |v| format!("{}", v.round()));
    let operations = server.storage_operations.as_ref().map(|x| x.value.get());
    let bandwidth = server
        .storage_bandwidth
        .as_ref()
        .map(|x| x.value.get() / MB);
    let network = server
        .network_bandwidth
        .as_ref()
        .map(|x| x.value.get() * 8.0 / MB);
    format!(
        "{{ size = {}, cores = {}, memory_gib = {}, volume_iops = {}, volume_mb_s = {}, network_mbit_s = {} }}",
        text(server.entry.id.trim_start_matches("cloud-")),
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
