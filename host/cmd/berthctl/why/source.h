// Where `berthctl why` gets its answers: a running scheduler, or a decision log. Thread: main.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "cmd/berthctl/admin/admin_connection.h"
#include "codec/json/value.h"

namespace berth::ctl {

struct WhyQuestion {
  std::string pod;       // "namespace/name"
  std::string node;      // a node to answer for in particular, or ""
  bool suggest = false;  // look for changes after which the pod would fit
};

class WhySource {
 public:
  virtual ~WhySource() = default;
  // A PodExplanation. Error: there is no such pod, or no answer.
  virtual base::Result<json::Value> Explain(const WhyQuestion& question) = 0;
  // A Decision, with its nodes if they are recorded.
  virtual base::Result<json::Value> Decision(int64_t id) = 0;
};

std::unique_ptr<WhySource> RunningScheduler(AdminConnection connection);
// path: a file that `berthctl simulate --decision-log` or a scheduler has written.
base::Result<std::unique_ptr<WhySource>> DecisionLogFile(const std::string& path);

}  // namespace berth::ctl
