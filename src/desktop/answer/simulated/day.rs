//! The scenario that is simulated: one of the catalogue's, with what was put into the day by hand.

use crate::catalog::scenario::{Clients, Failure, Herd, Part};
use crate::catalog::{Catalog, Scenario};
use crate::desktop::injected::{Injected, Trouble};
use crate::desktop::state::Day;
use crate::origin::{Origin, Sourced};
use crate::units::Seconds;

/// A burst comes within this \[s\].
const BURST: f64 = 60.0;

/// The scenario of a day.
///
/// # Errors
///
/// A sentence: no such scenario, something after its end, a part that fails while it has failed.
pub fn scenario(day: &Day, catalog: &Catalog) -> Result<Scenario, String> {
    let known = catalog.scenarios.get(&day.scenario);
    let mut scenario = known.cloned().ok_or_else(|| format!("no scenario {}", crate::diag::quoted(&day.scenario)))?;
    for injected in &day.injected {
        inject(&mut scenario, injected)?;
    }
    Ok(scenario)
}

fn inject(scenario: &mut Scenario, injected: &Injected) -> Result<(), String> {
    let at = Seconds::new(f64::from(injected.minute) * 60.0);
    if at.get() >= scenario.length.get() {
        return Err(format!("{} would come after the end of the day", injected.trouble.title().to_lowercase()));
    }
    let place = "an event added by hand".to_owned();
    let why = Sourced::new(injected.words(), Origin::Stated { place });
    let amount = f64::from(injected.amount.max(1));
    let part = match injected.trouble {
        Trouble::Burst => {
            scenario.herds.push(Herd {
                at,
                within: Seconds::new(BURST),
                command: "sync".to_owned(),
                clients: Clients::Count(amount),
                files: None,
                why,
            });
            return Ok(());
        }
        Trouble::LargeSubmit => {
            scenario.herds.push(Herd {
                at,
                within: Seconds::new(0.0),
                command: "submit".to_owned(),
                clients: Clients::Count(1.0),
                files: Some(amount),
                why,
            });
            return Ok(());
        }
        Trouble::Disk => Part::Disk("db"),
        Trouble::Controller => Part::Controller("db"),
        Trouble::Edge => Part::Edge,
    };
    let until = Seconds::new(at.get() + amount * 60.0);
    let overlaps = |f: &&Failure| f.part == part && at < f.until && f.at < until;
    if scenario.failures.iter().any(|f| overlaps(&f)) {
        return Err("this part has failed already at that time".to_owned());
    }
    scenario.failures.push(Failure { at, until, part, why });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(injected: &[Injected]) -> Day {
        Day { scenario: "peak-hour".to_owned(), seed: 1, injected: injected.to_vec() }
    }

    #[test]
    fn what_is_injected_is_in_the_scenario() {
        let catalog = Catalog::embedded();
        let all = Trouble::ALL.map(|trouble| Injected::usual(trouble, 5));
        let made = scenario(&day(&all), &catalog).expect("it can be made");
        assert_eq!((made.herds.len(), made.failures.len()), (2, 3));
        assert_eq!(made.herds[1].files, Some(20_000.0));
        assert_eq!(made.failures[0].until, Seconds::new(245.0 * 60.0));
    }

    #[test]
    fn what_cannot_happen_is_refused() {
        let catalog = Catalog::embedded();
        let late = Injected::usual(Trouble::Burst, 60);
        assert!(scenario(&day(&[late]), &catalog).is_err());
        let twice = [5, 40].map(|minute| Injected::usual(Trouble::Edge, minute));
        assert!(scenario(&day(&twice), &catalog).is_ok());
        let overlapping = [5, 30].map(|minute| Injected::usual(Trouble::Edge, minute));
        assert!(scenario(&day(&overlapping), &catalog).is_err());
    }
}
