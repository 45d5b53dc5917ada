//! Distributions made ready to draw from.

use super::distribution::Distribution;
use super::random::Stream;

/// A distribution with its constants worked out.
#[derive(Clone, Debug)]
pub(super) enum Sampler {
    Constant(f64),
    Exponential(f64),
    Erlang { phase: f64, phases: u32 },
    Hyperexponential { first: f64, means: [f64; 2] },
    Coxian(Box<[(f64, f64)]>),
    Uniform { low: f64, width: f64 },
    Lognormal { mu: f64, sigma: f64 },
}

impl Sampler {
    pub(super) fn new(distribution: &Distribution) -> Self {
        match distribution {
            Distribution::Constant(value) => Self::Constant(*value),
            Distribution::Exponential { mean } => Self::Exponential(*mean),
            Distribution::Erlang { mean, phases } => Self::Erlang { phase: mean / f64::from(*phases), phases: *phases },
            Distribution::Hyperexponential { mean, scv } => {
                // Balanced means: both branches carry half of the time (Allen 1990, eq. 3.2.38).
                let first = f64::midpoint(1.0, ((scv - 1.0) / (scv + 1.0)).sqrt());
                let means = [first, 1.0 - first].map(|p| mean / (2.0 * p));
                Self::Hyperexponential { first, means }
            }
            Distribution::Coxian { phases, continues } => {
                let onwards = continues.iter().copied().chain([0.0]);
                Self::Coxian(phases.iter().copied().zip(onwards).collect())
            }
            Distribution::Uniform { low, high } => Self::Uniform { low: *low, width: high - low },
            Distribution::Lognormal { mean, scv } => {
                let variance = scv.ln_1p();
                Self::Lognormal { mu: mean.ln() - variance / 2.0, sigma: variance.sqrt() }
            }
        }
    }

    /// Draws as many as there is room for.
    pub(super) fn fill(&self, stream: &mut Stream, room: &mut [f64]) {
        match self {
            Self::Exponential(mean) => stream.fill_exponential(*mean, room),
            Self::Constant(value) => room.fill(*value),
            other => room.fill_with(|| other.draw(stream)),
        }
    }

    fn draw(&self, stream: &mut Stream) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Exponential(mean) => mean * stream.exponential(),
            Self::Erlang { phase, phases } => phase * (0..*phases).map(|_| stream.exponential()).sum::<f64>(),
            Self::Hyperexponential { first, means } => {
                means[usize::from(stream.unit() >= *first)] * stream.exponential()
            }
            Self::Coxian(phases) => {
                let mut sum = 0.0;
                for (mean, onwards) in phases {
                    sum += mean * stream.exponential();
                    if stream.unit() >= *onwards {
                        break;
                    }
                }
                sum
            }
            Self::Uniform { low, width } => low + width * stream.unit(),
            Self::Lognormal { mu, sigma } => (mu + sigma * stream.normal()).exp(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sampler;
    use crate::sim::distribution::Distribution;
    use crate::sim::random::Stream;

    #[test]
    fn draws_have_the_mean_and_the_variation_that_the_distribution_states() {
        let all = [
            Distribution::Constant(3.0),
            Distribution::Exponential { mean: 2.0 },
            Distribution::Erlang { mean: 2.0, phases: 4 },
            Distribution::Hyperexponential { mean: 0.5, scv: 6.0 },
            Distribution::Coxian { phases: vec![0.25, 2.0], continues: vec![0.125] },
            Distribution::Uniform { low: 1.0, high: 5.0 },
            Distribution::Lognormal { mean: 4.0, scv: 0.7 },
        ];
        let n = 400_000;
        for distribution in &all {
            let (sampler, mut stream) = (Sampler::new(distribution), Stream::new(&[5]));
            let draws: Vec<f64> = (0..n).map(|_| sampler.draw(&mut stream)).collect();
            let mean = draws.iter().sum::<f64>() / f64::from(n);
            let squares = draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
            let scv = squares / f64::from(n) / (mean * mean);
            let error = (distribution.scv() / f64::from(n)).sqrt();
            assert!((mean / distribution.mean() - 1.0).abs() < 4.5 * error + 1e-12);
            assert!((scv - distribution.scv()).abs() < 0.04 * distribution.scv() + 1e-12);
        }
    }
}
