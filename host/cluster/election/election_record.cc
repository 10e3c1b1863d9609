#include "cluster/election/election_record.h"

namespace berth::election {
namespace {

int64_t IntegerAt(const json::Value& object, std::string_view path) {
  const json::Value* value = object.FindPath(path);
  return value == nullptr ? 0 : value->integer();
}

void SetOrErase(json::Value& spec, std::string_view key, const std::string& text) {
  if (text.empty()) {
    spec.Erase(key);
  } else {
    spec.Set(key, text);
  }
}

}  // namespace

ElectionRecord RecordOf(const json::Value& lease) {
  ElectionRecord record;
  record.holder = json::TextAt(lease, "spec.holderIdentity");
  record.lease_duration_seconds = IntegerAt(lease, "spec.leaseDurationSeconds");
  record.acquire_time = json::TextAt(lease, "spec.acquireTime");
  record.renew_time = json::TextAt(lease, "spec.renewTime");
  record.transitions = IntegerAt(lease, "spec.leaseTransitions");
  record.strategy = json::TextAt(lease, "spec.strategy");
  record.preferred_holder = json::TextAt(lease, "spec.preferredHolder");
  return record;
}

void SetRecord(json::Value& lease, const ElectionRecord& record) {
  json::Value& spec = lease["spec"];
  spec.Set("holderIdentity", record.holder);
  spec.Set("leaseDurationSeconds", record.lease_duration_seconds);
  SetOrErase(spec, "acquireTime", record.acquire_time);
  SetOrErase(spec, "renewTime", record.renew_time);
  spec.Set("leaseTransitions", record.transitions);
  SetOrErase(spec, "preferredHolder", record.preferred_holder);
  SetOrErase(spec, "strategy", record.strategy);
}

}  // namespace berth::election
