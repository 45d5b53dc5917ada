//! What a rehearsal says of the prediction, in two sentences.

use super::answer::{KindOfWork, Rehearsed};
use super::shown::seconds;
use crate::diag::harmless_line;
use crate::units::significant;

/// A kind of work with fewer commands says nothing of the model.
const COMMANDS_LEAST: u64 = 10;
/// What is wanted of a prediction: a factor.
pub(super) const FACTOR: f64 = 1.5;

/// Whether a mean is predicted as near as wanted.
pub(super) fn is_near(ratio: f64) -> bool {
    (1.0 / FACTOR..=FACTOR).contains(&ratio)
}

/// What became of a load, in a word.
pub(super) fn outcome(saturated: bool) -> &'static str {
    if saturated { "saturated" } else { "carried" }
}

/// Kinds of work of which enough was measured.
pub(super) fn counted(found: &Rehearsed) -> impl Iterator<Item = &KindOfWork> {
    let kinds = found.kinds.iter();
    kinds.filter(|kind| kind.commands >= COMMANDS_LEAST)
}

/// How many means lie as predicted; then which one lies farthest off, and by what.
pub(super) fn sentences(found: &Rehearsed) -> [String; 2] {
    let judged: Vec<(&KindOfWork, f64, bool)> =
        counted(found).filter_map(|kind| Some((kind, kind.mean_ratio?, kind.mean_is_inside?))).collect();
    let inside = judged.iter().filter(|(.., inside)| *inside).count();
    let near = judged.iter().filter(|(_, ratio, _)| is_near(*ratio)).count();
    let predicted = found.predicted_saturated.is_some();
    let carried = if predicted == found.saturated {
        format!("the load was {}, as predicted", outcome(predicted))
    } else {
        format!("the load was {}, and predicted to be {}", outcome(found.saturated), outcome(predicted))
    };
    let first = format!(
        "Of {} kinds of work with {COMMANDS_LEAST} commands or more, {inside} have a measured mean inside the 80 % interval of its prediction, \
         and {near} within a factor of {FACTOR} of it; {carried}.",
        judged.len()
    );
    let off = |ratio: f64| ratio.max(1e-12).ln().abs();
    let farthest = judged.iter().max_by(|a, b| off(a.1).total_cmp(&off(b.1)));
    let second = farthest.map_or_else(
        || format!("No kind of work has a prediction and {COMMANDS_LEAST} commands or more."),
        |(kind, ratio, _)| {
            let by = kind.differs_by().and_then(|cause| {
                let predicted = seconds(cause.predicted_s?);
                let measured = seconds(cause.measured_s);
                let cause = harmless_line(&cause.cause);
                Some(format!(", most of the difference in {cause} (measured {measured}, predicted {predicted})"))
            });
            format!(
                "Farthest off is {}, measured at {} times its prediction{}.",
                harmless_line(&kind.class),
                significant(*ratio, 2),
                by.unwrap_or_default()
            )
        },
    );
    [first, second]
}
