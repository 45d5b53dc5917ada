//! Which peak the answers describe: today's, or one that is asked about.

use crate::units::two_digits;

/// Which peak it is. All words about now, today and a what-if come from here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Peak {
    /// That of the site file.
    Today,
    /// So many times that of the site file.
    Times(f64),
}

impl Peak {
    /// That of a load which is taken so many times.
    pub fn of(times: f64) -> Self {
        if times == 1.0 { Self::Today } else { Self::Times(times) }
    }

    /// "today", "at this load".
    pub fn now(self) -> &'static str {
        match self {
            Self::Today => "today",
            Self::Times(_) => "at this load",
        }
    }

    /// Before what is found in the system that is there: "today", "in today's system at this load,".
    pub fn in_todays_system(self) -> &'static str {
        match self {
            Self::Today => "today",
            Self::Times(_) => "in today's system at this load,",
        }
    }

    /// "today's peak", "this peak".
    pub fn peak(self) -> &'static str {
        match self {
            Self::Today => "today's peak",
            Self::Times(_) => "this peak",
        }
    }

    /// "today's 50 people", "100 people (2 times today's load)".
    pub fn people(self, people: &str) -> String {
        match self {
            Self::Today => format!("today's {people}"),
            Self::Times(times) => format!("{people} ({} times today's load)", two_digits(times)),
        }
    }

    /// A load as a multiple of this one: "4.9 times today's peak load", "70 % of this peak load"; without a number where it is the
    /// same.
    ///
    /// ```
    /// # use plimsoll_model::site::Peak;
    /// assert_eq!(Peak::Today.load(4.9), "4.9 times today's peak load");
    /// assert_eq!(Peak::Times(2.0).load(0.7), "70 % of this peak load");
    /// assert_eq!(Peak::Times(2.0).load(1.001), "this peak load");
    /// ```
    pub fn load(self, factor: f64) -> String {
        let load = self.peak();
        match two_digits(factor).as_str() {
            "1" => format!("{load} load"),
            _ if factor < 1.0 => format!("{} % of {load} load", two_digits(100.0 * factor)),
            times => format!("{times} times {load} load"),
        }
    }
}
