//! The layout: servers, volumes, sizes, and why each lies where it does.

use super::{Block, Cell, Section, Table, Told};
use crate::advisor::Chosen;
use crate::report::advice_text::{at_least_one, one_edge};
use crate::report::answer::Answer;
use crate::report::prose::capital;
use crate::report::volumes::volume_rows;
use crate::system::Deployment;
use crate::units::BytesPerSecond;

pub(super) fn layout(told: &Told<'_>, chosen: &Chosen, answer: &Answer) -> Section {
    let inputs = &told.inputs;
    let d = &chosen.deployment;
    let rows = one_edge(volume_rows(
        inputs.site,
        inputs.catalog,
        d,
        &chosen.prediction,
        &chosen.sizes,
    ));
    let mut volumes = Table::new(&[
        "volume",
        "mount point",
        "protocol",
        "device, RAID and disks",
        "filesystem",
        ">data today",
        ">to provide today",
        ">at the horizon",
        ">IOPS",
        ">transfer",
    ]);
    let said = |text: &str| told.names.said(text);
    let mut server = String::new();
    let columns = volumes.heads.len();
    for r in rows {
        if server != r.server {
            let mut cells = vec![String::new(); columns];
            cells[0] = capital(&r.server);
            volumes.strong(cells);
            server.clone_from(&r.server);
        }
        volumes.row(vec![
            r.role.to_owned(),
            r.mount_point,
            said(&r.protocol),
            said(&format!("{}, {}", r.device, r.raid)),
            said(&r.filesystem),
            told.inputs.site.size(r.data),
            told.inputs.site.size(r.size),
            told.inputs.site.size(r.size_at_horizon),
            at_least_one(r.iops),
            if r.bytes_per_s >= 1.0 {
                BytesPerSecond::new(r.bytes_per_s).to_string()
            } else {
                "–".to_owned()
            },
        ]);
    }
    let m = &chosen.memory;
    let mut blocks = places(answer);
    blocks.extend([
        Block::Heading("Volumes".to_owned()),
        Block::Table(volumes.filled()),
        Block::Note("IOPS and transfer are those of the peak.".to_owned()),
        Block::Table(reasons(told, d)),
        Block::Text(format!(
            "Memory of each server: {}. Perforce's rule asks for {}. The whole database and all processes take {}.",
            m.there, m.rule, m.all
        )),
    ]);
    Section {
        anchor: "layout",
        title: "Layout",
        appendix: false,
        blocks,
    }
}

/// Where everything lies, as the short answer has it.
fn places(answer: &Answer) -> Vec<Block> {
    let mut blocks = Vec::new();
    if let Some(layout) = &answer.layout {
        blocks.push(Block::Text(format!(
            "{}. {}.",
            layout.title, layout.servers
        )));
        let mut places = Table::new(&["what", "place", ">size today", ">size at the horizon"]);
        for place in &layout.places {
            places.row(vec![
                place.roles.clone(),
                place.place.clone(),
                place.today.clone(),
                place.later.clone(),
            ]);
        }
        blocks.push(Block::Table(places));
        blocks.push(Block::Note(format!(
            "Sizes to provide on the commit server: data, free space and snapshot reserve. The horizon is {}.",
            layout.horizon
        )));
    }
    blocks
}

/// Why each volume lies where it does, and how it is mounted.
fn reasons(told: &Told<'_>, d: &Deployment) -> Table {
    let mut why = Table::new(&["volumes", "why there", "mount options"]);
    let volumes = d.volumes.iter().map(|mount| ("", mount));
    let offices = d.office_volumes.iter().filter(|_| !d.offices.is_empty());
    let offices = offices.map(|mount| ("edges of offices: ", mount));
    let edges = d.edge_volumes.iter().map(|mount| ("edges: ", mount));
    let standby = d.standby.iter().flat_map(|standby| &standby.volumes);
    let standby = standby.map(|mount| ("standby: ", mount));
    for (of, mount) in volumes.chain(offices).chain(edges).chain(standby) {
        let roles = format!("{of}{}", mount.roles.join(", "));
        let options = d.mount_options(mount, told.inputs.catalog);
        why.linked(
            String::new(),
            vec![
                Cell::plain(roles),
                Cell::plain(capital(&told.names.said(&mount.why))),
                Cell::plain(options),
            ],
        );
    }
    why.filled()
}
