// What plugins may do about pods that others have to make room for: the nominate service's port. Part of the engine;
// its queue, pods and bindings are the engine's.
// Thread: as plugin::NominationPort says; Reset on the scheduling thread.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.h"
#include "plugin/ports.h"

namespace berth::engine {

class Engine;

class Nominations final : public plugin::NominationPort {
 public:
  explicit Nominations(Engine& engine) : engine_(engine) {}

  berth_list NominatedTo(berth_id node) override;
  void ClearNomination(const berth_pod& pod) override;
  bool GiveUp(std::string_view uid, const plugin::Instance& plugin, std::string_view reason) override;

  // No call into a plugin is running: lists that were handed out are not needed any more.
  void Reset() { used_ = 0; }

 private:
  struct List {
    std::vector<api::PodRef> pods;
    std::vector<const berth_pod*> views;
  };
  Engine& engine_;
  std::deque<List> lists_;  // the first used_ of them are lent
  size_t used_ = 0;
};

}  // namespace berth::engine
