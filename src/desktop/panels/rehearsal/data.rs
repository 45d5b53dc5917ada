//! What is shown of a rehearsal.

use std::sync::Arc;

use crate::desktop::answer::{Course, NO_FOLDER, RehearsalPlan, RehearsalResult, Rehearsing};
use crate::desktop::rehearsal::Form;
use crate::desktop::state::State;
use crate::report::capital;
use crate::units::Seconds;

/// The settings with what they do, a run, or a result.
#[derive(Debug, Clone, Default)]
pub struct Data {
    /// The site whose load is rehearsed; none where there is none.
    pub site: Option<String>,
    /// The site's db.peeking.
    pub peeking: String,
    /// What is typed.
    pub form: Form,
    /// What it does.
    pub plan: Option<Arc<RehearsalPlan>>,
    /// Whether that is being found out.
    pub is_planning: bool,
    /// Why it cannot be started; none where it can.
    pub why_not: Option<String>,
    /// While it runs.
    pub running: Option<Running>,
    /// Why the last run came to no result.
    pub problem: Option<String>,
    /// The result.
    pub result: Option<RehearsalResult>,
    /// What was counted of the load, by time: of a run, not of a saved result.
    pub course: Option<Course>,
}

/// A run.
#[derive(Debug, Clone, PartialEq)]
pub struct Running {
    /// What goes on.
    pub doing: String,
    /// The share of it that is done, where that is known.
    pub done: Option<f64>,
    /// How long the load still takes.
    pub left: String,
    /// Whether it was told to stop.
    pub is_stopping: bool,
}

impl Data {
    /// From the state alone.
    pub fn of(state: &State) -> Self {
        let rehearsal = &state.rehearsal;
        let (lane, planning) = (&state.lanes.rehearsal, &state.lanes.rehearsal_plan);
        let site = state.reading.last.as_ref();
        let plan = planning.answer().cloned();
        let mut data = Self {
            site: site.map(|site| site.name.clone()),
            peeking: site.map_or_else(String::new, |site| site.server.peeking.value.to_string()),
            form: rehearsal.form.clone(),
            is_planning: planning.is_busy(),
            problem: lane.problem().map(str::to_owned),
            ..Self::default()
        };
        let answer = lane.answer();
        if lane.is_busy() {
            let load_s = load_s(&rehearsal.form);
            let now = answer.map(Arc::as_ref);
            data.running = Some(running(now, load_s, rehearsal.is_stopping));
        }
        if let Some(rehearsing) = answer {
            data.result.clone_from(&rehearsing.result);
            data.course.clone_from(&rehearsing.course);
        }
        data.why_not = why_not(&data, plan.as_deref());
        data.plan = plan;
        data
    }
}

fn why_not(data: &Data, plan: Option<&RehearsalPlan>) -> Option<String> {
    if data.site.is_none() {
        return Some("Open a site first: its load is what is rehearsed.".to_owned());
    }
    if let Some(refused) = plan.and_then(|plan| plan.refused.clone()) {
        return Some(refused);
    }
    data.form.at().is_none().then(|| NO_FOLDER.to_owned())
}

/// How long the load is driven \[s\].
fn load_s(form: &Form) -> Option<f64> {
    let settings = form.wanted().ok()?.settings().ok()?;
    Some((settings.warm_up + settings.measure).as_secs_f64())
}

fn running(now: Option<&Rehearsing>, load_s: Option<f64>, is_stopping: bool) -> Running {
    let doing = now.map_or("", |now| now.doing.as_str());
    let course = now.and_then(|now| now.course.as_ref());
    let doing = match doing {
        "" => "Check the folders".to_owned(),
        "rehearse" => match course {
            Some(course) if course.past_s < course.warm_up_s => "Warm up".to_owned(),
            _ => "Measure".to_owned(),
        },
        other => capital(other),
    };
    let left = match course {
        Some(course) if course.past_s < course.all_s => {
            let left = Seconds::new((course.all_s - course.past_s).ceil());
            format!("{left} of the load left")
        }
        Some(_) => "The load is over".to_owned(),
        None => load_s.map_or_else(String::new, |load| {
            format!("Then {} of load, with curves", Seconds::new(load))
        }),
    };
    Running {
        doing,
        done: now
            .map(|now| now.done)
            .filter(|done| *done > 0.0 && *done < 1.0),
        left,
        is_stopping,
    }
}
