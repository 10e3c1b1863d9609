#include "api/encode/encode.h"
#include "api/encode/parts.h"

namespace berth::encode {
namespace {

using json::Value;

Value Spec(const api::InternTables& intern, const berth_node& node) {
  Value spec = Value::MakeObject();
  if (node.unschedulable != 0) spec.Set("unschedulable", true);
  SetFilled(
      spec, "taints", Mapped<berth_taint>(node.taints, [&](const berth_taint& one) {
        Value out = Value::MakeObject({{"key", intern.ids.Text(one.key)}, {"effect", intern.ids.Text(one.effect)}});
        SetText(out, "value", intern.ids.Text(one.value));
        return out;
      }));
  return spec;
}

Value Images(const api::InternTables& intern, const std::vector<api::NodeImage>& images) {
  Value out{json::Array()};
  for (const api::NodeImage& image : images) {
    Value names{json::Array()};
    for (const base::Id name : image.names) names.Append(intern.ids.Text(name));
    out.Append(Value::MakeObject({{"names", std::move(names)}, {"sizeBytes", image.bytes}}));
  }
  return out;
}

}  // namespace

Value NodeManifest(const api::InternTables& intern, const api::Node& node) {
  Value metadata = Value::MakeObject({{"name", node.name}, {"uid", node.uid}});
  SetFilled(metadata, "labels", Pairs(intern, node.abi.labels->items));
  Value status = Value::MakeObject();
  SetFilled(status, "allocatable", Amounts(intern, node.abi.allocatable));
  SetFilled(status, "images", Images(intern, node.images));
  SetFilled(status, "declaredFeatures", Texts(intern, node.abi.declared_features));
  Value out = Value::MakeObject({{"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", std::move(metadata)}});
  SetFilled(out, "spec", Spec(intern, node.abi));
  SetFilled(out, "status", std::move(status));
  return out;
}

}  // namespace berth::encode
