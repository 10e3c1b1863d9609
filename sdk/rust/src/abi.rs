//! The C ABI of `sdk/include/berth`, as Rust sees it: what each field means is said there.
//! Written by generate.py from the headers: do not edit.
#![allow(non_camel_case_types, missing_docs)]
pub use crate::constants::*;
use std::os::raw::{c_char, c_void};

pub type berth_error_sink = Option<unsafe extern "C" fn(*mut c_void, berth_str, berth_str)>;
pub type berth_id = u32;
pub type berth_status = i32;
pub type berth_text_sink = Option<unsafe extern "C" fn(*mut c_void, berth_str)>;

/// Opaque.
#[repr(C)]
pub struct berth_cycle {
    _nothing: [u8; 0],
}

/// Opaque.
#[repr(C)]
pub struct berth_label_selector {
    _nothing: [u8; 0],
}

/// Opaque.
#[repr(C)]
pub struct berth_metric {
    _nothing: [u8; 0],
}

/// Opaque.
#[repr(C)]
pub struct berth_metric_family {
    _nothing: [u8; 0],
}

/// Opaque.
#[repr(C)]
pub struct berth_snap {
    _nothing: [u8; 0],
}

/// Opaque.
#[repr(C)]
pub struct berth_value {
    _nothing: [u8; 0],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_amount {
    pub name: berth_id,
    pub flags: u32,
    pub value: i64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_api {
    pub size: u32,
    pub rsv: u32,
    pub send: Option<unsafe extern "C" fn(*const berth_host, *const berth_api_request, Option<unsafe extern "C" fn(*mut c_void, *const berth_api_reply)>, *mut c_void)>,
    pub event: Option<unsafe extern "C" fn(*const berth_host, *const berth_pod, *const berth_pod, berth_str, berth_str, berth_str, berth_str)>,
    pub keep_pod: Option<unsafe extern "C" fn(*const berth_host, *const berth_pod)>,
    pub drop_pod: Option<unsafe extern "C" fn(*const berth_host, *const berth_pod)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_api_reply {
    pub size: u32,
    pub code: i32,
    pub body: berth_str,
    pub reason: berth_str,
    pub message: berth_str,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_api_request {
    pub size: u32,
    pub rsv: u32,
    pub verb: berth_str,
    pub group: berth_str,
    pub version: berth_str,
    pub resource: berth_str,
    pub ns: berth_str,
    pub name: berth_str,
    pub subresource: berth_str,
    pub content_type: berth_str,
    pub body: berth_str,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_args {
    pub size: u32,
    pub rsv: u32,
    pub complete: Option<unsafe extern "C" fn(*const berth_host, *const berth_value, *const berth_args_sink)>,
    pub check: Option<unsafe extern "C" fn(*const berth_host, *const berth_value, *const berth_args_sink)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_args_sink {
    pub size: u32,
    pub rsv: u32,
    pub ctx: *mut c_void,
    pub error: Option<unsafe extern "C" fn(*mut c_void, berth_str, berth_str)>,
    pub json: Option<unsafe extern "C" fn(*mut c_void, berth_str)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_bind {
    pub size: u32,
    pub rsv: u32,
    pub bind: Option<unsafe extern "C" fn(*mut berth_plugin, *mut berth_cycle, *const berth_pod, berth_id, *mut berth_op) -> berth_status>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_binder {
    pub size: u32,
    pub rsv: u32,
    pub bind: Option<unsafe extern "C" fn(*const berth_host, *const berth_pod, berth_id, *mut berth_op) -> berth_status>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_candidate {
    pub row: u32,
    pub rsv: u32,
    pub violations: i64,
    pub pods: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_claims {
    pub size: u32,
    pub content: u32,
    pub items: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_column {
    pub size: u32,
    pub type_: u32,
    pub rows: u32,
    pub flags: u32,
    pub cells: *const c_void,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_config {
    pub size: u32,
    pub rsv: u32,
    pub args: Option<unsafe extern "C" fn(*const berth_host) -> *const berth_value>,
    pub profile: Option<unsafe extern "C" fn(*const berth_host) -> berth_str>,
    pub name: Option<unsafe extern "C" fn(*const berth_host) -> berth_str>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_container {
    pub name: berth_id,
    pub kind: u32,
    pub requests: berth_list,
    pub limits: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_controller {
    pub size: u32,
    pub content: u32,
    pub api_version: berth_id,
    pub kind: berth_id,
    pub name: berth_id,
    pub uid: berth_id,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_cycles {
    pub size: u32,
    pub rsv: u32,
    pub snap: Option<unsafe extern "C" fn(*const berth_cycle) -> *const berth_snap>,
    pub data: Option<unsafe extern "C" fn(*const berth_host, *const berth_cycle, u32) -> *mut c_void>,
    pub set_data: Option<unsafe extern "C" fn(*const berth_host, *mut berth_cycle, u32, *mut c_void)>,
    pub reasons: Option<unsafe extern "C" fn(*const berth_host, *mut berth_cycle, *const berth_str, u32) -> u32>,
    pub reason_texts: Option<unsafe extern "C" fn(*const berth_host, *const berth_cycle, u32) -> berth_list>,
    pub cancelled: Option<unsafe extern "C" fn(*const berth_cycle) -> i32>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_delta {
    pub kind: u32,
    pub row: u32,
    pub node: *const berth_node,
    pub pod: *const berth_pod,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_deltas {
    pub size: u32,
    pub mask: u32,
    pub deltas: Option<unsafe extern "C" fn(*mut berth_plugin, berth_list)>,
    pub dump: Option<unsafe extern "C" fn(*mut berth_plugin, Option<unsafe extern "C" fn(*mut c_void, berth_str)>, *mut c_void)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_descriptor {
    pub size: u32,
    pub flags: u32,
    pub name: *const c_char,
    pub version: *const c_char,
    pub vendor: *const c_char,
    pub args_schema: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_diagnosis {
    pub size: u32,
    pub rsv: u32,
    pub verdicts: *const berth_verdict,
    pub absent: berth_verdict,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_domain_columns {
    pub size: u32,
    pub rsv: u32,
    pub of: Option<unsafe extern "C" fn(*const berth_snap, berth_id, *mut berth_domains) -> i32>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_domains {
    pub size: u32,
    pub n: u32,
    pub of_row: *const u32,
    pub values: *const berth_id,
    pub n_rows: *const u32,
    pub numbering: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_entry {
    pub size: u32,
    pub abi_minor: u32,
    pub count: Option<unsafe extern "C" fn() -> u32>,
    pub describe: Option<unsafe extern "C" fn(u32) -> *const berth_descriptor>,
    pub create: Option<unsafe extern "C" fn(*const c_char, *const berth_host) -> *mut berth_plugin>,
    pub extension: Option<unsafe extern "C" fn(*const c_char, *const c_char) -> *const c_void>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_event {
    pub size: u32,
    pub interest: u32,
    pub actions: u32,
    pub rsv: u32,
    pub resource: berth_str,
    pub old_pod: *const berth_pod,
    pub new_pod: *const berth_pod,
    pub old_node: *const berth_node,
    pub new_node: *const berth_node,
    pub old_value: *const berth_value,
    pub new_value: *const berth_value,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_events {
    pub size: u32,
    pub rsv: u32,
    pub interests: Option<unsafe extern "C" fn(*mut berth_plugin) -> berth_list>,
    pub hints: Option<unsafe extern "C" fn(*mut berth_plugin, *mut berth_cycle, *const berth_event, *const *const berth_pod, u32, *mut u8) -> berth_status>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_extenders {
    pub size: u32,
    pub rsv: u32,
    pub preempts: Option<unsafe extern "C" fn(*const berth_host, *const berth_pod) -> i32>,
    pub preempt: Option<unsafe extern "C" fn(*const berth_host, *const berth_pod, berth_list, *mut berth_list, *mut berth_str) -> berth_status>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_filter {
    pub size: u32,
    pub rsv: u32,
    pub reuse: berth_reuse,
    pub filter: Option<unsafe extern "C" fn(*mut berth_plugin, *mut berth_cycle, *const berth_pod, *const berth_rows, *mut berth_verdict) -> berth_status>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_gates {
    pub size: u32,
    pub content: u32,
    pub items: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_handover {
    pub size: u32,
    pub flags: u32,
    pub save: Option<unsafe extern "C" fn(*mut berth_plugin, berth_text_sink, *mut c_void)>,
    pub load: Option<unsafe extern "C" fn(*mut berth_plugin, berth_str, berth_str) -> berth_status>,
    pub describe: Option<unsafe extern "C" fn(*mut berth_plugin, *const berth_pod, berth_id, berth_text_sink, *mut c_void)>,
    pub adopt: Option<unsafe extern "C" fn(*mut berth_plugin, *const berth_pod, berth_id, berth_str)>,
    pub settle: Option<unsafe extern "C" fn(*mut berth_plugin, *const berth_pod, i32)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_host {
    pub size: u32,
    pub abi_minor: u32,
    pub impl_: *mut c_void,
    pub service: Option<unsafe extern "C" fn(*const berth_host, *const c_char) -> *const c_void>,
    pub because: Option<unsafe extern "C" fn(*const berth_host, *mut berth_cycle, *const berth_str, u32)>,
    pub intern: Option<unsafe extern "C" fn(*const berth_host, berth_str) -> berth_id>,
    pub keep: Option<unsafe extern "C" fn(*const berth_host, berth_id)>,
    pub drop: Option<unsafe extern "C" fn(*const berth_host, berth_id)>,
    pub text: Option<unsafe extern "C" fn(*const berth_host, berth_id) -> berth_str>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_host_port {
    pub ip: berth_id,
    pub protocol: berth_id,
    pub port: i32,
    pub rsv: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_http {
    pub size: u32,
    pub rsv: u32,
    pub get: Option<unsafe extern "C" fn(*const berth_host, *const berth_http_request, Option<unsafe extern "C" fn(*mut c_void, *const berth_api_reply)>, *mut c_void)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_http_request {
    pub size: u32,
    pub flags: u32,
    pub url: berth_str,
    pub authorization: berth_str,
    pub timeout_ns: i64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_image {
    pub size: u32,
    pub n_nodes: u32,
    pub bytes: i64,
    pub nodes: *const u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_images {
    pub size: u32,
    pub content: u32,
    pub init_containers: berth_list,
    pub containers: berth_list,
    pub volumes: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_interest {
    pub resource: berth_str,
    pub actions: u32,
    pub flags: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_json {
    pub size: u32,
    pub rsv: u32,
    pub parse: Option<unsafe extern "C" fn(*const berth_host, berth_str, Option<unsafe extern "C" fn(*mut c_void, *const berth_value)>, *mut c_void) -> i32>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_kept {
    pub size: u32,
    pub rsv: u32,
    pub row_changed: Option<unsafe extern "C" fn(*const berth_host, u32)>,
    pub all_changed: Option<unsafe extern "C" fn(*const berth_host)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_kv {
    pub key: berth_id,
    pub value: berth_id,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_label_requirement {
    pub key: berth_id,
    pub op: berth_id,
    pub values: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_labels {
    pub size: u32,
    pub content: u32,
    pub items: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_list {
    pub ptr: *const c_void,
    pub n: u32,
    pub stride: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_log {
    pub size: u32,
    pub rsv: u32,
    pub enabled: Option<unsafe extern "C" fn(*const berth_host, i32) -> i32>,
    pub log: Option<unsafe extern "C" fn(*const berth_host, i32, i32, berth_str, i32, berth_str, *const berth_str, *const berth_str, u32)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_matching {
    pub size: u32,
    pub rsv: u32,
    pub match_: Option<unsafe extern "C" fn(*const berth_selector, *const berth_labels) -> i32>,
    pub error: Option<unsafe extern "C" fn(*const berth_host, *const berth_selector) -> berth_str>,
    pub keep: Option<unsafe extern "C" fn(*const berth_host, *const berth_value) -> *const berth_selector>,
    pub keep_map: Option<unsafe extern "C" fn(*const berth_host, *const berth_value) -> *const berth_selector>,
    pub drop: Option<unsafe extern "C" fn(*const berth_host, *const berth_selector)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_metric_spec {
    pub size: u32,
    pub kind: u32,
    pub name: berth_str,
    pub help: berth_str,
    pub labels: berth_list,
    pub buckets: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_metrics {
    pub size: u32,
    pub rsv: u32,
    pub family: Option<unsafe extern "C" fn(*const berth_host, *const berth_metric_spec) -> *const berth_metric_family>,
    pub kube: Option<unsafe extern "C" fn(*const berth_host, berth_str) -> *const berth_metric_family>,
    pub series: Option<unsafe extern "C" fn(*const berth_host, *const berth_metric_family, *const berth_str, u32) -> *mut berth_metric>,
    pub add: Option<unsafe extern "C" fn(*mut berth_metric, f64)>,
    pub set: Option<unsafe extern "C" fn(*mut berth_metric, f64)>,
    pub observe: Option<unsafe extern "C" fn(*mut berth_metric, f64)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_names {
    pub size: u32,
    pub narrowed: i32,
    pub names: *const berth_id,
    pub n: u32,
    pub rsv: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_node {
    pub size: u32,
    pub unschedulable: u32,
    pub name: berth_id,
    pub rsv: u32,
    pub labels: *const berth_labels,
    pub taints: berth_list,
    pub allocatable: berth_list,
    pub declared_features: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_node_affinity {
    pub size: u32,
    pub content: u32,
    pub has: u64,
    pub selector: berth_list,
    pub required: berth_list,
    pub preferred: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_node_requirement {
    pub key: berth_id,
    pub op: berth_id,
    pub values: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_node_term {
    pub expressions: berth_list,
    pub fields: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_nominations {
    pub size: u32,
    pub rsv: u32,
    pub of_node: Option<unsafe extern "C" fn(*const berth_host, berth_id) -> berth_list>,
    pub clear: Option<unsafe extern "C" fn(*const berth_host, *const berth_pod)>,
    pub give_up: Option<unsafe extern "C" fn(*const berth_host, berth_str, berth_str) -> i32>,
    pub nodes: Option<unsafe extern "C" fn(*const berth_host) -> berth_list>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_object {
    pub size: u32,
    pub rsv: u32,
    pub ns: berth_str,
    pub name: berth_str,
    pub uid: berth_str,
    pub resource_version: berth_str,
    pub labels: *const berth_labels,
    pub value: *const berth_value,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_object_changes {
    pub size: u32,
    pub rsv: u32,
    pub changed: Option<unsafe extern "C" fn(*mut berth_plugin, u32, *const berth_object, *const berth_object)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_objects {
    pub size: u32,
    pub rsv: u32,
    pub need: Option<unsafe extern "C" fn(*const berth_host, berth_str, berth_str, berth_str) -> u32>,
    pub get: Option<unsafe extern "C" fn(*const berth_host, u32, berth_str, berth_str) -> *const berth_object>,
    pub list: Option<unsafe extern "C" fn(*const berth_host, u32, berth_str) -> berth_list>,
    pub version: Option<unsafe extern "C" fn(*const berth_host, u32) -> u64>,
    pub assume: Option<unsafe extern "C" fn(*const berth_host, u32, berth_str, berth_str, berth_str) -> i32>,
    pub revert: Option<unsafe extern "C" fn(*const berth_host, u32, berth_str, berth_str)>,
    pub quantity: Option<unsafe extern "C" fn(berth_str, u32, *mut i32) -> i64>,
    pub keep_node_selector: Option<unsafe extern "C" fn(*const berth_host, *const berth_value) -> *const berth_node_affinity>,
    pub drop_node_selector: Option<unsafe extern "C" fn(*const berth_host, *const berth_node_affinity)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_op {
    pub size: u32,
    pub rsv: u32,
    pub done: Option<unsafe extern "C" fn(*mut berth_op, berth_status, *const berth_str, u32)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_permit {
    pub size: u32,
    pub rsv: u32,
    pub permit: Option<unsafe extern "C" fn(*mut berth_plugin, *mut berth_cycle, *const berth_pod, berth_id, *mut i64) -> berth_status>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_plugin {
    pub size: u32,
    pub rsv: u32,
    pub impl_: *mut c_void,
    pub init: Option<unsafe extern "C" fn(*mut berth_plugin) -> berth_status>,
    pub activate: Option<unsafe extern "C" fn(*mut berth_plugin) -> berth_status>,
    pub deactivate: Option<unsafe extern "C" fn(*mut berth_plugin)>,
    pub destroy: Option<unsafe extern "C" fn(*mut berth_plugin)>,
    pub extension: Option<unsafe extern "C" fn(*mut berth_plugin, *const c_char) -> *const c_void>,
    pub cycle_clone: Option<unsafe extern "C" fn(*mut berth_plugin, *const c_void) -> *mut c_void>,
    pub cycle_free: Option<unsafe extern "C" fn(*mut berth_plugin, *mut c_void)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_pod {
    pub size: u32,
    pub priority: i32,
    pub has: u64,
    pub uid: berth_str,
    pub name: berth_str,
    pub ns: berth_id,
    pub scheduler_name: berth_id,
    pub node_name: berth_id,
    pub nominated_node: berth_id,
    pub creation_unix_ns: i64,
    pub deletion_unix_ns: i64,
    pub labels: *const berth_labels,
    pub images: *const berth_images,
    pub resources: *const berth_resources,
    pub ports: *const berth_ports,
    pub tolerations: *const berth_tolerations,
    pub node_affinity: *const berth_node_affinity,
    pub gates: *const berth_gates,
    pub pod_affinity: *const berth_pod_affinity,
    pub spread: *const berth_spread,
    pub volumes: *const berth_volumes,
    pub claims: *const berth_claims,
    pub controller: *const berth_controller,
    pub start_unix_ns: i64,
    pub preemption_policy: berth_id,
    pub priority_class: berth_id,
    pub generation: i64,
    pub scheduled_unix_ns: i64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_pod_affinity {
    pub size: u32,
    pub content: u32,
    pub has: u64,
    pub required: berth_list,
    pub preferred: berth_list,
    pub anti_required: berth_list,
    pub anti_preferred: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_pod_change {
    pub size: u32,
    pub rsv: u32,
    pub add_pod: Option<unsafe extern "C" fn(*mut berth_plugin, *mut berth_cycle, *const berth_pod, *const berth_pod, u32) -> berth_status>,
    pub remove_pod: Option<unsafe extern "C" fn(*mut berth_plugin, *mut berth_cycle, *const berth_pod, *const berth_pod, u32) -> berth_status>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_pod_claim {
    pub name: berth_id,
    pub claim_name: berth_id,
    pub template_name: berth_id,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_pod_counts {
    pub size: u32,
    pub rsv: u32,
    pub total: i64,
    pub of_row: *const i32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_pod_match {
    pub flags: u32,
    pub rsv: u32,
    pub selector: *const berth_selector,
    pub labels: berth_list,
    pub namespaces: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_pod_set {
    pub size: u32,
    pub flags: u32,
    pub all_of: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_pod_sets {
    pub size: u32,
    pub rsv: u32,
    pub counts: Option<unsafe extern "C" fn(*const berth_snap, *const berth_pod_set, *mut berth_pod_counts) -> i32>,
    pub contains: Option<unsafe extern "C" fn(*const berth_host, *const berth_pod_set, *const berth_pod) -> i32>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_pod_term {
    pub topology_key: berth_id,
    pub weight: i32,
    pub selector: *const berth_selector,
    pub namespace_selector: *const berth_selector,
    pub namespaces: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_pods {
    pub size: u32,
    pub rsv: u32,
    pub labeled: Option<unsafe extern "C" fn(*const berth_host, berth_id, berth_id, berth_id) -> berth_list>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_ports {
    pub size: u32,
    pub content: u32,
    pub items: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_post_bind {
    pub size: u32,
    pub rsv: u32,
    pub post_bind: Option<unsafe extern "C" fn(*mut berth_plugin, *mut berth_cycle, *const berth_pod, berth_id)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_post_filter {
    pub size: u32,
    pub rsv: u32,
    pub post_filter: Option<unsafe extern "C" fn(*mut berth_plugin, *mut berth_cycle, *const berth_pod, *const berth_diagnosis, *mut berth_post_result) -> berth_status>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_post_result {
    pub size: u32,
    pub mode: u32,
    pub node: berth_id,
    pub rsv: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_pre_bind {
    pub size: u32,
    pub rsv: u32,
    pub pre_flight: Option<unsafe extern "C" fn(*mut berth_plugin, *mut berth_cycle, *const berth_pod, berth_id) -> berth_status>,
    pub pre_bind: Option<unsafe extern "C" fn(*mut berth_plugin, *mut berth_cycle, *const berth_pod, berth_id, *mut berth_op) -> berth_status>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_pre_enqueue {
    pub size: u32,
    pub rsv: u32,
    pub pre_enqueue: Option<unsafe extern "C" fn(*mut berth_plugin, *mut berth_cycle, *const berth_pod) -> berth_status>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_pre_filter {
    pub size: u32,
    pub rsv: u32,
    pub pre_filter: Option<unsafe extern "C" fn(*mut berth_plugin, *mut berth_cycle, *const berth_pod, *mut berth_names) -> berth_status>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_pre_score {
    pub size: u32,
    pub rsv: u32,
    pub pre_score: Option<unsafe extern "C" fn(*mut berth_plugin, *mut berth_cycle, *const berth_pod, *const berth_rows) -> berth_status>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_preferred_term {
    pub weight: i32,
    pub rsv: u32,
    pub term: berth_node_term,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_queue_sort {
    pub size: u32,
    pub rsv: u32,
    pub less: Option<unsafe extern "C" fn(*mut berth_plugin, *const berth_queued, *const berth_queued) -> i32>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_queued {
    pub size: u32,
    pub attempts: u32,
    pub pod: *const berth_pod,
    pub queued_unix_ns: i64,
    pub initial_attempt_unix_ns: i64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_random {
    pub size: u32,
    pub rsv: u32,
    pub seed: Option<unsafe extern "C" fn(*const berth_host, *const berth_cycle) -> u64>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_requests {
    pub size: u32,
    pub rsv: u32,
    pub of: Option<unsafe extern "C" fn(*const berth_host, *const berth_pod, u32) -> berth_list>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_reserve {
    pub size: u32,
    pub rsv: u32,
    pub reserve: Option<unsafe extern "C" fn(*mut berth_plugin, *mut berth_cycle, *const berth_pod, berth_id) -> berth_status>,
    pub unreserve: Option<unsafe extern "C" fn(*mut berth_plugin, *mut berth_cycle, *const berth_pod, berth_id)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_resources {
    pub size: u32,
    pub content: u32,
    pub has: u64,
    pub containers: berth_list,
    pub pod_requests: berth_list,
    pub pod_limits: berth_list,
    pub overhead: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_reuse {
    pub flags: u32,
    pub rsv: u32,
    pub pod_aspects: u64,
    pub row_aspects: u64,
    pub cluster_aspects: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_rows {
    pub size: u32,
    pub n: u32,
    pub first: u32,
    pub rsv: u32,
    pub rows: *const u32,
    pub live: *const u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_score {
    pub size: u32,
    pub normalize_kind: u32,
    pub reuse: berth_reuse,
    pub score: Option<unsafe extern "C" fn(*mut berth_plugin, *mut berth_cycle, *const berth_pod, *const berth_rows, *mut i64) -> berth_status>,
    pub normalize: Option<unsafe extern "C" fn(*mut berth_plugin, *mut berth_cycle, *const berth_pod, *const berth_rows, *mut i64) -> berth_status>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_selector {
    pub size: u32,
    pub content: u32,
    pub has: u64,
    pub labels: berth_list,
    pub expressions: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_selectors {
    pub size: u32,
    pub rsv: u32,
    pub label_selector: Option<unsafe extern "C" fn(*const berth_host, *const berth_value, berth_error_sink, *mut c_void) -> *const berth_label_selector>,
    pub match_labels: Option<unsafe extern "C" fn(*const berth_label_selector, *const berth_labels) -> i32>,
    pub node_affinity: Option<unsafe extern "C" fn(*const berth_host, *const berth_value, berth_error_sink, *mut c_void) -> *const berth_node_affinity>,
    pub match_required: Option<unsafe extern "C" fn(*const berth_host, *const berth_snap, *const berth_node_affinity, *const berth_rows, *mut u64)>,
    pub match_term: Option<unsafe extern "C" fn(*const berth_host, *const berth_snap, *const berth_node_term, *const berth_rows, *mut u64)>,
    pub match_node: Option<unsafe extern "C" fn(*const berth_host, *const berth_node, *const berth_node_affinity) -> i32>,
    pub term_errors: Option<unsafe extern "C" fn(*const berth_host, *const berth_node_affinity, u32) -> berth_str>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_snapshot {
    pub size: u32,
    pub rsv: u32,
    pub rows: Option<unsafe extern "C" fn(*const berth_snap) -> u32>,
    pub nodes: Option<unsafe extern "C" fn(*const berth_snap) -> u32>,
    pub live: Option<unsafe extern "C" fn(*const berth_snap) -> *const u64>,
    pub order: Option<unsafe extern "C" fn(*const berth_snap) -> berth_list>,
    pub node: Option<unsafe extern "C" fn(*const berth_snap, u32) -> *const berth_node>,
    pub pods: Option<unsafe extern "C" fn(*const berth_snap, u32) -> berth_list>,
    pub used_ports: Option<unsafe extern "C" fn(*const berth_snap, u32) -> berth_list>,
    pub row_of: Option<unsafe extern "C" fn(*const berth_snap, berth_id) -> i64>,
    pub column: Option<unsafe extern "C" fn(*const berth_snap, u32, berth_id, *mut berth_column) -> i32>,
    pub set_items: Option<unsafe extern "C" fn(*const berth_snap, u32, u32) -> berth_list>,
    pub image: Option<unsafe extern "C" fn(*const berth_snap, berth_id, *mut berth_image) -> i32>,
    pub open_column: Option<unsafe extern "C" fn(*const berth_host, u32, berth_id) -> i32>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_spread {
    pub size: u32,
    pub content: u32,
    pub items: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_spread_constraint {
    pub max_skew: i32,
    pub min_domains: i32,
    pub topology_key: berth_id,
    pub when_unsatisfiable: berth_id,
    pub node_affinity_policy: berth_id,
    pub node_taints_policy: berth_id,
    pub selector: *const berth_selector,
    pub match_label_keys: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_str {
    pub ptr: *const c_char,
    pub len: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_succession {
    pub size: u32,
    pub rsv: u32,
    pub prepare: Option<unsafe extern "C" fn(*mut berth_plugin, *const berth_host) -> *mut berth_plugin>,
    pub commit: Option<unsafe extern "C" fn(*mut berth_plugin, *mut berth_plugin)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_taint {
    pub key: berth_id,
    pub value: berth_id,
    pub effect: berth_id,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_tasks {
    pub size: u32,
    pub rsv: u32,
    pub post: Option<unsafe extern "C" fn(*const berth_host, i64, Option<unsafe extern "C" fn(*mut c_void, i32)>, *mut c_void)>,
    pub activate: Option<unsafe extern "C" fn(*const berth_host, berth_str) -> i32>,
    pub wall_unix_ns: Option<unsafe extern "C" fn(*const berth_host) -> i64>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_toleration {
    pub key: berth_id,
    pub op: berth_id,
    pub value: berth_id,
    pub effect: berth_id,
    pub has: u64,
    pub seconds: i64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_tolerations {
    pub size: u32,
    pub content: u32,
    pub items: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_trials {
    pub size: u32,
    pub rsv: u32,
    pub open: Option<unsafe extern "C" fn(*const berth_host, *mut berth_cycle, u32) -> *mut berth_cycle>,
    pub remove: Option<unsafe extern "C" fn(*mut berth_cycle, *const berth_pod) -> berth_status>,
    pub add: Option<unsafe extern "C" fn(*mut berth_cycle, *const berth_pod) -> berth_status>,
    pub filter: Option<unsafe extern "C" fn(*mut berth_cycle, *mut berth_verdict, *mut berth_id) -> berth_status>,
    pub error: Option<unsafe extern "C" fn(*const berth_cycle) -> berth_str>,
    pub close: Option<unsafe extern "C" fn(*mut berth_cycle)>,
    pub turn_to: Option<unsafe extern "C" fn(*mut berth_cycle, u32) -> berth_status>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_values {
    pub size: u32,
    pub rsv: u32,
    pub kind: Option<unsafe extern "C" fn(*const berth_value) -> i32>,
    pub integer: Option<unsafe extern "C" fn(*const berth_value) -> i64>,
    pub number: Option<unsafe extern "C" fn(*const berth_value) -> f64>,
    pub string: Option<unsafe extern "C" fn(*const berth_value) -> berth_str>,
    pub count: Option<unsafe extern "C" fn(*const berth_value) -> u32>,
    pub at: Option<unsafe extern "C" fn(*const berth_value, u32) -> *const berth_value>,
    pub key: Option<unsafe extern "C" fn(*const berth_value, u32) -> berth_str>,
    pub get: Option<unsafe extern "C" fn(*const berth_value, berth_str) -> *const berth_value>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_verdict {
    pub code: u8,
    pub rsv: [u8; 3],
    pub reasons: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_volume {
    pub kind: u32,
    pub flags: u32,
    pub handle: berth_id,
    pub name: berth_id,
    pub pool: berth_id,
    pub rsv: u32,
    pub monitors: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_volumes {
    pub size: u32,
    pub content: u32,
    pub items: berth_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct berth_waiting {
    pub size: u32,
    pub rsv: u32,
    pub each: Option<unsafe extern "C" fn(*const berth_host, Option<unsafe extern "C" fn(*mut c_void, *const berth_pod)>, *mut c_void)>,
    pub allow: Option<unsafe extern "C" fn(*const berth_host, berth_str) -> i32>,
    pub reject: Option<unsafe extern "C" fn(*const berth_host, berth_str, berth_str) -> i32>,
}
