// NodeMetadata: prefers nodes by a number or a time in a label or an annotation. Source: sigs.k8s.io/scheduler-plugins
// pkg/nodemetadata/node_metadata.go.
#include <berth/objects.hpp>
#include <berth/plugin.hpp>
#include <berth/tasks.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "../common/go_float.h"
#include "../common/go_time.h"
#include "args.h"
#include "known_values.h"
#include "metadata_scores.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

class NodeMetadata {
 public:
  static constexpr Info kInfo{.name = "NodeMetadata", .vendor = "berth.dev"};
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_OBJECTS, BERTH_SERVICE_TASKS};
  static constexpr uint32_t kDeltas = BERTH_DELTA_NODES;
  // Annotations are not part of a row, so the host must not keep results. Reading a value is cheaper than keeping it.
  static constexpr Reuse kScoreReuse{.reuse = false, .total = true};
  static constexpr std::string_view kSampleArgs =
      R"({"metadataKey":"example.com/tier","metadataSource":"Label","metadataType":"Number","scoringStrategy":"Highest"})";

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { NodeMetadataArgs::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { NodeMetadataArgs::Read(in); }

  explicit NodeMetadata(Host& host)
      : host_(host),
        args_(ReadArgs<NodeMetadataArgs>(host)),
        layout_(args_.format),
        objects_(host),
        tasks_(host),
        key_(host.Intern(args_.key)),
        annotations_(host) {}

  void Activate() {
    if (args_.annotation()) objects_.Need("", "v1", "nodes");
  }

  void Deltas(List<berth_delta> deltas) {
    if (args_.annotation()) return;
    for (const berth_delta& delta : deltas) {
      const bool gone = delta.kind == BERTH_DELTA_NODE_REMOVE;
      const Id value = gone ? kNoId : NodeView(delta.node).labels().Get(key_);
      labels_.Set(delta.row, value == kNoId ? std::nullopt : Read(host_.Text(value)));
    }
  }
  std::string Dump() { return labels_.Dump(); }

  // Nodes are the only kind that is needed.
  void ObjectChanged(ObjectKind, Object before, Object now) {
    const Value text = now.At("metadata", "annotations").Get(args_.key);
    annotations_.Set((now ? now : before).name(), text.is_string() ? Read(text.AsString()) : std::nullopt);
  }

  Status Score(Cycle& cycle, const Pod&, Rows rows, std::span<int64_t> out) {
    if (!args_.annotation()) {
      rows.ForEach([&](uint32_t i, uint32_t row) { out[i] = labels_.Of(row); });
      return Status::Ok();
    }
    const auto names = cycle.snap().Ids(BERTH_NODE_NAME);
    rows.ForEachLive([&](uint32_t i, uint32_t row) { out[i] = annotations_.Of(names ? (*names)[row] : kNoId); });
    return Status::Ok();
  }

  Status Normalize(Cycle&, const Pod&, Rows, std::span<int64_t> scores) {
    if (args_.timestamp()) MakeAges(scores);
    node_metadata::SpreadValid(scores);
    return Status::Ok();
  }

 private:
  // A number, negative for Lowest; or microseconds since 1970.
  std::optional<int64_t> Read(std::string_view text) const {
    if (args_.timestamp()) return ParseGoTime(layout_, text);
    const std::optional<int64_t> number = GoFloat::Whole(text);
    return number && args_.strategy == "Lowest" ? -*number : number;
  }

  // All at one moment, so that the order of the calls does not matter.
  void MakeAges(std::span<int64_t> scores) const {
    const int64_t now = tasks_.WallUnixNs() / 1000;
    for (int64_t& score : scores) {
      if (score == node_metadata::kInvalid) continue;
      const int64_t age = node_metadata::AgeSeconds(now, score);
      score = args_.strategy == "Newest" ? -age : age;
    }
  }

  Host& host_;
  const NodeMetadataArgs args_;
  const GoTimeLayout layout_;
  const Objects objects_;
  const Tasks tasks_;
  const Id key_;
  node_metadata::ValuesByRow labels_;
  node_metadata::ValuesByName annotations_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::NodeMetadata);
