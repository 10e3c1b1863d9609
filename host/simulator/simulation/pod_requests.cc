// The requests for pods that plugins may send: GET, DELETE, and PATCH of the status.
#include <algorithm>

#include "codec/text/rfc3339.h"
#include "simulator/simulation/answers.h"
#include "simulator/simulation/api_server.h"
#include "simulator/simulation/patch.h"

namespace berth::simulation {
namespace {

using json::Value;

constexpr const char* kScheduled = "PodScheduled";
constexpr const char* kDisrupted = "DisruptionTarget";
constexpr const char* kSince = "lastTransitionTime";
constexpr const char* kByScheduler = "PreemptionByScheduler";

Value ConditionsOf(const api::Pod& pod) {
  Value conditions{json::Array()};
  const api::PodScheduledCondition& scheduled = pod.scheduled_condition();
  if (!scheduled.status.empty()) {
    Value condition = Value::MakeObject({{"type", kScheduled}, {"status", scheduled.status}});
    if (!scheduled.reason.empty()) condition.Set("reason", scheduled.reason);
    if (!scheduled.message.empty()) condition.Set("message", scheduled.message);
    if (pod.abi.scheduled_unix_ns >= 0) condition.Set(kSince, text::TimeText(pod.abi.scheduled_unix_ns));
    conditions.Append(std::move(condition));
  }
  if ((pod.abi.has & BERTH_POD_HAS_PREEMPTED) != 0) {
    conditions.Append(Value::MakeObject({{"type", kDisrupted}, {"status", "True"}, {"reason", kByScheduler}}));
  }
  return conditions;
}

Value DocumentOf(const api::InternTables& intern, const api::Pod& pod) {
  Value metadata = Value::MakeObject({{"namespace", intern.ids.Text(pod.abi.ns)},
                                      {"name", pod.name()},
                                      {"uid", pod.uid()},
                                      {"resourceVersion", pod.resource_version()}});
  Value spec = Value::MakeObject();
  if (pod.abi.node_name != base::kNoId) spec.Set("nodeName", intern.ids.Text(pod.abi.node_name));
  Value status = Value::MakeObject({{"phase", pod.phase()}, {"conditions", ConditionsOf(pod)}});
  if (pod.abi.nominated_node != base::kNoId) status.Set("nominatedNodeName", intern.ids.Text(pod.abi.nominated_node));
  return Value::MakeObject({{"apiVersion", "v1"},
                            {"kind", "Pod"},
                            {"metadata", std::move(metadata)},
                            {"spec", std::move(spec)},
                            {"status", std::move(status)}});
}

const Value* ConditionIn(const Value& pod, std::string_view type) {
  const Value* conditions = pod.FindPath("status.conditions");
  if (conditions == nullptr) return nullptr;
  const json::Array& all = conditions->array();
  const auto at = std::find_if(all.begin(), all.end(), [&](const Value& c) { return json::TextAt(c, "type") == type; });
  return at == all.end() ? nullptr : &*at;
}

// berth_pod.scheduled_unix_ns of a pod with this condition.
int64_t ScheduledAt(const Value* scheduled) {
  if (scheduled == nullptr || json::TextAt(*scheduled, "status") != "True") return BERTH_NO_TIME;
  int64_t since = BERTH_NO_TIME;
  (void)text::ParseRfc3339(json::TextAt(*scheduled, kSince), since);  // no time if there is none
  return std::max(since, BERTH_NO_TIME + 1);
}

// Copies the parts of the status that a pod stores.
void TakeStatus(const Value& document, api::Pod& pod) {
  const Value* scheduled = ConditionIn(document, kScheduled);
  api::PodScheduledCondition condition;
  if (scheduled != nullptr) {
    condition.status = json::TextAt(*scheduled, "status");
    condition.reason = json::TextAt(*scheduled, "reason");
    condition.message = json::TextAt(*scheduled, "message");
  }
  pod.SetScheduledCondition(condition);
  pod.abi.scheduled_unix_ns = ScheduledAt(scheduled);
  const Value* disrupted = ConditionIn(document, kDisrupted);
  const bool preempted = disrupted != nullptr && json::TextAt(*disrupted, "status") == "True" &&
                         json::TextAt(*disrupted, "reason") == kByScheduler;
  pod.abi.has =
      preempted ? pod.abi.has | BERTH_POD_HAS_PREEMPTED : pod.abi.has & ~static_cast<uint64_t>(BERTH_POD_HAS_PREEMPTED);
  pod.SetNominatedNode(json::TextAt(document, "status.nominatedNodeName"));
}

}  // namespace

plugin::ApiAnswer ApiServer::ServePod(const plugin::ApiRequest& request) {
  const api::PodRef pod = cluster_.FindPod(request.ns + "/" + request.name);
  if (!pod) return NotFound(request);
  if (request.verb == "GET" && request.subresource.empty()) return Answer(200, DocumentOf(cluster_.intern(), *pod));
  if (request.verb == "DELETE" && request.subresource.empty()) return DeletePod(request, *pod);
  if (request.verb == "PATCH" && request.subresource == "status") return PatchPodStatus(request, *pod);
  return Refusal(405, "MethodNotAllowed", "the simulated API server does not do this to pods");
}

plugin::ApiAnswer ApiServer::DeletePod(const plugin::ApiRequest& request, const api::Pod& pod) {
  const auto options = json::Parse(request.body.empty() ? "{}" : request.body);
  if (!options) return BadRequest(options.error().message);
  const std::string broken = BrokenPrecondition(*options, pod.uid(), pod.resource_version());
  if (!broken.empty()) return Conflict("Pod", std::string(pod.name()), broken);
  const Value document = DocumentOf(cluster_.intern(), pod);
  const std::string key(pod.key());
  cluster_.RemovePod(key);
  base::MutexLock lock(mutex_);
  deleted_pods_.push_back(key);
  return Answer(200, document);
}

plugin::ApiAnswer ApiServer::PatchPodStatus(const plugin::ApiRequest& request, const api::Pod& pod) {
  const Value before = DocumentOf(cluster_.intern(), pod);
  const auto after = Patched(before, request.content_type, request.body);
  if (!after) return BadRequest(after.error().message);
  if (const std::string uid = json::TextAt(*after, "metadata.uid"); uid != pod.uid()) {
    return Refusal(422, "Invalid",
                   "Pod \"" + std::string(pod.name()) + "\" is invalid: metadata.uid: Invalid value: \"" + uid +
                       "\": field is immutable");
  }
  if (json::TextAt(*after, "metadata.resourceVersion") != pod.resource_version()) {
    return Conflict("pods", std::string(pod.name()), kModified);
  }
  if (*after == before) return Answer(200, before);
  const api::PodRef changed = cluster_.ChangePod(pod.key(), [&](api::Pod& p) { TakeStatus(*after, p); });
  return changed ? Answer(200, DocumentOf(cluster_.intern(), *changed)) : NotFound(request);
}

}  // namespace berth::simulation
