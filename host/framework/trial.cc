#include "framework/trial.h"

#include <algorithm>

#include "framework/batch_call.h"

namespace berth::framework {
namespace {

// The same verdict whoever is on the row.
bool IgnoresPods(const berth_reuse& reuse) {
  constexpr uint64_t kOfPods = BERTH_ROW_REQUESTED | BERTH_ROW_PODS | BERTH_ROW_PORTS;
  return (reuse.flags & BERTH_REUSE) != 0 && (reuse.row_aspects & kOfPods) == 0;
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
  const auto at =
      std::lower_bound(rows_.begin(), rows_.end(), row, [](const OnRow& on, uint32_t row) { return on.row < row; });
  return at != rows_.end() && at->row == row ? Pods(*at) : std::span<const api::PodRef>();
}

void Trial::Begin(const TrialGround& ground, uint32_t row) {
  ground_ = &ground;
  overlay_.Begin(row);
  branch_.Begin(*ground.cycle);
  branch_.cycle().trial = this;
  const auto& plugins = ground.profile->At(plugin::Point::kFilter);
  known_.assign(plugins.size(), 0);
  verdicts_.resize(plugins.size());
  for (size_t i = 0; i < plugins.size() && i < ground.answers->size(); ++i) {
    const berth_verdict* answers = (*ground.answers)[i];
    if (answers == nullptr || !IgnoresPods(plugins[i]->tables().filter->reuse)) continue;
    known_[i] = 1;
    verdicts_[i] = answers[row];
  }
}

void Trial::End() {
  branch_.End();
  overlay_.End();
  ground_ = nullptr;
}

plugin::Status Trial::Add(const berth_pod& pod) {
  overlay_.Add(pod);
  return Tell(branch_, true, pod);
}

plugin::Status Trial::Remove(const berth_pod& pod) {
  if (!overlay_.Remove(pod)) {
    return plugin::ErrorStatus("no corresponding pod " + std::string(pod.name.ptr, pod.name.len) + " in pods of node " +
                               cache_.node(row())->name);
  }
  return Tell(branch_, false, pod);
}

plugin::Status Trial::Tell(plugin::CycleBranch& branch, bool added, const berth_pod& pod) {
  for (plugin::Instance* plugin : ground_->profile->pod_change()) {
    const berth_pod_change& table = *plugin->tables().pod_change;
    const auto call = added ? table.add_pod : table.remove_pod;
    if (call == nullptr || (*ground_->skip)[plugin->index()] != 0) continue;
    plugin::Status status = branch.Own(*plugin);
    if (status.ok()) {
      status = plugin->Call(added ? "AddPod" : "RemovePod",
                            [&] { return call(plugin->raw(), &branch.cycle(), ground_->pod, &pod, row()); });
    }
    if (status.ok()) continue;
    return plugin::Status{plugin::Code::kError,
                          plugin->name_id(),
                          {std::string("running ") + (added ? "AddPod" : "RemovePod") + " on PreFilter plugin \"" +
                           plugin->name() + "\": " + status.Message()}};
  }
  return {};
}

plugin::Status Trial::JudgeWith(std::span<const api::PodRef> more, Rejection& out) {
  nominated_branch_.Begin(branch_.cycle());
  nominated_branch_.cycle().trial = this;
  plugin::Status status;
  size_t added = 0;
  for (const api::PodRef& pod : more) {
    overlay_.Add(pod->abi);
    ++added;
    status = Tell(nominated_branch_, true, pod->abi);
    if (!status.ok()) break;
  }
  if (status.ok()) status = JudgeFor(nominated_branch_.cycle(), out);
  nominated_branch_.End();
  overlay_.TakeBack(added);
  return status;
}

plugin::Status Trial::JudgeTwice(Rejection& out) {
  if (const auto nominated = ground_->nominated->On(row()); !nominated.empty()) {
    plugin::Status status = JudgeWith(nominated, out);
    if (!status.ok() || out.plugin != nullptr) return status;
  }
  return Judge(out);
}

plugin::Status Trial::JudgeFor(berth_cycle& cycle, Rejection& out) {
  out = {};
  const auto& plugins = ground_->profile->At(plugin::Point::kFilter);
  for (size_t i = 0; i < plugins.size(); ++i) {
    plugin::Instance& plugin = *plugins[i];
    if ((*ground_->skip)[plugin.index()] != 0) continue;
    berth_verdict verdict{};
    plugin::Status status = AnswerOf(i, cycle, verdict);
    if (!status.ok()) return FilterError(plugin, status.Message());
    if (verdict.code == BERTH_SUCCESS) continue;
    if (verdict.code == BERTH_ERROR) return RowError(plugin, *cache_.node(row()), verdict, reasons_);
    out = {&plugin, verdict};
    return {};
  }
  return {};
}

plugin::Status Trial::AnswerOf(size_t i, berth_cycle& cycle, berth_verdict& verdict) {
  plugin::Instance& plugin = *ground_->profile->At(plugin::Point::kFilter)[i];
  if (known_[i] != 0 && !ground_->check_kept) {
    verdict = verdicts_[i];
    return {};
  }
  plugin::Status status = Ask(plugin, cycle, verdict);
  if (!status.ok() || !IgnoresPods(plugin.tables().filter->reuse)) return status;
  if (known_[i] != 0 && !SameVerdict(verdicts_[i], verdict, reasons_)) {
    return DiffersFromKept(plugin, "Filter", *cache_.node(row()));
  }
  known_[i] = 1;
  verdicts_[i] = verdict;
  return {};
}

plugin::Status Trial::Ask(plugin::Instance& plugin, berth_cycle& cycle, berth_verdict& verdict) {
  const uint32_t row = this->row();
  const berth_rows rows{sizeof rows, 1, 0, 0, &row, cache_.live().words()};
  berth_verdict out[1 + kGuardCells]{};
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

// ---- an attempt's trials ----

void Trials::Begin(const TrialGround& ground) {
  ground_ = ground;
  ground_.cycle->trials = this;
}

void Trials::End() {
  CloseAll();
  ground_.cycle->trials = nullptr;
}

Trial* Trials::Open(uint32_t row) {
  if (row >= cache_.capacity() || !cache_.live().Test(row)) return nullptr;
  for (const auto& trial : open_) {
    if (trial->row() == row) return nullptr;
  }
  if (spare_.empty()) spare_.push_back(std::make_unique<Trial>(cache_, reasons_, this));
  open_.push_back(std::move(spare_.back()));
  spare_.pop_back();
  open_.back()->Begin(ground_, row);
  return open_.back().get();
}

void Trials::Close(Trial& trial) {
  const auto at = std::find_if(open_.begin(), open_.end(), [&](const auto& one) { return one.get() == &trial; });
  if (at == open_.end()) return;
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
