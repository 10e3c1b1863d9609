// How an Attempt makes its calls and what it checks around them.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "berth/testing/attempt.hpp"
#include "walled.h"

namespace berth::sdk::testing {
namespace {

// berth/plugin.h says which statuses each function may return; for any other status, the host fails the attempt.
bool MayAnswer(std::string_view call, berth_status code) {
  if (code == BERTH_SUCCESS || code == BERTH_ERROR) return true;
  if (call == "PreFilter") return code == BERTH_SKIP || code == BERTH_UNSCHEDULABLE || code == BERTH_UNRESOLVABLE;
  if (call == "PreScore") return code == BERTH_SKIP;
  if (call == "Score") return code == BERTH_UNIFORM;
  return call != "Filter" && call != "Normalize";
}

}  // namespace

const void* Attempt::AskTable(const char* id) {
  const CallScope scope(host_->checker(), "extension", kAsking);
  const void* table = instance_->extension(instance_, id);
  if (table == nullptr) throw std::logic_error(std::string("the plugin does not offer ") + id);
  return table;
}

Outcome Attempt::Call(const char* name, Domain domain, const Fn& fn) {
  CallScope scope(host_->checker(), name, domain, cycle_.raw());
  const berth_status code = fn();
  if (code < 0 || (code > BERTH_PENDING && code != BERTH_LATER && code != BERTH_UNIFORM)) {
    host_->checker().Report(std::string(name) + " returned the unknown status " + std::to_string(code));
  } else if (!MayAnswer(name, code)) {
    host_->checker().Report(std::string(name) + " returned status " + std::to_string(code) +
                            ", which is no status of that point");
  }
  if (code == BERTH_ERROR && scope.because.empty()) {
    host_->checker().Report(std::string(name) + " returned ERROR without saying why");
  }
  return {code, std::move(scope.because)};
}

Outcome Attempt::CallOutside(const char* name, Domain domain, const Fn& fn) {
  FakeSnapshot* snap = std::exchange(cycle_.snap, nullptr);
  Outcome outcome = Call(name, domain, fn);
  cycle_.snap = snap;
  return outcome;
}

StartedCall Attempt::StartOp(const char* name, const std::function<berth_status(berth_op*)>& fn) {
  auto op = std::make_shared<FakeOp>(host_->checker());
  kept_.push_back(op);  // a late done() must find it
  Outcome outcome = CallOutside(name, kBinding, [&] { return fn(op->raw()); });
  if (outcome.code != BERTH_LATER && op->ended()) {
    host_->checker().Report(std::string(name) + " ended its op and did not return LATER");
  }
  return {std::move(outcome), std::move(op)};
}

Outcome Attempt::CallOp(const char* name, const std::function<berth_status(berth_op*)>& fn) {
  const StartedCall call = StartOp(name, fn);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!call.ended() && std::chrono::steady_clock::now() < deadline) {
    host_->api().Deliver();
    host_->tasks().Advance();
    call.WaitFor(std::chrono::milliseconds(1));
  }
  if (call.ended()) return call.outcome();
  host_->checker().Report(std::string(name) + " returned LATER and never ended its op");
  return {BERTH_LATER, {}};
}

std::vector<uint32_t> Attempt::RowsOf(const Texts& nodes) const {
  if (nodes.empty()) return cluster_->LiveRows();
  std::vector<uint32_t> rows;
  for (const std::string& node : nodes) rows.push_back(cluster_->RowOf(node));
  std::sort(rows.begin(), rows.end());
  return rows;
}

Outcome Attempt::PreEnqueue() {
  const auto& table = Ask<berth_pre_enqueue>(BERTH_POINT_PRE_ENQUEUE);
  return CallOutside("PreEnqueue", kSerial, [&] { return table.pre_enqueue(instance_, cycle_.raw(), pod()); });
}

PreFilterOutcome Attempt::PreFilter() {
  const auto& table = Ask<berth_pre_filter>(BERTH_POINT_PRE_FILTER);
  berth_names names{sizeof(berth_names), 0, nullptr, 0, 0};
  PreFilterOutcome outcome;
  static_cast<Outcome&>(outcome) =
      Call("PreFilter", kSerial, [&] { return table.pre_filter(instance_, cycle_.raw(), pod(), &names); });
  outcome.narrowed = names.narrowed != 0;
  for (uint32_t i = 0; i < names.n; ++i) outcome.names.push_back(TextOf(names.names[i]));
  std::sort(outcome.names.begin(), outcome.names.end());
  return outcome;
}

