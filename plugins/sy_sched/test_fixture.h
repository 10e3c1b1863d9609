// One SySched plugin with SeccompProfiles and pods, for the tests of this folder.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "berth/entry.h"

namespace sy_sched_test {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names

inline constexpr const char* kProfiles = "security-profiles-operator.x-k8s.io/v1beta1/seccompprofiles";
inline constexpr const char* kPods = "v1/pods";

inline std::string Quoted(const Texts& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "\"" : ", \"") + text + "\"";
  return "[" + list + "]";
}
inline std::string Rule(const std::string& action, const Texts& calls) {
  return R"({"action": ")" + action + R"(", "names": )" + Quoted(calls) + "}";
}
inline FakeObject ProfileOf(const std::string& name, const Texts& calls, const std::string& ns = "default") {
  return FakeObject(name, ns).Spec(R"({"syscalls": [)" + Rule("SCMP_ACT_ALLOW", calls) + "]}");
}

// Upstream's three profiles: of 91 calls each, z and x share all but one. full has the calls of x and ten others.
inline Texts Calls(int n) {
  Texts calls;
  for (int i = 0; i < n; ++i) calls.push_back("call-" + std::to_string(i));
  return calls;
}
inline Texts With(Texts calls, const Texts& more) {
  calls.insert(calls.end(), more.begin(), more.end());
  return calls;
}
inline constexpr int kCommon = 90;
inline Texts CallsOfZ() { return With(Calls(kCommon), {"fchmod"}); }
inline Texts CallsOfX() { return With(Calls(kCommon), {"dup3"}); }
inline Texts CallsOfFull() {
  Texts more = {"dup3"};
  for (int i = 0; i < 10; ++i) more.push_back("more-" + std::to_string(i));
  return With(Calls(kCommon), more);
}

inline std::string PathOf(const std::string& profile) { return "localhost/operator/default/" + profile + ".json"; }
inline std::string Localhost(const std::string& path) {
  return R"({"seccompProfile": {"type": "Localhost", "localhostProfile": ")" + path + R"("}})";
}

// A pod's object without any profile.
inline FakeObject PodObjectOf(const std::string& name, const std::string& ns = "default") {
  return FakeObject(name, ns).Uid(ns + "/" + name);
}
inline FakeObject Annotated(const std::string& name, const std::string& profile) {
  return PodObjectOf(name).Annotation("seccomp.security.alpha.kubernetes.io", PathOf(profile));
}
inline FakeObject Confined(const std::string& name, const std::string& profile) {
  return PodObjectOf(name).Spec(R"({"securityContext": )" + Localhost(PathOf(profile)) + "}");
}

class Scheduler {
 public:
  explicit Scheduler(const std::string& default_profile = "full-seccomp") {
    plugin_.Args(FakeValue::Object({{"defaultProfileName", default_profile}}));
    for (const char* node : {"node1", "node2"}) plugin_.cluster().Add(FakeNode(node));
    Put(kProfiles, ProfileOf("z-seccomp", CallsOfZ())).Put(kProfiles, ProfileOf("x-seccomp", CallsOfX()));
    Put(kProfiles, ProfileOf("full-seccomp", CallsOfFull()));
    EXPECT_TRUE(plugin_.Start().ok());
  }
  ~Scheduler() {
    plugin_.Stop();
    EXPECT_THAT(plugin_.Violations(), testing::IsEmpty());
  }

  Scheduler& Put(const char* kind, const FakeObject& object) { return plugin_.Put(kind, object), *this; }
  // A pod on a node: its object, and the change of the row.
  Scheduler& Run(const FakeObject& object, const std::string& name, const std::string& node = "node1") {
    Put(kPods, object);
    return Come(name, node);
  }
  Scheduler& Come(const std::string& name, const std::string& node = "node1") {
    plugin_.PodAdded(FakePod(name), plugin_.cluster().RowOf(node));
    return *this;
  }
  Scheduler& Go(const std::string& name, const std::string& node = "node1") {
    plugin_.PodRemoved(FakePod(name), plugin_.cluster().RowOf(node));
    return *this;
  }

  int64_t ScoreOf(const std::string& pod, const std::string& node = "node1") {
    return plugin_.Try(FakePod(pod))->Score().nodes.at(node);
  }
  // Of a new pod with this profile.
  int64_t ScoreWith(const std::string& profile, const std::string& node = "node1") {
    Put(kPods, Annotated("new", profile));
    const int64_t score = ScoreOf("new", node);
    plugin_.Delete(kPods, "new", "default");
    return score;
  }
  // How many calls all pods of the node may make together, given the calls that each may make. A probe that makes one
  // other call sees all of these, and each pod sees those of the others and the probe's.
  int64_t CallsOn(const std::vector<int64_t>& each, const std::string& node = "node1") {
    Put(kProfiles, ProfileOf("probe", {"a call of the probe"}));
    int64_t seen = ScoreWith("probe", node);
    plugin_.Delete(kProfiles, "probe", "default");
    const int64_t pods = static_cast<int64_t>(each.size());
    for (const int64_t calls : each) seen += calls;
    EXPECT_EQ((seen - pods) % (pods + 1), 0);
    return (seen - pods) / (pods + 1);
  }
  PluginUnderTest& plugin() { return plugin_; }

 private:
  PluginUnderTest plugin_{berth_entry_v1, "SySched"};
};

}  // namespace sy_sched_test
