//! How JSON answers are put together.

use serde_json::Value;

/// One object with the keys of both.
pub(super) fn joined(first: impl Into<Value>, second: Value) -> Value {
    let mut joined = first.into();
    if let (Value::Object(keys), Value::Object(more)) = (&mut joined, second) {
        keys.extend(more);
    }
    joined
}

/// A list with what is told of each.
pub(super) fn list<T>(all: impl IntoIterator<Item = T>, told: impl FnMut(T) -> Value) -> Value {
    all.into_iter().map(told).collect()
}
