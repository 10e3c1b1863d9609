// Trials in PostFilter, for preemption: would the pod fit if pods were removed from a node, or added?
//   explicit MyPreemption(sdk::Host& host) : trials_(host) {}
//   sdk::Trial trial = trials_.Open(cycle, row);
//   for (Pod pod : victims) trial.Remove(pod);
//   if (trial.Filter().ok()) ...
//   trial.On(other).Remove(pod);  // a pod of another row leaves too: for constraints on several nodes
// Thread: [serial], inside PostFilter. An error of a filter is thrown as TrialError, which the layer turns into an
// ERROR of the call unless the plugin catches it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "berth/cycle.hpp"
#include "berth/detail/services.hpp"
#include "berth/host.hpp"
#include "berth/trial.h"

namespace berth::sdk {

// A plugin of the profile failed in a trial; the text is the host's.
class TrialError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The verdict of the profile's filters for the row in its current state in the trial.
struct TrialVerdict {
  berth_verdict verdict{};  // reasons: cycle.ReasonTexts(verdict.reasons), as long as the attempt
  Id plugin = kNoId;        // the plugin that rejected the row
  bool ok() const { return verdict.code == BERTH_SUCCESS; }
};

// A row with hypothetical changes. They are reverted when the object ends.
class Trial {
 public:
  Trial(const berth_trials* table, berth_cycle* raw) : table_(table), raw_(raw) {}
  Trial(Trial&& other) noexcept : table_(other.table_), raw_(std::exchange(other.raw_, nullptr)) {}
  Trial& operator=(Trial&&) = delete;
  ~Trial() {
    if (raw_ != nullptr) table_->close(raw_);
  }

  // Turns to another row: the following calls apply to it. Earlier rows keep their changes.
  Trial& On(uint32_t row) {
    Check(table_->turn_to(raw_, row));
    return *this;
  }
  // A pod of the row leaves; a pod is added (back). The pod must outlive the trial, as pods of the snapshot do.
  void Remove(const Pod& pod) { Check(table_->remove(raw_, pod.raw())); }
  void Add(const Pod& pod) { Check(table_->add(raw_, pod.raw())); }
  TrialVerdict Filter() {
    TrialVerdict answer;
    Check(table_->filter(raw_, &answer.verdict, &answer.plugin));
    return answer;
  }

 private:
  void Check(berth_status status) const {
    if (status != BERTH_SUCCESS) throw TrialError(std::string(View(table_->error(raw_))));
  }

  const berth_trials* table_;
  berth_cycle* raw_;
};

// The service. Make it in the plugin's constructor and keep it; a host without it throws MissingService when it is
// used.
class Trials {
 public:
  explicit Trials(const Host& host)
      : host_(host.raw()),
        table_(detail::CopyTable<berth_trials>(host.raw()->service(host.raw(), BERTH_SERVICE_TRIAL))) {
    using detail::Patch;
    Patch<"berth.host.trial/1: open">(table_, &berth_trials::open);
    Patch<"berth.host.trial/1: remove">(table_, &berth_trials::remove);
    Patch<"berth.host.trial/1: add">(table_, &berth_trials::add);
    Patch<"berth.host.trial/1: filter">(table_, &berth_trials::filter);
    Patch<"berth.host.trial/1: error">(table_, &berth_trials::error);
    Patch<"berth.host.trial/1: close">(table_, &berth_trials::close);
    Patch<"berth.host.trial/1: turn_to">(table_, &berth_trials::turn_to);
  }

  // Throws TrialError when the row belongs to no node or has a trial already. This object must outlive the trial.
  Trial Open(Cycle& cycle, uint32_t row) const& {
    berth_cycle* trial = table_.open(host_, cycle.raw(), row);
    if (trial == nullptr) throw TrialError("there can be no trial on row " + std::to_string(row));
    return {&table_, trial};
  }
  Trial Open(Cycle& cycle, uint32_t row) const&& = delete;

 private:
  const berth_host* host_;
  berth_trials table_;
};

}  // namespace berth::sdk
