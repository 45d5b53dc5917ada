//! Where the boxes of a diagram lie, and how its lines run.
//!
//! Columns have fixed widths; heights follow from the lines of text in a box.

use super::diagram::{Link, Node, NodeKind, Rect};
use super::markup::text_width;

/// Size of text in boxes.
pub(super) const TEXT: f64 = 12.0;
/// From one line of text to the next.
pub(super) const LEADING: f64 = 16.0;
/// Between a box's edge and its text.
pub(super) const PAD: f64 = 9.0;
/// Between boxes of one column.
const GAP: f64 = 16.0;
/// Room for the scale of utilisation below.
pub(super) const LEGEND: f64 = 38.0;
/// The height of a pill with a share.
pub(super) const PILL: f64 = 16.0;
/// Where lines from the servers to the stores turn.
const TURNS: (f64, f64) = (594.0, 622.0);

/// A column of the diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    Offices,
    Network,
    Servers,
    Volumes,
    /// A storage network, by its place among all networks.
    Fabric(usize),
    Stores,
}

/// A box of a column, not yet at its height.
pub(super) fn box_in(column: Column) -> Rect {
    let (x, width) = match column {
        Column::Offices => (1.0, 150.0),
        Column::Network => (204.0, 24.0),
        Column::Servers => (288.0, 226.0),
        Column::Volumes => (296.0, 210.0),
        Column::Fabric(place) => (564.0 + 26.0 * place as f64, 22.0),
        Column::Stores => (630.0, 179.0),
    };
    Rect {
        x,
        y: 0.0,
        width,
        height: 0.0,
    }
}

fn own_height(node: &Node) -> f64 {
    PAD * 2.0 + LEADING * (1.0 + node.lines.len() as f64) - 4.0
}

/// Puts servers below each other, each around its volumes.
pub(super) fn stack(nodes: &mut [Node], column: Column) {
    debug_assert_eq!(column, Column::Servers, "only servers hold others");
    let mut y = 1.0;
    let mut server: Option<usize> = None;
    for i in 0..nodes.len() {
        let height = own_height(&nodes[i]);
        if nodes[i].kind == NodeKind::Server {
            if server.is_some() {
                y += GAP + 8.0;
            }
            server = Some(i);
            nodes[i].rect.y = y;
            nodes[i].rect.height = height;
            y += height;
        } else if let Some(server) = server {
            nodes[i].rect.y = y;
            nodes[i].rect.height = height;
            y += height + 8.0;
            nodes[server].rect.height = y - nodes[server].rect.y;
        }
    }
}

/// Volumes on a store; those behind a network are as many as reach it.
fn volumes_of<'n>(
    nodes: &'n [Node],
    links: &'n [Link],
    store: usize,
) -> impl Iterator<Item = usize> + 'n {
    let ends = links.iter().filter(move |l| l.to == store);
    ends.flat_map(move |l| {
        let behind = links.iter().filter(move |b| b.to == l.from);
        let direct = (nodes[l.from].kind == NodeKind::Volume).then_some(l.from);
        direct.into_iter().chain(behind.map(|b| b.from))
    })
    .filter(|v| nodes[*v].kind == NodeKind::Volume)
}

/// Stretches storage networks to all that they connect.
fn fabrics(nodes: &mut [Node], links: &[Link]) {
    /// Room for a network's name along it.
    const LEAST: f64 = 64.0;
    for i in 0..nodes.len() {
        if nodes[i].kind != NodeKind::Network {
            continue;
        }
        let ends = links.iter().filter_map(|l| match (l.from == i, l.to == i) {
            (true, _) => Some(l.to),
            (_, true) => Some(l.from),
            _ => None,
        });
        let heights = ends.map(|n| nodes[n].rect.middle());
        let (low, high) = heights.fold((f64::INFINITY, 0.0_f64), |(low, high), y| {
            (low.min(y), high.max(y))
        });
        let height = (high - low + 24.0).max(LEAST);
        nodes[i].rect.y = (f64::midpoint(low, high) - height / 2.0).max(1.0);
        nodes[i].rect.height = height;
    }
}

/// Puts stores at the mean height of the volumes on them, below each other.
pub(super) fn stores(nodes: &mut [Node], links: &[Link]) {
    let mut wanted: Vec<(usize, f64)> = Vec::new();
    for i in 0..nodes.len() {
        if nodes[i].kind != NodeKind::Store {
            continue;
        }
        let heights: Vec<f64> = volumes_of(nodes, links, i)
            .map(|v| nodes[v].rect.middle())
            .collect();
        let mean = heights.iter().sum::<f64>() / heights.len().max(1) as f64;
        nodes[i].rect.height = own_height(&nodes[i]);
        wanted.push((i, mean));
    }
    wanted.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut free = 1.0;
    for (i, mean) in wanted {
        let height = nodes[i].rect.height;
        nodes[i].rect.y = (mean - height / 2.0).max(free);
        free = nodes[i].rect.bottom() + GAP;
    }
    fabrics(nodes, links);
}

