//! What an answer promises, held over generated sites: sentence, targets, headroom and table are one thing.

use std::sync::{Arc, LazyLock};

use plimsoll::advisor::what_if::{Base, Change, what_if};
use plimsoll::advisor::{Advice, Chosen, Closeness, Prepared, advise, curve, missed, over_time};
use plimsoll::document::read_text;
use plimsoll::report::Answer;
use plimsoll::report::answer::Stands;
use plimsoll::report::response::responses;
use plimsoll::site::{self, Site};
use plimsoll::system::{Prediction, predict};
use plimsoll::workload::Arrival;

use crate::agreement::generated;
use crate::shared::{CALIBRATION, CATALOG, VOCABULARY};

/// Sites that are looked at; each costs about a second.
const SITES: u64 = 24;

/// Every other with targets, from loose to tight.
fn sites() -> impl Iterator<Item = (u64, Site)> {
    (100..100 + SITES).map(|seed| {
        let mut text = generated::site(seed);
        if seed % 2 == 0 {
            let tight = 10f64.powi(-((seed / 2 % 3) as i32));
            let targets = format!(
                "\n[targets]\nedit = \"{:.3} s\"\nbrowse = \"{:.3} s\"\nsubmit = \"{:.3} s\"\n",
                5.0 * tight,
                2.0 * tight,
                20.0 * tight
            );
            text.push_str(&targets);
        }
        let name = format!("generated-{seed}.toml");
        let read = site::parse(&name, &text, &[], &VOCABULARY);
        let read = read.unwrap_or_else(|errors| panic!("{}", errors.render()));
        // With what its answers show of today's system, as every command has it.
        let prepared = Prepared::of(Arc::new(read), &VOCABULARY, &CATALOG, &CALIBRATION);
        (seed, Arc::unwrap_or_clone(prepared.site))
    })
}

/// The sites with their advice, worked out once.
pub(crate) static ADVISED: LazyLock<Vec<(u64, Site, Advice)>> = LazyLock::new(|| {
    let all = sites().map(|(seed, site)| {
        let advice = advised(&site);
        (seed, site, advice)
    });
    all.collect()
});

fn advised(site: &Site) -> Advice {
    advise(site, &VOCABULARY, &CATALOG, &CALIBRATION)
}

fn at(chosen: &Chosen, advice: &Advice, factor: f64) -> Option<Prediction> {
    let load = advice.load.scaled(factor);
    predict(&chosen.deployment, &load, &CATALOG, &CALIBRATION).ok()
}

#[test]
fn what_is_recommended_is_what_predict_says_and_never_saturated() {
    for (seed, site, advice) in ADVISED.iter() {
        let Some(chosen) = &advice.chosen else {
            continue;
        };
        let again = at(chosen, advice, 1.0).unwrap_or_else(|| panic!("{seed} is saturated"));
        for (said, found) in chosen.prediction.classes.iter().zip(&again.classes) {
            assert_eq!(said.mean.value, found.mean.value, "{seed}: {}", said.name);
            assert_eq!(said.p95.value, found.p95.value, "{seed}: {}", said.name);
        }
        assert_eq!(chosen.missed, missed(site, &chosen.prediction), "{seed}");
        // What is missed is told with what it comes from, whether something helps or nothing does.
        assert_eq!(chosen.missed.is_empty(), chosen.helps.is_empty(), "{seed}");
        let answer = Answer::of(site, &CATALOG, advice);
        let promises = answer.sentence().contains("meets every target");
        assert!(
            !promises || chosen.missed.is_empty() || answer.stands == Stands::Misses,
            "{seed}: {}",
            answer.sentence()
        );
        let is_carried = matches!(answer.stands, Stands::Carries | Stands::MayMiss);
        assert!(!is_carried || !advice.falls_short(site) || chosen.missed.is_empty(), "{seed}: {}", answer.sentence());
    }
}

#[test]
fn times_are_the_sums_of_their_parts_and_no_part_is_negative() {
    for (seed, _, advice) in ADVISED.iter() {
        let Some(chosen) = &advice.chosen else {
            continue;
        };
        for class in &chosen.prediction.classes {
            let least = class.parts.iter().map(|(_, s)| *s).fold(0.0, f64::min);
            assert!(least >= 0.0, "{seed}: {} has {:?}", class.name, class.parts);
            let sum: f64 = class.parts.iter().map(|(_, s)| s).sum();
            let off = (sum / class.mean.value - 1.0).abs();
            assert!(off < 1e-9, "{seed}: {} is {} and {sum}", class.name, class.mean.value);
            assert!(class.p95.value >= 0.0 && class.mean.low <= class.mean.value);
        }
    }
}

