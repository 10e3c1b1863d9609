#include "scheduler/framework/profile.h"
#include "api/text_view.h"

#include <algorithm>

namespace berth::framework {
namespace {

// The resources whose events a plugin without an events table gets. Source: UnrollWildCardResource in
// pkg/scheduler/framework/types.go.
constexpr std::string_view kDefaultResources[] = {"Pod",
                                                  "Node",
                                                  "PersistentVolume",
                                                  "PersistentVolumeClaim",
                                                  "storage.k8s.io/CSINode",
                                                  "storage.k8s.io/CSIDriver",
                                                  "storage.k8s.io/CSIStorageCapacity",
                                                  "storage.k8s.io/StorageClass",
                                                  "resource.k8s.io/ResourceClaim",
                                                  "resource.k8s.io/DeviceClass"};

// Only plugins that can reject a pod register for events.
bool CanReject(const plugin::Instance& instance) {
  const plugin::Instance::Tables& t = instance.tables();
  return t.pre_enqueue || t.pre_filter || t.filter || t.reserve || t.permit;
}

using api::View;

auto Named(const std::vector<std::shared_ptr<plugin::Instance>>& instances, base::Id name) {
  return std::find_if(instances.begin(), instances.end(), [&](const auto& one) { return one->name_id() == name; });
}

// Whether the instance belongs to the profile before, too.
bool GoesOn(const plugin::Instance& instance, const Profile* before) {
  return before != nullptr && before->Has(&instance);
}

base::Result<void> RegisterInterests(plugin::Instance& instance, std::vector<queue::Registration>& out) {
  berth_list interests{};
  const plugin::Status status = instance.Call("interests", [&] {
    interests = instance.tables().events->interests(instance.raw());
    return BERTH_SUCCESS;
  });
  if (!status.ok()) return base::Fail(status.Message());
  bool wants_node_add = false, wants_taints = false;
  for (uint32_t i = 0; i < interests.n; ++i) {
    const berth_interest& interest = *BERTH_AT(interests, berth_interest, i);
    const bool has_hint = (interest.flags & BERTH_INTEREST_HINT) != 0 && instance.tables().events->hints != nullptr;
    out.push_back({instance.name_id(), std::string(View(interest.resource)), interest.actions, i, has_hint});
    if (View(interest.resource) != api::kResourceNode) continue;
    wants_node_add = wants_node_add || (interest.actions & BERTH_ACTION_ADD) != 0;
    wants_taints = wants_taints || (interest.actions & BERTH_ACTION_UPDATE_NODE_TAINT) != 0;
  }
  if (wants_node_add && !wants_taints) {
    out.push_back({instance.name_id(), std::string(api::kResourceNode), BERTH_ACTION_UPDATE_NODE_TAINT, 0, false});
  }
  return {};
}

}  // namespace

base::Result<std::shared_ptr<Profile>> Profile::Build(ProfileSpec spec, plugin::Services& services,
                                                      const Profile* before) {
  std::shared_ptr<Profile> profile(new Profile);
  profile->scheduler_name_ = spec.scheduler_name;
  profile->scheduler_name_id_ = base::OwnedId(services.intern.ids, spec.scheduler_name);
  profile->percentage_of_nodes_to_score_ = spec.percentage_of_nodes_to_score;
  if (auto done = profile->CreateInstances(std::move(spec.plugins), services, before, spec.recreate_faulty); !done)
    return tl::unexpected(done.error());
  profile->NumberInstances(before);
  if (auto done = profile->FillPoints(spec); !done) return tl::unexpected(done.error());
  for (const auto& instance : profile->instances_) {
    if (GoesOn(*instance, before)) continue;
    if (auto done = instance->Activate(); !done) return tl::unexpected(done.error());
  }
  if (auto done = profile->ReadRegistrations(before); !done) return tl::unexpected(done.error());
  if (spec.has_extenders) {
    profile->extender_name_ = base::OwnedId(services.intern.ids, framework::kExtenderName);
    profile->RegisterForEverything(profile->extender_name_id());
  }
  profile->TakeKept(services, before);
  profile->PrepareTimes();
  profile->NoteVersions();
  return profile;
}

std::string QuarantinedPlugin::Text() const {
  return "profile " + profile + (optional ? " does without plugin " : " is not served: plugin ") + plugin +
         ": library " + library + " (sha256 " + sha256 + ") " + why;
}

bool Profile::Has(const plugin::Instance* instance) const {
  return std::any_of(instances_.begin(), instances_.end(), [&](const auto& i) { return i.get() == instance; });
}

namespace {

// The instance of before that an instance of spec replaces: the same plugin of the same library file. Null if there is
// none.
std::shared_ptr<plugin::Instance> PredecessorIn(const Profile* before, const plugin::InstanceSpec& spec) {
  if (before == nullptr) return nullptr;
  for (const auto& instance : before->instances()) {
    const plugin::InstanceSpec& now = instance->spec();
    const bool same_code = now.library->entry() == spec.library->entry() && now.library_plugin == spec.library_plugin;
    if (now.name == spec.name && now.profile == spec.profile && same_code) return instance;
  }
  return nullptr;
}

// Whether the instance can continue in place of a new one of spec.
bool MayGoOn(const plugin::Instance& instance, const plugin::InstanceSpec& spec) {
  return instance.spec().faults == spec.faults && instance.spec().args == spec.args && !instance.quarantined();
}

}  // namespace

base::Result<void> Profile::CreateInstances(std::vector<plugin::InstanceSpec> specs, plugin::Services& services,
                                            const Profile* before, bool recreate_faulty) {
  for (plugin::InstanceSpec& spec : specs) {
    auto predecessor = PredecessorIn(before, spec);
    if (predecessor != nullptr && MayGoOn(*predecessor, spec)) {
      instances_.push_back(std::move(predecessor));
      continue;
    }
    const bool may_prepare = predecessor != nullptr && !(recreate_faulty && predecessor->faults() > 0);
    auto instance = plugin::Instance::Create(std::move(spec), services, may_prepare ? predecessor.get() : nullptr);
    if (!instance) return tl::unexpected(instance.error());
    instances_.push_back(std::move(*instance));
  }
  return {};
}

// Attempts find the data of a plugin by the index of its instance. So an instance keeps its index for life, and new
// instances take free indices.
void Profile::NumberInstances(const Profile* before) {
  std::vector<bool> taken;
  for (const auto& instance : instances_) {
    if (!GoesOn(*instance, before)) continue;
    if (taken.size() <= instance->index()) taken.resize(instance->index() + 1);
    taken[instance->index()] = true;
  }
  size_t next = 0;
  for (const auto& instance : instances_) {
    if (GoesOn(*instance, before)) continue;
    while (next < taken.size() && taken[next]) ++next;
    instance->set_index(static_cast<uint32_t>(next++));
  }
  slots_ = std::max(next, taken.size());
}

namespace {

// The kept results of each plugin of an extension point; empty ones for new plugins. theirs: by index in
// their_plugins.
template <class K>
std::vector<std::shared_ptr<K>> TakeOver(const std::vector<plugin::Instance*>& plugins, api::InternTables& intern,
                                         const std::vector<plugin::Instance*>& their_plugins,
                                         const std::vector<std::shared_ptr<K>>& theirs) {
  std::vector<std::shared_ptr<K>> kept;
  for (const plugin::Instance* plugin : plugins) {
    const auto at = std::find(their_plugins.begin(), their_plugins.end(), plugin);
    const bool known = at != their_plugins.end();
    kept.push_back(known ? theirs[static_cast<size_t>(at - their_plugins.begin())] : std::make_shared<K>(intern));
  }
  return kept;
}

}  // namespace

void Profile::TakeKept(plugin::Services& services, const Profile* before) {
  static const Profile nobody;
  const Profile& from = before == nullptr ? nobody : *before;
  kept_verdicts_ =
      TakeOver(At(plugin::Point::kFilter), services.intern, from.At(plugin::Point::kFilter), from.kept_verdicts_);
  kept_scores_ =
      TakeOver(At(plugin::Point::kScore), services.intern, from.At(plugin::Point::kScore), from.kept_scores_);
}

base::Result<void> Profile::FillPoints(const ProfileSpec& spec) {
  for (size_t p = 0; p < plugin::kPoints; ++p) {
    const plugin::Point point = static_cast<plugin::Point>(p);
    for (const PointEntry& entry : spec.points[p]) {
      auto it =
          std::find_if(instances_.begin(), instances_.end(), [&](const auto& i) { return i->name() == entry.plugin; });
      if (it == instances_.end() || !(*it)->Offers(point)) {
        return base::Fail("plugin \"" + entry.plugin + "\" does not extend " + std::string(plugin::MessageName(point)) +
                          "Plugin plugin");
      }
      at_[p].push_back(it->get());
      if (point == plugin::Point::kScore) weights_.push_back(entry.weight);
    }
  }
  for (const plugin::Point point : {plugin::Point::kPreFilter, plugin::Point::kFilter}) {
    for (plugin::Instance* plugin : At(point)) {
      const bool listed = std::find(pod_change_.begin(), pod_change_.end(), plugin) != pod_change_.end();
      if (plugin->tables().pod_change != nullptr && !listed) pod_change_.push_back(plugin);
    }
  }
  return {};
}

std::shared_ptr<plugin::Instance> Profile::Share(base::Id plugin_name) const {
  const auto at = Named(instances_, plugin_name);
  return at == instances_.end() ? nullptr : *at;
}

plugin::Instance* Profile::Find(base::Id plugin_name) const {
  const auto at = Named(instances_, plugin_name);
  return at == instances_.end() ? nullptr : at->get();
}

base::Result<void> Profile::ReadRegistrations(const Profile* before) {
  for (const auto& instance : instances_) {
    if (!CanReject(*instance)) continue;
    if (GoesOn(*instance, before)) {  // a call into it can be running: copy its registrations
      std::copy_if(before->registrations_.begin(), before->registrations_.end(), std::back_inserter(registrations_),
                   [&](const queue::Registration& r) { return r.plugin == instance->name_id(); });
      continue;
    }
    if (instance->tables().events != nullptr) {
      if (auto done = RegisterInterests(*instance, registrations_); !done) return done;
      continue;
    }
    RegisterForEverything(instance->name_id());
  }
  return {};
}

void Profile::NoteVersions() {
  auto versions = std::make_shared<decisions::PluginVersions>();
  for (const auto& instance : instances_) versions->push_back({instance->name(), instance->library().version()});
  plugin_versions_ = std::move(versions);
}

void Profile::PrepareTimes() {
  using plugin::Point;
  static constexpr std::array<Point, kTimedPoints> kPoints{
      Point::kPreEnqueue, Point::kPreFilter, Point::kFilter,  Point::kPostFilter, Point::kPreScore,
      Point::kScore,      Point::kScore,     Point::kReserve, Point::kPermit,     Point::kReserve,
      Point::kPreBind,    Point::kPreBind,   Point::kBind,    Point::kPostBind};
  ProfileTimes::Names names;
  for (size_t i = 0; i < kTimedPoints; ++i) {
    for (const plugin::Instance* plugin : At(kPoints[i])) names[i].push_back(plugin->name());
  }
  times_ = std::make_shared<ProfileTimes>(scheduler_name_, std::move(names));
}

void Profile::RegisterForEverything(base::Id plugin) {
  for (std::string_view resource : kDefaultResources) {
    registrations_.push_back({plugin, std::string(resource), BERTH_ACTION_ALL, 0, false});
  }
}

}  // namespace berth::framework
