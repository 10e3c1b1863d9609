//! rustc's layout against the C compiler's. Written by generate.py: do not edit.
use crate::abi::*;
use std::mem::{align_of, size_of, MaybeUninit};

macro_rules! offset {
    ($t:ty, $f:ident) => {{
        let place = MaybeUninit::<$t>::uninit();
        let base = place.as_ptr();
        // No reference and no read: only the address of the field.
        unsafe { std::ptr::addr_of!((*base).$f) as usize - base as usize }
    }};
}

#[test]
fn berth_amount_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_amount>(), align_of::<berth_amount>()), (16, 8));
    assert_eq!(offset!(berth_amount, name), 0);
    assert_eq!(offset!(berth_amount, flags), 4);
    assert_eq!(offset!(berth_amount, value), 8);
}

#[test]
fn berth_api_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_api>(), align_of::<berth_api>()), (40, 8));
    assert_eq!(offset!(berth_api, size), 0);
    assert_eq!(offset!(berth_api, rsv), 4);
    assert_eq!(offset!(berth_api, send), 8);
    assert_eq!(offset!(berth_api, event), 16);
    assert_eq!(offset!(berth_api, keep_pod), 24);
    assert_eq!(offset!(berth_api, drop_pod), 32);
}

#[test]
fn berth_api_reply_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_api_reply>(), align_of::<berth_api_reply>()), (56, 8));
    assert_eq!(offset!(berth_api_reply, size), 0);
    assert_eq!(offset!(berth_api_reply, code), 4);
    assert_eq!(offset!(berth_api_reply, body), 8);
    assert_eq!(offset!(berth_api_reply, reason), 24);
    assert_eq!(offset!(berth_api_reply, message), 40);
}

#[test]
fn berth_api_request_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_api_request>(), align_of::<berth_api_request>()), (152, 8));
    assert_eq!(offset!(berth_api_request, size), 0);
    assert_eq!(offset!(berth_api_request, rsv), 4);
    assert_eq!(offset!(berth_api_request, verb), 8);
    assert_eq!(offset!(berth_api_request, group), 24);
    assert_eq!(offset!(berth_api_request, version), 40);
    assert_eq!(offset!(berth_api_request, resource), 56);
    assert_eq!(offset!(berth_api_request, ns), 72);
    assert_eq!(offset!(berth_api_request, name), 88);
    assert_eq!(offset!(berth_api_request, subresource), 104);
    assert_eq!(offset!(berth_api_request, content_type), 120);
    assert_eq!(offset!(berth_api_request, body), 136);
}

#[test]
fn berth_args_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_args>(), align_of::<berth_args>()), (24, 8));
    assert_eq!(offset!(berth_args, size), 0);
    assert_eq!(offset!(berth_args, rsv), 4);
    assert_eq!(offset!(berth_args, complete), 8);
    assert_eq!(offset!(berth_args, check), 16);
}

#[test]
fn berth_args_sink_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_args_sink>(), align_of::<berth_args_sink>()), (32, 8));
    assert_eq!(offset!(berth_args_sink, size), 0);
    assert_eq!(offset!(berth_args_sink, rsv), 4);
    assert_eq!(offset!(berth_args_sink, ctx), 8);
    assert_eq!(offset!(berth_args_sink, error), 16);
    assert_eq!(offset!(berth_args_sink, json), 24);
}

#[test]
fn berth_bind_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_bind>(), align_of::<berth_bind>()), (16, 8));
    assert_eq!(offset!(berth_bind, size), 0);
    assert_eq!(offset!(berth_bind, rsv), 4);
    assert_eq!(offset!(berth_bind, bind), 8);
}

#[test]
fn berth_binder_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_binder>(), align_of::<berth_binder>()), (16, 8));
    assert_eq!(offset!(berth_binder, size), 0);
    assert_eq!(offset!(berth_binder, rsv), 4);
    assert_eq!(offset!(berth_binder, bind), 8);
}

#[test]
fn berth_candidate_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_candidate>(), align_of::<berth_candidate>()), (32, 8));
    assert_eq!(offset!(berth_candidate, row), 0);
    assert_eq!(offset!(berth_candidate, rsv), 4);
    assert_eq!(offset!(berth_candidate, violations), 8);
    assert_eq!(offset!(berth_candidate, pods), 16);
}

#[test]
fn berth_claims_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_claims>(), align_of::<berth_claims>()), (24, 8));
    assert_eq!(offset!(berth_claims, size), 0);
    assert_eq!(offset!(berth_claims, content), 4);
    assert_eq!(offset!(berth_claims, items), 8);
}

#[test]
fn berth_column_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_column>(), align_of::<berth_column>()), (24, 8));
    assert_eq!(offset!(berth_column, size), 0);
    assert_eq!(offset!(berth_column, type_), 4);
    assert_eq!(offset!(berth_column, rows), 8);
    assert_eq!(offset!(berth_column, flags), 12);
    assert_eq!(offset!(berth_column, cells), 16);
}

#[test]
fn berth_config_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_config>(), align_of::<berth_config>()), (32, 8));
    assert_eq!(offset!(berth_config, size), 0);
    assert_eq!(offset!(berth_config, rsv), 4);
    assert_eq!(offset!(berth_config, args), 8);
    assert_eq!(offset!(berth_config, profile), 16);
    assert_eq!(offset!(berth_config, name), 24);
}

#[test]
fn berth_container_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_container>(), align_of::<berth_container>()), (40, 8));
    assert_eq!(offset!(berth_container, name), 0);
    assert_eq!(offset!(berth_container, kind), 4);
    assert_eq!(offset!(berth_container, requests), 8);
    assert_eq!(offset!(berth_container, limits), 24);
}

