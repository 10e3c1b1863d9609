// berthctl why.
#include <iostream>
#include <memory>

#include "cmd/berthctl/commands.h"
#include "cmd/berthctl/why/source.h"
#include "cmd/berthctl/why/why_report.h"
#include "codec/yaml/yaml_writer.h"

namespace berth::ctl {
namespace {

constexpr size_t kWidth = 100;

struct WhyFlags {
  std::vector<std::string> arguments;
  std::string running = "127.0.0.1:10261", log, node, output = "table";
  bool suggest = false, nodes = false, diff = false;
};

int Complain(const std::string& why) {
  std::cerr << "berthctl: " << why << "\n";
  return 1;
}

base::Result<std::unique_ptr<WhySource>> Source(const WhyFlags& flags) {
  return flags.log.empty() ? RunningScheduler(flags.running) : DecisionLogFile(flags.log);
}

std::string WithNamespace(const std::string& pod) {
  return pod.find('/') == std::string::npos ? "default/" + pod : pod;
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

int Explain(const WhyFlags& flags, WhySource& source) {
  if (flags.arguments.size() != 1) return Complain("name one pod: [NAMESPACE/]POD");
  const auto explanation =
      source.Explain({.pod = WithNamespace(flags.arguments[0]), .node = flags.node, .suggest = flags.suggest});
  if (!explanation) return Complain(explanation.error().message);
  if (flags.output != "table") {
    PrintValue(*explanation, flags.output);
    return 0;
  }
  PrintExplanation(std::cout, *explanation, kWidth);
  return flags.nodes ? PrintNodesOf(source, *explanation) : 0;
}

int Run(const WhyFlags& flags) {
  const auto source = Source(flags);
  if (!source) return Complain(source.error().message);
  return flags.diff ? Diff(flags, **source) : Explain(flags, **source);
}

}  // namespace

void AddWhyCommand(flags::Command& program) {
  auto options = std::make_shared<WhyFlags>();
  flags::Command& command = program.AddSubcommand("why", "explain why a pod is on its node, or why it is pending");
  command.AddArguments("POD", options->arguments, "[NAMESPACE/]POD; with --diff: the numbers of two decisions", true);
  command.Add({.name = "running",
               .value = flags::Text(options->running),
               .help = "the --admin-address of the running berth-scheduler to ask"});
  command.Add({.name = "decision-log",
               .value = flags::Text(options->log),
               .help = "answer from this file of berthctl simulate --decision-log instead"});
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
  command.OnRun([options] { return Run(*options); });
}

}  // namespace berth::ctl
