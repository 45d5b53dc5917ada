//! The network between two hosts: round trips, and bandwidth by window and parallel streams.
//!
//! One host listens (`plimsoll bench --listen ADDR`), the other one connects and measures
//! (`plimsoll bench --connect ADDR`). Knows TCP and a clock. Must not know disks, sites or the model.
//!
//! - [`plan`]: what is measured, how often and how long; [`result`]: what came out;
//! - [`server`] and [`client`]: the two sides; `wire`: what they say to each other; `flow`: the data;
//!   `socket`: connections with windows.
//!
//! # Truth
//!
//! The receiver counts: bytes that its program has read between two moments of its own clock, after a
//! warm-up. Round trips have one message under way at a time, as a p4 command and its answer; the other
//! side reads the whole message before it answers. Data are new for every write, so that nothing on the
//! way can compress them or know them again. All kinds of test take turns in each round.
//!
//! # Safety
//!
//! The listener binds to the address that it is given and no other, serves one client at a time, and takes
//! parallel streams from that client alone, by a number that it made for this test. It writes no file and
//! runs no command. Each side bounds whatever the other one says: length of
//! lines, numbers, time. A test has a total time, its own and ten seconds more: a byte now and then prolongs
//! nothing.

pub mod client;
mod flow;
pub mod plan;
pub mod result;
pub mod server;
mod socket;
mod wire;

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use thiserror::Error;

use super::BenchError;
use super::stopwatch::now;

pub use client::connect;
pub use plan::NetworkPlan;
pub use result::NetworkResult;
pub use server::{Server, listen};
pub use socket::resolve;

/// Longest time without looking whether to stop.
const POLL: Duration = Duration::from_millis(50);

/// How long the other side may say nothing where it should.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why the network was not measured.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// The text is no address.
    #[error("`{text}` is no address with a port, such as `p4.example.com:7117`: {reason}")]
    Address {
        /// What was given.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The plan asks for what the other side would refuse.
    #[error("the plan cannot be carried out: {0}")]
    Plan(String),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {reason}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        reason: io::Error,
    },
    /// Nobody answers there.
    #[error("cannot connect to {address}: {reason}; is `plimsoll bench --listen` running there?")]
    Connect {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        reason: io::Error,
    },
    /// The other side says nothing.
    #[error("the other side sent nothing for {} s while {doing}", .patience.as_secs())]
    Silent {
        /// What was under way.
        doing: &'static str,
        /// How long it was waited for.
        patience: Duration,
    },
    /// The other side is too slow, or holds this one up.
    #[error("the other side took more than {} s for one test while {doing}", .limit.as_secs_f64())]
    Late {
        /// What was under way.
        doing: &'static str,
        /// How long the test could take at most.
        limit: Duration,
    },
    /// The other side hung up.
    #[error("the other side closed the connection while {doing}")]
    Closed {
        /// What was under way.
        doing: &'static str,
    },
    /// The other side does not speak our language, or says what cannot be.
    #[error("the other side is not the same `plimsoll bench`: while {doing} it sent `{said}`")]
    Foreign {
        /// What was under way.
        doing: &'static str,
        /// What it said, cut and without control characters.
        said: String,
    },
    /// The other side says why not.
    #[error("the other side refused: {0}")]
    Refused(String),
    /// The connection broke.
    #[error("the connection failed while {doing}: {reason}")]
    Io {
        /// What was under way.
        doing: &'static str,
        /// What the system says.
        reason: io::Error,
    },
    /// Somebody stopped it.
    #[error("interrupted")]
    Interrupted,
}

impl From<NetworkError> for BenchError {
    fn from(error: NetworkError) -> Self {
        match error {
            NetworkError::Interrupted => Self::Interrupted,
            NetworkError::Address { .. } | NetworkError::Plan(_) => Self::Refused(error.to_string()),
            _ => Self::Failed(error.to_string()),
        }
    }
}

impl NetworkError {
    /// For `map_err`: what was under way when the system said no.
    pub(crate) fn io(doing: &'static str) -> impl Fn(io::Error) -> Self {
        move |reason| Self::Io { doing, reason }
    }
}

/// Whether a read or write only ran into its time-out.
fn is_pause(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted)
}
