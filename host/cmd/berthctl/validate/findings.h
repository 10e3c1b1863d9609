// The results of a rule, which the child process sends to the validator one by one, so that a crash loses none of those
// before it. Thread: any. Ownership: the descriptor is the caller's.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace berth::validate {

enum class Kind : char {
  kFailure = 'F',
  kWarning = 'W',
  kNote = 'N',           // information, no defect
  kNotApplicable = 'A',  // why the rule does not apply
  kStep = 'S',           // what the rule does next; a report of a crash names it
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
  // Prefix of every step from now on.
  void Within(std::string context) { context_ = std::move(context); }
  void Done() { Say({Kind::kDone, ""}); }
  int fd() const { return fd_; }
  // One failure for each text, for the first few texts.
  void FailAll(const std::vector<std::string>& texts, const std::string& where = "");

 private:
  void Say(const Word& word);
  int fd_;
  std::string context_;
};

// Parses what a Findings wrote. rest is input and output: it keeps the last line if it is incomplete.
std::vector<Word> TakeWords(std::string& rest);

}  // namespace berth::validate
