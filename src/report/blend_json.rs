//! A blended measurement as JSON.

use super::blend::{self, AdviceMoved, Blended, Saved, blend_verdict};
use super::calibration::Ranged;
use super::calibration_json::MovedBy;
use super::json::{Made, list, object};
use crate::experiment::{Claim, Head};
use crate::fit::{Blend, Compared, Explained, Move, Verdict};
use crate::posterior::NumberId;

object! {
    /// `calibrate --add`. Quantities of `data[]` and `numbers[]` are in base units: seconds, bytes, 1/s, bytes/s, fractions.
    #[schemars(rename = "Blended")]
    BlendedJson of (blended: &Blended<'_>) [let blend = blended.blend;] {
        #[serde(flatten)] made: Made<MeasurementInput> = Made::from(MeasurementInput::of(blended));
        measured: Measured = Measured::of(blended.head), "As in the file.";
        taken_as: Vec<String> = blended.taken_as.to_vec(), "Of a benchmark's result: which entries of the catalogue the volume is and how that is known; empty for others.";
        left_out: Vec<String> = blended.left_out.to_vec(), "Of a benchmark's result: what was not used and why; empty for others.";
        data: Vec<MeasuredDatum> = list(&blend.data, MeasuredDatum::of), "Each figure.";
        verdict: VerdictJson = VerdictJson::of(blended), "Whether it agrees with the published measurements.";
        parameters: Vec<ParameterMoved> = list(&blend.moves, |moved| ParameterMoved::of(blend, moved)), "Those that moved, and all of the file's own.";
        numbers: Vec<NumberMoved> = list(blend::numbers(blended), |number| NumberMoved::of(&number)), "Numbers that the runs read and that moved by 0.5 % or more.";
        advice: Option<AdviceChanged> = blended.advice.map(AdviceChanged::of), "What a site is advised before and after; null without `--site`.";
        saved: Vec<Saved> = blended.saved.to_vec(), "Files that were written.";
    }

    /// What a blend was made from.
    MeasurementInput of (blended: &Blended<'_>) [let (file, calibration) = blended.fingerprints;] {
        measurement: String = blended.file.to_owned(), "The file as named.";
        measurement_hash: String = super::hash(file), "Hash of its text.";
        calibration: String = super::hash(calibration), "Hash of the calibration data.";
    }

    /// What was measured, as the file says.
    Measured of (head: &Head) {
        title: String = head.title.clone(), "What.";
        who: String = head.who.clone(), "Who measured.";
        when: String = head.when.clone(), "When.";
        #[serde(rename = "where")] place: String = head.place.clone(), "Where.";
        hardware: String = head.hardware.clone(), "On what.";
    }

    /// A measured figure or order.
    MeasuredDatum of (datum: &Compared) [
        let claim = datum.row.claim;
        let is_order = matches!(claim, Claim::Between(..));
    ] {
        id: String = datum.row.id.clone(), "Run and measure.";
        run: String = datum.row.datum.clone(), "The run; of a comparison its id.";
        measures: String = datum.row.dimension.to_string(), "The unit.";
        measured: Option<f64> = datum.measured, "What was measured; null of an order.";
        holds: Option<bool> = is_order.then(|| claim.residual(datum.after) == 0.0), "Whether an order holds with the measurement; null of a figure.";
        spread_fraction: f64 = datum.row.spread, "One-sigma error of the measurement.";
        before: Ranged = Ranged::of(datum.before, datum.sigma), "Predicted without it, with the 80 % interval of such a measurement.";
        standardised_residual: f64 = datum.standardised(), "How many σ above that it was measured.";
        contradicts: bool = datum.contradicts(), "Whether chance alone puts it so far away in less than 1 % of cases.";
        explained_by: Option<ExplainedJson> = datum.explained.as_ref().map(ExplainedJson::of), "The one parameter or number whose change alone would explain it by the fewest σ; null where it does not contradict, and where none would.";
        after: f64 = datum.after, "Predicted with it.";
    }

    /// A change that alone makes the prediction what was measured.
    #[schemars(rename = "ExplainedBy")]
    ExplainedJson of (explained: &Explained) {
        id: String = explained.id.clone(), "A free parameter; or a number that none scales.";
        factor: f64 = explained.factor, "So many times as large.";
        sigmas: f64 = explained.sigmas, "So many σ of what is known of it.";
    }

    /// Whether a measurement agrees.
    #[schemars(rename = "Verdict")]
    VerdictJson of (blended: &Blended<'_>) [let blend = blended.blend;] {
        sentence: String = blend_verdict(blended), "In words.";
        agrees: bool = blend.verdict == Verdict::Agrees, "Whether it does.";
        shared_parameters_moved: bool = blend.verdict != Verdict::Contradicts, "false: exit code 1.";
        forced: bool = blend.verdict == Verdict::Forced, "Whether it was taken by force.";
        chi_squared: f64 = blend.chi_squared, "χ² of the residuals.";
        degrees_of_freedom: usize = blend.degrees, "Its degrees of freedom.";
        p_fraction: f64 = blend.p, "Chance of so large a χ².";
    }

    /// A free parameter that moved, with its factors and their 80 % intervals.
    ParameterMoved of (blend: &Blend, moved: &Move) [
        let factor = |(mean, sigma): (f64, f64)| Ranged::of(mean.exp(), sigma);
        let free = &blend.before.free[moved.index];
    ] {
        id: String = free.id.clone();
        title: String = free.title.clone(), "What it is.";
        own: bool = free.own, "Whether it belongs to the file alone.";
        scales: Vec<String> = list(&free.scales, NumberId::to_string), "The numbers that it multiplies.";
        before: Ranged = factor(moved.before), "The factor without the measurement.";
        after: Ranged = factor(moved.after), "The factor with it.";
        sigmas: f64 = moved.sigmas(), "By how many of its former σ it moved.";
        moved_by: Vec<MovedBy> = list(&moved.by, MovedBy::of), "The data that moved it.";
    }

    /// A number that moved.
    NumberMoved of (number: &blend::NumberMoved<'_>) {
        name: String = number.id.to_string();
        before: f64 = number.before, "Without the measurement.";
        after: f64 = number.after, "With it.";
    }

    /// What a site is advised before and after.
    AdviceChanged of (advice: &AdviceMoved) {
        site: String = advice.site.clone(), "The site's file, as named.";
        before: String = advice.before.clone(), "The advice in a sentence.";
        after: String = advice.after.clone(), "The same with the measurement.";
        changed: bool = advice.before != advice.after, "Whether it is another.";
    }
}
