// The connection of a user to the scheduler that leads in a cluster: through a tunnel of kubectl to its secure port,
// where the user's own credentials count. The API server's proxy would not pass them on. Thread: main.
#pragma once

#include <chrono>
#include <string>

#include "base/result.h"
#include "cmd/berthctl/admin/admin_connection.h"
#include "cmd/berthctl/kubectl/kubectl.h"
#include "cmd/berthctl/kubectl/leader.h"

namespace berth::ctl {

struct ClusterOptions {
  KubectlChoice kubectl;
  SchedulerPlace place;
  int32_t port = 10259;     // the scheduler's --secure-port
  std::string ca_file;      // verifies the scheduler's certificate; "" = no verification
  std::string server_name;  // in the certificate; "" = 127.0.0.1
};

struct ClusterConnection {
  AdminConnection scheduler;
  std::string name_space;  // of the context; "default" if it has none
};

// timeout: of one request to the scheduler. Errors say which step failed, and which permission is missing.
base::Result<ClusterConnection> ConnectToCluster(const ClusterOptions& options, std::chrono::seconds timeout);

}  // namespace berth::ctl
