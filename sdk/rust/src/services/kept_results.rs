//! Results that the host keeps although they depend on data of the plugin, such as a measured load. `BERTH_SERVICE_KEPT`:
//! name it in [`Plugin::NEEDS`](crate::Plugin::NEEDS), and declare what the results depend on besides.
use crate::host::{ask, Host};

impl Host {
    /// From a call that runs alone: the plugin's data about the row has changed, so the host calls the plugin again for it.
    /// A row without a node is ignored.
    pub fn row_changed(&self, row: u32) {
        unsafe { ask!(self.0, kept.row_changed)(self.0.raw, row) }
    }
    /// From a call that runs alone: the plugin's data about every row has changed.
    pub fn all_rows_changed(&self) {
        unsafe { ask!(self.0, kept.all_changed)(self.0.raw) }
    }
}
