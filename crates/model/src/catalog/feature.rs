//! What releases of p4d brought, what an upgrade has to prepare, and the newest: `models/releases.toml`.
//!
//! It belongs to the binary: no folder on the command line changes what p4d has.

use std::sync::LazyLock;

use super::release::Release;
use crate::diag::Diagnostics;
use crate::document::{self, Reader};
use crate::origin::{Origin, Sourced};

/// The file as embedded.
const TEXT: &str = include_str!("../../../../models/releases.toml");

/// Declares the features with their ids in the file.
macro_rules! features {
    ($($(#[$doc:meta])* $feature:ident = $id:literal,)*) => {
        /// Something that p4d has from a release on.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Feature {
            $($(#[$doc])* $feature,)*
        }

        impl Feature {
            /// All, in the order of the file.
            pub const ALL: &'static [Self] = &[$(Self::$feature,)*];

            /// Its id in the file.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$feature => $id,)*
                }
            }
        }
    };
}

features! {
    /// Native I/O on Windows.
    NativeIo = "native-io",
    /// A sync can leave db.have alone (`p4 sync -p`).
    Populate = "populate",
    /// Settings are kept in the server (`p4 configure`).
    Configure = "configure",
    /// p4d stops before a volume is full (`filesys.*.min`).
    FreeSpaceLimits = "free-space-limits",
    /// Further commands are refused (`server.maxcommands`).
    MaxCommands = "max-commands",
    /// Commit and edge servers.
    Edges = "edges",
    /// Reads can do without locks, with `db.peeking` 2 or 3.
    Lockless = "lockless",
    /// A sync may have several threads (`net.parallel`).
    ParallelSyncs = "parallel-syncs",
    /// The kernel sizes TCP buffers (`net.autotune`).
    Autotune = "autotune",
    /// A workspace can have tables of its own (`Type: readonly`).
    ReadonlyWorkspaces = "readonly-workspaces",
    /// server.locks may lie elsewhere (`server.locks.dir`).
    ServerLocksDir = "server-locks-dir",
    /// A workspace that submits can have tables of its own (`Type: partitioned`).
    PartitionedWorkspaces = "partitioned-workspaces",
    /// Checkpoints by several threads.
    ParallelCheckpoints = "parallel-checkpoints",
    /// The memory of a command is logged and limited (`MaxMemory`).
    CommandMemory = "command-memory",
    /// Commands pause before memory is gone.
    ResourcePressure = "resource-pressure",
    /// Depots of all types but remote in object storage.
    Objects = "objects",
    /// Streams that branch a file when it is opened.
    SparseStreams = "sparse-streams",
    /// The changed parts of large files are sent alone.
    DeltaTransfer = "delta-transfer",
}

/// What the file says of a feature.
#[derive(Debug)]
struct Entry {
    title: String,
    since: Release,
    origin: Origin,
    words: Vec<String>,
    lacked: bool,
}

/// What an upgrade to a release or beyond it has to prepare.
#[derive(Debug)]
pub struct Upgrade {
    /// The release.
    pub to: Release,
    /// What rises by it, in a few words; none where nobody has to know before.
    pub rises: Option<String>,
    /// Whether the database is written anew by a checkpoint and its replay while p4d is down.
    pub rewrites: bool,
    /// What is done before.
    pub prepare: Sourced<String>,
}

/// An operating system that p4d runs on.
#[derive(Debug)]
struct Platform {
    system: String,
    /// The newest release that is known to run on it.
    newest: Sourced<Release>,
}

/// The file.
#[derive(Debug)]
struct Releases {
    newest: Release,
    platforms: Vec<Platform>,
    upgrades: Vec<Upgrade>,
    /// In the order of [`Feature::ALL`].
    features: Vec<Entry>,
}

static EMBEDDED: LazyLock<Releases> = LazyLock::new(|| {
    let mut diagnostics = Diagnostics::default();
    let source = diagnostics.add_source("models/releases.toml", TEXT);
    let root = document::parse(source, &diagnostics);
    let read = root.and_then(|root| Releases::read(&Reader::new(&root, &diagnostics)));
    assert!(!diagnostics.has_errors(), "embedded releases:\n{}", diagnostics.render());
    read.expect("one entry of models/releases.toml for each feature, in their order")
});

impl Releases {
    fn read(r: &Reader<'_>) -> Option<Self> {
        r.raw("schema");
        let newest = r.statement("newest")?.value.parse().ok()?;
        let platforms = r.tables("platform").into_iter().map(|r| {
            let newest = r.statement("newest")?;
            let platform = Platform {
                system: r.text("system")?.value,
                newest: Sourced::new(newest.value.parse().ok()?, newest.origin),
            };
            r.finish();
            Some(platform)
        });
        let platforms = platforms.collect::<Option<_>>()?;
        let upgrades = r.tables("upgrade").into_iter().map(|r| {
            let upgrade = Upgrade {
                to: r.text("to")?.value.parse().ok()?,
                rises: r.text("rises").map(|text| text.value),
                rewrites: r.boolean("rewrites").is_some_and(|b| b.value),
                prepare: r.statement("prepare")?,
            };
            r.finish();
            Some(upgrade)
        });
        let upgrades = upgrades.collect::<Option<_>>()?;
        let tables = r.tables("feature").into_iter();
        let entries = tables.zip(Feature::ALL).map(|(r, feature)| {
            let since = r.statement("since")?;
            let entry = Entry {
                title: r.text("title")?.value,
                since: since.value.parse().ok()?,
                origin: since.origin,
                words: r.texts("words").unwrap_or_default().into_iter().map(|word| word.value).collect(),
                lacked: r.boolean("lacked").is_some_and(|b| b.value),
            };
            let is_in_order = r.text("id")?.value == feature.id();
            r.finish();
            is_in_order.then_some(entry)
        });
        let features: Vec<Entry> = entries.collect::<Option<_>>()?;
        r.finish();
        let is_whole = features.len() == Feature::ALL.len();
        is_whole.then_some(Self { newest, platforms, upgrades, features })
    }
}

impl Feature {
    fn entry(self) -> &'static Entry {
        &EMBEDDED.features[self as usize]
    }

    /// The first release that has it.
    pub fn since(self) -> Release {
        self.entry().since
    }

    /// Where that is from.
    pub fn origin(self) -> &'static Origin {
        &self.entry().origin
    }

    /// What it is, as in "release 2012.1 lacks edges".
    pub fn title(self) -> &'static str {
        &self.entry().title
    }

    /// What stands for it in a command or a setting.
    pub fn words(self) -> &'static [String] {
        &self.entry().words
    }

    /// Whether a site is told that its release lacks it.
    pub fn is_lacked(self) -> bool {
        self.entry().lacked
    }

    /// The feature of an id.
    pub fn of(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|feature| feature.id() == id)
    }
}

