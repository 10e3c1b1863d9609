// The C tables of the draft points (berth/draft/), in the same form as points_core.hpp.
#pragma once

#include <chrono>
#include <string>

#include "berth/detail/instance.hpp"
#include "berth/draft/binding.h"
#include "berth/draft/deltas.h"
#include "berth/draft/handover.h"
#include "berth/draft/objects.h"
#include "berth/draft/pod_change.h"
#include "berth/draft/post_filter.h"
#include "berth/draft/queue_sort.h"
#include "berth/draft/succession.h"

namespace berth::sdk::detail {

template <class P>
struct QueueSortPoint {
  static constexpr const char* kId = BERTH_POINT_QUEUE_SORT;
  static constexpr const char* kName = "queueSort";
  static constexpr bool kDraft = true;
  static constexpr bool kOffered = HasLess<P>;

  static int32_t Call(berth_plugin* p, const berth_queued* a, const berth_queued* b) noexcept {
    auto& self = Instance<P>::Of(p);
    bool less = false;
    GuardedVoid(self.At("Less"), nullptr, [&] { less = self.plugin->Less(Queued(a), Queued(b)); });
    return less ? 1 : 0;
  }
  static constexpr berth_queue_sort Make() { return {sizeof(berth_queue_sort), 0, &Call}; }
};

template <class P>
struct PostFilterPoint {
  static constexpr const char* kId = BERTH_POINT_POST_FILTER;
  static constexpr const char* kName = "postFilter";
  static constexpr bool kDraft = true;
  static constexpr bool kOffered = HasPostFilter<P>;

  static berth_status Call(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_diagnosis* diagnosis,
                           berth_post_result* out) noexcept {
    auto& self = Instance<P>::Of(p);
    return Guarded(self.At("PostFilter"), c, 0, [&] {
      Cycle cycle(self.host, c);
      Nomination nomination(out);
      return self.plugin->PostFilter(cycle, Pod(pod), Diagnosis(diagnosis), nomination);
    });
  }
  static constexpr berth_post_filter Make() { return {sizeof(berth_post_filter), 0, &Call}; }
};

template <class P>
struct ReservePoint {
  static constexpr const char* kId = BERTH_POINT_RESERVE;
  static constexpr const char* kName = "reserve";
  static constexpr bool kDraft = true;
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
  static constexpr bool kDraft = true;
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
  static constexpr bool kDraft = true;
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
struct PostBindPoint {
  static constexpr const char* kId = BERTH_POINT_POST_BIND;
  static constexpr const char* kName = "postBind";
  static constexpr bool kDraft = true;
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

template <class P>
struct DeltasPoint {
  static constexpr const char* kId = BERTH_POINT_DELTAS;
  static constexpr const char* kName = nullptr;
  static constexpr bool kDraft = true;
  static constexpr bool kOffered = HasDeltas<P>;

  static void Call(berth_plugin* p, berth_list deltas) noexcept {
    auto& self = Instance<P>::Of(p);
    GuardedVoid(self.At("Deltas"), [&] { self.plugin->Deltas(List<berth_delta>(deltas)); });
  }
  static void CallDump(berth_plugin* p, void (*sink)(void* ctx, berth_str text), void* ctx) noexcept {
    auto& self = Instance<P>::Of(p);
    GuardedVoid(self.At("Dump"), [&] {
      const std::string text = self.plugin->Dump();
      sink(ctx, Borrow(text));
    });
  }
  static constexpr berth_deltas Make() {
    berth_deltas table{sizeof(berth_deltas), BERTH_DELTA_NODES | BERTH_DELTA_PODS, &Call, nullptr};
    if constexpr (requires { P::kDeltas; }) table.mask = P::kDeltas;
    if constexpr (HasDump<P>) table.dump = &CallDump;
    return table;
  }
};

template <class P>
struct ObjectsPoint {
  static constexpr const char* kId = BERTH_POINT_OBJECTS;
  static constexpr const char* kName = nullptr;
  static constexpr bool kDraft = true;
  static constexpr bool kOffered = HasObjectChanged<P>;

