//! Erlang's C at a load that moves little from one sweep to the next.
//!
//! The recursion takes m divisions. Erlang's B obeys B′ = B·(m/a − 1 + B), so its Taylor series
//! around the last load costs a few products; near enough to it nothing else is needed.

/// Terms of the series.
const TERMS: usize = 11;

/// Largest step from the anchor, as a fraction of a/m: the first term left out is below 1e-14.
const REACH: f64 = 0.25;

/// So improbable that no sum it enters changes.
const NEVER: f64 = 1e-17;

/// Erlang's formulas for m servers, with the last place at which they were computed in full.
#[derive(Clone)]
pub(super) struct Erlang {
    servers: f64,
    anchor: f64,
    series: [f64; TERMS],
}

impl Erlang {
    pub(super) fn new(servers: u32) -> Self {
        Self { servers: f64::from(servers), anchor: f64::NAN, series: [0.0; TERMS] }
    }

    /// Whether both are of as many servers.
    pub(super) fn is_of(&self, other: &Self) -> bool {
        self.servers == other.servers
    }

    /// Probability that all servers are busy at a load of `busy` servers.
    pub(super) fn waits(&mut self, busy: f64) -> f64 {
        let load = busy.clamp(0.0, self.servers);
        if load < 1e-9 * self.servers {
            return 0.0;
        }
        let near = (load - self.anchor).abs() * self.servers <= REACH * self.anchor;
        if !near && !self.drop_anchor(load) {
            return 0.0;
        }
        let step = load - self.anchor;
        let mut blocked = 0.0;
        for term in self.series.iter().rev() {
            blocked = blocked * step + term;
        }
        let free = 1.0 - load / self.servers * (1.0 - blocked);
        (blocked / free).min(1.0)
    }

    /// Whether the probability there is worth a series.
    fn drop_anchor(&mut self, load: f64) -> bool {
        // 1/B with one more server is 1 + m/a of it.
        let (mut inverse, mut servers, per) = (1.0, 0.0, 1.0 / load);
        while servers < self.servers {
            servers += 1.0;
            inverse = 1.0 + servers * per * inverse;
            if inverse * NEVER > 1.0 {
                return false;
            }
        }
        self.anchor = load;
        self.series[0] = 1.0 / inverse;
        // Coefficients of m/a − 1 + B.
        let mut rate = [0.0; TERMS];
        let mut inverse = self.servers / load;
        for order in 0..TERMS - 1 {
            rate[order] += inverse + self.series[order];
            if order == 0 {
                rate[0] -= 1.0;
            }
            inverse /= -load;
            let product: f64 = (0..=order).map(|i| self.series[i] * rate[order - i]).sum();
            self.series[order + 1] = product / (order + 1) as f64;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queueing::closed_forms::erlang_c;

    #[test]
    fn the_series_is_the_formula() {
        for servers in [2, 8, 48, 500] {
            let mut erlang = Erlang::new(servers);
            let mut load = 0.05 * f64::from(servers);
            while load < f64::from(servers) {
                let (found, exact) = (erlang.waits(load), erlang_c(servers, load));
                assert!((found - exact).abs() <= 1e-12 * exact + 1e-15, "{servers} {load}");
                load *= 1.000_3;
            }
        }
    }
}
