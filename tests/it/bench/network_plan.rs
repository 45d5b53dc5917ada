//! Plans of a network measurement, and what becomes of its rounds.

use std::net::SocketAddr;
use std::time::Duration;

use plimsoll::bench::network::NetworkPlan;
use plimsoll::bench::network::result::Rounds;

use super::network::{measure, short};

#[test]
fn a_plan_beyond_the_limits_is_refused_before_it_starts() {
    let nowhere: SocketAddr = "127.0.0.1:1".parse().unwrap();
    for (plan, part) in [
        (NetworkPlan { rounds: 0, ..short() }, "rounds must be from 1"),
        (NetworkPlan { streams: vec![65], ..short() }, "parallel streams must be"),
        (NetworkPlan { message_bytes: vec![4], ..short() }, "bytes of a message must be"),
        (NetworkPlan { window_bytes: vec![Some(1)], ..short() }, "bytes of a window must be"),
        (NetworkPlan { measured: Duration::ZERO, ..short() }, "measured milliseconds must be"),
        (NetworkPlan { message_bytes: Vec::new(), streams: Vec::new(), ..short() }, "it has no test"),
    ] {
        let error = measure(nowhere, &plan).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn plans_keep_to_their_times() {
    let (quick, full) = (NetworkPlan::quick(), NetworkPlan::full());
    assert!(quick.check().is_ok() && full.check().is_ok());
    assert_eq!(full.tests().len(), 2 + 4 * 3 * 2);
    assert!(quick.duration() <= Duration::from_secs(20));
    assert!(full.duration() <= Duration::from_mins(3));
}

#[test]
fn rounds_are_summed_up_by_their_median() {
    let odd = Rounds::of(vec![3.0, 1.0, 2.0]);
    assert_eq!((odd.median, odd.low, odd.high), (2.0, 1.0, 3.0));
    assert_eq!(odd.values, [3.0, 1.0, 2.0]);
    let even = Rounds::of(vec![4.0, 1.0, 2.0, 3.0]);
    assert_eq!(even.median, 2.5);
}
