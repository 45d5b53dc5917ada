//! Measuring the hardware at hand.

mod busy;
mod environment;
mod evidence;
mod hostile;
mod judged;
mod machine;
mod measuring;
mod network;
mod network_plan;
mod results;
mod safety;
