#include "reload/canary/canary_trial.h"

#include <map>
#include <optional>
#include <utility>

#include "api/node.h"
#include "api/pod.h"
#include "reload/canary/canary_progress.h"
#include "scheduler/engine/initial_sync.h"
#include "simulator/results/attempt_entry.h"
#include "simulator/simulation/simulation.h"

namespace berth::canary {
namespace {

using json::Value;

// Reports which pod is tried. Its result does not matter, because the sample may lack what the pod needs.
class Told final : public results::AttemptSink {
 public:
  explicit Told(const api::InternTables& intern) : intern_(intern) {}
  void Name(const std::string& key, const std::string& original) { originals_[key] = original; }
  void Trying(const api::Pod& pod) override {
    const auto at = originals_.find(pod.key());
    Progress::While("deciding pod " + std::string(at == originals_.end() ? pod.key() : at->second) + " with profile " +
                    std::string(intern_.ids.Text(pod.abi.scheduler_name)));
  }
  void Add(const results::AttemptEntry&) override {}

 private:
  const api::InternTables& intern_;
  std::map<std::string, std::string, std::less<>> originals_;
};

// A node with room for the pod below, independent of the sample, so that every extension point runs.
Value SpareNode() {
  Value allocatable = Value::MakeObject({{"cpu", "64"}, {"memory", "256Gi"}, {"pods", "110"}});
  return Value::MakeObject({{"metadata", Value::MakeObject({{"name", "canary"}})},
                            {"status", Value::MakeObject({{"allocatable", std::move(allocatable)}})}});
}

Value PlainPod() {
  Value requests = Value::MakeObject({{"cpu", "100m"}, {"memory", "64Mi"}});
  Value container = Value::MakeObject(
      {{"name", "main"}, {"image", "canary"}, {"resources", Value::MakeObject({{"requests", std::move(requests)}})}});
  return Value::MakeObject({{"metadata", Value::MakeObject({{"namespace", "default"}, {"name", "canary"}})},
                            {"spec", Value::MakeObject({{"containers", json::Array{std::move(container)}}})}});
}

std::string KeyOf(const Value& pod) {
  const Value *ns = pod.FindPath("metadata.namespace"), *name = pod.FindPath("metadata.name");
  return (ns == nullptr ? "default" : ns->string()) + "/" + (name == nullptr ? "" : name->string());
}

class Stage {
 public:
  Stage(api::InternTables& intern, simulation::Cluster& cluster, Told& told)
      : intern_(intern), cluster_(cluster), told_(told) {}

  // Skips objects that cannot be decoded: they show nothing about the candidate.
  void AddNode(const Value& manifest) {
    if (auto node = api::DecodeNode(intern_, json::Dump(manifest))) cluster_.SetNode(std::move(*node));
  }
  void AddPod(const Value& manifest) {
    if (auto pod = api::DecodePod(intern_, json::Dump(manifest))) cluster_.SetPod(std::move(*pod));
  }
  // The pod as if it had been created for the profile, before its first attempt.
  void AddCopy(Value manifest, const std::string& profile, size_t number) {
    const std::string original = KeyOf(manifest), suffix = "." + std::to_string(number);
    const std::string key = original + suffix;
    Value& metadata = manifest["metadata"];
    metadata.Set("name", key.substr(key.find('/') + 1));
    metadata.Set("uid", "canary/" + key);
    Value& spec = manifest["spec"];
    spec.Set("schedulerName", profile);
    spec.Erase("nodeName");
    manifest.Erase("status");
    told_.Name(key, original);
    AddPod(manifest);
  }

