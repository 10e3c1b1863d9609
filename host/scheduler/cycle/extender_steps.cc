#include "scheduler/cycle/extender_steps.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <thread>

#include "base/thread_name.h"
#include "telemetry/log/log.h"

namespace berth::cycle {
namespace {

using framework::Extender;
using Answer = base::Result<framework::ExtenderPriorities>;

// Overflow wraps, as in Go.
int64_t Times(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
int64_t Plus(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }

// Calls all extenders at the same time: the first on this thread, each other on its own thread. If a thread cannot be
// created, the call is made here.
std::vector<std::optional<Answer>> AskAll(const std::vector<Extender*>& extenders, std::string_view pod,
                                          std::span<const framework::ExtenderNode> nodes) {
  std::vector<std::optional<Answer>> answers(extenders.size());
  const auto ask = [&](size_t i) { answers[i] = extenders[i]->Prioritize(pod, nodes); };
  const auto ask_alone = [&](size_t i) {
    base::NameThread("extender-" + std::to_string(i));
    ask(i);
  };
  std::vector<std::jthread> threads;
  for (size_t i = 1; i < extenders.size(); ++i) {
    try {
      threads.emplace_back(ask_alone, i);
    } catch (const std::system_error&) {
      ask(i);
    }
  }
  ask(0);
  threads.clear();  // joins
  return answers;
}

}  // namespace

ExtenderSteps::ExtenderSteps(cache::Cache& cache, plugin::ReasonTable& reasons,
                             const framework::ExtenderList& extenders)
    : cache_(cache), reasons_(reasons), extenders_(extenders) {
  for (const auto& one : extenders_) {
    may_filter_ = may_filter_ || one->has_filter();
    may_score_ = may_score_ || one->has_prioritize();
  }
}

void ExtenderSteps::Begin() {
  pod_text_.clear();
  rejections_.clear();
  dropped_.clear();
  foreign_.clear();
  scores_.clear();
}

const std::string& ExtenderSteps::PodText(const api::Pod& pod) {
  if (pod.manifest && !pod.manifest_is_old()) return pod.manifest->text;
  if (pod_text_.empty()) pod_text_ = api::CurrentManifest(cache_.intern(), pod);
  return pod_text_;
}

void ExtenderSteps::Gather(const base::Bitmap& rows) {
  rows_.clear();
  asked_.clear();
  for (const uint32_t row : cache_.order()) {
    if (!rows.Test(row)) continue;
    const api::Node& node = *cache_.node(row);
    rows_.push_back(row);
    asked_.push_back({node.name, !node.manifest ? std::string_view() : std::string_view(node.manifest->text)});
  }
}

plugin::Status ExtenderSteps::Filter(const api::Pod& pod, base::Bitmap& feasible) {
  for (const auto& one : extenders_) {
    if (!feasible.Any()) break;
    if (!one->has_filter() || !one->IsInterested(pod)) continue;
    Gather(feasible);
    const auto answer = one->Filter(PodText(pod), asked_);
    if (answer) {
      Take(*one, *answer, feasible);
    } else if (one->ignorable()) {
      log::Info("Skipping extender as it returned error and has ignorable flag set",
                {{"extender", one->name()}, {"err", answer.error().message}});
    } else {
      return plugin::ErrorStatus(answer.error().message);
    }
  }
  return {};
}

void ExtenderSteps::Take(const Extender& from, const framework::ExtenderFilterResult& answer, base::Bitmap& feasible) {
  for (const framework::ExtenderFailedNode& rejection : answer.failed) Reject(from, rejection);
  base::Bitmap passed(feasible.size());
  for (const uint32_t i : answer.passed) passed.Set(rows_[i]);
  for (const uint32_t row : rows_) {
    if (!passed.Test(row) && !rejections_.contains(row)) dropped_.emplace(row, &from.name());
  }
  feasible = std::move(passed);
}

void ExtenderSteps::Reject(const Extender& from, const framework::ExtenderFailedNode& rejection) {
  const uint32_t reasons = reasons_.Intern(std::vector<std::string>{rejection.message});
  const base::Id name = cache_.intern().ids.Find(rejection.node);
  const uint32_t row = name == base::kNoId ? cache::kNoRow : cache_.RowOf(name);
  if (row == cache::kNoRow) {
    foreign_.insert_or_assign(rejection.node, reasons);
    return;
  }
  berth_verdict verdict{};
  verdict.code = static_cast<uint8_t>(rejection.unresolvable ? BERTH_UNRESOLVABLE : BERTH_UNSCHEDULABLE);
  verdict.reasons = reasons;
  rejections_.insert_or_assign(row, ExtenderRejection{verdict, &from.name()});
}

void ExtenderSteps::Prioritize(const api::Pod& pod, const base::Bitmap& feasible, std::vector<int64_t>& totals,
                               bool record) {
  std::vector<Extender*> interested;
  for (const auto& one : extenders_) {
    if (one->has_prioritize() && one->IsInterested(pod)) interested.push_back(one.get());
  }
  if (interested.empty()) return;
  Gather(feasible);
  const std::vector<std::optional<Answer>> answers = AskAll(interested, PodText(pod), asked_);
  for (size_t i = 0; i < interested.size(); ++i) {
    const Answer& answer = *answers[i];
    if (answer) {
      Add(*interested[i], *answer, totals, record);
    } else if (log::LogEnabled(5)) {
      log::V(5, "Failed to run extender's priority function. No score given by this extender.",
             {{"error", answer.error().message}, {"pod", log::KObj(pod.key())}, {"extender", interested[i]->name()}});
    }
  }
}

void ExtenderSteps::Add(const Extender& from, const framework::ExtenderPriorities& answer, std::vector<int64_t>& totals,
                        bool record) {
  if (record) scores_.push_back({&from.name(), std::vector<int64_t>(totals.size(), 0)});
  for (const framework::HostPriority& one : answer.scores) {
    if (log::LogEnabled(10)) {
      log::V(10, "Extender scored node for pod", {{"extender", from.name()}, {"node", one.host}, {"score", one.score}});
    }
    const base::Id name = cache_.intern().ids.Find(one.host);
    const uint32_t row = name == base::kNoId ? cache::kNoRow : cache_.RowOf(name);
    if (row == cache::kNoRow) continue;
    const int64_t score = Times(Times(one.score, answer.weight), framework::kExtenderScoreScale);
    totals[row] = Plus(totals[row], score);
    if (record) scores_.back().weighted[row] = Plus(scores_.back().weighted[row], score);
  }
}

const ExtenderRejection* ExtenderSteps::RejectionOf(uint32_t row) const {
  const auto at = rejections_.find(row);
  return at == rejections_.end() ? nullptr : &at->second;
}

const std::string* ExtenderSteps::DroppedBy(uint32_t row) const {
  const auto at = dropped_.find(row);
  return at == dropped_.end() ? nullptr : at->second;
}

}  // namespace berth::cycle
