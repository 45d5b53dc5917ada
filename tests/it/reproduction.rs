//! The model under the published benchmarks, with the derived parameters.

use plimsoll::calibration::Calibration;
use plimsoll::catalog::Catalog;
use plimsoll::system::{Choices, Deployment, Effort, Prediction, bind, predict};
use plimsoll::workload::{Load, experiments};

pub(super) struct Lab {
    catalog: Catalog,
    calibration: Calibration,
}

impl Lab {
    pub(super) fn new() -> Self {
        Self {
            catalog: Catalog::embedded(),
            calibration: Calibration::embedded(),
        }
    }

    /// A reference layout on the server and networks of its source.
    fn deployment(&self, layout: &str, server: &str, edges: u32) -> Deployment {
        let model = &self.catalog.servers[server];
        let (ethernet, fabric) = match layout.split('-').next() {
            Some("p17") => ("eth-10g", "fc-8g"),
            _ => ("eth-1g", "fc-4g"),
        };
        let choices = Choices {
            server: server.to_owned(),
            memory: model.memory.value.get(),
            cores: model.cores.value,
            edges,
            local: Some((
                model.internal_medium.clone(),
                model.internal_disks.value.max(4.0),
            )),
            block: None,
            file: None,
            filesystem: "xfs".to_owned(),
            networks: (ethernet.to_owned(), fabric.to_owned()),
            client_network: ethernet.to_owned(),
            client_links: 1.0,
            offices: Vec::new(),
            office_disks: None,
            cache: None,
            dedicated: true,
            systems: vec!["linux".to_owned()],
            bits: 64.0,
            release: plimsoll::site::Release::new(2016, 2),
            lockless: layout.starts_with("p17"),
            shared_access: false,
            tuned_mounts: true,
        };
        bind(&self.catalog, &self.catalog.layouts[layout], &choices).unwrap()
    }

    fn predict(&self, deployment: &Deployment, load: &Load) -> Prediction {
        predict(
            deployment,
            load,
            &self.catalog,
            &self.calibration,
            Effort::Shown,
        )
        .unwrap()
    }

    fn published(&self, id: &str, name: &str) -> f64 {
        self.calibration
            .value(id, name)
            .unwrap_or_else(|| panic!("{id} {name}"))
    }

    fn listings(&self) -> f64 {
        self.calibration
            .parameter("browse.listings")
            .unwrap()
            .value
            .value
    }
}

/// A published figure and the model's.
pub(super) struct Row {
    pub(super) id: &'static str,
    pub(super) what: &'static str,
    pub(super) published: f64,
    pub(super) predicted: f64,
}

impl Row {
    pub(super) fn error(&self) -> f64 {
        self.predicted / self.published - 1.0
    }
}

fn within(rows: &[Row], tolerance: f64) {
    for row in rows {
        let (published, predicted) = (row.published, row.predicted);
        assert!(
            row.error().abs() <= tolerance,
            "{}: predicted {predicted}, published {published}",
            row.id
        );
    }
}

/// Browse over NFS with each set of mount options.
pub(super) fn mount_rows(lab: &Lab) -> Vec<Row> {
    let load = experiments::browse(lab.listings());
    [
        ("N13-mount-default", None),
        ("N13-mount-locallock", Some("local_lock=all")),
        ("N13-mount-nocto", Some("nocto")),
        ("N13-mount-both", Some("nocto,local_lock=all")),
    ]
    .into_iter()
    .map(|(id, options)| {
        let mut deployment = lab.deployment("n13-nfs", "dl580-g7", 0);
        for volume in &mut deployment.volumes {
            let known = &lab.catalog.protocols[&volume.protocol].mount_options;
            volume.mount_option = options.and_then(|o| known.iter().position(|k| k.options == o));
            assert_eq!(volume.mount_option.is_some(), options.is_some());
        }
        let prediction = lab.predict(&deployment, &load);
        Row {
            id,
            what: "browse, s",
            published: lab.published(id, "elapsed"),
            predicted: experiments::BROWSES / prediction.group_rates[0],
        }
    })
    .collect()
}