#[test]
fn berth_controller_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_controller>(), align_of::<berth_controller>()), (24, 4));
    assert_eq!(offset!(berth_controller, size), 0);
    assert_eq!(offset!(berth_controller, content), 4);
    assert_eq!(offset!(berth_controller, api_version), 8);
    assert_eq!(offset!(berth_controller, kind), 12);
    assert_eq!(offset!(berth_controller, name), 16);
    assert_eq!(offset!(berth_controller, uid), 20);
}

#[test]
fn berth_cycles_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_cycles>(), align_of::<berth_cycles>()), (56, 8));
    assert_eq!(offset!(berth_cycles, size), 0);
    assert_eq!(offset!(berth_cycles, rsv), 4);
    assert_eq!(offset!(berth_cycles, snap), 8);
    assert_eq!(offset!(berth_cycles, data), 16);
    assert_eq!(offset!(berth_cycles, set_data), 24);
    assert_eq!(offset!(berth_cycles, reasons), 32);
    assert_eq!(offset!(berth_cycles, reason_texts), 40);
    assert_eq!(offset!(berth_cycles, cancelled), 48);
}

#[test]
fn berth_delta_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_delta>(), align_of::<berth_delta>()), (24, 8));
    assert_eq!(offset!(berth_delta, kind), 0);
    assert_eq!(offset!(berth_delta, row), 4);
    assert_eq!(offset!(berth_delta, node), 8);
    assert_eq!(offset!(berth_delta, pod), 16);
}

#[test]
fn berth_deltas_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_deltas>(), align_of::<berth_deltas>()), (24, 8));
    assert_eq!(offset!(berth_deltas, size), 0);
    assert_eq!(offset!(berth_deltas, mask), 4);
    assert_eq!(offset!(berth_deltas, deltas), 8);
    assert_eq!(offset!(berth_deltas, dump), 16);
}

#[test]
fn berth_descriptor_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_descriptor>(), align_of::<berth_descriptor>()), (40, 8));
    assert_eq!(offset!(berth_descriptor, size), 0);
    assert_eq!(offset!(berth_descriptor, flags), 4);
    assert_eq!(offset!(berth_descriptor, name), 8);
    assert_eq!(offset!(berth_descriptor, version), 16);
    assert_eq!(offset!(berth_descriptor, vendor), 24);
    assert_eq!(offset!(berth_descriptor, args_schema), 32);
}

#[test]
fn berth_diagnosis_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_diagnosis>(), align_of::<berth_diagnosis>()), (24, 8));
    assert_eq!(offset!(berth_diagnosis, size), 0);
    assert_eq!(offset!(berth_diagnosis, rsv), 4);
    assert_eq!(offset!(berth_diagnosis, verdicts), 8);
    assert_eq!(offset!(berth_diagnosis, absent), 16);
}

#[test]
fn berth_domain_columns_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_domain_columns>(), align_of::<berth_domain_columns>()), (16, 8));
    assert_eq!(offset!(berth_domain_columns, size), 0);
    assert_eq!(offset!(berth_domain_columns, rsv), 4);
    assert_eq!(offset!(berth_domain_columns, of), 8);
}

#[test]
fn berth_domains_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_domains>(), align_of::<berth_domains>()), (40, 8));
    assert_eq!(offset!(berth_domains, size), 0);
    assert_eq!(offset!(berth_domains, n), 4);
    assert_eq!(offset!(berth_domains, of_row), 8);
    assert_eq!(offset!(berth_domains, values), 16);
    assert_eq!(offset!(berth_domains, n_rows), 24);
    assert_eq!(offset!(berth_domains, numbering), 32);
}

#[test]
fn berth_entry_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_entry>(), align_of::<berth_entry>()), (40, 8));
    assert_eq!(offset!(berth_entry, size), 0);
    assert_eq!(offset!(berth_entry, abi_minor), 4);
    assert_eq!(offset!(berth_entry, count), 8);
    assert_eq!(offset!(berth_entry, describe), 16);
    assert_eq!(offset!(berth_entry, create), 24);
    assert_eq!(offset!(berth_entry, extension), 32);
}

#[test]
fn berth_event_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_event>(), align_of::<berth_event>()), (80, 8));
    assert_eq!(offset!(berth_event, size), 0);
    assert_eq!(offset!(berth_event, interest), 4);
    assert_eq!(offset!(berth_event, actions), 8);
    assert_eq!(offset!(berth_event, rsv), 12);
    assert_eq!(offset!(berth_event, resource), 16);
    assert_eq!(offset!(berth_event, old_pod), 32);
    assert_eq!(offset!(berth_event, new_pod), 40);
    assert_eq!(offset!(berth_event, old_node), 48);
    assert_eq!(offset!(berth_event, new_node), 56);
    assert_eq!(offset!(berth_event, old_value), 64);
    assert_eq!(offset!(berth_event, new_value), 72);
}

#[test]
fn berth_events_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_events>(), align_of::<berth_events>()), (24, 8));
    assert_eq!(offset!(berth_events, size), 0);
    assert_eq!(offset!(berth_events, rsv), 4);
    assert_eq!(offset!(berth_events, interests), 8);
    assert_eq!(offset!(berth_events, hints), 16);
}

#[test]
fn berth_extenders_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_extenders>(), align_of::<berth_extenders>()), (24, 8));
    assert_eq!(offset!(berth_extenders, size), 0);
    assert_eq!(offset!(berth_extenders, rsv), 4);
    assert_eq!(offset!(berth_extenders, preempts), 8);
    assert_eq!(offset!(berth_extenders, preempt), 16);
}

