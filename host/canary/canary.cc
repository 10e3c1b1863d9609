#include "canary/canary.h"

#include <unistd.h>

#include <optional>
#include <utility>

#include "base/text.h"
#include "canary/process.h"
#include "canary/question.h"
#include "json/value.h"
#include "log/log.h"

namespace berth::canary {
namespace {

std::vector<std::string> TextsOf(const json::Value& list) {
  std::vector<std::string> texts;
  for (const json::Value& one : list.array()) texts.push_back(one.string());
  return texts;
}

// What the child has said so far; see progress.h.
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
  // "" or " in ...": where it was.
  std::string Where() const {
    if (call_.empty()) return step_.empty() ? "" : " in " + step_;
    return " in " + call_ + (whole_ ? ", " + step_ : "");
  }

 private:
  std::string step_, call_;
  bool whole_ = false;  // step_ is what a call is a part of
  std::optional<std::vector<std::string>> survived_;
  std::vector<std::string> errors_;
};

base::Error Sentence(std::string text, std::string last_words) {
  return {"a child process that ran it " + std::move(text) + (last_words.empty() ? "" : ": " + last_words)};
}

base::Result<void> Run(const CanaryOptions& options, const std::vector<config::Source>& sources) {
  const auto began = Process::Clock::now(), deadline = began + options.limit;
  const Question question{sources,
                          options.plugin_directories,
                          options.feature_gates,
                          options.staging_directory,
                          getpid(),
                          options.sample ? options.sample() : Sample{}};
  std::vector<std::string> arguments{"berth-scheduler", "canary"};
  arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
  auto child = Process::Start(options.program, arguments, ToJson(question));
  if (!child) return base::Fail("no child process could be started to run it first: " + child.error().message);
  Heard heard;
  const auto hear = [&](std::string_view line) { return heard.Line(line); };
  if (!child->Listen(deadline, hear)) {
    child->Interrupt(hear);
    return tl::unexpected(Sentence(
        "had not ended after " + std::to_string(options.limit.count()) + " ms" + heard.Where(), child->LastWords()));
  }
  if (!heard.errors().empty()) return base::Fail(base::Join(heard.errors(), "; "));
  if (!heard.survived()) {
    std::string how = child->WaitForEnd(deadline);
    return tl::unexpected(Sentence(std::move(how) + heard.Where(), child->LastWords()));
  }
  if (options.tried != nullptr) options.tried->Add(*heard.survived());
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Process::Clock::now() - began);
  log::V(2, "A child process ran the candidate configuration",
         {{"libraries", heard.survived()->size()}, {"milliseconds", took.count()}});
  return {};
}

}  // namespace

swap::Canary MakeCanary(CanaryOptions options) {
  return [options = std::move(options)](const std::vector<config::Source>& sources) { return Run(options, sources); };
}

}  // namespace berth::canary
