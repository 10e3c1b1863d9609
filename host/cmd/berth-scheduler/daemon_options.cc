#include "cmd/berth-scheduler/daemon_options.h"

#include <algorithm>
#include <chrono>
#include <random>

#include "cluster/election/boot_clock.h"
#include "cluster/election/participant.h"
#include "cmd/berth-scheduler/client_encodings.h"
#include "os/machine/cpus.h"
#include "os/machine/hostname.h"

namespace berth {
namespace {

// The longest step that ends: one attempt may wait for every extender's filter, prioritize and preempt. The watchdog
// acts earlier on a plugin that does not return.
std::chrono::nanoseconds LongestStep(const config::Configuration& configuration,
                                     const config::BerthConfiguration& berth) {
  std::chrono::nanoseconds longest = berth.faults.hang_after;
  for (const config::Extender& extender : configuration.extenders) {
    constexpr std::chrono::nanoseconds kMost = std::chrono::hours(24);
    longest += 3 * (extender.http_timeout.count() > 0 ? std::min(extender.http_timeout, kMost) : kMost);
  }
  return longest;
}

queue::QueueOptions QueueOptionsOf(const DaemonInput& input) {
  queue::QueueOptions out;
  out.pod_initial_backoff_ns = input.configuration.pod_initial_backoff_seconds * base::kSecond;
  out.pod_max_backoff_ns = input.configuration.pod_max_backoff_seconds * base::kSecond;
  out.pod_max_in_unschedulable_pods_ns = input.options.pod_max_in_unschedulable_pods_duration.count();
  out.pop_from_backoff_q = input.gates.Enabled("SchedulerPopFromBackoffQ");
  return out;
}

void FollowElection(const config::Configuration& configuration, const election::FenceState& fence,
                    daemon::DaemonOptions& options) {
  if (!configuration.leader_election.leader_elect) return;
  options.leader_election = true;
  options.delay_cache_until_active = configuration.delay_cache_until_active;
  options.requests.may_write = [&fence,
                                margin_ns = election::FenceMarginNs(configuration.leader_election.lease_duration,
                                                                    configuration.leader_election.renew_deadline)] {
    return fence.Holds(election::BootNs(), margin_ns);
  };
}

}  // namespace

daemon::DaemonOptions DaemonOptionsOf(const DaemonInput& input, const election::FenceState& fence) {
  const uint32_t cpus = os::CgroupCpus();
  daemon::DaemonOptions out;
  out.engine.seed = input.options.seed == 0 ? std::random_device()() : input.options.seed;
  out.engine.workers = cpus - 1;
  out.engine.parallelism = static_cast<uint32_t>(input.configuration.parallelism);
  out.engine.queue = QueueOptionsOf(input);
  out.engine.decisions.limits = {.decisions = static_cast<size_t>(input.berth.decisions.attempts),
                                 .bytes = static_cast<size_t>(input.berth.decisions.memory_bytes)};
  out.requests.qps = input.configuration.client_connection.qps;
  out.requests.burst = input.configuration.client_connection.burst;
  out.requests.encodings = EncodingsOf(input.configuration.client_connection);
  out.reading.protobuf = out.requests.encodings.replies == requests::Encoding::kProtobuf;
  out.binding_threads = cpus;
  out.hostname = os::Hostname();
  out.step_timeout_ns += LongestStep(input.configuration, input.berth).count();
  FollowElection(input.configuration, fence, out);
  return out;
}

}  // namespace berth