/// Puts offices at the left: those without an edge beside the network, those with one beside it.
pub(super) fn offices(
    nodes: &mut [Node],
    left: &[usize],
    with_edge: &[(usize, usize)],
    network: usize,
    servers: &[usize],
) {
    for i in left
        .iter()
        .chain(with_edge.iter().map(|(office, _)| office))
    {
        nodes[*i].rect.height = own_height(&nodes[*i]);
    }
    let distant: Vec<usize> = with_edge.iter().map(|(_, edge)| *edge).collect();
    let near: Vec<Rect> = servers
        .iter()
        .filter(|s| !distant.contains(s))
        .map(|s| nodes[*s].rect)
        .collect();
    let top = near.iter().map(|r| r.y).fold(f64::INFINITY, f64::min);
    let first = near.first().map_or(0.0, Rect::bottom);
    // All that is to the left has its height beside the commit server, if it is high enough.
    let needed: f64 = left
        .iter()
        .map(|i| nodes[*i].rect.height + GAP)
        .sum::<f64>()
        - GAP;
    let mut y = top + ((first - top - needed) / 2.0).max(0.0);
    for i in left {
        nodes[*i].rect.y = y;
        y += nodes[*i].rect.height + GAP;
    }
    let mut free = y;
    for (office, edge) in with_edge {
        let height = nodes[*office].rect.height;
        nodes[*office].rect.y = (nodes[*edge].rect.middle() - height / 2.0).max(free);
        free = nodes[*office].rect.bottom() + GAP;
    }
    let lowest = near.iter().map(Rect::bottom).fold(y - GAP, f64::max);
    nodes[network].rect.y = top;
    nodes[network].rect.height = lowest - top;
}

/// Draws all lines: level where both ends are at one height, else with two corners.
pub(super) fn route(nodes: &[Node], links: &mut [Link]) {
    let turning: Vec<usize> = (0..links.len())
        .filter(|i| {
            let ends = (nodes[links[*i].from].kind, nodes[links[*i].to].kind);
            ends == (NodeKind::Volume, NodeKind::Store)
        })
        .collect();
    let count = turning.len();
    for (i, link) in links.iter_mut().enumerate() {
        let (a, b) = (&nodes[link.from], &nodes[link.to]);
        match (a.kind, b.kind) {
            (NodeKind::Network, NodeKind::Store) => {
                level(link, a.rect, b.rect, b.rect.middle());
            }
            (_, NodeKind::Store) => {
                let place = turning.iter().position(|t| *t == i).unwrap_or(0);
                let share = (place as f64 + 1.0) / (count as f64 + 1.0);
                to_store(link, a.rect, b.rect, share);
            }
            (NodeKind::Server, NodeKind::Server) => {
                let x = a.rect.x + 40.0;
                link.points = vec![(x, a.rect.y), (x, b.rect.bottom())];
                let middle = f64::midpoint(a.rect.y, b.rect.bottom());
                link.label_at = (x + 12.0 + label_width(link) / 2.0, middle);
            }
            _ => {
                // A server is met at its head.
                let y = match (a.kind, b.kind) {
                    (NodeKind::Network, _) => b.rect.y + 20.0,
                    _ => a.rect.middle(),
                };
                level(link, a.rect, b.rect, y);
            }
        }
    }
}

/// How wide a label with its share is.
pub(super) fn label_width(link: &Link) -> f64 {
    let share = if link.utilization.is_some() {
        44.0
    } else {
        0.0
    };
    text_width(&link.label) * (TEXT - 1.0) + share
}

/// A level line, its label in the middle of it.
fn level(link: &mut Link, from: Rect, to: Rect, y: f64) {
    link.points = vec![(from.right(), y), (to.x, y)];
    link.label_at = (f64::midpoint(from.right(), to.x), y);
}

fn to_store(link: &mut Link, from: Rect, to: Rect, share: f64) {
    let (x0, y0) = (from.right(), from.middle());
    let inside = |y: f64| y.clamp(to.y + 8.0, to.bottom() - 8.0);
    let y1 = inside(y0);
    if (y1 - y0).abs() < 0.5 {
        level(link, from, to, y0);
        return;
    }
    let turn = TURNS.0 + (TURNS.1 - TURNS.0) * share;
    // Those that come from below end lower.
    let y1 = f64::midpoint(to.middle(), y1);
    link.points = vec![(x0, y0), (turn, y0), (turn, y1), (to.x, y1)];
    link.label_at = (turn, f64::midpoint(y0, y1));
}

/// The size of all of it, with room for the scale.
pub(super) fn extent(nodes: &[Node], links: &[Link]) -> (f64, f64) {
    let width = nodes.iter().map(|n| n.rect.right()).fold(0.0, f64::max);
    let bottom = nodes.iter().map(|n| n.rect.bottom()).fold(0.0, f64::max);
    let lines = links.iter().flat_map(|l| &l.points).map(|p| p.1);
    (width + 1.0, lines.fold(bottom, f64::max) + LEGEND)
}
