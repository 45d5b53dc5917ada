//! The layout: servers, volumes, sizes, and why each lies where it does.

use super::{Block, Cell, ReportSource, Section, Table};
use crate::advisor::{Chosen, Driver, grows_by};
use crate::report::answer::Answer;
use crate::report::peak::percent;
use crate::report::prose::{about_count, capital};
use crate::report::volumes::{VolumeRow, at_least_one, one_edge, size_shown, volume_rows};
use crate::system::Deployment;
use crate::system::memory::ServerMemory;
use crate::units::{Bytes, BytesPerSecond, significant};

pub(super) fn layout(source: &ReportSource<'_>, chosen: &Chosen, answer: &Answer) -> Section {
    let d = &chosen.deployment;
    let [volumes, needs] = volumes(source, chosen);
    let m = &chosen.memory;
    let mut blocks = places(answer);
    blocks.extend([
        Block::Heading("Volumes".to_owned()),
        Block::Table(volumes.filled()),
        Block::Table(reasons(source, d)),
        Block::Heading("What each has to hold and to serve".to_owned()),
        Block::Table(needs),
        Block::Note("IOPS and transfer are those of the peak.".to_owned()),
        Block::Heading("Memory".to_owned()),
        Block::Text(format!(
            "Memory of each server: {}. Perforce's rule asks for {}. The whole database and all processes take {}.",
            m.there, m.rule, m.all
        )),
        Block::points(m.servers.iter().map(|one| memory_of(d, one))),
    ]);
    Section::new("layout", "Layout", blocks)
}

/// Where each volume lies, and what each role has to hold and to serve.
fn volumes(source: &ReportSource<'_>, chosen: &Chosen) -> [Table; 2] {
    let (site, catalog) = (source.inputs.site, source.inputs.catalog);
    let Chosen { deployment, prediction, sizes, .. } = chosen;
    let rows = one_edge(volume_rows(site, catalog, deployment, prediction, sizes));
    let mut volumes = Table::new(&["volumes", "mount point", "protocol", "device, RAID and disks", "filesystem"]);
    let mut needs =
        Table::new(&["volume", ">data today", ">to provide today", ">at the horizon", ">IOPS", ">transfer"]);
    let of_server = |one: &VolumeRow, other: &VolumeRow| one.server == other.server;
    for rows in rows.chunk_by(of_server) {
        for table in [&mut volumes, &mut needs] {
            table.title(capital(&rows[0].server));
        }
        let is_one = |one: &VolumeRow, other: &VolumeRow| one.place() == other.place();
        for rows in rows.chunk_by(is_one) {
            let roles: Vec<&str> = rows.iter().map(|row| row.role).collect();
            let row = &rows[0];
            volumes.row(vec![
                roles.join(", "),
                row.mount_point.clone(),
                row.protocol.to_string(),
                format!("{}, {}", row.device, row.raid),
                row.filesystem.to_string(),
            ]);
        }
        for row in rows {
            let (size, later) = (site.size(row.size), site.size(row.size_at_horizon));
            let cells = vec![
                Cell::plain(row.role.to_owned()),
                Cell::plain(site.size(row.data)),
                led(size, size_from(source, chosen, row)),
                led(later, grown(row)),
                Cell::plain(at_least_one(row.iops)),
                led(transfer(row), busy_disks(source, chosen, row)),
            ];
            needs.linked(String::new(), cells);
        }
    }
    [volumes, needs]
}

fn led(text: String, driver: Option<Driver>) -> Cell {
    super::super::peak::led(Cell::plain(text), "", driver)
}

fn transfer(row: &VolumeRow) -> String {
    if row.bytes_per_s >= 1.0 { BytesPerSecond::new(row.bytes_per_s).to_string() } else { "–".to_owned() }
}

/// Which answer moves a size most; nothing where there is nothing to hold.
fn size_from(source: &ReportSource<'_>, chosen: &Chosen, row: &VolumeRow) -> Option<Driver> {
    let field = *source.size_drivers.get(row.role)?;
    let of = chosen.sizes.iter().find(|size| size.role == row.role)?;
    let more = significant(row.size.get() / of.data.get(), 3);
    Some(Driver {
        id: field.to_owned(),
        words: format!(
            "{}: {}. To provide × {more} of it: headroom, snapshots, an office's share. Moves most with {field}.",
            size_shown(of.data),
            of.how
        ),
    })
}

