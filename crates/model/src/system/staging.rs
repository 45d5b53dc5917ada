//! A scenario laid over a process model: load that varies, herds that come, parts that fail.

use super::plant::Plant;
use super::process::Process;
use crate::catalog::Scenario;
use crate::catalog::scenario::{Clients, Failure, Herd, Part};
use crate::sim::{Happening, HappeningKind, Profile};
use crate::workload::{Arrival, Load};

/// Pieces that profiles are stated by, if all stretches end with one: the longer the faster.
const PIECES: [f64; 4] = [3600.0, 1800.0, 900.0, 60.0];

/// A scenario, resolved for a plant.
pub(super) struct Staging<'a> {
    scenario: &'a Scenario,
    failures: Vec<Happening>,
}

/// What a scenario's failures do to the stations, resolved by name.
fn failures(plant: &mut Plant<'_>, scenario: &Scenario) -> Result<Vec<Happening>, String> {
    let mut happenings = Vec::new();
    for failure in &scenario.failures {
        let Failed { stations, left, pause } = failed(plant, failure)?;
        let (at, until) = (failure.at.get(), failure.until.get());
        for station in stations {
            let mut speed = |at, factor| {
                happenings.push(Happening { at, kind: HappeningKind::Speed { station, factor } });
            };
            let taken_over = (at + pause).min(until);
            if pause > 0.0 {
                speed(at, 0.0);
            }
            if taken_over < until {
                speed(taken_over, left);
            }
            speed(until, 1.0);
        }
    }
    Ok(happenings)
}

/// What a failure does.
struct Failed {
    /// The stations that it hits.
    stations: Vec<usize>,
    /// The share of their speed that is left.
    left: f64,
    /// How long they stand still first \[s\].
    pause: f64,
}

fn failed(plant: &mut Plant<'_>, failure: &Failure) -> Result<Failed, String> {
    let deployment = plant.deployment;
    let mount =
        |role: &str| deployment.mount(role).ok_or_else(|| format!("no volume holds {role}: its store cannot fail"));
    let at_once = |station, left| Failed { stations: vec![station], left, pause: 0.0 };
    match failure.part {
        Part::Edge if deployment.edges == 0 => Err("there is no edge that could fail in this layout".to_owned()),
        Part::Edge => Ok(at_once(plant.processor(1), 0.0)),
        Part::Disk(role) => {
            let mount = mount(role)?;
            let raid = &plant.catalog.raid[&mount.raid];
            let survives = raid.failures_tolerated.value >= 1.0 && mount.disks > 1.0;
            // The others serve all, and a read of the lost disk costs reads of several.
            let left = (mount.disks - 1.0) / mount.disks / raid.degraded_read_factor.value;
            let station = plant.disks(0, mount);
            Ok(at_once(station, if survives { left } else { 0.0 }))
        }
        Part::Controller(role) => {
            let mount = mount(role)?;
            if mount.is_private() {
                return Err(format!(
                    "{role} lies on the server's own disks: there is no controller pair that could fail"
                ));
            }
            let array = plant.array(mount);
            let controllers = array.controllers.value.max(1.0);
            Ok(Failed {
                left: (controllers - 1.0) / controllers,
                pause: array.takeover.as_ref().map_or(0.0, |t| t.value.get()),
                stations: plant.controllers(mount),
            })
        }
    }
}

impl<'a> Staging<'a> {
    pub(super) fn new(scenario: &'a Scenario, plant: &mut Plant<'_>) -> Result<Self, String> {
        Ok(Self { scenario, failures: failures(plant, scenario)? })
    }

    /// Lays the load's course, the herds and the failures over a process of the groups of `load`, the herds last.
    pub(super) fn apply(self, process: &mut Process, load: &Load) {
        let herds = &self.scenario.herds;
        let usual = load.groups.len() - herds.len();
        let Process { model, groups, .. } = process;
        let classes = model.classes.iter_mut().zip(&*groups);
        for (class, index) in classes.filter(|(_, group)| **group < usual) {
            let group = &load.groups[*index];
            // Large syncs come with people: a stream of their own, as many as they start.
            let is_of_people = matches!(group.arrival, Arrival::Closed { .. }) || group.clients.are_large_syncs();
            class.profile = Some(if is_of_people {
                self.profile(|_, people| people)
            } else {
                self.profile(|automation, _| automation)
            });
        }
        model.happenings.extend(self.failures);
        let of_herds = (0..groups.len()).filter(|class| groups[*class] >= usual);
        for (herd, class) in herds.iter().zip(of_herds) {
            model.happenings.push(Happening {
                at: herd.at.get(),
                kind: HappeningKind::Arrive { class, count: count(herd, load.connections), within: herd.within.get() },
            });
        }
    }

    fn profile(&self, factor: impl Fn(f64, f64) -> f64) -> Profile {
        let ends = || self.scenario.stretches.iter().map(|s| s.until.get());
        let fits = |piece: &&f64| ends().all(|end| end % **piece == 0.0);
        let piece = *PIECES.iter().find(fits).unwrap_or(&PIECES[PIECES.len() - 1]);
        let pieces = (self.scenario.length.get() / piece).ceil() as usize;
        let mut stretches = self.scenario.stretches.iter().peekable();
        let factors = (0..pieces).map(|index| {
            let begins = index as f64 * piece;
            while stretches.next_if(|s| s.until.get() <= begins).is_some() {}
            stretches.peek().map_or(0.0, |s| factor(s.automation, s.people))
        });
        Profile { piece, factors: factors.collect() }
    }
}

fn count(herd: &Herd, connections: f64) -> u32 {
    let clients = match herd.clients {
        Clients::Count(count) => count,
        Clients::Share(share) => share * connections,
    };
    clients.round().max(1.0) as u32
}
