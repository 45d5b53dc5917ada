//! How fast a station works for the closed customers at it, by their number.
//!
//! A station of speeds `s_1`, `s_2`, … with an open load a serves j closed customers, on average over
//! the open ones beside them, at `s'_j = φ_{j−1}/φ_j` with
//! `φ_j = Σ_i C(i + j, i)·aⁱ/Π_{l ≤ i+j} s_l`; beyond the last speed that is s − a (Lazowska et al.
//! 1984, section 8.5; Bruell and Balbo 1980). Whoever arrives and finds j closed customers stays
//! D·(j + 1)/`s'_{j+1}`, an open customer just as a closed one.

/// Effective speeds, the last for all beyond.
#[derive(Clone)]
pub(super) struct Levels {
    /// `s'_1`, `s'_2`, …; at least one.
    pub(super) speeds: Vec<f64>,
    /// Whether none is below the one before.
    rises: bool,
}

impl Levels {
    /// From a station's speeds and an open load below the last of them. No more than `most` are
    /// kept where no open customers are there to add to them.
    pub(super) fn new(speeds: &[f64], open_load: f64, most: f64) -> Self {
        let last = speeds[speeds.len() - 1];
        if open_load == 0.0 {
            let kept = (speeds.len() as f64).min(most.max(1.0)) as usize;
            return Self::of(speeds[..kept].to_vec());
        }
        // ψ_j = φ_j·(s − a)^j/F, F = Π s/s_l: each step adds the speed below to the ones above, and
        // everything stays positive and in range.
        let used = open_load / last;
        let count = speeds.len();
        let mut psi = vec![1.0 / (1.0 - used); count + 2];
        let mut below = 1.0;
        for speed in speeds.iter().rev() {
            below *= speed / last;
            for level in (1..psi.len()).rev() {
                psi[level] = used * psi[level] + (1.0 - used) * psi[level - 1];
            }
            psi[0] = below + used * psi[0];
        }
        let spare = last - open_load;
        let levels = (0..=count).map(|level| spare * psi[level] / psi[level + 1]);
        Self::of(levels.collect())
    }

    fn of(speeds: Vec<f64>) -> Self {
        Self { rises: speeds.is_sorted_by(|one, next| one <= next), speeds }
    }

    /// What whoever arrives alone stays, over its demand.
    pub(super) fn first(&self) -> f64 {
        1.0 / self.speeds[0]
    }
}

/// Closed customers from which on an arrival hardly changes how the others come.
const MANY: f64 = 500.0;

/// Weight of a number, as a part of all below it, from which on the rest does not count where weights fall.
const NOTHING: f64 = 1e-24;

/// Sums over the numbers at a station that customers enter at a rate of θ·(1 − j/`others`).
struct Sums {
    /// Sum of all weights, in units of that of nobody.
    whole: f64,
    mean: f64,
    variance: f64,
    /// Residence over demand of one more.
    factor: f64,
}

impl Levels {
    fn speed(&self, number: usize) -> f64 {
        self.speeds[(number - 1).min(self.speeds.len() - 1)]
    }

    /// The distribution at a rate θ, which is below the last speed if `others` are many.
    fn sums(&self, rate: f64, others: f64) -> Sums {
        let (mut total, mut first, mut second, mut factor) = (0.0, 0.0, 0.0, 0.0);
        let (mut weight, mut scale) = (1.0_f64, 1.0_f64);
        let top = if others > MANY { self.speeds.len() - 1 } else { others.ceil() as usize + 1 };
        for number in 0..top {
            let here = number as f64;
            total += weight;
            first += here * weight;
            second += here * here * weight;
            factor += (here + 1.0) * weight / self.speed(number + 1);
            let away = if others > MANY { 1.0 } else { 1.0 - here / others };
            let ratio = rate * away.max(0.0) / self.speed(number + 1);
            weight *= ratio;
            if self.rises && ratio < 0.5 && weight < NOTHING * total {
                break;
            }
            if weight > 1e200 {
                scale *= 1e200;
                (weight, total) = (weight * 1e-200, total * 1e-200);
                (first, second, factor) = (first * 1e-200, second * 1e-200, factor * 1e-200);
            }
        }
        if others > MANY {
            // Beyond the last speed the weights fall geometrically.
            let last = self.speeds[self.speeds.len() - 1];
            let (ratio, from) = (rate / last, top as f64);
            let (rest, more) = (weight / (1.0 - ratio), ratio / (1.0 - ratio));
            total += rest;
            first += rest * (from + more);
            second += rest * (from * from + 2.0 * from * more + more * (1.0 + 2.0 * more));
            factor += rest * (from + 1.0 + more) / last;
        }
        let mean = first / total;
        Sums { whole: total * scale, mean, variance: second / total - mean * mean, factor: factor / total }
    }

