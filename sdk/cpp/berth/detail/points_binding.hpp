// The C tables of the points between the choice of a node and the end of the attempt, in the same form as
// points_core.hpp.
#pragma once

#include <chrono>

#include "berth/binding.h"
#include "berth/detail/instance.hpp"

namespace berth::sdk::detail {

template <class P>
struct ReservePoint {
  static constexpr const char* kId = BERTH_POINT_RESERVE;
  static constexpr const char* kName = "reserve";
  static constexpr bool kDraft = false;
  static constexpr bool kOffered = HasReserve<P> || HasUnreserve<P>;

  static berth_status Call(berth_plugin* p, berth_cycle* c, const berth_pod* pod, berth_id node) noexcept {
    auto& self = Instance<P>::Of(p);
    if constexpr (HasReserve<P>) {
      return Guarded(self.At("Reserve"), c, 0, [&] {
        Cycle cycle(self.host, c);
        return self.plugin->Reserve(cycle, Pod(pod), node);
      });
    } else {
      return BERTH_SUCCESS;
    }
  }
  static void CallUndo(berth_plugin* p, berth_cycle* c, const berth_pod* pod, berth_id node) noexcept {
    if constexpr (HasUnreserve<P>) {
      auto& self = Instance<P>::Of(p);
      GuardedVoid(self.At("Unreserve"), c, [&] {
        Cycle cycle(self.host, c);
        self.plugin->Unreserve(cycle, Pod(pod), node);
      });
    }
  }
  static constexpr berth_reserve Make() { return {sizeof(berth_reserve), 0, &Call, &CallUndo}; }
};

template <class P>
struct PermitPoint {
  static constexpr const char* kId = BERTH_POINT_PERMIT;
  static constexpr const char* kName = "permit";
  static constexpr bool kDraft = false;
  static constexpr bool kOffered = HasPermit<P>;

  static berth_status Call(berth_plugin* p, berth_cycle* c, const berth_pod* pod, berth_id node,
                           int64_t* wait_ns) noexcept {
    auto& self = Instance<P>::Of(p);
    return Guarded(self.At("Permit"), c, kMayWait, [&] {
      Cycle cycle(self.host, c);
      std::chrono::nanoseconds wait{0};
      Status status = self.plugin->Permit(cycle, Pod(pod), node, wait);
      *wait_ns = wait.count();
      return status;
    });
  }
  static constexpr berth_permit Make() { return {sizeof(berth_permit), 0, &Call}; }
};

template <class P>
struct PreBindPoint {
  static constexpr const char* kId = BERTH_POINT_PRE_BIND;
  static constexpr const char* kName = "preBind";
  static constexpr bool kDraft = false;
  static constexpr bool kOffered = HasPreBindPlain<P> || HasPreBindLater<P>;

  static berth_status CallFlight(berth_plugin* p, berth_cycle* c, const berth_pod* pod, berth_id node) noexcept {
    auto& self = Instance<P>::Of(p);
    return Guarded(self.At("PreFlight"), c, kMaySkip, [&] {
      Cycle cycle(self.host, c);
      return self.plugin->PreFlight(cycle, Pod(pod), node);
    });
  }
  static berth_status Call(berth_plugin* p, berth_cycle* c, const berth_pod* pod, berth_id node,
                           berth_op* op) noexcept {
    auto& self = Instance<P>::Of(p);
    if constexpr (HasPreBindLater<P>) {
      return GuardedOp(self.At("PreBind"), c, op, 0,
                       [&](Cycle& cycle, Op& handle) { return self.plugin->PreBind(cycle, Pod(pod), node, handle); });
    } else {
      return Guarded(self.At("PreBind"), c, 0, [&] {
        Cycle cycle(self.host, c);
        return self.plugin->PreBind(cycle, Pod(pod), node);
      });
    }
  }
  static constexpr berth_pre_bind Make() {
    berth_pre_bind table{sizeof(berth_pre_bind), 0, nullptr, &Call};
    if constexpr (HasPreFlight<P>) table.pre_flight = &CallFlight;
    return table;
  }
};

template <class P>
struct BindPoint {
  static constexpr const char* kId = BERTH_POINT_BIND;
  static constexpr const char* kName = "bind";
  static constexpr bool kDraft = false;
  static constexpr bool kOffered = HasBindPlain<P> || HasBindLater<P>;

  static berth_status Call(berth_plugin* p, berth_cycle* c, const berth_pod* pod, berth_id node,
                           berth_op* op) noexcept {
    auto& self = Instance<P>::Of(p);
    if constexpr (HasBindLater<P>) {
      return GuardedOp(self.At("Bind"), c, op, kMaySkip,
                       [&](Cycle& cycle, Op& handle) { return self.plugin->Bind(cycle, Pod(pod), node, handle); });
    } else {
      return Guarded(self.At("Bind"), c, kMaySkip, [&] {
        Cycle cycle(self.host, c);
        return self.plugin->Bind(cycle, Pod(pod), node);
      });
    }
  }
  static constexpr berth_bind Make() { return {sizeof(berth_bind), 0, &Call}; }
};

template <class P>
struct PostBindPoint {
  static constexpr const char* kId = BERTH_POINT_POST_BIND;
  static constexpr const char* kName = "postBind";
  static constexpr bool kDraft = false;
  static constexpr bool kOffered = HasPostBind<P>;

  static void Call(berth_plugin* p, berth_cycle* c, const berth_pod* pod, berth_id node) noexcept {
    auto& self = Instance<P>::Of(p);
    GuardedVoid(self.At("PostBind"), c, [&] {
      Cycle cycle(self.host, c);
      self.plugin->PostBind(cycle, Pod(pod), node);
    });
  }
  static constexpr berth_post_bind Make() { return {sizeof(berth_post_bind), 0, &Call}; }
};

}  // namespace berth::sdk::detail
