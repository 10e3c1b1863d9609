// The newest version of every pod of the cluster that has not finished, by key and by UID: the counterpart of
// kube-scheduler's pod lister over its informer. Plugins list pods by label (berth/draft/pods.h).
// Thread: scheduling thread. Ownership: shares the pods.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.h"
#include "base/intern.h"
#include "base/keyed_set.h"
#include "plugin/instance/ports.h"
#include "scheduler/engine/label_lists.h"
#include "scheduler/engine/messages.h"
#include "scheduler/queue/nominator.h"

namespace berth::engine {

class PodLister final : public queue::PodLookup, public plugin::PodsPort {
 public:
  explicit PodLister(base::InternTable& ids) : ids_(ids) {}

  // true: no pod had this key.
  bool Set(const api::PodRef& pod);
  // pod: as ByKey returned it.
  void Erase(const api::PodRef& pod);

  api::PodRef ByKey(std::string_view key) const;  // "namespace/name"; null: there is none
  // Null: there is none. The first call builds the index, because few plugins look pods up by UID.
  api::PodRef ByUid(std::string_view uid);
  std::vector<std::string> KeysNotIn(const base::TextSet& present) const;
  template <class Fn>
  void ForEach(Fn&& fn) const {  // fn(const api::PodRef&)
    pods_.ForEach(fn);
  }

  // queue::PodLookup
  const api::Pod* FindPod(std::string_view key) const override;
  // plugin::PodsPort. The first call with a key builds its lists; an unknown key has no pods.
  berth_list Labeled(berth_id ns, berth_id key, berth_id value) override;
  size_t listed_keys() const { return by_label_.size(); }

 private:
  struct ByName {
    static std::string_view Key(const api::PodRef& pod) { return pod->key(); }
  };
  struct ByItsUid {
    static std::string_view Key(const api::PodRef& pod) { return pod->uid(); }
  };
  LabelLists& ListsOf(base::Id key);

  base::InternTable& ids_;
  base::KeyedSet<api::PodRef, ByName> pods_;
  std::optional<base::KeyedSet<api::PodRef, ByItsUid>> by_uid_;  // the same pods; nullopt until the first ByUid
  std::vector<LabelLists> by_label_;                             // one per key that a plugin has asked for
};

}  // namespace berth::engine
