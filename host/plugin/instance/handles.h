// What a plugin keeps through the services, for as long as its instance lives or until it drops it: ids, selectors
// and pods.
// Thread: any. Ownership: one per instance; the destructor gives the ids back to the table, which outlives it.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "api/pod.h"
#include "api/selectors.h"
#include "base/intern.h"
#include "base/thread_annotations.h"
#include "plugin/instance/handle_table.h"

namespace berth::plugin {

class Handles {
 public:
  explicit Handles(base::InternTable& ids) : ids_(ids) {}
  ~Handles();
  Handles(const Handles&) = delete;

  // Lives as long as the instance.
  const api::LabelSelector* Keep(std::unique_ptr<api::LabelSelector> selector);
  const berth_node_affinity* Keep(api::Ref<const api::NodeAffinityBlock> affinity);

  // Until the plugin drops them.
  HandleTable<api::Pod>& pods() { return pods_; }
  HandleTable<api::NodeAffinityBlock>& node_selectors() { return node_selectors_; }
  HandleTable<api::SelectorBlock>& label_selectors() { return label_selectors_; }

  // Takes over one reference to the id, which the caller has taken in the table.
  void OwnId(base::Id id);
  // Gives one reference back. Ignores an id that the plugin does not own.
  void DropId(base::Id id);

 private:
  base::InternTable& ids_;
  HandleTable<api::NodeAffinityBlock> node_selectors_;
  HandleTable<api::SelectorBlock> label_selectors_;
  HandleTable<api::Pod> pods_;

  base::Mutex mutex_;
  std::vector<std::unique_ptr<api::LabelSelector>> kept_selectors_ GUARDED_BY(mutex_);
  std::vector<api::Ref<const api::NodeAffinityBlock>> kept_affinities_ GUARDED_BY(mutex_);
  std::unordered_map<base::Id, uint32_t> owned_ids_ GUARDED_BY(mutex_);
};

}  // namespace berth::plugin
