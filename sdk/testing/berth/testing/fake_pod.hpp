// Pods for tests, built fluently:
//   FakePod("web-1").Label("app", "web").Req({{"cpu", 500}, {"memory", 1 << 30}}).Toleration("gpu")
// Amounts are in the ABI's units: cpu in 1/1000, everything else whole. A FakePod is a plain value; Build() makes the C
// view, which lives as long as the shared pointer.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "berth/pod.h"
#include "berth/testing/arena.hpp"
#include "berth/testing/fake_relations.hpp"
#include "berth/views.hpp"

namespace berth::sdk::testing {

using Amounts = std::vector<std::pair<std::string, int64_t>>;

// One term; its requirements are ANDed.
struct FakeTerm {
  std::vector<FakeRequirement> expressions;  // over labels
  std::vector<FakeRequirement> fields;       // over metadata.name
};

// Which amounts count per node as scalars, and which are extended resources (k8s.io/kubernetes
// pkg/apis/core/v1/helper).
inline uint32_t AmountFlags(std::string_view name) {
  const bool native = name.find('/') == std::string_view::npos || name.find("kubernetes.io/") != std::string_view::npos;
  const bool extended = !native && !name.starts_with("requests.");
  const bool scalar = extended || name.starts_with("hugepages-") || name.find("kubernetes.io/") != name.npos ||
                      name.starts_with("attachable-volumes-");
  return (extended ? BERTH_AMOUNT_EXTENDED : 0u) | (scalar ? BERTH_AMOUNT_SCALAR : 0u);
}

inline std::vector<berth_amount> RawAmounts(Amounts amounts) {
  std::sort(amounts.begin(), amounts.end());
  std::vector<berth_amount> raw;
  for (const auto& [name, value] : amounts) raw.push_back({IdOf(name), AmountFlags(name), value});
  return raw;
}

// A pod's C view and the memory behind it.
struct PodObject : std::enable_shared_from_this<PodObject> {
  // Whose view it is; every pod the fakes show is one of these.
  static const PodObject* Of(const berth_pod* view) {
    return reinterpret_cast<const Shown*>(reinterpret_cast<const char*>(view) - offsetof(Shown, pod))->owner;
  }

  Arena arena;
  berth_pod pod{};
  void Show() { shown = arena.Make(Shown{this, pod}); }
  const berth_pod* raw() const { return &shown->pod; }

 private:
  struct Shown {
    const PodObject* owner;
    berth_pod pod;
  };
  const Shown* shown = nullptr;
};

class FakePod {
 public:
  explicit FakePod(std::string name = "pod") : name_(std::move(name)) {}

  FakePod& Name(std::string name) { return name_ = std::move(name), *this; }
  FakePod& Namespace(std::string ns) { return ns_ = std::move(ns), *this; }
  FakePod& Uid(std::string uid) { return uid_ = std::move(uid), *this; }  // otherwise "namespace/name"
  FakePod& Profile(std::string name) { return profile_ = std::move(name), *this; }
  FakePod& Priority(int32_t priority) { return priority_ = priority, has_priority_ = true, *this; }
  FakePod& Node(std::string name) { return node_ = std::move(name), *this; }
  FakePod& Nominated(std::string name) { return nominated_ = std::move(name), *this; }
  FakePod& Created(int64_t unix_ns) { return created_ = unix_ns, *this; }
  FakePod& Terminating(int64_t unix_ns = 1) { return deleted_ = unix_ns, *this; }
  FakePod& Started(int64_t unix_ns) { return started_ = unix_ns, *this; }
  FakePod& PreemptionPolicy(std::string policy) { return preemption_policy_ = std::move(policy), *this; }
  FakePod& Has(uint64_t flags) { return flags_ |= flags, *this; }  // BERTH_POD_HAS_*
  FakePod& Label(std::string key, std::string value) { return labels_[std::move(key)] = std::move(value), *this; }
  FakePod& Claim(std::string name, std::string claim_name = "", std::string template_name = "") {
    claims_.push_back({std::move(name), std::move(claim_name), std::move(template_name)});
    return *this;
  }
  FakePod& PriorityClass(std::string name) { return priority_class_ = std::move(name), *this; }
  FakePod& Controller(std::string kind, std::string name, std::string api_version = "apps/v1",
                      std::string uid = "uid") {
    controller_ = {std::move(api_version), std::move(kind), std::move(name), std::move(uid)};
    return *this;
  }
  FakePod& Volume(FakeVolume volume) { return volumes_.push_back(std::move(volume)), *this; }
  FakePod& ClaimVolume(std::string claim_name) { return Volume({BERTH_VOLUME_CLAIM, std::move(claim_name)}); }
  FakePod& Gate(std::string name) { return gates_.push_back(std::move(name)), *this; }

  // Each adds one container.
  FakePod& Req(Amounts requests, Amounts limits = {}) { return Add(BERTH_CONTAINER_APP, requests, limits); }
  FakePod& InitReq(Amounts requests, Amounts limits = {}) { return Add(BERTH_CONTAINER_INIT, requests, limits); }
  FakePod& SidecarReq(Amounts requests, Amounts limits = {}) { return Add(BERTH_CONTAINER_SIDECAR, requests, limits); }
  FakePod& Overhead(Amounts overhead) { return overhead_ = std::move(overhead), *this; }
  FakePod& PodRequests(Amounts requests, Amounts limits = {}) {  // spec.resources
    pod_level_ = true, pod_requests_ = std::move(requests), pod_limits_ = std::move(limits);
    return *this;
  }

