// For this plugin's tests: clusters and pods in one line each.
//   nodes "a zone=zone1 node=node-a; b zone=zone2 tainted"    pods "a foo; a foo bar=1; b ns:other foo terminating"
// host stands for kubernetes.io/hostname. A pod's entry starts with its node.
#pragma once

#include <berth/testing/plugin_under_test.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "berth/entry.h"

namespace spreading {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names

inline const char* const kHost = "kubernetes.io/hostname";
inline const char* const kTaint = "node.kubernetes.io/unschedulable";

inline const FakeSelector kNil = FakeSelector::Nil(), kEverything, kFoo{{}, {{"foo", "Exists", {}}}},
                          kBar{{}, {{"bar", "Exists", {}}}}, kFooBar{{{"foo", "bar"}}, {}};

// One constraint of a pod.
struct Own : FakeSpread {
  Own MinDomains(int32_t n) && { return min_domains = n, std::move(*this); }
  Own Affinity(std::string policy) && { return node_affinity_policy = std::move(policy), std::move(*this); }
  Own Taints(std::string policy) && { return node_taints_policy = std::move(policy), std::move(*this); }
  Own Keys(Texts keys) && { return match_label_keys = std::move(keys), std::move(*this); }
};
inline Own Hard(int32_t skew, std::string key, FakeSelector selector) {
  return {{.key = std::move(key), .max_skew = skew, .when = "DoNotSchedule", .selector = std::move(selector)}};
}
inline Own Soft(int32_t skew, std::string key, FakeSelector selector) {
  return {{.key = std::move(key), .max_skew = skew, .when = "ScheduleAnyway", .selector = std::move(selector)}};
}

// "a b=c" as pairs, with the full name of host.
inline std::vector<std::pair<std::string, std::string>> Words(const std::string& line) {
  std::vector<std::pair<std::string, std::string>> words;
  std::istringstream in(line);
  for (std::string word; in >> word;) {
    const size_t equals = word.find('=');
    std::string key = word.substr(0, equals);
    if (key == "host") key = kHost;
    words.emplace_back(std::move(key), equals == std::string::npos ? "" : word.substr(equals + 1));
  }
  return words;
}
inline std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line, ';');) lines.push_back(line);
  return lines;
}

// A pod with spread constraints that the test can read again.
struct Spreading {
  FakePod pod{"p"};
  std::vector<Own> constraints;

  Spreading(const std::string& labels, std::vector<Own> own) : constraints(std::move(own)) {
    for (const auto& [key, value] : Words(labels)) pod.Label(key, value);
  }
  Spreading NodeSelector(const char* key, const char* value) && {
    return pod.NodeSelector(key, value), std::move(*this);
  }
  Spreading NodeAffinityIn(const char* key, Texts values) && {
    return pod.NodeAffinityIn(key, std::move(values)), std::move(*this);
  }
  Spreading Required(FakeTerm term) && { return pod.Required(std::move(term)), std::move(*this); }
  Spreading Toleration(const char* key) && { return pod.Toleration(key), std::move(*this); }

  FakePod Build() const {
    FakePod built = pod;
    for (const Own& own : constraints) built.Spread(own);
    return built;
  }
};

// "a foo" as a pod and its node.
inline std::pair<FakePod, std::string> PodOn(const std::string& line, const std::string& name) {
  FakePod pod(name);
  auto words = Words(line);
  for (size_t i = 1; i < words.size(); ++i) {
    const auto& [key, value] = words[i];
    if (key.starts_with("ns:")) {
      pod.Namespace(key.substr(3));
    } else if (key == "terminating") {
      pod.Terminating();
    } else {
      pod.Label(key, value);
    }
  }
  return {std::move(pod), words.at(0).first};
}

inline void AddNodes(FakeCluster& cluster, const std::string& nodes) {
  for (const std::string& line : Lines(nodes)) {
    auto words = Words(line);
    FakeNode node(words.at(0).first);
    for (size_t i = 1; i < words.size(); ++i) {
      if (words[i].first == "tainted") {
        node.Taint(kTaint, "NoSchedule");
      } else {
        node.Label(words[i].first, words[i].second);
      }
    }
    cluster.Add(node);
  }
}
inline void AddPods(FakeCluster& cluster, const std::string& pods) {
  int number = 0;
  for (const std::string& line : Lines(pods)) {
    const auto [pod, node] = PodOn(line, "on-" + std::to_string(++number));
    cluster.Add(pod, node);
  }
}

inline FakeValue List(std::vector<FakeValue> constraints = {}) {
  return FakeValue::Object(
      {{"defaultingType", "List"}, {"defaultConstraints", FakeValue::Array(std::move(constraints))}});
}
inline FakeValue Default(int skew, const char* key, const char* when) {
  return FakeValue::Object({{"maxSkew", skew}, {"topologyKey", key}, {"whenUnsatisfiable", when}});
}

// The plugin on such a cluster, started. Without args: the system's defaults.
class Plugin : public PluginUnderTest {
 public:
  Plugin(const std::string& nodes, const std::string& pods, std::optional<FakeValue> args = List())
      : PluginUnderTest(berth_entry_v1, "PodTopologySpread") {
    AddNodes(cluster(), nodes);
    AddPods(cluster(), pods);
    if (args) Args(*std::move(args));
  }
};

inline Outcome Reject(char verdict) {
  switch (verdict) {
    case '-': return {BERTH_UNSCHEDULABLE, {"node(s) didn't match pod topology spread constraints"}};
    case '!':
      return {BERTH_UNRESOLVABLE, {"node(s) didn't match pod topology spread constraints (missing required label)"}};
    default: return {};
  }
}

// gtest's name of a case.
inline std::string CaseName(const char* name) {
  std::string out;
  for (const char* c = name; *c != 0; ++c) {
    if (std::isalnum(static_cast<unsigned char>(*c)) != 0) {
      out += *c;
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  return out;
}

}  // namespace spreading
