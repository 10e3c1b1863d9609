#include "controllers/reconcile/manager.h"

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "telemetry/log/log.h"

namespace berth::reconcile {
namespace {

constexpr const char* kGroup = "scheduling.x-k8s.io";
const char* const kResources[] = {"pods", "podgroups", "elasticquotas"};

// All pods: those that have finished count, too.
reflector::ResourceKind AllPods() { return {"/api/v1/pods", "", "pods", "", false, ""}; }

reflector::ResourceKind KindOf(const std::string& resource, const std::string& needed_by) {
  return {"/apis/scheduling.x-k8s.io/v1alpha1/" + resource, kGroup, resource, "", true, needed_by};
}

metrics::Gauge ObjectsGauge(metrics::Registry& registry, const char* resource) {
  return registry.MakeGauge({"berth_controllers_objects", "Objects that the controllers keep in memory, by resource."},
                            {{"resource", resource}});
}

}  // namespace

Manager::Manager(const ManagerOptions& options, http::Transport& api, metrics::Registry& registry)
    : options_(options),
      stepped_mono_ns_(clock_.MonoNs()),
      group_controller_("podgroup", groups_, *this, options.workers, registry),
      quota_controller_("elasticquota", quotas_, *this, options.workers, registry),
      objects_{ObjectsGauge(registry, kResources[kPods]), ObjectsGauge(registry, kResources[kGroups]),
               ObjectsGauge(registry, kResources[kQuotas])},
      sender_(api, clock_, options.requests, options.hostname),
      pod_feed_(
          rules::ReadPodFacts, [this](Task task) { Post(std::move(task)); }, PodHandlers()),
      group_feed_(
          rules::ReadPodGroup, [this](Task task) { Post(std::move(task)); }, GroupHandlers()),
      quota_feed_(
          rules::ReadElasticQuota, [this](Task task) { Post(std::move(task)); }, QuotaHandlers()),
      reflectors_{
          {{AllPods(), api, pod_feed_, base::Mix(options.seed)},
           {KindOf("podgroups", "the PodGroup controller"), api, group_feed_, base::Mix(options.seed + 1)},
           {KindOf("elasticquotas", "the ElasticQuota controller"), api, quota_feed_, base::Mix(options.seed + 2)}}} {}

Manager::~Manager() { running_.clear(); }

TableFeed<rules::PodFacts>::Handlers Manager::PodHandlers() {
  return {[this](rules::PodFacts pod) { OnPod(pods_.Set(std::move(pod))); },
          [this](const std::string& key) { OnPod(pods_.Remove(key)); },
          [this](const base::TextSet* present) {
            if (present != nullptr) {
              for (const PodChange& change : pods_.Keep(*present)) OnPod(change);
            }
            OnListed(kPods);
          }};
}

TableFeed<rules::PodGroup>::Handlers Manager::GroupHandlers() {
  return {[this](rules::PodGroup group) {
            const std::string key = group.meta.key();
            if (groups_.groups().Set(std::move(group))) OnGroup(key);
          },
          [this](const std::string& key) { groups_.groups().Remove(key); },
          [this](const base::TextSet* present) {
            if (present != nullptr) groups_.groups().Keep(*present);
            OnListed(kGroups);
          }};
}

TableFeed<rules::ElasticQuota>::Handlers Manager::QuotaHandlers() {
  return {[this](rules::ElasticQuota quota) {
            const std::string key = quota.meta.key();
            if (quotas_.quotas().Set(std::move(quota))) OnQuota(key);
          },
          [this](const std::string& key) {
            quotas_.quotas().Remove(key);
            OnQuota(key);  // another quota of the namespace is now the first
          },
          [this](const base::TextSet* present) {
            if (present != nullptr) quotas_.quotas().Keep(*present);
            OnListed(kQuotas);
          }};
}

void Manager::OnPod(const PodChange& change) {
  for (const std::string& group : change.groups) group_controller_.Add(rules::KeyOf(change.ns, group));
  if (change.requests) quota_controller_.Add(change.ns);
}

void Manager::OnQuota(const std::string& key) { quota_controller_.Add(key.substr(0, key.find('/'))); }

void Manager::OnListed(Kind kind) {
  listed_[kind].store(true, std::memory_order_release);
  if (!listed_[kPods]) return;
  if (listed_[kGroups]) group_controller_.SetSynced();
  if (listed_[kQuotas]) quota_controller_.SetSynced();
}

void Manager::Send(Controller& controller, const std::string& key, http::Request request) {
  sender_.Send(std::move(request), [this, &controller, key](http::Reply reply) {
    Post([&controller, key, reply = std::move(reply)] { controller.OnReply(key, reply); });
  });
}

void Manager::SetLeading(bool leading) {
  Post([this, leading] {
    group_controller_.SetLeading(leading);
    quota_controller_.SetLeading(leading);
  });
}

std::string Manager::WhyNotSynced() const {
  std::string why;
  for (const size_t kind : {kPods, kGroups, kQuotas}) {
    if (listed_[kind].load(std::memory_order_acquire)) continue;
    const std::string trouble = reflectors_[kind].trouble();
    why += (why.empty() ? "" : "; ") + std::string(kResources[kind]) + " are not listed yet" +
           (trouble.empty() ? "" : ": " + trouble);
  }
  return why;
}

void Manager::RequestEnd() {
  ending_.store(true, std::memory_order_release);
  inbox_.Wake();
}

void Manager::StartReflectors() {
  for (reflector::Reflector& one : reflectors_) {
    one.set_unreadable_timeout_ns(options_.unreadable_kind_timeout_ns);
    running_.push_back(std::make_unique<reflector::Running>(one));
  }
}

void Manager::Run() {
  StartReflectors();
  std::vector<Task> tasks;
  while (!ending()) Step(tasks);
  End();
}

void Manager::Step(std::vector<Task>& tasks) {
  stepped_mono_ns_.store(clock_.MonoNs(), std::memory_order_relaxed);
  inbox_.Drain(tasks);
  for (const Task& task : tasks) task();
  int64_t rest = kLongestRest;
  for (Controller* controller : {&group_controller_, &quota_controller_}) {
    controller->Work();
    if (const auto due = controller->NextDue()) rest = std::min(rest, *due - clock_.MonoNs());
  }
  Measure();
  if (rest > 0) inbox_.WaitFor(rest);
}

void Manager::Measure() {
  group_controller_.Measure();
  quota_controller_.Measure();
  objects_[kPods].Set(static_cast<double>(pods_.size()));
  objects_[kGroups].Set(static_cast<double>(groups_.groups().all().size()));
  objects_[kQuotas].Set(static_cast<double>(quotas_.quotas().all().size()));
}

void Manager::End() {
  log::Info("Shutting down: no more statuses");
  sender_.AwaitAnswers(options_.shutdown_timeout_ns);
  sender_.CloseStatuses();
  if (on_last_write_) on_last_write_();
  for (const auto& one : running_) one->RequestStop();
  sender_.Shutdown(options_.shutdown_timeout_ns);
  running_.clear();  // waits
}

}  // namespace berth::reconcile
