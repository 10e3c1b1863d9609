//! Selectors, compiled and matched by the host with Kubernetes' rules and texts. `BERTH_SERVICE_SELECTORS`, and
//! `BERTH_SERVICE_MATCHING` for selectors of pods and of other objects.
use crate::abi::*;
use crate::args::ArgsErrors;
use crate::cycle::{Cycle, Rows};
use crate::host::{ask, text_of, Core, Host};
use crate::value::Value;
use crate::views::{records, Labels, NodeRecord, Pod};
use std::os::raw::c_void;

unsafe extern "C" fn collect(ctx: *mut c_void, path: berth_str, text: berth_str) {
    // Nothing here panics.
    (*(ctx as *mut ArgsErrors)).push((text_of(path).to_string(), text_of(text).to_string()))
}

type Compile<T> = unsafe extern "C" fn(*const berth_host, *const berth_value, berth_error_sink, *mut c_void) -> *const T;

fn compile<T>(core: &Core, call: Compile<T>, value: Value) -> Result<*const T, ArgsErrors> {
    let mut errors = ArgsErrors::new();
    let raw = unsafe { call(core.raw, value.raw(), Some(collect), &mut errors as *mut _ as *mut c_void) };
    if raw.is_null() { Err(errors) } else { Ok(raw) }
}

/// A compiled metav1.LabelSelector.
#[derive(Clone)]
pub struct LabelSelector {
    host: Host,
    raw: *const berth_label_selector,
}
// Owned by the host; lives as long as the instance, and never changes.
unsafe impl Send for LabelSelector {}
unsafe impl Sync for LabelSelector {}

impl LabelSelector {
    /// Not in the binding cycle.
    pub fn matches(&self, labels: &Labels) -> bool {
        unsafe { ask!(self.host.0, selectors.match_labels)(self.raw, labels.raw()) != 0 }
    }
}

/// A compiled v1.NodeAffinity.
#[derive(Clone)]
pub struct CompiledAffinity {
    host: Host,
    raw: *const berth_node_affinity,
}
// As above.
unsafe impl Send for CompiledAffinity {}
unsafe impl Sync for CompiledAffinity {}

impl CompiledAffinity {
    /// To match nodes with.
    pub fn affinity(&self) -> NodeAffinity<'_> {
        unsafe { NodeAffinity::new(&self.host.0, self.raw) }
    }
}

impl Host {
    /// Compiles a selector, for example of the args. An absent one matches nothing. The errors' paths are relative to
    /// the value.
    pub fn label_selector(&self, selector: Value) -> Result<LabelSelector, ArgsErrors> {
        let raw = compile(&self.0, ask!(self.0, selectors.label_selector), selector)?;
        Ok(LabelSelector { host: self.clone(), raw })
    }
    /// Compiles a node affinity, for example of the args.
    pub fn node_affinity(&self, affinity: Value) -> Result<CompiledAffinity, ArgsErrors> {
        let raw = compile(&self.0, ask!(self.0, selectors.node_affinity), affinity)?;
        Ok(CompiledAffinity { host: self.clone(), raw })
    }
    /// Whether labels match the selector of a pod's block, or a kept one. A selector with an error matches nothing.
    pub fn selector_matches(&self, selector: Selector, labels: &Labels) -> bool {
        unsafe { ask!(self.0, matching.match_)(selector.0, labels.raw()) != 0 }
    }
    /// Why it does not compile; "" = it does.
    pub fn selector_error(&self, selector: Selector) -> String {
        unsafe { text_of(ask!(self.0, matching.error)(self.0.raw, selector.0)).to_string() }
    }
    /// A LabelSelector of a document. In a call that runs alone, or of the life cycle.
    pub fn keep_selector(&self, selector: Value) -> KeptSelector {
        let raw = unsafe { ask!(self.0, matching.keep)(self.0.raw, selector.raw()) };
        KeptSelector { host: self.clone(), raw }
    }
    /// The same for a plain map, of which every pair must be present.
    pub fn keep_selector_map(&self, map: Value) -> KeptSelector {
        let raw = unsafe { ask!(self.0, matching.keep_map)(self.0.raw, map.raw()) };
        KeptSelector { host: self.clone(), raw }
    }
}

/// The errors of a selector in the args: for [`CheckedArgs`](crate::CheckedArgs), where there is no host.
impl Value<'_> {
    /// The errors of a metav1.LabelSelector; paths are relative to this value.
    pub fn label_selector_errors(self) -> ArgsErrors {
        compile(self.core, ask!(self.core, selectors.label_selector), self).err().unwrap_or_default()
    }
    /// The errors of a v1.NodeAffinity.
    pub fn node_affinity_errors(self) -> ArgsErrors {
        compile(self.core, ask!(self.core, selectors.node_affinity), self).err().unwrap_or_default()
    }
}

/// A metav1.LabelSelector of the host.
#[derive(Clone, Copy)]
pub struct Selector<'a>(pub(crate) &'a berth_selector);