 private:
  api::InternTables& intern_;
  simulation::Cluster& cluster_;
  Told& told_;
};

void Fill(Stage& stage, const Sample& sample, const framework::ProfileSet& profiles) {
  stage.AddNode(SpareNode());
  for (const Value& node : sample.nodes) stage.AddNode(node);
  for (const Value& pod : sample.pods) {
    if (pod.FindPath("spec.nodeName") != nullptr) stage.AddPod(pod);
  }
  for (size_t i = 0; i < profiles.profiles.size(); ++i) {
    const std::string& profile = profiles.profiles[i]->scheduler_name();
    stage.AddCopy(PlainPod(), profile, i);
    for (const Value& pod : sample.pods) stage.AddCopy(pod, profile, i);
  }
}

// Calls what a later change of args would call, in the same order, on a successor that is then destroyed. It is no
// fault of the candidate if the plugin refuses or does not prepare the successor.
base::Result<void> RehearseSuccession(plugin::Instance& instance, plugin::InstanceSpec spec, plugin::Services& services,
                                      engine::Engine& engine) {
  const auto successor = plugin::Instance::Create(std::move(spec), services, &instance);
  if (!successor || !(*successor)->SharesStateWith(instance)) return {};
  if (auto active = (*successor)->Activate(); !active) return active;
  engine::InitialSync({successor->get()}, engine.cache(), engine.objects()).DeliverAll();
  (*successor)->Commit(instance);
  if ((*successor)->faults() == 0) return {};
  return base::Fail("the successor that plugin \"" + instance.name() + "\" of profile " + instance.profile() +
                    " prepared failed before it was asked anything");
}

// Uses the sample args of the library's note. nullopt: it has none, or they are invalid, or they equal the args in
// use.
std::optional<plugin::InstanceSpec> WithSampleArgs(const plugin::Instance& instance,
                                                   assembly::LibraryArgsValidator& args_validator) {
  plugin::InstanceSpec spec = instance.spec();
  json::Value sample = args_validator.Sample(spec.name);
  if (sample.is_null()) return std::nullopt;
  spec.args = args_validator.Complete(spec.name, std::move(sample));
  bool right = true;
  args_validator.Check(spec.name, spec.args, [&right](const std::string&, const std::string&) { right = false; });
  if (!right || spec.args == instance.args()) return std::nullopt;
  return spec;
}

base::Result<void> RehearseSuccessions(const framework::ProfileSet& profiles,
                                       assembly::LibraryArgsValidator& args_validator, plugin::Services& services,
                                       engine::Engine& engine) {
  for (const auto& profile : profiles.profiles) {
    for (const auto& instance : profile->instances()) {
      if (instance->tables().succession == nullptr || instance->quarantined()) continue;
      const std::string what = "preparing a successor of plugin " + instance->name();
      Progress::While(what);
      if (auto rehearsed = RehearseSuccession(*instance, instance->spec(), services, engine); !rehearsed)
        return rehearsed;
      Progress::While(what + " with its sample args");
      auto sample = WithSampleArgs(*instance, args_validator);
      if (!sample) continue;
      if (auto rehearsed = RehearseSuccession(*instance, std::move(*sample), services, engine); !rehearsed)
        return rehearsed;
    }
  }
  return {};
}

}  // namespace

base::Result<void> Try(api::InternTables& intern, assembly::Policy& policy, const Sample& sample) {
  simulation::Cluster cluster(intern);
  Told told(intern);
  simulation::Simulation simulation(intern, cluster, told, {});
  plugin::Services& services = simulation.engine().services();
  Progress::Step("creating plugins");
  auto profiles = assembly::BuildProfiles(policy, services);
  if (!profiles) return tl::unexpected(profiles.error());
  (*profiles)->extenders.clear();  // they are servers outside of the scheduler: a trial must not reach them
  Progress::Step("telling plugins of the cluster");
  simulation.SetProfiles(*profiles);
  Stage stage(intern, cluster, told);
  Fill(stage, sample, **profiles);
  if (auto ran = simulation.Run(); !ran) return ran;
  assembly::LibraryArgsValidator args_validator(*policy.catalog, services, policy.gates);
  if (auto rehearsed = RehearseSuccessions(**profiles, args_validator, services, simulation.engine()); !rehearsed)
    return rehearsed;
  Progress::Step("destroying plugins");
  return {};
}

}  // namespace berth::canary
