//! The simulator against exact answers, and what must hold in every network.

mod support;

mod locks;
mod networks;
mod queues;
mod sources;
mod structure;
