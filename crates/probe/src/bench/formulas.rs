//! The time that a test measured, as a sum of products of the model's own numbers: the same sums that
//! `system` makes for a command.
//!
//! Each figure is a formula of the model's own numbers, the same sums that `system` makes for a command:
//!
//! | figure | is |
//! |---|---|
//! | time of a read from the device, few at once | request + front end + random read ÷ read efficiency |
//! | time a read, many at once, if that saturates | random read ÷ (read efficiency × disks × parallelism) |
//! | how much reads vary, one at a time | `read_variation` |
//! | time of a byte of a sequential read, many at once | 1 ÷ (stream × disks) |
//! | time of a write past the page cache | request + acknowledgement + page ÷ write bandwidth; left out of a server's own flash |
//! | time of a byte of sequential writes, many at once | 1 ÷ write bandwidth; of a server's own flash 1 ÷ (forced writes × disks) |
//! | time of a page written and committed | forced page writes × time of a write, with the flush of a server's own flash as its acknowledgement |
//! | the same on an export | round trips of a synchronous write × (request + service of the filer) |
//! | a lock taken and given back on an export | round trips of a lock × request |
//! | a row read by key in memory | the clock ticks of a Skylake for it ÷ (clock × instructions per clock) |
//! | a byte of text packed, unpacked in memory | its time in 2017 × the speed of that host ÷ (clock × instructions per clock) |
//! | a round trip between hosts; time of a byte | round trip; 1 ÷ (bandwidth × efficiency) |
//!
//! where a request is the protocol's overhead and the network's round trip. What was not measured, or is not
//! believed, is left out and told. Times are means, threads over rate, since sums of means are means.

use super::evidence::id;
use super::matrix::{BLOCK, PAGE};
use super::network::result::Rounds;
use super::result::{Measured, Tested};
use super::rows::ROWS;
use super::standing::Standing;
use super::steady::Verdict;
use crate::calibration::{Calibration, Dimension};
use crate::catalog::{Access, Catalog};
use crate::experiment::{Formula, Named, Product};
use crate::origin::Sourced;
use crate::posterior::{EntryKind, NumberId};
use crate::system::Used;
use crate::units::{Quantity, Seconds};

/// Rounds that agree better than this agree by chance: one-sigma relative error.
const SPREAD_MIN: f64 = 0.02;
/// What the formulas leave out: the block layer's merging, processor time of the loop.
const FORMULA: f64 = 0.05;
/// The parameter that holds the clock ticks of a Skylake for a row of our test.
const TICKS: &str = "bench.row_ticks";
/// The parameter that holds the speed of the host of 2017, of which the times of a byte are.
const SPEED: &str = "speed.2017";
/// The tests of packed text, and the parameters that they tell.
pub(super) const PACKING: [(&str, &str); 2] = [("deflate.1", "compress"), ("inflate.1", "decompress")];
/// Another implementation of deflate than p4d's, on text that is made up: one-sigma relative error.
const OTHER_PACKING: f64 = 0.3;
/// How often a host interrupts its guests is in the percentiles as well: one-sigma relative error (assumed).
const INTERRUPTED: f64 = 0.2;
/// Many at once saturate a device if each takes longer than this times what it takes alone.
const SATURATED: f64 = 1.5;

/// A formula for each test that says something of the volume that `standing` names, and what was left out.
pub(super) fn formulas(
    measured: &Measured,
    standing: &Standing,
    (catalog, calibration): (&Catalog, &Calibration),
) -> (Vec<Formula>, Vec<String>) {
    let mut maker = Maker {
        measured,
        standing,
        catalog,
        calibration,
        formulas: Vec::new(),
        left_out: standing.missing().into_iter().map(str::to_owned).collect(),
    };
    maker.reads();
    maker.variation();
    maker.writes();
    maker.commits();
    maker.locks();
    maker.network();
    maker.processor();
    maker.packing();
    (maker.formulas, maker.left_out)
}

struct Maker<'a> {
    measured: &'a Measured,
    standing: &'a Standing,
    catalog: &'a Catalog,
    calibration: &'a Calibration,
    formulas: Vec<Formula>,
    left_out: Vec<String>,
}

fn named<Q: Quantity>(id: NumberId, number: &Sourced<Q>) -> Named {
    let shown = number.value.to_string();
    plain(id, number.value.base(), number, shown)
}

fn plain<T>(id: NumberId, value: f64, number: &Sourced<T>, shown: String) -> Named {
    Named { id, used: Used { value, shown, origin: number.origin.clone(), spread: number.spread } }
}

fn number(id: NumberId, number: &Sourced<f64>) -> Named {
    plain(id, number.value, number, number.value.to_string())
}

