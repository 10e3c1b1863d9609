#include "api/encode/encode.h"
#include "api/encode/parts.h"

namespace berth::encode {
namespace {

using json::Value;

Value Spec(const api::InternTables& words, const berth_node& node) {
  Value spec = Value::MakeObject();
  if (node.unschedulable != 0) spec.Set("unschedulable", true);
  SetFilled(spec, "taints", Mapped<berth_taint>(node.taints, [&](const berth_taint& one) {
              Value out = Value::MakeObject({{"key", words.ids.Text(one.key)}, {"effect", words.ids.Text(one.effect)}});
              SetText(out, "value", words.ids.Text(one.value));
              return out;
            }));
  return spec;
}

Value Images(const api::InternTables& words, const std::vector<api::NodeImage>& images) {
  Value out{json::Array()};
  for (const api::NodeImage& image : images) {
    Value names{json::Array()};
    for (const base::Id name : image.names) names.Append(words.ids.Text(name));
    out.Append(Value::MakeObject({{"names", std::move(names)}, {"sizeBytes", image.bytes}}));
  }
  return out;
}

}  // namespace

Value NodeManifest(const api::InternTables& words, const api::Node& node) {
  Value metadata = Value::MakeObject({{"name", node.name}, {"uid", node.uid}});
  SetFilled(metadata, "labels", Pairs(words, node.abi.labels->items));
  Value status = Value::MakeObject();
  SetFilled(status, "allocatable", Amounts(words, node.abi.allocatable));
  SetFilled(status, "images", Images(words, node.images));
  SetFilled(status, "declaredFeatures", Texts(words, node.abi.declared_features));
  Value out = Value::MakeObject({{"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", std::move(metadata)}});
  SetFilled(out, "spec", Spec(words, node.abi));
  SetFilled(out, "status", std::move(status));
  return out;
}

}  // namespace berth::encode
