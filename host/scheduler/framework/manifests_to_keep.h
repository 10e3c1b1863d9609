// The manifests that sources must keep, because the extenders of a generation receive whole objects. Thread: any.
#pragma once

#include "api/manifest.h"
#include "scheduler/framework/profile.h"

namespace berth::framework {

struct ManifestsToKeep {
  api::KeepManifest pods = api::KeepManifest::kNo, nodes = api::KeepManifest::kNo;
};

inline ManifestsToKeep ManifestsFor(const ExtenderList& extenders) {
  ManifestsToKeep keep;
  for (const auto& one : extenders) {
    const bool judges = one->has_filter() || one->has_prioritize();
    const bool whole_victims = one->has_preempt() && one->needs_manifests();
    if (judges && one->needs_manifests()) keep.nodes = api::KeepManifest::kYes;
    if (whole_victims) {
      keep.pods = api::KeepManifest::kYes;
    } else if ((judges || one->has_preempt()) && keep.pods == api::KeepManifest::kNo) {
      keep.pods = api::KeepManifest::kOfUnbound;
    }
  }
  return keep;
}

}  // namespace berth::framework
