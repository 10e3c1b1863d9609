// The status of a plugin's call, or of a whole extension point, with its reasons. Success allocates nothing.
// Source: Status in k8s.io/kube-scheduler/framework/interface.go. Thread: a value.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/intern.h"
#include "berth/abi.h"

namespace berth::plugin {

enum class Code : uint8_t {
  kSuccess = BERTH_SUCCESS,
  kError = BERTH_ERROR,
  kUnschedulable = BERTH_UNSCHEDULABLE,
  kUnresolvable = BERTH_UNRESOLVABLE,
  kWait = BERTH_WAIT,
  kSkip = BERTH_SKIP,
  kPending = BERTH_PENDING,
};
// "Success", "Unschedulable", "UnschedulableAndUnresolvable", ...: the spelling of metrics and results.
const char* CodeName(Code code);

inline bool IsRejected(Code code) {
  return code == Code::kUnschedulable || code == Code::kUnresolvable || code == Code::kPending;
}

struct Status {
  Code code = Code::kSuccess;
  base::Id plugin = base::kNoId;     // name of the plugin that returned it; owned by its instance
  std::vector<std::string> reasons;  // of an error: the error text first

  bool ok() const { return code == Code::kSuccess; }
  bool rejected() const { return IsRejected(code); }
  std::string Message() const;  // reasons joined by ", "
};

inline Status ErrorStatus(std::string text) { return Status{Code::kError, base::kNoId, {std::move(text)}}; }

}  // namespace berth::plugin
