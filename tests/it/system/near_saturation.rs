//! What a resource is asked for, with its error, on either side of saturation.

use super::*;
use plimsoll::system::interval::overload;

/// The load at which a layout has no steady state any more, and the answers just below and just above.
fn sides(deployment: &Deployment, load: &Load) -> (f64, f64) {
    let (mut carried, mut refused) = (0.0, 1.0);
    while solve(deployment, &load.scaled(refused)).is_ok() {
        (carried, refused) = (refused, 2.0 * refused);
        assert!(refused < 1e6, "{} never saturates", deployment.layout);
    }
    while refused / carried > 1.02 {
        let middle = f64::midpoint(carried, refused);
        if solve(deployment, &load.scaled(middle)).is_ok() {
            carried = middle;
        } else {
            refused = middle;
        }
    }
    (carried, refused)
}

#[test]
fn the_chance_of_overload_passes_one_half_where_the_estimate_saturates() {
    for layout in ["single-volume", "nfs-all"] {
        let (_, load, deployment) = ordinary(layout);
        let (carried, refused) = sides(&deployment, &load);
        let refused_load = load.scaled(refused);
        let Err(error) = solve(&deployment, &refused_load) else {
            panic!("{layout} carries what it did not");
        };
        let asked = overload(&error, &deployment, &refused_load, &CATALOG, &CALIBRATION)
            .expect("a part of the load is carried");
        let PredictError::Saturated { resource, utilization } = error else {
            panic!("{layout}: {error}");
        };
        assert_eq!(asked.resource, resource);
        assert_eq!(asked.utilization.value, utilization);
        assert!(asked.utilization.low < utilization && utilization < asked.utilization.high);
        let chance = asked.overload_chance().expect("the interval holds 100 %");
        assert!((50..70).contains(&chance), "{layout}: {chance} %");
        // Far beyond it nothing is open.
        let beyond = load.scaled(50.0 * refused);
        let error = solve(&deployment, &beyond).expect_err("it is far too much");
        let asked = overload(&error, &deployment, &beyond, &CATALOG, &CALIBRATION);
        assert!(asked.is_none_or(|asked| asked.overload_chance().is_none()));
        // At a tenth of it neither.
        let light = load.scaled(0.1 * carried);
        let mut prediction = solve(&deployment, &light).expect("it is light");
        add_intervals(&mut prediction, &deployment, &light, &CATALOG, &CALIBRATION);
        let open = prediction.busiest.and_then(|busiest| busiest.overload_chance());
        assert_eq!(open, None, "{layout}");
    }
}
