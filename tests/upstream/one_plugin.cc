#include "one_plugin.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "policy/assembly/policy.h"

namespace berth::upstream {
namespace {

[[noreturn]] void Die(const std::string& why) {
  std::cerr << why << "\n";
  std::abort();
}

json::Value Named(std::string_view name) { return json::Value::MakeObject({{"name", name}}); }

// JSON is YAML.
std::string Configuration(const Case& c) {
  const json::Value everything(json::Array{Named("*")});
  json::Array enabled{Named("PrioritySort"), Named("DefaultBinder")};
  if (c.plugin != "PrioritySort" && c.plugin != "DefaultBinder") enabled.push_back(Named(c.plugin));
  for (const std::string& name : c.with) enabled.push_back(Named(name));
  const auto plugins = json::Value::MakeObject(
      {{"multiPoint", json::Value::MakeObject({{"enabled", enabled}, {"disabled", everything}})}});
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

bool IsOfTheCluster(const std::string& kind) {
  constexpr std::string_view kKinds[] = {"PersistentVolume", "StorageClass", "CSINode",     "CSIDriver",
                                         "VolumeAttachment", "Namespace",    "DeviceClass", "ResourceSlice"};
  return std::find(std::begin(kKinds), std::end(kKinds), kind) != std::end(kKinds);
}

template <class T>
T OrDie(base::Result<T> result) {
  if (!result) Die(result.error().message);
  return std::move(*result);
}

}  // namespace

OnePlugin::OnePlugin(const Case& c)
    : plugin_id_(intern_.ids, c.plugin), engine_(intern_, clock_, executor_, cluster_, nullptr, {.api = &api_}) {
  cluster_.Attach(&engine_);
  assembly::PolicyOptions options;
  options.plugin_directories = {BERTH_TEST_BUILD_DIR "/lib/berth/plugins"};
  for (const std::string& gate : c.gates) {
    const bool off = gate.starts_with("-");
    for (const std::string& wrong : options.gates.Set(off ? gate.substr(1) + "=false" : gate + "=true")) Die(wrong);
  }
  assembly::Policy policy = assembly::LoadPolicy({{c.name, Configuration(c)}}, options, engine_.services());
  if (!policy.ok()) Die(policy.config.errors.front().Text());
  profiles_ = OrDie(assembly::BuildProfiles(policy, engine_.services()));
  engine_.SetProfiles(profiles_);
  engine_.set_popping(false);
  policy_ = std::make_unique<framework::ProfileQueuePolicy>(profiles_);
  chooser_ = std::make_unique<cycle::SchedulingCycle>(clock_, cache(), engine_.queue(), reasons_, nullptr, 1);
  for (const json::Value& node : c.nodes) AddNode(At(node, "node"), At(node, "pods").array());
  for (const json::Value& object : c.objects) AddObject(object);
  Settle();
}

OnePlugin::~OnePlugin() {
  End();
  cluster_.Attach(nullptr);
}

api::PodRef OnePlugin::MakePod(json::Value pod) {
  SetDefault(pod, "name", "incoming");
  SetDefault(pod, "namespace", "default");
  return OrDie(api::DecodePod(intern_, json::Dump(pod)));
}

api::NodeRef OnePlugin::MakeNode(json::Value node) {
  SetDefault(node, "name", "node-" + std::to_string(added_.size()));
  return OrDie(api::DecodeNode(intern_, json::Dump(node)));
}

std::string OnePlugin::AddNode(const json::Value& node, const json::Array& pods) {
  if (node.is_string()) return node.string();
  const std::string text = json::Dump(node) + json::Dump(json::Value(pods));
  for (const auto& [known, name] : added_) {
    if (known == text) return name;
  }
  const api::NodeRef made = MakeNode(node);
  cluster_.SetNode(made);
  for (json::Value pod : pods) {
    const std::string number = std::to_string(++n_pods_);
    SetDefault(pod, "namespace", "default");
    SetDefault(pod, "name", "existing-" + number);
    const json::Value& metadata = At(pod, "metadata");
    if (cluster_.FindPod(At(metadata, "namespace").string() + "/" + At(metadata, "name").string())) {
      pod["metadata"].Set("name", "existing-" + number);
    }
    // Claims of ephemeral volumes refer to the pod's UID, and a test's pods may share one.
    if (const std::string& uid = At(metadata, "uid").string(); uid.empty() || !uids_.insert(uid).second) {
      pod["metadata"].Set("uid", "existing-" + number);
    }
    pod["spec"].Set("nodeName", made->name);
    cluster_.SetPod(MakePod(std::move(pod)));
  }
  added_.emplace_back(text, made->name);
  return made->name;
}

void OnePlugin::AddObject(const json::Value& object) {
  const std::string& kind = At(object, "kind").string();
  if (kind.empty() || At(object, "apiVersion").string().empty()) Die("no kind or apiVersion: " + json::Dump(object));
  json::Value made = object;
  if (kind == "Node") return cluster_.SetNode(MakeNode(std::move(made)));
  if (kind == "Pod") {
    SetDefault(made, "uid", "existing-" + std::to_string(++n_pods_));
    return cluster_.SetPod(MakePod(std::move(made)));
  }
  if (!IsOfTheCluster(kind)) SetDefault(made, "namespace", "default");
  SetDefault(made, "name", "object-" + std::to_string(++n_objects_));
  const objects::KindId id = cluster_.KindOf(At(object, "apiVersion").string(), objects::ResourceOf(kind));
  if (id != 0 && !cluster_.SetObject(id, std::move(made))) Die("no object: " + json::Dump(object));
}

void OnePlugin::Settle() {
  while (engine_.Step() || api_.Reply() || executor_.RunPending()) {
  }
}

// ---- one cycle

void OnePlugin::Begin(api::PodRef pod) {
  End();
  Settle();
  pod_ = std::move(pod);
  plugin::BeginCycle(cycle_, profile().instances().size(), cache().snap(), 1);
  cycle_.reasons = &reasons_;
}

void OnePlugin::End() {
  if (!pod_) return;
  if (!open_.empty()) trials_.End();
  open_.clear();
  changed_.clear();
  plugin::FreeSlot(cycle_, BERTH_SLOT_CYCLE, profile().instances());
  plugin::FreeSlot(cycle_, BERTH_SLOT_ATTEMPT, profile().instances());
  pod_ = {};
  pre_status_.reset();
  filtered_ = false;
}

plugin::Status OnePlugin::PreFilter() {
  pre_status_ = pre_filter_.RunPreFilterPlugins(Context());
  return *pre_status_;
}

bool OnePlugin::PreFilterSkipped() { return pre_filter_.skip()[profile().Find(plugin_id())->index()] != 0; }

std::set<std::string> OnePlugin::Candidates() {
  std::set<std::string> names;
  pre_filter_.candidates().ForEach([&](uint32_t row) { names.insert(cache().node(row)->name); });
  return names;
}

plugin::Status OnePlugin::Filter() {
  if (!pre_status_) PreFilter();
  filtered_ = true;
  if (!pre_status_->ok()) {
    filter_.Clear();
    return *pre_status_;
  }
  return filter_.RunFilterPlugins(Context(), pre_filter_.skip(), cache().live(), nobody_);
}

plugin::Status OnePlugin::FilterOf(std::string_view node) {
  framework::Rejection rejection{};
  const uint32_t row = RowOf(node);
  if (const auto trial = open_.find(row); trial != open_.end()) {
    plugin::Status status = trial->second->RunFilterPlugins(rejection);
    if (!status.ok()) return status;
  } else {
    if (!filtered_) filter_status_ = Filter();
    if (!filter_status_.ok()) return filter_status_;
    rejection = filter_.RejectionOf(row);
  }
  if (rejection.plugin == nullptr) return {};
  return {static_cast<plugin::Code>(rejection.verdict.code), rejection.plugin->name_id(),
          reasons_.Texts(rejection.verdict.reasons)};
}

framework::CycleContext OnePlugin::Context(cycle::RecordNodes record) { return {profile(), cycle_, *pod_, record}; }

framework::TrialGround OnePlugin::Ground() {
  if (!filtered_) filter_status_ = Filter();
  return filter_.GroundFor(Context(), pre_filter_.skip(), nobody_);
}

plugin::Status OnePlugin::ChangePod(std::string_view node, bool add, json::Value pod) {
  const uint32_t row = RowOf(node);
  if (open_.empty()) trials_.Begin(Ground());
  auto [at, fresh] = open_.try_emplace(row);
  if (fresh) at->second = trials_.Open(row);
  pod["spec"].Set("nodeName", node);
  if (add) {
    SetDefault(pod, "uid", "added-" + std::to_string(changed_.size()));
    SetDefault(pod, "name", "added-" + std::to_string(changed_.size()));
    changed_.push_back(MakePod(std::move(pod)));
    return at->second->Add(changed_.back()->abi);
  }
  const api::PodRef named = MakePod(std::move(pod));
  std::vector<api::PodRef> there = cache().pods(row);
  there.insert(there.end(), changed_.begin(), changed_.end());
  for (const api::PodRef& one : there) {
    if (one->key() == named->key()) return at->second->Remove(one->abi);
  }
  Die("there is no pod " + std::string(named->key()));
}

framework::PostFilterResult OnePlugin::PostFilter() {
  if (!filtered_) filter_status_ = Filter();
  std::vector<berth_verdict> verdicts(cache().capacity());
  cache().live().ForEach([&](uint32_t row) { verdicts[row] = filter_.RejectionOf(row).verdict; });
  const berth_diagnosis diagnosis{
      sizeof diagnosis, 0, verdicts.data(), {BERTH_UNRESOLVABLE, {0, 0, 0}, reasons_.Intern(pre_status_->reasons)}};
  trials_.Begin(Ground());
  framework::PostFilterResult result = framework::RunPostFilterPlugins(Context(), diagnosis);
  trials_.End();
  return result;
}

plugin::Status OnePlugin::Reserve(std::string_view node) {
  const base::OwnedId name(intern_.ids, node);
  return framework::RunReservePlugins(Context(), name.get());
}

plugin::Status OnePlugin::Score(const std::vector<std::string>& nodes, std::map<std::string, int64_t>& scores) {
  base::Bitmap feasible(cache().capacity());
  for (const std::string& node : nodes) feasible.Set(RowOf(node));
  const framework::CycleContext ctx = Context(cycle::RecordNodes::kAll);
  plugin::Status status = score_.RunPreScorePlugins(ctx, feasible);
  if (status.ok()) status = score_.RunScorePlugins(ctx, feasible);
  for (const framework::ScoreRecord& record : score_.records()) {
    if (record.plugin->name_id() != plugin_id()) continue;
    for (const std::string& node : nodes) scores[node] = record.weighted[RowOf(node)];
  }
  return status;
}

uint32_t OnePlugin::RowOf(std::string_view node) {
  const base::OwnedId name(intern_.ids, node);
  const uint32_t row = cache().RowOf(name.get());
  if (row == cache::kNoRow) Die("there is no node " + std::string(node));
  return row;
}

cycle::CycleResult OnePlugin::Choose(const api::Pod& pod) {
  End();
  Settle();
  berth_cycle cycle{};
  plugin::BeginCycle(cycle, profile().instances().size(), cache().snap(), 1);
  cycle.reasons = &reasons_;
  cycle::CycleResult result;
  chooser_->Run({profile(), cycle, pod, cycle::RecordNodes::kAll}, result);
  plugin::FreeSlot(cycle, BERTH_SLOT_CYCLE, profile().instances());
  return result;
}

}  // namespace berth::upstream
