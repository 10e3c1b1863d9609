// defalut: implements every extension point except queueSort, logs each call at -v=3, and changes nothing. It shows
// which extension points a pod passes. The spelling of the name is that of the profiles that use it. Results are not
// reused, so that every call is logged.
#include <berth/plugin.hpp>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

class Defalut {
 public:
  static constexpr Info kInfo{.name = "defalut", .vendor = "berth.dev"};
  static constexpr bool kHoldsNoAttempts = true;

  explicit Defalut(Host& host) : host_(host) {}

  Status PreEnqueue(Cycle&, const Pod& pod) {
    Say("PreEnqueue: ", pod.name());
    return Status::Ok();
  }
  Status PreFilter(Cycle&, const Pod& pod) {
    Say("PreFilter: ", pod.name());
    return Status::Ok();
  }
  Status Filter(Cycle& cycle, const Pod& pod, Rows rows, std::span<berth_verdict>) {
    if (!Listening()) return Status::Ok();
    EachName(cycle, rows, [&](std::string_view node) { SayBoth("Filter : pod: ", pod, node); });
    return Status::Ok();
  }
  // The next plugin of the point runs. If there is none, the pod stays pending with only the filters' reasons.
  Status PostFilter(Cycle&, const Pod& pod, const Diagnosis&, Nomination&) {
    Say("PostFilter: pod: ", pod.name());
    return Status(BERTH_UNSCHEDULABLE);
  }
  Status PreScore(Cycle& cycle, const Pod& pod, Rows rows) {
    if (!Listening()) return Status::Ok();
    Say("PreScore: ", pod.name());
    EachName(cycle, rows, [&](std::string_view node) { Say("PreScore: ", node); });
    return Status::Ok();
  }
  Status Score(Cycle& cycle, const Pod& pod, Rows rows, std::span<int64_t> out) {
    out[0] = 0;
    if (!Listening()) return Status::Uniform();
    EachName(cycle, rows, [&](std::string_view node) { SayBoth("Score: pod: ", pod, node); });
    return Status::Uniform();
  }
  Status Normalize(Cycle&, const Pod& pod, Rows, std::span<int64_t>) {
    Say("NormalizeScore: pod: ", pod.name());
    return Status::Ok();
  }
  Status Reserve(Cycle&, const Pod& pod, Id node) {
    SayBoth("Reserve: pod: ", pod, host_.Text(node));
    return Status::Ok();
  }
  void Unreserve(Cycle&, const Pod& pod, Id node) { SayBoth("Unreserve: pod: ", pod, host_.Text(node)); }
  Status Permit(Cycle&, const Pod& pod, Id node, std::chrono::nanoseconds&) {
    SayBoth("Permit: pod: ", pod, host_.Text(node));
    return Status::Ok();
  }
  Status PreBind(Cycle&, const Pod& pod, Id node) {
    SayBoth("PreBind: pod: ", pod, host_.Text(node));
    return Status::Ok();
  }
  // Another plugin of the point binds the pod.
  Status Bind(Cycle&, const Pod& pod, Id node) {
    SayBoth("Bind: pod: ", pod, host_.Text(node));
    return Status::Skip();
  }
  void PostBind(Cycle&, const Pod& pod, Id node) { SayBoth("PostBind: pod: ", pod, host_.Text(node)); }

 private:
  static constexpr int32_t kVerbosity = 3;

  bool Listening() const { return static_cast<bool>(host_.V(kVerbosity)); }
  // The line's file and line are the caller's, so the log header shows the extension point.
  void Say(std::string_view point, std::string_view who, SourcePlace at = SourcePlace::Here()) const {
    if (const auto log = host_.V(kVerbosity)) log.Info(std::string(point) + std::string(who), {}, at);
  }
  void SayBoth(std::string_view point, const Pod& pod, std::string_view node,
               SourcePlace at = SourcePlace::Here()) const {
    const auto log = host_.V(kVerbosity);
    if (log) log.Info(std::string(point) + std::string(pod.name()) + ", node: " + std::string(node), {}, at);
  }

  template <class Fn>
  void EachName(Cycle& cycle, const Rows& rows, Fn&& fn) const {
    const auto names = cycle.snap().Ids(BERTH_NODE_NAME);
    if (!names) return;
    rows.ForEachLive([&](uint32_t, uint32_t row) { fn(host_.Text((*names)[row])); });
  }

  Host& host_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::Defalut);
