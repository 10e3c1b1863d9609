// One instance of the plugin on the fake host of the SDK's tests: with the args of the subject, every service, a few
// objects, and the tables of strict_host.h. Most rules start with it. Thread: main of the child, unless said otherwise.
// Ownership: the instance, which the destructor stops.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "berth/testing/fake_extenders.hpp"
#include "berth/testing/fake_pods.hpp"
#include "berth/testing/fake_trials.hpp"
#include "berth/testing/plugin_under_test.hpp"
#include "cmd/berthctl/validate/findings.h"
#include "cmd/berthctl/validate/strict_entry.h"
#include "cmd/berthctl/validate/subject.h"
#include "plugin/loader/library.h"

namespace berth::validate {

class TestHost {
 public:
  TestHost(const Subject& subject, std::shared_ptr<const loader::Library> library, const HostShape& shape = {});
  ~TestHost();
  TestHost(const TestHost&) = delete;

  // Call these before Start. For clusters see samples.h.
  void Fill(const sdk::testing::FakeCluster& cluster) { plugin_.cluster() = cluster; }
  void Without(const std::string& service) { plugin_.host().Without(service); }
  void Args(const sdk::testing::FakeValue& args) { plugin_.Args(args); }

  sdk::testing::Outcome Init();
  // create, init, activate, and the deltas and objects that exist.
  sdk::testing::Outcome Start();
  // Start that must succeed: otherwise reports a failure and returns false.
  bool Started(Findings& findings);
  // As Start, with an instance that `before` prepares with table. If it refuses: ERROR with the reasons.
  sdk::testing::Outcome StartFrom(TestHost& before, const berth_succession& table);
  void Stop() { plugin_.Stop(); }

  sdk::testing::PluginUnderTest& plugin() { return plugin_; }
  sdk::testing::FakeHost& host() { return plugin_.host(); }
  berth_plugin* raw() const { return face_.plugin(); }
  const loader::Library& library() const { return *library_; }
  bool Offers(const char* id) { return plugin_.Offers(id); }
  template <class Table>
  const Table* TableOf(const char* id) {
    return plugin_.Extension<Table>(id);
  }
  // The violations of the fake host's rules so far.
  std::vector<std::string> Violations() { return plugin_.Violations(); }

 private:
  sdk::testing::Outcome Begin();

  std::shared_ptr<const loader::Library> library_;
  StrictEntry face_;
  sdk::testing::PluginUnderTest plugin_;
  sdk::testing::FakeNominations nominations_;
  sdk::testing::FakePods pods_;
  sdk::testing::FakeTrials trials_;
  sdk::testing::FakeExtenders extenders_;
};

// Every service that a host of this ABI may lack.
const std::vector<const char*>& AllServices();

}  // namespace berth::validate
