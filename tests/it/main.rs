//! One binary for all integration tests: it links once.

mod catalog;
mod queueing;