#[test]
fn berth_filter_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_filter>(), align_of::<berth_filter>()), (48, 8));
    assert_eq!(offset!(berth_filter, size), 0);
    assert_eq!(offset!(berth_filter, rsv), 4);
    assert_eq!(offset!(berth_filter, reuse), 8);
    assert_eq!(offset!(berth_filter, filter), 40);
}

#[test]
fn berth_gates_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_gates>(), align_of::<berth_gates>()), (24, 8));
    assert_eq!(offset!(berth_gates, size), 0);
    assert_eq!(offset!(berth_gates, content), 4);
    assert_eq!(offset!(berth_gates, items), 8);
}

#[test]
fn berth_handover_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_handover>(), align_of::<berth_handover>()), (48, 8));
    assert_eq!(offset!(berth_handover, size), 0);
    assert_eq!(offset!(berth_handover, flags), 4);
    assert_eq!(offset!(berth_handover, save), 8);
    assert_eq!(offset!(berth_handover, load), 16);
    assert_eq!(offset!(berth_handover, describe), 24);
    assert_eq!(offset!(berth_handover, adopt), 32);
    assert_eq!(offset!(berth_handover, settle), 40);
}

#[test]
fn berth_host_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_host>(), align_of::<berth_host>()), (64, 8));
    assert_eq!(offset!(berth_host, size), 0);
    assert_eq!(offset!(berth_host, abi_minor), 4);
    assert_eq!(offset!(berth_host, impl_), 8);
    assert_eq!(offset!(berth_host, service), 16);
    assert_eq!(offset!(berth_host, because), 24);
    assert_eq!(offset!(berth_host, intern), 32);
    assert_eq!(offset!(berth_host, keep), 40);
    assert_eq!(offset!(berth_host, drop), 48);
    assert_eq!(offset!(berth_host, text), 56);
}

#[test]
fn berth_host_port_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_host_port>(), align_of::<berth_host_port>()), (16, 4));
    assert_eq!(offset!(berth_host_port, ip), 0);
    assert_eq!(offset!(berth_host_port, protocol), 4);
    assert_eq!(offset!(berth_host_port, port), 8);
    assert_eq!(offset!(berth_host_port, rsv), 12);
}

#[test]
fn berth_http_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_http>(), align_of::<berth_http>()), (16, 8));
    assert_eq!(offset!(berth_http, size), 0);
    assert_eq!(offset!(berth_http, rsv), 4);
    assert_eq!(offset!(berth_http, get), 8);
}

#[test]
fn berth_http_request_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_http_request>(), align_of::<berth_http_request>()), (48, 8));
    assert_eq!(offset!(berth_http_request, size), 0);
    assert_eq!(offset!(berth_http_request, flags), 4);
    assert_eq!(offset!(berth_http_request, url), 8);
    assert_eq!(offset!(berth_http_request, authorization), 24);
    assert_eq!(offset!(berth_http_request, timeout_ns), 40);
}

#[test]
fn berth_image_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_image>(), align_of::<berth_image>()), (24, 8));
    assert_eq!(offset!(berth_image, size), 0);
    assert_eq!(offset!(berth_image, n_nodes), 4);
    assert_eq!(offset!(berth_image, bytes), 8);
    assert_eq!(offset!(berth_image, nodes), 16);
}

#[test]
fn berth_images_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_images>(), align_of::<berth_images>()), (56, 8));
    assert_eq!(offset!(berth_images, size), 0);
    assert_eq!(offset!(berth_images, content), 4);
    assert_eq!(offset!(berth_images, init_containers), 8);
    assert_eq!(offset!(berth_images, containers), 24);
    assert_eq!(offset!(berth_images, volumes), 40);
}

#[test]
fn berth_interest_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_interest>(), align_of::<berth_interest>()), (24, 8));
    assert_eq!(offset!(berth_interest, resource), 0);
    assert_eq!(offset!(berth_interest, actions), 16);
    assert_eq!(offset!(berth_interest, flags), 20);
}

#[test]
fn berth_json_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_json>(), align_of::<berth_json>()), (16, 8));
    assert_eq!(offset!(berth_json, size), 0);
    assert_eq!(offset!(berth_json, rsv), 4);
    assert_eq!(offset!(berth_json, parse), 8);
}

#[test]
fn berth_kept_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_kept>(), align_of::<berth_kept>()), (24, 8));
    assert_eq!(offset!(berth_kept, size), 0);
    assert_eq!(offset!(berth_kept, rsv), 4);
    assert_eq!(offset!(berth_kept, row_changed), 8);
    assert_eq!(offset!(berth_kept, all_changed), 16);
}

#[test]
fn berth_kv_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_kv>(), align_of::<berth_kv>()), (8, 4));
    assert_eq!(offset!(berth_kv, key), 0);
    assert_eq!(offset!(berth_kv, value), 4);
}

#[test]
fn berth_label_requirement_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_label_requirement>(), align_of::<berth_label_requirement>()), (24, 8));
    assert_eq!(offset!(berth_label_requirement, key), 0);
    assert_eq!(offset!(berth_label_requirement, op), 4);
    assert_eq!(offset!(berth_label_requirement, values), 8);
}

#[test]
fn berth_labels_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_labels>(), align_of::<berth_labels>()), (24, 8));
    assert_eq!(offset!(berth_labels, size), 0);
    assert_eq!(offset!(berth_labels, content), 4);
    assert_eq!(offset!(berth_labels, items), 8);
}

#[test]
fn berth_list_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_list>(), align_of::<berth_list>()), (16, 8));
    assert_eq!(offset!(berth_list, ptr), 0);
    assert_eq!(offset!(berth_list, n), 8);
    assert_eq!(offset!(berth_list, stride), 12);
}

