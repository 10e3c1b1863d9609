// Lists of pods by namespace and the value of one label. Thread: scheduling thread. Ownership: shares the pods, and
// owns its key.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "api/pod.h"
#include "base/intern.h"

namespace berth::engine {

class LabelLists {
 public:
  explicit LabelLists(base::OwnedId key) : key_(std::move(key)) {}

  base::Id key() const { return key_.get(); }
  void Add(const api::PodRef& pod);     // a pod without the label is ignored
  void Remove(const api::PodRef& pod);  // as it was added
  // Sorted by name; valid until the next Add or Remove.
  const std::vector<const berth_pod*>& Of(base::Id ns, base::Id value);

 private:
  struct List {
    std::map<std::string_view, api::PodRef> pods;  // by "namespace/name", which the pod owns
    std::vector<const berth_pod*> views;           // of pods, unless stale
    bool stale = true;
  };
  static uint64_t Place(base::Id ns, base::Id value) { return uint64_t{ns} << 32 | value; }

  base::OwnedId key_;
  // By namespace and value, which the pods own: there is no empty list.
  std::unordered_map<uint64_t, List> lists_;
};

}  // namespace berth::engine
