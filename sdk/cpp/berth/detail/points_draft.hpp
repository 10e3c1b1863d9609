// The C tables that may still change (berth/draft/), in the same form as points_core.hpp.
#pragma once

#include "berth/detail/instance.hpp"
#include "berth/draft/succession.h"

namespace berth::sdk::detail {

template <class P>
struct SuccessionPoint {
  static constexpr const char* kId = BERTH_POINT_SUCCESSION;
  static constexpr const char* kName = nullptr;
  static constexpr bool kDraft = true;
  static constexpr bool kOffered = HasSuccession<P>;

  static berth_plugin* CallPrepare(berth_plugin* p, const berth_host* host) noexcept {
    return Instance<P>::Create(host, &*Instance<P>::Of(p).plugin);
  }
  static void CallCommit(berth_plugin* successor, berth_plugin* p) noexcept {
    auto& self = Instance<P>::Of(successor);
    GuardedVoid(self.At("Commit"), [&] { self.plugin->Commit(*Instance<P>::Of(p).plugin); });
  }
  static constexpr berth_succession Make() {
    berth_succession table{sizeof(berth_succession), 0, &CallPrepare, nullptr};
    if constexpr (HasCommit<P>) table.commit = &CallCommit;
    return table;
  }
};

}  // namespace berth::sdk::detail