#[test]
fn berth_log_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_log>(), align_of::<berth_log>()), (24, 8));
    assert_eq!(offset!(berth_log, size), 0);
    assert_eq!(offset!(berth_log, rsv), 4);
    assert_eq!(offset!(berth_log, enabled), 8);
    assert_eq!(offset!(berth_log, log), 16);
}

#[test]
fn berth_matching_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_matching>(), align_of::<berth_matching>()), (48, 8));
    assert_eq!(offset!(berth_matching, size), 0);
    assert_eq!(offset!(berth_matching, rsv), 4);
    assert_eq!(offset!(berth_matching, match_), 8);
    assert_eq!(offset!(berth_matching, error), 16);
    assert_eq!(offset!(berth_matching, keep), 24);
    assert_eq!(offset!(berth_matching, keep_map), 32);
    assert_eq!(offset!(berth_matching, drop), 40);
}

#[test]
fn berth_metric_spec_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_metric_spec>(), align_of::<berth_metric_spec>()), (72, 8));
    assert_eq!(offset!(berth_metric_spec, size), 0);
    assert_eq!(offset!(berth_metric_spec, kind), 4);
    assert_eq!(offset!(berth_metric_spec, name), 8);
    assert_eq!(offset!(berth_metric_spec, help), 24);
    assert_eq!(offset!(berth_metric_spec, labels), 40);
    assert_eq!(offset!(berth_metric_spec, buckets), 56);
}

#[test]
fn berth_metrics_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_metrics>(), align_of::<berth_metrics>()), (56, 8));
    assert_eq!(offset!(berth_metrics, size), 0);
    assert_eq!(offset!(berth_metrics, rsv), 4);
    assert_eq!(offset!(berth_metrics, family), 8);
    assert_eq!(offset!(berth_metrics, kube), 16);
    assert_eq!(offset!(berth_metrics, series), 24);
    assert_eq!(offset!(berth_metrics, add), 32);
    assert_eq!(offset!(berth_metrics, set), 40);
    assert_eq!(offset!(berth_metrics, observe), 48);
}

#[test]
fn berth_names_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_names>(), align_of::<berth_names>()), (24, 8));
    assert_eq!(offset!(berth_names, size), 0);
    assert_eq!(offset!(berth_names, narrowed), 4);
    assert_eq!(offset!(berth_names, names), 8);
    assert_eq!(offset!(berth_names, n), 16);
    assert_eq!(offset!(berth_names, rsv), 20);
}

#[test]
fn berth_node_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_node>(), align_of::<berth_node>()), (72, 8));
    assert_eq!(offset!(berth_node, size), 0);
    assert_eq!(offset!(berth_node, unschedulable), 4);
    assert_eq!(offset!(berth_node, name), 8);
    assert_eq!(offset!(berth_node, rsv), 12);
    assert_eq!(offset!(berth_node, labels), 16);
    assert_eq!(offset!(berth_node, taints), 24);
    assert_eq!(offset!(berth_node, allocatable), 40);
    assert_eq!(offset!(berth_node, declared_features), 56);
}

#[test]
fn berth_node_affinity_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_node_affinity>(), align_of::<berth_node_affinity>()), (64, 8));
    assert_eq!(offset!(berth_node_affinity, size), 0);
    assert_eq!(offset!(berth_node_affinity, content), 4);
    assert_eq!(offset!(berth_node_affinity, has), 8);
    assert_eq!(offset!(berth_node_affinity, selector), 16);
    assert_eq!(offset!(berth_node_affinity, required), 32);
    assert_eq!(offset!(berth_node_affinity, preferred), 48);
}

#[test]
fn berth_node_requirement_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_node_requirement>(), align_of::<berth_node_requirement>()), (24, 8));
    assert_eq!(offset!(berth_node_requirement, key), 0);
    assert_eq!(offset!(berth_node_requirement, op), 4);
    assert_eq!(offset!(berth_node_requirement, values), 8);
}

#[test]
fn berth_node_term_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_node_term>(), align_of::<berth_node_term>()), (32, 8));
    assert_eq!(offset!(berth_node_term, expressions), 0);
    assert_eq!(offset!(berth_node_term, fields), 16);
}

#[test]
fn berth_nominations_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_nominations>(), align_of::<berth_nominations>()), (40, 8));
    assert_eq!(offset!(berth_nominations, size), 0);
    assert_eq!(offset!(berth_nominations, rsv), 4);
    assert_eq!(offset!(berth_nominations, of_node), 8);
    assert_eq!(offset!(berth_nominations, clear), 16);
    assert_eq!(offset!(berth_nominations, give_up), 24);
    assert_eq!(offset!(berth_nominations, nodes), 32);
}

#[test]
fn berth_object_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_object>(), align_of::<berth_object>()), (88, 8));
    assert_eq!(offset!(berth_object, size), 0);
    assert_eq!(offset!(berth_object, rsv), 4);
    assert_eq!(offset!(berth_object, ns), 8);
    assert_eq!(offset!(berth_object, name), 24);
    assert_eq!(offset!(berth_object, uid), 40);
    assert_eq!(offset!(berth_object, resource_version), 56);
    assert_eq!(offset!(berth_object, labels), 72);
    assert_eq!(offset!(berth_object, value), 80);
}

#[test]
fn berth_object_changes_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_object_changes>(), align_of::<berth_object_changes>()), (16, 8));
    assert_eq!(offset!(berth_object_changes, size), 0);
    assert_eq!(offset!(berth_object_changes, rsv), 4);
    assert_eq!(offset!(berth_object_changes, changed), 8);
}

