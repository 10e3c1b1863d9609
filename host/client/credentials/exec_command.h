// The credential command of a kubeconfig (exec). Source: client-go's plugin/pkg/client/auth/exec. Thread: any;
// immutable. Errors contain nothing of the command's stdout, which is secret.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "client/credentials/environment.h"
#include "client/credentials/exec_answer.h"
#include "client/credentials/selection.h"
#include "codec/json/value.h"

namespace berth::credentials {

class ExecCommand {
 public:
  // cluster: the information about the server that the command gets; null for none.
  ExecCommand(ExecConfig config, const json::Value& cluster, const ProcessEnvironment& process);

  // Blocks until the command has ended, the time limit has passed, or stop has been requested; then the command is
  // killed.
  base::Result<ExecCredentials> Run(const std::stop_token& stop) const;
  // The command, safe to show.
  std::string Name() const;
  bool operator==(const ExecCommand& other) const;

 private:
  tl::unexpected<base::Error> Missing() const;

  ExecConfig config_;
  std::chrono::milliseconds time_;        // then the command is killed, with everything that it has started
  std::vector<std::string> environment_;  // of the command, "NAME=value"
  std::string search_path_;
};

// The value of KUBERNETES_EXEC_INFO. cluster: as above.
std::string ExecInfo(const std::string& api_version, const json::Value& cluster);

}  // namespace berth::credentials
