// Credentials that a command makes (exec in a kubeconfig), kept until they expire. Source: client-go's
// plugin/pkg/client/auth/exec. Asked on transport threads, for each request and each connection; runs the command, and
// blocks, when there is nothing to serve.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "base/result.h"
#include "json/value.h"
#include "kubeconfig/command.h"
#include "kubeconfig/exec_answer.h"
#include "kubeconfig/selection.h"
#include "kubeconfig/surroundings.h"

namespace berth::kubeconfig {

class ExecSource {
 public:
  // cluster: what the command is told about the server, null for nothing.
  ExecSource(ExecConfig config, const json::Value& cluster, const Surroundings& surroundings,
             CommandLimits limits = {});

  // The kept credentials, or new ones when those have expired. A failure stands for a second, so that requests that
  // waited for one run do not each run the command again.
  base::Result<ExecCredentials> Get();
  // The server refused the credentials: the command runs again at the next call, unless it ran ten seconds ago or less,
  // since requests that were under way with older ones may have been refused as well.
  void Forget();

 private:
  bool IsKept() const;
  base::Result<ExecCredentials> Run() const;
  tl::unexpected<base::Error> Missing() const;

  const ExecConfig config_;
  const CommandLimits limits_;
  const base::Clock& clock_;
  std::vector<std::string> environment_;  // of the command, "NAME=value"
  std::string search_path_;
  std::mutex mutex_;  // guards all below; held while the command runs, so that it runs once for all
  std::optional<ExecCredentials> kept_;
  std::optional<base::Error> failure_;
  int64_t next_run_ns_ = 0;  // mono; of a failure
  int64_t made_ns_ = 0;      // mono; of kept_
};

// The value of KUBERNETES_EXEC_INFO. cluster: as above.
std::string ExecInfo(const std::string& api_version, const json::Value& cluster);

}  // namespace berth::kubeconfig
