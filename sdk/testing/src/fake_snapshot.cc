#include "berth/testing/fake_snapshot.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace berth::sdk::testing {

FakeSnapshot::FakeSnapshot(const FakeCluster& cluster)
    : cluster_(&cluster),
      live_((cluster.rows().size() + 64) / 64),
      order_(cluster.LiveRows()),
      shown_order_(arena_.Exact(order_)) {
  for (const uint32_t row : order_) live_[row >> 6] |= uint64_t{1} << (row & 63);
  shown_live_ = static_cast<const uint64_t*>(arena_.Exact(live_).ptr);
  for (const FakeCluster::Row& row : cluster.rows()) {
    std::vector<const berth_pod*> pods;
    std::vector<berth_host_port> ports;
    for (const auto& pod : row.pods) {
      pods.push_back(pod->raw());
      for (const berth_host_port& port : List<berth_host_port>(pod->pod.ports->items)) ports.push_back(port);
    }
    pods_.push_back(arena_.Exact(pods));
    ports_.push_back(arena_.Records(ports));
  }
}

FakeSnapshot::~FakeSnapshot() = default;

const berth_node* FakeSnapshot::Node(uint32_t row) const {
  const auto& rows = cluster_->rows();
  return row < rows.size() && rows[row].node != nullptr ? rows[row].node->raw() : nullptr;
}

berth_list FakeSnapshot::Pods(uint32_t row) const { return pods_.at(row); }

berth_list FakeSnapshot::UsedPorts(uint32_t row) const { return ports_.at(row); }

int32_t FakeSnapshot::Column(uint32_t what, Id key, berth_column* out) {
  const std::lock_guard lock(mutex_);
  const auto [at, fresh] = columns_.try_emplace(std::tuple(what, key));
  if (fresh) at->second = Compute(what, key);
  const berth_column& column = at->second;
  if (column.cells == nullptr) return -1;
  const uint32_t size = std::min<uint32_t>(out->size, sizeof(column));
  std::memcpy(static_cast<void*>(out), &column, size);
  out->size = size;
  return 0;
}

berth_list FakeSnapshot::SetItems(uint32_t what, uint32_t set) {
  const std::lock_guard lock(mutex_);
  if (what != BERTH_NODE_TAINTS || set == 0 || set > sets_.size()) return arena_.Records(std::vector<berth_taint>());
  return sets_[set - 1].second;
}

int32_t FakeSnapshot::Image(Id name, berth_image* out) {
  std::vector<uint64_t> nodes(live_.size());
  berth_image image{std::min<uint32_t>(out->size, sizeof(berth_image)), 0, 0, nullptr};
  for (const uint32_t row : order_) {
    for (const auto& [text, bytes] : cluster_->rows()[row].images) {
      if (IdOf(text) != name) continue;
      if (image.n_nodes++ == 0) image.bytes = bytes;
      nodes[row >> 6] |= uint64_t{1} << (row & 63);
    }
  }
  if (image.n_nodes == 0) return -1;
  const std::lock_guard lock(mutex_);
  image.nodes = static_cast<const uint64_t*>(arena_.Exact(nodes).ptr);
  std::memcpy(static_cast<void*>(out), &image, image.size);
  return 0;
}

berth_domains FakeSnapshot::Domains(Id key) {
  const std::lock_guard lock(mutex_);
  const auto [at, fresh] = domains_.try_emplace(key);
  if (fresh) at->second = ComputeDomains(*cluster_, key, arena_);
  return at->second;
}

berth_pod_counts FakeSnapshot::Counts(const berth_pod_set& set) {
  const std::lock_guard lock(mutex_);
  return CountPods(*cluster_, set, arena_);
}