#[test]
fn berth_objects_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_objects>(), align_of::<berth_objects>()), (80, 8));
    assert_eq!(offset!(berth_objects, size), 0);
    assert_eq!(offset!(berth_objects, rsv), 4);
    assert_eq!(offset!(berth_objects, need), 8);
    assert_eq!(offset!(berth_objects, get), 16);
    assert_eq!(offset!(berth_objects, list), 24);
    assert_eq!(offset!(berth_objects, version), 32);
    assert_eq!(offset!(berth_objects, assume), 40);
    assert_eq!(offset!(berth_objects, revert), 48);
    assert_eq!(offset!(berth_objects, quantity), 56);
    assert_eq!(offset!(berth_objects, keep_node_selector), 64);
    assert_eq!(offset!(berth_objects, drop_node_selector), 72);
}

#[test]
fn berth_op_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_op>(), align_of::<berth_op>()), (16, 8));
    assert_eq!(offset!(berth_op, size), 0);
    assert_eq!(offset!(berth_op, rsv), 4);
    assert_eq!(offset!(berth_op, done), 8);
}

#[test]
fn berth_permit_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_permit>(), align_of::<berth_permit>()), (16, 8));
    assert_eq!(offset!(berth_permit, size), 0);
    assert_eq!(offset!(berth_permit, rsv), 4);
    assert_eq!(offset!(berth_permit, permit), 8);
}

#[test]
fn berth_plugin_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_plugin>(), align_of::<berth_plugin>()), (72, 8));
    assert_eq!(offset!(berth_plugin, size), 0);
    assert_eq!(offset!(berth_plugin, rsv), 4);
    assert_eq!(offset!(berth_plugin, impl_), 8);
    assert_eq!(offset!(berth_plugin, init), 16);
    assert_eq!(offset!(berth_plugin, activate), 24);
    assert_eq!(offset!(berth_plugin, deactivate), 32);
    assert_eq!(offset!(berth_plugin, destroy), 40);
    assert_eq!(offset!(berth_plugin, extension), 48);
    assert_eq!(offset!(berth_plugin, cycle_clone), 56);
    assert_eq!(offset!(berth_plugin, cycle_free), 64);
}

#[test]
fn berth_pod_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_pod>(), align_of::<berth_pod>()), (208, 8));
    assert_eq!(offset!(berth_pod, size), 0);
    assert_eq!(offset!(berth_pod, priority), 4);
    assert_eq!(offset!(berth_pod, has), 8);
    assert_eq!(offset!(berth_pod, uid), 16);
    assert_eq!(offset!(berth_pod, name), 32);
    assert_eq!(offset!(berth_pod, ns), 48);
    assert_eq!(offset!(berth_pod, scheduler_name), 52);
    assert_eq!(offset!(berth_pod, node_name), 56);
    assert_eq!(offset!(berth_pod, nominated_node), 60);
    assert_eq!(offset!(berth_pod, creation_unix_ns), 64);
    assert_eq!(offset!(berth_pod, deletion_unix_ns), 72);
    assert_eq!(offset!(berth_pod, labels), 80);
    assert_eq!(offset!(berth_pod, images), 88);
    assert_eq!(offset!(berth_pod, resources), 96);
    assert_eq!(offset!(berth_pod, ports), 104);
    assert_eq!(offset!(berth_pod, tolerations), 112);
    assert_eq!(offset!(berth_pod, node_affinity), 120);
    assert_eq!(offset!(berth_pod, gates), 128);
    assert_eq!(offset!(berth_pod, pod_affinity), 136);
    assert_eq!(offset!(berth_pod, spread), 144);
    assert_eq!(offset!(berth_pod, volumes), 152);
    assert_eq!(offset!(berth_pod, claims), 160);
    assert_eq!(offset!(berth_pod, controller), 168);
    assert_eq!(offset!(berth_pod, start_unix_ns), 176);
    assert_eq!(offset!(berth_pod, preemption_policy), 184);
    assert_eq!(offset!(berth_pod, priority_class), 188);
    assert_eq!(offset!(berth_pod, generation), 192);
    assert_eq!(offset!(berth_pod, scheduled_unix_ns), 200);
}

#[test]
fn berth_pod_affinity_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_pod_affinity>(), align_of::<berth_pod_affinity>()), (80, 8));
    assert_eq!(offset!(berth_pod_affinity, size), 0);
    assert_eq!(offset!(berth_pod_affinity, content), 4);
    assert_eq!(offset!(berth_pod_affinity, has), 8);
    assert_eq!(offset!(berth_pod_affinity, required), 16);
    assert_eq!(offset!(berth_pod_affinity, preferred), 32);
    assert_eq!(offset!(berth_pod_affinity, anti_required), 48);
    assert_eq!(offset!(berth_pod_affinity, anti_preferred), 64);
}

#[test]
fn berth_pod_change_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_pod_change>(), align_of::<berth_pod_change>()), (24, 8));
    assert_eq!(offset!(berth_pod_change, size), 0);
    assert_eq!(offset!(berth_pod_change, rsv), 4);
    assert_eq!(offset!(berth_pod_change, add_pod), 8);
    assert_eq!(offset!(berth_pod_change, remove_pod), 16);
}

#[test]
fn berth_pod_claim_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_pod_claim>(), align_of::<berth_pod_claim>()), (12, 4));
    assert_eq!(offset!(berth_pod_claim, name), 0);
    assert_eq!(offset!(berth_pod_claim, claim_name), 4);
    assert_eq!(offset!(berth_pod_claim, template_name), 8);
}

#[test]
fn berth_pod_counts_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_pod_counts>(), align_of::<berth_pod_counts>()), (24, 8));
    assert_eq!(offset!(berth_pod_counts, size), 0);
    assert_eq!(offset!(berth_pod_counts, rsv), 4);
    assert_eq!(offset!(berth_pod_counts, total), 8);
    assert_eq!(offset!(berth_pod_counts, of_row), 16);
}

