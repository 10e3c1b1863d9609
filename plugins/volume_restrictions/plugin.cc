// VolumeRestrictions: rejects nodes where another pod uses a disk that cannot be shared, and all nodes while another
// pod uses a ReadWriteOncePod claim of the pod. Source:
// pkg/scheduler/framework/plugins/volumerestrictions/volume_restrictions.go.
#include <berth/plugin.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "../common/volume_objects.h"
#include "claim_uses.h"
#include "disks.h"

namespace plugins {

using namespace berth::sdk;           // NOLINT: a plugin uses the SDK's names
using namespace volume_restrictions;  // NOLINT: and its own

class VolumeRestrictions {
 public:
  static constexpr Info kInfo{.name = "VolumeRestrictions", .vendor = "berth.dev"};
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_OBJECTS};
  static constexpr uint32_t kDeltas = BERTH_DELTA_PODS;
  static constexpr Interest kInterests[] = {
      {"Pod", BERTH_ACTION_DELETE}, {"Node", BERTH_ACTION_ADD, false}, {"PersistentVolumeClaim", BERTH_ACTION_ADD}};

  explicit VolumeRestrictions(Host& host) : host_(host), objects_(host), uses_(host) {}

  void Activate() { objects_.Activate(); }

  void Deltas(List<berth_delta> deltas) {
    for (const berth_delta& delta : deltas) {
      if (delta.kind == BERTH_DELTA_POD_ADD) uses_.Add(delta.pod);
      if (delta.kind == BERTH_DELTA_POD_REMOVE) uses_.Remove(delta.pod);
    }
  }
  std::string Dump() { return uses_.Dump(); }

  Status PreFilter(Cycle& cycle, const Pod& pod) {
    State state;
    for (const berth_volume& volume : pod.volumes()) {
      if (volume.kind != BERTH_VOLUME_CLAIM) continue;
      const std::string_view name = host_.Text(volume.handle);
      const Object claim = objects_.Claim(pod.ns(), name);
      if (!claim) return Status::Unresolvable(VolumeObjects::ClaimNotFound(name));
      if (!OncePod(claim) || Contains(state.once, volume.handle)) continue;
      state.once.push_back(volume.handle);
      state.conflicts += uses_.Used(pod.ns(), volume.handle) ? 1 : 0;
    }
    if (state.conflicts == 0 && !HasDisk(pod.volumes())) return Status::Skip();
    cycle.Set<State>(std::move(state));
    return Status::Ok();
  }

  Status Filter(Cycle& cycle, const Pod& pod, Rows rows, std::span<berth_verdict> out) {
    const State* state = cycle.Find<State>();
    if (state == nullptr) return Status::Error("cannot read \"PreFilterVolumeRestrictions\" from cycleState");
    const bool disks = HasDisk(pod.volumes());
    rows.ForEachLive([&](uint32_t i, uint32_t row) {
      if (disks && OnRow(cycle, pod, row)) {
        out[i] = Verdict::Unschedulable(cycle.Reasons("node(s) had no available disk"));
      } else if (state->conflicts > 0) {
        out[i] = Verdict::Unschedulable(cycle.Reasons(
            "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by "
            "another pod"));
      }
    });
    return Status::Ok();
  }

  Status AddPod(Cycle& cycle, const Pod&, const Pod& added, Node) { return Change(cycle, added, +1); }
  Status RemovePod(Cycle& cycle, const Pod&, const Pod& removed, Node) { return Change(cycle, removed, -1); }

  bool Hint(Cycle&, const Event& event, const Pod& pod) {
    if (event.interest() == 2) return NamesClaim(host_, pod, event.new_value());
    if (event.interest() != 0) return true;
    const Pod gone = event.old_pod();
    if (!gone) return true;
    if (gone.ns() != pod.ns()) return false;
    return Conflict(pod.volumes(), gone.volumes()) || ShareClaim(pod, gone);
  }

 private:
  struct State {
    std::vector<Id> once;  // the pod's claims with access mode ReadWriteOncePod, without duplicates
    int64_t conflicts = 0;
  };

  static bool Contains(const std::vector<Id>& ids, Id id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }

  static bool OncePod(const Object& claim) {
    const Value modes = claim.At("spec", "accessModes");
    for (uint32_t i = 0; i < modes.size(); ++i) {
      if (modes[i].AsString() == "ReadWriteOncePod") return true;
    }
    return false;
  }

  static bool OnRow(Cycle& cycle, const Pod& pod, uint32_t row) {
    for (const Pod running : cycle.snap().At(row).pods()) {
      if (Conflict(pod.volumes(), running.volumes())) return true;
    }
    return false;
  }

  // Claims are compared by name only, as upstream does: a pod of another namespace with a claim of that name counts
  // too.
  static Status Change(Cycle& cycle, const Pod& changed, int64_t by) {
    State* state = cycle.Find<State>();
    if (state == nullptr) return Status::Error("cannot read \"PreFilterVolumeRestrictions\" from cycleState");
    for (const berth_volume& volume : changed.volumes()) {
      if (volume.kind == BERTH_VOLUME_CLAIM && Contains(state->once, volume.handle)) state->conflicts += by;
    }
    return Status::Ok();
  }

  static bool ShareClaim(const Pod& a, const Pod& b) {
    for (const berth_volume& mine : a.volumes()) {
      if (mine.kind != BERTH_VOLUME_CLAIM) continue;
      for (const berth_volume& theirs : b.volumes()) {
        if (theirs.kind == BERTH_VOLUME_CLAIM && theirs.handle == mine.handle) return true;
      }
    }
    return false;
  }

  Host& host_;
  VolumeObjects objects_;
  ClaimUses uses_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::VolumeRestrictions);
