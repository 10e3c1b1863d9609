#include "berth/testing/fake_pods.hpp"

#include <vector>

namespace berth::sdk::testing {

FakePods::FakePods(FakeHost& host) : host_(host) {
  host.Extend(BERTH_SERVICE_PODS, berth_pods{sizeof(berth_pods), 0, &Labeled}, this);
}

FakePods::~FakePods() = default;

std::string FakePods::KeyOf(const PodObject& pod) { return TextOf(pod.pod.ns) + "/" + std::string(View(pod.pod.name)); }

FakePods& FakePods::Put(const FakePod& pod) {
  auto built = pod.Build();
  auto& known = pods_[KeyOf(*built)];
  if (known != nullptr) gone_.push_back(known);
  known = std::move(built);
  return *this;
}

FakePods& FakePods::Remove(const FakePod& pod) {
  const auto at = pods_.find(KeyOf(*pod.Build()));
  if (at == pods_.end()) return *this;
  gone_.push_back(at->second);
  pods_.erase(at);
  return *this;
}

berth_list FakePods::Labeled(const berth_host* host, berth_id ns, berth_id key, berth_id value) {
  auto& self = *static_cast<FakePods*>(static_cast<FakeHost*>(host->impl)->StateOf(BERTH_SERVICE_PODS));
  self.host_.checker().MayCall("pods labeled()", kSerial);
  std::vector<const berth_pod*> found;
  for (const auto& [name, pod] : self.pods_) {
    if (pod->pod.ns == ns && Labels(pod->pod.labels).Get(key) == value) found.push_back(pod->raw());
  }
  return self.lists_.emplace_back().Exact(found);
}

}  // namespace berth::sdk::testing