#[test]
fn berth_pod_match_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_pod_match>(), align_of::<berth_pod_match>()), (48, 8));
    assert_eq!(offset!(berth_pod_match, flags), 0);
    assert_eq!(offset!(berth_pod_match, rsv), 4);
    assert_eq!(offset!(berth_pod_match, selector), 8);
    assert_eq!(offset!(berth_pod_match, labels), 16);
    assert_eq!(offset!(berth_pod_match, namespaces), 32);
}

#[test]
fn berth_pod_set_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_pod_set>(), align_of::<berth_pod_set>()), (24, 8));
    assert_eq!(offset!(berth_pod_set, size), 0);
    assert_eq!(offset!(berth_pod_set, flags), 4);
    assert_eq!(offset!(berth_pod_set, all_of), 8);
}

#[test]
fn berth_pod_sets_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_pod_sets>(), align_of::<berth_pod_sets>()), (24, 8));
    assert_eq!(offset!(berth_pod_sets, size), 0);
    assert_eq!(offset!(berth_pod_sets, rsv), 4);
    assert_eq!(offset!(berth_pod_sets, counts), 8);
    assert_eq!(offset!(berth_pod_sets, contains), 16);
}

#[test]
fn berth_pod_term_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_pod_term>(), align_of::<berth_pod_term>()), (40, 8));
    assert_eq!(offset!(berth_pod_term, topology_key), 0);
    assert_eq!(offset!(berth_pod_term, weight), 4);
    assert_eq!(offset!(berth_pod_term, selector), 8);
    assert_eq!(offset!(berth_pod_term, namespace_selector), 16);
    assert_eq!(offset!(berth_pod_term, namespaces), 24);
}

#[test]
fn berth_pods_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_pods>(), align_of::<berth_pods>()), (16, 8));
    assert_eq!(offset!(berth_pods, size), 0);
    assert_eq!(offset!(berth_pods, rsv), 4);
    assert_eq!(offset!(berth_pods, labeled), 8);
}

#[test]
fn berth_ports_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_ports>(), align_of::<berth_ports>()), (24, 8));
    assert_eq!(offset!(berth_ports, size), 0);
    assert_eq!(offset!(berth_ports, content), 4);
    assert_eq!(offset!(berth_ports, items), 8);
}

#[test]
fn berth_post_bind_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_post_bind>(), align_of::<berth_post_bind>()), (16, 8));
    assert_eq!(offset!(berth_post_bind, size), 0);
    assert_eq!(offset!(berth_post_bind, rsv), 4);
    assert_eq!(offset!(berth_post_bind, post_bind), 8);
}

#[test]
fn berth_post_filter_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_post_filter>(), align_of::<berth_post_filter>()), (16, 8));
    assert_eq!(offset!(berth_post_filter, size), 0);
    assert_eq!(offset!(berth_post_filter, rsv), 4);
    assert_eq!(offset!(berth_post_filter, post_filter), 8);
}

#[test]
fn berth_post_result_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_post_result>(), align_of::<berth_post_result>()), (16, 4));
    assert_eq!(offset!(berth_post_result, size), 0);
    assert_eq!(offset!(berth_post_result, mode), 4);
    assert_eq!(offset!(berth_post_result, node), 8);
    assert_eq!(offset!(berth_post_result, rsv), 12);
}

#[test]
fn berth_pre_bind_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_pre_bind>(), align_of::<berth_pre_bind>()), (24, 8));
    assert_eq!(offset!(berth_pre_bind, size), 0);
    assert_eq!(offset!(berth_pre_bind, rsv), 4);
    assert_eq!(offset!(berth_pre_bind, pre_flight), 8);
    assert_eq!(offset!(berth_pre_bind, pre_bind), 16);
}

#[test]
fn berth_pre_enqueue_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_pre_enqueue>(), align_of::<berth_pre_enqueue>()), (16, 8));
    assert_eq!(offset!(berth_pre_enqueue, size), 0);
    assert_eq!(offset!(berth_pre_enqueue, rsv), 4);
    assert_eq!(offset!(berth_pre_enqueue, pre_enqueue), 8);
}

#[test]
fn berth_pre_filter_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_pre_filter>(), align_of::<berth_pre_filter>()), (16, 8));
    assert_eq!(offset!(berth_pre_filter, size), 0);
    assert_eq!(offset!(berth_pre_filter, rsv), 4);
    assert_eq!(offset!(berth_pre_filter, pre_filter), 8);
}

#[test]
fn berth_pre_score_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_pre_score>(), align_of::<berth_pre_score>()), (16, 8));
    assert_eq!(offset!(berth_pre_score, size), 0);
    assert_eq!(offset!(berth_pre_score, rsv), 4);
    assert_eq!(offset!(berth_pre_score, pre_score), 8);
}

#[test]
fn berth_preferred_term_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_preferred_term>(), align_of::<berth_preferred_term>()), (40, 8));
    assert_eq!(offset!(berth_preferred_term, weight), 0);
    assert_eq!(offset!(berth_preferred_term, rsv), 4);
    assert_eq!(offset!(berth_preferred_term, term), 8);
}

#[test]
fn berth_queue_sort_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_queue_sort>(), align_of::<berth_queue_sort>()), (16, 8));
    assert_eq!(offset!(berth_queue_sort, size), 0);
    assert_eq!(offset!(berth_queue_sort, rsv), 4);
    assert_eq!(offset!(berth_queue_sort, less), 8);
}

#[test]
fn berth_queued_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_queued>(), align_of::<berth_queued>()), (32, 8));
    assert_eq!(offset!(berth_queued, size), 0);
    assert_eq!(offset!(berth_queued, attempts), 4);
    assert_eq!(offset!(berth_queued, pod), 8);
    assert_eq!(offset!(berth_queued, queued_unix_ns), 16);
    assert_eq!(offset!(berth_queued, initial_attempt_unix_ns), 24);
}

