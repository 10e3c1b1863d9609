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
//! A plugin is a type with [`Plugin`] and a trait per extension point; [`library!`] names both, and creates the
//! exported symbol, the tables and the ELF note from them. The rules of the C headers (`berth/*.h`) about ownership and
//! threads are valid here as well. Types enforce them where possible: values borrowed for a call cannot be kept, and
//! calls that may set data of the attempt get `&mut Cycle`.
//!
//! | traits | when |
//! |---|---|
//! | [`PreEnqueue`], [`QueueSort`] | a pod in the queue |
//! | [`PreFilter`], [`Filter`] or [`FilterRows`], [`PostFilter`] | which nodes fit |
//! | [`PreScore`], [`Score`] or [`ScoreRows`] | which is best |
//! | [`Reserve`], [`Permit`], [`PreBind`], [`Bind`], [`PostBind`] | from the choice of a node to the bound pod |
//! | [`Events`] or [`Hints`] | which events retry a rejected pod |
//! | [`Deltas`], [`ObjectChanges`], [`PodChange`], [`Handover`], [`Succession`], [`CheckedArgs`] | outside of a pod's attempt |
//!
//! These are all tables of the headers, including drafts; [`services`] are functions of [`Host`] and [`Cycle`]. The
//! crate leaves out the parts of the C++ layer that use the ABI but are no part of it: the search for victims of
//! `preemption.hpp` (a [`Cycle::trial`] is what it is made of), and the readers of `args.hpp`.
//!
//! **Borrowed values** cannot be kept; this does not compile:
//!
//! ```compile_fail
//! # use berth_plugin::{Cycle, Error, Host, Plugin, Pod, PreEnqueue, Status};
//! struct Keeps(std::sync::Mutex<Vec<&'static str>>);
//! # impl Plugin for Keeps {
//! #     const NAME: &'static str = "keeps";
//! #     const VENDOR: &'static str = "example.org";
//! #     fn new(_: &Host) -> Result<Self, Error> { unimplemented!() }
//! # }
//! impl PreEnqueue for Keeps {
//!     fn pre_enqueue(&self, _cycle: &Cycle, pod: &Pod) -> Result<Status, Error> {
//!         self.0.lock().unwrap().push(pod.name());
//!         Ok(Status::Success)
//!     }
//! }
//! ```
//!
//! [`Host::keep_pod`] keeps a pod, and [`Host::keep`] keeps an [`Id`] that was read.
//!
//! **Panics** do not leave a plugin: each call from the host runs inside `catch_unwind`, and a panic becomes an ERROR with
//! its message and place. In a call without a status, the crate reports the same to the host, which counts the call as
//! failed, and logs a line. This requires `panic = "unwind"`, Rust's default. A panic while a panic unwinds, a stack overflow, and
//! `unsafe` code can still end the process.
#![warn(missing_docs)]

pub mod abi;
#[cfg(test)]
mod abi_layout;
mod args;
mod batch;
mod beside;
mod binding;
mod blocks;
pub mod constants;
mod cycle;
mod events;
mod guard;
mod host;
mod instance;
mod kept;
pub mod library;
mod note;
mod plugin;
mod queue;
pub mod services;
mod snapshot;
mod status;
mod tables;
mod tables_beside;
mod tables_binding;
#[cfg(feature = "testing")]
pub mod testing;
mod value;
mod views;

pub use args::{ArgsErrors, CheckedArgs};
pub use batch::{FilterRows, ScoreRows, Scored, Verdicts};
pub use beside::{Changes, Delta, Deltas, Handover, Object, ObjectChanges, ObjectKind, PodChange, Succession};
pub use binding::{Answer, Bind, Op, PendingOp, Permit, PostBind, PreBind, Reserve};
pub use blocks::list;
pub use cycle::{BindCycle, Cycle, ReasonNumber, Rows, TrialCycle};
pub use events::{Event, Events, Hints, Interest, Registration};
pub use host::{Host, Id};
pub use plugin::{Filter, Normalize, Plugin, PreEnqueue, PreFilter, PreFiltered, PreScore, Reuse, Score};
pub use queue::{Diagnosis, Nominate, PostFilter, PostFiltered, QueueSort, Queued};
pub use services::Objects;
pub use snapshot::Image;
pub use status::{Error, Reasons, Status, Text};
pub use value::{json_string, Kind, Value};
pub use views::{Labels, Node, NodeRecord, Pod, Pods};
