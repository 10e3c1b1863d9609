// spec.volumes and spec.resourceClaims.
#include <algorithm>
#include <iterator>

#include "api/decode_parts.h"
#include "api/decode_pod.h"

namespace berth::api {
namespace {

using Value = JsonReader::Value;

// The kinds of volumes that a plugin reads, and the field with the name of the volume.
struct Source {
  std::string_view name;
  uint32_t kind;
  std::string_view handle;  // "" = none
};
constexpr Source kSources[] = {{"persistentVolumeClaim", BERTH_VOLUME_CLAIM, "claimName"},
                               {"ephemeral", BERTH_VOLUME_EPHEMERAL, ""},
                               {"gcePersistentDisk", BERTH_VOLUME_GCE_PD, "pdName"},
                               {"awsElasticBlockStore", BERTH_VOLUME_AWS_EBS, "volumeID"},
                               {"azureDisk", BERTH_VOLUME_AZURE_DISK, "diskURI"},
                               {"azureFile", BERTH_VOLUME_AZURE_FILE, "shareName"},
                               {"cinder", BERTH_VOLUME_CINDER, "volumeID"},
                               {"portworxVolume", BERTH_VOLUME_PORTWORX, "volumeID"},
                               {"vsphereVolume", BERTH_VOLUME_VSPHERE, "volumePath"},
                               {"iscsi", BERTH_VOLUME_ISCSI, "iqn"},
                               {"rbd", BERTH_VOLUME_RBD, "image"},
                               {"csi", BERTH_VOLUME_CSI, "driver"}};

bool DecodeSource(JsonReader& reader, Value value, const Source& source, PodDraft& draft) {
  bool null = false;
  if (!reader.IsNull(value, null) || null) return null;
  VolumeDraft& volume = draft.volumes.emplace_back();
  volume.kind = source.kind;
  if (!source.handle.empty()) volume.handle = "";
  const bool rbd = source.kind == BERTH_VOLUME_RBD;
  if (rbd) volume.pool = "";
  return reader.Object(value, [&](std::string_view key, Value field) {
    if (key == source.handle) return reader.Text(field, volume.handle);
    if (key == "readOnly") return reader.Bool(field, volume.read_only);
    if (rbd && key == "pool") return reader.Text(field, volume.pool);
    if (rbd && key == "monitors") return DecodeTexts(reader, field, draft.monitors, volume.monitors);
    return true;
  });
}

bool DecodeImage(JsonReader& reader, Value value, std::vector<std::string_view>& references) {
  bool null = false;
  if (!reader.IsNull(value, null) || null) return null;
  references.emplace_back();
  return reader.Object(value, [&](std::string_view key, Value reference) {
    return key != "reference" || reader.Text(reference, references.back());
  });
}

bool DecodeVolume(JsonReader& reader, Value value, PodDraft& draft) {
  const size_t first = draft.volumes.size();
  std::string_view name = "";
  const bool ok = reader.Object(value, [&](std::string_view key, Value field) {
    if (key == "name") return reader.Text(field, name);
    if (key == "image") return DecodeImage(reader, field, draft.volume_images);
    const auto* source =
        std::find_if(std::begin(kSources), std::end(kSources), [&](const Source& one) { return one.name == key; });
    return source == std::end(kSources) || DecodeSource(reader, field, *source, draft);
  });
  for (size_t i = first; i < draft.volumes.size(); ++i) {
    if (draft.volumes[i].kind == BERTH_VOLUME_EPHEMERAL) draft.volumes[i].name = name;
  }
  return ok;
}

}  // namespace

bool DecodeVolumes(JsonReader& reader, Value value, PodDraft& draft) {
  draft.volumes.clear();
  draft.volume_images.clear();
  return reader.Array(value, [&](Value volume) { return DecodeVolume(reader, volume, draft); });
}

bool DecodeResourceClaims(JsonReader& reader, Value value, std::vector<ClaimDraft>& claims) {
  claims.clear();
  return reader.Objects(
      value, [&] { claims.emplace_back(); },
      [&](std::string_view key, Value field) {
        if (key == "name") return reader.Text(field, claims.back().name);
        if (key == "resourceClaimName") return reader.Text(field, claims.back().claim_name);
        if (key == "resourceClaimTemplateName") return reader.Text(field, claims.back().template_name);
        return true;
      });
}

}  // namespace berth::api
