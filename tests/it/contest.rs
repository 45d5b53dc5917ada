//! How sure a choice is: rivals, what the lead hangs on, and intervals that know of unanswered questions.

use plimsoll::advisor::{Advice, LayoutPrediction, Lead, Rival, VarianceSource, layout_predictions};
use plimsoll::site;
use plimsoll::system::{interval, predict};

use crate::cli::{example, plimsoll};
use crate::shared::{self, CALIBRATION, CATALOG, VOCABULARY};

fn advice(example: &str, sets: &[&str]) -> &'static Advice {
    &shared::example(example, sets).advice
}

fn is_parameter(source: &VarianceSource) -> bool {
    matches!(source, VarianceSource::Parameter(_))
}

fn is_question(source: &VarianceSource) -> bool {
    matches!(source, VarianceSource::Question(_))
}

#[test]
fn a_rival_with_the_same_physics_and_score_cannot_be_told_apart() {
    // At level 3 the finding on a log on an export decides.
    let lead = |advice: &Advice| {
        let mut rivals = advice.contest.rivals.iter();
        let rival = rivals.find(|rival| rival.layout == "split-log-nas");
        rival.expect("split with its log on the filer").lead
    };
    let at_level_3 = advice("netapp-lab-2013", &[]);
    assert!(lead(at_level_3) > 0.02, "{}", lead(at_level_3));
    let advice = advice("netapp-lab-2013", &["server.log_level=1"]);
    let contest = &advice.contest;
    let same = contest.rivals.iter().find(|r| r.lead.abs() < 1e-6);
    let same = same.expect("split with its log on the filer scores the same");
    // A share of one half of the sampled cases is known to ± 1 %.
    assert!((same.chance - 0.5).abs() < 0.05, "{same:?}");
    let worlds = &contest.worlds.standings;
    for rival in &contest.rivals {
        let standing = worlds.iter().find(|one| one.layout == rival.layout);
        let standing = standing.expect("each rival is sampled");
        assert!(standing.best <= rival.chance && rival.chance <= 1.0 - worlds[0].best, "{rival:?} {standing:?}");
    }
    assert_eq!(same.standing(), Lead::Tied);
    let of = |lead: f64, chance: f64| Rival { lead, chance, ..same.clone() };
    assert_eq!(of(-0.05, 0.89).standing(), Lead::Behind);
    assert_eq!(of(0.05, 0.2).standing(), Lead::Tied);
    // What is better in most of the sampled cases is not tied, whatever the score in the middle.
    assert_eq!(of(0.001, 0.78).standing(), Lead::Behind);
    assert_eq!(of(0.05, 0.09).standing(), Lead::Clear);
    assert!(contest.rivals.is_sorted_by(|a, b| a.chance >= b.chance));
    let all: f64 = contest.doubts.iter().map(|d| d.share).sum();
    assert!((all - 1.0).abs() < 1e-9, "{all}");
    // A verdict and the range beside it come from the same cases.
    for rival in &contest.rivals {
        let is_clear = rival.standing() == Lead::Clear;
        assert_eq!(is_clear, rival.range[0] > 0.0, "{rival:?}");
    }
}

#[test]
fn an_answer_takes_its_doubt_away() {
    let question = |advice: &Advice| {
        let doubts = advice.contest.doubts.iter();
        let mut questions = doubts.filter(|d| is_question(&d.source));
        let first = questions.next().expect("something is assumed");
        first.source.clone()
    };
    let asked = advice("pure-lab-2017", &[]);
    let before = question(asked);
    assert_eq!(before.to_string(), "workload.files_per_edit");
    let answered = advice("pure-lab-2017", &["workload.files_per_edit=3"]);
    let doubts = &answered.contest.doubts;
    assert!(doubts.iter().all(|d| d.source != before), "{doubts:?}");
    // Another rival may be the likeliest then, and one that was close may be none any more: of one that is in both.
    let rivals = asked.contest.rivals.iter();
    let both = rivals.filter_map(|rival| {
        let mut now = answered.contest.rivals.iter();
        let now = now.find(|now| now.layout == rival.layout)?;
        let wide = |rival: &Rival| rival.range[1] - rival.range[0];
        Some((&rival.layout, wide(rival), wide(now)))
    });
    let (layout, before, now) = both.into_iter().next().expect("a rival stays");
    assert!(now < before, "{layout}: {now} {before}");
}