#[test]
fn closed_groups_keep_littles_law() {
    for (seed, _, advice) in ADVISED.iter() {
        let Some(chosen) = &advice.chosen else {
            continue;
        };
        let groups = advice.load.groups.iter().zip(&chosen.prediction.group_rates);
        for (group, rate) in groups {
            let Arrival::Closed { population, think_time } = group.arrival else {
                continue;
            };
            // What a cycle takes, over all kinds of work of these clients.
            let classes = chosen.prediction.classes.iter();
            let own = classes.filter(|class| class.work.clients == group.clients);
            let busy: f64 = own.map(|class| class.throughput * class.mean.value).sum();
            let found = rate * think_time + busy;
            let off = found / population - 1.0;
            assert!(off.abs() < 0.01, "{seed}: {} of {population} {}", found, group.clients);
        }
    }
}

#[test]
fn headroom_holds_just_below_and_not_just_above() {
    for (seed, site, advice) in ADVISED.iter() {
        let Some(chosen) = &advice.chosen else {
            continue;
        };
        let factor = chosen.headroom.factor;
        let limit = &chosen.headroom.limit;
        let by_target = limit.work().is_some() || limit.resource().is_some();
        if factor <= 1.0 || factor >= 60.0 || !by_target {
            continue;
        }
        let holds = |factor: f64| at(chosen, advice, factor).is_some_and(|p| missed(site, &p).is_empty());
        assert!(holds(0.999 * factor), "{seed} at {factor}");
        assert!(!holds(1.05 * factor), "{seed} at {factor}: {limit}");
    }
}

#[test]
fn small_steps_of_the_load_move_no_time_by_much() {
    for (seed, _, advice) in ADVISED.iter() {
        let Some(chosen) = &advice.chosen else {
            continue;
        };
        let mut last: Option<Prediction> = None;
        for step in 0..12 {
            let Some(now) = at(chosen, advice, 0.8 * 1.01_f64.powi(step)) else {
                break;
            };
            if let Some(before) = &last {
                for (class, was) in now.classes.iter().zip(&before.classes) {
                    let moved = (class.mean.value / was.mean.value).ln().abs();
                    assert!(
                        moved < 0.26,
                        "{seed}, step {step}: {} from {} to {}",
                        class.name,
                        was.mean.value,
                        class.mean.value
                    );
                }
            }
            last = Some(now);
        }
    }
}

#[test]
fn the_order_of_offices_is_nothing() {
    let office = |name: &str, people: u32, trip: f64| {
        format!(
            "[[people.site]]\nname = \"{name}\"\ndevelopers = {people}\nround_trip = \"{trip} ms\"\nbandwidth = \"200 Mb/s\"\n"
        )
    };
    let offices = [office("A", 30, 17.0), office("B", 5, 3.4), office("C", 60, 240.0)];
    let answer = |order: [usize; 3]| {
        let offices: String = order.map(|k| offices[k].as_str()).concat();
        let text = format!(
            "schema = 1\nname = \"Offices\"\n[people]\ndevelopers = 220\n{offices}[server]\nrelease = \"2022.2\"\n\
             [infrastructure]\nedges_max = 2\n"
        );
        let read = site::parse("offices.toml", &text, &[], &VOCABULARY);
        advised(&read.unwrap_or_else(|errors| panic!("{}", errors.render())))
    };
    let first = answer([0, 1, 2]);
    for order in [[2, 1, 0], [1, 2, 0]] {
        let other = answer(order);
        let deployment = |advice: &Advice| advice.chosen.as_ref().map(|c| c.deployment.clone());
        assert_eq!(deployment(&first), deployment(&other));
        let of = |advice: &Advice| advice.chosen.as_ref().unwrap().deployment.offices.clone();
        assert_eq!(of(&first), of(&other));
    }
}

#[test]
fn a_large_sync_through_a_proxy_is_no_faster_than_its_client() {
    for (seed, site, advice) in ADVISED.iter() {
        let all = advice.alternatives.iter().filter_map(|a| a.prediction.as_ref());
        let all = all.chain(advice.chosen.as_ref().map(|chosen| &chosen.prediction));
        for prediction in all {
            let rates = prediction.classes.iter().filter_map(|class| class.rate);
            for rate in rates {
                let most = site.workload.client_rate.value.get();
                assert!(rate <= 1.001 * most, "{seed}: {rate} of {most}");
            }
        }
    }
}

