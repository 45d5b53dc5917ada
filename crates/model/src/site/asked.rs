//! Tables of the site file whose answers stand alone, each declared once: a struct whose fields are the questions, and its reader.

use super::answer::Answer;
use super::answerable::Answerable;
use super::section::Section;

/// A table of the site file as a struct with its reader. The field `rto` of the table `protection` is the question
/// `protection.rto` of `models/questions.toml`: an `Answer` is what the file states, or what is assumed; an `Option<Answer>` is
/// `None` where nobody answered. Fields after `given` are answers that other answers make: the reader takes them, in their order.
macro_rules! answers {
    (
        $(#[$about:meta])*
        struct $name:ident of $table:literal {
            $($(#[$doc:meta])* $field:ident: $type:ty,)+
        }
        $(given { $($(#[$given_doc:meta])* $given:ident: $given_type:ty,)+ })?
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name {
            $($(#[$doc])* pub $field: $type,)+
            $($($(#[$given_doc])* pub $given: $given_type,)+)?
        }

        impl $name {
            pub(super) fn read(section: &Section<'_>, $($($given: $given_type),+)?) -> Self {
                let found = Self {
                    $($field: Asked::of(section, concat!($table, ".", stringify!($field))),)+
                    $($($given,)+)?
                };
                section.reader.finish();
                found
            }
        }
    };
}
pub(super) use answers;

/// What is read of a question.
pub(super) trait Asked {
    /// From its table, by its path.
    fn of(section: &Section<'_>, path: &'static str) -> Self;
}

impl<T: Answerable> Asked for Answer<T> {
    fn of(section: &Section<'_>, path: &'static str) -> Self {
        section.answer(path)
    }
}

impl<T: Answerable> Asked for Option<Answer<T>> {
    fn of(section: &Section<'_>, path: &'static str) -> Self {
        section.stated(path)
    }
}
