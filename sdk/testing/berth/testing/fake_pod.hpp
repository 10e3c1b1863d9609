// Pods for tests, built fluently:
//   FakePod("web-1").Label("app", "web").Req({{"cpu", 500}, {"memory", 1 << 30}}).Toleration("gpu")
// Amounts are in the ABI's units: cpu in 1/1000, all others in whole units. A FakePod is a plain value; Build() makes
// the C view, which lives as long as the shared pointer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
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

// These functions say which amounts count per node as scalars, and which are extended resources (k8s.io/kubernetes
// pkg/apis/core/v1/helper).
uint32_t AmountFlags(std::string_view name);

std::vector<berth_amount> RawAmounts(Amounts amounts);

// A pod's C view and the memory behind it.
struct PodObject : std::enable_shared_from_this<PodObject> {
  // The PodObject of a view; the fakes show no other pods.
  static const PodObject* Of(const berth_pod* view);

  Arena arena;
  berth_pod pod{};
  void Show();
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
  explicit FakePod(std::string name = "pod");
  FakePod(const FakePod&);
  FakePod(FakePod&&) noexcept;
  FakePod& operator=(const FakePod&);
  FakePod& operator=(FakePod&&) noexcept;
  ~FakePod();

  FakePod& Name(std::string name);
  FakePod& Namespace(std::string ns);
  FakePod& Uid(std::string uid);  // the default is "namespace/name"
  FakePod& Profile(std::string name);
  FakePod& Priority(int32_t priority) { return priority_ = priority, has_priority_ = true, *this; }
  FakePod& Node(std::string name);
  FakePod& Nominated(std::string name);
  FakePod& Created(int64_t unix_ns) { return created_ = unix_ns, *this; }
  FakePod& Terminating(int64_t unix_ns = 1) { return deleted_ = unix_ns, *this; }
  FakePod& Started(int64_t unix_ns) { return started_ = unix_ns, *this; }
  FakePod& ScheduledAt(int64_t unix_ns) { return scheduled_ = unix_ns, *this; }  // the condition PodScheduled is True
  FakePod& PreemptionPolicy(std::string policy);
  FakePod& Has(uint64_t flags) { return flags_ |= flags, *this; }  // BERTH_POD_HAS_*
  FakePod& Label(std::string key, std::string value);
  FakePod& Claim(std::string name, std::string claim_name = "", std::string template_name = "");
  FakePod& PriorityClass(std::string name);
  FakePod& Controller(std::string kind, std::string name, std::string api_version = "apps/v1", std::string uid = "uid");
  FakePod& Volume(FakeVolume volume);
  FakePod& ClaimVolume(std::string claim_name);
  FakePod& Gate(std::string name);

  // Each function adds one container.
  FakePod& Req(Amounts requests, Amounts limits = {});
  FakePod& InitReq(Amounts requests, Amounts limits = {});
  FakePod& SidecarReq(Amounts requests, Amounts limits = {});
  FakePod& Overhead(Amounts overhead);
  FakePod& PodRequests(Amounts requests, Amounts limits = {});  // spec.resources

  FakePod& Image(std::string name);
  FakePod& InitImage(std::string name);
  FakePod& VolumeImage(std::string name);
  FakePod& HostPort(int32_t port, const std::string& protocol = "TCP", const std::string& ip = "");
  FakePod& Toleration(const std::string& key, const std::string& op = "Exists", const std::string& value = "",
                      const std::string& effect = "");
  FakePod& NodeSelector(std::string key, std::string value);
  FakePod& Required(FakeTerm term);  // one of the ORed required terms
  FakePod& Preferred(int32_t weight, FakeTerm term);
  FakePod& NodeAffinityIn(std::string key, Texts values);

  // Affinity to pods; weight 0 makes it a required term.
  FakePod& PodAffinity(FakePodTerm term, int32_t weight = 0);
  FakePod& PodAntiAffinity(FakePodTerm term, int32_t weight = 0);
  FakePod& Spread(FakeSpread constraint);

  const std::string& name() const { return name_; }
  const std::string& node() const { return node_; }
  std::shared_ptr<const PodObject> Build() const;

 private:
  struct Container {
    uint32_t kind;
    Amounts requests, limits;
  };
  FakePod& Add(uint32_t kind, Amounts requests, Amounts limits);
  FakePod& AddTerm(size_t list, FakePodTerm term, int32_t weight);
  const berth_labels* BuildLabels(Arena& arena) const;
  const berth_images* BuildImages(Arena& arena) const;
  const berth_resources* BuildResources(Arena& arena) const;
  const berth_ports* BuildPorts(Arena& arena) const;
  const berth_tolerations* BuildTolerations(Arena& arena) const;
  const berth_node_affinity* BuildNodeAffinity(Arena& arena) const;
  const berth_gates* BuildGates(Arena& arena) const;
  const berth_pod_affinity* BuildPodAffinity(Arena& arena) const;
  const berth_spread* BuildSpread(Arena& arena) const;
  const berth_volumes* BuildVolumes(Arena& arena) const;
  const berth_controller* BuildController(Arena& arena) const;
  const berth_claims* BuildClaims(Arena& arena) const;

  std::string name_, ns_ = "default", uid_, profile_ = "default-scheduler", node_, nominated_;
  int32_t priority_ = 0;
  bool has_priority_ = false, pod_level_ = false;
  int64_t created_ = 0, deleted_ = BERTH_NO_TIME, started_ = BERTH_NO_TIME, scheduled_ = BERTH_NO_TIME;
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
