#include "swap/restart.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "config/print.h"

namespace berth::swap {
namespace {

constexpr std::string_view kOnlyWithRestart = ": changes only with a restart";

// Every other field is read when the program starts: connections, locks, servers and what they are made of.
constexpr std::array<std::string_view, 5> kLive = {"profiles", "percentageOfNodesToScore", "podInitialBackoffSeconds",
                                                   "podMaxBackoffSeconds", "parallelism"};

}  // namespace

std::vector<std::string> NeedsRestart(const config::Configuration& now, const config::Configuration& wanted) {
  // With secrets, of which only the fields' names are told: another key is another configuration.
  const json::Value before = config::ValueV1(now, config::Secrets::kShown);
  const json::Value after = config::ValueV1(wanted, config::Secrets::kShown);
  std::vector<std::string> fields;
  const auto differs = [&](const std::string& key) {
    const json::Value *a = before.Find(key), *b = after.Find(key);
    return (a == nullptr) != (b == nullptr) || (a != nullptr && !(*a == *b));
  };
  const auto look = [&](const json::Value& side) {
    for (const auto& [key, value] : side.object()) {
      const bool live = std::find(kLive.begin(), kLive.end(), key) != kLive.end();
      const std::string line = key + std::string(kOnlyWithRestart);
      if (!live && differs(key) && std::find(fields.begin(), fields.end(), line) == fields.end()) {
        fields.push_back(line);
      }
    }
  };
  look(before);
  look(after);
  return fields;
}

std::vector<std::string> NeedsRestart(const config::BerthConfiguration& now, const config::BerthConfiguration& wanted) {
  std::vector<std::string> fields;
  if (now.seed != wanted.seed) fields.push_back("seed" + std::string(kOnlyWithRestart));
  return fields;
}

}  // namespace berth::swap
