#include "cluster/explain/decision_events.h"

#include <string_view>

#include "cluster/explain/explain_answers.h"
#include "codec/json/value.h"
#include "scheduler/explain/decision_json.h"

namespace berth::explain {
namespace {

using json::Value;

// json::Dump writes one line.
std::string Event(std::string_view kind, const Value& data) {
  return "event: " + std::string(kind) + "\ndata: " + json::Dump(data) + "\n\n";
}

std::string IdLine(uint64_t id) { return "id: " + std::to_string(id) + "\n"; }

}  // namespace

std::string InstanceEvent(uint64_t newest) {
  return "retry: 2000\n" +
         Event("instance", Value::MakeObject({{"instance", InstanceId()}, {"newest", static_cast<int64_t>(newest)}}));
}

std::string DecisionEvent(const decisions::Decision& decision) {
  return IdLine(decision.id) + Event("decision", DecisionJson(decision));
}

std::string MissedEvent(uint64_t missed, uint64_t last) {
  return IdLine(last) + Event("missed", Value::MakeObject({{"decisions", static_cast<int64_t>(missed)}}));
}

std::string Heartbeat(uint64_t last) { return ": heartbeat\n" + IdLine(last) + "\n"; }

}  // namespace berth::explain
