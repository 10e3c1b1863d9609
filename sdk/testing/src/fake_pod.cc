#include "berth/testing/fake_pod.hpp"

#include <algorithm>

namespace berth::sdk::testing {

uint32_t AmountFlags(std::string_view name) {
  const bool native = name.find('/') == std::string_view::npos || name.find("kubernetes.io/") != std::string_view::npos;
  const bool extended = !native && !name.starts_with("requests.");
  const bool scalar = extended || name.starts_with("hugepages-") || name.find("kubernetes.io/") != name.npos ||
                      name.starts_with("attachable-volumes-");
  return (extended ? BERTH_AMOUNT_EXTENDED : 0u) | (scalar ? BERTH_AMOUNT_SCALAR : 0u);
}

std::vector<berth_amount> RawAmounts(Amounts amounts) {
  std::sort(amounts.begin(), amounts.end());
  std::vector<berth_amount> raw;
  for (const auto& [name, value] : amounts) raw.push_back({IdOf(name), AmountFlags(name), value});
  return raw;
}

const PodObject* PodObject::Of(const berth_pod* view) {
  return reinterpret_cast<const Shown*>(reinterpret_cast<const char*>(view) - offsetof(Shown, pod))->owner;
}

void PodObject::Show() { shown = arena.Make(Shown{this, pod}); }

FakePod::FakePod(std::string name) : name_(std::move(name)) {}

FakePod::FakePod(const FakePod&) = default;

FakePod::FakePod(FakePod&&) noexcept = default;

FakePod& FakePod::operator=(const FakePod&) = default;

FakePod& FakePod::operator=(FakePod&&) noexcept = default;

FakePod::~FakePod() = default;

FakePod& FakePod::Name(std::string name) { return name_ = std::move(name), *this; }

FakePod& FakePod::Namespace(std::string ns) { return ns_ = std::move(ns), *this; }

FakePod& FakePod::Uid(std::string uid) { return uid_ = std::move(uid), *this; }

FakePod& FakePod::Profile(std::string name) { return profile_ = std::move(name), *this; }

FakePod& FakePod::Node(std::string name) { return node_ = std::move(name), *this; }

FakePod& FakePod::Nominated(std::string name) { return nominated_ = std::move(name), *this; }

FakePod& FakePod::PreemptionPolicy(std::string policy) { return preemption_policy_ = std::move(policy), *this; }

FakePod& FakePod::Label(std::string key, std::string value) {
  return labels_[std::move(key)] = std::move(value), *this;
}

FakePod& FakePod::Claim(std::string name, std::string claim_name, std::string template_name) {
  claims_.push_back({std::move(name), std::move(claim_name), std::move(template_name)});
  return *this;
}

FakePod& FakePod::PriorityClass(std::string name) { return priority_class_ = std::move(name), *this; }

FakePod& FakePod::Controller(std::string kind, std::string name, std::string api_version, std::string uid) {
  controller_ = {std::move(api_version), std::move(kind), std::move(name), std::move(uid)};
  return *this;
}

FakePod& FakePod::Volume(FakeVolume volume) { return volumes_.push_back(std::move(volume)), *this; }

FakePod& FakePod::ClaimVolume(std::string claim_name) { return Volume({BERTH_VOLUME_CLAIM, std::move(claim_name)}); }

FakePod& FakePod::Gate(std::string name) { return gates_.push_back(std::move(name)), *this; }

FakePod& FakePod::Req(Amounts requests, Amounts limits) { return Add(BERTH_CONTAINER_APP, requests, limits); }

FakePod& FakePod::InitReq(Amounts requests, Amounts limits) { return Add(BERTH_CONTAINER_INIT, requests, limits); }

FakePod& FakePod::SidecarReq(Amounts requests, Amounts limits) {
  return Add(BERTH_CONTAINER_SIDECAR, requests, limits);
}

FakePod& FakePod::Overhead(Amounts overhead) { return overhead_ = std::move(overhead), *this; }

FakePod& FakePod::PodRequests(Amounts requests, Amounts limits) {
  pod_level_ = true, pod_requests_ = std::move(requests), pod_limits_ = std::move(limits);
  return *this;
}

FakePod& FakePod::Image(std::string name) { return images_.push_back(std::move(name)), *this; }

FakePod& FakePod::InitImage(std::string name) { return init_images_.push_back(std::move(name)), *this; }

FakePod& FakePod::VolumeImage(std::string name) { return volume_images_.push_back(std::move(name)), *this; }

FakePod& FakePod::HostPort(int32_t port, const std::string& protocol, const std::string& ip) {
  ports_.push_back({IdOf(ip), IdOf(protocol), port, 0});
  return *this;
}

FakePod& FakePod::Toleration(const std::string& key, const std::string& op, const std::string& value,
                             const std::string& effect) {
  tolerations_.push_back({IdOf(key), IdOf(op), IdOf(value), IdOf(effect), 0, 0});
  return *this;
}

FakePod& FakePod::NodeSelector(std::string key, std::string value) {
  return selector_[std::move(key)] = std::move(value), has_ |= BERTH_NODE_AFFINITY_SELECTOR, *this;
}

FakePod& FakePod::Required(FakeTerm term) {
  return required_.push_back(std::move(term)), has_ |= BERTH_NODE_AFFINITY_REQUIRED, *this;
}

FakePod& FakePod::Preferred(int32_t weight, FakeTerm term) {
  return preferred_.emplace_back(weight, std::move(term)), has_ |= BERTH_NODE_AFFINITY_PREFERRED, *this;
}

FakePod& FakePod::NodeAffinityIn(std::string key, Texts values) {
  return Required({{{std::move(key), "In", std::move(values)}}, {}});
}

FakePod& FakePod::PodAffinity(FakePodTerm term, int32_t weight) { return AddTerm(0, std::move(term), weight); }

FakePod& FakePod::PodAntiAffinity(FakePodTerm term, int32_t weight) { return AddTerm(2, std::move(term), weight); }

FakePod& FakePod::Spread(FakeSpread constraint) { return spread_.push_back(std::move(constraint)), *this; }

FakePod& FakePod::Add(uint32_t kind, Amounts requests, Amounts limits) {
  return containers_.push_back({kind, std::move(requests), std::move(limits)}), *this;
}

FakePod& FakePod::AddTerm(size_t list, FakePodTerm term, int32_t weight) {
  pod_terms_[list + (weight == 0 ? 0 : 1)].emplace_back(std::move(term), weight);
  return *this;
}

}  // namespace berth::sdk::testing
