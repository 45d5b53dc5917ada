//! What would meet the targets that a deployment misses: one thing after the other is tried with the model, that first to which
//! most of the time goes.

use super::headroom::largest_part;
use super::targets::{is_met, missed_by_work};
use super::today::widen;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::Site;
use crate::system::{ClassPrediction, Deployment, Lens, PredictError, Prediction, ResourceKind, Spot, predict_through};
use crate::units::{Bytes, BytesPerSecond, Fraction, list};
use crate::workload::{Clients, Group, Load, Work};

/// So many times as fast, or this part of the bytes: what is bought or left out (assumed).
const TIMES: [f64; 3] = [2.0, 4.0, 10.0];

/// Something that may shorten a kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lever {
    /// Checkpoints of an offline copy in place of the live database.
    Checkpoints,
    /// TCP windows that fill the line.
    Window,
    /// A faster line to the office.
    Line,
    /// Faster clients.
    Clients,
    /// Fewer bytes of content.
    Content,
    /// More links to the clients.
    Links,
}

impl Lever {
    /// What may help a kind of work, most of whose time goes to this: what costs next to nothing first.
    fn of(kind: ResourceKind, is_distant: bool) -> impl Iterator<Item = Self> {
        let next = match (kind, is_distant) {
            (ResourceKind::Client, true) => [Self::Clients, Self::Content, Self::Line],
            (_, true) => [Self::Line, Self::Content, Self::Clients],
            (ResourceKind::ClientNetwork, false) => [Self::Links, Self::Content, Self::Clients],
            (_, false) => [Self::Clients, Self::Content, Self::Links],
        };
        let first = is_distant.then_some(Self::Window);
        [Self::Checkpoints].into_iter().chain(first).chain(next)
    }
}

/// A deployment whose peak misses targets.
struct Subject<'a> {
    known: (&'a Site, &'a Catalog, &'a Calibration),
    deployment: &'a Deployment,
    load: &'a Load,
    found: &'a Prediction,
}

/// For the kinds of work that miss their targets: what their time goes to, and what alone would meet them.
pub(super) fn helps(
    known: (&Site, &Catalog, &Calibration),
    (deployment, load): (&Deployment, &Load),
    found: &Prediction,
) -> Vec<Help> {
    let subject = Subject { known, deployment, load, found };
    let missed = missed_by_work(known.0, found).into_iter();
    let mut classes: Vec<&ClassPrediction> = missed.map(|missed| missed.class).collect();
    classes.dedup_by_key(|class| &class.work);
    let all = classes.into_iter().filter_map(|class| subject.help(class));
    let mut helps: Vec<Help> = Vec::new();
    for help in all {
        let alike = |known: &&mut Help| (known.kind, &known.by) == (help.kind, &help.by);
        match helps.iter_mut().find(alike) {
            Some(known) => known.of.extend(help.of),
            None => helps.push(help),
        }
    }
    helps
}

/// What would meet the targets of some kinds of work.
#[derive(Debug, Clone, PartialEq)]
pub struct Help {
    /// Each by name, with the share of its time that goes to one thing.
    of: Vec<(String, f64)>,
    /// What that is.
    kind: ResourceKind,
    /// What alone would meet their targets, in words; none where nothing does.
    by: Option<String>,
}

impl Help {
    /// "67 % of the time of submit goes to the clients themselves: clients that each take 500 MB/s would meet its target."
    pub fn sentence(&self) -> String {
        /// So many are named.
        const NAMED: usize = 2;
        let of = self.of.iter().take(NAMED).map(|(name, share)| {
            let share = Fraction::new(*share).estimated();
            format!("{share} of the time of {name}")
        });
        let more = self.of.len().saturating_sub(NAMED);
        let more = (more > 0).then(|| format!("most of that of {more} more"));
        let (of, to) = (list(&of.chain(more).collect::<Vec<_>>()), self.kind.in_words());
        let [goes, target] = match self.of.len() {
            1 => ["goes", "its target"],
            _ => ["go", "their targets"],
        };
        match &self.by {
            Some(by) => format!("{of} {goes} to {to}: {by} would meet {target}."),
            None => format!("{of} {goes} to {to}: nothing that can be bought or left out alone meets {target}."),
        }
    }
}

/// Work that takes less time by a setting that costs nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Faster {
    /// Which, as printed.
    pub work: String,
    /// 95th percentile as it is and then \[s\].
    pub p95: [f64; 2],
}

