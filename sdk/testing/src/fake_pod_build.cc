// Converts a FakePod to the C view: one function per block.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "berth/testing/fake_pod.hpp"

namespace berth::sdk::testing {
namespace {

std::string TermText(const FakeTerm& term) {
  std::string text;
  for (const auto* side : {&term.expressions, &term.fields}) {
    for (const FakeRequirement& one : *side) text += RequirementText(one);
    text += '\x04';
  }
  return text + '\x05';
}

berth_node_term RawTerm(Arena& arena, const FakeTerm& term) {
  const auto side = [&arena](const std::vector<FakeRequirement>& requirements) {
    std::vector<berth_node_requirement> raw;
    for (const FakeRequirement& one : requirements) {
      raw.push_back({IdOf(one.key), IdOf(one.op), arena.Exact(RawIds(one.values))});
    }
    return arena.Records(raw);
  };
  return {side(term.expressions), side(term.fields)};
}

}  // namespace

const berth_labels* FakePod::BuildLabels(Arena& arena) const {
  const auto raw = RawPairs(labels_);
  return arena.Make(berth_labels{sizeof(berth_labels), ContentOf("labels", BytesOf(raw)), arena.Exact(raw)});
}

const berth_images* FakePod::BuildImages(Arena& arena) const {
  const auto init = RawIds(init_images_), app = RawIds(images_), volumes = RawIds(volume_images_);
  return arena.Make(berth_images{sizeof(berth_images),
                                 ContentOf("images", BytesOf(init) + BytesOf(app) + BytesOf(volumes)),
                                 arena.Exact(init), arena.Exact(app), arena.Exact(volumes)});
}

const berth_resources* FakePod::BuildResources(Arena& arena) const {
  std::vector<berth_container> raw;
  std::string content = pod_level_ ? "pod" : "";
  for (const bool app : {false, true}) {  // init containers and sidecars in order, then app containers
    for (const Container& one : containers_) {
      if ((one.kind == BERTH_CONTAINER_APP) != app) continue;
      const auto requests = RawAmounts(one.requests), limits = RawAmounts(one.limits);
      content += std::to_string(one.kind) + BytesOf(requests) + BytesOf(limits);
      raw.push_back({IdOf("c" + std::to_string(raw.size())), one.kind, arena.Records(requests), arena.Records(limits)});
    }
  }
  const auto requests = RawAmounts(pod_requests_), limits = RawAmounts(pod_limits_), overhead = RawAmounts(overhead_);
  content += BytesOf(requests) + BytesOf(limits) + BytesOf(overhead);
  return arena.Make(berth_resources{sizeof(berth_resources), ContentOf("resources", content),
                                    pod_level_ ? BERTH_RESOURCES_POD_LEVEL : 0u, arena.Records(raw),
                                    arena.Records(requests), arena.Records(limits), arena.Records(overhead)});
}

const berth_ports* FakePod::BuildPorts(Arena& arena) const {
  return arena.Make(berth_ports{sizeof(berth_ports), ContentOf("ports", BytesOf(ports_)), arena.Records(ports_)});
}

const berth_tolerations* FakePod::BuildTolerations(Arena& arena) const {
  return arena.Make(berth_tolerations{sizeof(berth_tolerations), ContentOf("tolerations", BytesOf(tolerations_)),
                                      arena.Records(tolerations_)});
}

const berth_node_affinity* FakePod::BuildNodeAffinity(Arena& arena) const {
  const auto selector = RawPairs(selector_);
  std::string content = std::to_string(has_) + BytesOf(selector);
  std::vector<berth_node_term> required;
  for (const FakeTerm& term : required_) required.push_back(RawTerm(arena, term)), content += TermText(term);
  std::vector<berth_preferred_term> preferred;
  for (const auto& [weight, term] : preferred_) {
    preferred.push_back({weight, 0, RawTerm(arena, term)});
    content += std::to_string(weight) + TermText(term);
  }
  return arena.Make(berth_node_affinity{sizeof(berth_node_affinity), ContentOf("node_affinity", content), has_,
                                        arena.Exact(selector), arena.Records(required), arena.Records(preferred)});
}

const berth_gates* FakePod::BuildGates(Arena& arena) const {
  const auto raw = RawIds(gates_);
  return arena.Make(berth_gates{sizeof(berth_gates), ContentOf("gates", BytesOf(raw)), arena.Exact(raw)});
}

const berth_claims* FakePod::BuildClaims(Arena& arena) const {
  std::vector<berth_pod_claim> raw;
  std::string content;
  for (const auto& [name, claim, made_from] : claims_) {
    raw.push_back({IdOrNone(name), IdOrNone(claim), IdOrNone(made_from)});
    content += name + '\x02' + claim + '\x02' + made_from + '\x03';
  }
  return arena.Make(berth_claims{sizeof(berth_claims), ContentOf("claims", content), arena.Records(raw)});
}

const berth_pod_affinity* FakePod::BuildPodAffinity(Arena& arena) const {
  std::array<berth_list, 4> lists;
  std::string content;
  for (size_t i = 0; i < lists.size(); ++i) {
    std::vector<berth_pod_term> raw;
    for (const auto& [term, weight] : pod_terms_[i]) raw.push_back(RawTerm(arena, term, weight, content));
    lists[i] = arena.Records(raw);
    content += '\x05';
  }
  const uint64_t has = (lists[0].n + lists[1].n != 0 ? BERTH_POD_AFFINITY_SET : 0u) |
                       (lists[2].n + lists[3].n != 0 ? BERTH_POD_ANTI_AFFINITY_SET : 0u);
  return arena.Make(berth_pod_affinity{sizeof(berth_pod_affinity), ContentOf("pod_affinity", content), has, lists[0],
                                       lists[1], lists[2], lists[3]});
}

const berth_spread* FakePod::BuildSpread(Arena& arena) const {
  std::vector<berth_spread_constraint> raw;
  std::string content;
  for (const FakeSpread& one : spread_) raw.push_back(RawSpread(arena, one, content));
  return arena.Make(berth_spread{sizeof(berth_spread), ContentOf("spread", content), arena.Records(raw)});
}

const berth_volumes* FakePod::BuildVolumes(Arena& arena) const {
  std::vector<berth_volume> raw;
  std::string content;
  for (const FakeVolume& one : volumes_) raw.push_back(RawVolume(arena, one, content));
  return arena.Make(berth_volumes{sizeof(berth_volumes), ContentOf("volumes", content), arena.Records(raw)});
}

const berth_controller* FakePod::BuildController(Arena& arena) const {
  const auto& [api_version, kind, name, uid] = controller_;
  return arena.Make(berth_controller{
      sizeof(berth_controller), ContentOf("controller", api_version + '\x02' + kind + '\x02' + name + '\x02' + uid),
      IdOrNone(api_version), IdOrNone(kind), IdOrNone(name), IdOrNone(uid)});
}

std::shared_ptr<const PodObject> FakePod::Build() const {
  auto object = std::make_shared<PodObject>();
  Arena& arena = object->arena;
  berth_pod& pod = object->pod;
  pod.size = sizeof(berth_pod);
  pod.priority = priority_;
  pod.has = flags_ | (has_priority_ ? BERTH_POD_HAS_PRIORITY : 0u);
  pod.uid = arena.Text(uid_.empty() ? ns_ + "/" + name_ : uid_);
  pod.name = arena.Text(name_);
  pod.ns = IdOf(ns_);
  pod.scheduler_name = IdOf(profile_);
  pod.node_name = node_.empty() ? kNoId : IdOf(node_);
  pod.nominated_node = nominated_.empty() ? kNoId : IdOf(nominated_);
  pod.creation_unix_ns = created_;
  pod.deletion_unix_ns = deleted_;
  pod.labels = BuildLabels(arena);
  pod.images = BuildImages(arena);
  pod.resources = BuildResources(arena);
  pod.ports = BuildPorts(arena);
  pod.tolerations = BuildTolerations(arena);
  pod.node_affinity = BuildNodeAffinity(arena);
  pod.gates = BuildGates(arena);
  pod.pod_affinity = BuildPodAffinity(arena);
  pod.spread = BuildSpread(arena);
  pod.volumes = BuildVolumes(arena);
  pod.controller = BuildController(arena);
  pod.claims = BuildClaims(arena);
  pod.start_unix_ns = started_;
  pod.scheduled_unix_ns = scheduled_;
  pod.preemption_policy = IdOrNone(preemption_policy_);
  pod.priority_class = IdOrNone(priority_class_);
  object->Show();
  return object;
}

}  // namespace berth::sdk::testing
