//! Several instances of p4d on one machine: nobody waits for whoever uses another one.

use super::*;

use plimsoll::sim::{Model, Source, Step};

/// Locks that a program takes, by name.
fn locks<'m>(model: &'m Model, steps: &[Step], into: &mut Vec<&'m str>) {
    for step in steps {
        match step {
            Step::Lock(taken) => {
                into.extend(taken.iter().map(|(lock, _)| model.locks[*lock].name.as_str()));
            }
            Step::Fork(branches) => branches.iter().for_each(|b| locks(model, b, into)),
            Step::Choose(choices) => choices.iter().for_each(|(_, b)| locks(model, b, into)),
            Step::Spawn(body)
            | Step::Repeat { body, .. }
            | Step::Batches { body, .. }
            | Step::Sized { body, .. }
            | Step::Timed { body, .. } => locks(model, body, into),
            _ => {}
        }
    }
}

#[test]
fn simulated_clients_stay_at_their_instance() {
    let site = Answers { submits: 20, large_syncs: 2, ..ORDINARY }.site();
    let load = Load { instances: 3.0, ..from_site::load(&site).in_whole_clients() };
    let deployment = on("n13-nfs", &rich(&site));
    let model = process(&deployment, &load, &CATALOG, &CALIBRATION, None).unwrap().model;
    for group in &load.groups {
        let Arrival::Closed { population, .. } = group.arrival else {
            let class = model.classes.iter().find(|class| class.name == group.clients.to_string());
            let mut taken = Vec::new();
            locks(&model, &class.unwrap().program, &mut taken);
            assert!((1..=3).all(|i| { taken.iter().any(|lock| lock.ends_with(&format!("instance {i}"))) }));
            continue;
        };
        let mut clients = Vec::new();
        for instance in 1..=3 {
            let name = format!("{}, instance {instance}", group.clients);
            let Some(class) = model.classes.iter().find(|class| class.name == name) else {
                continue;
            };
            let Source::Closed { population, .. } = class.source else {
                panic!("{name} is no closed class");
            };
            clients.push(population);
            let mut taken = Vec::new();
            locks(&model, &class.program, &mut taken);
            assert!(!taken.is_empty());
            let own = format!("instance {instance}");
            assert!(taken.iter().all(|lock| lock.ends_with(&own)), "{name}: {taken:?}");
        }
        assert_eq!(f64::from(clients.iter().sum::<u32>()), population);
        assert!(clients.iter().max().unwrap() - clients.iter().min().unwrap() <= 1);
    }
}
