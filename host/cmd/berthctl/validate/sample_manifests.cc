#include "cmd/berthctl/validate/sample_manifests.h"

#include "api/encode/encode.h"
#include "api/encode/parts.h"
#include "codec/text/rfc3339.h"

namespace berth::validate {
namespace {

using encode::ForEach;
using encode::Mapped;
using encode::SetFilled;
using json::Value;
using sdk::testing::TextOf;

// Of an id of the fakes, whose texts are never freed.
std::string_view FakeText(berth_id id) { return sdk::testing::Strings::Global().Text(id); }

// A FakePod's images belong to no container: the i-th goes to the i-th, which is added if there is none.
void SetImages(const berth_list& images, Value& containers) {
  for (uint32_t i = 0; i < images.n; ++i) {
    if (i == containers.array().size()) containers.Append(Value::MakeObject({{"name", "i" + std::to_string(i)}}));
    containers.mutable_array()[i].Set("image", FakeText(*BERTH_AT(images, berth_id, i)));
  }
}

// A pod has a container, and its ports are in the first one.
void CompleteContainers(const berth_pod& pod, Value& spec) {
  Value& app = spec["containers"];
  SetImages(pod.images->containers, app);
  if (pod.images->init_containers.n > 0) SetImages(pod.images->init_containers, spec["initContainers"]);
  if (app.array().empty()) app.Append(Value::MakeObject({{"name", "main"}}));
  SetFilled(app.mutable_array().front(), "ports", encode::Ports(&FakeText, pod.ports->items));
}

Value VolumesOf(const berth_list& volumes) {
  Value out{json::Array()};
  ForEach<berth_volume>(volumes, [&](const berth_volume& one) {
    if (one.kind != BERTH_VOLUME_CLAIM) return;
    Value claim = Value::MakeObject({{"claimName", TextOf(one.handle)}});
    out.Append(Value::MakeObject(
        {{"name", "v" + std::to_string(out.array().size())}, {"persistentVolumeClaim", std::move(claim)}}));
  });
  return out;
}

Value ValueOf(const sdk::Value& value) {
  if (value.is_bool()) return value.AsBool();
  if (value.is_int()) return value.AsInt();
  if (value.is_number()) return value.AsNumber();
  if (value.is_string()) return value.AsString();
  Value out;
  if (value.is_array()) out.mutable_array();
  if (value.is_object()) out.mutable_object();
  for (uint32_t i = 0; i < value.size(); ++i) {
    if (value.is_array()) out.Append(ValueOf(value[i]));
    if (value.is_object()) out.Set(value.KeyAt(i), ValueOf(value[i]));
  }
  return out;
}

}  // namespace

Value ManifestOf(const berth_pod& pod) {
  Value out = encode::PodManifest(&FakeText, pod);
  if (pod.deletion_unix_ns != BERTH_NO_TIME) {
    out["metadata"].Set("deletionTimestamp", text::TimeText(pod.deletion_unix_ns));
  }
  Value& spec = out["spec"];
  CompleteContainers(pod, spec);
  SetFilled(spec, "volumes", VolumesOf(pod.volumes->items));
  SetFilled(spec, "schedulingGates", Mapped<berth_id>(pod.gates->items, [](berth_id gate) {
              return Value::MakeObject({{"name", FakeText(gate)}});
            }));
  if (pod.nominated_node != BERTH_ID_ABSENT) out["status"].Set("nominatedNodeName", FakeText(pod.nominated_node));
  return out;
}

Value ManifestOf(const sdk::testing::FakeCluster::Row& row) {
  Value out = encode::NodeManifest(&FakeText, *row.node->raw());
  Value& metadata = out["metadata"];
  metadata.Set("uid", "node-" + json::TextAt(metadata, "name"));
  Value images{json::Array()};
  for (const auto& [image, bytes] : row.images) {
    images.Append(Value::MakeObject({{"names", json::Array{Value(image)}}, {"sizeBytes", bytes}}));
  }
  if (!row.images.empty()) out["status"].Set("images", std::move(images));
  return out;
}

Value ManifestOf(const sdk::testing::FakeObject& object) { return ValueOf(object.document().view()); }

}  // namespace berth::validate
