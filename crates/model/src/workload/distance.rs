//! Distance: what one connection keeps in flight, and what the edges of distant offices are sent of each submit.
//!
//! Content is replicated as the larger of two statements says: what submits bring (submits × files × size of a file), and
//! what the depots grow by. An 800 TB depot that grows by 35 % a year takes 71 Mb/s as a mean; submits of ten average
//! files seldom come to that, since a few of them carry most of the growth.

use crate::site::Site;
use crate::units::{Seconds, YEAR};

/// Numbers of a site that count over a distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distance {
    /// Bytes that one TCP connection keeps in flight; infinite where nobody is distant.
    pub tcp_window: f64,
    /// Share of the submitted content that is sent to the edge of a distant office.
    pub edge_share: f64,
    /// Share of the content that such an edge has when it is asked.
    pub hits: f64,
    /// Content that depots grow by, over what submits bring: at least 1.
    pub growth: f64,
}

impl Default for Distance {
    /// Of a benchmark: all clients are beside the server.
    fn default() -> Self {
        Self { tcp_window: f64::INFINITY, edge_share: 0.0, hits: 0.0, growth: 1.0 }
    }
}

impl Distance {
    /// Of a site.
    pub fn of(site: &Site) -> Self {
        Self {
            tcp_window: site.server.tcp_window.value.get(),
            edge_share: site.edge.depot_share.value.get(),
            hits: site.proxy.hits.value.get(),
            growth: growth(site),
        }
    }
}

/// Growth of the depots over the content of all submits, where both size and growth of the depots are stated; 1 where they
/// grow by less, or where that is only assumed.
fn growth(site: &Site) -> f64 {
    let (data, work) = (&site.data, &site.workload);
    if !data.depot_size.is_stated() || !data.depot_growth.is_stated() {
        return 1.0;
    }
    let in_a_year = data.depot_growth.value.over(Seconds::new(YEAR)) - 1.0;
    let grown = data.depot_size.value.get() * in_a_year / YEAR;
    let a_submit = work.files_per_submit.value * data.file_size.value.get();
    let submitted = work.submits_per_day.value.get() * a_submit;
    if submitted > 0.0 { (grown / submitted).max(1.0) } else { 1.0 }
}
