//! A log of a simulated server, read and replayed on the same site: what went in comes out.

use plimsoll::document::read_text;
use serde_json::Value;

use super::{json, number, workload};
use crate::cli::{plimsoll_in, scratch, write};

#[test]
fn a_simulated_log_comes_back_within_the_error_that_is_stated() {
    let folder = scratch("workload-round");
    plimsoll_in(&folder, &["init", "site.toml", "--from", "game-studio"]).done();
    // An edge serves the distant office then: a log does not say how far away its clients are.
    let site = read_text(&folder.join("site.toml")).expect("the site");
    let near = site.replace("proxies = true", "proxies = false");
    assert_ne!(site, near);
    write(&folder, "site.toml", near);
    plimsoll_in(&folder, &["simulate", "site.toml", "--log", "log", "--log-time", "4 min"]).done();
    let read = json(&folder, &["log"]);
    assert_eq!(read["quality"]["server"]["level"], 3);
    let answers = read["answers"].as_array().unwrap();
    assert!(answers.iter().any(|a| a["field"] == "server.log_level"));
    let replay = json(&folder, &["log", "--replay", "site.toml"])["replay"].clone();
    let commands = replay["commands"].as_array().unwrap();
    let (mut near, mut all) = (0.0, 0.0);
    for row in commands {
        let [calls, logged, replayed] = ["calls", "logged_mean_s", "replayed_mean_s"].map(|key| number(&row[key]));
        let ratio = replayed / logged;
        all += calls;
        if (1.0 / 1.5..=1.5).contains(&ratio) || (logged - replayed).abs() < 1e-3 {
            near += calls;
        }
    }
    assert!(near > 0.9 * all, "{near} of {all}: {replay}");
    // A submit's time is one number.
    let submit = commands.iter().find(|row| row["command"] == "submit").unwrap();
    let phases = read["submits"]["phases"].as_array().unwrap();
    let sum: f64 = phases.iter().map(|phase| number(&phase["mean_s"])).sum();
    let logged = number(&submit["logged_mean_s"]);
    assert!((logged - sum).abs() < 0.02 * sum, "{logged} {sum}");
    let left = &replay["left_out"]["without_script"];
    assert_eq!(left, &Value::Object(serde_json::Map::new()), "{left}");
}

#[test]
fn levels_of_a_simulated_log_are_recognised() {
    let folder = scratch("workload-levels");
    plimsoll_in(&folder, &["init", "site.toml", "--from", "game-studio"]).done();
    for (level, track) in [("1", "1"), ("2", "1"), ("3", "0")] {
        let name = format!("log{level}{track}");
        let arguments = [
            "simulate",
            "site.toml",
            "--log",
            &name,
            "--log-time",
            "1 min",
            "--log-level",
            level,
            "--log-track",
            track,
        ];
        plimsoll_in(&folder, &arguments).done();
        let found = json(&folder, &[&name])["quality"].clone();
        assert_eq!(found["server"]["level"].to_string(), level, "{found}");
        let text = workload(&folder, &[&name, "--full"]);
        let advises = text.done().contains("p4 configure set server=3");
        assert_eq!(advises, level != "3", "{}", text.out);
    }
}
