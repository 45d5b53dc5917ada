//! `docs/first-principles.md`: what the model says of forced writes, distance and NFS, beside formulas of one line.

use std::fmt::Write as _;

use super::distance::{FAR, Far, MIB, transfer};
use super::nfs::{PAGES, clients, on_filer, page, readers, requests_a_page, roomy, with};
use super::processors::{TEAM, parameter};
use super::*;
use plimsoll::system::{Job, durations};
use plimsoll::workload::Call;

const PAGE: &str = "docs/first-principles.md";
/// A db page \[B\].
const PAGE_BYTES: f64 = 8192.0;

/// Four drives of a medium in a server, in mirrored pairs, without a controller's memory.
fn own(medium: &'static str) -> Deployment {
    let site = Answers { medium, ..ORDINARY }.site();
    let choices = Choices { local: Some((medium.to_owned(), 6.0)), write_cache: false, ..rich(&site) };
    let mut deployment = on("local-all", &choices);
    deployment.cores = 4096.0;
    deployment
}

fn rate(deployment: &Deployment, load: &Load, catalog: &Catalog) -> f64 {
    let prediction = predict(deployment, load, catalog, &CALIBRATION).expect("clients wait");
    prediction.group_rates[0]
}

/// A table's rows, and how far the prediction may be from the formula.
pub(super) struct Table {
    pub(super) text: String,
    within: f64,
}

impl Table {
    pub(super) fn new(head: &str, within: f64) -> Self {
        let columns = head.matches('|').count() + 1;
        let text = format!("| {head} |\n|{}\n", "---|".repeat(columns));
        Self { text, within }
    }

    #[track_caller]
    pub(super) fn row(&mut self, cells: &[String], formula: f64, predicted: f64) {
        let ratio = predicted / formula;
        assert!(
            (1.0 / self.within..self.within).contains(&ratio),
            "{cells:?}: {formula} by the formula, {predicted} by the model"
        );
        let _infallible = writeln!(
            self.text,
            "| {} | {} | {} | {ratio:.2} |",
            cells.join(" | "),
            plimsoll::units::significant(formula, 3),
            plimsoll::units::significant(predicted, 3),
        );
    }
}

/// Pages that are forced to a medium one by one, a second.
fn forced_writes() -> String {
    let mut table = Table::new("medium | flush | writers | formula, pages/s | predicted, pages/s | ratio", 1.3);
    for id in ["nvme", "nvme-consumer", "ssd-sas", "ssd-consumer", "disk-15k", "disk-sata"] {
        let (deployment, medium) = (own(id), &CATALOG.media[id]);
        let mount = deployment.mount("db").expect("it is there");
        let filesystem = &CATALOG.filesystems[mount.filesystem.as_ref().expect("it has one")];
        let writes = filesystem.forced_page_writes.value;
        let overhead = CATALOG.protocols["local"].command_overhead.value.base();
        let flush = medium.flush.value.base();
        let data = CATALOG.raid[&mount.raid].data_disks(mount.disks);
        let transfer = PAGE_BYTES / (medium.forced_write.value.base() * data);
        for writers in [1.0, 4.0, 16.0] {
            let load = clients(writers, Call::once("fstst-8k-commit", 0.0, 0.0));
            let predicted = PAGES * rate(&deployment, &load, &CATALOG);
            // Of a volatile cache the flush of one is the flush of all who wait, and each waits for the one before it.
            let joined = parameter("commit.joined");
            let flushes =
                if medium.volatile_cache && writers > 1.0 { (2.0 + writers * joined) / (1.0 + joined) } else { 1.0 };
            let alone = writers / (flushes * (flush + overhead) + transfer);
            let arms = mount.disks / flush;
            let formula = if medium.kind == "disk" { alone.min(arms) } else { alone.min(1.0 / transfer) };
            let cells = [medium.entry.title.clone(), medium.flush.value.to_string(), format!("{writers}")];
            table.row(&cells, formula / writes, predicted);
        }
    }
    table.text
}

