//! One order of locks and pools for all, so that no deadlock is possible.
//!
//! Whoever asks for something while it holds something else makes an arrow from the held one to the
//! asked one. Without a cycle of arrows everything can be ranked so that nobody ever waits for
//! something of a lower rank than what it holds; whoever holds the highest rank then never waits, and
//! all others follow (Havender, "Avoiding deadlock in multitasking systems", IBM Systems Journal 7(2),
//! 1968). A branch counts as holding what its parent holds, since the parent waits for it.

use super::model::{Class, Model, ModelError, Step};

/// Checks all classes; the error names the locks or the class.
pub(super) fn check(model: &Model) -> Result<(), ModelError> {
    let n = model.locks.len() + model.pools.len();
    let mut walk = Walk { model, arrows: vec![None; n * n], n };
    for (idx, class) in model.classes.iter().enumerate() {
        let mut held = Held::default();
        walk.steps(idx, &class.program, &mut held)?;
        walk.nothing_left(class, &held)?;
    }
    walk.no_cycle()
}

/// What a branch holds: amounts of resources, locks first and then pools.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
struct Held {
    /// Of its own, by resource in ascending order.
    own: Vec<(usize, u32)>,
    /// Of those who wait for it.
    above: Vec<usize>,
}

struct Walk<'a> {
    model: &'a Model,
    /// Class that asks for the second while it holds the first.
    arrows: Vec<Option<usize>>,
    n: usize,
}

