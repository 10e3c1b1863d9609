// The functions behind the fake host's object service.
#include <algorithm>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "berth/testing/fake_host.hpp"
#include "berth/testing/fake_quantity.hpp"
#include "services.h"

namespace berth::sdk::testing {

struct FakeObjectServices {
  static constexpr uint32_t kBetweenChanges = kSerial | kParallel;
  static constexpr uint32_t kKeeping = kSerial | kStarting | kActivating | kEnding;

  static FakeHost& Of(const berth_host* host) { return *static_cast<FakeHost*>(host->impl); }
  static std::string Text(berth_str text) { return std::string(View(text)); }

  static uint32_t Need(const berth_host* host, berth_str group, berth_str version, berth_str resource) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("objects need()", kActivating);
    return self.objects_.Need((group.len == 0 ? "" : Text(group) + "/") + Text(version) + "/" + Text(resource));
  }
  static const berth_object* Get(const berth_host* host, uint32_t kind, berth_str ns, berth_str name) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("objects get()", kBetweenChanges);
    const auto found = self.objects_.Find(kind, Text(ns), Text(name));
    return found == nullptr ? nullptr : found->raw();
  }
  static berth_list List(const berth_host* host, uint32_t kind, berth_str ns) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("objects list()", kBetweenChanges);
    std::vector<const berth_object*> views;
    for (const auto& data : self.objects_.All(kind, Text(ns))) views.push_back(data->raw());
    const std::lock_guard lock(self.mutex_);
    return self.lists_.emplace_back().Exact(views);
  }
  static uint64_t Version(const berth_host* host, uint32_t kind) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("objects version()", kBetweenChanges);
    return self.objects_.Version(kind);
  }
  static int32_t Assume(const berth_host* host, uint32_t kind, berth_str ns, berth_str name, berth_str patch) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("objects assume()", kSerial);
    return self.objects_.Assume(kind, Text(ns), Text(name), View(patch)) ? 0 : -1;
  }
  static void Revert(const berth_host* host, uint32_t kind, berth_str ns, berth_str name) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("objects revert()", kAnywhere);
    const std::lock_guard lock(self.mutex_);
    self.objects_.Revert(kind, Text(ns), Text(name));
  }
  static int64_t Quantity(berth_str text, uint32_t scale, int32_t* ok) {
    const auto count = ReadQuantity(View(text), scale);
    *ok = count ? 1 : 0;
    return count.value_or(0);
  }
  static const berth_node_affinity* KeepNodeSelector(const berth_host* host, const berth_value* selector) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("objects keep_node_selector()", kKeeping);
    const FakeValue document = FakeValue::CopyOf(selector);
    if (!document.view().is_object()) return nullptr;
    const FakeValue affinity = FakeValue::Object({{"requiredDuringSchedulingIgnoredDuringExecution", document}});
    // Terms that do not parse match nothing, but the host keeps the selector nevertheless.
    const FakePod pod = ReadNodeAffinity(affinity.view(), [](const std::string&, const std::string&) {});
    const std::lock_guard lock(self.mutex_);
    return self.node_selectors_.emplace_back(pod.Build())->pod.node_affinity;
  }
  static void DropNodeSelector(const berth_host* host, const berth_node_affinity* selector) {
    FakeHost& self = Of(host);
    self.checker_.MayCall("objects drop_node_selector()", kKeeping);
    const std::lock_guard lock(self.mutex_);
    const auto at = std::find_if(self.node_selectors_.begin(), self.node_selectors_.end(),
                                 [&](const auto& one) { return one->pod.node_affinity == selector; });
    if (at == self.node_selectors_.end()) return self.checker_.Report("drop_node_selector() of one that is not kept");
    self.node_selectors_.erase(at);
  }

  static void Offer(FakeHost& host) {
    host.Offer(BERTH_SERVICE_OBJECTS, berth_objects{sizeof(berth_objects), 0, &Need, &Get, &List, &Version, &Assume,
                                                    &Revert, &Quantity, &KeepNodeSelector, &DropNodeSelector});
  }
};

void OfferObjects(FakeHost& host) { FakeObjectServices::Offer(host); }

}  // namespace berth::sdk::testing
