#include "berth/testing/checker.hpp"

#include <stdexcept>

namespace berth::sdk::testing {

CallScope*& CallScope::Current() {
  static thread_local CallScope* current = nullptr;
  return current;
}

void Checker::Report(const std::string& what) {
  const std::lock_guard lock(mutex_);
  violations_.push_back(what);
}

std::vector<std::string> Checker::Violations() {
  const std::lock_guard lock(mutex_);
  looked_at_ = true;
  return violations_;
}

std::vector<std::string> Checker::Unseen() const {
  const std::lock_guard lock(mutex_);
  return looked_at_ ? std::vector<std::string>() : violations_;
}

std::vector<std::string> Checker::Faults() const {
  const std::lock_guard lock(mutex_);
  return faults_;
}

void Checker::AddFaults(const std::vector<std::string>& why) {
  const std::lock_guard lock(mutex_);
  faults_.insert(faults_.end(), why.begin(), why.end());
}

CallScope* Checker::MayCall(const char* function, uint32_t where) {
  CallScope* call = CallScope::Current();
  if (call != nullptr && &call->checker != this) call = nullptr;  // another instance's call grants no rights
  const Domain domain = call == nullptr ? kNoCall : call->domain;
  if ((where & domain) == 0) {
    Report(std::string(function) + " was called " + (call == nullptr ? "outside of any call" : "in ") +
           (call == nullptr ? "" : call->name) + ", where it must not be");
  }
  if (!alive_) Report(std::string(function) + " was called outside of the instance's life");
  return call;
}

CallScope* Checker::MayCall(const char* function, uint32_t where, const berth_cycle* cycle) {
  CallScope* call = MayCall(function, where);
  if (call == nullptr || call->cycle != cycle) {
    Report(std::string(function) + " was called with a cycle that is not the one of the call being made");
  }
  return call;
}

CallScope::CallScope(Checker& of, const char* call, Domain in, berth_cycle* during)
    : checker(of), name(call), domain(in), cycle(during), number(++of.calls_), outer(Current()) {
  if (domain == kSerial && (checker.serial_++ > 0 || checker.parallel_ > 0)) {
    throw std::logic_error(std::string("the test makes the [serial] call ") + name + " while another call runs");
  }
  // In a trial, the host makes [parallel] calls during the plugin's [serial] call.
  const bool within = outer != nullptr && &outer->checker == &checker;
  if (domain == kParallel && (checker.parallel_++, checker.serial_ > 0 && !within)) {
    throw std::logic_error(std::string("the test makes the [parallel] call ") + name + " while a [serial] call runs");
  }
  Current() = this;
}

CallScope::~CallScope() {
  if (domain == kSerial) --checker.serial_;
  if (domain == kParallel) --checker.parallel_;
  Current() = outer;
  checker.AddFaults(because);
}

}  // namespace berth::sdk::testing
