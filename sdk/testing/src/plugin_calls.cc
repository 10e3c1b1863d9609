// The longer calls of PluginUnderTest.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "berth/testing/plugin_under_test.hpp"
#include "walled.h"

namespace berth::sdk::testing {

PluginUnderTest::HintsOutcome PluginUnderTest::Hints(const FakeEvent& event, const std::vector<FakePod>& pods) {
  const auto& table = Need<berth_events>(BERTH_POINT_EVENTS);
  if (table.hints == nullptr) throw std::logic_error("the plugin has no hints");
  Arena arena;
  std::vector<std::shared_ptr<const PodObject>> owned;
  const auto build = [&owned](const std::optional<FakePod>& pod) -> const berth_pod* {
    return pod ? owned.emplace_back(pod->Build())->raw() : nullptr;
  };
  std::vector<std::shared_ptr<const NodeObject>> nodes;
  const auto build_node = [&nodes](const std::optional<FakeNode>& node) -> const berth_node* {
    return node ? nodes.emplace_back(node->Build())->raw() : nullptr;
  };
  const berth_event raw{sizeof(berth_event),
                        event.interest,
                        event.actions,
                        0,
                        arena.Text(event.resource),
                        build(event.old_pod),
                        build(event.new_pod),
                        build_node(event.old_node),
                        build_node(event.new_node),
                        event.old_value ? event.old_value->Show(arena) : nullptr,
                        event.new_value ? event.new_value->Show(arena) : nullptr};
  std::vector<const berth_pod*> views;
  for (const FakePod& pod : pods) views.push_back(build(pod));
  Walled<uint8_t> queue(pods.size());
  FakeHost::CycleState cycle{host_.get(), nullptr};
  CallScope scope(host_->checker(), "Hints", kSerial, cycle.raw());
  HintsOutcome outcome;
  outcome.code =
      table.hints(instance_, cycle.raw(), arena.Make(raw), static_cast<const berth_pod* const*>(arena.Exact(views).ptr),
                  static_cast<uint32_t>(views.size()), queue.data());
  outcome.reasons = std::move(scope.because);
  if (!queue.Stand()) host_->checker().Report("Hints wrote outside of queue");
  for (size_t i = 0; i < pods.size(); ++i) outcome.queue.push_back(queue[i] != 0 || outcome.code == BERTH_ERROR);
  return outcome;
}

void PluginUnderTest::Tell(uint32_t kind, const FakeObjects::Change& change) {
  const auto* table = Extension<berth_object_changes>(BERTH_POINT_OBJECTS);
  if (table == nullptr) return;
  const CallScope scope(host_->checker(), "ObjectChanged", kSerial);
  table->changed(instance_, kind, change.before == nullptr ? nullptr : change.before->raw(),
                 change.now == nullptr ? nullptr : change.now->raw());
}
void PluginUnderTest::TellObjects() {
  for (const uint32_t kind : host_->objects().NeededKinds()) {
    for (const auto& object : host_->objects().All(kind)) Tell(kind, {nullptr, object});
  }
}
PluginUnderTest& PluginUnderTest::Put(const std::string& kind, const FakeObject& object) {
  const FakeObjects::Change change = host_->objects().Put(kind, object);
  if (active_ && host_->objects().Needed(kind)) Tell(host_->objects().KindOf(kind), change);
  return *this;
}
PluginUnderTest& PluginUnderTest::Delete(const std::string& kind, const std::string& name, const std::string& ns) {
  const FakeObjects::Change change = host_->objects().Delete(kind, name, ns);
  if (active_ && host_->objects().Needed(kind)) Tell(host_->objects().KindOf(kind), change);
  return *this;
}

void PluginUnderTest::Send(std::vector<berth_delta> deltas) {
  const auto& table = Need<berth_deltas>(BERTH_POINT_DELTAS);
  std::erase_if(deltas, [&table](const berth_delta& one) {
    return !(table.mask & (one.node != nullptr ? BERTH_DELTA_NODES : BERTH_DELTA_PODS));
  });
  if (deltas.empty()) return;
  auto arena = std::make_shared<Arena>();
  sent_.push_back(arena);
  const berth_list list = arena->Records(deltas);
  const CallScope scope(host_->checker(), "Deltas", kSerial);
  table.deltas(instance_, list);
}
void PluginUnderTest::Deltas(const std::vector<FakeDelta>& changes) {
  std::vector<berth_delta> deltas;
  for (const FakeDelta& change : changes) {
    const auto node = change.node ? change.node->Build() : nullptr;
    const auto pod = change.pod ? change.pod->Build() : nullptr;
    sent_.push_back(node);
    sent_.push_back(pod);
    deltas.push_back(
        {change.kind, change.row, node == nullptr ? nullptr : node->raw(), pod == nullptr ? nullptr : pod->raw()});
  }
  Send(std::move(deltas));
}

void PluginUnderTest::SendState() {
  for (const uint32_t row : cluster_.LiveRows()) {
    const FakeCluster::Row& one = cluster_.rows()[row];
    sent_.push_back(one.node);
    Send({{BERTH_DELTA_NODE_ADD, row, one.node->raw(), nullptr}});
    for (const auto& pod : one.pods) {
      sent_.push_back(pod);
      Send({{BERTH_DELTA_POD_ADD, row, nullptr, pod->raw()}});
    }
  }
}

std::string PluginUnderTest::Written(const char* name, const std::function<void(berth_text_sink, void*)>& fn) {
  std::string text;
  const CallScope scope(host_->checker(), name, kSerial);
  fn([](void* ctx, berth_str part) { *static_cast<std::string*>(ctx) += View(part); }, &text);
  return text;
}

std::string PluginUnderTest::Dump() {
  const auto& table = Need<berth_deltas>(BERTH_POINT_DELTAS);
  if (table.dump == nullptr) throw std::logic_error("the plugin has no dump");
  return Written("Dump", [&](berth_text_sink sink, void* ctx) { table.dump(instance_, sink, ctx); });
}

std::string PluginUnderTest::Save() {
  const auto& table = Need<berth_handover>(BERTH_POINT_HANDOVER);
  if (table.save == nullptr) throw std::logic_error("the plugin has no save");
  return Written("Save", [&](berth_text_sink sink, void* ctx) { table.save(instance_, sink, ctx); });
}
Outcome PluginUnderTest::LoadState(const std::string& version, const std::string& state) {
  const auto& table = Need<berth_handover>(BERTH_POINT_HANDOVER);
  if (table.load == nullptr) throw std::logic_error("the plugin has no load");
  Arena arena;
  return Stage("Load", kSerial, [&] { return table.load(instance_, arena.Text(version), arena.Text(state)); });
}
std::string PluginUnderTest::Describe(const FakePod& pod, const std::string& node) {
  const auto& table = Need<berth_handover>(BERTH_POINT_HANDOVER);
  if (table.describe == nullptr) throw std::logic_error("the plugin has no describe");
  const auto built = pod.Build();
  return Written("Describe", [&](berth_text_sink sink, void* ctx) {
    table.describe(instance_, built->raw(), IdOf(node), sink, ctx);
  });
}
void PluginUnderTest::Adopt(const FakePod& pod, const std::string& node, const std::string& state) {
  const auto& table = Need<berth_handover>(BERTH_POINT_HANDOVER);
  if (table.adopt == nullptr) throw std::logic_error("the plugin has no adopt");
  const auto built = pod.Build();
  Arena arena;
  const CallScope scope(host_->checker(), "Adopt", kSerial);
  table.adopt(instance_, built->raw(), IdOf(node), arena.Text(state));
}
void PluginUnderTest::Settle(const FakePod& pod, bool bound) {
  const auto& table = Need<berth_handover>(BERTH_POINT_HANDOVER);
  if (table.settle == nullptr) throw std::logic_error("the plugin has no settle");
  const auto built = pod.Build();
  const CallScope scope(host_->checker(), "Settle", kSerial);
  table.settle(instance_, built->raw(), bound ? 1 : 0);
}

ArgsOutcome PluginUnderTest::JudgeArgs(const FakeValue& args, bool complete) {
  Arena arena;
  const void* table = entry_->extension(arena.Text(name_).ptr, BERTH_LIBRARY_ARGS);
  if (table == nullptr) throw std::logic_error("the plugin takes no args");
  FakeHost host;  // a host with the services value and selectors only
  for (const char* id :
       {BERTH_SERVICE_CONFIG, BERTH_SERVICE_LOG, BERTH_SERVICE_SNAPSHOT, BERTH_SERVICE_CYCLE, BERTH_SERVICE_REQUESTS,
        BERTH_SERVICE_BINDER, BERTH_SERVICE_WAITING, BERTH_SERVICE_RANDOM, BERTH_SERVICE_OBJECTS}) {
    host.Without(id);
  }
  ArgsOutcome outcome;
  berth_args_sink sink{sizeof(berth_args_sink), 0, &outcome, nullptr, nullptr};
  sink.error = [](void* ctx, berth_str path, berth_str text) {
    static_cast<ArgsOutcome*>(ctx)->errors.push_back({std::string(View(path)), std::string(View(text))});
  };
  sink.json = [](void* ctx, berth_str text) { static_cast<ArgsOutcome*>(ctx)->json = View(text); };
  const auto& judge = *static_cast<const berth_args*>(table);
  const CallScope scope(host.checker(), complete ? "complete" : "check", kAsking);
  (complete ? judge.complete : judge.check)(host.raw(), args.Show(arena), arena.Make(sink));
  for (const std::string& violation : host.checker().Violations()) host_->checker().Report(violation);
  return outcome;
}

}  // namespace berth::sdk::testing