impl Release {
    /// The newest that is known.
    pub fn newest() -> Self {
        EMBEDDED.newest
    }

    /// Whether it has something.
    ///
    /// ```
    /// use plimsoll_model::catalog::{Feature, Release};
    /// let release: Release = "2013.2".parse()?;
    /// assert!(release.has(Feature::Edges) && !release.has(Feature::Lockless));
    /// assert!(Feature::ALL.iter().all(|feature| Release::newest().has(*feature)));
    /// # Ok::<(), plimsoll_model::catalog::ReleaseError>(())
    /// ```
    pub fn has(self, feature: Feature) -> bool {
        self >= feature.since()
    }

    /// Whether it is known to run on an operating system, by its id: the notes of a release hold for the next year's too. False
    /// where that is not known.
    ///
    /// ```
    /// use plimsoll_model::catalog::Release;
    /// assert!(Release::newest().is_known_on("linux") && !Release::newest().is_known_on("solaris"));
    /// ```
    pub fn is_known_on(self, system: &str) -> bool {
        let platform = EMBEDDED.platforms.iter().find(|p| p.system == system);
        platform.is_some_and(|p| self.year() <= p.newest.value.year() + 1)
    }

    /// What an upgrade from this release to another has to prepare, the oldest first.
    pub fn upgrades_to(self, to: Self) -> impl Iterator<Item = &'static Upgrade> {
        let all = EMBEDDED.upgrades.iter();
        all.filter(move |upgrade| self < upgrade.to && upgrade.to <= to)
    }
}
