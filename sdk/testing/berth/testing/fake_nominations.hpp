// The nominate service for tests: the test sets the nominated pods and reads the calls of the plugin.
//   FakeNominations nominations(plugin.host());  // before Start; must outlive the plugin
//   nominations.Nominate(FakePod("other").Priority(5), "n1");
// Thread: as the service.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "berth/draft/nominate.h"
#include "berth/testing/fake_host.hpp"

namespace berth::sdk::testing {

class FakeNominations {
 public:
  explicit FakeNominations(FakeHost& host) : host_(host) {
    host.Extend(BERTH_SERVICE_NOMINATE,
                berth_nominations{sizeof(berth_nominations), 0, &OfNode, &ClearNomination, &GiveUp}, this);
  }
  FakeNominations(const FakeNominations&) = delete;

  FakeNominations& Nominate(const FakePod& pod, const std::string& node) {
    nominated_[node].push_back(FakePod(pod).Nominated(node).Build());
    return *this;
  }
  // The pod waits in permit or is in PreBind: give_up takes it.
  FakeNominations& OnItsWay(std::string uid) { return on_their_way_.insert(std::move(uid)), *this; }

  const std::vector<std::shared_ptr<const PodObject>>& On(const std::string& node) { return nominated_[node]; }
  const Texts& cleared() const { return cleared_; }  // uids
  Texts given_up() const {                           // "uid: reason", those that were taken
    const std::lock_guard lock(mutex_);
    return given_up_;
  }

 private:
  static FakeNominations& Of(const berth_host* host) {
    return *static_cast<FakeNominations*>(static_cast<FakeHost*>(host->impl)->StateOf(BERTH_SERVICE_NOMINATE));
  }
  static berth_list OfNode(const berth_host* host, berth_id node) {
    FakeNominations& self = Of(host);
    self.host_.checker().MayCall("nominate of_node()", kSerial);
    std::vector<const berth_pod*> list;
    for (const auto& pod : self.On(TextOf(node))) list.push_back(pod->raw());
    return self.lists_.emplace_back().Exact(list);
  }
  static void ClearNomination(const berth_host* host, const berth_pod* pod) {
    FakeNominations& self = Of(host);
    self.host_.checker().MayCall("nominate clear()", kSerial);
    self.cleared_.emplace_back(View(pod->uid));
    for (auto& [node, pods] : self.nominated_) {
      for (auto at = pods.begin(); at != pods.end(); ++at) {
        if (View((*at)->pod.uid) != self.cleared_.back()) continue;
        self.gone_.push_back(*at);  // the caller may still look at it
        pods.erase(at);
        return;
      }
    }
  }
  static int32_t GiveUp(const berth_host* host, berth_str uid, berth_str reason) {
    FakeNominations& self = Of(host);
    self.host_.checker().MayCall("nominate give_up()", kAnywhere);
    const std::lock_guard lock(self.mutex_);
    if (self.on_their_way_.erase(std::string(View(uid))) == 0) return 0;
    self.given_up_.push_back(std::string(View(uid)) + ": " + std::string(View(reason)));
    return 1;
  }

  FakeHost& host_;
  std::map<std::string, std::vector<std::shared_ptr<const PodObject>>> nominated_;  // by node
  std::vector<std::shared_ptr<const PodObject>> gone_;
  std::deque<Arena> lists_;
  Texts cleared_;
  mutable std::mutex mutex_;  // guards what follows
  std::set<std::string> on_their_way_;
  Texts given_up_;
};

}  // namespace berth::sdk::testing
