#include "cluster/daemon/health_checks.h"

#include <optional>
#include <string>

namespace berth::daemon {
namespace {

std::optional<std::string> WhyNotSynced(const Daemon& daemon) {
  if (daemon.handlers_synced()) return std::nullopt;
  const std::string trouble = daemon.trouble();
  return "handlers are not fully synchronized" + (trouble.empty() ? "" : ": " + trouble);
}

std::optional<std::string> WhyEnding(const Daemon& daemon) {
  if (daemon.ending()) return "process is shutting down";
  return std::nullopt;
}

}  // namespace

void AddHealthChecks(const Daemon& daemon, serve::Checks& checks) {
  for (std::vector<serve::Check>* alive : {&checks.healthz, &checks.livez}) {
    alive->push_back(serve::Ping());
    alive->push_back(
        {.name = "scheduling-thread", .run = [&daemon] { return daemon.StuckText(); }, .shows_error = true});
  }
  std::vector<serve::Check>& ready = checks.readyz;
  ready.push_back({"shutdown", [&daemon] { return WhyEnding(daemon); }});
  ready.push_back({"sched-handler-sync", [&daemon] { return WhyNotSynced(daemon); }});
  ready.push_back(
      {.name = "watch-nodes", .run = [&daemon] { return daemon.BrokenNodeWatchText(); }, .shows_error = true});
  ready.push_back(
      {.name = "watch-pods", .run = [&daemon] { return daemon.BrokenPodWatchText(); }, .shows_error = true});
}

}  // namespace berth::daemon
