// VolumeBinding: rejects nodes that the pod's volumes do not reach, and binds the claims that wait for a node before
// the pod is bound. Source: pkg/scheduler/framework/plugins/volumebinding/{volume_binding,binder}.go.
#include <berth/metrics.hpp>
#include <berth/plugin.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "../common/volume_objects.h"
#include "binding.h"
#include "finder.h"
#include "judge.h"

namespace plugins {

using namespace berth::sdk;      // NOLINT: a plugin uses the SDK's names
using namespace volume_binding;  // NOLINT: and its own

struct VolumeBindingArgs {
  int64_t bind_timeout_seconds = 600;

  static VolumeBindingArgs Read(ArgsReader& in) {
    VolumeBindingArgs args;
    in.Get("bindTimeoutSeconds", args.bind_timeout_seconds);
    return args;
  }
};

class VolumeBinding {
 public:
  static constexpr Info kInfo{.name = "VolumeBinding", .vendor = "berth.dev", .flags = BERTH_F_NEVER_BLOCKS};
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_API, BERTH_SERVICE_MATCHING, BERTH_SERVICE_OBJECTS,
                                                BERTH_SERVICE_TASKS};
  static constexpr std::string_view kUses[] = {BERTH_SERVICE_METRICS};
  // The host stores the assumptions about claims and volumes.
  static constexpr bool kHoldsNoAttempts = true;
  static constexpr Interest kInterests[] = {
      {"storage.k8s.io/StorageClass", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE},
      {"PersistentVolumeClaim", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE},
      {"PersistentVolume", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE, false},
      {"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_LABEL, false},
      {"storage.k8s.io/CSINode", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE},
      {"storage.k8s.io/CSIDriver", BERTH_ACTION_UPDATE},
      {"storage.k8s.io/CSIStorageCapacity", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE}};

  explicit VolumeBinding(Host& host)
      : host_(host),
        errors_(Metrics(host).KubeCounters(BERTH_KUBE_VOLUME_STAGE_ERRORS)),
        finder_(host),
        binder_(host, finder_.objects(), finder_.taken_over(),
                std::chrono::seconds(ReadArgs<VolumeBindingArgs>(host).bind_timeout_seconds), errors_) {}

  void Activate() { finder_.Activate(); }
  void Deactivate() { binder_.End(); }

  void ObjectChanged(ObjectKind kind, Object before, Object now) {
    finder_.Changed(kind, before, now);
    binder_.Changed(kind, now ? now : before);
  }

  Status PreFilter(Cycle& cycle, const Pod& pod) {
    PodClaims claims;
    Status status = finder_.Find(pod, claims);
    if (status.ok()) cycle.Set<PodClaims>(std::move(claims));
    return status;
  }

  Status Filter(Cycle& cycle, const Pod&, Rows rows, std::span<berth_verdict> out) {
    const PodClaims* claims = cycle.Find<PodClaims>();
    if (claims == nullptr) return Status::Error("not found");
    bool failed = false;
    rows.ForEachLive([&](uint32_t i, uint32_t row) {
      const Plan plan = PlanFor(cycle, *claims, row);
      if (!plan.error.empty()) {
        failed = true;
        out[i] = Verdict::Error(cycle.Reasons({plan.error}));
      } else if (plan.reasons != 0) {
        out[i] = Verdict::Unresolvable(cycle.Reasons(TextsOf(plan.reasons)));
      }
    });
    if (failed) errors_.At({"predicate"}).Add();  // once: upstream stops at the first node with an error
    return Status::Ok();
  }

  // Capacity is scored only with the gate StorageCapacityScoring, which is off.
  Status PreScore(Cycle&, const Pod&, Rows) { return Status::Skip(); }
  Status Score(Cycle&, const Pod&, Rows, std::span<int64_t> out) {
    out[0] = 0;
    return Status::Uniform();
  }

  // Computes Filter's result again for the one node; nothing changes within a cycle.
  Status Reserve(Cycle& cycle, const Pod& pod, Id node) {
    const PodClaims* claims = cycle.Find<PodClaims>();
    if (claims == nullptr || claims->waiting.empty()) return Status::Ok();
    const std::optional<uint32_t> row = cycle.snap().RowOf(node);
    if (!row) return Status::Error("node \"" + std::string(host_.Text(node)) + "\" not found");
    const Plan plan = PlanFor(cycle, *claims, *row);
    Reservation& reservation = cycle.SetAttempt<Reservation>();
    reservation.ns = host_.Text(pod.ns());
    reservation.node = host_.Text(node);
    for (const berth_kv& label : cycle.snap().At(*row).view().labels())
      reservation.labels.emplace_back(host_.Text(label.key), host_.Text(label.value));
    for (const Plan::Static& chosen : plan.statics)
      AddStatic(claims->waiting[chosen.claim], *chosen.volume, reservation);
    for (const size_t i : plan.provisions) AddProvision(claims->waiting[i], reservation);
    if (const Write* failed = binder_.Assume(reservation)) {
      errors_.At({"assume"}).Add();
      return Status::Error("could not assume " + failed->resource + " \"" + failed->name + "\"");
    }
    return Status::Ok();
  }
  void Unreserve(Cycle& cycle, const Pod&, Id) {
    if (const Reservation* reservation = cycle.FindAttempt<Reservation>()) binder_.GiveUp(*reservation);
  }

  Status PreFlight(Cycle& cycle, const Pod&, Id) {
    return cycle.FindAttempt<Reservation>() == nullptr ? Status::Skip() : Status::Ok();
  }
  Status PreBind(Cycle& cycle, const Pod&, Id, Op& op) {
    const Reservation* reservation = cycle.FindAttempt<Reservation>();
    if (reservation == nullptr) return Status::Ok();
    binder_.Start(*reservation, std::move(op));
    return Status::Later();
  }

  bool Hint(Cycle&, const Event& event, const Pod& pod) {
    const Value before = event.old_value(), now = event.new_value();
    switch (event.interest()) {
      case 0: return before.is_null() || !Same(before.Get("allowedTopologies"), now.Get("allowedTopologies"));
      case 1: return NamesClaim(host_, pod, now, Ephemeral::kCounted);
      case 4: return before.is_null() || Migrated(before) != Migrated(now);
      case 5: return StopsCounting(before, now) && HasInline(pod, now.Get("metadata").Get("name").AsString());
      case 6: return before.is_null() || Grew(before, now);
      default: return true;
    }
  }

 private:
  Plan PlanFor(Cycle& cycle, const PodClaims& claims, uint32_t row) const {
    const NodeView node = cycle.snap().At(row).view();
    const Labels labels = node.labels();
    const auto affinity = [&](const berth_node_affinity& required) {
      return host_.Selectors().MatchNode(node, required);
    };
    const auto selector = [&](const berth_selector& nodes) { return finder_.matching().Matches(&nodes, node->labels); };
    const auto label_of = [&](std::string_view key) -> std::optional<std::string_view> {
      for (const berth_kv& label : labels) {
        if (host_.Text(label.key) == key) return host_.Text(label.value);
      }
      return std::nullopt;
    };
    const auto taken_over = [&](const BoundVolume& volume) -> std::optional<bool> {
      if (!finder_.taken_over().On(host_.Text(node.name()), *volume.in_tree)) return std::nullopt;
      return Matches(volume.taken_over, label_of);
    };
    return NodeJudge(host_.Text(node.name()), labels, affinity, selector, taken_over).Judge(claims);
  }

  static std::vector<std::string> TextsOf(uint32_t reasons) {
    std::vector<std::string> texts;
    if ((reasons & kNodeConflict) != 0) texts.emplace_back("node(s) didn't match PersistentVolume's node affinity");
    if ((reasons & kBindConflict) != 0) texts.emplace_back("node(s) didn't find available persistent volumes to bind");
    if ((reasons & kNotEnoughSpace) != 0) texts.emplace_back("node(s) did not have enough free storage");
    if ((reasons & kVolumeMissing) != 0)
      texts.emplace_back("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)");
    return texts;
  }

  // The volume gets a claimRef and the annotation that the controller set it. A volume that names the claim already
  // does not change.
  void AddStatic(const WaitingClaim& claim, const Candidate& volume, Reservation& reservation) const {
    reservation.statics.emplace_back(volume.name, claim.name);
    const auto ref = [&](JsonWriter& out) {
      out.BeginObject("spec");
      out.BeginObject("claimRef");
      out.Field("kind", std::string_view("PersistentVolumeClaim"));
      out.Field("namespace", reservation.ns);
      out.Field("name", claim.name);
      out.Field("uid", claim.uid);
      out.Field("apiVersion", std::string_view("v1"));
      out.Field("resourceVersion", claim.resource_version);
      out.EndObject();
      out.EndObject();
    };
    const std::string_view mark =
        volume.bound_to_claim || volume.marked_by_controller ? "" : "pv.kubernetes.io/bound-by-controller";
    reservation.writes.push_back({
        finder_.objects().volumes(),
        "persistentvolumes",
        "",
        volume.name,
        PatchOf("", mark, "yes", ref),
        PatchOf(volume.resource_version, mark, "yes", ref),
    });
  }
  // The claim gets the node's name, for which its provisioner waits.
  void AddProvision(const WaitingClaim& claim, Reservation& reservation) const {
    reservation.provisions.push_back(claim.name);
    const auto nothing = [](JsonWriter&) {};
    reservation.writes.push_back({finder_.objects().claims(), "persistentvolumeclaims", reservation.ns, claim.name,
                                  PatchOf("", kSelectedNode, reservation.node, nothing),
                                  PatchOf(claim.resource_version, kSelectedNode, reservation.node, nothing)});
  }

  // ---- events ----

  static std::string_view Migrated(const Value& csi_node) {
    return csi_node.Get("metadata").Get("annotations").Get("storage.alpha.kubernetes.io/migrated-plugins").AsString();
  }
  static bool StopsCounting(const Value& before, const Value& now) {
    return before.Get("spec").Get("storageCapacity").AsBool() && !now.Get("spec").Get("storageCapacity").AsBool();
  }
  bool HasInline(const Pod& pod, std::string_view driver) const {
    for (const berth_volume& volume : pod.volumes()) {
      if (volume.kind == BERTH_VOLUME_CSI && host_.Text(volume.handle) == driver) return true;
    }
    return false;
  }
  bool Grew(const Value& before, const Value& now) const {
    const auto had = finder_.LimitOf(before), has = finder_.LimitOf(now);
    return has && (!had || *has > *had);
  }
  // Whether two documents are equal.
  static bool Same(const Value& a, const Value& b) {
    if (a.size() != b.size() || a.is_object() != b.is_object() || a.AsString() != b.AsString()) return false;
    for (uint32_t i = 0; i < a.size(); ++i) {
      const bool same = a.is_object() ? Same(a[i], b.Get(a.KeyAt(i))) : Same(a[i], b[i]);
      if (!same) return false;
    }
    return true;
  }

  Host& host_;
  const MetricFamily<Counter> errors_;  // by operation, as in binder.go
  Finder finder_;
  Binder binder_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::VolumeBinding);
