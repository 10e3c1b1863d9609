// The cluster as the scheduler believes it to be: nodes on rows, pods on nodes (bound or assumed), and the columns that
// plugins read. The snapshot of a cycle is this cache itself, left alone from the first PreFilter to the end of Permit.
// Source of the rules: pkg/scheduler/backend/cache/cache.go; core.md 6.
//
// Thread: owned by the scheduling thread. While a cycle runs nothing but Overlay may change it, and workers may read.
// Ownership: holds references to nodes and pods; a row belongs to one node as long as that node lives.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "base/bitmap.h"
#include "base/result.h"
#include "cache/column_store.h"
#include "cache/domain_index.h"
#include "cache/image_index.h"
#include "cache/node_order.h"
#include "cache/pod_sets.h"
#include "cache/resource_columns.h"
#include "cache/row_log.h"
#include "cache/set_numbers.h"

namespace berth::cache {
class Cache;
}
struct berth_snap {  // what the ABI's opaque snapshot is
  berth::cache::Cache* cache;
};

namespace berth::cache {

inline constexpr uint32_t kNoRow = ~uint32_t{0};
inline constexpr int kRowAspects = 8;          // bits of BERTH_ROW_*
inline constexpr int kArrivals = kRowAspects;  // a node came onto the row: what every kept result depends on
inline constexpr int kRowLogs = kRowAspects + 1;
inline constexpr int kClusterAspects = 2;  // bits of BERTH_CLUSTER_*

// One entry of the delta feed; see berth/draft/deltas.h.
struct Delta {
  uint32_t kind;
  uint32_t row;
  api::NodeRef node;
  api::PodRef pod;
};

class Cache {
 public:
  explicit Cache(api::Vocabulary& words);
  Cache(const Cache&) = delete;

  // ---- changes, between cycles ----
  // Adds or replaces by name; pods that waited for the node come onto its row. false: the node says what it said before
  // (a heartbeat), so that nothing was touched and node was not kept.
  bool SetNode(const api::NodeRef& node);
  bool RemoveNode(std::string_view name);  // its pods stay known, on no row; false when unknown

  // A pod the scheduler has decided for but the API server has not confirmed; pod.abi.node_name is the choice.
  base::Result<void> Assume(api::PodRef pod);
  base::Result<void> Forget(std::string_view uid);  // unknown is fine; confirmed pods are refused
  // A bound pod the API server told of: confirms an assumed one (wherever it was assumed), or is new.
  base::Result<void> AddPod(api::PodRef pod);
  base::Result<void> UpdatePod(api::PodRef pod);  // must have been added, on the same node
  bool RemovePod(std::string_view uid);           // false when unknown

  bool IsAssumed(std::string_view uid) const;
  api::PodRef FindPod(std::string_view uid) const;  // assumed or added; null when unknown
  size_t n_pods() const { return pods_.size(); }
  size_t n_assumed() const { return n_assumed_; }
  size_t n_homes_awaited() const { return homeless_.size(); }  // names of nodes that pods wait for
  size_t column_bytes() const { return store_.bytes(); }

  // ---- reading ----
  const api::Vocabulary& words() const { return words_; }
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
  // false: no such column (every cell counts as zero). what, key: BERTH_NODE_*. Good until the next BeginCycle or
  // change of nodes.
  bool FindColumn(uint32_t what, base::Id key, berth_column* out) const;
  // Keeps a column of label values from now on; owns the key. Between cycles.
  void OpenLabelColumn(base::Id key);
  berth_list TaintsOfSet(uint32_t set) const { return taint_sets_.Items(set); }
  const ImageIndex& images() const { return images_; }
  // Of resources that no node offers.
  const UnofferedRequests& unoffered() const { return resources_.unoffered(); }

  // Domains of a label key, and how many pods of each row belong to a set: kept from the first question on. What is
  // answered is good until the cycle ends; nobody but BeginCycle can tell when the next one starts.
  void BeginCycle();
  const Domains& DomainsOf(base::Id key) { return domains_.Of(*this, key); }
  const PodCounts& CountPods(const berth_pod_set& set);  // IsKnown
  DomainIndex& domains() { return domains_; }
  const PodSets& pod_sets() const { return pod_sets_; }

