#include "reload/canary/canary.h"

#include <signal.h>
#include <unistd.h>

#include <optional>
#include <utility>

#include "base/text.h"
#include "codec/json/value.h"
#include "os/fd/file_descriptor.h"
#include "os/subprocess/program.h"
#include "reload/canary/canary_environment.h"
#include "reload/canary/canary_request.h"
#include "telemetry/log/log.h"

namespace berth::canary {
namespace {

constexpr size_t kErrorBytes = 1000;  // of the end of the child's standard error
constexpr auto kForLastWord = std::chrono::milliseconds(200);

std::vector<std::string> TextsOf(const json::Value& list) {
  std::vector<std::string> texts;
  for (const json::Value& one : list.array()) texts.push_back(one.string());
  return texts;
}

// What the child has reported so far; see progress.h.
class Heard {
 public:
  // false: nothing more is needed.
  bool Line(std::string_view line) {
    if (line.starts_with("step ")) {
      step_ = line.substr(5);
      whole_ = false;
    } else if (line.starts_with("while ")) {
      step_ = line.substr(6);
      whole_ = true;
    } else if (line.starts_with("call ")) {
      call_ = line.substr(5);
    } else if (line.starts_with("memory ")) {
      if (const size_t space = line.find(' ', 7); space != std::string_view::npos) {
        memory_ = "; the process had taken " + std::string(line.substr(7, space - 7)) + " MiB of the " +
                  std::string(line.substr(space + 1)) + " MiB of memory that it may have";
      }
    } else if (line.starts_with("without ")) {
      missing_.emplace_back(line.substr(8));
    } else if (line.starts_with("ok ")) {
      if (const auto digests = json::Parse(line.substr(3))) survived_ = TextsOf(*digests);
    } else if (line.starts_with("{")) {
      const auto answer = json::Parse(line);
      if (answer && answer->Find("errors") != nullptr) errors_ = TextsOf(*answer->Find("errors"));
    }
    return !survived_ && errors_.empty();
  }

  const std::optional<std::vector<std::string>>& survived() const { return survived_; }
  const std::vector<std::string>& errors() const { return errors_; }
  // Of the confinement.
  const std::vector<std::string>& missing() const { return missing_; }
  // "" or "; the process had taken ...", if that may be the cause of the failure.
  const std::string& memory() const { return memory_; }
  // "" or " in ...": the step or call of the child.
  std::string Where() const {
    if (call_.empty()) return step_.empty() ? "" : " in " + step_;
    return " in " + call_ + (whole_ ? ", " + step_ : "");
  }

 private:
  std::string step_, call_, memory_;
  bool whole_ = false;  // the call is a part of step_
  std::optional<std::vector<std::string>> survived_;
  std::vector<std::string> errors_, missing_;
};

base::Error Sentence(std::string text, std::string last_words) {
  return {"a child process that ran it " + std::move(text) + (last_words.empty() ? "" : ": " + last_words)};
}

tl::unexpected<base::Error> NotStarted(const os::StartError& error, const std::string& program) {
  return base::Fail("no child process could be started to run it first: " +
                    os::SystemText(error.step.empty() ? program : error.step, error.error));
}

// Logged once, until the text changes: the kernel is the same for each child.
class Gaps {
 public:
  void Tell(const std::vector<std::string>& missing) {
    if (std::exchange(told_, missing) == missing || missing.empty()) return;
    log::Warning("The child processes that try changed policies are not confined in every way that Berth knows",
                 {{"missing", missing}});
  }

 private:
  std::vector<std::string> told_;
};

base::Result<void> Run(const CanaryOptions& options, const assembly::ParsedConfig& parsed, Gaps& gaps) {
  const auto began = os::Program::Clock::now(), deadline = began + options.limit;
  const Request request{parsed.sources,
                        options.plugin_directories,
                        options.feature_gates,
                        options.staging_directory,
                        options.hidden,
                        getpid(),
                        options.sample ? options.sample() : Sample{}};
  std::vector<std::string> arguments{"berth-scheduler", "canary"};
  arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
  const std::string input = ToJson(request);
  auto child = os::Program::Start({.path = options.program,
                                   .arguments = std::move(arguments),
                                   .environment = ScrubbedEnvironment(options.variables),
                                   .input = input,
                                   .error_bytes = kErrorBytes});
  if (!child) return NotStarted(child.error(), options.program);
  Heard heard;
  const auto hear = [&](std::string_view line) { return heard.Line(line); };
  const bool in_time = child->ReadLines({deadline}, hear) != os::Program::ReadEnd::kDeadline;
  if (!in_time) {
    child->Signal(SIGTERM);  // the child reports the call that it is in
    child->ReadLines({os::Program::Clock::now() + kForLastWord}, hear);
    child->Kill();
  }
  gaps.Tell(heard.missing());
  if (!in_time) {
    const std::string how = "had not ended after " + std::to_string(options.limit.count()) + " ms";
    return tl::unexpected(Sentence(how + heard.Where() + heard.memory(), os::OneLine(child->Errors())));
  }
  if (!heard.errors().empty()) return base::Fail(base::Join(heard.errors(), "; ") + heard.memory());
  if (!heard.survived()) {
    child->WaitForEnd({deadline});
    const std::string how = child->Kill().Text();
    return tl::unexpected(Sentence(how + heard.Where() + heard.memory(), os::OneLine(child->Errors())));
  }
  if (options.tried != nullptr) options.tried->Add(*heard.survived());
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(os::Program::Clock::now() - began);
  log::V(2, "A child process ran the candidate configuration",
         {{"libraries", heard.survived()->size()}, {"milliseconds", took.count()}});
  return {};
}

}  // namespace

reload::Canary MakeCanary(CanaryOptions options) {
  return [options = std::move(options), gaps = std::make_shared<Gaps>()](const assembly::ParsedConfig& parsed) {
    return Run(options, parsed, *gaps);
  };
}

}  // namespace berth::canary
