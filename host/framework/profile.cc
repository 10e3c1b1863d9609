#include "framework/profile.h"

#include <algorithm>

namespace berth::framework {
namespace {

// What a plugin that registers nothing is told of (core.md 2.6).
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

// Only plugins that can reject a pod are asked for events.
bool CanReject(const plugin::Instance& instance) {
  const plugin::Instance::Tables& t = instance.tables();
  return t.pre_enqueue || t.pre_filter || t.filter || t.reserve || t.permit;
}

std::string_view View(berth_str s) { return {s.ptr, static_cast<size_t>(s.len)}; }

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

base::Result<std::shared_ptr<Profile>> Profile::Build(ProfileSpec spec, plugin::Services& services) {
  std::shared_ptr<Profile> profile(new Profile);
  profile->scheduler_name_ = spec.scheduler_name;
  profile->scheduler_name_id_ = base::OwnedId(services.words.ids, spec.scheduler_name);
  profile->percentage_of_nodes_to_score_ = spec.percentage_of_nodes_to_score;
  if (auto done = profile->CreateInstances(std::move(spec.plugins), services); !done)
    return tl::unexpected(done.error());
  if (auto done = profile->FillPoints(spec); !done) return tl::unexpected(done.error());
  for (const auto& instance : profile->instances_) {
    if (auto done = instance->Activate(); !done) return tl::unexpected(done.error());
  }
  if (auto done = profile->ReadRegistrations(); !done) return tl::unexpected(done.error());
  for (size_t i = 0; i < profile->At(plugin::Point::kFilter).size(); ++i) {
    profile->kept_verdicts_.push_back(std::make_unique<KeptVerdicts>(services.words));
  }
  for (size_t i = 0; i < profile->At(plugin::Point::kScore).size(); ++i) {
    profile->kept_scores_.push_back(std::make_unique<KeptScores>(services.words));
  }
  return profile;
}

base::Result<void> Profile::CreateInstances(std::vector<plugin::InstanceSpec> specs, plugin::Services& services) {
  for (plugin::InstanceSpec& spec : specs) {
    auto instance = plugin::Instance::Create(std::move(spec), services);
    if (!instance) return tl::unexpected(instance.error());
    (*instance)->set_index(static_cast<uint32_t>(instances_.size()));
    instances_.push_back(std::move(*instance));
  }
  return {};
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

plugin::Instance* Profile::Find(base::Id plugin_name) const {
  for (const auto& instance : instances_) {
    if (instance->name_id() == plugin_name) return instance.get();
  }
  return nullptr;
}

base::Result<void> Profile::ReadRegistrations() {
  for (const auto& instance : instances_) {
    if (!CanReject(*instance)) continue;
    if (instance->tables().events != nullptr) {
      if (auto done = RegisterInterests(*instance, registrations_); !done) return done;
      continue;
    }
    for (std::string_view resource : kDefaultResources) {
      registrations_.push_back({instance->name_id(), std::string(resource), BERTH_ACTION_ALL, 0, false});
    }
  }
  return {};
}

}  // namespace berth::framework