/// Branchsubmit's commit rate on each storage.
pub(super) fn commit_rows(lab: &Lab) -> Vec<Row> {
    [
        ("P17-branchsubmit-ssd", "p17-ssd", "pure-host"),
        ("P17-branchsubmit-fa", "p17-fa", "pure-host"),
        ("P17-branchsubmit-fb", "p17-fb", "pure-host"),
        ("N08-submit-fcp", "n08-fcp", "n08-host"),
        ("N08-submit-iscsi", "n08-iscsi", "n08-host"),
        ("N08-submit-nfs", "n08-nfs", "n08-host"),
        ("N13-branchsubmit-sample", "n13-fc", "dl580-g7"),
        ("Z09-commit", "z09-zfs", "sun-x4200"),
    ]
    .into_iter()
    .map(|(id, layout, server)| {
        let deployment = lab.deployment(layout, server, 0);
        let prediction = lab.predict(&deployment, &experiments::branchsubmit());
        let name = if id == "Z09-commit" {
            "commit-rate-peak"
        } else {
            "commit-rate"
        };
        Row {
            id,
            what: "commit, files/s",
            published: lab.published(id, name),
            predicted: prediction.commit.unwrap().rate(),
        }
    })
    .collect()
}

/// The run of 48 syncs with none, one and three edges.
pub(super) fn sync_rows(lab: &Lab) -> Vec<Row> {
    let in_flight = lab
        .calibration
        .parameter("p17.in_flight")
        .unwrap()
        .value
        .value;
    [
        ("P17-sync-fa-fa", "p17-fa", 0),
        ("P17-sync-fa-fb", "p17-fa-fb", 0),
        ("P17-sync-1edge", "p17-fa-fb-1edge", 1),
        ("P17-sync-3edge", "p17-fa-fb-3edge", 3),
    ]
    .into_iter()
    .map(|(id, layout, edges)| {
        let deployment = lab.deployment(layout, "pure-host", edges);
        let load = experiments::parallel_syncs(in_flight, lab.published(id, "sent-average"));
        let prediction = lab.predict(&deployment, &load);
        Row {
            id,
            what: "sync, s",
            published: lab.published(id, "elapsed-average"),
            predicted: in_flight / prediction.group_rates[0],
        }
    })
    .collect()
}

#[test]
fn mount_options_of_table_4_within_3_percent() {
    within(&mount_rows(&Lab::new()), 0.03);
}

#[test]
fn commit_rates_within_15_percent() {
    within(&commit_rows(&Lab::new()), 0.15);
}

#[test]
fn sync_times_of_the_run_of_48_within_15_percent() {
    within(&sync_rows(&Lab::new()), 0.15);
}

/// Elapsed time of one cycle of the only group.
fn cycle(lab: &Lab, layout: &str, server: &str, load: &Load) -> f64 {
    let prediction = lab.predict(&lab.deployment(layout, server, 0), load);
    let population = match load.groups[0].arrival {
        plimsoll::workload::Arrival::Closed { population, .. } => population,
        plimsoll::workload::Arrival::Open { .. } => unreachable!("the benchmarks are closed"),
    };
    population / prediction.group_rates[0]
}

/// `a` is as good as `b`, within 5 %.
fn alike(what: &str, a: f64, b: f64) {
    assert!(
        (a / b - 1.0).abs() < 0.05,
        "{what}: {a} and {b} should be alike"
    );
}

#[test]
fn orderings_of_the_protocols_hold() {
    let lab = Lab::new();
    let listings = lab.listings();
    let parameter = |id: &str| lab.calibration.parameter(id).unwrap().value.value;
    for (id, load) in [
        ("N13-order-browse", experiments::browse(listings)),
        (
            "N13-order-sync",
            experiments::sync(
                listings,
                parameter("n13.children"),
                parameter("n13.client_write"),
            ),
        ),
        ("N13-order-branchsubmit", experiments::branchsubmit()),
        (
            "N13-order-branchsubmit-edit",
            experiments::branchsubmit_edit(),
        ),
    ] {
        let id = id.replace("order-branchsubmit-edit", "order-edit");
        let time = |layout: &str| cycle(&lab, layout, "dl580-g7", &load);
        let (fc, iscsi, split, nfs) = (
            time("n13-fc"),
            time("n13-iscsi"),
            time("n13-split"),
            time("n13-nfs"),
        );
        assert!(split > iscsi && split > fc, "{id}: split behind block");
        assert!(nfs > split, "{id}: NFS last");
        if id.ends_with("browse") || id.ends_with("sync") {
            alike(&id, fc, iscsi);
        }
    }
}

