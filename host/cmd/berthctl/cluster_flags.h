// The flags with which a command reaches the scheduler of a cluster, and the connection that they describe. Thread:
// main.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cmd/berthctl/kubectl/cluster_connection.h"
#include "config/flags/command.h"

namespace berth::ctl {

struct ClusterFlags {
  bool kubectl = false;  // --kubectl; its default is whether the program runs as a plugin of kubectl
  ClusterOptions options;
};

// flags lives as long as the command.
void AddClusterFlags(flags::Command& command, ClusterFlags& flags);

// Whether the command line asks for the scheduler of a cluster: with --kubectl, or as a plugin of kubectl without any
// of the `others`, the flags that name another source. Error: flags that contradict each other.
base::Result<bool> AsksCluster(const flags::Command& command, const ClusterFlags& flags,
                               const std::vector<std::string>& others);

}  // namespace berth::ctl
