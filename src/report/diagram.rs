//! The diagram of a deployment: what is in it, by the facts of a site and its prediction.

use super::diagram_build::{Drawing, groups};
use crate::catalog::Catalog;
use crate::page::{Diagram, place};
use crate::site::Site;
use crate::system::{Deployment, Prediction};

/// The diagram of one deployment under the load that it was predicted for.
pub fn diagram(site: &Site, catalog: &Catalog, deployment: &Deployment, prediction: &Prediction) -> Diagram {
    let mut drawing = Drawing { site, catalog, deployment, prediction, nodes: Vec::new(), links: Vec::new() };
    let groups = groups(deployment);
    let servers: Vec<usize> = groups.iter().map(|g| drawing.server(g)).collect();
    drawing.stores(&groups, &servers);
    drawing.offices(&groups, &servers);
    place::right(&mut drawing.nodes, &drawing.links);
    place::route(&drawing.nodes, &mut drawing.links);
    let (width, height) = place::extent(&drawing.nodes, &drawing.links);
    Diagram { width, height, nodes: drawing.nodes, links: drawing.links }
}
