// spec.volumes and spec.resourceClaims.
#include <algorithm>
#include <iterator>

#include "api/protobuf/fields.h"
#include "api/protobuf/read_parts.h"
#include "api/protobuf/read_pod.h"

namespace berth::protobuf {
namespace {

// The kinds of volumes that a plugin reads: their field in VolumeSource, and the fields of their message. 0: none.
struct Source {
  uint32_t number;
  const char* name;
  uint32_t kind;
  uint32_t handle, read_only;
};
using From = fields::VolumeSource;
constexpr Source kSources[] = {
    {From::kPersistentVolumeClaim, "persistentVolumeClaim", BERTH_VOLUME_CLAIM,
     fields::PersistentVolumeClaimVolumeSource::kClaimName, fields::PersistentVolumeClaimVolumeSource::kReadOnly},
    {From::kEphemeral, "ephemeral", BERTH_VOLUME_EPHEMERAL, 0, 0},
    {From::kGcePersistentDisk, "gcePersistentDisk", BERTH_VOLUME_GCE_PD, fields::GCEPersistentDiskVolumeSource::kPdName,
     fields::GCEPersistentDiskVolumeSource::kReadOnly},
    {From::kAwsElasticBlockStore, "awsElasticBlockStore", BERTH_VOLUME_AWS_EBS,
     fields::AWSElasticBlockStoreVolumeSource::kVolumeID, fields::AWSElasticBlockStoreVolumeSource::kReadOnly},
    {From::kAzureDisk, "azureDisk", BERTH_VOLUME_AZURE_DISK, fields::AzureDiskVolumeSource::kDiskURI,
     fields::AzureDiskVolumeSource::kReadOnly},
    {From::kAzureFile, "azureFile", BERTH_VOLUME_AZURE_FILE, fields::AzureFileVolumeSource::kShareName,
     fields::AzureFileVolumeSource::kReadOnly},
    {From::kCinder, "cinder", BERTH_VOLUME_CINDER, fields::CinderVolumeSource::kVolumeID,
     fields::CinderVolumeSource::kReadOnly},
    {From::kPortworxVolume, "portworxVolume", BERTH_VOLUME_PORTWORX, fields::PortworxVolumeSource::kVolumeID,
     fields::PortworxVolumeSource::kReadOnly},
    {From::kVsphereVolume, "vsphereVolume", BERTH_VOLUME_VSPHERE, fields::VsphereVirtualDiskVolumeSource::kVolumePath,
     0},
    {From::kIscsi, "iscsi", BERTH_VOLUME_ISCSI, fields::ISCSIVolumeSource::kIqn, fields::ISCSIVolumeSource::kReadOnly},
    {From::kRbd, "rbd", BERTH_VOLUME_RBD, fields::RBDVolumeSource::kImage, fields::RBDVolumeSource::kReadOnly},
    {From::kCsi, "csi", BERTH_VOLUME_CSI, fields::CSIVolumeSource::kDriver, fields::CSIVolumeSource::kReadOnly},
};

void ReadSource(Message& outer, const Source& source, api::PodDraft& draft) {
  Message message(outer, source.name);
  api::VolumeDraft& volume = draft.volumes.emplace_back();
  volume.kind = source.kind;
  if (source.handle != 0) volume.handle = "";
  const bool rbd = source.kind == BERTH_VOLUME_RBD;
  if (rbd) volume.pool = "";
  while (message.Next()) {
    const uint32_t field = message.field();
    if (field == source.handle) volume.handle = message.Text();
    if (field == source.read_only) volume.read_only = message.Bool();
    if (rbd && field == fields::RBDVolumeSource::kPool) volume.pool = message.Text();
    if (rbd && field == fields::RBDVolumeSource::kMonitors) volume.monitors = ReadTexts(message, draft.monitors);
  }
}

std::string_view ReadImage(Message& outer) {
  Message image(outer, "image");
  std::string_view reference;
  while (image.Next()) {
    if (image.field() == fields::ImageVolumeSource::kReference) reference = image.Text();
  }
  return reference;
}

void ReadSources(Message& outer, api::PodDraft& draft) {
  Message message(outer, nullptr);  // JSON has its fields in the volume
  while (message.Next()) {
    if (message.field() == From::kImage) {
      draft.volume_images.push_back(ReadImage(message));
      continue;
    }
    const auto* source = std::find_if(std::begin(kSources), std::end(kSources),
                                      [&](const Source& one) { return one.number == message.field(); });
    if (source != std::end(kSources)) ReadSource(message, *source, draft);
  }
}

}  // namespace

void ReadVolume(Message& outer, api::PodDraft& draft) {
  Message message(outer, "volumes");
  const size_t first = draft.volumes.size();
  std::string_view name = "";
  while (message.Next()) {
    switch (message.field()) {
      case fields::Volume::kName: name = message.Text(); break;
      case fields::Volume::kVolumeSource: ReadSources(message, draft); break;
    }
  }
  for (size_t i = first; i < draft.volumes.size(); ++i) {
    if (draft.volumes[i].kind == BERTH_VOLUME_EPHEMERAL) draft.volumes[i].name = name;
  }
}

void ReadResourceClaim(Message& outer, std::vector<api::ClaimDraft>& claims) {
  Message message(outer, "resourceClaims", claims.size());
  api::ClaimDraft& claim = claims.emplace_back();
  while (message.Next()) {
    switch (message.field()) {
      case fields::PodResourceClaim::kName: claim.name = message.Text(); break;
      case fields::PodResourceClaim::kResourceClaimName: claim.claim_name = message.Text(); break;
      case fields::PodResourceClaim::kResourceClaimTemplateName: claim.template_name = message.Text(); break;
    }
  }
}

}  // namespace berth::protobuf
