// What a rule has to say, as it is found out: in the child process, on its way to the validator. Each word is written
// at once, so that what was said before a crash is not lost. Thread: any. Ownership: the descriptor is the caller's.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace berth::validate {

enum class Kind : char {
  kFailure = 'F',
  kWarning = 'W',
  kNote = 'N',           // worth knowing, nothing is wrong
  kNotApplicable = 'A',  // why there is nothing to ask
  kStep = 'S',           // what is tried now: what a crash is blamed on
  kDone = 'D',
};

struct Word {
  Kind kind;
  std::string text;  // one line
};

class Findings {
 public:
  explicit Findings(int fd) : fd_(fd) {}
  Findings(const Findings&) = delete;

  void Fail(const std::string& text) { Say({Kind::kFailure, text}); }
  void Warn(const std::string& text) { Say({Kind::kWarning, text}); }
  void Note(const std::string& text) { Say({Kind::kNote, text}); }
  void NotApplicable(const std::string& why) { Say({Kind::kNotApplicable, why}); }
  void Step(const std::string& text) { Say({Kind::kStep, context_ + text}); }
  // Stands before every step from now on.
  void Within(std::string context) { context_ = std::move(context); }
  void Done() { Say({Kind::kDone, ""}); }
  // One failure for each, the first few of them.
  void FailAll(const std::vector<std::string>& texts, const std::string& where = "");

 private:
  void Say(const Word& word);
  int fd_;
  std::string context_;
};

// The words in what a Findings wrote; rest keeps what is not yet a whole line.
std::vector<Word> TakeWords(std::string& rest);

}  // namespace berth::validate
