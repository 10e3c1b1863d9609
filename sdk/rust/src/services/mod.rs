//! The host's services in addition to strings, args and the log: most of them are functions of [`Host`](crate::Host)
//! and [`Cycle`](crate::Cycle). Name a service that the plugin cannot work without in
//! [`Plugin::NEEDS`](crate::Plugin::NEEDS). Name a draft, which may change in any release, there or in
//! [`USES`](crate::Plugin::USES). If the host lacks a service, its functions panic, which becomes an ERROR:
//! [`Host::offers`](crate::Host::offers) says whether the host has it.
//!
//! Functions with `&mut Cycle` are for calls that run alone. Data that C++ keeps as a pointer into the snapshot between
//! calls must be copied here: no borrowed value outlives its call.
mod api;
mod counts;
mod http;
mod kept_results;
mod metrics;
mod objects;
mod selectors;
mod tasks;
mod trial;
mod waiting;

pub use api::{ApiReply, ApiRequest, KeptPod};
pub use counts::{Domains, PodCounts, PodMatch, PodSet};
pub use http::HttpRequest;
pub use metrics::{Counter, Gauge, Histogram, Metric, MetricFamily};
pub use objects::{KeptNodeSelector, Objects};
pub use selectors::{CompiledAffinity, KeptSelector, LabelSelector, NodeAffinity, NodeTerm, RowBits, Selector};
pub use trial::{Candidate, Trial, TrialVerdict};
