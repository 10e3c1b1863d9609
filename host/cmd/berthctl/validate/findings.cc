#include "cmd/berthctl/validate/findings.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "os/subprocess/child_end.h"

namespace berth::validate {
namespace {

constexpr size_t kMostOfOneKind = 5;

}  // namespace

void Findings::Say(const Word& word) {
  const std::string line = std::string(1, static_cast<char>(word.kind)) + os::OneLine(word.text) + "\n";
  for (size_t at = 0; at < line.size();) {
    const ssize_t n = write(fd_, line.data() + at, line.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // the validator no longer reads
    at += static_cast<size_t>(n);
  }
}

void Findings::FailAll(const std::vector<std::string>& texts, const std::string& where) {
  std::vector<std::string> said;
  for (const std::string& text : texts) {
    if (std::find(said.begin(), said.end(), text) != said.end()) continue;
    if (said.size() == kMostOfOneKind) return Fail(where + "and more of the kind");
    said.push_back(text);
    Fail(where + text);
  }
}

std::vector<Word> TakeWords(std::string& rest) {
  std::vector<Word> words;
  for (size_t end; (end = rest.find('\n')) != std::string::npos;) {
    if (end > 0) words.push_back({static_cast<Kind>(rest[0]), rest.substr(1, end - 1)});
    rest.erase(0, end + 1);
  }
  return words;
}

}  // namespace berth::validate