/// Which answer makes it grow.
fn grown(row: &VolumeRow) -> Option<Driver> {
    let (now, then) = (row.size.get(), row.size_at_horizon.get());
    let field = grows_by(row.role);
    (now > 0.0).then(|| Driver {
        id: field.to_owned(),
        words: format!("× {} of today's at the horizon. Grows by {field}.", significant(then / now, 3)),
    })
}

/// How busy the disks are that a row lies on, or what moves data to and from them, whichever is busier, and on what that depends
/// most.
fn busy_disks(source: &ReportSource<'_>, chosen: &Chosen, row: &VolumeRow) -> Option<Driver> {
    let mount = chosen.deployment.mount_on(row.role, row.server_idx)?;
    let server = mount.is_private().then_some(row.server_idx);
    let resources = chosen.prediction.resources.iter();
    let own = resources.filter(|busy| busy.resource.is_set_of(mount) && busy.resource.server == server);
    let disks = own.max_by(|a, b| a.utilization.total_cmp(&b.utilization))?;
    let driver = Driver::of(source.advice, &chosen.prediction, &disks.resource.name)?;
    let busy = percent(disks.utilization);
    Some(Driver { words: format!("At the peak: {}, {busy} busy. {}", disks.resource.name, driver.words), ..driver })
}

/// Where everything lies, as the short answer has it.
fn places(answer: &Answer) -> Vec<Block> {
    let mut blocks = Vec::new();
    if let Some(layout) = &answer.layout {
        blocks.push(Block::Text(format!("{}. {}.", layout.title, layout.servers)));
        let mut places = Table::new(&["what", "place", ">size today", ">size at the horizon"]);
        for place in &layout.places {
            places.row(vec![place.roles.clone(), place.place.clone(), place.today.clone(), place.later.clone()]);
        }
        blocks.push(Block::Table(places));
        blocks.push(Block::Note(format!(
            "Sizes to provide on the commit server: data, free space and snapshot reserve. The horizon is {}.",
            layout.horizon
        )));
        if !answer.figures.is_empty() {
            blocks.push(Block::Note(format!("Figures {}", answer.figures)));
        }
    }
    blocks
}

/// Why each volume lies where it does, and how it is mounted.
fn reasons(source: &ReportSource<'_>, d: &Deployment) -> Table {
    let mut why = Table::new(&["volumes", "why there", "mount options"]);
    let volumes = d.volumes.iter().map(|mount| ("", mount));
    let offices = d.office_volumes.iter().filter(|_| !d.offices.is_empty());
    let offices = offices.map(|mount| ("edges of offices: ", mount));
    let edges = d.edge_volumes.iter().map(|mount| ("edges: ", mount));
    let standby = d.standby.iter().flat_map(|standby| &standby.volumes);
    let standby = standby.map(|mount| ("standby: ", mount));
    for (of, mount) in volumes.chain(offices).chain(edges).chain(standby) {
        let roles = format!("{of}{}", mount.roles.join(", "));
        let options = d.mount_options(mount, source.inputs.catalog);
        why.linked(String::new(), vec![Cell::plain(roles), Cell::plain(capital(&mount.why)), Cell::plain(options)]);
    }
    why.filled()
}

/// What one server needs its memory for at the peak.
fn memory_of(d: &Deployment, m: &ServerMemory) -> String {
    let size = |bytes: f64| Bytes::new(bytes).estimated();
    let mut parts = vec![format!("{} connections need {}", about_count(m.connections), size(m.processes))];
    if m.syncs > 0.0 {
        parts.push(format!("large syncs {}", size(m.syncs)));
    }
    parts.push(format!("the operating system {}", size(m.system)));
    format!(
        "{} at the peak: {}; of {} the page cache gets {}, of which the largest other command needs {} at times",
        capital(&d.server_in_words(m.server)),
        parts.join(", "),
        Bytes::new(m.there),
        size(m.cache()),
        size(m.largest)
    )
}
