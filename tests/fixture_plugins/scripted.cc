#include "scripted.h"

#include <array>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <set>

namespace berth::fixture {
namespace {

constexpr const char* kNames[] = {"A", "B", "C", "D", "K", "R"};
constexpr size_t kKeeper = 4, kReckoner = 5;
std::array<Script, 6> scripts;
std::array<sdk::Host*, 6> hosts{};
std::array<sdk::Objects*, 6> objects{};

template <class Fn, class... A>
Status Ask(const Fn& fn, A&&... args) {
  return fn ? fn(std::forward<A>(args)...) : Status::Ok();
}

template <size_t N>
struct Reuse {};
template <>
struct Reuse<kKeeper> {
  static constexpr sdk::Reuse kFilterReuse{.pod = BERTH_POD_NAMESPACE, .row = BERTH_ROW_LABELS, .total = true};
};

template <>
struct Reuse<kReckoner> {
  static constexpr sdk::Reuse kFilterReuse{.pod = BERTH_POD_NAMESPACE, .row = BERTH_ROW_REQUESTED, .total = true};
};

template <size_t N>
class Scripted : public Reuse<N> {
 public:
  static constexpr sdk::Info kInfo{.name = kNames[N], .vendor = "tests"};
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_BINDER};

  explicit Scripted(sdk::Host& host) : objects_(host) {
    hosts[N] = &host;
    objects[N] = &objects_;
  }

  Status Activate() { return Ask(scripts[N].activate, objects_); }

  Status PreEnqueue(Cycle& c, const Pod& pod) { return Ask(scripts[N].pre_enqueue, c, pod); }
  Status PreFilter(Cycle& c, const Pod& pod, sdk::NameSet& names) { return Ask(scripts[N].pre_filter, c, pod, names); }
  Status Filter(Cycle& c, const Pod& pod, sdk::Rows rows, std::span<berth_verdict> out) {
    Status worst;
    if (!scripts[N].filter) return worst;
    rows.ForEachLive([&](uint32_t i, uint32_t row) {
      sdk::Verdict verdict;
      Status status = scripts[N].filter(c, pod, c.snap().At(row), verdict);
      out[i] = verdict;
      if (!status.ok()) worst = std::move(status);
    });
    return worst;
  }
  Status AddPod(Cycle& c, const Pod& pod, const Pod& added, sdk::Node node) {
    return Ask(scripts[N].add_pod, c, pod, added, node);
  }
  Status RemovePod(Cycle& c, const Pod& pod, const Pod& removed, sdk::Node node) {
    return Ask(scripts[N].remove_pod, c, pod, removed, node);
  }
  Status PostFilter(Cycle& c, const Pod& pod, const sdk::Diagnosis& why, sdk::Nomination& out) {
    if (!scripts[N].post_filter) return Status(BERTH_UNSCHEDULABLE);
    return scripts[N].post_filter(c, pod, why, out);
  }
  Status PreScore(Cycle& c, const Pod& pod, sdk::Rows rows) { return Ask(scripts[N].pre_score, c, pod, rows); }
  int64_t Score(Cycle& c, const Pod& pod, sdk::Node node) {
    return scripts[N].score ? scripts[N].score(c, pod, node) : 0;
  }
  Status Normalize(Cycle& c, const Pod& pod, sdk::Rows, std::span<int64_t> io) {
    return Ask(scripts[N].normalize, c, pod, io);
  }
  Status Reserve(Cycle& c, const Pod& pod, Id node) { return Ask(scripts[N].reserve, c, pod, node); }
  void Unreserve(Cycle& c, const Pod& pod, Id node) {
    if (scripts[N].unreserve) scripts[N].unreserve(c, pod, node);
  }
  Status Permit(Cycle& c, const Pod& pod, Id node, std::chrono::nanoseconds& wait) {
    return Ask(scripts[N].permit, c, pod, node, wait);
  }
  Status PreFlight(Cycle& c, const Pod& pod, Id node) { return Ask(scripts[N].pre_flight, c, pod, node); }
  Status PreBind(Cycle& c, const Pod& pod, Id node, sdk::Op& op) { return Ask(scripts[N].pre_bind, c, pod, node, op); }
  Status Bind(Cycle& c, const Pod& pod, Id node, sdk::Op& op) {
    return scripts[N].bind ? scripts[N].bind(c, pod, node, op) : Status::Skip();
  }
  void PostBind(Cycle& c, const Pod& pod, Id node) {
    if (scripts[N].post_bind) scripts[N].post_bind(c, pod, node);
  }
  std::vector<sdk::Interest> Interests() { return scripts[N].interests; }
  bool Hint(Cycle& c, const sdk::Event& event, const Pod& pod) {
    return !scripts[N].hint || scripts[N].hint(c, event, pod);
  }
  void ObjectChanged(sdk::ObjectKind kind, sdk::Object before, sdk::Object now) {
    if (scripts[N].object_changed) scripts[N].object_changed(kind, before, now);
  }

 private:
  sdk::Objects objects_;
};

std::function<bool(const sdk::Queued&, const sdk::Queued&)> order_script;

struct Fifo {
  static constexpr sdk::Info kInfo{.name = "FIFO", .vendor = "tests"};
  bool Less(const sdk::Queued& a, const sdk::Queued& b) {
    return order_script ? order_script(a, b) : a->queued_unix_ns < b->queued_unix_ns;
  }
};

HolderScript holder_script;

struct Holder {
  static constexpr sdk::Info kInfo{.name = "H", .vendor = "tests"};
  explicit Holder(sdk::Host& host) : host(host) {}

