#include "cmd/berthctl/validate/real_host.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "base/text.h"
#include "cmd/berthctl/validate/companions.h"
#include "cmd/berthctl/validate/plugin_args.h"
#include "cmd/berthctl/validate/sample_manifests.h"
#include "cmd/berthctl/validate/samples.h"

namespace berth::validate {
namespace {

using json::Value;

constexpr const char* kScheduler = "default-scheduler";

// "v1/services" or "apps/v1/replicasets".
objects::KindId KindOf(const simulation::Cluster& cluster, std::string_view kind) {
  const size_t slash = kind.rfind('/');
  return cluster.KindOf(kind.substr(0, slash), kind.substr(slash + 1));
}

simulation::SimulationOptions CheckingOptions(Incidents& incidents, StrictHosts& strict) {
  simulation::SimulationOptions options;
  options.engine.fault_observer = &incidents;
  options.engine.host_decorator = &strict;
  options.engine.check_kept = true;
  options.check_consistency = true;
  options.record = cycle::RecordNodes::kAll;
  return options;
}

bool HasErrorVerdict(const results::AttemptEntry& entry) {
  return std::any_of(entry.nodes.begin(), entry.nodes.end(),
                     [](const cycle::NodeRecord& node) { return node.verdict == plugin::Code::kError; });
}

Value Renamed(Value pod, const char* suffix) {
  Value& metadata = pod["metadata"];
  for (const char* key : {"name", "uid"}) metadata.Set(key, json::TextAt(metadata, key) + suffix);
  return pod;
}

std::string OfPod(std::string_view key) { return " of pod " + base::Quoted(key); }

void AddOnce(std::vector<std::string>& texts, std::string text) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
}

}  // namespace

// ---- incidents

void Incidents::OnFault(const plugin::Instance&, const plugin::Fault& fault) {
  const api::Pod* pod = plugin::CallOfThread().pod;
  const base::MutexLock lock(mutex_);
  if (pod != nullptr) told_.emplace(pod->key());
  AddOnce(fault.told ? errors_ : breaches_, fault.call + (pod == nullptr ? "" : OfPod(pod->key())) + ": " + fault.text);
}

void Incidents::AddBreach(const std::string& text) {
  const base::MutexLock lock(mutex_);
  AddOnce(breaches_, text);
}

std::vector<std::string> Incidents::TakeBreaches() {
  const base::MutexLock lock(mutex_);
  return std::exchange(breaches_, {});
}

std::vector<std::string> Incidents::TakeErrors() {
  const base::MutexLock lock(mutex_);
  return std::exchange(errors_, {});
}

void Incidents::Trying(const api::Pod& pod) {
  const base::MutexLock lock(mutex_);
  told_.erase(std::string(pod.key()));
  findings_.Step("an attempt" + OfPod(pod.key()) + " in the host");
}

// An attempt can fail without a fault: by the verdict ERROR for a node, which a plugin may give.
void Incidents::Add(const results::AttemptEntry& entry) {
  const base::MutexLock lock(mutex_);
  if (entry.result != "Error" || told_.erase(entry.pod) > 0) return;
  AddOnce(HasErrorVerdict(entry) ? errors_ : breaches_, "the attempt" + OfPod(entry.pod) + ": " + entry.message);
}

// ---- the host

RealHost::RealHost(const Subject& subject, std::shared_ptr<const loader::Library> library, Findings& findings,
                   HostShape shape)
    : subject_(subject),
      library_(std::move(library)),
      findings_(findings),
      incidents_(findings),
      strict_(subject.plugin, std::move(shape)) {
  CompletedArgs completed = CompleteArgs(subject, *library_);
  if (!completed.errors.empty()) {
    throw std::invalid_argument("its args are refused: " + base::Join(completed.errors, "; "));
  }
  args_ = std::move(completed.args);
  simulation_ =
      std::make_unique<simulation::Simulation>(intern_, cluster_, incidents_, CheckingOptions(incidents_, strict_));
}

RealHost::~RealHost() { Stop(); }

