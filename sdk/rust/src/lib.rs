//! Plugins for the Berth scheduler, in Rust.
//!
//! ```
//! use berth_plugin::{Cycle, Error, Host, Node, Normalize, Plugin, Pod, Score};
//!
//! struct FewestPods;
//! impl Plugin for FewestPods {
//!     const NAME: &'static str = "fewestPods";
//!     const VENDOR: &'static str = "example.org";
//!     fn new(_host: &Host) -> Result<Self, Error> {
//!         Ok(FewestPods)
//!     }
//! }
//! impl Score for FewestPods {
//!     const NORMALIZE: Normalize = Normalize::Reverse; // the smallest count becomes 100
//!     fn score(&self, _cycle: &Cycle, _pod: &Pod, node: &Node) -> Result<i64, Error> {
//!         Ok(node.pods().count() as i64)
//!     }
//! }
//! berth_plugin::library!(FewestPods: score);
//! # fn main() {}
//! ```
//!
//! A plugin is a type with [`Plugin`] and a trait per extension point; [`library!`] names both, and makes the exported
//! symbol, the tables and the ELF note of them. What the C headers (`berth/*.h`) say about ownership and threads holds
//! here as well; where the types can say it, they do: what is borrowed for a call cannot be kept, `&mut Cycle` comes
//! where data of the attempt may be set.
//!
//! **Panics** do not leave a plugin: each call from the host runs inside `catch_unwind`, and a panic becomes an ERROR with
//! its message and place, or a log line where the call has no status. That asks for `panic = "unwind"`, Rust's default.
//! A panic while a panic unwinds, a stack overflow, and `unsafe` code can still end the process.
#![warn(missing_docs)]

pub mod abi;
#[cfg(test)]
mod abi_layout;
mod args;
pub mod constants;
mod cycle;
mod guard;
mod host;
mod instance;
pub mod library;
mod note;
mod plugin;
mod status;
mod tables;
#[cfg(feature = "testing")]
pub mod testing;
mod value;
mod views;

pub use args::{ArgsErrors, CheckedArgs};
pub use cycle::{Cycle, Rows};
pub use host::{Host, Id};
pub use plugin::{
    Events, Filter, Interest, Normalize, Permit, Plugin, PostBind, PreEnqueue, PreFilter, PreFiltered, PreScore, Reserve, Reuse, Score,
};
pub use status::{Error, Status, Text};
pub use value::{json_string, Kind, Value};
pub use views::{Labels, Node, Pod};
