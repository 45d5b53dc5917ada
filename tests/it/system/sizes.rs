//! Sizes of volumes, today and at the horizon.

use super::*;

fn sizes(text: &str) -> Vec<RoleSize> {
    let site = read(text);
    capacity::sizes(&site, &from_site::load(&site), &CATALOG, &CALIBRATION)
}

#[test]
fn sizes_follow_the_data_and_its_growth() {
    let text = |db: u32, growth: u32| {
        format!(
            "schema = 1\nname = \"Any\"\n[people]\ndevelopers = 100\n[data]\ndb_size = \"{db} GiB\"\n\
             depot_size = \"3 TB\"\n\
             db_growth = \"{growth} %/year\"\ndepot_growth = \"{growth} %/year\"\n"
        )
    };
    for size in sizes(&text(40, 0)) {
        assert_eq!(size.data, size.data_at_horizon, "{}", size.role);
    }
    for (size, grown) in sizes(&text(40, 0)).iter().zip(sizes(&text(40, 30))) {
        assert_eq!(size.data, grown.data, "{}", size.role);
        assert!(grown.data_at_horizon > grown.data, "{}", size.role);
    }
    let base = |size: &RoleSize| (size.data.base(), size.data_at_horizon.base());
    for (one, two) in sizes(&text(40, 30)).iter().zip(sizes(&text(80, 30))) {
        let ((now, then), (now_two, then_two)) = (base(one), base(&two));
        match one.role {
            "db" | "offline_db" => {
                assert!((now_two / now - 2.0).abs() < 1e-12 && (then_two / then - 2.0).abs() < 1e-12);
            }
            "checkpoint" => assert!(now_two > now && now_two < 2.0 * now + 1.0),
            _ => assert_eq!((now, then), (now_two, then_two), "{}", one.role),
        }
    }
}

#[test]
fn what_is_provided_is_never_less_than_the_data() {
    let site = ORDINARY.site();
    for deployment in layouts(&rich(&site)) {
        for mount in &deployment.volumes {
            let provided = capacity::provide(&site, &CATALOG, mount);
            assert!(provided >= 1.0 && provided.is_finite(), "{}: {provided}", mount.device);
        }
    }
    let deployment = &layouts(&rich(&site))[0];
    let load = from_site::load(&site);
    let memory = capacity::memory(&site, &CALIBRATION, deployment, &load, 0.9);
    assert!(memory.rule > Bytes::new(0.0) && memory.all > site.data.db_size.value);
}
