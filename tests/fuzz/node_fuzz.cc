// A node from an API server: it must be refused with a reason, or decoded to the same node every time, also from its
// kept manifest. No memory of it may stay.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/node.h"
#include "codec/json/value.h"
#include "require.h"
#include "words.h"

namespace {

using berth::api::InternTables;
using berth::api::Node;
using berth::api::NodeRef;

constexpr std::string_view kOther =
    R"({"metadata":{"name":"other","labels":{"a":"b"},"annotations":{"c":"d"}},"spec":{"taints":[{"key":"t","effect":)"
    R"("NoSchedule"}]},"status":{"allocatable":{"cpu":"1"},"images":[{"names":["i"],"sizeBytes":7}],)"
    R"("conditions":[{"type":"Ready","status":"False"}]}})";

NodeRef Decode(InternTables& intern, std::string_view text) {
  auto node = berth::api::DecodeNode(intern, text, berth::api::KeepManifest::kYes);
  if (node) return *node;
  Require(!node.error().message.empty(), "what is refused has a reason");
  return {};
}

void RequireSame(const Node& a, const Node& b) {
  Require(a.name == b.name && a.uid == b.uid && a.resource_version == b.resource_version, "the same names");
  Require(berth::api::EqualForScheduling(a, b), "it says the same");
  Require(a.labels == b.labels && a.taints == b.taints, "the same contents");
  Require(a.zone == b.zone && a.ready == b.ready && a.abi.unschedulable == b.abi.unschedulable, "the same facts");
  Require(berth::api::SameAllocatable(a, b) && berth::api::SameImages(a, b), "the same amounts");
}

// Call this only for valid JSON: the decoder skips members that nobody reads, and they may be invalid.
void CheckKept(InternTables& intern, const Node& node) {
  const NodeRef kept = Decode(intern, node.manifest->text);
  Require(static_cast<bool>(kept), "what is kept of it is a node");
  RequireSame(node, *kept);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  InternTables& intern = Words();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const NodeRef node = Decode(intern, text)) {
    (void)Decode(intern, kOther);  // fills the buffers that decoders keep for the next call
    const NodeRef again = Decode(intern, text);
    Require(static_cast<bool>(again), "accepted once, accepted again");
    RequireSame(*node, *again);
    if (berth::json::Parse(text)) CheckKept(intern, *node);
  }
  RequireNothingLeft();
  return 0;
}
