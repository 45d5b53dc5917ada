//! Whether a network has product form, so that the arrival theorem holds.

use super::super::form::has_form;
use super::super::network::Network;

/// Whether the arrival theorem holds.
pub(super) fn has_product_form(network: &Network) -> bool {
    network.pools.is_empty()
        && network.classes.iter().all(|class| class.forks.is_empty())
        && (0..network.stations.len()).all(|k| has_form(network, k))
}
