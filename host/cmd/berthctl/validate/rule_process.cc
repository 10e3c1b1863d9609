#include "cmd/berthctl/validate/rule_process.h"

#include <fcntl.h>
#include <unistd.h>

#include <exception>
#include <string_view>

namespace berth::validate {
namespace {

// The child.
void Perform(const std::function<void(Findings&)>& work, int words) {
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  Findings findings(words);
  try {
    work(findings);
  } catch (const std::exception& e) {
    findings.Fail(std::string("threw: ") + e.what());
  } catch (...) {
    findings.Fail("threw an exception that is not a std::exception");
  }
  findings.Done();
}

}  // namespace

ChildResult RunInChild(const std::function<void(Findings&)>& work, std::chrono::milliseconds limit) {
  ChildResult result;
  std::string rest;
  const auto listener = [&](std::string_view bytes) {
    rest += bytes;
    for (Word& word : TakeWords(rest)) {
      if (word.kind == Kind::kDone) return true;
      result.words.push_back(std::move(word));
    }
    return false;
  };
  auto child = os::RunForked(
      {.limit = limit}, [&](int words) { Perform(work, words); }, listener);
  if (child) {
    static_cast<os::ForkResult&>(result) = std::move(*child);
  } else {
    result.how = "could not be started: " + child.error().message;
  }
  return result;
}

}  // namespace berth::validate
