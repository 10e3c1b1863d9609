#include "berth/testing/attempt.hpp"

#include <stdexcept>
#include <utility>

namespace berth::sdk::testing {

FakeOp::FakeOp(Checker& checker) : checker_(checker) { face_ = {sizeof(berth_op), 0, &Done}; }

bool FakeOp::ended() {
  const std::lock_guard lock(mutex_);
  return outcome_.has_value();
}

std::optional<Outcome> FakeOp::Wait(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  ended_.wait_for(lock, time, [this] { return outcome_.has_value(); });
  return outcome_;
}

void FakeOp::Done(berth_op* op, berth_status status, const berth_str* reasons, uint32_t n) {
  auto& self = *reinterpret_cast<FakeOp*>(op);
  const std::lock_guard lock(self.mutex_);
  if (self.outcome_) return self.checker_.Report("op->done() was called twice");
  self.outcome_ = Outcome{status, TextsOf(reasons, n)};
  self.ended_.notify_all();
}

StartedCall::StartedCall(Outcome answered, std::shared_ptr<FakeOp> op)
    : answered_(std::move(answered)), op_(std::move(op)) {}

bool StartedCall::ended() const { return answered_.code != BERTH_LATER || op_->ended(); }

Outcome StartedCall::outcome() const {
  if (!ended()) throw std::logic_error("the call has not ended");
  return answered_.code == BERTH_LATER ? *op_->Wait(std::chrono::milliseconds(0)) : answered_;
}

void StartedCall::WaitFor(std::chrono::milliseconds time) const {
  if (!ended()) (void)op_->Wait(time);
}

Attempt::Attempt(berth_plugin* instance, FakeHost& host, const FakeCluster& cluster, const FakePod& pod)
    : instance_(instance),
      host_(&host),
      cluster_(std::make_shared<FakeCluster>(cluster)),
      pod_(pod.Build()),
      snap_(std::make_shared<FakeSnapshot>(*cluster_)),
      cycle_{&host, snap_.get()} {
  cycle_.pod = pod_->raw();
}

Attempt::~Attempt() {
  for (void*& data : cycle_.data) {
    if (data != borrowed_) host_->Free(std::exchange(data, nullptr));
  }
}

const berth_pod* Attempt::pod() const { return pod_->raw(); }

Outcome Attempt::AddPod(const FakePod& added, const std::string& node) {
  return Change(FakePod(added).Node(node).Build(), node, true);
}

Outcome Attempt::RemovePod(const FakePod& removed, const std::string& node) {
  return Change(FakePod(removed).Node(node).Build(), node, false);
}

Outcome Attempt::AddPod(const berth_pod* added, const std::string& node) {
  return Change(PodObject::Of(added)->shared_from_this(), node, true);
}

Outcome Attempt::RemovePod(const berth_pod* removed, const std::string& node) {
  return Change(PodObject::Of(removed)->shared_from_this(), node, false);
}

Attempt::Attempt(const Attempt& parent, void* data, bool own)
    : instance_(parent.instance_),
      host_(parent.host_),
      cluster_(std::make_shared<FakeCluster>(*parent.cluster_)),
      pod_(parent.pod_),
      snap_(std::make_shared<FakeSnapshot>(*cluster_)),
      cycle_{parent.host_, snap_.get()},
      borrowed_(own ? nullptr : data) {
  cycle_.data[BERTH_SLOT_CYCLE] = data;
  cycle_.pod = pod_->raw();
}

}  // namespace berth::sdk::testing
