//! Measuring the hardware at hand.

mod busy;
mod environment;
mod hostile;
mod machine;
mod network;
mod network_plan;
