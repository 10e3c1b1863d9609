// One instance of the plugin on the fake host of the SDK's tests: with the args it is validated with, every service
// that there is, a few objects, and a strict face (face.h). What rules of this folder begin with. Thread: main of the
// child, unless said. Ownership: the instance; it is stopped when the rig goes.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "berth/testing/fake_extenders.hpp"
#include "berth/testing/fake_trials.hpp"
#include "berth/testing/plugin_under_test.hpp"
#include "loader/library.h"
#include "validate/face.h"
#include "validate/findings.h"
#include "validate/subject.h"

namespace berth::validate {

class Rig {
 public:
  Rig(const Subject& subject, std::shared_ptr<const loader::Library> library, const HostShape& shape = {});
  ~Rig();
  Rig(const Rig&) = delete;

  // Before Start. The cluster, see samples.h.
  void Fill(const sdk::testing::FakeCluster& cluster) { plugin_.cluster() = cluster; }
  void Without(const std::string& service) { plugin_.host().Without(service); }
  void Args(const sdk::testing::FakeValue& args) { plugin_.Args(args); }

  sdk::testing::Outcome Init();
  // create, init, activate, and the feed of what there is.
  sdk::testing::Outcome Start();
  // ... which must succeed: otherwise a failure is said and the answer is false.
  bool Started(Findings& findings);
  // As Start, of an instance that `before` prepares by its table. Refused: ERROR with the reasons.
  sdk::testing::Outcome StartFrom(Rig& before, const berth_succession& table);
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
  // What the plugin did wrong by the fake host's rules, so far.
  std::vector<std::string> Violations() { return plugin_.Violations(); }

 private:
  sdk::testing::Outcome Begin();
  void AddObjects();

  std::shared_ptr<const loader::Library> library_;
  HostFace face_;
  sdk::testing::PluginUnderTest plugin_;
  sdk::testing::FakeNominations nominations_;
  sdk::testing::FakeTrials trials_;
  sdk::testing::FakeExtenders extenders_;
};

// Every service that a host of this ABI may lack.
const std::vector<const char*>& AllServices();

}  // namespace berth::validate