    /// Approximate residence over demand of one who finds `found` closed customers on average, while
    /// `others` are in the network: as if they came in proportion to how many are elsewhere, which is
    /// exact where the rest of the network is a delay.
    pub(super) fn factor(&self, found: f64, others: f64) -> f64 {
        if self.speeds.len() == 1 {
            return (1.0 + found) / self.speeds[0];
        }
        if found <= 1e-12 || others <= 0.0 {
            return self.first();
        }
        if others <= MANY && found >= others * (1.0 - 1e-9) {
            return (1.0 + found) / self.speed(others.ceil() as usize + 1);
        }
        self.sums(self.rate(found, others), others).factor
    }

    /// Probability of fewer than `top` customers, number by number, and the mean number beyond
    /// `top`, if `found` are there on average; `others` as in [`Self::factor`].
    pub(super) fn distribution(&self, found: f64, others: f64, top: usize) -> (Vec<f64>, f64) {
        let mut below = vec![0.0; top];
        if found <= 1e-12 || others <= 0.0 {
            below[0] = 1.0;
            return (below, 0.0);
        }
        let most = if others > MANY { f64::INFINITY } else { others };
        let rate = self.rate(found.min(most * (1.0 - 1e-9)), others);
        let sums = self.sums(rate, others);
        let mut weight = 1.0 / sums.whole;
        let (mut total, mut inside) = (0.0, 0.0);
        for (number, probability) in below.iter_mut().enumerate() {
            *probability = weight;
            total += weight;
            inside += number as f64 * weight;
            let away = if others > MANY { 1.0 } else { 1.0 - number as f64 / others };
            weight *= rate * away.max(0.0) / self.speed(number + 1);
        }
        // Beyond, the mean is what is missing to the whole.
        let tail = (1.0 - total).max(0.0);
        let beyond = (sums.mean - inside - top as f64 * tail).max(0.0);
        (below, beyond)
    }

    /// The rate θ at which `found` are there on average.
    fn rate(&self, found: f64, others: f64) -> f64 {
        let last = self.speeds[self.speeds.len() - 1];
        // ln θ between bounds that close in; Newton's step where it stays inside.
        let mut high = if others > MANY { last.ln() } else { f64::INFINITY };
        let mut low = f64::NEG_INFINITY;
        let mut log = (found / (1.0 + found)).ln() + last.min(found * self.speeds[0] + last).ln();
        if log >= high {
            log = high - 1e-3;
        }
        for _ in 0..100 {
            let sums = self.sums(log.exp(), others);
            if sums.mean > found {
                high = log;
            } else {
                low = log;
            }
            let step = (found / sums.mean).ln() * sums.mean / sums.variance;
            if step.abs() < 1e-14 {
                break;
            }
            let next = log + step.clamp(-2.0, 2.0);
            let next =
                if next < high && next > low { next } else { f64::midpoint(low.max(log - 4.0), high.min(log + 4.0)) };
            log = next;
        }
        log.exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_customers_slow_a_server_down_in_proportion() {
        let levels = Levels::new(&[1.0], 0.25, 9.0);
        for speed in levels.speeds {
            assert!((speed - 0.75).abs() < 1e-15);
        }
    }

    #[test]
    fn servers_with_open_customers_are_slowed_as_their_sums_say() {
        let (speeds, load) = ([1.0, 2.0, 3.0], 1.5_f64);
        let phi = |closed: u32| {
            let mut sum = 0.0;
            for open in 0..400_u32 {
                let mut term = 1.0;
                for number in 1..=open + closed {
                    term /= f64::from(number.min(3));
                    // C(i + j, i)·aⁱ, factor by factor.
                    if number > closed {
                        term *= load * f64::from(number) / f64::from(number - closed);
                    }
                }
                sum += term;
            }
            sum
        };
        let levels = Levels::new(&speeds, load, 9.0);
        for (closed, speed) in (0..).zip(levels.speeds) {
            let expected = phi(closed) / phi(closed + 1);
            assert!((speed / expected - 1.0).abs() < 1e-12, "{speed} {expected}");
        }
    }
}
