//! Reading TOML so that one run reports every problem with file, line, column and caret.
//!
//! Knows how to read a text safely ([`read_text`]), to parse it into a tree with places
//! ([`parse`]), to lay overrides on it ([`apply_override`]) and to take typed values out of it
//! ([`Reader`]). Serde stops at the first problem and loses spans through its conveniences; a
//! questionnaire with three mistakes deserves three messages. Must not know what the documents
//! are about.
//!
//! ```
//! use plimsoll_ground::{diag::Diagnostics, document, units::Bytes};
//! let mut diagnostics = Diagnostics::default();
//! let source = diagnostics.add_source("site.toml", "db_size = \"34 GiB\"\nuser = 3\n");
//! let root = document::parse(source, &diagnostics).unwrap();
//! let reader = document::Reader::new(&root, &diagnostics);
//! assert_eq!(reader.quantity::<Bytes>("db_size").unwrap().value.to_string(), "34 GiB");
//! assert_eq!(reader.count("users"), None);
//! reader.finish(); // reports `user`, and that `users` is near
//! assert!(diagnostics.render().contains("did you mean \"users\"?"));
//! ```

pub mod edit;
mod item;
mod overrides;
mod readable;
mod reader;
mod scaled;
mod sourced;
mod text;
mod tree;

pub use item::{Item, TEXT_MAX};
pub use overrides::apply_layer;
pub use overrides::apply_override;
pub use readable::Readable;
pub use reader::{Limits, Located, Reader};
pub use scaled::scale;
pub use text::{BYTES_MAX, ReadError, fingerprint, read_named, read_text, read_text_up_to, toml_files};
pub use tree::{Kind, Value, parse};

/// What each code of this module means, for `plimsoll explain`.
pub static CODES: &[(&str, &str)] = &[
    (
        "DOC001",
        "A file of a folder given on the command line could not be read: missing, no permission, not a file, larger than 1 MiB, or not UTF-8.",
    ),
    (
        "DOC002",
        "The text is not TOML. The usual causes are a text without quotes, a quote that is not closed, the same key twice, and a quantity without quotes: write db_size = \"34 GiB\".",
    ),
    (
        "DOC003",
        "This key is unknown, so its value would be ignored. The nearest known key is suggested; keys differ by table.",
    ),
    ("DOC004", "A required key is missing."),
    ("DOC005", "The value has another type than the key: a number instead of a text, a table instead of a list."),
    (
        "DOC006",
        "The value is not a quantity of the wanted kind. A quantity is text with its unit: \"34 GiB\" (powers of 1024) or \"34 GB\" (powers of 1000), \"140 ms\", \"150000 /day\", \"25 %/year\".",
    ),
    ("DOC007", "The value is outside its limits; the message states the limits and their reason."),
    ("DOC008", "The word is not one of those that the key takes; the message lists them."),
    ("DOC009", "The text is too long for what it names."),
    ("DOC010", "An override on the command line must be --set key=value."),
    (
        "DOC011",
        "A number's origin is incomplete: `source` and `fitted` need `from` with ids, `derived` needs `note` with the arithmetic, `assumed` needs `note` with the reason.",
    ),
];
