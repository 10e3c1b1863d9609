// A plugin that implements every call. Each call first runs a function of the test.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "entries.h"

namespace berth::sdk::testing {

struct EveryPoint {
  static constexpr Info kInfo{.name = "everyPoint", .vendor = "test"};
  static constexpr std::string_view kUses[] = {BERTH_SERVICE_RANDOM, BERTH_SERVICE_TRIAL};

  // Each call passes its name, and its cycle if there is one. The function may throw.
  using Doing = std::function<void(const std::string& call, EveryPoint* self, Cycle* cycle, const Pod* pod)>;
  static Doing& doing() {
    static Doing doing;
    return doing;
  }
  void Do(const char* call, Cycle* cycle = nullptr, const Pod* pod = nullptr) {
    if (doing()) doing()(call, this, cycle, pod);
  }

  explicit EveryPoint(Host& h) : host(h) { Do("init"); }
  void Activate() { Do("Activate"); }
  void Deactivate() { Do("Deactivate"); }
  Status PreEnqueue(Cycle& c, const Pod& pod) { return Do("PreEnqueue", &c, &pod), Status::Ok(); }
  bool Less(const Queued&, const Queued&) { return Do("Less"), true; }
  Status PreFilter(Cycle& c, const Pod& pod, NameSet& out) {
    out.Assign({IdOf("n1"), IdOf("nowhere")});
    return Do("PreFilter", &c, &pod), Status::Ok();
  }
  Verdict Filter(Cycle& c, const Pod& pod, Node) { return Do("Filter", &c, &pod), Verdict::Ok(); }
  Status PostFilter(Cycle& c, const Pod& pod, const Diagnosis& why, Nomination& out) {
    if (why.absent().code == BERTH_UNSCHEDULABLE) out.Set(IdOf("n1"));
    return Do("PostFilter", &c, &pod), Status::Ok();
  }
  Status PreScore(Cycle& c, const Pod& pod, Rows) { return Do("PreScore", &c, &pod), Status::Ok(); }
  int64_t Score(Cycle& c, const Pod& pod, Node node) { return Do("Score", &c, &pod), node.row(); }
  Status Normalize(Cycle& c, const Pod& pod, Rows, std::span<int64_t>) {
    return Do("Normalize", &c, &pod), Status::Ok();
  }
  Status Reserve(Cycle& c, const Pod& pod, Id) { return Do("Reserve", &c, &pod), Status::Ok(); }
  void Unreserve(Cycle& c, const Pod& pod, Id) { Do("Unreserve", &c, &pod); }
  Status Permit(Cycle& c, const Pod& pod, Id, std::chrono::nanoseconds& wait) {
    wait = std::chrono::seconds(5);
    return Do("Permit", &c, &pod), Status::Wait();
  }
  Status PreFlight(Cycle& c, const Pod& pod, Id) { return Do("PreFlight", &c, &pod), Status::Skip(); }
  Status PreBind(Cycle& c, const Pod& pod, Id) { return Do("PreBind", &c, &pod), Status::Ok(); }
  Status Bind(Cycle& c, const Pod& pod, Id node, Op& op) {
    Do("Bind", &c, &pod);
    return host.Bind(pod, node, op);
  }
  void PostBind(Cycle& c, const Pod& pod, Id) { Do("PostBind", &c, &pod); }
  std::vector<Interest> Interests() { return Do("Interests"), std::vector<Interest>{{"Node", BERTH_ACTION_ADD}}; }
  bool Hint(Cycle& c, const Event&, const Pod& pod) { return Do("Hint", &c, &pod), true; }
  void Deltas(List<berth_delta>) { Do("Deltas"); }
  std::string Dump() { return Do("Dump"), "nothing"; }
  Status AddPod(Cycle& c, const Pod& pod, const Pod&, Node) { return Do("AddPod", &c, &pod), Status::Ok(); }
  Status RemovePod(Cycle& c, const Pod& pod, const Pod&, Node) { return Do("RemovePod", &c, &pod), Status::Ok(); }
  static void CompleteArgs(ArgsReader&, JsonWriter&) { CallArgs("CompleteArgs"); }
  static void CheckArgs(ArgsReader&) { CallArgs("CheckArgs"); }
  static void CallArgs(const char* call) {
    if (doing()) doing()(call, nullptr, nullptr, nullptr);
  }

  Host& host;
};

// Makes every call once with a started plugin; fn(call name, its outcome) gets the calls that have a status.
inline void CallEverything(PluginUnderTest& plugin, const std::function<void(const std::string&, Outcome)>& fn) {
  const FakePod pod("p");
  {
    const auto attempt = plugin.Try(pod);
    fn("PreEnqueue", attempt->PreEnqueue());
    fn("PreFilter", attempt->PreFilter());
    fn("Filter", attempt->Filter());
    fn("PostFilter", attempt->PostFilter());
    fn("PreScore", attempt->PreScore());
    fn("Score", attempt->Score());
    fn("Normalize", attempt->Normalize({{"n1", 3}}));
    fn("Reserve", attempt->Reserve("n1"));
    attempt->Unreserve("n1");
    fn("Permit", attempt->Permit("n1"));
    fn("PreFlight", attempt->PreFlight("n1"));
    fn("PreBind", attempt->PreBind("n1"));
    fn("Bind", attempt->Bind("n1"));
    attempt->PostBind("n1");
    const auto trial = attempt->Trial();
    fn("AddPod", trial->AddPod(FakePod("q"), "n1"));
    fn("RemovePod", trial->RemovePod(FakePod("q"), "n1"));
  }
  plugin.Less({pod}, {pod});
  plugin.Interests();
  fn("Hint", plugin.Hints({"Node", BERTH_ACTION_ADD}, {pod}));
  plugin.PodAdded(pod, 0);
  plugin.Dump();
}

}  // namespace berth::sdk::testing
