//! Clients who come to something while it lasts, each of them once: who is there does not come again.
//!
//! Of a second's clients who come a times a second each, e^(−a·t) are not there yet after t.

/// Shorter than this part of the time between two of a client's commands it meets him at random.
const SHORT: f64 = 1e-3;

/// How many come in T: ∫ e^(−a·t) dt \[s\].
pub(super) fn come(often: f64, lasts: f64) -> f64 {
    if often * lasts < SHORT {
        lasts
    } else {
        -(-often * lasts).exp_m1() / often
    }
}

/// How long they are there until it ends: ∫ e^(−a·t)·(T − t) dt \[s²\].
pub(super) fn stay(often: f64, lasts: f64) -> f64 {
    if often * lasts < SHORT {
        0.5 * lasts * lasts
    } else {
        (lasts - come(often, lasts)) / often
    }
}

#[cfg(test)]
mod tests {
    use super::{come, stay};

    #[test]
    fn no_jump_where_it_is_told_otherwise() {
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-3 * b, "{a} {b}");
        near(come(0.99e-5, 100.0), come(1.01e-5, 100.0));
        near(stay(0.99e-5, 100.0), stay(1.01e-5, 100.0));
    }
}
