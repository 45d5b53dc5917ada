//! Forced writes cost what their medium costs.

use super::*;

/// A submit at next to no load, its mean \[s\].
fn submit(catalog: &Catalog, deployment: &Deployment, load: &Load) -> f64 {
    let load = load.scaled(0.01);
    let prediction = predict(deployment, &load, catalog, &CALIBRATION).expect("it is idle");
    let mut classes = prediction.classes.iter();
    let submit = classes.find(|c| c.name == "submit").expect("people submit");
    submit.mean.value
}

/// The ordinary site without large syncs, everything on the server's own drives of a kind.
fn own(medium: &'static str, has_cache: bool) -> (Deployment, Load) {
    let site = Answers {
        medium,
        large_syncs: 0,
        ..ORDINARY
    }
    .site();
    let choices = Choices {
        write_cache: has_cache,
        ..rich(&site)
    };
    let layout = CATALOG.layouts.get("local-all").expect("it is a layout");
    let deployment = bind(&CATALOG, layout, &choices).expect("it has drives");
    (deployment, from_site::load(&site))
}

/// With the flush of a medium as given.
fn flushing(medium: &str, seconds: f64) -> Catalog {
    let mut catalog = CATALOG.clone();
    let medium = catalog.media.get_mut(medium).expect("it is a medium");
    medium.flush.value = Quantity::from_base(seconds);
    catalog
}

#[test]
fn a_submit_waits_for_a_whole_number_of_flushes() {
    let (deployment, load) = own("nvme", true);
    let at = |flush: f64| submit(&flushing("nvme", flush), &deployment, &load);
    let (none, one, two) = (at(0.0), at(1e-3), at(2e-3));
    let flushes = (one - none) / 1e-3;
    assert!(flushes > 0.99, "{flushes}");
    assert!(
        ((two - none) / (2.0 * (one - none)) - 1.0).abs() < 0.01,
        "{none} {one} {two}"
    );
}

#[test]
fn media_are_in_the_order_of_their_flushes() {
    let time = |medium, has_cache| {
        let (deployment, load) = own(medium, has_cache);
        submit(&CATALOG, &deployment, &load)
    };
    let order = [
        ("nvme", true),
        ("nvme-consumer", true),
        ("ssd-consumer", true),
        ("disk-15k", false),
        ("disk-sata", false),
    ];
    let times = order.map(|(medium, has_cache)| time(medium, has_cache));
    assert!(times.is_sorted(), "{times:?}");
    assert!(time("disk-15k", true) < time("disk-15k", false));
    // Flash does not need the controller's memory.
    assert_eq!(time("nvme", true), time("nvme", false));
}

#[test]
fn an_arm_that_turns_for_each_writer_is_a_queue_and_flash_is_not() {
    // Utilisation law: flushes a second times the time of each, over the drives of the set.
    let busy = |medium, flush: f64| {
        let (deployment, load) = own(medium, false);
        let catalog = flushing(medium, flush);
        let load = load.scaled(0.1);
        let prediction = predict(&deployment, &load, &catalog, &CALIBRATION).expect("it is idle");
        let resources = prediction.resources.iter();
        let disks = resources.filter(|r| r.resource.kind() == ResourceKind::Disks);
        disks.map(|r| r.utilization).fold(0.0, f64::max)
    };
    let arm = |flush| busy("disk-sata", flush);
    assert!(arm(20e-3) > arm(10e-3) && arm(10e-3) > arm(0.0));
    assert!((busy("nvme", 1e-3) - busy("nvme", 0.0)).abs() < 1e-6);
}
