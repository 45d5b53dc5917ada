//! Findings without names of people and places.

use super::{Findings, Ranked, Tally};
use crate::serverlog::Pseudonyms;

impl Findings {
    /// Nothing personal: users, workspaces, addresses and paths under pseudonyms.
    pub fn anonymise(&mut self, names: &Pseudonyms) {
        let ranked = |rows: &mut Ranked<Tally>, name: &dyn Fn(&str) -> String| {
            for (shown, _) in &mut rows.rows {
                *shown = name(shown);
            }
        };
        let pattern = |shown: &str| match shown.split_once(' ') {
            Some((function, rest)) => {
                format!("{} {}", names.function(function), names.arguments(rest))
            }
            None => names.function(shown),
        };
        ranked(&mut self.functions, &|n| names.function(n));
        for (table, _) in &mut self.tables.rows {
            *table = names.table(table);
        }
        for unserved in &mut self.unserved {
            ranked(&mut unserved.functions, &|n| names.function(n));
            ranked(&mut unserved.users, &|n| names.user(n));
            ranked(&mut unserved.programs, &|n| names.program(n));
        }
        ranked(&mut self.users, &|n| names.user(n));
        ranked(&mut self.clients, &|n| names.client(n));
        ranked(&mut self.addresses, &|n| names.address(n));
        ranked(&mut self.programs, &|n| names.program(n));
        ranked(&mut self.program_records, &|n| names.program(n));
        for (trigger, _) in &mut self.triggers.rows {
            *trigger = names.trigger(trigger);
        }
        ranked(&mut self.patterns, &pattern);
        ranked(&mut self.upstream.through, &|n| names.address(n));
        for poller in &mut self.pollers {
            poller.user = names.user(&poller.user);
            poller.function = names.function(&poller.function);
            poller.program = names.program(&poller.program);
            poller.pattern = names.arguments(&poller.pattern);
        }
        self.contention.rename(names);
        self.standing.rename(names);
        for slow in &mut self.slowest {
            slow.user = names.user(&slow.user);
            slow.client = names.client(&slow.client);
            slow.program = names.program(&slow.program);
            slow.function = names.function(&slow.function);
            slow.arguments = names.arguments(&slow.arguments);
        }
        for limit in &mut self.limits {
            limit.rename(names);
        }
        if let Some(teams) = &mut self.teams {
            teams.rename(names);
        }
        let transfers = self.syncs.largest.iter_mut();
        for transfer in transfers.chain(&mut self.submits.moved.largest) {
            transfer.user = names.user(&transfer.user);
            transfer.client = names.client(&transfer.client);
            transfer.address = names.address(&transfer.address);
        }
        if let Some(largest) = &mut self.cache.largest {
            largest.user = names.user(&largest.user);
            largest.function = names.function(&largest.function);
        }
        for replica in &mut self.upstream.replicas {
            replica.user = names.user(&replica.user);
            replica.address = names.address(&replica.address);
        }
        self.quality.anonymise();
    }
}