  static void Call(berth_plugin* p, uint32_t kind, const berth_object* before, const berth_object* now) noexcept {
    auto& self = Instance<P>::Of(p);
    GuardedVoid(self.At("ObjectChanged"), [&] {
      const berth_values* values = &self.host.services().value;
      self.plugin->ObjectChanged(kind, Object(values, before), Object(values, now));
    });
  }
  static constexpr berth_object_changes Make() { return {sizeof(berth_object_changes), 0, &Call}; }
};

template <class P>
struct HandoverPoint {
  static constexpr const char* kId = BERTH_POINT_HANDOVER;
  static constexpr const char* kName = nullptr;
  static constexpr bool kDraft = true;
  static constexpr bool kOffered = HoldsNoAttempts<P> || HasLoad<P> || HasAdopt<P>;

  static void CallSave(berth_plugin* p, berth_text_sink sink, void* ctx) noexcept {
    auto& self = Instance<P>::Of(p);
    GuardedVoid(self.At("Save"), [&] {
      const std::string state = self.plugin->Save();
      sink(ctx, Borrow(state));
    });
  }
  static berth_status CallLoad(berth_plugin* p, berth_str version, berth_str state) noexcept {
    auto& self = Instance<P>::Of(p);
    return Guarded(self.At("Load"), nullptr, kMaySkip, [&] { return self.plugin->Load(View(version), View(state)); });
  }
  static void CallDescribe(berth_plugin* p, const berth_pod* pod, berth_id node, berth_text_sink sink,
                           void* ctx) noexcept {
    auto& self = Instance<P>::Of(p);
    GuardedVoid(self.At("DescribeAttempt"), [&] {
      const std::string state = self.plugin->DescribeAttempt(Pod(pod), node);
      sink(ctx, Borrow(state));
    });
  }
  static void CallAdopt(berth_plugin* p, const berth_pod* pod, berth_id node, berth_str state) noexcept {
    auto& self = Instance<P>::Of(p);
    GuardedVoid(self.At("Adopt"), [&] { self.plugin->Adopt(Pod(pod), node, View(state)); });
  }
  static void CallSettle(berth_plugin* p, const berth_pod* pod, int32_t bound) noexcept {
    auto& self = Instance<P>::Of(p);
    GuardedVoid(self.At("Settle"), [&] { self.plugin->Settle(Pod(pod), bound != 0); });
  }
  static constexpr berth_handover Make() {
    berth_handover table{sizeof(berth_handover), 0, nullptr, nullptr, nullptr, nullptr, nullptr};
    if constexpr (HoldsNoAttempts<P>) table.flags = BERTH_HANDOVER_NO_ATTEMPTS;
    if constexpr (HasSave<P>) table.save = &CallSave;
    if constexpr (HasLoad<P>) table.load = &CallLoad;
    if constexpr (HasDescribeAttempt<P>) table.describe = &CallDescribe;
    if constexpr (HasAdopt<P>) table.adopt = &CallAdopt;
    if constexpr (HasSettle<P>) table.settle = &CallSettle;
    return table;
  }
};

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

template <class P>
struct PodChangePoint {
  static constexpr const char* kId = BERTH_POINT_POD_CHANGE;
  static constexpr const char* kName = nullptr;
  static constexpr bool kDraft = true;
  static constexpr bool kOffered = kHasPodChange<P>;

  static berth_status CallAdd(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_pod* added,
                              uint32_t row) noexcept {
    auto& self = Instance<P>::Of(p);
    return Guarded(self.At("AddPod"), c, 0, [&] {
      Cycle cycle(self.host, c);
      return self.plugin->AddPod(cycle, Pod(pod), Pod(added), cycle.snap().At(row));
    });
  }
  static berth_status CallRemove(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_pod* removed,
                                 uint32_t row) noexcept {
    auto& self = Instance<P>::Of(p);
    return Guarded(self.At("RemovePod"), c, 0, [&] {
      Cycle cycle(self.host, c);
      return self.plugin->RemovePod(cycle, Pod(pod), Pod(removed), cycle.snap().At(row));
    });
  }
  static constexpr berth_pod_change Make() {
    berth_pod_change table{sizeof(berth_pod_change), 0, nullptr, nullptr};
    if constexpr (HasAddPod<P>) table.add_pod = &CallAdd;
    if constexpr (HasRemovePod<P>) table.remove_pod = &CallRemove;
    return table;
  }
};

}  // namespace berth::sdk::detail