#[test]
fn berth_random_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_random>(), align_of::<berth_random>()), (16, 8));
    assert_eq!(offset!(berth_random, size), 0);
    assert_eq!(offset!(berth_random, rsv), 4);
    assert_eq!(offset!(berth_random, seed), 8);
}

#[test]
fn berth_requests_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_requests>(), align_of::<berth_requests>()), (16, 8));
    assert_eq!(offset!(berth_requests, size), 0);
    assert_eq!(offset!(berth_requests, rsv), 4);
    assert_eq!(offset!(berth_requests, of), 8);
}

#[test]
fn berth_reserve_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_reserve>(), align_of::<berth_reserve>()), (24, 8));
    assert_eq!(offset!(berth_reserve, size), 0);
    assert_eq!(offset!(berth_reserve, rsv), 4);
    assert_eq!(offset!(berth_reserve, reserve), 8);
    assert_eq!(offset!(berth_reserve, unreserve), 16);
}

#[test]
fn berth_resources_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_resources>(), align_of::<berth_resources>()), (80, 8));
    assert_eq!(offset!(berth_resources, size), 0);
    assert_eq!(offset!(berth_resources, content), 4);
    assert_eq!(offset!(berth_resources, has), 8);
    assert_eq!(offset!(berth_resources, containers), 16);
    assert_eq!(offset!(berth_resources, pod_requests), 32);
    assert_eq!(offset!(berth_resources, pod_limits), 48);
    assert_eq!(offset!(berth_resources, overhead), 64);
}

#[test]
fn berth_reuse_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_reuse>(), align_of::<berth_reuse>()), (32, 8));
    assert_eq!(offset!(berth_reuse, flags), 0);
    assert_eq!(offset!(berth_reuse, rsv), 4);
    assert_eq!(offset!(berth_reuse, pod_aspects), 8);
    assert_eq!(offset!(berth_reuse, row_aspects), 16);
    assert_eq!(offset!(berth_reuse, cluster_aspects), 24);
}

#[test]
fn berth_rows_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_rows>(), align_of::<berth_rows>()), (32, 8));
    assert_eq!(offset!(berth_rows, size), 0);
    assert_eq!(offset!(berth_rows, n), 4);
    assert_eq!(offset!(berth_rows, first), 8);
    assert_eq!(offset!(berth_rows, rsv), 12);
    assert_eq!(offset!(berth_rows, rows), 16);
    assert_eq!(offset!(berth_rows, live), 24);
}

#[test]
fn berth_score_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_score>(), align_of::<berth_score>()), (56, 8));
    assert_eq!(offset!(berth_score, size), 0);
    assert_eq!(offset!(berth_score, normalize_kind), 4);
    assert_eq!(offset!(berth_score, reuse), 8);
    assert_eq!(offset!(berth_score, score), 40);
    assert_eq!(offset!(berth_score, normalize), 48);
}

#[test]
fn berth_selector_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_selector>(), align_of::<berth_selector>()), (48, 8));
    assert_eq!(offset!(berth_selector, size), 0);
    assert_eq!(offset!(berth_selector, content), 4);
    assert_eq!(offset!(berth_selector, has), 8);
    assert_eq!(offset!(berth_selector, labels), 16);
    assert_eq!(offset!(berth_selector, expressions), 32);
}

#[test]
fn berth_selectors_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_selectors>(), align_of::<berth_selectors>()), (64, 8));
    assert_eq!(offset!(berth_selectors, size), 0);
    assert_eq!(offset!(berth_selectors, rsv), 4);
    assert_eq!(offset!(berth_selectors, label_selector), 8);
    assert_eq!(offset!(berth_selectors, match_labels), 16);
    assert_eq!(offset!(berth_selectors, node_affinity), 24);
    assert_eq!(offset!(berth_selectors, match_required), 32);
    assert_eq!(offset!(berth_selectors, match_term), 40);
    assert_eq!(offset!(berth_selectors, match_node), 48);
    assert_eq!(offset!(berth_selectors, term_errors), 56);
}

#[test]
fn berth_snapshot_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_snapshot>(), align_of::<berth_snapshot>()), (104, 8));
    assert_eq!(offset!(berth_snapshot, size), 0);
    assert_eq!(offset!(berth_snapshot, rsv), 4);
    assert_eq!(offset!(berth_snapshot, rows), 8);
    assert_eq!(offset!(berth_snapshot, nodes), 16);
    assert_eq!(offset!(berth_snapshot, live), 24);
    assert_eq!(offset!(berth_snapshot, order), 32);
    assert_eq!(offset!(berth_snapshot, node), 40);
    assert_eq!(offset!(berth_snapshot, pods), 48);
    assert_eq!(offset!(berth_snapshot, used_ports), 56);
    assert_eq!(offset!(berth_snapshot, row_of), 64);
    assert_eq!(offset!(berth_snapshot, column), 72);
    assert_eq!(offset!(berth_snapshot, set_items), 80);
    assert_eq!(offset!(berth_snapshot, image), 88);
    assert_eq!(offset!(berth_snapshot, open_column), 96);
}

#[test]
fn berth_spread_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_spread>(), align_of::<berth_spread>()), (24, 8));
    assert_eq!(offset!(berth_spread, size), 0);
    assert_eq!(offset!(berth_spread, content), 4);
    assert_eq!(offset!(berth_spread, items), 8);
}

