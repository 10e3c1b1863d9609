//! The blocks of a pod's spec, record by record: `berth/pod.h` documents each field.
use crate::abi::*;
use crate::host::Id;
use crate::views::{records, Pod};

/// The records of a list inside of a record: `unsafe { list::<berth_id>(term.namespaces) }`.
///
/// # Safety
/// T is the type that the header gives for the list, which must come from the host in the running call.
pub unsafe fn list<'a, T: 'a>(raw: berth_list) -> impl Iterator<Item = &'a T> {
    records(raw)
}

macro_rules! blocks {
    ($($(#[$what:meta])* $name:ident: $kind:ident = $block:ident.$list:ident;)+) => {
        impl<'a> Pod<'a> {
            $($(#[$what])*
            pub fn $name(&self) -> impl Iterator<Item = &'a $kind> {
                // Blocks are never NULL, and live as long as the pod.
                records(unsafe { (*self.raw().$block).$list })
            })+
        }
    };
}
blocks! {
    /// Init containers and sidecars in order, then app containers.
    containers: berth_container = resources.containers;
    /// Host ports.
    ports: berth_host_port = ports.items;
    /// spec.tolerations
    tolerations: berth_toleration = tolerations.items;
    /// spec.affinity.podAffinity, required.
    affinity_required: berth_pod_term = pod_affinity.required;
    /// spec.affinity.podAffinity, preferred.
    affinity_preferred: berth_pod_term = pod_affinity.preferred;
    /// spec.affinity.podAntiAffinity, required.
    anti_affinity_required: berth_pod_term = pod_affinity.anti_required;
    /// spec.affinity.podAntiAffinity, preferred.
    anti_affinity_preferred: berth_pod_term = pod_affinity.anti_preferred;
    /// spec.topologySpreadConstraints
    spread: berth_spread_constraint = spread.items;
    /// spec.volumes of the kinds to which rules apply.
    volumes: berth_volume = volumes.items;
    /// spec.resourceClaims
    claims: berth_pod_claim = claims.items;
    /// Image references of its init containers.
    init_images: Id = images.init_containers;
    /// Image references of its containers.
    images: Id = images.containers;
    /// spec.schedulingGates
    gates: Id = gates.items;
}

impl<'a> Pod<'a> {
    /// The owner reference with `controller: true`; all fields are absent if there is none.
    pub fn controller(&self) -> &'a berth_controller {
        unsafe { &*self.raw().controller }
    }
    /// spec.nodeName
    pub fn node_name(&self) -> Id {
        Id(self.raw().node_name)
    }
    /// status.nominatedNodeName
    pub fn nominated_node(&self) -> Id {
        Id(self.raw().nominated_node)
    }
}