impl Walk<'_> {
    fn name(&self, resource: usize) -> String {
        let locks = self.model.locks.len();
        match resource.checked_sub(locks) {
            None => format!("lock `{}`", self.model.locks[resource].name),
            Some(pool) => format!("pool `{}`", self.model.pools[pool].name),
        }
    }

    fn class(&self, idx: usize) -> &Class {
        &self.model.classes[idx]
    }

    fn asks(&mut self, class: usize, held: &mut Held, resource: usize, count: u32) -> Done {
        let all = held.own.iter().map(|(r, _)| r).chain(&held.above);
        for other in all.copied().collect::<Vec<_>>() {
            if other == resource {
                let (who, what) = (&self.class(class).name, self.name(resource));
                return Err(ModelError(format!(
                    "class `{who}` requests {what} while it holds it already, and could wait for itself"
                )));
            }
            self.arrows[other * self.n + resource].get_or_insert(class);
        }
        let place = held.own.partition_point(|(r, _)| *r < resource);
        held.own.insert(place, (resource, count));
        Ok(())
    }

    fn returns(&self, class: usize, held: &mut Held, resource: usize, count: Option<u32>) -> Done {
        let place = held.own.iter().position(|(r, _)| *r == resource);
        let has = place.map_or(0, |place| held.own[place].1);
        let count = count.unwrap_or(1);
        match place {
            Some(place) if has >= count => {
                held.own[place].1 -= count;
                if held.own[place].1 == 0 {
                    held.own.remove(place);
                }
                Ok(())
            }
            _ => {
                let (who, what) = (&self.class(class).name, self.name(resource));
                Err(ModelError(format!(
                    "class `{who}` releases {what}, of which it holds {has} there, less than {count}"
                )))
            }
        }
    }

    fn steps(&mut self, class: usize, steps: &[Step], held: &mut Held) -> Done {
        steps.iter().try_for_each(|step| self.step(class, step, held))
    }

    fn step(&mut self, class: usize, step: &Step, held: &mut Held) -> Done {
        let locks = self.model.locks.len();
        match step {
            Step::Lock(set) => set.iter().try_for_each(|(lock, _)| self.asks(class, held, *lock, 1)),
            Step::Unlock(set) => set.iter().try_for_each(|lock| self.returns(class, held, *lock, None)),
            Step::Serve { .. }
            | Step::Fixed { .. }
            | Step::Wander(_)
            | Step::Take { count: 0, .. }
            | Step::Give { count: 0, .. } => Ok(()),
            Step::Take { pool, count } => self.asks(class, held, locks + pool, *count),
            Step::Give { pool, count } => self.returns(class, held, locks + pool, Some(*count)),
            Step::Fork(branches) => branches.iter().try_for_each(|branch| {
                let mut above = held.above.clone();
                above.extend(held.own.iter().map(|(r, _)| r));
                self.apart(class, branch, above)
            }),
            Step::Spawn(body) => self.apart(class, body, Vec::new()),
            Step::Choose(options) => {
                let bodies: Vec<&[Step]> = options.iter().map(|(_, b)| b.as_slice()).collect();
                self.options(class, &bodies, held)
            }
            Step::Refer { hit, miss, .. } => self.options(class, &[hit, miss], held),
            Step::Repeat { body, .. } | Step::Batches { body, .. } => {
                let before = held.clone();
                self.steps(class, body, held)?;
                self.same(class, &before, held, "a repetition ends")
            }
            Step::Bulk { body, .. } | Step::Sized { body, .. } | Step::Timed { body, .. } => {
                self.steps(class, body, held)
            }
        }
    }

    /// A branch of its own, which must give back all that it takes.
    fn apart(&mut self, class: usize, steps: &[Step], above: Vec<usize>) -> Done {
        let mut held = Held { own: Vec::new(), above };
        self.steps(class, steps, &mut held)?;
        self.nothing_left(self.class(class), &held)
    }

    fn options(&mut self, class: usize, bodies: &[&[Step]], held: &mut Held) -> Done {
        let before = held.clone();
        let mut after: Option<Held> = None;
        for body in bodies {
            let mut held = before.clone();
            self.steps(class, body, &mut held)?;
            match &after {
                Some(first) => self.same(class, first, &held, "one choice ends")?,
                None => after = Some(held),
            }
        }
        *held = after.unwrap_or(before);
        Ok(())
    }

    fn same(&self, class: usize, one: &Held, other: &Held, when: &str) -> Done {
        let differs = one.own.iter().find(|held| !other.own.contains(held));
        let differs = differs.or_else(|| other.own.iter().find(|held| !one.own.contains(held)));
        match differs {
            None => Ok(()),
            Some((resource, _)) => {
                let (who, what) = (&self.class(class).name, self.name(*resource));
                Err(ModelError(format!(
                    "class `{who}` does not hold {what} alike on all ways: {when} with a different number"
                )))
            }
        }
    }

    fn nothing_left(&self, class: &Class, held: &Held) -> Done {
        match held.own.first() {
            None => Ok(()),
            Some((resource, _)) => Err(ModelError(format!(
                "class `{}` ends a program or branch while it holds {}",
                class.name,
                self.name(*resource)
            ))),
        }
    }

    /// Removes resources that no arrow enters or leaves, again and again; what is left are cycles.
    fn no_cycle(&self) -> Done {
        let mut left: Vec<usize> = (0..self.n).collect();
        loop {
            let free = |r: &usize| {
                let (mut enters, mut leaves) = (false, false);
                for other in &left {
                    enters |= self.arrows[other * self.n + r].is_some();
                    leaves |= self.arrows[r * self.n + other].is_some();
                }
                !(enters && leaves)
            };
            let next: Vec<usize> = left.iter().copied().filter(|r| !free(r)).collect();
            if next.len() == left.len() {
                break;
            }
            left = next;
        }
        for (one, other) in left.iter().flat_map(|a| left.iter().map(move |b| (*a, *b))) {
            if let Some(class) = self.arrows[one * self.n + other] {
                return Err(ModelError(format!(
                    "class `{}` requests {} while it holds {}, but others request them in another order: a deadlock is possible",
                    self.class(class).name,
                    self.name(other),
                    self.name(one)
                )));
            }
        }
        Ok(())
    }
}

type Done = Result<(), ModelError>;
