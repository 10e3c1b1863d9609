// Binds a pod's claims: writes to the API server and waits for its controllers. No thread waits; a changed object or
// the deadline ends the wait. Source: AssumePodVolumes, BindPodVolumes, bindAPIUpdate, checkBindings of
// volumebinding/binder.go.
#pragma once

#include <berth/api.hpp>
#include <berth/json_writer.hpp>
#include <berth/metrics.hpp>
#include <berth/mutex.hpp>
#include <berth/objects.hpp>
#include <berth/plugin.hpp>
#include <berth/tasks.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../common/volume_objects.h"
#include "finder.h"
#include "taken_over.h"

namespace plugins::volume_binding {

inline constexpr std::string_view kSelectedNode = "volume.kubernetes.io/selected-node";

// One object to write, whose change is assumed.
struct Write {
  berth::sdk::ObjectKind kind = 0;
  std::string resource, ns, name;  // "persistentvolumes" or "persistentvolumeclaims"
  std::string assumed;             // merge patch
  std::string sent;                // the same, for the version that was read
};

// The state of a pod's attempt from Reserve on.
struct Reservation {
  std::string ns, node;
  std::vector<Write> writes;                                 // volumes first
  std::vector<std::pair<std::string, std::string>> statics;  // volume and claim
  std::vector<std::string> provisions;                       // claims
  std::vector<std::pair<std::string, std::string>> labels;   // the node's
  // The number of writes that the server accepted. They stay assumed until their events arrive; the others are
  // reverted.
  std::shared_ptr<std::atomic<size_t>> written = std::make_shared<std::atomic<size_t>>(0);
  // The pod is unreserved: the remaining writes are not sent, and the wait ends.
  std::shared_ptr<std::atomic<bool>> given_up = std::make_shared<std::atomic<bool>>(false);
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
  Binder(berth::sdk::Host& host, const VolumeObjects& objects, const TakenOver& taken_over,
         std::chrono::nanoseconds timeout, const berth::sdk::MetricFamily<berth::sdk::Counter>& errors)
      : objects_(objects), taken_over_(taken_over), api_(host), tasks_(host), timeout_(timeout), errors_(errors) {}

  // [bind] Sends the writes and waits. Ends op when every claim is bound, or with an error.
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
  // [bind] [serial] The pod is unreserved. A PreBind that is still open, because the pod was given up, ends soon.
  void GiveUp(const Reservation& reservation) {
    reservation.given_up->store(true);
    Revert(reservation);
    tasks_.Post([this, given_up = reservation.given_up] { FinishAll(given_up); });
  }
  // [background] The instance ends: open operations end too.
  void End() { waiting_.clear(); }

  // [serial] Assumes all writes. Returns the write that cannot be assumed, in which case nothing is assumed; null:
  // success.
  const Write* Assume(const Reservation& reservation) {
    for (const Write& write : reservation.writes) {
      if (!objects_.objects().Assume(write.kind, write.ns, write.name, write.assumed)) {
        Revert(reservation);
        return &write;
      }
      const berth::sdk::MutexLock lock(mutex_);
      assumed_by_[KeyOf(write)] = reservation.written.get();
    }
    return nullptr;
  }
  // [any] Reverts assumptions, except for those that the server accepted and whose events are pending, and those that
  // another reservation assumed of a newer version.
  void Revert(const Reservation& reservation) {
    for (size_t i = reservation.written->load(); i < reservation.writes.size(); ++i) {
      const Write& write = reservation.writes[i];
      if (Disown(write, reservation)) objects_.objects().Revert(write.kind, write.ns, write.name);
    }
  }

 private:
  static std::string KeyOf(const Write& write) { return write.ns + "/" + write.name; }
  // [any] Whether this reservation was the last one to assume it.
  bool Disown(const Write& write, const Reservation& reservation) {
    const berth::sdk::MutexLock lock(mutex_);
    const auto found = assumed_by_.find(KeyOf(write));
    if (found == assumed_by_.end() || found->second != reservation.written.get()) return false;
    assumed_by_.erase(found);
    return true;
  }

