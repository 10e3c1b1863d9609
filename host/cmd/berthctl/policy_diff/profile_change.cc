#include "cmd/berthctl/policy_diff/profile_change.h"

#include <algorithm>

namespace berth::ctl {
namespace {

using config::Point;
using Names = std::set<std::string>;

Names NamesAt(const ProfileView& view, std::initializer_list<Point> points) {
  Names names;
  for (const Point point : points) {
    for (const config::PlannedPlugin& one : view.expanded.at(point)) names.insert(one.name);
  }
  return names;
}

Names Without(const Names& names, const Names& others) {
  Names left;
  for (const std::string& name : names) {
    if (!others.contains(name)) left.insert(name);
  }
  return left;
}

const json::Value& ArgsOf(const config::Profile& profile, const std::string& plugin) {
  static const json::Value kNone;
  for (const config::PluginConfig& one : profile.plugin_config) {
    if (one.name == plugin) return one.args;
  }
  return kNone;
}

int32_t PercentageOf(const ProfileView& view) {
  return view.profile.percentage_of_nodes_to_score.value_or(view.configuration.percentage_of_nodes_to_score);
}

void CompareScores(const ProfileView& before, const ProfileView& after, ProfileChange& out) {
  std::map<std::string, int32_t> old_weights;
  for (const config::PlannedPlugin& one : before.expanded.at(Point::kScore)) old_weights[one.name] = one.weight;
  for (const config::PlannedPlugin& one : after.expanded.at(Point::kScore)) {
    const auto old_weight = old_weights.find(one.name);
    if (old_weight == old_weights.end()) {
      out.unknowable.push_back(one.name + " is new at score");
    } else if (old_weight->second != one.weight) {
      out.weights[one.name] = one.weight;
    }
  }
  const Names now = NamesAt(after, {Point::kScore});
  out.without_scores = Without(NamesAt(before, {Point::kScore}), now);
  for (const std::string& name : Without(NamesAt(before, {Point::kPreScore}), NamesAt(after, {Point::kPreScore}))) {
    if (now.contains(name)) out.unknowable.push_back(name + " stays at score, but not at preScore");
  }
  for (const std::string& name : Without(NamesAt(after, {Point::kPreScore}), NamesAt(before, {Point::kPreScore}))) {
    if (now.contains(name)) out.unknowable.push_back(name + " is new at preScore");
  }
}

void CompareFilters(const ProfileView& before, const ProfileView& after, ProfileChange& out) {
  const Names old_names = NamesAt(before, {Point::kPreFilter, Point::kFilter});
  const Names new_names = NamesAt(after, {Point::kPreFilter, Point::kFilter});
  out.without_filters = Without(old_names, new_names);
  for (const Point point : {Point::kPreFilter, Point::kFilter}) {
    const Names was = NamesAt(before, {point}), is = NamesAt(after, {point});
    for (const std::string& name : Without(is, was)) {
      out.unknowable.push_back(name + " is new at " + std::string(config::PointName(point)));
    }
    for (const std::string& name : Without(was, is)) {
      if (new_names.contains(name)) {
        out.unknowable.push_back(name + " is no longer at " + std::string(config::PointName(point)));
      }
    }
  }
}

void CompareArgs(const ProfileView& before, const ProfileView& after, ProfileChange& out) {
  const auto chooses = {Point::kPreFilter, Point::kFilter, Point::kPreScore, Point::kScore};
  const Names old_names = NamesAt(before, chooses);
  for (const std::string& name : NamesAt(after, chooses)) {
    if (old_names.contains(name) && !(ArgsOf(before.profile, name) == ArgsOf(after.profile, name))) {
      out.unknowable.push_back("the args of " + name + " differ");
    }
  }
}

void CompareOthers(const ProfileView& before, const ProfileView& after, ProfileChange& out) {
  for (const Point point : {Point::kPreEnqueue, Point::kQueueSort, Point::kPostFilter, Point::kReserve, Point::kPermit,
                            Point::kPreBind, Point::kBind, Point::kPostBind}) {
    if (NamesAt(before, {point}) == NamesAt(after, {point})) continue;
    out.notices.push_back("the plugins at " + std::string(config::PointName(point)) +
                          " differ: the result does not show what this does");
  }
}

}  // namespace

ProfileChange Compare(const ProfileView& before, const ProfileView& after) {
  ProfileChange out;
  CompareScores(before, after, out);
  CompareFilters(before, after, out);
  CompareArgs(before, after, out);
  if (PercentageOf(before) != PercentageOf(after)) out.unknowable.emplace_back("percentageOfNodesToScore differs");
  CompareOthers(before, after, out);
  return out;
}

json::Value RequestJson(const std::string& profile, const ProfileChange& change, size_t limit) {
  const auto list = [](const Names& names) {
    json::Array out;
    for (const std::string& name : names) out.emplace_back(name);
    return json::Value(std::move(out));
  };
  json::Value weights = json::Value::MakeObject();
  for (const auto& [plugin, weight] : change.weights) weights.Set(plugin, weight);
  return json::Value::MakeObject({{"profile", profile},
                                  {"weights", std::move(weights)},
                                  {"disabled", json::Value::MakeObject({{"score", list(change.without_scores)},
                                                                        {"filter", list(change.without_filters)}})},
                                  {"limit", static_cast<int64_t>(limit)}});
}

}  // namespace berth::ctl
