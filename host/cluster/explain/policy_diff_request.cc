#include "cluster/explain/policy_diff_request.h"

#include <utility>

namespace berth::explain {
namespace {

using json::Value;

constexpr int64_t kMaxWeight = INT32_MAX, kMaxLimit = 1000;

base::Result<int64_t> Whole(const Value& value, const std::string& name, int64_t greatest) {
  if (value.is_int() && value.integer() >= 1 && value.integer() <= greatest) return value.integer();
  return base::Fail(name + ": " + json::Dump(value) + " is not a whole number from 1 to " + std::to_string(greatest));
}

base::Result<void> CheckMembers(const Value& object, const std::string& path, const std::set<std::string>& known) {
  if (!object.is_object()) return base::Fail((path.empty() ? "the body" : path) + " is not an object");
  for (const auto& [key, value] : object.object()) {
    if (!known.contains(key)) return base::Fail("unknown member \"" + (path.empty() ? key : path + "." + key) + "\"");
  }
  return {};
}

base::Result<void> ReadWeights(const Value* value, PolicyDiffRequest& out) {
  if (value == nullptr) return {};
  if (!value->is_object()) return base::Fail("weights is not an object");
  for (const auto& [plugin, weight] : value->object()) {
    const auto number = Whole(weight, "weights[\"" + plugin + "\"]", kMaxWeight);
    if (!number) return tl::unexpected(number.error());
    out.weights[plugin] = *number;
  }
  return {};
}

base::Result<void> ReadNames(const Value* value, const std::string& path, std::set<std::string>& out) {
  if (value == nullptr) return {};
  if (!value->is_array()) return base::Fail(path + " is not a list of plugins");
  for (const Value& name : value->array()) {
    if (!name.is_string()) return base::Fail(path + ": " + json::Dump(name) + " is not the name of a plugin");
    out.insert(name.string());
  }
  return {};
}

base::Result<void> ReadDisabled(const Value* value, PolicyDiffRequest& out) {
  if (value == nullptr) return {};
  if (auto known = CheckMembers(*value, "disabled", {"score", "filter"}); !known) return known;
  if (auto done = ReadNames(value->Find("score"), "disabled.score", out.without_scores); !done) return done;
  return ReadNames(value->Find("filter"), "disabled.filter", out.without_filters);
}

std::string NoPlugin(const std::string& member, const ActiveProfile& profile, const std::string& kind) {
  return member + ": profile \"" + profile.name + "\" has no " + kind + " plugin of this name";
}

}  // namespace

base::Result<PolicyDiffRequest> ReadPolicyDiffRequest(std::string_view body) {
  PolicyDiffRequest out;
  if (body.empty()) return out;
  const auto value = json::Parse(body);
  if (!value) return base::Fail("the body is no JSON: " + value.error().message);
  const auto known = CheckMembers(*value, "", {"profile", "weights", "disabled", "limit"});
  if (!known) return tl::unexpected(known.error());
  if (const Value* profile = value->Find("profile")) {
    if (!profile->is_string()) return base::Fail("profile: " + json::Dump(*profile) + " is not a name");
    out.profile = profile->string();
  }
  if (const Value* limit = value->Find("limit")) {
    const auto number = Whole(*limit, "limit", kMaxLimit);
    if (!number) return tl::unexpected(number.error());
    out.limit = static_cast<size_t>(*number);
  }
  if (auto done = ReadWeights(value->Find("weights"), out); !done) return tl::unexpected(done.error());
  if (auto done = ReadDisabled(value->Find("disabled"), out); !done) return tl::unexpected(done.error());
  return out;
}

base::Result<what_if::Target> TargetOf(const ActiveProfile& profile, const PolicyDiffRequest& request) {
  what_if::Target target{.weights = profile.score, .without_filters = {}};
  for (const auto& [plugin, weight] : request.weights) {
    if (!profile.score.contains(plugin)) return base::Fail(NoPlugin("weights[\"" + plugin + "\"]", profile, "Score"));
    target.weights[plugin] = weight;
  }
  for (const std::string& plugin : request.without_scores) {
    if (!profile.score.contains(plugin)) {
      return base::Fail(NoPlugin("disabled.score: \"" + plugin + "\"", profile, "Score"));
    }
    target.weights.erase(plugin);
  }
  for (const std::string& plugin : request.without_filters) {
    if (!profile.filters.contains(plugin)) {
      return base::Fail(NoPlugin("disabled.filter: \"" + plugin + "\"", profile, "Filter or PreFilter"));
    }
    target.without_filters.insert(plugin);
  }
  return target;
}

Value ChangeJson(const ActiveProfile& profile, const what_if::Target& target) {
  json::Array out;
  for (const std::string& plugin : profile.plugins) {
    const auto weight = profile.score.find(plugin);
    const auto new_weight = target.weights.find(plugin);
    const bool filters = profile.filters.contains(plugin);
    out.push_back(
        Value::MakeObject({{"plugin", plugin},
                           {"weight", weight == profile.score.end() ? Value() : Value(weight->second)},
                           {"newWeight", new_weight == target.weights.end() ? Value() : Value(new_weight->second)},
                           {"filter", filters},
                           {"newFilter", filters && !target.without_filters.contains(plugin)}}));
  }
  return Value(std::move(out));
}

}  // namespace berth::explain
