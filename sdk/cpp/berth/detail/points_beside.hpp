// The C tables in addition to the points of Kubernetes: changes of nodes, pods and objects, and the handover. The same
// form as points_core.hpp.
#pragma once

#include <string>

#include "berth/deltas.h"
#include "berth/detail/instance.hpp"
#include "berth/handover.h"
#include "berth/objects.h"
#include "berth/pod_change.h"

namespace berth::sdk::detail {

template <class P>
struct DeltasPoint {
  static constexpr const char* kId = BERTH_POINT_DELTAS;
  static constexpr const char* kName = nullptr;
  static constexpr bool kDraft = false;
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
  static constexpr bool kDraft = false;
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
struct PodChangePoint {
  static constexpr const char* kId = BERTH_POINT_POD_CHANGE;
  static constexpr const char* kName = nullptr;
  static constexpr bool kDraft = false;
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

template <class P>
struct HandoverPoint {
  static constexpr const char* kId = BERTH_POINT_HANDOVER;
  static constexpr const char* kName = nullptr;
  static constexpr bool kDraft = false;
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

}  // namespace berth::sdk::detail
