//! What a datum may hold besides figures: grades, arguments and questions.

use super::check::mandatory;
use crate::document::{Located, Reader};

const DEPLOYMENTS: [&str; 4] = ["fc", "iscsi", "split", "nfs"];
const CRITERIA: [&str; 5] = ["performance", "direct_file_access", "manageability", "cost", "backup"];
const GRADES: [&str; 6] = ["no", "poor", "fair", "good", "excellent", "yes"];

/// A grade of N13's matrix of criteria.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// `fc`, `iscsi`, `split` or `nfs`.
    pub protocol: &'static str,
    /// What is graded.
    pub criterion: &'static str,
    /// From `no` to `excellent`, or `yes`.
    pub grade: &'static str,
}

/// An argument for or against a deployment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// `fc`, `iscsi`, `split` or `nfs`.
    pub deployment: &'static str,
    /// Whether it speaks for it.
    pub is_pro: bool,
    /// The argument.
    pub text: String,
}

/// A question that the source asks before sizing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// From 1.
    pub number: u32,
    /// The question.
    pub text: String,
}

pub(super) fn cells(reader: &Reader<'_>) -> Vec<Cell> {
    let cell = |r: &Reader<'_>| {
        r.require(&["protocol", "criterion", "grade"]);
        let protocol = r.word("protocol", &DEPLOYMENTS);
        let criterion = r.word("criterion", &CRITERIA);
        let grade = r.word("grade", &GRADES);
        r.finish();
        Some(Cell { protocol: protocol?.value, criterion: criterion?.value, grade: grade?.value })
    };
    reader.tables("cell").iter().filter_map(cell).collect()
}

pub(super) fn points(reader: &Reader<'_>) -> Vec<Point> {
    let point = |r: &Reader<'_>| {
        r.require(&["deployment", "side"]);
        let deployment = r.word("deployment", &DEPLOYMENTS);
        let side = r.word("side", &["pro", "con"]);
        let text = mandatory(r, "text");
        r.finish();
        Some(Point { deployment: deployment?.value, is_pro: side?.value == "pro", text: text?.value })
    };
    reader.tables("point").iter().filter_map(point).collect()
}

pub(super) fn questions(reader: &Reader<'_>) -> Vec<Question> {
    let question = |r: &Reader<'_>| {
        r.require(&["number"]);
        let number: Option<Located<f64>> = r.count("number");
        let text = mandatory(r, "text");
        r.finish();
        Some(Question { number: number?.value as u32, text: text?.value })
    };
    reader.tables("question").iter().filter_map(question).collect()
}
