// The common parts of the tests of host/config/configuration: files of the tree, loading a text, issues as lines.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "config/configuration/in_tree_points.h"
#include "config/configuration/load.h"

namespace berth::config {

inline std::string ReadFile(const std::string& path) {
  std::ifstream file(std::string(BERTH_TEST_SOURCE_DIR) + "/" + path);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::string> Lines(const std::vector<fields::Issue>& issues) {
  std::vector<std::string> lines;
  for (const fields::Issue& issue : issues) lines.push_back(issue.Text());
  return lines;
}

// A KubeSchedulerConfiguration v1 whose body begins in line 3.
inline std::string V1(const std::string& body) {
  return "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n" + body;
}

inline LoadResult LoadText(const std::string& text, LoadOptions options = {}) {
  return Load({{"f.yaml", text}}, options);
}
inline std::vector<std::string> ErrorsOf(const std::string& text) { return Lines(LoadText(text).errors); }

// In-tree plugins of 1.36 (no legacy ones), and out-of-tree plugins under the names that the test data use.
inline PointResolver TestResolver() {
  using enum Point;
  constexpr PointSet kMulti = Bit(kPreFilter) | Bit(kFilter) | Bit(kScore) | Bit(kReserve);
  static const std::map<std::string, PointSet> kOthers = {
      {"Priority", Bit(kFilter) | Bit(kScore)},
      {"MyScorePlugin", Bit(kScore)},
      {"randScore", Bit(kScore)},
      {"filteringNode", Bit(kFilter)},
      {"filteringPod", Bit(kPreFilter)},
      {"FooSort", Bit(kQueueSort)},
      {"FooBind", Bit(kBind)},
      {"FooMulti", kMulti},
      {"BarMulti", kMulti},
      {"defalut", Bit(kPreFilter) | Bit(kFilter) | Bit(kPostFilter) | Bit(kPreScore) | Bit(kReserve) | Bit(kPermit) |
                      Bit(kPreBind) | Bit(kBind) | Bit(kPostBind)},
  };
  return [](const std::string& name) -> std::optional<PointSet> {
    const auto other = kOthers.find(name);
    if (other != kOthers.end()) return other->second;
    const bool legacy = name == "EBSLimits" || name == "GCEPDLimits" || name == "AzureDiskLimits" ||
                        name == "CinderLimits" || name == "SelectorSpread";
    return legacy ? std::nullopt : InTreePoints(name);
  };
}

// "A B=2" of an extension point.
inline std::string Shown(const ExpandedProfile& profile, Point point) {
  std::string text;
  for (const PlannedPlugin& plugin : profile.at(point)) {
    if (!text.empty()) text += " ";
    text += plugin.name;
    if (plugin.weight != 0) text += "=" + std::to_string(plugin.weight);
  }
  return text;
}

}  // namespace berth::config