FilterOutcome Attempt::FilterRows(const std::vector<uint32_t>& picked) {
  const auto& table = Ask<berth_filter>(BERTH_POINT_FILTER);
  const ShownRows rows(picked, snap_->live());
  Walled<berth_verdict> out(picked.size());
  uint64_t number = 0;
  FilterOutcome outcome;
  static_cast<Outcome&>(outcome) = Call("Filter", kParallel, [&] {
    number = CallScope::Current()->number;
    return table.filter(instance_, cycle_.raw(), pod(), rows.raw(), out.data());
  });
  Checker& checker = host_->checker();
  if (!out.Stand()) checker.Report("Filter wrote outside of out");
  for (size_t i = 0; outcome.ok() && i < picked.size(); ++i) {
    const berth_verdict& verdict = out[i];
    const std::string node = cluster_->NameOf(picked[i]);
    if (verdict.code > BERTH_UNRESOLVABLE && verdict.code != BERTH_PENDING) {
      checker.Report("Filter judged " + node + " with the code " + std::to_string(verdict.code));
    }
    if (verdict.reasons != 0 && !host_->ReasonsAreOf(verdict.reasons, number)) {
      checker.Report("Filter judged " + node + " with reasons that were not made in the same call");
    }
    outcome.nodes[node] = {verdict.code, host_->ReasonTexts(verdict.reasons)};
  }
  return outcome;
}

void Attempt::CompareDense(const std::vector<uint32_t>& picked, const FilterOutcome& sparse) {
  const auto& table = Ask<berth_filter>(BERTH_POINT_FILTER);
  if (!(table.reuse.flags & BERTH_TOTAL) || picked.empty() || !sparse.ok()) return;
  const uint32_t first = picked.front(), n = picked.back() - first + 1;
  const ShownRows rows(first, n, snap_->live());
  Walled<berth_verdict> out(n);
  const Outcome outcome = Call("Filter (dense)", kParallel,
                               [&] { return table.filter(instance_, cycle_.raw(), pod(), rows.raw(), out.data()); });
  if (!out.Stand()) host_->checker().Report("Filter wrote outside of out when asked densely");
  for (const uint32_t row : picked) {
    const std::string node = cluster_->NameOf(row);
    const Outcome dense{out[row - first].code, host_->ReasonTexts(out[row - first].reasons)};
    if (!outcome.ok() || dense != sparse.nodes.at(node)) {
      host_->checker().Report("Filter judges " + node + " differently when asked densely");
    }
  }
}

FilterOutcome Attempt::Filter(const Texts& nodes) {
  const std::vector<uint32_t> rows = RowsOf(nodes);
  FilterOutcome outcome = FilterRows(rows);
  CompareDense(rows, outcome);
  return outcome;
}