#[test]
fn intervals_are_of_the_sizes_that_are_shown_and_other_answers_are_cases() {
    let advice = advice("game-studio", &[]);
    let chosen = advice.chosen.as_ref().expect("something fits");
    let mut alone = predict(&chosen.deployment, &advice.load, &CATALOG, &CALIBRATION).unwrap();
    interval::add_intervals(&mut alone, &chosen.deployment, &advice.load, &CATALOG, &CALIBRATION);
    for (told, alone) in chosen.prediction.classes.iter().zip(&alone.classes) {
        assert_eq!(told.p95, alone.p95, "{}", told.name);
    }
    let files = advice.influences.iter();
    let files = files.clone().find(|i| i.field == "workload.files_per_sync");
    let [few, many] = &files.expect("it is not answered").ends[..] else {
        panic!("a range has two ends");
    };
    let sync = chosen.prediction.classes.iter();
    let sync = sync.clone().find(|c| c.name == "sync").expect("people sync");
    assert!(few.factor(&sync.work).unwrap() < 0.5 && many.factor(&sync.work).unwrap() > 2.0);
}

fn forecast(example: &str, overrides: &[&str], layout: &str) -> LayoutPrediction {
    let file = format!("assets/examples/{example}.toml");
    let overrides: Vec<String> = overrides.iter().map(|o| (*o).to_owned()).collect();
    let site = site::load(file.as_ref(), &overrides, &VOCABULARY).unwrap();
    let layouts = [layout.to_owned()];
    let mut all = layout_predictions(&site, &VOCABULARY, &CATALOG, &CALIBRATION, &layouts);
    all.remove(0).unwrap()
}

/// Logarithm of high over low of a kind of work's 95th percentile with all that is open; infinite where that may overload it.
fn width(forecast: &LayoutPrediction, class: &str) -> f64 {
    let times = forecast.open_times();
    let time = times.iter().find(|time| time.name == class).expect(class);
    time.high.map_or(f64::INFINITY, |high| (high / time.low).ln())
}

#[test]
fn a_layout_that_is_predicted_has_the_intervals_of_the_advice() {
    let mut same = 0;
    // `advise` may take another filesystem or number of edges: then they are not the same thing.
    for example in ["ea-redwood-shores-2007", "pure-lab-2017", "sun-partner-2009"] {
        let advice = advice(example, &[]);
        let chosen = advice.chosen.as_ref().expect("something fits");
        let told = forecast(example, &[], &chosen.deployment.layout);
        if told.deployment == chosen.deployment {
            assert_eq!(told.prediction.classes, chosen.prediction.classes);
            assert_eq!(told.influences, advice.influences);
            same += 1;
        }
    }
    assert!(same > 0);
}

#[test]
fn an_answer_narrows_the_intervals_of_a_prediction() {
    // The layout has devices of its own: they stay as they are whatever the answers.
    let open = forecast("sun-partner-2009", &[], "z09-zfs");
    let question = "workload.files_per_sync";
    assert!(open.influences.iter().any(|i| i.field == question));
    let answered = forecast("sun-partner-2009", &["workload.files_per_sync=500"], "z09-zfs");
    assert!(width(&answered, "sync") < width(&open, "sync"));
    assert!(answered.influences.iter().all(|i| i.field != question));
}

#[test]
fn the_advice_says_what_it_depends_on_most() {
    let advice = advice("game-studio", &[]);
    let contest = &advice.contest;
    let parameter = contest.most(is_parameter).expect("a parameter");
    let same = contest.doubts.iter().filter(|d| is_parameter(&d.source));
    assert!(same.clone().all(|d| d.share <= parameter.share));
    // Errors of the data are a part of what the parameters bring, the priors the rest.
    let data: f64 = contest.data.iter().map(|(_, share)| share).sum();
    let parameters: f64 = same.map(|d| d.share).sum();
    assert!(data > 0.0 && data < 1.05 * parameters, "{data} {parameters}");
    assert!(contest.data.is_sorted_by(|a, b| a.1 >= b.1));
    let answer = plimsoll(&["advise", &example("game-studio"), "--format", "json"]);
    let most = answer.json()["contest"]["most"].clone();
    assert_eq!(most["parameter"]["name"], parameter.source.to_string());
    assert_eq!(most["datum"]["name"], contest.data[0].0.as_str());
    let question = contest.most(is_question).expect("a question");
    assert_eq!(most["question"]["name"], question.source.to_string());
    let text = plimsoll(&["advise", &example("game-studio"), "--full"]).out;
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains(&format!("{} unanswered question", question.source)), "{text}");
}
