//! Kinds of work: which clients send which commands, and which target judges their response time.
//!
//! What a kind of work is decides what is done with it; its name ([`std::fmt::Display`]) is for printing only. An
//! office may be called anything, "Lyon (automation)" or "large syncs" too.

use std::fmt;

use crate::catalog::Response;
use crate::site::Target;

/// Clients who do the same: people of one office, builds and scripts, large syncs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Clients {
    /// People beside the server.
    MainOffice,
    /// People of a distant office, by its name, which no other office of the site has.
    Office(String),
    /// Builds, scripts and pollers.
    Automation,
    /// Syncs of whole workspaces.
    LargeSyncs,
    /// Those of a distant office, by its name.
    LargeSyncsOf(String),
    /// Commands that touch a whole workspace or branch.
    LongCommands,
    /// Checkpoints of the live database.
    LiveCheckpoints,
    /// Commands that a scenario sends all at once, and when.
    Herd(String),
    /// Clients of a benchmark, by their name there.
    Benchmark(String),
}

impl Clients {
    /// What they are, in one word or two, whatever they are called.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::MainOffice => "main office",
            Self::Office(_) => "office",
            Self::Automation => AUTOMATION,
            Self::LargeSyncs | Self::LargeSyncsOf(_) => "large syncs",
            Self::LongCommands => "long commands",
            Self::LiveCheckpoints => CHECKPOINTS,
            Self::Herd(_) => "herd",
            Self::Benchmark(_) => "benchmark",
        }
    }

    /// Where they are, if that is an office of its own: the name of the line to it.
    pub fn place(&self) -> &str {
        match self {
            Self::Benchmark(name) => name,
            other => other.office().unwrap_or("the main office"),
        }
    }

    /// The distant office that they are in, if any.
    pub fn office(&self) -> Option<&str> {
        match self {
            Self::Office(name) | Self::LargeSyncsOf(name) => Some(name),
            _ => None,
        }
    }

    /// Whether they are syncs of whole workspaces, wherever.
    pub fn are_large_syncs(&self) -> bool {
        matches!(self, Self::LargeSyncs | Self::LargeSyncsOf(_))
    }
}

/// "developers", "developers (Montreal)", "automation", "large syncs", "large syncs (Montreal)".
impl fmt::Display for Clients {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MainOffice => f.write_str("developers"),
            Self::Office(name) => write!(f, "developers ({name})"),
            Self::Automation => f.write_str(AUTOMATION),
            Self::LargeSyncs => f.write_str("large syncs"),
            Self::LargeSyncsOf(name) => write!(f, "large syncs ({name})"),
            Self::LongCommands => f.write_str("long commands"),
            Self::LiveCheckpoints => f.write_str(CHECKPOINTS),
            Self::Herd(at) => write!(f, "herd at {at}"),
            Self::Benchmark(name) => f.write_str(name),
        }
    }
}

/// What builds and scripts are called; an office of this name is printed as "office automation".
const AUTOMATION: &str = "automation";
/// What checkpoints of the live database are called.
const CHECKPOINTS: &str = "live checkpoints";

/// What is done.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Task {
    /// Commands whose response somebody waits for, by the kind of response.
    Response(Response),
    /// A large sync while as many run at once as the site states.
    AtOnce,
    /// A command that runs in the background, by its id in `models/commands`.
    Background(String),
}

/// A kind of work.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Work {
    /// Who does it.
    pub clients: Clients,
    /// What they do.
    pub task: Task,
}

impl Work {
    /// What the clients do with a command: `response` is what the command's file says.
    pub fn new(clients: &Clients, response: Option<Response>, command: &str) -> Self {
        Self {
            clients: clients.clone(),
            task: response.map_or_else(|| Task::Background(command.to_owned()), Task::Response),
        }
    }

    /// A large sync of these clients while as many run at once as the site states.
    pub fn at_once(clients: &Clients) -> Self {
        Self { clients: clients.clone(), task: Task::AtOnce }
    }

    /// Whether it is a large sync while as many run at once as the site states: a time beside that of the usual peak, and no more
    /// work.
    pub fn is_at_once(&self) -> bool {
        self.task == Task::AtOnce
    }

    /// Whether a person or a script waits for it, unlike work in the background.
    pub fn is_awaited(&self) -> bool {
        !matches!(self.task, Task::Background(_))
    }

    /// Whether it is the sync of a whole workspace.
    pub fn is_large_sync(&self) -> bool {
        self.clients.are_large_syncs()
    }

    /// Whether it is done by people beside the server, or for them.
    pub fn is_at_main_office(&self) -> bool {
        matches!(self.clients, Clients::MainOffice | Clients::LargeSyncs)
    }

    /// The target that judges it; none for what no person waits for.
    ///
    /// ```
    /// use plimsoll_model::catalog::Response;
    /// use plimsoll_model::site::Target;
    /// use plimsoll_model::workload::{Clients, Work};
    ///
    /// let sync = |clients: &Clients| Work::new(clients, Some(Response::Sync), "sync");
    /// let office = Clients::Office("Lyon (automation)".to_owned());
    /// assert_eq!(sync(&office).target(), Some(Target::Sync));
    /// assert_eq!(sync(&Clients::LargeSyncs).target(), Some(Target::LargeSync));
    /// assert_eq!(sync(&Clients::Automation).target(), None);
    /// ```
    pub fn target(&self) -> Option<Target> {
        match (&self.clients, &self.task) {
            (_, Task::Background(_)) | (Clients::Automation | Clients::LongCommands, _) => None,
            (_, Task::AtOnce) => Some(Target::LargeSync),
            (clients, Task::Response(_)) if clients.are_large_syncs() => Some(Target::LargeSync),
            (_, Task::Response(response)) => Some(match response {
                Response::Browse => Target::Browse,
                Response::Edit => Target::Edit,
                Response::Sync => Target::Sync,
                Response::Submit => Target::Submit,
            }),
        }
    }

    /// What is done, without who does it: "browse", "large sync", "large sync, all at once", "journal-pull".
    pub fn what(&self) -> &str {
        match (&self.clients, &self.task) {
            (_, Task::AtOnce) => "large sync, all at once",
            (clients, _) if clients.are_large_syncs() => "large sync",
            (Clients::LiveCheckpoints, _) => "live checkpoint",
            (_, Task::Response(response)) => response.word(),
            (_, Task::Background(command)) => command,
        }
    }

    /// Who does it, to follow what is done: " (Montreal)", " (automation)"; empty of people beside the server.
    pub fn in_brackets(&self) -> String {
        match &self.clients {
            Clients::MainOffice | Clients::LargeSyncs | Clients::LiveCheckpoints => String::new(),
            Clients::Office(name) | Clients::LargeSyncsOf(name) if name == AUTOMATION => {
                format!(" (office {name})")
            }
            Clients::Office(name) | Clients::LargeSyncsOf(name) => format!(" ({name})"),
            other => format!(" ({other})"),
        }
    }
}

/// "browse" for people beside the server, "browse (Montreal)", "large sync (Montreal)" and "browse (automation)" elsewhere.
impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.what(), self.in_brackets())
    }
}
