// Outcomes: Status for a call (with its reasons), Verdict for one row. Values, usable on any thread.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "berth/text.hpp"

namespace berth::sdk {

// What a call returns. Success allocates nothing. Reasons are what users read in the pod's condition; for an error the
// first one is the error's text.
class [[nodiscard]] Status {
 public:
  Status() = default;  // success
  explicit Status(berth_status code, std::vector<std::string> reasons = {})
      : code_(code), reasons_(std::move(reasons)) {}

  static Status Ok() { return {}; }
  // A fault, not a decision: the attempt fails and the pod is retried after backoff.
  static Status Error(std::string text) { return Status(BERTH_ERROR, One(std::move(text))); }
  // Preemption or a cluster event may help.
  static Status Unschedulable(std::string reason) { return Status(BERTH_UNSCHEDULABLE, One(std::move(reason))); }
  // UnschedulableAndUnresolvable: preemption cannot help.
  static Status Unresolvable(std::string reason) { return Status(BERTH_UNRESOLVABLE, One(std::move(reason))); }
  // Like Unschedulable, and an event of this plugin retries the pod at once.
  static Status Pending(std::string reason) { return Status(BERTH_PENDING, One(std::move(reason))); }
  static Status Wait() { return Status(BERTH_WAIT); }        // Permit only
  static Status Skip() { return Status(BERTH_SKIP); }        // PreFilter, PreScore, PreFlight, Bind only
  static Status Later() { return Status(BERTH_LATER); }      // PreBind and Bind with a kept Op only
  static Status Uniform() { return Status(BERTH_UNIFORM); }  // batch Score only: out[0] is the score of all rows

  bool ok() const { return code_ == BERTH_SUCCESS; }
  berth_status code() const { return code_; }
  const std::vector<std::string>& reasons() const { return reasons_; }

 private:
  static std::vector<std::string> One(std::string text) {
    std::vector<std::string> reasons;
    reasons.push_back(std::move(text));
    return reasons;
  }

  berth_status code_ = BERTH_SUCCESS;
  std::vector<std::string> reasons_;
};

// A list of reason texts that the host has numbered: the result of cycle.Reasons(). Valid in the call that created it.
struct ReasonList {
  uint32_t number = 0;
};

// A reason that is a string literal. cycle.Reasons(literal) asks the host once per call, however many rows use it.
class StaticReason {
 public:
  consteval StaticReason(const char* literal) : text_(literal) {}  // NOLINT: meant to convert
  constexpr const char* text() const { return text_; }

 private:
  const char* text_;
};

// The verdict for one row: a berth_verdict, stored in one word because a loop over rows builds it from registers.
class Verdict {
 public:
  constexpr Verdict() = default;                                                            // success
  constexpr operator berth_verdict() const { return std::bit_cast<berth_verdict>(word_); }  // NOLINT: meant to convert

  static constexpr Verdict Ok() { return {}; }
  static constexpr Verdict Unschedulable(ReasonList why) { return {BERTH_UNSCHEDULABLE, why}; }
  static constexpr Verdict Unresolvable(ReasonList why) { return {BERTH_UNRESOLVABLE, why}; }
  static constexpr Verdict Pending(ReasonList why) { return {BERTH_PENDING, why}; }
  static constexpr Verdict Error(ReasonList why) { return {BERTH_ERROR, why}; }  // fails the attempt

 private:
  static_assert(sizeof(berth_verdict) == sizeof(uint64_t));
  constexpr Verdict(uint8_t code, ReasonList why)
      : word_(std::endian::native == std::endian::little ? code | uint64_t{why.number} << 32
                                                         : uint64_t{code} << 56 | why.number) {}
  uint64_t word_ = 0;
};

}  // namespace berth::sdk
