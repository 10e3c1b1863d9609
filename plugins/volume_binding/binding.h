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
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
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
  std::vector<std::pair<std::string, std::string>> labels;   // the node's
  // How many of writes the server took. They stay as assumed until its news come; what follows is reverted.
  std::shared_ptr<std::atomic<size_t>> written = std::make_shared<std::atomic<size_t>>(0);
  // The pod is unreserved: what has not been written is not written any more, and nobody waits.
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
         std::chrono::nanoseconds patience)
      : objects_(objects), taken_over_(taken_over), api_(host), tasks_(host), patience_(patience) {}

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
  // [bind] [serial] The pod is unreserved. A PreBind that has not ended, since the pod was given up meanwhile, ends
  // soon.
  void GiveUp(const Reservation& reservation) {
    reservation.given_up->store(true);
    Revert(reservation);
    tasks_.Post([this, given_up = reservation.given_up] { FinishAll(given_up); });
  }
  // [background] The instance ends: who still waits is told.
  void End() { waiting_.clear(); }

  // [serial] Shows everybody what will be written. The answer is the write that cannot be assumed, with nothing shown;
  // null: all is.
  const Write* Assume(const Reservation& reservation) {
    for (const Write& write : reservation.writes) {
      if (!objects_.objects().Assume(write.kind, write.ns, write.name, write.assumed)) {
        Revert(reservation);
        return &write;
      }
      const std::lock_guard lock(mutex_);
      assumed_by_[KeyOf(write)] = reservation.written.get();
    }
    return nullptr;
  }
  // [any] What the server took stays as assumed until its news come, and so does what another reservation assumed of a
  // newer version since.
  void Revert(const Reservation& reservation) {
    for (size_t i = reservation.written->load(); i < reservation.writes.size(); ++i) {
      const Write& write = reservation.writes[i];
      if (Disown(write, reservation)) objects_.objects().Revert(write.kind, write.ns, write.name);
    }
  }

 private:
  static std::string KeyOf(const Write& write) { return write.ns + "/" + write.name; }
  // [any] Whether it was this reservation that assumed it last.
  bool Disown(const Write& write, const Reservation& reservation) {
    const std::lock_guard lock(mutex_);
    const auto found = assumed_by_.find(KeyOf(write));
    if (found == assumed_by_.end() || found->second != reservation.written.get()) return false;
    assumed_by_.erase(found);
    return true;
  }

  struct Job {
    Reservation what;
    berth::sdk::Op op;
    bool waiting = false;
    std::vector<std::string> keys = {};  // of the objects it waits for, as waiting_ has them
  };
  enum class Progress : uint8_t { kBound, kWaiting, kFailed };
  using JobRef = std::shared_ptr<Job>;

  // One after the other, as upstream: what comes later is not written when an earlier write fails. [any]
  void Send(const JobRef& job, size_t i) {
    if (job->what.given_up->load()) return job->op.Done(GivenUp());
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
          if (reply.ok()) {
            job->what.written->store(i + 1);
            Disown(job->what.writes[i], job->what);
            return Send(job, i + 1);
          }
          // What was assumed is reverted with the reservation.
          job->op.Done(berth::sdk::Status::Error(std::string(reply.message.empty() ? reply.body : reply.message)));
        });
  }

  // [serial]
  void Wait(const JobRef& job) {
    if (job->what.given_up->load()) return job->op.Done(GivenUp());
    job->waiting = true;
    for (const std::string& key : KeysOf(job->what)) Watch(job, key);
    Check(job);
    if (!job->waiting) return;
    tasks_.Post(patience_, [this, weak = std::weak_ptr<Job>(job)] {
      if (const JobRef late = weak.lock(); late && late->waiting) {
        Finish(late, berth::sdk::Status::Error("binding volumes: context deadline exceeded"));
      }
    });
  }

  static berth::sdk::Status GivenUp() { return berth::sdk::Status::Error("binding volumes: context canceled"); }
  // [serial] Of one reservation.
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
    job->op.Done(outcome);
  }

  // [serial] Ends the job when there is something to say.
  void Check(const JobRef& job) {
    if (!job->waiting) return;
    std::string wrong;
    switch (CheckAll(job, wrong)) {
      case Progress::kBound: return Finish(job, berth::sdk::Status::Ok());
      case Progress::kFailed: return Finish(job, berth::sdk::Status::Error("binding volumes: " + wrong));
      case Progress::kWaiting: return;
    }
  }
  // In order: what comes after a claim that is not bound yet is not looked at.
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
  // The volume may turn out not to reach the node: it was made, or changed, after the node was chosen.
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
      wrong = "provisioning failed for PVC \"" + claim_name + "\"";  // the provisioner asks for another node
    }
    if (!wrong.empty()) return Progress::kFailed;
    if (const std::string volume_name(VolumeObjects::VolumeNameOf(claim)); !volume_name.empty()) {
      const auto volume = objects_.Volume(volume_name);
      if (!volume) {  // the claim's news came first
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
  const std::chrono::nanoseconds patience_;
  std::unordered_map<std::string, std::vector<JobRef>> waiting_;  // by the object that is waited for
  std::mutex mutex_;                                              // of what follows
  std::unordered_map<std::string, const void*> assumed_by_;       // by object: a reservation's `written`
};

}  // namespace plugins::volume_binding
