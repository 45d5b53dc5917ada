//! Where the boxes of a diagram lie, and how its lines run.
//!
//! ```text
//!  offices ─┬─ network ─┬─ servers, volumes inside ─╮ lanes ╭─ fabrics ─ stores
//!           ╰──────── trunk: edges of offices to the commit server
//! ```
//!
//! Each fabric is a bar at the height of the stores behind it, and no two bars lie beside each other; all that
//! leaves a server turns in lanes between servers and bars. So no line runs through a box at which it does not end.

use crate::diagram::{Link, Node, NodeKind, Rect};
use crate::markup::text_width;

/// Size of text in boxes.
pub const TEXT: f64 = 12.0;
/// From one line of text to the next.
pub const LEADING: f64 = 15.0;
/// Between a box's edge and its text.
pub const PAD: f64 = 8.0;
/// Between boxes of one column.
const GAP: f64 = 14.0;
/// Room for the scale of utilisation below.
pub const LEGEND: f64 = 34.0;
/// The height of a pill with a share.
pub const PILL: f64 = 16.0;
/// Between servers: room for the label of an edge's line.
const BETWEEN: f64 = 26.0;
/// Where lines from the servers turn towards the stores.
const LANES: (f64, f64) = (554.0, 578.0);
/// Where lines from distant edges run up to the commit server.
const TRUNK: f64 = 290.0;
/// Room for the end of a line on a bar or box: with a share, and without.
const ENDS: (f64, f64) = (20.0, 9.0);
/// A fabric's name stands along its bar.
const BAR_LEAST: f64 = 130.0;

/// A column of the diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// People and machines.
    Offices,
    /// What lies between them and the servers.
    Network,
    /// The commit server and its edges.
    Servers,
    /// Inside a server.
    Volumes,
    /// What lies between servers and stores.
    Fabric,
    /// Arrays and disks.
    Stores,
}

/// A box of a column, not yet at its height.
pub fn box_in(column: Column) -> Rect {
    let (x, width) = match column {
        Column::Offices => (1.0, 164.0),
        Column::Network => (226.0, 22.0),
        Column::Servers => (306.0, 236.0),
        Column::Volumes => (314.0, 220.0),
        Column::Fabric => (644.0, 22.0),
        Column::Stores => (684.0, 208.0),
    };
    Rect { x, y: 0.0, width, height: 0.0 }
}

fn own_height(node: &Node) -> f64 {
    PAD * 2.0 + LEADING * (1.0 + node.lines.len() as f64) - 4.0
}

/// The people at the left.
pub struct Places<'p> {
    /// Those beside the network.
    pub left: &'p [usize],
    /// Those beside their own edge, with it.
    pub with_edge: &'p [(usize, usize)],
    /// The standby on a second site.
    pub standby: Option<usize>,
    /// The network of the clients.
    pub network: usize,
}

/// Puts servers below each other, each around its volumes: near ones beside the people of the network, then distant
/// ones, each beside its office, and the standby.
pub fn left(nodes: &mut [Node], places: &Places<'_>) {
    let people = places.left.iter();
    for i in people.chain(places.with_edge.iter().map(|(office, _)| office)) {
        nodes[*i].rect.height = own_height(&nodes[*i]);
    }
    let is_edge = |i: usize| places.with_edge.iter().any(|(_, edge)| *edge == i);
    let is_distant = |i: usize| is_edge(i) || places.standby == Some(i);
    let mut y = 1.0;
    let mut server = None;
    for i in 0..nodes.len() {
        let height = own_height(&nodes[i]);
        match (nodes[i].kind, server) {
            (NodeKind::Server, _) if is_distant(i) => server = None,
            (NodeKind::Server, before) => {
                if before.is_some() {
                    y += BETWEEN;
                }
                server = Some(i);
                nodes[i].rect.y = y;
                nodes[i].rect.height = height;
                y += height;
            }
            (NodeKind::Volume, Some(server)) => {
                nodes[i].rect.y = y;
                nodes[i].rect.height = height;
                y += height + 6.0;
                nodes[server].rect.height = y - nodes[server].rect.y;
            }
            _ => {}
        }
    }
    let needed: f64 = places.left.iter().map(|i| nodes[*i].rect.height + GAP).sum::<f64>() - GAP;
    let mut at = 1.0 + ((y - 1.0 - needed) / 2.0).max(0.0);
    for i in places.left {
        nodes[*i].rect.y = at;
        at += nodes[*i].rect.height + GAP;
    }
    let lowest = y.max(at - GAP);
    nodes[places.network].rect.y = 1.0;
    nodes[places.network].rect.height = lowest - 1.0;
    let mut y = lowest + BETWEEN;
    for (office, edge) in places.with_edge {
        let height = own_height(&nodes[*edge]);
        nodes[*edge].rect.y = y;
        nodes[*edge].rect.height = height;
        nodes[*office].rect.y = y;
        y += height.max(nodes[*office].rect.height) + BETWEEN;
    }
    if let Some(standby) = places.standby {
        let height = own_height(&nodes[standby]);
        nodes[standby].rect.y = y;
        nodes[standby].rect.height = height;
    }
}

