// How many pods of each row match: counts that the host keeps from change to change. Make a PodSets in the plugin's
// constructor and keep it; a host without the service throws MissingService when it is used.
//   explicit MyPlugin(sdk::Host& host) : pod_sets_(host) {}
//   sdk::PodMatch match;
//   match.In(pod->ns).Selector(constraint.selector);
//   sdk::PodCounts counts = pod_sets_.Counts(cycle.snap(), sdk::PodSet(match, BERTH_POD_SET_NOT_DELETED));
//   for (uint32_t row : rows) sum += counts[row];
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>

#include "berth/detail/services.hpp"
#include "berth/host.hpp"
#include "berth/list.hpp"
#include "berth/pod_sets.h"
#include "berth/snapshot.hpp"
#include "berth/views.hpp"

namespace berth::sdk {

// One condition on pods: namespace AND selector AND label pairs. Borrows its parts and allocates nothing: ids,
// pairs, and selectors must live as long as the condition is used. Without a namespace it matches no pod.
class PodMatch {
 public:
  PodMatch() { raw_.labels.stride = sizeof(berth_kv), raw_.namespaces.stride = sizeof(berth_id); }

  PodMatch& In(const Id& ns) { return In(std::span<const Id>(&ns, 1)); }
  PodMatch& In(Id&&) = delete;  // keeps only the address: pass pod->ns
  // One of these; the order does not matter.
  PodMatch& In(std::span<const Id> namespaces) { return In(Raw(namespaces)); }
  PodMatch& In(List<Id> namespaces) { return raw_.namespaces = namespaces.raw(), *this; }
  PodMatch& InEveryNamespace() { return raw_.flags |= BERTH_POD_MATCH_EVERY_NAMESPACE, *this; }
  // A selector of the host: a pod's, or one that the matching service keeps. Null: any labels.
  PodMatch& Selector(const berth_selector* selector) { return raw_.selector = selector, *this; }
  // Also requires these pairs.
  PodMatch& Labels(std::span<const berth_kv> pairs) { return raw_.labels = Raw(pairs), *this; }
  PodMatch& Labels(List<berth_kv> pairs) { return raw_.labels = pairs.raw(), *this; }

  const berth_pod_match& raw() const { return raw_; }

 private:
  template <class T>
  static berth_list Raw(std::span<const T> items) {
    return {items.data(), static_cast<uint32_t>(items.size()), sizeof(T)};
  }
  berth_pod_match raw_{};
};

// The pods for which every condition holds; without any, every pod. Borrows the conditions.
class PodSet {
 public:
  // flags: BERTH_POD_SET_*.
  explicit PodSet(std::span<const PodMatch> all_of, uint32_t flags = 0)
      : raw_{sizeof(raw_), flags, {all_of.data(), static_cast<uint32_t>(all_of.size()), sizeof(PodMatch)}} {}
  explicit PodSet(const PodMatch& match, uint32_t flags = 0) : PodSet(std::span<const PodMatch>(&match, 1), flags) {}
  explicit PodSet(PodMatch&&, uint32_t flags = 0) = delete;

  const berth_pod_set& raw() const { return raw_; }

 private:
  static_assert(sizeof(PodMatch) == sizeof(berth_pod_match));
  berth_pod_set raw_;
};

// Pods per row in one cycle: pass by value, valid until the cycle ends.
class PodCounts {
 public:
  PodCounts() = default;  // no pod anywhere
  PodCounts(const berth_pod_counts& raw, uint32_t rows) : raw_(raw), rows_(rows) {}

  int64_t total() const { return raw_.total; }
  bool empty() const { return raw_.total == 0; }
  int32_t operator[](uint32_t row) const { return raw_.of_row == nullptr ? 0 : raw_.of_row[row]; }
  // By row; its length is 0 if there is no such pod: check empty() first.
  std::span<const int32_t> of_row() const { return {raw_.of_row, raw_.of_row == nullptr ? 0 : rows_}; }

 private:
  berth_pod_counts raw_{};
  uint32_t rows_ = 0;
};

class PodSets {
 public:
  explicit PodSets(const Host& host)
      : host_(host.raw()),
        table_(detail::CopyTable<berth_pod_sets>(
            host.Offers(BERTH_SERVICE_POD_SETS) ? host.raw()->service(host.raw(), BERTH_SERVICE_POD_SETS) : nullptr)) {
    using detail::Patch;
    Patch<"berth.host.pod_sets/1: counts">(table_, &berth_pod_sets::counts);
    Patch<"berth.host.pod_sets/1: contains">(table_, &berth_pod_sets::contains);
  }

  // [serial] in PreFilter and PreScore. Cheap, except for the first use of a set.
  PodCounts Counts(const Snapshot& snap, const PodSet& set) const {
    berth_pod_counts raw{};
    raw.size = sizeof(raw);
    if (table_.counts(snap.raw(), &set.raw(), &raw) != 0) {
      throw std::invalid_argument("the host does not know how to count this set of pods");
    }
    return {raw, snap.rows()};
  }
  // [parallel]
  bool Contains(const PodSet& set, const Pod& pod) const { return table_.contains(host_, &set.raw(), pod.raw()) != 0; }

 private:
  const berth_host* host_;
  berth_pod_sets table_;
};

}  // namespace berth::sdk
