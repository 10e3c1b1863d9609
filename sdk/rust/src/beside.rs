//! Tables in addition to the extension points: changes of rows and objects, trials, the handover, and the succession.
use crate::abi::*;
use crate::cycle::TrialCycle;
use crate::host::{text_of, Core, Host, Id};
use crate::plugin::Plugin;
use crate::status::{Error, Status};
use crate::value::Value;
use crate::views::{records, Labels, Node, NodeRecord, Pod};

/// Gets changes of nodes and pods, between two cycles; after activate, all nodes and pods.
pub trait Deltas: Plugin {
    /// Which kinds: `constants::BERTH_DELTA_NODES`, `BERTH_DELTA_PODS`.
    const KINDS: u32 = BERTH_DELTA_NODES | BERTH_DELTA_PODS;
    /// The changes, in their order.
    fn deltas(&self, changes: &Changes);
    /// The plugin's counts as text. Equal counts give equal text, independent of the changes that led to them: the host
    /// compares it with the text of a new instance.
    fn dump(&self) -> String {
        String::new()
    }
}

/// Some changes, in order.
pub struct Changes<'a> {
    core: &'a Core,
    list: berth_list,
}

impl<'a> Changes<'a> {
    pub(crate) fn new(core: &'a Core, list: berth_list) -> Self {
        Changes { core, list }
    }
    /// Skips kinds of a later host that this crate does not know.
    pub fn iter(&self) -> impl Iterator<Item = Delta<'_>> {
        records::<berth_delta>(self.list).filter_map(move |raw| unsafe { Delta::new(self.core, raw) })
    }
}

/// One change of a row.
#[allow(missing_docs)]
pub enum Delta<'a> {
    /// A node was added.
    NodeAdded { row: u32, node: NodeRecord<'a> },
    /// A node changed.
    NodeChanged { row: u32, node: NodeRecord<'a> },
    /// A node was removed; the record has its last state.
    NodeRemoved { row: u32, node: NodeRecord<'a> },
    /// A pod was added to the row, also an assumed pod.
    PodAdded { row: u32, pod: Pod<'a> },
    /// A pod was removed: the same record that was added.
    PodRemoved { row: u32, pod: Pod<'a> },
}

impl<'a> Delta<'a> {
    unsafe fn new(core: &'a Core, raw: &'a berth_delta) -> Option<Self> {
        let row = raw.row;
        let (node, pod) = (NodeRecord::maybe(raw.node), Pod::maybe(core, raw.pod));
        Some(match raw.kind {
            BERTH_DELTA_NODE_ADD => Delta::NodeAdded { row, node: node? },
            BERTH_DELTA_NODE_CHANGE => Delta::NodeChanged { row, node: node? },
            BERTH_DELTA_NODE_REMOVE => Delta::NodeRemoved { row, node: node? },
            BERTH_DELTA_POD_ADD => Delta::PodAdded { row, pod: pod? },
            BERTH_DELTA_POD_REMOVE => Delta::PodRemoved { row, pod: pod? },
            _ => return None,
        })
    }
}

/// A kind's number for this process: see [`Objects`](crate::Objects).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ObjectKind(pub(crate) u32);

/// Gets changes of objects of the kinds that it needs, between two cycles; after activate, all objects.
pub trait ObjectChanges: Plugin {
    /// `before` None: the object is new. `now` None: it was deleted.
    fn object_changed(&self, kind: ObjectKind, before: Option<Object>, now: Option<Object>);
}

/// An object of the cluster other than a pod or a node.
#[derive(Clone, Copy)]
pub struct Object<'a> {
    core: &'a Core,
    raw: &'a berth_object,
}

impl<'a> Object<'a> {
    pub(crate) unsafe fn maybe(core: &'a Core, raw: *const berth_object) -> Option<Self> {
        raw.as_ref().map(|raw| Object { core, raw })
    }
    /// metadata.namespace; "" for cluster-scoped kinds.
    pub fn namespace(&self) -> &'a str {
        unsafe { text_of(self.raw.ns) }
    }
    /// metadata.name
    pub fn name(&self) -> &'a str {
        unsafe { text_of(self.raw.name) }
    }
    /// metadata.uid
    pub fn uid(&self) -> &'a str {
        unsafe { text_of(self.raw.uid) }
    }
    /// metadata.resourceVersion
    pub fn resource_version(&self) -> &'a str {
        unsafe { text_of(self.raw.resource_version) }
    }
    /// metadata.labels
    pub fn labels(&self) -> Labels<'a> {
        Labels::new(self.raw.labels)
    }
    /// The whole document.
    pub fn value(&self) -> Value<'a> {
        Value::new(self.core, self.raw.value)
    }
}

