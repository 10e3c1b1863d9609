#include "berth/testing/fake_nominations.hpp"

#include <utility>

namespace berth::sdk::testing {

FakeNominations::FakeNominations(FakeHost& host) : host_(host) {
  host.Extend(BERTH_SERVICE_NOMINATE,
              berth_nominations{sizeof(berth_nominations), 0, &OfNode, &ClearNomination, &GiveUp, &Nodes}, this);
}

FakeNominations::~FakeNominations() = default;

FakeNominations& FakeNominations::Nominate(const FakePod& pod, const std::string& node) {
  nominated_[node].push_back(FakePod(pod).Nominated(node).Build());
  return *this;
}

FakeNominations& FakeNominations::OnItsWay(std::string uid) { return on_their_way_.insert(std::move(uid)), *this; }

const std::vector<std::shared_ptr<const PodObject>>& FakeNominations::On(const std::string& node) {
  return nominated_[node];
}

Texts FakeNominations::given_up() const {  // "uid: reason" of the pods that give_up took
  const std::lock_guard lock(mutex_);
  return given_up_;
}

FakeNominations& FakeNominations::Of(const berth_host* host) {
  return *static_cast<FakeNominations*>(static_cast<FakeHost*>(host->impl)->StateOf(BERTH_SERVICE_NOMINATE));
}

berth_list FakeNominations::OfNode(const berth_host* host, berth_id node) {
  FakeNominations& self = Of(host);
  self.host_.checker().MayCall("nominate of_node()", kSerial);
  std::vector<const berth_pod*> list;
  for (const auto& pod : self.On(TextOf(node))) list.push_back(pod->raw());
  return self.lists_.emplace_back().Exact(list);
}

berth_list FakeNominations::Nodes(const berth_host* host) {
  FakeNominations& self = Of(host);
  self.host_.checker().MayCall("nominate nodes()", kSerial);
  std::vector<berth_id> list;
  for (const auto& [node, pods] : self.nominated_) {
    if (!pods.empty()) list.push_back(IdOf(node));
  }
  return self.lists_.emplace_back().Exact(list);
}

void FakeNominations::ClearNomination(const berth_host* host, const berth_pod* pod) {
  FakeNominations& self = Of(host);
  self.host_.checker().MayCall("nominate clear()", kSerial);
  self.cleared_.emplace_back(View(pod->uid));
  for (auto& [node, pods] : self.nominated_) {
    for (auto at = pods.begin(); at != pods.end(); ++at) {
      if (View((*at)->pod.uid) != self.cleared_.back()) continue;
      self.gone_.push_back(*at);  // the caller may still read it
      pods.erase(at);
      return;
    }
  }
}

int32_t FakeNominations::GiveUp(const berth_host* host, berth_str uid, berth_str reason) {
  FakeNominations& self = Of(host);
  self.host_.checker().MayCall("nominate give_up()", kAnywhere);
  const std::lock_guard lock(self.mutex_);
  if (self.on_their_way_.erase(std::string(View(uid))) == 0) return 0;
  self.given_up_.push_back(std::string(View(uid)) + ": " + std::string(View(reason)));
  return 1;
}

}  // namespace berth::sdk::testing
