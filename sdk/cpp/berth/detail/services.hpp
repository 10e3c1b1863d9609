// The host's service tables as one instance uses them: each is copied once, at init, up to the size its provider knew,
// and gets functions that throw MissingService in place of missing ones. Calls therefore need no checks, and an older
// host causes an ERROR that names the missing function. Log lines are dropped instead, because every error path logs.
#pragma once

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "berth/binding.h"
#include "berth/random.h"
#include "berth/text.hpp"

namespace berth::sdk {

// The host does not offer a function that the plugin uses.
class MissingService : public std::runtime_error {
 public:
  explicit MissingService(const std::string& what) : std::runtime_error("this host does not offer " + what) {}
};

namespace detail {

template <Literal What, class R, class... A>
R Missing(A...) {
  throw MissingService(What.text);
}

template <Literal What, class T, class R, class... A>
void Patch(T& table, R (*T::*member)(A...)) {
  if (table.*member == nullptr) table.*member = &Missing<What, R, A...>;
}

// The part of a provider's table that both sides know; the rest is zero. table may be null.
template <class T>
T CopyTable(const void* table) {
  T copy{};
  if (table != nullptr) {
    uint32_t size = 0;
    std::memcpy(&size, table, sizeof(size));
    size -= static_cast<uint32_t>(size % sizeof(void*));  // a pointer that does not fit counts as missing
    std::memcpy(static_cast<void*>(&copy), table, std::min<size_t>(size, sizeof(T)));
  }
  copy.size = sizeof(T);
  return copy;
}

inline int32_t NeverEnabled(const berth_host*, int32_t) { return 0; }
inline void DropLine(const berth_host*, int32_t, int32_t, berth_str, int32_t, berth_str, const berth_str*,
                     const berth_str*, uint32_t) {}
inline int32_t NeverCancelled(const berth_cycle*) { return 0; }

struct Services {
  berth_host core;
  berth_values value;
  berth_config config;
  berth_log log;
  berth_snapshot snapshot;
  berth_cycles cycle;
  berth_requests requests;
  berth_selectors selectors;
  berth_binder binder;
  berth_waiting waiting;
  berth_random random;

  // Requests every table from the host; do not call it before init. host may have no service().
  void Connect(const berth_host* host) {
    core = CopyTable<berth_host>(host);
    auto copy = [host](auto& table, const char* id) {
      using T = std::remove_reference_t<decltype(table)>;
      table = CopyTable<T>(BERTH_HAS(host, berth_host, service) ? host->service(host, id) : nullptr);
    };
    copy(value, BERTH_SERVICE_VALUE);
    copy(config, BERTH_SERVICE_CONFIG);
    copy(log, BERTH_SERVICE_LOG);
    copy(snapshot, BERTH_SERVICE_SNAPSHOT);
    copy(cycle, BERTH_SERVICE_CYCLE);
    copy(requests, BERTH_SERVICE_REQUESTS);
    copy(selectors, BERTH_SERVICE_SELECTORS);
    copy(binder, BERTH_SERVICE_BINDER);
    copy(waiting, BERTH_SERVICE_WAITING);
    copy(random, BERTH_SERVICE_RANDOM);
    PatchData();
    PatchCluster();
    PatchHelpers();
  }

 private:
  void PatchData() {
    Patch<"berth_host intern">(core, &berth_host::intern);
    Patch<"berth_host keep">(core, &berth_host::keep);
    Patch<"berth_host drop">(core, &berth_host::drop);
    Patch<"berth_host text">(core, &berth_host::text);
    Patch<"berth.host.value/1: kind">(value, &berth_values::kind);
    Patch<"berth.host.value/1: integer">(value, &berth_values::integer);
    Patch<"berth.host.value/1: number">(value, &berth_values::number);
    Patch<"berth.host.value/1: string">(value, &berth_values::string);
    Patch<"berth.host.value/1: count">(value, &berth_values::count);
    Patch<"berth.host.value/1: at">(value, &berth_values::at);
    Patch<"berth.host.value/1: key">(value, &berth_values::key);
    Patch<"berth.host.value/1: get">(value, &berth_values::get);
    Patch<"berth.host.config/1: args">(config, &berth_config::args);
    Patch<"berth.host.config/1: profile">(config, &berth_config::profile);
    Patch<"berth.host.config/1: name">(config, &berth_config::name);
    if (log.enabled == nullptr) log.enabled = &NeverEnabled;
    if (log.log == nullptr) log.log = &DropLine;
  }

  void PatchCluster() {
    Patch<"berth.host.snapshot/1: rows">(snapshot, &berth_snapshot::rows);
    Patch<"berth.host.snapshot/1: nodes">(snapshot, &berth_snapshot::nodes);
    Patch<"berth.host.snapshot/1: live">(snapshot, &berth_snapshot::live);
    Patch<"berth.host.snapshot/1: order">(snapshot, &berth_snapshot::order);
    Patch<"berth.host.snapshot/1: node">(snapshot, &berth_snapshot::node);
    Patch<"berth.host.snapshot/1: pods">(snapshot, &berth_snapshot::pods);
    Patch<"berth.host.snapshot/1: used_ports">(snapshot, &berth_snapshot::used_ports);
    Patch<"berth.host.snapshot/1: row_of">(snapshot, &berth_snapshot::row_of);
    Patch<"berth.host.snapshot/1: column">(snapshot, &berth_snapshot::column);
    Patch<"berth.host.snapshot/1: set_items">(snapshot, &berth_snapshot::set_items);
    Patch<"berth.host.snapshot/1: image">(snapshot, &berth_snapshot::image);
    Patch<"berth.host.snapshot/1: open_column">(snapshot, &berth_snapshot::open_column);
    Patch<"berth.host.cycle/1: snap">(cycle, &berth_cycles::snap);
    Patch<"berth.host.cycle/1: data">(cycle, &berth_cycles::data);
    Patch<"berth.host.cycle/1: set_data">(cycle, &berth_cycles::set_data);
    Patch<"berth.host.cycle/1: reasons">(cycle, &berth_cycles::reasons);
    Patch<"berth.host.cycle/1: reason_texts">(cycle, &berth_cycles::reason_texts);
    if (cycle.cancelled == nullptr) cycle.cancelled = &NeverCancelled;
  }

  void PatchHelpers() {
    Patch<"berth.host.requests/1: of">(requests, &berth_requests::of);
    Patch<"berth.host.selectors/1: label_selector">(selectors, &berth_selectors::label_selector);
    Patch<"berth.host.selectors/1: match_labels">(selectors, &berth_selectors::match_labels);
    Patch<"berth.host.selectors/1: node_affinity">(selectors, &berth_selectors::node_affinity);
    Patch<"berth.host.selectors/1: match_required">(selectors, &berth_selectors::match_required);
    Patch<"berth.host.selectors/1: match_term">(selectors, &berth_selectors::match_term);
    Patch<"berth.host.selectors/1: match_node">(selectors, &berth_selectors::match_node);
    Patch<"berth.host.selectors/1: term_errors">(selectors, &berth_selectors::term_errors);
    Patch<"berth.host.binder/1: bind">(binder, &berth_binder::bind);
    Patch<"berth.host.waiting/1: each">(waiting, &berth_waiting::each);
    Patch<"berth.host.waiting/1: allow">(waiting, &berth_waiting::allow);
    Patch<"berth.host.waiting/1: reject">(waiting, &berth_waiting::reject);
    Patch<"berth.host.random/1: seed">(random, &berth_random::seed);
  }
};

}  // namespace detail
}  // namespace berth::sdk
