//! `plimsoll simulate --compare`: alternatives under the same arrivals and sizes.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use plimsoll::advisor::best_of_layout;
use plimsoll::calibration::Calibration;
use plimsoll::catalog::Catalog;
use plimsoll::page::page_text;
use plimsoll::report::{self, Inputs, Rival, Simulation};
use plimsoll::sim::{self, Run, Span, Stopped};
use plimsoll::site::{self, Vocabulary};
use plimsoll::system::process::process;
use plimsoll::workload::from_site;

use crate::cli::{Ran, example, is_text, plimsoll};

fn compare(site: &str, alternatives: &str, arguments: &[&str]) -> Ran {
    let path = example(site);
    let named = ["simulate", path.as_str(), "--compare", alternatives];
    plimsoll(&[&named[..], arguments].concat())
}

const HOUR: [&str; 4] = ["--scenario", "peak-hour", "--replications", "3"];

#[test]
fn each_alternative_is_told_from_the_first_by_kind_of_work() {
    let arguments = [&HOUR[..], &["--format", "json"]].concat();
    let answer = compare("netapp-lab-2013", "n13-nfs,n13-fc,n13-split", &arguments).json();
    let all = answer["compare"].as_array().unwrap();
    let names: Vec<&str> = all.iter().map(|a| a["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["n13-nfs", "n13-fc", "n13-split"]);
    assert!(all[0].get("difference").is_none());
    let mean = |alternative: usize, class: &str| {
        let classes = all[alternative]["predictions"].as_array().unwrap();
        let found = classes.iter().find(|c| c["class"] == class).unwrap();
        found["response_time_s"]["value"].as_f64().unwrap()
    };
    for (idx, alternative) in all.iter().enumerate().skip(1) {
        let differences = alternative["difference"].as_array().unwrap();
        assert!(differences.len() >= 5);
        for difference in differences {
            let class = difference["class"].as_str().unwrap();
            let apart = &difference["response_time_s"];
            let value = apart["value"].as_f64().unwrap();
            let means = mean(idx, class) - mean(0, class);
            assert!((value - means).abs() <= 1e-9 * mean(0, class), "{class}");
            assert!(apart["low"].as_f64().unwrap() <= value && value <= apart["high"].as_f64().unwrap());
            assert_eq!(difference["pairs"], 3);
            assert!(is_text(&difference["sentence"]));
            let told = match difference["verdict"].as_str().unwrap() {
                "faster" => apart["high"].as_f64().unwrap() < 0.0,
                "slower" => apart["low"].as_f64().unwrap() > 0.0,
                "tied" => true,
                other => panic!("{class}: {other}"),
            };
            assert!(told, "{difference:#}");
        }
        let browse = differences.iter().find(|d| d["class"] == "browse").unwrap();
        // Reads of NFS cost round trips.
        assert_eq!(browse["verdict"], "faster");
    }
}

#[test]
fn text_has_a_verdict_in_a_sentence_and_is_the_same_on_one_thread_and_on_two() {
    let with = |threads: &str| {
        let frozen = ["--calibration", crate::frozen::FOLDER];
        let arguments = [&HOUR[..], &["--threads", threads], &frozen].concat();
        let ran = compare("netapp-lab-2013", "n13-nfs,n13-fc", &arguments);
        ran.done().to_owned()
    };
    let text = with("1");
    assert_eq!(text, with("2"));
    assert!(text.contains("faster by "), "{text}");
    assert!(text.contains("over 3 pairs of replications"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
    insta::assert_snapshot!("compare_netapp", text);
}

#[test]
fn scenarios_are_compared_for_one_layout() {
    let arguments = ["--layout", "split", "--replications", "2", "--format", "json"];
    let ran = compare("game-studio", "@working-day,@ci-herd", &arguments);
    let answer = ran.json();
    let all = answer["compare"].as_array().unwrap();
    assert_eq!((&all[0]["layout"], &all[1]["layout"]), (&all[0]["layout"], &all[0]["layout"]));
    assert_ne!(all[0]["scenario"], all[1]["scenario"]);
    let differences = all[1]["difference"].as_array().unwrap();
    let herd = |c: &serde_json::Value| c["class"].as_str().unwrap().contains("herd at");
    assert!(all[1]["predictions"].as_array().unwrap().iter().any(herd));
    assert!(!differences.iter().any(herd), "only one of both has it");
    assert!(!differences.is_empty());
}

#[test]
fn a_steady_state_is_compared_over_the_same_stretch() {
    let arguments = ["--precision", "20%", "--replications", "2", "--format", "json"];
    let answer = compare("netapp-lab-2013", "n13-nfs,n13-fc", &arguments).json();
    let all = answer["compare"].as_array().unwrap();
    let run = |idx: usize, key: &str| all[idx]["run"][key].as_f64().unwrap();
    assert!(run(0, "time_s") > 0.0);
    assert_eq!(run(0, "time_s"), run(1, "time_s"));
    assert_eq!(run(0, "warm_up_s"), run(1, "warm_up_s"));
}

#[test]
fn what_cannot_be_compared_is_refused_in_a_sentence() {
    let refused = |alternatives: &str, arguments: &[&str], why: &str| {
        let ran = compare("netapp-lab-2013", alternatives, arguments);
        assert!(ran.refused().contains(why), "{}", ran.err);
    };
    refused("n13-fcc,n13-nfs", &[], "did you mean \"n13-fc\"?");
    refused("n13-fc,n13-nfs@peak-our", &["--scenario", "peak-hour"], "did you mean \"peak-hour\"?");
    refused("n13-fc", &[], "name two or more");
    refused("n13-fc,n13-nfs,n13-fc", &[], "occurs twice");
    refused("n13-fc,n13-nfs", &["--replications", "1"], "two replications at least");
    refused("n13-fc,n13-nfs", &["--layout", "n13-fc"], "--layout has no use here");
    refused("n13-fc@peak-hour,n13-nfs@peak-hour", &["--scenario", "working-day"], "--scenario has no use here");
    refused("n13-fc,n13-fc@peak-hour", &[], "does not last as long as the first");
    let json = compare("netapp-lab-2013", "n13-fc", &["--format", "json"]);
    json.refused_in_json();
    let traced = compare("netapp-lab-2013", "n13-fc,n13-nfs", &["--trace", "x.csv"]);
    assert_eq!(traced.code, 2);
}

#[test]
fn what_has_no_steady_state_is_said_and_not_compared() {
    let (catalog, calibration) = (Catalog::embedded(), Calibration::embedded());
    let path = example("netapp-lab-2013");
    let site = site::load(path.as_ref(), &[], &Vocabulary::of(&catalog)).unwrap();
    let run = Run { span: Span::Window { from: 1.0, until: 30.0 }, ..Run::default() };
    let rival = |layout: &str, stopped| {
        let deployment = best_of_layout(&site, &catalog, &calibration, layout).unwrap();
        let load = from_site::load(&site);
        let process = process(&deployment, &load, &catalog, &calibration, None).unwrap();
        let one = sim::simulate(&process.model, &run, 0, &mut |_| ControlFlow::Continue(()));
        let mut outcome = sim::fold(&process.model, &run, &[one.unwrap()]);
        outcome.stopped = stopped;
        Rival {
            name: layout.to_owned(),
            differences: vec![None; process.activities.len()],
            simulation: Simulation {
                short: None,
                process,
                outcome,
                scenario: None,
                seed: 1,
                confidence: 0.95,
                wanted: None,
                model_factors: BTreeMap::new(),
            },
            deployment,
        }
    };
    let done = rival("n13-fc", Stopped::Done);
    let grows = rival("n13-nfs", Stopped::Unsteady);
    let inputs = Inputs { site: &site, catalog: &catalog, calibration: &calibration };
    for (pair, why) in
        [([done.clone(), grows.clone()], "no steady state"), ([grows, done], "n13-nfs has no steady state")]
    {
        let text = page_text(&report::simulations_page(&site.name, &pair));
        assert!(text.contains(why) && text.contains("UNSTEADY"), "{text}");
        assert!(!text.contains("pairs of replications"), "{text}");
        let json = report::simulations_json(&inputs, &pair);
        assert_eq!(json["compare"][1]["difference"], serde_json::json!([]));
    }
}
