// The decisions of a log. It contains no configuration: the recorded weights are the old policy, and NEW is the new
// one.
#include <deque>
#include <fstream>
#include <map>
#include <set>

#include "base/text.h"
#include "cmd/berthctl/policy_diff/diff_sources.h"
#include "scheduler/what_if/impact.h"
#include "scheduler/what_if/read_decision.h"

namespace berth::ctl {
namespace {

using config::Point;

// The last decisions about the pods of one profile, oldest first, of its newest policy generation.
struct Recorded {
  uint64_t generation = 0;
  size_t other_generations = 0;
  std::deque<what_if::DecisionRef> decisions;
  size_t without_nodes = 0;
  std::map<std::string, int64_t> weights;  // of the last decision with scores; a plugin of older ones, too
  std::set<std::string> rejecters;         // names of plugins, not of extenders

  // Whether a decision of this generation counts. Drops the decisions of older ones.
  bool IsNow(uint64_t of_decision) {
    if (of_decision > generation) {
      const size_t left_out = other_generations + decisions.size() + without_nodes;
      *this = {.generation = of_decision, .other_generations = left_out};
    }
    if (of_decision < generation) ++other_generations;
    return of_decision == generation;
  }
};

bool IsExtender(const std::string& name) { return name.find("://") != std::string::npos; }

base::Result<std::map<std::string, Recorded>> ReadLog(const std::string& path, size_t limit) {
  std::map<std::string, Recorded> out;
  std::ifstream file(path);
  if (!file) return base::Fail("cannot read " + path);
  std::string line;
  // A last line without its end is being written.
  for (int number = 1; std::getline(file, line) && !file.eof(); ++number) {
    const std::string where = path + ":" + std::to_string(number) + ": ";
    const auto value = json::Parse(line);
    const std::string kind = value ? json::TextAt(*value, "kind") : "";
    if (kind.empty()) return base::Fail(where + "no decision" + (value ? "" : ": " + value.error().message));
    if (kind == "DecisionLogStart") out.clear();  // generations count from 1 again, maybe of another policy
    if (kind != "Decision") continue;
    const auto decision = what_if::ReadDecision(*value);
    if (!decision) return base::Fail(where + decision.error().message);
    Recorded& recorded = out[(*decision)->profile];
    if (!recorded.IsNow((*decision)->generation)) continue;
    if ((*decision)->nodes == nullptr) {
      ++recorded.without_nodes;
      continue;
    }
    recorded.decisions.push_back(*decision);
    if (recorded.decisions.size() > limit) recorded.decisions.pop_front();
  }
  return out;
}

void AddPluginsOf(const decisions::NodeTable& table, Recorded& out) {
  for (const auto& one : table.scores) {
    if (one.weight != 0) out.weights[one.plugin] = one.weight;
  }
  for (const decisions::Rejection& one : table.rejections) {
    for (size_t begin = 0; !IsExtender(one.plugin) && begin < one.plugin.size();) {
      const size_t end = std::min(one.plugin.find(',', begin), one.plugin.size());
      out.rejecters.insert(one.plugin.substr(begin, end - begin));
      begin = end + 1;
    }
  }
}

struct Change {
  what_if::Target target;
  json::Value plugins;  // as in the answer of a scheduler; filter is null if the log does not say
};

Change ChangeOf(const Recorded& recorded, const config::ExpandedProfile& after, std::vector<std::string>& notices) {
  Change out;
  std::map<std::string, bool> filters;
  for (const std::string& name : recorded.rejecters) filters[name] = false;
  for (const Point point : {Point::kPreFilter, Point::kFilter}) {
    for (const config::PlannedPlugin& one : after.at(point)) {
      if (const auto found = filters.find(one.name); found != filters.end()) found->second = true;
    }
  }
  for (const auto& [name, stays] : filters) {
    if (!stays) out.target.without_filters.insert(name);
  }
  std::vector<std::string> silent;
  for (const config::PlannedPlugin& one : after.at(Point::kScore)) {
    out.target.weights[one.name] = one.weight;
    if (!recorded.weights.contains(one.name)) silent.push_back(one.name);
  }
  if (!silent.empty()) {
    notices.push_back("profile \"" + after.scheduler_name + "\": no decision has a score of " +
                      base::Join(silent, ", ") +
                      ": such a plugin had nothing to say about these pods, or it is new and the result leaves it out");
  }
  std::set<std::string> names = recorded.rejecters;
  for (const auto& [name, weight] : recorded.weights) names.insert(name);
  json::Array plugins;
  for (const std::string& name : names) {
    const auto was = recorded.weights.find(name);
    const auto is = out.target.weights.find(name);
    const bool scored = was != recorded.weights.end(), filtered = recorded.rejecters.contains(name);
    plugins.push_back(json::Value::MakeObject(
        {{"plugin", name},
         {"weight", scored ? json::Value(was->second) : json::Value()},
         {"newWeight", scored && is != out.target.weights.end() ? json::Value(is->second) : json::Value()},
         {"filter", filtered},
         {"newFilter", filtered && !out.target.without_filters.contains(name)}}));
  }
  out.plugins = json::Value(std::move(plugins));
  return out;
}

json::Value DiffOf(Recorded& recorded, const config::ExpandedProfile& after, std::vector<std::string>& notices) {
  for (const what_if::DecisionRef& one : recorded.decisions) AddPluginsOf(*one->nodes, recorded);
  Change change = ChangeOf(recorded, after, notices);
  json::Value impact =
      ImpactJson(what_if::ImpactOf({recorded.decisions.begin(), recorded.decisions.end()}, change.target, {}));
  impact.Find("decisions")->Set("withoutNodes", static_cast<int64_t>(recorded.without_nodes));
  impact.Find("decisions")->Set("otherGenerations", static_cast<int64_t>(recorded.other_generations));
  json::Value out = json::Value::MakeObject({{"apiVersion", "berth.dev/v1alpha1"},
                                             {"kind", "PolicyDiff"},
                                             {"profile", after.scheduler_name},
                                             {"plugins", std::move(change.plugins)},
                                             {"note", what_if::kIndependent}});
  for (auto& [key, value] : impact.mutable_object()) out.Set(key, std::move(value));
  return out;
}

}  // namespace

base::Result<DiffResult> DiffOfLog(const std::string& path, const assembly::Policy& after,
                                   const RecordsQuestion& question) {
  auto log = ReadLog(path, question.limit);
  if (!log) return tl::unexpected(log.error());
  DiffResult out;
  for (const config::ExpandedProfile& profile : after.config.profiles) {
    const auto found = log->find(profile.scheduler_name);
    if (found == log->end() || (!question.profile.empty() && question.profile != profile.scheduler_name)) continue;
    out.diffs.push_back(DiffOf(found->second, profile, out.notices));
    log->erase(found);
  }
  if (out.diffs.empty()) {
    return base::Fail(path + " has no decision of " +
                      (question.profile.empty() ? "a profile of the new configuration"
                                                : "profile \"" + question.profile + "\" of the new configuration"));
  }
  for (const auto& [profile, recorded] : *log) {
    if (!question.profile.empty()) continue;
    out.notices.push_back("the decisions of profile \"" + profile +
                          "\" are left out: the new configuration does not have it");
  }
  out.notices.emplace_back(
      "a log has neither args nor plugins that rejected nothing: the result assumes that these are the same. Facts "
      "about "
      "nodes and requests are unknown, so there is no utilization");
  return out;
}

}  // namespace berth::ctl
