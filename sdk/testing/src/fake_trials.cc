#include "berth/testing/fake_trials.hpp"

#include <algorithm>
#include <utility>

namespace berth::sdk::testing {

FakeTrials::FakeTrials(FakeHost& host, FakeNominations* nominations) : host_(host), nominations_(nominations) {
  host.Extend(BERTH_SERVICE_TRIAL,
              berth_trials{sizeof(berth_trials), 0, &Open, &Remove, &Add, &Filter, &Error, &Close, &TurnTo}, this);
}

FakeTrials::~FakeTrials() = default;

FakeTrials& FakeTrials::Rule(Judge judge) { return judge_ = std::move(judge), *this; }

FakeTrials& FakeTrials::FailOn(std::string uid, std::string text) {
  return failing_uid_ = std::move(uid), failure_ = std::move(text), *this;
}

size_t FakeTrials::open() const { return open_.size(); }

FakeTrials::Answer FakeTrials::ByRequests(const Row& row) {
  Totals used{{"pods", 1}};
  AddTo(used, EffectiveRequests(row.pod.resources(), 0));
  const Totals wanted = used;
  for (const Pod& other : row.pods) {
    AddTo(used, EffectiveRequests(other.resources(), 0));
    ++used["pods"];
  }
  const Totals have = TotalsOf(row.node.allocatable());
  Answer answer;
  for (const auto& [name, amount] : wanted) {
    const auto at = have.find(name);
    const int64_t room = at == have.end() ? 0 : at->second;
    if (amount == 0 || used[name] <= room) continue;
    if (answer.ok()) answer.code = BERTH_UNSCHEDULABLE;
    if (amount > room && name != "pods") answer.code = BERTH_UNRESOLVABLE;  // does not fit even on an empty node
    answer.reasons.push_back(name == "pods" ? "Too many pods" : "Insufficient " + name);
  }
  if (!answer.ok()) answer.plugin = "NodeResourcesFit";
  return answer;
}

FakeTrials& FakeTrials::Of(const berth_host* host) {
  return *static_cast<FakeTrials*>(static_cast<FakeHost*>(host->impl)->StateOf(BERTH_SERVICE_TRIAL));
}

FakeTrials::OpenTrial& FakeTrials::Of(const berth_cycle* trial) {
  return *reinterpret_cast<OpenTrial*>(const_cast<berth_cycle*>(trial));
}

CallScope* FakeTrials::Check(const char* function) { return host_.checker().MayCall(function, kSerial); }

berth_cycle* FakeTrials::Open(const berth_host* host, berth_cycle* cycle, uint32_t row) {
  FakeTrials& self = Of(host);
  const CallScope* call = self.host_.checker().MayCall("trial open()", kSerial, cycle);
  const auto& state = *reinterpret_cast<FakeHost::CycleState*>(cycle);
  if (call == nullptr || state.snap == nullptr || state.pod == nullptr) return nullptr;
  const FakeCluster& cluster = state.snap->cluster();
  if (!self.IsFree(cluster, row)) return nullptr;
  self.opened_.push_back(cluster.NameOf(row));
  auto& made = self.open_.emplace_back(new OpenTrial{&self, cycle, row, {}, {}, {}});
  made->states.emplace(row, RowAsItIs(cycle, row));
  return reinterpret_cast<berth_cycle*>(made.get());
}

bool FakeTrials::IsFree(const FakeCluster& cluster, uint32_t row) const {
  return row < cluster.rows().size() && cluster.rows()[row].node != nullptr &&
         std::none_of(open_.begin(), open_.end(), [row](const auto& one) { return one->states.contains(row); });
}

FakeTrials::Row FakeTrials::RowAsItIs(const berth_cycle* cycle, uint32_t row) {
  const auto& state = *reinterpret_cast<const FakeHost::CycleState*>(cycle);
  const auto& of = state.snap->cluster().rows()[row];
  Row shown{Pod(state.pod), NodeView(of.node->raw()), {}, {}};
  for (const auto& pod : of.pods) shown.pods.emplace_back(pod->raw());
  return shown;
}

berth_status FakeTrials::TurnTo(berth_cycle* trial, uint32_t row) {
  OpenTrial& one = Of(trial);
  FakeTrials& self = *one.owner;
  self.Check("trial turn_to()");
  const FakeCluster& cluster = reinterpret_cast<const FakeHost::CycleState*>(one.cycle)->snap->cluster();
  if (!one.states.contains(row)) {
    if (!self.IsFree(cluster, row)) {
      one.error = "there can be no trial on row " + std::to_string(row);
      return BERTH_ERROR;
    }
    one.states.emplace(row, RowAsItIs(one.cycle, row));
  }
  self.steps_.push_back("turn to " + cluster.NameOf(row));
  one.row = row;
  return BERTH_SUCCESS;
}

FakeTrials::Row FakeTrials::Judged(const OpenTrial& one) {
  Row judged = one.states.at(one.row);
  for (const auto& [row, state] : one.states) {
    if (row != one.row) judged.others.push_back(state);
  }
  return judged;
}

berth_status FakeTrials::Remove(berth_cycle* trial, const berth_pod* pod) {
  OpenTrial& one = Of(trial);
  one.owner->Check("trial remove()");
  one.owner->steps_.push_back("remove " + std::string(View(pod->uid)));
  if (std::erase_if(one.states.at(one.row).pods, [pod](const Pod& p) { return p.raw() == pod; }) == 0) {
    one.owner->host_.checker().Report("trial remove() of pod " + std::string(View(pod->uid)) + ", which is not there");
  }
  return one.owner->Result(one, pod);
}

berth_status FakeTrials::Add(berth_cycle* trial, const berth_pod* pod) {
  OpenTrial& one = Of(trial);
  one.owner->Check("trial add()");
  one.owner->steps_.push_back("add " + std::string(View(pod->uid)));
  one.states.at(one.row).pods.emplace_back(pod);
  return one.owner->Result(one, pod);
}

berth_status FakeTrials::Result(OpenTrial& one, const berth_pod* pod) const {
  if (failing_uid_.empty() || View(pod->uid) != failing_uid_) return BERTH_SUCCESS;
  one.error = failure_;
  return BERTH_ERROR;
}

berth_status FakeTrials::Filter(berth_cycle* trial, berth_verdict* out, berth_id* plugin) {
  OpenTrial& one = Of(trial);
  FakeTrials& self = *one.owner;
  self.Check("trial filter()");
  self.steps_.emplace_back("filter");
  const Row state = Judged(one);
  Row with = state;
  if (self.nominations_ != nullptr) {
    for (const auto& pod : self.nominations_->On(TextOf(state.node.name()))) {
      const bool counts = pod->pod.priority >= with.pod.priority() && View(pod->pod.uid) != with.pod.uid();
      if (counts) with.pods.emplace_back(pod->raw());
    }
  }
  Answer answer;
  if (with.pods.size() > state.pods.size()) answer = self.judge_(with);
  if (answer.ok()) answer = self.judge_(state);
  if (answer.code == BERTH_ERROR) {
    one.error = answer.reasons.empty() ? "no reason" : answer.reasons.front();
    return BERTH_ERROR;
  }
  *out = {static_cast<uint8_t>(answer.code), {}, answer.reasons.empty() ? 0 : self.host_.AddReasons(answer.reasons)};
  *plugin = answer.plugin.empty() ? kNoId : IdOf(answer.plugin);
  return BERTH_SUCCESS;
}

berth_str FakeTrials::Error(const berth_cycle* trial) { return Of(trial).shown.Text(Of(trial).error); }

void FakeTrials::Close(berth_cycle* trial) {
  OpenTrial& one = Of(trial);
  one.owner->Check("trial close()");
  std::erase_if(one.owner->open_, [&one](const auto& held) { return held.get() == &one; });
}

}  // namespace berth::sdk::testing