/// Room that the ends of some lines need below each other.
fn room(links: &[&Link]) -> f64 {
    let each = links.iter().map(|l| match l.utilization {
        Some(_) => ENDS.0,
        None => ENDS.1,
    });
    each.sum::<f64>() + 6.0
}

/// Lines that end at a box, from the uppermost beginning to the lowest.
fn ending_at(nodes: &[Node], links: &[Link], end: usize) -> Vec<usize> {
    let mut found: Vec<usize> = (0..links.len()).filter(|i| links[*i].to == end).collect();
    found.sort_by(|a, b| {
        let begins = |i: &usize| nodes[links[*i].from].rect.middle();
        begins(a).total_cmp(&begins(b))
    });
    found
}

/// What leads into a store: a fabric, or lines from volumes.
struct Slot {
    bar: Option<usize>,
    height: f64,
}

/// Puts stores below each other in their order, and each fabric beside its own.
pub fn right(nodes: &mut [Node], links: &[Link]) {
    let stores: Vec<usize> = (0..nodes.len()).filter(|i| nodes[*i].kind == NodeKind::Store).collect();
    let bars = |store: usize| -> Vec<usize> {
        let ends = links.iter().filter(move |l| l.to == store);
        let bars = ends.filter(|l| nodes[l.from].kind == NodeKind::Network);
        bars.map(|l| l.from).collect()
    };
    // A bar is as high as its stores together: each has its share of what its name and its lines need.
    let share = |bar: usize| -> f64 {
        let into: Vec<&Link> = links.iter().filter(|l| l.to == bar).collect();
        let behind = links.iter().filter(|l| l.from == bar).count().max(1) as f64;
        let gaps = GAP * (behind - 1.0);
        (room(&into).max(BAR_LEAST) - gaps) / behind
    };
    let mut slots: Vec<Vec<Slot>> = Vec::new();
    for store in &stores {
        let direct: Vec<&Link> =
            links.iter().filter(|l| l.to == *store && nodes[l.from].kind != NodeKind::Network).collect();
        let mut own: Vec<Slot> =
            bars(*store).into_iter().map(|bar| Slot { bar: Some(bar), height: share(bar) }).collect();
        if !direct.is_empty() {
            own.push(Slot { bar: None, height: room(&direct) });
        }
        slots.push(own);
    }
    let mut y = 1.0;
    for (store, own) in stores.iter().zip(slots) {
        let wanted: f64 = own.iter().map(|slot| slot.height).sum();
        let height = own_height(&nodes[*store]).max(wanted);
        nodes[*store].rect.y = y;
        nodes[*store].rect.height = height;
        let mut top = y;
        let more = (height - wanted) / own.len().max(1) as f64;
        for slot in own {
            let bottom = top + slot.height + more;
            if let Some(bar) = slot.bar {
                let rect = &mut nodes[bar].rect;
                if rect.height == 0.0 {
                    rect.y = top;
                }
                rect.height = bottom - 2.0 - rect.y;
            }
            top = bottom;
        }
        y += height + GAP;
    }
}

