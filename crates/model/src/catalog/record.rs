//! Tables of the catalogue, each declared once: a struct whose fields are the keys, and its reader.

use crate::document::{Readable, Reader};

/// A table of a file, as a struct with its reader: a field is read from the key of its name. Its type says how, or what stands
/// after `=`: a function of reader and key, such as [`word`] or [`or`]. A key that is missing is reported, but for those of
/// type `Option` and those that [`or`] fills. `: Entry` is a file of the catalogue, with its head before the fields.
macro_rules! record {
    (
        $(#[$about:meta])*
        struct $name:ident: Entry {
            $($(#[$doc:meta])* $field:ident: $type:ty $(= $how:expr)?,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name {
            /// Id, title, summary, facts.
            pub entry: Entry,
            $($(#[$doc])* pub $field: $type,)+
        }

        impl AsRef<Entry> for $name {
            fn as_ref(&self) -> &Entry {
                &self.entry
            }
        }

        impl $name {
            pub(super) fn read(reader: &$crate::document::Reader<'_>, entry: Entry) -> Option<Self> {
                $(let $field: Option<$type> = record!(@read reader, $field $(= $how)?);)+
                reader.finish();
                Some(Self { entry, $($field: $field?),+ })
            }
        }
    };
    (
        $(#[$about:meta])*
        struct $name:ident {
            $($(#[$doc:meta])* $field:ident: $type:ty $(= $how:expr)?,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name {
            $($(#[$doc])* pub $field: $type,)+
        }

        impl $name {
            fn of(reader: &$crate::document::Reader<'_>) -> Option<Self> {
                $(let $field: Option<$type> = record!(@read reader, $field $(= $how)?);)+
                reader.finish();
                Some(Self { $($field: $field?),+ })
            }
        }

        impl $crate::document::Readable for $name {
            fn read(reader: &$crate::document::Reader<'_>, key: &'static str) -> Option<Self> {
                Self::of(&reader.table(key)?)
            }
        }
    };
    (@read $reader:ident, $field:ident) => {
        $crate::document::Readable::required($reader, stringify!($field))
    };
    (@read $reader:ident, $field:ident = $how:expr) => {
        $how($reader, stringify!($field))
    };
}

/// One of these words.
pub(super) fn word(words: &'static [&'static str]) -> impl Fn(&Reader<'_>, &'static str) -> Option<&'static str> {
    move |reader, key| {
        reader.require(&[key]);
        reader.word(key, words).map(|word| word.value)
    }
}

/// Some of these words.
pub(super) fn words(words: &'static [&'static str]) -> impl Fn(&Reader<'_>, &'static str) -> Option<Vec<&'static str>> {
    move |reader, key| {
        reader.require(&[key]);
        reader.word_list(key, words)
    }
}

/// What a function makes of a key whether or not it is there.
pub(super) fn always<T>(
    read: impl Fn(&Reader<'_>, &'static str) -> T,
) -> impl Fn(&Reader<'_>, &'static str) -> Option<T> {
    move |reader, key| Some(read(reader, key))
}

/// What the file says, or this where it does not say.
pub(super) fn or<T: Readable>(missing: T) -> impl FnOnce(&Reader<'_>, &'static str) -> Option<T> {
    |reader, key| Some(T::read(reader, key).unwrap_or(missing))
}

/// A whole number of things, without origin.
pub(super) fn count(reader: &Reader<'_>, key: &'static str) -> Option<f64> {
    reader.require(&[key]);
    reader.count(key).map(|found| found.value)
}
