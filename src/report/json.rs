//! How JSON answers are made: each object is a struct, and its schema is the reference of its keys.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::SCHEMA;
use crate::sim;
use crate::system;

/// Objects of JSON answers, a line for each key: its type, where its value comes from, and what it means, as
/// `docs/json.md` has it.
///
/// ```ignore
/// object! {
///     /// A pool of the network.
///     Pool of (pool: &PoolAnswer) {
///         taken: f64 = pool.taken.value, "Mean number taken.";
///     }
/// }
/// ```
///
/// is the struct `Pool { taken: f64 }`, which derives `Serialize` and `JsonSchema`, and its constructor `Pool::of(pool)`. What
/// stands in brackets before the keys comes first in the constructor.
macro_rules! object {
    ($(
        $(#[$attribute:meta])* $name:ident of ($($from:tt)*) $([$($before:tt)*])? {
            $($(#[$of_key:meta])* $key:ident: $type:ty = $value:expr $(, $meaning:literal)?;)*
        }
    )*) => {$(
        #[derive(serde::Serialize, schemars::JsonSchema)]
        $(#[$attribute])*
        pub(crate) struct $name {
            $($(#[$of_key])* $(#[doc = $meaning])? pub(crate) $key: $type,)*
        }

        impl $name {
            pub(crate) fn of($($from)*) -> Self {
                $($($before)*)?
                Self { $($key: $value,)* }
            }
        }
    )*};
}
pub(crate) use object;

/// A list with what is told of each.
pub(crate) fn list<T, U>(all: impl IntoIterator<Item = T>, told: impl FnMut(T) -> U) -> Vec<U> {
    all.into_iter().map(told).collect()
}

/// An answer as JSON, its keys in alphabetical order.
pub(crate) fn value(answer: &impl Serialize) -> Value {
    serde_json::to_value(answer).expect("an answer has texts as keys")
}

/// The JSON Schema of an answer.
pub(crate) fn schema<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    // What stands in for keys that an earlier answer lacks is nothing that an answer has.
    RecursiveTransform(|part: &mut Schema| drop(part.remove("default"))).transform(&mut schema);
    schema
}

/// Which program made an answer.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Tool {
    /// Version of the form of answers.
    pub(crate) schema: u32,
    /// Version of plimsoll.
    pub(crate) tool: String,
}

impl Tool {
    /// This one, of an answer whose form has this version.
    pub(crate) fn of(schema: u32) -> Self {
        Self { schema, tool: env!("CARGO_PKG_VERSION").to_owned() }
    }
}

/// What every answer says of itself.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Made<I> {
    #[serde(flatten)]
    pub(crate) tool: Tool,
    /// What it was made from.
    pub(crate) input: I,
}

impl<I> Made<I> {
    /// From this input.
    pub(crate) fn from(input: I) -> Self {
        Self { tool: Tool::of(SCHEMA), input }
    }
}

object! {
    /// An uncertain number with its 80 % interval; where no interval was computed the three are equal.
    #[derive(Default, serde::Deserialize)]
    Interval of (found: system::Interval) {
        value: f64 = found.value, "The estimate.";
        low: f64 = found.low, "Lower end of the interval.";
        high: f64 = found.high, "Upper end of the interval.";
    }

    /// A simulated number with its confidence interval.
    Estimate of (found: sim::Estimate) [let finite = |x: f64| x.is_finite().then_some(x);] {
        value: f64 = found.value, "The estimate.";
        low: Option<f64> = finite(found.low()), "Lower end of the interval; null where there is none.";
        high: Option<f64> = finite(found.high()), "Upper end of the interval; null where there is none.";
    }

    /// A percentile of a simulated time.
    Percentile of ((p, time): &(f64, sim::Estimate)) {
        percentile: f64 = p * 100.0, "Which percentile.";
        time_s: Estimate = Estimate::of(*time), "So long at most do so many take.";
    }

    /// A resource or a lock, and how busy it is.
    #[derive(Default, serde::Deserialize)]
    Busy of (name: &str, utilization: f64) {
        name: String = name.to_owned(), "Name of the resource or lock.";
        utilization: f64 = utilization, "Share of its time in use.";
    }
}