/// A filesystem, what was forced, and writes a second of 1, 2, 4, 8, 16 and 32 writers.
type Measured = (&'static str, &'static str, [f64; 6]);

/// Forced writes a second that `tests/filesystems.sh` measured (geometric mean of three runs): docs/benchmark.md has them.
const MEASURED: [Measured; 4] = [
    ("ext4", "page", [3577.0, 5767.0, 7303.0, 9757.0, 14_121.0, 14_317.0]),
    ("ext4", "journal", [1093.0, 1667.0, 3056.0, 5381.0, 8073.0, 10_830.0]),
    ("XFS", "page", [4238.0, 6012.0, 7540.0, 11_454.0, 15_118.0, 15_887.0]),
    ("XFS", "journal", [1934.0, 2583.0, 3882.0, 5452.0, 8146.0, 12_003.0]),
];

/// Commits of several writers beside what was measured, on a medium whose flush is what one and two writers say. Each page is one of
/// its own, at the rate of forced writes that the medium has with many writers; a journal's end is forced for all who joined.
fn group_commit() -> String {
    let mut table = Table::new("filesystem | forced | writers | measured, 1/s | predicted, 1/s | ratio", 1.5);
    let deployment = own("nvme-consumer");
    let overhead = CATALOG.protocols["local"].command_overhead.value.base();
    let mount = deployment.mount("db").expect("it is there");
    let data = CATALOG.raid[&mount.raid].data_disks(mount.disks);
    for (filesystem, what, measured) in MEASURED {
        let [one, two, .., most] = measured;
        let each = if what == "page" { 1.0 / most } else { 1e-9 };
        // One takes a + b, two take 2 (a + b) together.
        let flush = ((1.0 / one - each) * (1.0 / two - each)).sqrt();
        let mut catalog = CATALOG.clone();
        let medium = catalog.media.get_mut("nvme-consumer").expect("a medium");
        medium.flush.value = Quantity::from_base(flush - overhead);
        medium.forced_write.value = Quantity::from_base(PAGE_BYTES / each / data);
        medium.parallelism.value = 1e6;
        medium.random_write.value = Quantity::from_base(1e-9);
        for (writers, found) in [1.0, 2.0, 4.0, 8.0, 16.0, 32.0].into_iter().zip(measured) {
            let load = clients(writers, Call::once("fstst-8k-commit", 0.0, 0.0));
            let predicted = PAGES * rate(&deployment, &load, &catalog);
            let cells = [filesystem.to_owned(), what.to_owned(), format!("{writers}")];
            table.row(&cells, found, predicted);
        }
    }
    table.text
}

/// Arms that the flushes of a journal keep busy.
fn flushes() -> String {
    let mut table = Table::new("commits a second | formula, busy arms | predicted, busy arms | ratio", 1.02);
    for commits in [1.0, 20.0, 100.0, 500.0] {
        let [formula, predicted] = durable::busy_arms(commits);
        table.row(&[format!("{commits}")], formula, predicted);
    }
    table.text
}

/// Waits for a rare command that has a table alone for long.
fn interruptions() -> String {
    let mut table = Table::new("holds an hour | each lasts on average | formula, ms | predicted, ms | ratio", 1.05);
    for (an_hour, files) in [(0.1, 1e7), (1.0, 1e6), (10.0, 1e6)] {
        let [hold, formula, predicted] = long_holds::interruptions(an_hour / 3600.0, files);
        let lasts = plimsoll::units::Seconds::new(hold).estimated();
        let cells = [format!("{an_hour}"), lasts];
        table.row(&cells, 1e3 * formula, 1e3 * predicted);
    }
    table.text
}