  // What changed since when, for kept results. aspect: bit number of BERTH_ROW_*, or kArrivals.
  RowLog& log(int aspect) { return logs_[static_cast<size_t>(aspect)]; }
  // Changes with the aspect of the cluster as a whole; bit number of BERTH_CLUSTER_*.
  uint64_t cluster_generation(int aspect) const { return cluster_generations_[static_cast<size_t>(aspect)]; }

  // ---- delta feed ----
  void set_delta_mask(uint32_t mask) { delta_mask_ = mask; }    // BERTH_DELTA_NODES | BERTH_DELTA_PODS
  void TakeDeltas(std::vector<Delta>& out);                     // moves what gathered since the last call
  void AppendRow(uint32_t row, std::vector<Delta>& out) const;  // a live row as it is, as ADDs: its node, then its pods

  // Every object held, for the consistency checker.
  std::vector<api::NodeRef> AllNodes() const;
  std::vector<std::pair<api::PodRef, bool>> AllPods() const;  // second: assumed

 private:
  friend class Overlay;
  struct Row {
    api::NodeRef node;
    std::vector<api::PodRef> pods;
    std::vector<const berth_pod*> views;  // same order as pods
    std::vector<berth_host_port> ports;   // of all pods, repeats kept
    uint32_t taint_set = 0;
  };
  struct PodRecord;
  using HomelessPods = std::list<PodRecord*>;  // in order of arrival
  struct PodRecord {
    api::PodRef pod;
    uint32_t row = kNoRow;
    bool assumed = false;
    uint32_t counted = PodSets::kNone;  // on the row, by pod_sets_
    HomelessPods::iterator homeless;    // when on no row
  };
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  using PodMap = std::unordered_map<std::string, PodRecord, TextHash, std::equal_to<>>;

  uint32_t TakeRow();
  void GrowRows(uint32_t capacity);
  void ShowNode(uint32_t row, const api::Node* before, const api::Node& after);
  void AddNonZero(ColumnStore::Handle i64, ColumnStore::Handle f64, uint32_t row, int64_t value);
  void PutOnRow(uint32_t row, const api::PodRef& pod);
  void TakeFromRow(uint32_t row, const api::Pod& pod);
  void Account(uint32_t row, const api::Pod& pod, int64_t sign);
  void Place(PodRecord& record);     // onto its node's row, or onto none
  void Displace(PodRecord& record);  // off its row
  void PutOnRow(uint32_t row, PodRecord& record);
  void WaitForHome(PodRecord& record);
  void Count(PodRecord& record);  // is on a row
  void Uncount(PodRecord& record);
  PodRecord& Insert(std::string_view uid);
  void Erase(PodMap::iterator it);
  void Touch(uint32_t row, uint64_t aspects);  // BERTH_ROW_* bits
  void Record(uint32_t kind, uint32_t row, api::NodeRef node, api::PodRef pod);

  api::Vocabulary& words_;
  berth_snap snap_{this};
  std::vector<Row> rows_;
  std::vector<uint32_t> free_rows_;
  base::Bitmap live_;
  std::unordered_map<base::Id, uint32_t> row_of_;  // by node name; the node owns the id
  NodeOrder order_;
  ImageIndex images_;
  SetNumbers taint_sets_;
  DomainIndex domains_;
  PodSets pod_sets_;

  ColumnStore store_;
  ColumnStore::Handle name_, unschedulable_, generation_column_, taints_, pod_count_;
  ColumnStore::Handle nonzero_cpu_, nonzero_cpu_f64_, nonzero_memory_, nonzero_memory_f64_;
  bool nonzero_exact_ = true;
  ResourceColumns resources_{words_, store_};
  std::unordered_map<base::Id, ColumnStore::Handle> label_columns_;

  PodMap pods_;
  std::vector<PodMap::node_type> spare_pods_;            // so that a pod coming after one that went needs no allocation
  std::unordered_map<base::Id, HomelessPods> homeless_;  // by node name, which the pods own; no empty lists
  size_t n_assumed_ = 0;

  int64_t generation_ = 0;
  std::array<RowLog, kRowLogs> logs_;
  std::array<uint64_t, kClusterAspects> cluster_generations_{1, 1};
  uint32_t delta_mask_ = 0;
  std::vector<Delta> deltas_;
};

}  // namespace berth::cache
