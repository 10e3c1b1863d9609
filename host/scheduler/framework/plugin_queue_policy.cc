#include "scheduler/framework/plugin_queue_policy.h"

#include "telemetry/log/log.h"

namespace berth::framework {
namespace {

bool GoesFirst(const queue::QueuedPod& a, const queue::QueuedPod& b) {
  const int32_t pa = a.pod->abi.priority, pb = b.pod->abi.priority;
  return pa != pb ? pa > pb : a.timestamp < b.timestamp;
}

berth_queued ViewOf(const queue::QueuedPod& pod) {
  return {sizeof(berth_queued), pod.attempts, &pod.pod->abi, pod.timestamp, pod.initial_attempt_timestamp};
}

}  // namespace

void ProfileQueuePolicy::SetProfiles(std::shared_ptr<const ProfileSet> profiles) {
  profiles_ = std::move(profiles);
  const auto& sorters = profiles_->profiles.front()->At(plugin::Point::kQueueSort);
  queue_sort_ = sorters.empty() ? nullptr : sorters.front();
}

void ProfileQueuePolicy::StopAsking() {
  log::Error("Pods go by priority and age from now on: the QueueSort plugin is not asked any more",
             {{"plugin", queue_sort_->name()}, {"profile", queue_sort_->profile()}});
  queue_sort_ = nullptr;
  order_changed_ = true;
}

berth_cycle& ProfileQueuePolicy::CycleOutside() {
  plugin::BeginCycle(cycle_, 0, nullptr, 0);  // no slots, because the data would belong to no attempt
  return cycle_;
}

bool ProfileQueuePolicy::Less(const queue::QueuedPod& a, const queue::QueuedPod& b) {
  if (queue_sort_ == nullptr) return GoesFirst(a, b);
  const berth_queued qa = ViewOf(a), qb = ViewOf(b);
  int32_t less = 0;
  const plugin::PodScope scope(a.pod.get());
  const plugin::Status status = queue_sort_->CallPromptly(
      "Less", [&] { less = queue_sort_->tables().queue_sort->less(queue_sort_->raw(), &qa, &qb); });
  if (status.ok() && (less == 0 || less == 1)) return less == 1;
  if (status.ok()) queue_sort_->Fault("Less", "answered " + std::to_string(less));
  if (queue_sort_->quarantined()) StopAsking();
  return GoesFirst(a, b);
}

queue::PreEnqueueVerdict ProfileQueuePolicy::PreEnqueue(const api::Pod& pod, base::Id first) {
  const Profile* profile = profiles_->Find(pod.abi.scheduler_name);
  if (profile == nullptr) return {};
  ProfileTimes& times = profile->times();
  const base::Ticks started = base::Ticks::Now();
  queue::PreEnqueueVerdict verdict = AskPreEnqueue(*profile, pod, first);
  // Upstream records Success also for a rejection: its status variable is shadowed.
  times.AddPoint(TimedPoint::kPreEnqueue, plugin::Code::kSuccess,
                 times.HasPlugins(TimedPoint::kPreEnqueue) ? base::Ticks::Now().Since(started) : 0);
  return verdict;
}

queue::PreEnqueueVerdict ProfileQueuePolicy::AskPreEnqueue(const Profile& profile, const api::Pod& pod,
                                                           base::Id first) {
  berth_cycle& cycle = CycleOutside();
  const plugin::PodScope scope(&pod);
  const bool sampled = samples_.Below(100) < kSampledPercent;
  auto ask = [&](plugin::Instance* plugin, size_t position) {
    const plugin::Status status = TimedCall(profile.times(), sampled, TimedPoint::kPreEnqueue, position, [&] {
      return plugin->Call("PreEnqueue",
                          [&] { return plugin->tables().pre_enqueue->pre_enqueue(plugin->raw(), &cycle, &pod.abi); });
    });
    queue::PreEnqueueVerdict verdict;
    if (!status.ok()) verdict = {plugin->name_id(), static_cast<int32_t>(status.code), status.Message()};
    return verdict;
  };
  const auto& plugins = profile.At(plugin::Point::kPreEnqueue);
  for (size_t i = 0; i < plugins.size(); ++i) {
    if (plugins[i]->name_id() != first) continue;
    if (queue::PreEnqueueVerdict verdict = ask(plugins[i], i); verdict.plugin != base::kNoId) return verdict;
  }
  for (size_t i = 0; i < plugins.size(); ++i) {
    if (plugins[i]->name_id() == first) continue;
    if (queue::PreEnqueueVerdict verdict = ask(plugins[i], i); verdict.plugin != base::kNoId) return verdict;
  }
  return {};
}

std::vector<queue::ProfileRegistrations> ProfileQueuePolicy::Registrations() const {
  std::vector<queue::ProfileRegistrations> out;
  if (profiles_ == nullptr) return out;
  for (const auto& profile : profiles_->profiles)
    out.push_back({profile->scheduler_name_id(), profile->registrations()});
  return out;
}

int32_t ProfileQueuePolicy::Hints(const queue::HintRequest& request, std::span<uint8_t> queue) {
  const Profile* profile = profiles_->Find(request.profile);
  plugin::Instance* plugin = profile == nullptr ? nullptr : profile->Find(request.plugin);
  if (plugin == nullptr || plugin->tables().events == nullptr || plugin->tables().events->hints == nullptr)
    return BERTH_ERROR;
  const queue::EventObjects& o = request.objects;
  auto value = [](const std::shared_ptr<const json::Value>& v) {
    return reinterpret_cast<const berth_value*>(v.get());
  };
  const berth_event event{sizeof event,
                          request.interest,
                          request.event.actions,
                          0,
                          {request.event.resource.data(), request.event.resource.size()},
                          o.old_pod ? &o.old_pod->abi : nullptr,
                          o.new_pod ? &o.new_pod->abi : nullptr,
                          o.old_node ? &o.old_node->abi : nullptr,
                          o.new_node ? &o.new_node->abi : nullptr,
                          value(o.old_value),
                          value(o.new_value)};
  berth_cycle& cycle = CycleOutside();
  const plugin::Status status = plugin->Call("QueueingHint", [&] {
    return plugin->tables().events->hints(plugin->raw(), &cycle, &event, request.pods.data(),
                                          static_cast<uint32_t>(request.pods.size()), queue.data());
  });
  return static_cast<int32_t>(status.code);
}

}  // namespace berth::framework
