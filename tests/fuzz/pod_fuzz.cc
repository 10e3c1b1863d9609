// A pod from an API server: it must be refused with a reason, or decoded to the same pod every time, with valid sums
// and selectors. The text for extenders must read back as the same pod. No memory of the pod may stay.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/pod.h"
#include "api/selectors.h"
#include "codec/json/value.h"
#include "require.h"
#include "words.h"

namespace {

using berth::api::InternTables;
using berth::api::Pod;
using berth::api::PodRef;

constexpr std::string_view kOther =
    R"({"metadata":{"name":"other","labels":{"a":"b"}},"spec":{"containers":[{"name":"c","ports":[{"hostPort":80}],)"
    R"("resources":{"requests":{"cpu":"1"}}}],"tolerations":[{"operator":"Exists"}],"nodeSelector":{"a":"b"}}})";

PodRef Decode(InternTables& intern, std::string_view text) {
  auto pod = berth::api::DecodePod(intern, text, berth::api::KeepManifest::kYes);
  if (pod) return *pod;
  Require(!pod.error().message.empty(), "what is refused has a reason");
  return {};
}

// Compares everything that decides the node of a pod.
void RequireSame(const Pod& a, const Pod& b) {
  Require(a.key() == b.key() && a.uid() == b.uid() && a.phase() == b.phase(), "the same names");
  Require(a.abi.labels == b.abi.labels && a.abi.images == b.abi.images && a.abi.resources == b.abi.resources,
          "the same contents (1)");
  Require(a.abi.ports == b.abi.ports && a.abi.tolerations == b.abi.tolerations && a.abi.gates == b.abi.gates,
          "the same contents (2)");
  Require(a.abi.node_affinity == b.abi.node_affinity && a.abi.pod_affinity == b.abi.pod_affinity,
          "the same contents (3)");
  Require(a.abi.spread == b.abi.spread && a.abi.volumes == b.abi.volumes && a.abi.claims == b.abi.claims,
          "the same contents (4)");
  Require(a.abi.controller == b.abi.controller && a.status().claim_statuses == b.status().claim_statuses,
          "the same contents (5)");
  Require(a.abi.priority == b.abi.priority && a.abi.has == b.abi.has, "the same numbers (1)");
  Require(a.abi.scheduler_name == b.abi.scheduler_name && a.abi.generation == b.abi.generation, "the same numbers (2)");
  Require(a.abi.creation_unix_ns == b.abi.creation_unix_ns && a.abi.start_unix_ns == b.abi.start_unix_ns, "times");
}

void Ask(InternTables& intern, const Pod& pod) {
  for (uint32_t flags = 0; flags < 8; ++flags) {
    for (const berth_amount& amount : pod.resources().Sums(intern, flags).amounts) {
      Require(!intern.ids.Text(amount.name).empty() || amount.name == berth::base::kEmptyId, "a resource has a name");
    }
  }
  const auto accounted = pod.resources().Accounted(intern);
  Require(accounted.requested != nullptr, "accounted for");
  const berth_node_affinity& affinity = *pod.abi.node_affinity;
  const berth::api::NodeFacts node{pod.abi.labels, berth::base::kEmptyId};
  const bool matches = berth::api::RequiredMatches(intern, affinity, node);
  const bool asks = affinity.selector.n != 0 || (affinity.has & BERTH_NODE_AFFINITY_REQUIRED) != 0;
  Require(matches || asks, "what asks for nothing matches");
  (void)berth::api::PreferredTermErrors(intern, affinity);
  for (const auto& selector : pod.spread().selectors) {
    Require(selector->error().empty() || !selector->Matches(*pod.abi.labels), "a bad selector matches nothing");
  }
}

// The text that an extender gets when the pod has a node. JSON with duplicate keys has no such text.
void CheckManifest(InternTables& intern, const Pod& pod) {
  if (!pod.manifest || !berth::json::Parse(pod.manifest->text)) return;
  const PodRef bound = berth::api::WithNodeName(intern, pod, "some-node");
  const PodRef told = Decode(intern, berth::api::CurrentManifest(intern, *bound));
  Require(static_cast<bool>(told), "what is told is a pod");
  Require(intern.ids.Text(told->abi.node_name) == "some-node", "what is told has the node");
  RequireSame(*told, *bound);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  InternTables& intern = Words();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const PodRef pod = Decode(intern, text)) {
    (void)Decode(intern, kOther);  // fills the buffers that decoders keep for the next call
    const PodRef again = Decode(intern, text);
    Require(static_cast<bool>(again), "accepted once, accepted again");
    RequireSame(*pod, *again);
    Ask(intern, *pod);
    CheckManifest(intern, *pod);
  }
  RequireNothingLeft();
  return 0;
}
