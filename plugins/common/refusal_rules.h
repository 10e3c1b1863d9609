// The rules of RefusalArgs in compiled form, each with the reason that users read. Created in a plugin's constructor.
// Matching allocates nothing and may run on any thread.
#pragma once

#include <berth/plugin.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "glob.h"
#include "refusal_args.h"

namespace plugins {

class RefusalRules {
 public:
  // what: the start of reasons, "node(s) were" or "pod was". plugin: its name in the profile.
  RefusalRules(const RefusalArgs& args, std::string_view what, std::string_view plugin) {
    const auto add = [&](const char* field, const std::string& rule) {
      reasons_.push_back(std::string(what) + " refused by " + std::string(plugin) + " (" + field + ": \"" + rule +
                         "\")");
      return reasons_.size() - 1;
    };
    for (const std::string& name : args.names) names_.emplace(name, add("names", name));
    for (const std::string& pattern : args.patterns) patterns_.emplace_back(pattern, add("patterns", pattern));
    for (const RefusalArgs::Selector& selector : args.selectors) {
      if (selector.compiled) selectors_.emplace_back(selector.compiled, add("labelSelectors", selector.text));
    }
  }

  bool empty() const { return reasons_.empty(); }
  size_t size() const { return reasons_.size(); }
  const std::string& Reason(size_t rule) const { return reasons_[rule]; }

  // Returns the first rule that rejects the object: names first, then patterns, then selectors. full: "namespace/name",
  // or the name of an object without a namespace; rules with a '/' match it.
  std::optional<size_t> FirstFor(std::string_view name, std::string_view full, const berth_labels* labels) const {
    for (const std::string_view one : {name, full}) {
      if (const auto at = names_.find(one); at != names_.end()) return at->second;
    }
    for (const auto& [pattern, rule] : patterns_) {
      if (GlobMatches(pattern, pattern.find('/') == std::string::npos ? name : full)) return rule;
    }
    for (const auto& [selector, rule] : selectors_) {
      if (selector.Matches(labels)) return rule;
    }
    return std::nullopt;
  }

 private:
  std::vector<std::string> reasons_;  // by rule
  std::map<std::string, size_t, std::less<>> names_;
  std::vector<std::pair<std::string, size_t>> patterns_;
  std::vector<std::pair<berth::sdk::LabelSelector, size_t>> selectors_;
};

}  // namespace plugins