FilterOutcome Attempt::FilterInParallel(uint32_t threads, uint32_t chunk) {
  const std::vector<uint32_t> rows = RowsOf({});
  std::mutex mutex;
  FilterOutcome all;
  std::vector<std::thread> workers;
  for (uint32_t t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      for (size_t at = size_t{t} * chunk; at < rows.size(); at += size_t{threads} * chunk) {
        const auto from = rows.begin() + static_cast<std::ptrdiff_t>(at);
        const auto to = rows.begin() + static_cast<std::ptrdiff_t>(std::min<size_t>(at + chunk, rows.size()));
        FilterOutcome part = FilterRows({from, to});
        const std::lock_guard lock(mutex);
        if (!part.ok()) static_cast<Outcome&>(all) = part;
        all.nodes.merge(part.nodes);
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  return all;
}

Outcome Attempt::PreScore(const Texts& nodes) {
  const auto& table = Ask<berth_pre_score>(BERTH_POINT_PRE_SCORE);
  const std::vector<uint32_t> picked = RowsOf(nodes);
  const ShownRows rows(picked, snap_->live());
  return Call("PreScore", kSerial, [&] { return table.pre_score(instance_, cycle_.raw(), pod(), rows.raw()); });
}

ScoreOutcome Attempt::ScoreRows(const std::vector<uint32_t>& picked) {
  const auto& table = Ask<berth_score>(BERTH_POINT_SCORE);
  const ShownRows rows(picked, snap_->live());
  Walled<int64_t> out(picked.size());
  ScoreOutcome outcome;
  static_cast<Outcome&>(outcome) =
      Call("Score", kParallel, [&] { return table.score(instance_, cycle_.raw(), pod(), rows.raw(), out.data()); });
  if (!out.Stand()) host_->checker().Report("Score wrote outside of out");
  outcome.uniform = outcome.code == BERTH_UNIFORM;
  if (outcome.uniform) outcome.code = BERTH_SUCCESS;
  for (size_t i = 0; outcome.ok() && i < picked.size(); ++i) {
    outcome.nodes[cluster_->NameOf(picked[i])] = out[outcome.uniform ? 0 : i];
  }
  return outcome;
}

ScoreOutcome Attempt::Score(const Texts& nodes) {
  const std::vector<uint32_t> picked = RowsOf(nodes);
  ScoreOutcome outcome = ScoreRows(picked);
  const auto& table = Ask<berth_score>(BERTH_POINT_SCORE);
  if (!(table.reuse.flags & BERTH_TOTAL) || picked.empty() || !outcome.ok()) return outcome;
  const uint32_t first = picked.front(), n = picked.back() - first + 1;
  const ShownRows rows(first, n, snap_->live());
  Walled<int64_t> out(n);
  const Outcome dense = Call("Score (dense)", kParallel,
                             [&] { return table.score(instance_, cycle_.raw(), pod(), rows.raw(), out.data()); });
  if (!out.Stand()) host_->checker().Report("Score wrote outside of out when asked densely");
  for (const uint32_t row : picked) {
    const int64_t score = out[dense.code == BERTH_UNIFORM ? 0 : row - first];
    if ((!dense.ok() && dense.code != BERTH_UNIFORM) || score != outcome.nodes.at(cluster_->NameOf(row))) {
      host_->checker().Report("Score scores " + cluster_->NameOf(row) + " differently when asked densely");
    }
  }
  return outcome;
}

ScoreOutcome Attempt::Normalize(const Scores& raw) {
  const auto& table = Ask<berth_score>(BERTH_POINT_SCORE);
  std::map<uint32_t, int64_t> by_row;
  for (const auto& [node, score] : raw) by_row[cluster_->RowOf(node)] = score;
  std::vector<uint32_t> picked;
  Walled<int64_t> io(by_row.size());
  int64_t most = 0;
  for (const auto& [row, score] : by_row) {
    io[picked.size()] = score;
    picked.push_back(row);
    most = std::max(most, score);
  }
  ScoreOutcome outcome;
  const bool reverse = table.normalize_kind == BERTH_NORMALIZE_REVERSE;
  if (table.normalize_kind == BERTH_NORMALIZE_CALL) {
    const ShownRows rows(picked, snap_->live());
    static_cast<Outcome&>(outcome) = Call(
        "Normalize", kSerial, [&] { return table.normalize(instance_, cycle_.raw(), pod(), rows.raw(), io.data()); });
  } else if (reverse || table.normalize_kind == BERTH_NORMALIZE_DEFAULT) {
    for (size_t i = 0; i < io.size(); ++i) {
      if (most != 0) io[i] = 100 * io[i] / most;
      if (reverse) io[i] = 100 - io[i];
    }
  }
  if (!io.Stand()) host_->checker().Report("Normalize wrote outside of io");
  for (size_t i = 0; outcome.ok() && i < picked.size(); ++i) {
    const std::string node = cluster_->NameOf(picked[i]);
    if (io[i] < 0 || io[i] > 100) {
      host_->checker().Report("the normalised score of " + node + " is " + std::to_string(io[i]) + ", not in 0..100");
    }
    outcome.nodes[node] = io[i];
  }
  return outcome;
}

Outcome Attempt::Reserve(const std::string& node) {
  const auto& table = Ask<berth_reserve>(BERTH_POINT_RESERVE);
  return Call("Reserve", kSerial, [&] { return table.reserve(instance_, cycle_.raw(), pod(), IdOf(node)); });
}
void Attempt::Unreserve(const std::string& node) {
  const auto& table = Ask<berth_reserve>(BERTH_POINT_RESERVE);
  const Outcome told = CallOutside("Unreserve", kBinding, [&] {
    table.unreserve(instance_, cycle_.raw(), pod(), IdOf(node));
    return BERTH_SUCCESS;
  });
  host_->checker().AddFaults(told.reasons);
}
PermitOutcome Attempt::Permit(const std::string& node) {
  const auto& table = Ask<berth_permit>(BERTH_POINT_PERMIT);
  int64_t wait = 0;
  PermitOutcome outcome;
  static_cast<Outcome&>(outcome) =
      Call("Permit", kSerial, [&] { return table.permit(instance_, cycle_.raw(), pod(), IdOf(node), &wait); });
  outcome.wait = std::chrono::nanoseconds(wait);
  return outcome;
}
Outcome Attempt::PreFlight(const std::string& node) {
  const auto& table = Ask<berth_pre_bind>(BERTH_POINT_PRE_BIND);
  if (table.pre_flight == nullptr) return {};
  return CallOutside("PreFlight", kBinding,
                     [&] { return table.pre_flight(instance_, cycle_.raw(), pod(), IdOf(node)); });
}
StartedCall Attempt::StartPreBind(const std::string& node) {
  const auto& table = Ask<berth_pre_bind>(BERTH_POINT_PRE_BIND);
  return StartOp("PreBind",
                 [&](berth_op* op) { return table.pre_bind(instance_, cycle_.raw(), pod(), IdOf(node), op); });
}
Outcome Attempt::PreBind(const std::string& node) {
  const auto& table = Ask<berth_pre_bind>(BERTH_POINT_PRE_BIND);
  return CallOp("PreBind",
                [&](berth_op* op) { return table.pre_bind(instance_, cycle_.raw(), pod(), IdOf(node), op); });
}
Outcome Attempt::Bind(const std::string& node) {
  const auto& table = Ask<berth_bind>(BERTH_POINT_BIND);
  return CallOp("Bind", [&](berth_op* op) { return table.bind(instance_, cycle_.raw(), pod(), IdOf(node), op); });
}
void Attempt::PostBind(const std::string& node) {
  const auto& table = Ask<berth_post_bind>(BERTH_POINT_POST_BIND);
  const Outcome told = CallOutside("PostBind", kBinding, [&] {
    table.post_bind(instance_, cycle_.raw(), pod(), IdOf(node));
    return BERTH_SUCCESS;
  });
  host_->checker().AddFaults(told.reasons);
}

PostFilterOutcome Attempt::PostFilter(const std::map<std::string, berth_status>& verdicts, berth_status absent) {
  const auto& table = Ask<berth_post_filter>(BERTH_POINT_POST_FILTER);
  std::vector<berth_verdict> rows(cluster_->rows().size());
  for (const auto& [node, code] : verdicts) rows[cluster_->RowOf(node)].code = static_cast<uint8_t>(code);
  Arena arena;
  const auto* shown = static_cast<const berth_verdict*>(arena.Exact(rows).ptr);
  const auto* diagnosis =
      arena.Make(berth_diagnosis{sizeof(berth_diagnosis), 0, shown, {static_cast<uint8_t>(absent), {}, 0}});
  berth_post_result result{sizeof(berth_post_result), BERTH_NOMINATE_NOOP, kNoId, 0};
  PostFilterOutcome outcome;
  static_cast<Outcome&>(outcome) = Call(
      "PostFilter", kSerial, [&] { return table.post_filter(instance_, cycle_.raw(), pod(), diagnosis, &result); });
  outcome.mode = result.mode;
  outcome.node = TextOf(result.node);
  return outcome;
}

std::unique_ptr<Attempt> Attempt::Trial() {
  void* data = cycle_.data[BERTH_SLOT_CYCLE];
  const bool cloned = data != nullptr && instance_->cycle_clone != nullptr;
  if (cloned) {
    const CallScope scope(host_->checker(), "cycle_clone", kParallel);  // cycle_clone does not get the cycle
    data = instance_->cycle_clone(instance_, data);
  }
  return std::unique_ptr<Attempt>(new Attempt(*this, data, cloned));
}

Outcome Attempt::Change(const std::shared_ptr<const PodObject>& changed, const std::string& node, bool added) {
  const auto& table = Ask<berth_pod_change>(BERTH_POINT_POD_CHANGE);
  if (added) {
    cluster_->Add(changed, node);
  } else {
    cluster_->Remove(*changed, node);
  }
  kept_.push_back(std::exchange(snap_, std::make_shared<FakeSnapshot>(*cluster_)));
  cycle_.snap = snap_.get();
  kept_.push_back(std::const_pointer_cast<PodObject>(changed));
  const auto call = added ? table.add_pod : table.remove_pod;
  if (call == nullptr) return {};
  return Call(added ? "AddPod" : "RemovePod", kParallel,
              [&] { return call(instance_, cycle_.raw(), this->pod(), changed->raw(), cluster_->RowOf(node)); });
}

}  // namespace berth::sdk::testing