/// What gains most by TCP windows that fill each line; none where they do.
pub(super) fn by_wider_windows(
    (catalog, calibration): (&Catalog, &Calibration),
    (deployment, load): (&Deployment, &Load),
    found: &Prediction,
) -> Option<Faster> {
    let mut wide = load.clone();
    widen(&mut wide)?;
    let solved = predict_through(Lens::forgetful(), deployment, &wide, catalog, calibration);
    let solved = solved.and_then(|solved| solved.confirmed_by(&found.correction)).ok()?;
    let awaited = found.classes.iter().filter(|class| class.work.target().is_some());
    let faster = awaited.filter_map(|class| {
        let p95 = [class.p95.value, solved.class(&class.work)?.p95.value];
        let work = class.name.clone();
        Some(Faster { work, p95 })
    });
    let gain = |one: &Faster| one.p95[0] / one.p95[1];
    faster.max_by(|a, b| gain(a).total_cmp(&gain(b)))
}

/// What would carry the writes that an array does not take: "an array that takes more than 70 MB/s of writes would carry them".
pub(super) fn more_writes(catalog: &Catalog, error: &PredictError) -> Option<String> {
    let PredictError::Saturated { resource, utilization } = error else {
        return None;
    };
    let Spot::Writes(array) = &resource.spot else {
        return None;
    };
    let has = catalog.arrays.get(&array.id)?.write_bandwidth.value;
    let needs = BytesPerSecond::new(has.get() * utilization).estimated();
    Some(format!(
        "an array that takes more than {needs} of writes would carry them ({array} takes {})",
        has.estimated()
    ))
}

impl Subject<'_> {
    fn help(&self, class: &ClassPrediction) -> Option<Help> {
        let (kind, share) = largest_part(class)?;
        let mut levers = Lever::of(kind, class.work.clients.office().is_some());
        Some(Help {
            of: vec![(class.name.clone(), share)],
            kind,
            by: levers.find_map(|lever| self.meets(lever, &class.work)),
        })
    }

    /// The least of a lever that meets the targets of a kind of work, in words; none where none does.
    fn meets(&self, lever: Lever, work: &Work) -> Option<String> {
        TIMES.into_iter().find_map(|times| {
            let mut deployment = self.deployment.clone();
            let mut load = self.load.clone();
            let words = pull(lever, times, work, (&mut deployment, &mut load))?;
            let (site, catalog, calibration) = self.known;
            let lens = Lens::forgetful();
            let solved = predict_through(lens, &deployment, &load, catalog, calibration);
            let solved = solved.and_then(|solved| solved.confirmed_by(&self.found.correction));
            let solved = solved.ok()?;
            is_met(site, solved.class(work)?).then_some(words)
        })
    }
}

/// Makes a load or a deployment easier for a kind of work, and says what that is; none where it cannot be made so.
fn pull(lever: Lever, times: f64, work: &Work, (deployment, load): (&mut Deployment, &mut Load)) -> Option<String> {
    let office = work.clients.office();
    // There is no more of it than once.
    let is_first = times <= TIMES[0];
    match lever {
        Lever::Checkpoints => {
            let live = |group: &Group| group.clients == Clients::LiveCheckpoints;
            let are_there = is_first && load.groups.iter().any(live);
            load.groups.retain(|group| !live(group));
            are_there.then(|| "checkpoints of an offline copy".to_owned())
        }
        Lever::Window => {
            is_first.then(|| widen(load)).flatten()?;
            Some("TCP windows that fill the line, which cost nothing,".to_owned())
        }
        Lever::Line => {
            let mut rate = None;
            for group in &mut load.groups {
                let at_office = group.clients.office() == office;
                if let Some(line) = group.remote.as_mut().filter(|_| at_office) {
                    line.bandwidth *= times;
                    rate = Some(line.bandwidth);
                }
            }
            let rate = BytesPerSecond::new(rate?).in_bits();
            Some(format!("a line of {rate}"))
        }
        Lever::Clients => {
            load.client_rate *= times;
            let rate = BytesPerSecond::new(load.client_rate);
            let is_finite = rate.get().is_finite();
            is_finite.then(|| format!("clients that each take {rate}"))
        }
        Lever::Content => {
            let mut least = None;
            for group in load.groups.iter_mut().filter(|group| group.clients == work.clients) {
                for call in &mut group.calls {
                    call.bytes /= times;
                }
                let most = group.calls.iter().map(|call| call.bytes).fold(0.0, f64::max);
                least = (most > 0.0).then_some(most);
            }
            let part = Fraction::new(1.0 / times).estimated();
            least.map(|most| {
                if work.is_large_sync() {
                    format!("a sync of {}", Bytes::new(most).estimated())
                } else {
                    format!("{part} of the content")
                }
            })
        }
        Lever::Links => {
            deployment.client_links *= times;
            Some(format!("{} links to the clients", deployment.client_links))
        }
    }
}
