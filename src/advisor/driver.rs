//! The number that a figure depends on most: where a click on it leads.
//!
//! Of the numbers of the model ([`Prediction::main_drivers`]) and the unanswered questions, the one whose error moves the
//! figure most. Where nothing is uncertain there is nothing to lead to.

use super::Advice;
use crate::system::Prediction;
use crate::units::significant;

/// What a figure depends on most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Driver {
    /// The id of its origin: a number, a parameter, a field.
    pub id: String,
    /// In a sentence.
    pub words: String,
}

/// Standard deviations between the middle of an interval of 80 % and its ends.
const SIGMAS: f64 = 1.281_6;

impl Driver {
    /// Of a figure by the prediction that fits best: that of a what-if where there is one and it knows the figure, else that of the
    /// recommendation.
    pub fn nearest(advice: &Advice, own: Option<&Prediction>, figure: &str) -> Option<Self> {
        let own = own.filter(|prediction| prediction.main_drivers.contains_key(figure));
        let prediction = own.or_else(|| Some(&advice.chosen.as_ref()?.prediction))?;
        Self::of(advice, prediction, figure)
    }

    /// Of a kind of work, a resource or a lock of a prediction; `advice` has the effect of unanswered questions.
    pub fn of(advice: &Advice, prediction: &Prediction, figure: &str) -> Option<Self> {
        let driver = prediction.main_drivers.get(figure);
        let by_number = driver.map_or(0.0, |driver| driver.factor.ln().abs());
        let open = advice.influences.iter().filter_map(|influence| {
            let factors = influence.ends.iter().flat_map(|end| &end.factors);
            let mine = factors.filter(|(work, _)| work.to_string() == figure);
            let (low, high) =
                mine.fold((1.0_f64, 1.0_f64), |(low, high), (_, factor)| (low.min(*factor), high.max(*factor)));
            (low < high).then_some((&influence.field, low, high))
        });
        let reach = |(_, low, high): &(&String, f64, f64)| high.ln().max(-low.ln()) / SIGMAS;
        let widest = open.max_by(|a, b| reach(a).total_cmp(&reach(b)));
        if let Some(asked) = widest.filter(|asked| reach(asked) > by_number) {
            let (field, low, high) = asked;
            return Some(Self {
                id: field.clone(),
                words: format!(
                    "Depends most on {field} (unanswered): {} to {} times this over its range.",
                    significant(low, 2),
                    significant(high, 2)
                ),
            });
        }
        let driver = driver?;
        let id = driver.number.id();
        let words = format!(
            "Depends most on {id}: one standard deviation more of it gives {} times this.",
            significant(driver.factor, 2)
        );
        Some(Self { id, words })
    }
}
