//! The answer in words and numbers: text for people, JSON for programs.
//!
//! Knows how to lay out tables and name keys. Must not solve anything: whatever it prints was computed
//! before. JSON keys end in their unit (`_s`, `_bytes`, `_per_s`, `_fraction`); `docs/json.md` lists them.

/// Adds a formatted line to a text.
macro_rules! line {
    ($out:expr, $($arg:tt)*) => {{
        $out.push_str(&format!($($arg)*));
        $out.push('\n');
    }};
}
pub(crate) use line;

mod advice_json;
mod advice_text;
mod prediction_json;
mod prediction_text;
pub mod table;
mod volumes;

use crate::system::{Deployment, Prediction};

pub use advice_json::advice_json;
pub use advice_text::advice_text;
pub use prediction_json::{comparison_json, prediction_json};
pub use prediction_text::{comparison_text, prediction_text};
pub use volumes::{VolumeRow, volume_rows};

/// A layout's name with what it does, or why it cannot be had.
pub type Column = (String, Result<(Deployment, Prediction), String>);

/// Version of the JSON schema.
pub const SCHEMA: u32 = 1;

/// What every JSON answer says of itself: schema, tool, and a hash of what went in.
pub(crate) fn header(site: &crate::site::Site) -> serde_json::Map<String, serde_json::Value> {
    let mut input = site.text.clone();
    for text in &site.overrides {
        input.push('\n');
        input.push_str(text);
    }
    let data = crate::calibration::embedded::FILES
        .iter()
        .map(|(_, text)| *text);
    let parameters: String = data.collect();
    let mut map = serde_json::Map::new();
    map.insert("schema".to_owned(), SCHEMA.into());
    map.insert("tool".to_owned(), env!("CARGO_PKG_VERSION").into());
    map.insert(
        "input".to_owned(),
        serde_json::json!({
            "site": site.file,
            "site_hash": format!("{:016x}", fnv1a(input.as_bytes())),
            "parameters_hash": format!("{:016x}", fnv1a(parameters.as_bytes())),
        }),
    );
    map
}

/// FNV-1a, 64 bits (Fowler, Noll and Vo): tells inputs apart, protects nothing.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
