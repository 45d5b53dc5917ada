//! What a checkpoint finds in the database beside its size.

use crate::site::Site;

/// The state of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Dump {
    /// Plain text of a checkpoint \[B\], where it is stated.
    pub text: Option<f64>,
    /// Share of the leaves that are out of order.
    pub out_of_order: f64,
    /// Whether that is assumed, and errs.
    pub is_order_assumed: bool,
    /// How long one takes of the database that people work on \[s\], where it is stated.
    pub takes: Option<f64>,
}

impl Dump {
    /// As a site answers.
    pub fn of(site: &Site) -> Self {
        let text = site.today.checkpoint_size.as_ref();
        let order = &site.data.db_out_of_order;
        Self {
            text: text.map(|size| size.value.get()),
            out_of_order: order.value.get(),
            is_order_assumed: !order.is_stated(),
            takes: site.today.checkpoint_time.as_ref().map(|time| time.value.get()),
        }
    }
}
