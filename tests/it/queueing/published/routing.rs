//! Visits from routing probabilities, since published examples give either.

/// Visits V = entry + V·P, by elimination.
pub(super) fn visits<const N: usize>(entry: [f64; N], routing: [[f64; N]; N]) -> Vec<f64> {
    // Rows of (I − Pᵀ)·V = entry.
    let mut rows: Vec<Vec<f64>> = (0..N)
        .map(|to| {
            let mut row: Vec<f64> = (0..N).map(|from| f64::from(u8::from(from == to)) - routing[from][to]).collect();
            row.push(entry[to]);
            row
        })
        .collect();
    for pivot in 0..N {
        let best = (pivot..N).max_by(|a, b| rows[*a][pivot].abs().total_cmp(&rows[*b][pivot].abs())).unwrap();
        rows.swap(pivot, best);
        let head = rows[pivot].clone();
        for (idx, row) in rows.iter_mut().enumerate() {
            if idx != pivot {
                let factor = row[pivot] / head[pivot];
                for (value, above) in row.iter_mut().zip(&head) {
                    *value -= factor * above;
                }
            }
        }
    }
    (0..N).map(|idx| rows[idx][N] / rows[idx][idx]).collect()
}

/// Visits of a closed class that visits its first station once between two thoughts.
pub(super) fn cycle<const N: usize>(mut routing: [[f64; N]; N]) -> Vec<f64> {
    // Whoever comes to the first station has finished a cycle.
    let mut entry = [0.0; N];
    entry[0] = 1.0;
    for row in &mut routing {
        row[0] = 0.0;
    }
    visits(entry, routing)
}