  struct Job {
    Reservation what;
    berth::sdk::Op op;
    bool waiting = false;
    std::vector<std::string> keys = {};  // of the objects it waits for, as in waiting_
  };
  enum class Progress : uint8_t { kBound, kWaiting, kFailed };
  using JobRef = std::shared_ptr<Job>;

  // [any] Sends the writes one after the other, as upstream. If a write fails, the later ones are not sent.
  void Send(const JobRef& job, size_t i) {
    if (job->what.given_up->load()) return EndOp(job, GivenUp());
    if (i == job->what.writes.size()) {
      tasks_.Post([this, job] { Wait(job); });
      return;
    }
    const Write& write = job->what.writes[i];
    api_.Send({.verb = "PATCH",
               .resource = write.resource,
               .ns = write.ns,
               .name = write.name,
               .content_type = berth::sdk::kMergePatch,
               .body = write.sent},
              [this, job, i](const berth::sdk::ApiReply& reply) {
                if (reply.ok()) {
                  job->what.written->store(i + 1);
                  Disown(job->what.writes[i], job->what);
                  return Send(job, i + 1);
                }
                // The reservation reverts the assumptions.
                EndOp(job, berth::sdk::Status::Error(std::string(reply.message.empty() ? reply.body : reply.message)));
              });
  }

  // [serial]
  void Wait(const JobRef& job) {
    if (job->what.given_up->load()) return EndOp(job, GivenUp());
    job->waiting = true;
    for (const std::string& key : KeysOf(job->what)) Watch(job, key);
    Check(job);
    if (!job->waiting) return;
    tasks_.Post(timeout_, [this, weak = std::weak_ptr<Job>(job)] {
      if (const JobRef late = weak.lock(); late && late->waiting) {
        Finish(late, berth::sdk::Status::Error("binding volumes: context deadline exceeded"));
      }
    });
  }

  static berth::sdk::Status GivenUp() { return berth::sdk::Status::Error("binding volumes: context canceled"); }
  // [serial] Ends all jobs of one reservation.
  void FinishAll(const std::shared_ptr<std::atomic<bool>>& given_up) {
    std::vector<JobRef> jobs;
    for (const auto& [key, waiting] : waiting_) {
      for (const JobRef& job : waiting) {
        if (job->what.given_up == given_up) jobs.push_back(job);
      }
    }
    for (const JobRef& job : jobs) {
      if (job->waiting) Finish(job, GivenUp());
    }
  }

  void Watch(const JobRef& job, const std::string& key) {
    if (std::find(job->keys.begin(), job->keys.end(), key) != job->keys.end()) return;
    job->keys.push_back(key);
    waiting_[key].push_back(job);
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
    for (const std::string& key : job->keys) {
      const auto found = waiting_.find(key);
      if (found == waiting_.end()) continue;
      std::erase(found->second, job);
      if (found->second.empty()) waiting_.erase(found);
    }
    EndOp(job, outcome);
  }

  // [any]
  void EndOp(const JobRef& job, const berth::sdk::Status& outcome) const {
    if (!outcome.ok()) errors_.At({"bind"}).Add();
    job->op.Done(outcome);
  }