/// Filters a row as if pods were added or removed. For plugins whose Filter reads cycle data; set it with
/// [`Cycle::set_for_trials`](crate::Cycle::set_for_trials).
pub trait PodChange: Plugin {
    /// Adds a pod to the node. Success, or an error.
    fn add_pod(&self, cycle: &mut TrialCycle, pod: &Pod, added: &Pod, node: &Node) -> Result<Status, Error>;
    /// Removes a pod from the node.
    fn remove_pod(&self, cycle: &mut TrialCycle, pod: &Pod, removed: &Pod, node: &Node) -> Result<Status, Error>;
}

/// Passes state, and the open attempts, to the instance that replaces this one while pods are scheduled. Methods that the
/// plugin does not implement hand over nothing.
pub trait Handover: Plugin {
    /// The plugin keeps nothing for an attempt after Reserve or Permit returns: the host does not hand over attempts.
    const HOLDS_NO_ATTEMPTS: bool = false;
    /// On the old instance: its state in any format, at most 16 MiB, within 50 us.
    fn save(&self) -> Vec<u8> {
        Vec::new()
    }
    /// On the new instance: reads what `save` of that version of the library wrote. Success, or Skip to start without it.
    fn load(&self, _version: &str, _state: &[u8]) -> Result<Status, Error> {
        Ok(Status::Skip)
    }
    /// On the old instance: what it keeps for an open attempt.
    fn describe(&self, _pod: &Pod, _node: Id) -> Vec<u8> {
        Vec::new()
    }
    /// On the new instance: an open attempt that passed the old one's Reserve. The old instance finishes the attempt.
    fn adopt(&self, _pod: &Pod, _node: Id, _state: &[u8]) {}
    /// On the new instance: an attempt that it adopted has ended.
    fn settle(&self, _pod: &Pod, _bound: bool) {}
}

/// An instance that prepares the instance that replaces it when its library stays the same, so that both can share state
/// that is expensive to build. It replaces [`Handover`] between the two.
///
/// ```
/// # use berth_plugin::{Error, Host, Plugin, Succession};
/// # use std::{collections::BTreeMap, sync::{Arc, Mutex}};
/// struct Books {
///     most: i64,
///     booked: Arc<Mutex<BTreeMap<String, String>>>, // node by pod
/// }
/// impl Plugin for Books {
/// #   const NAME: &'static str = "books";
/// #   const VENDOR: &'static str = "example.org";
///     fn new(host: &Host) -> Result<Self, Error> {
///         let most = host.args().get("most").as_i64().ok_or_else(|| Error::new("most is missing"))?;
///         Ok(Books { most, booked: Default::default() })
///     }
/// }
/// impl Succession for Books {
///     fn prepare(&self, host: &Host) -> Result<Self, Error> {
///         Ok(Books { booked: self.booked.clone(), ..Books::new(host)? })
///     }
/// }
/// ```
///
/// Until its own attempts have ended, the host calls the current instance as before. Shared state is therefore used by two
/// instances and several threads at once. It must live until both are dropped, and the successor must not change the
/// answers of the current instance through it. Do not share counts of `deltas` and `object_changed`, which both instances
/// get, nor what belongs to one instance: its [`Host`], values made with it, and ids that only it owns.
pub trait Succession: Plugin {
    /// On the current instance, instead of `new`, concurrent with its other calls: makes an instance with the host's args.
    /// An error refuses the change of args. The host may drop the new instance without publishing it.
    fn prepare(&self, host: &Host) -> Result<Self, Error>;
    /// On the new instance, between two cycles, within 50 us: the host publishes it, and `before` gets no new pod.
    fn commit(&self, _before: &Self) {}
}
