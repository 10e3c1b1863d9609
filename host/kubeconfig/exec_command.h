// The credential command of a kubeconfig (exec), ready to be run. Source: client-go's plugin/pkg/client/auth/exec.
// Thread: any; immutable. Errors hold nothing of its stdout, which is all secret.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "kubeconfig/command.h"
#include "kubeconfig/exec_answer.h"
#include "kubeconfig/selection.h"
#include "kubeconfig/surroundings.h"

namespace berth::kubeconfig {

class ExecCommand {
 public:
  // cluster: what the command is told about the server, null for nothing.
  ExecCommand(ExecConfig config, const json::Value& cluster, const Surroundings& surroundings);

  // Blocks until it has ended, has been killed because it takes too long, or stop has been requested.
  base::Result<ExecCredentials> Run(const std::stop_token& stop) const;
  // As it may be shown.
  std::string Name() const;
  bool operator==(const ExecCommand& other) const;

 private:
  tl::unexpected<base::Error> Missing() const;

  ExecConfig config_;
  CommandLimits limits_;
  std::vector<std::string> environment_;  // of the command, "NAME=value"
  std::string search_path_;
};

// The value of KUBERNETES_EXEC_INFO. cluster: as above.
std::string ExecInfo(const std::string& api_version, const json::Value& cluster);

}  // namespace berth::kubeconfig
