//! Reading numbers through a lens: which were used, with what origin, and what if one were different.
//!
//! A number is read thousands of times in one prediction; it is known by where it lies, so that only
//! the first reading makes its id.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use crate::calibration::Parameter;
use crate::origin::{Origin, Sourced};
use crate::posterior::NumberId;
use crate::units::{Fraction, Quantity};

/// Errors of numbers below this share are not told: what each does is below a percent.
const SPREAD_LEAST: f64 = 0.02;

/// A number that a prediction rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Used {
    /// The value in base units.
    pub value: f64,
    /// The value with its unit.
    pub shown: String,
    /// Where it comes from.
    pub origin: Origin,
    /// One-sigma relative error.
    pub spread: f64,
}

/// The numbers that an answer rests on.
pub type Numbers = BTreeMap<NumberId, Used>;

/// Hands out numbers that outlive it, remembers which, and can shift one of them to see what it does.
#[derive(Debug)]
pub struct Lens<'a> {
    /// Value of each number as seen, by its address.
    seen: RefCell<Known<usize, f64>>,
    /// Each number that was handed out; none where nobody will ask.
    used: Option<RefCell<Numbers>>,
    /// What numbers look like times what they are.
    factors: Option<&'a BTreeMap<NumberId, f64>>,
    /// The same by address.
    shifts: Known<usize, f64>,
    /// Where numbers lie; none where nobody will ask.
    places: Option<RefCell<Places>>,
}

/// Addresses of the numbers that were read.
pub(super) type Places = BTreeMap<NumberId, Vec<usize>>;

impl Used {
    /// Whether its error is worth telling.
    pub fn is_uncertain(&self) -> bool {
        self.spread >= SPREAD_LEAST && self.value != 0.0
    }

    /// A parameter that something else than a station reads.
    pub fn of_parameter(parameter: &Parameter) -> Self {
        Self {
            value: parameter.value.value,
            shown: parameter.shown.clone(),
            origin: parameter.value.origin.clone(),
            spread: parameter.value.spread,
        }
    }
}

impl Default for Lens<'_> {
    fn default() -> Self {
        Self { used: Some(RefCell::default()), places: Some(RefCell::default()), ..Self::forgetful() }
    }
}

impl<'a> Lens<'a> {
    /// A lens that does not remember what it handed out.
    pub fn forgetful() -> Self {
        Self { seen: RefCell::default(), used: None, factors: None, shifts: Known::default(), places: None }
    }

    /// A lens through which numbers that were read before look so many times as large; it remembers nothing.
    pub(super) fn shifting<'n>(places: &Places, factors: impl IntoIterator<Item = (&'n NumberId, f64)>) -> Self {
        let factors = factors.into_iter();
        let shifts = factors.flat_map(|(number, factor)| {
            let places = places.get(number).into_iter().flatten();
            places.map(move |place| (*place, factor))
        });
        Self { shifts: shifts.collect(), ..Self::forgetful() }
    }

    /// A lens through which numbers look as many times as large as `factors` says: those that were read before by where they
    /// lie. It remembers nothing.
    pub(super) fn scaling_known(places: &Places, factors: &'a BTreeMap<NumberId, f64>) -> Self {
        let known = places.iter().flat_map(|(number, places)| {
            let factor = factors.get(number).copied().unwrap_or(1.0);
            places.iter().map(move |place| (*place, factor))
        });
        Self { shifts: known.collect(), ..Self::scaling(factors) }
    }

    /// A lens through which numbers look as many times as large as `factors` says; it remembers nothing.
    pub fn scaling(factors: &'a BTreeMap<NumberId, f64>) -> Self {
        Self { factors: Some(factors), ..Self::forgetful() }
    }

    /// The same, and it remembers where they lie.
    pub(super) fn placing(self) -> Self {
        Self { places: Some(RefCell::default()), ..self.remembering() }
    }

    /// The same, and it remembers.
    #[must_use]
    pub fn remembering(self) -> Self {
        Self { used: Some(RefCell::default()), ..self }
    }

    /// A quantity, in base units.
    pub fn quantity<Q: Quantity>(&self, id: impl FnOnce() -> NumberId, sourced: &'a Sourced<Q>) -> f64 {
        self.take(id, sourced.value.base(), f64::INFINITY, sourced, || sourced.value.to_string())
    }

    /// A share, which is 1 at most, however large its error.
    pub fn share(&self, id: impl FnOnce() -> NumberId, sourced: &'a Sourced<Fraction>) -> f64 {
        self.take(id, sourced.value.get(), 1.0, sourced, || sourced.value.to_string())
    }

    /// A plain number.
    pub fn number(&self, id: impl FnOnce() -> NumberId, sourced: &'a Sourced<f64>) -> f64 {
        self.take(id, sourced.value, f64::INFINITY, sourced, || sourced.value.to_string())
    }

    /// A parameter, in base units.
    pub fn parameter(&self, parameter: &'a Parameter) -> f64 {
        let name = || NumberId::parameter(&parameter.id);
        let Parameter { value, .. } = parameter;
        self.take(name, value.value, parameter.most(), value, || parameter.shown.clone())
    }

    fn take<T>(
        &self,
        id: impl FnOnce() -> NumberId,
        value: f64,
        most: f64,
        sourced: &'a Sourced<T>,
        shown: impl Fn() -> String,
    ) -> f64 {
        let place = std::ptr::from_ref(sourced).addr();
        if let Some(factor) = self.shifts.get(&place) {
            return (value * factor).min(most);
        }
        if self.used.is_none() && self.factors.is_none() {
            return value;
        }
        if let Some(seen) = self.seen.borrow().get(&place) {
            return *seen;
        }
        let id = id();
        let factor = self.factors.and_then(|factors| factors.get(&id));
        let seen = factor.map_or(value, |factor| (value * factor).min(most));
        self.seen.borrow_mut().insert(place, seen);
        if let Some(places) = &self.places {
            places.borrow_mut().entry(id.clone()).or_default().push(place);
        }
        if let Some(used) = &self.used {
            used.borrow_mut().entry(id).or_insert_with(|| Used {
                value,
                shown: shown(),
                origin: sourced.origin.clone(),
                spread: sourced.spread,
            });
        }
        seen
    }

    /// The same, and where they lie.
    pub(super) fn into_places(self) -> (Numbers, Places) {
        let places = self.places.map_or_else(Places::new, RefCell::into_inner);
        let used = self.used.map_or_else(Numbers::new, RefCell::into_inner);
        (used, places)
    }

    /// Every number handed out.
    pub fn into_used(self) -> Numbers {
        self.used.map_or_else(Numbers::new, RefCell::into_inner)
    }
}

/// Values by the address of what they belong to: looked up, never gone through in order.
pub(super) type Known<K, V> = HashMap<K, V, BuildHasherDefault<Addresses>>;

/// Mixes addresses, which differ in their middle bits, by a multiplication (Knuth 1973, section 6.4).
#[derive(Debug, Default)]
pub(super) struct Addresses(u64);

impl Hasher for Addresses {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.write_u64(u64::from_le_bytes(*word));
        }
        // Shorter than a word: all of it in one.
        if !rest.is_empty() {
            let last = rest.iter().rev();
            self.write_u64(last.fold(0, |word, byte| word << 8 | u64::from(*byte)));
        }
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}
