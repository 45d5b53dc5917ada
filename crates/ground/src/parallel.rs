//! The same work on many things, on all cores: results in the order of the things, however many cores there are.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Most threads: nothing here has more to do.
const THREADS_MOST: usize = 8;

/// What `work` makes of each thing.
///
/// ```
/// let squares = plimsoll_ground::parallel::map(&[1, 2, 3], |x| x * x);
/// assert_eq!(squares, [1, 4, 9]);
/// ```
///
/// # Panics
///
/// Where `work` does.
pub fn map<'t, T: Sync, R: Send>(things: &'t [T], work: impl Fn(&'t T) -> R + Sync) -> Vec<R> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = cores.min(THREADS_MOST).min(things.len());
    if threads <= 1 {
        return things.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let some = || {
        let mut done = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(thing) = things.get(place) else {
                return done;
            };
            done.push((place, work(thing)));
        }
    };
    let mut done: Vec<(usize, R)> = thread::scope(|scope| {
        let others = 1..threads;
        let others = others.map(|_| thread::Builder::new().spawn_scoped(scope, some));
        // A machine that gives no thread has it all done here.
        let others: Vec<_> = others.flatten().collect();
        let mut done = some();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::map;

    #[test]
    fn results_stand_in_the_order_of_the_things() {
        let things: Vec<u64> = (0..1000).collect();
        let squares: Vec<u64> = things.iter().map(|x| x * x).collect();
        assert_eq!(map(&things, |x| x * x), squares);
        assert!(map(&[], |x: &u64| *x).is_empty());
    }
}
