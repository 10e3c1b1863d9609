#include "queue_model.h"

#include <algorithm>

#include "base/random.h"

namespace berth::queue {
namespace {

uint64_t HashOf(base::Id plugin, std::string_view uid, uint64_t salt) {
  return base::MixText(base::Mix(salt) ^ plugin, uid);
}

std::string TextOf(base::Id id) { return std::string(Tables().ids.Text(id)); }

int64_t CutToSeconds(int64_t t) { return t - ((t % base::kSecond) + base::kSecond) % base::kSecond; }

}  // namespace

bool PurePolicy::Sorts(const api::Pod& a, int64_t time_a, const api::Pod& b, int64_t time_b) const {
  if (a.abi.priority != b.abi.priority) return (a.abi.priority > b.abi.priority) != ascending;
  if (time_a != time_b) return time_a < time_b;
  return a.key() < b.key();
}

bool PurePolicy::Passes(base::Id gate, const api::Pod& pod) const {
  return !closed.contains(gate) || HashOf(gate, pod.uid(), 1) % 3 == 0 || HasLabel(pod, "open");
}

bool PurePolicy::Helps(base::Id plugin, uint32_t interest, const EventObjects& objects, std::string_view uid) const {
  const std::string_view about = objects.new_pod ? objects.new_pod->uid() : "";
  return HashOf(plugin, uid, base::MixText(interest, about)) % 2 == 0;
}

PreEnqueueVerdict PurePolicy::PreEnqueue(const api::Pod& pod, base::Id first) {
  if (first != base::kNoId && !Passes(first, pod)) return {first, BERTH_UNRESOLVABLE, "closed"};
  for (base::Id gate : gates) {
    if (gate != first && !Passes(gate, pod)) return {gate, BERTH_UNRESOLVABLE, "closed"};
  }
  return {};
}

int32_t PurePolicy::Hints(const HintRequest& request, std::span<uint8_t> queue) {
  if (request.interest % 7 == 6) return BERTH_ERROR;
  for (size_t i = 0; i < queue.size(); ++i) {
    const berth_str& uid = request.pods[i]->uid;
    queue[i] = Helps(request.plugin, request.interest, request.objects, {uid.ptr, uid.len});
  }
  return BERTH_SUCCESS;
}

bool QueueModel::Matches(const Registration& r, const api::ClusterEvent& event) {
  if (r.resource == "*" && r.actions == BERTH_ACTION_ALL) return true;
  const bool pods = event.resource == "AssignedPod" || event.resource == "UnschedulablePod";
  const bool resource = r.resource == "*" || r.resource == event.resource || (r.resource == "Pod" && pods);
  return resource && (r.actions & event.actions) != 0 && event.actions <= r.actions;
}

bool QueueModel::Interested(const api::ClusterEvent& event) const {
  if (event.IsWildcard()) return true;
  for (const ProfileRegistrations& profile : policy_.profiles) {
    for (const Registration& r : profile.registrations) {
      if (Matches(r, event)) return true;
    }
  }
  return false;
}

bool QueueModel::GateRegistered(base::Id gate, const api::ClusterEvent& event) const {
  for (const ProfileRegistrations& profile : policy_.profiles) {
    for (const Registration& r : profile.registrations) {
      if (r.plugin == gate && Matches(r, event)) return true;
    }
  }
  return false;
}

Strategy QueueModel::Worth(const ModelPod& pod, const api::ClusterEvent& event, const EventObjects& objects) const {
  const std::set<base::Id> rejectors = pod.Rejectors();
  if (rejectors.empty()) return Strategy::kAfterBackoff;
  if (event.IsWildcard()) {
    return objects.new_pod && objects.new_pod->uid() != pod.pod->uid() ? Strategy::kSkip : Strategy::kAfterBackoff;
  }
  Strategy strategy = Strategy::kSkip;
  bool known = false;
  for (const ProfileRegistrations& profile : policy_.profiles) {
    if (profile.profile != pod.pod->abi.scheduler_name) continue;
    known = true;
    for (const Registration& r : profile.registrations) {
      if (!Matches(r, event) || !rejectors.contains(r.plugin)) continue;
      const bool error = r.interest % 7 == 6;
      if (r.has_hint && !error && !policy_.Helps(r.plugin, r.interest, objects, pod.pod->uid())) continue;
      if (pod.pending.contains(r.plugin)) return Strategy::kImmediately;
      strategy = Strategy::kAfterBackoff;
    }
  }
  return known ? strategy : Strategy::kAfterBackoff;
}

int64_t QueueModel::Expiration(const ModelPod& pod) const {
  if (options_.pod_max_backoff_ns == 0) return BERTH_NO_TIME;
  const uint32_t count = pod.errors > 0 ? pod.errors : pod.unschedulable_count;
  if (count == 0) return BERTH_NO_TIME;
  int64_t duration = options_.pod_initial_backoff_ns;
  for (uint32_t i = 1; i < count && duration < options_.pod_max_backoff_ns; ++i) duration *= 2;
  const int64_t end = pod.timestamp + std::min(duration, options_.pod_max_backoff_ns);
  return options_.pop_from_backoff_q ? CutToSeconds(end) : end;
}

bool QueueModel::BackingOff(const ModelPod& pod, int64_t now) const {
  return Expiration(pod) >= (options_.pop_from_backoff_q ? CutToSeconds(now) : now);
}

bool QueueModel::IsInFlight(std::string_view uid) const {
  return std::any_of(in_flight.begin(), in_flight.end(), [&](const InFlight& e) { return e.marker == uid; });
}

void QueueModel::Count(const ModelPod& pod, int delta) {
  for (base::Id plugin : pod.Rejectors()) unschedulable_reason[TextOf(plugin)] += delta;
}

void QueueModel::RunPreEnqueue(ModelPod& pod) {
  const base::Id gate = policy_.PreEnqueue(*pod.pod, pod.gating).plugin;
  if (gate != base::kNoId) {
    if (!pod.Rejectors().contains(gate)) ++unschedulable_reason[TextOf(gate)];
    pod.unschedulable.insert(gate);
  }
  pod.gating = gate;
}

void QueueModel::Park(const ModelPod& pod, const std::string& event) {
  const bool fresh = !unschedulable.contains(std::string(pod.pod->key()));
  if (fresh) ++incoming["unschedulable," + event];
  ModelPod& parked = unschedulable[std::string(pod.pod->key())] = pod;
  if (fresh || parked.parked == 0) parked.parked = ++parkings_;
}

bool QueueModel::MoveToActive(ModelPod pod, const std::string& event, bool from_backoff) {
  const std::string key(pod.pod->key());
  if (!options_.pop_from_backoff_q || !from_backoff) RunPreEnqueue(pod);
  if (pod.gating != base::kNoId) {
    if (!active.contains(key) && !backoff.contains(key) && !error_backoff.contains(key)) Park(pod, event);
    return false;
  }
  if (pod.initial == BERTH_NO_TIME) pod.initial = clock_.WallUnixNs();
  unschedulable.erase(key);
  backoff.erase(key);
  error_backoff.erase(key);
  active[key] = pod;
  ++incoming["active," + event];
  if (event == "UnschedulablePodAdd" || event == "UnschedulablePodUpdate") Nominate(pod.pod, {});
  return true;
}

bool QueueModel::MoveToBackoff(ModelPod pod, const std::string& event) {
  if (options_.pop_from_backoff_q) {
    RunPreEnqueue(pod);
    if (pod.gating != base::kNoId) {
      Park(pod, event);
      return false;
    }
  }
  unschedulable.erase(std::string(pod.pod->key()));
  (pod.Rejectors().empty() ? error_backoff : backoff)[std::string(pod.pod->key())] = pod;
  ++incoming["backoff," + event];
  return true;
}

char QueueModel::Requeue(const ModelPod& pod, Strategy strategy, const std::string& event) {
  if (strategy == Strategy::kSkip) {
    Park(pod, event);
    return 'u';
  }
  if (strategy == Strategy::kAfterBackoff && BackingOff(pod, clock_.WallUnixNs()))
    return MoveToBackoff(pod, event) ? 'b' : 'u';
  return MoveToActive(pod, event, false) ? 'a' : 'u';
}

void QueueModel::Add(const api::PodRef& pod) {
  ModelPod fresh;
  fresh.pod = pod;
  fresh.timestamp = clock_.WallUnixNs();
  MoveToActive(fresh, "UnschedulablePodAdd", false);
}

void QueueModel::Update(const api::PodRef& before, const api::PodRef& after) {
  const std::vector<api::ClusterEvent> events = api::PodUpdateEvents(Tables(), *before, *after);
  EventObjects objects;
  objects.old_pod = before;
  objects.new_pod = after;
  if (IsInFlight(after->uid())) {
    for (const api::ClusterEvent& event : events) in_flight.push_back({"", event, objects});
    return;
  }
  for (Pods* pods : {&active, &backoff, &error_backoff}) {
    const auto at = pods->find(std::string(before->key()));
    if (at == pods->end()) continue;
    at->second.pod = after;
    UpdateNominated(*before, after);
    return;
  }
  if (const auto at = unschedulable.find(std::string(after->key())); at != unschedulable.end()) {
    at->second.pod = after;
    UpdateNominated(*before, after);
    for (const api::ClusterEvent& event : events) {
      const ModelPod pod = unschedulable[std::string(after->key())];
      if (Requeue(pod, Worth(pod, event, objects), event.Label()) != 'u') return;
    }
    return;
  }
  ModelPod fresh;
  fresh.pod = after;
  fresh.timestamp = clock_.WallUnixNs();
  MoveToActive(fresh, "UnschedulablePodUpdate", false);
}

void QueueModel::Delete(const api::Pod& pod) {
  DeleteNominated(pod.uid());
  if (active.erase(std::string(pod.key())) + backoff.erase(std::string(pod.key())) +
          error_backoff.erase(std::string(pod.key())) >
      0)
    return;
  const auto at = unschedulable.find(std::string(pod.key()));
  if (at == unschedulable.end()) return;
  Count(at->second, -1);
  unschedulable.erase(at);
}

bool QueueModel::Pop(ModelPod& out) {
  while (true) {
    Pods* pods = !active.empty() ? &active : options_.pop_from_backoff_q && !backoff.empty() ? &backoff : nullptr;
    if (pods == nullptr) return false;
    const auto first = std::min_element(pods->begin(), pods->end(), [&](const auto& a, const auto& b) {
      if (pods == &backoff && Expiration(a.second) != Expiration(b.second)) {
        return Expiration(a.second) < Expiration(b.second);
      }
      return policy_.Sorts(*a.second.pod, a.second.timestamp, *b.second.pod, b.second.timestamp);
    });
    out = first->second;
    pods->erase(first);
    if (pods == &backoff) ++incoming["active,PopFromBackoffQ"];
    ++out.attempts;
    if (IsInFlight(out.pod->uid())) continue;
    in_flight.push_back({std::string(out.pod->uid()), {}, {}});
    ++cycle;
    Count(out, -1);
    return true;
  }
}

void QueueModel::Done(std::string_view uid) {
  std::erase_if(in_flight, [&](const InFlight& e) { return e.marker == uid; });
  while (!in_flight.empty() && in_flight.front().marker.empty()) in_flight.erase(in_flight.begin());
}

bool QueueModel::AddUnschedulable(ModelPod pod) {
  const std::string key(pod.pod->key()), uid(pod.pod->uid());
  for (const Pods* pods : {&active, &backoff, &error_backoff, &unschedulable}) {
    if (!pods->contains(key)) continue;
    Done(uid);
    return false;
  }
  if (pod.Rejectors().empty()) {
    ++pod.errors;
  } else {
    ++pod.unschedulable_count;
    pod.errors = 0;
  }
  pod.timestamp = clock_.WallUnixNs();
  pod.flushed = false;
  Count(pod, 1);
  Strategy strategy = Strategy::kAfterBackoff;
  if (!pod.Rejectors().empty() && IsInFlight(uid)) {
    strategy = Strategy::kSkip;
    bool since = false;
    for (const InFlight& e : in_flight) {
      if (since && e.marker.empty()) strategy = std::max(strategy, Worth(pod, e.event, e.objects));
      since |= e.marker == uid;
    }
  }
  Requeue(pod, strategy, "ScheduleAttemptFailure");
  Done(uid);
  return true;
}

void QueueModel::Activate(const api::PodRef& pod) {
  for (Pods* pods : {&unschedulable, &backoff, &error_backoff}) {
    const auto at = pods->find(std::string(pod->key()));
    if (at == pods->end()) continue;
    const ModelPod queued = at->second;
    if (pods != &unschedulable) pods->erase(at);
    if (MoveToActive(queued, "ForceActivate", pods != &unschedulable)) return;
    break;
  }
  EventObjects objects;
  objects.new_pod = pod;
  if (IsInFlight(pod->uid())) in_flight.push_back({"", kEventForceActivate, objects});
}

void QueueModel::Move(const api::ClusterEvent& event, const EventObjects& objects, int32_t max_priority) {
  if (!Interested(event)) return;
  std::vector<std::string> keys;
  for (const auto& [key, pod] : unschedulable) {
    if (pod.pod->abi.priority <= max_priority) keys.push_back(key);
  }
  MovePods(keys, event, objects);
}

void QueueModel::MovePods(std::vector<std::string> keys, const api::ClusterEvent& event, const EventObjects& objects) {
  const auto parked = [&](const std::string& key) { return unschedulable[key].parked; };
  std::sort(keys.begin(), keys.end(), [&](const auto& a, const auto& b) { return parked(a) < parked(b); });
  for (const std::string& key : keys) {
    const ModelPod pod = unschedulable[key];
    if (pod.gating != base::kNoId && !GateRegistered(pod.gating, event)) continue;
    const Strategy strategy = Worth(pod, event, objects);
    if (strategy == Strategy::kSkip) continue;
    unschedulable.erase(key);
    Requeue(pod, strategy, event.Label());
  }
  if (!in_flight.empty()) in_flight.push_back({"", event, objects});
}

void QueueModel::FlushBackoff(int64_t now) {
  for (Pods* pods : {&backoff, &error_backoff}) {
    std::vector<ModelPod> completed;
    for (const auto& [key, pod] : *pods) {
      if (!BackingOff(pod, now)) completed.push_back(pod);
    }
    for (const ModelPod& pod : completed) pods->erase(std::string(pod.pod->key()));
    for (const ModelPod& pod : completed) MoveToActive(pod, "BackoffComplete", true);
  }
}

void QueueModel::FlushLeftover(int64_t now) {
  std::vector<std::string> keys;
  for (auto& [key, pod] : unschedulable) {
    if (now - pod.timestamp <= options_.pod_max_in_unschedulable_pods_ns) continue;
    pod.flushed = true;
    keys.push_back(key);
  }
  if (!keys.empty()) MovePods(keys, kEventUnschedulableTimeout, {});
}

void QueueModel::Nominate(const api::PodRef& pod, const NominatingInfo& info) {
  DeleteNominated(pod->uid());
  std::string node = TextOf(info.node);
  if (info.mode == NominatingMode::kNoop) {
    node = TextOf(pod->abi.nominated_node);
    if (node.empty()) return;
  }
  const api::Pod* current = lookup_.FindPod(pod->key());
  if (current != nullptr && TextOf(current->abi.node_name).empty()) nominated.emplace_back(pod->uid(), node);
}

void QueueModel::UpdateNominated(const api::Pod& before, const api::PodRef& after) {
  NominatingInfo info;
  if (TextOf(before.abi.nominated_node).empty() && TextOf(after->abi.nominated_node).empty()) {
    for (const auto& [uid, node] : nominated) {
      if (uid == before.uid()) info = {NominatingMode::kOverride, Id(node)};
    }
  }
  DeleteNominated(before.uid());
  Nominate(after, info);
}

void QueueModel::DeleteNominated(std::string_view uid) {
  std::erase_if(nominated, [&](const auto& entry) { return entry.first == uid; });
}

void QueueModel::Close() { in_flight.clear(); }

}  // namespace berth::queue
