//! What comes beside a pod's way: changes of rows and objects, trials, and the next generation's instance.
use crate::abi::*;
use crate::cycle::TrialCycle;
use crate::host::{text_of, Core, Host, Id};
use crate::plugin::Plugin;
use crate::status::{Error, Status};
use crate::value::Value;
use crate::views::{records, Labels, Node, NodeRecord, Pod};

/// Is told what changed on the rows, between two cycles; after activate, everything that is there.
pub trait Deltas: Plugin {
    /// Which kinds: `constants::BERTH_DELTA_NODES`, `BERTH_DELTA_PODS`.
    const KINDS: u32 = BERTH_DELTA_NODES | BERTH_DELTA_PODS;
    /// In the order in which they were made.
    fn deltas(&self, changes: &Changes);
    /// What is kept, as text that is equal for equal state whatever way it came about: the host compares it with that of a
    /// fresh instance.
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
    /// Kinds that this crate does not know, of a later host, are left out.
    pub fn iter(&self) -> impl Iterator<Item = Delta<'_>> {
        records::<berth_delta>(self.list).filter_map(move |raw| unsafe { Delta::new(self.core, raw) })
    }
}

/// One change of a row.
#[allow(missing_docs)]
pub enum Delta<'a> {
    /// A node came.
    NodeAdded { row: u32, node: NodeRecord<'a> },
    /// Something about it is another.
    NodeChanged { row: u32, node: NodeRecord<'a> },
    /// It is gone; as it was.
    NodeRemoved { row: u32, node: NodeRecord<'a> },
    /// A pod came to the row, perhaps only on its way.
    PodAdded { row: u32, pod: Pod<'a> },
    /// It is gone: the same record that was added.
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

/// Is told when an object of a kind that it needs changes, between two cycles; after activate, of all that there are.
pub trait ObjectChanges: Plugin {
    /// `before` None: it is new. `now` None: it was deleted.
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
    /// metadata.namespace; "" of what has none.
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

/// Judges a row as if pods had come or gone. For plugins whose Filter reads what they keep themselves; set that with
/// [`Cycle::set_for_trials`](crate::Cycle::set_for_trials).
pub trait PodChange: Plugin {
    /// A pod comes to the node. Success, or an error.
    fn add_pod(&self, cycle: &mut TrialCycle, pod: &Pod, added: &Pod, node: &Node) -> Result<Status, Error>;
    /// A pod leaves the node.
    fn remove_pod(&self, cycle: &mut TrialCycle, pod: &Pod, removed: &Pod, node: &Node) -> Result<Status, Error>;
}

/// What passes to the instance that takes this one's place while pods are scheduled: state, and the attempts that are
/// still open. What is left out is not handed over.
pub trait Handover: Plugin {
    /// What Reserve or Permit hold lies with the host, or ends with the call: attempts are not handed over.
    const HOLDS_NO_ATTEMPTS: bool = false;
    /// On the old instance: its state, in bytes of its own form, at most 16 MiB, within 50 us.
    fn save(&self) -> Vec<u8> {
        Vec::new()
    }
    /// On the new instance: what `save` of that version of the library wrote. Success, or Skip to begin without.
    fn load(&self, _version: &str, _state: &[u8]) -> Result<Status, Error> {
        Ok(Status::Skip)
    }
    /// On the old instance: what it holds for an open attempt.
    fn describe(&self, _pod: &Pod, _node: Id) -> Vec<u8> {
        Vec::new()
    }
    /// On the new instance: an open attempt that passed the old one's Reserve. The rest of its way goes to the old one.
    fn adopt(&self, _pod: &Pod, _node: Id, _state: &[u8]) {}
    /// On the new instance: an attempt that it adopted has ended.
    fn settle(&self, _pod: &Pod, _bound: bool) {}
}

/// An instance that makes the one that takes its place when its library stays the same, so that both may share what is dear.
/// Stands for all of [`Handover`] then: there is none between the two.
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
/// All the while, and until the attempts that it began have ended, the instance before is called as ever. What both share is
/// therefore used by two instances and several threads at once, outlives either, and lets the one that is not in force
/// change nothing that the other answers: what `deltas` and `object_changed` count is told to both, and is no part of it.
/// Nor is what belongs to one instance: its [`Host`], what is made of that, and ids that only it owns.
pub trait Succession: Plugin {
    /// On the instance in force, in the place of `new`, beside its other calls: the instance of the host's args. An error
    /// refuses the change of args. What comes of this may also be dropped without ever coming into force.
    fn prepare(&self, host: &Host) -> Result<Self, Error>;
    /// On the new instance, between two cycles, within 50 us: it is in force, and `before` gets no new pod any more.
    fn commit(&self, _before: &Self) {}
}