/// The commit rate is what branchsubmit reports: with the journal on iSCSI, split equals FC and iSCSI.
#[test]
fn journal_on_block_makes_split_equal_to_block() {
    let lab = Lab::new();
    for load in [
        experiments::branchsubmit(),
        experiments::branchsubmit_edit(),
    ] {
        let rate = |layout: &str| {
            let deployment = lab.deployment(layout, "dl580-g7", 0);
            lab.predict(&deployment, &load).commit.unwrap().rate()
        };
        alike("FC and iSCSI", rate("n13-fc"), rate("n13-iscsi"));
        alike(
            "split with its journal on iSCSI",
            rate("n13-split-journal-iscsi"),
            rate("n13-iscsi"),
        );
        assert!(rate("n13-split") < 0.8 * rate("n13-iscsi"));
        assert!(rate("n13-nfs") < 0.8 * rate("n13-split"));
    }
}

#[test]
fn deltas_are_comparable_on_all_protocols_when_warm() {
    let lab = Lab::new();
    let time = |layout: &str| cycle(&lab, layout, "dl580-g7", &experiments::deltas(false));
    alike("N13-order-deltas", time("n13-fc"), time("n13-iscsi"));
    alike("N13-order-deltas", time("n13-nfs"), time("n13-iscsi"));
}

#[test]
fn cold_reads_are_slightly_faster_over_nfs_and_flash_cache_helps_them() {
    let lab = Lab::new();
    let time = |layout: &str| cycle(&lab, layout, "n08-host", &experiments::deltas(true));
    let (nfs, iscsi, fcp) = (time("n08-nfs"), time("n08-iscsi"), time("n08-fcp"));
    assert!(
        nfs < iscsi && nfs < fcp,
        "N08-read-order: {nfs} {iscsi} {fcp}"
    );
    assert!(
        nfs > 0.7 * fcp,
        "N08-read-order: only slightly: {nfs} {fcp}"
    );
    let mut cached = lab.deployment("n08-iscsi", "n08-host", 0);
    cached.cache = Some("pam-default".to_owned());
    let with = 1.0 / lab.predict(&cached, &experiments::deltas(true)).group_rates[0];
    let gain = 1.0 - with / iscsi;
    assert!((0.36..=0.96).contains(&gain), "N08-pam-range: {gain}");
}

#[test]
fn block_commits_several_times_as_fast_as_nfs() {
    let lab = Lab::new();
    let rate = |layout: &str| {
        let deployment = lab.deployment(layout, "n08-host", 0);
        lab.predict(&deployment, &experiments::branchsubmit())
            .commit
            .unwrap()
            .rate()
    };
    let row = Row {
        id: "N08-write-order",
        what: "ratio",
        published: 7.0,
        predicted: rate("n08-iscsi") / rate("n08-nfs"),
    };
    within(&[row], 0.15);
}

#[test]
fn the_client_network_binds_parallel_syncs_and_the_log_may_lie_on_nfs() {
    let lab = Lab::new();
    let deployment = lab.deployment("p17-fa-fb", "pure-host", 0);
    let prediction = lab.predict(&deployment, &experiments::parallel_syncs(15.0, 22e9));
    assert_eq!(prediction.bottleneck().0, "client network of commit server"); // P17-network-bound
    // P17-journal-nfs: the journal on NFS costs much, the log does not.
    let commit = |role: &str| {
        let mut deployment = lab.deployment("p17-fa", "pure-host", 0);
        let nfs = lab.deployment("p17-fb", "pure-host", 0).volumes[0].clone();
        for volume in &mut deployment.volumes {
            volume.roles.retain(|r| *r != role);
        }
        let roles = match role {
            "journal" => vec!["journal"],
            "log" => vec!["log"],
            _ => vec![],
        };
        deployment
            .volumes
            .push(plimsoll::system::Mount { roles, ..nfs });
        lab.predict(&deployment, &experiments::branchsubmit())
            .commit
            .unwrap()
            .rate()
    };
    let (neither, log, journal) = (commit("none"), commit("log"), commit("journal"));
    alike("P17-journal-nfs: log", log, neither);
    assert!(
        journal < 0.6 * neither,
        "P17-journal-nfs: {journal} {neither}"
    );
}
