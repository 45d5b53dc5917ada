//! Files, revisions, and the sizes that follow from them.

use crate::site::answer::Answer;
use crate::site::answerable::grouped;
use crate::site::assumptions::Factor;
use crate::site::fields::Kind;
use crate::site::section::Section;
use crate::site::sections::{Data, People};
use crate::units::{Bytes, Fraction};

/// Files and revisions: each follows from the other, both from the database's size or the people.
fn files_and_revisions(
    section: &Section<'_>,
    developers: f64,
    db_size: Option<&Answer<Bytes>>,
) -> (Answer<f64>, Answer<f64>) {
    let files = section.stated::<f64>("data.files");
    let revisions = section.stated::<f64>("data.revisions");
    let a_file = Factor::of::<f64>("data.revisions", Kind::Count);
    match (files, revisions, db_size) {
        (Some(files), Some(revisions), _) => (files, revisions),
        (Some(files), None, _) => {
            let revisions = revisions_of(section, files.value);
            (files, revisions)
        }
        (None, Some(revisions), _) => {
            let files = files_of(section, &a_file, &revisions);
            (files, revisions)
        }
        (None, None, Some(db)) => {
            let row = Factor::of::<Bytes>("rate.db_all_in", Kind::Size);
            let count = |bytes: f64| (db.value.get() / bytes).round().min(1e11);
            let arithmetic = format!("{} database ÷ {}", db.value, row.shown);
            let revisions = section.assume(
                "data.revisions",
                count(row.value),
                count(row.high),
                count(row.low),
                row.origin(&arithmetic),
            );
            let files = files_of(section, &a_file, &revisions);
            (files, revisions)
        }
        (None, None, None) => {
            let files: Answer<f64> = section.derive(
                "data.files",
                |each, _| developers * each,
                |each| format!("{} developers × {each}", grouped(developers)),
            );
            let revisions = revisions_of(section, files.value);
            (files, revisions)
        }
    }
}

fn revisions_of(section: &Section<'_>, files: f64) -> Answer<f64> {
    section.derive(
        "data.revisions",
        |each, _| (files * each).ceil(),
        |each| format!("{} files × {each}", grouped(files)),
    )
}

fn files_of(section: &Section<'_>, a_file: &Factor, revisions: &Answer<f64>) -> Answer<f64> {
    let count = |each: f64| (revisions.value / each).floor();
    let arithmetic = format!("{} revisions ÷ {}", grouped(revisions.value), a_file.shown);
    section.assume("data.files", count(a_file.value), count(a_file.high), count(a_file.low), a_file.origin(&arithmetic))
}

fn db_size(section: &Section<'_>, developers: f64, revisions: f64, workspace: f64) -> Answer<Bytes> {
    let have = Factor::of::<Bytes>("rate.have_row", Kind::Size);
    section.derive(
        "data.db_size",
        |row, end| revisions * row + developers * workspace * have.at(end),
        |row| {
            format!(
                "{} revisions × {row} + {} developers × {} files in a workspace × {} of db.have",
                grouped(revisions),
                grouped(developers),
                grouped(workspace),
                have.shown
            )
        },
    )
}

/// Each revision of a binary file is kept whole and compressed; of a text file the first is, and what a later one
/// changes.
fn depot_size(section: &Section<'_>, files: f64, revisions: f64, file_size: Bytes, binary: Fraction) -> Answer<Bytes> {
    let delta = Factor::of::<f64>("rate.text_delta", Kind::Number);
    let text = 1.0 - binary.get();
    section.derive(
        "data.depot_size",
        |whole, end| {
            let later = (revisions - files).max(0.0);
            let of_text = files + later * delta.at(end);
            let kept = binary.get() * revisions * whole + text * of_text;
            kept * file_size.get()
        },
        |whole| {
            format!(
                "{file_size} × ({binary} of {} revisions × {whole} + the rest of {} files and {} × each later revision)",
                grouped(revisions),
                grouped(files),
                delta.shown
            )
        },
    )
}

pub(in crate::site) fn data(section: &Section<'_>, people: &People) -> Data {
    let developers = people.developers.value;
    let stated_db = section.stated::<Bytes>("data.db_size");
    let (files, revisions) = files_and_revisions(section, developers, stated_db.as_ref());
    let most = Factor::of::<f64>("rate.workspace_files_most", Kind::Number);
    let workspace_files: Answer<f64> = section.derived(
        "data.workspace_files",
        |share| (files.value * share).min(most.value).ceil(),
        |share| format!("{} files × {share}, at most {}", grouped(files.value), most.shown),
    );
    let file_size: Answer<Bytes> = section.answer("data.file_size");
    let db_size = stated_db.unwrap_or_else(|| db_size(section, developers, revisions.value, workspace_files.value));
    let binary_share: Answer<Fraction> = section.answer("data.binary_share");
    let depot_size = section.stated("data.depot_size").unwrap_or_else(|| {
        let of_binaries = binary_share.value;
        depot_size(section, files.value, revisions.value, file_size.value, of_binaries)
    });
    let workspace_size = section.derived(
        "data.workspace_size",
        |part| workspace_files.value * file_size.value.get() * part,
        |part| format!("{} files × {} × {part}", grouped(workspace_files.value), file_size.value),
    );
    Data {
        db_size,
        depot_size,
        files,
        revisions,
        db_growth: section.answer("data.db_growth"),
        depot_growth: section.answer("data.depot_growth"),
        workspace_files,
        workspace_size,
        file_size,
        binary_share,
        db_out_of_order: section.answer("data.db_out_of_order"),
        largest_file: section.stated("data.largest_file"),
        read_only_share: section.stated("data.read_only_share"),
    }
}
