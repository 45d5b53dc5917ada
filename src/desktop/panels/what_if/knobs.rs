//! The controls as data: value, recommendation, and what may be chosen.

use super::scale::Scale;
use super::set::Set;
use super::tie::{developers, times};
use crate::advisor::Alternative;
use crate::advisor::what_if::{Change, Changed};
use crate::catalog::{Access, Catalog, Place};
use crate::desktop::answer::sensitivities::Sensitivities;
use crate::desktop::engine::Engine;
use crate::site::{LOAD_KEY, Site, field};
use crate::system::{Choices, Deployment};
use crate::units::significant;

/// Names of the controls that are always there.
pub const KNOBS: [&str; 15] = [
    "Developers",
    "Commands",
    "Automation",
    "Large syncs",
    "Size of each",
    "Growth",
    "Memory",
    "Cores",
    "db.peeking",
    "Layout",
    "Edges",
    "Filesystem",
    "Cache",
    "NFS mounts",
    "What failed",
];

/// Controls that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// What they are about.
    pub title: &'static str,
    /// In order.
    pub knobs: Vec<Knob>,
}

/// One control.
#[derive(Debug, Clone, PartialEq)]
pub struct Knob {
    /// Its name.
    pub label: &'static str,
    /// What it is.
    pub help: String,
    /// What stands on it.
    pub shown: String,
    /// What is recommended, or answered.
    pub recommended: String,
    /// Whether it was changed.
    pub is_changed: bool,
    /// Gives it back.
    pub reset: Set,
    /// The answer whose origin can be looked at.
    pub field: Option<&'static str>,
    /// What a quarter more of it does to the time that limits: "+14 %"; nothing where that is not known.
    pub sensitivity: Option<Sensitivity>,
    /// How it is changed.
    pub control: Control,
}

/// What a quarter more of a number does to the time that limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sensitivity {
    /// "+14 %".
    pub words: String,
    /// Whether it matters.
    pub is_large: bool,
}

impl Sensitivity {
    /// A change by less than this is none.
    const NONE: f64 = 0.01;
    /// From here on it matters.
    const LARGE: f64 = 0.05;

    fn of(ratio: f64) -> Self {
        let by = ratio - 1.0;
        let words = if ratio.is_infinite() {
            "overload".to_owned()
        } else if by.abs() < Self::NONE {
            "time unchanged".to_owned()
        } else if by >= 2.0 {
            format!("× {}", significant(ratio, 2))
        } else {
            let sign = if by > 0.0 { "+" } else { "−" };
            format!("{sign}{:.0} %", by.abs() * 100.0)
        };
        Self { words, is_large: by.abs() >= Self::LARGE }
    }
}

/// How a control is changed.
#[derive(Debug, Clone, PartialEq)]
pub enum Control {
    /// By a slider and by typing.
    Slider(Slider),
    /// By choosing.
    Choice(Vec<Offer>),
}

/// A slider.
#[derive(Debug, Clone, PartialEq)]
pub struct Slider {
    /// What it counts in.
    pub scale: Scale,
    /// Where it stands.
    pub value: f64,
    /// What is recommended.
    pub recommended: f64,
    /// Its ends.
    pub range: (f64, f64),
    /// Whether equal ways are equal ratios.
    pub log: bool,
}

/// Something to choose.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// What it is.
    pub label: String,
    /// What choosing it does.
    pub set: Set,
    /// Whether it is chosen.
    pub is_chosen: bool,
    /// Whether it is recommended.
    pub is_recommended: bool,
    /// Why it cannot be built at this site.
    pub problem: Option<String>,
}

/// A number of the questionnaire that has a slider.
struct Answered {
    label: &'static str,
    field: &'static str,
    scale: Scale,
    log: bool,
    of: fn(&Site) -> f64,
    range: fn(f64) -> (f64, f64),
}

const DAY: f64 = 86_400.0;
const GIB: f64 = 1_073_741_824.0;

const LOAD: [Answered; 5] = [
    Answered {
        label: "Developers",
        field: "people.developers",
        scale: Scale::Count,
        log: true,
        of: |site| site.people.developers.value,
        range: |now| ((now / 10.0).max(1.0), (now * 10.0).min(100_000.0)),
    },
    Answered {
        label: "Commands",
        field: "workload.commands_per_day",
        scale: Scale::PerDay,
        log: true,
        of: |site| site.workload.commands_per_day.value.get() * DAY,
        range: |now| ((now / 10.0).max(100.0), (now * 10.0).max(10_000.0)),
    },
    Answered {
        label: "Automation",
        field: "workload.automation_share",
        scale: Scale::Percent,
        log: false,
        of: |site| site.workload.automation_share.value.get() * 100.0,
        range: |_| (0.0, 95.0),
    },
    Answered {
        label: "Large syncs",
        field: "workload.large_syncs_per_day",
        scale: Scale::PerDay,
        log: true,
        of: |site| site.workload.large_syncs_per_day.value.get() * DAY,
        range: |now| ((now / 10.0).max(1.0), (now * 10.0).max(100.0)),
    },
    Answered {
        label: "Size of each",
        field: "workload.concurrent_sync_size",
        scale: Scale::Size,
        log: true,
        of: |site| site.workload.concurrent_sync_size.value.get(),
        range: |now| ((now / 20.0).max(GIB / 1024.0), (now * 20.0).max(GIB)),
    },
];

const SERVER: [Answered; 2] = [
    Answered {
        label: "Memory",
        field: "server.ram",
        scale: Scale::Size,
        log: true,
        of: |site| site.server.ram.value.get(),
        range: |now| ((now / 16.0).max(GIB), now * 16.0),
    },
    Answered {
        label: "Cores",
        field: "server.cores",
        scale: Scale::Count,
        log: true,
        of: |site| site.server.cores.value,
        range: |now| (1.0, (now * 4.0).max(64.0)),
    },
];