#[test]
fn berth_spread_constraint_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_spread_constraint>(), align_of::<berth_spread_constraint>()), (48, 8));
    assert_eq!(offset!(berth_spread_constraint, max_skew), 0);
    assert_eq!(offset!(berth_spread_constraint, min_domains), 4);
    assert_eq!(offset!(berth_spread_constraint, topology_key), 8);
    assert_eq!(offset!(berth_spread_constraint, when_unsatisfiable), 12);
    assert_eq!(offset!(berth_spread_constraint, node_affinity_policy), 16);
    assert_eq!(offset!(berth_spread_constraint, node_taints_policy), 20);
    assert_eq!(offset!(berth_spread_constraint, selector), 24);
    assert_eq!(offset!(berth_spread_constraint, match_label_keys), 32);
}

#[test]
fn berth_str_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_str>(), align_of::<berth_str>()), (16, 8));
    assert_eq!(offset!(berth_str, ptr), 0);
    assert_eq!(offset!(berth_str, len), 8);
}

#[test]
fn berth_succession_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_succession>(), align_of::<berth_succession>()), (24, 8));
    assert_eq!(offset!(berth_succession, size), 0);
    assert_eq!(offset!(berth_succession, rsv), 4);
    assert_eq!(offset!(berth_succession, prepare), 8);
    assert_eq!(offset!(berth_succession, commit), 16);
}

#[test]
fn berth_taint_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_taint>(), align_of::<berth_taint>()), (12, 4));
    assert_eq!(offset!(berth_taint, key), 0);
    assert_eq!(offset!(berth_taint, value), 4);
    assert_eq!(offset!(berth_taint, effect), 8);
}

#[test]
fn berth_tasks_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_tasks>(), align_of::<berth_tasks>()), (32, 8));
    assert_eq!(offset!(berth_tasks, size), 0);
    assert_eq!(offset!(berth_tasks, rsv), 4);
    assert_eq!(offset!(berth_tasks, post), 8);
    assert_eq!(offset!(berth_tasks, activate), 16);
    assert_eq!(offset!(berth_tasks, wall_unix_ns), 24);
}

#[test]
fn berth_toleration_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_toleration>(), align_of::<berth_toleration>()), (32, 8));
    assert_eq!(offset!(berth_toleration, key), 0);
    assert_eq!(offset!(berth_toleration, op), 4);
    assert_eq!(offset!(berth_toleration, value), 8);
    assert_eq!(offset!(berth_toleration, effect), 12);
    assert_eq!(offset!(berth_toleration, has), 16);
    assert_eq!(offset!(berth_toleration, seconds), 24);
}

#[test]
fn berth_tolerations_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_tolerations>(), align_of::<berth_tolerations>()), (24, 8));
    assert_eq!(offset!(berth_tolerations, size), 0);
    assert_eq!(offset!(berth_tolerations, content), 4);
    assert_eq!(offset!(berth_tolerations, items), 8);
}

#[test]
fn berth_trials_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_trials>(), align_of::<berth_trials>()), (64, 8));
    assert_eq!(offset!(berth_trials, size), 0);
    assert_eq!(offset!(berth_trials, rsv), 4);
    assert_eq!(offset!(berth_trials, open), 8);
    assert_eq!(offset!(berth_trials, remove), 16);
    assert_eq!(offset!(berth_trials, add), 24);
    assert_eq!(offset!(berth_trials, filter), 32);
    assert_eq!(offset!(berth_trials, error), 40);
    assert_eq!(offset!(berth_trials, close), 48);
    assert_eq!(offset!(berth_trials, turn_to), 56);
}

#[test]
fn berth_values_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_values>(), align_of::<berth_values>()), (72, 8));
    assert_eq!(offset!(berth_values, size), 0);
    assert_eq!(offset!(berth_values, rsv), 4);
    assert_eq!(offset!(berth_values, kind), 8);
    assert_eq!(offset!(berth_values, integer), 16);
    assert_eq!(offset!(berth_values, number), 24);
    assert_eq!(offset!(berth_values, string), 32);
    assert_eq!(offset!(berth_values, count), 40);
    assert_eq!(offset!(berth_values, at), 48);
    assert_eq!(offset!(berth_values, key), 56);
    assert_eq!(offset!(berth_values, get), 64);
}

#[test]
fn berth_verdict_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_verdict>(), align_of::<berth_verdict>()), (8, 4));
    assert_eq!(offset!(berth_verdict, code), 0);
    assert_eq!(offset!(berth_verdict, rsv), 1);
    assert_eq!(offset!(berth_verdict, reasons), 4);
}

#[test]
fn berth_volume_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_volume>(), align_of::<berth_volume>()), (40, 8));
    assert_eq!(offset!(berth_volume, kind), 0);
    assert_eq!(offset!(berth_volume, flags), 4);
    assert_eq!(offset!(berth_volume, handle), 8);
    assert_eq!(offset!(berth_volume, name), 12);
    assert_eq!(offset!(berth_volume, pool), 16);
    assert_eq!(offset!(berth_volume, rsv), 20);
    assert_eq!(offset!(berth_volume, monitors), 24);
}

#[test]
fn berth_volumes_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_volumes>(), align_of::<berth_volumes>()), (24, 8));
    assert_eq!(offset!(berth_volumes, size), 0);
    assert_eq!(offset!(berth_volumes, content), 4);
    assert_eq!(offset!(berth_volumes, items), 8);
}

#[test]
fn berth_waiting_is_laid_out_as_in_c() {
    assert_eq!((size_of::<berth_waiting>(), align_of::<berth_waiting>()), (32, 8));
    assert_eq!(offset!(berth_waiting, size), 0);
    assert_eq!(offset!(berth_waiting, rsv), 4);
    assert_eq!(offset!(berth_waiting, each), 8);
    assert_eq!(offset!(berth_waiting, allow), 16);
    assert_eq!(offset!(berth_waiting, reject), 24);
}