  // [serial] Ends the job if its claims are bound or an error occurred.
  void Check(const JobRef& job) {
    if (!job->waiting) return;
    std::string wrong;
    switch (CheckAll(job, wrong)) {
      case Progress::kBound: return Finish(job, berth::sdk::Status::Ok());
      case Progress::kFailed: return Finish(job, berth::sdk::Status::Error("binding volumes: " + wrong));
      case Progress::kWaiting: return;
    }
  }
  // In order: claims after an unbound one are not checked.
  Progress CheckAll(const JobRef& job, std::string& wrong) {
    for (const auto& [volume, claim] : job->what.statics) {
      if (const Progress one = CheckStatic(job->what, volume, claim, wrong); one != Progress::kBound) return one;
    }
    for (const std::string& claim : job->what.provisions) {
      if (const Progress one = CheckProvisioned(job, claim, wrong); one != Progress::kBound) return one;
    }
    return Progress::kBound;
  }
  static Progress BoundOrWaiting(const berth::sdk::Object& claim) {
    return Finder::FullyBound(claim) ? Progress::kBound : Progress::kWaiting;
  }
  // The volume may not reach the node, because it was created or changed after the node was chosen.
  bool Reaches(const Reservation& what, const berth::sdk::Object& volume, std::string& wrong) const {
    const auto label = [&what](std::string_view key) -> std::optional<std::string_view> {
      for (const auto& [name, value] : what.labels) {
        if (name == key) return value;
      }
      return std::nullopt;
    };
    if (Matches(taken_over_.TermsOn(what.node, volume), label)) return true;
    wrong = "pv \"" + std::string(volume.name()) + "\" node affinity doesn't match node \"" + what.node +
            "\": no matching NodeSelectorTerms";
    return false;
  }

  Progress CheckStatic(const Reservation& what, const std::string& volume_name, const std::string& claim_name,
                       std::string& wrong) const {
    const auto volume = objects_.Volume(volume_name);
    const auto claim = objects_.objects().Get(objects_.claims(), what.ns, claim_name);
    if (!volume || !claim) {
      wrong = "failed to check binding: " +
              (volume ? VolumeObjects::ClaimNotFound(claim_name) : VolumeObjects::VolumeNotFound(volume_name));
      return Progress::kFailed;
    }
    if (!Reaches(what, volume, wrong)) return Progress::kFailed;
    if (volume.At("spec", "claimRef", "uid").AsString().empty()) {
      wrong = "ClaimRef got reset for pv \"" + volume_name + "\"";
      return Progress::kFailed;
    }
    return BoundOrWaiting(claim);
  }

  Progress CheckProvisioned(const JobRef& job, const std::string& claim_name, std::string& wrong) {
    const Reservation& what = job->what;
    const auto claim = objects_.objects().Get(objects_.claims(), what.ns, claim_name);
    if (!claim) {
      wrong = "failed to check provisioning pvc: " + VolumeObjects::ClaimNotFound(claim_name);
      return Progress::kFailed;
    }
    const berth::sdk::Value annotations = claim.At("metadata", "annotations");
    if (annotations.is_null()) {
      wrong = "selectedNode annotation reset for PVC \"" + claim_name + "\"";
    } else if (annotations.Get(kSelectedNode).AsString() != what.node) {
      wrong = "provisioning failed for PVC \"" + claim_name + "\"";  // the provisioner requests another node
    }
    if (!wrong.empty()) return Progress::kFailed;
    if (const std::string volume_name(VolumeObjects::VolumeNameOf(claim)); !volume_name.empty()) {
      const auto volume = objects_.Volume(volume_name);
      if (!volume) {  // the event of the claim arrived first
        Watch(job, "/" + volume_name);
        return Progress::kWaiting;
      }
      if (!Reaches(what, volume, wrong)) return Progress::kFailed;
    }
    return BoundOrWaiting(claim);
  }

  const VolumeObjects& objects_;
  const TakenOver& taken_over_;
  const berth::sdk::Api api_;
  const berth::sdk::Tasks tasks_;
  const std::chrono::nanoseconds timeout_;
  const berth::sdk::MetricFamily<berth::sdk::Counter> errors_;    // by operation
  std::unordered_map<std::string, std::vector<JobRef>> waiting_;  // [serial]; by the object that they wait for
  berth::sdk::Mutex mutex_;
  std::unordered_map<std::string, const void*> assumed_by_
      BERTH_GUARDED_BY(mutex_);  // by object: the `written` of a reservation
};

}  // namespace plugins::volume_binding
