//! The slider of developers: all of the load with them, as `--load` takes it ([`crate::site::LOAD_KEY`]).

use super::set::Set;
use crate::site::LOAD_KEY;

/// So many times as many developers, with all of their load; 1 gives the site's own answers back.
pub fn developers(times: f64) -> Set {
    let is_own = (times - 1.0).abs() < 1e-9;
    let load = (!is_own).then(|| format!("{times}"));
    Set::Answers(vec![(LOAD_KEY, load), ("people.developers", None)])
}

/// How many times the load is taken by what was typed; none where that is not.
pub(super) fn times(typed: Option<&String>) -> Option<f64> {
    typed?.parse().ok()
}
