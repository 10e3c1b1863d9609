// The scheduler's cache of the cluster: nodes on rows, pods on nodes (bound or assumed), and the columns that plugins
// read. The cache is also the snapshot of a cycle: it does not change from the first PreFilter call to the end of
// Permit.
// Source: pkg/scheduler/backend/cache/cache.go.
//
// Thread: owned by the scheduling thread. During a cycle only Overlay may change it, and worker threads may read it.
// Ownership: holds references to nodes and pods. A row belongs to one node until the node is removed.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "base/bitmap.h"
#include "base/keyed_set.h"
#include "base/result.h"
#include "base/row_log.h"
#include "scheduler/cache/column_store.h"
#include "scheduler/cache/domain_index.h"
#include "scheduler/cache/image_index.h"
#include "scheduler/cache/node_order.h"
#include "scheduler/cache/pod_sets.h"
#include "scheduler/cache/resource_columns.h"
#include "scheduler/cache/set_numbers.h"

namespace berth::cache {
class Cache;
}
struct berth_snap {  // the type behind the ABI's opaque snapshot
  berth::cache::Cache* cache;
};

namespace berth::cache {

inline constexpr uint32_t kNoRow = ~uint32_t{0};
inline constexpr int kRowAspects = 8;          // bits of BERTH_ROW_*
inline constexpr int kArrivals = kRowAspects;  // a node was put on the row, which invalidates every kept result
inline constexpr int kRowLogs = kRowAspects + 1;
inline constexpr int kClusterAspects = 2;  // bits of BERTH_CLUSTER_*

// One entry of the delta feed; see berth/deltas.h.
struct Delta {
  uint32_t kind;
  uint32_t row;
  api::NodeRef node;
  api::PodRef pod;
};

class Cache {
 public:
  explicit Cache(api::InternTables& intern);
  Cache(const Cache&) = delete;

  // ---- changes, between cycles ----
  // Adds the node, or replaces the node with the same name. Pods that waited for the node are put on its row. Returns
  // false if the node does not differ in anything but heartbeat data; the cache then does not change and does not keep
  // `node`.
  bool SetNode(const api::NodeRef& node);
  bool RemoveNode(std::string_view name);  // false: unknown. The cache keeps the node's pods, on no row

  // Adds a pod that the scheduler has placed but the API server has not confirmed; pod.abi.node_name is its node.
  base::Result<void> Assume(api::PodRef pod);
  base::Result<void> Forget(std::string_view uid);  // ignores unknown pods; error: the pod is confirmed
  // Adds a bound pod that the API server reported, or confirms an assumed one, even if it was assumed on another node.
  base::Result<void> AddPod(api::PodRef pod);
  base::Result<void> UpdatePod(api::PodRef pod);  // the pod must have been added, on the same node
  bool RemovePod(std::string_view uid);           // false: unknown

  bool IsAssumed(std::string_view uid) const;
  api::PodRef FindPod(std::string_view uid) const;  // assumed or added; null if unknown
  size_t n_pods() const { return pods_.size(); }
  size_t n_assumed() const { return n_assumed_; }
  size_t n_unknown_nodes() const { return unplaced_.size(); }  // nodes that pods are bound to and that are not known
  size_t column_bytes() const { return store_.bytes(); }

  // ---- reading ----
  const api::InternTables& intern() const { return intern_; }
  const berth_snap* snap() const { return &snap_; }
  uint32_t capacity() const { return static_cast<uint32_t>(rows_.size()); }
  uint32_t n_nodes() const { return static_cast<uint32_t>(order_.size()); }
  const base::Bitmap& live() const { return live_; }
  const std::vector<uint32_t>& order() { return order_.rows(); }
  uint32_t RowOf(base::Id node_name) const;
  const api::Node* node(uint32_t row) const { return rows_[row].node.get(); }
  const std::vector<api::PodRef>& pods(uint32_t row) const { return rows_[row].pods; }
  const std::vector<const berth_pod*>& pod_views(uint32_t row) const { return rows_[row].views; }
  const std::vector<berth_host_port>& used_ports(uint32_t row) const { return rows_[row].ports; }
  // Returns false if there is no such column, so every cell counts as zero. what, key: BERTH_NODE_*. The column is
  // valid until the next BeginCycle or change of nodes.
  bool FindColumn(uint32_t what, base::Id key, berth_column* out) const;
  // Keeps a column of the label's values from this call on, and owns the key. Call it between cycles.
  void OpenLabelColumn(base::Id key);
  berth_list TaintsOfSet(uint32_t set) const { return taint_sets_.Items(set); }
  const ImageIndex& images() const { return images_; }
  // The requests for resources that no node offers.
  const UnofferedRequests& unoffered() const { return resources_.unoffered(); }