/// Draws all lines.
pub fn route(nodes: &[Node], links: &mut [Link]) {
    let turning: Vec<usize> = (0..links.len())
        .filter(|i| {
            let (from, to) = (nodes[links[*i].from].kind, nodes[links[*i].to].kind);
            let leaves = matches!(from, NodeKind::Volume | NodeKind::Server);
            leaves && (to == NodeKind::Store || to == NodeKind::Network)
        })
        .collect();
    let ends = ends(nodes, links);
    for (i, end) in ends.into_iter().enumerate() {
        let link = &links[i];
        let (a, b) = (&nodes[link.from], &nodes[link.to]);
        let (from, to) = (a.rect, b.rect);
        let (points, label_at) = match (a.kind, b.kind) {
            (NodeKind::Server, NodeKind::Server) => {
                // An edge's line to the commit server; its label stands above the edge.
                let (y0, y1) = (from.bottom() - 12.0, to.bottom() - 12.0);
                let points = vec![(from.x, y0), (TRUNK, y0), (TRUNK, y1), (to.x, y1)];
                let x = from.x + 2.0 + label_width(link) / 2.0;
                (points, (x, from.y - BETWEEN / 2.0))
            }
            (NodeKind::Network, NodeKind::Store) => {
                let low = from.y.max(to.y);
                let high = from.bottom().min(to.bottom());
                level(from, to, f64::midpoint(low, high))
            }
            (NodeKind::Network, _) | (NodeKind::Office, NodeKind::Server) => level(from, to, to.y + 18.0),
            (NodeKind::Office, _) => level(from, to, from.middle()),
            _ => {
                let place = turning.iter().position(|t| *t == i).unwrap_or(0);
                let share = (place as f64 + 1.0) / (turning.len() as f64 + 1.0);
                let x = LANES.0 + (LANES.1 - LANES.0) * share;
                let y = from.middle();
                let points = if (y - end).abs() < 0.5 {
                    vec![(from.right(), y), (to.x, end)]
                } else {
                    vec![(from.right(), y), (x, y), (x, end), (to.x, end)]
                };
                let at = f64::midpoint(LANES.1, box_in(Column::Fabric).x);
                (points, (at, end))
            }
        };
        links[i].points = points;
        links[i].label_at = label_at;
    }
}

/// The height at which each line from a server ends: spread over what it ends at, without crossings there.
fn ends(nodes: &[Node], links: &[Link]) -> Vec<f64> {
    let mut heights = vec![0.0; links.len()];
    for (end, node) in nodes.iter().enumerate() {
        if !matches!(node.kind, NodeKind::Network | NodeKind::Store) {
            continue;
        }
        let into = ending_at(nodes, links, end);
        let (of_bars, own): (Vec<usize>, Vec<usize>) =
            into.into_iter().partition(|i| nodes[links[*i].from].kind == NodeKind::Network);
        // Fabrics come first in a store; what is below them is for lines of its own.
        let below = of_bars.iter().map(|i| nodes[links[*i].from].rect.bottom());
        let top = below.fold(node.rect.y, f64::max);
        let all: Vec<&Link> = own.iter().map(|i| &links[*i]).collect();
        let stretch = (node.rect.bottom() - top) / room(&all);
        let mut at = top + 3.0 * stretch;
        for i in own {
            let mine = match links[i].utilization {
                Some(_) => ENDS.0,
                None => ENDS.1,
            };
            heights[i] = at + mine * stretch / 2.0;
            at += mine * stretch;
        }
    }
    heights
}

/// How wide a label with its share is.
pub fn label_width(link: &Link) -> f64 {
    let share = link.utilization.map_or(0.0, |busy| pill_width(&crate::chart::short_share(busy)));
    let own = text_width(&link.label) * (TEXT - 1.0);
    let gap = if own > 0.0 && share > 0.0 { 5.0 } else { 0.0 };
    own + gap + share
}

/// How wide a pill with this text is.
pub fn pill_width(shown: &str) -> f64 {
    text_width(shown) * (TEXT - 1.0) + 10.0
}

/// A level line, its label in the middle of it.
fn level(from: Rect, to: Rect, y: f64) -> (Vec<(f64, f64)>, (f64, f64)) {
    let points = vec![(from.right(), y), (to.x, y)];
    (points, (f64::midpoint(from.right(), to.x), y))
}

/// The size of all of it, with room for the scale.
pub fn extent(nodes: &[Node], links: &[Link]) -> (f64, f64) {
    let width = nodes.iter().map(|n| n.rect.right()).fold(0.0, f64::max);
    let bottom = nodes.iter().map(|n| n.rect.bottom()).fold(0.0, f64::max);
    let lines = links.iter().flat_map(|l| &l.points).map(|p| p.1);
    (width + 1.0, lines.fold(bottom, f64::max) + LEGEND)
}