impl<'a> Selector<'a> {
    /// The selector of a pod's record: `unsafe { Selector::new(term.selector) }`.
    ///
    /// # Safety
    /// The host must have shown it in the running call.
    pub unsafe fn new(raw: *const berth_selector) -> Self {
        Selector(&*raw)
    }
    /// The record itself: see `berth/pod.h`.
    pub fn raw(self) -> &'a berth_selector {
        self.0
    }
}

/// Lives until it is released, or until the plugin ends.
pub struct KeptSelector {
    host: Host,
    raw: *const berth_selector,
}
// As above.
unsafe impl Send for KeptSelector {}
unsafe impl Sync for KeptSelector {}

impl KeptSelector {
    /// To match labels with.
    pub fn selector(&self) -> Selector<'_> {
        unsafe { Selector::new(self.raw) }
    }
    /// Call it in a call that runs alone, or of the life cycle. Therefore a drop does not release it.
    pub fn release(self) {
        unsafe { ask!(self.host.0, matching.drop)(self.host.0.raw, self.raw) }
    }
}

/// nodeSelector and node affinity: a pod's, a compiled or a kept one.
#[derive(Clone, Copy)]
pub struct NodeAffinity<'a> {
    core: &'a Core,
    raw: &'a berth_node_affinity,
}

impl<'a> Pod<'a> {
    /// spec.nodeSelector and spec.affinity.nodeAffinity
    pub fn node_affinity(&self) -> NodeAffinity<'a> {
        unsafe { NodeAffinity::new(self.core, self.raw().node_affinity) }
    }
}

impl<'a> NodeAffinity<'a> {
    pub(crate) unsafe fn new(core: &'a Core, raw: *const berth_node_affinity) -> Self {
        NodeAffinity { core, raw: &*raw }
    }
    /// The record itself: see `berth/pod.h`.
    pub fn raw(self) -> &'a berth_node_affinity {
        self.raw
    }
    /// Whether nodeSelector and the required terms match each row, by its place. Without a snapshot they match nothing.
    pub fn match_required(self, cycle: &Cycle, rows: &Rows, out: &mut RowBits) {
        out.clear(rows.places());
        if let Some(snap) = cycle.snapshot() {
            let call = ask!(self.core, selectors.match_required);
            unsafe { call(self.core.raw, snap.raw, self.raw, rows.raw, out.words.as_mut_ptr()) }
        }
    }
    /// The required terms, of which one must match.
    pub fn required_terms(self) -> impl Iterator<Item = NodeTerm<'a>> {
        records(self.raw.required).map(move |raw| NodeTerm { core: self.core, raw })
    }
    /// The preferred terms, each with its weight.
    pub fn preferred_terms(self) -> impl Iterator<Item = (i32, NodeTerm<'a>)> {
        let term = move |one: &'a berth_preferred_term| (one.weight, NodeTerm { core: self.core, raw: &one.term });
        records(self.raw.preferred).map(term)
    }
    /// Whether they match a node in the form that an event shows.
    pub fn matches_node(self, node: &NodeRecord) -> bool {
        unsafe { ask!(self.core, selectors.match_node)(self.core.raw, node.raw(), self.raw) != 0 }
    }
    /// The errors of the required terms, with kube-scheduler's text; "" = none.
    pub fn required_errors(self) -> String {
        self.errors(0)
    }
    /// The errors of the preferred terms.
    pub fn preferred_errors(self) -> String {
        self.errors(1)
    }
    fn errors(self, which: u32) -> String {
        unsafe { text_of(ask!(self.core, selectors.term_errors)(self.core.raw, self.raw, which)).to_string() }
    }
}

/// One term of a node affinity.
#[derive(Clone, Copy)]
pub struct NodeTerm<'a> {
    core: &'a Core,
    raw: &'a berth_node_term,
}

impl<'a> NodeTerm<'a> {
    /// The record itself: see `berth/pod.h`.
    pub fn raw(self) -> &'a berth_node_term {
        self.raw
    }
    /// Whether the term matches each row, by its place. An empty term matches nothing, and neither does any term
    /// without a snapshot.
    pub fn match_rows(self, cycle: &Cycle, rows: &Rows, out: &mut RowBits) {
        out.clear(rows.places());
        if let Some(snap) = cycle.snapshot() {
            let call = ask!(self.core, selectors.match_term);
            unsafe { call(self.core.raw, snap.raw, self.raw, rows.raw, out.words.as_mut_ptr()) }
        }
    }
}

/// One bit per place of the requested rows. Reuse it: it keeps its memory.
#[derive(Clone, Default)]
pub struct RowBits {
    words: Vec<u64>,
}

impl RowBits {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }
    /// Whether the bit of this place is set.
    pub fn get(&self, place: usize) -> bool {
        self.words.get(place / 64).map_or(false, |word| word >> (place % 64) & 1 == 1)
    }
    fn clear(&mut self, places: usize) {
        self.words.clear();
        self.words.resize((places + 63) / 64, 0)
    }
}
