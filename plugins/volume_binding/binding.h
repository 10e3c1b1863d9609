// Binding a pod's claims: what is written to the API server, and the wait for its controllers to answer. No thread
// waits; a changed object or the deadline ends it. Source: AssumePodVolumes, BindPodVolumes, bindAPIUpdate,
// checkBindings of volumebinding/binder.go.
#pragma once

#include <berth/api.hpp>
#include <berth/json_writer.hpp>
#include <berth/objects.hpp>
#include <berth/plugin.hpp>
#include <berth/tasks.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../common/volume_objects.h"
#include "finder.h"

namespace plugins::volume_binding {

// One object that is to be changed, and was assumed changed.
struct Write {
  berth::sdk::ObjectKind kind = 0;
  std::string resource, ns, name;  // "persistentvolumes" or "persistentvolumeclaims"
  std::string assumed;             // merge patch
  std::string sent;                // the same, bound to the version that was seen
};

// What a pod's attempt holds from Reserve on.
struct Reservation {
  std::string ns, node;
  std::vector<Write> writes;                                 // volumes first
  std::vector<std::pair<std::string, std::string>> statics;  // volume and claim
  std::vector<std::string> provisions;                       // claims
};

// {"metadata": {"resourceVersion", "annotations": {key: value}}, ...rest}
template <class Rest>
std::string PatchOf(std::string_view version, std::string_view key, std::string_view value, Rest&& rest) {
  berth::sdk::JsonWriter out;
  out.BeginObject();
  out.BeginObject("metadata");
  if (!version.empty()) out.Field("resourceVersion", version);
  if (!key.empty()) {
    out.BeginObject("annotations");
    out.Field(key, value);
    out.EndObject();
  }
  out.EndObject();
  rest(out);
  out.EndObject();
  return out.text();
}

class Binder {
 public:
  Binder(berth::sdk::Host& host, const VolumeObjects& objects, std::chrono::nanoseconds patience)
      : objects_(objects), api_(host), tasks_(host), patience_(patience) {}

  // [bind] Writes and waits; ends op when every claim is bound, or with what went wrong.
  void Start(const Reservation& reservation, berth::sdk::Op op) {
    auto job = std::make_shared<Job>(Job{reservation, std::move(op)});
    Send(job, 0);
  }
  // [serial] An object of a needed kind changed.
  void Changed(berth::sdk::ObjectKind kind, const berth::sdk::Object& object) {
    if (waiting_.empty() || (kind != objects_.claims() && kind != objects_.volumes())) return;
    const auto found = waiting_.find(std::string(object.ns()) + "/" + std::string(object.name()));
    if (found == waiting_.end()) return;
    const std::vector<std::shared_ptr<Job>> jobs = found->second;  // Check takes them out
    for (const auto& job : jobs) Check(job);
  }
  // [background] The instance ends: who still waits is told.
  void End() { waiting_.clear(); }

  void Revert(const Reservation& reservation) const { RevertFrom(reservation, 0); }

 private:
  struct Job {
    Reservation what;
    berth::sdk::Op op;
    bool waiting = false;
  };
  using JobRef = std::shared_ptr<Job>;

  void RevertFrom(const Reservation& reservation, size_t first) const {
    for (size_t i = first; i < reservation.writes.size(); ++i) {
      const Write& write = reservation.writes[i];
      objects_.objects().Revert(write.kind, write.ns, write.name);
    }
  }

  // One after the other, as upstream: what comes later is not written when an earlier write fails. [any]
  void Send(const JobRef& job, size_t i) {
    if (i == job->what.writes.size()) {
      tasks_.Post([this, job] { Wait(job); });
      return;
    }
    const Write& write = job->what.writes[i];
    api_.Send(
        {.verb = "PATCH",
         .resource = write.resource,
         .ns = write.ns,
         .name = write.name,
         .content_type = berth::sdk::kMergePatch,
         .body = write.sent},
        [this, job, i](const berth::sdk::ApiReply& reply) {
          if (reply.ok()) return Send(job, i + 1);
          RevertFrom(job->what, i);
          job->op.Done(berth::sdk::Status::Error(std::string(reply.message.empty() ? reply.body : reply.message)));
        });
  }

