//! Quantities over the months of the horizon: what is bought is there from the first day, what is rented grows with the data.

use std::ops::AddAssign;

/// How many units a line of the bill has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantity {
    /// In the first month: what is ordered now.
    pub first: f64,
    /// At the end of the horizon.
    pub at_horizon: f64,
    /// The mean over the horizon: what is paid for.
    pub mean: f64,
}

impl Quantity {
    /// What is there from the first day until the horizon.
    pub(super) fn constant(units: f64) -> Self {
        Self { first: units, at_horizon: units, mean: units }
    }

    /// What changes from month to month: `units` gives whole units for a time in years. A month is paid for what is needed at its
    /// end, so that the last one has what the horizon needs.
    pub(super) fn over(years: f64, units: impl Fn(f64) -> f64) -> Self {
        const MONTHS_A_YEAR: f64 = 12.0;
        let months = (years * MONTHS_A_YEAR - 1e-9).ceil().max(1.0);
        let end = |month: f64| (month / MONTHS_A_YEAR).min(years);
        let (mut sum, mut month) = (0.0, 0.0);
        while month < months {
            let (from, to) = (end(month), end(month + 1.0));
            sum += units(to) * (to - from);
            month += 1.0;
        }
        let at_horizon = units(years);
        Self { first: units(end(1.0)), at_horizon, mean: if years > 0.0 { sum / years } else { at_horizon } }
    }

    /// Whether it is the same in every month.
    pub fn is_constant(self) -> bool {
        self.first.to_bits() == self.at_horizon.to_bits()
    }

    /// Whether nothing is ever ordered.
    pub(super) fn is_none(self) -> bool {
        self.first.max(self.at_horizon).max(self.mean) <= 0.0
    }
}

impl AddAssign for Quantity {
    fn add_assign(&mut self, more: Self) {
        self.first += more.first;
        self.at_horizon += more.at_horizon;
        self.mean += more.mean;
    }
}

#[cfg(test)]
mod tests {
    use super::Quantity;

    #[test]
    fn a_month_is_paid_for_what_its_end_needs() {
        // 1 unit more each month, over a year and a quarter.
        let grows = Quantity::over(1.25, |years| (12.0 * years).round());
        assert_eq!((grows.first, grows.at_horizon), (1.0, 15.0));
        let paid: f64 = (1..=15).map(f64::from).sum();
        assert!((grows.mean * 15.0 - paid).abs() < 1e-9, "{grows:?}");
        let same = Quantity::over(0.1, |_| 7.0);
        assert_eq!((same.first, same.at_horizon), (7.0, 7.0));
        assert!((same.mean - 7.0).abs() < 1e-12);
    }
}
