use plimsoll::{calibration::Calibration, catalog::Catalog, experiment::Experiments};
fn main() {
    let (catalog, calibration) = (Catalog::embedded(), Calibration::embedded());
    let experiments = Experiments::embedded(&catalog, &calibration);
    for id in std::env::args().skip(1) {
        let run = &experiments.runs[&id];
        let (r, p) = run
            .predict(&catalog, &calibration, &Default::default())
            .unwrap();
        println!("{id} {r:?}");
        for c in &p.classes {
            println!("  {} mean {:.4} parts {:?}", c.name, c.mean.value, c.parts);
        }
        for x in &p.resources {
            if x.utilization > 0.01 {
                println!("    {} {:.3}", x.name, x.utilization);
            }
        }
        for l in p.locks.iter().take(3) {
            println!(
                "    lock {} {:.3} w {:.4} r {:.4} hold {:.4}",
                l.name, l.utilization, l.write_wait, l.read_wait, l.hold
            );
        }
        println!(
            "  {}",
            p.used.keys().cloned().collect::<Vec<_>>().join(", ")
        );
    }
}
