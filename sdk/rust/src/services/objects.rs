//! Objects other than pods and nodes, which the host lists and watches for all plugins. `BERTH_SERVICE_OBJECTS`.
use crate::abi::*;
use crate::beside::{Object, ObjectKind};
use crate::cycle::Cycle;
use crate::host::{ask, borrow, Host};
use crate::services::NodeAffinity;
use crate::status::Error;
use crate::value::Value;
use crate::views::records;
use std::sync::atomic::{AtomicU32, Ordering};

/// One kind of objects. Create it in `new`, and call `need` in `activate`.
///
/// ```ignore
/// let classes = Objects::new(host, "storage.k8s.io", "v1", "storageclasses");   // in new
/// self.classes.need()?;                                                         // in activate
/// let fast = self.classes.get(cycle, "", "fast");                               // in a call
/// ```
pub struct Objects {
    host: Host,
    name: [&'static str; 3],
    kind: AtomicU32,
}

impl Objects {
    /// Requests nothing yet. `group` "" is the core.
    pub fn new(host: &Host, group: &'static str, version: &'static str, resource: &'static str) -> Self {
        Objects { host: host.clone(), name: [group, version, resource], kind: AtomicU32::new(0) }
    }
    /// In activate only: the host watches the kind from now on.
    pub fn need(&self) -> Result<ObjectKind, Error> {
        let core = &self.host.0;
        let [group, version, resource] = self.name;
        let kind = unsafe { ask!(core, objects.need)(core.raw, borrow(group), borrow(version), borrow(resource)) };
        if kind == 0 {
            return Err(Error::new(format!("this host knows no objects of the kind {resource}.{group}")));
        }
        self.kind.store(kind, Ordering::Release);
        Ok(ObjectKind(kind))
    }
    /// The number of the kind in [`ObjectChanges`](crate::ObjectChanges). None before `need`.
    pub fn kind(&self) -> Option<ObjectKind> {
        let kind = self.kind.load(Ordering::Acquire);
        (kind != 0).then(|| ObjectKind(kind))
    }
    fn raw(&self) -> u32 {
        self.kind.load(Ordering::Acquire)
    }

    /// Not in the binding cycle.
    pub fn get<'c>(&'c self, _during: &'c Cycle, namespace: &str, name: &str) -> Option<Object<'c>> {
        unsafe { self.look(namespace, name) }
    }
    /// The objects of one namespace or, with "", of all; sorted by namespace and name. Not in the binding cycle.
    pub fn list<'c>(&'c self, _during: &'c Cycle, namespace: &str) -> impl Iterator<Item = Object<'c>> {
        let core = &self.host.0;
        let list = unsafe { ask!(core, objects.list)(core.raw, self.raw(), borrow(namespace)) };
        records::<*const berth_object>(list).filter_map(move |raw| unsafe { Object::maybe(core, *raw) })
    }
    /// For a task, a delta or another call that has no cycle and runs alone.
    pub fn with<R>(&self, namespace: &str, name: &str, read: impl FnOnce(Option<Object>) -> R) -> R {
        read(unsafe { self.look(namespace, name) })
    }
    unsafe fn look(&self, namespace: &str, name: &str) -> Option<Object<'_>> {
        let core = &self.host.0;
        Object::maybe(core, ask!(core, objects.get)(core.raw, self.raw(), borrow(namespace), borrow(name)))
    }
    /// Never 0; it differs after every change.
    pub fn version(&self) -> u64 {
        unsafe { ask!(self.host.0, objects.version)(self.host.0.raw, self.raw()) }
    }
    /// In a call that runs alone: changes the object for all plugins by a JSON merge patch, until `revert`, or until
    /// the server sends a newer version. False: there is no such object, or the text is no patch of it.
    pub fn assume(&self, namespace: &str, name: &str, merge_patch: &str) -> bool {
        let call = ask!(self.host.0, objects.assume);
        unsafe { call(self.host.0.raw, self.raw(), borrow(namespace), borrow(name), borrow(merge_patch)) == 0 }
    }
    /// Takes effect before the next cycle begins.
    pub fn revert(&self, namespace: &str, name: &str) {
        unsafe { ask!(self.host.0, objects.revert)(self.host.0.raw, self.raw(), borrow(namespace), borrow(name)) }
    }
}

impl Host {
    /// Kubernetes' quantity, rounded up, as a count of 1/10^scale (scale 0 or 3). None: it is no quantity.
    pub fn quantity(&self, text: &str, scale: u32) -> Option<i64> {
        let mut ok = 0;
        let count = unsafe { ask!(self.0, objects.quantity)(borrow(text), scale, &mut ok) };
        (ok != 0).then(|| count)
    }
    /// A v1.NodeSelector of a document. None: the value is no NodeSelector. In a call that runs alone, or of the life
    /// cycle.
    pub fn keep_node_selector(&self, selector: Value) -> Option<KeptNodeSelector> {
        let raw = unsafe { ask!(self.0, objects.keep_node_selector)(self.0.raw, selector.raw()) };
        (!raw.is_null()).then(|| KeptNodeSelector { host: self.clone(), raw })
    }
}

/// Lives until it is released, or until the plugin ends.
pub struct KeptNodeSelector {
    host: Host,
    raw: *const berth_node_affinity,
}
// Owned by the host, and immutable.
unsafe impl Send for KeptNodeSelector {}
unsafe impl Sync for KeptNodeSelector {}

impl KeptNodeSelector {
    /// To match nodes with.
    pub fn affinity(&self) -> NodeAffinity<'_> {
        unsafe { NodeAffinity::new(&self.host.0, self.raw) }
    }
    /// Call it in a call that runs alone, or of the life cycle. Therefore a drop does not release it.
    pub fn release(self) {
        unsafe { ask!(self.host.0, objects.drop_node_selector)(self.host.0.raw, self.raw) }
    }
}
