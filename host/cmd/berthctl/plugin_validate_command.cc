// berthctl plugin validate | explain.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cmd/berthctl/commands.h"
#include "cmd/berthctl/validate/rules.h"
#include "cmd/berthctl/validate/validate.h"
#include "codec/json/value.h"

namespace berth::ctl {
namespace {

struct ValidateOptions {
  std::vector<std::string> files, rule;
  std::string args, explain;
  int64_t fuzz_seconds = 0;
  uint64_t seed = 1;
  int32_t only = 0;
  bool json = false;
};

constexpr int kNoAnswer = 64;  // invalid command line; 0 to 4 are results of the validation

int PrintRules() {
  for (const validate::RuleText& rule : validate::AllRuleTexts()) std::cout << rule.id << " " << rule.title << "\n";
  return 0;
}

int ExplainRule(const std::string& id) {
  if (id == "all") return PrintRules();
  const auto rule = validate::Explain(id);
  if (!rule) {
    std::cerr << "there is no rule \"" << id << "\"\n";
    return 1;
  }
  std::cout << rule->id << " " << rule->title << "\n" << rule->explanation << "\n";
  return 0;
}

int Validate(const ValidateOptions& options) {
  if (!options.explain.empty()) return ExplainRule(options.explain);
  validate::Options asked{options.files.front(), {}, options.fuzz_seconds, options.seed, options.only};
  if (!options.args.empty()) {
    auto args = json::Parse(options.args);
    if (!args) {
      std::cerr << "--args: " << args.error().message << "\n";
      return kNoAnswer;
    }
    asked.args = std::move(*args);
  }
  const validate::Report report = validate::Validate(asked);
  std::cout << (options.json ? json::Dump(validate::ToJson(report), 2) + "\n" : validate::ToText(report));
  return report.ExitCode();
}

}  // namespace

void AddPluginValidateCommand(flags::Command& plugin) {
  using flags::Text;
  auto options = std::make_shared<ValidateOptions>();
  flags::Command& command = plugin.AddSubcommand(
      "validate",
      "hold a library to every rule, each in a process of its own; exits with 0 (ok), 1 (warnings), 2 "
      "(failed), 3 (crashed) or 4 (timeout)");
  command.AddArguments("FILE", options->files, "a plugin library", false);
  command.Add(
      {.name = "args",
       .value = Text(options->args),
       .help =
           "the plugin's args as JSON (of a library with several plugins: an object by name); none: the sample args "
           "of the library's note, or else the defaults"});
  command.Add({.name = "fuzz",
               .value = flags::Int64(options->fuzz_seconds),
               .help = "seconds to ask about random clusters and pods"});
  command.Add({.name = "seed", .value = flags::Uint64(options->seed), .help = "of what is random"});
  command.Add({.name = "only", .value = flags::Int32(options->only), .help = "the number of the one rule to ask"});
  command.Add({.name = "json", .value = flags::Bool(options->json), .help = "answer with JSON"});
  command.Add({.name = "explain", .value = Text(options->explain), .help = "say what a rule asks, and why"});
  command.OnRun([options] { return Validate(*options); });

  flags::Command& explain = plugin.AddSubcommand("explain", "what a rule for libraries (BP-7) asks, and why");
  explain.AddArguments("RULE", options->rule, "the rule's id, or all for a list", false);
  explain.OnRun([options] { return ExplainRule(options->rule.front()); });
}

}  // namespace berth::ctl
