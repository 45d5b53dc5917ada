//! `predict --experiment`: a published measurement as the model runs it.

use crate::cli::plimsoll;

#[test]
fn a_run_shows_how_its_number_comes_about() {
    let ran = plimsoll(&["predict", "--experiment", "N13-mount-both"]);
    let text = ran.done();
    for wanted in ["n13-nfs", "NFS requests of commit server", "N13-mount-both elapsed", "6.77 min"] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
}

#[test]
fn a_datum_with_two_runs_shows_both_and_a_comparison_where_all_its_runs_are_there() {
    let answer = plimsoll(&["predict", "--experiment", "P17-branchsubmit-ssd", "--format", "json"]).json();
    let ids: Vec<_> = answer["runs"].as_array().unwrap().iter().map(|r| r["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["P17-branchsubmit-ssd", "P17-branchsubmit-ssd compute"]);
    let data = answer["data"].as_array().unwrap();
    let commit = data.iter().find(|d| d["id"] == "P17-branchsubmit-ssd commit").unwrap();
    assert_eq!(commit["published"], 1.462);
    assert!(commit["error"].as_f64().unwrap().abs() < 0.05);
}

#[test]
fn an_experiment_that_is_none_is_told_from_one_that_no_run_answers_to() {
    let unknown = plimsoll(&["predict", "--experiment", "N13-mount-bth"]);
    assert!(unknown.refused().contains("did you mean \"N13-mount-both\"?"));
    let not_run = plimsoll(&["predict", "--experiment", "E07-lock"]);
    assert!(not_run.refused().contains("no run predicts \"E07-lock\": a lock costs no processor time"));
}
