// Evicts victims while other pods are scheduled: nothing here waits for the API server.
// Source: k8s.io/kubernetes pkg/scheduler/framework/preemption/executor.go (prepareCandidateAsync, PreemptPod).
//
// Each preemptor has one job. It evicts all victims but the last at the same time, and the last one afterwards, so that
// the preemptor is not tried before it can fit; until then, PreEnqueue keeps the preemptor out of the queue. If the
// eviction of a victim fails, the preemptor is tried again at once.
//
// Metrics, if the host has the service: those of kube-scheduler's executor. Its duration and result of a preemption are
// always 0 and "success", because Go evaluates the arguments of a deferred call at once; these are the real ones.
//
// Threads: Start [serial]; replies come on any thread; for the rest, see each function. The plugin owns the object and
// calls Close in Deactivate; the host answers requests in flight before it destroys the plugin.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "berth/api.hpp"
#include "berth/metrics.hpp"
#include "berth/mutex.hpp"
#include "berth/nominate.hpp"
#include "berth/preemption/requests.hpp"
#include "berth/preemption/victims.hpp"
#include "berth/tasks.hpp"

namespace berth::sdk::preemption {

class Executor {
 public:
  // In the plugin's constructor.
  explicit Executor(const Host& host)
      : host_(&host), api_(host), tasks_(host), nominations_(host), metrics_(Metrics(host)) {}
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // [serial] victims: the most important first. It skips victims that are already terminating; if all are, it does
  // nothing.
  void Start(const Pod& preemptor, Id node, std::span<const Victim> victims) {
    auto job = std::make_shared<Job>();
    for (const Victim& victim : victims) {
      if (victim.pod->deletion_unix_ns == BERTH_NO_TIME) job->victims.emplace_back(api_, victim.pod);
    }
    if (job->victims.empty()) return;
    metrics_.victims.Observe(
        static_cast<double>(victims.size()));  // including the victims that are already terminating, as upstream
    job->started_unix_ns = tasks_.WallUnixNs();
    job->preemptor = KeptPod(api_, preemptor);
    job->node = host_->Text(node);
    job->others = static_cast<uint32_t>(job->victims.size() - 1);
    {
      const MutexLock lock(mutex_);
      jobs_[std::string(preemptor.uid())] = job;
    }
    host_->V(2).Info("Preempting pods", {{"preemptor", preemptor.name()},
                                         {"namespace", host_->Text(preemptor.ns())},
                                         {"node", job->node},
                                         {"victims", job->victims.size()}});
    ClearNominations(preemptor, node);
    const uint32_t others = job->others;  // a copy, because the loop decreases the original
    for (uint32_t i = 0; i < others; ++i) Preempt(job, i);
    if (others == 0) PreemptLast(job);
  }

  // [any] Whether the pod must wait, because requests to evict its victims are still open.
  bool Running(std::string_view preemptor_uid) {
    const MutexLock lock(mutex_);
    if (jobs_.empty()) return false;
    const auto at = jobs_.find(std::string(preemptor_uid));
    if (at == jobs_.end()) return false;
    // The last victim may already be deleted before its reply arrives: no other event would wake the preemptor.
    (at->second->last ? at->second->turned_away_at_last : at->second->turned_away_before) = true;
    return true;
  }

  // [background] Sends no new requests from now on.
  void Close() { closed_ = true; }

 private:
  struct Job {
    KeptPod preemptor;
    std::vector<KeptPod> victims;
    std::string node;
    int64_t started_unix_ns = 0;
    std::atomic<uint32_t> others = 0;  // victims before the last one that are not finished
    std::atomic<bool> failed = false;
    // Under mutex_ of the executor, which the analysis cannot see here.
    bool last = false;                                             // the eviction of the last victim has begun
    bool turned_away_before = false, turned_away_at_last = false;  // Running returned true before, or since then
  };
  enum class Eviction {
    kDone,    // the pod is terminating, or has given up its node: an event follows
    kGone,    // the pod no longer exists: its event may have come before
    kFailed,  // the pod stays
  };
  using JobRef = std::shared_ptr<Job>;

  struct Recorded {
    explicit Recorded(const Metrics& metrics)
        : victims(metrics.KubeHistograms(BERTH_KUBE_PREEMPTION_VICTIMS).At({})),
          seconds(metrics.KubeHistograms(BERTH_KUBE_PREEMPTION_DURATION)),
          executions(metrics.KubeCounters(BERTH_KUBE_PREEMPTION_EXECUTIONS)) {}
    Histogram victims;
    MetricFamily<Histogram> seconds;
    MetricFamily<Counter> executions;
  };

  // Pods of lower priority that are nominated to this node may no longer fit, so their nominations are removed.
  void ClearNominations(const Pod& preemptor, Id node) const {
    for (const Pod pod : nominations_.OfNode(node)) {
      if (pod.priority() < preemptor.priority() && pod.uid() != preemptor.uid()) nominations_.Clear(pod);
    }
  }

  void Preempt(const JobRef& job, uint32_t i) {
    const Pod& victim = job->victims[i];
    if (nominations_.GiveUp(victim.uid(), "preempted")) {  // it is not on the node yet: there is nothing to delete
      Tell(*job, victim, " (in kube-scheduler memory).");
      return Through(job, i, Eviction::kDone);
    }
    if ((victim->has & BERTH_POD_HAS_PREEMPTED) != 0) return Delete(job, i);
    Mark(job, i, 0);
  }

