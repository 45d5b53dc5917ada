//! What the key of a table can be read as.

use super::reader::Reader;
use crate::origin::Sourced;
use crate::units::Quantity;

/// A type that says how its value stands in a table.
pub trait Readable: Sized {
    /// The value of a key; `None` where it is missing, and where it is wrong, which is reported.
    fn read(reader: &Reader<'_>, key: &'static str) -> Option<Self>;

    /// The same of a key that a table must have: one that is missing is reported too.
    fn required(reader: &Reader<'_>, key: &'static str) -> Option<Self> {
        reader.require(&[key]);
        Self::read(reader, key)
    }
}

impl<Q: Quantity> Readable for Sourced<Q> {
    fn read(reader: &Reader<'_>, key: &'static str) -> Option<Self> {
        reader.sourced(key)
    }
}

impl Readable for Sourced<f64> {
    fn read(reader: &Reader<'_>, key: &'static str) -> Option<Self> {
        reader.sourced_number(key)
    }
}

impl Readable for Sourced<String> {
    fn read(reader: &Reader<'_>, key: &'static str) -> Option<Self> {
        reader.statement(key)
    }
}

impl Readable for bool {
    fn read(reader: &Reader<'_>, key: &'static str) -> Option<Self> {
        reader.boolean(key).map(|found| found.value)
    }
}

impl Readable for String {
    fn read(reader: &Reader<'_>, key: &'static str) -> Option<Self> {
        reader.text(key).map(|found| found.value)
    }
}

impl Readable for Vec<String> {
    fn read(reader: &Reader<'_>, key: &'static str) -> Option<Self> {
        let texts = reader.texts(key)?.into_iter();
        Some(texts.map(|text| text.value).collect())
    }
}

/// What may be missing: then, and where it is wrong, it is `None`.
impl<T: Readable> Readable for Option<T> {
    fn read(reader: &Reader<'_>, key: &'static str) -> Option<Self> {
        Some(T::read(reader, key))
    }

    fn required(reader: &Reader<'_>, key: &'static str) -> Option<Self> {
        Self::read(reader, key)
    }
}
