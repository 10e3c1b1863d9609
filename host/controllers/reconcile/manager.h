// Both controllers as one process: reflectors follow pods, PodGroups, and ElasticQuotas, and one loop owns what they
// deliver, the queues, and the decisions.
//
//   Manager manager(options, *api, registry);
//   manager.SetLeading(true);   // without leader election; else when this process becomes the leader
//   manager.Run();              // until RequestEnd
//
// Thread: Run blocks its caller; all other functions any thread. Ownership: transport and registry outlive the object.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/inbox.h"
#include "cluster/reflector/reflector.h"
#include "cluster/reflector/running.h"
#include "controllers/reconcile/controller.h"
#include "controllers/reconcile/elastic_quota_reconciler.h"
#include "controllers/reconcile/pod_group_reconciler.h"
#include "controllers/reconcile/pod_table.h"
#include "controllers/reconcile/sender.h"
#include "controllers/reconcile/table_feed.h"

namespace berth::reconcile {

struct ManagerOptions {
  size_t workers = 4;  // of each controller
  uint64_t seed = 0;   // of delays; replicas should have different ones
  std::string hostname;
  requests::RequestQueueOptions requests;
  int64_t shutdown_timeout_ns = 5 * base::kSecond;
  int64_t unreadable_kind_timeout_ns = 10 * base::kSecond;  // until a kind without a definition counts as empty
};

class Manager final : private Port {
 public:
  Manager(const ManagerOptions& options, http::Transport& api, metrics::Registry& registry);
  ~Manager() override;
  Manager(const Manager&) = delete;

  // Called when no status is sent any more, before the last Events. Before Run.
  void set_on_last_write(std::function<void()> f) { on_last_write_ = std::move(f); }
  void Run();
  void RequestEnd();
  bool ending() const { return ending_.load(std::memory_order_acquire); }

  void SetLeading(bool leading);
  bool AwaitAnswers(int64_t ns) { return sender_.AwaitAnswers(ns); }
  void RecordEvent(events::EventRecord record) { sender_.Record(std::move(record)); }

  // "" = all lists are complete. Otherwise what is missing, and why if that is known.
  std::string WhyNotSynced() const;
  // The time since the loop last completed a round; a round takes at most kLongestRest.
  int64_t stuck_ns() const { return clock_.MonoNs() - stepped_mono_ns_.load(std::memory_order_relaxed); }
  static constexpr int64_t kLongestRest = base::kSecond;

 private:
  enum Kind : size_t { kPods, kGroups, kQuotas, kKinds };

  void Send(Controller& controller, const std::string& key, http::Request request) override;
  void Record(events::EventRecord record) override { sender_.Record(std::move(record)); }
  int64_t Now() const override { return clock_.MonoNs(); }

  void Post(Task task) { inbox_.Push(std::move(task)); }
  void OnPod(const PodChange& change);
  void OnGroup(const std::string& key) { group_controller_.Add(key); }
  void OnQuota(const std::string& key);
  void OnListed(Kind kind);
  TableFeed<rules::PodFacts>::Handlers PodHandlers();
  TableFeed<rules::PodGroup>::Handlers GroupHandlers();
  TableFeed<rules::ElasticQuota>::Handlers QuotaHandlers();

  void StartReflectors();
  void Step(std::vector<Task>& tasks);
  void Measure();
  void End();

  const ManagerOptions options_;
  base::RealClock clock_;
  base::Inbox<Task> inbox_;
  std::function<void()> on_last_write_;
  std::atomic<bool> ending_{false};
  std::atomic<int64_t> stepped_mono_ns_;
  std::array<std::atomic<bool>, kKinds> listed_{};

  PodTable pods_;  // only the loop uses these
  PodGroupReconciler groups_{pods_};
  ElasticQuotaReconciler quotas_{pods_};
  Controller group_controller_, quota_controller_;
  std::array<metrics::Gauge, kKinds> objects_;

  Sender sender_;
  TableFeed<rules::PodFacts> pod_feed_;
  TableFeed<rules::PodGroup> group_feed_;
  TableFeed<rules::ElasticQuota> quota_feed_;
  std::array<reflector::Reflector, kKinds> reflectors_;
  std::vector<std::unique_ptr<reflector::Running>> running_;  // destroyed first
};

}  // namespace berth::reconcile
