//! The evidence panel: figures, parameters, sources, and the origin of any number.

use egui_kittest::kittest::Queryable as _;
use plimsoll::desktop::command::Command;
use plimsoll::desktop::panels::Panel;
use plimsoll::desktop::panels::evidence::Data;
use plimsoll::desktop::state::{EvidencePart, EvidenceView, FigureOrder, State};
use plimsoll::page::{Block, Cell, Drawn};
use plimsoll::report::explanation::{Known, explain};

use super::painting::{paints_at_any_size, read, window};
use super::{engine, opened, perform};

fn looked(view: EvidenceView) -> State {
    let mut state = opened(2);
    perform(&mut state, Command::Show(Panel::Evidence));
    perform(&mut state, Command::Look(view));
    state
}

#[test]
fn every_published_figure_is_shown_beside_its_prediction() {
    let state = looked(EvidenceView::default());
    let all = Data::of(&state, &engine()).figures;
    assert_eq!(all.waiting, None);
    let rows = &all.table.rows;
    assert!(rows.len() > 40);
    let errors = rows.iter().filter_map(|row| match row.cells[3].drawn {
        Some(Drawn::Off(error)) => Some((1.0 + error).ln().abs()),
        _ => None,
    });
    let errors: Vec<f64> = errors.collect();
    assert_eq!(errors.len(), rows.len());
    let falls = |pair: &[f64]| pair[0] >= pair[1] || pair[0].is_nan();
    assert!(errors.windows(2).all(falls), "the largest error first");
    insta::assert_snapshot!("figures", read(state));

    for source in &all.sources {
        let only =
            looked(EvidenceView { source: Some(source.clone()), order: FigureOrder::Datum, ..EvidenceView::default() });
        let only = Data::of(&only, &engine()).figures;
        let figures = only.table.rows.iter().map(|row| &row.cells[0]);
        let figures: Vec<&Cell> = figures.collect();
        assert!(!figures.is_empty(), "{source}");
        let of_source = |figure: &&Cell| figure.about.starts_with(source.as_str());
        assert!(figures.iter().all(of_source));
        assert!(figures.is_sorted_by(|a, b| a.text <= b.text));
    }
}

#[test]
fn every_parameter_says_what_moved_it() {
    let state = looked(EvidenceView { part: EvidencePart::Parameters, ..EvidenceView::default() });
    let data = Data::of(&state, &engine());
    let posterior = &engine().calibration.posterior;
    let Some(Block::Table(table)) = data.parameters.first() else {
        panic!("{:?}", data.parameters);
    };
    assert_eq!(table.rows.len(), posterior.free.len());
    insta::assert_snapshot!("parameters", read(state));
}

/// Whatever the other panels can name leads to an origin, and back.
#[test]
fn every_number_in_use_leads_to_its_origin_and_back() {
    let mut state = opened(2);
    let advised = state.lanes.advice.answer().expect("advice").clone();
    let chosen = advised.advice.chosen.as_ref().expect("a recommendation");
    let mut names: Vec<String> = chosen.prediction.used.keys().map(ToString::to_string).collect();
    names.extend(advised.site.assumptions().into_iter().map(|a| a.field));
    names.extend(advised.advice.findings.iter().map(|f| f.rule.to_owned()));
    names.push(chosen.deployment.layout.clone());
    assert!(names.len() > 60, "{}", names.len());
    perform(&mut state, Command::Show(Panel::Growth));
    for name in names {
        perform(&mut state, Command::Explain(name.clone()));
        assert_eq!(state.panel, Panel::Evidence);
        let origin = Data::of(&state, &engine()).origin.expect("one is asked for");
        assert!(origin.explanation.is_some(), "{name}: {:?}", origin.nearest);
        assert_eq!(origin.back, "Back to Growth");
        perform(&mut state, Command::Back);
        assert_eq!((state.panel, &state.origin), (Panel::Growth, &None));
    }
}

#[test]
fn the_window_says_what_the_command_line_says() {
    let engine = engine();
    let known = Known { catalog: &engine.catalog, calibration: &engine.calibration, site: None, used: None };
    for id in ["STO001", "N13-mount-both", "row_write", "P17", "SAG", "protocols/nfsv3"] {
        let mut state = opened(2);
        perform(&mut state, Command::Explain(id.to_owned()));
        let origin = Data::of(&state, &engine).origin.expect("one is asked for");
        let found = origin.explanation.expect(id);
        let plain = explain(&known, id).expect(id);
        assert_eq!((found.kind, &found.title), (plain.kind, &plain.title));
        // The window knows the prediction's numbers besides.
        assert_eq!(found.blocks[..plain.blocks.len()], plain.blocks);
    }
}

#[test]
fn one_goes_back_the_way_one_came() {
    let mut state = opened(2);
    perform(&mut state, Command::Show(Panel::Recommendation));
    perform(&mut state, Command::Explain("N13-mount-both".to_owned()));
    let mut window = window(state, [1280.0, 800.0], false);
    window.run();
    window.get_by_label("N13").click();
    window.run();
    assert_eq!(window.state().state.origin.as_deref(), Some("N13"));
    window.get_by_label("← Back to N13-mount-both").click();
    window.run();
    window.get_by_label("← Back to Recommendation").click();
    window.run();
    assert_eq!(window.state().state.panel, Panel::Recommendation);
}

#[test]
fn an_unknown_name_is_corrected() {
    let mut state = opened(2);
    perform(&mut state, Command::Explain("N13-mount-bth".to_owned()));
    let origin = Data::of(&state, &engine()).origin.expect("one is asked for");
    assert_eq!(origin.explanation, None);
    assert_eq!(origin.nearest.as_deref(), Some("N13-mount-both"));
}

#[test]
fn a_row_leads_to_its_datum() {
    let state = looked(EvidenceView { source: Some("Z09".to_owned()), ..EvidenceView::default() });
    let table = Data::of(&state, &engine()).figures.table;
    let figure = &table.rows[0].cells[0];
    let mut window = window(state, [1280.0, 1400.0], true);
    window.run();
    window.get_all_by_label(&figure.text).next().expect("a row").click();
    window.run();
    assert_eq!(window.state().state.origin.as_ref(), Some(&figure.about));
}

#[test]
fn every_part_paints_at_any_size_in_both_looks() {
    for part in [EvidencePart::Figures, EvidencePart::Parameters, EvidencePart::Sources] {
        let state = looked(EvidenceView { part, ..EvidenceView::default() });
        paints_at_any_size(&state);
    }
    for id in ["x".repeat(300), "\u{202e}<script>\n".to_owned(), "data.db_size".to_owned()] {
        let mut state = opened(2);
        perform(&mut state, Command::Explain(id));
        window(state, [1280.0, 720.0], false).run();
    }
}
