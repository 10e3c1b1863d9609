// berthctl why.
#include <chrono>
#include <iostream>
#include <memory>
#include <utility>

#include "cmd/berthctl/cluster_flags.h"
#include "cmd/berthctl/commands.h"
#include "cmd/berthctl/serve/page_server.h"
#include "cmd/berthctl/why/log_pages.h"
#include "cmd/berthctl/why/source.h"
#include "cmd/berthctl/why/why_report.h"
#include "codec/yaml/yaml_writer.h"

namespace berth::ctl {
namespace {

constexpr size_t kWidth = 100;
constexpr std::chrono::seconds kTimeout{30};  // a search for suggestions may take some seconds

struct WhyFlags {
  std::vector<std::string> arguments;
  std::string running = "127.0.0.1:10261", log, node, output = "table", name_space, serve;
  bool suggest = false, nodes = false, diff = false;
  ClusterFlags cluster;
};

struct Asked {
  std::unique_ptr<WhySource> source;
  std::string name_space;  // of a pod without one
};

int Complain(const std::string& why) {
  std::cerr << "berthctl: " << why << "\n";
  return 1;
}

base::Result<Asked> AskCluster(const WhyFlags& flags) {
  auto connection = ConnectToCluster(flags.cluster.options, kTimeout);
  if (!connection) return tl::unexpected(connection.error());
  return Asked{RunningScheduler(std::move(connection->scheduler)), std::move(connection->name_space)};
}

base::Result<Asked> AskOutside(const WhyFlags& flags) {
  if (!flags.log.empty()) {
    auto log = DecisionLogFile(flags.log);
    if (!log) return tl::unexpected(log.error());
    return Asked{std::move(*log), "default"};
  }
  auto connection = ConnectTo(flags.running, kTimeout);
  if (!connection) return tl::unexpected(connection.error());
  return Asked{RunningScheduler(std::move(*connection)), "default"};
}

base::Result<Asked> SourceOf(const flags::Command& command, const WhyFlags& flags) {
  const auto in_cluster = AsksCluster(command, flags.cluster, {"running", "decision-log"});
  if (!in_cluster) return tl::unexpected(in_cluster.error());
  auto asked = *in_cluster ? AskCluster(flags) : AskOutside(flags);
  if (asked && !flags.name_space.empty()) asked->name_space = flags.name_space;
  return asked;
}

void PrintValue(const json::Value& value, const std::string& output) {
  std::cout << (output == "yaml" ? yaml::WriteYaml(value) : json::Dump(value, 2) + "\n");
}

base::Result<json::Value> DecisionWithNodes(WhySource& source, int64_t id) {
  auto decision = source.Decision(id);
  if (decision && decision->Find("nodes") == nullptr) {
    return base::Fail("the nodes of decision " + std::to_string(id) +
                      " are not recorded: the scheduler was too busy, or its memory for decisions is full");
  }
  return decision;
}

base::Result<json::Value> DecisionByText(WhySource& source, const std::string& id) {
  const auto number = json::Parse(id);
  if (!number || !number->is_int()) return base::Fail("\"" + id + "\" is not the number of a decision");
  return DecisionWithNodes(source, number->integer());
}

int Diff(const WhyFlags& flags, WhySource& source) {
  if (flags.arguments.size() != 2) return Complain("--diff needs the numbers of two decisions");
  const auto before = DecisionByText(source, flags.arguments[0]);
  if (!before) return Complain(before.error().message);
  const auto after = DecisionByText(source, flags.arguments[1]);
  if (!after) return Complain(after.error().message);
  PrintDifference(std::cout, *before, *after);
  return 0;
}

// The nodes of the decision that the explanation refers to.
int PrintNodesOf(WhySource& source, const json::Value& explanation) {
  const json::Value* id = explanation.Find("decisionWithNodes");
  if (id == nullptr) id = explanation.FindPath("decision.id");
  if (id == nullptr) return Complain("no attempt of the pod is recorded");
  const auto decision = DecisionWithNodes(source, id->integer());
  if (!decision) return Complain(decision.error().message);
  PrintNodes(std::cout, *decision);
  return 0;
}

// As on the command line.
base::Result<std::string> PodOf(const WhyFlags& flags) {
  if (flags.arguments.size() != 1) return base::Fail("name one pod: [NAMESPACE/]POD");
  const std::string& pod = flags.arguments[0];
  if (pod.find('/') != std::string::npos && !flags.name_space.empty()) {
    return base::Fail("--namespace and " + pod + " both name a namespace");
  }
  return pod;
}

int Explain(const WhyFlags& flags, WhySource& source, const std::string& pod) {
  const auto explanation = source.Explain({.pod = pod, .node = flags.node, .suggest = flags.suggest});
  if (!explanation) return Complain(explanation.error().message);
  if (flags.output != "table") {
    PrintValue(*explanation, flags.output);
    return 0;
  }
  PrintExplanation(std::cout, *explanation, kWidth);
  return flags.nodes ? PrintNodesOf(source, *explanation) : 0;
}

int Serve(const WhyFlags& flags) {
  if (flags.log.empty()) return Complain("--serve needs --decision-log: a running scheduler serves its page itself");
  if (!flags.arguments.empty()) return Complain("--serve shows all pods: name none");
  auto read = LogIndex::Read(flags.log);
  if (!read) return Complain(read.error().message);
  const std::shared_ptr<const LogIndex> index = *std::move(read);
  const auto add = [&](serve::Endpoints& endpoints) { AddLogRoutes(endpoints.routes(), index); };
  return ServePage({.address = flags.serve, .add = add}, std::cerr);
}

int Run(const flags::Command& command, const WhyFlags& flags) {
  if (!flags.serve.empty()) return Serve(flags);
  const base::Result<std::string> pod = flags.diff ? "" : PodOf(flags);  // before anything is asked
  if (!pod) return Complain(pod.error().message);
  const auto asked = SourceOf(command, flags);
  if (!asked) return Complain(asked.error().message);
  if (flags.diff) return Diff(flags, *asked->source);
  return Explain(flags, *asked->source, pod->find('/') == std::string::npos ? asked->name_space + "/" + *pod : *pod);
}

}  // namespace

void AddWhyCommand(flags::Command& program, bool kubectl_plugin) {
  auto options = std::make_shared<WhyFlags>();
  options->cluster.kubectl = kubectl_plugin;
  flags::Command& command = program.AddSubcommand("why", "explain why a pod is on its node, or why it is pending");
  command.AddArguments("POD", options->arguments,
                       "[NAMESPACE/]POD; with --diff: the numbers of two decisions; with --serve: none", true, true);
  command.Add({.name = "running",
               .value = flags::Text(options->running),
               .help = "the --admin-address of the running berth-scheduler to ask"});
  command.Add({.name = "decision-log",
               .value = flags::Text(options->log),
               .help = "answer from this file, written by --decision-log of berthctl simulate or berth-scheduler"});
  command.Add(ServeFlag(options->serve, "serve the page of decisions and its API over the decision log"));
  command.Add({.name = "node",
               .value = flags::Text(options->node),
               .help = "also say whether the pending pod fits on this node, and why not"});
  command.Add({.name = "suggest",
               .value = flags::Bool(options->suggest),
               .help = "look for changes of the pending pod after which it fits"});
  command.Add({.name = "nodes",
               .value = flags::Bool(options->nodes),
               .help = "also print the verdict and the scores of every node in the last recorded attempt"});
  command.Add({.name = "diff",
               .value = flags::Bool(options->diff),
               .help = "compare two decisions instead, given by their numbers"});
  command.Add({.name = "output",
               .letter = 'o',
               .value = flags::Choice(options->output, {"table", "json", "yaml"}),
               .help = "table, json, or yaml"});
  command.Add({.name = "namespace",
               .letter = 'n',
               .value = flags::Text(options->name_space),
               .help = "of a POD without NAMESPACE; otherwise that of the context with --kubectl, else default"});
  AddClusterFlags(command, options->cluster);
  command.OnRun([options, &command] { return Run(command, *options); });
}

}  // namespace berth::ctl
