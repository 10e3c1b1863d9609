// The nominate service for tests: the test sets the nominated pods and reads the calls of the plugin.
//   FakeNominations nominations(plugin.host());  // before Start; must outlive the plugin
//   nominations.Nominate(FakePod("other").Priority(5), "n1");
// Thread: as the service.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "berth/nominate.h"
#include "berth/testing/fake_host.hpp"

namespace berth::sdk::testing {

class FakeNominations {
 public:
  explicit FakeNominations(FakeHost& host);
  FakeNominations(const FakeNominations&) = delete;
  ~FakeNominations();

  FakeNominations& Nominate(const FakePod& pod, const std::string& node);
  // The pod waits in Permit or is in PreBind; give_up takes it.
  FakeNominations& OnItsWay(std::string uid);

  const std::vector<std::shared_ptr<const PodObject>>& On(const std::string& node);
  const Texts& cleared() const { return cleared_; }  // uids
  Texts given_up() const;

 private:
  static FakeNominations& Of(const berth_host* host);
  static berth_list OfNode(const berth_host* host, berth_id node);
  static berth_list Nodes(const berth_host* host);
  static void ClearNomination(const berth_host* host, const berth_pod* pod);
  static int32_t GiveUp(const berth_host* host, berth_str uid, berth_str reason);

  FakeHost& host_;
  std::map<std::string, std::vector<std::shared_ptr<const PodObject>>> nominated_;  // by node
  std::vector<std::shared_ptr<const PodObject>> gone_;
  std::deque<Arena> lists_;
  Texts cleared_;
  mutable std::mutex mutex_;  // guards the following members
  std::set<std::string> on_their_way_;
  Texts given_up_;
};

}  // namespace berth::sdk::testing