  Status Reserve(Cycle&, const Pod& pod, Id node) {
    held[std::string(pod.name())] = "from-" + std::string(host.Text(node));
    return Status::Ok();
  }
  void Unreserve(Cycle&, const Pod& pod, Id) { held.erase(std::string(pod.name())); }
  void Deltas(sdk::List<berth_delta> deltas) {
    if (holder_script.on_deltas) holder_script.on_deltas();
    for (const berth_delta& d : deltas) {
      if (d.kind == BERTH_DELTA_NODE_ADD) ++nodes;
      if (d.kind == BERTH_DELTA_NODE_REMOVE) --nodes;
      if (d.kind == BERTH_DELTA_POD_ADD) ++pods;
      if (d.kind == BERTH_DELTA_POD_REMOVE) --pods;
    }
  }
  std::string Dump() { return std::to_string(nodes) + " nodes, " + std::to_string(pods) + " pods"; }
  std::string Save() { return Dump(); }
  Status Load(std::string_view version, std::string_view state) {
    Tell("load " + std::string(version) + " " + std::string(state));
    return Status::Ok();
  }
  std::string DescribeAttempt(const Pod& pod, Id) { return held[std::string(pod.name())]; }
  void Adopt(const Pod& pod, Id node, std::string_view state) {
    held[std::string(pod.name())] = state;
    Tell("adopt " + std::string(pod.name()) + " " + std::string(host.Text(node)) + " " + std::string(state));
  }
  void Settle(const Pod& pod, bool bound) {
    held.erase(std::string(pod.name()));
    Tell("settle " + std::string(pod.name()) + (bound ? " bound" : " failed"));
  }
  static void Tell(const std::string& what) {
    if (holder_script.tell) holder_script.tell(what);
  }

  sdk::Host& host;
  std::map<std::string, std::string> held;  // pod -> text that is held for it
  int nodes = 0, pods = 0;
};

// The instances share the held pods. The plugin hands over nothing else.
struct Heir {
  static constexpr sdk::Info kInfo{.name = "S", .vendor = "tests"};
  explicit Heir(sdk::Host&) : held(std::make_shared<std::set<std::string>>()) {}
  Heir(sdk::Host&, Heir& before) : held(before.held) {
    if (holder_script.on_prepare) holder_script.on_prepare();
    Holder::Tell("prepare");
  }
  ~Heir() { Holder::Tell("gone"); }
  void Deactivate() {
    if (holder_script.on_deactivate) holder_script.on_deactivate();
  }

  void Commit(Heir& before) {
    std::string pods;
    for (const std::string& pod : *held) pods += " " + pod;
    Holder::Tell("commit " + std::to_string(nodes) + " of " + std::to_string(before.nodes) + " nodes, holds" + pods);
  }
  Status Reserve(Cycle&, const Pod& pod, Id) {
    held->insert(std::string(pod.name()));
    return Status::Ok();
  }
  void Unreserve(Cycle&, const Pod& pod, Id) { held->erase(std::string(pod.name())); }
  void Deltas(sdk::List<berth_delta> deltas) {
    for (const berth_delta& d : deltas) nodes += d.kind == BERTH_DELTA_NODE_ADD ? 1 : 0;
  }

  std::shared_ptr<std::set<std::string>> held;  // pods
  int nodes = 0;
};

size_t IndexOf(std::string_view plugin) {
  for (size_t i = 0; i < scripts.size(); ++i) {
    if (plugin == kNames[i]) return i;
  }
  std::abort();
}

}  // namespace

Script& ScriptOf(std::string_view plugin) { return scripts[IndexOf(plugin)]; }
sdk::Host& HostOf(std::string_view plugin) { return *hosts[IndexOf(plugin)]; }
sdk::Objects& ObjectsOf(std::string_view plugin) { return *objects[IndexOf(plugin)]; }
std::function<bool(const sdk::Queued&, const sdk::Queued&)>& ScriptOfOrder() { return order_script; }
HolderScript& ScriptOfHolder() { return holder_script; }
void ClearScripts() {
  scripts = {};
  holder_script = {};
  order_script = {};
}

void BindThroughHost(Script& script) {
  const auto index = static_cast<size_t>(&script - scripts.data());
  script.bind = [index](Cycle&, const Pod& pod, Id node, sdk::Op& op) { return hosts[index]->Bind(pod, node, op); };
}

std::shared_ptr<const loader::Library> ScriptedLibrary() {
  static constexpr auto kNote = sdk::detail::MakeNote<Scripted<0>, Scripted<1>, Scripted<2>, Scripted<3>,
                                                      Scripted<kKeeper>, Scripted<kReckoner>, Fifo, Holder, Heir>();
  auto library =
      loader::LinkedLibrary("scripted", kNote.desc,
                            sdk::detail::Library<Scripted<0>, Scripted<1>, Scripted<2>, Scripted<3>, Scripted<kKeeper>,
                                                 Scripted<kReckoner>, Fifo, Holder, Heir>::Entry);
  if (!library) {
    std::cerr << library.error().message << "\n";
    std::abort();
  }
  return *library;
}

}  // namespace berth::fixture
