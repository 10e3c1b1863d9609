// The reading part of Cache: columns by name, deltas, and lists of all objects.
#include "api/selectors.h"
#include "berth/deltas.h"
#include "scheduler/cache/cache.h"

namespace berth::cache {

bool Cache::FindColumn(uint32_t what, base::Id key, berth_column* out) const {
  auto answer = [&](uint32_t type, ColumnStore::Handle h, bool exact = true) {
    out->type = type;
    out->rows = capacity();
    out->flags = exact ? BERTH_COLUMN_EXACT : 0;
    out->cells = store_.Cells<std::byte>(h);
    return true;
  };
  switch (what) {
    case BERTH_NODE_NAME: return answer(BERTH_COLUMN_ID, name_);
    case BERTH_NODE_UNSCHEDULABLE: return answer(BERTH_COLUMN_U8, unschedulable_);
    case BERTH_NODE_GENERATION: return answer(BERTH_COLUMN_I64, generation_column_);
    case BERTH_NODE_TAINTS: return answer(BERTH_COLUMN_SET, taints_);
    case BERTH_NODE_POD_COUNT: return answer(BERTH_COLUMN_I64, pod_count_);
    case BERTH_NODE_NONZERO_REQUESTED:
      if (key == intern_.cpu) return answer(BERTH_COLUMN_I64, nonzero_cpu_, nonzero_exact_);
      if (key == intern_.memory) return answer(BERTH_COLUMN_I64, nonzero_memory_, nonzero_exact_);
      return false;
    case BERTH_NODE_NONZERO_REQUESTED_F64:
      if (key == intern_.cpu) return answer(BERTH_COLUMN_F64, nonzero_cpu_f64_, nonzero_exact_);
      if (key == intern_.memory) return answer(BERTH_COLUMN_F64, nonzero_memory_f64_, nonzero_exact_);
      return false;
    case BERTH_NODE_LABEL: {
      auto it = label_columns_.find(key);
      return it != label_columns_.end() && answer(BERTH_COLUMN_ID, it->second);
    }
    case BERTH_NODE_ALLOCATABLE:
    case BERTH_NODE_ALLOCATABLE_F64:
    case BERTH_NODE_REQUESTED:
    case BERTH_NODE_REQUESTED_F64: return resources_.Find(what, key, out);
    default: return false;
  }
}

void Cache::OpenLabelColumn(base::Id key) {
  if (label_columns_.count(key) != 0) return;
  intern_.ids.Keep(key);
  const ColumnStore::Handle handle = store_.Open(4);
  label_columns_.emplace(key, handle);
  live_.ForEach(
      [&](uint32_t row) { store_.Cells<uint32_t>(handle)[row] = api::LabelValue(rows_[row].node->labels->abi, key); });
}

void Cache::TakeDeltas(std::vector<Delta>& out) {
  out.clear();
  out.swap(deltas_);
}

void Cache::AppendRow(uint32_t row, std::vector<Delta>& out) const {
  out.push_back({BERTH_DELTA_NODE_ADD, row, rows_[row].node, {}});
  for (const api::PodRef& pod : rows_[row].pods) out.push_back({BERTH_DELTA_POD_ADD, row, {}, pod});
}

std::vector<api::NodeRef> Cache::AllNodes() const {
  std::vector<api::NodeRef> out;
  live_.ForEach([&](uint32_t row) { out.push_back(rows_[row].node); });
  return out;
}

std::vector<std::pair<api::PodRef, bool>> Cache::AllPods() const {
  std::vector<std::pair<api::PodRef, bool>> out;
  out.reserve(pods_.size());
  pods_.ForEach([&](const PodRecord& record) { out.emplace_back(record.pod, record.assumed); });
  return out;
}

}  // namespace berth::cache
