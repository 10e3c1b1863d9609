// templatePlugin: allows only nodes that have a label, and prefers nodes with the largest free share of a resource.
// Filter is written in node style, Score in batch style over columns. Either function can use either style.
#include <berth/plugin.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "logic.h"

namespace template_plugin {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names throughout

struct Args {
  std::string label;             // the label key that a node must have; "": any node
  std::string resource = "cpu";  // the resource that Score uses

  static Args Read(ArgsReader& in) {
    Args args;
    in.Get("label", args.label);
    in.Get("resource", args.resource);
    if (args.resource.empty()) in.Required("resource", "can not be empty");
    return args;
  }
  void Write(JsonWriter& out) const {
    out.Field("label", label);
    out.Field("resource", resource);
  }
};

class TemplatePlugin {
 public:
  static constexpr Info kInfo{.name = "templatePlugin", .vendor = "example.org"};
  // What the results depend on besides the args. The host reuses results that depend on nothing that changed.
  static constexpr Reuse kFilterReuse{.row = BERTH_ROW_LABELS, .total = true};
  static constexpr Reuse kScoreReuse{.row = BERTH_ROW_ALLOCATABLE | BERTH_ROW_REQUESTED, .total = true};
  // The events that may help a pod that Filter rejected.
  static constexpr Interest kInterests[] = {{"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_LABEL}};

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { Args::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { Args::Read(in); }

  explicit TemplatePlugin(Host& host) {
    const Args args = ReadArgs<Args>(host);
    if (!args.label.empty()) label_ = host.Intern(args.label);
    resource_ = host.Intern(args.resource);
  }

  Verdict Filter(Cycle& cycle, const Pod&, Node node) {
    if (label_ == kNoId || node.view().labels().Has(label_)) return Verdict::Ok();
    return Verdict::Unresolvable(cycle.Reasons("node(s) didn't have the label that templatePlugin asks for"));
  }

  Status Score(Cycle& cycle, const Pod&, Rows rows, std::span<int64_t> out) {
    const auto allocatable = cycle.snap().Int64(BERTH_NODE_ALLOCATABLE, resource_);
    const auto requested = cycle.snap().Int64(BERTH_NODE_REQUESTED, resource_);
    if (!allocatable) {  // no node has the resource: all nodes are equal
      out[0] = 0;
      return Status::Uniform();
    }
    rows.ForEach([&](uint32_t i, uint32_t row) {
      out[i] = FreePercent((*allocatable)[row], requested ? (*requested)[row] : 0);
    });
    return Status::Ok();
  }

 private:
  Id label_ = kNoId;
  Id resource_ = kNoId;
};

}  // namespace template_plugin

BERTH_PLUGIN(template_plugin::TemplatePlugin);