/// A number times a constant.
fn times(times: f64, number: Named) -> Product {
    Product { times, numbers: vec![number], over: Vec::new() }
}

/// A constant over numbers.
fn over(times: f64, over: Vec<Named>) -> Product {
    Product { times, numbers: Vec::new(), over }
}

impl Maker<'_> {
    /// Operations one after the other in each thread: the mean time of one \[s\].
    fn time_of(&mut self, id: &str) -> Option<(f64, Tested)> {
        let test = self.measured.test(id)?.clone();
        if test.verdict == Verdict::NotDurable {
            self.left_out.push(format!("{id}: its commits reached no device"));
            return None;
        }
        Some((test.threads as f64 / test.iops, test))
    }

    fn add(&mut self, test: &Tested, measured: f64, sum: Vec<Product>) {
        let rounds: Vec<f64> = test.rounds.iter().filter(|r| **r > 0.0).map(|r| r.ln()).collect();
        let n = rounds.len() as f64;
        let mean = rounds.iter().sum::<f64>() / n.max(1.0);
        let squares: f64 = rounds.iter().map(|r| (r - mean).powi(2)).sum();
        let spread = if rounds.len() > 1 { (squares / (n - 1.0)).sqrt() } else { 0.2 };
        // What does not settle says less than its rounds seem to.
        let unsettled = match test.verdict {
            Verdict::Steady => 0.0,
            Verdict::Noisy => 0.1,
            Verdict::Drifting | Verdict::Burst | Verdict::Unknown | Verdict::NotDurable => 0.25,
        };
        self.formula(&test.id, (measured, spread.clamp(SPREAD_MIN, 1.0)), unsettled, sum);
    }

    fn formula(&mut self, test: &str, (measured, spread): (f64, f64), unsettled: f64, sum: Vec<Product>) {
        self.formulas.push(Formula {
            id: id(self.measured, test),
            sum,
            dimension: Dimension::Time,
            measured,
            spread,
            sigma: FORMULA.hypot(unsettled),
        });
    }

    /// What every request costs before it reaches the store.
    fn request(&self) -> Vec<Product> {
        let mut sum = Vec::new();
        if let Some(id) = &self.standing.protocol {
            let protocol = &self.catalog.protocols[id];
            let name = EntryKind::Protocol.number(id, "command_overhead");
            sum.push(times(1.0, named(name, &protocol.command_overhead)));
        }
        if let Some(id) = &self.standing.network {
            let network = &self.catalog.networks[id];
            let name = EntryKind::Network.number(id, "round_trip");
            sum.push(times(1.0, named(name, &network.round_trip)));
        }
        sum
    }

    fn is_export(&self) -> bool {
        let protocol = self.standing.protocol.as_ref();
        protocol.is_some_and(|id| self.catalog.protocols[id].access == Access::File)
    }

    /// Numbers below the line of a read: how much of the device reads get through the filesystem.
    fn efficiency(&self) -> Vec<Named> {
        let of = |id: &String| {
            let name = EntryKind::Filesystem.number(id, "read_efficiency");
            named(name, &self.catalog.filesystems[id].read_efficiency)
        };
        self.standing.filesystem.iter().map(of).collect()
    }

    fn disks(&self) -> f64 {
        self.standing.disks.unwrap_or(1.0)
    }

    /// The speed of a core, by rows in memory; the echo is shown only: it is the system's as much as the processor's.
    fn processor(&mut self) {
        let Some((time, test)) = self.time_of_core("rows.1") else {
            return;
        };
        let Some(below) = self.speed_of_core() else {
            let why = "rows.1: the processor's family is not known: --as processor=ID names it";
            self.left_out.push(why.to_owned());
            return;
        };
        let Some(ticks) = self.parameter(TICKS) else {
            return;
        };
        // The reference errs by as much as its machine is unknown.
        let spread = ticks.used.spread;
        let row = Product { times: 1.0, numbers: vec![ticks], over: below };
        self.add_of_core(&test, time / ROWS as f64, row, spread);
    }

    /// The processor's work for a byte of a checkpoint's text; of a processor that is not known the rows say so.
    fn packing(&mut self) {
        for (test, id) in PACKING {
            let numbers = self.parameter(id).zip(self.parameter(SPEED));
            let (Some((time, test)), Some(below), Some((byte, speed))) =
                (self.time_of_core(test), self.speed_of_core(), numbers)
            else {
                continue;
            };
            let byte = Product { times: 1.0, numbers: vec![byte, speed], over: below };
            self.add_of_core(&test, time / BLOCK as f64, byte, OTHER_PACKING);
        }
    }

    /// The median time of an operation \[s\]: what other programs take from the processor now and then is not its speed.
    fn time_of_core(&mut self, id: &str) -> Option<(f64, Tested)> {
        let (mean, test) = self.time_of(id)?;
        let time = test.latency_s.map_or(mean, |times| times.p50);
        Some((time, test))
    }

    /// The speed of a core, below the line: instructions per clock and clock, where the processor's family is known.
    fn speed_of_core(&self) -> Option<Vec<Named>> {
        let id = self.standing.processor.as_ref()?;
        let processor = &self.catalog.processors[id];
        Some(vec![
            number(EntryKind::Processor.number(id, "ipc"), &processor.ipc),
            named(EntryKind::Processor.number(id, "clock"), &processor.clock),
        ])
    }

    fn parameter(&self, id: &str) -> Option<Named> {
        let parameter = self.calibration.parameter(id)?;
        Some(Named { id: NumberId::parameter(id), used: Used::of_parameter(parameter) })
    }

    /// A figure of the processor, whose reference errs by so much besides.
    fn add_of_core(&mut self, test: &Tested, time: f64, product: Product, reference: f64) {
        self.add(test, time, vec![product]);
        if let Some(formula) = self.formulas.last_mut() {
            formula.sigma = formula.sigma.hypot(reference);
        }
    }

    fn reads(&mut self) {
        let (Some(medium), Some(array)) = (&self.standing.medium, &self.standing.array) else {
            return;
        };
        let (m, a) = (&self.catalog.media[medium], &self.catalog.arrays[array]);
        let read = || named(EntryKind::Medium.number(medium, "random_read"), &m.random_read);
        let mut alone = None;
        for threads in [1, 4, 16] {
            let Some((time, test)) = self.time_of(&format!("read.8k.random.{threads}")) else {
                continue;
            };
            let alone = *alone.get_or_insert(time);
            if time <= SATURATED * alone {
                let mut sum = self.request();
                let front = named(EntryKind::Array.number(array, "front_end"), &a.front_end);
                sum.push(times(1.0, front));
                sum.push(Product { over: self.efficiency(), ..times(1.0, read()) });
                self.add(&test, time, sum);
            } else if threads == 16 {
                let parallel = number(EntryKind::Medium.number(medium, "parallelism"), &m.parallelism);
                let mut below = self.efficiency();
                below.push(parallel);
                let page = Product { over: below, ..times(1.0 / self.disks(), read()) };
                self.add(&test, 1.0 / test.iops, vec![page]);
            }
        }
        if let Some((_, test)) = self.time_of("read.64k.sequential.16") {
            let stream = named(EntryKind::Medium.number(medium, "stream"), &m.stream);
            let byte = 1.0 / (test.iops * BLOCK as f64);
            self.add(&test, byte, vec![over(1.0 / self.disks(), vec![stream])]);
        }
    }

    /// How much one read varies from the next.
    fn variation(&mut self) {
        let Some(medium) = &self.standing.medium else {
            return;
        };
        let alone = self.measured.test("read.8k.random.1");
        let alone = alone.filter(|test| test.verdict != Verdict::NotDurable);
        let Some(found) = alone.and_then(|test| test.latency_s?.variation()) else {
            return;
        };
        let name = EntryKind::Medium.number(medium, "read_variation");
        let assumed = &self.catalog.media[medium].read_variation;
        self.formulas.push(Formula {
            id: id(self.measured, "read.8k.random.1 variation"),
            sum: vec![times(1.0, number(name, assumed))],
            dimension: Dimension::Number,
            measured: found,
            spread: INTERRUPTED,
            sigma: 0.0,
        });
    }

    /// The medium that makes forced writes durable itself: a server's own flash, a cloud volume.
    fn written_through(&self) -> Option<&str> {
        let medium = self.standing.medium.as_ref()?;
        let array = &self.catalog.arrays[self.standing.array.as_ref()?];
        let is_own = array.protocols.iter().any(|protocol| protocol == "local");
        (is_own && self.catalog.media[medium].kind == "flash").then_some(medium)
    }

    /// Rate of forced writes: of a medium's drives together, or of a store with protected memory.
    fn rate(&self, array: &str) -> (f64, Named) {
        if let Some(id) = self.written_through() {
            let medium = &self.catalog.media[id];
            let name = EntryKind::Medium.number(id, "forced_write");
            return (1.0 / self.disks(), named(name, &medium.forced_write));
        }
        let rate = &self.catalog.arrays[array].write_bandwidth;
        (1.0, named(EntryKind::Array.number(array, "write_bandwidth"), rate))
    }

    /// The time of one write of a page that has been made durable.
    fn write(&self, array: &str) -> Vec<Product> {
        let a = &self.catalog.arrays[array];
        let mut sum = self.request();
        if self.is_export() {
            let service = named(EntryKind::Array.number(array, "sync_service"), &a.sync_service);
            sum.push(times(1.0, service));
        } else {
            let acknowledged = match self.written_through() {
                Some(id) => named(EntryKind::Medium.number(id, "flush"), &self.catalog.media[id].flush),
                None => named(EntryKind::Array.number(array, "write_ack"), &a.write_ack),
            };
            sum.push(times(1.0, acknowledged));
            let (share, rate) = self.rate(array);
            sum.push(over(share * PAGE as f64, vec![rate]));
        }
        sum
    }

    fn writes(&mut self) {
        let Some(array) = &self.standing.array else {
            return;
        };
        // A drive's own memory has a direct write before it is durable: only a commit tells of that.
        if !self.is_export()
            && self.written_through().is_none()
            && let Some((time, test)) = self.time_of("direct-write.8k.random.1")
        {
            self.add(&test, time, self.write(array));
        }
        if let Some((_, test)) = self.time_of("direct-write.64k.sequential.16") {
            let byte = 1.0 / (test.iops * BLOCK as f64);
            let (share, rate) = self.rate(array);
            self.add(&test, byte, vec![over(share, vec![rate])]);
        }
    }

    fn commits(&mut self) {
        let Some(array) = &self.standing.array else {
            return;
        };
        let writes = if self.is_export() {
            self.standing.protocol.as_ref().map(|id| {
                let trips = &self.catalog.protocols[id].sync_round_trips;
                number(EntryKind::Protocol.number(id, "sync_round_trips"), trips)
            })
        } else {
            self.standing.filesystem.as_ref().map(|id| {
                let forced = &self.catalog.filesystems[id].forced_page_writes;
                number(EntryKind::Filesystem.number(id, "forced_page_writes"), forced)
            })
        };
        if let Some((time, test)) = self.time_of("write-commit.8k.random.1") {
            let mut sum = self.write(array);
            for product in &mut sum {
                product.numbers.extend(writes.clone());
            }
            self.add(&test, time, sum);
        }
    }

    fn locks(&mut self) {
        let Some(id) = self.standing.protocol.as_ref().filter(|_| self.is_export()) else {
            if let Some(test) = self.measured.test("lock.flock.alone.1") {
                self.left_out.push(format!(
                    "lock.*: a lock of this kernel takes {}; the model has it in the time of a command",
                    Seconds::new(1.0 / test.iops)
                ));
            }
            return;
        };
        let trips = &self.catalog.protocols[id].lock_round_trips;
        let trips = number(EntryKind::Protocol.number(id, "lock_round_trips"), trips);
        for test in ["lock.flock.alone.1", "lock.fcntl.alone.1"] {
            let Some((time, test)) = self.time_of(test) else {
                continue;
            };
            let mut sum = self.request();
            for product in &mut sum {
                product.numbers.push(trips.clone());
            }
            self.add(&test, time, sum);
        }
    }

    fn network(&mut self) {
        let Some(found) = &self.measured.network else {
            return;
        };
        let Some(id) = &self.standing.network else {
            return;
        };
        let network = &self.catalog.networks[id];
        let relative = |rounds: &Rounds| {
            let width = (rounds.high - rounds.low) / rounds.median;
            // The range of five observations is 2.3 σ wide.
            (width / 2.3).clamp(SPREAD_MIN, 1.0)
        };
        let smallest = found.round_trips.iter().min_by_key(|trip| trip.message_bytes);
        if let Some(trip) = smallest {
            let name = EntryKind::Network.number(id, "round_trip");
            let sum = vec![times(1.0, named(name, &network.round_trip))];
            let measured = (trip.p50_s.median, relative(&trip.p50_s));
            self.formula("round trip", measured, 0.0, sum);
        }
        let best = found.bandwidths.iter().max_by(|a, b| a.bytes_per_s.median.total_cmp(&b.bytes_per_s.median));
        if let Some(best) = best.filter(|best| best.bytes_per_s.median > 0.0) {
            let below = vec![
                named(EntryKind::Network.number(id, "bandwidth"), &network.bandwidth),
                named(EntryKind::Network.number(id, "efficiency"), &network.efficiency),
            ];
            let measured = (1.0 / best.bytes_per_s.median, relative(&best.bytes_per_s));
            self.formula("bandwidth", measured, 0.0, vec![over(1.0, below)]);
        }
    }
}
