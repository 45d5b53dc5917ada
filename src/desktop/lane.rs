//! An answer from a worker: its question has a number, and the answer is dropped if a later question came.

use std::sync::Arc;

/// The latest question of one kind, and the latest answer to one.
#[derive(Debug)]
pub struct Lane<T> {
    /// The number of the latest question.
    generation: u64,
    /// Whether its answer is still to come.
    is_busy: bool,
    /// The latest answer that came in time, or why there was none.
    answer: Option<Result<Arc<T>, String>>,
    /// The number of the question that it is to.
    answered: u64,
}

impl<T> Default for Lane<T> {
    fn default() -> Self {
        Self {
            generation: 0,
            is_busy: false,
            answer: None,
            answered: 0,
        }
    }
}

impl<T> Clone for Lane<T> {
    fn clone(&self) -> Self {
        Self {
            generation: self.generation,
            is_busy: self.is_busy,
            answer: self.answer.clone(),
            answered: self.answered,
        }
    }
}

/// Answers are the same if they are one and the same: they are large, and never change.
impl<T> PartialEq for Lane<T> {
    fn eq(&self, other: &Self) -> bool {
        let same = match (&self.answer, &other.answer) {
            (Some(Ok(a)), Some(Ok(b))) => Arc::ptr_eq(a, b),
            (Some(Err(a)), Some(Err(b))) => a == b,
            (None, None) => true,
            _ => false,
        };
        same && self.generation == other.generation && self.is_busy == other.is_busy
    }
}

impl<T> Lane<T> {
    /// Asks anew: the number under which the answer must come.
    pub fn ask(&mut self) -> u64 {
        self.generation += 1;
        self.is_busy = true;
        self.generation
    }

    /// Nothing is asked any more; an answer on its way will be too late.
    pub fn clear(&mut self) {
        self.generation += 1;
        self.is_busy = false;
        self.answer = None;
    }

    /// Takes an answer, unless it is one to an earlier question. Says whether it took it.
    pub fn settle(&mut self, generation: u64, answer: Result<Arc<T>, String>) -> bool {
        let in_time = generation == self.generation && self.is_busy;
        if in_time {
            self.is_busy = false;
            self.answer = Some(answer);
            self.answered = generation;
        }
        in_time
    }

    /// Takes what there is of an answer so far; the question stays open.
    pub fn progress(&mut self, generation: u64, answer: Arc<T>) -> bool {
        let in_time = generation == self.generation && self.is_busy;
        if in_time {
            self.answer = Some(Ok(answer));
            self.answered = generation;
        }
        in_time
    }

    /// Whether an answer is still to come.
    pub fn is_busy(&self) -> bool {
        self.is_busy
    }

    /// Whether the answer is one to an earlier question than the latest.
    pub fn is_stale(&self) -> bool {
        self.is_busy && self.answer.is_some() && self.answered < self.generation
    }

    /// The number of the latest question.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The latest answer; until a new one arrives, the one before.
    pub fn answer(&self) -> Option<&Arc<T>> {
        self.answer.as_ref()?.as_ref().ok()
    }

    /// Why there is no answer.
    pub fn problem(&self) -> Option<&str> {
        self.answer.as_ref()?.as_ref().err().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_answer_is_dropped() {
        let mut lane = Lane::default();
        let first = lane.ask();
        let second = lane.ask();
        assert!(!lane.settle(first, Ok(Arc::new(1))));
        assert_eq!(lane.answer(), None);
        assert!(lane.is_busy());
        assert!(lane.settle(second, Ok(Arc::new(2))));
        assert_eq!(lane.answer().map(|a| **a), Some(2));
        lane.ask();
        assert_eq!(lane.answer().map(|a| **a), Some(2), "the one before stays");
        assert!(lane.is_stale());
        lane.progress(lane.generation(), Arc::new(3));
        assert!(!lane.is_stale() && lane.is_busy());
        lane.clear();
        assert_eq!(lane.answer(), None);
    }
}
