// PodTopologySpreadArgs: the constraints of pods without their own. Source of rules and messages:
// pkg/scheduler/apis/config/validation/validation_pluginargs.go ValidatePodTopologySpreadArgs. Not on the hot path; one
// thread.
#pragma once

#include <berth/plugin.hpp>

#include <optional>
#include <string>
#include <vector>

#include "../common/label_key.h"
#include "constraint.h"

namespace plugins::spread {

struct ConstraintArgs {
  int32_t max_skew = 0;
  std::string key, when;
  berth::sdk::Value selector;  // must not be there
  std::optional<int32_t> min_domains;
  std::optional<std::string> affinity_policy, taints_policy;
  std::vector<std::string> match_label_keys;  // no effect: a default constraint has no selector

  static ConstraintArgs Read(berth::sdk::ArgsReader& in) {
    ConstraintArgs args;
    in.Get("maxSkew", args.max_skew);
    in.Get("topologyKey", args.key);
    in.Get("whenUnsatisfiable", args.when, "v1.UnsatisfiableConstraintAction");
    berth::sdk::ArgsReader selector = in.Object("labelSelector", "LabelSelector");
    selector.Raw("matchLabels"), selector.Raw("matchExpressions");
    args.selector = selector.value();
    in.Get("minDomains", args.min_domains);
    in.Get("nodeAffinityPolicy", args.affinity_policy, "v1.NodeInclusionPolicy");
    in.Get("nodeTaintsPolicy", args.taints_policy, "v1.NodeInclusionPolicy");
    in.Get("matchLabelKeys", args.match_label_keys);
    Check(in, args);
    return args;
  }

  void Write(berth::sdk::JsonWriter& out) const {
    out.BeginObject();
    out.Field("maxSkew", max_skew);
    out.Field("topologyKey", key);
    out.Field("whenUnsatisfiable", when);
    if (!selector.is_null()) out.Field("labelSelector", selector);
    out.Field("minDomains", min_domains);
    out.Field("nodeAffinityPolicy", affinity_policy);
    out.Field("nodeTaintsPolicy", taints_policy);
    if (!match_label_keys.empty()) out.Field("matchLabelKeys", match_label_keys);
    out.EndObject();
  }

 private:
  static void Check(berth::sdk::ArgsReader& in, const ConstraintArgs& args) {
    in.Check(args.max_skew > 0, "maxSkew", args.max_skew, "not in valid range (0, inf)");
    if (args.key.empty()) {
      in.Required("topologyKey", "can not be empty");
    } else {
      for (const std::string& error : LabelKeyErrors(args.key)) in.Invalid("topologyKey", args.key, error);
    }
    if (args.when.empty()) {
      in.Required("whenUnsatisfiable", "can not be empty");
    } else if (args.when != "DoNotSchedule" && args.when != "ScheduleAnyway") {
      in.Unsupported("whenUnsatisfiable", args.when, {"DoNotSchedule", "ScheduleAnyway"});
    }
    if (!args.selector.is_null()) {
      in.Forbidden("labelSelector", "constraint must not define a selector, as they deduced for each pod");
    }
  }
};

struct SpreadArgs {
  std::string type = "System";
  std::vector<ConstraintArgs> constraints;

  bool system() const { return type == "System"; }

  static SpreadArgs Read(berth::sdk::ArgsReader& in) {
    in.Name("PodTopologySpreadArgs");
    SpreadArgs args;
    in.Get("defaultingType", args.type, "v1.PodTopologySpreadConstraintsDefaulting");
    if (args.type.empty()) args.type = "System";
    if (args.type != "System" && args.type != "List") {
      in.Unsupported("defaultingType", args.type, {"System", "List"});
    } else if (args.system() && in.value().Get("defaultConstraints").size() != 0) {
      in.Invalid("defaultingType", args.type, "when .defaultConstraints are not empty");
    }
    in.Each(
        "defaultConstraints",
        [&args](berth::sdk::ArgsReader& item, uint32_t) {
          const ConstraintArgs one = ConstraintArgs::Read(item);
          for (const ConstraintArgs& other : args.constraints) {
            if (other.key != one.key || other.when != one.when) continue;
            item.Duplicate("", "{" + one.key + ", " + one.when + "}");
            break;
          }
          args.constraints.push_back(one);
        },
        "TopologySpreadConstraint");
    return args;
  }

  void Write(berth::sdk::JsonWriter& out) const {
    if (!constraints.empty()) {
      out.BeginArray("defaultConstraints");
      for (const ConstraintArgs& one : constraints) one.Write(out);
      out.EndArray();
    }
    out.Field("defaultingType", type);
  }

  // The default constraints in compiled form; the instance owns the ids.
  std::vector<DefaultConstraint> Defaults(berth::sdk::Host& host, const Words& words) const {
    if (system()) {
      return {{words.schedule_anyway, Of(words.hostname, 3, words)},
              {words.schedule_anyway, Of(host.Intern("topology.kubernetes.io/zone"), 5, words)}};
    }
    std::vector<DefaultConstraint> defaults;
    for (const ConstraintArgs& one : constraints) {
      DefaultConstraint& made = defaults.emplace_back();
      made.when = one.when == "DoNotSchedule" ? words.do_not_schedule : words.schedule_anyway;
      made.constraint = Of(host.Intern(one.key), one.max_skew, words);
      made.constraint.min_domains = one.min_domains.value_or(1);
      made.constraint.honors_affinity = one.affinity_policy.value_or("Honor") == "Honor";
      made.constraint.honors_taints = one.taints_policy.value_or("Ignore") == "Honor";
    }
    return defaults;
  }

 private:
  static Constraint Of(Id key, int32_t max_skew, const Words& words) {
    Constraint constraint;
    constraint.key = key;
    constraint.max_skew = max_skew;
    constraint.hostname = key == words.hostname;
    constraint.honors_affinity = true;
    return constraint;
  }
};

}  // namespace plugins::spread
