#include "one_plugin.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "framework/cluster_services.h"

namespace berth::upstream {
namespace {

[[noreturn]] void Die(const std::string& why) {
  std::cerr << why << "\n";
  std::abort();
}

// Nobody is in flight here.
class NoPods final : public queue::PodLookup {
 public:
  const api::Pod* FindPod(std::string_view) const override { return nullptr; }
};
const NoPods kNoPods;

json::Value Named(std::string_view name) { return json::Value::MakeObject({{"name", name}}); }

// JSON is YAML.
std::string Configuration(const Case& c, Points points) {
  const json::Value everything(json::Array{Named("*")});
  json::Array enabled{Named("PrioritySort"), Named("DefaultBinder")};
  if (c.plugin != "PrioritySort") enabled.push_back(Named(c.plugin));
  auto plugins = json::Value::MakeObject(
      {{"multiPoint", json::Value::MakeObject({{"enabled", enabled}, {"disabled", everything}})}});
  const auto none = json::Value::MakeObject({{"disabled", everything}});
  const std::vector<const char*> off = points == Points::kScores ? std::vector<const char*>{"preFilter", "filter"}
                                                                 : std::vector<const char*>{"preScore", "score"};
  for (const char* point : off) plugins.Set(point, none);
  auto profile = json::Value::MakeObject({{"plugins", plugins}, {"percentageOfNodesToScore", 100}});
  if (!c.args.is_null()) {
    const auto config = json::Value::MakeObject({{"name", c.plugin}, {"args", c.args}});
    profile.Set("pluginConfig", json::Array{config});
  }
  return json::Dump(json::Value::MakeObject({{"apiVersion", "kubescheduler.config.k8s.io/v1"},
                                             {"kind", "KubeSchedulerConfiguration"},
                                             {"profiles", json::Array{profile}}}));
}

void SetDefault(json::Value& object, std::string_view key, const std::string& value) {
  json::Value& metadata = object["metadata"];
  if (const json::Value* set = metadata.Find(key); set == nullptr || set->string().empty()) metadata.Set(key, value);
}

template <class T>
T OrDie(base::Result<T> result) {
  if (!result) Die(result.error().message);
  return std::move(*result);
}

}  // namespace

OnePlugin::OnePlugin(const Case& c, Points points) : plugin_id_(words_.ids, c.plugin) {
  framework::AddClusterServices(services_, cache_);
  assembly::PolicyOptions options;
  options.plugin_directories = {BERTH_TEST_BUILD_DIR "/lib/berth/plugins"};
  for (const std::string& gate : c.gates) {
    for (const std::string& wrong : options.gates.Set(gate + "=true")) Die(wrong);
  }
  assembly::Policy policy = assembly::LoadPolicy({{c.name, Configuration(c, points)}}, options, services_);
  if (!policy.ok()) Die(policy.config.errors.front().Text());
  profiles_ = OrDie(assembly::BuildProfiles(policy, services_));
  policy_ = std::make_unique<framework::ProfileQueuePolicy>(profiles_);
  queue_ = std::make_unique<queue::SchedulingQueue>(words_, clock_, *policy_, kNoPods);
  cycle_ = std::make_unique<cycle::SchedulingCycle>(cache_, *queue_, reasons_, nullptr, 1);
}

api::PodRef OnePlugin::MakePod(json::Value pod) {
  SetDefault(pod, "name", "incoming");
  SetDefault(pod, "namespace", "default");
  return OrDie(api::DecodePod(words_, json::Dump(pod)));
}

api::NodeRef OnePlugin::MakeNode(json::Value node) {
  SetDefault(node, "name", "node-" + std::to_string(added_.size()));
  return OrDie(api::DecodeNode(words_, json::Dump(node)));
}

std::string OnePlugin::AddNode(json::Value node, const json::Array& pods) {
  const std::string text = json::Dump(node) + json::Dump(json::Value(pods));
  for (const auto& [known, name] : added_) {
    if (known == text) return name;
  }
  const api::NodeRef made = MakeNode(std::move(node));
  cache_.SetNode(made);
  for (json::Value pod : pods) {
    pod["metadata"].Set("name", "existing-" + std::to_string(++n_pods_));
    pod["metadata"].Set("uid", "existing-" + std::to_string(n_pods_));
    pod["spec"].Set("nodeName", made->name);
    OrDie(cache_.AddPod(MakePod(std::move(pod))).transform([] { return true; }));
  }
  added_.emplace_back(text, made->name);
  return made->name;
}

cycle::CycleResult OnePlugin::Choose(const api::Pod& pod) {
  berth_cycle cycle{};
  framework::Profile& profile = this->profile();
  plugin::BeginCycle(cycle, profile.instances().size(), cache_.snap(), 1);
  cycle.reasons = &reasons_;
  cycle::CycleResult result;
  cycle_->Choose(profile, cycle, pod, cycle::RecordNodes::kAll, result);
  plugin::FreeSlot(cycle, BERTH_SLOT_CYCLE, profile.instances());
  return result;
}

}  // namespace berth::upstream
