// What differs between the profiles of two configurations. Thread: any; pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "codec/json/value.h"
#include "config/configuration/configuration.h"
#include "config/configuration/expand.h"

namespace berth::ctl {

struct ProfileChange {
  // What recorded decisions can show.
  std::map<std::string, int64_t> weights;                 // of Score plugins: the new ones that differ
  std::set<std::string> without_scores, without_filters;  // no longer at score; no longer at preFilter and filter
  // Sentences about other differences: those that choose nodes and that no record can show, and those that do not
  // choose nodes.
  std::vector<std::string> unknowable, notices;
};

// A profile with what the configuration says about all profiles.
struct ProfileView {
  const config::Configuration& configuration;
  const config::Profile& profile;
  const config::ExpandedProfile& expanded;
};

ProfileChange Compare(const ProfileView& before, const ProfileView& after);

// The body of a request to a scheduler; see docs/decisions.md.
json::Value RequestJson(const std::string& profile, const ProfileChange& change, size_t limit);

}  // namespace berth::ctl
