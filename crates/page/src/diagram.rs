//! The layout as a drawn diagram, as data: boxes with places, and lines between them.
//!
//! Laid out by plain rules: people stand at the left, the network beside them, the commit server with its volumes
//! in the middle, edges below it, stores at the right. Widths of text are those of the typeface that the report and
//! the window carry, so that every painter agrees on where things lie.

use crate::place;

/// A rectangle; y goes down.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rect {
    /// Left end.
    pub x: f64,
    /// Upper end.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl Rect {
    /// From its left upper corner, its width and its height.
    pub fn new(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self { x, y, width, height }
    }

    /// Its middle.
    pub fn center(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.middle())
    }

    /// The middle of its height.
    pub fn middle(&self) -> f64 {
        self.y + self.height / 2.0
    }

    /// Its right end.
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    /// Its lower end.
    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }
}

/// What a box is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// People or machines that send commands.
    Office,
    /// The network between them and the servers.
    Network,
    /// The commit server or an edge.
    Server,
    /// A volume of the commit server, drawn inside it.
    Volume,
    /// An array or disks.
    Store,
}

/// A box.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where it lies.
    pub rect: Rect,
    /// What it is.
    pub kind: NodeKind,
    /// Its name.
    pub title: String,
    /// What stands below its name.
    pub lines: Vec<String>,
    /// How busy it is, in \[0, 1\], where that was predicted.
    pub utilization: Option<f64>,
    /// What is told on pointing at it, a line each.
    pub hover: Vec<String>,
}

/// A line between two boxes.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Index of the box where it begins.
    pub from: usize,
    /// Index of the box where it ends.
    pub to: usize,
    /// Its corners.
    pub points: Vec<(f64, f64)>,
    /// What it is.
    pub label: String,
    /// The middle of its label.
    pub label_at: (f64, f64),
    /// How busy it is, where that was predicted.
    pub utilization: Option<f64>,
    /// What is told on pointing at it.
    pub hover: Vec<String>,
}

impl Link {
    /// The room that its label takes; nothing where it has none.
    pub fn label_rect(&self) -> Option<Rect> {
        let width = place::label_width(self);
        let height = place::PILL;
        (width > 0.0).then(|| Rect {
            x: self.label_at.0 - width / 2.0,
            y: self.label_at.1 - height / 2.0,
            width,
            height,
        })
    }
}

/// A layout, drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagram {
    /// Width of everything.
    pub width: f64,
    /// Height of everything.
    pub height: f64,
    /// Boxes; a volume comes after its server.
    pub nodes: Vec<Node>,
    /// Lines.
    pub links: Vec<Link>,
}

impl Diagram {
    /// Servers, each before its volumes, and stores: what it is, its title, what stands below it. The lines between them do
    /// not fit into text.
    pub fn nodes_in_words(&self) -> impl Iterator<Item = (NodeKind, &str, String)> {
        let is_told = |node: &&Node| !matches!(node.kind, NodeKind::Office | NodeKind::Network);
        let nodes = self.nodes.iter().filter(is_told);
        nodes.map(|node| (node.kind, node.title.as_str(), node.lines.join(", ")))
    }
}
