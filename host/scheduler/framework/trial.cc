#include "scheduler/framework/trial.h"

#include <algorithm>

#include "scheduler/framework/batch_call.h"

namespace berth::framework {
namespace {

// Whether the verdict depends only on the node, which does not change in a trial, and on these aspects of its pods.
bool OfPodsSeesOnly(uint64_t aspects, const berth_reuse& reuse) {
  constexpr uint64_t kOfNode =
      BERTH_ROW_ALLOCATABLE | BERTH_ROW_LABELS | BERTH_ROW_TAINTS | BERTH_ROW_IMAGES | BERTH_ROW_FEATURES;
  return (reuse.flags & BERTH_REUSE) != 0 && (reuse.row_aspects & ~(kOfNode | aspects)) == 0;
}

}  // namespace

void NominatedPods::Add(uint32_t row, std::span<const api::PodRef> pods) {
  rows_.push_back({row, static_cast<uint32_t>(pods_.size()), static_cast<uint32_t>(pods.size())});
  pods_.insert(pods_.end(), pods.begin(), pods.end());
}

void NominatedPods::Sort() {
  std::sort(rows_.begin(), rows_.end(), [](const OnRow& a, const OnRow& b) { return a.row < b.row; });
}

std::span<const api::PodRef> NominatedPods::On(uint32_t row) const {
  const auto at = std::lower_bound(rows_.begin(), rows_.end(), row,
                                   [](const OnRow& on, uint32_t wanted) { return on.row < wanted; });
  return at != rows_.end() && at->row == row ? Pods(*at) : std::span<const api::PodRef>();
}

void TrialPlan::Make(const Profile& profile, const std::vector<uint8_t>& skip,
                     const std::vector<const berth_verdict*>& answers) {
  filters.clear();
  pod_change.clear();
  const auto& plugins = profile.At(plugin::Point::kFilter);
  for (size_t i = 0; i < plugins.size(); ++i) {
    if (skip[plugins[i]->index()] != 0) continue;
    const berth_reuse& reuse = plugins[i]->tables().filter->reuse;
    const bool ignores_pods = OfPodsSeesOnly(0, reuse);
    filters.push_back({plugins[i], ignores_pods, OfPodsSeesOnly(BERTH_ROW_REQUESTED, reuse),
                       ignores_pods && i < answers.size() ? answers[i] : nullptr});
  }
  for (plugin::Instance* plugin : profile.pod_change()) {
    if (skip[plugin->index()] == 0) pod_change.push_back(plugin);
  }
}

void Trial::Begin(const TrialGround& ground, uint32_t row) {
  ground_ = &ground;
  left_out_.Clear();
  BeginPart(first_, row);
  branch_.Begin(*ground.cycle);
  branch_.cycle().trial = this;
}

void Trial::BeginPart(Part& part, uint32_t row) {
  part.overlay.Begin(row);
  part.nominated = ground_->nominated->On(row);
  part.questions.clear();
  for (const TrialPlan::Filter& filter : ground_->plan->filters) {
    const bool known = filter.answers != nullptr;
    if (known && filter.answers[row].code == BERTH_SUCCESS && !ground_->check_kept) continue;
    part.questions.push_back({&filter, known, known ? filter.answers[row] : berth_verdict{}, 0});
  }
}

plugin::Status Trial::TurnTo(uint32_t row) {
  Part* part = PartOf(row);
  if (part == nullptr) {
    if (owner_ == nullptr || !owner_->IsFree(row)) {
      return plugin::ErrorStatus("there can be no trial on row " + std::to_string(row));
    }
    part = &Join(row);
  }
  at_ = part;
  return {};
}

Trial::Part* Trial::PartOf(uint32_t row) {
  if (at_->overlay.row() == row) return at_;
  if (first_.overlay.row() == row) return &first_;
  const auto at = std::find(more_rows_.begin(), more_rows_.end(), row);
  return at == more_rows_.end() ? nullptr : more_[static_cast<size_t>(at - more_rows_.begin())].get();
}

Trial::Part& Trial::Join(uint32_t row) {
  const size_t i = more_rows_.size();
  if (i == more_.size()) more_.push_back(std::make_unique<Part>(cache_));
  BeginPart(*more_[i], row);
  more_rows_.push_back(row);
  return *more_[i];
}

void Trial::End() {
  branch_.End();
  first_.overlay.End();
  for (size_t i = 0; i < more_rows_.size(); ++i) more_[i]->overlay.End();
  more_rows_.clear();
  if (more_.size() > kKeptParts) more_.resize(kKeptParts);
  at_ = &first_;
  ground_ = nullptr;
}

plugin::Status Trial::Add(const berth_pod& pod) {
  at_->overlay.Add(pod);
  if (ground_->notes_left_out) left_out_.Added(pod);
  return NotifyPlugins(branch_, true, pod);
}

plugin::Status Trial::Remove(const berth_pod& pod) {
  if (!at_->overlay.Remove(pod)) {
    return plugin::ErrorStatus("no corresponding pod " + std::string(pod.name.ptr, pod.name.len) + " in pods of node " +
                               cache_.node(row())->name);
  }
  if (ground_->notes_left_out) left_out_.Removed(pod, row());
  return NotifyPlugins(branch_, false, pod);
}

plugin::Status Trial::NotifyPlugins(plugin::CycleBranch& branch, bool added, const berth_pod& pod) {
  for (plugin::Instance* plugin : ground_->plan->pod_change) {
    plugin::Status status = NotifyPlugin(*plugin, branch, added, pod);
    if (!status.ok()) return status;
  }
  return {};
}

plugin::Status Trial::NotifyPlugin(plugin::Instance& plugin, plugin::CycleBranch& branch, bool added,
                                   const berth_pod& pod) {
  const berth_pod_change& table = *plugin.tables().pod_change;
  const auto call = added ? table.add_pod : table.remove_pod;
  if (call == nullptr) return {};
  plugin::Status status = branch.Own(plugin);
  if (status.ok()) {
    status = plugin.Call(added ? "AddPod" : "RemovePod",
                         [&] { return call(plugin.raw(), &branch.cycle(), ground_->pod, &pod, row()); });
  }
  if (status.ok()) return status;
  return plugin::Status{plugin::Code::kError,
                        plugin.name_id(),
                        {std::string("running ") + (added ? "AddPod" : "RemovePod") + " on PreFilter plugin \"" +
                         plugin.name() + "\": " + status.Message()}};
}

plugin::Status Trial::RunFilterPluginsWith(std::span<const api::PodRef> more, Rejection& out) {
  nominated_branch_.Begin(branch_.cycle());
  nominated_branch_.cycle().trial = this;
  plugin::Status status;
  size_t added = 0;
  for (const api::PodRef& pod : more) {
    at_->overlay.Add(pod->abi);
    ++added;
    status = NotifyPlugins(nominated_branch_, true, pod->abi);
    if (!status.ok()) break;
  }
  if (status.ok()) status = RunFilters(nominated_branch_.cycle(), out);
  nominated_branch_.End();
  at_->overlay.TakeBack(added);
  return status;
}

plugin::Status Trial::RunFilterPluginsWithNominatedPods(Rejection& out) {
  if (!at_->nominated.empty()) {
    plugin::Status status = RunFilterPluginsWith(at_->nominated, out);
    if (!status.ok() || out.plugin != nullptr) return status;
  }
  return RunFilterPlugins(out);
}

plugin::Status Trial::RunFilters(berth_cycle& cycle, Rejection& out) {
  out = {};
  for (Question& question : at_->questions) {
    plugin::Instance& plugin = *question.filter->plugin;
    berth_verdict verdict{};
    plugin::Status status = Answer(question, cycle, verdict);
    if (!status.ok()) return FilterError(plugin, status.Message());
    if (verdict.code == BERTH_SUCCESS) continue;
    if (verdict.code == BERTH_ERROR) return RowError(plugin, *cache_.node(row()), verdict, reasons_);
    out = {&plugin, verdict};
    if (ground_->notes_left_out) left_out_.Rejected(row(), out);
    return status;
  }
  if (ground_->notes_left_out) left_out_.Accepted();
  return {};
}

plugin::Status Trial::Answer(Question& question, berth_cycle& cycle, berth_verdict& verdict) {
  plugin::Instance& plugin = *question.filter->plugin;
  const bool known = question.known || question.requested == at_->overlay.requested();
  if (known && !ground_->check_kept) {
    verdict = question.verdict;
    return {};
  }
  plugin::Status status = Ask(plugin, cycle, verdict);
  if (!status.ok()) return status;
  if (known && !SameVerdict(question.verdict, verdict, reasons_)) {
    return DiffersFromKept(plugin, "Filter", *cache_.node(row()));
  }
  question.known = question.filter->ignores_pods;
  question.requested = question.filter->sees_requests_only ? at_->overlay.requested() : 0;
  question.verdict = verdict;
  return status;
}

plugin::Status Trial::Ask(plugin::Instance& plugin, berth_cycle& cycle, berth_verdict& verdict) {
  const uint32_t row = this->row();
  const berth_rows rows{sizeof rows, 1, 0, 0, &row, cache_.live().words()};
  berth_verdict out[1 + kGuardCells];
  out[0] = {};
  RowCost ignored;
  plugin::Status status = AskRows(
      plugin, "Filter", rows, out, ignored, nullptr, nullptr, [&](const berth_rows& part, berth_verdict* answers) {
        return plugin.tables().filter->filter(plugin.raw(), &cycle, ground_->pod, &part, answers);
      });
  if (!status.ok()) return status;
  verdict = out[0];
  return verdict.code == BERTH_SUCCESS ? status : CheckVerdict(plugin, *cache_.node(row), verdict, reasons_);
}

void Trial::Close() {
  if (owner_ != nullptr) owner_->Close(*this);
}

// ---- the trials of an attempt ----

void Trials::Begin(const TrialGround& ground) {
  ground_ = ground;
  left_out_.Clear();
  ground_.cycle->trials = this;
}

void Trials::End() {
  CloseAll();
  ground_.cycle->trials = nullptr;
}

Trial* Trials::Open(uint32_t row) {
  if (!IsFree(row)) return nullptr;
  if (spare_.empty()) spare_.push_back(std::make_unique<Trial>(cache_, reasons_, this));
  open_.push_back(std::move(spare_.back()));
  spare_.pop_back();
  open_.back()->Begin(ground_, row);
  return open_.back().get();
}

bool Trials::IsFree(uint32_t row) const {
  return row < cache_.capacity() && cache_.live().Test(row) &&
         std::none_of(open_.begin(), open_.end(), [row](const auto& trial) { return trial->Holds(row); });
}

void Trials::Close(Trial& trial) {
  const auto at = std::find_if(open_.begin(), open_.end(), [&](const auto& one) { return one.get() == &trial; });
  if (at == open_.end()) return;
  left_out_.Keep(trial.left_out().pods());
  trial.End();
  spare_.push_back(std::move(*at));
  open_.erase(at);
}

size_t Trials::CloseAll() {
  const size_t n = open_.size();
  while (!open_.empty()) Close(*open_.back());
  return n;
}

}  // namespace berth::framework
