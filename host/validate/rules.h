// The rules that a library is asked in child processes, beside the loader's own (loader/rule.h), whose numbers they
// continue: BP-70 and on. A number stays for ever. Thread: constants.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "validate/findings.h"
#include "validate/subject.h"

namespace berth::validate {

// What has to have come to an end before the rule says anything: a plugin that crashes when it is created does so for
// every rule.
enum class Needs : uint8_t { kNothing, kStart, kAttempt };

struct Rule {
  int number;
  bool of_plugin;  // asked of each plugin of the library; otherwise of the library
  Needs needs;
  void (*check)(const Subject& subject, Findings& findings);
  const char* title;        // a few words
  const char* explanation;  // sentences: what is asked and what happens without it
  std::chrono::seconds limit = std::chrono::seconds(10);
};

inline constexpr int kStarts = 80, kAttempt = 110, kFuzz = 160;  // rules that others, or the command, speak of

std::span<const Rule> Rules();  // in the order in which they are asked
std::string IdOf(const Rule& rule);

// A rule as people read of it, of this folder or of the loader.
struct RuleText {
  std::string id, title, explanation;
};
std::vector<RuleText> AllRuleTexts();  // by number
// "BP-7", "bp-7" or "7"; nullopt when there is no such rule.
std::optional<RuleText> Explain(std::string_view id);

}  // namespace berth::validate
