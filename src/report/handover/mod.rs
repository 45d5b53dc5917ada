//! The hand-over report as data: sections of tables, charts and sentences, the same for every format.
//!
//! The first section is a page that can be handed over alone; then why it is this layout, the details, and appendices
//! to look things up.
//!
//! Whoever writes it down (text, HTML, Markdown, the window) decides how it looks; what it says is decided here. Nothing
//! in it is markup.

mod accuracy;
mod appendix;
mod bill;
mod choice;
mod growth;
mod layout;
mod paper;
mod peak;
mod recovery;
mod risks;
mod summary;

use std::collections::BTreeMap;

use super::Inputs;
use super::answer::{Answer, Asked, LimitRow};
use super::json::Made;
use super::prose::capital;
use crate::advisor::{self, Advice, Curves};
use crate::emit::ConfigFile;
use crate::page::{Block, Cell, Page, Section, Table, paragraph, section_text};

pub use choice::layouts_table;

/// What a report is made of.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// What the advice was made from.
    pub inputs: Inputs<'a>,
    /// The advice.
    pub advice: &'a Advice,
    /// What is drawn of it; `None` where nothing is recommended.
    pub curves: Option<&'a Curves>,
    /// The configuration of its servers.
    pub configuration: &'a [ConfigFile],
    /// Sections of others, before the appendices.
    pub further: &'a [Section],
}

/// The same, with what its sizes come from.
struct ReportSource<'a> {
    inputs: Inputs<'a>,
    advice: &'a Advice,
    curves: Option<&'a Curves>,
    configuration: &'a [ConfigFile],
    /// By role, the field of the answer that its size comes from.
    size_drivers: BTreeMap<&'static str, &'static str>,
}

impl ReportSource<'_> {
    /// The title of a layout.
    fn title<'t>(&'t self, layout: &'t str) -> &'t str {
        let known = self.inputs.catalog.layouts.get(layout);
        let mut others = self.advice.alternatives.iter();
        let mut other = || others.find(|other| other.layout == layout);
        match known {
            Some(known) => &known.entry.title,
            None => other().map_or(layout, |other| other.title(self.inputs.catalog)),
        }
    }
}

/// The report on an advice, its first section as short as a sheet of paper.
pub fn report(source: &Source<'_>) -> Page {
    page(source, true)
}

fn page(source: &Source<'_>, is_on_paper: bool) -> Page {
    let Source { inputs, advice, curves, configuration, further } = *source;
    let answer = Answer::of(inputs.site, inputs.catalog, advice);
    let source = &ReportSource {
        inputs,
        advice,
        curves,
        configuration,
        size_drivers: advisor::size_drivers(inputs.site, inputs.catalog, inputs.calibration),
    };
    let mut sections = vec![summary::summary(source, &answer, is_on_paper)];
    sections.push(choice::alternatives(source, &answer));
    sections.extend(risks::findings(&answer));
    if let Some(chosen) = &advice.chosen {
        sections.push(layout::layout(source, chosen, &answer));
        sections.push(peak::peak(source, chosen, &answer));
        sections.push(growth::growth(source, &answer));
        sections.push(recovery::recovery(source, chosen));
        sections.push(bill::bill(chosen, &answer));
    }
    sections.extend_from_slice(further);
    sections.extend(appendix::rests(source));
    sections.extend(risks::warnings(source));
    sections.extend(risks::assumptions(source, &answer));
    sections.push(accuracy::accuracy(source));
    sections.extend(appendix::configuration(source));
    sections.extend(appendix::numbers(source));
    let heading = inputs.site.name.clone();
    Page {
        title: format!("{heading}: Perforce sizing"),
        eyebrow: "Sizing of a Perforce server",
        heading,
        verdict: Some(answer.stands.tone()),
        sections,
        made_from: made_from(&inputs),
    }
}

/// All of the report that is read, as text: without what is only looked up (files, accuracy, each number).
pub fn advice_text(inputs: Inputs<'_>, advice: &Advice) -> String {
    let Inputs { site, catalog, calibration } = inputs;
    let curves = advisor::curves(site, catalog, calibration, advice);
    let source = Source { inputs, advice, curves: curves.as_ref(), configuration: &[], further: &[] };
    let page = page(&source, false);
    let mut out = paragraph(&format!("{} ({})", site.name, site.file), 0);
    for section in &page.sections {
        if section.anchor == risks::WARNINGS.0 {
            // A text has the lines of the file too.
            out.push_str(&section_text(&Section::new("", section.title, [])));
            out.extend(site.warnings.iter().flat_map(|said| ["\n", said.trim_end(), "\n"]));
        } else if !section.appendix || section.anchor == risks::ASSUMPTIONS {
            out.push_str(&section_text(section));
        }
    }
    out
}

/// "in about 6 years: large sync misses its target of 25 min"
fn limit(row: &LimitRow) -> String {
    format!("{}: {}.", capital(&row.when), row.text.to_string().trim_end_matches('.'))
}

/// The question, what is assumed for it, and what another answer would do.
fn asked(asked: &Asked) -> String {
    let case = match asked.case.as_str() {
        "" => String::new(),
        case => format!("; {case}"),
    };
    let Asked { question, assumed, path, .. } = asked;
    format!("{question} Assumed {assumed}{case} ({path}).")
}

fn made_from(inputs: &Inputs<'_>) -> String {
    let Made { tool, input } = inputs.header().made;
    format!(
        "plimsoll {} · site file {} ({}) · parameters {}",
        tool.tool, input.site, input.site_hash, input.parameters_hash
    )
}
