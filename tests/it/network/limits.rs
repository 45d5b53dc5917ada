//! Printed bounds hold what is simulated, over random networks with every feature of the format.

use std::ops::ControlFlow;

use plimsoll::network::{self, Answer, Method, Unsolved};
use plimsoll::sim::{self, Run, Source, Span, Stopped};

use super::generated::{self, Draw};

/// Networks that are drawn; 1,500 have been, in the same way.
const NETWORKS: u64 = 60;

#[test]
fn no_simulated_throughput_is_beyond_its_bounds() {
    let (mut compared, mut from_below) = (0, 0);
    for seed in 0..NETWORKS {
        let text = generated::network(&mut Draw(seed * 7919 + 1));
        let file = match network::parse("drawn.toml", &text, &[]) {
            Ok(file) => file,
            Err(wrong) => panic!("{}", wrong.render()),
        };
        let Ok(bounds) = network::bounds(&file) else {
            continue;
        };
        let run =
            Run { span: Span::Steady { precision: 0.03 }, events_max: 60_000, confidence: 0.9999, ..Run::default() };
        let one = sim::simulate(&file.model, &run, 0, &mut |_| ControlFlow::Continue(())).unwrap();
        let answer = Answer::of_simulation(&file.model, sim::fold(&file.model, &run, &[one]));
        if answer.run.as_ref().unwrap().stopped == Stopped::Unsteady {
            continue;
        }
        let classes = file.model.classes.iter().zip(&answer.classes).zip(&bounds);
        for ((class, found), bounds) in classes {
            // What an open class gets is what comes; its bound is where it would saturate a station.
            let Source::Closed { .. } = class.source else {
                continue;
            };
            let rate = found.throughput;
            assert!(rate.low() <= bounds.throughput_high * (1.0 + 1e-3), "{rate:?} above {bounds:?}\n{text}");
            if let Some(low) = bounds.throughput_low {
                assert!(rate.high() >= low * (1.0 - 1e-3), "{rate:?} below {bounds:?}\n{text}");
                from_below += 1;
            }
            compared += 1;
        }
    }
    assert!(compared > NETWORKS / 2 && from_below > 0, "{compared} {from_below}");
}

#[track_caller]
fn bounds(text: &str) -> network::ClassBounds {
    network::bounds(&super::file(text)).unwrap().remove(0)
}

#[test]
fn branches_that_share_a_station_do_not_wait_for_each_other() {
    // Four at four servers: 1/(1 s + 25/12 s), the largest of four exponentials.
    let fork = bounds(
        "[station.s]\nkind = \"fcfs\"\nservers = 4\n[class.c]\npopulation = 1\nthink = \"1 s\"\nservice.s = \"1 s\"\npath = [{ fork = [[\"s\"], [\"s\"], [\"s\"], [\"s\"]] }]\n",
    );
    assert!((fork.throughput_high - 0.5).abs() < 1e-12 && fork.throughput_low.is_none());
}

#[test]
fn a_pool_held_in_any_way_and_a_lock_that_is_written_limit_a_class() {
    let class = "[class.c]\npopulation = 50\nthink = \"1 s\"\nservice.s = \"1 s\"\n";
    let pool = bounds(&format!(
        "[station.s]\nkind = \"delay\"\n[pool.p]\ncapacity = 5\n{class}path = [\"s\", {{ pool = \"p\", count = 2, steps = [\"s\"] }}]\n"
    ));
    assert!((pool.throughput_high - 2.5).abs() < 1e-12);
    assert_eq!(pool.limited_by.as_deref(), Some("p"));
    let lock = bounds(&format!(
        "[station.s]\nkind = \"delay\"\n[lock.l]\n{class}path = [{{ exclusive = \"l\", steps = [\"s\"] }}]\n"
    ));
    assert!((lock.throughput_high - 1.0).abs() < 1e-12);
    assert_eq!(lock.limited_by.as_deref(), Some("l"));
}

#[test]
fn a_cache_with_memory_hits_as_its_most_popular_items_at_most() {
    // One of two items, used twice as often as the other: at most two of three references hit.
    let cache = bounds(
        "[station.s]\n[cache.c]\nitems = 2\ncapacity = 1\nskew = 1\n[class.c]\npopulation = 50\nthink = \"1 s\"\nservice.s = \"1 s\"\npath = [{ cache = \"c\", miss = [\"s\"] }]\n",
    );
    assert!((cache.throughput_high / 3.0 - 1.0).abs() < 0.01, "{cache:?}");
}

#[test]
fn a_pool_that_arrivals_exhaust_is_saturation_by_every_method() {
    let file = super::file(
        "[station.s]\nkind = \"delay\"\n[pool.p]\ncapacity = 2\n[class.c]\nrate = \"3 /s\"\nservice.s = \"1 s\"\npath = [{ pool = \"p\", steps = [\"s\"] }, \"s\"]\n",
    );
    for method in [Method::Auto, Method::Linearizer] {
        let found = network::solve(&file, method).unwrap_err();
        assert!(
            matches!(&found, Unsolved::Saturated { what, utilization } if what == "pool \"p\"" && (utilization - 1.5).abs() < 1e-12),
            "{found}"
        );
    }
}
