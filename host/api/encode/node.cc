#include "api/encode/encode.h"
#include "api/encode/parts.h"

namespace berth::encode {
namespace {

using json::Value;

Value Spec(const IdText& text_of, const berth_node& node) {
  Value spec = Value::MakeObject();
  if (node.unschedulable != 0) spec.Set("unschedulable", true);
  SetFilled(spec, "taints", Mapped<berth_taint>(node.taints, [&](const berth_taint& one) {
              Value out = Value::MakeObject({{"key", text_of(one.key)}, {"effect", text_of(one.effect)}});
              SetText(out, "value", text_of(one.value));
              return out;
            }));
  return spec;
}

Value Images(const IdText& text_of, const std::vector<api::NodeImage>& images) {
  Value out{json::Array()};
  for (const api::NodeImage& image : images) {
    Value names{json::Array()};
    for (const base::Id name : image.names) names.Append(text_of(name));
    out.Append(Value::MakeObject({{"names", std::move(names)}, {"sizeBytes", image.bytes}}));
  }
  return out;
}

}  // namespace

Value NodeManifest(const IdText& text_of, const berth_node& node) {
  Value metadata = Value::MakeObject({{"name", text_of(node.name)}});
  SetFilled(metadata, "labels", Pairs(text_of, node.labels->items));
  Value status = Value::MakeObject();
  SetFilled(status, "allocatable", Amounts(text_of, node.allocatable));
  SetFilled(status, "declaredFeatures", Texts(text_of, node.declared_features));
  Value out = Value::MakeObject({{"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", std::move(metadata)}});
  SetFilled(out, "spec", Spec(text_of, node));
  SetFilled(out, "status", std::move(status));
  return out;
}

Value NodeManifest(const api::InternTables& intern, const api::Node& node) {
  const IdText text_of = TextOf(intern);
  Value out = NodeManifest(text_of, node.abi);
  out["metadata"].Set("uid", node.uid);
  if (!node.images.empty()) out["status"].Set("images", Images(text_of, node.images));
  return out;
}

}  // namespace berth::encode
