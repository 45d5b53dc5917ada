use plimsoll::{calibration::Calibration, catalog::Catalog, experiment::Experiments};
use std::collections::BTreeMap;
fn main() {
    let (catalog, calibration) = (Catalog::embedded(), Calibration::embedded());
    let experiments = Experiments::embedded(&catalog, &calibration);
    let t = std::time::Instant::now();
    let mut readings = BTreeMap::new();
    for (id, run) in &experiments.runs {
        match run.predict(&catalog, &calibration, &Default::default()) {
            Ok((r, _p)) => {
                readings.insert(id.as_str(), r);
            }
            Err(e) => println!("{e}"),
        }
    }
    println!("{} runs {:?}", experiments.runs.len(), t.elapsed());
    for row in &experiments.rows {
        let p = row.predicted(&readings).unwrap_or(f64::NAN);
        println!(
            "{:60} {:?} {:.4e} {:+.3}",
            row.id,
            row.claim,
            p,
            row.claim.residual(p)
        );
    }
}
