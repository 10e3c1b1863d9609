// Inline disks of pods, and the conflicts between two pods that use the same disk on one node. Source: isVolumeConflict
// of pkg/scheduler/framework/plugins/volumerestrictions/volume_restrictions.go. Pure logic; thread: any.
#pragma once

#include <berth/plugin.hpp>

namespace plugins::volume_restrictions {

using berth::sdk::List;

// Whether the volume is a disk that can conflict.
inline bool IsDisk(const berth_volume& volume) {
  return volume.kind == BERTH_VOLUME_GCE_PD || volume.kind == BERTH_VOLUME_AWS_EBS || volume.kind == BERTH_VOLUME_RBD ||
         volume.kind == BERTH_VOLUME_ISCSI;
}

inline bool HasDisk(List<berth_volume> volumes) {
  for (const berth_volume& volume : volumes) {
    if (IsDisk(volume)) return true;
  }
  return false;
}

// One common monitor means the same cluster.
inline bool ShareMonitor(const berth_volume& a, const berth_volume& b) {
  for (const berth::sdk::Id mine : List<berth::sdk::Id>(a.monitors)) {
    for (const berth::sdk::Id theirs : List<berth::sdk::Id>(b.monitors)) {
      if (mine == theirs) return true;
    }
  }
  return false;
}

inline bool Conflict(const berth_volume& a, const berth_volume& b) {
  if (a.kind != b.kind || !IsDisk(a) || a.handle != b.handle) return false;
  // EBS disks conflict even if both pods only read them.
  if (a.kind == BERTH_VOLUME_AWS_EBS) return true;
  if ((a.flags & b.flags & BERTH_VOLUME_READ_ONLY) != 0) return false;
  return a.kind != BERTH_VOLUME_RBD || (a.pool == b.pool && ShareMonitor(a, b));
}

inline bool Conflict(List<berth_volume> a, List<berth_volume> b) {
  for (const berth_volume& mine : a) {
    if (!IsDisk(mine)) continue;
    for (const berth_volume& theirs : b) {
      if (Conflict(mine, theirs)) return true;
    }
  }
  return false;
}

}  // namespace plugins::volume_restrictions
