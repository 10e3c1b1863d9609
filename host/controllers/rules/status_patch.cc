#include "controllers/rules/status_patch.h"

#include <utility>

#include "codec/json/value.h"

namespace berth::rules {
namespace {

std::string PatchOf(json::Value status) { return json::Dump(json::Value::MakeObject({{"status", std::move(status)}})); }

}  // namespace

std::optional<std::string> GroupStatusPatch(const PodGroupStatus& before, const PodGroupStatus& after) {
  if (before == after) return std::nullopt;
  json::Value status = json::Value::MakeObject();
  const auto set = [&status](const char* name, const auto& old, const auto& now) {
    if (old != now) status.Set(name, now);
  };
  set("phase", before.phase, after.phase);
  set("occupiedBy", before.occupied_by, after.occupied_by);
  set("running", before.running, after.running);
  set("succeeded", before.succeeded, after.succeeded);
  set("failed", before.failed, after.failed);
  return PatchOf(std::move(status));
}

std::optional<std::string> UsedPatch(const Amounts& before, const Amounts& after) {
  if (Equal(before, after)) return std::nullopt;
  json::Value used = json::Value::MakeObject();
  for (const auto& [name, amount] : after) {
    const auto old = before.find(name);
    if (old == before.end() || old->second.quantity != amount.quantity) used.Set(name, amount.Text());
  }
  for (const auto& [name, amount] : before) {
    if (!after.contains(name)) used.Set(name, nullptr);
  }
  return PatchOf(json::Value::MakeObject({{"used", std::move(used)}}));
}

}  // namespace berth::rules
