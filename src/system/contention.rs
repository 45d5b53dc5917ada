//! Waits at the table locks, given who takes them, how often and for how long.
//!
//! Of the tables that a section takes together a command waits for the worst one. Lock files of one
//! workspace (`clients/…`) are left out: their rivals are the same person's commands.

use std::collections::BTreeMap;

use super::plant::Plant;
use super::prediction::{LockPrediction, PredictError};
use super::process::is_workspace;
use super::solve::Piece;
use crate::queueing::locks::{self, LockUser};
use crate::workload::{Arrival, Load};

/// Share of a lock's capacity up to which its formula is used where some users are unlimited.
const LOCK_FULL: f64 = 0.995;

/// Mean wait of each piece, the locks, and the most saturated of them as an error.
pub(super) type LockWaits = (Vec<f64>, Vec<LockPrediction>, Option<PredictError>);

/// Who takes each table of each server: piece, section and how.
type Users = BTreeMap<(String, usize), Vec<(usize, usize, LockUser)>>;

/// Waits for one lock; beyond what it can do, how much it is asked for, and as a stand-in until the
/// asking falls the waits at nearly all that it can do, many times over.
fn lock_wait(users: &[LockUser]) -> Result<(locks::LockWait, Option<f64>), PredictError> {
    let wait = |users: &[LockUser]| match locks::wait(users) {
        Ok(wait) => Ok(Ok(wait)),
        Err(locks::LockError::Saturated { utilization }) => Ok(Err(utilization)),
        Err(error @ locks::LockError::Invalid { .. }) => {
            Err(PredictError::Unsolved(error.to_string()))
        }
    };
    let asked = match wait(users)? {
        Ok(found) if found.utilization < LOCK_FULL || !unlimited(users) => {
            return Ok((found, None));
        }
        Ok(found) => found.utilization,
        Err(asked) => asked,
    };
    // The share of capacity is proportional to the rates.
    let slower: Vec<LockUser> = users
        .iter()
        .map(|u| LockUser {
            rate: u.rate * LOCK_FULL / asked,
            ..*u
        })
        .collect();
    let mut found = wait(&slower)?.map_err(|utilization| PredictError::Saturated {
        resource: "a lock".to_owned(),
        utilization,
    })?;
    // Steep near what it can do, so that it hardly passes that at rest; far beyond, no more than a step.
    let times = asked / LOCK_FULL;
    let factor = times.min(3.0).powi(8) * (times / 3.0).max(1.0);
    for wait in found
        .user_wait
        .iter_mut()
        .chain([&mut found.read_wait, &mut found.write_wait])
    {
        *wait *= factor;
    }
    found.utilization = asked;
    Ok((found, (asked >= 1.0).then_some(asked)))
}

/// Whether some users come however many of them wait.
fn unlimited(users: &[LockUser]) -> bool {
    users.iter().any(|u| u.population.is_none() && u.rate > 0.0)
}

pub(super) fn lock_waits(
    load: &Load,
    pieces: &[Piece],
    stretch: &[Vec<f64>],
    rates: &[f64],
) -> Result<LockWaits, PredictError> {
    let mut users = Users::new();
    for (p, piece) in pieces.iter().enumerate() {
        let population = match load.groups[piece.group].arrival {
            Arrival::Closed { population, .. } => Some((population / load.instances).max(1.0)),
            Arrival::Open { .. } => None,
        };
        for (s, section) in piece.cost.sections.iter().enumerate() {
            let hold = section
                .inside
                .iter()
                .map(|(k, d)| d * stretch[piece.group][k])
                .sum();
            let rate = rates[piece.group] * piece.weight / load.instances;
            for (table, exclusive) in &section.tables {
                if is_workspace(table) {
                    continue;
                }
                let user = LockUser {
                    rate,
                    hold,
                    scv: 1.0,
                    exclusive: *exclusive,
                    population,
                };
                users
                    .entry((table.clone(), section.server))
                    .or_default()
                    .push((p, s, user));
            }
        }
    }
    let mut section_wait: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    let mut locks = Vec::new();
    let mut worst_lock: Option<(f64, String)> = None;
    for ((table, server), entries) in &users {
        if !entries.iter().any(|(_, _, user)| user.exclusive) {
            continue;
        }
        let list: Vec<LockUser> = entries.iter().map(|(_, _, user)| *user).collect();
        let name = format!("{table} on {}", Plant::server_name(*server));
        let (wait, asked) = lock_wait(&list)?;
        if let Some(asked) = asked
            && worst_lock.as_ref().is_none_or(|(most, _)| asked > *most)
        {
            worst_lock = Some((asked, name.clone()));
        }
        for ((p, s, _), w) in entries.iter().zip(&wait.user_wait) {
            let worst = section_wait.entry((*p, *s)).or_insert(0.0);
            *worst = worst.max(*w);
        }
        let hold = list
            .iter()
            .filter(|u| u.exclusive && u.rate > 0.0)
            .map(|u| u.hold)
            .fold(0.0, f64::max);
        locks.push(LockPrediction {
            name,
            write_wait: wait.write_wait,
            read_wait: wait.read_wait,
            hold,
            utilization: wait.utilization,
        });
    }
    let mut waits = vec![0.0; pieces.len()];
    for ((p, _), wait) in &section_wait {
        waits[*p] += wait;
    }
    locks.sort_by(|a, b| {
        b.utilization
            .total_cmp(&a.utilization)
            .then(a.name.cmp(&b.name))
    });
    let saturated = worst_lock.map(|(utilization, name)| PredictError::Saturated {
        resource: format!("lock {name}"),
        utilization,
    });
    Ok((waits, locks, saturated))
}