  // Topology domains of a label key, and the number of pods of each row in a set. Both are kept up to date after the
  // first question. The answers are valid until the cycle ends, that is, until BeginCycle starts the next one.
  void BeginCycle();
  const Domains& DomainsOf(base::Id key) { return domains_.Of(*this, key); }
  const PodCounts& CountPods(const berth_pod_set& set);  // the set must be known (IsKnown)
  DomainIndex& domains() { return domains_; }
  // Of the keys of node affinity, which cannot evict those of topology.
  DomainIndex& affinity_domains() { return affinity_domains_; }
  // The thread of the last BeginCycle.
  std::thread::id cycle_thread() const { return cycle_thread_; }
  const PodSets& pod_sets() const { return pod_sets_; }

  // The rows that changed in one aspect, for kept results. aspect: bit number of BERTH_ROW_*, or kArrivals.
  base::RowLog& log(int aspect) { return logs_[static_cast<size_t>(aspect)]; }
  // Changes with an aspect of the whole cluster. aspect: bit number of BERTH_CLUSTER_*.
  uint64_t cluster_generation(int aspect) const { return cluster_generations_[static_cast<size_t>(aspect)]; }

  // ---- delta feed ----
  void set_delta_mask(uint32_t mask) { delta_mask_ = mask; }    // BERTH_DELTA_NODES | BERTH_DELTA_PODS
  void TakeDeltas(std::vector<Delta>& out);                     // moves the deltas since the last call to `out`
  void AppendRow(uint32_t row, std::vector<Delta>& out) const;  // appends a used row as ADDs: its node, then its pods

  // All objects in the cache, for the consistency checker.
  std::vector<api::NodeRef> AllNodes() const;
  std::vector<std::pair<api::PodRef, bool>> AllPods() const;  // second: assumed

 private:
  friend class Overlay;
  struct Row {
    api::NodeRef node;
    std::vector<api::PodRef> pods;
    std::vector<const berth_pod*> views;  // same order as pods
    std::vector<berth_host_port> ports;   // of all pods, with duplicates
    uint32_t taint_set = 0;
  };
  struct PodRecord;
  using UnplacedPods = std::list<PodRecord*>;  // in order of arrival
  // There is one for each pod of the cluster.
  struct PodRecord {
    api::PodRef pod;
    union {
      UnplacedPods::iterator unplaced{};  // if on no row
      uint32_t counted;                   // the handle of pod_sets_, if on a row
    };
    uint32_t row = kNoRow;
    bool assumed = false;
  };
  struct ByUid {
    static std::string_view Key(const PodRecord& record) { return record.pod->uid(); }
  };

  uint32_t TakeRow();
  void GrowRows(uint32_t capacity);
  void ShowNode(uint32_t row, const api::Node* before, const api::Node& after);
  void AddNonZero(ColumnStore::Handle i64, ColumnStore::Handle f64, uint32_t row, int64_t value);
  void PutOnRow(uint32_t row, const api::PodRef& pod);
  void TakeFromRow(uint32_t row, const api::Pod& pod);
  void Account(uint32_t row, const api::Pod& pod, int64_t sign);
  void Place(PodRecord& record);     // puts the pod on its node's row, or on none
  void Displace(PodRecord& record);  // takes the pod off its row
  void PutOnRow(uint32_t row, PodRecord& record);
  void WaitForHome(PodRecord& record);
  void Count(PodRecord& record);  // the pod must be on a row
  void Uncount(PodRecord& record);
  void Erase(PodRecord& record);
  void Touch(uint32_t row, uint64_t aspects);  // BERTH_ROW_* bits
  void Record(uint32_t kind, uint32_t row, api::NodeRef node, api::PodRef pod);

  api::InternTables& intern_;
  berth_snap snap_{this};
  std::vector<Row> rows_;
  std::vector<uint32_t> free_rows_;
  base::Bitmap live_;
  std::unordered_map<base::Id, uint32_t> row_of_;  // by node name; the node owns the id
  NodeOrder order_;
  ImageIndex images_;
  SetNumbers taint_sets_;
  DomainIndex domains_, affinity_domains_;
  std::thread::id cycle_thread_;
  PodSets pod_sets_;

  ColumnStore store_;
  ColumnStore::Handle name_, unschedulable_, generation_column_, taints_, pod_count_;
  ColumnStore::Handle nonzero_cpu_, nonzero_cpu_f64_, nonzero_memory_, nonzero_memory_f64_;
  bool nonzero_exact_ = true;
  ResourceColumns resources_{intern_, store_};
  std::unordered_map<base::Id, ColumnStore::Handle> label_columns_;

  base::KeyedSet<PodRecord, ByUid> pods_;
  std::unordered_map<base::Id, UnplacedPods> unplaced_;  // by node name, which the pods own; no empty lists
  size_t n_assumed_ = 0;

  int64_t generation_ = 0;
  std::array<base::RowLog, kRowLogs> logs_;
  std::array<uint64_t, kClusterAspects> cluster_generations_{1, 1};
  uint32_t delta_mask_ = 0;
  std::vector<Delta> deltas_;
};

}  // namespace berth::cache
