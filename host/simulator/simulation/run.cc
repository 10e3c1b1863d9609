#include "simulator/simulation/run.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

#include "policy/assembly/config_files.h"
#include "policy/assembly/policy.h"
#include "scheduler/framework/cluster_services.h"
#include "scheduler/framework/manifests_to_keep.h"
#include "simulator/results/result_json.h"
#include "simulator/results/result_table.h"
#include "simulator/simulation/explain_sink.h"
#include "simulator/simulation/manifest_feed.h"
#include "simulator/simulation/pending_pods.h"
#include "simulator/simulation/simulation.h"

namespace berth::simulation {
namespace {

void PrintIssues(const config::LoadResult& result, std::ostream& err) {
  for (const fields::Issue& issue : result.errors) err << issue.Text() << "\n";
  for (const fields::Issue& issue : result.warnings) err << "warning: " << issue.Text() << "\n";
}

// Reads the configuration. On an error, prints it to err and returns nullptr.
std::unique_ptr<assembly::Policy> ReadPolicy(const RunOptions& options, api::InternTables& intern, std::ostream& err) {
  const auto sources = assembly::ReadSources(options.config, options.berth_config);
  if (!sources) {
    err << sources.error().message << "\n";
    return nullptr;
  }
  // Plugins validate their args with separate services, because the engine that will serve them needs the result first.
  plugin::Services services(intern);
  framework::AddClusterServices(services);
  auto policy = std::make_unique<assembly::Policy>(
      assembly::LoadPolicy(*sources, {options.plugin_directories, options.gates}, services));
  PrintIssues(policy->config, err);
  if (!policy->ok()) policy = nullptr;
  return policy;
}

SimulationOptions OptionsFor(const RunOptions& options, const assembly::Policy& policy) {
  const config::Configuration& configuration = policy.config.scheduler;
  SimulationOptions out;
  if (options.decision_log.empty() && !options.then) out.engine.decisions.limits.decisions = 0;
  out.engine.decisions.time_share = 1;
  out.engine.seed = options.seed;
  out.engine.queue.pod_initial_backoff_ns = configuration.pod_initial_backoff_seconds * base::kSecond;
  out.engine.queue.pod_max_backoff_ns = configuration.pod_max_backoff_seconds * base::kSecond;
  out.engine.queue.pop_from_backoff_q = options.gates.Enabled("SchedulerPopFromBackoffQ");
  if (options.json && options.json_nodes) out.record = cycle::RecordNodes::kAll;
  if (options.json && !options.json_nodes) out.record = cycle::RecordNodes::kNone;
  out.explain_pod = options.explain_pod;
  if (!out.explain_pod.empty() && out.explain_pod.find('/') == std::string::npos) {
    out.explain_pod = "default/" + out.explain_pod;
  }
  out.check_consistency = options.check;
  out.engine.check_kept = options.check;
  return out;
}

// Applies the manifests, then each step when the cluster is quiet. On an error, prints it to err and returns false.
bool Play(const RunOptions& options, Simulation& simulation, manifests::Loader& loader, results::AttemptSink& attempts,
          std::ostream& err) {
  auto play = [&](const std::vector<std::string>& files, manifests::Applying what) {
    base::Result<void> done = loader.Apply(files, what);
    if (done) done = simulation.Run();
    if (!done) err << done.error().message << "\n";
    return done.has_value();
  };
  if (!play(options.manifests, manifests::Applying::kStart)) return false;
  attempts.Quiet("");
  for (const std::string& step : options.steps) {
    if (!play({step}, manifests::Applying::kStep)) return false;
    attempts.Quiet(std::filesystem::path(step).filename());
  }
  return true;
}

void PrintIgnored(const manifests::Loader& loader, std::ostream& err) {
  for (const auto& [kind, count] : loader.ignored()) {
    err << "ignored " << count << " " << kind << (count == 1 ? "" : " objects") << "\n";
  }
}

// pending: what to say at the end about the pods that are pending then.
int Simulate(const RunOptions& options, assembly::Policy& policy, api::InternTables& intern, results::AttemptSink& sink,
             std::vector<explain::Explanation>& pending, std::ostream& out, std::ostream& err,
             const AtEnd& at_end = {}) {
  SimulationOptions simulation_options = OptionsFor(options, policy);
  std::ofstream log_file;
  if (!options.decision_log.empty()) log_file.open(options.decision_log);
  if (!log_file) {
    err << "cannot write " << options.decision_log << ": " << std::strerror(errno) << "\n";
    return 1;
  }
  DecisionLog log(log_file);
  if (!options.decision_log.empty()) simulation_options.decision_log = &log;
  Cluster cluster(intern);
  ExplainSink explained(sink, options.json ? err : out, cluster,
                        {simulation_options.explain_pod, options.color, options.width});
  results::AttemptSink& attempts = simulation_options.explain_pod.empty() ? sink : explained;
  Simulation simulation(intern, cluster, attempts, simulation_options);
  const auto profiles = assembly::BuildProfiles(policy, simulation.engine().services());
  if (!profiles) {
    err << profiles.error().message << "\n";
    return 1;
  }
  simulation.SetProfiles(*profiles);
  ManifestFeed listener(cluster);
  const framework::ManifestsToKeep keep = framework::ManifestsFor((*profiles)->extenders);
  manifests::Loader loader(intern, listener, simulation_options.start_unix_ns);
  loader.set_keep(keep.pods, keep.nodes);
  const bool played = Play(options, simulation, loader, attempts, err);
  PrintIgnored(loader, err);
  if (played && at_end) at_end(simulation, cluster, intern);
  if (played && options.suggest) pending = ExplainPendingPods(simulation, intern);
  for (const explain::Explanation& pod : pending) {
    if (!options.decision_log.empty()) log.AddPending(pod);
  }
  if (!options.decision_log.empty() && !log_file.flush()) {
    err << "cannot write " << options.decision_log << "\n";
    return 1;
  }
  if (played && !simulation_options.explain_pod.empty() && explained.attempts() == 0) {
    err << "there was no attempt to schedule pod \"" << simulation_options.explain_pod << "\"\n";
    return 1;
  }
  if (!played) return 1;
  return options.then ? options.then(simulation, intern, policy) : 0;
}

}  // namespace

int RunSimulation(const RunOptions& options, std::ostream& out, std::ostream& err) {
  api::InternTables intern;
  const auto policy = ReadPolicy(options, intern, err);
  if (policy == nullptr) return 1;
  std::vector<explain::Explanation> pending;
  // finish: prints the end of the result, which comes before options.then.
  const auto simulate = [&](results::AttemptSink& sink, const std::function<void()>& finish) {
    bool finished = false;
    RunOptions run = options;
    const auto finish_first = [&](Simulation& simulation, api::InternTables& tables, const assembly::Policy& used) {
      finish();
      finished = true;
      out.flush();
      return options.then(simulation, tables, used);
    };
    if (options.then) run.then = finish_first;
    const int code = Simulate(run, *policy, intern, sink, pending, out, err);
    if (!finished) finish();
    return code;
  };
  if (options.json) {
    results::JsonResult result(out, options.json_nodes);
    return simulate(result, [&] { result.Finish(options.suggest ? PendingJson(pending) : json::Value()); });
  }
  results::TableResult result(out, {options.color, !options.steps.empty(), options.width});
  return simulate(result, [&] { PrintPendingPods(out, pending, options.width); });
}

int RunSimulation(const RunOptions& options, results::AttemptSink& sink, const AtEnd& at_end, std::ostream& err) {
  api::InternTables intern;
  const auto policy = ReadPolicy(options, intern, err);
  std::vector<explain::Explanation> pending;
  return policy == nullptr ? 1 : Simulate(options, *policy, intern, sink, pending, err, err, at_end);
}

}  // namespace berth::simulation