  FakePod& Image(std::string name) { return images_.push_back(std::move(name)), *this; }
  FakePod& InitImage(std::string name) { return init_images_.push_back(std::move(name)), *this; }
  FakePod& VolumeImage(std::string name) { return volume_images_.push_back(std::move(name)), *this; }
  FakePod& HostPort(int32_t port, const std::string& protocol = "TCP", const std::string& ip = "") {
    ports_.push_back({IdOf(ip), IdOf(protocol), port, 0});
    return *this;
  }
  FakePod& Toleration(const std::string& key, const std::string& op = "Exists", const std::string& value = "",
                      const std::string& effect = "") {
    tolerations_.push_back({IdOf(key), IdOf(op), IdOf(value), IdOf(effect), 0, 0});
    return *this;
  }
  FakePod& NodeSelector(std::string key, std::string value) {
    return selector_[std::move(key)] = std::move(value), has_ |= BERTH_NODE_AFFINITY_SELECTOR, *this;
  }
  FakePod& Required(FakeTerm term) {  // one of the ORed required terms
    return required_.push_back(std::move(term)), has_ |= BERTH_NODE_AFFINITY_REQUIRED, *this;
  }
  FakePod& Preferred(int32_t weight, FakeTerm term) {
    return preferred_.emplace_back(weight, std::move(term)), has_ |= BERTH_NODE_AFFINITY_PREFERRED, *this;
  }
  FakePod& NodeAffinityIn(std::string key, Texts values) {
    return Required({{{std::move(key), "In", std::move(values)}}, {}});
  }

  // Affinity to pods; weight 0: a required term.
  FakePod& PodAffinity(FakePodTerm term, int32_t weight = 0) { return AddTerm(0, std::move(term), weight); }
  FakePod& PodAntiAffinity(FakePodTerm term, int32_t weight = 0) { return AddTerm(2, std::move(term), weight); }
  FakePod& Spread(FakeSpread constraint) { return spread_.push_back(std::move(constraint)), *this; }

  const std::string& name() const { return name_; }
  const std::string& node() const { return node_; }
  inline std::shared_ptr<const PodObject> Build() const;  // fake_pod_build.hpp

 private:
  struct Container {
    uint32_t kind;
    Amounts requests, limits;
  };
  FakePod& Add(uint32_t kind, Amounts requests, Amounts limits) {
    return containers_.push_back({kind, std::move(requests), std::move(limits)}), *this;
  }
  FakePod& AddTerm(size_t list, FakePodTerm term, int32_t weight) {
    pod_terms_[list + (weight == 0 ? 0 : 1)].emplace_back(std::move(term), weight);
    return *this;
  }
  inline const berth_labels* BuildLabels(Arena& arena) const;
  inline const berth_images* BuildImages(Arena& arena) const;
  inline const berth_resources* BuildResources(Arena& arena) const;
  inline const berth_ports* BuildPorts(Arena& arena) const;
  inline const berth_tolerations* BuildTolerations(Arena& arena) const;
  inline const berth_node_affinity* BuildNodeAffinity(Arena& arena) const;
  inline const berth_gates* BuildGates(Arena& arena) const;
  inline const berth_pod_affinity* BuildPodAffinity(Arena& arena) const;
  inline const berth_spread* BuildSpread(Arena& arena) const;
  inline const berth_volumes* BuildVolumes(Arena& arena) const;
  inline const berth_controller* BuildController(Arena& arena) const;
  inline const berth_claims* BuildClaims(Arena& arena) const;

  std::string name_, ns_ = "default", uid_, profile_ = "default-scheduler", node_, nominated_;
  int32_t priority_ = 0;
  bool has_priority_ = false, pod_level_ = false;
  int64_t created_ = 0, deleted_ = BERTH_NO_TIME, started_ = BERTH_NO_TIME;
  uint64_t flags_ = 0;
  std::string preemption_policy_, priority_class_;
  std::array<std::string, 4> controller_;                                  // apiVersion, kind, name, uid
  std::array<std::vector<std::pair<FakePodTerm, int32_t>>, 4> pod_terms_;  // in the order of the ABI's lists
  std::vector<FakeSpread> spread_;
  std::vector<FakeVolume> volumes_;
  std::vector<std::array<std::string, 3>> claims_;  // name, claim name, template name
  std::map<std::string, std::string> labels_, selector_;
  std::vector<Container> containers_;
  Amounts overhead_, pod_requests_, pod_limits_;
  Texts gates_, images_, init_images_, volume_images_;
  std::vector<berth_host_port> ports_;
  std::vector<berth_toleration> tolerations_;
  uint64_t has_ = 0;
  std::vector<FakeTerm> required_;
  std::vector<std::pair<int32_t, FakeTerm>> preferred_;
};

}  // namespace berth::sdk::testing

#include "berth/testing/fake_pod_build.hpp"