/// What the controls are made from.
pub(super) struct Panel<'a> {
    pub(super) engine: &'a Engine,
    pub(super) change: &'a Change,
    /// The recommendation.
    pub(super) site: &'a Site,
    pub(super) deployment: &'a Deployment,
    pub(super) choices: &'a Choices,
    /// The layouts that the advice compared it with.
    pub(super) alternatives: &'a [Alternative],
    /// How much each number moves the time that limits.
    pub(super) sensitivities: Option<&'a Sensitivities>,
    /// Whether the number of developers moves alone.
    pub(super) is_untied: bool,
    /// With the change, where it can be made.
    pub(super) after: Option<&'a Changed>,
}

impl Panel<'_> {
    /// All controls.
    pub(super) fn sections(&self) -> Vec<Section> {
        let mut load: Vec<Knob> = LOAD.iter().map(|a| self.answered(a)).collect();
        load.push(self.years());
        let mut server: Vec<Knob> = SERVER.iter().map(|a| self.answered(a)).collect();
        server.push(self.peeking());
        let mut storage = vec![self.layout(), self.edges()];
        storage.extend(self.pair("LUNs", Place::Block, Access::Block));
        storage.extend(self.pair("Exports", Place::File, Access::File));
        storage.extend([self.filesystem(), self.cache(), self.tuned_mounts()]);
        let section = |title, knobs| Section { title, knobs };
        vec![
            section("Load", load),
            section("Server", server),
            section("Placement", storage),
            section("Failure", vec![self.failure()]),
        ]
    }

    pub(super) fn catalog(&self) -> &Catalog {
        &self.engine.catalog
    }

    fn answered(&self, a: &Answered) -> Knob {
        let recommended = (a.of)(self.site);
        let is_load = a.field == "people.developers" && !self.is_untied;
        let key = if is_load { LOAD_KEY } else { a.field };
        let typed = self.change.answers.get(key);
        let followed = self.after.map_or(recommended, |after| (a.of)(&after.site));
        let value = if is_load {
            times(typed).map(|times| (times * recommended).round())
        } else {
            typed.and_then(|typed| a.scale.read(typed))
        };
        let value = value.unwrap_or(followed);
        let (low, high) = (a.range)(recommended);
        let slider =
            Slider { scale: a.scale, value, recommended, range: (low.min(value), high.max(value)), log: a.log };
        let help = field(a.field).map_or(String::new(), |f| f.question.to_owned());
        Knob {
            label: a.label,
            help,
            shown: a.scale.show(value),
            recommended: a.scale.show(recommended),
            is_changed: typed.is_some(),
            reset: if is_load { developers(1.0) } else { Set::Answer(a.field, None) },
            field: Some(a.field),
            sensitivity: self.sensitivities.and_then(|p| p.ratio(a.field)).map(Sensitivity::of),
            control: Control::Slider(slider),
        }
    }

    fn years(&self) -> Knob {
        let value = self.change.years;
        Knob {
            label: "Growth",
            help: "How many years of the site's growth, in load and in data, have passed?".to_owned(),
            shown: Scale::Years.show(value),
            recommended: Scale::Years.show(0.0),
            is_changed: value != 0.0,
            reset: Set::Years(0.0),
            field: Some("data.db_growth"),
            sensitivity: None,
            control: Control::Slider(Slider {
                scale: Scale::Years,
                value,
                recommended: 0.0,
                range: (0.0, value.max(10.0)),
                log: false,
            }),
        }
    }

    fn peeking(&self) -> Knob {
        const FIELD: &str = "server.peeking";
        let recommended = self.site.server.peeking.value;
        let chosen = self.after.map_or(recommended, |after| after.site.server.peeking.value);
        let typed = self.change.answers.get(FIELD);
        let chosen = typed.and_then(|t| t.parse().ok()).unwrap_or(chosen);
        let words = [
            (0.0, "0: reads take locks"),
            (1.0, "1: as 0, in the new order"),
            (2.0, "2: reads take no locks"),
            (3.0, "3: nor on head revisions"),
        ];
        let words = words.map(|(level, words)| (level, words.to_owned()));
        let set = |level: Option<f64>| Set::Answer(FIELD, level.map(|level| level.to_string()));
        let offers = offers(words, &chosen, &recommended, set);
        let help = field(FIELD).map_or("", |f| f.question);
        Knob { field: Some(FIELD), ..choice("db.peeking", help, offers, typed.is_some(), set(None)) }
    }
}

/// What is offered, each with its words; what is recommended is no change.
pub(super) fn offers<T: PartialEq>(
    options: impl IntoIterator<Item = (T, String)>,
    chosen: &T,
    recommended: &T,
    set: impl Fn(Option<T>) -> Set,
) -> Vec<Offer> {
    let options = options.into_iter().map(|(value, label)| {
        let is_recommended = value == *recommended;
        Offer {
            label,
            is_chosen: value == *chosen,
            is_recommended,
            set: set((!is_recommended).then_some(value)),
            problem: None,
        }
    });
    options.collect()
}

pub(super) fn choice(label: &'static str, help: &str, options: Vec<Offer>, is_changed: bool, reset: Set) -> Knob {
    let words = |is: fn(&Offer) -> bool| {
        let found = options.iter().find(|option| is(option));
        found.map_or_else(|| "–".to_owned(), |option| option.label.clone())
    };
    Knob {
        label,
        help: help.to_owned(),
        shown: words(|o| o.is_chosen),
        recommended: words(|o| o.is_recommended),
        is_changed,
        reset,
        field: None,
        sensitivity: None,
        control: Control::Choice(options),
    }
}
