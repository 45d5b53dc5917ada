//! The simulator against exact answers, and what must hold in every network.

mod random_model;
mod support;
mod witness;

mod control;
mod exits;
mod finite_sources;
mod laws;
mod locks;
mod networks;
mod paired;
mod piling;
mod queues;
mod sources;
mod structure;
