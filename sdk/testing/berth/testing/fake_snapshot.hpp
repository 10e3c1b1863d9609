// The snapshot service over a FakeCluster: it computes a column at the first request and keeps it until the snapshot
// ends. Several threads may call it.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "berth/testing/fake_cluster.hpp"
#include "berth/testing/fake_domains.hpp"
#include "berth/testing/fake_pod_sets.hpp"

namespace berth::sdk::testing {

class FakeSnapshot {
 public:
  explicit FakeSnapshot(const FakeCluster& cluster);
  ~FakeSnapshot();

  const FakeCluster& cluster() const { return *cluster_; }
  const uint64_t* live() const { return shown_live_; }
  berth_list order() const { return shown_order_; }
  const berth_node* Node(uint32_t row) const;
  berth_list Pods(uint32_t row) const;
  berth_list UsedPorts(uint32_t row) const;

  // Like column() of the service: -1 if no row has such a cell.
  int32_t Column(uint32_t what, Id key, berth_column* out);
  berth_list SetItems(uint32_t what, uint32_t set);
  int32_t Image(Id name, berth_image* out);
  berth_domains Domains(Id key);
  berth_pod_counts Counts(const berth_pod_set& set);

 private:
  using Cells = std::vector<int64_t>;

  berth_column Compute(uint32_t what, Id key);

  template <class Fn>
  Cells Each(Fn&& fn) const;
  // A resource over all rows; empty if no row has it.
  Cells Sums(uint32_t what, Id key) const;

  berth_column Keep(uint32_t type, uint32_t flags, const berth_list& cells) const;
  berth_column Wide(const Cells& cells);
  berth_column Mirror(const Cells& cells);
  template <class T, class Fn>
  berth_column Narrow(uint32_t type, Fn&& fn);
  uint32_t SetOf(const FakeCluster::Row& row);

  const FakeCluster* cluster_;
  std::vector<uint64_t> live_;
  std::vector<uint32_t> order_;
  Arena arena_;
  berth_list shown_order_;
  const uint64_t* shown_live_ = nullptr;
  std::vector<berth_list> pods_, ports_;  // by row
  std::mutex mutex_;                      // guards the members below
  std::map<std::tuple<uint32_t, Id>, berth_column> columns_;
  std::vector<std::pair<std::string, berth_list>> sets_;
  std::map<Id, berth_domains> domains_;
};

}  // namespace berth::sdk::testing