  // Writes the condition that shows controllers and users why the pod is evicted.
  void Mark(const JobRef& job, uint32_t i, uint32_t tries) {
    if (closed_) return;
    const Pod& victim = job->victims[i];
    const std::string body = DisruptionPatch(victim.uid(), victim.generation(),
                                             host_->Text(job->preemptor.get()->scheduler_name), tasks_.WallUnixNs());
    ApiRequest request = About(victim, "PATCH");
    request.subresource = "status";
    request.content_type = kStrategicMergePatch;
    request.body = body;
    api_.Send(request, [this, job, i, tries](const ApiReply& reply) {
      if (closed_) return;
      if (reply.ok()) return Delete(job, i);
      if (reply.NotFound()) return Through(job, i, Eviction::kGone);
      if (tries < kPauses.size() && MayHelpToTryAgain(reply)) {
        return tasks_.Post(kPauses[tries], [this, job, i, tries] { Mark(job, i, tries + 1); });
      }
      if (reply.Conflict()) return Through(job, i, Eviction::kGone);  // another pod now has its name
      Complain(*job, i, "The condition of a pod to be preempted could not be written", reply);
      Through(job, i, Eviction::kFailed);
    });
  }

  void Delete(const JobRef& job, uint32_t i) {
    if (closed_) return;
    const Pod& victim = job->victims[i];
    const std::string body = DeleteOptions(victim.uid());
    ApiRequest request = About(victim, "DELETE");
    request.content_type = kJsonBody;
    request.body = body;
    api_.Send(request, [this, job, i](const ApiReply& reply) {
      if (closed_) return;
      if (reply.NotFound() || reply.Conflict()) return Through(job, i, Eviction::kGone);
      if (!reply.ok()) {
        Complain(*job, i, "A pod to be preempted could not be deleted", reply);
        return Through(job, i, Eviction::kFailed);
      }
      Tell(*job, job->victims[i], "");
      Through(job, i, Eviction::kDone);
    });
  }

  // The eviction of a victim has ended.
  void Through(const JobRef& job, uint32_t i, Eviction how) {
    if (how == Eviction::kFailed) job->failed = true;
    if (i + 1 == job->victims.size()) return Finish(job, how);
    if (--job->others > 0) return;
    // If one victim stays, evicting the last one makes no sense: the preemptor must search again.
    job->failed ? Finish(job, Eviction::kFailed) : PreemptLast(job);
  }
  void PreemptLast(const JobRef& job) {
    {
      const MutexLock lock(mutex_);
      job->last = true;
    }
    Preempt(job, static_cast<uint32_t>(job->victims.size() - 1));
  }
  // last: how the eviction of the last victim has ended. If that victim no longer existed, the events of all victims
  // may have come while the preemptor was gated, for example because two preemptors chose the same victim.
  void Finish(const JobRef& job, Eviction last) {
    Record(*job);
    std::string uid(job->preemptor.get().uid());
    bool wake = job->failed;
    {
      const MutexLock lock(mutex_);
      wake = wake || job->turned_away_at_last || (last == Eviction::kGone && job->turned_away_before);
      const auto at = jobs_.find(uid);
      if (at != jobs_.end() && at->second == job) jobs_.erase(at);
    }
    if (wake) tasks_.Post([this, uid = std::move(uid)] { tasks_.Activate(uid); });
  }

  void Record(const Job& job) const {
    const char* result = job.failed ? "error" : "success";
    const int64_t ns = tasks_.WallUnixNs() - job.started_unix_ns;  // below 0 if the clock was set back
    metrics_.seconds.At({result}).Observe(ns < 0 ? 0 : static_cast<double>(ns) / 1e9);
    metrics_.executions.At({result}).Add();
  }

  void Tell(const Job& job, const Pod& victim, std::string_view how) const {
    const std::string note =
        "Preempted by pod " + std::string(job.preemptor.get().uid()) + " on node " + job.node + std::string(how);
    api_.Event(victim, job.preemptor, "Normal", "Preempted", "Preempting", note);
  }
  void Complain(const Job& job, uint32_t i, std::string_view what, const ApiReply& reply) const {
    const Pod &victim = job.victims[i], &preemptor = job.preemptor;
    host_->Error(what, {{"victim", victim.name()},
                        {"namespace", host_->Text(victim.ns())},
                        {"preemptor", preemptor.uid()},
                        {"code", reply.code},
                        {"err", reply.message}});
  }
  ApiRequest About(const Pod& pod, std::string_view verb) const {
    return {.verb = verb, .resource = "pods", .ns = host_->Text(pod.ns()), .name = pod.name()};
  }

  // The default backoff of client-go's util/retry, and the retriable errors of utils.go.
  static constexpr std::array<std::chrono::milliseconds, 3> kPauses{
      std::chrono::milliseconds(10), std::chrono::milliseconds(50), std::chrono::milliseconds(250)};
  static bool MayHelpToTryAgain(const ApiReply& reply) {
    return reply.code == 0 || reply.code == 409 || reply.code == 500 || reply.code == 503;
  }

  const Host* host_;
  Api api_;
  Tasks tasks_;
  Nominations nominations_;
  const Recorded metrics_;
  std::atomic<bool> closed_ = false;
  Mutex mutex_;                                                            // never held while the host is called
  std::unordered_map<std::string, JobRef> jobs_ BERTH_GUARDED_BY(mutex_);  // by preemptor's uid
};

}  // namespace berth::sdk::preemption