#[test]
fn a_busier_peak_makes_no_store_smaller() {
    let sized = |peak: f64| {
        let mut text = generated::site(100);
        text = text.replace(
            "[workload]\n",
            &format!("[workload]\npeak_to_mean = {peak}\nlarge_syncs_per_day = \"40 /day\"\n"),
        );
        let read = site::parse("peak.toml", &text, &[], &VOCABULARY);
        let site = read.unwrap_or_else(|errors| panic!("{}", errors.render()));
        let load = plimsoll::workload::from_site::load(&site);
        plimsoll::system::capacity::sizes(&site, &load, &CATALOG, &CALIBRATION)
    };
    let (calm, busy) = (sized(2.0), sized(8.0));
    for (calm, busy) in calm.iter().zip(&busy) {
        assert!(busy.data.get() >= calm.data.get() * (1.0 - 1e-9), "{}: {} and {}", calm.role, calm.data, busy.data);
    }
}

/// One fact, one number: every face has the same times of the same kinds of work, and charts and years begin with them.
#[test]
fn all_faces_tell_the_same_times() {
    let folder = crate::cli::scratch("faces");
    for (seed, site, advice) in ADVISED.iter().take(10) {
        let Some(chosen) = &advice.chosen else {
            continue;
        };
        let rows = responses(&chosen.prediction, Some(site));
        let path = crate::cli::write(&folder, &format!("{seed}.toml"), &site.text);
        let text = crate::cli::plimsoll(&["advise", &path, "--full", "--no-confirm"]).out;
        let page = folder.join(format!("{seed}.md"));
        crate::cli::plimsoll(&["report", &path, "-o", page.to_str().unwrap(), "--no-confirm"]);
        let page = read_text(&page).unwrap();
        for row in &rows {
            for cell in [&row.mean, &row.p95] {
                for (face, told) in [("text", &text), ("report", &page)] {
                    assert!(told.contains(cell.as_str()), "{seed}: {}: {face} without {cell}", row.name);
                }
            }
        }
        let base = Base {
            site,
            vocabulary: &VOCABULARY,
            catalog: &CATALOG,
            calibration: &CALIBRATION,
            layout: &chosen.deployment.layout,
            choices: &chosen.choices,
            confirmed: None,
        };
        let unchanged = what_if(&base, &Change::default()).unwrap();
        let mut alone = chosen.deployment.clone();
        alone.standby = None;
        assert_eq!(unchanged.deployment, alone, "{seed}");
        let years = over_time(&CATALOG, &CALIBRATION, &unchanged, 3.0, 4).unwrap();
        for class in &years.classes {
            let today = chosen.prediction.class(&class.work).unwrap();
            assert_eq!(class.points[0].time.value, today.p95.value, "{seed}: {}", class.name);
        }
        let curve = curve(
            site,
            &CATALOG,
            &CALIBRATION,
            &chosen.deployment,
            &advice.load,
            Some(&chosen.prediction),
            8,
            Closeness::Fine,
        );
        for class in &curve.classes {
            let today = chosen.prediction.class(&class.work).unwrap();
            let at_one = class.points.iter().find(|point| point.factor == 1.0);
            let at_one = at_one.unwrap_or_else(|| panic!("{seed}: {} has no point at 1 ×", class.name));
            assert_eq!(at_one.p95.value, today.p95.value, "{seed}: {}", class.name);
        }
    }
}

/// An interval ends where physics does: what an office asks of a distant server takes a round trip to it, whatever the model errs by.
#[test]
fn no_interval_begins_below_a_round_trip() {
    let mut offices = 0;
    for (seed, site, advice) in ADVISED.iter() {
        let Some(chosen) = &advice.chosen else {
            continue;
        };
        for class in &chosen.prediction.classes {
            for interval in [class.mean, class.p95] {
                let ends = interval.low <= interval.value && interval.value <= interval.high;
                assert!(ends, "{seed}: {} {interval:?}", class.name);
            }
            let mut all = site.people.sites.iter();
            let office = class.work.clients.office();
            let has_edge = office.is_some_and(|office| chosen.deployment.offices.iter().any(|one| one == office));
            let far = office.and_then(|name| all.find(|one| one.name == *name));
            if let Some(far) = far.filter(|_| !has_edge) {
                offices += 1;
                let trip = far.round_trip.value.get();
                assert!(class.least >= trip, "{seed}: {}", class.name);
                assert!(class.p95.low >= trip.min(class.p95.value), "{seed}: {}", class.name);
            }
        }
    }
    assert!(offices > 20, "{offices}");
}
