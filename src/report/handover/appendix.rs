//! What is looked up: the configuration to paste, and every number with its origin.

use super::{Block, Cell, FileBlock, Grid, Section, Told};
use crate::emit::ConfigFile;
use crate::report::prediction_json::each_number;
use crate::report::prose::capital;
use crate::units::significant;

/// Edges beyond these are configured like them.
const EDGES: usize = 2;

pub(super) fn configuration(told: &Told<'_>) -> Option<Section> {
    let files = told.configuration;
    if files.is_empty() {
        return None;
    }
    let of_edges = files.iter().filter(|file| file.of_edge);
    let mut edges: Vec<&str> = of_edges.map(|f| f.server.as_str()).collect();
    edges.dedup();
    let left_out = edges.split_off(edges.len().min(EDGES));
    let mut blocks = vec![Block::Text(
        "To be read before it is pasted. Each line has its reason above it; ids in brackets are explained by \
         plimsoll explain ID. plimsoll advise SITE.toml --out DIR writes the same files."
            .to_owned(),
    )];
    if let Some(first) = left_out.first() {
        blocks.push(Block::Note(format!(
            "From {first} on edges are configured as those before; --out writes the files of all."
        )));
    }
    let mut server = "";
    for file in files {
        if left_out.contains(&file.server.as_str()) {
            continue;
        }
        if server != file.server {
            server = &file.server;
            blocks.push(Block::Heading(capital(server)));
        }
        blocks.push(Block::File(block(file)));
    }
    Some(Section {
        anchor: "configuration",
        title: "Configuration",
        blocks,
    })
}

fn block(file: &ConfigFile) -> FileBlock {
    FileBlock {
        path: file.path(),
        title: file.title.clone(),
        language: file.language,
        text: file.render(),
    }
}

/// Where a number is told; empty if it is none of those that the prediction rests on.
pub(super) fn number_anchor(told: &Told<'_>, name: &str) -> String {
    let Some(chosen) = &told.advice.chosen else {
        return String::new();
    };
    let place = each_number(&chosen.prediction).position(|n| n.name == name);
    place.map_or(String::new(), |place| format!("number-{place}"))
}

pub(super) fn numbers(told: &Told<'_>) -> Option<Section> {
    let chosen = told.advice.chosen.as_ref()?;
    let mut table = Grid::small(&["number", ">value", ">±", "origin"]);
    for (i, n) in each_number(&chosen.prediction).enumerate() {
        let spread = if n.spread > 0.0 {
            format!("{} %", significant(n.spread * 100.0, 2))
        } else {
            String::new()
        };
        let cells = [n.name, n.shown, spread, n.origin.to_string()];
        let cells = cells.into_iter().map(Cell::plain).collect();
        table.linked(format!("number-{i}"), cells);
    }
    Some(Section {
        anchor: "numbers",
        title: "Numbers and their origins",
        blocks: vec![
            Block::Text(format!(
                "Every number of the catalogue, the calibration, the mix of commands and the criteria that this \
                 answer rests on, with its one-sigma error. Solved by: {}.",
                chosen.prediction.method
            )),
            Block::Table(table),
        ],
    })
}
