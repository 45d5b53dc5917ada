//! One binary for all integration tests: it links once.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

/// As in the released binary (`src/main.rs`): a solve makes many small things and drops them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod against;
mod agreement;
mod bench;
#[cfg(target_os = "linux")]
mod btree;
mod calibration;
mod calibration_refused;
mod catalog;
mod cli;
mod cli_advise;
mod cli_calibrate_add;
mod cli_compare;
mod cli_experiment;
mod cli_explain;
mod cli_init;
mod cli_predict;
mod cli_report;
mod cli_simulate;
mod cli_solve;
mod cli_workload;
mod cloud;
#[cfg(unix)]
mod collect_script;
mod collected;
mod commands;
mod confirm;
mod consistency;
mod contest;
mod contradiction;
mod criteria;
#[cfg(feature = "desktop")]
mod desktop;
mod emit;
mod equipment;
mod evidence;
mod facts;
mod field_effects;
mod first_screen;
mod frozen;
mod impossible;
mod improvement;
mod json_answers;
mod kept;
mod layers;
mod layouts;
mod links;
mod merged;
mod missed;
mod moves;
mod mutation;
mod names;
mod network;
mod parameters;
mod prices;
mod promises;
mod proxies;
mod queueing;
mod readme;
mod recovery;
mod rehearse;
mod rehearse_report;
mod report;
mod reproduction;
mod rules;
mod safe_advice;
mod schema;
mod search;
mod server_model;
mod serverlog_reader;
mod shared;
mod sim;
mod site;
mod site_broken;
mod site_fields;
mod site_hostile;
mod system;
mod targets;
mod today;
mod today_findings;
mod work;

/// A kind of work by its printed name.
fn class<'p>(
    prediction: &'p plimsoll::system::Prediction,
    name: &str,
) -> Option<&'p plimsoll::system::ClassPrediction> {
    prediction.classes.iter().find(|class| class.name == name)
}