berth_column FakeSnapshot::Compute(uint32_t what, Id key) {
  switch (what) {
    case BERTH_NODE_NAME: return Narrow<Id>(BERTH_COLUMN_ID, [](const auto& row) { return row.node->node.name; });
    case BERTH_NODE_UNSCHEDULABLE:
      return Narrow<uint8_t>(BERTH_COLUMN_U8,
                             [](const auto& row) { return static_cast<uint8_t>(row.node->node.unschedulable); });
    case BERTH_NODE_TAINTS: return Narrow<uint32_t>(BERTH_COLUMN_SET, [this](const auto& row) { return SetOf(row); });
    case BERTH_NODE_LABEL:
      return Narrow<Id>(BERTH_COLUMN_ID, [key](const auto& row) { return Labels(row.node->node.labels).Get(key); });
    case BERTH_NODE_GENERATION: return Wide(Each([](const auto& row) { return row.generation; }));
    case BERTH_NODE_POD_COUNT: return Wide(Each([](const auto& row) { return static_cast<int64_t>(row.pods.size()); }));
    case BERTH_NODE_ALLOCATABLE:
    case BERTH_NODE_REQUESTED:
    case BERTH_NODE_NONZERO_REQUESTED: return Wide(Sums(what, key));
    case BERTH_NODE_ALLOCATABLE_F64:
    case BERTH_NODE_REQUESTED_F64:
    case BERTH_NODE_NONZERO_REQUESTED_F64: return Mirror(Sums(what - 1, key));
    default: return {};
  }
}

template <class Fn>
FakeSnapshot::Cells FakeSnapshot::Each(Fn&& fn) const {
  Cells cells(cluster_->rows().size());
  for (const uint32_t row : order_) cells[row] = fn(cluster_->rows()[row]);
  return cells;
}

FakeSnapshot::Cells FakeSnapshot::Sums(uint32_t what, Id key) const {
  bool any = false;
  Cells cells = Each([&](const FakeCluster::Row& row) {
    int64_t sum = 0;
    const auto take = [&](const Totals& totals) {
      const auto at = totals.find(TextOf(key));
      if (at != totals.end()) sum += at->second, any = true;
    };
    if (what == BERTH_NODE_ALLOCATABLE) {
      take(TotalsOf(row.node->node.allocatable));
    } else {
      const uint32_t flags =
          BERTH_REQUESTS_USE_STATUS | (what == BERTH_NODE_NONZERO_REQUESTED ? BERTH_REQUESTS_NON_MISSING : 0u);
      for (const auto& pod : row.pods) take(EffectiveRequests(*pod->pod.resources, flags));
    }
    return sum;
  });
  return any ? cells : Cells();
}

berth_column FakeSnapshot::Keep(uint32_t type, uint32_t flags, const berth_list& cells) const {
  return {sizeof(berth_column), type, cells.n, flags, cells.ptr};
}

berth_column FakeSnapshot::Wide(const Cells& cells) { return Keep(BERTH_COLUMN_I64, 0, arena_.Exact(cells)); }

berth_column FakeSnapshot::Mirror(const Cells& cells) {
  std::vector<double> mirror;
  bool exact = true;
  for (const int64_t cell : cells) {
    exact = exact && cell > -(int64_t{1} << 53) && cell < int64_t{1} << 53;
    mirror.push_back(static_cast<double>(cell));
  }
  return Keep(BERTH_COLUMN_F64, exact ? BERTH_COLUMN_EXACT : 0u, arena_.Exact(mirror));
}

template <class T, class Fn>
berth_column FakeSnapshot::Narrow(uint32_t type, Fn&& fn) {
  std::vector<T> cells(cluster_->rows().size());
  for (const uint32_t row : order_) cells[row] = fn(cluster_->rows()[row]);
  return Keep(type, 0, arena_.Exact(cells));
}

uint32_t FakeSnapshot::SetOf(const FakeCluster::Row& row) {
  std::vector<berth_taint> taints;
  for (const berth_taint& taint : List<berth_taint>(row.node->node.taints)) taints.push_back(taint);
  if (taints.empty()) return 0;
  const std::string content = BytesOf(taints);
  for (size_t i = 0; i < sets_.size(); ++i) {
    if (sets_[i].first == content) return static_cast<uint32_t>(i + 1);
  }
  sets_.emplace_back(content, arena_.Records(taints));
  return static_cast<uint32_t>(sets_.size());
}

}  // namespace berth::sdk::testing
