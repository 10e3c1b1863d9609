#include "plugin/instance/status.h"

#include "base/text.h"

namespace berth::plugin {

const char* CodeName(Code code) {
  switch (code) {
    case Code::kSuccess: return "Success";
    case Code::kError: return "Error";
    case Code::kUnschedulable: return "Unschedulable";
    case Code::kUnresolvable: return "UnschedulableAndUnresolvable";
    case Code::kWait: return "Wait";
    case Code::kSkip: return "Skip";
    case Code::kPending: return "Pending";
  }
  return "Error";
}

std::string Status::Message() const { return base::Join(reasons, ", "); }

}  // namespace berth::plugin
