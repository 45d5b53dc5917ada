use plimsoll::{calibration::Calibration, catalog::Catalog, experiment::Experiments, fit::*};
fn main() {
    let (catalog, calibration) = (Catalog::embedded(), Calibration::embedded());
    let experiments = Experiments::embedded(&catalog, &calibration);
    let problem = Problem::new(&catalog, &calibration, &experiments).unwrap();
    println!("idle {:?}", problem.idle());
    let t = std::time::Instant::now();
    let all = vec![true; problem.rows.len()];
    let fit = Fit::new(&problem, &all, &vec![0.0; problem.prior.free.len()]).unwrap();
    println!("fit {:?} {} evaluations", t.elapsed(), fit.evaluations);
    let moved = movers(&problem, &fit);
    for (i, f) in problem.prior.free.iter().enumerate() {
        println!("{:20} prior {:.2} factor {:.3} ± {:.1}%  {}", f.id, f.prior, fit.posterior.shift[i].exp(), fit.posterior.covariance[i][i].sqrt()*100.0,
            moved[i].iter().map(|m| format!("{} {:.0}%", m.datum, m.share*100.0)).collect::<Vec<_>>().join(", "));
    }
    let t = std::time::Instant::now();
    let mut lo = Vec::new();
    if std::env::args().nth(1).is_some() {
    for set in left_out_sets(&problem, false) { match leave_out(&problem, &fit, &set) { Ok(l) => lo.extend(l), Err(e) => println!("{e}") } }
    println!("leave out {:?}", t.elapsed());
    }
    let mut so = Vec::new();
    if std::env::args().nth(1).is_some() {
    for set in left_out_sets(&problem, true) { match leave_out(&problem, &fit, &set) { Ok(l) => so.extend(l), Err(e) => println!("{e}") } }
    }
    let a = accuracy(&problem, &fit, &lo, &so);
    for r in &a.rows {
        let row = &problem.rows[r.row];
        println!("{:55} {:?} {:.4e} {:+.1}%  loo {:+.1}% (±{:.1}%) src {:+.1}%", row.id, row.claim, r.predicted, (row.claim.residual(r.predicted).exp()-1.0)*100.0,
          r.left_out.map_or(f64::NAN, |l| (row.claim.residual(l.predicted).exp()-1.0)*100.0), r.left_out.map_or(f64::NAN, |l| l.variance.sqrt()*100.0),
          r.source_left_out.map_or(f64::NAN, |l| (row.claim.residual(l.predicted).exp()-1.0)*100.0));
    }
    println!("{:#?} discrepancy {:.3}", a.summary, a.discrepancy);
}