/// Content that one client in another town is sent, a second.
fn distance() -> String {
    let mut table = Table::new("round trip | window | threads | formula, MB/s | predicted, MB/s | ratio", 1.05);
    for (round_trip, window) in [(0.02, 4.0), (0.15, 4.0), (0.15, 1.0 / 16.0)] {
        for threads in [1.0, 4.0, 10.0] {
            let far = Far { round_trip, window: window * MIB, threads, ..FAR };
            let seconds = transfer(&far.predicted(), "large sync (Far)");
            let line = far.bandwidth.min(1.25e9 * 0.949 / 2.0);
            let formula = (threads * far.window / round_trip).min(line);
            let cells = [format!("{} ms", round_trip * 1e3), Bytes::new(far.window).to_string(), format!("{threads}")];
            table.row(&cells, formula / 1e6, far.sent() / seconds / 1e6);
        }
    }
    table.text
}

/// Pages that clients read over NFS from disks that hold nobody up, a second.
fn nfs() -> String {
    let mut table = Table::new("slots | clients | formula, calls/s | predicted, calls/s | ratio", 1.2);
    let deployment = roomy(on_filer("2024.2"));
    for slots in [4.0, 16.0, 64.0] {
        let catalog = with(|array, protocol, network| {
            array.cache.value = Bytes::new(0.0);
            array.bandwidth.value = array.bandwidth.value * 1e3;
            network.bandwidth.value = network.bandwidth.value * 1e3;
            protocol.slots.value = slots;
            protocol.slots_per_connection = false;
            if let Some(calls) = &mut protocol.connection_calls {
                calls.value = calls.value * 1e3;
            }
        });
        let (way, disks) = page(&catalog, &deployment);
        for many in [1.0, 8.0, 256.0] {
            let calls = PAGES * requests_a_page(&catalog, &deployment);
            let predicted = calls * rate(&deployment, &readers(many), &catalog);
            let formula = many.min(slots) / (way + disks);
            let cells = [format!("{slots}"), format!("{many}")];
            table.row(&cells, formula, predicted);
        }
    }
    table.text
}

/// How long a replay takes on a site's own drives.
fn replay(site: &Site) -> f64 {
    let layout = &CATALOG.layouts["local-all"];
    let deployment = bind(&CATALOG, layout, &rich(site)).expect("it has all");
    let (load, known) = (from_site::load(site), CALIBRATION.posterior.standing());
    let all = durations(site, &deployment, &load, &CATALOG, &CALIBRATION, &known);
    all.time(Job::Replay).expect("it is done").value
}

/// With a parameter as given.
pub(super) fn with_parameter(id: &str, value: f64) -> Calibration {
    let mut calibration = CALIBRATION.clone();
    let parameter = calibration.parameters.get_mut(id).expect("it is one");
    parameter.value.value = value;
    calibration
}

/// A database of so many bytes on a server.
pub(super) fn database(gigabytes: f64, server: &str, more: &str) -> Site {
    read(&format!(
        "{TEAM}[data]\ndb_size = \"{gigabytes} GB\"\n{more}[server]\nmodel = \"{server}\"\nrelease = \"2012.2\"\nlocal_disks = 12\n"
    ))
}

/// Replays of a checkpoint by medium and memory \[s\].
fn replays() -> String {
    let mut table = Table::new("medium | memory | formula, s | predicted, s | ratio", 1.25);
    let number = |id: &str| parameter(id);
    let size = 350e9;
    let rows = size / PAGE_BYTES * number("rows_per_page");
    let text = size * number("checkpoint.text");
    let work = rows * number("row_load") + text * (parameter("byte.2017") + number("decompress"));
    for medium in ["disk-sata", "disk-15k", "ssd-sas", "nvme"] {
        for memory in [64.0, 256.0, 512.0] {
            let more = format!("ram = \"{memory} GiB\"\nlocal_medium = {medium:?}\n");
            let mut site = database(350.0, "pure-host", "");
            let lines = format!("{}{more}", site.text);
            site = read(&lines);
            let predicted = replay(&site);
            let part = memory * 1024.0_f64.powi(3) / size;
            let missed = if part < 1.0 { 1.0 - part + part * part.ln() } else { 0.0 };
            let read = CATALOG.media[medium].random_read.value.base();
            let pages = rows * number("replay.scattered") * missed;
            let cells = [CATALOG.media[medium].entry.title.clone(), format!("{memory} GiB")];
            let error = number("recovery.rows") * number("recovery.replay");
            table.row(&cells, error * (work + pages * read), predicted);
        }
    }
    table.text
}

