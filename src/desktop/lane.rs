//! An answer from a worker: its question has a number, and the answer is dropped if a later question came.

use std::sync::Arc;

/// What was found, or why nothing was.
pub type Found<T> = Result<Same<T>, String>;

/// Something large that never changes: the same is what is one and the same in memory.
#[derive(Debug)]
pub struct Same<T>(pub Arc<T>);

impl<T> Same<T> {
    /// Something that nothing else is the same as.
    pub fn new(made: T) -> Self {
        Self(Arc::new(made))
    }
}

impl<T> Clone for Same<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> PartialEq for Same<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The latest question of one kind, and the latest answer to one.
#[derive(Debug)]
pub struct Lane<T> {
    /// The number of the latest question.
    generation: u64,
    /// Whether its answer is still to come, or what is left of it.
    is_busy: bool,
    /// The latest answer that came in time, with the number of its question.
    answer: Option<(u64, Found<T>)>,
}

impl<T> Default for Lane<T> {
    fn default() -> Self {
        Self { generation: 0, is_busy: false, answer: None }
    }
}

impl<T> Clone for Lane<T> {
    fn clone(&self) -> Self {
        Self { answer: self.answer.clone(), ..*self }
    }
}

impl<T> PartialEq for Lane<T> {
    fn eq(&self, other: &Self) -> bool {
        let of = |lane: &Self| (lane.generation, lane.is_busy);
        of(self) == of(other) && self.answer == other.answer
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

    /// Takes an answer, unless it is one to an earlier question; the question stays open until its last. Says whether
    /// it took it.
    pub fn settle(&mut self, generation: u64, answer: Found<T>, is_last: bool) -> bool {
        let in_time = generation == self.generation && self.is_busy;
        if in_time {
            self.is_busy = !is_last;
            self.answer = Some((generation, answer));
        }
        in_time
    }

    /// Whether an answer is still to come.
    pub fn is_busy(&self) -> bool {
        self.is_busy
    }

    /// Whether the answer is one to an earlier question than the latest.
    pub fn is_stale(&self) -> bool {
        let answered = self.answer.as_ref().map(|(generation, _)| *generation);
        self.is_busy && answered.is_some_and(|answered| answered < self.generation)
    }

    /// The number of the latest question.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The latest answer; until a new one arrives, the one before.
    pub fn answer(&self) -> Option<&Arc<T>> {
        let (_, found) = self.answer.as_ref()?;
        found.as_ref().ok().map(|found| &found.0)
    }

    /// The same as what a further question is about.
    pub fn same(&self) -> Option<Same<T>> {
        self.answer().cloned().map(Same)
    }

    /// Why there is no answer.
    pub fn problem(&self) -> Option<&str> {
        let (_, found) = self.answer.as_ref()?;
        found.as_ref().err().map(String::as_str)
    }
}

/// Declares the lanes, one a row: its name with what is asked, what is found; its place among the lanes, the name of its
/// thread, and what the window says while it works. An answer comes through the lane of its question.
macro_rules! lanes {
    ($(
        $(#[$doc:meta])*
        $Name:ident $(($($asked:ty),+))? -> $Found:ty; $lane:ident, $thread:literal, $busy:literal;
    )+) => {
        /// What can be asked.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Asked {
            $($(#[$doc])* $Name $(($($asked),+))?,)+
        }

        /// What was found, perhaps not all of it yet, or why nothing was.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Answer {
            $($(#[$doc])* $Name(Found<$Found>),)+
        }

        /// The names of the lanes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum LaneName {
            $($(#[$doc])* $Name,)+
        }

        /// The latest question of each kind, and what was found.
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct Lanes {
            $($(#[$doc])* pub $lane: Lane<$Found>,)+
        }

        impl Asked {
            /// The lane that it goes through.
            pub fn lane(&self) -> LaneName {
                match self {
                    $(Self::$Name { .. } => LaneName::$Name,)+
                }
            }
        }

        impl Answer {
            /// The lane that it comes through.
            pub fn lane(&self) -> LaneName {
                match self {
                    $(Self::$Name(_) => LaneName::$Name,)+
                }
            }
        }

        impl LaneName {
            /// All.
            pub const ALL: &[Self] = &[$(Self::$Name),+];

            /// The name of its thread.
            pub fn thread(self) -> &'static str {
                match self {
                    $(Self::$Name => $thread,)+
                }
            }

            /// The answer where nothing was found, with the reason.
            pub fn failed(self, reason: String) -> Answer {
                match self {
                    $(Self::$Name => Answer::$Name(Err(reason)),)+
                }
            }
        }

        impl Lanes {
            /// Asks anew: the question for the worker.
            pub fn ask(&mut self, asked: Asked) -> Question {
                let generation = match asked {
                    $(Asked::$Name { .. } => self.$lane.ask(),)+
                };
                Question { generation, asked }
            }

            /// Takes an answer, as [`Lane::settle`] does.
            pub fn settle(&mut self, generation: u64, answer: Answer, is_last: bool) -> bool {
                match answer {
                    $(Answer::$Name(found) => self.$lane.settle(generation, found, is_last),)+
                }
            }

            /// What is worked on, in words; what is done in passing has none.
            pub fn busy(&self) -> impl Iterator<Item = &'static str> {
                let all = [$((self.$lane.is_busy(), $busy)),+].into_iter();
                all.filter(|(is_busy, words)| *is_busy && !words.is_empty()).map(|(_, words)| words)
            }
        }
    };
}
pub(super) use lanes;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_answer_is_dropped() {
        let mut lane = Lane::default();
        let first = lane.ask();
        let second = lane.ask();
        assert!(!lane.settle(first, Ok(Same::new(1)), true));
        assert_eq!(lane.answer(), None);
        assert!(lane.is_busy());
        assert!(lane.settle(second, Ok(Same::new(2)), true));
        assert_eq!(lane.answer().map(|a| **a), Some(2));
        lane.ask();
        assert_eq!(lane.answer().map(|a| **a), Some(2), "the one before stays");
        assert!(lane.is_stale());
        lane.settle(lane.generation(), Ok(Same::new(3)), false);
        assert!(!lane.is_stale() && lane.is_busy());
        lane.clear();
        assert_eq!(lane.answer(), None);
    }
}
