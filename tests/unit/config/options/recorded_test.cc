// The flags compared with the recorded output of kube-scheduler 1.36.3: tests/data/flags.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "base/text.h"
#include "config/options/parse.h"
#include "config/options/validate_options.h"

namespace berth::options {
namespace {

using Texts = std::vector<std::string>;

Texts Lines(const std::string& name) {
  std::ifstream in(std::string(BERTH_TEST_SOURCE_DIR) + "/tests/data/flags/" + name);
  EXPECT_TRUE(in) << name;
  Texts lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

Texts Columns(const std::string& line) {
  Texts out;
  std::istringstream in(line);
  for (std::string column; std::getline(in, column, '\t');) out.push_back(column);
  out.resize(5);
  return out;
}

// The defaults of the flags that kube-scheduler has.
std::map<std::string, std::string> Defaults() {
  SchedulerOptions options;
  std::ostringstream out, err;
  EXPECT_EQ(ParseOptions(Texts{}, "0.1.0", options, out, err), std::nullopt);
  std::map<std::string, std::string> defaults;
  for (const flags::FlagState& flag : options.states) defaults[flag.name] = flag.text;
  for (const char* own :
       {"plugin-dir", "berth-config", "state-dir", "no-self-restart", "admin-address", "decision-log", "seed"}) {
    EXPECT_EQ(defaults.erase(own), 1u) << own;
  }
  return defaults;
}

TEST(Recorded, FlagsAndDefaultsAreThoseOfKubeScheduler) {
  std::map<std::string, std::string> theirs;
  for (const std::string& line : Lines("kube-scheduler.tsv")) {
    if (!line.starts_with('#')) theirs[Columns(line)[0]] = Columns(line)[3];
  }
  EXPECT_GT(theirs.size(), 60u);
  EXPECT_EQ(Defaults(), theirs);
}

TEST(Recorded, BareFlagsAreTheSame) {
  for (const std::string& line : Lines("kube-scheduler.tsv")) {
    if (line.starts_with('#')) continue;
    const Texts columns = Columns(line);
    SchedulerOptions options;
    std::ostringstream out, err;
    const auto code = ParseOptions({"--" + columns[0]}, "0.1.0", options, out, err);
    if (columns[4].empty()) {
      EXPECT_EQ(code, 1) << line;
      EXPECT_THAT(err.str(), testing::EndsWith("Error: flag needs an argument: --" + columns[0] + "\n"));
    } else if (columns[0] == "version") {
      EXPECT_EQ(code, 0);
    } else {
      EXPECT_EQ(code, std::nullopt) << line;
      EXPECT_TRUE(options.Changed(columns[0]));
    }
  }
}

struct Case {
  Texts arguments, changed;
  std::string error;
};

std::vector<Case> Cases() {
  std::vector<Case> cases(1);
  for (const std::string& line : Lines("cases.txt")) {
    const size_t colon = line.find(':');
    const std::string text = line.size() > colon + 2 ? line.substr(colon + 2) : "";
    if (line.empty()) cases.emplace_back();
    if (line.starts_with("arg:")) cases.back().arguments.push_back(text);
    if (line.starts_with("flag:")) cases.back().changed.push_back(text);
    if (line.starts_with("error:")) cases.back().error = text;
  }
  return cases;
}

std::string WithOurName(std::string text) {
  const std::string theirs = "\"kube-scheduler\"";
  const size_t at = text.find(theirs);
  return at == std::string::npos ? text : text.replace(at, theirs.size(), "\"berth-scheduler\"");
}

// The first stage of kube-scheduler's start that finds an error reports it.
std::string ErrorOf(const Texts& arguments, SchedulerOptions& options) {
  std::ostringstream out, err;
  if (ParseOptions(arguments, "0.1.0", options, out, err)) {
    const std::string text = err.str().substr(err.str().rfind("Error: ") + 7);
    return text.substr(0, text.size() - 1);
  }
  config::FeatureGates gates;
  for (const Texts& errors :
       {gates.Set(options.feature_gates), LoggingErrors(options.logging, gates), Errors(options, gates)}) {
    if (!errors.empty()) return Aggregate(errors);
  }
  return {};
}

TEST(Recorded, ErrorsAreThoseOfKubeScheduler) {
  size_t compared = 0;
  for (const Case& one : Cases()) {
    if (one.error.empty()) continue;
    SchedulerOptions options;
    EXPECT_EQ(ErrorOf(one.arguments, options), WithOurName(one.error)) << base::Bracketed(one.arguments);
    ++compared;
  }
  EXPECT_GT(compared, 50u);
}

TEST(Recorded, ValuesArePrintedAsInKubeScheduler) {
  const auto defaults = Defaults();
  size_t compared = 0;
  for (const Case& one : Cases()) {
    if (!one.error.empty()) continue;
    SchedulerOptions options;
    // The recording does not say whether values are valid: labels of metrics need the name of a metric.
    const std::string error = ErrorOf(one.arguments, options);
    EXPECT_TRUE(error.empty() || error.starts_with("metrics.allowListMapping: ")) << error;
    Texts changed;
    for (const flags::FlagState& flag : options.states) {
      const auto found = defaults.find(flag.name);
      const bool in_the_recording_too = flag.name == "v" || flag.name == "secure-port";
      if (found == defaults.end() || found->second == flag.text || in_the_recording_too) continue;
      changed.push_back("--" + flag.name + "=" + base::Quoted(flag.text));
    }
    EXPECT_EQ(changed, one.changed) << base::Bracketed(one.arguments);
    ++compared;
  }
  EXPECT_GT(compared, 20u);
}

}  // namespace
}  // namespace berth::options