#[test]
fn the_page_has_the_formulas_and_what_the_model_says() {
    let fresh = format!(
        "# The model beside formulas of one line\n\n\
         What `plimsoll predict` estimates where one mechanism alone decides, beside the formula. Made and checked by \
         `cargo test --test it system::first_principles`;\n`tests/renew.sh pages` renews it. The equations are those of [model.md](model.md).\n\n\
         ## Forced writes by medium and writers\n\n\
         Each writer forces one page of 8 KiB after the other (`fstst` with commit), on four drives in mirrored pairs of a server without a controller's protected memory and on XFS.\n\
         Formula: writers ÷ (flush + request + page ÷ rate of forced writes), at most the rate of forced writes; on disks at most drives ÷ flush, since the arm waits for each. Drives without power-loss protection flush\n\
         for all who wait at once: n writers take two flushes, and `commit.joined` for each that joins.\n\n{}\n\
         ## Commits by filesystem and writers\n\n\
         Measured by `tests/filesystems.sh` ([benchmark.md](benchmark.md#forced-writes-on-three-filesystems)), beside the model on a medium whose flush is what one and two writers say (their geometric mean, of 1/x₁ and 1/x₂) and, for pages,\n\
         whose rate of forced writes is what 32 reach. These are in sample, 4 to 16 are not, nor 32 of a journal, but that `commit.joined` (8 %) was set by the journals of four and more.\n\n{}\n\
         ## Flushes of a journal at two plain disks\n\n\
         Commits of text that come at a rate λ to flushes of length D, on a pair of 15,000 /min disks of a server without a controller's protected memory. Formula: λD ÷ (λD + e^(−λD)), since a flush takes all who came during the one before; never more than one arm.\n\n{}\n\
         ## Waits for a rare command that has a table alone for long\n\n\
         `p4 have` of ten files beside `p4 client -d` of large workspaces, where reads lock their tables. Formula: λ · E[V²] ÷ 2 for holds of length V that come at a rate λ (server interruptions, Doshi 1986), with exponential sizes λ · E[V]².\n\n{}\n\
         ## A transfer by round trip, window and threads\n\n\
         One client behind a line of 10 Gb/s syncs 10 GB. Formula: threads × window ÷ round trip, at most the line and the server's own network one after the other.\n\n{}\n\
         ## Reads over NFS by slots and clients\n\n\
         Clients read pages one after the other from a filer whose disks, ports and link hold nobody up. Formula: the smaller of clients and slots, over the time of a call.\n\n{}\n\
         ## A replay of a checkpoint by medium and memory\n\n\
         A database of 350 GB on twelve drives of a server of 2017. Formula: `recovery.rows` · `recovery.replay` · (rows · `row_load` + text · (`byte` + `decompress`) + rows · `replay.scattered` · (1 − m + m ln m) · random read), m = memory ÷ database.\n\n{}\n\
         ## Waking by pause\n\n\
         What an action took on the median after pauses in which the machine was idle, in µs, measured by `plimsoll bench --only idle` on a virtual machine of two cores under KVM; in brackets\n\
         T₀ + (T₁₀₀ − T₀) · (1 − e^(−pause ÷ τ)) ÷ (1 − e^(−100 ms ÷ τ)) with τ = `wake.after`.\n\n{}\n\
         ## Waking by load\n\n\
         `p4 changes` on a virtual machine of one core, over a server of its own hardware. Formula: `wake.delay` · (1 − ρ) ÷ (1 + λ · `wake.after`) (exceptional first service, Welch 1964; the idle time that a command meets is exponential).\n\n{}\n\
         ## Published recoveries\n\n\
         {}",
        forced_writes(),
        group_commit(),
        flushes(),
        interruptions(),
        distance(),
        nfs(),
        replays(),
        waking::by_pause(),
        waking::by_load(),
        recoveries::section()
    );
    crate::kept::page(PAGE, &fresh);
}