base::Result<std::shared_ptr<framework::Profile>> RealHost::BuildProfile() {
  const auto companions = Companions();
  framework::ProfileSpec spec;
  spec.scheduler_name = kScheduler;
  const auto points_of = [&](plugin::Point point) -> auto& { return spec.points[static_cast<size_t>(point)]; };
  const auto add = [&](const std::shared_ptr<const loader::Library>& library, const std::string& name, Value args) {
    spec.plugins.push_back({library, name, name, kScheduler, std::move(args), {}});
  };
  add(library_, subject_.plugin, args_);
  const std::vector<std::string>& offered = subject_.noted().points;
  for (size_t p = 0; p < plugin::kPoints; ++p) {
    const std::string_view point = plugin::ConfigName(static_cast<plugin::Point>(p));
    if (std::find(offered.begin(), offered.end(), point) != offered.end()) {
      spec.points[p].push_back({subject_.plugin, 1});
    }
  }
  if (points_of(plugin::Point::kQueueSort).empty()) {
    add(companions, kSorter, {});
    points_of(plugin::Point::kQueueSort).push_back({kSorter, 1});
  }
  add(companions, kBinder, {});
  points_of(plugin::Point::kBind).push_back({kBinder, 1});
  return framework::Profile::Build(std::move(spec), simulation_->engine().services());
}

base::Result<void> RealHost::Start() {
  auto profile = BuildProfile();
  if (!profile) return tl::unexpected(profile.error());
  auto set = std::make_shared<framework::ProfileSet>();
  set->profiles.push_back(std::move(*profile));
  simulation_->SetProfiles(std::move(set));
  for (const SampleObject& one : SampleObjects()) {
    const objects::KindId kind = KindOf(cluster_, one.kind);
    if (kind != 0) cluster_.SetObject(kind, ManifestOf(one.object));
  }
  return {};
}

bool RealHost::Started() {
  findings_.Step("starting in the host");
  const auto started = Start();
  if (!started) findings_.Fail("cannot be started: " + started.error().message);
  return started.has_value();
}

// What cannot be decoded cannot reach a scheduler.
void RealHost::SetPod(const Value& manifest) {
  auto pod = api::DecodePod(intern_, json::Dump(manifest));
  if (pod) cluster_.SetPod(std::move(*pod));
}

void RealHost::Fill(const sdk::testing::FakeCluster& cluster) {
  for (const sdk::testing::FakeCluster::Row& row : cluster.rows()) {
    if (row.node == nullptr) continue;
    if (auto node = api::DecodeNode(intern_, json::Dump(ManifestOf(row)))) {
      nodes_.insert((*node)->name);
      cluster_.SetNode(std::move(*node));
    }
    for (const auto& pod : row.pods) {
      SetPod(Renamed(ManifestOf(*pod->raw()), "-before"));  // the same pod may be scheduled, too
    }
  }
}

void RealHost::Schedule(const sdk::testing::FakePod& pod) {
  const auto built = pod.Build();
  SetPod(ManifestOf(*built->raw()));
  Run();
}

void RealHost::ScheduleTogether(const std::vector<sdk::testing::FakePod>& pods) {
  for (const sdk::testing::FakePod& pod : pods) {
    const auto built = pod.Build();
    SetPod(Renamed(ManifestOf(*built->raw()), "-again"));
  }
  Run();
}

void RealHost::ChangeCluster() {
  findings_.Step("changes of the cluster in the host");
  const std::vector<std::string> nodes(nodes_.begin(), nodes_.end());
  for (size_t i = 0; i < nodes.size(); i += 3) {
    sdk::testing::FakeCluster changed;
    changed.Add(sdk::testing::FakeNode(nodes[i]).Label("disk", "ssd").Allocatable({{"cpu", 64000}, {"pods", 200}}));
    Fill(changed);
  }
  Run();
  for (size_t i = 1; i < nodes.size(); i += 3) cluster_.RemoveNode(nodes[i]);
  Run();
}

void RealHost::Run() {
  if (const auto ran = simulation_->Run(); !ran) incidents_.AddBreach(ran.error().message);
}

void RealHost::Stop() {
  if (simulation_ == nullptr) return;
  findings_.Step("ending in the host");
  simulation_->engine().BeginShutdown();
  simulation_->engine().AbandonAttempts();
  simulation_.reset();
}

}  // namespace berth::validate
