// DynamicResources without allocation. Pods without device claims pass as in upstream. Pods with device claims are
// rejected with a reason that says so, and are never bound. Source:
// pkg/scheduler/framework/plugins/dynamicresources/{dynamicresources,extendeddynamicresources}.go.
#include <berth/objects.hpp>
#include <berth/plugin.hpp>

#include "args.h"
#include "device_names.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

class DynamicResources {
 public:
  static constexpr Info kInfo{.name = "DynamicResources", .vendor = "berth.dev", .flags = BERTH_F_NEVER_BLOCKS};
  static constexpr Reuse kFilterReuse{.pod = BERTH_POD_CLAIMS, .row = 0, .total = true};
  static constexpr Reuse kScoreReuse{.pod = 0, .row = 0, .total = true};
  static constexpr auto kNormalization = Normalization::kDefault;
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_OBJECTS};
  // Classes decide which extended resources are claims. No event helps pods with their own device claims.
  static constexpr Interest kInterests[] = {{"resource.k8s.io/DeviceClass", BERTH_ACTION_ALL}};

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { DynamicResourcesArgs::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { DynamicResourcesArgs::Read(in); }

  explicit DynamicResources(Host& host) : host_(host), devices_(host) {}
  void Activate() { devices_.Need(); }

  // Upstream gates pods here until their claims exist. Here they are rejected later, with a reason.
  Status PreEnqueue(Cycle&, const Pod&) { return Status::Ok(); }

  Status PreFilter(Cycle& cycle, const Pod& pod) {
    cycle.Set<Reached>();
    if (HasClaims(pod) || devices_.Claims(host_.Requests(pod))) return Refused();
    return Status::Skip();
  }

  // PreFilter rejects all pods with claims. Filter and Reserve are for profiles without that PreFilter.
  Status Filter(Cycle& cycle, const Pod& pod, Rows rows, std::span<berth_verdict> out) {
    if (!HasClaims(pod)) return Status::Ok();
    rows.ForEachLive([&](uint32_t i, uint32_t) { out[i] = Verdict::Unresolvable(cycle.Reasons(kRefusal)); });
    return Status::Ok();
  }

  Status PostFilter(Cycle& cycle, const Pod&, const Diagnosis&, Nomination&) {
    // Upstream's error if another plugin's PreFilter ended the cycle before this one, which stores the state that is
    // read here.
    if (cycle.Find<Reached>() == nullptr) return Status::Error("not found");
    return Status::Unschedulable("no new claims to deallocate");
  }

  Status Score(Cycle&, const Pod&, Rows, std::span<int64_t> out) {
    out[0] = 0;
    return Status::Uniform();
  }

  Status Reserve(Cycle&, const Pod& pod, Id) { return HasClaims(pod) ? Refused() : Status::Ok(); }

  Status PreFlight(Cycle&, const Pod& pod, Id) { return HasClaims(pod) ? Refused() : Status::Skip(); }
  Status PreBind(Cycle&, const Pod& pod, Id) { return HasClaims(pod) ? Refused() : Status::Ok(); }

 private:
  struct Reached {};  // PreFilter ran
  static constexpr StaticReason kRefusal = "DynamicResources: allocation is not available in this build";

  static Status Refused() { return Status::Unresolvable(kRefusal.text()); }
  static bool HasClaims(const Pod& pod) { return pod->claims->items.n != 0; }

  Host& host_;
  DeviceNames devices_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::DynamicResources);