  // [serial]
  void Wait(const JobRef& job) {
    job->waiting = true;
    for (const std::string& key : KeysOf(job->what)) waiting_[key].push_back(job);
    Check(job);
    if (!job->waiting) return;
    tasks_.Post(patience_, [this, weak = std::weak_ptr<Job>(job)] {
      if (const JobRef late = weak.lock(); late && late->waiting) {
        Finish(late, berth::sdk::Status::Error("binding volumes: context deadline exceeded"));
      }
    });
  }

  static std::vector<std::string> KeysOf(const Reservation& what) {
    std::vector<std::string> keys;
    for (const auto& [volume, claim] : what.statics) {
      keys.push_back("/" + volume);
      keys.push_back(what.ns + "/" + claim);
    }
    for (const std::string& claim : what.provisions) keys.push_back(what.ns + "/" + claim);
    return keys;
  }

  void Finish(const JobRef& job, const berth::sdk::Status& outcome) {
    job->waiting = false;
    for (const std::string& key : KeysOf(job->what)) {
      const auto found = waiting_.find(key);
      if (found == waiting_.end()) continue;
      std::erase(found->second, job);
      if (found->second.empty()) waiting_.erase(found);
    }
    job->op.Done(outcome);
  }

  // [serial] Ends the job when there is something to say.
  void Check(const JobRef& job) {
    if (!job->waiting) return;
    bool all = true;
    std::string wrong;
    for (const auto& [volume, claim] : job->what.statics) all &= CheckStatic(job->what, volume, claim, wrong);
    for (const std::string& claim : job->what.provisions) all &= CheckProvisioned(job->what, claim, wrong);
    if (!wrong.empty()) return Finish(job, berth::sdk::Status::Error("binding volumes: " + wrong));
    if (all) Finish(job, berth::sdk::Status::Ok());
  }

  bool CheckStatic(const Reservation& what, const std::string& volume_name, const std::string& claim_name,
                   std::string& wrong) const {
    const auto volume = objects_.Volume(volume_name);
    const auto claim = objects_.objects().Get(objects_.claims(), what.ns, claim_name);
    if (!volume || !claim) {
      wrong = "failed to check binding: " +
              (volume ? VolumeObjects::ClaimNotFound(claim_name) : VolumeObjects::VolumeNotFound(volume_name));
      return false;
    }
    if (volume.At("spec", "claimRef", "uid").AsString().empty()) {
      wrong = "ClaimRef got reset for pv \"" + volume_name + "\"";
      return false;
    }
    return Finder::FullyBound(claim);
  }

  bool CheckProvisioned(const Reservation& what, const std::string& claim_name, std::string& wrong) const {
    const auto claim = objects_.objects().Get(objects_.claims(), what.ns, claim_name);
    if (!claim) {
      wrong = "failed to check provisioning pvc: " + VolumeObjects::ClaimNotFound(claim_name);
      return false;
    }
    const berth::sdk::Value annotations = claim.At("metadata", "annotations");
    if (annotations.is_null()) {
      wrong = "selectedNode annotation reset for PVC \"" + claim_name + "\"";
    } else if (annotations.Get("volume.kubernetes.io/selected-node").AsString() != what.node) {
      wrong = "provisioning failed for PVC \"" + claim_name + "\"";  // the provisioner asks for another node
    }
    return wrong.empty() && Finder::FullyBound(claim);
  }

  const VolumeObjects& objects_;
  const berth::sdk::Api api_;
  const berth::sdk::Tasks tasks_;
  const std::chrono::nanoseconds patience_;
  std::unordered_map<std::string, std::vector<JobRef>> waiting_;  // by the object that is waited for
};

}  // namespace plugins::volume_binding
